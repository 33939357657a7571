"""What the books know of a jackpot and of the rounds counted at a table: the values that the fold makes."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from pitboss.books import Movement
from pitboss.jackpot.definitions import Jackpot
from pitboss.jackpot.entries import Play
from pitboss.meters import cents_shown

__all__ = [
    "DAY",
    "ESCROW_DAYS",
    "Accruals",
    "JackpotRecord",
    "RoomJackpots",
    "Rounds",
    "TabulatedRound",
    "seat_counts",
    "wagers_at_seats",
]

DAY = 24 * 60 * 60 * 1_000_000
"""A day in the microseconds of the journal."""
ESCROW_DAYS = 7
"""Accrued funds are deposited at least weekly (J-19)."""

_NOTHING: Mapping[str, Any] = MappingProxyType({})

Accruals = tuple[tuple[int, int], ...]
"""Units by which what is held grew, by the hour in which they came, oldest first; a week of them is kept (J-19)."""


class TabulatedRound(NamedTuple):
    """A round that was tabulated at a table, for calls and corrections that come after it (G-4, F-07).

    By jackpot: the seats whose wagers were counted, and what the display showed just before and just after the press,
    in units. `rounds` is more than one where a batch was counted: then the seats are those of all its rounds. `persons`
    are groups of seats that one person plays.
    """

    round: int
    sequence: int
    happened: int
    command: str
    seats: Mapping[str, tuple[int, ...]]
    shown_before: Mapping[str, int]
    shown_after: Mapping[str, int]
    voided: bool = False
    rounds: int = 1
    persons: tuple[tuple[int, ...], ...] = ()

    def one_person(self, seat: int, other: int) -> bool:
        """Whether one person plays both seats."""
        return any(seat in group and other in group for group in self.persons)

    def shown_cents(self, jackpot: str) -> int:
        """What the display showed for this round: the amount that a Bonus is played under, whatever is posted since."""
        return cents_shown(self.shown_after[jackpot])


class JackpotRecord(NamedTuple):
    """A jackpot in the books: how it is defined, whether it is played, and what was counted where.

    `sets` are the entries that defined and changed it, `generations` those that began a generation of its meter;
    `counted` has the wagers by table and seat (M-11), and `corrected` those taken back, by entry and seat (G-11);
    `in_transit` has the deposits on their way to the bank: entry, instant, units (J-19).
    """

    jackpot: Jackpot
    play: Play = "closed"
    play_reason: str = ""
    sets: tuple[int, ...] = ()
    generations: tuple[int, ...] = ()
    counted: Mapping[str, Mapping[str, int]] = _NOTHING
    corrected: Mapping[str, Mapping[str, int]] = _NOTHING
    displayed_units: int = 0
    accruals: Accruals = ()
    in_transit: tuple[tuple[int, int, int], ...] = ()

    def generation_at(self, sequence: int) -> int:
        """The generation of the meter that an entry belongs to."""
        return bisect_right(self.generations, sequence)

    def set_before(self, sequence: int) -> int:
        """The entry with the definition that was in force at an entry."""
        return self.sets[bisect_right(self.sets, sequence) - 1]


Rounds = tuple[TabulatedRound, ...]
"""The last rounds of a table, the newest last."""


class RoomJackpots(NamedTuple):
    """All jackpots of a room by name, and the last rounds of each table, the newest last."""

    jackpots: Mapping[str, JackpotRecord]
    rounds: Mapping[str, Rounds]

    def at(self, table: str) -> tuple[JackpotRecord, ...]:
        """The jackpots that a table is linked to."""
        return tuple(each for each in self.jackpots.values() if each.jackpot.linked(table) is not None)

    def last_round(self, table: str) -> TabulatedRound | None:
        """The last round that was tabulated at a table."""
        found = self.rounds.get(table)
        return found[-1] if found else None


def seat_counts(movement: Movement) -> dict[str, int]:
    """The wagers of a count by seat, as its entry says: one for each seat of a round, or numbers for a batch."""
    details = movement.details
    if "seat_counts" in details:
        return {str(seat): wagers for seat, wagers in details["seat_counts"]}
    return dict.fromkeys(map(str, details.get("seats", ())), 1)


def wagers_at_seats(movement: Movement) -> int:
    """All wagers of a count, as its seats say."""
    details = movement.details
    if "seat_counts" in details:
        return sum(seat_counts(movement).values())
    return len(set(details.get("seats", ())))
