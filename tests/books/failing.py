"""A process whose disk fails, and the disk below it: what a power cut would leave of the files it has written.

Run with `failing_disk.c` loaded before the C library, it makes a process for every line it reads. That one sends
commands, each again until it is acknowledged or nobody has patience left, and is killed. With the path of books it sends
them itself: where no compiler is, strace lets its calls fail.
"""

from __future__ import annotations

import ctypes
import os
import shutil
import signal
import struct
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

import pitboss.books.journal.writer as writer_module
from pitboss.books import StoreError, Submission, open_books
from tests.books.load import fork
from tests.books.making import counting, hitting, opening

COMMANDS = 6
_TRIES = 6
_HEAD = struct.Struct("<ccqq")
FILES = {b"\x01": "journal.sqlite3", b"\x02": "journal.sqlite3-wal"}


def commands(run: str) -> Iterator[Submission]:
    """Yield what is sent: a jackpot is opened, wagers are counted, and it is hit."""
    yield opening(command_id=f"{run}-open")
    for number in range(COMMANDS):
        yield hitting(f"{run}-{number}", 1) if number % 4 == 3 else counting(f"{run}-{number}", 1 + number % 5)


def send(path: Path, notes: int) -> None:
    """Send every command to the books at a path until it is acknowledged, and note its answer."""
    writer_module.AGAIN_SECONDS = 0.0
    with suppress(StoreError):
        books = open_books(path)
        for submission in commands("c"):
            for _ in range(_TRIES):
                try:
                    head = books.submit(submission).head
                except StoreError:
                    time.sleep(0.001)
                    continue
                os.write(notes, f"{submission.id} {head}\n".encode())
                break
            else:
                # What it rests on is not there, such as the jackpot.
                break


def _run(words: list[str]) -> None:
    path, notes_path, log, call, first, times, error = words
    disk = ctypes.CDLL(None)
    disk.fail_calls(log.encode(), call.encode(), int(first), int(times), int(error))
    notes = os.open(notes_path, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    send(Path(path), notes)
    os.write(notes, f"seen {disk.failing_calls_seen()}\n".encode())
    os.kill(os.getpid(), signal.SIGKILL)


@dataclass
class _File:
    """A file in the system's memory and on the disk, and what the one has and the other has not."""

    memory: bytearray = field(default_factory=bytearray)
    disk: bytearray = field(default_factory=bytearray)
    dirty: list[tuple[bytes, int, int]] = field(default_factory=list)

    def write(self, at: int, data: bytes) -> None:
        self.memory.extend(bytes(max(0, at + len(data) - len(self.memory))))
        self.memory[at : at + len(data)] = data
        self.dirty.append((b"W", at, len(data)))

    def truncate(self, size: int) -> None:
        del self.memory[size:]
        self.memory.extend(bytes(max(0, size - len(self.memory))))
        self.dirty.append((b"T", size, 0))

    def sync(self) -> None:
        for what, at, size in self.dirty:
            if what == b"T":
                del self.disk[at:]
                self.disk.extend(bytes(max(0, at - len(self.disk))))
            else:
                self.disk.extend(bytes(max(0, at + size - len(self.disk))))
                self.disk[at : at + size] = self.memory[at : at + size].ljust(size, b"\0")
        self.dirty.clear()


def power_cut(before: Path, log: Path, after: Path, left: Path) -> None:
    """Make a room of what a disk has that keeps what was synced and drops what a failed sync was to write."""
    files = {name: _File() for name in FILES.values()}
    for name, file in files.items():
        if (before / name).exists():
            file.memory[:] = file.disk[:] = (before / name).read_bytes()
    content, place = log.read_bytes() if log.exists() else b"", 0
    while place < len(content):
        what, kind, at, size = _HEAD.unpack_from(content, place)
        place += _HEAD.size
        file = files[FILES[kind]]
        if what == b"W":
            file.write(at, content[place : place + size])
            place += size
        elif what == b"T":
            file.truncate(at)
        elif what == b"S":
            file.sync()
        elif what == b"F":
            file.dirty.clear()
        else:
            files[FILES[kind]] = _File()
    left.mkdir()
    for name in ("store.toml", "witness-room"):
        if (after / name).exists():
            shutil.copy(after / name, left / name)
    for name, file in files.items():
        if file.disk or name == FILES[b"\x01"]:
            (left / name).write_bytes(file.disk)


if __name__ == "__main__":
    sys.stdout.reconfigure(line_buffering=True)  # type: ignore[union-attr]
    if sys.argv[1:]:
        # Whatever lets calls fail stands around this process.
        send(Path(sys.argv[1]), sys.stdout.fileno())
        os.kill(os.getpid(), signal.SIGKILL)
    fork(_run)
