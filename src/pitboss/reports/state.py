"""The accounting desk as a fold: chips of recent shifts, exceptions not resolved and lately resolved, shared prizes.

The fold asks what the desk asks before it writes, so that an audit finds an entry that some other program has written.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from pitboss.books import Entry, Payload, Projection
from pitboss.reports.entries import (
    ChipsCollected,
    ExceptionRaised,
    ExceptionResolved,
    ExceptionTaken,
    PrizeShared,
    Share,
)

ACCOUNTING_KINDS = ("chips-collected", "exception-raised", "exception-taken", "exception-resolved", "prize-shared")
_CHIPS_KEPT = 1_000
_RESOLVED_KEPT = 400
_SHARED_KEPT = 200


class Chips(NamedTuple):
    """The last count of the chips of a table and shift: its entry, the amount and both people."""

    sequence: int
    cents: int
    counted_by: str
    counted_with: str


class ExceptionRecord(NamedTuple):
    """An exception in the books; its number is that of the entry that raised it."""

    number: int
    key: str
    words: str
    units: int | None
    people: tuple[str, ...]
    raised_by: str
    raised: int
    owner: str = ""
    state: str = "open"
    result: str = ""
    resolved: int = 0


class RoomAccounting(NamedTuple):
    """Chips by day, shift and table; exceptions not resolved by number, and the last that were; shared prizes."""

    chips: Mapping[str, Chips]
    open: Mapping[int, ExceptionRecord]
    resolved: tuple[ExceptionRecord, ...]
    shared: Mapping[str, tuple[Share, ...]]

    def by_key(self, key: str) -> ExceptionRecord | None:
        """The exception with a key, the one that is not resolved before others."""
        records = [record for record in (*self.open.values(), *reversed(self.resolved)) if record.key == key]
        return records[0] if records else None


EMPTY = RoomAccounting({}, {}, (), {})


def _last(items: Mapping[str, Any], most: int) -> dict[str, Any]:
    return dict(list(items.items())[-most:])


def _counted(desk: RoomAccounting, entry: Entry, value: ChipsCollected) -> RoomAccounting:
    before = desk.chips.get(value.place)
    if value.counted_with == entry.actor:
        raise ValueError("two people count (O-12)")
    if before is not None and value.replaces != before.sequence:
        raise ValueError(f"the chips of {value.place} were counted in entry {before.sequence}")
    chips = Chips(entry.sequence, value.cents, entry.actor, value.counted_with)
    others = {place: count for place, count in desk.chips.items() if place != value.place}
    return desk._replace(chips=_last({**others, value.place: chips}, _CHIPS_KEPT))


def _raised(desk: RoomAccounting, entry: Entry, value: ExceptionRaised) -> RoomAccounting:
    if any(record.key == value.key for record in desk.open.values()):
        raise ValueError(f"{value.key} is raised already")
    held = ExceptionRecord(
        entry.sequence, value.key, value.words, value.units, value.people, entry.actor, entry.recorded
    )
    return desk._replace(open={**desk.open, held.number: held})


def _assigned(desk: RoomAccounting, _: Entry, value: ExceptionTaken) -> RoomAccounting:
    held = desk.open[value.number]
    if value.owner in held.people:
        raise ValueError(f"{value.owner} cannot look into what is about themselves (M-07)")
    return desk._replace(open={**desk.open, value.number: held._replace(owner=value.owner, state="taken")})


def _resolved(desk: RoomAccounting, entry: Entry, value: ExceptionResolved) -> RoomAccounting:
    held = desk.open[value.number]
    if not held.owner or held.owner != entry.actor or not value.words.strip():
        raise ValueError("an exception is resolved by its owner, with words (M-07)")
    done = held._replace(state="resolved", result=value.words, resolved=entry.recorded)
    left = {number: record for number, record in desk.open.items() if number != value.number}
    return desk._replace(open=left, resolved=(*desk.resolved, done)[-_RESOLVED_KEPT:])


def _fold(desk: RoomAccounting, entry: Entry, value: Payload) -> RoomAccounting:
    match value:
        case ChipsCollected():
            return _counted(desk, entry, value)
        case ExceptionRaised():
            return _raised(desk, entry, value)
        case ExceptionTaken():
            return _assigned(desk, entry, value)
        case ExceptionResolved():
            return _resolved(desk, entry, value)
        case PrizeShared():
            others = {prize: shares for prize, shares in desk.shared.items() if prize != value.prize}
            return desk._replace(shared=_last({**others, value.prize: value.shares}, _SHARED_KEPT))
        case _:
            return desk


def _write(desk: RoomAccounting) -> dict[str, Any]:
    # In order: what came first is forgotten first, and keys of JSON are sorted.
    return {
        "chips": [[place, *each] for place, each in desk.chips.items()],
        "open": [_held_json(each) for each in desk.open.values()],
        "resolved": [_held_json(each) for each in desk.resolved],
        "shared": [[prize, [list(each) for each in shares]] for prize, shares in desk.shared.items()],
    }


def _held_json(held: ExceptionRecord) -> list[Any]:
    return [list(each) if isinstance(each, tuple) else each for each in held]


def _held(said: list[Any]) -> ExceptionRecord:
    number, key, words, units, people, *others = said
    return ExceptionRecord(number, key, words, units, tuple(people), *others)


def _read(said: dict[str, Any]) -> RoomAccounting:
    found = map(_held, said["open"])
    return RoomAccounting(
        {place: Chips(*each) for place, *each in said["chips"]},
        {each.number: each for each in found},
        tuple(map(_held, said["resolved"])),
        {prize: tuple(Share(*each) for each in shares) for prize, shares in said["shared"]},
    )


ACCOUNTING: Projection[RoomAccounting] = Projection(name="desk", empty=EMPTY, fold=_fold, write=_write, read=_read)
