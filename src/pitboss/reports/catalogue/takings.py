"""Chips against counts: wagers times their amount, less refunds and prizes from the tray, by shift and table (O-12)."""

from __future__ import annotations

import datetime
from dataclasses import dataclass

from pitboss.books import Entry, Movement, Payload, microseconds, read_payload
from pitboss.meters import units_of
from pitboss.reports.catalogue.hit_history import SMALL_STEPS
from pitboss.reports.catalogue.wagers import COUNTING, CountingCollector, natural
from pitboss.reports.entries import CHIPS_WITHIN_DAYS, ChipsCollected, place_of
from pitboss.reports.journal import entries_of_kinds, last_before
from pitboss.reports.render import units_words
from pitboss.reports.report import Cell, ExceptionLine, Kind, Report, Row, column, totalled
from pitboss.reports.scope import Scope
from pitboss.reports.state import Chips

_DAY = 24 * 60 * 60 * 1_000_000
_Place = tuple[datetime.date, str, str]
_COLUMNS = (
    column("day", "Day"),
    column("shift", "Shift"),
    column("table", "Table"),
    column("wagers", "Wagers", Kind.COUNT),
    column("staked", "Wagers' money", Kind.MONEY),
    column("refunded", "Refunds", Kind.MONEY),
    column("tray", "Prizes from the tray", Kind.MONEY),
    column("expected", "Expected", Kind.MONEY),
    column("collected", "Collected", Kind.MONEY),
    column("difference", "Difference", Kind.MONEY),
    column("counted_by", "Counted by"),
)


@dataclass(slots=True)
class _Till:
    """What one table took in one shift."""

    wagers: int = 0
    staked_units: int = 0
    refunded_units: int = 0
    tray_units: int = 0

    @property
    def expected_units(self) -> int:
        """What must lie there."""
        return self.staked_units - self.refunded_units - self.tray_units


def chips_of(scope: Scope) -> dict[str, tuple[Chips, int]]:
    """The last count of chips by day, shift and table, with the instant it was entered."""
    store, book = scope.store, scope.book
    upto = last_before(store, book, scope.period.ends + (CHIPS_WITHIN_DAYS + 2) * _DAY, scope.head.sequence)
    found: dict[str, tuple[Chips, int]] = {}
    for entry in entries_of_kinds(store, book, ["chips-collected"], scope.opening.sequence, upto):
        value = read_payload(entry.kind, entry.payload)
        assert isinstance(value, ChipsCollected)
        chips = Chips(entry.sequence, value.cents, entry.actor, value.counted_with)
        found[value.place] = (chips, entry.recorded)
    return found


class Takings(CountingCollector):
    """Per shift and table what the counts say against the chips that were collected (section 10 no. 5, E-01, O-12)."""

    name = "takings"
    title = "Counts against chips collected"
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
                paid = sum(each.units for each in value.transfers if each.payee == "paid")
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
        """Set the tills under one another, and name every difference."""
        chips = chips_of(self.scope)
        exceptions: list[ExceptionLine] = []
        places = sorted(self._places(chips), key=self._order)
        rows = [self._row(place, chips.get(place_of(*place)), exceptions) for place in places]
        notes = [
            "A till is the chips of all jackpot wagers of a table; prizes from the tray are small, Envy and paid so.",
            *self.late_notes,
        ]
        if self.scope.asked.jackpot is not None:
            notes.append(
                "Chips are collected for a table, not for one jackpot: they are left out of this narrower view."
            )
        totals = totalled(rows, _COLUMNS, "all")
        said = {"totals": totals, "notes": notes, "exceptions": tuple(exceptions), "group": 2}
        return self.scope.report(self.name, self.title, self.says, _COLUMNS, rows, **said)

    def _places(self, chips: dict[str, tuple[Chips, int]]) -> set[_Place]:
        """Every shift and table with wagers, and every one with chips."""
        places = set(self.tills)
        days, asked = set(self.scope.period.days), self.scope.asked
        for place in chips:
            text, shift, table = place.split("/", 2)
            day = datetime.date.fromisoformat(text)
            if day in days and asked.shift in (None, shift) and asked.table in (None, table) and asked.jackpot is None:
                places.add((day, shift, table))
        return places

    def _order(self, place: _Place) -> tuple[datetime.date, int, tuple[int, str]]:
        day, shift, table = place
        names = [each.name for each in self.scope.calendar.shifts(day)]
        return day, names.index(shift) if shift in names else len(names), natural(table)

    def _row(self, place: _Place, found: tuple[Chips, int] | None, wrong: list[ExceptionLine]) -> Row:
        day, shift, table = place
        till = self.tills.get(place, _Till())
        expected = till.expected_units
        cells: tuple[Cell, ...] = (day.isoformat(), shift, table, till.wagers, till.staked_units)
        cells += (till.refunded_units, till.tray_units, expected)
        if self.scope.asked.jackpot is not None:
            return Row((*cells, None, None, ""))
        key = f"takings/{place_of(*place)}"
        if found is None:
            if not self._is_over(day, shift):
                return Row((*cells, None, None, "the shift is not over"))
            words = f"table {table}, {shift} shift of {day}: no chips were entered for {till.wagers:,} wagers"
            wrong.append(self.scope.line(key, words, expected))
            return Row((*cells, None, None, "nobody"), "alarm")
        chips, _ = found
        collected = units_of(chips.cents)
        people = (chips.counted_by, chips.counted_with)
        if collected != expected:
            told = f"{units_words(collected)} collected, {units_words(expected)} expected"
            words = f"table {table}, {shift} shift of {day}: {told}"
            wrong.append(self.scope.line(key, words, collected - expected, people))
        style = "line" if collected == expected else "alarm"
        return Row((*cells, collected, collected - expected, " and ".join(people)), style)  # type: ignore[arg-type]

    def _is_over(self, day: datetime.date, shift: str) -> bool:
        ends = {each.name: microseconds(each.ends) for each in self.scope.calendar.shifts(day)}
        return ends[shift] <= self.scope.as_of


def _from_tray(movement: Movement) -> bool:
    step = movement.details.get("step")
    return step in SMALL_STEPS or (step == "pay" and movement.details["handed"][1] == "tray")
