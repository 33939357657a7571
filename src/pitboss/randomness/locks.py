"""The lock on live dealing: closed by a failed health test, opened by a person alone, kept through a restart (R-06)."""

from __future__ import annotations

import datetime
import json
import os
import tempfile
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Protocol

__all__ = ["DealingLock", "Failure", "FileLock", "MemoryLock", "default_lock", "now_text"]


def now_text() -> str:
    """The time now, in UTC."""
    return datetime.datetime.now(tz=datetime.UTC).isoformat(timespec="seconds")


@dataclass(frozen=True, slots=True)
class Failure:
    """Why dealing is locked: the test that failed, what it found, and when."""

    test: str
    words: str
    at: str

    def __str__(self) -> str:
        return f"{self.test}: {self.words} ({self.at})"


class DealingLock(Protocol):
    """A lock that several dealers may look at."""

    def failure(self) -> Failure | None:
        """Say why dealing is locked, or nothing where it is not."""

    def close(self, failure: Failure) -> None:
        """Lock dealing; the first failure stands until a person opens the lock."""

    def open(self, person: str, reason: str) -> None:
        """Let dealing go on, in the name of a person who says why."""


def _check_person(person: str, reason: str) -> None:
    missing = [name for name, text in (("who opens it", person), ("why", reason)) if not text.strip()]
    if missing:
        raise ValueError(f"the lock stays closed: say {' and '.join(missing)}")


class MemoryLock:
    """A lock that lasts as long as the process: for collectors and tests, not for a room."""

    __slots__ = ("_failure",)

    def __init__(self) -> None:
        self._failure: Failure | None = None

    def failure(self) -> Failure | None:
        """Say why dealing is locked, or nothing where it is not."""
        return self._failure

    def close(self, failure: Failure) -> None:
        """Lock dealing."""
        self._failure = self._failure or failure

    def open(self, person: str, reason: str) -> None:
        """Let dealing go on."""
        _check_person(person, reason)
        self._failure = None


class FileLock:
    """A lock that is a file, with a log beside it of every time it was closed and opened.

    A file that cannot be read is a closed lock. Where the file cannot be written the lock is closed in this process.
    """

    __slots__ = ("_folder", "_unwritten")

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._unwritten: Failure | None = None

    @property
    def file(self) -> Path:
        """The file that is there while dealing is locked."""
        return self._folder / "dealing-locked.json"

    @property
    def log(self) -> Path:
        """The file that tells, a line each, when the lock was closed and opened."""
        return self._folder / "dealing-lock.jsonl"

    def failure(self) -> Failure | None:
        """Say why dealing is locked, or nothing where it is not."""
        try:
            text = self.file.read_text(encoding="utf-8")
        except FileNotFoundError:
            return self._unwritten
        except (OSError, ValueError) as error:
            return Failure("lock", f"the lock cannot be read, and counts as closed: {error}", "time unknown")
        try:
            return Failure(**json.loads(text))
        except (TypeError, ValueError):
            return Failure("lock", "the lock is damaged, and counts as closed", "time unknown")

    def close(self, failure: Failure) -> None:
        """Lock dealing, on disk before anything else is done."""
        if self.failure() is not None:
            return
        self._unwritten = failure
        with suppress(OSError):
            self._folder.mkdir(parents=True, exist_ok=True)
            self._write(json.dumps(asdict(failure)))
            self._tell({"event": "locked", **asdict(failure)})

    def _write(self, text: str) -> None:
        with tempfile.NamedTemporaryFile("w", dir=self._folder, delete=False, encoding="utf-8") as stream:
            stream.write(text)
            stream.flush()
            os.fsync(stream.fileno())
        Path(stream.name).replace(self.file)

    def _tell(self, entry: dict[str, str]) -> None:
        with self.log.open("a", encoding="utf-8") as stream:
            stream.write(json.dumps(entry) + "\n")

    def open(self, person: str, reason: str) -> None:
        """Let dealing go on; who did it and why is told in the log first."""
        _check_person(person, reason)
        if self.failure() is None:
            return
        self._folder.mkdir(parents=True, exist_ok=True)
        self._tell({"event": "opened", "by": person, "reason": reason, "at": now_text()})
        self.file.unlink(missing_ok=True)
        self._unwritten = None


def default_lock() -> FileLock:
    """The lock of this computer's user, or the one in the folder that PITBOSS_STATE_DIR names."""
    named = os.environ.get("PITBOSS_STATE_DIR")
    if named:
        return FileLock(Path(named))
    base = os.environ.get("XDG_STATE_HOME") or str(Path.home() / ".local" / "state")
    return FileLock(Path(base) / "pitboss")
