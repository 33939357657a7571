"""Dealing by the hundred million: the first cards of a shuffled shoe, from the key stream of a block, compiled."""

from typing import Any

import numpy

from pitboss.cards import Deck, stream_cipher
from pitboss.odds.compiled import compiled

_WORD_BITS = 32
_LOW = (1 << _WORD_BITS) - 1
_WORD_BYTES = 4


def loop_deal(words: Any, at: int, rounds: int, place_of: Any, swapped: Any, faces: Any, cards: Any) -> tuple[int, int]:
    """Deal rounds from these words, and say how many rounds were dealt and how many words that took.

    The first steps of a Fisher-Yates shuffle from the top: card i changes places with one of those from i on, drawn by
    Lemire's multiplication with rejection as `cards.draw_below` does. `place_of` is 0, 1, 2 … and is so again after
    every round. A round for which the words do not suffice is not begun as far as the answer is concerned.
    """
    size = cards.shape[1]
    for dealt in range(rounds):
        begun = at
        drawn = 0
        while drawn < size and at < len(words):
            left = len(place_of) - drawn
            product = numpy.int64(words[at]) * left
            at += 1
            # The remainder is less than what is left: only where the low bits are too, is the division needed.
            if product & _LOW < left and product & _LOW < (1 << _WORD_BITS) % left:
                continue
            place = drawn + (product >> _WORD_BITS)
            cards[dealt, drawn] = faces[place_of[place]]
            place_of[place] = place_of[drawn]
            swapped[drawn] = place
            drawn += 1
        for step in range(drawn):
            place_of[swapped[step]] = swapped[step]
        if drawn < size:
            return dealt, begun
    return rounds, at


class Dealer:
    """Deals the rounds of one block in order; the block number is the nonce, so that it is the same everywhere."""

    def __init__(self, key: bytes, block: int, deck: Deck, cards: int, rounds: int) -> None:
        """Make ready to deal so many cards a round, at most `rounds` rounds at a time."""
        self._cipher = stream_cipher(key, block)
        self._zeros = memoryview(bytes(_WORD_BYTES * (rounds * cards + _WORD_BITS)))
        self._bytes = memoryview(bytearray(len(self._zeros)))
        self._words: Any = numpy.frombuffer(self._bytes, dtype="<u4")
        self._at = len(self._words)
        self._faces = numpy.array(deck.cards, dtype=numpy.int64)
        self._place_of = numpy.arange(deck.size, dtype=numpy.int64)
        self._swapped = numpy.zeros(cards, dtype=numpy.int64)
        self.cards = numpy.zeros((rounds, cards), dtype=numpy.int64)
        self._loop = compiled(loop_deal)

    def deal(self, rounds: int) -> int:
        """Deal up to so many of the next rounds into `cards`, and say how many: at least one."""
        left = len(self._words) - self._at
        self._words[:left] = self._words[self._at :]
        missing = _WORD_BYTES * self._at
        self._cipher.update_into(self._zeros[:missing], self._bytes[_WORD_BYTES * left :])
        arrays = (self._place_of, self._swapped, self._faces, self.cards)
        dealt, self._at = self._loop(self._words, 0, min(rounds, len(self.cards)), *arrays)
        if not dealt:
            raise RuntimeError("a round took more words than a whole chunk of rounds should")
        return int(dealt)
