"""The tables of a room as values: the fold over the journal builds them, pages and reports show them."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Literal, NamedTuple, TypeAlias

from pitboss.books import Instant
from pitboss.jackpot.hits.voids import VoidItem
from pitboss.tabulator.entries import DownReason, Place, Source
from pitboss.tabulator.setup import DownMethod, TableSetup

TableStatus: TypeAlias = Literal["closed", "open", "suspended"]
"""A table is closed, open, or open with its jackpots suspended."""
RoundPhase: TypeAlias = Literal["open", "tabulated"]
"""Open for wagers, or tabulated: the press between them counts, the next one opens again (E-02)."""

_NOTHING: Mapping[str, Any] = MappingProxyType({})


def place_text(place: Place) -> str:
    """Write a place as keys have it: position and sensor, such as 3.1."""
    return f"{place[0]}.{place[1]}"


class CountedRound(NamedTuple):
    """A round that was counted, with the corrections since: `counted` has the seats in force by wager.

    `sequence` is its entry, and `commands` are those that counted wagers of it; `removed` has the seats that were taken
    out or refunded since; `rounds` is more than one for a batch, whose seats are not known round by round; `items` is
    what the floor has to do where it is void; `by_round` has for each round of a batch its seats by wager, where it
    names them; else `totals` has the wagers of each seat, and `named` by round the seats that two people named (G-35).
    """

    round: int
    sequence: int
    happened: Instant
    dealer: str
    source: Source
    counted: Mapping[str, tuple[int, ...]]
    removed: Mapping[str, tuple[int, ...]] = _NOTHING
    late: tuple[Place, ...] = ()
    persons: tuple[tuple[int, ...], ...] = ()
    voided: bool = False
    rounds: int = 1
    commands: tuple[str, ...] = ()
    items: tuple[VoidItem, ...] = ()
    by_round: tuple[Mapping[str, tuple[int, ...]], ...] = ()
    totals: Mapping[str, Mapping[str, int]] = _NOTHING
    named: Mapping[str, Mapping[str, tuple[int, ...]]] = _NOTHING

    def holds(self, number: int) -> bool:
        """True if a round is this one, or one of this batch."""
        return self.round - self.rounds < number <= self.round

    def without(self, number: int, wager: str, seats: tuple[int, ...]) -> CountedRound:
        """Return the batch without these seats in one of its rounds."""
        totals = {name: dict(by_seat) for name, by_seat in self.totals.items()}
        for seat in map(str, seats if totals else ()):
            by_seat = totals.setdefault(wager, {})
            by_seat[seat] = by_seat.get(seat, 0) - 1
        there = self.named.get(str(number))
        if there is not None:
            stay = tuple(seat for seat in there.get(wager, ()) if seat not in seats)
            return self._replace(totals=totals, named={**self.named, str(number): {**there, wager: stay}})
        if not self.by_round:
            return self._replace(totals=totals)
        rounds, place = list(self.by_round), number - (self.round - self.rounds) - 1
        left = tuple(seat for seat in rounds[place].get(wager, ()) if seat not in seats)
        rounds[place] = {**rounds[place], wager: left}
        return self._replace(by_round=tuple(rounds))

    def only(self, number: int) -> CountedRound:
        """Return one round by itself where its seats are named, else the batch (G-35)."""
        counted = self.named.get(str(number))
        if counted is None and not self.by_round:
            return self
        if counted is None:
            counted = self.by_round[number - (self.round - self.rounds) - 1]
        return self._replace(round=number, counted=counted, rounds=1, by_round=(), totals=_NOTHING, named=_NOTHING)


class SensorRecord(NamedTuple):
    """One sensor: wagers counted in its life, which never fall (M-11), and what alarms look at.

    `silent` are rounds on end without a wager, `lit` presses on end with one; `missed` and `miscounted` are what
    corrections have said of it (F-08), `disagreed` the rounds of those since its alarm was last cleared.
    """

    counted: int = 0
    silent: int = 0
    lit: int = 0
    missed: int = 0
    miscounted: int = 0
    disagreed: tuple[int, ...] = ()


class Down(NamedTuple):
    """Equipment that is down: since when, why, by which method the table goes on, and rounds entered since.

    Presses from before that come later go on from `device_phase`, in `device_round`, beside what is entered by hand.
    """

    since: Instant
    sequence: int
    reason: DownReason
    method: DownMethod
    words: str
    rounds_entered: int = 0
    device_phase: RoundPhase = "open"
    device_round: int = 0


class CounterReading(NamedTuple):
    """The last reading of a counter, and what the books had counted at that moment."""

    sequence: int
    day: str
    shift: str
    reading: int
    counted: int
    by: str


class TableRecord(NamedTuple):
    """A table as the journal has it.

    `prepared` are setups for later gambling days; `round` is the last that was counted, `on_table` the one that the
    phase is of (they differ while presses from before the equipment went down come in); `pressed` is when the last
    press was that did something; `counts` has by wager and seat every wager ever counted here, `reversed` those
    that were taken back, which the counter of the equipment does not know (M-11); `rounds` are the last rounds
    counted, the newest last; `persons` are seats of one person; `lights` are the places lit now; `command` is the
    last that counted anything here, and `before` has by seat the jackpot wagers that were counted here before the
    table was set up; `void_rounds` are those whose open hits were decided on when they were made void (G-11);
    `suspended` is since when its jackpots are; `stated` are rounds whose lights were stated and that the logger has not
    confirmed yet (E-05).
    """

    setup: TableSetup
    prepared: tuple[tuple[str, TableSetup], ...] = ()
    life: TableStatus = "closed"
    phase: RoundPhase = "open"
    dealer: str = ""
    round: int = 0
    on_table: int = 0
    pressed: Instant | None = None
    lights: tuple[Place, ...] = ()
    persons: tuple[tuple[int, ...], ...] = ()
    rounds: tuple[CountedRound, ...] = ()
    rounds_counted: int = 0
    wagers_counted: int = 0
    counts: Mapping[str, Mapping[str, int]] = _NOTHING
    reversed: Mapping[str, Mapping[str, int]] = _NOTHING
    counter: int = 0
    sensors: Mapping[str, SensorRecord] = _NOTHING
    down: Down | None = None
    reading: CounterReading | None = None
    command: str = ""
    before: Mapping[str, int] = _NOTHING
    void_rounds: tuple[int, ...] = ()
    suspended: Instant | None = None
    stated: tuple[int, ...] = ()

    @property
    def table(self) -> str:
        """Its name."""
        return self.setup.table

    @property
    def last_round(self) -> CountedRound | None:
        """The last round that was counted."""
        return self.rounds[-1] if self.rounds else None

    def phase_for(self, source: Source) -> tuple[RoundPhase, int]:
        """Return phase and number of the round for a press: while equipment is down its own presses come later."""
        if source == "device" and self.down is not None:
            return self.down.device_phase, self.down.device_round
        return self.phase, self.on_table

    def is_before_next_press(self, number: int) -> bool:
        """True if a round is the one on the table: the press that ends it has not come yet."""
        return self.phase == "tabulated" and self.on_table == number

    def setup_on(self, day: str) -> TableSetup:
        """Return the setup that is in force when the table opens on a gambling day."""
        return [self.setup, *(setup for since, setup in self.prepared if since <= day)][-1]

    def rounds_together(self, number: int) -> int:
        """Return how many rounds were counted together with one; 1 where it was counted by itself."""
        return next((counted.rounds for counted in self.rounds if counted.holds(number)), 1)

    def find_round(self, number: int) -> CountedRound | None:
        """Find one of the last rounds."""
        return next((counted.only(number) for counted in self.rounds if counted.holds(number)), None)

    def is_suspended_at(self, happened: Instant | None = None) -> bool:
        """True if its jackpots are suspended now, or were at an instant (T-09)."""
        if self.life != "suspended":
            return False
        return happened is None or self.suspended is None or happened >= self.suspended

    @property
    def is_down_without_wagers(self) -> bool:
        """True if its equipment is down and no jackpot wager is taken meanwhile (E-09)."""
        return self.down is not None and self.down.method == "suspend"

    @property
    def is_by_hand(self) -> bool:
        """True if counts are entered at the console: there is no line, or the equipment is down on the spot."""
        if self.down is not None:
            return self.down.method == "on-the-spot"
        return not self.setup.equipment.is_linked


class DeviceRecord(NamedTuple):
    """A device on the line: its table, the last of its messages that is done, and whether it is heard."""

    device: str
    table: str
    sequence: int = 0
    lost: bool = False
    since: Instant = 0
    refused: int = 0


class Malfunction(NamedTuple):
    """A malfunction of equipment and its clock (O-02): its number is that of its entry."""

    number: int
    table: str
    known: Instant
    due: Instant
    words: str
    by: str
    place: Place | None = None
    reported: Instant | None = None
    reference: str = ""
    mended: bool = False

    def is_overdue(self, now: Instant) -> bool:
        """True if the time to report it is over and it has not been, or it was reported too late."""
        return (now if self.reported is None else self.reported) > self.due


class Alarm(NamedTuple):
    """An alarm: `key` names it until it is cleared, by another person than `by` (G-39)."""

    key: str
    table: str
    kind: str
    words: str
    sequence: int
    happened: Instant
    by: str = ""


class RoomTables(NamedTuple):
    """All tables by name, devices by name, malfunctions that are not both reported and mended, and alarms by key.

    `strangers` has by table and seat the jackpot wagers of tables that are not set up.
    """

    tables: Mapping[str, TableRecord] = _NOTHING
    devices: Mapping[str, DeviceRecord] = _NOTHING
    malfunctions: Mapping[str, Malfunction] = _NOTHING
    alarms: Mapping[str, Alarm] = _NOTHING
    strangers: Mapping[str, Mapping[str, int]] = _NOTHING
