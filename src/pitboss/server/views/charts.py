"""A small chart of an amount through time: steps, as a meter goes, worked out in whole numbers and laid out as SVG."""

import datetime
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import NamedTuple
from zoneinfo import ZoneInfo

from pitboss.books import EPOCH
from pitboss.meters import UNITS_PER_CENT, cents_shown
from pitboss.server.views.formatting import clock, clock_text, dollars, short_day

WIDTH, HEIGHT = 900, 220
LEFT, RIGHT, TOP, BOTTOM = 84, 40, 24, 26
_DAY = 24 * 60 * 60 * 1_000_000
_POINTS_MAX = 400
Point = tuple[int, int]
"""An instant in microseconds, and what stood there from then on, in units."""


class Tick(NamedTuple):
    """A line of the scale: where, and what it says."""

    at: int
    text: str


class Mark(NamedTuple):
    """Where the amount falls, and by how much: a payout, a correction, money moved."""

    x: int
    y: int
    text: str


class Chart(NamedTuple):
    """Everything that is drawn, in the units of the drawing, and what it says in words."""

    line: str
    rows: tuple[Tick, ...]
    columns: tuple[Tick, ...]
    marks: tuple[Mark, ...]
    words: str
    width: int = WIDTH
    height: int = HEIGHT
    left: int = LEFT
    right: int = WIDTH - RIGHT
    bottom: int = HEIGHT - BOTTOM


def money_ticks(low: int, high: int, most: int = 5) -> list[int]:
    """Round amounts in units, 1, 2 or 5 of a power of ten apart, from below the lowest to above the highest."""
    step = UNITS_PER_CENT
    while True:
        for factor in (1, 2, 5):
            size = step * factor
            first, last = low // size, -(-high // size)
            if last - first < most:
                return [step_number * size for step_number in range(first, max(last, first + 1) + 1)]
        step *= 10


def thinned(points: Sequence[Point], most: int = _POINTS_MAX) -> list[Point]:
    """Keep so many points at about equal distances, the first, the last, and both sides of every fall."""
    if len(points) <= most:
        return list(points)
    every = -(-len(points) // most)
    falls = {place for place in range(1, len(points)) if points[place][1] < points[place - 1][1]}
    places = {0, len(points) - 1, *range(0, len(points), every), *falls, *(place - 1 for place in falls)}
    return [points[place] for place in sorted(places)]


def _day_ticks(begins: int, ends: int, zone: ZoneInfo) -> list[tuple[int, str]]:
    """Midnights by the room's clocks, no more than ten of them; within two days every six hours."""
    first = (EPOCH + datetime.timedelta(microseconds=begins)).astimezone(zone).replace(tzinfo=None)
    days = (ends - begins) // _DAY
    hours = 6 if days < 2 else 24 * (days // 9 + 1)
    local = first.replace(hour=0, minute=0, second=0, microsecond=0)
    ticks: list[tuple[int, str]] = []
    while True:
        instant = (local.replace(tzinfo=zone) - EPOCH) // datetime.timedelta(microseconds=1)
        if instant > ends:
            return ticks
        if instant >= begins:
            ticks.append((instant, clock(local) if local.hour else short_day(local)))
        local += datetime.timedelta(hours=hours)


def step_chart(points: Sequence[Point], begins: int, ends: int, zone: ZoneInfo) -> Chart | None:
    """Draw an amount between two instants; the last point goes on to the end. Nothing to draw is nothing."""
    if not points or ends <= begins:
        return None
    drawn = thinned(points)
    amounts = [units for _, units in points]
    rows = money_ticks(min(amounts), max(amounts))
    low, high = rows[0], rows[-1]
    wide, tall = WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM

    def x(instant: int) -> int:
        return LEFT + (min(max(instant, begins), ends) - begins) * wide // (ends - begins)

    def y(units: int) -> int:
        return TOP + tall - (units - low) * tall // (high - low)

    steps = "".join(f"H{x(instant)}V{y(units)}" for instant, units in drawn[1:])
    line = f"M{x(drawn[0][0])} {y(drawn[0][1])}{steps}H{x(ends)}"
    falls = tuple(
        Mark(x(instant), y(before), f"\N{MINUS SIGN}{_money(before - units)}")
        for (_, before), (instant, units) in pairwise(drawn)
        if units < before
    )
    columns = tuple(Tick(x(instant), text) for instant, text in _day_ticks(begins, ends, zone))
    return Chart(
        line=line,
        rows=tuple(Tick(y(units), _money(units)) for units in rows),
        columns=columns or _ends(x, begins, ends, zone),
        marks=falls,
        words=f"{_money(amounts[0])} to {_money(amounts[-1])}. Low {_money(min(amounts))}, "
        f"high {_money(max(amounts))}, {len(falls)} {'decrease' if len(falls) == 1 else 'decreases'}.",
    )


def _ends(x: Callable[[int], int], begins: int, ends: int, zone: ZoneInfo) -> tuple[Tick, ...]:
    """Return the ticks of a span with no midnight in it: its beginning and its end."""
    return tuple(Tick(x(instant), clock_text(instant, zone, with_day=True)) for instant in (begins, ends))


def _money(units: int) -> str:
    return dollars(cents_shown(units))
