"""How fast the books take durable commands, against raw single-row commits of the same store in the same run."""

from __future__ import annotations

import argparse
import datetime
import sqlite3
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from fractions import Fraction
from pathlib import Path

from pitboss.books import LEDGER, Books, BookState, Draft, RoomSettings, Submission, movement_of, open_books
from pitboss.books.store.directory import database_at
from pitboss.books.store.migrate import create_books
from pitboss.meters import MeterTerms, contribute, open_meter

SECONDS = 3.0
TURNS = 3
SUBMITTERS = 64
JACKPOTS = 15
BOOK = "room"
TERMS = MeterTerms(
    jackpot_type="progressive",
    wager_cents=100,
    seed_cents=10_000_00,
    reseed_cents=10_000_00,
    display_rate=Fraction("0.173"),
    reserve_rate=Fraction("0.05"),
    cap_cents=None,
    batch_wagers_max=None,
)


def _opening(jackpot: str) -> Submission:
    def decide(_: BookState) -> list[Draft]:
        return [Draft(movement_of("jackpot-opened", jackpot, None, open_meter(TERMS)))]

    return Submission(book=BOOK, id=f"open-{jackpot}", actor="bench", content=["open", jackpot], decide=decide)


def _counting(command_id: str, jackpot: str) -> Submission:
    """A tabulated round: three wagers, computed from the state in memory as the jackpots will do it."""

    def decide(state: BookState) -> list[Draft]:
        before = state.of(LEDGER)[jackpot].meter_state
        return [Draft(movement_of("wagers-counted", jackpot, before, contribute(before, TERMS, 3)))]

    return Submission(
        book=BOOK, id=command_id, actor="table 4", table="4", content=["count", jackpot, 3], decide=decide
    )


def _room(path: Path, connection: str | None) -> None:
    shifts = (("day", datetime.time(6)), ("swing", datetime.time(14)), ("graveyard", datetime.time(22)))
    settings = RoomSettings(room="Bench", time_zone="America/Los_Angeles", shifts=shifts)
    create_books(path, settings, person="bench", database=database_at(connection))
    with open_books(path) as books:
        for number in range(JACKPOTS):
            books.submit(_opening(f"jackpot-{number}"))


def steps_a_second(step: Callable[[int], object], seconds: float = SECONDS) -> float:
    """Steps a second, for about so many seconds."""
    start = time.perf_counter()
    count = 0
    while time.perf_counter() - start < seconds:
        step(count)
        count += 1
    return count / (time.perf_counter() - start)


def raw_commits(path: Path, connection: str | None) -> Iterator[Callable[[int], object]]:
    """Single-row durable commits of the store itself, rows as long as an entry."""
    row = "x" * 450
    if connection is None:
        with closing(sqlite3.connect(path / "raw.sqlite3", isolation_level=None)) as raw:
            raw.execute("PRAGMA journal_mode=WAL")
            raw.execute("PRAGMA synchronous=FULL")
            raw.execute("CREATE TABLE IF NOT EXISTS raw (id INTEGER PRIMARY KEY, row TEXT) STRICT")
            yield lambda _: raw.execute("INSERT INTO raw (row) VALUES (?)", (row,))
        return
    import psycopg  # noqa: PLC0415

    with psycopg.connect(connection, autocommit=True) as server:
        server.execute("CREATE TABLE IF NOT EXISTS raw (id BIGSERIAL PRIMARY KEY, row TEXT)")
        yield lambda _: server.execute("INSERT INTO raw (row) VALUES (%s)", (row,))


def _many(books: Books, run: str) -> float:
    """Commands a second of many submitters at once."""
    stop = threading.Event()
    counts = [0] * SUBMITTERS

    def work(name: int) -> None:
        while not stop.is_set():
            books.submit(_counting(f"{run}-{name}-{counts[name]}", f"jackpot-{name % JACKPOTS}"))
            counts[name] += 1

    workers = [threading.Thread(target=work, args=(name,)) for name in range(SUBMITTERS)]
    start = time.perf_counter()
    for worker in workers:
        worker.start()
    stop.wait(SECONDS)
    stop.set()
    for worker in workers:
        worker.join()
    return sum(counts) / (time.perf_counter() - start)


def durable(path: Path, connection: str | None) -> None:
    """Print durable rates and their ratios, turn by turn: a busy moment of the machine meets all of them."""
    _room(path / "room", connection)
    print("Durable commands a second             raw commits   one at a time  ratio   64 at once  ratio")
    with open_books(path / "room") as books:
        for turn in range(TURNS):
            for step in raw_commits(path, connection):
                raw = steps_a_second(step)
            one = steps_a_second(lambda count, turn=turn: books.submit(_counting(f"one-{turn}-{count}", "jackpot-0")))  # type: ignore[misc]
            many = _many(books, f"many-{turn}")
            print(
                f"  turn {turn + 1}{'':28} {raw:12,.0f} {one:15,.0f} {one / raw:6.2f} {many:12,.0f} {many / raw:6.2f}"
            )


def main() -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--postgres", metavar="CONNECTION", help="measure durable commands in PostgreSQL")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=Path.cwd(), prefix=".bench-") as folder:
        durable(Path(folder), asked.postgres)


if __name__ == "__main__":
    main()
