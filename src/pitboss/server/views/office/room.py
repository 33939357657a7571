"""The room's settings as a page shows them: in force, what was and what will be, and what stands in the form."""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from functools import cache
from typing import NamedTuple
from zoneinfo import available_timezones

from pitboss.books import LOCALES, ROOM, BookState, RoomSettings
from pitboss.room.settings import today_of

_ROWS = 4
_FIRST_SHIFTS = (("day", "06:00"), ("swing", "14:00"), ("grave", "22:00"))
_ZONES = (
    "America/Los_Angeles",
    "America/Denver",
    "America/Phoenix",
    "America/Chicago",
    "America/New_York",
    "America/Anchorage",
    "Pacific/Honolulu",
)
"""The zones in which card rooms of this kind are, before all others."""


@cache
def _zones() -> tuple[str, ...]:
    return (*_ZONES, *sorted(available_timezones() - set(_ZONES)))


class ShiftField(NamedTuple):
    """A row of the form: a shift's name and when it begins."""

    name: str
    begins: str


class Period(NamedTuple):
    """Settings and since when they hold; `state` is past, now or later."""

    since: str
    shifts: str
    operator: str
    state: str


class RoomView(NamedTuple):
    """The page of the room."""

    is_new: bool
    room: str
    time_zone: str
    operator: str
    licence: str
    locale: str
    locales: tuple[str, ...]
    zones: tuple[str, ...]
    shifts: tuple[ShiftField, ...]
    since: str
    periods: tuple[Period, ...]


def _shifts(settings: RoomSettings) -> list[tuple[str, str]]:
    return [(name, f"{begins:%H:%M}") for name, begins in settings.shifts]


def _periods(state: BookState, now: int) -> tuple[Period, ...]:
    calendar = state.of(ROOM)
    if calendar is None:
        return ()
    today = today_of(calendar, now)
    in_force = max((day for day, _ in calendar.history if day <= today), default=calendar.history[0][0])
    return tuple(
        Period(
            day.isoformat(),
            ", ".join(f"{name} from {begins}" for name, begins in _shifts(each)),
            ", ".join(text for text in (each.operator, each.licence) if text),
            "now" if day == in_force else "later" if day > today else "past",
        )
        for day, each in calendar.history
    )


def room_view(state: BookState, now: int, values: Mapping[str, list[str]] | None = None) -> RoomView:
    """Work out the page; what was typed stays where it was refused."""
    calendar = state.of(ROOM)
    last = None if calendar is None else calendar.history[-1][1]
    shifts = list(_FIRST_SHIFTS) if last is None else _shifts(last)
    since = "" if calendar is None else (today_of(calendar, now) + datetime.timedelta(days=1)).isoformat()
    texts = {
        "room": "" if last is None else last.room,
        "time_zone": _ZONES[0] if last is None else last.time_zone,
        "operator": "" if last is None else last.operator,
        "licence": "" if last is None else last.licence,
        "locale": LOCALES[0] if last is None else last.locale,
        "since": since,
    }
    if values is not None:
        texts = {name: next(iter(values.get(name, [])), text if last else "") for name, text in texts.items()}
        shifts = list(zip(values.get("shift", []), values.get("begins", []), strict=False))
    rows = [*shifts, *[("", "")] * max(0, _ROWS - len(shifts))]
    return RoomView(
        is_new=last is None,
        zones=_zones(),
        locales=LOCALES,
        shifts=tuple(ShiftField(*row) for row in rows),
        periods=_periods(state, now),
        **texts,
    )
