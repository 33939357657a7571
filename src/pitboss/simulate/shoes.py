"""Rounds from one shoe until a cut card comes out: dealt in order, and what the depth of the shoe changes."""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from math import sqrt
from typing import Any, NamedTuple

import numpy

from pitboss.cards import Deck, stream_cipher
from pitboss.odds.compiled import compiled

_WORD_BITS = 32
_LOW = (1 << _WORD_BITS) - 1
_WORD_BYTES = 4
BANDS = 4


def loop_draw(words: Any, at: int, first: int, place_of: Any, faces: Any, cards: Any) -> int:
    """Draw a round's cards from place `first` of the shoe on, and return the next word; -1 where they do not suffice.

    Each card is any of those not yet dealt, drawn as `loop_deal` does.
    """
    drawn = 0
    while drawn < len(cards):
        if at >= len(words):
            return -1
        left = len(place_of) - first - drawn
        product = numpy.int64(words[at]) * left
        at += 1
        if product & _LOW < left and product & _LOW < (1 << _WORD_BITS) % left:
            continue
        here, place = first + drawn, first + drawn + (product >> _WORD_BITS)
        place_of[here], place_of[place] = place_of[place], place_of[here]
        cards[drawn] = faces[place_of[here]]
        drawn += 1
    return at


class ShoeDealer:
    """Deals the rounds of one block in order, each from where the last one ended, until the cut card comes out.

    Then the shoe is shuffled, as it is before the first round. `used` tells which of a round's cards were dealt: one
    that a seat gave up is the next card of the shoe.
    """

    def __init__(
        self,
        key: bytes,
        block: int,
        deck: Deck,
        cut_card: int,
        shape: tuple[int, int],
        used: Callable[[Any, Any], None],
    ) -> None:
        """Make ready to deal rounds of so many cards, some at a time: `shape` is rounds and cards."""
        self._cipher = stream_cipher(key, block)
        self._zeros = memoryview(bytes(_WORD_BYTES * (shape[1] + _WORD_BITS) * 64))
        self._words: Any = numpy.zeros(0, dtype="<u4")
        self._at = 0
        self._cut_card = cut_card
        self._used = used
        self._faces = numpy.array(deck.cards, dtype=numpy.int64)
        self._place_of = numpy.arange(deck.size, dtype=numpy.int64)
        self._drawn = 0
        self.cards = numpy.zeros(shape, dtype=numpy.int64)
        self.depths = numpy.zeros(shape[0], dtype=numpy.int64)
        self._loop = compiled(loop_draw)

    def deal(self, rounds: int) -> int:
        """Deal up to so many of the next rounds into `cards`, with how many cards were dealt before each."""
        count = min(rounds, len(self.cards))
        flags = numpy.zeros(self.cards.shape[1], dtype=numpy.bool_)
        for place in range(count):
            if self._drawn >= self._cut_card:
                self._drawn = 0
            self.depths[place] = first = self._drawn
            self._draw(first, self.cards[place])
            self._used(self.cards[place], flags)
            here = self._place_of[first : first + len(flags)]
            here[:] = numpy.concatenate((here[flags], here[~flags]))
            self._drawn = first + int(flags.sum())
        return count

    def _draw(self, first: int, cards: Any) -> None:
        while (at := self._loop(self._words, self._at, first, self._place_of, self._faces, cards)) < 0:
            fresh = numpy.frombuffer(self._cipher.update(bytes(self._zeros)), dtype="<u4")
            self._words, self._at = numpy.concatenate((self._words[self._at :], fresh)), 0
        self._at = at


class DepthSums(NamedTuple):
    """Sums over rounds by band of depth: rounds, by wager cents won and their squares; gains by memory and squares."""

    rounds: Any
    won: Any
    squares: Any
    gains: Any

    @classmethod
    def empty(cls, wagers: int) -> "DepthSums":
        """Return sums over no round."""
        rounds = numpy.zeros(BANDS, dtype=numpy.int64)
        won, squares = (numpy.zeros((BANDS, wagers), dtype=numpy.int64) for _ in range(2))
        return cls(rounds, won, squares, numpy.zeros((BANDS, 2), dtype=numpy.float64))

    def add(self, bands: Any, won: Any, gains: Any) -> None:
        """Add rounds: the band of each, the cents won by wager, and what memory would have added."""
        numpy.add.at(self.rounds, bands, 1)
        numpy.add.at(self.won, bands, won)
        numpy.add.at(self.squares, bands, won * won)
        numpy.add.at(self.gains, bands, numpy.stack((gains, gains * gains), axis=1))

    def plus(self, other: "DepthSums") -> "DepthSums":
        """Return the sums of both."""
        return DepthSums(*(one + two for one, two in zip(self, other, strict=True)))


class Estimate(NamedTuple):
    """A mean of simulated rounds, per unit of the base stake, with its standard error."""

    mean: float
    standard_error: float


@dataclass(frozen=True, slots=True, kw_only=True)
class DepthBand:
    """Rounds begun after so many cards: what each wager wins, and what one who remembers every card gains.

    `remembered` is what the main wager of the first seat is worth more to a player who decides by all cards of earlier
    rounds, on the expectation at each decision; nothing where the game does not count it.
    """

    from_cards: int
    below_cards: int
    rounds: int
    wagers: dict[str, Estimate]
    remembered: Estimate | None


def depth_bands(
    sums: DepthSums, cut_card: int, base_cents: dict[str, tuple[int, int]], *, remembers: bool
) -> tuple[DepthBand, ...]:
    """Turn sums into means; `base_cents` has by wager its place and the base stakes of all seats."""
    bands = []
    for band in range(BANDS):
        rounds = int(sums.rounds[band])
        if not rounds:
            continue
        wagers = {
            name: _estimate(rounds, int(sums.won[band, place]), int(sums.squares[band, place]), base)
            for name, (place, base) in base_cents.items()
        }
        gain, square = map(float, sums.gains[band])
        bands.append(
            DepthBand(
                from_cards=-(-band * cut_card // BANDS),
                below_cards=-(-(band + 1) * cut_card // BANDS),
                rounds=rounds,
                wagers=wagers,
                remembered=_estimate(rounds, gain, square, 1) if remembers else None,
            )
        )
    return tuple(bands)


def _estimate(rounds: int, total: float, squares: float, unit: int) -> Estimate:
    mean = Fraction(total) / rounds
    variance = max(Fraction(squares) / rounds - mean**2, Fraction(0))
    return Estimate(float(mean / unit), sqrt(variance / rounds) / unit)
