"""The room's own settings through the server: made on the first day, then changed from a later day on (G-30).

The time zone stays for good. Two people give the room another name from a later day on; papers keep the name of their
day (G-57).
"""

from __future__ import annotations

import datetime
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Annotated

from pitboss.books import EPOCH, LOCALES, ROOM, BookState, Calendar, Payload, RefusedError, RoomSet, RoomSettings
from pitboss.books.calendar import POSTED_WORDS, settings_problems, time_of_day
from pitboss.commands import Bounds, By, Change, Command, Description, Name, Now, Words, command, refuse, roles
from pitboss.commands.description import day_words
from pitboss.room.people.people import people_of

_DAY = datetime.timedelta(days=1)


def today_of(calendar: Calendar, now: int) -> datetime.date:
    """Return the gambling day of an instant in microseconds."""
    return calendar.gambling_day(EPOCH + datetime.timedelta(microseconds=now))


def gambling_day_of(state: BookState, now: int) -> datetime.date:
    """Return the gambling day of an instant in a room; before it has a calendar, the day in UTC."""
    calendar = state.of(ROOM)
    return (EPOCH + datetime.timedelta(microseconds=now)).date() if calendar is None else today_of(calendar, now)


@dataclass(frozen=True, slots=True, kw_only=True)
class ShiftDraft:
    """A shift: its name, and when it begins; the first begins the gambling day."""

    name: Name
    begins: Annotated[str, Bounds(most=5, text="Such as 06:00.")]


_TEST = ("test_hands", "test_minutes", "test_percent")
_PLAIN = ("room", "time_zone", "operator", "licence", "locale", *POSTED_WORDS, "practice", *_TEST)


@dataclass(frozen=True, slots=True, kw_only=True)
class SettingsDraft:
    """How the room counts its days, and who holds its licence."""

    room: Name
    time_zone: Name
    shifts: Annotated[tuple[ShiftDraft, ...], Bounds(most=12)]
    operator: Annotated[str, Bounds(most=120)] = ""
    licence: Annotated[str, Bounds(most=120)] = ""
    locale: Annotated[str, Bounds(most=5, text="How pages write amounts and days (G-55).")] = LOCALES[0]
    disputes: Annotated[str, Bounds(most=300, text="Posted: how a dispute is decided, and by whom (W-12).")] = ""
    employees: Annotated[str, Bounds(most=300, text="Posted: the policy on play by employees (W-12).")] = ""
    responsible: Annotated[str, Bounds(most=300, text="Posted: the line about responsible gambling.")] = ""
    practice: bool = True
    test_hands: Annotated[int, Bounds(1, 100)] = 20
    test_minutes: Annotated[int, Bounds(1, 240)] = 20
    test_percent: Annotated[int, Bounds(1, 100)] = 90

    @classmethod
    def of(cls, settings: RoomSettings) -> SettingsDraft:
        """Return the settings as a command takes them."""
        shifts = tuple(ShiftDraft(name=name, begins=f"{begins:%H:%M}") for name, begins in settings.shifts)
        return cls(shifts=shifts, **{name: getattr(settings, name) for name in _PLAIN})

    def settings(self) -> RoomSettings:
        """Return the settings, or refuse them with everything that is wrong."""
        shifts, problems = [], []
        for shift in self.shifts:
            try:
                shifts.append((shift.name, time_of_day(shift.begins)))
            except ValueError as error:
                problems.append(f"shifts: {shift.name} begins at {error}")
        settings = RoomSettings(shifts=tuple(shifts), **{name: getattr(self, name) for name in _PLAIN})
        wrong = settings_problems(settings)
        refuse([*problems, *(text for text in wrong if not (problems and text.startswith("shifts")))])
        return settings


@command("room/set", roles=("manager", "administrator"), approvers=roles.CONFIGURERS)
class SetRoom(Command):
    """Make the room on its first day, or change its gaming day and shifts from a later day on."""

    settings: SettingsDraft
    since: datetime.date | None = None

    def needs_second(self, state: BookState, by: By) -> bool:
        """True once the room is in operation: its records are divided by day and shift (G-31, G-68)."""
        return state.of(ROOM) is not None and people_of(state).in_operation

    def describe(self, state: BookState) -> Description:
        """Return the shifts, the operator and the license before and after, and from which day on."""
        calendar = state.of(ROOM)
        before = None if calendar is None else SettingsDraft.of(calendar.settings_on(self.since or datetime.date.max))
        rows = [
            Change(label, "" if before is None else text(before), text(self.settings))
            for label, text in _SETTINGS_SHOWN.items()
            if before is None or text(before) != text(self.settings)
        ]
        since = "" if self.since is None else f" from {day_words(self.since)} on"
        return Description(f"Change the room's settings{since}", tuple(rows))

    def entries(self, now: Now, by: By) -> list[Payload]:
        """Return the settings; all that is wrong comes in one refusal."""
        calendar, settings = now.state.of(ROOM), self.settings.settings()
        if by.approver is None and self.needs_second(now.state, by):
            refuse(["room/set: other shifts of a room in operation are for two people (T-06, G-31)"])
        if calendar is not None:
            refuse(_later_problems(calendar, settings, self.since, now.at))
            assert self.since is not None
            return [
                RoomSet(since=day, settings=replace(settings, room=name), approved_by=by.approved_by)
                for day, name in _names_from(calendar, self.since)
            ]
        refuse(_first_problems(self.since))
        # The day before the first entry in any zone: whatever is recorded belongs to a day that is known.
        first = (EPOCH + datetime.timedelta(microseconds=now.at)).date() - _DAY
        return [RoomSet(since=self.since or first, settings=settings)]


def _shifts_text(settings: SettingsDraft) -> str:
    return ", ".join(f"{shift.name} from {shift.begins}" for shift in settings.shifts)


_SETTINGS_SHOWN: dict[str, Callable[[SettingsDraft], str]] = {
    "Shifts": _shifts_text,
    "Operator": lambda settings: settings.operator,
    "License": lambda settings: settings.licence,
    "Locale": lambda settings: settings.locale,
    "Disputes": lambda settings: settings.disputes,
    "Employee play": lambda settings: settings.employees,
    "Responsible gambling": lambda settings: settings.responsible,
    "Practice page": lambda settings: "open" if settings.practice else "off",
    "Table test": lambda settings: (
        f"{settings.test_hands} hands, {settings.test_minutes} minutes, {settings.test_percent}% to pass"
    ),
}


@command("room/rename", roles=roles.MANAGERS, approvers=roles.CONFIGURERS)
class RenameRoom(Command):
    """Give the room another name from a later gaming day on."""

    name: Name
    since: datetime.date
    words: Words

    def describe(self, state: BookState) -> Description:
        """Return the name before and after, and from which day on."""
        calendar = state.of(ROOM)
        before = "" if calendar is None else calendar.settings_on(self.since).room
        title = f"Rename the room to {self.name} from {day_words(self.since)} on"
        return Description(title, (Change("Name", before, self.name),), self.words)

    def entries(self, now: Now, by: By) -> list[Payload]:
        """Return the settings of that day, and of every later change, with the new name."""
        calendar = now.state.of(ROOM)
        if calendar is None:
            raise RefusedError(["the room has no name yet: make it first (O-07)"])
        today, problems = today_of(calendar, now.at), [] if self.words.strip() else ["state the reason in words (M-02)"]
        settings = replace(calendar.settings_on(self.since), room=self.name)
        problems += settings_problems(settings)
        if self.since <= today:
            problems.append(f"since: the gaming day of {today} has begun, name a later one (O-07, G-57)")
        if all(each.room == self.name for day, each in calendar.history if day >= self.since) and (
            calendar.settings_on(self.since).room == self.name
        ):
            problems.append(f"the room is called {self.name!r} from {self.since} on already (G-57)")
        refuse(problems)
        later = [(day, replace(each, room=self.name)) for day, each in calendar.history if day > self.since]
        return [
            RoomSet(since=day, settings=each, approved_by=by.approved_by)
            for day, each in ((self.since, settings), *later)
        ]


def _names_from(calendar: Calendar, since: datetime.date) -> list[tuple[datetime.date, str]]:
    """Return the name of the room on a day, and every other name that is decided on for later with its first day."""
    names = [(since, calendar.settings_on(since).room)]
    for day, settings in calendar.history:
        if day > since and settings.room != names[-1][1]:
            names.append((day, settings.room))
    return names


def _first_problems(since: datetime.date | None) -> list[str]:
    return [] if since is None else ["since: the first settings hold from the beginning (O-07)"]


def _later_problems(calendar: Calendar, settings: RoomSettings, since: datetime.date | None, now: int) -> list[str]:
    today, last = today_of(calendar, now), calendar.history[-1][1]
    problems = []
    if since is None or since <= today:
        hint = "" if since is None else f"{since} is not later: "
        problems.append(f"since: {hint}the gaming day of {today} has begun, name a later one (O-07, G-30)")
    if settings.time_zone != last.time_zone:
        problems.append(f"time_zone: {last.time_zone} stays for good (G-57)")
    if settings.room not in (last.room, calendar.settings_on(since or today).room):
        problems.append(f"room: the name {last.room!r} stays here; two people give another one, room/rename (G-57)")
    if any(day == since and replace(earlier) == settings for day, earlier in calendar.history):
        problems.append(f"these settings are in force from {since} on already")
    return problems
