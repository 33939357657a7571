"""Several rooms in one PostgreSQL database: each has a schema, and with it tables, triggers, leader and halt of its own."""

from __future__ import annotations

import json
import os
import shutil
import uuid
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from pitboss.books import Directory, StoreError
from pitboss.books.audit import check_books
from pitboss.books.audit.backup import back_up, restore
from pitboss.books.store.directory import Database, schema_problem, write_store_file
from pitboss.books.store.migrate import create_store, tables_in
from tests.books.fixtures import administering
from tests.books.making import BOOK, Room, counting, make_room, opening
from tests.books.test_leadership import leads, written
from tests.books.test_uncertain import eventually
from tests.cli.running import run

pytestmark = pytest.mark.xdist_group("postgresql")
CEDAR, PINE = "cedar_river", "pine_ridge"


@pytest.fixture
def rooms(database: str, quick_path: Path) -> tuple[Room, Room]:
    """Two rooms in one database."""
    found = [make_room(quick_path / name, database, name) for name in (CEDAR, PINE)]
    for number, room in enumerate(found):
        with room.open() as books:
            books.submit(opening())
            books.submit(counting(f"first-{number}"))
    return found[0], found[1]


def query(connection: str, text: str) -> list[Any]:
    import psycopg  # noqa: PLC0415

    with psycopg.connect(connection, autocommit=True) as database:
        cursor = database.execute(text)
        return cursor.fetchall() if cursor.description else []


def test_a_database_that_does_not_keep_what_it_acknowledges_leaves_no_half_of_a_room(
    database: str, quick_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from pitboss.books.store.postgres import PostgresStore  # noqa: PLC0415

    lame = {"fsync": "off", "full_page_writes": "on", "synchronous_commit": "on"}
    with monkeypatch.context() as patched:
        patched.setattr(PostgresStore, "settings", lambda *_: lame)
        with pytest.raises(StoreError, match="does not keep what it acknowledges"):
            make_room(quick_path / "room", database, CEDAR)
    assert not (quick_path / "room").exists()

    # Once whoever looks after the database has mended it, the same command is typed again.
    with make_room(quick_path / "room", database, CEDAR).open() as books:
        books.submit(opening())


def test_two_rooms_write_at_once_and_each_has_its_own_books(rooms: tuple[Room, Room], database: str) -> None:
    cedar, pine = rooms
    with cedar.open() as one, pine.open() as other:
        for number in range(5):
            one.submit(counting(f"c{number}"))
        # The same command is another one in another room.
        assert not other.submit(counting("c0")).again
        assert (one.is_leader, other.is_leader) == (True, True)
    assert written(cedar) == ["first-0", *(f"c{number}" for number in range(5))]
    assert written(pine) == ["first-1", "c0"]
    schemas = dict(query(database, "SELECT schemaname, count(*) FROM pg_tables WHERE tablename = 'entries' GROUP BY 1"))
    assert schemas == {CEDAR: 1, PINE: 1}
    for room in rooms:
        assert tables_in(room.directory) == {"alembic_version", "entries", "snapshots", "leadership"}
        assert check_books(room.directory).is_sound


def test_a_second_server_takes_over_one_room_and_the_other_room_notices_nothing(rooms: tuple[Room, Room]) -> None:
    cedar, pine = rooms
    other = Room(shutil.copytree(cedar.path, cedar.path.with_name("other")), "postgresql")
    with pine.open(stands_by=True) as neighbor:
        epoch = query(pine.directory.connection, "SELECT epoch FROM leadership")
        first = cedar.open(stands_by=True)
        with other.open(stands_by=True) as second:
            assert (first.is_leader, second.is_leader) == (True, False)
            first.submit(counting("a"))
            assert eventually(lambda: second.state(BOOK) == first.state(BOOK))
            first.close()
            assert leads(second)
            second.submit(counting("b"))
            neighbor.submit(counting("n"))
        assert neighbor.is_leader
        assert epoch == query(pine.directory.connection, "SELECT epoch FROM leadership")
    assert written(cedar) == ["first-0", "a", "b"]
    assert written(pine) == ["first-1", "n"]


def test_g_29_damage_and_halt_of_one_room_are_not_those_of_the_other(rooms: tuple[Room, Room]) -> None:
    cedar, pine = rooms
    connection = cedar.directory.connection
    query(connection, "ALTER TABLE entries DISABLE TRIGGER USER")
    query(connection, "DELETE FROM entries WHERE sequence = 2")
    query(connection, "UPDATE leadership SET halt = '[]'")
    damaged, sound = (check_books(room.directory) for room in rooms)
    assert not damaged.is_sound
    assert sound.is_sound
    for room, problems in (
        (cedar, ["the trigger entries_append_only does not refuse changes as it was made to"]),
        (pine, []),
    ):
        with closing(room.directory.open_store(write=False)) as store:
            assert problems == store.guard_problems()
    with pine.open() as books:
        assert not books.is_halted
        assert not books.submit(counting("n")).again


def test_indexes_are_checked_by_an_extension_that_lies_in_another_schema(
    rooms: tuple[Room, Room], database: str
) -> None:
    query(database, 'CREATE SCHEMA "the Extensions"; CREATE EXTENSION amcheck SCHEMA "the Extensions"')
    for room in rooms:
        with closing(room.directory.open_store(write=False)) as store:
            assert ([], "") == (store.integrity_problems(), store.unchecked)


def test_a_schema_that_holds_a_room_is_refused_and_nothing_is_made(
    rooms: tuple[Room, Room], database: str, quick_path: Path
) -> None:
    cedar, _ = rooms
    before = cedar.entries()
    with pytest.raises(StoreError, match=f"schema {CEDAR} has books already: room"):
        make_room(quick_path / "again", database, CEDAR)
    assert not (quick_path / "again").exists()
    (quick_path / "empty").mkdir()
    with pytest.raises(StoreError, match="has books already"):
        make_room(quick_path / "empty", database, CEDAR)
    assert list((quick_path / "empty").iterdir()) == []
    back_up(cedar.directory, quick_path / "cedar.backup")
    said: Any = {"person": "Dora", "reason": "test", "without_head": "test"}
    with pytest.raises(StoreError, match="has books already"):
        restore(quick_path / "cedar.backup", quick_path / "third", database=Database(database, PINE), **said)
    assert cedar.entries() == before
    # A room of its database's own schema is none of theirs, and may be beside them.
    beside = make_room(quick_path / "beside", database)
    with pytest.raises(StoreError, match="the database has books already"):
        make_room(quick_path / "beside-too", database)
    with beside.open() as books, cedar.open():
        books.submit(opening())
    assert query(database, "SELECT count(*) FROM public.entries") == [(2,)]


def test_a_backup_of_one_room_goes_into_a_schema_and_is_that_room_alone(
    rooms: tuple[Room, Room], database: str, quick_path: Path
) -> None:
    cedar, pine = rooms
    done = back_up(cedar.directory, quick_path / "cedar.backup")
    restored = quick_path / "restored"
    report = restore(
        quick_path / "cedar.backup", restored, database=Database(database, "cedar_again"), person="Dora", reason="test",
        head=done.heads[BOOK].digest.hex(),
    )  # fmt: skip
    assert report.is_sound
    assert Room(restored, "postgresql").entries()[:-1] == cedar.entries() != pine.entries()
    assert Directory(restored).schema == "cedar_again"


@pytest.mark.parametrize(
    "name", ["Cedar", "1st", "cedar-river", "pg_cedar", "public", "information_schema", "a" * 64, 'a"; DROP']
)
def test_a_name_that_is_no_schema_of_a_room_is_refused(name: str, tmp_path: Path) -> None:
    assert schema_problem(name)
    with pytest.raises(StoreError, match=r"schema: .* must be small letters"):
        write_store_file(tmp_path / "room", Database("dbname=rooms", name))
    assert not (tmp_path / "room").exists()
    (tmp_path / "store.toml").write_text(f"store = 'postgresql'\nconnection = 'dbname=rooms'\nschema = '{name}'\n")
    with pytest.raises(StoreError, match="must be small letters"):
        Directory(tmp_path)


def test_the_doctor_names_a_schema_that_is_none(sqlite_room: Room) -> None:
    file = sqlite_room.path / "store.toml"
    file.write_text(file.read_text() + 'schema = "Cedar"\n')
    found = json.loads(run(f"doctor {sqlite_room.path} --port 0 --json").output)["findings"]
    assert any(finding["check"] == "store-settings" and "schema: 'Cedar'" in finding["text"] for finding in found)


def test_what_would_lead_to_another_schema_is_refused(
    rooms: tuple[Room, Room], database: str, quick_path: Path
) -> None:
    cedar, _ = rooms
    with pytest.raises(StoreError, match="leave them out beside a schema"):
        write_store_file(quick_path / "room", Database("dbname=rooms options='-c search_path=pine_ridge'", CEDAR))
    file = cedar.path / "store.toml"
    right = file.read_text()
    for wrong, problem in (
        (
            right.replace(f"search_path={CEDAR}", f"search_path={PINE}"),
            f"leads to schema {PINE}, and the books are in {CEDAR}",
        ),
        (
            right.replace(f" options=-csearch_path={CEDAR}", ""),
            "leads to schema public, and the books are in cedar_river",
        ),
        (right.replace(CEDAR, "elm_creek"), "the database has no schema elm_creek"),
    ):
        file.write_text(wrong)
        for write in (False, True):
            with pytest.raises(StoreError, match=problem):
                cedar.directory.open_store(write=write)
        for typed in (f"books upgrade {cedar.path}", f"upgrade {cedar.path} --check", f"doctor {cedar.path} --port 0"):
            assert problem in " ".join(run(typed).output.split()), typed
    file.write_text(right)
    assert cedar.read().is_sound
    assert query(database, "SELECT 1 FROM pg_namespace WHERE nspname = 'elm_creek'") == []


def test_the_terminal_makes_a_room_in_a_schema(database: str, quick_path: Path) -> None:
    typed = f"books create {quick_path / 'room'} --name Cedar --shift day=06:00 --person Ada"
    done = run(f"{typed} --postgres '{database}' --schema {CEDAR}")
    assert done.exit_code == 0, done.output
    assert Directory(quick_path / "room").schema == CEDAR
    assert run(f"audit {quick_path / 'room'}").exit_code == 0
    refused = run(f"{typed}-2 --schema {CEDAR}".replace("/room", "/other"))
    assert refused.exit_code == 2
    assert "name that too, with --postgres" in " ".join(refused.output.split())


@pytest.fixture
def roles(database: str, postgresql: str) -> Iterator[dict[str, str]]:
    """The connection string of each of two roles, which own a schema of that name and nothing else."""
    word, names = os.environ.get("PGPASSWORD", "x"), {name: f"{name}_{uuid.uuid4().hex[:8]}" for name in (CEDAR, PINE)}
    for schema, role in names.items():
        query(database, f"CREATE ROLE {role} LOGIN PASSWORD '{word}'; CREATE SCHEMA {schema} AUTHORIZATION {role}")
    yield {schema: f"{database} user={role}" for schema, role in names.items()}
    for role in names.values():
        query(database, f"DROP OWNED BY {role} CASCADE")
    with administering(postgresql) as server:
        for role in names.values():
            server.execute(f"DROP ROLE {role}")


def test_the_role_of_a_room_can_do_everything_in_its_schema_and_read_nothing_of_another(
    roles: dict[str, str], quick_path: Path
) -> None:
    import psycopg  # noqa: PLC0415

    rooms = {schema: make_room(quick_path / schema, connection, schema) for schema, connection in roles.items()}
    for room in rooms.values():
        with room.open() as books:
            books.submit(opening())
        assert check_books(room.directory).is_sound
    # A role that is no administrator may make no other schema.
    with pytest.raises(StoreError, match="permission denied"):
        create_store(quick_path / "stolen", Database(roles[CEDAR], "elm_creek"))
    with pytest.raises(StoreError, match=f"this user may not use schema {PINE}"):
        create_store(quick_path / "stolen", Database(roles[CEDAR], PINE))
    assert not (quick_path / "stolen").exists()
    for table in ("entries", "snapshots", "leadership", "alembic_version"):
        for statement in (f"SELECT * FROM {PINE}.{table}", f"DELETE FROM {PINE}.{table}"):
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                query(roles[CEDAR], statement)
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        query(roles[CEDAR], f"CREATE TABLE {PINE}.mine (a integer)")
    # Its data directory with another room's role leads nowhere.
    file = rooms[PINE].path / "store.toml"
    file.write_text(file.read_text().replace(roles[PINE], roles[CEDAR]))
    with pytest.raises(StoreError, match=f"this user may not use schema {PINE}"):
        rooms[PINE].open()
