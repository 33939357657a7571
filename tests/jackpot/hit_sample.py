"""The example room of the documentation with its hits: the same entries, to the microsecond, every time.

`python -m tests.jackpot.hit_sample` writes it to examples/hits.backup; a test compares that file with what is made
today.
"""

from __future__ import annotations

import datetime
import tempfile
from pathlib import Path

from pitboss.books import Directory, open_books
from pitboss.books.backup import back_up
from pitboss.books.migrating import create_books
from pitboss.commands import By
from pitboss.jackpot import PROJECTIONS, Claim, Paper, RoundCards
from pitboss.jackpot.hits.workflow import CHECKS
from tests.books.making import settings, ticking
from tests.books.sample import START
from tests.facades import Hits, Jackpots
from tests.jackpot.hit_making import FLUSH, FULL_HOUSE, HANDS, QUADS, ROYAL, STRAIGHT_FLUSH, five_card, four_card

FILE = Path(__file__).parents[2] / "examples" / "hits.backup"
DEALER, SUPERVISOR, CAMERA, CASHIER, MANAGER = (
    By("Dan Ortiz", "dealer"),
    By("Sue Halvorsen", "supervisor"),
    By("Vic Tran", "surveillance"),
    By("Cora Bell", "accounting"),
    By("Max Adeyemi", "manager"),
)
TWO = {"words": "approved 2015-04-23", "actor": "Ada King", "approved_by": MANAGER.name}


def make_sample(path: Path) -> Directory:
    """Make the room: a closed hit of 100 %, one corrected to another seat, one rejected, one open, small prizes."""
    clock = ticking(START)
    first = datetime.date(2026, 11, 1)
    create_books(path, settings(room="Example Room"), person="Ada King", since=first, clock=clock)
    with open_books(path, projections=PROJECTIONS, clock=clock) as books:
        jackpots, hits = Jackpots(books, clock=clock), Hits(books, clock=clock)
        for jackpot in (five_card("main", "4", "5"), four_card("aces", "6")):
            jackpots.define(jackpot, command=f"define-{jackpot.name}", **TWO)
            jackpots.open(jackpot.name, command=f"open-{jackpot.name}", **TWO)
        _play(jackpots, hits)
    return Directory(path)


def _play(jackpots: Jackpots, hits: Hits) -> None:
    _press(jackpots, 1)
    hits.pay_small("main", "5", 2, FLUSH, command="small-1", by=DEALER)
    _top_hit(hits)
    _press(jackpots, 2)
    hits.pay_small("main", "4", 1, FULL_HOUSE, command="small-2", by=DEALER)
    _corrected(hits)
    _press(jackpots, 3)
    _rejected(hits)
    _press(jackpots, 4)
    quads = _number(hits.call("main", "4", [Claim(5, QUADS)], command="call-4", by=DEALER))
    hits.verify(quads, RoundCards(seats={5: HANDS[QUADS]}), [5], command="verify-4", by=SUPERVISOR)
    _envy(jackpots, hits)


def _number(answer: object) -> int:
    number: int = answer.entries[0].sequence  # type: ignore[attr-defined]
    return number


def _press(jackpots: Jackpots, number: int) -> None:
    jackpots.tabulate("4", number, {"main": [1, 3, 5]}, command=f"press-4-{number}", actor="table 4")
    jackpots.tabulate("5", number, {"main": [2, 4]}, command=f"press-5-{number}", actor="table 5")


def _paper(seat: int, winner: str) -> Paper:
    return Paper(
        seat=seat,
        winner=winner,
        identification=("driver's licence", "W-9"),
        photograph=True,
        taxpayer_number=True,
        deck_checked=True,
    )


def _top_hit(hits: Hits) -> None:
    hit = _number(hits.call("main", "4", [Claim(3, ROYAL)], command="call-1", by=DEALER))
    hits.verify(hit, RoundCards(seats={3: HANDS[ROYAL]}), [3], command="verify-1", by=SUPERVISOR)
    hits.surveil(hit, CHECKS, command="surveil-1", by=CAMERA)
    hits.document(hit, [_paper(3, "Rosa Lind")], command="document-1", by=CASHIER)
    hits.pay(hit, 3, "cheque", command="pay-1", by=MANAGER, cheque="20417")
    hits.close(hit, command="close-1", by=SUPERVISOR)
    hits.reprint(1, words="the printer jammed", command="reprint-1", by=CASHIER)


def _corrected(hits: Hits) -> None:
    hit = _number(hits.call("main", "5", [Claim(2, STRAIGHT_FLUSH)], command="call-2", by=DEALER))
    words = "the hand lay between seats 2 and 4"
    two = {"words": words, "by": SUPERVISOR, "approved_by": MANAGER}
    hits.correct(hit, [Claim(4, STRAIGHT_FLUSH)], command="correct-2", **two)
    hits.verify(hit, RoundCards(seats={4: HANDS[STRAIGHT_FLUSH]}), [4], command="verify-2", by=MANAGER)
    hits.document(hit, [_paper(4, "Ivo Marsh")], command="document-2", by=CASHIER)
    hits.pay(hit, 4, "cage", command="pay-2", by=MANAGER)
    hits.close(hit, command="close-2", by=By("Sam Rhee", "supervisor"))


def _rejected(hits: Hits) -> None:
    hit = _number(hits.call("main", "5", [Claim(2, ROYAL)], command="call-3", by=DEALER))
    words = "the fifth card is the ten of clubs"
    hits.reject(hit, words=words, command="reject-3", by=SUPERVISOR, approved_by=MANAGER)


def _envy(jackpots: Jackpots, hits: Hits) -> None:
    jackpots.tabulate("6", 1, {"aces": [1, 2, 3]}, command="press-6-1", actor="table 6")
    hits.pay_envy("aces", "6", Claim(1, "Quads"), [2, 3], command="envy-1", by=DEALER)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        FILE.unlink(missing_ok=True)
        back_up(make_sample(Path(folder) / "room"), FILE, projections=PROJECTIONS)
