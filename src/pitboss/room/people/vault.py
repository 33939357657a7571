"""The vault: hashes of secrets, sessions and failures, in a file that only its owner reads or in the room's database.

It lies beside the journal and never in it: whoever audits or exports the books gets no hash of a password. A backup of
the books does not hold it; after a restore people get new one-time links.
"""

import os
import secrets
import sqlite3
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from pitboss.books import StoreError
from pitboss.books.store import keys
from pitboss.books.store.directory import Directory, is_shared

FILE = "access.sqlite3"
SEAL_FILE = "access.key"
"""The key of the room that seals what is read again and not only compared; who has one of the files has nothing."""
_SEALED = "sealed:"
_MINUTE = 60 * 1_000_000
_HOUR = 60 * _MINUTE
_PUT = "INSERT INTO secrets VALUES (?, ?, ?) ON CONFLICT (subject, what) DO UPDATE SET hash = excluded.hash"
_PUT_SESSION = (
    "INSERT INTO sessions VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (hash) DO UPDATE SET subject = excluded.subject, "
    "how = excluded.how, device = excluded.device, csrf = excluded.csrf, created = excluded.created, "
    "used = excluded.used"
)
_PUT_FAILURES = (
    "INSERT INTO failures VALUES (?, ?, ?, ?) "
    "ON CONFLICT (key) DO UPDATE SET count = excluded.count, last = excluded.last, until = excluded.until"
)
_PUT_BROWSER = "INSERT INTO browsers VALUES (?, ?, ?) ON CONFLICT (hash, subject) DO UPDATE SET last = excluded.last"
PIN, ENROLLED, TERMINAL = "pin", "enrolled", "terminal"


class Link(NamedTuple):
    """A one-time link: for whom, what it does (`password`, `sign-in` or `enrol`), and until when."""

    hash: str
    subject: str
    purpose: str
    expires: int


class Session(NamedTuple):
    """Somebody who is signed in, or a browser that is enrolled as a device; the cookie itself is not kept."""

    hash: str
    subject: str
    how: str
    device: str
    csrf: str
    created: int
    used: int


class Failures(NamedTuple):
    """Failures of a login or an address since the last success: how many, the last, and until when it is locked."""

    key: str
    times: int
    last: int
    until: int


def token_hash(token: str) -> str:
    """Hash a random token; it has 256 bits, so that a quick hash is as good as a slow one."""
    return sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


_TABLES = {
    "secrets": ("subject TEXT", "what TEXT", "hash TEXT NOT NULL", "PRIMARY KEY (subject, what)"),
    "links": ("hash TEXT PRIMARY KEY", "subject TEXT NOT NULL", "purpose TEXT NOT NULL", "expires {int} NOT NULL"),
    "sessions": (
        "hash TEXT PRIMARY KEY",
        "subject TEXT NOT NULL",
        "how TEXT NOT NULL",
        "device TEXT NOT NULL",
        "csrf TEXT NOT NULL",
        "created {int} NOT NULL",
        "used {int} NOT NULL",
    ),
    "failures": ("key TEXT PRIMARY KEY", "count {int} NOT NULL", "last {int} NOT NULL", "until {int} NOT NULL"),
    "browsers": ("hash TEXT", "subject TEXT", "last {int} NOT NULL", "PRIMARY KEY (hash, subject)"),
}
TABLES = tuple(_TABLES)
"""The tables of a vault."""


def _schema(integer: str, end: str) -> list[str]:
    return [
        f"CREATE TABLE IF NOT EXISTS {name} ({', '.join(columns).format(int=integer)}){end}"
        for name, columns in _TABLES.items()
    ]


class Cursor(Protocol):
    """What changes tables within one transaction."""

    def execute(self, statement: str, values: Sequence[Any] = ...) -> Any:
        """Run a statement."""

    def executemany(self, statement: str, values: Iterable[Sequence[Any]]) -> Any:
        """Run a statement with each of several rows of values."""


class VaultTables(ABC):
    """The tables of a vault, used by one thread at a time."""

    def __init__(self) -> None:
        self._lock = threading.Lock()

    def rows(self, statement: str, *values: Any) -> list[tuple[Any, ...]]:
        """Run one statement by itself, and return what it found."""
        with self._lock:
            return self._rows(statement, values)

    def change(self, do: Callable[[Cursor], object]) -> None:
        """Run statements in one transaction, on disk when this returns."""
        with self._lock:
            self._change(do)

    @abstractmethod
    def _rows(self, statement: str, values: Sequence[Any]) -> list[tuple[Any, ...]]: ...

    @abstractmethod
    def _change(self, do: Callable[[Cursor], object]) -> None: ...

    @abstractmethod
    def close(self) -> None:
        """Close the connection."""


_FAILS = "sign-ins cannot be saved: {}; try again in a moment"


class SqliteTables(VaultTables):
    """Tables in a file that only its owner reads."""

    def __init__(self, file: Path) -> None:
        super().__init__()
        self.connection = sqlite3.connect(file, isolation_level=None, check_same_thread=False)
        schema = _schema("INTEGER", " STRICT")
        self.connection.executescript("; ".join(["PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL", *schema]))

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self.connection.close()

    @contextmanager
    def _using(self) -> Iterator[sqlite3.Connection]:
        """Yield the connection; a disk that is full or fails is no fault of ours."""
        try:
            yield self.connection
        except sqlite3.Error as error:
            raise StoreError(_FAILS.format(error)) from error

    def _rows(self, statement: str, values: Sequence[Any]) -> list[tuple[Any, ...]]:
        with self._using() as connection:
            return connection.execute(statement, values).fetchall()

    def _change(self, do: Callable[[Cursor], object]) -> None:
        with self._using() as connection, connection:
            connection.execute("BEGIN")
            do(connection)


class PostgresTables(VaultTables):
    """Tables beside the journal, which every server of the room uses; a connection that was lost is opened anew."""

    def __init__(self, directory: Directory) -> None:
        super().__init__()
        from pitboss.books.store.postgres import PostgresStore  # noqa: PLC0415 - rooms in SQLite do not load it

        self._errors = PostgresStore.errors
        self._connect = PostgresStore(directory.connection, schema=directory.schema, write=False).connect
        self._connection: Any = None
        self._again(lambda connection: [connection.execute(text) for text in _schema("BIGINT", "")])

    def close(self) -> None:
        """Close the connection."""
        with self._lock:
            self._drop()

    def _drop(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.close()

    def _again(self, do: Callable[[Any], Any]) -> Any:
        """Run an operation, and again on a new connection where the one before was lost: each may run twice."""
        for is_last in (False, True):
            try:
                if self._connection is None:
                    self._connection = self._connect()
                return do(self._connection)
            except self._errors as error:
                self._drop()
                if is_last:
                    raise StoreError(_FAILS.format(error)) from error
        raise AssertionError

    def _rows(self, statement: str, values: Sequence[Any]) -> list[tuple[Any, ...]]:
        def run(connection: Any) -> list[tuple[Any, ...]]:
            with closing(connection.cursor()) as cursor:
                cursor.execute(statement.replace("?", "%s"), values)
                rows: list[tuple[Any, ...]] = cursor.fetchall() if cursor.description else []
                return rows

        found: list[tuple[Any, ...]] = self._again(run)
        return found

    def _change(self, do: Callable[[Cursor], object]) -> None:
        def run(connection: Any) -> None:
            with connection.transaction(), closing(connection.cursor()) as cursor:
                do(_Placed(cursor))

        self._again(run)


class _Placed:
    """A cursor of PostgreSQL for statements as SQLite has them."""

    def __init__(self, cursor: Any) -> None:
        self._cursor = cursor

    def execute(self, statement: str, values: Sequence[Any] = ()) -> Any:
        """Run a statement."""
        return self._cursor.execute(statement.replace("?", "%s"), values)

    def executemany(self, statement: str, values: Iterable[Sequence[Any]]) -> Any:
        """Run a statement with each of several rows of values."""
        return self._cursor.executemany(statement.replace("?", "%s"), list(values))


def copy_tables(source: VaultTables, target: VaultTables) -> dict[str, int]:
    """Copy every row of a vault into one that is empty, all or none; return how many rows each table has."""
    rows = {name: source.rows(f"SELECT * FROM {name}") for name in _TABLES}  # noqa: S608 - our own names

    def fill(cursor: Cursor) -> None:
        for name, found in rows.items():
            if found:
                places = ", ".join("?" * len(found[0]))
                cursor.executemany(f"INSERT INTO {name} VALUES ({places}) ON CONFLICT DO NOTHING", found)  # noqa: S608

    target.change(fill)
    return {name: len(found) for name, found in rows.items()}


def open_tables(path: Path) -> VaultTables:
    """Open the tables of a room's vault: in its database where servers share that, else in a file."""
    file = path / FILE
    if is_shared(path):
        tables = PostgresTables(Directory(path))
        if file.is_file():
            # Before servers shared a database, its room kept the vault in a file.
            with closing(SqliteTables(file)) as before:
                copy_tables(before, tables)
            file.rename(file.with_name(f"{FILE}.moved"))
        return tables
    os.close(os.open(file, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600))
    file.chmod(0o600)
    return SqliteTables(file)


class Vault:
    """The vault, open in this process; a change is on disk when its method returns."""

    def __init__(self, directory: Path) -> None:
        self._seal_file = directory / SEAL_FILE
        self.tables = open_tables(directory)
        self._rows, self._change = self.tables.rows, self.tables.change

    def close(self) -> None:
        """Close it."""
        self.tables.close()

    # Secrets of people and devices: one of a kind each.

    def secret(self, subject: str, what: str) -> str | None:
        """The hash of a secret, if there is one."""
        rows = self._rows("SELECT hash FROM secrets WHERE subject = ? AND what = ?", subject, what)
        return rows[0][0] if rows else None

    def secrets(self, what: str) -> dict[str, str]:
        """By hash, whose secret of a kind it is."""
        return dict(self._rows("SELECT hash, subject FROM secrets WHERE what = ?", what))

    def by_subject(self, what: str) -> dict[str, str]:
        """By whose it is, each secret of a kind."""
        return dict(self._rows("SELECT subject, hash FROM secrets WHERE what = ?", what))

    def put_secret(self, subject: str, what: str, hashed: str) -> None:
        """Store the hash of a secret in the place of an older one."""
        self._rows(_PUT, subject, what, hashed)

    def drop_secret(self, subject: str, what: str) -> None:
        """Forget a secret."""
        self._rows("DELETE FROM secrets WHERE subject = ? AND what = ?", subject, what)

    def seal_secret(self, subject: str, what: str, secret: str) -> None:
        """Store a secret that is read again, sealed with the room's key."""
        self.put_secret(subject, what, _SEALED + keys.seal(self._seal_file, f"{what} {subject}", secret))

    def unsealed(self, subject: str, what: str) -> str | None:
        """Return a secret that was sealed, or None where its key is lost too; those of before are plain."""
        stored = self.secret(subject, what)
        if stored is None or not stored.startswith(_SEALED):
            return stored
        return keys.unseal(self._seal_file, f"{what} {subject}", stored.removeprefix(_SEALED))

    # One-time links.

    def put_link(self, link: Link) -> None:
        """Store a link; an older one of the same subject and purpose ends."""

        def put(cursor: Cursor) -> None:
            cursor.execute("DELETE FROM links WHERE subject = ? AND purpose = ?", (link.subject, link.purpose))
            cursor.execute("INSERT INTO links VALUES (?, ?, ?, ?)", link)

        self._change(put)

    def drop_links(self, subject: str) -> None:
        """End every link of a subject."""
        self._rows("DELETE FROM links WHERE subject = ?", subject)

    def link(self, code: str, now: int) -> Link | None:
        """Look at a link that is still good."""
        rows = self._rows("SELECT * FROM links WHERE hash = ? AND expires > ?", token_hash(code), now)
        return Link(*rows[0]) if rows else None

    def use_link(self, link: Link) -> bool:
        """End a link; of two who use it at once, one is told that it was there."""
        return bool(self._rows("DELETE FROM links WHERE hash = ? RETURNING hash", link.hash))

    # Sessions.

    def sessions(self) -> list[Session]:
        """All sessions that were there."""
        return [Session(*row) for row in self._rows("SELECT * FROM sessions")]

    def put_sessions(self, sessions: Iterable[Session]) -> None:
        """Store sessions as they are now."""
        rows = list(sessions)
        self._change(lambda cursor: cursor.executemany(_PUT_SESSION, rows))

    def drop_sessions(self, hashes: Iterable[str]) -> None:
        """Forget sessions."""
        rows = [(digest,) for digest in hashes]
        self._change(lambda cursor: cursor.executemany("DELETE FROM sessions WHERE hash = ?", rows))

    # Failures.

    def failures(self) -> list[Failures]:
        """All failures that count."""
        return [Failures(*row) for row in self._rows("SELECT * FROM failures")]

    def put_failures(self, failures: Failures) -> None:
        """Store a count of failures."""
        self._rows(_PUT_FAILURES, *failures)

    def drop_failures(self, key: str) -> None:
        """Forget the failures of a key."""
        self._rows("DELETE FROM failures WHERE key = ?", key)

    # Browsers in which somebody has signed in before.

    def put_browser(self, token: str, subject: str, now: int) -> None:
        """Store that somebody has signed in here; forget browsers that were not used for a year."""

        def put(cursor: Cursor) -> None:
            cursor.execute("DELETE FROM browsers WHERE last < ?", (now - 365 * 24 * _HOUR,))
            cursor.execute(_PUT_BROWSER, (token_hash(token), subject, now))

        self._change(put)

    def knows_browser(self, token: str, subject: str) -> bool:
        """True if somebody has signed in before in the browser that has this token."""
        rows = self._rows("SELECT 1 FROM browsers WHERE hash = ? AND subject = ?", token_hash(token), subject)
        return bool(rows)


class SessionLimits(NamedTuple):
    """How long a session lasts, in microseconds: without a request, and in all.

    A dealer who has tapped in is not timed out for being idle: a console in play stays theirs until they tap out. A
    browser that is a device ends when it was `unused` for so long.
    """

    idle: int = 15 * _MINUTE
    longest: int = 12 * _HOUR
    longest_at_table: int = 16 * _HOUR
    longest_at_terminal: int = 30 * 24 * _HOUR
    unused: int = 90 * 24 * _HOUR


class Sessions:
    """All sessions, in memory and in the vault, so that a restart signs nobody out."""

    def __init__(
        self,
        vault: Vault,
        clock: Callable[[], int],
        limits: SessionLimits,
        *,
        monotonic: Callable[[], int] | None = None,
    ) -> None:
        self._vault, self._clock, self._limits = vault, clock, limits
        self._monotonic = monotonic or clock
        self._lock = threading.Lock()
        self._by_hash = {session.hash: session for session in vault.sessions()}
        now, running = clock(), self._monotonic()
        self._used = {digest: running - max(0, now - session.used) for digest, session in self._by_hash.items()}
        """When each was last used by the time that no setting of the clock moves (G-77)."""
        self._touched: set[str] = set()

    def reload(self) -> None:
        """Load the sessions that another server of the room has started and ended."""
        sessions = {session.hash: session for session in self._vault.sessions()}
        now, running = self._clock(), self._monotonic()
        with self._lock:
            self._by_hash = sessions
            self._used = {
                digest: max(self._used.get(digest, 0), running - max(0, now - session.used))
                for digest, session in sessions.items()
            }

    def begin(self, subject: str, how: str, device: str = "") -> tuple[str, Session]:
        """Start a session; the token that is returned first is for the cookie, and is stored nowhere."""
        token, now = secrets.token_urlsafe(32), self._clock()
        session = Session(token_hash(token), subject, how, device, secrets.token_urlsafe(24), now, now)
        self._vault.put_sessions([session])
        with self._lock:
            self._by_hash[session.hash], self._used[session.hash] = session, self._monotonic()
        return token, session

    def find(self, token: str) -> Session | None:
        """Find the session of a cookie, if it has not ended."""
        session = self._by_hash.get(token_hash(token))
        return None if session is None or self._is_over(session) else session

    def is_live(self, session: Session) -> bool:
        """True if a session has not ended."""
        now = self._by_hash.get(session.hash)
        return now is not None and not self._is_over(now)

    def _is_over(self, session: Session) -> bool:
        now, limits = self._clock(), self._limits
        if session.how == ENROLLED:
            return self._idle(session) > limits.unused
        if session.how == PIN:
            return now - session.created > limits.longest_at_table
        if session.how == TERMINAL:
            return now - session.created > limits.longest_at_terminal
        return self._idle(session) > limits.idle or now - session.created > limits.longest

    def _idle(self, session: Session) -> int:
        """Return for how long a session was not used, by the time that no setting of the clock moves."""
        return self._monotonic() - self._used.get(session.hash, 0)

    def seconds_left(self, session: Session) -> int:
        """Return in how many seconds a session ends if its person does nothing; 0 where it has ended."""
        current = self._by_hash.get(session.hash, session)
        now, limits = self._clock(), self._limits
        ends = current.created + (limits.longest_at_table if session.how == PIN else limits.longest)
        if session.how != PIN:
            ends = min(ends, now + limits.idle - self._idle(current))
        return max(0, ends - now) // 1_000_000 if self.is_live(session) else 0

    def touch(self, session: Session) -> None:
        """Note that somebody is at work; it is written to disk by `tidy`."""
        with self._lock:
            if session.hash in self._by_hash:
                self._by_hash[session.hash] = session._replace(used=self._clock())
                self._used[session.hash] = self._monotonic()
                self._touched.add(session.hash)

    def end(self, *sessions: Session) -> None:
        """End sessions."""
        with self._lock:
            for session in sessions:
                self._by_hash.pop(session.hash, None)
                self._used.pop(session.hash, None)
        self._vault.drop_sessions([session.hash for session in sessions])

    def of(self, subject: str, how: str | None = None) -> list[Session]:
        """The sessions of a person, or (`enrolled`) of a device."""
        with self._lock:
            sessions = [session for session in self._by_hash.values() if session.subject == subject]
        return [session for session in sessions if (session.how != ENROLLED if how is None else session.how == how)]

    @property
    def enrolled(self) -> list[Session]:
        """The browsers that are devices, also those that were not used for too long."""
        with self._lock:
            return [session for session in self._by_hash.values() if session.how == ENROLLED]

    def at_device(self, device: str) -> list[Session]:
        """The sessions of people who tapped in at a device."""
        with self._lock:
            return [session for session in self._by_hash.values() if session.how == PIN and session.device == device]

    @property
    def signed_in(self) -> int:
        """The number of sessions of people."""
        return sum(session.how != ENROLLED for session in list(self._by_hash.values()))

    def tidy(self) -> None:
        """Write down who was at work, and forget what has ended."""
        with self._lock:
            # A device that has ended is listed until it is enrolled again: a clock that was wrong takes none away.
            sessions = [session for session in self._by_hash.values() if session.how != ENROLLED]
            over = [session for session in sessions if self._is_over(session)]
            used = [self._by_hash[digest] for digest in self._touched if digest in self._by_hash]
            self._touched.clear()
        if used:
            self._vault.put_sessions(used)
        if over:
            self.end(*over)
