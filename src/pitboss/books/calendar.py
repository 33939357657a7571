"""Gambling days and shifts: to which of them an instant belongs, by the room's clocks, summer time included.

A gambling day begins at a time that the room's clocks show and ends where the next one begins; so does a shift. Every
instant belongs to one gambling day and to one shift of it. A time that the clocks show twice (when summer time ends)
counts the first time; a time that they skip (when it begins) is the moment of the skip.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Annotated, Any
from zoneinfo import ZoneInfo

from pitboss.books.journal.codec import OMIT_DEFAULT, reader_of, writer_of
from pitboss.books.journal.entries import EPOCH, Entry, microseconds
from pitboss.books.journal.payloads import EntryPayload, Payload, entry_kind, kinds_of
from pitboss.books.journal.state import EntryStep, Invariant, Projection

_DAY = datetime.timedelta(days=1)
LOCALES = ("en-US", "en-CA", "fr-CA", "es-US")
"""How a room may write amounts and days on its pages; the first is usual."""

POSTED_WORDS = ("disputes", "employees", "responsible")
"""The settings that are a room's own words on its signs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RoomSettings:
    """How a room counts its days: time zone, shifts by name and beginning, the first of which begins the day.

    `operator` is who holds the licence, and `licence` its number; a room may leave them out.
    The locale says how its pages write amounts and days; `practice` whether anybody may practice on its pages.
    A table test of a dealer has so many hands and minutes, and is passed with so many percent right.
    `disputes`, `employees` and `responsible` are what the room itself posts at its tables (REGULATION W-12); what it
    has not said stands on no paper.
    """

    room: str
    time_zone: str
    shifts: tuple[tuple[str, datetime.time], ...]
    operator: Annotated[str, OMIT_DEFAULT] = ""
    licence: Annotated[str, OMIT_DEFAULT] = ""
    locale: Annotated[str, OMIT_DEFAULT] = LOCALES[0]
    disputes: Annotated[str, OMIT_DEFAULT] = ""
    employees: Annotated[str, OMIT_DEFAULT] = ""
    responsible: Annotated[str, OMIT_DEFAULT] = ""
    practice: Annotated[bool, OMIT_DEFAULT] = True
    test_hands: Annotated[int, OMIT_DEFAULT] = 20
    test_minutes: Annotated[int, OMIT_DEFAULT] = 20
    test_percent: Annotated[int, OMIT_DEFAULT] = 90

    @property
    def day_begins(self) -> datetime.time:
        """The time at which a gambling day begins."""
        return self.shifts[0][1]


def time_of_day(text: str) -> datetime.time:
    """Read a time such as 06:00."""
    if not re.fullmatch(r"([01][0-9]|2[0-3]):[0-5][0-9]", text):
        raise ValueError(f"{text!r} must be a time of day such as 06:00")
    return datetime.time(int(text[:2]), int(text[3:]))


def settings_problems(settings: RoomSettings) -> list[str]:
    """Name everything that is wrong with the settings of a room."""
    problems = []
    try:
        ZoneInfo(settings.time_zone)
    except (ValueError, OSError, KeyError):
        problems.append(f"time_zone: {settings.time_zone!r} is no time zone such as America/Los_Angeles")
    if settings.locale not in LOCALES:
        problems.append(f"locale: {settings.locale!r} is none of {', '.join(LOCALES)}")
    if not settings.room.strip() or not settings.room.isprintable():
        problems.append(f"room: {settings.room!r} must be the name of the room")
    for name in ("operator", "licence", *POSTED_WORDS):
        text = getattr(settings, name)
        if not text.isprintable() or text != text.strip():
            problems.append(f"{name}: {text!r} must be printable text in one line")
    if not settings.shifts:
        return [*problems, "shifts: there must be one at least; the first begins the gaming day"]
    names = [name for name, _ in settings.shifts]
    if len(set(names)) != len(names) or not all(name.strip() and name.isprintable() for name in names):
        problems.append(f"shifts: {', '.join(map(repr, names))} must be names that differ")
    minutes = [_minutes_after(settings.day_begins, begins) for _, begins in settings.shifts]
    if any(later <= earlier for earlier, later in pairwise(minutes)):
        listed = ", ".join(f"{name} {begins:%H:%M}" for name, begins in settings.shifts)
        problems.append(f"shifts: {listed} must begin one after the other within one day")
    return problems


def instant_of(text: str, zone: ZoneInfo) -> int | None:
    """Return the microseconds of a time by a room's clocks, such as 2026-11-17T06:00; nothing where it is none."""
    try:
        time = datetime.datetime.fromisoformat(text.strip())
        return microseconds(time.replace(tzinfo=zone) if time.tzinfo is None else time)
    except (ValueError, OverflowError):
        return None


def _minutes_after(first: datetime.time, time: datetime.time) -> int:
    return ((time.hour - first.hour) * 60 + time.minute - first.minute) % (24 * 60)


@dataclass(frozen=True, slots=True, kw_only=True)
class Shift:
    """A shift of a gambling day, with the instants (UTC) where it begins and where the next one does."""

    day: datetime.date
    name: str
    begins: datetime.datetime
    ends: datetime.datetime


@dataclass(frozen=True, slots=True)
class Calendar:
    """The settings of a room through time: each is in force from the beginning of a gambling day on."""

    history: tuple[tuple[datetime.date, RoomSettings], ...]

    def to_json(self) -> Any:
        """Write the settings with the days from which they are in force."""
        return writer_of(_HISTORY)(self.history)

    @classmethod
    def from_json(cls, payload: Any) -> Calendar:
        """Read what `to_json` wrote."""
        return cls(reader_of(_HISTORY)(payload))

    def settings_on(self, day: datetime.date) -> RoomSettings:
        """The settings in force on a gambling day; before the first of them, the first."""
        in_force = self.history[0][1]
        for since, settings in self.history:
            if since <= day:
                in_force = settings
        return in_force

    def name_at(self, instant: int) -> str:
        """The name of the room on the gambling day of an instant in microseconds (G-57)."""
        return self.settings_on(self.gambling_day(EPOCH + datetime.timedelta(microseconds=instant))).room

    def begins(self, day: datetime.date) -> datetime.datetime:
        """The instant, in UTC, at which a gambling day begins."""
        settings = self.settings_on(day)
        return _instant(settings.time_zone, day, settings.day_begins)

    def gambling_day(self, instant: datetime.datetime) -> datetime.date:
        """The gambling day an instant belongs to."""
        if instant.tzinfo is None:
            raise ValueError(f"{instant} has no time zone")
        day = instant.astimezone(datetime.UTC).date() + 2 * _DAY
        while self.begins(day) > instant:
            day -= _DAY
        return day

    def shifts(self, day: datetime.date) -> Sequence[Shift]:
        """The shifts of a gambling day, in order; together they are the whole day."""
        settings = self.settings_on(day)
        ends = self.begins(day + _DAY)
        starts = []
        for name, begins in settings.shifts:
            later = _minutes_after(settings.day_begins, begins) + _minutes(settings.day_begins) >= 24 * 60
            start = _instant(settings.time_zone, day + _DAY if later else day, begins)
            # Where other settings begin the next day early, a shift ends with its day.
            starts.append((name, min(start, ends)))
        bounds = [*(start for _, start in starts), ends]
        return tuple(
            Shift(day=day, name=name, begins=start, ends=end)
            for (name, start), end in zip(starts, bounds[1:], strict=True)
        )

    def shift(self, instant: datetime.datetime) -> Shift:
        """The shift an instant belongs to."""
        shifts = self.shifts(self.gambling_day(instant))
        return next(shift for shift in reversed(shifts) if shift.begins <= instant and shift.begins < shift.ends)


_HISTORY = tuple[tuple[datetime.date, RoomSettings], ...]


def _minutes(time: datetime.time) -> int:
    return time.hour * 60 + time.minute


@lru_cache(maxsize=4096)
def _instant(time_zone: str, day: datetime.date, time: datetime.time) -> datetime.datetime:
    """Find the instant at which the clocks of a zone show a time on a day."""
    zone = ZoneInfo(time_zone)
    local = datetime.datetime.combine(day, time, tzinfo=zone)
    instant = local.astimezone(datetime.UTC)
    if instant.astimezone(zone).replace(tzinfo=None) == local.replace(tzinfo=None):
        return instant
    # The clocks skip this time: with the offset from after the skip the same digits lie before it, and the other way
    # round; the skip itself is the first instant that shows a later time.
    early, late = sorted((instant, local.replace(fold=1).astimezone(datetime.UTC)))
    while late - early > datetime.timedelta(microseconds=1):
        middle = early + (late - early) / 2
        shows = middle.astimezone(zone).replace(tzinfo=None)
        early, late = (middle, late) if shows < local.replace(tzinfo=None) else (early, middle)
    return late


@entry_kind("room-set")
class RoomSet(EntryPayload):
    """The room's settings, in force from the beginning of a gambling day on; two people give it another name (G-57)."""

    since: datetime.date
    settings: RoomSettings
    approved_by: Annotated[str, OMIT_DEFAULT] = ""

    def payload_problems(self) -> Iterable[str]:
        """Return what is wrong with the settings."""
        return settings_problems(self.settings)


def _fold(calendar: Calendar | None, _: Entry, value: Payload) -> Calendar | None:
    assert isinstance(value, RoomSet)
    earlier = () if calendar is None else tuple(change for change in calendar.history if change[0] < value.since)
    return Calendar((*earlier, (value.since, value.settings)))


ROOM: Projection[Calendar | None] = Projection(
    name="room", shape=Calendar | None, empty=None, fold=_fold, kinds=kinds_of(RoomSet)
)


def _in_future(step: EntryStep) -> Iterator[str]:
    """New settings are in force from a later gambling day on: a day that has begun keeps its bounds (O-07)."""
    calendar = step.before.of(ROOM)
    if calendar is None:
        return
    today = calendar.gambling_day(EPOCH + datetime.timedelta(microseconds=step.entry.recorded))
    if step.value.since <= today:
        yield f"settings from {step.value.since} on: the gaming day of {today} has begun, name a later one"


INVARIANTS = (
    Invariant(
        name="settings",
        says="a day that has begun keeps its bounds",
        sources=("O-07", "J-04"),
        kinds=kinds_of(RoomSet),
        step=_in_future,
    ),
)
