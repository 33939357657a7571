"""Hits in a room: amounts, meters, sharing, late calls, corrections, small prizes and Envy."""

from __future__ import annotations

import datetime
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pitboss.books import microseconds
from pitboss.jackpot import Claim, HitState, RoundCards, offer_of
from pitboss.meters import DecreaseReason, units_of
from tests.books.making import Room
from tests.jackpot.hit_making import (
    CASHIER,
    DEALER,
    FCP,
    FLUSH,
    FULL_HOUSE,
    HANDS,
    MANAGER,
    QUADS,
    ROYAL,
    SECOND_ROYAL,
    STRAIGHT_FLUSH,
    SUPERVISOR,
    Floor,
    bonus_five_card,
    five_card,
    floor,
    four_card,
    hands_of,
    meter,
    refused,
    reopened,
)


@pytest.fixture
def at(quick_path: Path) -> Iterator[Floor]:
    with floor(quick_path / "room") as found:
        yield found
        found.check()


def won_of(at: Floor, hit: int) -> dict[int, int]:
    return {won.seat: won.cents for won in at.hits.open[hit].won}


# The amount: frozen at the call, and of what the display showed.


def test_f_17_a_hit_from_the_call_to_the_closed_hit(at: Floor) -> None:
    at.press()
    shown = at.displayed()
    hit = at.call((3, ROYAL))

    assert HitState.CALLED is at.hits.open[hit].state
    assert {3: shown} == won_of(at, hit)
    assert (shown, 5_000_00) == (at.balance("winners"), at.displayed())
    at.whole(hit)
    assert {} == at.hits.open
    assert (0, shown) == (at.balance("winners"), at.balance("paid"))


def test_f_04_the_amount_is_frozen_and_other_tables_play_on(at: Floor) -> None:
    at.press()
    shown = at.displayed()
    hit = at.call((3, ROYAL))
    for _ in range(10):
        at.press("5")

    assert {3: shown} == won_of(at, hit)
    assert 5_000_00 + 10 * 5 * 17 < at.displayed()
    at.whole(hit)
    assert shown == at.balance("paid")


def test_g_4_the_rounds_own_wagers_are_in_the_prize(at: Floor) -> None:
    at.press(seats=[1])
    assert {1: 10_000_17} == won_of(at, at.call((1, ROYAL)))


def test_g_4_a_rejected_call_restores_the_frozen_amount_with_all_contributions_since(at: Floor) -> None:
    at.press(seats=[1, 2])
    hit = at.call((2, ROYAL))
    at.press("5", [1, 2, 3])
    at.reject(hit)

    # What the same wagers give without any call: the seed is back with the house.
    assert 10_000_00 * 10_000 + 5 * 173_000 == at.jackpots.meter("main").displayed_units
    assert (0, 0) == (at.balance("winners"), at.balance("paid"))
    assert -10_000_00 == at.balance("seed")
    assert {} == at.hits.open


def test_g_4_two_tables_of_one_link_the_second_call_is_paid_from_the_reseeded_meter(at: Floor) -> None:
    at.press("4")
    at.press("5")
    shown = at.displayed()
    first, second = at.call((1, ROYAL), table="4"), at.call((1, ROYAL), table="5")

    assert ({1: shown}, {1: 5_000_00}) == (won_of(at, first), won_of(at, second))
    assert first < second
    at.reject(first)
    assert {1: 5_000_00} == won_of(at, second)
    at.whole(second)
    assert 5_000_00 == at.balance("paid")


# Several winners of one round.


def test_g_4_winners_of_one_level_share_it_and_odd_cents_stay_on_the_meter(at: Floor) -> None:
    at.press(seats=[1, 2])
    shown = at.displayed()
    hit = at.call((1, ROYAL), (2, ROYAL))

    assert 10_000_34 == shown
    assert {1: 5_000_17, 2: 5_000_17} == won_of(at, hit)
    at.whole(hit)
    assert shown == at.balance("paid")


def test_g_4_an_odd_cent_stays_on_the_meter(at: Floor) -> None:
    at.press(seats=[1, 2, 3])
    hit = at.call((1, ROYAL), (2, ROYAL))

    assert 10_000_51 == 2 * 5_000_25 + 1
    assert {1: 5_000_25, 2: 5_000_25} == won_of(at, hit)
    assert 5_000_01 == at.displayed()


def test_g_4_different_levels_are_each_of_the_displayed_amount_and_the_house_covers_the_rest(at: Floor) -> None:
    at.press(seats=[1, 2])
    hit = at.call((1, ROYAL), (2, STRAIGHT_FLUSH))

    assert {1: 10_000_34, 2: 1_000_03} == won_of(at, hit)
    assert -1_000_03 == at.balance("house")
    at.whole(hit)
    assert 11_000_37 == at.balance("paid")


def test_g_4_a_second_winner_found_after_the_call_shares_what_was_frozen(at: Floor) -> None:
    at.press(seats=[1, 2])
    hit = at.call((1, ROYAL))
    at.press("5")
    (problem,) = refused(lambda: at.call((2, ROYAL)), at)
    assert f"hit {hit} already: correct it to add a seat (G-4)" in problem
    at.correct(hit, (1, ROYAL), (2, ROYAL), words="seat 2 shows a royal too")

    assert {1: 5_000_17, 2: 5_000_17} == won_of(at, hit)
    assert 10_000_34 == at.balance("winners")
    assert 5_000_00 * 10_000 + 5 * 173_000 + 6_000 == at.jackpots.meter("main").displayed_units
    at.whole(hit, MANAGER)
    assert 10_000_34 == at.balance("paid")


def test_g_37_a_second_winner_found_after_the_first_was_paid_is_a_call_of_its_own(at: Floor) -> None:
    at.press(seats=[1, 2])
    first = at.call((1, ROYAL))
    at.verify(first)
    at.surveil(first)
    at.document(first)
    at.pay(first, 1)

    assert {2: 5_000_00} == won_of(at, at.call((2, ROYAL)))


def test_g_4_a_lower_level_alone_does_not_reseed_the_meter(at: Floor) -> None:
    at.press(seats=[1, 2])
    hit = at.call((2, STRAIGHT_FLUSH))

    assert {2: 1_000_03} == won_of(at, hit)
    assert 10_000_34 - 1_000_03 == at.displayed()
    at.reject(hit)
    assert 10_000_34 == at.displayed()


def test_two_hits_in_one_round_of_which_one_is_fixed_are_two_calls(at: Floor) -> None:
    at.press()
    first, second = at.call((1, ROYAL)), at.call((2, QUADS))

    assert {2: 200_00} == won_of(at, second)
    at.whole(second)
    at.whole(first)
    assert 200_00 + 10_000_86 == at.balance("paid")


def test_g_2_a_seat_has_one_prize_of_a_round(at: Floor) -> None:
    at.press()
    hit = at.call((1, QUADS))
    assert any("(G-2)" in each for each in refused(lambda: at.call((1, FULL_HOUSE)), at))
    assert any("(G-2)" in each for each in refused(lambda: at.small(1, FLUSH), at))
    at.reject(hit)
    at.small(1, FLUSH)
    assert any("(G-2)" in each for each in refused(lambda: at.small(1, FLUSH), at))


# Bonus jackpots are the house's.


@pytest.mark.parametrize(("sharing", "each"), [("full", 10_000_00), ("split", 5_000_00)])
def test_g_4_a_bonus_prize_is_paid_by_the_house_in_full_or_divided(quick_path: Path, sharing: str, each: int) -> None:
    with floor(quick_path / "room", bonus_five_card(bonus_sharing=sharing)) as at:
        at.press(jackpot="posted")
        hit = at.call((1, ROYAL), (2, ROYAL), jackpot="posted")

        assert {1: each, 2: each} == won_of(at, hit)
        assert 10_000_00 == at.displayed("posted")
        at.whole(hit)
        assert (-2 * each, 2 * each) == (at.balance("house", "posted"), at.balance("paid", "posted"))
        at.check()


@pytest.mark.parametrize("late", [False, True])
def test_g_32_e_07_a_bonus_posted_after_the_press_holds_for_later_rounds_only(quick_path: Path, late: bool) -> None:
    with floor(quick_path / "room", bonus_five_card()) as at:
        at.press(jackpot="posted")
        at.jackpots.post_bonus("posted", 12_000_00, words="the day's amount", command=at.id(), actor="Ada")
        if late:
            at.press(jackpot="posted")
            hit = at.call((1, ROYAL), jackpot="posted", round_number=1, words="seen on camera")
        else:
            hit = at.call((1, ROYAL), jackpot="posted")
        assert {1: 10_000_00} == won_of(at, hit)
        at.check()


def test_g_5_fixed_prizes_are_the_houses_unless_the_jackpot_deducts_them(quick_path: Path) -> None:
    with floor(quick_path / "room", five_card(), five_card("deducting", "6", fixed_prizes="meter")) as at:
        at.press()
        at.press("6", jackpot="deducting")
        at.small(1, FLUSH)
        at.small(1, FLUSH, table="6", jackpot="deducting")

        assert (10_000_86, 10_000_86 - 25_00) == (at.displayed(), at.displayed("deducting"))
        assert (-25_00, 0) == (at.balance("house"), at.balance("house", "deducting"))
        at.check()


# Late calls.


def test_g_4_a_late_call_is_paid_of_the_meter_as_it_stood_at_the_next_press(at: Floor) -> None:
    at.press(seats=[1, 2])
    at.press("5", [1])
    stood = at.displayed()
    at.press(seats=[1, 2, 3])
    at.press("5", [1, 2, 3])
    assert any("state the reason" in each for each in refused(lambda: at.call((1, ROYAL), round_number=1), at))
    hit = at.call((1, ROYAL), round_number=1, words="the player showed the hand late")

    assert 10_000_51 == stood
    assert {1: stood} == won_of(at, hit)
    assert at.hits.open[hit].late
    assert "the player showed the hand late" == at.hits.open[hit].done[0].words
    # The six wagers counted since stay on the meter.
    assert 5_000_00 * 10_000 + 6 * 173_000 + 9_000 == at.jackpots.meter("main").displayed_units


def test_g_36_a_late_call_comes_after_whoever_called_meanwhile(at: Floor) -> None:
    at.press(seats=[1])
    at.press("5", [1])
    at.press(seats=[1])
    first = at.call((1, ROYAL), table="5")
    late = at.call((1, ROYAL), round_number=1, words="late")

    assert ({1: 10_000_51}, {1: 5_000_00}) == (won_of(at, first), won_of(at, late))


def test_g_4_a_late_call_after_a_rejected_one_is_paid_as_if_it_had_not_been(at: Floor) -> None:
    at.press(seats=[1])
    at.press("5", [1])
    at.press(seats=[1])
    at.reject(at.call((1, ROYAL), table="5"))

    assert {1: 10_000_34} == won_of(at, at.call((1, ROYAL), round_number=1, words="late"))


def test_g_21_a_late_call_on_a_meter_that_was_lowered_since_is_covered_by_the_house(at: Floor) -> None:
    """A call that was rejected meanwhile is as if it had not been; the meter was lowered for a malfunction."""
    at.press(seats=[1])
    at.press("5", [1])
    at.press(seats=[1])
    at.reject(at.call((1, ROYAL), table="5"))
    two: dict[str, Any] = {"words": "sensor stuck", "actor": "Ada", "approved_by": "Max"}
    lowered = DecreaseReason.EQUIPMENT_MALFUNCTION
    at.jackpots.adjust("main", -units_of(100_00), lowered, command="down", **two)
    house = at.balance("house")
    hit = at.call((1, ROYAL), round_number=1, words="late")

    assert {1: 10_000_34} == won_of(at, hit)
    # $9,900.519 was shown: the fund pays $9,900.51 of it and the house the rest.
    assert 10_000_34 - 9_900_51 == house - at.balance("house")
    assert 5_000_00 == at.displayed()


def test_g_4_a_round_two_presses_ago_is_a_dispute_and_no_call(at: Floor) -> None:
    for _ in range(3):
        at.press()
    assert ["there are 2, 3" in each for each in refused(lambda: at.call((1, ROYAL), round_number=1), at)] == [True]


# The wrong seat, the wrong row.


def test_the_wrong_seat_is_corrected_with_its_reason_and_verified_anew(at: Floor) -> None:
    at.press()
    hit = at.call((3, ROYAL))
    shown = at.displayed()
    at.verify(hit)
    at.correct(hit, (4, ROYAL), words="the hand lay between the spots")

    found = at.hits.open[hit]
    assert (HitState.CALLED, {4: 10_000_86}) == (found.state, won_of(at, hit))
    assert ("correct", "Sue", "the hand lay between the spots") == (
        found.done[-1].step,
        found.done[-1].person,
        found.done[-1].words,
    )
    assert shown == at.displayed()
    problems = refused(lambda: at.verify(hit, hands={3: HANDS[ROYAL]}, by=MANAGER), at)
    assert ("seat 4: no cards are entered", "seat 4: its wager light is not confirmed (E-02, F-17)") == problems
    assert any("T-06" in each for each in refused(lambda: at.verify(hit), at)), "who corrected does not verify"
    at.verify(hit, by=MANAGER)
    at.small(3, FLUSH)


def test_the_wrong_row_is_corrected_on_the_amount_frozen_first(at: Floor) -> None:
    at.press()
    hit = at.call((3, QUADS))
    at.press("5")
    at.correct(hit, (3, STRAIGHT_FLUSH), words="the dealer read the hand wrongly")

    assert {3: 1_000_08} == won_of(at, hit)
    assert 0 == at.balance("house")
    at.verify(hit, by=MANAGER)


def test_a_seat_that_had_no_wager_is_never_paid(at: Floor) -> None:
    at.press(seats=[1, 2])
    (problem,) = refused(lambda: at.call((3, ROYAL)), at)
    assert "seat 3 had no wager of main counted in round 1 (E-02)" == problem
    hit = at.call((1, ROYAL))
    assert ("seat 3 had no wager of main counted in round 1 (E-02)",) == refused(
        lambda: at.correct(hit, (3, ROYAL)), at
    )
    assert any("E-02" in each for each in refused(lambda: at.small(3, FLUSH), at))


def test_a_call_names_all_that_is_wrong_at_once(at: Floor) -> None:
    at.press(seats=[1])
    problems = refused(lambda: at.call((1, "Six of a kind"), (1, ROYAL), (2, ROYAL), by=CASHIER), at)
    assert 4 == len(problems)
    assert all(any(part in each for each in problems) for part in ("cashier", "twice", "Six of a kind", "E-02"))
    assert refused(lambda: at.call((1, ROYAL), table="9"), at)
    assert ("there is no jackpot 'other'; there are: main",) == refused(
        lambda: at.call((1, ROYAL), jackpot="other"), at
    )
    assert refused(at.call, at)
    assert ("seat 1: two pairs & less pays nothing",) == refused(lambda: at.call((1, "two pairs & less")), at)


# Verification by the cards.


def test_the_engine_reads_the_cards_and_names_every_difference(at: Floor) -> None:
    at.press()
    hit = at.call((3, ROYAL), (4, STRAIGHT_FLUSH))
    wrong = {3: HANDS[STRAIGHT_FLUSH], 4: HANDS[FLUSH], 5: SECOND_ROYAL}
    problems = refused(lambda: at.verify(hit, hands=wrong), at)
    assert [
        "seat 3: Five-card Royal Flush was called, the cards are Five-card Straight Flush: correct or reject the call",
        "seat 4: Five-card Straight Flush was called, the cards are Five-card Flush: correct or reject the call",
        "seat 5 has Five-card Royal Flush too: correct the call, its prize is of the meter (G-4)",
    ] == list(problems)


@pytest.mark.parametrize(
    ("hand", "words"),
    [
        ("As Ks Qs Js", "4 cards"),
        ("As Ks Qs Js Js", "more often"),
        ("As Ks Qs Js Tx", "Tx"),
        ("As Ks Qs Js *", r"*"),
    ],
)
def test_cards_that_cannot_be_are_refused(at: Floor, hand: str, words: str) -> None:
    at.press()
    hit = at.call((3, ROYAL))
    problems = refused(lambda: at.verify(hit, hands={3: hand}), at)
    assert any(words in each for each in problems)


def test_f_17_a_light_that_is_not_confirmed_stops_the_hit(at: Floor) -> None:
    at.press()
    hit = at.call((3, ROYAL))
    cards = RoundCards(seats={3: HANDS[ROYAL]})
    (problem,) = refused(lambda: at.hits.verify(hit, cards, [], command="v", by=SUPERVISOR), at)
    assert "seat 3: its wager light is not confirmed (E-02, F-17)" == problem


# Small prizes and Envy.


def test_a_small_prize_is_one_command_and_two_entries(at: Floor) -> None:
    at.press()
    answer = at.small(2, FLUSH)

    assert ["prize-called", "prize-paid"] == [entry.kind for entry in answer.entries]
    assert (0, 25_00, -25_00) == (at.balance("winners"), at.balance("paid"), at.balance("house"))
    assert {} == at.hits.open


def test_only_fixed_prizes_below_the_operators_amount_are_paid_so(at: Floor) -> None:
    at.press()
    assert ("Five-card Straight Flush is a percentage of the meter: call it (G-4)",) == refused(
        lambda: at.small(1, STRAIGHT_FLUSH), at
    )
    (problem,) = refused(lambda: at.small(1, QUADS), at)
    assert "only prizes below $150.00 are paid so" in problem
    at.small(1, FULL_HOUSE)


def test_a_small_prize_that_demands_something_is_called(quick_path: Path) -> None:
    offer = offer_of(FCP, "five-card-jackpot", "PJ-2")
    with floor(quick_path / "room", five_card(offers=(offer,), small_prize_cents=10_000_00)) as at:
        at.press()
        (problem,) = refused(lambda: at.small(1, QUADS), at)
        assert "$500.00 demands deck-check" in problem


def test_a_prize_exactly_the_operators_amount_is_called(quick_path: Path) -> None:
    with floor(quick_path / "room", five_card(small_prize_cents=25_00)) as at:
        at.press()
        assert refused(lambda: at.small(1, FLUSH), at)


def test_fcp_5_envy_is_a_list_that_the_verification_gives_and_one_command_pays(quick_path: Path) -> None:
    with floor(quick_path / "room", four_card()) as at:
        at.press(jackpot="envy", seats=[1, 2, 3])
        hit = at.call((1, "Four Aces"), jackpot="envy")
        hands = {1: "As Ah Ad Ac Kd", 2: "2s 3h 4d 6c 7d", 3: "9s 8h Jd Qc 2d"}
        entry = at.verify(hit, hands=hands).entries[0]

        assert '"envy":[[2,10000,' in entry.payload
        answer = at.hits.pay_envy("envy", "4", Claim(1, "Four Aces"), [2, 3], command="e", by=DEALER)
        assert ["prize-called", "prize-paid"] == [each.kind for each in answer.entries]
        assert (200_00, -200_00) == (at.balance("paid", "envy"), at.balance("house", "envy"))
        again = refused(lambda: at.hits.pay_envy("envy", "4", Claim(1, "Four Aces"), [3], command="f", by=DEALER), at)
        assert ("seat 3 has a prize of round 1 already (G-2)",) == again
        wrong = refused(lambda: at.hits.pay_envy("envy", "4", Claim(1, "Trips"), [1, 2], command="g", by=DEALER), at)
        assert any("others than seat 1" in each for each in wrong)
        none = refused(lambda: at.hits.pay_envy("envy", "4", Claim(3, "Trips"), [1, 2], command="h", by=DEALER), at)
        assert ("Trips gives no Envy prize",) == none
        # A seat that was paid Envy still has its own prize.
        at.small(2, "Straight Flush", jackpot="envy")
        at.check()


@pytest.mark.parametrize("reading", ["any_hand", "wagered"])
def test_fcp_5_who_gives_envy_goes_by_the_reading(quick_path: Path, reading: str) -> None:
    offer = offer_of(FCP, "four-card-jackpot", "FCJ-1", readings={"envy_trigger": reading})
    with floor(quick_path / "room", five_card("envy", "4", offers=(offer,))) as at:
        at.press(jackpot="envy", seats=[1, 2])

        def paid() -> object:
            return at.hits.pay_envy("envy", "4", Claim(5, "Quads"), [1, 2], command="e", by=DEALER)

        if reading == "any_hand":
            paid()
            assert 20_00 == at.balance("paid", "envy")
        else:
            assert any("only a hand that carries it" in each for each in refused(paid, at))


def test_g_11_a_void_round_has_no_prize(at: Floor) -> None:
    at.press()
    at.jackpots.void_round("4", 1, words="misdeal", command="void", actor="Sue")
    assert ("round 1 of table 4 is void: its wagers go back (G-11)",) == refused(lambda: at.call((1, ROYAL)), at)
    assert ("round 1 of table 4 is void: its wagers go back (G-11)",) == refused(lambda: at.small(1, FLUSH), at)


# Papers, payment and tax.


def test_o_04_surveillance_is_demanded_over_three_thousand_dollars_and_not_at_it(quick_path: Path) -> None:
    terms = meter(seed_cents=3_000_00, reseed_cents=100_00, display_rate=meter().display_rate / 173)
    with floor(quick_path / "room", five_card(terms=terms)) as at:
        at.press(seats=[])
        at.press(seats=[1])
        hit = at.call((1, ROYAL))
        assert {1: 3_000_00} == won_of(at, hit)
        at.verify(hit)
        at.document(hit)
        at.reject(hit)
        for _ in range(10):
            at.press(seats=[1])
        hit = at.call((1, ROYAL))
        assert {1: 3_000_01} == won_of(at, hit)
        at.verify(hit)
        (problem,) = refused(lambda: at.document(hit), at)
        assert "seat 1: $3,000.01 needs surveillance first (WAC 230-15-320(4); REGULATION O-04)" == problem
        assert 2 == len(refused(lambda: at.surveil(hit, checks=("hand", "wager")), at))
        at.surveil(hit)
        at.document(hit)


def test_p_03_x_06_papers_are_refused_with_all_that_is_missing(at: Floor) -> None:
    at.press()
    hit = at.call((1, ROYAL), (2, ROYAL))
    at.verify(hit)
    at.surveil(hit)
    problems = refused(lambda: at.document(hit, winner=" ", deck_checked=False, identification=("passport",)), at)
    assert 6 == len(problems)
    assert ("seat 1: papers are missing", "seat 2: papers are missing") == refused(
        lambda: at.hits.document(hit, [], command="none", by=CASHIER), at
    )


def test_p_03_more_than_five_thousand_dollars_is_a_cheque(at: Floor) -> None:
    at.press()
    hit = at.call((1, ROYAL))
    at.verify(hit)
    at.surveil(hit)
    at.document(hit)
    (problem,) = refused(lambda: at.pay(hit, 1, "cage", by=MANAGER), at)
    assert "$10,000.86 is paid by cheque, not by 'cage' (P-03)" == problem
    assert refused(lambda: at.hits.pay(hit, 1, "cheque", command="n", by=MANAGER), at), "a cheque has a number"
    answer = at.pay(hit, 1, "cheque")
    assert '"handed":[1,"cheque",239996,"1001",1]' in answer.entries[0].payload


def test_x_07_without_a_taxpayer_number_tax_is_withheld(at: Floor) -> None:
    at.press(seats=[1, 2, 3, 4, 5])
    hit = at.call(*((seat, ROYAL) for seat in (1, 2)))
    at.verify(hit, hands=hands_of([ROYAL, ROYAL], [1, 2]))
    at.surveil(hit)
    at.document(hit, taxpayer_number=False)
    # Less than $5,001: no regular withholding, but 24 % for want of a number.
    assert (5_000_43 - 100) * 24 // 100 == at.hits.open[hit].demands[1].withheld(has_taxpayer_number=False)
    at.pay(hit, 1, "cheque")
    assert (5_000_43 - 100) * 24 // 100 == at.hits.open[hit].handed[0].withheld_cents


def test_x_02_papers_of_last_year_are_made_anew(quick_path: Path) -> None:
    eve = microseconds(datetime.datetime(2026, 1, 1, 7, 59, tzinfo=datetime.UTC)) - 1_000_000_000
    with floor(quick_path / "room", start=eve) as at:
        at.press()
        hit = at.call((1, STRAIGHT_FLUSH))
        at.verify(hit)
        assert "w-2g" in at.hits.open[hit].demands[1].names, "$1,000.08 on the last day of 2025 by the room's clocks"
        at.document(hit)
    with reopened(quick_path / "room", start=eve + 3_600_000_000) as at:
        (problem,) = refused(lambda: at.hits.pay(hit, 1, "cage", command="p", by=MANAGER), at)
        assert "make them anew (X-02)" in problem
        at.hits.document(hit, at.hits.open[hit].papers, command="again", by=CASHIER)
        assert "w-2g" not in at.hits.open[hit].demands[1].names
        at.hits.pay(hit, 1, "cage", command="q", by=MANAGER)
        assert 2 == at.hits.room.slips
        at.check()


def test_one_prize_is_not_paid_twice(at: Floor) -> None:
    at.press()
    hit = at.call((1, ROYAL), (2, ROYAL))
    at.verify(hit)
    at.surveil(hit)
    at.document(hit)
    at.pay(hit, 1)
    assert any("handed over already (T-12)" in each for each in refused(lambda: at.pay(hit, 1), at))
    assert any("handed over" in each for each in refused(lambda: at.reject(hit), at))
    assert any("handed over" in each for each in refused(lambda: at.correct(hit, (1, ROYAL)), at))
    assert any("PAID" in each or "documented" in each for each in refused(lambda: at.close(hit), at))
    at.pay(hit, 2)
    assert any("is paid" in each for each in refused(lambda: at.pay(hit, 2), at))
    at.close(hit)
    assert (f"there is no open hit {hit}; open are: none",) == refused(lambda: at.pay(hit, 2), at)


def test_a_command_sent_again_is_answered_with_what_it_did(at: Floor) -> None:
    at.press()
    hit = at.call((1, QUADS), command="once")
    again = at.hits.call("main", "4", [Claim(1, QUADS)], command="once", by=DEALER)
    assert (again.again, hit) == (True, again.entries[0].sequence)
    at.whole(hit)
    assert at.hits.call("main", "4", [Claim(1, QUADS)], command="once", by=DEALER).again
    assert 200_00 == at.balance("paid")


def test_the_state_of_hits_survives_a_snapshot_and_a_restart(quick_path: Path) -> None:
    with floor(quick_path / "room", snapshot_every=5) as at:
        at.press()
        hit = at.call((1, ROYAL), (2, STRAIGHT_FLUSH))
        at.verify(hit)
        at.surveil(hit)
        at.document(hit)
        at.pay(hit, 1)
        before = at.hits.room
        at.books.seal("room")
    with reopened(quick_path / "room") as at:
        assert before == at.hits.room
        at.hits.pay(hit, 2, "cage", command="pay", by=MANAGER)
        at.hits.close(hit, command="close", by=SUPERVISOR)
        at.check()


def test_t_16_a_jackpot_with_an_open_hit_is_not_changed(at: Floor) -> None:
    at.press()
    hit = at.call((1, QUADS))
    at.jackpots.close("main", words="end of day", command="stop", actor="Ada")
    two = {"words": "other amounts", "actor": "Ada", "approved_by": "Max"}
    changed = five_card(small_prize_cents=1_00)
    (problem,) = refused(lambda: at.jackpots.change(changed, command="change", **two), at)
    assert f"hit {hit} of main is not finished" in problem
    # What was won is owed while play is closed too (T-23).
    at.whole(hit)
    at.jackpots.change(changed, command="change", **two)


def test_a_hit_goes_its_way_in_either_store(room: Room) -> None:
    with reopened(room.path) as at:
        two = {"actor": "Ada", "approved_by": "Max", "words": "approved"}
        at.jackpots.define(five_card(), command=at.id(), **two)
        at.jackpots.open("main", command=at.id(), **two)
        at.press()
        first = at.call((1, ROYAL))
        at.correct(first, (1, ROYAL), (2, ROYAL), words="two royals")
        at.whole(first, MANAGER)
        at.press()
        at.reject(at.call((1, ROYAL)))
        at.small(2, FLUSH)
        at.check()
    with reopened(room.path) as at:
        assert (10_000_86 + 25_00, 0) == (at.balance("paid"), at.balance("winners"))
