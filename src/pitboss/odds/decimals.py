"""Exact numbers as decimal text: rounded as stated, without floats."""

from __future__ import annotations

from fractions import Fraction
from math import isqrt


def decimal_text(value: Fraction, places: int) -> str:
    """Write a number to so many decimal places, rounded half away from zero."""
    scaled = abs(value) * 10**places
    rounded = (2 * scaled.numerator + scaled.denominator) // (2 * scaled.denominator)
    sign = "-" if value < 0 and rounded else ""
    return f"{sign}{_placed(rounded, places)}"


def root_text(value: Fraction, places: int) -> str:
    """Write the square root to so many decimal places, rounded down."""
    scale = 10**places
    return _placed(isqrt(value.numerator * scale * scale // value.denominator), places)


def ratio_text(value: Fraction) -> str:
    """Write a number exactly, as "numerator/denominator"."""
    return f"{value.numerator}/{value.denominator}"


def _placed(units: int, places: int) -> str:
    whole, rest = divmod(units, 10**places)
    return f"{whole}.{rest:0{places}d}" if places else str(whole)
