"""A long journal is verified and rebuilt by two processes as by one, and what is wrong in it is named."""

from __future__ import annotations

import pickle
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from benchmarks.long_journal import BOOK, measure, write_journal

from pitboss.books import Directory, Projection
from pitboss.books.audit import check_books, rebuild
from pitboss.books.store.directory import JOURNAL
from pitboss.room.projections import INVARIANTS, PROJECTIONS

ENTRIES = 11_000


@pytest.fixture(scope="module")
def long(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("long") / "room"
    write_journal(path, ENTRIES)
    return path


@pytest.mark.parametrize("projection", PROJECTIONS, ids=lambda each: each.name)
def test_every_part_of_a_rooms_state_goes_to_another_process_as_itself(projection: Projection[Any]) -> None:
    assert pickle.loads(pickle.dumps(projection)) is projection  # noqa: S301 - our own


def test_two_processes_come_to_what_one_does_also_with_jackpots(long: Path) -> None:
    report = check_books(Directory(long), projections=PROJECTIONS, invariants=INVARIANTS)
    assert report.is_sound, "written in bulk, it is sound by every check"
    one, two = report.books[BOOK].reading, rebuild(Directory(long), projections=PROJECTIONS, processes=2)[BOOK]
    assert (one.entries, one.snapshots, one.damages) == (two.entries, two.snapshots, two.damages) == (ENTRIES, 2, [])
    assert one.state == two.state


def test_damage_in_a_long_journal_is_found_by_two_processes(long: Path) -> None:
    with closing(sqlite3.connect(long / JOURNAL, isolation_level=None)) as connection:
        connection.execute("DROP TRIGGER entries_update")
        more = "replace(payload, '000],[', '001],[')"
        connection.execute(f"UPDATE entries SET payload = {more} WHERE sequence = 7003")
    reading = rebuild(Directory(long), projections=PROJECTIONS, processes=2)[BOOK]
    assert {7003, 10_000} == {damage.sequence for damage in reading.damages}


@pytest.mark.slow
def test_a_million_entries_are_verified_and_rebuilt_from_nothing_by_two_processes(tmp_path: Path) -> None:
    """Ten million take `python -m benchmarks.long_journal --entries 10000000`, as it says there."""
    write_journal(tmp_path / "room", 1_000_000)
    found = measure(tmp_path / "room")
    assert (1_000_000, 200) == (found.entries, found.snapshots)
