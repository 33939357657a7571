"""One process with everything of chance in one seed: the clock, the disk, the writer's turns and the ids."""

from __future__ import annotations

import itertools
import random
import shutil
import sqlite3
import tempfile
import threading
import time
import types
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from queue import Empty
from typing import Any

import pytest

from pitboss.books.journal import books as books_module
from pitboss.books.journal import writer as writer_module
from pitboss.books.journal.writer import Queued, Writer
from pitboss.books.store import directory as directory_module
from pitboss.books.store import sqlite as sqlite_module
from pitboss.room import room as room_module
from pitboss.room.room import Room
from tests.faults.disk import Disk, Image, KilledError, Mark, left_by_power_cut, see
from tests.faults.layout import STARTS, template
from tests.faults.recording import COMPUTER, RecordedOs, connect, is_recorded, register
from tests.programs import quick_folder

SECOND = 1_000_000
SNAPSHOT_EVERY = 60


class Clock:
    """The clock on the wall, and how long the computer runs; a jump moves the one alone."""

    def __init__(self, now: int) -> None:
        self.now, self.running, self.began = now, 0, now

    def __call__(self) -> int:
        self.now += 1
        self.running += 1
        return self.now

    def right(self) -> int:
        """Return the time, whatever the clock was set to."""
        return self.began + self.running

    def runs(self) -> int:
        """Return how long the computer runs."""
        return self.running

    def add(self, seconds: float) -> None:
        """Let time pass."""
        self.now += int(seconds * SECOND)
        self.running += int(seconds * SECOND)

    def jump(self, seconds: float) -> None:
        """Set the clock."""
        self.now += int(seconds * SECOND)


class Ids:
    """Ids that the server makes itself, in order."""

    def __init__(self) -> None:
        self._numbers = itertools.count(1)

    def uuid4(self) -> Any:
        """Return the next id, as `uuid.uuid4` does."""
        return types.SimpleNamespace(hex=f"{next(self._numbers):032x}")


class _NoThread:
    def __init__(self, **_: Any) -> None:
        pass

    def start(self) -> None:
        """Begin nothing: the writer takes its turns when somebody submits."""

    def join(self) -> None:
        """Wait for nothing."""


class SteppedWriter(Writer):
    """The writer without a thread: it commits when something is submitted, or together what was held."""

    is_held = False
    is_running = False

    def __init__(self, *positional: Any, **named: Any) -> None:
        at_point = named.pop("at_point")

        def at(point: str) -> None:
            COMPUTER.disk.point()
            at_point(point)

        super().__init__(*positional, at_point=at, **named)

    def submit(self, queued: Queued) -> None:
        """Put a command in line, and commit what waits."""
        super().submit(queued)
        self.take_turn()

    def take_turn(self) -> None:
        """Commit what is in line, unless it is held or this is called from within a commit."""
        if self.is_held or self.is_running:
            return
        self.is_running = True
        try:
            while line := self._line():
                self._commit([queued for queued in line if queued.answer.set_running_or_notify_cancel()])
                self._after(self)
        finally:
            self.is_running = False

    def _line(self) -> list[Queued]:
        line: list[Queued] = []
        while True:
            try:
                queued = self._queue.get_nowait()
            except Empty:
                return line
            if queued is not None:
                line.append(queued)

    def try_again(self) -> None:
        """Use a store that was away again, if it answers."""
        if self.broken is not None:
            self._come_back()

    def close(self) -> None:
        """Commit what is in line, and end."""
        super().close()
        self.is_held = False
        self.take_turn()


@contextmanager
def one_process(clock: Callable[[], Clock]) -> Iterator[pytest.MonkeyPatch]:
    """Have one process in which nothing is left to chance."""
    for start in STARTS:
        # Made by SQLite as it is, before its place is taken.
        template(start)
    register()
    recorded = RecordedOs()
    # The store opens its files by these.
    library = types.SimpleNamespace(**vars(sqlite3) | {"connect": connect})
    threads = types.SimpleNamespace(**vars(threading) | {"Thread": _NoThread})
    times = types.SimpleNamespace(**vars(time) | {"monotonic": lambda: clock().running / SECOND})
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sqlite_module, "sqlite3", library)
        patch.setattr(sqlite_module, "os", recorded)
        patch.setattr(sqlite_module, "_sync", recorded.fsync)
        patch.setattr(sqlite_module, "_reserve", recorded.posix_fallocate)
        patch.setattr(directory_module, "os", recorded)
        patch.setattr(writer_module, "threading", threads)
        patch.setattr(writer_module, "time", times)
        patch.setattr(books_module, "Writer", SteppedWriter)
        yield patch


class Server:
    """The server of a room on a recording disk: it is started, ended in any way, and started again."""

    def __init__(self, files: dict[str, bytes], clock: Clock, rng: random.Random, patch: pytest.MonkeyPatch) -> None:
        self.clock, self.rng, self.patch = clock, rng, patch
        self._folder = tempfile.TemporaryDirectory(dir=quick_folder(), prefix="pitboss-floor-")
        self._starts = itertools.count(1)
        self.files = files
        self.room: Room
        self.digests: list[str] = []
        self.crashed: list[Disk] = []
        self.version = 0
        self._projections: tuple[Any, ...] = vars(room_module)["PROJECTIONS"]

    @property
    def disk(self) -> Disk:
        """The disk as it is now."""
        return COMPUTER.disk

    @property
    def writer(self) -> SteppedWriter:
        """The writer of the books."""
        writer: SteppedWriter = self.room.books._writer  # type: ignore[assignment]
        return writer

    def start(self) -> None:
        """Start the server with the files that are there."""
        folder = Path(self._folder.name) / f"{next(self._starts)}" / "room"
        lay(folder, self.files)
        durable = {name: content for name, content in self.files.items() if is_recorded(name)}
        COMPUTER.start(folder, Disk(durable, self.clock.add), self.rng)
        self.open()

    def open(self) -> None:
        """Open the room; a process that is killed while it opens is started again."""
        self.room = Room(COMPUTER.folder, clock=self.clock, monotonic=self.clock.runs)
        self.room.books._every = SNAPSHOT_EVERY

    def end(self, *, power: bool) -> None:
        """End the process at once; with `power` the whole computer, and what is not synced may be gone."""
        disk = self.disk
        plain = {
            file.name: file.read_bytes()
            for file in COMPUTER.folder.iterdir()
            if file.is_file() and not file.name.endswith("-shm")
        }
        if power:
            images = disk.images()
            for change in disk.log:
                see(images, change)
            others = {name: content for name, content in plain.items() if not is_recorded(name)}
            plain = others | left_by_power_cut(images, self.rng)
        self.digests.append(disk.digest())
        self.crashed.append(disk)
        COMPUTER.stop()
        lock = self.room.books._lock if hasattr(self, "room") else None
        if lock is not None:
            lock.release()
        shutil.rmtree(COMPUTER.folder.parent)
        self.files = plain

    def upgrade(self) -> None:
        """Have the next start read some parts of the state by another version."""
        self.version += 1
        raised = [replace(each, version=each.version + self.version) for each in self._projections]
        some = tuple(
            new if self.rng.random() < 0.5 else old for old, new in zip(self._projections, raised, strict=True)
        )
        self.patch.setattr(room_module, "PROJECTIONS", some)

    def close(self) -> None:
        """Close the room, and forget its files."""
        with suppress(KilledError, OSError):
            self.room.close()
        self.digests.append(self.disk.digest())
        COMPUTER.stop()
        self._folder.cleanup()

    def mark(self) -> None:
        """Note what was acknowledged up to here."""
        state = self.room.services.state
        self.disk.marks.append(Mark(len(self.disk.log), state.sequence, state.digest.hex()))


def lay(folder: Path, files: dict[str, bytes]) -> None:
    """Write the files of a room."""
    folder.mkdir(parents=True)
    for name, content in files.items():
        (folder / name).write_bytes(content)


def images_after(disk: Disk, changes: int) -> dict[str, Image]:
    """Return the files of a disk after so many changes."""
    images = disk.images()
    for change in disk.log[:changes]:
        see(images, change)
    return images
