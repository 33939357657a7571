"""Shuffled shoes on trial: cards by position, neighbours, cards at home, cards that stay from round to round (R-10)."""

from __future__ import annotations

from dataclasses import dataclass
from math import factorial
from typing import Any

import numpy

from pitboss.cards import KeyStream, shuffled
from pitboss.odds.compiled import compiled, make_compilable
from pitboss.randomness import loops
from pitboss.randomness.probabilities import poisson_at_least
from pitboss.randomness.trials import Trial, chi_square, fit

__all__ = ["ShoeTally", "Shoes", "deal_shoes", "fixed_point_weights", "opening_trial", "shoe_trials"]

_SPARE_WORDS = 12
_OPENING_BITS = 64


@dataclass(frozen=True, slots=True, eq=False)
class Shoes:
    """Shoes of rounds one after another, as places in new-deck order, with the first 64 bits of each stream."""

    orders: Any
    openings: Any


def deal_shoes(key: bytes, first_block: int, rounds: int, size: int) -> Shoes:
    """Deal as many rounds as asked, a block of the key each, exactly as the live door does."""
    make_compilable(loops)
    pieces = -(-(size + _SPARE_WORDS) // loops.PIECE_WORDS)
    orders = numpy.zeros((rounds, size), dtype=numpy.uint16)
    openings = numpy.zeros((rounds, 2), dtype=numpy.int64)
    short = numpy.zeros(rounds, dtype=numpy.uint8)
    compiled(loops.deal_rounds)(
        numpy.frombuffer(key, dtype="<u4").astype(numpy.int64),
        numpy.array([first_block >> 32 * part & 0xFFFFFFFF for part in range(3)], dtype=numpy.int64),
        pieces,
        numpy.zeros(pieces * loops.PIECE_WORDS, dtype=numpy.int64),
        orders,
        openings,
        short,
    )
    # So many rejections that the words ran out: dealt by the plain code.
    for index in numpy.flatnonzero(short):
        orders[index] = shuffled(range(size), KeyStream(key, first_block + int(index)))
    return Shoes(orders, openings[:, 0] | openings[:, 1] << 32)


class ShoeTally:
    """What is counted in shoes of one size."""

    __slots__ = ("carried", "fixed", "neighbours", "positions")

    def __init__(self, size: int) -> None:
        self.positions, self.neighbours = (numpy.zeros((size, size), dtype=numpy.int64) for _ in range(2))
        self.fixed, self.carried = (numpy.zeros(size + 1, dtype=numpy.int64) for _ in range(2))

    def add(self, orders: Any) -> None:
        """Count these shoes; cards that stay are counted from one of them to the next."""
        make_compilable(loops)
        compiled(loops.tally_shoes)(orders, self.positions, self.neighbours, self.fixed, self.carried)

    def merge(self, other: ShoeTally) -> None:
        """Add what another has counted."""
        for name in self.__slots__:
            mine: Any = getattr(self, name)
            mine += getattr(other, name)


def fixed_point_weights(size: int) -> Any:
    """Give the probability of each number of cards at home, exactly but for the last rounding.

    Of all orders, comb(size, k) times the derangements of the rest leave k cards at home.
    """
    derangements = [1, 0]
    for n in range(2, size + 1):
        derangements.append((n - 1) * (derangements[-1] + derangements[-2]))
    return numpy.array([derangements[size - k] / (factorial(k) * factorial(size - k)) for k in range(size + 1)])


def shoe_trials(of: str, tally: ShoeTally) -> list[Trial]:
    """Try what was counted."""
    weights = fixed_point_weights(len(tally.positions))
    return [
        _positions(of, tally.positions),
        _neighbours(of, tally.neighbours),
        fit("fixed points", of, tally.fixed, weights),
        fit("carried over", f"{of}, round to round", tally.carried, weights),
    ]


def _positions(of: str, counts: Any) -> Trial:
    """Every card lies at every position equally often.

    All rows and columns have the same sum, so the sum over all cells has mean n * (n - 1), and times (n - 1) / n the
    distribution of (n - 1)**2 degrees of freedom.
    """
    size, rounds = len(counts), int(counts[0].sum())
    expected = rounds / size
    statistic = float(((counts - expected) ** 2).sum() / expected) * (size - 1) / size
    return chi_square("card by position", of, rounds, statistic, (size - 1) ** 2)


def _neighbours(of: str, counts: Any) -> Trial:
    """Every card follows every other equally often; the first card follows the last.

    Each shoe is then one cycle through all cards, and all cycles are equally likely. Pairs that do not exclude each
    other come together with probability 1 / ((n - 1)(n - 2)), a pair and its reverse never; so of the deviations from
    the mean the part that a pair shares with its reverse has variance N / (n - 1), the rest n / (n - 2) times that,
    with n * (n - 3) / 2 and (n - 1)(n - 2) / 2 degrees of freedom.
    """
    size, rounds = len(counts), int(counts[0].sum())
    expected = rounds / (size - 1)
    deviations = counts - expected
    numpy.fill_diagonal(deviations, 0)
    alike, apart = (deviations + deviations.T) / 2, (deviations - deviations.T) / 2
    statistic = float((alike**2).sum() + (apart**2).sum() * (size - 2) / size) / expected
    return chi_square("neighbour pairs", of, rounds, statistic, size**2 - 3 * size + 1)


def opening_trial(openings: Any) -> Trial:
    """No two rounds begin with the same 64 bits (R-04): repetitions come by chance N * (N - 1) / 2**65 times."""
    rounds = len(openings)
    ordered = numpy.sort(openings)
    repeated = int((ordered[1:] == ordered[:-1]).sum())
    p = poisson_at_least(repeated, rounds * (rounds - 1) / 2 ** (_OPENING_BITS + 1))
    return Trial(
        test="repeated streams",
        of=f"first {_OPENING_BITS} bits of rounds",
        sample=rounds,
        statistic=float(repeated),
        degrees=None,
        p=p,
    )
