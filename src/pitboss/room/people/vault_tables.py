"""Where the vault is: a file of the data directory, or tables of the room's PostgreSQL database, which servers share.

Statements are written once, for SQLite, in words that both know.
"""

import sqlite3
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, Protocol

from pitboss.books import StoreError
from pitboss.books.store.directory import Directory

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
        self._connect = PostgresStore(directory.connection, write=False).connect
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
        """Do something, and once more on a new connection where the one before was lost: each may be done twice."""
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
