"""History that nobody rewrites unseen: the witness, the triggers, the heads that left the machine, and their keys."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from pitboss.books import RefusedError
from pitboss.books.audit import check_books
from pitboss.books.audit.backup import back_up, restore
from tests.books.making import BOOK, Room, counting, opening


@pytest.fixture
def filled(room: Room) -> Room:
    with room.open() as books:
        books.submit(opening())
        for number in range(6):
            books.submit(counting(f"c{number}"))
    return room


def execute(room: Room, *statements: str) -> None:
    """Run statements as somebody who has the database in their hands."""
    if room.store_kind == "sqlite":
        with closing(sqlite3.connect(room.path / "journal.sqlite3", isolation_level=None)) as connection:
            for statement in statements:
                connection.execute(statement)
        return
    import psycopg  # noqa: PLC0415

    with psycopg.connect(room.directory.connection, autocommit=True) as connection:
        for statement in statements:
            connection.execute(statement)


def test_a_missing_witness_is_damage_and_two_people_decide_on_it(filled: Room) -> None:
    (filled.path / "witness-room").unlink()
    report = check_books(filled.directory)

    assert ["book room: its witness is missing"] == [str(damage).partition(" (")[0] for damage in report.damages]
    with filled.open() as books:
        assert books.halted
        books.decide_damage(BOOK, person="Ada", second="Bob", reason="the folder was copied by hand", command="d")
        assert not books.halted
        books.submit(counting("goes on"))
    assert not check_books(filled.directory).damages


def test_an_audit_looks_at_the_triggers(filled: Room) -> None:
    one = "entries_update" if filled.store_kind == "sqlite" else "entries_append_only"
    execute(filled, f"DROP TRIGGER {one}" if filled.store_kind == "sqlite" else f"DROP TRIGGER {one} ON entries")
    damages = [str(damage) for damage in check_books(filled.directory).damages]

    assert [f"book room: the trigger {one} that refuses changes is missing"] == damages
    with filled.open() as books:
        filled.directory.halt([])
    with filled.open() as books:
        books.decide_damage(BOOK, person="Ada", second="Bob", reason="somebody lifted it", command="d")
    assert not check_books(filled.directory).damages
    with pytest.raises(Exception, match="nothing is ever edited or deleted"):
        execute(filled, "UPDATE entries SET actor = 'Eve'")


def test_a_restore_needs_a_head_or_words_that_there_is_none(filled: Room, tmp_path: Path) -> None:
    back_up(filled.directory, tmp_path / "a.backup")
    with pytest.raises(RefusedError, match="head"):
        restore(tmp_path / "a.backup", tmp_path / "new", person="Dora", reason="server replaced")
    assert not (tmp_path / "new").exists()
