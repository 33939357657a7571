"""The one door through which live rounds get their shoes, the lock on it, and collectors for a test lab.

Health comes first, and a block of the key is never used twice. The lock is closed by a failed health test, opened by a
person alone, and survives a restart (R-06). Collectors write raw words and dealt shoes by the same code (R-07).
"""

import datetime
import hashlib
import json
import os
import struct
import tempfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Protocol

from pitboss.cards import Card, Deck, KeyStream, WordSource, cards_text, shuffled
from pitboss.randomness.health import HealthError, HealthMonitor, HealthySource, check_known_answers


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
        """Return why dealing is locked, or nothing where it is not."""

    def close(self, failure: Failure) -> None:
        """Lock dealing; the first failure stands until a person opens the lock."""

    def open(self, person: str, reason: str) -> None:
        """Open the lock, in the name of a person who states why."""


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
        """Return why dealing is locked, or nothing where it is not."""
        return self._failure

    def close(self, failure: Failure) -> None:
        """Lock dealing."""
        self._failure = self._failure or failure

    def open(self, person: str, reason: str) -> None:
        """Open the lock."""
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
        """Return why dealing is locked, or nothing where it is not."""
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
        """Open the lock; who did it and why is written to the log first."""
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


OpenStream = Callable[[bytes, int], WordSource]


class DealingLockedError(Exception):
    """No card is dealt until a person has opened the lock."""

    def __init__(self, failure: Failure) -> None:
        super().__init__(
            f"dealing is locked: a health test of the random numbers failed: {failure}. "
            "It stays locked until people open it: two at a table of a room (tables/unlock-dealing), "
            "one elsewhere (pitboss rng reset --by NAME --reason WHY)"
        )
        self.failure = failure


@dataclass(frozen=True, slots=True)
class LiveShoe:
    """A shuffled shoe and the block number of its key: together with the key, all it takes to deal it again."""

    block: int
    cards: tuple[Card, ...]


class LiveDealing:
    """Shoes for live rounds from one key, a block number each (R-04), under health tests that lock dealing (R-06).

    The known answers are tried before the first shoe, and again before the first one after a lock was opened.
    """

    __slots__ = ("_key", "_lock", "_monitor", "_next", "_open_stream")

    def __init__(
        self, key: bytes, lock: DealingLock, *, first_block: int = 1, open_stream: OpenStream = KeyStream
    ) -> None:
        self._key = key
        self._lock = lock
        self._next = first_block
        self._open_stream = open_stream
        self._monitor: HealthMonitor | None = None

    def __repr__(self) -> str:
        return f"<LiveDealing of a hidden key, next block={self._next}>"

    def next_shoe(self, deck: Deck) -> LiveShoe:
        """Shuffle the next shoe, or raise a DealingLockedError and go on doing so until a person opens the lock."""
        if (failure := self._lock.failure()) is not None:
            self._monitor = None
            raise DealingLockedError(failure)
        block, self._next = self._next, self._next + 1
        try:
            return LiveShoe(block, self._shuffled(deck, block))
        except HealthError as error:
            failure = Failure(error.test, error.words, now_text())
            self._monitor = None
            self._lock.close(failure)
            raise DealingLockedError(failure) from error

    def _shuffled(self, deck: Deck, block: int) -> tuple[Card, ...]:
        if self._monitor is None:
            check_known_answers(self._open_stream)
            self._monitor = HealthMonitor()
        return shuffled(deck.cards, HealthySource(self._open_stream(self._key, block), self._monitor))


_WORDS = 1 << 14
_PACKED = struct.Struct(f"<{_WORDS}I")
_SHOES = 1 << 8


class Sink(Protocol):
    """Where bytes are written."""

    def write(self, content: bytes, /) -> int | None:
        """Write some bytes; raw files and pipes may take only a part of them, and say how many."""


@dataclass(frozen=True, slots=True)
class Written:
    """What was written: how many bytes, and their SHA-256."""

    length: int
    sha256: str


def raw_bytes(key: bytes, block: int, length: int) -> Iterator[bytes]:
    """Yield the words of a stream as bytes, in little-endian order, in pieces."""
    stream = KeyStream(key, block)
    while length > 0:
        piece = _PACKED.pack(*[stream.word() for _ in range(_WORDS)])
        yield piece[:length]
        length -= len(piece)


def dealt_shoes(key: bytes, block: int, rounds: int, deck: Deck, *, as_bytes: bool = False) -> Iterator[bytes]:
    """Yield the shoes of rounds as the live door deals them, a block each: a line of text, or a byte for each card.

    A byte is the number of a card, from 0 for the deuce of clubs to 51 for the ace of spades, and 52 for the joker.
    """
    dealing = LiveDealing(key, MemoryLock(), first_block=block)
    write: Callable[[tuple[int, ...]], bytes] = bytes if as_bytes else _line
    for start in range(0, rounds, _SHOES):
        shoes = (dealing.next_shoe(deck).cards for _ in range(min(_SHOES, rounds - start)))
        yield b"".join(map(write, shoes))


def _line(cards: tuple[int, ...]) -> bytes:
    return cards_text(cards).encode("ascii") + b"\n"


def write_all(pieces: Iterator[bytes], sink: Sink, done: Callable[[int], None]) -> Written:
    """Write all pieces, and return their length and SHA-256; `done` is called with the length of each piece."""
    digest, length = hashlib.sha256(), 0
    for piece in pieces:
        rest = memoryview(piece)
        while rest:
            rest = rest[sink.write(bytes(rest)) or len(rest) :]
        digest.update(piece)
        length += len(piece)
        done(len(piece))
    return Written(length, digest.hexdigest())
