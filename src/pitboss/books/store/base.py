"""The store: entries and sealed states in a SQL database, written by one connection and read by others.

Looking for entries leaves the others to the database: rows may be more than were looked for, never fewer, and the
caller looks at each entry again.
"""

import json
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

from pitboss.books.journal.entries import FIELDS, TIME_DECIDED, Entry, Instant, has_surrogates
from pitboss.books.store import sql
from pitboss.books.store.sql import Dialect

PAGE = 5_000
"""So many entries are read at once."""
_COMMAND = FIELDS.index("command")
LAST = 2**62
"""Beyond every entry of a book."""


class StoreError(RuntimeError):
    """The store cannot be opened or used, and why."""


class NotCommittedError(StoreError):
    """A commit failed: nothing of it was written and nothing has moved; the command may be sent again."""


class UnknownOutcomeError(StoreError):
    """A commit failed and the store cannot say whether it was written: nothing more is taken until it can."""


class AwayError(StoreError):
    """The database does not answer: that says nothing about what is in it."""


class StandbyError(StoreError):
    """Another server writes to these books: this one follows them, and writes when the other has ended."""


class Illegible(NamedTuple):
    """Entries that the database cannot read, from one to another, and why; `last` is 0 where the end is not known."""

    first: int
    last: int
    text: str

    def __str__(self) -> str:
        upto = f"to {self.last} cannot" if self.last else "on cannot"
        which = "it cannot" if self.last == self.first else f"entries from {self.first} {upto}"
        return f"{which} be read: {self.text}"


class LegiblePage(NamedTuple):
    """Rows of a book as far as the database can read them, what it cannot, and which its index does not lead to."""

    rows: list[Any]
    illegible: tuple[Illegible, ...] = ()
    lost: tuple[int, ...] = ()


class Snapshot(NamedTuple):
    """The text of a sealed state, beside the entry that holds its hash."""

    book: str
    sequence: int
    state: str


TIME_DECISION = "decide-time-{}"
"""The ids of decisions about time, counted from 1: so they are found by the index of commands."""


class RightedSpan(NamedTuple):
    """Entries that a wrong clock has dated: from `first` to `last` they happened by `at`; `decided` is the decision."""

    first: int
    last: int
    at: Instant
    decided: int

    def righted(self, entry: Entry) -> Entry:
        """Return an entry with the time that two people put right; its hash is of the time it was written with."""
        if not self.first <= entry.sequence <= self.last:
            return entry
        return entry._replace(recorded=self.at, happened=min(entry.happened, self.at))


class JournalStore(ABC):
    """A database with the journal; a store for writing has one connection that writes, all others only read.

    Drivers are used directly, in autocommit mode with explicit transactions: what is sent is what is written here. The
    writing connection is for the writer's thread alone: in SQLite a second thread could be told the first one's error.
    """

    dialect: Dialect
    errors: tuple[type[Exception], ...]
    look_up_settings: tuple[str, ...] = ()
    """What a connection is set to that looks for commands by their index alone."""
    beat_seconds: float | None = None
    """So often the writer beats while nothing is written, where the database ends a session that is silent."""
    is_shared = False
    """True if servers on several computers may open these books."""

    @abstractmethod
    def _connect_to_read(self) -> Any:
        """Open a connection that cannot write."""

    @abstractmethod
    def _connect_to_write(self) -> Any:
        """Open the one connection that writes, after which every commit is on disk before it returns."""

    @abstractmethod
    def settings(self, connection: Any) -> dict[str, str]:
        """Read back from a connection what makes a commit durable."""

    stands_by = False
    """True if a store for writing is opened although another server writes."""

    def __init__(self, *, write: bool) -> None:
        self.writes = write
        self.unchecked = ""
        """What the database could not check of itself, where it was asked to."""
        self.spans: dict[str, tuple[RightedSpan, ...]] = {}
        """By book the stretches of a wrong time that two people have decided on; forgotten with another decision."""
        self.folded_alone: dict[Any, Any] = {}
        """Parts of a state that were folded for snapshots that lack them, for the next snapshot that does."""
        self._writer = None
        try:
            self._writer = self._connect_to_write() if write else None
        except StandbyError:
            if not self.stands_by:
                raise
        try:
            self._check_revision()
        except BaseException:
            self.close()
            raise

    @property
    def leads(self) -> bool:
        """True if this store has the one connection that writes."""
        return self._writer is not None

    def is_lost(self, connection: Any) -> bool:
        """True if an error was that of a connection on which nothing more can be asked."""
        return False

    def beat(self) -> None:
        """Show the database that the writer is there; raises where it does not answer or another server writes."""
        return

    def halt(self) -> str:
        """Return the damage for which another server that shared these books has halted them; empty where none did."""
        return ""

    def share_halt(self, text: str) -> None:
        """Store for the next writer the damage for which the books are halted; empty lifts it."""
        return

    def _verify_leads(self, cursor: Any) -> None:  # noqa: B027 - one file has one writer
        """Raise in a transaction that is to write where another server has taken the lead."""

    def close(self) -> None:
        """Close the writing connection; closing twice does nothing."""
        writer, self._writer = self._writer, None
        if writer is not None:
            writer.close()

    @contextmanager
    def reading(self) -> Iterator[Any]:
        """Open a connection of its own that cannot write."""
        connection = self._connect_to_read()
        try:
            yield connection
        finally:
            connection.close()

    def verify_durable(self) -> None:  # noqa: B027 - a file of our own is durable
        """Raise where what is acknowledged would not be kept."""

    def append(self, entries: Sequence[Entry], sealed: Sequence[Snapshot] = ()) -> None:
        """Write entries in one transaction, on disk when this returns; or raise, and then `reconnect` comes first.

        What a failed sync was to write may be lost and still be read: nothing is concluded from what is found then.
        """
        writer = self._verify_writes()
        cursor = writer.cursor()
        try:
            cursor.execute("BEGIN")
            self._verify_leads(cursor)
            self._insert(cursor, entries, sealed)
            cursor.execute("COMMIT")
        except Exception as error:
            self._abandon(cursor, writer)
            raise UnknownOutcomeError(str(error)) from error
        cursor.close()

    def _insert(self, cursor: Any, entries: Sequence[Entry], sealed: Sequence[Snapshot]) -> None:
        cursor.executemany(self.dialect.statement(sql.INSERT_ENTRY).text, entries)
        if sealed:
            cursor.executemany(self.dialect.statement(sql.INSERT_SNAPSHOT).text, sealed)

    def _verify_writes(self) -> Any:
        if self._writer is None:
            raise StoreError("this store does not answer" if self.writes else "this store was opened for reading")
        return self._writer

    def put_back(self, entries: Sequence[Entry]) -> None:
        """Replace damaged or lost entries by copies whose hashes fit, all or none; the one change of what is written.

        For books that are halted (G-29): while nothing else is written, the writing connection is anybody's.
        """
        writer = self._verify_writes()
        cursor = writer.cursor()
        delete, insert = self.dialect.statement(sql.DELETE_ENTRY), self.dialect.statement(sql.INSERT_ENTRY)
        try:
            cursor.execute("BEGIN")
            self._verify_leads(cursor)
            lift, lay = self._guard_statements(cursor)
            for statement in lift:
                cursor.execute(statement)
            cursor.executemany(delete.text, [(entry.book, entry.sequence) for entry in entries])
            cursor.executemany(insert.text, entries)
            for statement in lay:
                cursor.execute(statement)
            cursor.execute("COMMIT")
        except Exception as error:
            self._abandon(cursor, writer)
            raise NotCommittedError(f"nothing was put back: {error}") from error
        cursor.close()

    @abstractmethod
    def integrity_problems(self) -> list[str]:
        """Return what the database's own check of itself finds, its indexes included."""

    @abstractmethod
    def guard_problems(self) -> list[str]:
        """Return what is wrong with the triggers and grants that keep what is written from being changed."""

    @abstractmethod
    def _guard_mending(self, cursor: Any) -> list[str]:
        """Return the statements that lay every trigger anew and revoke what nobody should have been granted."""

    def lay_guards(self) -> None:
        """Restore the triggers and grants, all or none; for books that are halted, as `put_back`."""
        writer = self._verify_writes()
        cursor = writer.cursor()
        try:
            cursor.execute("BEGIN")
            for statement in self._guard_mending(cursor):
                cursor.execute(statement)
            cursor.execute("COMMIT")
        except self.errors as error:
            self._abandon(cursor, writer)
            raise NotCommittedError(f"the triggers could not be laid anew: {error}") from error
        cursor.close()

    def rebuild_index(self) -> None:
        """Make the index of commands anew from the rows; for books that are halted, as `put_back`."""
        cursor = self._verify_writes().cursor()
        try:
            cursor.execute(f"REINDEX {'' if self.dialect is sql.SQLITE else 'INDEX '}entries_command")
        except self.errors as error:
            raise NotCommittedError(f"the index of commands could not be made anew: {error}") from error
        finally:
            cursor.close()

    @abstractmethod
    def _guard_statements(self, cursor: Any) -> tuple[list[str], list[str]]:
        """Return the statements that lift and lay again what keeps entries from being deleted."""

    def _abandon(self, cursor: Any, writer: Any) -> None:
        """End what is under way: closed with a transaction open, SQLite would go on holding its lock."""
        for end in (cursor.close, writer.rollback):
            try:
                end()
            except self.errors:
                continue

    def reconnect(self) -> None:
        """Open the writing connection anew, after which everything that can be read is on disk; or raise.

        What was committed before is written again and synced: after a failed sync, finding it proves nothing.
        """
        writer, self._writer = self._writer, None
        try:
            if writer is not None:
                writer.close()
        except self.errors:
            pass
        try:
            self._writer = self._connect_to_write()
            self._write_again(self._writer)
        except StandbyError:
            raise
        except self.errors as error:
            self.close()
            raise StoreError(str(error)) from error
        except BaseException:
            self.close()
            raise

    @abstractmethod
    def _write_again(self, writer: Any) -> None:
        """Write again what was committed, where the database itself does not see to it."""

    def rows(self, text: str, connection: Any | None = None, **values: Any) -> list[Any]:
        """Run a statement of `sql`, over a connection of its own where none is passed."""
        if connection is None:
            with self.reading() as own:
                return self.rows(text, own, **values)
        statement = self.dialect.statement(text)
        cursor = connection.cursor()
        try:
            rows: list[Any] = cursor.execute(statement.text, statement.places(**values)).fetchall()
        except self.errors as error:
            kind = AwayError if self.is_lost(connection) else StoreError
            raise kind(f"the books cannot be read: {error}") from error
        finally:
            cursor.close()
        return rows

    def books(self) -> list[str]:
        """Return the names of all books that have an entry, by looking for the next name after each."""
        names: list[str] = []
        name = ""
        with self.reading() as connection:
            while True:
                place: str | bytes = name.encode("utf-8", "surrogateescape") if has_surrogates(name) else name
                name = self.rows(sql.NEXT_BOOK, connection, book=place)[0][0]
                if not isinstance(name, str):
                    return names
                # No book is called so: the entry is missing in its own.
                names += [] if has_surrogates(name) else [name]

    def head(self, book: str) -> Entry | None:
        """Return the last entry of a book, if it has one."""
        rows = self.rows(sql.HEAD, book=book)
        return Entry._make(rows[0]) if rows else None

    def commands(self, book: str, ids: Sequence[str]) -> dict[str, list[Entry]]:
        """Return the entries that commands have written, by the writing connection, whose reads are never behind."""
        entries: dict[str, list[Entry]] = {}
        for start in range(0, len(ids), sql.TOGETHER):
            some = list(ids[start : start + sql.TOGETHER])
            if len(some) == 1:
                rows = self.rows(sql.COMMAND, self._verify_writes(), book=book, id_0=some[0])
            else:
                text = sql.commands(self.dialect)
                rows = self.rows(text, self._verify_writes(), book=book, **sql.filled("id", some))
            for row in rows:
                entries.setdefault(row[_COMMAND], []).append(Entry._make(row))
        return entries

    def pages(
        self, book: str, after: int = 0, upto: int = LAST, *, kinds: Iterable[str] | None = None
    ) -> Iterator[list[Any]]:
        """Read the rows of entries in order, some thousands at a time; the database leaves out other kinds."""
        named = {} if kinds is None else sql.named("kind", sorted(kinds))
        text = sql.page(None if kinds is None else len(named))
        with self.reading() as connection:
            while True:
                page = self.rows(text, connection, book=book, after=after, upto=upto, most=PAGE, **named)
                if page:
                    yield page
                if len(page) < PAGE:
                    return
                after = page[-1][1]

    def legible_pages(self, book: str, after: int = 0, upto: int = LAST, *, index: bool) -> Iterator[LegiblePage]:
        """Read the rows of entries in order, also where the database cannot read some; for audits.

        `index` says that each is also looked for by its command, as a writer does that makes a command happen once.
        """
        with self.reading() as connection:
            for setting in self.look_up_settings if index else ():
                connection.execute(setting)
            while True:
                try:
                    rows = self.rows(sql.page(), connection, book=book, after=after, upto=upto, most=PAGE)
                except AwayError:
                    raise
                except StoreError:
                    last = self._last_legible(book)
                    page = self._legible(book, after, min(upto, last or after + PAGE, after + PAGE), known=bool(last))
                    rows, after = page.rows, after + PAGE
                    yield page._replace(lost=self._lost(connection, book, rows) if index else ())
                    if not rows or after >= min(upto, last or LAST):
                        return
                    continue
                yield LegiblePage(rows, lost=self._lost(connection, book, rows) if index else ())
                if len(rows) < PAGE or not isinstance(rows[-1][1], int) or rows[-1][1] <= after:
                    return
                after = rows[-1][1]

    def _last_legible(self, book: str) -> int:
        """Return the number of the last entry, or 0 where the database cannot say."""
        try:
            head = self.head(book)
        except AwayError:
            raise
        except StoreError:
            return 0
        return head.sequence if head is not None and isinstance(head.sequence, int) else 0

    def _legible(self, book: str, after: int, upto: int, *, known: bool) -> LegiblePage:
        """Read entries one by one, where they cannot be read together."""
        rows: list[Any] = []
        gaps: list[Illegible] = []
        for number in range(after + 1, upto + 1):
            try:
                rows += self.rows(sql.page(), book=book, after=number - 1, upto=number, most=1)
            except AwayError:
                raise
            except StoreError as error:
                text = str(error.__cause__ or error)
                if gaps and gaps[-1].last == number - 1 and gaps[-1].text == text:
                    gaps[-1] = gaps[-1]._replace(last=number)
                else:
                    gaps.append(Illegible(number, number, text))
        if gaps and not known and gaps[-1].last == upto:
            gaps[-1] = gaps[-1]._replace(last=0)
        return LegiblePage(rows, tuple(gaps))

    def _lost(self, connection: Any, book: str, rows: Sequence[Any]) -> tuple[int, ...]:
        """Return the numbers of those rows that looking for their command does not find."""
        text = sql.commands(self.dialect, "sequence, command, part")
        ids = list(dict.fromkeys(row[_COMMAND] for row in rows))
        ids = [command for command in ids if isinstance(command, str) and not has_surrogates(command)]
        found: set[tuple[Any, ...]] = set()
        for start in range(0, len(ids), sql.TOGETHER):
            some = sql.filled("id", ids[start : start + sql.TOGETHER])
            try:
                found.update(map(tuple, self.rows(text, connection, book=book, **some)))
            except AwayError:
                raise
            except StoreError:
                continue
        return tuple(row[1] for row in rows if (row[1], row[_COMMAND], row[_COMMAND + 1]) not in found)

    def entries(
        self, book: str, after: int = 0, upto: int = LAST, *, kinds: Iterable[str] | None = None
    ) -> Iterator[Entry]:
        """Read the entries of a book in order as they were written; `kinds` leaves out all others.

        What is read by its kinds is to be folded: it has the time that two people put right, where they did (G-77).
        """
        for page in self.pages(book, after, upto, kinds=kinds):
            yield from map(Entry._make, page) if kinds is None else self.righted(book, map(Entry._make, page))

    def righted(self, book: str, entries: Iterable[Entry]) -> Iterator[Entry]:
        """Yield entries with the time that they have by the decisions of two people (G-77)."""
        spans = self.righted_spans(book)
        for entry in entries:
            righted = entry
            for span in spans:
                righted = span.righted(righted)
            yield righted

    def righted_spans(self, book: str) -> tuple[RightedSpan, ...]:
        """Return the stretches of a book that were written by a wrong clock, as two people decided each time."""
        if book not in self.spans:
            spans: list[RightedSpan] = []
            while (span := self._span(book, len(spans) + 1)) is not None:
                spans.append(span)
            self.spans[book] = tuple(spans)
        return self.spans[book]

    def _span(self, book: str, number: int) -> RightedSpan | None:
        """Read a decision about time; one that cannot be read puts nothing right, and is named as damage elsewhere."""
        try:
            rows = self.rows(sql.COMMAND, book=book, id_0=TIME_DECISION.format(number))
            entry = next((Entry._make(row) for row in rows if row[6] == TIME_DECIDED), None)
            payload = None if entry is None else json.loads(entry.payload)
            if entry is None or payload is None:
                return None
            return RightedSpan(payload["first"], payload["last"], payload["at"], entry.sequence)
        except AwayError:
            raise
        except (StoreError, ValueError, KeyError, TypeError):
            return None

    def is_overruled(self, book: str, sequence: int) -> bool:
        """True for a sealed state that holds a wrong time: it was sealed before two people put that right."""
        return any(0 < span.first < sequence < span.decided for span in self.righted_spans(book))

    def entry(self, book: str, sequence: int) -> Entry | None:
        """Read one entry; a number beyond those of any book has none."""
        return self.first_entry(book, sequence - 1, sequence) if 0 < sequence <= LAST else None

    def first_entry(self, book: str, after: int, upto: int) -> Entry | None:
        """Read the first entry of a stretch of a book."""
        rows = self.rows(sql.page(), book=book, after=after, upto=upto, most=1)
        return Entry._make(rows[0]) if rows else None

    def snapshots(self, book: str, *, after: int = 0, upto: int = LAST, most: int = 1_000_000) -> list[Snapshot]:
        """Return sealed states of a book, the newest first."""
        rows = self.rows(sql.SNAPSHOTS, book=book, after=after, upto=upto, most=most)
        return [Snapshot(book, number, state) for number, state in rows if not self.is_overruled(book, number)]

    def snapshot_numbers(self, book: str, after: int, upto: int) -> list[int]:
        """Return the entries in a stretch of a book beside which a state is sealed, in order."""
        rows = self.rows(sql.SNAPSHOT_NUMBERS, book=book, after=after, upto=upto)
        return [number for (number,) in rows if not self.is_overruled(book, number)]

    def _check_revision(self) -> None:
        try:
            revisions = [row[0] for row in self.rows(sql.REVISIONS)]
        except AwayError:
            raise
        except StoreError as error:
            raise StoreError(f"there are no books here: {error.__cause__ or error}") from None
        if revisions != [sql.REVISION]:
            has = ", ".join(revisions) or "none"
            text = f"the store has schema {has}, this version of Pitboss works with {sql.REVISION}: upgrade it"
            raise StoreError(text)


_HUNDREDS = 200


class Sought(NamedTuple):
    """Which entries are looked for: their kind, table, and texts within the name of who signed and in the payload."""

    kind: str = ""
    table: str = ""
    actor: str = ""
    words: str = ""


def entries_at(store: JournalStore, book: str, sequences: Iterable[int]) -> dict[int, Entry]:
    """Read entries by their numbers, over one connection; what is not there is left out."""
    numbers, entries = list(dict.fromkeys(sequences)), {}
    with store.reading() as connection:
        for start in range(0, len(numbers), sql.TOGETHER):
            some = sql.filled("number", numbers[start : start + sql.TOGETHER])
            for row in store.rows(sql.AT_NUMBERS, connection, book=book, **some):
                entries[row[1]] = Entry._make(row)
    return entries


def _may_sign(dialect: Dialect, text: str) -> str:
    """The condition that a text may stand in the name of who signed, in small or capital letters.

    A database knows the small letters of English and perhaps of no other language: names that have others are found.
    """
    others = f"length(actor) <> {dialect.size.format('actor')}"
    if not text.casefold().isascii():
        return others
    return f"({others} OR {dialect.contains.format(dialect.small.format('actor'), ':signed')})"


def _may_say(dialect: Dialect, text: str) -> str:
    """The condition that a text may stand in a payload, which is written in ASCII: other letters are escaped."""
    column = dialect.small.format("payload") if text.casefold().isascii() else "payload"
    return dialect.contains.format(column, ":words")


def newest(store: JournalStore, book: str, sought: Sought, after: int, upto: int) -> Iterator[Entry]:
    """Look back from an entry for those that may be sought, the newest first, some hundred at a time."""
    text = sql.OF_BOOK + sql.RANGE + (" AND kind = :kind" if sought.kind else "")
    text += ' AND "table" = :table' if sought.table else ""
    text += f" AND {_may_sign(store.dialect, sought.actor)}" if sought.actor else ""
    text += f" AND {_may_say(store.dialect, sought.words)}" if sought.words else ""
    text += " ORDER BY sequence DESC LIMIT :most"
    words = sought.words.casefold()
    values = {"kind": sought.kind, "table": sought.table, "signed": sought.actor.casefold()}
    values["words"] = words if words.isascii() else "\\u"
    with store.reading() as connection:
        while True:
            page = store.rows(text, connection, book=book, after=after, upto=upto, most=_HUNDREDS, **values)
            yield from map(Entry._make, page)
            if len(page) < _HUNDREDS:
                return
            upto = page[-1][1] - 1


def saying(store: JournalStore, book: str, words: str, after: int, upto: int, *, but: str = "") -> Iterator[Entry]:
    """Read in order the entries whose payload has a text in it, leaving out a kind."""
    text = f"{sql.OF_BOOK}{sql.RANGE} AND {store.dialect.contains.format('payload', ':words')} AND kind <> :but"
    text += " ORDER BY sequence LIMIT :most"
    with store.reading() as connection:
        while True:
            page = store.rows(text, connection, book=book, after=after, upto=upto, words=words, but=but, most=PAGE)
            yield from map(Entry._make, page)
            if len(page) < PAGE:
                return
            after = page[-1][1]


def counts_by_actor(store: JournalStore, book: str, after: int, upto: int) -> dict[str, dict[str, int]]:
    """Count the entries of each kind that everybody has signed in a stretch of a book."""
    counts: dict[str, dict[str, int]] = {}
    for actor, kind, count in store.rows(sql.COUNTS_BY_ACTOR, book=book, after=after, upto=upto):
        counts.setdefault(actor, {})[kind] = count
    return counts
