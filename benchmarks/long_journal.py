"""How long a journal takes to verify and rebuild from nothing by two processes, and to open from its last snapshot.

`python -m benchmarks.long_journal --entries 10000000` is the proof of the ten million: it needs about six gigabytes
under `--folder`. The journal is one of tabulated rounds, each with its own round and seats as a room writes them; it is
written in bulk, a snapshot for every five thousand entries as the books seal them, and is sound: `check_books` finds
nothing in it. Only its commits are fewer than its rounds.
"""

from __future__ import annotations

import argparse
import os
import resource
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

from tests.facades import Jackpots

from benchmarks.books import TERMS
from benchmarks.jackpots import JACKPOTS, TABLES, create_room, open_jackpots
from pitboss.books import (
    BookState,
    Directory,
    Entry,
    Folding,
    JournalStore,
    Movement,
    SnapshotSealed,
    count_of,
    folding_of,
    open_books,
    write_payload,
)
from pitboss.books.audit import rebuild
from pitboss.books.journal.codec import hash_of
from pitboss.books.journal.entries import new_entry
from pitboss.books.store.base import Snapshot
from pitboss.room.projections import INVARIANTS, PROJECTIONS

__all__ = ["BOOK", "Measured", "measure", "write_journal"]

BOOK = "room"
SNAPSHOT_EVERY = 5_000
_MANY = 500_000
_SEATS = ((1, 3, 6), (2, 4), (1, 2, 3, 4, 5), (5,), (2, 3, 5))
_REQUEST = bytes(32)


class Measured(NamedTuple):
    """What was measured: entries and snapshots read, bytes on disk, seconds by the clock and of the processors."""

    entries: int
    snapshots: int
    size: int
    seconds: float
    processor: float
    opening: float


def _rounds() -> Iterator[tuple[str, Movement, str]]:
    """Rounds of all tables in turn, for ever, with the text of each: only its number is new."""
    shapes: list[tuple[Movement, str, str]] = []
    for seats in _SEATS:
        for number in range(JACKPOTS):
            details = {"round": 0, "seats": list(seats)}
            movement = count_of(f"jackpot-{number}", 0, TERMS, len(seats), details)
            before, after = write_payload(movement).split('"round":0,')
            shapes.append((movement, before, after))
    number = 0
    while True:
        number += 1
        for table in range(TABLES):
            shape = (number + table) % len(_SEATS) * JACKPOTS + table % JACKPOTS
            movement, before, after = shapes[shape]
            # Tables are not at the same round: no two entries say the same.
            own = table * 1_000_000 + number
            details = {"round": own, "seats": movement.details["seats"]}
            yield str(table), movement._replace(details=details), f'{before}"round":{own},{after}'


def _written(state: BookState, folding: Folding, wanted: int) -> Iterator[tuple[list[Entry], Snapshot | None]]:
    """Give pages of entries, each ending with its snapshot."""
    page: list[Entry] = []
    for table, movement, payload in _rounds():
        now, sequence = state.recorded + 1, state.sequence + 1
        if sequence % SNAPSHOT_EVERY == 0:
            text = folding.seal(state)
            value = SnapshotSealed(state_hash=hash_of(text).hex())
            said = (value.kind, write_payload(value), f"s{sequence}", 0, 1, _REQUEST, state.digest)
            page.append(new_entry(BOOK, sequence, now, now, "pitboss", "", *said))
            state = folding.fold(state, page[-1], value)
            yield page, Snapshot(BOOK, sequence, text)
            if sequence >= wanted:
                return
            page, sequence = [], sequence + 1
        said = (movement.kind, payload, f"c{sequence}", 0, 1, _REQUEST, state.digest)
        page.append(new_entry(BOOK, sequence, now, now, f"table {table}", table, *said))
        state = folding.fold(state, page[-1], movement)
        if sequence >= wanted:
            yield page, None
            return


def _bulk(store: JournalStore) -> None:
    """Let the operating system decide when this journal goes to disk: nobody has been promised anything of it."""
    if store._writer is not None and hasattr(store._writer, "set_trace_callback"):  # noqa: SLF001 - SQLite alone
        store._writer.execute("PRAGMA synchronous=OFF")  # noqa: SLF001


def write_journal(path: Path, wanted: int, connection: str | None = None) -> None:
    """Make a room and write a journal of so many entries."""
    create_room(path, connection)
    with open_books(path, projections=PROJECTIONS, invariants=INVARIANTS) as books:
        open_jackpots(Jackpots(books))
    directory, folding = Directory(path), folding_of(PROJECTIONS)
    with closing(directory.open_store(write=True)) as store:
        _bulk(store)
        state = folding.empty()
        for entry in store.entries(BOOK):
            state = folding.fold(state, entry)
        for page, sealed in _written(state, folding, wanted):
            store.append(page, [] if sealed is None else [sealed])
        directory.bear_witness(BOOK, page[-1])
        directory.close()


def measure(path: Path) -> Measured:
    """Verify the chain and rebuild the books from nothing by two processes, then open them."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.perf_counter()
    reading = rebuild(Directory(path), projections=PROJECTIONS, processes=2)[BOOK]
    seconds = time.perf_counter() - start
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    if reading.damages:
        raise SystemExit("\n".join(map(str, reading.damages[:9])))
    start = time.perf_counter()
    with open_books(path, projections=PROJECTIONS, invariants=INVARIANTS) as books:
        opening = time.perf_counter() - start
        if books.state(BOOK) != reading.state:
            raise SystemExit("the books open with another state than all their entries come to")
    processor = used.ru_utime + used.ru_stime - before.ru_utime - before.ru_stime
    size = sum(file.stat().st_size for file in path.iterdir())
    return Measured(reading.entries, reading.snapshots, size, seconds, processor, opening)


def main() -> None:
    """Write a journal, measure, and say what ten million entries take."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--entries", type=int, default=200_000)
    parser.add_argument("--folder", type=Path, default=Path.cwd(), help="where the books are made, and deleted after")
    parser.add_argument("--postgres", help="a connection string; SQLite where left out")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=asked.folder, prefix=".long-") as folder:
        start = time.perf_counter()
        write_journal(Path(folder) / "room", asked.entries, asked.postgres)
        print(f"{asked.entries:,} entries written in {time.perf_counter() - start:,.0f} s", flush=True)
        found = measure(Path(folder) / "room")
    print(
        f"{found.entries:,} entries, {found.size / found.entries:,.0f} bytes each on disk; {found.snapshots} snapshots"
    )
    print(f"  verified and rebuilt from nothing by two processes in {found.seconds:,.1f} s")
    each, load = found.processor / found.entries * 1e6, ", ".join(f"{part:.1f}" for part in os.getloadavg())
    print(f"  {each:.1f} microseconds of a processor an entry; load of the machine {load}")
    if found.entries >= _MANY:
        # In a short journal starting the processes is most of it.
        minutes = found.processor / 2 / found.entries * 1e7 / 60
        print(f"  ten million: {minutes:,.1f} minutes of two processors that have nothing else to do")
    print(f"  opened from the last snapshot in {found.opening:.2f} s")


if __name__ == "__main__":
    main()
