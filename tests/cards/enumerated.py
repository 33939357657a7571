"""A source of small words that tries every sequence of them, one after another."""

from collections import Counter
from collections.abc import Callable, Hashable
from fractions import Fraction
from itertools import product
from typing import TypeVar

from pitboss.cards import WordSource

Result = TypeVar("Result", bound=Hashable)


class _OutOfWordsError(Exception):
    """The code under test asked for more words than the sequence has."""


class _Sequence:
    def __init__(self, bits: int, words: tuple[int, ...]) -> None:
        self.word_bits = bits
        self.words = words
        self.taken = 0

    def word(self) -> int:
        if self.taken == len(self.words):
            raise _OutOfWordsError
        self.taken += 1
        return self.words[self.taken - 1]


def results(bits: int, length: int, act: Callable[[WordSource], Result]) -> tuple[Counter[Result], Fraction]:
    """Act once on every sequence of so many words; count what comes out.

    Sequences that end in the middle of an act (by rejections) are not counted; the
    second value is their share. As all sequences are equally likely, equal counts
    are equal probabilities, exactly.
    """
    counts: Counter[Result] = Counter()
    unfinished = 0
    for sequence in product(range(2**bits), repeat=length):
        try:
            counts[act(_Sequence(bits, sequence))] += 1
        except _OutOfWordsError:
            unfinished += 1
    return counts, Fraction(unfinished, 2 ** (bits * length))
