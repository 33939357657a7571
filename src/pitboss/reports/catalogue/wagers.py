"""Wagers by seat, table, hour and shift (F-11, section 10 no. 4)."""

from __future__ import annotations

import datetime
from abc import abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

from pitboss.books import EPOCH, Entry, Movement, Payload
from pitboss.jackpot import JACKPOTS, JackpotSet
from pitboss.jackpot.state import seat_counts
from pitboss.meters import units_of
from pitboss.reports.collector import Collector
from pitboss.reports.report import Cell, Column, Kind, Report, Row, column, totalled
from pitboss.reports.scope import Scope

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
