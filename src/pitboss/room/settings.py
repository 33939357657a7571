"""The room's own settings through the server: made on the first day, then changed from a later day on (G-30).

The name and the time zone stay: every page and paper reads them as they were first set.
"""

from __future__ import annotations

import datetime
from collections.abc import Callable
from dataclasses import replace

from pitboss.books import ROOM, Answer, Books, BookState, Command, Draft, RefusedError, RoomSettings
from pitboss.books.days import Calendar, settings_problems
from pitboss.books.entries import EPOCH
from pitboss.books.room import RoomSet

_BOOK = "room"
_DAY = datetime.timedelta(days=1)


def today_of(calendar: Calendar, now: int) -> datetime.date:
    """The gambling day of an instant in microseconds."""
    return calendar.gambling_day(EPOCH + datetime.timedelta(microseconds=now))


class RoomSetting:
    """The settings in the books of a room."""

    def __init__(self, books: Books, *, clock: Callable[[], int]) -> None:
        self.books, self.clock = books, clock

    def set(self, settings: RoomSettings, since: datetime.date | None, *, command: str, actor: str) -> Answer:
        """Make the room, or change its days from a later gambling day on; all that is wrong comes in one refusal."""
        now = self.clock()

        def decide(state: BookState) -> list[Draft]:
            calendar = state.of(ROOM)
            found = settings_problems(settings)
            found += _first_problems(since) if calendar is None else _later_problems(calendar, settings, since, now)
            if found:
                raise RefusedError(found)
            # The day before the first entry in any zone: whatever is recorded belongs to a day that is known.
            first = (EPOCH + datetime.timedelta(microseconds=now)).date() - _DAY
            return [Draft(RoomSet(since=since or first, settings=settings))]

        content = ["room-set", settings.to_json(), None if since is None else since.isoformat()]
        return self.books.submit(Command(book=_BOOK, id=command, actor=actor, content=content, decide=decide))


def _first_problems(since: datetime.date | None) -> list[str]:
    return [] if since is None else ["since: the first settings hold from the beginning (O-07)"]


def _later_problems(calendar: Calendar, settings: RoomSettings, since: datetime.date | None, now: int) -> list[str]:
    today, last = today_of(calendar, now), calendar.history[-1][1]
    problems = []
    if since is None or since <= today:
        told = "" if since is None else f"{since} is not later: "
        problems.append(f"since: {told}the gambling day of {today} has begun, name a later one (O-07, G-30)")
    if (settings.room, settings.time_zone) != (last.room, last.time_zone):
        problems.append(f"room: the name {last.room!r} and the time zone {last.time_zone} stay")
    if any(day == since and replace(each) == settings for day, each in calendar.history):
        problems.append(f"these settings are in force from {since} on already")
    return problems
