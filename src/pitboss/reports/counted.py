"""Counted wagers as entries have them: what each changes by seat, and by the room's clocks when (E-01, G-11)."""

from __future__ import annotations

import datetime
from abc import abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass

from pitboss.books import Entry, Movement, Payload
from pitboss.books.entries import EPOCH
from pitboss.jackpot import JACKPOTS, JackpotSet
from pitboss.jackpot.state import seat_counts
from pitboss.meters import units_of
from pitboss.reports.collecting import Collector
from pitboss.reports.scope import Scope
from pitboss.reports.values import Cell, Column, Kind, column

__all__ = ["COUNTING", "JACKPOT", "TABLE", "TALLY", "Clockwork", "CountingCollector", "Tally", "natural"]

COUNTING = frozenset({"wagers-counted", "wagers-refunded", "count-corrected"})
_SETS = frozenset({"jackpot-defined", "jackpot-changed"})
_MINUTE = 60 * 1_000_000
JACKPOT, TABLE = column("jackpot", "Jackpot"), column("table", "Table")


class Clockwork:
    """Hours and shifts of instants by the room's clocks, each looked up once a minute of the journal."""

    def __init__(self, scope: Scope) -> None:
        self.scope = scope
        self._hours: dict[int, datetime.datetime] = {}
        self._shifts: dict[int, tuple[datetime.date, str]] = {}

    def hour(self, instant: int) -> datetime.datetime:
        """The hour that the room's clocks showed, by its beginning."""
        minute = instant // _MINUTE
        if minute not in self._hours:
            self._hours[minute] = self.scope.clock(instant).replace(minute=0, second=0, microsecond=0)
        return self._hours[minute]

    def shift(self, instant: int) -> tuple[datetime.date, str]:
        """The gambling day and the shift of an instant; shifts begin on whole minutes."""
        minute = instant // _MINUTE
        if minute not in self._shifts:
            found = self.scope.calendar.shift(EPOCH + datetime.timedelta(microseconds=instant))
            self._shifts[minute] = (found.day, found.name)
        return self._shifts[minute]


@dataclass(slots=True)
class Tally:
    """What was counted in one place: wagers, those taken back, those refunded, and money."""

    rounds: int = 0
    counted: int = 0
    taken_back: int = 0
    refunded: int = 0
    staked_units: int = 0

    @property
    def wagers(self) -> int:
        """The wagers that were there: counted, less what the equipment got wrong."""
        return self.counted - self.taken_back

    def cells(self) -> tuple[Cell, ...]:
        """The tally as cells of a row."""
        return (self.counted, self.taken_back, self.wagers, self.refunded, self.staked_units)


TALLY: tuple[Column, ...] = (
    column("counted", "Counted", Kind.COUNT),
    column("taken_back", "Taken back", Kind.COUNT),
    column("wagers", "Wagers", Kind.COUNT),
    column("refunded", "Refunded", Kind.COUNT),
    column("staked", "Staked, less refunds", Kind.MONEY),
)


class CountingCollector(Collector):
    """A report of counted wagers: `changes` gives what each entry changes, seat by seat."""

    kinds = COUNTING | _SETS

    def __init__(self, scope: Scope) -> None:
        super().__init__(scope)
        self.clockwork = Clockwork(scope)
        self.late = 0
        opening = scope.opening.of(JACKPOTS).jackpots
        self.wager_units = {name: each.jackpot.meter.wager_units for name, each in opening.items()}

    def take(self, entry: Entry, value: Payload) -> None:
        """Follow the fixed wager, and hand over what was counted."""
        if isinstance(value, JackpotSet):
            self.wager_units[value.jackpot.name] = units_of(value.jackpot.meter.wager_cents)
        elif isinstance(value, Movement) and self.scope.wants(value.jackpot, entry.table):
            if self.clockwork.shift(entry.happened) != self.clockwork.shift(entry.recorded):
                self.late += sum(seat_counts(value).values())
            self.count(entry, value)

    @abstractmethod
    def count(self, entry: Entry, movement: Movement) -> None:
        """Count one movement."""

    def changes(self, movement: Movement) -> Iterator[tuple[int, Tally]]:
        """What a movement changes, by seat."""
        each = self.wager_units.get(movement.jackpot, 0)
        for seat, wagers in seat_counts(movement).items():
            match movement.kind:
                case "wagers-counted":
                    yield int(seat), Tally(counted=wagers, staked_units=wagers * each)
                case "count-corrected":
                    yield int(seat), Tally(taken_back=wagers, staked_units=-wagers * each)
                case _:
                    yield int(seat), Tally(refunded=wagers, staked_units=-wagers * each)

    @property
    def late_notes(self) -> list[str]:
        """Say what arrived after its shift."""
        if not self.late:
            return []
        return [f"{self.late:,} wagers happened in an earlier shift and are counted where they were recorded (M-10)."]


def natural(part: Cell) -> tuple[int, str]:
    """A key by which table 4 comes before table 10."""
    text = str(part)
    return (int(text), "") if text.isdigit() else (10**9, text)
