"""Chances that statistics ask for: how rare a chi-square or a normal deviate as large as this is."""

from __future__ import annotations

from math import erfc, exp, lgamma, log, sqrt

__all__ = ["chi_square_chance", "normal_chance"]

_STEPS = 10_000
_NEAR = 1e-15


def normal_chance(z: float) -> float:
    """Give the chance that a normal deviate is at least this far from zero on either side."""
    return erfc(abs(z) / sqrt(2))


def chi_square_chance(value: float, degrees: int) -> float:
    """Give the chance that a chi-square of so many degrees of freedom is at least this large.

    This is the upper regularised incomplete gamma function at half of each: by its series for small values, else by
    its continued fraction (Lentz).
    """
    if degrees < 1:
        raise ValueError(f"degrees is {degrees}; it must be at least 1")
    if value <= 0:
        return 1.0
    a, x = degrees / 2, value / 2
    front = exp(a * log(x) - x - lgamma(a))
    return 1 - front * _series(a, x) if x < a + 1 else front * _fraction(a, x)


def _series(a: float, x: float) -> float:
    term = total = 1 / a
    for step in range(1, _STEPS):
        term *= x / (a + step)
        total += term
        if term < total * _NEAR:
            break
    return total


def _fraction(a: float, x: float) -> float:
    tiny = 1e-300
    b = x + 1 - a
    c, d = 1 / tiny, 1 / b
    h = d
    for step in range(1, _STEPS):
        number = -step * (step - a)
        b += 2
        d = 1 / (number * d + b or tiny)
        c = b + number / c or tiny
        h *= d * c
        if abs(d * c - 1) < _NEAR:
            break
    return h
