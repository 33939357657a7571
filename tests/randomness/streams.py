"""Sources of words that are broken, each in its own way, and one that is not."""

from __future__ import annotations

from collections.abc import Callable

from pitboss.cards import KeyStream, WordSource

__all__ = ["ALL_ZERO", "Words", "ignoring_the_block", "mostly_ones", "stuck"]


class Words:
    """Words that a function of their number gives."""

    word_bits = 32

    def __init__(self, make: Callable[[int], int]) -> None:
        self.make = make
        self.taken = 0

    def word(self) -> int:
        self.taken += 1
        return self.make(self.taken - 1)


def ALL_ZERO(_key: bytes, _block: int) -> WordSource:
    """Nothing but zeros."""
    return Words(lambda _: 0)


def stuck(after: int) -> Callable[[bytes, int], WordSource]:
    """Good words up to one from which the source no longer moves."""

    def opened(key: bytes, block: int) -> WordSource:
        stream = KeyStream(key, block)
        words = [stream.word() for _ in range(after + 1)]
        return Words(lambda number: words[min(number, after)])

    return opened


def mostly_ones(key: bytes, block: int) -> WordSource:
    """Words whose bits are one three times out of four."""
    stream = KeyStream(key, block)
    return Words(lambda _: stream.word() | stream.word())


def ignoring_the_block(key: bytes, _block: int) -> WordSource:
    """The same stream for every round."""
    return KeyStream(key)
