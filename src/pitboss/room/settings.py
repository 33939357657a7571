"""The room's own settings through the server: made on the first day, then changed from a later day on (G-30).

The name and the time zone stay: every page and paper reads them as they were first set.
"""

from __future__ import annotations

import datetime
from dataclasses import dataclass, replace
from typing import Annotated

from pitboss.books import EPOCH, LOCALES, ROOM, Calendar, Payload, RoomSet, RoomSettings, settings_problems, time_of_day
from pitboss.commands import Bounds, By, Command, Name, Now, command, refuse

_DAY = datetime.timedelta(days=1)


def today_of(calendar: Calendar, now: int) -> datetime.date:
    """Return the gambling day of an instant in microseconds."""
    return calendar.gambling_day(EPOCH + datetime.timedelta(microseconds=now))


@dataclass(frozen=True, slots=True, kw_only=True)
class ShiftDraft:
    """A shift: its name, and when it begins; the first begins the gambling day."""

    name: Name
    begins: Annotated[str, Bounds(most=5, text="Such as 06:00.")]


@dataclass(frozen=True, slots=True, kw_only=True)
class SettingsDraft:
    """How the room counts its days, and who holds its licence."""

    room: Name
    time_zone: Name
    shifts: Annotated[tuple[ShiftDraft, ...], Bounds(most=12)]
    operator: Annotated[str, Bounds(most=120)] = ""
    licence: Annotated[str, Bounds(most=120)] = ""
    locale: Annotated[str, Bounds(most=5, text="How pages write amounts and days.")] = LOCALES[0]

    @classmethod
    def of(cls, settings: RoomSettings) -> SettingsDraft:
        """Return the settings as a command takes them."""
        shifts = tuple(ShiftDraft(name=name, begins=f"{begins:%H:%M}") for name, begins in settings.shifts)
        names = ("room", "time_zone", "operator", "licence", "locale")
        return cls(shifts=shifts, **{name: getattr(settings, name) for name in names})

    def settings(self) -> RoomSettings:
        """Return the settings, or refuse them with everything that is wrong."""
        shifts, problems = [], []
        for shift in self.shifts:
            try:
                shifts.append((shift.name, time_of_day(shift.begins)))
            except ValueError as error:
                problems.append(f"shifts: {shift.name} begins at {error}")
        names = ("room", "time_zone", "operator", "licence", "locale")
        settings = RoomSettings(shifts=tuple(shifts), **{name: getattr(self, name) for name in names})
        wrong = settings_problems(settings)
        refuse([*problems, *(text for text in wrong if not (problems and text.startswith("shifts")))])
        return settings


@command("room/set", roles=("manager", "administrator"))
class SetRoom(Command):
    """Make the room on its first day, or change its gambling day and shifts from a later day on."""

    settings: SettingsDraft
    since: datetime.date | None = None

    def entries(self, now: Now, by: By) -> list[Payload]:
        """Return the settings; all that is wrong comes in one refusal."""
        calendar, settings = now.state.of(ROOM), self.settings.settings()
        refuse(
            _first_problems(self.since) if calendar is None else _later_problems(calendar, settings, self.since, now.at)
        )
        # The day before the first entry in any zone: whatever is recorded belongs to a day that is known.
        first = (EPOCH + datetime.timedelta(microseconds=now.at)).date() - _DAY
        return [RoomSet(since=self.since or first, settings=settings)]


def _first_problems(since: datetime.date | None) -> list[str]:
    return [] if since is None else ["since: the first settings hold from the beginning (O-07)"]


def _later_problems(calendar: Calendar, settings: RoomSettings, since: datetime.date | None, now: int) -> list[str]:
    today, last = today_of(calendar, now), calendar.history[-1][1]
    problems = []
    if since is None or since <= today:
        hint = "" if since is None else f"{since} is not later: "
        problems.append(f"since: {hint}the gambling day of {today} has begun, name a later one (O-07, G-30)")
    if (settings.room, settings.time_zone) != (last.room, last.time_zone):
        problems.append(f"room: the name {last.room!r} and the time zone {last.time_zone} stay")
    if any(day == since and replace(earlier) == settings for day, earlier in calendar.history):
        problems.append(f"these settings are in force from {since} on already")
    return problems
