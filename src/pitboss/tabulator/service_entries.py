"""Entries about devices, their line, equipment that is down, readings, malfunctions and alarms."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal, TypeAlias

from pitboss.tabulator.entries import Place
from pitboss.tabulator.said import Said, entry_kind
from pitboss.tabulator.setup import DownMethod

__all__ = [
    "AlarmCleared",
    "CounterRead",
    "EquipmentDown",
    "EquipmentRestored",
    "FaultTold",
    "LinkFound",
    "LinkLost",
    "MalfunctionKnown",
    "MalfunctionMended",
    "MalfunctionReported",
    "MessageRefused",
    "SequencesLost",
]

DownReason: TypeAlias = Literal["malfunction", "link-lost"]


# The device and its line.


@entry_kind
@dataclass(frozen=True, slots=True, kw_only=True)
class MessageRefused(Said):
    """A message of a device that could not be done, with everything that stood against it; it is acknowledged."""

    KIND: ClassVar[str] = "message-refused"
    device: str
    device_sequence: int
    type: str
    problems: tuple[str, ...]
    seen: tuple[Place, ...] = ()


@entry_kind
@dataclass(frozen=True, slots=True, kw_only=True)
class FaultTold(Said):
    """A fault that a device tells of itself, such as a loss of power (M-01)."""

    KIND: ClassVar[str] = "fault-told"
    code: str
    words: str
    device: str
    device_sequence: int


@entry_kind
@dataclass(frozen=True, slots=True, kw_only=True)
class LinkLost(Said):
    """Nothing is heard of a device any more: the table's jackpots cannot be played (T-09)."""

    KIND: ClassVar[str] = "link-lost"
    device: str
    words: str


@entry_kind
@dataclass(frozen=True, slots=True, kw_only=True)
class LinkFound(Said):
    """A device is heard again, after its line was lost."""

    KIND: ClassVar[str] = "link-found"
    device: str


@entry_kind
@dataclass(frozen=True, slots=True, kw_only=True)
class SequencesLost(Said):
    """Messages of a device that will never come, up to this number: two people say so (M-10)."""

    KIND: ClassVar[str] = "sequences-lost"
    device: str
    first: int
    last: int
    words: str
    by: str
    approved_by: str


@entry_kind
@dataclass(frozen=True, slots=True, kw_only=True)
class EquipmentDown(Said):
    """Equipment that does not count any more: the configured method is in force (E-09)."""

    KIND: ClassVar[str] = "equipment-down"
    reason: DownReason
    method: DownMethod
    words: str
    by: str


@entry_kind
@dataclass(frozen=True, slots=True, kw_only=True)
class EquipmentRestored(Said):
    """Equipment counts again; rounds played meanwhile, by the dealer's tally, against those that were entered."""

    KIND: ClassVar[str] = "equipment-restored"
    rounds_played: int
    rounds_entered: int
    words: str
    by: str
    approved_by: str


# What people look after.


@entry_kind
@dataclass(frozen=True, slots=True, kw_only=True)
class CounterRead(Said):
    """The reading of a non-resettable counter, by hand, in a shift (M-11).

    `counted` is what the books had counted at this table when it was read, over its whole life; `rolled_over` and
    `replaced` explain a reading below the last.
    """

    KIND: ClassVar[str] = "counter-read"
    day: str
    shift: str
    reading: int
    counted: int
    by: str
    rolled_over: bool = False
    replaced: bool = False
    words: str = ""


@entry_kind
@dataclass(frozen=True, slots=True, kw_only=True)
class MalfunctionKnown(Said):
    """A malfunction of equipment, from the moment somebody knew; it must be reported by `due` (O-02)."""

    KIND: ClassVar[str] = "malfunction-known"
    known: int
    due: int
    words: str
    by: str
    place: Place | None = None


@entry_kind
@dataclass(frozen=True, slots=True, kw_only=True)
class MalfunctionReported(Said):
    """A malfunction reported to the commission, under a reference."""

    KIND: ClassVar[str] = "malfunction-reported"
    malfunction: int
    reported: int
    reference: str
    by: str


@entry_kind
@dataclass(frozen=True, slots=True, kw_only=True)
class MalfunctionMended(Said):
    """A malfunction that is over."""

    KIND: ClassVar[str] = "malfunction-mended"
    malfunction: int
    words: str
    by: str


@entry_kind
@dataclass(frozen=True, slots=True, kw_only=True)
class AlarmCleared(Said):
    """An alarm that somebody has looked at, and what he found; it can be raised again."""

    KIND: ClassVar[str] = "alarm-cleared"
    alarm: str
    words: str
    by: str
