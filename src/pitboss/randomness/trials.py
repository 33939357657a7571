"""A trial: one statistical test with its p-value; and the verdict on all of them together (R-01, R-18).

Two-sided everywhere: a result that is too good is as suspicious as one that is too bad. The probabilities are
statistics, not odds: they are floating point, good to about ten digits.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import erfc, exp, lgamma, log, sqrt
from typing import Any

import numpy

_TINY = 1e-300
_NEGLIGIBLE = 1e-16


def two_sided(lower: float, upper: float) -> float:
    """Return the chance of a result at least so far out on either side, from the chances of both ends."""
    return min(1.0, 2.0 * min(lower, upper))


def chi_square_ends(statistic: float, degrees: int) -> tuple[float, float]:
    """Return the chances of at most and of at least this sum, for so many degrees of freedom."""
    a, x = degrees / 2, statistic / 2
    if x <= 0:
        return 0.0, 1.0
    if x < a + 1:
        lower = _lower_by_series(a, x)
        return lower, 1.0 - lower
    upper = _upper_by_fraction(a, x)
    return 1.0 - upper, upper


def _factor(a: float, x: float) -> float:
    """Return x**a * e**-x / Gamma(a)."""
    exponent = a * log(x) - x - lgamma(a)
    return exp(exponent) if exponent > log(_TINY) else 0.0


def _lower_by_series(a: float, x: float) -> float:
    """Sum the series of the lower regularised incomplete gamma function, which converges fast below a."""
    term = total = 1.0 / a
    n = a
    while term > total * _NEGLIGIBLE:
        n += 1.0
        term *= x / n
        total += term
    return min(1.0, total * _factor(a, x))


def _upper_by_fraction(a: float, x: float) -> float:
    """Follow the continued fraction of the upper regularised incomplete gamma function (Lentz), for x above a."""
    b = x + 1.0 - a
    c = 1.0 / _TINY
    d = 1.0 / b
    value = d
    step, i = 0.0, 0
    while abs(step - 1.0) > _NEGLIGIBLE * 10:
        i += 1
        numerator = -i * (i - a)
        b += 2.0
        d = numerator * d + b
        d = 1.0 / (d if abs(d) > _TINY else _TINY)
        c = b + numerator / c
        c = c if abs(c) > _TINY else _TINY
        step = c * d
        value *= step
    return min(1.0, value * _factor(a, x))


def normal_two_sided(z: float) -> float:
    """Return the chance of a result at least so many standard deviations from the mean, on either side."""
    return erfc(abs(z) / sqrt(2.0))


def poisson_at_least(count: int, mean: float) -> float:
    """Return the chance of at least so many events where so many are expected."""
    return 1.0 if count == 0 else chi_square_ends(2.0 * mean, 2 * count)[0]


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
    seen, expectations = _pooled(counts, expected)
    statistic = float(((seen - expectations) ** 2 / expectations).sum())
    return chi_square(test, of, sample, statistic, len(expectations) - 1)


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
    """Return which trials fail, by their places, so that a good generator fails any with probability alpha at most.

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
