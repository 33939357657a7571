"""Corrections of a counted round and rounds that are void: who may, and what they do to a meter (F-07, G-11)."""

from __future__ import annotations

from typing import Any

import pytest

from pitboss.books import LEDGER
from pitboss.jackpot import Claim
from tests.books.making import Room
from tests.facades import Hits
from tests.jackpot.making import refused
from tests.tabulator.making import (
    DEALER,
    FINAL_FOUR,
    MANAGER,
    PRIME,
    SECOND_DEALER,
    SUPERVISOR,
    TWO,
    Floor,
    floor,
    make_setup,
)

LIGHT = "light seen, chip on the line"
ONE = 173_000
"""What a one-dollar wager adds to the display at 17.3 %, in units."""


def correct(at: Floor, cause: Any, *seats: int, number: int = 1, wager: str = FINAL_FOUR, **said: Any) -> Any:
    usual: dict[str, Any] = {"words": LIGHT, "command": at.id(), "by": DEALER}
    return at.tables.correct("4", number, wager, cause, seats, **usual | said)


def balances(at: Floor) -> dict[str, int]:
    return dict(at.books.state("room").of(LEDGER)["main"].balances)


def test_g_39_f_07_before_the_next_press_the_dealer_corrects_alone(sqlite_room: Room) -> None:
    with floor(sqlite_room, make_setup()) as at:
        before = at.shown()
        at.press((1, 1), (2, 1))
        (entry, movement) = correct(at, "missed", 5).entries
        assert (entry.kind, entry.actor, movement.kind) == ("round-corrected", "Dan", "wagers-counted")
        assert at.four.rounds[-1].counted == {FINAL_FOUR: (1, 2, 5)}
        assert (at.wagers(), at.shown() - before) == (3, 3 * ONE)
        (entry, movement) = correct(at, "miscounted", 2).entries
        assert movement.kind == "count-corrected"
        assert at.four.rounds[-1].counted == {FINAL_FOUR: (1, 5)}
        assert at.shown() - before == 2 * ONE
        assert at.is_sound()


def test_g_11_no_wager_was_missed_in_a_round_while_its_jackpot_was_closed(sqlite_room: Room) -> None:
    """Its wagers were given back: put in later, a seat would win the prize of a wager that nobody made (J-18, J-19)."""
    with floor(sqlite_room, make_setup()) as at:
        at.round(1)
        at.jackpots.close("main", words="a pause", command=at.id(), actor="Ada")
        at.press((2, 1))
        at.jackpots.open("main", words="again", command=at.id(), actor="Ada", approved_by="Carla")
        told = refused(lambda: correct(at, "missed", 2, number=2))
        assert "was not played in round 2 of table 4: every wager of it was given back (J-18, J-19)" in told
        correct(at, "missed", 3, number=1, by=SUPERVISOR, approved_by=MANAGER)
        assert at.wagers() == 2
        assert at.is_sound()


def test_g_31_after_the_next_press_a_supervisor_corrects_with_a_second_person(sqlite_room: Room) -> None:
    with floor(sqlite_room, make_setup()) as at:
        number = at.round(1, 2)
        told = refused(lambda: correct(at, "missed", 5, number=number))
        assert told == (
            "after the next press round 1 is corrected by a supervisor or a manager, not by Dan as a dealer (T-06); "
            "after the next press a round is corrected by two people: 'nobody' is no second person (T-06, G-31)"
        )
        assert "no second person" in refused(lambda: correct(at, "missed", 5, by=SUPERVISOR, approved_by="Sue"))
        correct(at, "missed", 5, **TWO)
        correct(at, "miscounted", 1, **TWO)
        assert at.four.rounds[-1].counted == {FINAL_FOUR: (2, 5)}
        assert at.is_sound()


def test_e_02_only_the_dealer_in_charge_corrects_the_round_on_the_table(sqlite_room: Room) -> None:
    with floor(sqlite_room, make_setup()) as at:
        at.press((1, 1))
        told = refused(lambda: correct(at, "missed", 5, by=SECOND_DEALER))
        assert told == "Dan is in charge of table 4, not Dora (E-02)"
        correct(at, "missed", 5, by=SUPERVISOR)


def test_g_11_a_refund_never_lowers_a_progressive(sqlite_room: Room) -> None:
    with floor(sqlite_room, make_setup()) as at:
        at.press((1, 1), (2, 1))
        shown, house = at.shown(), balances(at)["house"]
        (_, movement) = correct(at, "refunded", 2).entries
        assert movement.kind == "wagers-refunded"
        assert (at.shown(), at.wagers()) == (shown, 2)
        assert balances(at)["house"] == house - 1_000_000
        assert at.four.rounds[-1].counted == {FINAL_FOUR: (1,)}
        # The seat has no wager in the round any more: it wins nothing, and is not refunded again.
        assert "seat 2 has no wager on Final Four Jackpot in round 1 (G-11)" in refused(
            lambda: correct(at, "refunded", 2)
        )
        told = refused(lambda: Hits(at.books).pay_small("main", "4", 2, "Three of a Kind", command=at.id(), by=DEALER))
        assert "seat 2 had no wager of Final Four Jackpot counted in round 1 (E-02)" in told
        assert at.is_sound()


def test_g_11_what_was_missed_and_then_found_wrong_is_taken_back_from_its_own_entry(sqlite_room: Room) -> None:
    with floor(sqlite_room, make_setup()) as at:
        before = at.shown()
        at.press((1, 1))
        correct(at, "missed", 5)
        told = refused(lambda: correct(at, "miscounted", 1, 5))
        assert "correct them one after the other (G-11)" in told
        correct(at, "miscounted", 5)
        correct(at, "miscounted", 1)
        assert (at.shown(), at.four.rounds[-1].counted) == (before, {FINAL_FOUR: ()})
        assert at.is_sound()


def test_participation_is_corrected_without_a_movement(sqlite_room: Room) -> None:
    with floor(sqlite_room, make_setup(wagers=(FINAL_FOUR, PRIME))) as at:
        at.press((1, 2))
        (entry,) = correct(at, "missed", 3, wager=PRIME).entries
        assert entry.kind == "round-corrected"
        assert at.four.counts[PRIME] == {"1": 1, "3": 1}
        assert "nothing is refunded (E-03)" in refused(lambda: correct(at, "refunded", 3, wager=PRIME))
        assert at.is_sound()


def test_everything_against_a_correction_is_told_at_once_and_cited(sqlite_room: Room) -> None:
    with floor(sqlite_room, make_setup()) as at:
        at.press((1, 1))
        told = refused(lambda: correct(at, "wished", 9, number=7, wager="royal", words=""))
        for words in (
            "after the next press round 7 is corrected by a supervisor",
            "state the reason in words (M-02)",
            "'wished' is none of the causes: missed, miscounted, refunded (G-11)",
            "round 7 of table 4 is none of the last: 1 to 1 (F-07)",
            "'royal' is not counted at table 4 (E-01)",
            "seats [9]: different numbers from 1 to 7 (G-16)",
        ):
            assert words in told
        assert "seat 1 is already counted in round 1 (G-11)" in refused(lambda: correct(at, "missed", 1))


def test_g_2_a_seat_with_a_prize_stays_in_its_round(sqlite_room: Room) -> None:
    with floor(sqlite_room, make_setup()) as at:
        at.press((1, 1))
        Hits(at.books).call("main", "4", [Claim(1, "4-card Royal")], command=at.id(), by=DEALER)
        told = refused(lambda: correct(at, "miscounted", 1))
        assert told == "seat 1 has a prize of round 1: reject or correct it first (G-2)"


def void(at: Floor, number: int, **said: Any) -> Any:
    usual: dict[str, Any] = {"words": "card exposed", "command": at.id(), **TWO}
    return at.tables.void("4", number, said.pop("cause", "exposed-card"), **usual | said)


def test_g_11_a_round_is_made_void_by_two_people_and_no_meter_falls(sqlite_room: Room) -> None:
    with floor(sqlite_room, make_setup()) as at:
        at.press((1, 1), (2, 1), (3, 1))
        correct(at, "refunded", 3)
        shown = at.shown()
        told = refused(lambda: void(at, 1, by=DEALER, approved_by="Dan"))
        for words in ("tables/void is for supervisor or manager", "tables/void needs two people"):
            assert words in told
        told = refused(lambda: void(at, 1, cause="bad-luck", words=""))
        for words in ("in words", "'bad-luck' is none of"):
            assert words in told
        void(at, 1)
        # Seat 3 had its dollar back already: two are refunded now.
        assert (at.shown(), balances(at)["house"]) == (shown, -3_000_000)
        assert at.four.rounds[-1].voided
        assert refused(lambda: void(at, 1)) == "round 1 of table 4 is void already (G-11)"
        assert refused(lambda: correct(at, "missed", 5)) == "round 1 of table 4 is void (G-11)"
        assert at.press()["status"] == "released"
        assert at.is_sound()


def test_a_round_without_jackpot_wagers_is_void_without_a_movement(sqlite_room: Room) -> None:
    with floor(sqlite_room, make_setup(wagers=(FINAL_FOUR, PRIME))) as at:
        number = at.press((1, 2))["round"]
        assert len(void(at, number).entries) == 1


@pytest.mark.parametrize("number", [2, 0, -1])
def test_g_11_a_round_that_was_not_counted_is_not_void(sqlite_room: Room, number: int) -> None:
    with floor(sqlite_room, make_setup()) as at:
        at.press((1, 1))
        assert refused(lambda: void(at, number)) == (
            f"round {number} of table 4 is none of the last that were counted (G-11)"
        )
