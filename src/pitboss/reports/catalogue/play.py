"""Play at the tables: wagers by seat, table, hour and shift, participation, and rounds per hour (F-11)."""

import datetime
from abc import abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, NamedTuple

from pitboss.books import EPOCH, Entry, Movement, Payload
from pitboss.games import find_game
from pitboss.jackpot import JACKPOTS, JackpotSet
from pitboss.jackpot.state import seat_counts
from pitboss.meters import units_of
from pitboss.reports.report import Cell, CellKind, Column, Report, ReportRow, column, totalled
from pitboss.reports.scope import Collector, Group, Scope
from pitboss.tabulator import TABLES
from pitboss.tabulator.entries import BatchTabulated, RoundTabulated

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
            shift = self.scope.calendar.shift(EPOCH + datetime.timedelta(microseconds=instant))
            self._shifts[minute] = (shift.day, shift.name)
        return self._shifts[minute]


@dataclass(slots=True)
class WagerTally:
    """The counts of one place: wagers, those taken back, those refunded, and money."""

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
    column("counted", "Counted", CellKind.COUNT),
    column("taken_back", "Reversed", CellKind.COUNT),
    column("wagers", "Wagers", CellKind.COUNT),
    column("refunded", "Refunded", CellKind.COUNT),
    column("staked", "Wagered, less refunds", CellKind.MONEY),
)


class CountingCollector(Collector):
    """A report of counted wagers: `changes` gives what each entry changes, seat by seat."""

    kinds = COUNTING | _SETS

    def __init__(self, scope: Scope) -> None:
        super().__init__(scope)
        self.clockwork = Clockwork(scope)
        self.late = 0
        opening = scope.opening.of(JACKPOTS).jackpots
        self.wager_units = {name: record.jackpot.meter.wager_units for name, record in opening.items()}

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

    def changes(self, movement: Movement) -> Iterator[tuple[int, WagerTally]]:
        """Yield what a movement changes, by seat."""
        wager_units = self.wager_units.get(movement.jackpot, 0)
        for seat, wagers in seat_counts(movement).items():
            match movement.kind:
                case "wagers-counted":
                    yield int(seat), WagerTally(counted=wagers, staked_units=wagers * wager_units)
                case "count-corrected":
                    yield int(seat), WagerTally(taken_back=wagers, staked_units=-wagers * wager_units)
                case _:
                    yield int(seat), WagerTally(refunded=wagers, staked_units=-wagers * wager_units)

    @property
    def late_notes(self) -> list[str]:
        """A note on wagers that arrived after their shift."""
        if not self.late:
            return []
        return [f"{self.late:,} wagers happened in an earlier shift and are counted where they were recorded (M-10)."]


def natural(part: Cell) -> tuple[int, str]:
    """A key by which table 4 comes before table 10."""
    text = str(part)
    return (int(text), "") if text.isdigit() else (10**9, text)


_DAY, _SHIFT = column("day", "Day"), column("shift", "Shift")


def add(tallies: dict[tuple[Cell, ...], WagerTally], key: tuple[Cell, ...], more: WagerTally) -> None:
    """Add one tally to what stands under a key."""
    tally = tallies.setdefault(key, WagerTally())
    tally.rounds += more.rounds
    tally.counted += more.counted
    tally.taken_back += more.taken_back
    tally.refunded += more.refunded
    tally.staked_units += more.staked_units


class At(NamedTuple):
    """Where and when a wager was counted."""

    table: str
    jackpot: str
    seat: int
    recorded: int


class _Wagers(CountingCollector):
    """Counted wagers by one division of the period."""

    group = Group.PLAY
    heads: ClassVar[tuple[Column, ...]]

    def __init__(self, scope: Scope) -> None:
        super().__init__(scope)
        self.tallies: dict[tuple[Cell, ...], WagerTally] = {}

    @abstractmethod
    def key(self, at: At) -> tuple[Cell, ...]:
        """Return the key under which a wager is counted."""

    def order(self, key: tuple[Cell, ...]) -> list[tuple[int, str]]:
        """Numbers by size, table names as people count them, other texts by their letters."""
        return [natural(part) for part in key]

    def count(self, entry: Entry, movement: Movement) -> None:
        """Add every seat where it belongs."""
        for seat, tally in self.changes(movement):
            add(self.tallies, self.key(At(entry.table, movement.jackpot, seat, entry.recorded)), tally)

    def report(self) -> Report:
        """List the tallies, in the order of their keys."""
        columns = (*self.heads, *TALLY)
        rows = [ReportRow((*key, *self.tallies[key].cells())) for key in sorted(self.tallies, key=self.order)]
        totals = totalled(rows, columns, "Total", skip=("seat",))
        return self.build(columns, rows, totals=totals, notes=self.late_notes, group=max(0, len(self.heads) - 1))


class WagersBySeat(_Wagers):
    """Counted wagers by jackpot, table and seat (M-11, section 10 no. 4)."""

    name = "wagers-by-seat"
    title = "Wagers by seat"
    says = "Jackpot wagers counted at each seat of each table."
    heads = (JACKPOT, TABLE, column("seat", "Seat", CellKind.COUNT))

    def key(self, at: At) -> tuple[Cell, ...]:
        """Jackpot, table and seat."""
        return at.jackpot, at.table, at.seat


class WagersByTable(_Wagers):
    """Counted wagers by jackpot and table."""

    name = "wagers-by-table"
    group_place = 0
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
        return day.isoformat(), f"{hour:%Y-%m-%dT%H:00%z}", at.jackpot


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
        """Sort shifts by the order of their day."""
        day, shift, *others = key
        names = [named_shift.name for named_shift in self.scope.calendar.shifts(datetime.date.fromisoformat(str(day)))]
        return [natural(day), (names.index(str(shift)), ""), *map(natural, others)]


class Rounds:
    """Tells rounds from one another: a press with several jackpots is one round, a missed wager none."""

    def __init__(self) -> None:
        self._last: dict[str, tuple[int, str]] = {}

    def new(self, entry: Entry, movement: Movement) -> int:
        """Return how many rounds begin with an entry."""
        details = movement.details
        if details.get("missed") or "round" not in details:
            return 0
        here = (details["round"], entry.command)
        if self._last.get(entry.table) == here:
            return 0
        self._last[entry.table] = here
        rounds: int = details.get("rounds", 1)
        return rounds


class Participation(CountingCollector):
    """How many of the seats that play make the jackpot wager, by jackpot and table (F-11)."""

    name = "participation"
    title = "Participation"
    group = Group.PLAY
    says = "Jackpot wagers against rounds and seats in play, by jackpot and table."
    kinds = CountingCollector.kinds | {"round-tabulated", "batch-tabulated"}

    def __init__(self, scope: Scope) -> None:
        super().__init__(scope)
        self.tallies: dict[tuple[str, str], WagerTally] = {}
        self.seats: dict[tuple[str, str], set[str]] = {}
        self.in_play: dict[str, int] = {}
        tables = scope.closing.of(TABLES).tables
        self.games = {name: find_game(record.setup.game) for name, record in tables.items()}

    def take(self, entry: Entry, value: Payload) -> None:
        """See besides counts which seats were in play, where a sensor counts another wager than a jackpot's."""
        if not isinstance(value, RoundTabulated | BatchTabulated):
            super().take(entry, value)
            return
        game = self.games.get(entry.table)
        if game is None or all(game.by_name[wager].jackpot for wager in value.counted):
            return
        seats: dict[int, int] = {}
        for counted in value.counted.values():
            for seat_count in counted:
                seat, wagers = (seat_count, 1) if isinstance(seat_count, int) else seat_count
                seats[seat] = max(seats.get(seat, 0), wagers)
        self.in_play[entry.table] = self.in_play.get(entry.table, 0) + sum(seats.values())

    def count(self, entry: Entry, movement: Movement) -> None:
        """Count rounds in which the jackpot was played, wagers, and seats that had any."""
        key = (movement.jackpot, entry.table)
        tally = self.tallies.setdefault(key, WagerTally())
        if movement.kind == "wagers-counted" and not movement.details.get("missed"):
            tally.rounds += movement.details.get("rounds", 1) if "round" in movement.details else 0
        for _, more in self.changes(movement):
            tally.counted += more.counted
            tally.taken_back += more.taken_back
        if movement.kind == "wagers-counted":
            self.seats.setdefault(key, set()).update(seat_counts(movement))

    def report(self) -> Report:
        """List jackpots and tables."""
        columns = (
            JACKPOT,
            TABLE,
            column("rounds", "Rounds", CellKind.COUNT),
            column("wagers", "Wagers", CellKind.COUNT),
            column("per_round", "Wagers per round", CellKind.RATIO),
            column("in_play", "Hands in play", CellKind.COUNT),
            column("participation", "Participation", CellKind.PERCENT),
            column("seats", "Seats that wagered", CellKind.COUNT),
            column("of_these", "Of these seats' rounds", CellKind.PERCENT),
        )
        rows = []
        for (jackpot, table), tally in sorted(self.tallies.items(), key=lambda item: (item[0][0], natural(item[0][1]))):
            seats = len(self.seats.get((jackpot, table), ()))
            whole = tally.rounds * seats
            per_round = Fraction(tally.wagers, tally.rounds) if tally.rounds else None
            share = Fraction(tally.wagers, whole) if whole else None
            hands = self.in_play.get(table)
            participation = Fraction(tally.wagers, hands) if hands else None
            rows.append(
                ReportRow((jackpot, table, tally.rounds, tally.wagers, per_round, hands, participation, seats, share))
            )
        notes = [
            "Hands in play are known where a sensor counts a wager besides the jackpots'.",
            "A seat that wagered is one that had the jackpot wager at least once in the period.",
        ]
        return self.build(columns, rows, notes=notes, group=1)


class RoundsPerHour(CountingCollector):
    """Rounds pressed at each table, and how many an hour (F-11)."""

    name = "rounds"
    title = "Rounds per hour"
    group = Group.PLAY
    says = "Rounds per hour of play, by table."

    def __init__(self, scope: Scope) -> None:
        super().__init__(scope)
        self.rounds = Rounds()
        self.by_hour: dict[str, dict[datetime.datetime, int]] = {}
        self.ends: dict[str, tuple[int, int]] = {}

    def count(self, entry: Entry, movement: Movement) -> None:
        """Count a round once, in the hour of its press."""
        if movement.kind != "wagers-counted":
            return
        new = self.rounds.new(entry, movement)
        if not new:
            return
        hours = self.by_hour.setdefault(entry.table, {})
        hour = self.clockwork.hour(entry.recorded)
        hours[hour] = hours.get(hour, 0) + new
        first, _ = self.ends.get(entry.table, (entry.recorded, 0))
        self.ends[entry.table] = (first, entry.recorded)

    def report(self) -> Report:
        """List the tables."""
        columns = (
            TABLE,
            column("rounds", "Rounds", CellKind.COUNT),
            column("first", "First round", CellKind.INSTANT),
            column("last", "Last round", CellKind.INSTANT),
            column("hours", "Hours played", CellKind.COUNT),
            column("per_hour", "Rounds per hour", CellKind.RATIO),
            column("most", "Most in an hour", CellKind.COUNT),
        )
        rows = []
        for table, hours in sorted(self.by_hour.items(), key=lambda item: natural(item[0])):
            total = sum(hours.values())
            cells = (table, total, *self.ends[table], len(hours), Fraction(total, len(hours)), max(hours.values()))
            rows.append(ReportRow(cells))
        totals = totalled(rows, columns, "Total", skip=("most",))
        notes = ["An hour counts as played if at least one round was counted in it.", *self.late_notes]
        return self.build(columns, rows, totals=totals, notes=notes)
