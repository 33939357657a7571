"""A report as a value: what it is of, its columns and rows, what it comes to, and what somebody must look at.

An entry belongs to the period in which it was recorded (G-44). What arrives late is told where it arrives, so that the
report of a past period does not change (G-30), and one period ends where the next begins.
"""

import datetime
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction
from typing import Literal, NamedTuple, TypeAlias

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


Cell: TypeAlias = str | int | Fraction | None
"""The content of a cell: text, a number, money in units, an instant in microseconds, an exact fraction, or nothing."""
Style: TypeAlias = Literal["line", "sum", "alarm"]
"""How a row is set: as one of many, as what they come to, or as something that is wrong."""


class CellKind(StrEnum):
    """The type of a column's cells, by which they are printed."""

    TEXT = "text"
    COUNT = "count"
    MONEY = "money"
    """Units, ten thousand to the cent (G-3)."""
    INSTANT = "instant"
    """Microseconds since 1970 UTC, printed by the room's clocks."""
    RATIO = "ratio"
    PERCENT = "percent"
    """A fraction of one."""
    DETAIL = "detail"
    """A longer text, which people's renderings print below its row."""


class Column(NamedTuple):
    """A column: its key in files, its title on paper, and what its cells are."""

    key: str
    title: str
    kind: CellKind = CellKind.TEXT


def column(key: str, title: str, kind: CellKind = CellKind.TEXT) -> Column:
    """Make a column; money says its unit in its key, as everywhere in our files."""
    if kind is CellKind.MONEY and not key.endswith("units"):
        key = f"{key}_units"
    return Column(key, title, kind)


class ReportRow(NamedTuple):
    """One row of a report."""

    cells: tuple[Cell, ...]
    style: Style = "line"


class ExceptionLine(NamedTuple):
    """An exception (M-07): a key that is the same each time it is found, words, an amount.

    `people` are those it is about, who cannot resolve it. `about` is the entry whose video is kept for it (G-48), 0
    where there is none. `number`, `owner` and `state` say what the books hold of it:
    the entry that raised it, who has taken it, and where it stands; one that no entry has raised is `found`.
    """

    key: str
    words: str
    units: int | None = None
    people: tuple[str, ...] = ()
    number: int | None = None
    owner: str = ""
    state: str = "found"
    about: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """One report (M-06): title, version of the software, period, when it was made, and the head of the chain.

    `as_of` is the instant at which what has a clock is told: the end of the period, or where the books end before it.
    `first` and `last` are the entries of the period. The first `group` columns name what rows belong to: people's
    renderings print them where they change. `broken` says that something does not hold that must. `titles` has by
    column what people read for the names that files carry, such as the title of a jackpot.
    """

    name: str
    title: str
    says: str
    room: str
    book: str
    version: str
    period: Period
    made_at: int
    as_of: int
    head: str
    head_entry: int
    first: int
    last: int
    filters: tuple[tuple[str, str], ...]
    columns: tuple[Column, ...]
    rows: tuple[ReportRow, ...]
    totals: ReportRow | None = None
    notes: tuple[str, ...] = ()
    exceptions: tuple[ExceptionLine, ...] = ()
    group: int = 0
    broken: bool = False
    titles: Mapping[str, Mapping[str, str]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        wide = len(self.columns)
        wrong = [row for row in self.all_rows if len(row.cells) != wide]
        if wrong:
            raise AssertionError(f"{self.name}: {wrong[0]!r} does not fill {wide} columns")

    @property
    def all_rows(self) -> tuple[ReportRow, ...]:
        """The rows, and the totals where there are any."""
        return self.rows if self.totals is None else (*self.rows, self.totals)

    @property
    def narrowed(self) -> tuple[tuple[str, str], ...]:
        """What the report is narrowed to, as people read it."""
        return tuple((name, self.titles.get(name, {}).get(value, value)) for name, value in self.filters)

    @property
    def money_columns(self) -> tuple[int, ...]:
        """The places of columns with money."""
        return tuple(place for place, head in enumerate(self.columns) if head.kind is CellKind.MONEY)


def totalled(
    rows: Iterable[ReportRow], columns: Sequence[Column], words: str, *, skip: Iterable[str] = ()
) -> ReportRow | None:
    """Sum counts and money of all rows that are no sums, but where a sum says nothing; no rows have no totals."""
    plain = [row.cells for row in rows if row.style != "sum"]
    if not plain:
        return None
    left_out = set(skip)
    label = next(place for place, head in enumerate(columns) if head.kind is CellKind.TEXT)
    cells: list[Cell] = []
    for place, head in enumerate(columns):
        if head.kind in (CellKind.COUNT, CellKind.MONEY) and head.key not in left_out:
            cells.append(sum(value for row in plain if isinstance(value := row[place], int)))
        else:
            cells.append(words if place == label else None)
    return ReportRow(tuple(cells), "sum")
