"""Figures as people print them: exact money with as many places as a column needs, decimals, instants by the clock."""

from __future__ import annotations

import datetime
from collections.abc import Iterable
from fractions import Fraction
from zoneinfo import ZoneInfo

from pitboss.books.entries import EPOCH
from pitboss.meters import UNITS_PER_CENT

__all__ = ["clock_text", "decimal_text", "money_places", "money_text", "ratio_places", "units_words"]

_UNITS = 100 * UNITS_PER_CENT
_PLACES = 6


def money_places(units: Iterable[int]) -> int:
    """How many places after the point show these amounts exactly: two at least, six at most (G-3)."""
    most = 2
    for each in units:
        while each % 10 ** (_PLACES - most):
            most += 1
    return most


def money_text(units: int, places: int = 2, *, plain: bool = False) -> str:
    """Print units as dollars with so many places, which must show them exactly; plain is without sign and commas."""
    whole, rest = divmod(abs(units), _UNITS)
    digits = f"{rest:0{_PLACES}d}"
    if digits[places:].strip("0"):
        raise AssertionError(f"{units} units are not shown by {places} places")
    sign = "-" if units < 0 else ""
    return f"{sign}{whole}.{digits[:places]}" if plain else f"{sign}${whole:,}.{digits[:places]}"


def units_words(units: int) -> str:
    """Print units as dollars with no more places than they need."""
    return money_text(units, money_places([units]))


def ratio_places(values: Iterable[Fraction]) -> int:
    """How many places show the smallest of these ratios with a few figures: two, four or six."""
    least = min((abs(each) for each in values if each), default=Fraction(1))
    return 2 if least >= 1 else 4 if least >= Fraction(1, 100) else 6


def decimal_text(value: Fraction, places: int) -> str:
    """Print a fraction with so many places, rounded half to even; no float is used."""
    scaled = round(value * 10**places)
    whole, rest = divmod(abs(scaled), 10**places)
    return f"{'-' if scaled < 0 else ''}{whole:,}.{rest:0{places}d}"


def clock_text(instant: int, zone: ZoneInfo) -> str:
    """Print an instant by the clocks of a zone, with the zone's short name."""
    return f"{(EPOCH + datetime.timedelta(microseconds=instant)).astimezone(zone):%Y-%m-%d %H:%M:%S %Z}"
