"""Exceptions: what other reports of a period find, and what the books hold of it, with owner and result (M-07)."""

from __future__ import annotations

from typing import ClassVar

from pitboss.books import Entry, Payload
from pitboss.reports.catalogue.equipment import Alarms, CounterReadings, Malfunctions
from pitboss.reports.catalogue.escrow import EscrowStatement
from pitboss.reports.catalogue.meters import Meters
from pitboss.reports.catalogue.takings import Takings
from pitboss.reports.catalogue.tax import Cheques, Slips, TaxForms
from pitboss.reports.collector import Collector
from pitboss.reports.report import Cell, ExceptionLine, Kind, Report, Row, column
from pitboss.reports.scope import Scope
from pitboss.reports.state import Held

_EQUIPMENT = (CounterReadings, Malfunctions, Alarms)
FINDERS: tuple[type[Collector], ...] = (Meters, EscrowStatement, Takings, Slips, TaxForms, Cheques, *_EQUIPMENT)
_COLUMNS = (
    column("number", "Number", Kind.COUNT),
    column("state", "State"),
    column("found_by", "Found by"),
    column("words", "What"),
    column("amount", "Amount", Kind.MONEY),
    column("raised", "Raised", Kind.INSTANT),
    column("owner", "Owner"),
    column("result", "Result"),
)


class Exceptions(Collector):
    """What somebody must look at: found in this period, or in the books and not resolved before it."""

    name = "exceptions"
    title = "Exceptions"
    says = "Differences and lapses that the reports of the period find, and those in the books, with owner and result."
    kinds: ClassVar[frozenset[str]] = frozenset().union(*(each.kinds for each in FINDERS))

    def __init__(self, scope: Scope) -> None:
        super().__init__(scope)
        self.finders = [maker(scope) for maker in FINDERS]

    def take(self, entry: Entry, value: Payload) -> None:
        """Let every finder see what it wants to."""
        for finder in self.finders:
            if entry.kind in finder.kinds:
                finder.take(entry, value)

    def report(self) -> Report:
        """Set what was found and what the books hold under one another; each exception stands once."""
        found = [line for finder in self.finders for line in finder.report().exceptions]
        held = {each.key: each for each in self._held()}
        fresh = [line for line in found if line.key not in held]
        rows = [_held_row(each) for each in held.values()] + [_line_row(each) for each in fresh]
        waiting = sum(each.state != "resolved" for each in held.values())
        notes = [f"{len(fresh)} found and not raised in the books, {waiting} raised and not resolved."]
        keys = {line.key for line in found}
        others = [_line(each) for each in held.values() if each.key not in keys]
        lines = tuple(line for line in (*others, *found) if line.state != "resolved")
        return self.scope.report(self.name, self.title, self.says, _COLUMNS, rows, notes=notes, exceptions=lines)

    def _held(self) -> list[Held]:
        """Those in the books that were open when the period began or were raised since, and before it ended."""
        period, desk = self.scope.period, self.scope.desk
        every = sorted((*desk.resolved, *desk.open.values()))
        return [
            each
            for each in every
            if each.raised < period.ends and (each.state != "resolved" or each.resolved >= period.begins)
        ]


def _line(held: Held) -> ExceptionLine:
    """An exception of the books that no report of this period finds, such as one that a person has raised."""
    said = (held.key, held.words, held.units, held.people)
    return ExceptionLine(*said, held.number, held.owner, held.state)


def _held_row(held: Held) -> Row:
    source = held.key.partition("/")[0]
    cells: tuple[Cell, ...] = (held.number, held.state, source, held.words, held.units, held.raised, held.owner)
    return Row((*cells, held.result), "line" if held.state == "resolved" else "alarm")


def _line_row(line: ExceptionLine) -> Row:
    source = line.key.partition("/")[0]
    return Row((None, line.state, source, line.words, line.units, None, line.owner, ""), "alarm")
