"""Flipped bits: an audit names every one with its entry and column, and never ends in a traceback."""

from __future__ import annotations

import random
import sqlite3
from collections.abc import Iterator
from contextlib import closing

import pytest

from pitboss.books import StoreError
from pitboss.books.audit import check_books
from tests.books.making import BOOK, Room, counting, hitting, in_postgresql, opening
from tests.books.test_damage import tamper

PAGE_BYTES = 4096


@pytest.fixture
def written(sqlite_room: Room) -> Room:
    """Some entries in one file, without a log beside it."""
    with sqlite_room.open() as books:
        books.submit(opening())
        for number in range(8):
            books.submit(counting(f"c{number}", number + 1))
        books.seal(BOOK)
        books.submit(hitting("h", 100))
    with closing(sqlite3.connect(sqlite_room.path / "journal.sqlite3")) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return sqlite_room


def pages_of(room: Room, *names: str) -> Iterator[int]:
    with closing(sqlite3.connect(room.path / "journal.sqlite3")) as connection:
        for name in names:
            rows = connection.execute("SELECT pageno FROM dbstat WHERE name = ?", [name]).fetchall()
            yield from (page for (page,) in rows)


def audit_flipped(room: Room, places: list[tuple[int, int]]) -> int:
    """Flip bits one after another; each is named by an audit, or was where nothing is written."""
    file, named = room.path / "journal.sqlite3", 0
    whole = file.read_bytes()
    rows = [tuple(entry) for entry in room.entries()]
    for place, bit in places:
        flipped = bytearray(whole)
        flipped[place] ^= 1 << bit
        file.write_bytes(flipped)
        report = check_books(room.directory)
        if report.is_sound:
            assert rows == [tuple(entry) for entry in room.entries()], (place, bit)
        else:
            named += 1
            assert [*report.damages, *report.findings], (place, bit)
            assert all(str(damage) for damage in report.damages)
    file.write_bytes(whole)
    return named


def places_in(pages: list[int], count: int) -> list[tuple[int, int]]:
    rng = random.Random(20261118)
    return [((rng.choice(pages) - 1) * PAGE_BYTES + rng.randrange(PAGE_BYTES), rng.randrange(8)) for _ in range(count)]


def test_flipped_bits_never_end_an_audit_in_a_traceback(written: Room) -> None:
    pages = list(pages_of(written, "entries", "entries_command", "snapshots"))
    assert 30 < audit_flipped(written, places_in(pages, 120))


@pytest.mark.slow
def test_thousands_of_flipped_bits_never_end_an_audit_in_a_traceback(written: Room) -> None:
    pages = list(pages_of(written, "entries", "entries_command", "snapshots"))
    assert 500 < audit_flipped(written, places_in(pages, 2_000))


@pytest.mark.parametrize(
    ("statement", "column"),
    [
        ("actor = CAST(X'426FFF' AS TEXT)", "column actor is not UTF-8 text"),
        ("payload = CAST(X'FF' AS TEXT)", "column payload is not UTF-8 text"),
    ],
)
def test_a_column_that_is_no_text_is_named(written: Room, statement: str, column: str) -> None:
    tamper(written, f"UPDATE entries SET {statement} WHERE sequence = 4")
    assert f"book room, entry 4: {column}" in map(str, check_books(written.directory).damages)


@pytest.mark.parametrize("column", ["actor", "payload", "recorded", "part", "digest", "previous", "kind"])
def test_the_column_of_a_flipped_bit_is_named(written: Room, column: str) -> None:
    values = {entry.sequence: entry for entry in written.entries()}
    value = getattr(values[4], column)
    if isinstance(value, int):
        flipped = str(value ^ 4)
    elif isinstance(value, bytes):
        flipped = f"X'{bytes((value[0] ^ 1, *value[1:])).hex()}'"
    else:
        flipped = "'" + chr(ord(value[0]) ^ 1) + value[1:].replace("'", "''") + "'"
    tamper(written, f"UPDATE entries SET {column} = {flipped} WHERE sequence = 4")
    report = check_books(written.directory)

    assert not report.is_sound
    assert {4: column} == report.books[BOOK].reading.columns


def test_a_bit_flipped_in_the_index_of_commands_is_found_and_put_right(written: Room) -> None:
    """A command that came again would be booked twice."""
    file = written.path / "journal.sqlite3"
    [page] = pages_of(written, "entries_command")
    whole = bytearray(file.read_bytes())
    place = whole.index(b"roomc5", (page - 1) * PAGE_BYTES)
    whole[place + 5] ^= 8
    file.write_bytes(whole)
    report = check_books(written.directory)
    texts = [str(damage) for damage in report.damages]

    assert any("the index of commands does not lead to entry 8" in text for text in texts)
    assert any("the database says: " in text for text in texts)
    written.directory.halt(report.damages)
    with written.open() as books:
        assert books.halted
        books.decide_damage(BOOK, person="Dora", second="Carla", reason="disk replaced", command="d")
        assert books.submit(counting("c5", 6)).again
    assert check_books(written.directory).is_sound


def test_the_index_is_looked_at_before_the_last_snapshot_too_when_books_are_opened(written: Room) -> None:
    """What people and devices may still send again was done before it too."""
    with written.open() as books:
        books.seal(BOOK)
    file = written.path / "journal.sqlite3"
    [page] = pages_of(written, "entries_command")
    whole = bytearray(file.read_bytes())
    whole[whole.index(b"roomc5", (page - 1) * PAGE_BYTES) + 5] ^= 8
    file.write_bytes(whole)
    with written.open() as books:
        assert "the index of commands does not lead to entry 8" in str(books.halted)


def test_a_page_that_is_no_page_is_named(written: Room) -> None:
    file = written.path / "journal.sqlite3"
    pages = list(pages_of(written, "entries"))
    whole = bytearray(file.read_bytes())
    whole[(pages[-1] - 1) * PAGE_BYTES] = 0
    file.write_bytes(whole)
    report = check_books(written.directory)

    assert any("cannot be read: database disk image is malformed" in str(damage) for damage in report.damages)


@in_postgresql
def test_postgresql_checks_its_indexes_where_amcheck_is(room: Room) -> None:
    import psycopg  # noqa: PLC0415

    with room.open() as books:
        books.submit(opening())
    assert "CREATE EXTENSION amcheck" in check_books(room.directory).unchecked
    with psycopg.connect(room.directory.connection, autocommit=True) as connection:
        connection.execute("CREATE EXTENSION amcheck")
    report = check_books(room.directory)
    assert (report.is_sound, report.unchecked) == (True, "")


@in_postgresql
def test_an_index_of_postgresql_that_lacks_an_entry_is_found(room: Room) -> None:
    """Item 19: the index of commands does not lead to an entry, as after a bit flipped in it."""
    import psycopg  # noqa: PLC0415

    ready = "UPDATE pg_index SET indisready = %s WHERE indexrelid = ANY(%s)"
    with room.open() as books, psycopg.connect(room.directory.connection, autocommit=True) as connection:
        books.submit(opening())
        connection.execute("CREATE EXTENSION amcheck")
        found = connection.execute("SELECT indexrelid FROM pg_index WHERE indrelid = 'entries'::regclass").fetchall()
        numbers = [number for (number,) in found]
        connection.execute(ready, [False, numbers])
        books.submit(counting("c1"))
        connection.execute(ready, [True, numbers])
    report = check_books(room.directory)
    assert not report.is_sound
    assert any("lacks matching index tuple" in str(damage) for damage in report.damages), report.damages


def test_a_whole_file_of_noise_is_refused_in_words(written: Room) -> None:
    (written.path / "journal.sqlite3").write_bytes(bytes(PAGE_BYTES * 3))
    with pytest.raises(StoreError):
        check_books(written.directory)
