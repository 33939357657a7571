"""Moving a room from one store into another: its books, its vault and its files, copied and proved equal."""

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, closing
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from pitboss.books import Directory, RefusedError, StoreError
from pitboss.books.audit import AuditReport, check_books
from pitboss.books.audit.copying import ComparedBook, Tell, compare_books, copy_books
from pitboss.books.store.base import JournalStore
from pitboss.books.store.directory import COPYING, Database, write_store_file
from pitboss.books.store.migrate import tables_in
from pitboss.room.people.vault import FILE as VAULT_FILE
from pitboss.room.people.vault import TABLES, VaultTables, copy_tables, open_tables
from pitboss.room.projections import INVARIANTS, PROJECTIONS

_UNFINISHED = ".unfinished"
_NOT_COPIED = ("store.toml", COPYING, "lock", "server.json", "journal.sqlite3*", f"{VAULT_FILE}*")
"""What belongs to one store or to one server; `access.key` and the witnesses go along."""


class RoomCopy(NamedTuple):
    """The proof of a copy: what both stores have, and the audit of the copy."""

    books: list[ComparedBook]
    vault: dict[str, int]
    files: int
    report: AuditReport


def copy_room(source: Path, target: Path, database: Database | None, tell: Tell) -> RoomCopy:
    """Copy a room that no server serves into a new data directory, and prove both equal; the room stays as it is.

    The directory has its name when the copy is proved. Ended before, it can be begun again.
    """
    unfinished = target.with_name(f"{target.name}{_UNFINISHED}")
    with ExitStack() as held:
        problems, store = _open_source(source, held)
        problems += _target_problems(source, target, unfinished)
        is_there = _begin(store, unfinished, database, problems)
        if problems or store is None:
            raise RefusedError(problems)
        copy = _copy(Directory(source), store, Directory(unfinished), tell, is_there=is_there)
    (unfinished / COPYING).unlink()
    _sync(unfinished)
    unfinished.rename(target)
    _sync(target.parent)
    return copy


def _open_source(source: Path, held: ExitStack) -> tuple[list[str], JournalStore | None]:
    """Open the room for writing, so that no server writes while it is copied; return what speaks against it."""
    try:
        directory = Directory(source)
        held.callback(directory.lock().release)
        store = directory.open_store(write=True)
        held.callback(store.close)
    except StoreError as error:
        return [f"{source}: {error}"], None
    if directory.is_halted or directory.clock_jump:
        return [f"{source}: the books are halted: two people decide first (G-29, G-77)"], store
    return [f"{source}: book {book} has no witness" for book in store.books() if directory.witness(book) is None], store


def _target_problems(source: Path, target: Path, unfinished: Path) -> list[str]:
    problems = []
    if target.exists() and (not target.is_dir() or any(target.iterdir())):
        problems.append(f"{target} is not empty")
    if source.resolve() in target.resolve().parents:
        problems.append(f"{target} lies in {source}: name another place")
    if unfinished.exists() and not (unfinished / "store.toml").is_file():
        problems.append(f"{unfinished} is there, and is no copy that was begun: move it away")
    return problems


def _begin(store: JournalStore | None, unfinished: Path, database: Database | None, problems: list[str]) -> bool:
    """Make the unfinished directory anew, unless something speaks against it; see `_is_there`."""
    is_there = False
    with tempfile.TemporaryDirectory() as folder:
        # Whether the database can be used is known before anything is made where the copy will be.
        try:
            write_store_file(Path(folder) / "tried", database)
            is_there = _is_there(store, Directory(Path(folder) / "tried"), problems)
        except StoreError as error:
            problems.append(str(error))
    if problems:
        return False
    if unfinished.exists():
        shutil.rmtree(unfinished)
    write_store_file(unfinished, database)
    (unfinished / COPYING).touch()
    return is_there


def _is_there(store: JournalStore | None, target: Directory, problems: list[str]) -> bool:
    """True if a database has these very books by a copy that was ended before its directory had its name."""
    if target.store_kind == "sqlite" or not (tables := tables_in(target)):
        return False
    if "entries" in tables and store is not None:
        with closing(target.open_store(write=False)) as other:
            if store.books() == other.books() and all(store.head(book) == other.head(book) for book in store.books()):
                return True
    where = f"schema {target.schema}" if target.schema else "the database"
    problems.append(f"{where} is not empty: it has {', '.join(sorted(tables))}")
    return False


def _copy(source: Directory, store: JournalStore, target: Directory, tell: Tell, *, is_there: bool) -> RoomCopy:
    for book in store.books():
        witness, head = source.required_witness(book), store.head(book)
        assert head is not None
        # Borne first: what is copied in part is damaged. A witness that is behind is as good as it was.
        target.bear_witness(book, witness if witness.sequence == head.sequence else head)
    target.close()
    if not is_there:
        copy_books(store, target, tell)
    shutil.copytree(source.path, target.path, ignore=shutil.ignore_patterns(*_NOT_COPIED), dirs_exist_ok=True)
    with closing(open_tables(source.path)) as secrets, closing(open_tables(target.path)) as copied:
        copy_tables(secrets, copied)
        rows = _compare_vaults(secrets, copied)
    with closing(target.open_store(write=False)) as other:
        compared = compare_books(store, other, tell)
    files = _compare_files(source.path, target.path)
    report = check_books(target, projections=PROJECTIONS, invariants=INVARIANTS)
    if not report.is_sound:
        wrong = "; ".join(map(str, [*report.damages, *report.findings, *report.problems]))
        raise StoreError(f"the copy does not pass its audit, and {target.path} keeps it: {wrong}")
    return RoomCopy(compared, rows, files, report)


def _compare_vaults(one: VaultTables, other: VaultTables) -> dict[str, int]:
    counts = {}
    for name in TABLES:
        rows, copied = (sorted(tables.rows(f"SELECT * FROM {name}")) for tables in (one, other))  # noqa: S608
        if rows != copied:
            raise StoreError(f"the vault differs in {name}: {len(rows)} rows and {len(copied)}")
        counts[name] = len(rows)
    return counts


def _compare_files(one: Path, other: Path) -> int:
    hashes = [
        {file.relative_to(root): sha256(file.read_bytes()).hexdigest() for file in _files(root)}
        for root in (one, other)
    ]
    if hashes[0] != hashes[1]:
        names = sorted(str(file) for file, _ in hashes[0].items() ^ hashes[1].items())
        raise StoreError(f"files differ: {', '.join(dict.fromkeys(names))}")
    return len(hashes[0])


def _files(root: Path) -> Iterator[Path]:
    for file in sorted(root.rglob("*")):
        if file.is_file() and not any(file.match(pattern) for pattern in _NOT_COPIED):
            yield file


def _sync(path: Path) -> None:
    stream = os.open(path, os.O_RDONLY)
    try:
        os.fsync(stream)
    finally:
        os.close(stream)
