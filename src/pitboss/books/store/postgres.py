"""The store in PostgreSQL by psycopg 3, which the extra `postgres` brings."""

import zlib
from typing import Any

import psycopg

from pitboss.books.store.base import JournalStore, StoreError
from pitboss.books.store.sql import GUARDED, POSTGRESQL, POSTGRESQL_GUARDS, REFUSE_BODY

_LOCK_SPACE = zlib.crc32(b"pitboss books") & 0x7FFFFFFF
_DURABLE = {"fsync": "on", "full_page_writes": "on", "synchronous_commit": "on"}
_WAIT_SECONDS = 5
_CONNECT_SECONDS = 3
_INDEXES = (
    "SELECT indexrelid::regclass::text FROM pg_index WHERE indrelid IN ('entries'::regclass, 'snapshots'::regclass)"
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


class PostgresStore(JournalStore):
    """One database; whoever writes holds an advisory lock in it, besides the lock on the data directory."""

    dialect = POSTGRESQL
    errors = (psycopg.Error,)
    # A short table is walked, and the plan of a statement is kept while the table grows.
    look_up_settings = ("SET enable_seqscan TO off",)

    def __init__(self, connection: str, *, write: bool) -> None:
        self.connection = connection
        super().__init__(write=write)

    def _connect(self) -> psycopg.Connection[Any]:
        # The first of two counts: a server that is not there is not waited for, unless the connection string says so.
        address = f"connect_timeout={_CONNECT_SECONDS} {self.connection}"
        try:
            connection = psycopg.connect(address, autocommit=True, application_name="pitboss")
            connection.prepare_threshold = 2
            connection.execute("SET synchronous_commit TO on")
        except psycopg.Error as error:
            raise StoreError(f"cannot open the books: {error}") from None
        return connection

    def _connect_to_read(self) -> psycopg.Connection[Any]:
        connection = self._connect()
        connection.execute("SET default_transaction_read_only TO on")
        return connection

    def _connect_to_write(self) -> psycopg.Connection[Any]:
        connection = self._connect()
        try:
            settings = self.settings(connection)
            # The server may need a moment to see that a writer before this one was killed.
            connection.execute(f"SET lock_timeout TO '{_WAIT_SECONDS}s'")
            connection.execute("SELECT pg_advisory_lock(%s, 0)", [_LOCK_SPACE])
            connection.execute("SET lock_timeout TO 0")
            for setting in self.look_up_settings:
                connection.execute(setting)
        except psycopg.errors.LockNotAvailable:
            connection.close()
            raise StoreError("another process writes to these books: one writer at a time") from None
        except psycopg.Error as error:
            connection.close()
            raise StoreError(f"cannot write to the books: {error}") from None
        if any(settings[name] != value for name, value in _DURABLE.items()):
            connection.close()
            raise StoreError(f"the server does not keep what it acknowledges: {settings}")
        return connection

    def _write_again(self, writer: Any) -> None:
        """Nothing: PostgreSQL shows what is synced, and after a failed sync starts anew from what is on disk."""

    def integrity_problems(self) -> list[str]:
        """Ask amcheck to compare every index with its table, where the database has it."""
        try:
            with self.reading() as connection:
                if not connection.execute("SELECT 1 FROM pg_extension WHERE extname = 'amcheck'").fetchall():
                    self.unchecked = _NO_AMCHECK
                    return []
                names = [name for (name,) in connection.execute(_INDEXES).fetchall()]
                return [problem for name in names for problem in self._index_problems(connection, name)]
        except (psycopg.Error, StoreError) as error:
            return [f"PostgreSQL cannot check itself: {error}"]

    def _index_problems(self, connection: Any, index: str) -> list[str]:
        try:
            connection.execute("SELECT bt_index_check(%s::regclass, heapallindexed => true)", [index])
        except psycopg.errors.InsufficientPrivilege:
            self.unchecked = _NO_RIGHT
        except psycopg.Error as error:
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
        except (psycopg.Error, StoreError) as error:
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
