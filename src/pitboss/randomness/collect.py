"""Collectors for a test lab (R-07): raw words and dealt shoes, written by the very code that deals live rounds."""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Protocol

from pitboss.cards import Deck, KeyStream, cards_text
from pitboss.randomness.live import LiveDealing
from pitboss.randomness.locks import MemoryLock

__all__ = ["Sink", "Written", "dealt_shoes", "raw_bytes", "write_all"]

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
    """Give the words of a stream as bytes, in little-endian order, in pieces."""
    stream = KeyStream(key, block)
    while length > 0:
        piece = _PACKED.pack(*[stream.word() for _ in range(_WORDS)])
        yield piece[:length]
        length -= len(piece)


def dealt_shoes(key: bytes, block: int, rounds: int, deck: Deck, *, as_bytes: bool = False) -> Iterator[bytes]:
    """Give the shoes of rounds as the live door deals them, a block each: a line of text each, or a byte for each card.

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
    """Write all pieces, and say how many bytes that were and their SHA-256; `done` is told of each piece's length."""
    digest, length = hashlib.sha256(), 0
    for piece in pieces:
        rest = memoryview(piece)
        while rest:
            rest = rest[sink.write(bytes(rest)) or len(rest) :]
        digest.update(piece)
        length += len(piece)
        done(len(piece))
    return Written(length, digest.hexdigest())
