"""G-11, issue 16 item 11: a void round pays no prize, and the floor is told what to do about each wager and prize."""

from __future__ import annotations

from typing import Any

from pitboss.books import LEDGER, Draft, LedgerTransfer, Movement, Submission, read_payload
from pitboss.commands import By
from pitboss.jackpot import Claim, HitState, Paper, RoundCards
from pitboss.jackpot.hits.history import read_history
from pitboss.jackpot.hits.voids import VoidItem
from pitboss.tabulator.entries import RoundVoided
from tests.books.making import BOOK, Room
from tests.facades import Hits
from tests.jackpot.making import refused
from tests.tabulator.making import DEALER, FINAL_FOUR, MANAGER, PRIME, SUPERVISOR, TWO, Floor, floor, make_setup

ROYAL, TRIPS = "4-card Royal", "Three of a Kind"
SAM = By("Sam", "supervisor")


def void(at: Floor, number: int, **fields: Any) -> Any:
    usual: dict[str, Any] = {"words": "card exposed", "command": at.id(), **TWO}
    return at.tables.void("4", number, "exposed-card", **usual | fields)


def call(at: Floor, seat: int, row: str = ROYAL, **fields: Any) -> int:
    answer = Hits(at.books).call("main", "4", [Claim(seat, row)], command=at.id(), **{"by": DEALER} | fields)
    return answer.entries[0].sequence


def balances(at: Floor) -> dict[str, int]:
    return dict(at.books.state(BOOK).of(LEDGER)["main"].balances)


def test_item_11_a_round_with_an_open_hit_is_not_void_unless_the_people_reject_it(sqlite_room: Room) -> None:
    with floor(sqlite_room, make_setup()) as at:
        at.press((1, 1), (2, 1))
        before, shown = balances(at), at.shown()
        hit = call(at, 1)
        problem = refused(lambda: void(at, 1))
        assert problem == f"hit {hit} of round 1 is open: close it first, or reject it with the void (G-11)"
        assert not at.four.rounds[-1].voided
        answer = void(at, 1, open_hits="reject")
        assert [entry.kind for entry in answer.entries] == ["prize-rejected", "round-voided", "wagers-refunded"]
        assert (at.shown(), Hits(at.books).open, at.four.rounds[-1].voided) == (shown, {}, True)
        after = balances(at)
        assert after == {**before, "house": before["house"] - 2_000_000, "players": before["players"] + 2_000_000}
        assert at.is_sound()


def test_item_11_two_hits_of_one_jackpot_are_rejected_one_after_the_other(sqlite_room: Room) -> None:
    with floor(sqlite_room, make_setup()) as at:
        at.press((1, 1), (2, 1), (3, 1))
        shown = at.shown()
        numbers = [call(at, 1), call(at, 2, TRIPS)]
        void(at, 1, open_hits="reject")
        history = read_history(at.books.store.entries(BOOK, 0, at.books.state(BOOK).sequence))
        assert [history.story(number).hit.state for number in numbers] == [HitState.REJECTED] * 2
        assert at.shown() == shown
        assert at.is_sound()


def test_item_11_whoever_called_the_hit_does_not_void_it_away(sqlite_room: Room) -> None:
    with floor(sqlite_room, make_setup()) as at:
        at.press((1, 1))
        call(at, 1, by=SUPERVISOR)
        assert "Sue" in refused(lambda: void(at, 1, open_hits="reject"))
        void(at, 1, open_hits="reject", by=SAM)
        assert at.is_sound()


def test_item_11_prizes_and_wagers_of_the_round_are_listed_with_what_to_do(sqlite_room: Room) -> None:
    with floor(sqlite_room, make_setup(wagers=(FINAL_FOUR, PRIME))) as at:
        at.press((1, 1), (2, 1), (2, 2))
        Hits(at.books).pay_small("main", "4", 1, TRIPS, command=at.id(), by=DEALER)
        (entry, _) = void(at, 1).entries
        items = [item[:3] for item in _items(at, entry.sequence)]
        prize = balances(at)["paid"] // 10_000
        assert items == [(1, FINAL_FOUR, 100), (2, FINAL_FOUR, 100), (2, PRIME, 0), (1, TRIPS, prize)]
        texts = [item.words for item in _items(at, entry.sequence)]
        assert texts[0] == "hand $1.00 back from the tray; the tabulator took the chip"
        assert texts[2] == "hand the wager back, also where it was taken; where it was paid, take the payment back"
        assert texts[3].startswith("ask the prize back that was paid from the tray")
        assert at.is_sound()


def _items(at: Floor, sequence: int) -> list[VoidItem]:
    entry = at.books.store.entry(BOOK, sequence)
    assert entry is not None
    value = read_payload(entry.kind, entry.payload)
    assert isinstance(value, RoundVoided)
    assert value.items == at.four.rounds[-1].items
    return list(value.items)


def test_item_11_no_prize_is_called_or_paid_for_a_void_round_whoever_writes(sqlite_room: Room) -> None:
    with floor(sqlite_room, make_setup()) as at:
        at.press((1, 1))
        void(at, 1)
        for number, step in enumerate(("tray", "call")):
            problem = refused(lambda step=step, number=number: _forged(at, step, f"f{number}"))  # type: ignore[misc]
            assert "round 1 of table 4 is void: no prize of it is called or paid (G-11)" in problem


def _forged(at: Floor, step: str, id_: str) -> None:
    details = {"step": step, "role": "dealer", "round": 1, "won": [[1, TRIPS, 100]]}
    details |= {"late": False, "meter_cents": 1, "wager_cents": 100, "game": "", "wager": "", "paytable": ""}
    prize = Movement("prize-called", "main", (LedgerTransfer("house", "winners", 1_000_000),), details=details)
    submission = Submission(book=BOOK, id=id_, actor="Dan", content=[id_], decide=lambda _: [Draft(prize)], table="4")
    at.books.submit(submission)


def test_item_11_a_prize_that_was_handed_over_stays_and_is_listed(sqlite_room: Room) -> None:
    with floor(sqlite_room, make_setup()) as at:
        at.press((1, 1))
        hit = call(at, 1, TRIPS)
        hits = Hits(at.books)
        hits.verify(hit, RoundCards(seats={1: "5s 5h 5d 9c"}), [1], command=at.id(), by=SUPERVISOR)
        hits.document(hit, [Paper(1, "Wanda Winner")], command=at.id(), by=By("Cas", "accounting"))
        hits.pay(hit, 1, "cage", command=at.id(), by=MANAGER)
        assert "is open: close it first" in refused(lambda: void(at, 1))
        assert "is paid (seat 1): nothing of it changes any more" in refused(lambda: void(at, 1, open_hits="reject"))
        hits.close(hit, command=at.id(), by=SUPERVISOR)
        (entry, _) = void(at, 1).entries
        assert _items(at, entry.sequence)[-1].about == TRIPS
        assert at.is_sound()
