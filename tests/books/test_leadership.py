"""Two servers of one room on PostgreSQL: one leads, the other follows and takes over; who led before cannot write."""

from __future__ import annotations

import os
import shutil
import signal
from typing import Any

import pytest

from pitboss.books import Books, StoreError
from pitboss.books.audit import check_books
from pitboss.books.store.base import AwayError, StandbyError
from tests.books.leading import leading
from tests.books.making import BOOK, Room, counting, in_postgresql, opening
from tests.books.test_uncertain import eventually

SECONDS = 30
"""So long something is waited for that takes about three."""


@pytest.fixture
def other(room: Room) -> Room:
    """The data directory of the second server of the room."""
    path = room.path.with_name("other")
    shutil.copytree(room.path, path)
    return Room(path, room.store_kind)


def written(room: Room) -> list[str]:
    return [entry.command for entry in room.entries() if entry.kind == "wagers-counted"]


def leads(books: Books) -> bool:
    return eventually(lambda: books.is_leader, SECONDS)


@in_postgresql
def test_a_second_server_follows_and_writes_when_the_first_has_ended(room: Room, other: Room) -> None:
    first = room.open(stands_by=True)
    with other.open(stands_by=True) as second:
        assert (first.is_leader, second.is_leader, second.stands_by) == (True, False, True)
        first.submit(opening())
        first.submit(counting("a"))
        assert eventually(lambda: second.state(BOOK) == first.state(BOOK))
        assert second.directory.witness(BOOK) == first.directory.witness(BOOK)
        with pytest.raises(StandbyError, match="another server writes"):
            second.submit(counting("b"))
        assert "" == second.unwritable
        first.close()
        assert leads(second)
        assert second.submit(counting("a")).again
        second.submit(counting("b"))
    assert written(room) == ["a", "b"]
    assert check_books(room.directory).is_sound
    assert check_books(other.directory).is_sound


@in_postgresql
def test_who_must_write_is_refused_while_another_does(room: Room, other: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pitboss.books.store.leadership._WAIT_SECONDS", 1)
    with room.open(), pytest.raises(StoreError, match="another process writes to these books"):
        other.open()


@in_postgresql
def test_a_leader_whose_number_is_over_cannot_write(room: Room) -> None:
    """Whatever became of its lock: the row of the leader is compared in the transaction that writes."""
    import psycopg  # noqa: PLC0415

    with room.open(stands_by=True) as books:
        books.submit(opening())
        session = books.store._writer
        with psycopg.connect(room.directory.connection, autocommit=True) as database:
            database.execute("UPDATE leadership SET epoch = epoch + 1")
        with pytest.raises(StoreError, match="another server writes"):
            books.submit(counting("a"))
        assert written(room) == []
        # It has let go of its lock, and has taken it anew because nobody else did.
        assert books.store._writer is not session
        assert leads(books)
        assert not books.submit(counting("a")).again


@in_postgresql
def test_a_leader_paused_in_the_middle_of_a_commit_cannot_commit_it_later(room: Room, other: Room) -> None:
    with room.open() as books:
        books.submit(opening())
    with leading(room.path) as first, other.open(stands_by=True) as second:
        assert first.ask("submit a").startswith("a done")
        first.say("stop b")
        first.wait_until_stopped()
        # PostgreSQL itself ends a session that is silent within a transaction, and with it the lock.
        assert leads(second)
        assert not second.submit(counting("c")).again
        os.kill(first.process.pid, signal.SIGCONT)
        assert "refused" in first.line()
        assert first.ask("role") == "standby"
        assert "another server writes" in first.ask("submit d")
        assert written(room) == ["a", "c"]
        # Sent again to who leads now, it is done once.
        assert not second.submit(counting("b")).again
    assert written(room) == ["a", "c", "b"]
    assert check_books(room.directory).is_sound


@in_postgresql
@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGSTOP])
def test_a_leader_that_is_killed_or_paused_is_replaced(room: Room, other: Room, how: signal.Signals) -> None:
    with room.open() as books:
        books.submit(opening())
    with leading(room.path) as first, other.open(stands_by=True) as second:
        assert first.ask("submit a").startswith("a done")
        os.kill(first.process.pid, how)
        assert leads(second)
        assert second.submit(counting("a")).again
        second.submit(counting("b"))
        if how == signal.SIGSTOP:
            os.kill(first.process.pid, signal.SIGCONT)
            assert "another server writes" in first.ask("submit c")
    assert written(room) == ["a", "b"]


@in_postgresql
def test_g_29_a_halt_goes_with_the_books_to_the_server_that_takes_over(room: Room, other: Room) -> None:
    first = room.open(stands_by=True)
    with other.open(stands_by=True) as second:
        first.submit(opening())
        room.directory.halt([])
        assert eventually(lambda: second.store.leads or _shared(room) != "", SECONDS)
        first.close()
        assert leads(second)
        assert second.is_halted


def _shared(room: Room) -> str:
    import psycopg  # noqa: PLC0415

    with psycopg.connect(room.directory.connection) as database:
        return str(database.execute("SELECT halt FROM leadership").fetchall()[0][0])


@in_postgresql
def test_a_database_without_what_was_acknowledged_halts_who_takes_over(room: Room, other: Room) -> None:
    """A replica was promoted that lacked the last entries: its witness tells the second server so (G-29)."""
    import psycopg  # noqa: PLC0415

    first = room.open(stands_by=True)
    with other.open(stands_by=True) as second:
        first.submit(opening())
        first.submit(counting("a"))
        assert eventually(lambda: second.state(BOOK).sequence == 3)
        first.close()
        assert leads(second)
    with psycopg.connect(room.directory.connection) as database:
        database.execute("ALTER TABLE entries DISABLE TRIGGER USER")
        database.execute("DELETE FROM entries WHERE sequence = 3")
        database.execute("ALTER TABLE entries ENABLE TRIGGER USER")
    with other.open(stands_by=True) as second:
        assert ["entry 3 is missing"] == [damage.what for damage in second.halted]  # type: ignore[union-attr]


@in_postgresql
@pytest.mark.parametrize("when", ["guard_problems", "integrity_problems", "snapshots", "head"])
def test_a_database_that_goes_away_during_an_audit_is_no_damage(
    room: Room, monkeypatch: pytest.MonkeyPatch, when: str
) -> None:
    """Seen in failovers: the audit of a server that was cut off took the lost line for damage, and halted its books."""
    import psycopg  # noqa: PLC0415

    from pitboss.books.store.postgres import PostgresStore  # noqa: PLC0415

    with room.open() as books:
        books.submit(opening())
    server, name = room.database
    real = getattr(PostgresStore, when)

    def lost(*arguments: Any, **named: Any) -> Any:
        with psycopg.connect(f"{server} dbname=postgres", autocommit=True) as database:
            database.execute(f"ALTER DATABASE {name} ALLOW_CONNECTIONS false")
            database.execute("SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE datname = %s", [name])
        return real(*arguments, **named)

    monkeypatch.setattr(PostgresStore, when, lost)
    with pytest.raises(AwayError):
        check_books(room.directory)
    assert not room.directory.is_halted
