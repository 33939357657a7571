"""Backup and restore: a copy of every entry in one file, taken while the books are in use, and verified by replay.

A backup is a SQLite file with all books; besides, it has the pictures of slides, in a table of its own.
"""

import os
import re
import sqlite3
from collections import deque
from collections.abc import Iterable, Iterator
from contextlib import closing, suppress
from dataclasses import dataclass
from hashlib import sha256
from itertools import chain
from pathlib import Path
from typing import Any
from urllib.parse import quote

from pitboss.books.audit.check import AuditReport, check_books
from pitboss.books.journal.books import folding_of
from pitboss.books.journal.clock import microseconds_now
from pitboss.books.journal.entries import Entry, text_problem
from pitboss.books.journal.snapshots import BooksRestored
from pitboss.books.journal.state import BookState, Invariant, Projection
from pitboss.books.journal.writer import Draft, RefusedError, Submission, drafted
from pitboss.books.store.base import PAGE, JournalStore, StoreError
from pitboss.books.store.directory import Database, Directory
from pitboss.books.store.migrate import create_store, upgrade_file
from pitboss.books.store.sqlite import BackupStore

_PICTURE = re.compile(r"[0-9a-f]{64}\.[a-z]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class BackedUp:
    """What a backup holds: the last entry of every book, and the report of its replay."""

    file: Path
    heads: dict[str, Entry]
    report: AuditReport


def require_new_file(target: Path) -> None:
    """Raise where a new file cannot be made: it is there already, or its folder is not."""
    if target.exists():
        raise StoreError(f"{target} is there already")
    if not target.parent.is_dir():
        raise StoreError(f"there is no folder {target.parent}")


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
    require_new_file(target)
    partial = target.with_name(f"{target.name}.partial")
    with suppress(FileNotFoundError):
        partial.unlink()
    try:
        with closing(source.open_store(write=False)) as store:
            heads = copy_to_file(store, partial)
        add_pictures(source.path, partial)
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


def copy_to_file(store: JournalStore, file: Path) -> dict[str, Entry]:
    """Copy every book up to where it ends now into a new file."""
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


PICTURES = "slides"
"""The folder of a data directory whose files a backup has too."""


def add_pictures(path: Path, file: Path) -> int:
    """Copy the pictures of slides into a backup; return how many there are."""
    folder = path / PICTURES
    names = sorted(each.name for each in folder.iterdir() if _PICTURE.fullmatch(each.name)) if folder.is_dir() else []
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute("CREATE TABLE pictures (name TEXT PRIMARY KEY, content BLOB NOT NULL) STRICT")
        for name in names:
            connection.execute("INSERT INTO pictures VALUES (?, ?)", (name, (folder / name).read_bytes()))
    return len(names)


def pictures_of(file: Path) -> Iterator[tuple[str, bytes]]:
    """Yield the pictures of a backup by name, each as its name vouches for it; backups of before have none."""
    with closing(sqlite3.connect(f"file:{quote(str(file.absolute()))}?mode=ro&immutable=1", uri=True)) as connection:
        if not connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'pictures'").fetchone():
            return
        for name, content in connection.execute("SELECT name, content FROM pictures ORDER BY name"):
            if not _PICTURE.fullmatch(name) or sha256(content).hexdigest() != name.partition(".")[0]:
                raise StoreError(f"the picture {name} in {file} is damaged")
            yield name, content


def _restore_pictures(file: Path, target: Path) -> None:
    folder = target / PICTURES
    for name, content in pictures_of(file):
        folder.mkdir(mode=0o700, exist_ok=True)
        with os.fdopen(os.open(folder / name, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as stream:
            stream.write(content)
            stream.flush()
            os.fsync(stream.fileno())


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
    file: Path,
    target: Path,
    *,
    person: str,
    reason: str,
    database: Database | None = None,
    head: str | None = None,
    without_head: str = "",
    projections: Iterable[Projection[Any]] = (),
    invariants: Iterable[Invariant] | None = None,
) -> AuditReport:
    """Put a backup into a new data directory, check it, and journal who restored it and why in every book.

    The backup may have come from either store and may go into either. `head` is one that was kept elsewhere and must
    be in it; where there is none, `without_head` says why.
    """
    problems = text_problem("person", person) + text_problem("reason", reason)
    problems += text_problem("without_head", without_head) if without_head else []
    if not head and not without_head:
        problems.append(
            "name a head that was printed or kept elsewhere and must be in the backup, or say why there is none"
        )
    if problems:
        raise RefusedError(problems)
    report = check_books(file, heads=[head] if head else [])
    if not report.is_sound:
        raise StoreError(f"{file} does not pass its own checks: {_first_wrong(report)}")
    deque(pictures_of(file), maxlen=0)
    directory = create_store(target, database)
    lock = directory.lock()
    try:
        with closing(BackupStore(file)) as backup, closing(directory.open_store(write=True)) as store:
            for book in backup.books():
                state = report.books[book].reading.state
                restored = BooksRestored(
                    person=person,
                    reason=reason,
                    sequence=state.sequence,
                    head=state.digest.hex(),
                    vouched=(head or "").lower(),
                    without_head=without_head,
                )
                [last] = _restored_entry(book, state, restored)
                # Borne first: what is restored in part, or without the entry that says so, is damaged.
                directory.bear_witness(book, last)
                _fill(backup, store, book, last)
        _restore_pictures(file, target)
    finally:
        directory.close()
        lock.release()
    return check_books(Directory(target), projections=projections, invariants=invariants)


def _restored_entry(book: str, state: BookState, restored: BooksRestored) -> list[Entry]:
    submission = Submission(
        book=book,
        id=f"restore-{state.sequence}-{state.digest.hex()[:12]}",
        actor=restored.person,
        content=restored.to_json(),
        decide=lambda _: [Draft(restored)],
    )
    return drafted(submission, submission.request, state, folding_of(), microseconds_now())[0]


def _fill(backup: JournalStore, store: JournalStore, book: str, last: Entry) -> None:
    """Copy a book, and the entry that says so in one transaction with the last of it."""
    snapshots = backup.snapshots(book)
    for page in _pages(chain(backup.entries(book), [last])):
        first, upto = page[0].sequence, page[-1].sequence
        store.append(page, [snapshot for snapshot in snapshots if first <= snapshot.sequence <= upto])


def _first_wrong(report: AuditReport) -> str:
    problems = [str(problem) for problem in (*report.damages, *report.findings)]
    problems += [words for book in report.books.values() for words in book.disagreements]
    problems += [f"no entry has the head {head}" for head, book in report.heads.items() if book is None]
    return problems[0]
