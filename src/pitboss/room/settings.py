"""The room's own settings through the server: made on the first day, then changed from a later day on (G-30).

The time zone stays for good. Two people give the room another name from a later day on; papers keep the name of their
day (G-57).
"""

from __future__ import annotations

import datetime
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Annotated

from pitboss.books import EPOCH, ROOM, BookState, Calendar, Payload, RefusedError, RoomSet, RoomSettings
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


def next_day_of(state: BookState, now: int) -> datetime.date:
    """Return the first gambling day for which settings can be changed: the one after the last that is settled."""
    calendar = state.of(ROOM)
    today = gambling_day_of(state, now)
    last = today if calendar is None else max(today, calendar.history[-1][0])
    return last + _DAY


_TEST = ("test_hands", "test_minutes", "test_percent")
_USUAL = RoomSettings(room="", time_zone="", shifts=())
"""What holds in a room that has said nothing yet."""
_PLAIN = ("room", "time_zone", "operator", "licence", "locale", *POSTED_WORDS, "practice", *_TEST)


@dataclass(frozen=True, slots=True, kw_only=True)
class SettingsDraft:
    """How the room counts its days, and who holds its licence; what is left out stays as it is."""

    room: Name
    time_zone: Name
    shifts: Annotated[tuple[ShiftDraft, ...], Bounds(most=12)]
    operator: Annotated[str, Bounds(most=120)] | None = None
    licence: Annotated[str, Bounds(most=120)] | None = None
    locale: Annotated[str, Bounds(most=5, text="How pages write amounts and days (G-55).")] | None = None
    disputes: Annotated[str, Bounds(most=300, text="Posted: how a dispute is decided, and by whom (W-12).")] | None = (
        None
    )
    employees: Annotated[str, Bounds(most=300, text="Posted: the policy on play by employees (W-12).")] | None = None
    responsible: Annotated[str, Bounds(most=300, text="Posted: the line about responsible gambling.")] | None = None
    practice: bool | None = None
    test_hands: Annotated[int, Bounds(1, 100)] | None = None
    test_minutes: Annotated[int, Bounds(1, 240)] | None = None
    test_percent: Annotated[int, Bounds(1, 100)] | None = None

    @classmethod
    def of(cls, settings: RoomSettings) -> SettingsDraft:
        """Return the settings as a command takes them."""
        shifts = tuple(ShiftDraft(name=name, begins=f"{begins:%H:%M}") for name, begins in settings.shifts)
        return cls(shifts=shifts, **{name: getattr(settings, name) for name in _PLAIN})

    def after(self, before: RoomSettings) -> SettingsDraft:
        """Return these settings with what is left out as it was before: no sign of the room falls from the wall."""
        return replace(self, **{name: getattr(before, name) for name in _PLAIN if getattr(self, name) is None})

    def settings(self, before: RoomSettings) -> RoomSettings:
        """Return the settings after others, or refuse them with everything that is wrong."""
        shifts, problems = [], []
        for shift in self.shifts:
            try:
                shifts.append((shift.name, time_of_day(shift.begins)))
            except ValueError as error:
                problems.append(f"shifts: {shift.name} begins at {error}")
        after = self.after(before)
        settings = RoomSettings(shifts=tuple(shifts), **{name: getattr(after, name) for name in _PLAIN})
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
        settings = self._before(state)
        before, after = SettingsDraft.of(settings), self.settings.after(settings)
        is_new = state.of(ROOM) is None
        rows = [
            Change(label, "" if is_new else text(before), text(after))
            for label, text in _SETTINGS_SHOWN.items()
            if is_new or text(before) != text(after)
        ]
        since = "" if self.since is None else f" from {day_words(self.since)} on"
        return Description(f"Change the room's settings{since}", tuple(rows))

    def _before(self, state: BookState) -> RoomSettings:
        """The settings of the day on which these come into force, without them."""
        calendar = state.of(ROOM)
        return _USUAL if calendar is None else calendar.settings_on(self.since or datetime.date.max)

    def entries(self, now: Now, by: By) -> list[Payload]:
        """Return the settings; all that is wrong comes in one refusal."""
        calendar, settings = now.state.of(ROOM), self.settings.settings(self._before(now.state))
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
    "Operator": lambda settings: settings.operator or "",
    "License": lambda settings: settings.licence or "",
    "Locale": lambda settings: settings.locale or "",
    "Disputes": lambda settings: settings.disputes or "",
    "Employee play": lambda settings: settings.employees or "",
    "Responsible gambling": lambda settings: settings.responsible or "",
    "Practice page": lambda settings: "open" if settings.practice else "off",
    "Table test": lambda settings: (
        f"{settings.test_hands} hands, {settings.test_minutes} minutes, {settings.test_percent}% to pass"
    ),
}


@command("room/rename", roles=roles.MANAGERS, approvers=roles.CONFIGURERS)
class RenameRoom(Command):
    """Rename the room from a later gaming day on."""

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
