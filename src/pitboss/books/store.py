"""The store: entries and sealed states in a SQL database, written by one connection and read by others."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

from pitboss.books.entries import Entry
from pitboss.books.statements import IDS, REVISION, Statement, Statements

__all__ = ["PAGE", "NotCommittedError", "Sealed", "Store", "StoreError", "UnknownOutcomeError"]

PAGE = 5_000
"""So many entries are read at once."""
_LAST = 2**62


class StoreError(RuntimeError):
    """The store cannot be opened or used, and why."""


class NotCommittedError(StoreError):
    """A commit failed: nothing of it was written and nothing has moved; the command may be sent again."""


class UnknownOutcomeError(StoreError):
    """A commit failed and the store cannot say whether it was written: nothing more is taken until it can."""


class Sealed(NamedTuple):
    """The text of a sealed state, beside the entry that holds its hash."""

    book: str
    sequence: int
    state: str


class Store(ABC):
    """A database with the journal; a store for writing has one connection that writes, all others only read.

    Drivers are used directly, in autocommit mode with explicit transactions: what is sent is what is written here. The
    writing connection is for the writer's thread alone: in SQLite a second thread could be told the first one's error.
    """

    statements: Statements
    errors: tuple[type[Exception], ...]

    @abstractmethod
    def _connect_to_read(self) -> Any:
        """Open a connection that cannot write."""

    @abstractmethod
    def _connect_to_write(self) -> Any:
        """Open the one connection that writes, after which every commit is on disk before it returns."""

    @abstractmethod
    def settings(self, connection: Any) -> dict[str, str]:
        """Read back from a connection what makes a commit durable."""

    def __init__(self, *, write: bool) -> None:
        self.writes = write
        self._writer = self._connect_to_write() if write else None
        try:
            self._check_revision()
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Close the writing connection; closing twice does nothing."""
        if self._writer is not None:
            self._writer.close()
            self._writer = None

    @contextmanager
    def reading(self) -> Iterator[Any]:
        """Give a connection of its own that cannot write."""
        connection = self._connect_to_read()
        try:
            yield connection
        finally:
            connection.close()

    def append(self, entries: Sequence[Entry], sealed: Sequence[Sealed] = ()) -> None:
        """Write entries in one transaction, on disk when this returns; or raise, having written none of them."""
        writer = self._writer
        if writer is None:
            raise StoreError("this store was opened for reading")
        cursor = writer.cursor()
        try:
            cursor.execute("BEGIN")
            cursor.executemany(self.statements.insert_entry.text, entries)
            if sealed:
                cursor.executemany(self.statements.insert_snapshot.text, sealed)
            cursor.execute("COMMIT")
        except Exception as error:  # noqa: BLE001 - whatever it was, the transaction is not left open
            self._abandon(cursor, writer)
            self._settle_failure(entries[-1], error)
            return
        cursor.close()

    def _abandon(self, cursor: Any, writer: Any) -> None:
        """End what is under way: closed with a transaction open, SQLite would go on holding its lock."""
        for end in (cursor.close, writer.rollback):
            try:
                end()
            except self.errors:
                continue

    def _settle_failure(self, last: Entry, error: Exception) -> None:
        """After a failed commit, ask a new connection what is there; return only if everything is."""
        try:
            found = self._head_anew(last.book)
        except self.errors as again:
            raise UnknownOutcomeError(f"the commit failed ({error}), and the store does not answer: {again}") from error
        if found is not None and found.digest == last.digest:
            return
        raise NotCommittedError(f"nothing was written and nothing has moved: {error}") from error

    def _head_anew(self, book: str) -> Entry | None:
        try:
            self._reconnect()
            return self.head(book)
        except StoreError as error:
            raise self.errors[0](str(error)) from None

    def _reconnect(self) -> None:
        writer, self._writer = self._writer, None
        try:
            if writer is not None:
                writer.close()
        except self.errors:
            pass
        self._writer = self._connect_to_write()

    def _rows(self, statement: Statement, connection: Any | None = None, **values: Any) -> list[Any]:
        if connection is None:
            with self.reading() as own:
                return self._rows(statement, own, **values)
        cursor = connection.cursor()
        try:
            rows: list[Any] = cursor.execute(statement.text, statement.places(**values)).fetchall()
        finally:
            cursor.close()
        return rows

    def books(self) -> list[str]:
        """Give the names of all books that have an entry, by looking for the next name after each."""
        found: list[str] = []
        with self.reading() as connection:
            while True:
                after = found[-1] if found else ""
                name = self._rows(self.statements.next_book, connection, of_book=after)[0][0]
                if name is None:
                    return found
                found.append(name)

    def head(self, book: str) -> Entry | None:
        """Give the last entry of a book, if it has one."""
        rows = self._rows(self.statements.head, of_book=book, most=1)
        return Entry._make(rows[0]) if rows else None

    def commands(self, book: str, ids: Sequence[str]) -> dict[str, list[Entry]]:
        """Give the entries that commands have written, by the writing connection, whose reads are never behind."""
        found: dict[str, list[Entry]] = {}
        for start in range(0, len(ids), len(IDS)):
            some = ids[start : start + len(IDS)]
            if len(some) == 1:
                rows = self._writer_rows(self.statements.command, {"of_book": book, IDS[0]: some[0]})
            else:
                # Every place is filled: what is asked twice is found once.
                places = dict(zip(IDS, [*some, *[some[0]] * (len(IDS) - len(some))], strict=True))
                rows = self._writer_rows(self.statements.commands, {"of_book": book, **places})
            for entry in rows:
                found.setdefault(entry.command, []).append(entry)
        return found

    def _writer_rows(self, statement: Statement, values: dict[str, Any]) -> list[Entry]:
        try:
            rows = self._rows(statement, self._writer, **values)
        except self.errors:
            # Nothing is under way on this connection: where it was lost, a new one does.
            self._reconnect()
            rows = self._rows(statement, self._writer, **values)
        return list(map(Entry._make, rows))

    def entries(self, book: str, after: int = 0, upto: int = _LAST) -> Iterator[Entry]:
        """Read the entries of a book in order, some thousands at a time."""
        with self.reading() as connection:
            while True:
                page = self._rows(self.statements.page, connection, of_book=book, after=after, upto=upto, most=PAGE)
                yield from map(Entry._make, page)
                if len(page) < PAGE:
                    return
                after = page[-1][1]

    def entry(self, book: str, sequence: int) -> Entry | None:
        """Read one entry."""
        return next(self.entries(book, sequence - 1, sequence), None)

    def snapshots(self, book: str, *, after: int = 0, upto: int = _LAST, most: int = 1_000_000) -> list[Sealed]:
        """Give sealed states of a book, the newest first."""
        rows = self._rows(self.statements.snapshots, of_book=book, after=after, upto=upto, most=most)
        return [Sealed(book, sequence, state) for sequence, state in rows]

    def _check_revision(self) -> None:
        try:
            found = [row[0] for row in self._rows(self.statements.revision)]
        except self.errors as error:
            raise StoreError(f"there are no books here: {error}") from None
        if found != [REVISION]:
            told = ", ".join(found) or "none"
            raise StoreError(f"the store has schema {told}, this version of Pitboss works with {REVISION}: upgrade it")
