"""G-35: where a batch names the seats of each round, a round of it is voided and its prizes are called like any other."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from pitboss.books import LEDGER, Draft, Submission
from pitboss.commands import By
from pitboss.jackpot import Claim
from pitboss.jackpot.definitions import RoundSeatsNamed
from pitboss.jackpot.hits.found import CallFoundHit
from pitboss.tabulator.naming import NameSeats
from tests.books.making import BOOK, Room
from tests.facades import Hits
from tests.jackpot.making import make_bonus, refused
from tests.tabulator.making import DEALER, SECOND, SUPERVISOR, TWO, Floor, floor, make_setup

TRIPS, ROYAL = "Three of a Kind", "4-card Royal"


def upload(at: Floor, *rounds: list[int]) -> dict[str, Any]:
    start = at.clock.add(60) - 50 * SECOND
    kept = [[start + place, [[seat, 1] for seat in seats]] for place, seats in enumerate(rounds)]
    return at.send(at.message("batch", rounds=kept))


def small(at: Floor, seat: int, number: int) -> Any:
    return Hits(at.books).pay_small("daily", "4", seat, TRIPS, round_number=number, command=at.id(), by=DEALER)


def void(at: Floor, number: int) -> Any:
    return at.tables.void("4", number, "misdeal", words="misdeal", command=at.id(), **TWO)


def test_g_35_a_prize_is_paid_only_to_a_seat_whose_wager_lay_in_that_very_round(sqlite_room: Room) -> None:
    """Seen: a seat without a wager in round 2 was paid a prize of round 2."""
    with floor(sqlite_room, make_setup("andromeda-1"), jackpots=[make_bonus()]) as at:
        assert upload(at, [1, 2], [1], [2])["round"] == 3
        assert "seat 2 had no wager of Final Four Jackpot counted in round 2 (E-02)" in refused(lambda: small(at, 2, 2))
        small(at, 1, 2)
        small(at, 2, 1)
        assert "has a prize of round 2 already (G-2)" in refused(lambda: small(at, 1, 2))
        assert "seat 1 had no wager of Final Four Jackpot counted in round 3 (E-02)" in refused(lambda: small(at, 1, 3))
        assert at.is_sound()


def test_g_35_a_round_of_a_batch_is_void_like_any_other(sqlite_room: Room) -> None:
    with floor(sqlite_room, make_setup("andromeda-1"), jackpots=[make_bonus()]) as at:
        upload(at, [1, 2], [1], [2])
        shown, house = at.shown("daily"), _house(at)
        (entry, refund) = void(at, 1).entries
        assert (entry.kind, refund.kind) == ("round-voided", "wagers-refunded")
        assert (at.shown("daily"), house - _house(at)) == (shown, 2 * 1_000_000)
        assert "round 1 of table 4 is void already (G-11)" in refused(lambda: void(at, 1))
        assert "is void" in refused(lambda: small(at, 1, 1))
        small(at, 1, 2)
        void(at, 3)
        assert house - _house(at) >= 3 * 1_000_000
        assert at.is_sound()


def test_g_35_of_totals_entered_by_hand_nobody_is_paid_and_nothing_is_void(sqlite_room: Room) -> None:
    with floor(sqlite_room, make_setup()) as at:
        at.tables.down("4", words="panel dark", command=at.id(), by=SUPERVISOR)
        at.tables.enter_counts("4", 2, {"final-four": {1: 2, 2: 1}}, words="sheet", command=at.id(), **TWO)
        wrong = "of round 2 of table 4 only totals were entered: nobody knows whose wager lay in it (G-35)"
        call = {"command": at.id(), "by": DEALER}
        assert wrong in refused(lambda: Hits(at.books).call("main", "4", [Claim(2, "4-card Royal")], **call))
        assert "its seats are not known (G-35)" in refused(lambda: void(at, 2))


def _house(at: Floor) -> int:
    return at.books.state(BOOK).of(LEDGER)["daily"].balances["house"]


def name_seats(at: Floor, number: int, *seats: int, **said: Any) -> Any:
    command = NameSeats(table="4", round=number, seats={"final-four": seats}, words="camera 4 and the sheet")
    return at.tables.do(command, at.id(), **{"by": SUPERVISOR, "approved_by": By("Vic", "surveillance")} | said)


def by_hand(at: Floor) -> None:
    """Seat 1 has two wagers in two rounds, seat 2 one."""
    at.tables.down("4", words="panel dark", command=at.id(), by=SUPERVISOR)
    at.tables.enter_counts("4", 2, {"final-four": {1: 2, 2: 1}}, words="sheet", command=at.id(), **TWO)


def test_g_35_two_people_name_the_seats_of_totals_and_a_prize_is_paid_to_one_that_lay_in_that_round(
    sqlite_room: Room,
) -> None:
    """Seen: of totals entered by hand nobody could name the seats, so that no prize of them had a door."""
    with floor(sqlite_room, make_setup(), jackpots=[make_bonus()]) as at:
        by_hand(at)
        assert "two people name its seats first" in refused(lambda: small(at, 2, 1))
        name_seats(at, 1, 1)
        assert "seat 2 had no wager of Final Four Jackpot counted in round 1 (E-02)" in refused(lambda: small(at, 2, 1))
        small(at, 1, 1)
        assert "two people name its seats first" in refused(lambda: small(at, 2, 2))
        name_seats(at, 2, 1, 2)
        small(at, 2, 2)
        assert "has a prize of round 2 already (G-2)" in refused(lambda: small(at, 2, 2))
        assert at.is_sound()


def test_g_35_a_round_whose_seats_are_named_is_void_by_the_house_and_the_meter_stays(sqlite_room: Room) -> None:
    with floor(sqlite_room, make_setup(), jackpots=[make_bonus()]) as at:
        by_hand(at)
        assert "its seats are not known" in refused(lambda: void(at, 2))
        name_seats(at, 2, 1, 2)
        shown, house = at.shown("daily"), _house(at)
        (entry, refund) = void(at, 2).entries
        assert (entry.kind, refund.kind) == ("round-voided", "wagers-refunded")
        assert (at.shown("daily"), house - _house(at)) == (shown, 2 * 1_000_000)
        assert "is void" in refused(lambda: small(at, 2, 2))
        name_seats(at, 1, 1)
        small(at, 1, 1)
        assert at.is_sound()


def test_g_35_what_is_named_fits_the_totals_and_is_named_once_by_two_of_different_roles(sqlite_room: Room) -> None:
    with floor(sqlite_room, make_setup(), jackpots=[make_bonus()]) as at:
        by_hand(at)
        assert "seat 3 has 0 wagers of Final Four Jackpot in the totals" in refused(lambda: name_seats(at, 1, 1, 3))
        assert "seat 1 has 2 wagers of Final Four Jackpot in 2 rounds" in refused(lambda: name_seats(at, 1, 2))
        second = {"by": By("Max", "manager"), "approved_by": By("Ann", "manager")}
        assert "not another manager (T-06, G-31)" in refused(lambda: name_seats(at, 1, 1, **second))
        name_seats(at, 1, 1, 2)
        assert "are named already (G-35)" in refused(lambda: name_seats(at, 1, 1))
        assert "seat 2 has 1 wagers of Final Four Jackpot in the totals, and 1 are named" in refused(
            lambda: name_seats(at, 2, 1, 2)
        )
        assert "none of the last that were counted (G-35)" in refused(lambda: name_seats(at, 9, 1))
        forged = RoundSeatsNamed(
            round=2, wagers={"final-four": (1, 2)}, jackpots={}, words="x", by="Eve", approved_by="eve"
        )
        drafts = Submission(book=BOOK, id=at.id(), actor="Eve", content=[], decide=lambda _: [Draft(forged)], table="4")
        told = refused(lambda: at.books.submit(drafts))
        assert "Eve approves a change of their own" in told
        assert "and 1 are named" in told
        assert at.is_sound()


def test_g_35_rounds_that_name_their_seats_are_not_named_again(sqlite_room: Room) -> None:
    with floor(sqlite_room, make_setup("andromeda-1"), jackpots=[make_bonus()]) as at:
        upload(at, [1, 2], [1], [2])
        assert "its seats are known (G-35)" in refused(lambda: name_seats(at, 2, 1))


def test_g_35_a_miscount_of_the_totals_is_taken_off_what_can_be_named(sqlite_room: Room) -> None:
    with floor(sqlite_room, make_setup(), jackpots=[make_bonus()]) as at:
        by_hand(at)
        name_seats(at, 2, 1, 2)
        correct: dict[str, Any] = {"words": "not there", "command": at.id(), "by": SUPERVISOR, "approved_by": "Carla"}
        at.tables.correct("4", 2, "final-four", "miscounted", [2], **correct)
        assert "seat 2 had no wager of Final Four Jackpot counted in round 2 (E-02)" in refused(lambda: small(at, 2, 2))
        small(at, 1, 2)
        assert at.is_sound()


def test_g_58_a_prize_of_named_totals_is_found_later(sqlite_room: Room) -> None:
    with floor(sqlite_room, make_setup(), jackpots=[make_bonus()]) as at:
        by_hand(at)
        name_seats(at, 2, 1, 2)
        for _ in range(3):
            at.enter({"final-four": (5,)})
            at.enter()
        found = CallFoundHit(jackpot="daily", table="4", round=2, claims=(Claim(2, ROYAL),), words="camera 4")
        assert "cannot be called" in refused(lambda: small(at, 2, 2))
        at.tables.do(found, at.id(), SUPERVISOR, By("Vic", "surveillance"))
        wrong = replace(found, round=1, claims=(Claim(2, ROYAL),))
        assert "two people name its seats first" in refused(
            lambda: at.tables.do(wrong, at.id(), SUPERVISOR, By("Vic", "surveillance"))
        )
        assert at.is_sound()
