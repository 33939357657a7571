"""Tests of what people do to a meter."""

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from pitboss.meters import (
    Account,
    DecreaseReason,
    MeterState,
    adjust,
    book_receipts,
    change_terms,
    contribute,
    correct_count,
    hit,
    open_meter,
    post_bonus,
    seed_other,
    set_cap,
)
from tests.meters.making import after_wagers, bonus, cents, fund_pays, moved, places, progressive, reasons, refused, usd

TERMS = progressive(reserve_rate=Fraction("0.05"), cap_cents=1_100_00)
J14 = "REGULATION J-14"


@pytest.fixture
def full() -> MeterState:
    """A meter at its cap: $1,100 displayed, $73 overflow, $50 reserve, $1,000 of seed to recover."""
    state = after_wagers(TERMS, 1_000).state
    assert [usd("1100"), usd("73"), usd("50"), usd("1000")] == [
        state.displayed_units,
        state.overflow_units,
        state.reserve_units,
        state.seed_units,
    ]
    return state


@pytest.mark.parametrize(
    ("reason", "fund", "units", "payee"),
    [
        (DecreaseReason.EQUIPMENT_MALFUNCTION, Account.DISPLAYED, usd("1100"), "house"),
        (DecreaseReason.EQUIPMENT_MALFUNCTION, Account.RESERVE, usd("50"), "house"),
        (DecreaseReason.EQUIPMENT_MALFUNCTION, Account.OVERFLOW, usd("73"), "house"),
        (DecreaseReason.BOOKED_AS_RECEIPTS, Account.RESERVE, usd("50"), "receipts"),
        (DecreaseReason.BOOKED_AS_RECEIPTS, Account.OVERFLOW, usd("73"), "receipts"),
        (DecreaseReason.SEED_RECOVERED, Account.DISPLAYED, usd("1000"), "seed"),
        (DecreaseReason.SEED_RECOVERED, Account.RESERVE, usd("50"), "seed"),
        (DecreaseReason.SEED_RECOVERED, Account.OVERFLOW, usd("73"), "seed"),
    ],
)
def test_j_14_a_permitted_decrease_up_to_what_is_there(
    full: MeterState, reason: DecreaseReason, fund: Account, units: int, payee: str
) -> None:
    change = adjust(full, TERMS, -units, reason, words="as documented", fund=fund)
    assert [(fund.value, payee, units)] == moved(change)
    assert [reason.value] == reasons(change.transfers)
    assert [("units", J14)] == places(
        refused(lambda: adjust(full, TERMS, -units - 1, reason, words="as documented", fund=fund))
    )


@pytest.mark.parametrize("fund", [Account.DISPLAYED, Account.RESERVE, Account.OVERFLOW])
@pytest.mark.parametrize("reason", [None, "prize-won", "because", 2])
def test_j_14_a_decrease_without_a_permitted_reason_is_refused(full: MeterState, fund: Account, reason: Any) -> None:
    assert [("reason", J14)] == places(refused(lambda: adjust(full, TERMS, -1, reason, words="because", fund=fund)))


def test_j_14_a_reason_lowers_only_the_funds_it_is_about(full: MeterState) -> None:
    def problems(reason: DecreaseReason, fund: Account) -> list[tuple[str, str | None]]:
        return places(refused(lambda: adjust(full, TERMS, -1, reason, words="test", fund=fund)))

    assert [("reason", "REGULATION T-02")] == problems(DecreaseReason.PRIZE_WON, Account.DISPLAYED)
    assert [("reason", J14)] == problems(DecreaseReason.BOOKED_AS_RECEIPTS, Account.DISPLAYED)
    assert [("reason", J14), ("units", J14)] == problems(DecreaseReason.ABOVE_CAP, Account.RESERVE)
    # The display stands at its cap exactly, so nothing is above it.
    assert [("units", J14)] == problems(DecreaseReason.ABOVE_CAP, Account.DISPLAYED)


def test_j_14_no_more_seed_is_recovered_than_was_put_in(full: MeterState) -> None:
    once = adjust(full, TERMS, -usd("600"), DecreaseReason.SEED_RECOVERED, words="half").state
    assert usd("400") == once.seed_units
    assert refused(lambda: adjust(once, TERMS, -usd("400") - 1, DecreaseReason.SEED_RECOVERED, words="rest"))
    assert 0 == adjust(once, TERMS, -usd("400"), DecreaseReason.SEED_RECOVERED, words="rest").state.seed_units


@pytest.mark.parametrize(
    ("source", "units"),
    [
        (Account.HOUSE, usd("9")),
        (Account.SEED, usd("9")),
        (Account.OTHER_METERS, usd("9")),
        (Account.RESERVE, usd("50")),
        (Account.OVERFLOW, usd("73")),
    ],
)
def test_j_09_an_increase_says_why_and_from_where(full: MeterState, source: Account, units: int) -> None:
    state = hit(full, TERMS, fund_pays(500_00), top=False).state
    change = adjust(state, TERMS, units, words="promotion", source=source)
    assert [(source.value, "displayed", units)] == moved(change)
    assert "promotion" == change.transfers[0].words
    assert state.displayed_units + units == change.state.displayed_units
    assert state.seed_units + (units if source is Account.SEED else 0) == change.state.seed_units


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"words": ""}, ("words", "REGULATION J-09")),
        ({"words": " \n"}, ("words", "REGULATION J-09")),
        ({"words": None}, ("words", "REGULATION J-09")),
        ({"units": 0}, ("units", "REGULATION J-09")),
        ({"units": 1.0}, ("units", "REGULATION J-09")),
        ({"fund": Account.WINNERS}, ("fund", "REGULATION J-03")),
        ({"source": Account.WINNERS}, ("source", "REGULATION J-03")),
        ({"source": Account.DISPLAYED}, ("source", "REGULATION J-03")),
        ({"reason": DecreaseReason.EQUIPMENT_MALFUNCTION}, ("reason", J14)),
        ({"units": usd("600") + 1}, ("units", "REGULATION J-10")),
        ({"units": usd("50") + 1, "source": Account.RESERVE}, ("units", "REGULATION J-03")),
        ({"terms": bonus()}, ("jackpot_type", "REGULATION J-01")),
    ],
)
def test_j_09_an_increase_that_may_not_be_is_refused(
    full: MeterState, fields: dict[str, Any], expected: tuple[str, str]
) -> None:
    state = hit(full, TERMS, fund_pays(600_00), top=False).state
    usual: dict[str, Any] = {"state": state, "terms": TERMS, "units": 1, "words": "promotion"}
    assert [expected] == places(refused(lambda: adjust(**usual | fields)))


def test_j_10_an_increase_up_to_the_cap_is_accepted(full: MeterState) -> None:
    state = hit(full, TERMS, fund_pays(600_00), top=False).state
    assert usd("1100") == adjust(state, TERMS, usd("600"), words="promotion").state.displayed_units
    # The cap binds the display, not what is hidden.
    assert usd("1050") == adjust(full, TERMS, usd("1000"), words="gift", fund=Account.RESERVE).state.reserve_units


def test_j_03_nondisplayed_funds_are_booked_as_receipts_and_nothing_else_is(full: MeterState) -> None:
    change = book_receipts(full, TERMS, usd("73"), fund=Account.OVERFLOW, words="booked")
    assert [("overflow", "receipts", usd("73"))] == moved(change)
    assert [("reason", J14)] == places(
        refused(lambda: book_receipts(full, TERMS, 1, fund=Account.DISPLAYED, words="booked"))
    )
    assert [("units", "REGULATION J-03")] == places(
        refused(lambda: book_receipts(full, TERMS, -1, fund=Account.RESERVE, words="booked"))
    )


def test_j_15_reserve_may_seed_another_meter_where_a_dated_rule_permits_it(full: MeterState) -> None:
    change = seed_other(
        full, TERMS, usd("50"), fund=Account.RESERVE, permitted_by="WSR 10-12-092", words="seeds meter 2"
    )
    assert [("reserve", "other-meters", usd("50"))] == moved(change)
    assert "seeds meter 2 (WSR 10-12-092)" == change.transfers[0].words
    taken_in = adjust(
        open_meter(progressive()).state, progressive(), usd("50"), words="from meter 1", source=Account.OTHER_METERS
    )
    assert [("other-meters", "displayed", usd("50"))] == moved(taken_in)


@pytest.mark.parametrize(
    ("fields", "path"),
    [
        ({"permitted_by": " "}, "permitted_by"),
        ({"fund": Account.DISPLAYED}, "fund"),
        ({"units": usd("50") + 1}, "units"),
        ({"units": 0}, "units"),
        ({"words": ""}, "words"),
        ({"terms": bonus()}, "jackpot_type"),
    ],
)
def test_j_15_seeding_another_meter_otherwise_is_refused(full: MeterState, fields: dict[str, Any], path: str) -> None:
    usual: dict[str, Any] = {
        "state": full,
        "terms": TERMS,
        "units": 1,
        "fund": Account.RESERVE,
        "permitted_by": "WSR 10-12-092",
        "words": "seed",
    }
    assert [path] == [each.path for each in refused(lambda: seed_other(**usual | fields))]


@pytest.mark.parametrize("right", [0, 5, 578, 579, 1_000])
def test_g_11_a_miscount_is_reversed_as_if_it_had_not_been_counted(right: int) -> None:
    expected = after_wagers(TERMS, right).state
    counted = contribute(expected, TERMS, 100)
    change = correct_count(counted.state, TERMS, 100, generation=1, words="tabulator counted twice")
    for name in ("displayed_units", "reserve_units", "overflow_units", "seed_units"):
        assert getattr(expected, name) == getattr(change.state, name)
    assert (right + 100, 100) == (change.state.wagers_counted, change.state.wagers_reversed)
    assert {None, "equipment-malfunction"} >= set(reasons(change.transfers))
    assert usd("100") == sum(each.units for each in change.transfers if each.payee is Account.WAGERS)


def test_g_11_what_has_gone_with_a_prize_the_house_makes_good() -> None:
    counted = after_wagers(progressive(), 100)
    won = hit(counted.state, counted.terms, fund_pays(counted.state.displayed_cents), top=True)
    change = correct_count(won.state, won.terms, 100, generation=1, words="tabulator counted twice")
    assert won.state.displayed_units == change.state.displayed_units
    assert [("house", "wagers", usd("17.30")), ("house-share", "wagers", usd("82.70"))] == moved(change)


def test_g_11_a_miscount_under_earlier_terms_is_reversed_at_their_rates(full: MeterState) -> None:
    new = change_terms(full, TERMS, replace(TERMS, display_rate=Fraction("0.2"), cap_cents=None), words="new rate")
    change = correct_count(new.state, new.terms, 1, generation=1, words="double count", counted_under=TERMS)
    assert [
        ("displayed", "wagers", 173_000),
        ("reserve", "wagers", 50_000),
        ("house-share", "wagers", 777_000),
    ] == moved(change)


@pytest.mark.parametrize(
    ("fields", "path"),
    [
        ({"wagers": 1_001}, "wagers"),
        ({"wagers": 0}, "wagers"),
        ({"generation": 2}, "generation"),
        ({"generation": 0}, "generation"),
        ({"words": ""}, "words"),
    ],
)
def test_g_11_only_what_was_counted_is_reversed(full: MeterState, fields: dict[str, Any], path: str) -> None:
    usual: dict[str, Any] = {"state": full, "terms": TERMS, "wagers": 1, "generation": 1, "words": "double count"}
    assert [path] == [each.path for each in refused(lambda: correct_count(**usual | fields))]


def test_j_10_a_cap_equal_to_what_is_displayed_is_accepted_and_a_cent_less_refused() -> None:
    counted = after_wagers(progressive(), 1)
    assert cents("1000.17") == counted.state.displayed_cents
    change = set_cap(counted.state, counted.terms, cents("1000.17"), words="cap set")
    assert [("displayed", "overflow", 3_000)] == moved(change)
    assert ["above-cap"] == reasons(change.transfers)
    assert cents("1000.17") == change.state.displayed_cents == change.terms.cap_cents
    problems = refused(lambda: set_cap(counted.state, counted.terms, cents("1000.16"), words="cap set"))
    assert [("cap_cents", "REGULATION J-10")] == places(problems)


def test_j_10_a_higher_cap_lets_the_display_grow_and_leaves_the_overflow_the_players(full: MeterState) -> None:
    change = set_cap(full, TERMS, 1_101_00, words="cap raised")
    assert () == change.transfers
    assert full == change.state
    grown = contribute(change.state, change.terms, 10).state
    assert (usd("1101"), usd("73.73")) == (grown.displayed_units, grown.overflow_units)
    assert set_cap(full, TERMS, None, words="cap lifted").terms.cap_units is None


def test_j_10_a_cap_below_the_reseed_is_refused() -> None:
    state = hit(open_meter(progressive()).state, progressive(), fund_pays(900_00), top=False).state
    assert [("reseed_cents", "REGULATION J-10")] == places(
        refused(lambda: set_cap(state, progressive(), 499_99, words="cap"))
    )
    # The seed has done its work when the meter was opened.
    assert 500_00 == set_cap(state, progressive(), 500_00, words="cap").terms.cap_cents


def test_j_01_type_and_wager_amount_do_not_change(full: MeterState) -> None:
    problems = refused(lambda: change_terms(full, TERMS, bonus(wager_cents=200), words=""))
    assert ["words", "jackpot_type", "wager_cents"] == [each.path for each in problems]
    unused = open_meter(progressive()).state
    assert (
        200 == change_terms(unused, progressive(), progressive(wager_cents=200), words="two dollars").terms.wager_cents
    )


@pytest.mark.parametrize(
    ("amount", "expected"),
    [(300_00, ("posting", "displayed", usd("50"))), (100_00, ("displayed", "posting", usd("150")))],
)
def test_c_10_the_house_posts_a_bonus_as_it_likes_and_the_change_is_kept(
    amount: int, expected: tuple[str, str, int]
) -> None:
    change = post_bonus(open_meter(bonus()).state, bonus(), amount, words="daily bonus")
    assert [expected] == moved(change)
    assert amount == change.state.displayed_cents
    assert () == post_bonus(change.state, bonus(), amount, words="the same").transfers


def test_t_24_a_progressive_is_never_set_by_hand(full: MeterState) -> None:
    assert [("jackpot_type", "REGULATION T-24")] == places(refused(lambda: post_bonus(full, TERMS, 1, words="set")))
    assert [("words", "REGULATION J-09"), ("cents", "REGULATION J-06")] == places(
        refused(lambda: post_bonus(open_meter(bonus()).state, bonus(), -1, words=""))
    )
