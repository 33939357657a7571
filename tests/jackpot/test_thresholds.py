"""What a prize demands: every threshold at its edge, by date and by kind of room."""

from __future__ import annotations

import datetime
import json
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pitboss import law
from pitboss.books import read_value, write_value
from pitboss.jackpot.hits.thresholds import METHODS, Demand, OtherPrize, PrizeDemands, prize_demands
from pitboss.rules import parse_dollars

day = datetime.date.fromisoformat
TODAY = day("2026-11-15")


def demands(
    amount: str, on: str = "2026-11-15", profile: str = "wa-commercial", wager_cents: int = 100
) -> PrizeDemands:
    return prize_demands(parse_dollars(amount), wager_cents, day(on), profile)


@pytest.mark.parametrize(
    ("demand", "without", "with_it", "source"),
    [
        (Demand.DECK_CHECK, "$499.99", "$500.00", "P-03"),
        (Demand.W2G, "$1,999.99", "$2,000.00", "X-02"),
        (Demand.IDENTIFICATION, "$1,999.99", "$2,000.00", "X-06"),
        (Demand.SURVEILLANCE, "$3,000.00", "$3,000.01", "O-04"),
        (Demand.CHEQUE, "$5,000.00", "$5,000.01", "P-03"),
        (Demand.WITHHOLDING, "$5,001.00", "$5,001.01", "X-04"),
    ],
)
def test_every_threshold_at_its_edge(demand: Demand, without: str, with_it: str, source: str) -> None:
    assert demand not in demands(without)
    assert demand in demands(with_it)
    assert source in demands(with_it).sources[demand]


@pytest.mark.parametrize(
    ("amount", "on", "form"),
    [
        ("$500", "2025-12-31", False),
        ("$599.99", "2025-12-31", False),
        ("$600", "2025-12-31", True),
        ("$1,000", "2025-12-31", True),
        ("$1,000", "2026-01-01", False),
        ("$1,999.99", "2026-01-01", False),
        ("$2,000", "2026-01-01", True),
    ],
)
def test_x_01_x_02_the_form_goes_by_the_day_of_payment(amount: str, on: str, form: bool) -> None:
    assert form == (Demand.W2G in demands(amount, on))


def test_x_01_no_form_below_three_hundred_times_the_wager() -> None:
    assert Demand.W2G in demands("$3,000", wager_cents=10_00)
    assert Demand.W2G not in demands("$2,999.99", wager_cents=10_00)
    assert 0 == demands("$20,000", wager_cents=100_00).withheld_cents


def test_x_03_a_table_prize_never_uses_the_slot_threshold() -> None:
    assert Demand.W2G not in demands("$1,200", "2026-06-01")


def test_g_38_x_04_withholding_is_of_the_winnings_less_the_wager() -> None:
    assert 2_399_76 == demands("$10,000").withheld_cents


def test_x_07_without_a_taxpayer_number_the_same_rate_is_withheld_wherever_a_form_is_due() -> None:
    asked = demands("$2,000")
    assert (0, 479_76) == (asked.withheld(has_taxpayer_number=True), asked.withheld(has_taxpayer_number=False))
    assert 0 == demands("$1,999").withheld(has_taxpayer_number=False)


def test_g_38_x_02_a_day_whose_threshold_is_not_on_file_is_refused_and_not_guessed() -> None:
    for profile in law.PROFILES:
        with pytest.raises(law.NoRuleSetError, match=r"2027-01-01: .*not on file.*\$10,000\.00 .*G-38"):
            demands("$10,000", "2027-01-01", profile=profile)
        assert Demand.W2G not in demands("$299.99", "2027-01-01", profile=profile)
    assert Demand.W2G in demands("$10,000", "2026-12-31")


def test_g_38_x_04_the_rates_of_a_day_regular_and_backup() -> None:
    old, new = demands("$10,000", "2017-12-31"), demands("$10,000", "2018-01-01")
    assert (2_499_75, 2_799_72) == (old.withheld_cents, old.backup_withheld_cents)
    assert (2_399_76, 2_399_76) == (new.withheld_cents, new.backup_withheld_cents)


def test_g_38_prizes_of_one_person_on_the_same_event_count_as_one() -> None:
    """Seen: both 21+3 jackpots won on the same three aces, $3,000.17 each, and nothing withheld."""
    one = OtherPrize(3_000_17, 100)
    asked = prize_demands(3_000_17, 100, day("2026-06-01"), "wa-commercial", [one])
    assert {Demand.W2G, Demand.WITHHOLDING} <= set(asked.sources)
    # 24 % of $6,000.34 less two dollars, in two halves.
    assert 719_80 == asked.withheld_cents
    assert Demand.CHEQUE not in asked
    assert 0 == prize_demands(3_000_17, 100, day("2026-06-01"), "wa-commercial").withheld_cents
    paid = one._replace(withheld_cents=0)
    assert 1_439_60 == prize_demands(3_000_17, 100, day("2026-06-01"), "wa-commercial", [paid]).withheld_cents


@given(st.lists(st.integers(1, 20_000_00), min_size=1, max_size=4), st.sampled_from(law.PROFILES))
def test_g_38_what_is_withheld_of_the_parts_is_never_more_than_of_the_whole(prizes: list[int], profile: str) -> None:
    def demanded(place: int) -> PrizeDemands:
        others = [OtherPrize(cents, 100) for other, cents in enumerate(prizes) if other != place]
        return prize_demands(prizes[place], 100, day("2026-06-01"), profile, others)

    whole = prize_demands(sum(prizes), 100 * len(prizes), day("2026-06-01"), profile).withheld_cents
    parts = sum(demanded(place).withheld_cents for place in range(len(prizes)))
    assert whole - len(prizes) < parts <= whole


def test_g_38_the_300_fold_test_of_withholding_looks_at_the_prize_less_the_wager() -> None:
    """Seen: a $6,000 prize on a $20 wager is 299-fold, and was withheld."""
    asked = demands("$6,000", wager_cents=20_00)
    assert Demand.W2G in asked
    assert (Demand.WITHHOLDING in asked, asked.withheld_cents) == (False, 0)
    assert 1_440_00 == demands("$6,020", wager_cents=20_00).withheld_cents
    assert 0 == demands("$6,019.99", wager_cents=20_00).withheld_cents


def test_p_03_over_five_thousand_dollars_only_a_cheque_pays() -> None:
    assert METHODS == demands("$5,000").methods
    assert ("cheque",) == demands("$5,000.01").methods
    assert (None, 24) == (demands("$5,000").within_hours, demands("$5,000.01").within_hours)


def test_w_07_tribal_rooms_are_bound_by_the_federal_demands_alone() -> None:
    asked = demands("$20,000", profile="wa-tribal")
    assert {"w-2g", "identification", "withholding", "cash-report"} == set(asked.names)
    assert METHODS == asked.methods


def test_x_08_a_cheque_raises_no_cash_alert() -> None:
    assert Demand.CASH_REPORT not in demands("$20,000")
    assert Demand.CASH_REPORT not in demands("$10,000", profile="wa-tribal")


def by_the_words(cents: int, wager_cents: int, on: datetime.date, tribal: bool) -> set[str]:
    """The same by the words of REGULATION.md, in dollars."""
    prize, wager = Fraction(cents, 100), Fraction(wager_cents, 100)
    form = prize >= (2000 if on.year >= 2026 else 600) and prize / wager >= 300
    found = {"w-2g", "identification"} if form else set()
    found |= {"withholding"} if form and prize - wager > 5000 and (prize - wager) / wager >= 300 else set()
    if tribal:
        return found | ({"cash-report"} if prize > 10_000 else set())
    found |= {"surveillance"} if prize > 3000 else set()
    found |= {"deck-check"} if prize >= 500 else set()
    return found | ({"cheque"} if prize > 5000 else set())


AMOUNTS = st.integers(0, 2_000_000) | st.sampled_from(
    [edge + step for edge in (50_000, 60_000, 200_000, 300_000, 500_000, 500_100, 1_000_000) for step in (-1, 0, 1)]
)


@given(
    AMOUNTS,
    st.sampled_from([100, 200, 500, 2000]),
    st.dates(day("2018-01-01"), day("2026-12-31")),
    st.sampled_from(law.PROFILES),
)
def test_the_demands_are_those_of_the_words(cents: int, wager_cents: int, on: datetime.date, profile: str) -> None:
    asked = prize_demands(cents, wager_cents, on, profile)

    assert by_the_words(cents, wager_cents, on, profile == "wa-tribal") == set(asked.names)
    assert 0 <= asked.withheld_cents <= asked.backup_withheld_cents <= max(0, cents)
    assert asked == read_value(PrizeDemands, json.loads(json.dumps(write_value(asked))))
