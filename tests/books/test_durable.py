"""An acknowledged command is on disk: what every connection is set to, and a sync for every commit."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from pitboss.books import StoreError
from pitboss.books.audit import check_books
from tests.books.load import NOWHERE
from tests.books.making import BOOK, Room, counting, in_postgresql, opening
from tests.books.tracing import strace
from tests.programs import missing, program

ROOT = Path(__file__).parents[2]


def test_every_connection_to_sqlite_is_wal_and_synchronous_full(
    sqlite_room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[tuple[str, sqlite3.Connection]] = []
    connect = sqlite3.connect

    class Seen(sqlite3.Connection):
        def close(self) -> None:
            settings = [
                self.execute(f"PRAGMA {name}").fetchone()[0] for name in ("journal_mode", "synchronous", "query_only")
            ]
            found.append((addresses[id(self)], settings))
            super().close()

    found: list[tuple[str, list[Any]]] = []
    addresses: dict[int, str] = {}

    def watched(address: str, **options: Any) -> sqlite3.Connection:
        connection = connect(address, factory=Seen, **options)
        addresses[id(connection)] = address
        opened.append((address, connection))
        return connection

    monkeypatch.setattr(sqlite3, "connect", watched)
    with sqlite_room.open() as books:
        books.submit(opening())
        books.submit(counting("c"))
        books.seal(BOOK)
    check_books(sqlite_room.directory)

    assert len(opened) == len(found) > 10
    assert {("wal", 2)} == {(mode, synchronous) for _, (mode, synchronous, _) in found}
    assert 1 == sum(address.endswith("mode=rw") for address, _ in found)
    assert all(
        (address.endswith("mode=ro"), 1) == (True, only) for address, (_, _, only) in found if "mode=rw" not in address
    )


@in_postgresql
def test_every_connection_to_postgresql_commits_synchronously(room: Room) -> None:
    with room.open() as books:
        writer: Any = books.store._writer
        durable = {"fsync": "on", "full_page_writes": "on", "synchronous_commit": "on"}
        assert durable | {"default_transaction_read_only": "off"} == books.store.settings(writer)
        with books.store.reading() as reader:
            assert durable | {"default_transaction_read_only": "on"} == books.store.settings(reader)


def test_a_server_that_does_not_sync_is_refused(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    if room.store_kind == "sqlite":
        from pitboss.books.store.sqlite import SqliteStore as Store  # noqa: PLC0415

        lame = {"journal_mode": "delete", "synchronous": "1", "query_only": "0"}
    else:
        from pitboss.books.store.postgres import PostgresStore as Store  # type: ignore[assignment]  # noqa: PLC0415

        lame = {"fsync": "off", "full_page_writes": "on", "synchronous_commit": "on"}
    monkeypatch.setattr(Store, "settings", lambda *_: lame)
    with pytest.raises(StoreError, match="does not keep what it acknowledges"):
        room.open()


def syncs(room: Room, notes: Path, commands: int, log: Path) -> int:
    """Count the syncs of a process that submits so many commands one after another."""
    subprocess.run(  # noqa: S603 - our own program
        [
            strace(),
            "-f",
            "-qq",
            "-o",
            str(log),
            "-e",
            "trace=fsync,fdatasync",
            sys.executable,
            "-m",
            "tests.books.load",
            str(room.path),
            str(notes),
            f"n{commands}",
            "1",
            str(commands),
            NOWHERE,
            "0",
        ],
        cwd=ROOT,
        check=True,
    )
    return sum(" = 0" in line for line in log.read_text().splitlines())


def test_there_is_a_sync_for_every_commit(sqlite_room: Room, tmp_path: Path) -> None:
    """Twelve commands more make twelve syncs more: the number without them is taken off."""
    few = syncs(sqlite_room, tmp_path / "notes", 2, tmp_path / "few")
    many = syncs(sqlite_room, tmp_path / "notes", 14, tmp_path / "many")

    # The first run also opens the jackpot, which the second finds there: a commit fewer.
    assert 12 - 1 <= many - few <= 12 + 2
    assert many >= 14


def test_what_a_server_imports_brings_no_migrations() -> None:
    program = "import sys, pitboss.books, pitboss.books.audit.check; sys.exit('alembic' in sys.modules or 'psycopg' in sys.modules)"
    subprocess.run([sys.executable, "-c", program], check=True)  # noqa: S603 - our own program


def test_migrations_make_the_schema_that_the_code_works_with(room: Room) -> None:
    from alembic.migration import MigrationContext  # noqa: PLC0415
    from sqlalchemy import inspect  # noqa: PLC0415

    from pitboss.books.journal.entries import FIELDS  # noqa: PLC0415
    from pitboss.books.store.migrate import engine_of, upgrade_store  # noqa: PLC0415
    from pitboss.books.store.sql import REVISION  # noqa: PLC0415

    directory = room.directory
    upgrade_store(directory)
    with engine_of(directory).connect() as connection:
        context = MigrationContext.configure(connection)
        tables = inspect(connection)
        assert list(FIELDS) == [column["name"] for column in tables.get_columns("entries")]
        assert ["book", "sequence", "state"] == [column["name"] for column in tables.get_columns("snapshots")]
        assert REVISION == context.get_current_revision()
    assert 1 == len(room.entries())


def test_a_store_of_another_version_is_refused(sqlite_room: Room) -> None:
    connection = sqlite3.connect(sqlite_room.path / "journal.sqlite3")
    connection.execute("UPDATE alembic_version SET version_num = '9999'")
    connection.commit()
    connection.close()
    with pytest.raises(StoreError, match="the store has schema 9999, this version of Pitboss works with 0001"):
        sqlite_room.open()


def test_a_folder_without_books_is_named(tmp_path: Path) -> None:
    from pitboss.books import open_books  # noqa: PLC0415

    with pytest.raises(StoreError, match=r"there are no books in .*: store.toml is missing"):
        open_books(tmp_path)
    (tmp_path / "store.toml").write_text('store = "paper"\n')
    with pytest.raises(StoreError, match="store 'paper' must be sqlite or postgresql"):
        open_books(tmp_path)
    (tmp_path / "store.toml").write_text('store = "sqlite"\n')
    with pytest.raises(StoreError, match=r"there are no books here: .* is missing"):
        open_books(tmp_path)


def test_no_password_is_written_to_a_file(tmp_path: Path) -> None:
    from pitboss.books.store.directory import Database, write_store_file  # noqa: PLC0415

    for connection in ("host=a password=b", "postgresql://user:word@host/db"):
        with pytest.raises(StoreError, match="no password is written"):
            write_store_file(tmp_path / "room", Database(connection))
    assert not (tmp_path / "room").exists()


READ_ONLY = """
import sys
from pathlib import Path
from pitboss.books import StoreError, open_books
from pitboss.books.audit import check_books
from pitboss.books.store.directory import Directory
path = Path(sys.argv[1])
report = check_books(Directory(path))
assert report.is_sound, report.damages
print(report.books["room"].reading.entries)
try:
    open_books(path)
except StoreError as error:
    print(error)
"""


@pytest.mark.parametrize("is_killed", [False, True])
def test_books_on_a_read_only_mount_are_read_and_audited_and_not_served(sqlite_room: Room, is_killed: bool) -> None:
    unshare, path = program("unshare"), sqlite_room.path
    if subprocess.run([unshare, "-rm", "true"], check=False, capture_output=True).returncode:  # noqa: S603
        missing("no process may mount anything here")
    with sqlite_room.open() as books:
        books.submit(opening())
        kept = {file.name: file.read_bytes() for file in path.glob("journal.sqlite3*")}
    if is_killed:
        # What a process leaves that was killed: its last entries are in the log alone.
        for name, content in kept.items():
            if not name.endswith("-shm"):
                (path / name).write_bytes(content)
    mount = 'mount --bind "$0" "$0" && mount -o remount,ro,bind "$0" && exec "$1" -c "$2" "$0"'
    ran = subprocess.run(  # noqa: S603 - our own program
        [unshare, "-rm", "sh", "-c", mount, str(path), sys.executable, READ_ONLY],
        check=False, capture_output=True, text=True,
    )  # fmt: skip
    assert ran.stderr == ""
    assert ran.stdout.startswith("2\nnothing can be written in ")
    assert "Read-only file system): books there can be read and audited, not served or changed" in ran.stdout


FULL = """
import os, sys
from pathlib import Path
from pitboss.books import StoreError
from tests.books.making import counting, make_room, opening
from tests.books.test_uncertain import eventually
folder = Path(sys.argv[1])
with make_room(folder / "room").open() as books:
    books.submit(opening())
    fill = os.open(folder / "fill", os.O_CREAT | os.O_WRONLY)
    try:
        while True:
            os.write(fill, bytes(4096))
    except OSError:
        os.close(fill)
    try:
        books.submit(counting("c"))
    except StoreError as error:
        print(bool(books.unwritable))
    (folder / "fill").unlink()
    print(eventually(lambda: not books.unwritable), books.submit(counting("c")).again)
"""


def test_a_full_disk_is_told_and_the_books_go_on_when_it_has_room(tmp_path: Path) -> None:
    unshare = program("unshare")
    if subprocess.run([unshare, "-rm", "true"], check=False, capture_output=True).returncode:  # noqa: S603
        missing("no process may mount anything here")
    mount = 'mount -t tmpfs -o size=4m tmpfs "$0" && exec "$1" -c "$2" "$0"'
    ran = subprocess.run(  # noqa: S603 - our own program
        [unshare, "-rm", "sh", "-c", mount, str(tmp_path), sys.executable, FULL],
        check=False, capture_output=True, text=True, cwd=ROOT,
    )  # fmt: skip
    assert (ran.stderr, ran.stdout.split()) == ("", ["True", "True", "False"])
