"""The store in PostgreSQL by psycopg 3, which the extra `postgres` brings."""

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from threading import get_ident
from typing import Any

import psycopg
from psycopg.conninfo import conninfo_to_dict

from pitboss.books.journal.entries import Entry
from pitboss.books.store import leadership, sql
from pitboss.books.store.base import AwayError, JournalStore, Snapshot, StandbyError, StoreError
from pitboss.books.store.directory import is_loopback
from pitboss.books.store.sql import GUARDED, POSTGRESQL, POSTGRESQL_GUARDS, REFUSE_BODY

_DURABLE = {"fsync": "on", "full_page_writes": "on", "synchronous_commit": "on"}
_TLS = ("require", "verify-ca", "verify-full")
_CONNECT_SECONDS = 3
_INDEXES = (
    "SELECT indexrelid::regclass::text FROM pg_index WHERE indrelid IN ('entries'::regclass, 'snapshots'::regclass)"
)
# Extensions are the database's: a room in a schema of its own does not look into where they are.
_AMCHECK = (
    "SELECT quote_ident(nspname) FROM pg_extension JOIN pg_namespace ON pg_namespace.oid = extnamespace "
    "WHERE extname = 'amcheck'"
)
_ON_JOURNAL = "IN ('entries'::regclass, 'snapshots'::regclass)"
# A statement trigger before update, delete or truncate has type 2 + 8 + 16 + 32.
_TRIGGERS = (
    "SELECT tgname, tgenabled IN ('O', 'A') AND tgtype = 58 AND proname = 'refuse_change' AND prosrc = %s "  # noqa: S608
    f"FROM pg_trigger JOIN pg_proc ON pg_proc.oid = tgfoid WHERE tgrelid {_ON_JOURNAL} AND NOT tgisinternal"
)
_GRANTS = (
    "SELECT relname, coalesce(rolname, 'PUBLIC'), privilege_type FROM pg_class CROSS JOIN LATERAL aclexplode(relacl) "  # noqa: S608
    f"LEFT JOIN pg_roles ON pg_roles.oid = grantee WHERE pg_class.oid {_ON_JOURNAL} AND grantee <> relowner "
    "AND privilege_type IN ('UPDATE', 'DELETE', 'TRUNCATE', 'TRIGGER') ORDER BY 1, 2, 3"
)
_REFUSE = f"CREATE OR REPLACE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $${REFUSE_BODY}$$"
_NO_AMCHECK = "PostgreSQL has not checked its own indexes: let its administrator type CREATE EXTENSION amcheck"
_NO_RIGHT = "PostgreSQL has not checked its own indexes: this user may not run bt_index_check"


def _encrypted(connection: str) -> str:
    """Return the setting that demands TLS off this computer; refuse a connection string that does without."""
    named = {key: os.environ.get(f"PG{key.upper()}", "") for key in ("host", "hostaddr", "sslmode")}
    named |= {key: str(value) for key, value in conninfo_to_dict(connection).items()}
    hosts = f"{named['host']},{named['hostaddr']}".split(",")
    if all(host == "" or host.startswith("/") or is_loopback(host) for host in map(str.strip, hosts)):
        return ""
    if not named["sslmode"]:
        return "sslmode=require "
    if named["sslmode"] not in _TLS:
        host = named["host"] or named["hostaddr"]
        text = f"sslmode={named['sslmode']} sends the books to {host} unprotected"
        raise StoreError(f"{text}: use sslmode=verify-full, or require (G-76)")
    return ""


def address_of(connection: str) -> str:
    """Return a connection string with what is demanded of every connection to books."""
    # The first of two counts: a server that is not there is not waited for, unless the connection string says so.
    return f"connect_timeout={_CONNECT_SECONDS} {leadership.client_settings()}{_encrypted(connection)}{connection}"


def verify_schema(connection: psycopg.Connection[Any], schema: str, *, may_lack: bool = False) -> None:
    """Close a connection that is not in the schema of its room, and raise; without a name it may be in any."""
    if not schema:
        return
    query = "SELECT current_schema(), EXISTS (SELECT FROM pg_namespace WHERE nspname = %s)"
    here, is_there = connection.execute(query, [schema]).fetchall()[0]
    if here == schema or (here is None and not is_there and may_lack):
        return
    connection.close()
    if here is not None:
        raise StoreError(f"the connection in store.toml leads to schema {here}, and the books are in {schema}")
    raise StoreError(f"this user may not use schema {schema}" if is_there else f"the database has no schema {schema}")


def _is_lost(error: Exception) -> bool:
    """True if an error is about the line to the database, or the database itself ends, and not about what is in it."""
    state = getattr(error, "sqlstate", None) or ""
    return isinstance(error, psycopg.OperationalError) and (not state or state.startswith(("08", "57P")))


class PostgresStore(JournalStore):
    """One database; whoever writes holds an advisory lock in it, besides the lock on the data directory."""

    dialect = POSTGRESQL
    errors = (psycopg.Error,)
    # A short table is walked, and the plan of a statement is kept while the table grows.
    look_up_settings = ("SET enable_seqscan TO off",)

    beat_seconds = leadership.BEAT_SECONDS
    is_shared = True

    def __init__(self, connection: str, *, schema: str = "", write: bool, stands_by: bool = False) -> None:
        self.connection, self.schema, self.stands_by = connection, schema, stands_by
        self._candidate: leadership.PostgresSession | None = None
        """The connection of a server that stands by, which waits for the lock."""
        self._follower, self._epoch = 0, 0
        super().__init__(write=write)

    def _connect(self) -> leadership.PostgresSession:
        address = address_of(self.connection)
        try:
            connection = leadership.PostgresSession.connect(address, autocommit=True, application_name="pitboss")
            connection.prepare_threshold = 2
            connection.execute("SET synchronous_commit TO on")
            verify_schema(connection, self.schema)
        except psycopg.Error as error:
            raise AwayError(f"cannot open the books: {error}") from None
        return connection

    def connect(self) -> leadership.PostgresSession:
        """Open a connection for what a room keeps beside its books; it neither leads nor waits for ever."""
        session = self._connect()
        session.patience = leadership.PATIENCE_SECONDS
        return session

    def _connect_to_read(self) -> leadership.PostgresSession:
        connection = self._connect()
        connection.execute("SET default_transaction_read_only TO on")
        return connection

    @contextmanager
    def reading(self) -> Iterator[Any]:
        """Open a connection that cannot write; a server that stands by follows on the one it has."""
        candidate = self._candidate
        if candidate is not None and self._follower == get_ident():
            yield candidate
            return
        with super().reading() as connection:
            yield connection

    def _connect_to_write(self) -> leadership.PostgresSession:
        connection, self._candidate = self._candidate, None
        try:
            if connection is not None and not connection.closed:
                self._epoch = leadership.try_lead(connection)
            else:
                connection = self._connect()
                self._verify_durable(connection)
                leadership.prepare_session(connection)
                for setting in self.look_up_settings:
                    connection.execute(setting)
                self._epoch = leadership.take_lead(connection, follows=self.stands_by)
        except StandbyError:
            assert connection is not None
            self._candidate, self._follower = connection, get_ident()
            raise
        except AwayError:
            raise
        except (StoreError, psycopg.Error) as error:
            if connection is not None:
                connection.close()
            if isinstance(error, psycopg.Error):
                raise StoreError(f"cannot write to the books: {error}") from None
            raise
        return connection

    def _verify_durable(self, connection: leadership.PostgresSession) -> None:
        settings = self.settings(connection)
        if any(settings[name] != value for name, value in _DURABLE.items()):
            raise StoreError(f"the server does not keep what it acknowledges: {settings}")

    def verify_durable(self) -> None:
        """Raise where the server would not keep what is acknowledged."""
        with self.reading() as connection:
            self._verify_durable(connection)

    def close(self) -> None:
        """Close the writing connection, or that of a server that stands by."""
        candidate, self._candidate = self._candidate, None
        if candidate is not None:
            candidate.close()
        super().close()

    def _insert(self, cursor: Any, entries: Sequence[Entry], sealed: Sequence[Snapshot]) -> None:
        """Insert by one statement each: psycopg's `executemany` leaves the session without its time limit.

        It sends a flush after its last sync, at which PostgreSQL switches off the limit of an idle transaction; a
        leader that is paused there would keep the lock for ever.
        """
        cursor.execute(
            self.dialect.statement(sql.INSERT_ENTRIES).text, [list(column) for column in zip(*entries, strict=True)]
        )
        for snapshot in sealed:
            cursor.execute(self.dialect.statement(sql.INSERT_SNAPSHOT).text, snapshot)

    def _verify_leads(self, cursor: Any) -> None:
        leadership.verify_lead(cursor, self._epoch)

    def is_lost(self, connection: Any) -> bool:
        """True if a connection is gone: what was asked was not answered."""
        return bool(connection.closed)

    def beat(self) -> None:
        """Show the database that the leader is there; raises where it does not answer or another server leads."""
        with self._leading() as session:
            leadership.beat(session, self._epoch)

    def halt(self) -> str:
        """Return the damage for which a leader before has halted the books."""
        with self._leading() as session:
            return leadership.shared_halt(session)

    def share_halt(self, text: str) -> None:
        """Store for the next leader the damage for which the books are halted."""
        with self._leading() as session:
            leadership.share_halt(session, self._epoch, text)

    @contextmanager
    def _leading(self) -> Iterator[Any]:
        try:
            yield self._verify_writes()
        except psycopg.Error as error:
            raise StoreError(f"the database does not answer: {error}") from error

    def _write_again(self, writer: Any) -> None:
        """Nothing: PostgreSQL shows what is synced, and after a failed sync starts anew from what is on disk."""

    def integrity_problems(self) -> list[str]:
        """Ask amcheck to compare every index with its table, where the database has it."""
        try:
            with self.reading() as connection:
                if not (found := connection.execute(_AMCHECK).fetchall()):
                    self.unchecked = _NO_AMCHECK
                    return []
                names = [name for (name,) in connection.execute(_INDEXES).fetchall()]
                check = f"SELECT {found[0][0]}.bt_index_check(%s::regclass, heapallindexed => true)"
                return [problem for name in names for problem in self._index_problems(connection, check, name)]
        except AwayError:
            raise
        except (psycopg.Error, StoreError) as error:
            if _is_lost(error):
                raise AwayError(str(error)) from error
            return [f"PostgreSQL cannot check itself: {error}"]

    def _index_problems(self, connection: Any, check: str, index: str) -> list[str]:
        try:
            connection.execute(check, [index])
        except psycopg.errors.InsufficientPrivilege:
            self.unchecked = _NO_RIGHT
        except psycopg.Error as error:
            if _is_lost(error):
                raise
            return [str(error).partition("\n")[0]]
        return []

    def _guard_statements(self, cursor: Any) -> tuple[list[str], list[str]]:
        """Switch the trigger off that refuses to delete entries, and on again."""
        return (
            ["ALTER TABLE entries DISABLE TRIGGER USER"],
            ["ALTER TABLE entries ENABLE TRIGGER USER"],
        )

    def guard_problems(self) -> list[str]:
        """Look at the triggers and what they run, and at who was granted a change of the journal."""
        try:
            with self.reading() as connection:
                triggers = dict(connection.execute(_TRIGGERS, [REFUSE_BODY]).fetchall())
                grants = connection.execute(_GRANTS).fetchall()
        except AwayError:
            raise
        except (psycopg.Error, StoreError) as error:
            if _is_lost(error):
                raise AwayError(str(error)) from error
            return [f"the triggers and grants cannot be read: {str(error).partition(chr(10))[0]}"]
        missing = POSTGRESQL_GUARDS.keys() - triggers
        problems = [f"the trigger {name} that refuses changes is missing" for name in missing]
        problems += [
            f"the trigger {name} does not refuse changes as it was made to"
            for name, is_right in triggers.items()
            if name in POSTGRESQL_GUARDS and not is_right
        ]
        problems += [f"trigger {name} is none of Pitboss's" for name in triggers.keys() - POSTGRESQL_GUARDS]
        return sorted(problems) + [f"{role} was granted {verb} on {table}" for table, role, verb in grants]

    def _guard_mending(self, cursor: Any) -> list[str]:
        """Drop every trigger on the journal and make those anew that belong there; revoke what was granted."""
        names = "SELECT tgname, relname FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid"
        rows = cursor.execute(f"{names} WHERE tgrelid {_ON_JOURNAL} AND NOT tgisinternal").fetchall()
        quoted = [(name.replace('"', '""'), table) for name, table in rows]
        grants = {(table, role) for table, role, _ in cursor.execute(_GRANTS).fetchall()}
        revoked = [
            f"REVOKE UPDATE, DELETE, TRUNCATE, TRIGGER ON {table} FROM "
            + ("PUBLIC" if role == "PUBLIC" else '"' + role.replace('"', '""') + '"')
            for table, role in sorted(grants)
            if table in GUARDED
        ]
        dropped = [f'DROP TRIGGER "{name}" ON {table}' for name, table in quoted]
        return [*dropped, _REFUSE, *POSTGRESQL_GUARDS.values(), *revoked]

    def settings(self, connection: Any) -> dict[str, str]:
        """Read back what makes a commit durable, and whether the connection may write."""
        names = (*_DURABLE, "default_transaction_read_only")
        return {name: str(connection.execute(f"SHOW {name}").fetchone()[0]) for name in names}
