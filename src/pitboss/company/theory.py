"""Hits beside what is exactly to be expected: probabilities of a Poisson count, and the range of most such rooms.

Rows that are hit at least once in a hundred wagers are left out: their counts are no rare events. For the rest the
Poisson count is that of independent wagers, exact to the chance that one round has the same row twice.
"""

import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any

_RARE = 100
_STRANGE, _ODD = 0.001, 0.025
_EXPECTED_MAX = 1_000_000
"""More hits of a rare row than any room has in a year; the work of a range grows with them."""
_PLAIN = re.compile(r"-?\d{1,400}(?:/\d{1,400}|\.\d{1,40})?")


@dataclass(frozen=True, slots=True, kw_only=True)
class HitTheory:
    """A row of a pay table: wagers, expected and actual hits, the range of 95 in 100 rooms, and how far out it is.

    `tail` is the probability of a count at least as far out on the same side.
    """

    jackpot: str
    game: str
    row: str
    wagers: int
    expected: Fraction
    actual: int
    low: int
    high: int
    tail: float

    @property
    def state(self) -> str:
        """How strange the count is: as usual, out of the range of 95 in 100 rooms, or of 998 in 1,000."""
        return "danger" if self.tail < _STRANGE else "warn" if self.tail < _ODD else "ok"


def poisson(mean: float, count: int) -> float:
    """Return the probability of a count."""
    return math.exp(count * math.log(mean) - mean - math.lgamma(count + 1)) if mean > 0 else float(count == 0)


def below(mean: float, count: int) -> float:
    """Return the probability of at most this count, summed on the side of the mean where its terms fall."""
    if count < 0:
        return 0.0
    if count > mean:
        return 1.0 - above(mean, count + 1)
    return min(1.0, math.fsum(_terms(mean, count)))


def _terms(mean: float, count: int) -> Iterable[float]:
    term = poisson(mean, count)
    while count >= 0 and term > 0:
        yield term
        term = term * count / mean if mean > 0 else 0.0
        count -= 1


def above(mean: float, count: int) -> float:
    """Return the probability of at least this count."""
    if count <= mean:
        return 1.0 - below(mean, count - 1)
    total, term = 0.0, poisson(mean, count)
    while term > total * 1e-17:
        total, count = total + term, count + 1
        term *= mean / count
    return total


@lru_cache(maxsize=4_096)
def limits(mean: float) -> tuple[int, int]:
    """Return the least range of counts that leaves out at most 2.5% on each side."""
    low = high = int(mean)
    while low > 0 and below(mean, low - 1) > _ODD:
        low -= 1
    while above(mean, high + 1) > _ODD:
        high += 1
    return low, high


def hit_theory(rows: Iterable[Mapping[str, Any]]) -> tuple[HitTheory, ...]:
    """Return the rare rows of the report of hits expected and actual."""
    results = []
    for row in rows:
        if row["one_in"] is None or row["expected"] is None or _plain(row["one_in"]) < _RARE:
            continue
        expected = _plain(row["expected"])
        if expected > _EXPECTED_MAX:
            raise ValueError(f"no room has so many hits of a rare row: {row['row']}")
        if expected >= 0 and row["wagers"]:
            names = (row["jackpot"], row["game"], row["row"])
            results.append(_theory(names, row["wagers"], expected, row["actual"]))
    return tuple(results)


def _plain(text: str) -> Fraction:
    """Return a figure of a room; an exponent, which may stand for gigabytes of digits, is none."""
    if not _PLAIN.fullmatch(text):
        raise ValueError(f"{text[:40]!r} is no figure")
    return Fraction(text)


def together(results: Iterable[HitTheory]) -> tuple[HitTheory, ...]:
    """Return the rows of several rooms added up, by game and hand."""
    sums: dict[tuple[str, str], list[Any]] = {}
    for result in results:
        entry = sums.setdefault((result.game, result.row), [0, Fraction(0), 0])
        entry[0] += result.wagers
        entry[1] += result.expected
        entry[2] += result.actual
    return tuple(_theory(("", *names), *entry) for names, entry in sums.items())


def _theory(names: tuple[str, str, str], wagers: int, expected: Fraction, actual: int) -> HitTheory:
    mean = float(expected)
    low, high = limits(mean)
    tail = above(mean, actual) if actual > mean else below(mean, actual)
    jackpot, game, row = names
    return HitTheory(
        jackpot=jackpot,
        game=game,
        row=row,
        wagers=wagers,
        expected=expected,
        actual=actual,
        low=low,
        high=high,
        tail=tail,
    )
