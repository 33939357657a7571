"""Backup and restore: a copy of every entry in one file, taken while the books are in use, and verified by replay."""

import os
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pitboss.books.audit.check import AuditReport, check_books
from pitboss.books.journal.books import open_books
from pitboss.books.journal.entries import Entry, text_problem
from pitboss.books.journal.snapshots import BooksRestored
from pitboss.books.journal.state import Invariant, Projection
from pitboss.books.journal.writer import Draft, RefusedError, Submission
from pitboss.books.store.base import PAGE, JournalStore, StoreError
from pitboss.books.store.directory import Directory
from pitboss.books.store.migrate import create_store, upgrade_file
from pitboss.books.store.sqlite import BackupStore


@dataclass(frozen=True, slots=True, kw_only=True)
class BackedUp:
    """What a backup holds: the last entry of every book, and the report of its replay."""

    file: Path
    heads: dict[str, Entry]
    report: AuditReport


def back_up(
    source: Directory,
    target: Path,
    *,
    projections: Iterable[Projection[Any]] = (),
    invariants: Iterable[Invariant] | None = None,
    processes: int = 1,
) -> BackedUp:
    """Copy all books into one new file while others may write, and check the copy by replaying it.

    A book ends in the backup where it ended when its copying began; a file that does not pass its checks is removed.
    """
    if target.exists():
        raise StoreError(f"{target} is there already")
    partial = target.with_name(f"{target.name}.partial")
    with suppress(FileNotFoundError):
        partial.unlink()
    try:
        with closing(source.open_store(write=False)) as store:
            heads = _copy_to_file(store, partial)
        report = check_books(partial, projections=projections, invariants=invariants, processes=processes)
        _compare(heads, report)
        _sync(partial)
        partial.rename(target)
        _sync(target.parent)
    finally:
        with suppress(FileNotFoundError):
            partial.unlink()
    return BackedUp(file=target, heads=heads, report=report)


def _compare(heads: dict[str, Entry], report: AuditReport) -> None:
    """A copy replays to the heads that were copied; what is damaged in the books is damaged in their copy, and said."""
    for book, head in heads.items():
        if report.books[book].reading.state.digest != head.digest:
            raise StoreError(f"the copy of book {book} does not replay to its head {head.digest.hex()}")


def _copy_to_file(store: JournalStore, file: Path) -> dict[str, Entry]:
    upgrade_file(file)
    heads = {}
    with closing(sqlite3.connect(file, isolation_level=None)) as connection:
        connection.execute("PRAGMA synchronous=FULL")
        for book in store.books():
            head = store.head(book)
            assert head is not None
            heads[book] = head
            for page in _pages(store.entries(book, 0, head.sequence)):
                _insert(connection, page, len(Entry._fields), "entries")
            sealed = store.snapshots(book, upto=head.sequence)
            _insert(connection, sealed, 3, "snapshots")
    return heads


def _insert(connection: sqlite3.Connection, rows: Iterable[Any], columns: int, table: str) -> None:
    connection.execute("BEGIN")
    connection.executemany(f"INSERT INTO {table} VALUES ({', '.join('?' * columns)})", rows)  # noqa: S608
    connection.execute("COMMIT")


def _pages(entries: Iterator[Entry]) -> Iterator[list[Entry]]:
    page: list[Entry] = []
    for entry in entries:
        page.append(entry)
        if len(page) == PAGE:
            yield page
            page = []
    if page:
        yield page


def _sync(path: Path) -> None:
    stream = os.open(path, os.O_RDONLY)
    try:
        os.fsync(stream)
    finally:
        os.close(stream)


def restore(
    file: Path, target: Path, *, person: str, reason: str, connection: str | None = None, head: str | None = None
) -> AuditReport:
    """Put a backup into a new data directory, check it, and journal who restored it and why in every book.

    The backup may have come from either store and may go into either. `head` is one that must be in it.
    """
    problems = text_problem("person", person) + text_problem("reason", reason)
    if problems:
        raise RefusedError(problems)
    report = check_books(file, heads=[] if head is None else [head])
    if not report.is_sound:
        raise StoreError(f"{file} does not pass its own checks: {_first_wrong(report)}")
    directory = create_store(target, connection)
    lock = directory.lock()
    try:
        with closing(BackupStore(file)) as backup, closing(directory.open_store(write=True)) as store:
            for book in backup.books():
                _fill(backup, store, book)
    finally:
        lock.release()
    _journal(target, person, reason)
    return check_books(Directory(target))


def _fill(backup: JournalStore, store: JournalStore, book: str) -> None:
    snapshots = backup.snapshots(book)
    for page in _pages(backup.entries(book)):
        first, last = page[0].sequence, page[-1].sequence
        store.append(page, [snapshot for snapshot in snapshots if first <= snapshot.sequence <= last])


def _journal(target: Path, person: str, reason: str) -> None:
    with open_books(target) as books:
        for book in books.names():
            state = books.state(book)
            restored = BooksRestored(person=person, reason=reason, sequence=state.sequence, head=state.digest.hex())
            drafts = [Draft(restored)]
            books.submit(
                Submission(
                    book=book,
                    id=f"restore-{state.sequence}-{state.digest.hex()[:12]}",
                    actor=person,
                    content=restored.to_json(),
                    decide=lambda _, drafts=drafts: drafts,  # type: ignore[misc]
                )
            )


def _first_wrong(report: AuditReport) -> str:
    problems = [str(problem) for problem in (*report.damages, *report.findings)]
    problems += [words for book in report.books.values() for words in book.disagreements]
    problems += [f"no entry has the head {head}" for head, book in report.heads.items() if book is None]
    return problems[0]
