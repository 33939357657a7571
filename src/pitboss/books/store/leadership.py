"""Which of several servers leads the books in a PostgreSQL database: the one whose session holds an advisory lock.

PostgreSQL decides, and nothing here votes. The lock ends with its session, and the session ends when it is silent for
`SILENCE_SECONDS`: so a leader that was killed, paused or cut off loses it. Besides, every transaction that writes
compares the number under which its server took the lead with the row that holds it, locked until the commit: who led
before cannot write, however late it goes on.
"""

import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

import psycopg
from psycopg import errors

from pitboss.books.store.base import StandbyError, StoreError

LOCK_SPACE = zlib.crc32(b"pitboss books") & 0x7FFFFFFF
BEAT_SECONDS = 0.5
"""So often a leader that writes nothing beats."""
SILENCE_SECONDS = 2
"""PostgreSQL ends a leader's session that is silent for so long, in a transaction or not."""
PATIENCE_SECONDS = 3.0
"""A leader that gets no answer for so long takes its connection for lost."""
_WAIT_SECONDS = 5
"""A program that must write waits so long: the database may need a moment to see that a writer was killed."""
_WAIT_SECONDS_TO_FOLLOW = 1
_LINE_LOST = f"{SILENCE_SECONDS}s"
_SESSION = {
    # What was sent and is not acknowledged, and a line on which nothing comes back, are given up.
    "tcp_user_timeout": _LINE_LOST,
    "tcp_keepalives_idle": "1",
    "tcp_keepalives_interval": "1",
    "tcp_keepalives_count": str(SILENCE_SECONDS - 1),
    "client_connection_check_interval": "1s",
}
_SILENCE = ("idle_session_timeout", "idle_in_transaction_session_timeout")
_ARM = ", ".join(f"set_config('{name}', '{SILENCE_SECONDS}s', false)" for name in _SILENCE)
_MAKE = (
    "CREATE TABLE IF NOT EXISTS leadership (one boolean PRIMARY KEY DEFAULT true CHECK (one), "
    "epoch bigint NOT NULL, halt text NOT NULL DEFAULT '')"
)
_LEAD = (
    "INSERT INTO leadership (epoch) VALUES (1) ON CONFLICT (one) DO UPDATE SET epoch = leadership.epoch + 1 "
    "RETURNING epoch"
)
_BEAT = f"SELECT epoch, {_ARM} FROM leadership"  # noqa: S608 - our own settings
_EPOCH = "SELECT epoch FROM leadership FOR UPDATE"
_LOCK = (
    "(%s, (SELECT CASE nspname WHEN 'public' THEN 0 ELSE oid::int4 END FROM pg_namespace "
    "WHERE nspname = current_schema()))"
)
"""Rooms in one database have schemas of their own, and so locks of their own."""
_OTHER = "another server writes to these books now"
R = TypeVar("R")


class PostgresSession(psycopg.Connection[Any]):
    """A connection that is given up where no answer comes in time; without `patience` it waits as long as it takes."""

    patience: float | None = None

    def wait(self, gen: Any, interval: float = 0.1, timeout: float | None = None) -> Any:
        """Wait for an answer; a line on which none comes is closed, so that nobody waits on it again."""
        patience = self.patience if timeout is None else timeout
        if patience is None:
            return super().wait(gen, interval)
        try:
            return super().wait(gen, interval, patience)
        except errors.OperationalError:
            raise
        except psycopg.Error as error:
            if "wait timeout" not in str(error):
                raise
            self.pgconn.finish()
            raise errors.OperationalError(f"the database has not answered for {patience:g} seconds") from None


def client_settings() -> str:
    """Return what a connection string begins with, so that this end notices too that a line is dead."""
    lost = f"tcp_user_timeout={SILENCE_SECONDS}000"
    return f"keepalives_idle=1 keepalives_interval=1 keepalives_count={SILENCE_SECONDS - 1} {lost} "


def prepare_session(session: PostgresSession) -> None:
    """Make the database notice within seconds that this end is gone."""
    for name, value in _SESSION.items():
        session.execute("SELECT set_config(%s, %s, false)", [name, value])


def take_lead(session: PostgresSession, *, follows: bool) -> int:
    """Take the lock and return the number of this leadership; where another server has it, follow or be refused."""
    try:
        with _lock_timeout(session, _WAIT_SECONDS_TO_FOLLOW if follows else _WAIT_SECONDS):
            session.execute(f"SELECT pg_advisory_lock{_LOCK}", [LOCK_SPACE])
    except errors.LockNotAvailable:
        if follows:
            raise StandbyError(_OTHER) from None
        raise StoreError("another process writes to these books: one writer at a time") from None
    return _lead(session)


def try_lead(session: PostgresSession) -> int:
    """Take the lock if nobody has it, and return the number of this leadership; else go on following."""
    row = session.execute(f"SELECT pg_try_advisory_lock{_LOCK}", [LOCK_SPACE]).fetchone()
    if row is None or not row[0]:
        raise StandbyError(_OTHER)
    return _lead(session)


def _lead(session: PostgresSession) -> int:
    with _lock_timeout(session, _WAIT_SECONDS):
        if not session.execute("SELECT to_regclass('leadership') IS NOT NULL").fetchall()[0][0]:
            session.execute(_MAKE)
        epoch: int = session.execute(_LEAD).fetchall()[0][0]
    return epoch


@contextmanager
def _lock_timeout(session: PostgresSession, seconds: int) -> Iterator[None]:
    session.execute(f"SET lock_timeout TO '{seconds}s'")
    try:
        yield
    finally:
        if not session.closed:
            session.execute("SET lock_timeout TO 0")


def verify_lead(cursor: Any, epoch: int) -> None:
    """Lock the row of the leader until the commit; raise where it is another's: a fenced leader cannot write."""
    rows = cursor.execute(_EPOCH).fetchall()
    if rows != [(epoch,)]:
        raise StandbyError(_OTHER)


def beat(session: PostgresSession, epoch: int) -> None:
    """Go on leading: from the first beat on, the database ends this session when it is silent for too long."""
    session.patience = PATIENCE_SECONDS
    rows = session.execute(_BEAT).fetchall()
    if [row[0] for row in rows] != [epoch]:
        raise StandbyError(_OTHER)


def shared_halt(session: PostgresSession) -> str:
    """Return for which damage a leader before has halted the books; empty where none did."""
    halt: str = session.execute("SELECT halt FROM leadership").fetchall()[0][0]
    return halt


def share_halt(session: PostgresSession, epoch: int, text: str) -> None:
    """Store for the next leader the damage for which the books are halted."""
    session.execute("UPDATE leadership SET halt = %s WHERE epoch = %s", [text, epoch])
