"""Equipment: counters read by hand against entered counts, malfunctions with their clock, alarms (M-11, O-02, F-08)."""

from __future__ import annotations

from pitboss.books import Entry, Payload
from pitboss.reports.catalogue.wagers import natural
from pitboss.reports.collector import Collector
from pitboss.reports.report import Cell, ExceptionLine, Kind, Report, Row, column
from pitboss.reports.scope import Scope
from pitboss.tabulator import TABLES, Alarm, CounterReading, Malfunction
from pitboss.tabulator.entries import (
    AlarmCleared,
    CounterRead,
    MalfunctionKnown,
    MalfunctionMended,
    MalfunctionReported,
)

_HOUR = 60 * 60 * 1_000_000


class CounterReadings(Collector):
    """Readings of non-resettable counters against what the books counted between them (M-11, O-12)."""

    name = "counters"
    title = "Counter readings"
    says = "Each reading of a counter against the last one, and against the counts entered in between."
    kinds = frozenset({"counter-read"})

    def __init__(self, scope: Scope) -> None:
        super().__init__(scope)
        tables = scope.opening.of(TABLES).tables
        self.last: dict[str, CounterReading] = {
            name: each.reading for name, each in tables.items() if each.reading is not None
        }
        self.rows: list[tuple[str, Row]] = []
        self.lines: list[ExceptionLine] = []

    def take(self, entry: Entry, value: Payload) -> None:
        """Compare a reading with the one before it."""
        assert isinstance(value, CounterRead)
        before = self.last.get(entry.table)
        self.last[entry.table] = CounterReading(
            entry.sequence, value.day, value.shift, value.reading, value.counted, value.by
        )
        if self.scope.asked.table not in (None, entry.table):
            return
        cells: tuple[Cell, ...] = (entry.table, value.day, value.shift, entry.recorded, value.reading)
        if before is None or value.replaced:
            words = f"counter replaced: {value.words}" if value.replaced else "first reading"
            self.rows.append((entry.table, Row((*cells, None, None, None, value.by, words))))
            return
        gone = value.reading - before.reading + self._rolled(entry.table, value)
        entered = value.counted - before.counted
        words = f"rolled over: {value.words}" if value.rolled_over else value.words
        if gone != entered:
            key = f"counters/{entry.sequence}"
            told = f"table {entry.table}, {value.shift} shift of {value.day}: the counter went on by {gone:,}"
            self.lines.append(
                self.scope.line(key, f"{told}, {entered:,} wagers were entered (M-11)", None, (value.by,))
            )
        style = "line" if gone == entered else "alarm"
        row = Row((*cells, gone, entered, gone - entered, value.by, words), style)  # type: ignore[arg-type]
        self.rows.append((entry.table, row))

    def _rolled(self, table: str, value: CounterRead) -> int:
        record = self.scope.closing.of(TABLES).tables.get(table)
        digits = None if record is None else record.setup.counter_digits
        return 10**digits if value.rolled_over and digits is not None else 0

    def report(self) -> Report:
        """Set the readings under one another, table by table."""
        columns = (
            column("table", "Table"),
            column("day", "Day"),
            column("shift", "Shift"),
            column("recorded", "Entered", Kind.INSTANT),
            column("reading", "Reading", Kind.COUNT),
            column("gone", "Since the last", Kind.COUNT),
            column("entered", "Counts entered", Kind.COUNT),
            column("difference", "Difference", Kind.COUNT),
            column("by", "Read by"),
            column("words", "Words"),
        )
        rows = [row for _, row in sorted(self.rows, key=lambda each: natural(each[0]))]
        said = {"exceptions": tuple(self.lines), "group": 1}
        return self.scope.report(self.name, self.title, self.says, columns, rows, **said)


class Malfunctions(Collector):
    """Malfunctions with the clock of their notice: reported within 72 hours of knowing (O-02)."""

    name = "malfunctions"
    title = "Malfunction notices"
    says = "Malfunctions of equipment from the moment they were known, and when each was reported to the commission."
    kinds = frozenset({"malfunction-known", "malfunction-reported", "malfunction-mended"})

    def __init__(self, scope: Scope) -> None:
        super().__init__(scope)
        opened = scope.opening.of(TABLES).malfunctions.values()
        self.found: dict[int, Malfunction] = {each.number: each for each in opened}

    def take(self, entry: Entry, value: Payload) -> None:
        """Follow a malfunction through its steps."""
        match value:
            case MalfunctionKnown():
                said = (value.known, value.due, value.words, value.by, value.place)
                self.found[entry.sequence] = Malfunction(entry.sequence, entry.table, *said)
            case MalfunctionReported():
                before = self.found[value.malfunction]
                self.found[value.malfunction] = before._replace(reported=value.reported, reference=value.reference)
            case MalfunctionMended():
                self.found[value.malfunction] = self.found[value.malfunction]._replace(mended=True)
            case _:
                pass

    def report(self) -> Report:
        """Set the malfunctions under one another, with the hours that are left."""
        columns = (
            column("malfunction", "Number", Kind.COUNT),
            column("table", "Table"),
            column("known", "Known", Kind.INSTANT),
            column("due", "Due", Kind.INSTANT),
            column("reported", "Reported", Kind.INSTANT),
            column("reference", "Reference"),
            column("clock", "Clock"),
            column("by", "Known by"),
            column("mended", "Mended"),
            column("words", "Words", Kind.DETAIL),
        )
        wanted = self.scope.asked.table
        found = [each for _, each in sorted(self.found.items()) if wanted in (None, each.table)]
        rows = [self._row(each) for each in found]
        late = [each for each in found if each.is_overdue(self.scope.as_of)]
        lines = tuple(self._line(each) for each in late)
        return self.scope.report(self.name, self.title, self.says, columns, rows, exceptions=lines)

    def _line(self, found: Malfunction) -> ExceptionLine:
        told = "is overdue" if found.reported is None else "was reported late"
        words = f"malfunction {found.number} at table {found.table} {told} (O-02)"
        return self.scope.line(f"malfunctions/{found.number}", words, None, (found.by,))

    def _row(self, found: Malfunction) -> Row:
        now = self.scope.as_of if found.reported is None else found.reported
        hours = abs(found.due - now) // _HOUR
        if found.reported is not None:
            clock = f"{hours} h {'late' if found.is_overdue(now) else 'before its time'}"
        else:
            clock = f"{hours} h {'OVERDUE' if found.is_overdue(now) else 'left'}"
        place = (found.number, found.table, found.known, found.due, found.reported, found.reference)
        cells: tuple[Cell, ...] = (*place, clock, found.by, "yes" if found.mended else "no", found.words)
        return Row(cells, "alarm" if found.is_overdue(self.scope.as_of) else "line")


class Alarms(Collector):
    """Alarms of sensors, devices and counters: those that stand at the end of the period, and those cleared in it."""

    name = "alarms"
    title = "Equipment alarms"
    says = "What the tabulators raised: silent, stuck or disagreeing sensors, lost lines, refused messages, counters."
    kinds = frozenset({"alarm-cleared"})

    def __init__(self, scope: Scope) -> None:
        super().__init__(scope)
        self.cleared: list[Row] = []

    def take(self, entry: Entry, value: Payload) -> None:
        """Keep what was found out."""
        assert isinstance(value, AlarmCleared)
        told = f"cleared by {value.by}: {value.words}"
        if self.scope.asked.table in (None, entry.table):
            self.cleared.append(Row((entry.table, value.alarm, entry.sequence, entry.recorded, told)))

    def report(self) -> Report:
        """Set those that stand before those that were cleared."""
        columns = (
            column("table", "Table"),
            column("alarm", "Alarm"),
            column("entry", "Entry", Kind.COUNT),
            column("since", "Since", Kind.INSTANT),
            column("words", "Words"),
        )
        wanted = self.scope.asked.table
        standing = [each for each in self.scope.closing.of(TABLES).alarms.values() if wanted in (None, each.table)]
        rows = [Row(_alarm_cells(each), "alarm") for each in sorted(standing, key=lambda each: each.sequence)]
        # A counter that disagrees is told by its readings.
        told = [each for each in standing if each.kind != "counter"]
        lines = tuple(self.scope.line(f"alarms/{each.sequence}/{each.key}"[:120], each.words[:120]) for each in told)
        said = {"exceptions": lines}
        return self.scope.report(self.name, self.title, self.says, columns, rows + self.cleared, **said)


def _alarm_cells(alarm: Alarm) -> tuple[Cell, ...]:
    return alarm.table, alarm.key, alarm.sequence, alarm.happened, alarm.words
