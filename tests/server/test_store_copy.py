"""`pitboss store copy`: a room goes from one store into the other and back, and both are proved equal entry by entry."""

from __future__ import annotations

import json
import shutil
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from pitboss.books import Directory, RefusedError, StoreError
from pitboss.books.audit import check_books
from pitboss.books.audit.copying import compare_books
from pitboss.books.store.directory import Database, database_at
from pitboss.room.copying import copy_room
from pitboss.room.room import Room
from tests.cli.running import run
from tests.server.conftest import Filled
from tests.server.making import PASSWORD, served, sign_in

pytestmark = pytest.mark.xdist_group("postgresql")


@pytest.fixture
def room(filled: Filled, quick_path: Path) -> Path:
    """A room with people, devices, a picture and a file of signs."""
    path = shutil.copytree(filled.path, quick_path / "room")
    (path / "slides").mkdir()
    (path / "slides" / "picture.png").write_bytes(b"a picture")
    (path / "signs.toml").write_text("# none yet\n")
    return path


def nothing(*_: object) -> None:
    """Tell nobody."""


def test_a_room_goes_into_postgresql_and_back_and_nobody_signs_in_anew(room: Path, database: str) -> None:
    there, back = room.with_name("there"), room.with_name("back")
    done = copy_room(room, there, Database(database), nothing)
    copy_room(there, back, None, nothing)
    again = copy_room(back, room.with_name("again"), None, nothing)

    assert done.books == again.books
    assert done.vault == again.vault
    assert done.vault["secrets"] > 3
    assert (there / "slides" / "picture.png").read_bytes() == b"a picture"
    assert (there / "access.key").exists() == (room / "access.key").exists()
    assert not (there / "access.sqlite3").exists()
    stores = [Directory(path).open_store(write=False) for path in (room, there, back)]
    for store in stores[1:]:
        assert compare_books(stores[0], store, nothing) == done.books
    for store in stores:
        store.close()
    with served(there) as house:
        sign_in(house.browser(), "a-manager", PASSWORD)
    assert check_books(Directory(there)).is_sound


def test_the_terminal_prints_the_proof(room: Path, database: str) -> None:
    there = room.with_name("there")
    printed = run(f"store copy {room} {there} --postgres '{database}' --json")
    assert printed.exit_code == 0, printed.output
    proof = json.loads(printed.stdout)
    with closing(Directory(room).open_store(write=False)) as store:
        head = store.head("room")
    assert head is not None
    assert (proof["equal"], proof["audit"]) == (True, True)
    assert [(book["sequence"], book["head"]) for book in proof["books"]] == [(head.sequence, head.digest.hex())]
    shown = run(f"store copy {there} {room.with_name('back')}")
    assert "Equal entry by entry" in shown.output


def test_everything_that_speaks_against_a_copy_is_named_at_once_and_nothing_is_made(room: Path, database: str) -> None:
    import psycopg  # noqa: PLC0415

    target = room.with_name("there")
    target.mkdir()
    (target / "a file").touch()
    with psycopg.connect(database) as connection:
        connection.execute("CREATE TABLE other (a integer)")
    with Room(room), pytest.raises(RefusedError) as refused:
        copy_room(room, target, Database(database), nothing)
    assert [
        f"{room}: another process writes to the books in {room}: one writer at a time",
        f"{target} is not empty",
        "the database is not empty: it has other",
    ] == list(refused.value.problems)
    with pytest.raises(RefusedError, match="no password is written"):
        copy_room(room, room.with_name("x"), Database("host=localhost password=secret"), nothing)
    with pytest.raises(RefusedError, match="the database cannot be used"):
        copy_room(room, room.with_name("x"), Database(f"{database}-away"), nothing)
    Directory(room).halt([])
    with pytest.raises(RefusedError, match=r"the books are halted.*G-29"):
        copy_room(room, room.with_name("x"), None, nothing)
    assert {"room", "there"} == {path.name for path in room.parent.iterdir()}


KILLED = """
import os, signal, sys
from pathlib import Path
from pitboss.books.store.directory import database_at
from pitboss.room.copying import copy_room
source, target, connection, when = sys.argv[1:]
def tell(what, *_):
    if what == when:
        os.kill(os.getpid(), signal.SIGKILL)
copy_room(Path(source), Path(target), database_at(connection or None), tell)
"""


@pytest.mark.parametrize("into", ["sqlite", "postgresql"])
@pytest.mark.parametrize("when", ["copied", "compared"])
def test_killed_in_the_middle_it_leaves_no_room_and_can_be_begun_again(
    room: Path, database: str, into: str, when: str
) -> None:
    target, connection = room.with_name("there"), database if into == "postgresql" else None
    ran = subprocess.run(  # noqa: S603 - our own program
        [sys.executable, "-c", KILLED, str(room), str(target), connection or "", when], check=False
    )
    assert ran.returncode == -signal.SIGKILL
    assert not target.exists()
    unfinished = room.with_name("there.unfinished")
    assert unfinished.is_dir()
    with pytest.raises(StoreError, match="is a copy that was not finished"):
        Room(unfinished)
    if when == "copied":
        # Nothing of the one transaction is there.
        with pytest.raises(StoreError, match=r"there are no books here|has schema none"):
            Directory(unfinished).open_store(write=False)
    copied = copy_room(room, target, database_at(connection), nothing)
    assert copied.report.is_sound
    assert not unfinished.exists()


def test_a_difference_is_named_by_entry_and_column(room: Path) -> None:
    other = shutil.copytree(room, room.with_name("other"))
    with sqlite3.connect(other / "journal.sqlite3") as connection:
        connection.execute("DROP TRIGGER entries_update")
        connection.execute("UPDATE entries SET actor = 'Eve' WHERE sequence = 3")
    with (
        closing(Directory(room).open_store(write=False)) as one,
        closing(Directory(other).open_store(write=False)) as two,
        pytest.raises(StoreError, match="book room: entry 3 differs in actor"),
    ):
        compare_books(one, two, nothing)
