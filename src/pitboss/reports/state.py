"""The accounting desk as a fold: chips of recent shifts, exceptions not resolved and lately resolved, shared prizes.

The fold asks what the desk asks before it writes, so that an audit finds an entry that some other program has written.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, NamedTuple

from pitboss.books import PAIRS, ROWS, Entry, Instant, KeyedBy, Payload, Projection, json_object, kinds_of
from pitboss.reports.entries import (
    ChipsCollected,
    ExceptionRaised,
    ExceptionResolved,
    ExceptionTaken,
    PrizeShared,
    Share,
)

DESK_KINDS = kinds_of(ChipsCollected, ExceptionRaised, ExceptionTaken, ExceptionResolved, PrizeShared)
_CHIPS_KEPT = 1_000
_RESOLVED_KEPT = 400
_SHARED_KEPT = 200


class Chips(NamedTuple):
    """The last count of the chips of a table and shift: its entry, the amount and both people."""

    sequence: int
    cents: int
    counted_by: str
    counted_with: str


class Held(NamedTuple):
    """An exception in the books; its number is that of the entry that raised it."""

    number: int
    key: str
    words: str
    units: int | None
    people: tuple[str, ...]
    raised_by: str
    raised: Instant
    owner: str = ""
    state: str = "open"
    result: str = ""
    resolved: Instant = 0


@json_object
class RoomDesk(NamedTuple):
    """Chips by day, shift and table; exceptions not resolved by number, and the last that were; shared prizes."""

    # Lists and not objects: what came first is forgotten first, and keys of JSON are sorted.
    chips: Annotated[Mapping[str, Chips], ROWS]
    open: Annotated[Mapping[int, Held], KeyedBy("number")]
    resolved: tuple[Held, ...]
    shared: Annotated[Mapping[str, tuple[Share, ...]], PAIRS]

    def by_key(self, key: str) -> Held | None:
        """The exception with a key, the one that is not resolved before others."""
        found = [each for each in (*self.open.values(), *reversed(self.resolved)) if each.key == key]
        return found[0] if found else None


EMPTY = RoomDesk({}, {}, (), {})


def _last(items: Mapping[str, Any], most: int) -> dict[str, Any]:
    return dict(list(items.items())[-most:])


def _counted(desk: RoomDesk, entry: Entry, value: ChipsCollected) -> RoomDesk:
    before = desk.chips.get(value.place)
    if value.counted_with == entry.actor:
        raise ValueError("two people count (O-12)")
    if before is not None and value.replaces != before.sequence:
        raise ValueError(f"the chips of {value.place} were counted in entry {before.sequence}")
    made = Chips(entry.sequence, value.cents, entry.actor, value.counted_with)
    others = {place: each for place, each in desk.chips.items() if place != value.place}
    return desk._replace(chips=_last({**others, value.place: made}, _CHIPS_KEPT))


def _raised(desk: RoomDesk, entry: Entry, value: ExceptionRaised) -> RoomDesk:
    if any(each.key == value.key for each in desk.open.values()):
        raise ValueError(f"{value.key} is raised already")
    said = (value.key, value.words, value.units, value.people)
    held = Held(entry.sequence, *said, entry.actor, entry.recorded)
    return desk._replace(open={**desk.open, held.number: held})


def _taken(desk: RoomDesk, _: Entry, value: ExceptionTaken) -> RoomDesk:
    held = desk.open[value.number]
    if value.owner in held.people:
        raise ValueError(f"{value.owner} cannot look into what is about himself (M-07)")
    return desk._replace(open={**desk.open, value.number: held._replace(owner=value.owner, state="taken")})


def _resolved(desk: RoomDesk, entry: Entry, value: ExceptionResolved) -> RoomDesk:
    held = desk.open[value.number]
    if not held.owner or held.owner != entry.actor or not value.words.strip():
        raise ValueError("an exception is resolved by its owner, with words (M-07)")
    done = held._replace(state="resolved", result=value.words, resolved=entry.recorded)
    left = {number: each for number, each in desk.open.items() if number != value.number}
    return desk._replace(open=left, resolved=(*desk.resolved, done)[-_RESOLVED_KEPT:])


def _fold(desk: RoomDesk, entry: Entry, value: Payload) -> RoomDesk:
    match value:
        case ChipsCollected():
            return _counted(desk, entry, value)
        case ExceptionRaised():
            return _raised(desk, entry, value)
        case ExceptionTaken():
            return _taken(desk, entry, value)
        case ExceptionResolved():
            return _resolved(desk, entry, value)
        case PrizeShared():
            others = {prize: each for prize, each in desk.shared.items() if prize != value.prize}
            return desk._replace(shared=_last({**others, value.prize: value.shares}, _SHARED_KEPT))
        case _:
            return desk


DESK: Projection[RoomDesk] = Projection(name="desk", shape=RoomDesk, empty=EMPTY, fold=_fold, kinds=DESK_KINDS)
