"""The chip count: a shift's tables in one blind grid; what was expected is shown once a table is counted."""

import datetime
from collections.abc import Mapping
from typing import Any, NamedTuple
from urllib.parse import urlencode

from pitboss.books import EPOCH, ROOM, BookState, Calendar
from pitboss.books.calendar import Shift
from pitboss.games import find_game
from pitboss.reports import ACCOUNTING
from pitboss.reports.state import Chips, place_of
from pitboss.room.accounting import CountShift, counted_tables
from pitboss.room.approvals import APPROVALS
from pitboss.room.configurations import configuration_at
from pitboss.room.room import room_zone, tables_of
from pitboss.server.views.formatting import clock, dollars, short_day

_DAY = datetime.timedelta(days=1)
_DAYS_BACK = 2
ADDRESS = "/office/count"


class CountRow(NamedTuple):
    """A table of the grid; `counted` is empty while nobody has counted it, and expected is not shown before."""

    table: str
    game: str
    counted: str = ""
    expected: str = ""
    difference: str = ""
    is_off: bool = False
    people: str = ""


class ShiftChoice(NamedTuple):
    """A shift that can be counted, and how far its count is."""

    title: str
    address: str
    status: str
    is_done: bool
    is_chosen: bool


class CountView(NamedTuple):
    """The count of one shift."""

    day: str
    shift: str
    title: str
    span: str
    is_running: bool
    rows: tuple[CountRow, ...]
    shifts: tuple[ShiftChoice, ...]
    waiting: tuple[str, ...]
    total: str

    @property
    def has_counts(self) -> bool:
        """True if a table of the shift was counted."""
        return any(row.counted for row in self.rows)

    @property
    def is_done(self) -> bool:
        """True if every table of the shift was counted."""
        return all(row.counted for row in self.rows)


def count_address(day: str, shift: str, **more: str) -> str:
    """Return the address of the count of a shift."""
    return f"{ADDRESS}?{urlencode({'day': day, 'shift': shift, **more})}"


def _recent_shifts(calendar: Calendar, now: datetime.datetime) -> list[Shift]:
    """Return the shifts of the last days that have begun, the newest first."""
    today = calendar.gambling_day(now)
    shifts = [shift for back in range(_DAYS_BACK + 1) for shift in reversed(calendar.shifts(today - back * _DAY))]
    return [shift for shift in shifts if shift.begins <= now]


def _chips(state: BookState, shift: Shift, tables: tuple[str, ...]) -> dict[str, Chips]:
    counts = state.of(ACCOUNTING).chips
    places = {table: place_of(shift.day, shift.name, table) for table in tables}
    return {table: counts[place] for table, place in places.items() if place in counts}


def chosen_shift(state: BookState, day: str, name: str, now: int) -> Shift | None:
    """Return the shift that is named; else the last one that is over and not counted, else the last that is over."""
    calendar, instant = state.of(ROOM), EPOCH + datetime.timedelta(microseconds=now)
    if calendar is None:
        return None
    shifts = _recent_shifts(calendar, instant)
    try:
        shifts += calendar.shifts(datetime.date.fromisoformat(day)) if day else ()
    except ValueError:
        return None
    named = [shift for shift in shifts if (shift.day.isoformat(), shift.name) == (day, name)]
    if named or day or name:
        return named[0] if named else None
    over, tables = [shift for shift in shifts if shift.ends <= instant], grid_tables(state)
    uncounted = [shift for shift in over if len(_chips(state, shift, tables)) < len(tables)]
    return next(iter([*uncounted, *over, *shifts]), None)


def grid_tables(state: BookState) -> tuple[str, ...]:
    """Return the tables of the grid, in the order of the room."""
    return tuple(table for table in tables_of(state) if table in counted_tables(state))


def _figures(report: Mapping[str, Any] | None) -> dict[str, dict[str, str]]:
    """Return the cells of the report on takings by table and column."""
    if report is None:
        return {}
    keys = [column["key"] for column in report["columns"]]
    rows = [dict(zip(keys, row["cells"], strict=True)) for row in report["rows"] if row["style"] != "sum"]
    return {row["table"]: row for row in rows}


def _row(state: BookState, table: str, chips: Chips | None, cells: Mapping[str, str]) -> CountRow:
    configuration = configuration_at(state, table)
    game = "" if configuration is None else find_game(configuration.game).title
    if chips is None:
        return CountRow(table, game)
    difference = cells.get("difference_units", "")
    return CountRow(
        table,
        game,
        counted=dollars(chips.cents),
        expected=cells.get("expected_units", ""),
        difference=difference,
        is_off=bool(difference.strip("$0.\N{MINUS SIGN}-")),
        people=f"{chips.counted_by} and {chips.counted_with}",
    )


def _title(shift: Shift) -> str:
    return f"{shift.name[:1].upper()}{shift.name[1:]} shift, {short_day(shift.day)}"


def _choice(state: BookState, shift: Shift, now: datetime.datetime, chosen: Shift) -> ShiftChoice:
    tables = grid_tables(state)
    counted = len(_chips(state, shift, tables))
    is_done = bool(tables) and counted == len(tables)
    status = "Counted" if is_done else "In progress" if shift.ends > now else "Not counted"
    if 0 < counted < len(tables):
        status = f"{counted} of {len(tables)} counted"
    address = count_address(shift.day.isoformat(), shift.name)
    return ShiftChoice(_title(shift), address, status, is_done, (shift.day, shift.name) == (chosen.day, chosen.name))


def _waiting(state: BookState, shift: Shift) -> tuple[str, ...]:
    """Return whose confirmation of this shift's count is awaited."""
    key = (shift.day.isoformat(), shift.name)
    requests = [
        pending.said
        for pending in state.of(APPROVALS).values()
        if pending.what == CountShift.spec.name and (pending.said.get("day"), pending.said.get("shift")) == key
    ]
    return tuple(
        f"{len(said['counts'])} {'table' if len(said['counts']) == 1 else 'tables'}: waiting for {said['counted_with']}"
        for said in requests
    )


def count_view(state: BookState, shift: Shift, now: int, report: Mapping[str, Any] | None) -> CountView:
    """Return the view of the count of a shift; `report` is what the report on takings says of it, once it is made."""
    calendar, instant = state.of(ROOM), EPOCH + datetime.timedelta(microseconds=now)
    assert calendar is not None
    zone, tables = room_zone(state), grid_tables(state)
    chips, figures = _chips(state, shift, tables), _figures(report)
    return CountView(
        day=shift.day.isoformat(),
        shift=shift.name,
        title=_title(shift),
        span=f"{clock(shift.begins.astimezone(zone))} to {clock(shift.ends.astimezone(zone))}",
        is_running=shift.ends > instant,
        rows=tuple(_row(state, table, chips.get(table), figures.get(table, {})) for table in tables),
        shifts=tuple(_choice(state, other, instant, shift) for other in _recent_shifts(calendar, instant)),
        waiting=_waiting(state, shift),
        total=dollars(sum(count.cents for count in chips.values())),
    )
