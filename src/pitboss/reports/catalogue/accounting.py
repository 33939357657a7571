"""Chips against counts by shift and table (O-12), and exceptions with owner and result (M-07)."""

from __future__ import annotations

import datetime
from dataclasses import dataclass
from typing import ClassVar

from pitboss.books import Entry, Movement, Payload, microseconds, read_payload
from pitboss.meters import units_of
from pitboss.reports.catalogue.equipment import Alarms, CounterReadings, Malfunctions
from pitboss.reports.catalogue.hits import SMALL_STEPS
from pitboss.reports.catalogue.meters import EscrowStatement, Meters
from pitboss.reports.catalogue.play import COUNTING, CountingCollector, natural
from pitboss.reports.catalogue.tax import Cheques, Slips, TaxForms
from pitboss.reports.journal import entries_of_kinds, last_before
from pitboss.reports.render import units_words
from pitboss.reports.report import Cell, CellKind, ExceptionLine, Report, ReportRow, column, totalled
from pitboss.reports.scope import Collector, Group, Scope
from pitboss.reports.state import CHIPS_WITHIN_DAYS, Chips, ChipsCollected, ExceptionRecord, place_of

_DAY = 24 * 60 * 60 * 1_000_000
_Place = tuple[datetime.date, str, str]
_TAKINGS_COLUMNS = (
    column("day", "Day"),
    column("shift", "Shift"),
    column("table", "Table"),
    column("wagers", "Wagers", CellKind.COUNT),
    column("staked", "Wagers' money", CellKind.MONEY),
    column("refunded", "Refunds", CellKind.MONEY),
    column("tray", "Prizes from the tray", CellKind.MONEY),
    column("expected", "Expected", CellKind.MONEY),
    column("collected", "Collected", CellKind.MONEY),
    column("difference", "Difference", CellKind.MONEY),
    column("counted_by", "Counted by"),
)


@dataclass(slots=True)
class _Till:
    """The takings of one table in one shift."""

    wagers: int = 0
    staked_units: int = 0
    refunded_units: int = 0
    tray_units: int = 0

    @property
    def expected_units(self) -> int:
        """The money that must lie there."""
        return self.staked_units - self.refunded_units - self.tray_units


def chips_of(scope: Scope) -> dict[str, tuple[Chips, int]]:
    """The last count of chips by day, shift and table, with the instant it was entered."""
    store, book = scope.store, scope.book
    upto = last_before(store, book, scope.period.ends + (CHIPS_WITHIN_DAYS + 2) * _DAY, scope.head.sequence)
    counts: dict[str, tuple[Chips, int]] = {}
    for entry in entries_of_kinds(store, book, ["chips-collected"], scope.opening.sequence, upto):
        value = read_payload(entry.kind, entry.payload)
        assert isinstance(value, ChipsCollected)
        chips = Chips(entry.sequence, value.cents, entry.actor, value.counted_with)
        counts[value.place] = (chips, entry.recorded)
    return counts


class Takings(CountingCollector):
    """Per shift and table what the counts say against the chips that were collected (section 10 no. 5, E-01, O-12)."""

    name = "takings"
    title = "Counts against chips collected"
    group = Group.MONEY
    says = (
        "By shift and table: wagers times their amount, less refunds and prizes paid from the tray, against the chips."
    )
    kinds = CountingCollector.kinds | {"prize-paid"}

    def __init__(self, scope: Scope) -> None:
        super().__init__(scope)
        self.tills: dict[_Place, _Till] = {}

    def take(self, entry: Entry, value: Payload) -> None:
        """See payments from the tray besides counts."""
        if entry.kind == "prize-paid":
            assert isinstance(value, Movement)
            if _from_tray(value) and self.scope.wants(value.jackpot, entry.table):
                paid = sum(transfer.units for transfer in value.transfers if transfer.payee == "paid")
                self._till(entry).tray_units += paid
        else:
            super().take(entry, value)

    def _till(self, entry: Entry) -> _Till:
        day, shift = self.clockwork.shift(entry.recorded)
        return self.tills.setdefault((day, shift, entry.table), _Till())

    def count(self, entry: Entry, movement: Movement) -> None:
        """Put wagers and refunds in the till of their shift and table."""
        assert movement.kind in COUNTING
        till = self._till(entry)
        for _, tally in self.changes(movement):
            till.wagers += tally.wagers
            if movement.kind == "wagers-refunded":
                till.refunded_units -= tally.staked_units
            else:
                till.staked_units += tally.staked_units

    def report(self) -> Report:
        """List the tills, and name every difference."""
        chips = chips_of(self.scope)
        exceptions: list[ExceptionLine] = []
        places = sorted(self._places(chips), key=self._order)
        rows = [self._row(place, chips.get(place_of(*place)), exceptions) for place in places]
        notes = [
            "A till is the chips of all jackpot wagers of a table; prizes from the tray are small, Envy and paid so.",
            *self.late_notes,
        ]
        if self.scope.request.jackpot is not None:
            notes.append(
                "Chips are collected for a table, not for one jackpot: they are left out of this narrower view."
            )
        totals = totalled(rows, _TAKINGS_COLUMNS, "all")
        return self.build(_TAKINGS_COLUMNS, rows, totals=totals, notes=notes, exceptions=tuple(exceptions), group=2)

    def _places(self, chips: dict[str, tuple[Chips, int]]) -> set[_Place]:
        """Every shift and table with wagers, and every one with chips."""
        places = set(self.tills)
        days, request = set(self.scope.period.days), self.scope.request
        for place in chips:
            text, shift, table = place.split("/", 2)
            day = datetime.date.fromisoformat(text)
            if (
                day in days
                and request.shift in (None, shift)
                and request.table in (None, table)
                and request.jackpot is None
            ):
                places.add((day, shift, table))
        return places

    def _order(self, place: _Place) -> tuple[datetime.date, int, tuple[int, str]]:
        day, shift, table = place
        names = [named_shift.name for named_shift in self.scope.calendar.shifts(day)]
        return day, names.index(shift) if shift in names else len(names), natural(table)

    def _row(self, place: _Place, count: tuple[Chips, int] | None, wrong: list[ExceptionLine]) -> ReportRow:
        day, shift, table = place
        till = self.tills.get(place, _Till())
        expected = till.expected_units
        cells: tuple[Cell, ...] = (day.isoformat(), shift, table, till.wagers, till.staked_units)
        cells += (till.refunded_units, till.tray_units, expected)
        if self.scope.request.jackpot is not None:
            return ReportRow((*cells, None, None, ""))
        key = f"takings/{place_of(*place)}"
        if count is None:
            if not self._is_over(day, shift):
                return ReportRow((*cells, None, None, "the shift is not over"))
            words = f"table {table}, {shift} shift of {day}: no chips were entered for {till.wagers:,} wagers"
            wrong.append(self.scope.line(key, words, expected))
            return ReportRow((*cells, None, None, "nobody"), "alarm")
        chips, _ = count
        collected = units_of(chips.cents)
        people = (chips.counted_by, chips.counted_with)
        if collected != expected:
            amounts = f"{units_words(collected)} collected, {units_words(expected)} expected"
            words = f"table {table}, {shift} shift of {day}: {amounts}"
            wrong.append(self.scope.line(key, words, collected - expected, people))
        style = "line" if collected == expected else "alarm"
        return ReportRow((*cells, collected, collected - expected, " and ".join(people)), style)  # type: ignore[arg-type]

    def _is_over(self, day: datetime.date, shift: str) -> bool:
        ends = {named_shift.name: microseconds(named_shift.ends) for named_shift in self.scope.calendar.shifts(day)}
        return ends[shift] <= self.scope.as_of


def _from_tray(movement: Movement) -> bool:
    step = movement.details.get("step")
    return step in SMALL_STEPS or (step == "pay" and movement.details["handed"][1] == "tray")


_EQUIPMENT = (CounterReadings, Malfunctions, Alarms)
FINDERS: tuple[type[Collector], ...] = (Meters, EscrowStatement, Takings, Slips, TaxForms, Cheques, *_EQUIPMENT)
_EXCEPTION_COLUMNS = (
    column("number", "Number", CellKind.COUNT),
    column("state", "State"),
    column("found_by", "Found by"),
    column("words", "What"),
    column("amount", "Amount", CellKind.MONEY),
    column("raised", "Raised", CellKind.INSTANT),
    column("owner", "Owner"),
    column("result", "Result"),
)


class Exceptions(Collector):
    """What somebody must look at: found in this period, or in the books and not resolved before it."""

    name = "exceptions"
    title = "Exceptions"
    group = Group.MONEY
    packet_place = 10
    says = "Differences and lapses that the reports of the period find, and those in the books, with owner and result."
    kinds: ClassVar[frozenset[str]] = frozenset().union(*(finder.kinds for finder in FINDERS))

    def __init__(self, scope: Scope) -> None:
        super().__init__(scope)
        self.finders = [maker(scope) for maker in FINDERS]

    def take(self, entry: Entry, value: Payload) -> None:
        """Pass an entry to every finder that needs it."""
        for finder in self.finders:
            if entry.kind in finder.kinds:
                finder.take(entry, value)

    def report(self) -> Report:
        """List what was found and what the books hold; each exception stands once."""
        findings = [line for finder in self.finders for line in finder.report().exceptions]
        held = {record.key: record for record in self._held()}
        fresh = [line for line in findings if line.key not in held]
        rows = [*map(_held_row, held.values()), *map(_line_row, fresh)]
        waiting = sum(record.state != "resolved" for record in held.values())
        notes = [f"{len(fresh)} found and not raised in the books, {waiting} raised and not resolved."]
        keys = {line.key for line in findings}
        others = [_line(record) for record in held.values() if record.key not in keys]
        lines = tuple(line for line in (*others, *findings) if line.state != "resolved")
        return self.build(_EXCEPTION_COLUMNS, rows, notes=notes, exceptions=lines)

    def _held(self) -> list[ExceptionRecord]:
        """Those in the books that were open when the period began or were raised since, and before it ended."""
        period, accounting = self.scope.period, self.scope.accounting
        every = sorted((*accounting.resolved, *accounting.open.values()))
        return [
            record
            for record in every
            if record.raised < period.ends and (record.state != "resolved" or record.resolved >= period.begins)
        ]


def _line(held: ExceptionRecord) -> ExceptionLine:
    """An exception of the books that no report of this period finds, such as one that a person has raised."""
    return ExceptionLine(held.key, held.words, held.units, held.people, held.number, held.owner, held.state)


def _held_row(held: ExceptionRecord) -> ReportRow:
    source = held.key.partition("/")[0]
    cells: tuple[Cell, ...] = (held.number, held.state, source, held.words, held.units, held.raised, held.owner)
    return ReportRow((*cells, held.result), "line" if held.state == "resolved" else "alarm")


def _line_row(line: ExceptionLine) -> ReportRow:
    source = line.key.partition("/")[0]
    return ReportRow((None, line.state, source, line.words, line.units, None, line.owner, ""), "alarm")
