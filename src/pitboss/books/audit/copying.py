"""Copying all books from one store into another that is empty, byte for byte, and comparing both entry by entry.

A store in PostgreSQL is filled by one transaction, so that it is empty or whole; a file in SQLite has its name when the
copy is proved, and its witness from the beginning: what is there in part is damaged.
"""

from collections.abc import Callable, Iterator, Sequence
from hashlib import sha256
from itertools import zip_longest
from typing import Any, NamedTuple

from pitboss.books.journal.entries import FIELDS, Entry
from pitboss.books.store import sql
from pitboss.books.store.base import LAST, PAGE, JournalStore, Snapshot, StoreError
from pitboss.books.store.directory import JOURNAL, Directory
from pitboss.books.store.migrate import engine_of, make_schema

Tell = Callable[[str, int, int], object]
"""Called with what is done, how many entries of it are, and of how many."""


class ComparedBook(NamedTuple):
    """A book in two stores: how much each has, where it ends, and one hash over every entry and sealed state."""

    book: str
    entries: int
    snapshots: int
    sequence: int
    head: str
    digest: str


class _Target(NamedTuple):
    """Where rows go: within the one transaction of a connection of a driver."""

    connection: Any
    is_shared: bool

    def put(self, table: str, columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> None:
        names = ", ".join(f'"{name}"' for name in columns)
        if not self.is_shared:
            places = ", ".join("?" * len(columns))
            self.connection.executemany(f"INSERT INTO {table} ({names}) VALUES ({places})", rows)  # noqa: S608
            return
        with self.connection.cursor() as cursor, cursor.copy(f"COPY {table} ({names}) FROM STDIN") as stream:
            for row in rows:
                stream.write_row(row)


def total_of(store: JournalStore) -> int:
    """Return the number of the last entry of every book, added up."""
    heads = [store.head(book) for book in store.books()]
    return sum(head.sequence for head in heads if head is not None)


def copy_books(source: JournalStore, target: Directory, tell: Tell) -> None:
    """Copy every book into the empty store of a data directory, all of them or none."""
    if target.store_kind == "sqlite":
        (target.path / JOURNAL).touch(mode=0o600)
    try:
        with engine_of(target, is_new=True).begin() as connection:
            make_schema(connection, target.schema)
            driver = connection.connection.driver_connection
            _fill(source, _Target(driver, target.store_kind != "sqlite"), tell)
    except Exception as error:
        raise StoreError(f"nothing was copied: {error}") from error


def _fill(source: JournalStore, target: _Target, tell: Tell) -> None:
    done, total = 0, total_of(source)
    for book in source.books():
        for page in source.pages(book):
            target.put("entries", FIELDS, page)
            done += len(page)
            tell("copied", done, total)
        for (number,) in source.rows(sql.SNAPSHOT_NUMBERS, book=book, after=0, upto=LAST):
            rows = source.rows(sql.SNAPSHOTS, book=book, after=number - 1, upto=number, most=1)
            target.put("snapshots", Snapshot._fields, [(book, *row) for row in rows])


def compare_books(one: JournalStore, other: JournalStore, tell: Tell) -> list[ComparedBook]:
    """Compare two stores field by field; raise with the first difference, return what both have."""
    names = one.books()
    if names != other.books():
        raise StoreError(f"the books differ: {', '.join(names)} and {', '.join(other.books())}")
    done, total, compared = 0, total_of(one), []
    for book in names:
        hashed, count = sha256(), 0
        last: Entry | None = None
        for left, right in zip_longest(_rows(one, book), _rows(other, book)):
            _verify_same(book, left, right)
            last = Entry._make(left)
            hashed.update(last.digest)
            count += 1
            if count % PAGE == 0:
                tell("compared", done + count, total)
        done += count
        tell("compared", done, total)
        snapshots = _compare_snapshots(book, one, other, hashed.update)
        assert last is not None
        compared.append(
            ComparedBook(book, count, snapshots, last.sequence, last.digest.hex(), hashed.hexdigest()),
        )
    return compared


def _rows(store: JournalStore, book: str) -> Iterator[Any]:
    for page in store.pages(book):
        yield from page


def _verify_same(book: str, left: Any, right: Any) -> None:
    if left is None or right is None:
        row = left or right
        raise StoreError(f"book {book}: entry {row[1]} is in one store alone")
    if tuple(left) != tuple(right):
        names = [name for name, one, other in zip(FIELDS, left, right, strict=True) if one != other]
        raise StoreError(f"book {book}: entry {left[1]} differs in {', '.join(names)}")
    if not Entry._make(left).is_sound:
        raise StoreError(f"book {book}: entry {left[1]} has not the hash of its fields")


def _compare_snapshots(book: str, one: JournalStore, other: JournalStore, update: Callable[[bytes], object]) -> int:
    numbers = one.rows(sql.SNAPSHOT_NUMBERS, book=book, after=0, upto=LAST)
    if [tuple(row) for row in numbers] != [
        tuple(row) for row in other.rows(sql.SNAPSHOT_NUMBERS, book=book, after=0, upto=LAST)
    ]:
        raise StoreError(f"book {book}: the sealed states are not beside the same entries")
    for (number,) in numbers:
        texts = [
            store.rows(sql.SNAPSHOTS, book=book, after=number - 1, upto=number, most=1)[0][1] for store in (one, other)
        ]
        if texts[0] != texts[1]:
            raise StoreError(f"book {book}: the sealed state of entry {number} differs")
        update(sha256(texts[0].encode()).digest())
    return len(numbers)
