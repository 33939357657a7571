"""A year of a room with fifteen tables, played through the doors of `Jackpots` and `Hits`, and reconciled to the cent.

Every table plays for sixteen hours of each gambling day: presses, small prizes from the tray, hits through the whole
workflow, calls that are rejected, void rounds, wagers counted wrongly or missed, weekly deposits to escrow, monthly
gifts, receipts and postings. What the books say in the end is compared with the script's own count (`year_tally`),
audited by `pitboss audit`, and weighed. `python -m benchmarks.year --days 7` plays a week.
"""

from __future__ import annotations

import argparse
import datetime
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from concurrent.futures import Future
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from tests.facades import Hits, Jackpots

from benchmarks.year_reconcile import differences, printed
from benchmarks.year_room import (
    CASHIER,
    CLERK,
    DEALS,
    HANDS,
    JACKPOTS,
    MANAGER,
    ROWS,
    SECOND,
    SETTINGS,
    SUPERVISOR,
    SURVEILLANCE,
    TABLES,
    Row,
    create_room,
    open_jackpots,
    paper,
    rates_of,
)
from benchmarks.year_tally import CENT, Call, Tally
from pitboss.books import Answer, Books, Calendar, microseconds, open_books
from pitboss.commands import By
from pitboss.jackpot import Claim, RoundCards
from pitboss.jackpot.hits.workflow import CHECKS
from pitboss.meters import Account
from pitboss.room.projections import INVARIANTS, PROJECTIONS

__all__ = ["Plan", "Year", "play_year"]

FIRST = datetime.date(2026, 1, 1)
_HOUR = 3_600_000_000
_OPENS, _HOURS = 4 * _HOUR, 16
_TOGETHER = 40
"""Presses of each table between two moments at which the clock moves and answers are waited for."""
_TOLD_EVERY = 30
_REJECTED_EVERY = 12
_SMALL_BELOW = 150_00
_SEATS: tuple[tuple[int, ...], ...] = ((1, 3, 6), (2, 4), (1, 2, 3, 4, 5), (5,), (1, 2, 6), (3, 4, 5, 6), (), (2, 3, 5))


class Plan(NamedTuple):
    """How long is played, how many rounds a day at each table, and how often each row comes."""

    days: int
    rounds_a_day: int = 640
    seed: int = 2026
    rows: tuple[Row, ...] = ROWS


class Year:
    """A room that plays day after day, and what it must come to."""

    def __init__(self, books: Books, plan: Plan, clock: Clock) -> None:
        self.plan, self.clock = plan, clock
        self.jackpots, self.hits = Jackpots(books, clock=clock), Hits(books, clock=clock)
        self.tallies = {each.name: Tally(rates_of(each)) for each in JACKPOTS}
        self.of_table = {linked.table: each.name for each in JACKPOTS for linked in each.tables}
        self.calendar = Calendar(((FIRST, SETTINGS),))
        self.rounds = dict.fromkeys(TABLES, 0)
        self.wrong: list[str] = []
        self._random = Random(plan.seed)
        self._waiting: list[list[Future[Answer]]] = [[], []]
        self._ids = self._called = 0
        self._sent: list[tuple[str, int]] = []
        self._rejections: list[tuple[int, str, Call]] = []

    def play(self) -> None:
        """Play all days, and wait for the last answer."""
        open_jackpots(self.jackpots)
        for tally in self.tallies.values():
            # The seed of a progressive is at the bank before it opens (G-33).
            tally.deposited += tally.held
        for day in range(self.plan.days):
            self._day(day)
            if (day + 1) % _TOLD_EVERY == 0:
                print(f"  {day + 1} of {self.plan.days} days played", file=sys.stderr, flush=True)
        self._wait()
        self._wait()

    def _id(self) -> str:
        self._ids += 1
        return f"year-{self._ids}"

    def _wait(self) -> None:
        """Wait for all answers but those of the last stretch."""
        self._waiting = [self._waiting[1], []]
        for future in self._waiting[0]:
            future.result()

    def _day(self, day: int) -> None:
        date = FIRST + datetime.timedelta(days=day)
        begins = microseconds(self.calendar.begins(date))
        self.clock.now = begins + _OPENS - _HOUR
        self._morning(date)
        between = _HOURS * _HOUR // self.plan.rounds_a_day
        for first in range(0, self.plan.rounds_a_day, _TOGETHER):
            last = min(first + _TOGETHER, self.plan.rounds_a_day)
            self.clock.now = begins + _OPENS + last * between
            for step in range(first, last):
                for table in TABLES:
                    self._round(day, table, begins + _OPENS + step * between)
            self._wait()
        self._evening(day)

    def _round(self, day: int, table: str, happened: int, seats: tuple[int, ...] | None = None) -> Future[Answer]:
        """Press, and pay what is won, one percentage a round (G-37 has its own tests); given seats win nothing."""
        name, number = self.of_table[table], self.rounds[table] + 1
        self.rounds[table] = number
        random = self._random.random
        played = _SEATS[int(random() * len(_SEATS))] if seats is None else seats
        future = self.jackpots.tabulate_later(
            table, number, {name: played}, command=self._id(), actor=f"table {table}", happened=happened
        )
        self._waiting[1].append(future)
        self.tallies[name].count(len(played), day)
        has_share = False
        for seat in played if seats is None else ():
            drawn = int(random() * DEALS)
            for row in self.plan.rows:
                drawn -= row.hands
                if drawn < 0:
                    if not (row.percent and has_share):
                        self._prize(name, table, seat, row, happened)
                    has_share |= bool(row.percent)
                    break
        return future

    def _prize(self, name: str, table: str, seat: int, row: Row, happened: int) -> None:
        dealer = By(f"dealer {table}", "dealer")
        said: dict[str, Any] = {"command": self._id(), "by": dealer, "happened": happened}
        if row.cents and row.cents < _SMALL_BELOW:
            self.tallies[name].fixed(row.cents)
            self._waiting[1].append(self.hits.pay_small_later(name, table, seat, row.name, **said))
            return
        number = self.hits.call(name, table, [Claim(seat, row.name)], **said).entries[0].sequence
        call = self.tallies[name].share(row.percent) if row.percent else self.tallies[name].fixed(row.cents)
        found = self.hits.open[number].cents * CENT
        if found != call.fund + call.house:
            self.wrong.append(f"hit {number} of {name} is {found} units, and should be {call.fund + call.house}")
        self._called += 1
        if self._called % _REJECTED_EVERY == 0:
            self._rejections.append((number, name, call))
        else:
            self._handled(number, seat, row, happened)

    def _handled(self, number: int, seat: int, row: Row, happened: int) -> None:
        """Take a hit through every step, each by somebody who may."""
        hits, when = self.hits, happened
        cards = RoundCards(seats={seat: HANDS[row.name]})
        hits.verify(number, cards, [seat], command=self._id(), by=SUPERVISOR, happened=when)
        demands = hits.open[number].demands[seat]
        if "surveillance" in demands.names:
            hits.surveil(number, CHECKS, command=self._id(), by=SURVEILLANCE, happened=when)
        hits.document(number, [paper(seat)], command=self._id(), by=CASHIER, happened=when)
        method = demands.methods[-1]
        cheque = str(10_000 + number) if method == "cheque" else ""
        hits.pay(number, seat, method, command=self._id(), by=MANAGER, cheque=cheque, happened=when)
        hits.close(number, command=self._id(), by=SECOND, happened=when)

    def _evening(self, day: int) -> None:
        """What went wrong at the tables: a void round, a count taken back and one made good, calls rejected."""
        said: Any = {"words": "evening count", "actor": CLERK, "approved_by": MANAGER.name}
        table = TABLES[day % len(TABLES)]
        self._round(day, table, self.clock.now, (1, 2, 3)).result()
        number = self.rounds[table]
        self.jackpots.void_round(table, number, words="a card was exposed", command=self._id(), actor=CLERK)
        self.tallies[self.of_table[table]].refunded += 3
        table = TABLES[5 + day % 8]
        name = self.of_table[table]
        (entry,) = self._round(day, table, self.clock.now, (1, 2, 3, 4)).result().entries
        self.jackpots.correct_count(name, entry.sequence, {4: 1}, command=self._id(), **said)
        self.tallies[name].take_back(1)
        self.jackpots.count_missed(name, table, self.rounds[table], [5], command=self._id(), **said)
        self.tallies[name].count(1, day)
        for hit, name, call in self._rejections:
            told = "the hand was misread"
            self.hits.reject(hit, words=told, command=self._id(), by=SUPERVISOR, approved_by=MANAGER)
            self.tallies[name].reject(call)
        self._rejections.clear()

    def _morning(self, date: datetime.date) -> None:
        """Escrow by weekday: sent on Mondays, there on Tuesdays, the surplus back on Wednesdays; the rest monthly."""
        progressives = {name: each for name, each in self.tallies.items() if each.rates.is_progressive}
        for name, tally in progressives.items():
            if date.weekday() == 0 and tally.held > tally.bank:
                cents = -((tally.bank - tally.held) // CENT)
                sent = self.jackpots.send_deposit(name, cents, command=self._id(), actor=CLERK)
                self._sent.append((name, sent.entries[0].sequence))
                tally.deposited += cents * CENT
            surplus = tally.bank - tally.held - self.jackpots.record(name).owed_units
            if date.weekday() == 2 and surplus >= CENT:
                cents = surplus // CENT
                said: Any = {"words": "prizes paid", "actor": CLERK, "approved_by": MANAGER.name}
                self.jackpots.withdraw(name, cents, command=self._id(), **said)
                tally.withdrawn += cents * CENT
        if date.weekday() == 1:
            for name, sequence in self._sent:
                self.jackpots.deposit_arrived(name, sequence, command=self._id(), actor=CLERK)
            self._sent.clear()
        if date.day == 4:
            self._monthly(date.month)

    def _monthly(self, month: int) -> None:
        said: Any = {"words": f"month {month}", "actor": CLERK, "approved_by": MANAGER.name}
        self.jackpots.adjust("west", 100_00 * CENT, command=self._id(), **said)
        self.tallies["west"].adjust(100_00)
        gone = self.tallies["east"].book_receipts()
        if gone:
            self.jackpots.book_receipts("east", gone, fund=Account.OVERFLOW, command=self._id(), **said)
        cents = 7_500_00 + month * 250_00
        self.jackpots.post_bonus("daily", cents, words=f"month {month}", command=self._id(), actor=CLERK)
        self.tallies["daily"].shown = cents * CENT


class Clock:
    """The clock of the room, which the simulation sets."""

    def __init__(self, now: int) -> None:
        self.now = now

    def __call__(self) -> int:
        """Tell the time."""
        return self.now


def play_year(path: Path, plan: Plan, connection: str | None = None) -> tuple[Year, list[str]]:
    """Play in new books under a path; give the room, and everything in which the books differ from its own count."""
    clock = Clock(microseconds(datetime.datetime.combine(FIRST, datetime.time(12), tzinfo=datetime.UTC)))
    create_room(path, FIRST, clock.now, connection)
    with open_books(path, projections=PROJECTIONS, invariants=INVARIANTS, clock=clock) as books:
        year = Year(books, plan, clock)
        year.play()
        found = [*year.wrong, *differences(year.jackpots, year.tallies, year.calendar, FIRST)]
    return year, found


def _audited(path: Path) -> dict[str, Any]:
    """What `pitboss audit` says, in a process of its own."""
    words = [sys.executable, "-c", "from pitboss.cli.main import main; main()"]
    asked = [*words, "audit", str(path), "--processes", "2", "--json"]
    done = subprocess.run(asked, capture_output=True, text=True, check=False)  # noqa: S603 - our own command
    if done.returncode:
        raise SystemExit(f"pitboss audit: {done.returncode}\n{done.stdout[-2_000:]}{done.stderr[-2_000:]}")
    said: dict[str, Any] = json.loads(done.stdout)
    return said


def _told(path: Path, year: Year, wrong: Sequence[str], seconds: float) -> None:
    rounds = sum(year.rounds.values())
    with open_books(path, projections=PROJECTIONS, invariants=INVARIANTS) as books:
        entries = books.state("room").sequence
        print(printed(Jackpots(books), year.tallies))
    print("\n".join(wrong) or "Every account and counter of every jackpot is what the script counted, to the unit.")
    size = sum(file.stat().st_size for file in path.iterdir())
    print(f"{year.plan.days} gambling days, {rounds:,} rounds, {entries:,} entries, played in {seconds / 60:,.1f} min")
    print(f"size on disk {size / 1e6:,.1f} MB: {size / entries:,.0f} bytes an entry, {size / rounds:,.0f} a round")


def main() -> None:
    """Play, reconcile, weigh and audit."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--days", type=int, default=365)
    parser.add_argument("--rounds", type=int, default=640, help="rounds a day at each table")
    parser.add_argument("--folder", type=Path, default=Path.cwd(), help="where the books are made, and deleted after")
    parser.add_argument("--keep", type=Path, help="where the books are made instead, and left")
    parser.add_argument("--postgres", help="a connection string; SQLite where left out")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=asked.folder, prefix=".year-") as folder:
        path, start = asked.keep or Path(folder) / "room", time.perf_counter()
        year, wrong = play_year(path, Plan(asked.days, asked.rounds), asked.postgres)
        _told(path, year, wrong, time.perf_counter() - start)
        start = time.perf_counter()
        _audited(path)
        print(f"pitboss audit: sound, in {(time.perf_counter() - start) / 60:,.1f} min by two processes")
    raise SystemExit(bool(wrong))


if __name__ == "__main__":
    main()
