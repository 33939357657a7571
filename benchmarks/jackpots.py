"""How many tabulated rounds a second the jackpots take, durable, against raw single-row commits of the same store.

One table, then 64 tables at once on 15 linked progressives; every round goes through `Jackpots.tabulate` or
`tabulate_later`, with all checks and invariants of the packages, and every table waits for the answer before its next
round. The 64 are played by one thread that is told of answers, as a server does it, and then by a thread each, which
take the interpreter from each other. The database is beside this repository: a disk in memory would sync nothing.
"""

from __future__ import annotations

import argparse
import datetime
import os
import tempfile
import threading
import time
from concurrent.futures import Future
from pathlib import Path
from queue import SimpleQueue

from tests.facades import Jackpots

from benchmarks.books import SECONDS, TERMS, TURNS, raw_commits, steps_a_second
from pitboss.books import Answer, RoomSettings, open_books
from pitboss.books.store.directory import database_at
from pitboss.books.store.migrate import create_books
from pitboss.games import all_games
from pitboss.jackpot import INVARIANTS, PROJECTIONS, Jackpot, LinkedTable, offer_of

TABLES = 64
JACKPOTS = 15
SEATS = (1, 3, 6)


def create_room(path: Path, connection: str | None) -> None:
    """Make the books of the room."""
    settings = RoomSettings(room="Bench", time_zone="America/Los_Angeles", shifts=(("day", datetime.time(6)),))
    create_books(path, settings, person="bench", database=database_at(connection))


def _jackpot(number: int) -> Jackpot:
    """A progressive on every fifteenth table."""
    game = all_games()[0]
    wager = game.jackpots[0]
    linked = tuple(LinkedTable(str(table), game.name, "Bench") for table in range(number, TABLES, JACKPOTS))
    offer = offer_of(game.name, wager.name, wager.slots[0].ids[0])
    return Jackpot(name=f"jackpot-{number}", offers=(offer,), meter=TERMS, tables=linked, display="real-time")


def open_jackpots(jackpots: Jackpots) -> None:
    """Define and open all jackpots, by two people."""
    for number in range(JACKPOTS):
        each = _jackpot(number)
        said = {"words": "bench", "actor": "Ada", "approved_by": "Carla"}
        jackpots.define(each, command=f"define-{number}", **said)
        jackpots.open(each.name, command=f"open-{number}", **said)


class _Table:
    """A table that plays round after round."""

    def __init__(self, jackpots: Jackpots, number: int) -> None:
        self.jackpots, self.table, self.round = jackpots, str(number), 0
        self.name = f"jackpot-{number % JACKPOTS}"

    def play(self, _: int = 0) -> None:
        self.round += 1
        command = f"{self.table}-{self.round}"
        self.jackpots.tabulate(self.table, self.round, {self.name: SEATS}, command=command, actor=self.table)

    def play_later(self) -> Future[Answer]:
        self.round += 1
        command = f"{self.table}-{self.round}"
        return self.jackpots.tabulate_later(
            self.table, self.round, {self.name: SEATS}, command=command, actor=self.table
        )


def _told(tables: list[_Table]) -> tuple[float, float]:
    """Rounds a second of all tables at once by one thread, and the processor's microseconds for each."""
    answered: SimpleQueue[tuple[_Table, Future[Answer]]] = SimpleQueue()
    played = 0

    def begin(table: _Table) -> None:
        table.play_later().add_done_callback(lambda answer: answered.put((table, answer)))

    start, used = time.perf_counter(), time.process_time()
    for table in tables:
        begin(table)
    under_way = len(tables)
    while under_way:
        table, answer = answered.get()
        answer.result()
        played += 1
        if time.perf_counter() - start < SECONDS:
            begin(table)
        else:
            under_way -= 1
    return played / (time.perf_counter() - start), (time.process_time() - used) / played * 1e6


def _together(tables: list[_Table]) -> tuple[float, float]:
    """Rounds a second of all tables at once, a thread each, and the processor's microseconds for each."""
    stop = threading.Event()
    before = sum(table.round for table in tables)

    def work(table: _Table) -> None:
        while not stop.is_set():
            table.play()

    workers = [threading.Thread(target=work, args=(table,)) for table in tables]
    start, used = time.perf_counter(), time.process_time()
    for worker in workers:
        worker.start()
    stop.wait(SECONDS)
    stop.set()
    for worker in workers:
        worker.join()
    played = sum(table.round for table in tables) - before
    return played / (time.perf_counter() - start), (time.process_time() - used) / played * 1e6


def rounds(path: Path, connection: str | None) -> None:
    """Print rates and their ratios, turn by turn: a busy moment of the machine meets all of them."""
    create_room(path / "room", connection)
    print(
        "Rounds a second, durable  raw commits    one table  ratio"
        "    64 tables  ratio  processor    64 threads  ratio  processor"
    )
    with open_books(path / "room", projections=PROJECTIONS, invariants=INVARIANTS) as books:
        jackpots = Jackpots(books)
        open_jackpots(jackpots)
        tables = [_Table(jackpots, number) for number in range(TABLES)]
        for turn in range(TURNS):
            for step in raw_commits(path, connection):
                raw = steps_a_second(step)
            one = steps_a_second(tables[0].play)
            rates = f"{raw:12,.0f} {one:12,.0f} {one / raw:6.2f}"
            for way in (_told, _together):
                many, each = way(tables)
                rates += f" {many:12,.0f} {many / raw:6.2f} {each:7,.0f} us"
            print(f"  turn {turn + 1}{'':16} {rates}", flush=True)
    print(f"Load of the machine: {', '.join(f'{part:.1f}' for part in os.getloadavg())}")


def main() -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--postgres", help="a connection string; SQLite where left out")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=Path(__file__).parents[1]) as folder:
        rounds(Path(folder), asked.postgres)


if __name__ == "__main__":
    main()
