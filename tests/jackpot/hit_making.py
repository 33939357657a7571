"""A room for the tests of hits: two linked tables with a percentage jackpot, Envy beside it, and people in their roles."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from pitboss.books import LEDGER, Answer, Books, Directory, RefusedError, open_books
from pitboss.books.audit import AuditReport, check_books
from pitboss.books.store.migrate import create_books
from pitboss.commands import By
from pitboss.jackpot import INVARIANTS, PROJECTIONS, Claim, Jackpot, LinkedTable, Paper, RoundCards, offer_of
from pitboss.jackpot.hits.workflow import CHECKS
from pitboss.meters import MeterTerms
from tests.books.making import BOOK, START, settings, ticking
from tests.facades import Hits, Jackpots
from tests.meters.making import bonus, progressive

FCP = "four-card-prime"
HOME = "Test Room"
ROYAL, STRAIGHT_FLUSH, QUADS, FULL_HOUSE, FLUSH = (
    "Five-card Royal Flush",
    "Five-card Straight Flush",
    "Four of a kind",
    "Full House",
    "Five-card Flush",
)
HANDS = {
    ROYAL: "As Ks Qs Js Ts",
    STRAIGHT_FLUSH: "9h 8h 7h 6h 5h",
    QUADS: "4s 4h 4d 4c Kd",
    FULL_HOUSE: "3s 3h 3d 2c 2d",
    FLUSH: "Ac Jc 9c 7c 5c",
}
SECOND_ROYAL = "Ad Kd Qd Jd Td"

DEALER, SUPERVISOR, SURVEILLANCE, CASHIER, MANAGER, SECOND = (
    By("Dan", "dealer"),
    By("Sue", "supervisor"),
    By("Vic", "surveillance"),
    By("Cas", "accounting"),
    By("Max", "manager"),
    By("Sam", "supervisor"),
)
PEOPLE = {
    "dealer": DEALER,
    "supervisor": SUPERVISOR,
    "surveillance": SURVEILLANCE,
    "accounting": CASHIER,
    "manager": MANAGER,
}
SEED = 10_000_00


def meter(**fields: Any) -> MeterTerms:
    return progressive(**{"seed_cents": SEED, "reseed_cents": 5_000_00} | fields)


def five_card(name: str = "main", *tables: str, terms: MeterTerms | None = None, **fields: Any) -> Jackpot:
    """The percentage jackpot: 100 %, 10 %, then dollars."""
    usual: dict[str, Any] = {
        "offers": (offer_of(FCP, "five-card-jackpot", "PJ-1"),),
        "meter": terms or meter(),
        "tables": tuple(LinkedTable(table, FCP, HOME) for table in tables or ("4", "5")),
        "display": "real-time",
        "small_prize_cents": 150_00,
    }
    return Jackpot(name=name, **usual | fields)


def four_card(name: str = "envy", *tables: str) -> Jackpot:
    """The jackpot with Envy: Four Aces 100 % and $100, Quads $300 and $10."""
    offer = offer_of(FCP, "four-card-jackpot", "FCJ-1")
    return five_card(name, *(tables or ("4",)), offers=(offer,), terms=meter(), small_prize_cents=150_00)


def bonus_five_card(**fields: Any) -> Jackpot:
    offer = offer_of(FCP, "five-card-jackpot", "PJ-1", jackpot_type="bonus")
    terms = bonus(seed_cents=SEED, reseed_cents=SEED)
    return five_card("posted", "4", terms=terms, offers=(offer,), display="updatable", **fields)


@dataclass
class Floor:
    """A room at work: its jackpots, its hits, and short words for what people do."""

    books: Books
    path: Path
    hits: Hits
    jackpots: Jackpots
    ids: Iterator[int] = field(default_factory=lambda: count(1))
    rounds: dict[str, int] = field(default_factory=dict)

    def id(self) -> str:
        return f"c{next(self.ids)}"

    def press(self, table: str = "4", seats: Sequence[int] = (1, 2, 3, 4, 5), jackpot: str = "main") -> int:
        return self.press_all(table, {jackpot: seats})

    def press_all(self, table: str, seats: Mapping[str, Sequence[int]]) -> int:
        number = self.rounds[table] = self.rounds.get(table, 0) + 1
        self.jackpots.tabulate(table, number, seats, command=self.id(), actor=f"table {table}")
        return number

    def call(self, *claims: tuple[int, str], table: str = "4", jackpot: str = "main", **said: Any) -> int:
        asked = [Claim(*each) for each in claims]
        options: dict[str, Any] = {"command": self.id(), "by": DEALER}
        return self.hits.call(jackpot, table, asked, **options | said).entries[0].sequence

    def verify(self, hit: int, by: By = SUPERVISOR, hands: Mapping[int, str] | None = None) -> Answer:
        won = self.hits.open[hit].won if hit in self.hits.open else ()
        cards = RoundCards(seats=hands or hands_of([each.row for each in won], [each.seat for each in won]))
        return self.hits.verify(hit, cards, list(cards.seats), command=self.id(), by=by)

    def surveil(self, hit: int, by: By = SURVEILLANCE, checks: Sequence[str] = CHECKS) -> Answer:
        return self.hits.surveil(hit, checks, command=self.id(), by=by)

    def document(self, hit: int, by: By = CASHIER, **fields: Any) -> Answer:
        won = self.hits.open[hit].won if hit in self.hits.open else ()
        return self.hits.document(hit, [paper(each.seat, **fields) for each in won], command=self.id(), by=by)

    def pay(self, hit: int, seat: int, method: str | None = None, by: By = MANAGER) -> Answer:
        found = self.hits.open.get(hit)
        demands = None if found is None else found.demands.get(seat)
        chosen = method or (demands.methods[-1] if demands is not None else "cage")
        cheque = "1001" if chosen == "cheque" else ""
        return self.hits.pay(hit, seat, chosen, command=self.id(), by=by, cheque=cheque)

    def close(self, hit: int, by: By = SUPERVISOR) -> Answer:
        return self.hits.close(hit, command=self.id(), by=by)

    def reject(self, hit: int, by: By = SUPERVISOR, approved_by: By = MANAGER, words: str = "misread") -> Answer:
        return self.hits.reject(hit, words=words, command=self.id(), by=by, approved_by=approved_by)

    def correct(self, hit: int, *claims: tuple[int, str], words: str = "wrong seat", **said: Any) -> Answer:
        options: dict[str, Any] = {"command": self.id(), "by": SUPERVISOR, "approved_by": MANAGER, "words": words}
        return self.hits.correct(hit, [Claim(*each) for each in claims], **options | said)

    def small(self, seat: int, row: str, table: str = "4", jackpot: str = "main", **said: Any) -> Answer:
        options: dict[str, Any] = {"command": self.id(), "by": DEALER}
        return self.hits.pay_small(jackpot, table, seat, row, **options | said)

    def whole(self, hit: int, verifier: By = SUPERVISOR) -> None:
        """Take a hit through every step."""
        self.verify(hit, verifier)
        if any("surveillance" in each.names for each in self.hits.open[hit].demands.values()):
            self.surveil(hit)
        self.document(hit)
        for each in self.hits.open[hit].won:
            self.pay(hit, each.seat)
        self.close(hit, SECOND)

    def balance(self, account: str, jackpot: str = "main") -> int:
        """An account in cents and their fractions left out."""
        return self.books.state(BOOK).of(LEDGER)[jackpot].balances[account] // 10_000

    def displayed(self, jackpot: str = "main") -> int:
        return self.jackpots.displayed_cents(jackpot)

    def check(self) -> AuditReport:
        report = check_books(Directory(self.path), projections=PROJECTIONS, invariants=INVARIANTS)
        assert report.is_sound, [
            *report.damages,
            *report.findings,
            *(d for b in report.books.values() for d in b.disagreements),
        ]
        assert self.books.state(BOOK) == report.books[BOOK].reading.state
        return report


def paper(seat: int, **fields: Any) -> Paper:
    usual: dict[str, Any] = {
        "winner": f"Winner {seat}",
        "identification": ("driver's licence", "passport"),
        "photograph": True,
        "taxpayer_number": True,
        "deck_checked": True,
    }
    return Paper(seat=seat, **usual | fields)


def hands_of(rows: Sequence[str], seats: Sequence[int]) -> dict[int, str]:
    """Hands that make these rows, with no card twice."""
    found: dict[int, str] = {}
    for seat, row in zip(seats, rows, strict=True):
        hand = HANDS[row]
        found[seat] = SECOND_ROYAL if hand in found.values() and row == ROYAL else hand
    return found


@contextmanager
def floor(path: Path, *jackpots: Jackpot, start: int = START, **options: Any) -> Iterator[Floor]:
    """Make a room with these jackpots open, one on the tables 4 and 5 where none is given."""
    create_books(path, settings(), person="Ada", since=datetime.date(2015, 1, 1), clock=lambda: start)
    with reopened(path, start, **options) as found:
        for each in jackpots or (five_card(),):
            two = {"actor": "Ada", "approved_by": "Max", "words": "approved"}
            found.jackpots.define(each, command=found.id(), **two)
            found.jackpots.open(each.name, command=found.id(), **two)
        yield found


@contextmanager
def reopened(path: Path, start: int = START, **options: Any) -> Iterator[Floor]:
    clock = ticking(start)
    said: dict[str, Any] = {"projections": PROJECTIONS, "invariants": INVARIANTS, "clock": clock} | options
    with open_books(path, **said) as books:
        yield Floor(books, path, Hits(books, clock=clock), Jackpots(books))


def refused(act: Callable[[], object], at: Floor) -> tuple[str, ...]:
    """What speaks against something that must be refused; nothing has changed."""
    before = at.books.state(BOOK)
    with pytest.raises(RefusedError) as caught:
        act()
    assert before == at.books.state(BOOK)
    return caught.value.problems


def won_of(at: Floor, hit: int) -> dict[int, int]:
    """What each seat has won by a hit, in cents."""
    return {won.seat: won.cents for won in at.hits.open[hit].won}
