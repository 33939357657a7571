"""SQLite and the system's calls through a recording disk: apsw's VFS, and what the store uses of `os` and `sqlite3`."""

from __future__ import annotations

import errno
import os
import random
import sqlite3
import urllib.parse
from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import apsw

from tests.faults.disk import DELETE, SYNC, TRUNCATE, WRITE, Disk, KilledError

VFS = "pitboss-recording"
_BASE = apsw.vfs_names()[0]
_RECORDED = ("journal.sqlite3", "journal.sqlite3-wal", "witness-")


def is_recorded(name: str) -> bool:
    """Whether a file is one that must survive a power cut."""
    return name.startswith(_RECORDED) and not name.endswith("-shm")


class Computer:
    """The computer that the room runs on: where its files are, its disk, and the connections of its process."""

    def __init__(self) -> None:
        self.folder = Path()
        self.disk = Disk({})
        self.rng = random.Random(0)
        self.connections: list[apsw.Connection] = []
        self.descriptors: dict[int, str] = {}

    def start(self, folder: Path, disk: Disk, rng: random.Random) -> None:
        """Go on with these files."""
        self.folder, self.disk, self.rng = folder, disk, rng
        apsw.randomness(0)

    def stop(self) -> None:
        """End the process: its files stay as they are, and the connections go."""
        self.disk.is_dead = True
        for connection in self.connections:
            try:
                connection.close(True)
            except (apsw.Error, OSError, KilledError):
                continue
        self.connections.clear()
        for descriptor in list(self.descriptors):
            os.close(descriptor)
        self.descriptors.clear()


COMPUTER = Computer()


def _refused(error: OSError) -> apsw.Error:
    return apsw.FullError("disk full") if error.errno == errno.ENOSPC else apsw.IOError("disk error")


class RecordingFile(apsw.VFSFile):
    """A file of SQLite whose changes are recorded."""

    def __init__(self, name: Any, flags: list[int]) -> None:
        super().__init__(_BASE, name, flags)
        self.name = Path(name.filename() if isinstance(name, apsw.URIFilename) else str(name)).name

    def _before(self, kind: str) -> None:
        try:
            COMPUTER.disk.before(kind)
        except OSError as error:
            raise _refused(error) from None

    def xWrite(self, data: bytes, offset: int) -> None:
        """Write, and record it."""
        self._before(WRITE)
        super().xWrite(data, offset)
        COMPUTER.disk.note(WRITE, self.name, offset, bytes(data))

    def xTruncate(self, newsize: int) -> None:
        """Truncate, and record it."""
        self._before(TRUNCATE)
        super().xTruncate(newsize)
        COMPUTER.disk.note(TRUNCATE, self.name, newsize)

    def xSync(self, flags: int) -> None:
        """Have what was written on the disk."""
        _sync(self.name, self._before)


def _sync(name: str, before: Any) -> None:
    try:
        before(SYNC)
    except KilledError:
        raise
    except (apsw.Error, OSError):
        COMPUTER.disk.note("failed sync", name)
        raise
    COMPUTER.disk.note(SYNC, name)


class RecordingVfs(apsw.VFS):
    """The files of SQLite on the recording disk."""

    def __init__(self) -> None:
        # SQLite takes its chance from the first one, whichever a file is on.
        super().__init__(VFS, _BASE, makedefault=True)

    def xOpen(self, name: Any, flags: list[int]) -> apsw.VFSFile:
        """Open a file."""
        return RecordingFile(name, flags)

    def xDelete(self, filename: str, syncdir: bool) -> None:
        """Delete a file, and record it."""
        try:
            COMPUTER.disk.before(DELETE)
        except OSError as error:
            raise _refused(error) from None
        super().xDelete(filename, syncdir)
        COMPUTER.disk.note(DELETE, Path(filename).name)

    def xRandomness(self, numbytes: int) -> bytes:
        """Return bytes of the seed."""
        return COMPUTER.rng.randbytes(numbytes)


_VFS: list[RecordingVfs] = []


def register() -> None:
    """Make the VFS known to apsw's SQLite, once, as the one that is used where none is named."""
    if not _VFS:
        _VFS.append(RecordingVfs())


class Cursor:
    """A cursor as `sqlite3` has it."""

    def __init__(self, cursor: apsw.Cursor) -> None:
        self._cursor = cursor

    def execute(self, text: str, values: Sequence[Any] = ()) -> Cursor:
        """Run a statement."""
        try:
            self._cursor.execute(text, tuple(values))
        except (apsw.Error, OSError) as error:
            raise sqlite3.OperationalError(str(error)) from error
        return self

    def executemany(self, text: str, rows: Iterable[Sequence[Any]]) -> Cursor:
        """Run a statement for each row."""
        try:
            self._cursor.executemany(text, [tuple(row) for row in rows])
        except (apsw.Error, OSError) as error:
            raise sqlite3.OperationalError(str(error)) from error
        return self

    def fetchone(self) -> Any:
        """Return the next row."""
        return self._cursor.fetchone()

    def fetchall(self) -> list[Any]:
        """Return all rows."""
        return self._cursor.fetchall()

    def close(self) -> None:
        """Close it."""
        self._cursor.close(True)


class Connection:
    """A connection as `sqlite3` has it."""

    def __init__(self, connection: apsw.Connection) -> None:
        self._connection = connection

    def cursor(self) -> Cursor:
        """Return a new cursor."""
        return Cursor(self._connection.cursor())

    def execute(self, text: str, values: Sequence[Any] = ()) -> Cursor:
        """Run a statement."""
        return self.cursor().execute(text, values)

    def rollback(self) -> None:
        """End a transaction without a commit."""
        if self._connection.in_transaction:
            self.execute("ROLLBACK")

    def close(self) -> None:
        """Close it; what SQLite cannot do then, such as to empty its log, it leaves for the next one."""
        with suppress(apsw.Error, OSError):
            self._connection.close(True)
        if self._connection in COMPUTER.connections:
            COMPUTER.connections.remove(self._connection)


def connect(address: str, **_: Any) -> Connection:
    """Open a file as `sqlite3.connect` does by an address."""
    parts = urllib.parse.urlsplit(address)
    flags = apsw.SQLITE_OPEN_READONLY if parts.query.startswith("mode=ro") else apsw.SQLITE_OPEN_READWRITE
    try:
        connection = apsw.Connection(urllib.parse.unquote(parts.path), flags, vfs=VFS)
        connection.set_busy_timeout(0)
    except (apsw.Error, OSError) as error:
        raise sqlite3.OperationalError(str(error)) from error
    COMPUTER.connections.append(connection)
    return Connection(connection)


class RecordedOs:
    """What the store and its folder use of `os`, through the recording disk."""

    def __getattr__(self, name: str) -> Any:
        return getattr(os, name)

    def open(self, path: Any, flags: int, mode: int = 0o777) -> int:
        """Open a file, and remember those that are recorded."""
        descriptor = os.open(path, flags, mode)
        if is_recorded(Path(path).name):
            COMPUTER.descriptors[descriptor] = Path(path).name
        return descriptor

    def close(self, descriptor: int) -> None:
        """Close a file."""
        COMPUTER.descriptors.pop(descriptor, None)
        os.close(descriptor)

    def pwrite(self, descriptor: int, data: bytes, place: int) -> int:
        """Write, and record it."""
        if (name := COMPUTER.descriptors.get(descriptor)) is None:
            return os.pwrite(descriptor, data, place)
        COMPUTER.disk.before(WRITE)
        written = os.pwrite(descriptor, data, place)
        COMPUTER.disk.note(WRITE, name, place, bytes(data))
        return written

    def fsync(self, descriptor: int) -> None:
        """Have what was written on the disk."""
        if (name := COMPUTER.descriptors.get(descriptor)) is not None:
            _sync(name, COMPUTER.disk.before)

    def posix_fallocate(self, descriptor: int, offset: int, length: int) -> None:
        """Have room for a file, where there is any."""
        COMPUTER.disk.before(WRITE)
