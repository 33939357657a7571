"""The entries of the tabulator: what a table is, what was pressed, corrected and voided, and what went wrong.

They know no amounts: beside a press stand the movements of `jackpot.counting`, in the same command. A *place* is a
pair of position and sensor number; `device` and `device_sequence` name the message that an entry answers, and `skew` is
by how many microseconds the clock of the device was wrong, where that was too much (M-10); `at` is then what it showed.
"""

from collections.abc import Mapping
from dataclasses import field
from typing import Annotated, Literal, TypeAlias

from pitboss.books import OMIT_DEFAULT, EntryPayload, entry_kind, kinds_of
from pitboss.jackpot.hits.voids import VoidItem
from pitboss.tabulator.setup import DownMethod, TableSetup

Place: TypeAlias = tuple[int, int]
Source: TypeAlias = Literal["device", "console", "hand", "panel"]
"""Where a count comes from: the table's device, the dealer's entry, a supervisor's while equipment was down, or the
lights of a panel whose logger speaks later (E-05)."""
CorrectionCause: TypeAlias = Literal["missed", "miscounted", "refunded"]
"""A wager that was not seen, one that was seen and not there, and one that was given back (G-11)."""
CAUSE_WORDS: Mapping[CorrectionCause, str] = {
    "missed": "Wager missed",
    "miscounted": "Counted, no wager there",
    "refunded": "Wager returned",
}
"""The causes as people choose them."""
VoidCause: TypeAlias = Literal["shuffler-malfunction", "misdeal", "exposed-card", "wrong-count-of-cards", "fouled-deck"]


# The table.


@entry_kind("table-set-up")
class TableSetUp(EntryPayload):
    """A table's equipment, set up while it is closed, or prepared for the first opening of a later gambling day.

    `since` is that day, empty where it is in force at once; a second person approves (T-06, T-18).
    """

    setup: TableSetup
    words: str
    approved_by: str
    since: str = ""


@entry_kind("table-opened")
class TableOpened(EntryPayload):
    """A table opened on a gambling day; what was prepared for that day or an earlier one is in force from here."""

    day: str
    words: str = ""
    approved_by: Annotated[str, OMIT_DEFAULT] = ""


@entry_kind("table-closed")
class TableClosed(EntryPayload):
    """A table closed, between rounds."""

    words: str = ""


@entry_kind("table-jackpots-suspended")
class JackpotsSuspended(EntryPayload):
    """The jackpots of a table suspended, between rounds: the game is dealt, and no jackpot wager is counted."""

    words: str


@entry_kind("table-jackpots-resumed")
class JackpotsResumed(EntryPayload):
    """The jackpots of a table played again; a second person approves, as for opening."""

    words: str
    approved_by: str


@entry_kind("dealer-changed")
class DealerChanged(EntryPayload):
    """The dealer in charge of a table, from here on; a round goes on meanwhile."""

    dealer: str
    device: str = ""
    device_sequence: int = 0


@entry_kind("seats-marked")
class SeatsMarked(EntryPayload):
    """Seats that one person plays, as groups; an empty list takes the marks away (FCP-5, G-12)."""

    persons: tuple[tuple[int, ...], ...]
    by: str


# Rounds.


@entry_kind("round-tabulated")
class RoundTabulated(EntryPayload):
    """The press that counts a round (E-02): what the sensors saw, what was counted of it, and what lights up.

    `counted` has the seats by wager; `not_counted` says by wager why its seats were not counted though seen; `stray`
    are places seen where nothing is counted; `persons` are seats of one person; `notices` are for the dealer.
    """

    round: int
    dealer: str
    source: Source
    counted: Mapping[str, tuple[int, ...]]
    seen: tuple[Place, ...] = ()
    lights: tuple[Place, ...] = ()
    stray: tuple[Place, ...] = ()
    not_counted: Mapping[str, str] = field(default_factory=dict)
    persons: tuple[tuple[int, ...], ...] = ()
    notices: tuple[str, ...] = ()
    device: str = ""
    device_sequence: int = 0
    skew: int = 0
    at: int | None = None


@entry_kind("round-released")
class RoundReleased(EntryPayload):
    """The press that ends a round: lights go out, and the table is open for wagers; `late` were not counted."""

    round: int
    dealer: str
    source: Source
    seen: tuple[Place, ...] = ()
    late: tuple[Place, ...] = ()
    device: str = ""
    device_sequence: int = 0
    skew: int = 0
    at: int | None = None


@entry_kind("press-ignored")
class PressIgnored(EntryPayload):
    """A press within a second of the one before it, by its own time: it does nothing."""

    round: int
    dealer: str
    after_microseconds: int
    device: str = ""
    device_sequence: int = 0


@entry_kind("late-noticed")
class LateNoticed(EntryPayload):
    """Wagers that came to their sensors after the press: not counted (F-02)."""

    round: int
    late: tuple[Place, ...]
    device: str = ""
    device_sequence: int = 0


@entry_kind("batch-tabulated")
class BatchTabulated(EntryPayload):
    """Rounds counted together: a data logger's batch (M-10), or counts entered by hand after equipment was down.

    `round` is the last of them, `rounds` how many; `counted` has by wager pairs of seat and wagers; `seen` has for
    each round of a batch its instant and the places that were seen.
    """

    round: int
    rounds: int
    dealer: str
    source: Source
    counted: Mapping[str, tuple[tuple[int, int], ...]]
    seen: tuple[tuple[int, tuple[Place, ...]], ...] = ()
    not_counted: Mapping[str, str] = field(default_factory=dict)
    words: str = ""
    by: str = ""
    approved_by: str = ""
    device: str = ""
    device_sequence: int = 0
    skew: int = 0


@entry_kind("lights-confirmed")
class LightsConfirmed(EntryPayload):
    """A logger's word about rounds that were stated from the panel's lights: they are not counted again (E-05).

    `confirmed` has the number of each, when the logger saw its press and the places it saw; `missing` are stated rounds
    that its batch should have and has not.
    """

    confirmed: tuple[tuple[int, int, tuple[Place, ...]], ...] = ()
    missing: tuple[int, ...] = ()
    device: str = ""
    device_sequence: int = 0


@entry_kind("round-corrected")
class RoundCorrected(EntryPayload):
    """Seats put into a counted round or taken out of it, with the reason (F-07, G-11).

    `to_confirm` says that one person took a count off a meter: another confirms it before the shift ends (G-39).
    """

    round: int
    wager: str
    cause: CorrectionCause
    seats: tuple[int, ...]
    words: str
    by: str
    role: str
    approved_by: str = ""
    to_confirm: bool = False


@entry_kind("round-voided")
class RoundVoided(EntryPayload):
    """A round made void by two people: its counted wagers go back, and no meter falls (G-11).

    `open_hits` is what the people chose for hits of the round that are open, and empty in books of before that choice;
    `rejected` are those that were rejected with it; `items` is what the floor has to do about its wagers and prizes.
    """

    round: int
    cause: VoidCause
    words: str
    by: str
    approved_by: str
    open_hits: Literal["", "refuse", "reject"] = ""
    rejected: tuple[int, ...] = ()
    items: tuple[VoidItem, ...] = ()


DownReason: TypeAlias = Literal["malfunction", "link-lost"]


# The device and its line.


@entry_kind("message-refused")
class MessageRefused(EntryPayload):
    """A message of a device that could not be done, with everything that stood against it; it is acknowledged.

    `content` has what it said beside `seen`; `twin` is true where another message had its number (G-76).
    """

    device: str
    device_sequence: int
    type: str
    problems: tuple[str, ...]
    seen: tuple[Place, ...] = ()
    content: Annotated[str, OMIT_DEFAULT] = ""
    twin: Annotated[bool, OMIT_DEFAULT] = False


@entry_kind("fault-told")
class FaultTold(EntryPayload):
    """A fault that a device tells of itself, such as a loss of power (M-01)."""

    code: str
    words: str
    device: str
    device_sequence: int


@entry_kind("link-lost")
class LinkLost(EntryPayload):
    """Nothing is heard of a device any more: the table's jackpots cannot be played (T-09)."""

    device: str
    words: str


@entry_kind("link-found")
class LinkFound(EntryPayload):
    """A device is heard again, after its line was lost."""

    device: str


@entry_kind("sequences-lost")
class SequencesLost(EntryPayload):
    """Messages of a device that will never come, up to this number: two people say so (M-10)."""

    device: str
    first: int
    last: int
    words: str
    by: str
    approved_by: str


@entry_kind("equipment-down")
class EquipmentDown(EntryPayload):
    """Equipment that does not count any more: the configured method is in force (E-09)."""

    reason: DownReason
    method: DownMethod
    words: str
    by: str


@entry_kind("equipment-restored")
class EquipmentRestored(EntryPayload):
    """Equipment counts again; rounds played meanwhile, by the dealer's tally, against those that were entered."""

    rounds_played: int
    rounds_entered: int
    words: str
    by: str
    approved_by: str


# What people look after.


@entry_kind("counter-read")
class CounterRead(EntryPayload):
    """The reading of a non-resettable counter, by hand, in a shift (M-11).

    `counted` is what the books had counted at this table when it was read, over its whole life; `rolled_over` and
    `replaced` explain a reading below the last.
    """

    day: str
    shift: str
    reading: int
    counted: int
    by: str
    rolled_over: bool = False
    replaced: bool = False
    words: str = ""


@entry_kind("malfunction-known")
class MalfunctionKnown(EntryPayload):
    """A malfunction of equipment, from the moment somebody knew; it must be reported by `due` (O-02)."""

    known: int
    due: int
    words: str
    by: str
    place: Place | None = None


@entry_kind("malfunction-reported")
class MalfunctionReported(EntryPayload):
    """A malfunction reported to the commission, under a reference."""

    malfunction: int
    reported: int
    reference: str
    by: str


@entry_kind("malfunction-mended")
class MalfunctionMended(EntryPayload):
    """A malfunction that is over."""

    malfunction: int
    words: str
    by: str


@entry_kind("alarm-cleared")
class AlarmCleared(EntryPayload):
    """An alarm that somebody has looked at, and what they found; it can be raised again."""

    alarm: str
    words: str
    by: str


TABLE_KINDS = kinds_of(
    *(value for value in tuple(globals().values()) if isinstance(value, type) and EntryPayload in value.__bases__)
)
"""The kinds of all entries of the tabulator: those that stand in this module."""
