"""Periods of reports: gambling days and shifts, as the room's calendar bounds them.

An entry belongs to the period in which it was recorded. What arrives late is told where it arrives, so that the report
of a past period does not change (G-30), and one period ends where the next begins.
"""

import datetime
from typing import NamedTuple

from pitboss.books import Calendar, RefusedError, microseconds

_DAY = datetime.timedelta(days=1)
_DAYS_MAX = 3_700


class Period(NamedTuple):
    """Whole gambling days, or one shift of one; `begins` and `ends` are instants in microseconds, the end excluded."""

    first_day: datetime.date
    last_day: datetime.date
    shift: str | None
    begins: int
    ends: int

    @property
    def words(self) -> str:
        """The period as it stands on paper."""
        if self.shift is not None:
            return f"gambling day {self.first_day}, shift {self.shift}"
        if self.first_day == self.last_day:
            return f"gambling day {self.first_day}"
        return f"gambling days {self.first_day} to {self.last_day}"

    @property
    def days(self) -> tuple[datetime.date, ...]:
        """Its gambling days."""
        return tuple(self.first_day + number * _DAY for number in range((self.last_day - self.first_day).days + 1))


def period_of(
    calendar: Calendar, first_day: datetime.date, last_day: datetime.date | None = None, shift: str | None = None
) -> Period:
    """Make a period of gambling days, or of a shift of one day; everything that is wrong in one refusal."""
    last = first_day if last_day is None else last_day
    problems = []
    if last < first_day:
        problems.append(f"the period ends on {last}, before it begins on {first_day}")
    elif (last - first_day).days >= _DAYS_MAX:
        problems.append(f"{first_day} to {last} is more than {_DAYS_MAX} days")
    if shift is not None and last != first_day:
        problems.append(f"shift {shift!r}: a shift is of one day, not of {first_day} to {last}")
    shifts = {bounds.name: bounds for bounds in calendar.shifts(first_day)}
    if shift is not None and shift not in shifts:
        problems.append(f"{first_day} has no shift {shift!r}; it has: {', '.join(shifts)}")
    if problems:
        raise RefusedError(problems)
    if shift is not None:
        bounds = shifts[shift]
        return Period(first_day, last, shift, microseconds(bounds.begins), microseconds(bounds.ends))
    return Period(first_day, last, None, microseconds(calendar.begins(first_day)), _end(calendar, last))


def _end(calendar: Calendar, day: datetime.date) -> int:
    return microseconds(calendar.begins(day + _DAY))
