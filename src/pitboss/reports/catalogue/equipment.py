"""Equipment and rounds: counters, malfunctions with their clock, alarms, corrected and void rounds (M-11, O-02)."""

from __future__ import annotations

import datetime
from collections.abc import Iterator

from pitboss.books import EPOCH, DamageDecided, Entry, Movement, Payload, kinds_of, microseconds
from pitboss.jackpot.definitions import RoundSeatsNamed
from pitboss.reports.catalogue.play import natural
from pitboss.reports.report import Cell, CellKind, ExceptionLine, Report, ReportRow, column, totalled
from pitboss.reports.scope import Collector, Group, Scope
from pitboss.tabulator import TABLES, Alarm, CounterReading, Malfunction, entries
from pitboss.tabulator.descriptions import ALARM_TITLES, DOWN_TITLES
from pitboss.tabulator.state import CORRECTION, correction_alarm
from pitboss.tabulator.table_log import ACT_WORDS, DeckLogged, ShufflerSet
from pitboss.tabulator.values import place_text

_HOUR = 60 * 60 * 1_000_000


class CounterReadings(Collector):
    """Readings of non-resettable counters against what the books counted between them (M-11, O-12)."""

    name = "counters"
    title = "Counter readings"
    group = Group.EQUIPMENT
    packet_place = 4
    says = "Each counter reading against the one before, and against the counts entered in between."
    kinds = frozenset({"counter-read"})

    def __init__(self, scope: Scope) -> None:
        super().__init__(scope)
        tables = scope.opening.of(TABLES).tables
        self.last: dict[str, CounterReading] = {
            name: record.reading for name, record in tables.items() if record.reading is not None
        }
        self.table_rows: list[tuple[str, ReportRow]] = []
        self.lines: list[ExceptionLine] = []

    def take(self, entry: Entry, value: Payload) -> None:
        """Compare a reading with the one before it."""
        assert isinstance(value, entries.CounterRead)
        before = self.last.get(entry.table)
        self.last[entry.table] = CounterReading(
            entry.sequence, value.day, value.shift, value.reading, value.counted, value.by
        )
        if self.scope.request.table not in (None, entry.table):
            return
        cells: tuple[Cell, ...] = (entry.table, value.day, value.shift, entry.recorded, value.reading)
        if before is None or value.replaced:
            words = f"Counter replaced: {value.words}" if value.replaced else "First reading"
            self.table_rows.append((entry.table, ReportRow((*cells, None, None, None, value.by, words))))
            return
        gone = value.reading - before.reading + self._rolled(entry.table, value)
        entered = value.counted - before.counted
        words = f"Rolled over: {value.words}" if value.rolled_over else value.words
        if gone != entered:
            key = f"counters/{entry.sequence}"
            difference = f"table {entry.table}, {value.shift} shift of {value.day}: the counter went on by {gone:,}"
            self.lines.append(
                self.scope.line(
                    key,
                    f"{difference}, {entered:,} wagers were entered (M-11)",
                    None,
                    (value.by,),
                    about=entry.sequence,
                )
            )
        style = "line" if gone == entered else "alarm"
        row = ReportRow((*cells, gone, entered, gone - entered, value.by, words), style)  # type: ignore[arg-type]
        self.table_rows.append((entry.table, row))

    def _rolled(self, table: str, value: entries.CounterRead) -> int:
        record = self.scope.closing.of(TABLES).tables.get(table)
        digits = None if record is None else record.setup.counter_digits
        return 10**digits if value.rolled_over and digits is not None else 0

    def report(self) -> Report:
        """List the readings, table by table."""
        columns = (
            column("table", "Table"),
            column("day", "Day"),
            column("shift", "Shift"),
            column("recorded", "Entered", CellKind.INSTANT),
            column("reading", "Reading", CellKind.COUNT),
            column("gone", "Since last reading", CellKind.COUNT),
            column("entered", "Counts entered", CellKind.COUNT),
            column("difference", "Difference", CellKind.COUNT),
            column("by", "Read by"),
            column("words", "Notes"),
        )
        rows = [row for _, row in sorted(self.table_rows, key=lambda table_row: natural(table_row[0]))]
        return self.build(columns, rows, exceptions=tuple(self.lines), group=1)


class Malfunctions(Collector):
    """Malfunctions with the clock of their notice: reported within 72 hours of knowing (O-02)."""

    name = "malfunctions"
    title = "Malfunction notices"
    group = Group.EQUIPMENT
    packet_place = 9
    says = "Equipment malfunctions from when they were known, and when each was reported to the Gambling Commission."
    kinds = frozenset({"malfunction-known", "malfunction-reported", "malfunction-mended", DamageDecided.KIND})

    def __init__(self, scope: Scope) -> None:
        super().__init__(scope)
        opened = scope.opening.of(TABLES).malfunctions.values()
        self.malfunctions: dict[int, Malfunction] = {malfunction.number: malfunction for malfunction in opened}
        self.decisions: list[tuple[Entry, DamageDecided]] = []

    def take(self, entry: Entry, value: Payload) -> None:
        """Follow a malfunction through its steps."""
        match value:
            case entries.MalfunctionKnown():
                self.malfunctions[entry.sequence] = Malfunction(
                    entry.sequence, entry.table, value.known, value.due, value.words, value.by, value.place
                )
            case entries.MalfunctionReported():
                before = self.malfunctions[value.malfunction]
                self.malfunctions[value.malfunction] = before._replace(
                    reported=value.reported, reference=value.reference
                )
            case DamageDecided():
                self.decisions.append((entry, value))
            case entries.MalfunctionMended():
                self.malfunctions[value.malfunction] = self.malfunctions[value.malfunction]._replace(mended=True)
            case _:
                pass

    def report(self) -> Report:
        """List the malfunctions, with the hours that are left."""
        columns = (
            column("malfunction", "Number", CellKind.COUNT),
            column("table", "Table"),
            column("known", "Known", CellKind.INSTANT),
            column("due", "Due", CellKind.INSTANT),
            column("reported", "Reported", CellKind.INSTANT),
            column("reference", "Reference"),
            column("clock", "Clock"),
            column("by", "Known by"),
            column("mended", "Repaired"),
            column("words", "Notes", CellKind.DETAIL),
        )
        table = self.scope.request.table
        malfunctions = [
            malfunction for _, malfunction in sorted(self.malfunctions.items()) if table in (None, malfunction.table)
        ]
        rows = list(map(self._row, malfunctions))
        if table is None:
            rows += [_decision_row(entry, value) for entry, value in self.decisions]
        late = [malfunction for malfunction in malfunctions if malfunction.is_overdue(self.scope.as_of)]
        lines = tuple(map(self._line, late))
        return self.build(columns, rows, exceptions=lines)

    def _line(self, malfunction: Malfunction) -> ExceptionLine:
        lapse = "is overdue" if malfunction.reported is None else "was reported late"
        words = f"malfunction {malfunction.number} at table {malfunction.table} {lapse} (O-02)"
        number = malfunction.number
        return self.scope.line(f"malfunctions/{number}", words, None, (malfunction.by,), about=number)

    def _row(self, malfunction: Malfunction) -> ReportRow:
        now = self.scope.as_of if malfunction.reported is None else malfunction.reported
        hours = abs(malfunction.due - now) // _HOUR
        if malfunction.reported is not None:
            clock = f"{hours} hours {'late' if malfunction.is_overdue(now) else 'early'}"
        else:
            clock = f"{hours} hours {'OVERDUE' if malfunction.is_overdue(now) else 'left'}"
        place = (
            malfunction.number,
            malfunction.table,
            malfunction.known,
            malfunction.due,
            malfunction.reported,
            malfunction.reference,
        )
        cells: tuple[Cell, ...] = (
            *place,
            clock,
            malfunction.by,
            "Yes" if malfunction.mended else "No",
            malfunction.words,
        )
        return ReportRow(cells, "alarm" if malfunction.is_overdue(self.scope.as_of) else "line")


def _decision_row(entry: Entry, value: DamageDecided) -> ReportRow:
    """Return the row of a decision on damaged books (G-29)."""
    people = " and ".join(filter(None, (value.person, value.second)))
    damages = "; ".join(map(str, value.damages))
    restored = f"; put back from a copy: {', '.join(map(str, value.restored))}" if value.restored else ""
    words = f"{value.reason}: {damages}{restored}"
    cells = (entry.sequence, "", entry.recorded, None, None, "", "Decision on damaged records", people, "", words)
    return ReportRow(cells, "alarm")


class Alarms(Collector):
    """Alarms of sensors, devices and counters: those that stand at the end of the period, and those cleared in it."""

    name = "alarms"
    title = "Equipment alerts"
    group = Group.EQUIPMENT
    says = "Alerts of tabulators: silent, stuck or corrected sensors, lost links, rejected messages, counters."
    kinds = frozenset({"alarm-cleared"})

    def __init__(self, scope: Scope) -> None:
        super().__init__(scope)
        self.cleared: list[ReportRow] = []

    def take(self, entry: Entry, value: Payload) -> None:
        """Collect what was found out."""
        assert isinstance(value, entries.AlarmCleared)
        row = (entry.table, _alarm_title(value.alarm), entry.sequence, entry.recorded)
        if self.scope.request.table in (None, entry.table):
            self.cleared.append(ReportRow((*row, f"Resolved by {value.by}: {value.words}")))

    def report(self) -> Report:
        """Set those that stand before those that were cleared."""
        columns = (
            column("table", "Table"),
            column("alarm", "Alert"),
            column("entry", "Entry", CellKind.COUNT),
            column("since", "Since", CellKind.INSTANT),
            column("words", "Notes"),
        )
        table = self.scope.request.table
        standing = [alarm for alarm in self.scope.closing.of(TABLES).alarms.values() if table in (None, alarm.table)]
        rows = [ReportRow(_alarm_cells(alarm), "alarm") for alarm in sorted(standing, key=lambda alarm: alarm.sequence)]
        # A counter that disagrees is told by its readings, a count to confirm by the corrected rounds.
        others = [alarm for alarm in standing if alarm.kind not in ("counter", CORRECTION)]
        lines = tuple(
            self.scope.line(f"alarms/{alarm.sequence}/{alarm.key}"[:120], alarm.words[:120], about=alarm.sequence)
            for alarm in others
        )
        return self.build(columns, rows + self.cleared, exceptions=lines)


def _alarm_cells(alarm: Alarm) -> tuple[Cell, ...]:
    return alarm.table, _alarm_title(alarm.key), alarm.sequence, alarm.happened, alarm.words


def _alarm_title(key: str) -> str:
    return ALARM_TITLES.get(key.partition(" ")[0], key)


class Voids(Collector):
    """Void rounds whose counted wagers the house has refunded; two people make a round void (G-11)."""

    name = "voids"
    title = "Void rounds"
    group = Group.EQUIPMENT
    packet_place = 8
    says = "Voided rounds, and their counted wagers, refunded by the house. Meters don't change."
    kinds = frozenset({"wagers-refunded", "round-voided"})

    def __init__(self, scope: Scope) -> None:
        super().__init__(scope)
        self.voided: dict[str, entries.RoundVoided] = {}
        self.refunds: list[tuple[Entry, Movement]] = []
        self.entries: dict[str, Entry] = {}

    def take(self, entry: Entry, value: Payload) -> None:
        """Collect each void round and each refund; they stand in one command."""
        if isinstance(value, entries.RoundVoided):
            if self.scope.request.table in (None, entry.table) and self.scope.request.jackpot is None:
                self.voided[entry.command], self.entries[entry.command] = value, entry
        elif isinstance(value, Movement) and self.scope.wants(value.jackpot, entry.table):
            self.refunds.append((entry, value))

    def report(self) -> Report:
        """List them."""
        columns = (
            column("entry", "Entry", CellKind.COUNT),
            column("recorded", "Recorded", CellKind.INSTANT),
            column("jackpot", "Jackpot"),
            column("table", "Table"),
            column("round", "Round", CellKind.COUNT),
            column("seats", "Seats"),
            column("refunded", "Refunded", CellKind.MONEY),
            column("cause", "Cause"),
            column("by", "By"),
            column("approved_by", "Approved by"),
            column("words", "Reason", CellKind.DETAIL),
            column("to_do", "To pay back and to collect", CellKind.DETAIL),
        )
        rows = [self._refund(entry, movement) for entry, movement in self.refunds]
        refunded = {entry.command for entry, _ in self.refunds}
        for command, value in self.voided.items():
            if command not in refunded:
                entry = self.entries[command]
                cells: tuple[Cell, ...] = (entry.sequence, entry.recorded, "None", entry.table, value.round, "", 0)
                rows.append(ReportRow((*cells, *_void_cells(value))))
        rows.sort(key=lambda row: row.cells[0] if isinstance(row.cells[0], int) else 0)
        totals = totalled(rows, columns, "Total", skip=("entry", "round"))
        return self.build(columns, rows, totals=totals)

    def _refund(self, entry: Entry, movement: Movement) -> ReportRow:
        units = sum(transfer.units for transfer in movement.transfers if transfer.payee == "players")
        seats = ", ".join(map(str, movement.details.get("seats", ())))
        place: tuple[Cell, ...] = (entry.sequence, entry.recorded, movement.jackpot, entry.table)
        place += (movement.details.get("round"), seats, units)
        value = self.voided.get(entry.command)
        if value is None:
            return ReportRow((*place, "", entry.actor, movement.approved_by, movement.words, ""))
        return ReportRow((*place, *_void_cells(value)))


def _void_cells(value: entries.RoundVoided) -> tuple[Cell, ...]:
    items = "; ".join(f"seat {item.seat}, {item.about}: {item.words}" for item in value.items)
    return value.cause, value.by, value.approved_by, value.words, items


class Corrections(Collector):
    """Rounds that were put right after their press, counts entered by hand, and wagers that came too late."""

    name = "corrections"
    title = "Corrected rounds"
    group = Group.EQUIPMENT
    packet_place = 7
    says = "Seats added to or removed from counted rounds, rounds entered manually, and late wagers (not counted)."
    kinds = kinds_of(
        *(entries.RoundCorrected, entries.BatchTabulated, entries.RoundReleased, entries.LateNoticed),
        *(entries.AlarmCleared, RoundSeatsNamed),
    )

    def __init__(self, scope: Scope) -> None:
        super().__init__(scope)
        standing = scope.opening.of(TABLES).alarms.values()
        self.to_confirm = {alarm.key: alarm for alarm in standing if alarm.kind == CORRECTION}
        self.confirmed: dict[str, int] = {}

    def take(self, entry: Entry, value: Payload) -> None:
        """Collect what a person did, and wagers that were late."""
        if isinstance(value, entries.AlarmCleared):
            self.confirmed[value.alarm] = entry.recorded
            return
        if isinstance(value, entries.RoundCorrected) and value.to_confirm:
            alarm = correction_alarm(entry, value)
            self.to_confirm[alarm.key] = alarm
        if self.scope.request.table not in (None, entry.table):
            return
        match value:
            case entries.RoundCorrected():
                seats = ", ".join(map(str, value.seats))
                self._keep(
                    entry, value.round, value.cause, value.wager, seats, value.by, value.approved_by, value.words
                )
            case entries.BatchTabulated() if value.source == "hand":
                wagers = "; ".join(
                    f"{self.scope.wager_titles.get(wager, wager)}: {sum(n for _, n in pairs)}"
                    for wager, pairs in value.counted.items()
                )
                what = f"{value.rounds} rounds entered manually"
                self._keep(entry, value.round, what, wagers, "", value.by, value.approved_by, value.words)
            case RoundSeatsNamed():
                for wager, named in value.wagers.items():
                    places = ", ".join(map(str, named)) or "none"
                    by = (value.by, value.approved_by, value.words)
                    self._keep(entry, value.round, "Seats of totals named", wager, places, *by)
            case entries.RoundReleased() | entries.LateNoticed() if value.late:
                places = ", ".join(map(place_text, value.late))
                self._keep(entry, value.round, "Late, not counted", "", places, entry.actor, "", "")
            case _:
                pass

    def _keep(self, entry: Entry, number: int, *cells: Cell) -> None:
        self.rows.append(ReportRow((entry.sequence, entry.recorded, entry.table, number, *cells)))

    def report(self) -> Report:
        """List them."""
        columns = (
            column("entry", "Entry", CellKind.COUNT),
            column("recorded", "Recorded", CellKind.INSTANT),
            column("table", "Table"),
            column("round", "Round", CellKind.COUNT),
            column("cause", "Cause"),
            column("wager", "Wager"),
            column("seats", "Seats"),
            column("by", "By"),
            column("approved_by", "Approved by"),
            column("words", "Notes", CellKind.DETAIL),
        )
        titles = {"wager": self.scope.wager_titles}
        return self.build(columns, self.rows, exceptions=tuple(self._unconfirmed()), titles=titles)

    def _unconfirmed(self) -> Iterator[ExceptionLine]:
        """Yield counts that one person took off a meter and nobody confirmed before the shift ended (G-39)."""
        for alarm in self.to_confirm.values():
            taken = EPOCH + datetime.timedelta(microseconds=alarm.happened)
            ends = microseconds(self.scope.calendar.shift(taken).ends)
            confirmed = self.confirmed.get(alarm.key)
            if self.scope.request.table not in (None, alarm.table) or (confirmed or self.scope.as_of) <= ends:
                continue
            lapse = "nobody has confirmed it" if confirmed is None else "confirmed after the shift had ended"
            words = (
                f"entry {alarm.sequence} at table {alarm.table}: a count reversed by {alarm.by} alone, {lapse} (G-39)"
            )
            yield self.scope.line(f"corrections/{alarm.sequence}", words, None, (alarm.by,), about=alarm.sequence)


class TableLog(Collector):
    """The log of tables: openings, dealers, decks, shufflers, equipment that was down, each with who did it."""

    name = "table-log"
    title = "Table log"
    group = Group.EQUIPMENT
    says = "Openings, dealers, decks (inspection, wash, change), shufflers with approval, and outages."
    kinds = kinds_of(
        *(entries.TableOpened, entries.TableClosed, entries.DealerChanged),
        *(entries.EquipmentDown, entries.EquipmentRestored, DeckLogged, ShufflerSet),
    )

    def take(self, entry: Entry, value: Payload) -> None:
        """Collect what was done at a table."""
        if self.scope.request.table not in (None, entry.table):
            return
        match value:
            case DeckLogged():
                maker = f" ({value.maker})" if value.maker else ""
                self._keep(entry, f"Deck {ACT_WORDS[value.act]}", f"{value.deck}{maker}", value.by, "", value.words)
            case ShufflerSet():
                model = f"{value.model}, {value.maker}; approval {value.approval} of {value.day}"
                what = model if value.model else "removed"
                self._keep(entry, "Shuffler", what, value.by, value.approved_by, value.words)
            case entries.DealerChanged():
                self._keep(entry, "Dealer", value.dealer, entry.actor, "", "")
            case entries.EquipmentDown():
                self._keep(
                    entry,
                    "Equipment out of service",
                    DOWN_TITLES.get(value.method, value.method),
                    value.by,
                    "",
                    value.words,
                )
            case entries.EquipmentRestored():
                told = f"{value.rounds_played} rounds played, {value.rounds_entered} entered"
                self._keep(entry, "Equipment in service", told, value.by, value.approved_by, value.words)
            case entries.TableOpened():
                self._keep(entry, "Opened", f"gambling day {value.day}", entry.actor, value.approved_by, value.words)
            case entries.TableClosed():
                self._keep(entry, "Closed", "", entry.actor, "", value.words)
            case _:
                pass

    def _keep(self, entry: Entry, *cells: Cell) -> None:
        self.rows.append(ReportRow((entry.sequence, entry.recorded, entry.table, *cells)))

    def report(self) -> Report:
        """List them."""
        columns = (
            column("entry", "Entry", CellKind.COUNT),
            column("recorded", "Recorded", CellKind.INSTANT),
            column("table", "Table"),
            column("what", "What"),
            column("about", "About"),
            column("by", "By"),
            column("approved_by", "Approved by"),
            column("words", "Notes", CellKind.DETAIL),
        )
        return self.build(columns, self.rows)
