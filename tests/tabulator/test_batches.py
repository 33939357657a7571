"""G-35: where a batch names the seats of each round, a round of it is voided and its prizes are called like any other."""

from __future__ import annotations

from typing import Any

from pitboss.books import LEDGER
from pitboss.jackpot import Claim
from tests.books.making import BOOK, Room
from tests.facades import Hits
from tests.jackpot.making import make_bonus, refused
from tests.tabulator.making import DEALER, SECOND, SUPERVISOR, TWO, Floor, floor, make_setup

TRIPS = "Three of a Kind"


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
        assert "seat 2 had no wager of daily counted in round 2 (E-02)" in refused(lambda: small(at, 2, 2))
        small(at, 1, 2)
        small(at, 2, 1)
        assert "has a prize of round 2 already (G-2)" in refused(lambda: small(at, 1, 2))
        assert "seat 1 had no wager of daily counted in round 3 (E-02)" in refused(lambda: small(at, 1, 3))
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
