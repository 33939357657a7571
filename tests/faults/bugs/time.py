"""Bugs of clocks and days."""

from __future__ import annotations

import datetime
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from pitboss.books import BookState, calendar
from pitboss.books.journal import writer
from pitboss.books.journal.clock import ClockWatch
from tests.faults.bugs.planting import bug


@bug
def hour_of_summer_time_counted_twice(patch: pytest.MonkeyPatch) -> None:
    """A time that the clocks show twice counts the first time: no shift begins twice."""
    shift = calendar.Calendar.shift

    def by_the_wall(self: calendar.Calendar, instant: datetime.datetime) -> calendar.Shift:
        zone = ZoneInfo(self.history[-1][1].time_zone)
        wall = instant.astimezone(zone)
        return shift(self, wall.replace(fold=0).astimezone(datetime.UTC))

    patch.setattr(calendar.Calendar, "shift", by_the_wall)


@bug
def clock_jump_unnoticed(patch: pytest.MonkeyPatch) -> None:
    """While the clock has jumped, nothing is written."""
    patch.setattr(ClockWatch, "look", lambda _: "")


@bug
def jump_after_the_start_unnoticed(patch: pytest.MonkeyPatch) -> None:
    """A clock that is set wrong before the first entry after a start is noticed too."""
    opened = ClockWatch.opened

    def unseeing(self: ClockWatch, last: int) -> str:
        text = opened(self, last)
        self.seen = None
        return text

    patch.setattr(ClockWatch, "opened", unseeing)


@bug
def book_goes_back_in_time(patch: pytest.MonkeyPatch) -> None:
    """The order of a book does not go back, whatever the clock does."""
    turns = iter(range(10**9))
    drafted = writer.drafted

    def back(submission: Any, request: bytes, state: Any, folding: Any, recorded: int, first: int | None = None) -> Any:
        if next(turns) % 30 == 29:
            state_before = BookState(state.sequence, state.digest, 0, state.parts)
            return drafted(submission, request, state_before, folding, recorded - 3_600_000_000, first)
        return drafted(submission, request, state, folding, recorded, first)

    patch.setattr(writer, "drafted", back)


@bug
def day_begins_at_midnight(patch: pytest.MonkeyPatch) -> None:
    """A gambling day begins when its first shift does."""
    shift = calendar.Calendar.shift

    def midnight(self: calendar.Calendar, instant: datetime.datetime) -> calendar.Shift:
        right = shift(self, instant)
        local = instant.astimezone(ZoneInfo(self.history[-1][1].time_zone)).date()
        return calendar.Shift(day=local, name=right.name, begins=right.begins, ends=right.ends)

    patch.setattr(calendar.Calendar, "shift", midnight)
