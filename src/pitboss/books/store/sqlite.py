"""The store in SQLite: write-ahead log, a sync for every commit, strict tables."""

import os
import shutil
import sqlite3
import sys
import tempfile
from functools import partial
from pathlib import Path
from typing import Any

from pitboss.books.store.base import JournalStore, StoreError
from pitboss.books.store.sql import SQLITE, SQLITE_GUARDS

_FULL = "2"
_BUSY_SECONDS = 30
_BUSY_MILLISECONDS_ANEW = 2_000
_CHUNK = 1 << 20
_LOG_BYTES_MIN = 1 << 18
"""Room for the entries of many presses."""
_PROBLEMS_MAX = 20
_TRIGGERS = "SELECT name, sql FROM sqlite_master WHERE type = 'trigger' AND tbl_name IN ('entries', 'snapshots')"

# Not every system has these two; there a file is synced whole, and its room is not asked for beforehand.
_sync = getattr(os, "fdatasync", os.fsync)
_reserve = getattr(os, "posix_fallocate", lambda *_: None)


class SqliteStore(JournalStore):
    """One file; its folder is locked by whoever writes (SQLite before 3.51.3 can spoil a log with two writers)."""

    dialect = SQLITE
    errors = (sqlite3.Error,)

    def __init__(self, file: Path, *, write: bool) -> None:
        self.file = file
        self._copied: tempfile.TemporaryDirectory[str] | None = None
        if not file.is_file():
            raise StoreError(f"there are no books here: {file} is missing")
        super().__init__(write=write)

    def _connect(self, mode: str) -> sqlite3.Connection:
        address = f"{self.file.absolute().as_uri()}?mode={mode}"
        try:
            return sqlite3.connect(
                address, uri=True, isolation_level=None, check_same_thread=False, timeout=_BUSY_SECONDS
            )
        except sqlite3.Error as error:
            raise StoreError(f"cannot open {self.file}: {error}") from None

    def _connect_to_read(self) -> sqlite3.Connection:
        connection = self._connect(self._reading_mode())
        try:
            connection.execute("PRAGMA query_only=ON")
            connection.execute("PRAGMA synchronous=FULL")
        except sqlite3.Error as error:
            connection.close()
            raise StoreError(f"cannot read {self.file}: {error}") from error
        return connection

    def _reading_mode(self) -> str:
        """Return how the file is opened for reading: where nobody can write, SQLite may not look for its log."""
        if os.access(self.file.parent, os.W_OK):
            return "ro"
        if self._copied is None and self._log.is_file() and self._log.stat().st_size:
            # What is in the log alone can be read only where SQLite may make its index: in a copy.
            self._copied = tempfile.TemporaryDirectory(prefix="pitboss-read-only-")
            for file in (self.file, self._log):
                shutil.copy(file, self._copied.name)
            self.file = Path(self._copied.name) / self.file.name
        return "ro" if self._copied is not None else "ro&immutable=1"

    def close(self) -> None:
        """Close the writing connection, and forget a copy."""
        super().close()
        if self._copied is not None:
            self._copied.cleanup()

    def _connect_to_write(self) -> sqlite3.Connection:
        self._rewrite_log()
        connection = self._connect("rw")
        try:
            connection.execute("PRAGMA journal_mode=WAL")
            connection.execute("PRAGMA synchronous=FULL")
            if sys.platform == "darwin":
                connection.execute("PRAGMA fullfsync=ON")
                connection.execute("PRAGMA checkpoint_fullfsync=ON")
            settings = self.settings(connection)
        except sqlite3.Error as error:
            connection.close()
            raise StoreError(f"cannot write to {self.file}: {error}") from None
        if settings["journal_mode"] != "wal" or settings["synchronous"] != _FULL:
            connection.close()
            raise StoreError(f"{self.file} does not keep what it acknowledges: {settings}")
        return connection

    @property
    def _log(self) -> Path:
        return self.file.with_name(f"{self.file.name}-wal")

    def _rewrite_log(self) -> None:
        """Write every byte of the write-ahead log again, and sync it.

        Where a sync failed, now or in a process before this one, the system may have dropped what it was to write and
        still show it: only what is written again is synced again. SQLite holds no lock on this file.
        """
        try:
            log = os.open(self._log, os.O_RDWR | os.O_CLOEXEC)
        except FileNotFoundError:
            return
        except OSError as error:
            raise StoreError(f"cannot write to {self._log}: {error.strerror}") from None
        try:
            place = 0
            while chunk := os.pread(log, _CHUNK, place):
                place += os.pwrite(log, chunk, place)
            _sync(log)
        except OSError as error:
            raise StoreError(f"cannot write to {self._log}: {error.strerror}") from None
        finally:
            os.close(log)

    def _reserve_log(self) -> None:
        """Make sure that the emptied log has room to grow: while the disk is full, the store is not back."""
        try:
            log = os.open(self._log, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
            try:
                _reserve(log, 0, _LOG_BYTES_MIN)
            finally:
                os.close(log)
        except OSError as error:
            raise StoreError(f"no room for {self._log}: {error.strerror}") from None

    def _write_again(self, writer: sqlite3.Connection) -> None:
        """Checkpoint the log and empty it, so that nothing of a failed commit comes back later."""
        writer.execute(f"PRAGMA busy_timeout={_BUSY_MILLISECONDS_ANEW}")
        if writer.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]:
            raise StoreError("somebody reads for long: the log could not be written into the database")
        self._reserve_log()
        self._rewrite_log()
        writer.execute(f"PRAGMA busy_timeout={_BUSY_SECONDS * 1_000}")

    def rows(self, text: str, connection: Any | None = None, **values: Any) -> list[Any]:
        """Run a statement; where bytes are no text, they are read as letters that stand for them."""
        try:
            return super().rows(text, connection, **values)
        except StoreError as error:
            if connection is None or "Could not decode" not in str(error):
                raise
        connection.text_factory = partial(str, encoding="utf-8", errors="surrogateescape")
        try:
            return super().rows(text, connection, **values)
        finally:
            connection.text_factory = str

    def integrity_problems(self) -> list[str]:
        """Ask SQLite to check every page and every index against its table."""
        try:
            with self.reading() as connection:
                rows = connection.execute(f"PRAGMA integrity_check({_PROBLEMS_MAX})").fetchall()
        except (sqlite3.Error, StoreError) as error:
            return [f"SQLite cannot check itself: {error}"]
        return [str(text) for (text,) in rows if text != "ok"]

    def _guard_statements(self, cursor: Any) -> tuple[list[str], list[str]]:
        """Drop the trigger that refuses to delete entries, and make it again as it was."""
        found = cursor.execute("SELECT sql FROM sqlite_master WHERE name = 'entries_delete'").fetchall()
        return ["DROP TRIGGER IF EXISTS entries_delete"], [text for (text,) in found]

    def guard_problems(self) -> list[str]:
        """Compare the triggers with those that were made; who may open a file may change it, so there are no grants."""
        try:
            with self.reading() as connection:
                rows = dict(connection.execute(_TRIGGERS).fetchall())
        except (sqlite3.Error, StoreError):
            # What cannot be read is named by the check of the database itself.
            return []
        problems = [f"the trigger {name} that refuses changes is missing" for name in SQLITE_GUARDS.keys() - rows]
        problems += [
            f"the trigger {name} does not refuse changes as it was made to"
            for name, text in SQLITE_GUARDS.items()
            if rows.get(name, text) != text
        ]
        return sorted([*problems, *(f"trigger {name} is none of Pitboss's" for name in rows.keys() - SQLITE_GUARDS)])

    def _guard_mending(self, cursor: Any) -> list[str]:
        """Drop every trigger on the journal, and make those anew that belong there."""
        names = [name for name, _ in cursor.execute(_TRIGGERS).fetchall()]
        quoted = [name.replace('"', '""') for name in names]
        return [*(f'DROP TRIGGER "{name}"' for name in quoted), *SQLITE_GUARDS.values()]

    def settings(self, connection: Any) -> dict[str, str]:
        """Read back the pragmas."""
        names = ("journal_mode", "synchronous", "query_only")
        return {name: str(connection.execute(f"PRAGMA {name}").fetchone()[0]) for name in names}


class BackupStore(SqliteStore):
    """A backup: a SQLite file that nobody writes to, so that reading leaves nothing beside it."""

    def __init__(self, file: Path) -> None:
        super().__init__(file, write=False)

    def _connect_to_read(self) -> sqlite3.Connection:
        connection = self._connect("ro&immutable=1")
        connection.execute("PRAGMA query_only=ON")
        return connection
