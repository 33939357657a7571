"""Units: the integers a meter is kept in, fine enough that 17.3 % of a dollar is exact (G-3)."""

from __future__ import annotations

from fractions import Fraction

from pitboss.rules.money import dollars

__all__ = ["UNITS_PER_CENT", "cents_shown", "exact_units", "units_of", "units_text"]

UNITS_PER_CENT = 10_000


def units_of(cents: int) -> int:
    """Turn whole cents into units."""
    return cents * UNITS_PER_CENT


def cents_shown(units: int) -> int:
    """Give the whole cents that a display shows: rounded down, the fraction stays on the meter (G-3)."""
    return units // UNITS_PER_CENT


def exact_units(rate: Fraction, cents: int) -> int | None:
    """Give the units that are this part of an amount, or nothing where it is no whole number of them."""
    part = rate * units_of(cents)
    return part.numerator if part.denominator == 1 else None


def units_text(units: int) -> str:
    """Print units as dollars: whole cents as usual, a fraction of a cent with all its digits."""
    cents, rest = divmod(abs(units), UNITS_PER_CENT)
    sign = "-" if units < 0 else ""
    return sign + dollars(cents) + (f"{rest:04d}" if rest else "")
