"""Makes one backup: a snapshot, restored into a sandbox and audited, sealed to a key, read back, old ones removed."""

import errno
import shutil
import sqlite3
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pitboss.books import Directory, Entry, StoreError
from pitboss.books.audit.backup import add_pictures, copy_to_file, restore
from pitboss.books.audit.check import AuditReport
from pitboss.books.audit.sealing import inspect, is_sealed, seal_file, unseal_file
from pitboss.books.store.directory import JOURNAL
from pitboss.books.store.keys import key_id
from pitboss.books.store.sqlite import BackupStore
from pitboss.commands.command import BOOK
from pitboss.room.backups import BEGINS, ENDING, MARKER, file_path
from pitboss.room.projections import INVARIANTS, PROJECTIONS

SANDBOX = "backup-sandbox-"
_COPIES, _MEGABYTE = 2, 1_000_000
_SPARE_BYTES = 10_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class TrialRestore:
    """What a restore into a sandbox has shown: what is in the backup, and what the audit of it found."""

    room: str
    report: AuditReport
    heads: dict[str, Entry]
    """The last entry of every book in the backup."""
    pictures: int
    seconds: float
    keys: tuple[str, ...] = ()


@contextmanager
def sandbox(folder: Path) -> Iterator[Path]:
    """Make a directory that only its owner reads, and remove it with all that is in it."""
    path = Path(tempfile.mkdtemp(prefix=SANDBOX, dir=folder))
    try:
        yield path
    finally:
        shutil.rmtree(path, ignore_errors=True)


def _restore_into(snapshot: Path, path: Path, *, vouched: str = "") -> AuditReport:
    return restore(
        snapshot,
        path,
        person="pitboss",
        reason="a restore into a sandbox",
        head=vouched or None,
        without_head="" if vouched else "a drill",
        projections=PROJECTIONS,
        invariants=INVARIANTS,
    )


def drill(file: Path, identity: Path | None, folder: Path, *, head: str = "") -> TrialRestore:
    """Restore a backup into a sandbox, audit it there, and remove the sandbox: nothing else is changed."""
    began = time.monotonic()
    with sandbox(folder) as path, opened_backup(file, identity, path) as plain:
        keys = inspect(file).keys if is_sealed(file) else ()
        report = _restore_into(plain, path / "room", vouched=head)
        with closing(BackupStore(plain)) as store:
            heads = {book: last for book in store.books() if (last := store.head(book)) is not None}
        pictures = len(list((path / "room" / "slides").glob("*")))
        seconds = time.monotonic() - began
        return TrialRestore(
            room=room_of(report), report=report, heads=heads, pictures=pictures, seconds=seconds, keys=keys
        )


def room_of(report: AuditReport) -> str:
    """Return the name of the room that an audit was about; empty where its book has none."""
    from pitboss.room.room import room_name  # noqa: PLC0415 - who only makes backups needs no room

    return room_name(report.books[BOOK].reading.state) if BOOK in report.books else ""


@contextmanager
def opened_backup(file: Path, identity: Path | None, folder: Path) -> Iterator[Path]:
    """Return a backup in plain: itself, or what is sealed in it, decrypted into a folder as long as it is needed."""
    if not is_sealed(file):
        yield file
        return
    header = inspect(file)
    if identity is None:
        raise StoreError(f"{file} is sealed to key {', '.join(header.keys)}: name its private half, --identity FILE")
    plain = folder / "plain.backup"
    unseal_file(file, identity, plain)
    try:
        yield plain
    finally:
        plain.unlink(missing_ok=True)


def make_backup(path: Path, directory: Path, publics: Sequence[str], keep: int, at: int) -> dict[str, Any]:
    """Make a backup of the room of a data directory by its plan; return what `RecordBackup` records of it.

    What fails has a `problem`, and leaves nothing behind that looks like a backup.
    """
    began, file = time.monotonic(), Path(file_path(str(directory), at))
    result: dict[str, Any] = {
        "at": at, "file": str(file), "entries_held": 0, "head": "", "bytes": 0, "digest": "", "pictures": 0,
    }  # fmt: skip
    try:
        result |= _make(path, file, publics, at)
        remove_old(directory, keep)
    except (StoreError, OSError, sqlite3.Error, MemoryError) as error:
        result["problem"] = _reason(error, directory, path)[:2_000]
    return {**result, "seconds": round(time.monotonic() - began)}


def _make(path: Path, file: Path, publics: Sequence[str], at: int) -> dict[str, Any]:
    directory = file.parent
    _clear(path, directory)
    _need_space(path, directory)
    with sandbox(path) as folder:
        snapshot = folder / "snapshot.backup"
        with closing(Directory(path).open_store(write=False)) as store:
            heads = copy_to_file(store, snapshot)
        pictures = add_pictures(path, snapshot)
        head = heads[BOOK].digest.hex()
        report = _restore_into(snapshot, folder / "room", vouched=head)
        if not report.is_sound:
            wrong = [*map(str, report.damages), *map(str, report.findings), *report.problems]
            raise StoreError(f"the copy restores, but its audit finds: {wrong[0] if wrong else 'it is not sound'}")
        shutil.rmtree(folder / "room")
        about = {"at": at, "entries": heads[BOOK].sequence, "head": head, "pictures": pictures}
        sealed = seal_file(snapshot, file, publics, about)
    header = inspect(file)
    if set(header.keys) != set(map(key_id, publics)):
        raise StoreError(f"{file} is not sealed to the key of the plan")
    (directory / MARKER).touch()
    return {
        "entries_held": heads[BOOK].sequence,
        "head": head,
        "bytes": sealed.size,
        "digest": sealed.digest,
        "pictures": pictures,
    }


def _clear(path: Path, directory: Path) -> None:
    """Remove what a backup that was killed has left."""
    for left in path.glob(f"{SANDBOX}*"):
        shutil.rmtree(left, ignore_errors=True)
    for left in directory.glob(f"{BEGINS}*{ENDING}.partial"):
        left.unlink(missing_ok=True)


def _need_space(path: Path, directory: Path) -> None:
    """Refuse to begin what would not fit: a copy and its restore beside the books, and the sealed copy."""
    try:
        size = sum((path / name).stat().st_size for name in (JOURNAL, f"{JOURNAL}-wal") if (path / name).exists())
    except OSError:
        return
    for folder, needed in ((path, _COPIES * size + _SPARE_BYTES), (directory, size + _SPARE_BYTES)):
        free = shutil.disk_usage(folder).free
        if free < needed:
            text = f"{needed // _MEGABYTE:,} MB are needed, {free // _MEGABYTE:,} MB are free"
            raise OSError(errno.ENOSPC, text, folder)


def remove_old(directory: Path, keep: int) -> list[Path]:
    """Remove all but the newest backups; files of other names stay."""
    backups = sorted(directory.glob(f"{BEGINS}*{ENDING}"))
    old = backups[:-keep]
    for file in old:
        file.unlink()
    return old


def _reason(error: BaseException, directory: Path, path: Path) -> str:
    if isinstance(error, OSError) and error.errno == errno.ENOSPC:
        where = error.filename or directory
        more = f" ({error.strerror})" if error.strerror and "MB" in error.strerror else ""
        return f"the disk of {where} is full{more}: nothing was written"
    if isinstance(error, sqlite3.Error):
        return f"the copy beside the books in {path} could not be written: {error}"
    if isinstance(error, OSError):
        return f"{error.filename or directory}: {error.strerror or error}"
    return str(error)
