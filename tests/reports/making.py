"""A room for the tests of reports: a clock that is set, jackpots, hits and the desk, with short words for what people do."""

from __future__ import annotations

import datetime
import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import count
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from pitboss.books import Answer, Books, Directory, Draft, Payload, RefusedError, Submission, microseconds, open_books
from pitboss.books.audit import open_source
from pitboss.books.store.migrate import create_books
from pitboss.commands import By
from pitboss.jackpot import Claim, Jackpot, LinkedTable, RoundCards, offer_of
from pitboss.jackpot.hits.workflow import CHECKS
from pitboss.reports import INVARIANTS, PROJECTIONS, Report, ReportRequest, Scope, look, make_report
from pitboss.tabulator import TableSetup, sensors_for
from tests.books.making import settings
from tests.doors import Desk
from tests.facades import Hits, Jackpots, Tables
from tests.jackpot.hit_making import FCP, HOME, hands_of, meter, paper
from tests.meters.making import bonus

BOOK = "room"
ZONE = ZoneInfo("America/Los_Angeles")
FIRST = datetime.date(2026, 11, 13)
TWO: dict[str, Any] = {"actor": "Ada King", "approved_by": "Max Adeyemi"}
ROYAL, STRAIGHT_FLUSH = "Five-card Royal Flush", "Five-card Straight Flush"
CHANCES = ((ROYAL, Fraction(4, 2_598_960)), (STRAIGHT_FLUSH, Fraction(36, 2_598_960)))
DEALER, SUPERVISOR, CAMERA, CASHIER, MANAGER, SECOND = (
    By("Dan Ortiz", "dealer"),
    By("Sue Halvorsen", "supervisor"),
    By("Vic Tran", "surveillance"),
    By("Cora Bell", "accounting"),
    By("Max Adeyemi", "manager"),
    By("Sam Rhee", "supervisor"),
)


def at(day: datetime.date, hour: int, minute: int = 0, second: int = 0) -> int:
    """When the room's clocks show a time on a calendar day, in the microseconds of the journal."""
    return microseconds(datetime.datetime(day.year, day.month, day.day, hour, minute, second, tzinfo=ZONE))


class Clock:
    """A clock that moves a second each time it is asked, and that a test can set."""

    def __init__(self, now: int) -> None:
        self.now = now

    def __call__(self) -> int:
        self.now += 1_000_000
        return self.now


def main_jackpot(*tables: str, **terms: Any) -> Jackpot:
    """100 %, 10 %, then dollars; 17.3 % to the display and 5 % to the reserve; with exact chances."""
    offer = replace(offer_of(FCP, "five-card-jackpot", "PJ-1"), chances=CHANCES)
    return Jackpot(
        name="main",
        offers=(offer,),
        meter=meter(**{"reserve_rate": Fraction("0.05")} | terms),
        tables=tuple(LinkedTable(table, FCP, HOME) for table in tables or ("4", "5")),
        display="real-time",
        small_prize_cents=150_00,
    )


def daily_bonus(*tables: str) -> Jackpot:
    offer = offer_of(FCP, "five-card-jackpot", "PJ-1", jackpot_type="bonus")
    return Jackpot(
        name="daily",
        offers=(offer,),
        meter=bonus(seed_cents=250_00, reseed_cents=250_00),
        tables=tuple(LinkedTable(table, FCP, HOME) for table in tables or ("6",)),
        display="updatable",
        small_prize_cents=150_00,
    )


def milky_way(table: str = "6", digits: int = 6) -> TableSetup:
    """Seven seats with one sensor each and a counter that is read by hand; counts are entered at the console."""
    sensors = sensors_for("milky-way", 7, ["five-card-jackpot"])
    return TableSetup(table=table, game=FCP, model="milky-way", seats=7, sensors=sensors, counter_digits=digits)


@dataclass
class House:
    """A room at work."""

    books: Books
    path: Path
    clock: Clock
    ids: Iterator[int] = field(default_factory=lambda: count(1))
    rounds: dict[str, int] = field(default_factory=dict)
    broken: int = 0

    def __post_init__(self) -> None:
        self.jackpots = Jackpots(self.books, clock=self.clock)
        self.hits = Hits(self.books, clock=self.clock)
        self.desk = Desk.over(self.books, self.clock)
        self.tables = Tables(self.books, clock=self.clock)

    def id(self) -> str:
        return f"c{next(self.ids)}"

    def set(self, day: datetime.date, hour: int, minute: int = 0) -> None:
        self.clock.now = at(day, hour, minute)

    def open(self, *jackpots: Jackpot) -> None:
        for each in jackpots:
            self.jackpots.define(each, words="letter of 2015-04-23", command=self.id(), **TWO)
            self.jackpots.open(each.name, words="approved for play", command=self.id(), **TWO)

    def equip(self, setup: TableSetup) -> None:
        """Set a table up, open it, and put a dealer in charge."""
        two: dict[str, Any] = {"by": MANAGER, "approved_by": "Ada King"}
        self.tables.set_up(setup, words="new equipment", command=self.id(), **two)
        self.tables.open(setup.table, command=self.id(), by=SUPERVISOR)
        self.tables.change_dealer(setup.table, DEALER.name, command=self.id(), by=SUPERVISOR)

    def enter(self, table: str, seats: Mapping[str, Sequence[int]]) -> int:
        """Enter a round at the console of an equipped table, and end it; give the entry of its press."""
        self.clock.now += 2_000_000
        answer = self.tables.press(table, seats, command=self.id(), by=DEALER)
        self.clock.now += 2_000_000
        self.tables.press(table, command=self.id(), by=DEALER)
        self.rounds[table] = self.rounds.get(table, 0) + 1
        return answer.entries[0].sequence

    def press(self, table: str, seats: Sequence[int], jackpot: str = "main", happened: int | None = None) -> int:
        if table in self.tables.room.tables:
            return self.enter(table, {"five-card-jackpot": seats})
        number = self.rounds.get(table, 0) + 1
        said = {"command": self.id(), "actor": f"table {table}", "happened": happened}
        answer = self.jackpots.tabulate(table, number, {jackpot: seats}, **said)  # type: ignore[arg-type]
        self.rounds[table] = number
        return answer.entries[0].sequence

    def batch(self, table: str, rounds: int, wagers: Mapping[int, int], jackpot: str = "main") -> None:
        number = self.rounds.get(table, 0) + rounds
        said: dict[str, Any] = {"command": self.id(), "actor": f"table {table}"}
        self.jackpots.count_batch(table, number, rounds, {jackpot: wagers}, **said)
        self.rounds[table] = number

    def void(self, table: str, words: str = "misdeal") -> None:
        self.jackpots.void_round(table, self.rounds[table], words=words, command=self.id(), actor=SUPERVISOR.name)

    def correct(self, sequence: int, seat: int, words: str = "sensor stuck", jackpot: str = "main") -> None:
        self.jackpots.correct_count(jackpot, sequence, {seat: 1}, words=words, command=self.id(), **TWO)

    def small(self, table: str, seat: int, row: str, jackpot: str = "main") -> None:
        self.hits.pay_small(jackpot, table, seat, row, command=self.id(), by=DEALER)

    def call(self, table: str, *claims: tuple[int, str], jackpot: str = "main") -> int:
        asked = [Claim(*each) for each in claims]
        return self.hits.call(jackpot, table, asked, command=self.id(), by=DEALER).entries[0].sequence

    def documented(self, hit: int, hands: Mapping[int, str] | None = None, **fields: Any) -> None:
        """Verify a hit, have it seen where that is demanded, and make its papers."""
        won = self.hits.open[hit].won
        cards = RoundCards(seats=hands or hands_of([each.row for each in won], [each.seat for each in won]))
        self.hits.verify(hit, cards, list(cards.seats), command=self.id(), by=SUPERVISOR)
        if any("surveillance" in each.names for each in self.hits.open[hit].demands.values()):
            self.hits.surveil(hit, CHECKS, command=self.id(), by=CAMERA)
        papers = [paper(each.seat, **fields) for each in won]
        self.hits.document(hit, papers, command=self.id(), by=CASHIER)

    def paid(self, hit: int, method: str | None = None, cheque: str = "20417") -> None:
        """Hand every prize of a hit over, and close it."""
        found = self.hits.open[hit]
        for won in found.won:
            chosen = method or found.demands[won.seat].methods[-1]
            number = cheque if chosen == "cheque" else ""
            self.hits.pay(hit, won.seat, chosen, command=self.id(), by=MANAGER, cheque=number)
        self.hits.close(hit, command=self.id(), by=SECOND)

    def reject(self, hit: int, words: str = "the fifth card is another") -> None:
        self.hits.reject(hit, words=words, command=self.id(), by=SUPERVISOR, approved_by=MANAGER)

    def chips(self, day: datetime.date, shift: str, table: str, cents: int, words: str = "") -> Answer:
        said = {"counted_with": "Nia Ford", "approved_by": "Nia Ford", "actor": "Lee Sato"}
        said |= {"command": self.id(), "words": words}
        return self.desk.collect(day, shift, table, cents, **said)

    def write(self, *values: Payload, table: str = "", actor: str = "pitboss") -> int:
        """Write entries past the desk, as some other program would."""
        asked = Submission(
            book=BOOK,
            id=self.id(),
            actor=actor,
            content=[each.to_json() for each in values],
            decide=lambda _: [Draft(each) for each in values],
            table=table,
        )
        return self.books.submit(asked).entries[0].sequence

    def trying(self, act: Any, *arguments: Any) -> None:
        """Do something that may be refused."""
        with suppress(RefusedError):
            act(*arguments)


def make_template(path: Path) -> Path:
    """Make the books of an empty room, to be copied: migrations take longer than a copy."""
    first = datetime.date(2026, 11, 1)
    create_books(path, settings(room="Example Room"), person="Ada King", since=first, clock=lambda: at(FIRST, 6, 30))
    return path


@contextmanager
def house(template: Path, path: Path, start: int | None = None, **options: Any) -> Iterator[House]:
    """Open a copy of the empty room."""
    if not path.exists():
        shutil.copytree(template, path)
    clock = Clock(at(FIRST, 7) if start is None else start)
    said: dict[str, Any] = {"projections": PROJECTIONS, "invariants": INVARIANTS, "clock": clock} | options
    with open_books(path, **said) as books:
        yield House(books, path, clock)


@contextmanager
def scope_of(path: Path, asked: ReportRequest | None = None, made: int = 0, **said: Any) -> Iterator[Scope]:
    source = path if path.is_file() else Directory(path)
    store = open_source(source)
    try:
        parts = {"projections": said.pop("projections")} if "projections" in said else {}
        parts |= {"invariants": said.pop("invariants")} if "invariants" in said else {}
        yield look(store, BOOK, asked or ReportRequest(**said), made_at=made, **parts)
    finally:
        store.close()


def report_of(path: Path, name: str, **said: Any) -> Report:
    """Make one report of a room or a backup, as of its last entry."""
    with scope_of(path, **said) as scope:
        return make_report(scope, name)


def cells(report: Report) -> list[dict[str, Any]]:
    """The rows of a report by column."""
    return [dict(zip([each.key for each in report.columns], row.cells, strict=True)) for row in report.rows]


def totals(report: Report) -> dict[str, Any]:
    assert report.totals is not None
    return dict(zip([each.key for each in report.columns], report.totals.cells, strict=True))
