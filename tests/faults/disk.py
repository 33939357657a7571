"""A disk that records what is written and synced, fails as it is told to, and says what a power cut may leave.

What a program reads is what it wrote. What a power cut leaves is another matter: of each sector of a file, what was
there at its last sync or any version that was written since, torn between sectors and in any order.
"""

from __future__ import annotations

import errno
import hashlib
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

CREATE, WRITE, TRUNCATE, SYNC, FAILED_SYNC, DELETE = "create", "write", "truncate", "sync", "failed sync", "delete"
SECTORS = (512, 4096)


class KilledError(BaseException):
    """The process has ended here: nothing after this is carried out."""


class Change(NamedTuple):
    """One thing that happened to a file, in order."""

    kind: str
    file: str
    place: int = 0
    data: bytes = b""


@dataclass(slots=True)
class Fault:
    """Calls of one kind fail for a while: so many of them, with an error."""

    kinds: tuple[str, ...]
    times: int
    error: int = errno.EIO


@dataclass(slots=True)
class Image:
    """What is durable of a file, and what was written since its last sync."""

    durable: bytearray = field(default_factory=bytearray)
    waiting: list[Change] = field(default_factory=list)

    def see(self, change: Change) -> None:
        """Take the next change."""
        if change.kind == SYNC:
            for waiting in self.waiting:
                apply(self.durable, waiting)
            self.waiting.clear()
        elif change.kind == FAILED_SYNC:
            # The system drops what it could not write, and goes on showing it.
            self.waiting.clear()
        else:
            self.waiting.append(change)

    def left(self, rng: random.Random, sector: int) -> bytes | None:
        """Return what a power cut may leave of the file; nothing where the file itself may be gone."""
        content, is_there = bytearray(self.durable), True
        versions: dict[int, list[Change]] = {}
        for change in self.waiting:
            if change.kind == DELETE:
                if rng.random() < 0.5:
                    # The folder still has the old file, and nothing of what was written to a new one.
                    break
                content, versions, is_there = bytearray(), {}, False
            elif change.kind == TRUNCATE:
                if rng.random() < 0.5:
                    apply(content, change)
                    versions = {place: some for place, some in versions.items() if place * sector < change.place}
            else:
                is_there = True
                for place, part in parts_of(change, sector):
                    versions.setdefault(place // sector, []).append(Change(WRITE, "", place, part))
        for waiting in versions.values():
            # Versions of a sector follow each other: any one of them may be the last that reached the disk.
            for version in waiting[: rng.randint(0, len(waiting))]:
                apply(content, version)
        return bytes(content) if is_there else None


def parts_of(change: Change, sector: int) -> Iterator[tuple[int, bytes]]:
    """Cut a write at the borders of sectors."""
    place, end = change.place, change.place + len(change.data)
    while place < end:
        upto = min(end, place - place % sector + sector)
        yield place, change.data[place - change.place : upto - change.place]
        place = upto


def apply(content: bytearray, change: Change) -> None:
    """Carry a change out on a file's content."""
    if change.kind == TRUNCATE:
        if change.place < len(content):
            del content[change.place :]
        else:
            content.extend(bytes(change.place - len(content)))
    elif change.kind == DELETE:
        content.clear()
    elif change.kind == WRITE:
        if change.place > len(content):
            content.extend(bytes(change.place - len(content)))
        content[change.place : change.place + len(change.data)] = change.data


class Mark(NamedTuple):
    """What was acknowledged when so many changes had been recorded: where the book ended."""

    changes: int
    sequence: int
    digest: str


class Disk:
    """The disk of one computer: every change of its files passes here, and may fail or be the last."""

    def __init__(self, start: dict[str, bytes], slow: Callable[[float], object] = lambda _: None) -> None:
        self.start = start
        self.log: list[Change] = []
        self.marks: list[Mark] = []
        self.faults: list[Fault] = []
        self.kill_in: int | None = None
        """After so many more changes the process ends."""
        self.is_dead = False
        self.slow_seconds = 0.0
        self._slow = slow

    def before(self, kind: str) -> None:
        """Be told what is to be done: it may fail, or never be done."""
        if self.is_dead:
            raise KilledError
        if self.kill_in is not None:
            self.kill_in -= 1
            if self.kill_in < 0:
                self.is_dead = True
                raise KilledError
        for fault in self.faults:
            if kind in fault.kinds and fault.times > 0:
                fault.times -= 1
                raise OSError(fault.error, "the disk fails")

    def note(self, kind: str, file: str, place: int = 0, data: bytes = b"") -> None:
        """Record what was done."""
        self.log.append(Change(kind, file, place, data))
        if kind == SYNC and self.slow_seconds:
            self._slow(self.slow_seconds)

    def point(self) -> None:
        """Be told that the writer is at one of its points, where the process may end too."""
        if self.is_dead:
            raise KilledError
        if self.kill_in is not None and self.kill_in == 0:
            self.is_dead = True
            raise KilledError

    def is_failing(self) -> bool:
        """Whether the next calls may fail."""
        return any(fault.times > 0 for fault in self.faults)

    def heal(self) -> None:
        """Let nothing fail any more."""
        self.faults.clear()
        self.slow_seconds = 0.0

    def digest(self) -> str:
        """Return the hash of everything that was written, in order."""
        whole = hashlib.sha256()
        for change in self.log:
            whole.update(f"{change.kind} {change.file} {change.place} {len(change.data)}\n".encode())
            whole.update(change.data)
        return whole.hexdigest()

    def images(self) -> dict[str, Image]:
        """Return the files as they were before the first change."""
        return {name: Image(bytearray(content)) for name, content in self.start.items()}


def see(images: dict[str, Image], change: Change) -> None:
    """Take the next change of a disk."""
    images.setdefault(change.file, Image()).see(change)


def left_by_power_cut(images: dict[str, Image], rng: random.Random) -> dict[str, bytes]:
    """Return the files as a power cut may leave them."""
    sector = rng.choice(SECTORS)
    files = {name: image.left(rng, sector) for name, image in sorted(images.items())}
    return {name: content for name, content in files.items() if content is not None}
