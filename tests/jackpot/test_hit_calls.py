"""Late calls, calls for the wrong seat or row, and what the cards say of a call."""

from __future__ import annotations

from typing import Any

import pytest

from pitboss.jackpot import HitState, RoundCards
from pitboss.meters import DecreaseReason, units_of
from tests.jackpot.hit_making import (
    CASHIER,
    FLUSH,
    HANDS,
    MANAGER,
    QUADS,
    ROYAL,
    SECOND_ROYAL,
    STRAIGHT_FLUSH,
    SUPERVISOR,
    Floor,
    refused,
    won_of,
)

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


def test_g_36_a_late_call_is_owed_its_meter_though_another_called_meanwhile(at: Floor) -> None:
    at.press(seats=[1])
    at.press("5", [1])
    at.press(seats=[1])
    first = at.call((1, ROYAL), table="5")
    late = at.call((1, ROYAL), round_number=1, words="late")

    assert ({1: 10_000_51}, {1: 10_000_34}) == (won_of(at, first), won_of(at, late))


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
    assert ("enter the cards of seat 4", "confirm the wager light at seat 4 (E-02, F-17)") == problems
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
    assert "seat 3 had no wager of Five Card Jackpot counted in round 1 (E-02)" == problem
    hit = at.call((1, ROYAL))
    assert ("seat 3 had no wager of Five Card Jackpot counted in round 1 (E-02)",) == refused(
        lambda: at.correct(hit, (3, ROYAL)), at
    )
    assert any("E-02" in each for each in refused(lambda: at.small(3, FLUSH), at))


def test_a_call_names_all_that_is_wrong_at_once(at: Floor) -> None:
    at.press(seats=[1])
    problems = refused(lambda: at.call((1, "Six of a kind"), (1, ROYAL), (2, ROYAL), by=CASHIER), at)
    assert 4 == len(problems)
    assert all(any(part in each for each in problems) for part in ("accounting", "twice", "Six of a kind", "E-02"))
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
        "seat 3: these cards make Five-card Straight Flush, but Five-card Royal Flush was reported. Correct or reject the report",
        "seat 4: these cards make Five-card Flush, but Five-card Straight Flush was reported. Correct or reject the report",
        "seat 5 has Five-card Royal Flush too. Correct the report: its prize is of the meter (G-4)",
    ] == list(problems)


@pytest.mark.parametrize(
    ("hand", "words"),
    [
        ("As Ks Qs Js", "5 cards for seat 3 (4 entered)"),
        ("As Ks Qs Js Js", "entered twice"),
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
    assert "confirm the wager light at seat 3 (E-02, F-17)" == problem


def test_a_light_and_cards_that_are_wrong_are_told_at_once(at: Floor) -> None:
    """Seen: the light first, and what the cards are only after it was confirmed."""
    at.press()
    hit = at.call((3, ROYAL))
    cards = RoundCards(seats={3: HANDS[QUADS]})
    problems = refused(lambda: at.hits.verify(hit, cards, [], command="v", by=SUPERVISOR), at)
    assert problems[0] == "confirm the wager light at seat 3 (E-02, F-17)"
    assert len(problems) == 2
    assert "Four of a kind" in problems[1]
