"""A trial: one statistical test with its p-value; and the verdict on all of them together (R-01, R-18)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Any

import numpy

from pitboss.randomness.probabilities import chi_square_ends, normal_two_sided, two_sided

__all__ = ["ALPHA", "EXPECTED_MIN", "Trial", "fit", "half_of", "rejected"]

ALPHA = 0.01
# Classes that are expected less often than this are counted as one.
EXPECTED_MIN = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """What one test found: of what, in how large a sample, its statistic, and how probable one so far out is.

    `degrees` is the chi-square's; a test without them counts standard deviations, or repetitions.
    """

    test: str
    of: str
    sample: int
    statistic: float
    degrees: int | None
    p: float


def fit(test: str, of: str, observed: Any, weights: Any) -> Trial:
    """Compare independent observations in classes with the exact weights of the classes, by chi-square.

    Rare classes are put together, with the rarest of the others where they are still too rare. An observation of
    something impossible has no probability at all.
    """
    counts, shares = numpy.asarray(observed, dtype=numpy.int64), numpy.asarray(weights, dtype=numpy.float64)
    sample = int(counts.sum())
    if counts[shares == 0].any():
        return Trial(test=test, of=of, sample=sample, statistic=float("inf"), degrees=None, p=0.0)
    expected = shares * (sample / shares.sum())
    seen, wanted = _pooled(counts, expected)
    statistic = float(((seen - wanted) ** 2 / wanted).sum())
    return chi_square(test, of, sample, statistic, len(wanted) - 1)


def _pooled(counts: Any, expected: Any) -> tuple[Any, Any]:
    order = numpy.argsort(expected, kind="stable")
    counts, expected = counts[order], expected[order]
    # The rarest classes, from the first on, until together they are expected often enough, and none alone is too rare.
    together = int(numpy.searchsorted(expected, EXPECTED_MIN))
    if together and together < len(expected):
        while expected[:together].sum() < EXPECTED_MIN and together < len(expected):
            together += 1
    if together < 2:
        return counts, expected
    return (
        numpy.concatenate(([counts[:together].sum()], counts[together:])),
        numpy.concatenate(([expected[:together].sum()], expected[together:])),
    )


def chi_square(test: str, of: str, sample: int, statistic: float, degrees: int) -> Trial:
    """Make the trial of a sum that has the chi-square distribution; without a degree of freedom there is no trial."""
    if degrees < 1:
        raise ValueError(f"{test} of {of}: a sample of {sample:,} is too small")
    p = two_sided(*chi_square_ends(statistic, degrees))
    return Trial(test=test, of=of, sample=sample, statistic=statistic, degrees=degrees, p=p)


def half_of(test: str, of: str, count: int, sample: int) -> Trial:
    """Compare a count with half of its sample."""
    z = (2 * count - sample) / sqrt(sample)
    return Trial(test=test, of=of, sample=sample, statistic=z, degrees=None, p=normal_two_sided(z))


def rejected(trials: Sequence[Trial], alpha: float = ALPHA) -> frozenset[int]:
    """Say which trials fail, by their places, so that a good generator fails any with probability alpha at most.

    This is Holm's step-down rule over all trials (R-18): the least p-value is held against alpha / m, the next against
    alpha / (m - 1), and so on to the first that passes. It holds whatever the trials have to do with each other.
    """
    order = sorted(range(len(trials)), key=lambda place: trials[place].p)
    failing = []
    for number, place in enumerate(order):
        if trials[place].p > alpha / (len(trials) - number):
            break
        failing.append(place)
    return frozenset(failing)
