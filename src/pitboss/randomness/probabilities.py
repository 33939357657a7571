"""Probabilities that verdicts rest on: both ends of a chi-square, a normal and a Poisson distribution.

Two-sided everywhere: a result that is too good is as suspicious as one that is too bad. These are statistics, not
odds: they are floating point, good to about ten digits.
"""

from __future__ import annotations

from math import erfc, exp, lgamma, log, sqrt

__all__ = ["chi_square_ends", "normal_two_sided", "poisson_at_least", "two_sided"]

_TINY = 1e-300
_NEGLIGIBLE = 1e-16


def two_sided(lower: float, upper: float) -> float:
    """Give the chance of a result at least so far out on either side, from the chances of both ends."""
    return min(1.0, 2.0 * min(lower, upper))


def chi_square_ends(statistic: float, degrees: int) -> tuple[float, float]:
    """Give the chances of at most and of at least this sum, for so many degrees of freedom."""
    a, x = degrees / 2, statistic / 2
    if x <= 0:
        return 0.0, 1.0
    if x < a + 1:
        lower = _lower_by_series(a, x)
        return lower, 1.0 - lower
    upper = _upper_by_fraction(a, x)
    return 1.0 - upper, upper


def _factor(a: float, x: float) -> float:
    """Give x**a * e**-x / Gamma(a)."""
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
    """Give the chance of a result at least so many standard deviations from the mean, on either side."""
    return erfc(abs(z) / sqrt(2.0))


def poisson_at_least(count: int, mean: float) -> float:
    """Give the chance of at least so many events where so many are expected."""
    return 1.0 if count == 0 else chi_square_ends(2.0 * mean, 2 * count)[0]
