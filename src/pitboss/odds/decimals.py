"""Exact numbers as decimal text: rounded as stated, without floats."""

from fractions import Fraction
from math import isqrt


def decimal_text(value: Fraction, places: int, *, is_report: bool = False) -> str:
    """Format a number to so many decimal places, rounded half away from zero; without floats.

    Reports have always rounded half to even and grouped thousands, and their printed figures stay as they are.
    """
    scaled = abs(value) * 10**places
    half_up = (2 * scaled.numerator + scaled.denominator) // (2 * scaled.denominator)
    rounded = round(scaled) if is_report else half_up
    sign = "-" if value < 0 and rounded else ""
    return f"{sign}{_placed(rounded, places, ',' if is_report else '')}"


def root_text(value: Fraction, places: int) -> str:
    """Write the square root to so many decimal places, rounded down."""
    scale = 10**places
    return _placed(isqrt(value.numerator * scale * scale // value.denominator), places)


def ratio_text(value: Fraction) -> str:
    """Write a number exactly, as "numerator/denominator"."""
    return f"{value.numerator}/{value.denominator}"


def _placed(units: int, places: int, grouping: str = "") -> str:
    whole, rest = divmod(units, 10**places)
    return f"{whole:{grouping}}.{rest:0{places}d}" if places else f"{whole:{grouping}}"
