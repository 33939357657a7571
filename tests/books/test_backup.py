"""Backups are taken while the books are in use, verified by replay, and restored by a named person."""

from __future__ import annotations

import sqlite3
import threading
from contextlib import closing
from pathlib import Path

import pytest

from pitboss.books import BooksRestored, RefusedError, StoreError, read_payload
from pitboss.books.audit import check_books, rebuild
from pitboss.books.audit.backup import back_up, restore
from pitboss.books.store.sql import SQLITE_GUARDS
from tests.books.making import BOOK, Room, balances, command, counting, hitting, opening


@pytest.fixture
def filled(room: Room) -> Room:
    with room.open() as books:
        books.submit(opening())
        for number in range(20):
            books.submit(counting(f"c{number}"))
        books.seal(BOOK)
        books.submit(hitting("h", 100))
        books.submit(command("o", opening("x").decide, book="second"))
    return room


def test_a_backup_holds_every_entry_and_replays_to_the_same_state(filled: Room, tmp_path: Path) -> None:
    done = back_up(filled.directory, tmp_path / "a.backup")
    reading = check_books(tmp_path / "a.backup").books[BOOK].reading

    assert done.report.is_sound
    assert filled.entries()[-1] == done.heads[BOOK]
    assert filled.read().state == reading.state
    assert 1 == reading.snapshots
    assert ["a.backup"] == [file.name for file in tmp_path.glob("a.*")]


def test_a_backup_is_taken_while_others_write(filled: Room, tmp_path: Path) -> None:
    stop = threading.Event()
    with filled.open() as books:

        def work() -> None:
            number = 0
            while not stop.is_set():
                books.submit(counting(f"busy{number}"))
                number += 1

        worker = threading.Thread(target=work)
        worker.start()
        try:
            audits = [check_books(filled.directory) for _ in range(5)]
            done = [back_up(filled.directory, tmp_path / f"{number}.backup") for number in range(3)]
        finally:
            stop.set()
            worker.join()
    entries = filled.entries()

    assert all(audit.is_sound for audit in audits)
    for each in done:
        assert each.report.is_sound
        assert entries[each.heads[BOOK].sequence - 1] == each.heads[BOOK]


def test_restored_books_go_on_and_say_who_restored_them(filled: Room, tmp_path: Path) -> None:
    printed = filled.entries()[-1].digest.hex()
    back_up(filled.directory, tmp_path / "a.backup")
    report = restore(tmp_path / "a.backup", tmp_path / "new", person="Dora", reason="server replaced", head=printed)
    new = Room(tmp_path / "new", "sqlite")
    last = new.entries()[-1]
    restored = read_payload(last.kind, last.payload)

    assert report.is_sound
    assert filled.entries() == new.entries()[:-1]
    assert isinstance(restored, BooksRestored)
    assert ("Dora", "server replaced", printed) == (restored.person, restored.reason, restored.head)
    with new.open() as books, filled.open() as old:
        assert balances(books) == balances(old)
        assert books.submit(counting("c3")).again
        assert not books.submit(counting("new")).again
    assert check_books(new.directory, heads=[printed]).is_sound


def test_a_damaged_backup_is_not_restored(filled: Room, tmp_path: Path) -> None:
    back_up(filled.directory, tmp_path / "a.backup")
    with closing(sqlite3.connect(tmp_path / "a.backup", isolation_level=None)) as connection:
        connection.execute("DROP TRIGGER entries_update")
        connection.execute("UPDATE entries SET actor = 'Eve' WHERE sequence = 5 AND book = 'room'")
        connection.execute(SQLITE_GUARDS["entries_update"])
    with pytest.raises(StoreError, match="does not pass its own checks: book room, entry 5: its content"):
        restore(tmp_path / "a.backup", tmp_path / "new", person="Dora", reason="r", without_head="a test")
    assert not (tmp_path / "new").exists()


def test_a_backup_without_the_printed_head_is_not_restored(filled: Room, tmp_path: Path) -> None:
    back_up(filled.directory, tmp_path / "a.backup")
    with filled.open() as books:
        printed = books.submit(counting("later")).head
    with pytest.raises(StoreError, match=f"no entry has the head {printed}"):
        restore(tmp_path / "a.backup", tmp_path / "new", person="Dora", reason="r", head=printed)


def test_what_is_there_is_never_overwritten(filled: Room, tmp_path: Path) -> None:
    back_up(filled.directory, tmp_path / "a.backup")
    before = (tmp_path / "a.backup").read_bytes()
    with pytest.raises(StoreError, match="is there already"):
        back_up(filled.directory, tmp_path / "a.backup")
    with pytest.raises(StoreError, match="is not empty"):
        restore(tmp_path / "a.backup", filled.path, person="Dora", reason="r", without_head="a test")
    with pytest.raises(RefusedError, match="person: '' must"):
        restore(tmp_path / "a.backup", tmp_path / "new", person="", reason="r", without_head="a test")
    assert before == (tmp_path / "a.backup").read_bytes()
    assert filled.read().is_sound


def test_damaged_books_can_still_be_copied_and_the_copy_says_so(sqlite_room: Room, tmp_path: Path) -> None:
    with sqlite_room.open() as books:
        books.submit(opening())
    with closing(sqlite3.connect(sqlite_room.path / "journal.sqlite3", isolation_level=None)) as connection:
        connection.execute("DROP TRIGGER entries_update")
        connection.execute("UPDATE entries SET actor = 'Eve' WHERE sequence = 1")
    done = back_up(sqlite_room.directory, tmp_path / "a.backup")

    assert not done.report.is_sound
    assert (tmp_path / "a.backup").exists()


def test_two_processes_rebuild_what_one_does(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    """The stretches meet at sealed snapshots; the same state comes out, and damage in either is found."""
    import pitboss.books.audit.check as module  # noqa: PLC0415

    monkeypatch.setattr(module, "PAGE", 5)
    with room.open(snapshot_every=10) as books:
        books.submit(opening())
        for number in range(50):
            books.submit(counting(f"c{number}"))
        state = books.state(BOOK)
    one, two = rebuild(room.directory, processes=1)[BOOK], rebuild(room.directory, processes=2)[BOOK]

    assert state == one.state == two.state
    assert (one.entries, one.snapshots) == (two.entries, two.snapshots)
    assert check_books(room.directory, processes=2).is_sound
