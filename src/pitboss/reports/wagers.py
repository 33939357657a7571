"""Wagers by seat, table, hour and shift (F-11, section 10 no. 4)."""

from __future__ import annotations

import datetime
from abc import abstractmethod
from typing import ClassVar, NamedTuple

from pitboss.books import Entry, Movement
from pitboss.reports.counted import JACKPOT, TABLE, TALLY, CountingCollector, Tally, natural
from pitboss.reports.scope import Scope
from pitboss.reports.values import Cell, Column, Kind, Report, Row, column, totalled

__all__ = ["WagersByHour", "WagersBySeat", "WagersByShift", "WagersByTable"]

_DAY, _SHIFT = column("day", "Day"), column("shift", "Shift")


def add(tallies: dict[tuple[Cell, ...], Tally], key: tuple[Cell, ...], more: Tally) -> None:
    """Add one tally to what stands under a key."""
    found = tallies.setdefault(key, Tally())
    found.rounds += more.rounds
    found.counted += more.counted
    found.taken_back += more.taken_back
    found.refunded += more.refunded
    found.staked_units += more.staked_units


class At(NamedTuple):
    """Where and when a wager was counted."""

    table: str
    jackpot: str
    seat: int
    recorded: int


class _Wagers(CountingCollector):
    """Counted wagers by one division of the period."""

    heads: ClassVar[tuple[Column, ...]]

    def __init__(self, scope: Scope) -> None:
        super().__init__(scope)
        self.tallies: dict[tuple[Cell, ...], Tally] = {}

    @abstractmethod
    def key(self, at: At) -> tuple[Cell, ...]:
        """Where a wager is counted."""

    def order(self, key: tuple[Cell, ...]) -> list[tuple[int, str]]:
        """Numbers by size, table names as people count them, other texts by their letters."""
        return [natural(part) for part in key]

    def count(self, entry: Entry, movement: Movement) -> None:
        """Add every seat where it belongs."""
        for seat, tally in self.changes(movement):
            add(self.tallies, self.key(At(entry.table, movement.jackpot, seat, entry.recorded)), tally)

    def report(self) -> Report:
        """Set the tallies under one another, in the order of their keys."""
        columns = (*self.heads, *TALLY)
        rows = [Row((*key, *self.tallies[key].cells())) for key in sorted(self.tallies, key=self.order)]
        said = {"totals": totalled(rows, columns, "all", skip=("seat",)), "notes": self.late_notes}
        return self.scope.report(
            self.name, self.title, self.says, columns, rows, group=max(0, len(self.heads) - 1), **said
        )


class WagersBySeat(_Wagers):
    """Counted wagers by jackpot, table and seat (M-11, section 10 no. 4)."""

    name = "wagers-by-seat"
    title = "Wagers by seat"
    says = "Jackpot wagers counted at each seat of each table."
    heads = (JACKPOT, TABLE, column("seat", "Seat", Kind.COUNT))

    def key(self, at: At) -> tuple[Cell, ...]:
        """Jackpot, table and seat."""
        return at.jackpot, at.table, at.seat


class WagersByTable(_Wagers):
    """Counted wagers by jackpot and table."""

    name = "wagers-by-table"
    title = "Wagers by table"
    says = "Jackpot wagers counted at each table."
    heads = (JACKPOT, TABLE)

    def key(self, at: At) -> tuple[Cell, ...]:
        """Jackpot and table."""
        return at.jackpot, at.table


class WagersByHour(_Wagers):
    """Counted wagers by the hour that the room's clocks showed, and jackpot."""

    name = "wagers-by-hour"
    title = "Wagers by hour"
    says = "Jackpot wagers counted in each hour by the room's clocks."
    heads = (_DAY, column("hour", "Hour"), JACKPOT)

    def key(self, at: At) -> tuple[Cell, ...]:
        """Gambling day, hour and jackpot; an hour that clocks show twice is told by its offset."""
        hour = self.clockwork.hour(at.recorded)
        day, _ = self.clockwork.shift(at.recorded)
        return day.isoformat(), f"{hour:%m-%d %H:00 %Z}", at.jackpot


class WagersByShift(_Wagers):
    """Counted wagers by shift, table and jackpot."""

    name = "wagers-by-shift"
    title = "Wagers by shift"
    says = "Jackpot wagers counted in each shift at each table."
    heads = (_DAY, _SHIFT, TABLE, JACKPOT)

    def key(self, at: At) -> tuple[Cell, ...]:
        """Gambling day, shift, table and jackpot."""
        day, shift = self.clockwork.shift(at.recorded)
        return day.isoformat(), shift, at.table, at.jackpot

    def order(self, key: tuple[Cell, ...]) -> list[tuple[int, str]]:
        """Put shifts in the order of their day."""
        day, shift, *others = key
        names = [each.name for each in self.scope.calendar.shifts(datetime.date.fromisoformat(str(day)))]
        return [natural(day), (names.index(str(shift)), ""), *map(natural, others)]
