"""Raw words on trial: frequency, serial pairs, runs, gaps and permutations (R-02)."""

from __future__ import annotations

from math import factorial, isqrt
from typing import Any

import numpy

from pitboss.odds.compiled import compiled, make_compilable
from pitboss.randomness import loops
from pitboss.randomness.trials import Trial, chi_square, fit, half_of

__all__ = ["BYTES_MIN", "word_trials"]

# A pair of bytes is then expected 32 times.
BYTES_MIN = 1 << 22
_WORD_BITS = 32
_GAP_BELOW = 16
_LONGEST_RUN, _LONGEST_GAP = 64, 1024
_GROUP = 5
_DEVIATIONS = 8


def word_trials(stream: bytes) -> list[Trial]:
    """Try the bytes of a stream, also as words of 32 bits in little-endian order."""
    if len(stream) < BYTES_MIN:
        raise ValueError(f"{len(stream):,} bytes are too few: a trial takes {BYTES_MIN:,} at least")
    make_compilable(loops)
    usable = len(stream) // 4 * 4
    numbers = numpy.frombuffer(stream, dtype=numpy.uint8, count=usable)
    words = numpy.frombuffer(stream, dtype="<u4", count=usable // 4).astype(numpy.int64)
    return [*_bits(words), *_bytes(numbers), _runs(words), _gaps(numbers), _orders(words)]


def _bits(words: Any) -> list[Trial]:
    """Ones among all bits; ones by place in the word; bits that change from one word to the next, likewise."""
    ones, changes = (numpy.zeros(_WORD_BITS, dtype=numpy.int64) for _ in range(2))
    compiled(loops.tally_bits)(words, ones, changes)
    size = len(words)
    return [
        half_of("frequency", "bits", int(ones.sum()), _WORD_BITS * size),
        _places("frequency by place", "bits", ones, size),
        half_of("serial", "bits of words in a row", int(changes.sum()), _WORD_BITS * (size - 1)),
        _places("serial by place", "bits of words in a row", changes, size - 1),
    ]


def _places(test: str, of: str, ones: Any, size: int) -> Trial:
    """Compare the ones at each place with half the words; the places are independent of each other."""
    statistic = float(((2 * ones - size) ** 2 / size).sum())
    return chi_square(test, of, size, statistic, _WORD_BITS)


def _bytes(numbers: Any) -> list[Trial]:
    single, pairs = (numpy.zeros(256**power, dtype=numpy.int64) for power in (1, 2))
    compiled(loops.tally_bytes)(numbers, single, pairs)
    return [
        fit("frequency", "bytes", single, numpy.ones_like(single)),
        fit("serial", "pairs of bytes", pairs, numpy.ones_like(pairs)),
    ]


def _surely(tries: int, odds: int) -> int:
    """So many events of one in `odds` are found in so many tries, but for one time in 10**15.

    Their number must be fixed before looking: lengths are independent only for the first so many runs or gaps.
    """
    return tries // odds - _DEVIATIONS * isqrt(tries // odds)


def _runs(words: Any) -> Trial:
    """Lengths of runs of equal bits: each is one half as frequent as the one before."""
    lengths = numpy.zeros(_LONGEST_RUN + 1, dtype=numpy.int64)
    wanted = _surely(_WORD_BITS * len(words), 2)
    found = compiled(loops.tally_runs)(words, wanted, lengths)
    weights = 0.5 ** numpy.arange(_LONGEST_RUN + 1)
    weights[0], weights[-1] = 0, weights[-2]
    return _lengths("runs", "equal bits", found, wanted, lengths, weights)


def _gaps(numbers: Any) -> Trial:
    """Lengths of gaps between bytes less than 16."""
    lengths = numpy.zeros(_LONGEST_GAP + 1, dtype=numpy.int64)
    odds = 256 // _GAP_BELOW
    wanted = _surely(len(numbers), odds)
    found = compiled(loops.tally_gaps)(numbers, _GAP_BELOW, wanted, lengths)
    weights = (1 - 1 / odds) ** numpy.arange(_LONGEST_GAP + 1) / odds
    weights[-1] *= odds
    return _lengths("gap", f"bytes less than {_GAP_BELOW}", found, wanted, lengths, weights)


def _lengths(test: str, of: str, found: int, wanted: int, lengths: Any, weights: Any) -> Trial:
    if found < wanted:
        return Trial(test=test, of=of, sample=found, statistic=float("inf"), degrees=None, p=0.0)
    return fit(test, of, lengths, weights)


def _orders(words: Any) -> Trial:
    """Orders of five words: all 120 are equally frequent."""
    orders = numpy.zeros(factorial(_GROUP), dtype=numpy.int64)
    compiled(loops.tally_orders)(words, _GROUP, orders)
    return fit("permutation", f"groups of {_GROUP} words", orders, numpy.ones_like(orders))
