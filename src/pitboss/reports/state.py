"""The accounting desk as a fold: chips of recent shifts, exceptions not resolved and lately resolved, shared prizes.

The fold asks what the desk asks before it writes, so that an audit finds an entry that some other program has written.
"""

from collections.abc import Mapping
from typing import Annotated, Any, NamedTuple

from pitboss.books import PAIRS, ROWS, Entry, Instant, KeyedBy, Payload, Projection, json_object, kinds_of
from pitboss.reports import entries

ACCOUNTING_KINDS = kinds_of(
    entries.ChipsCollected,
    entries.ExceptionRaised,
    entries.ExceptionTaken,
    entries.ExceptionResolved,
    entries.PrizeShared,
)
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
    raised: Instant
    owner: str = ""
    state: str = "open"
    result: str = ""
    resolved: Instant = 0


@json_object
class RoomAccounting(NamedTuple):
    """Chips by day, shift and table; exceptions not resolved by number, and the last that were; shared prizes."""

    # Lists and not objects: what came first is forgotten first, and keys of JSON are sorted.
    chips: Annotated[Mapping[str, Chips], ROWS]
    open: Annotated[Mapping[int, ExceptionRecord], KeyedBy("number")]
    resolved: tuple[ExceptionRecord, ...]
    shared: Annotated[Mapping[str, tuple[entries.Share, ...]], PAIRS]

    def by_key(self, key: str) -> ExceptionRecord | None:
        """The exception with a key, the one that is not resolved before others."""
        records = [record for record in (*self.open.values(), *reversed(self.resolved)) if record.key == key]
        return records[0] if records else None


EMPTY = RoomAccounting({}, {}, (), {})


def _last(items: Mapping[str, Any], most: int) -> dict[str, Any]:
    return dict(list(items.items())[-most:])


def _counted(desk: RoomAccounting, entry: Entry, value: entries.ChipsCollected) -> RoomAccounting:
    before = desk.chips.get(value.place)
    if value.counted_with == entry.actor:
        raise ValueError("two people count (O-12)")
    if before is not None and value.replaces != before.sequence:
        raise ValueError(f"the chips of {value.place} were counted in entry {before.sequence}")
    chips = Chips(entry.sequence, value.cents, entry.actor, value.counted_with)
    others = {place: count for place, count in desk.chips.items() if place != value.place}
    return desk._replace(chips=_last({**others, value.place: chips}, _CHIPS_KEPT))


def _raised(desk: RoomAccounting, entry: Entry, value: entries.ExceptionRaised) -> RoomAccounting:
    if any(record.key == value.key for record in desk.open.values()):
        raise ValueError(f"{value.key} is raised already")
    held = ExceptionRecord(
        entry.sequence, value.key, value.words, value.units, value.people, entry.actor, entry.recorded
    )
    return desk._replace(open={**desk.open, held.number: held})


def _assigned(desk: RoomAccounting, _: Entry, value: entries.ExceptionTaken) -> RoomAccounting:
    held = desk.open[value.number]
    if value.owner in held.people:
        raise ValueError(f"{value.owner} cannot look into what is about themselves (M-07)")
    return desk._replace(open={**desk.open, value.number: held._replace(owner=value.owner, state="taken")})


def _resolved(desk: RoomAccounting, entry: Entry, value: entries.ExceptionResolved) -> RoomAccounting:
    held = desk.open[value.number]
    if not held.owner or held.owner != entry.actor or not value.words.strip():
        raise ValueError("an exception is resolved by its owner, with words (M-07)")
    done = held._replace(state="resolved", result=value.words, resolved=entry.recorded)
    left = {number: record for number, record in desk.open.items() if number != value.number}
    return desk._replace(open=left, resolved=(*desk.resolved, done)[-_RESOLVED_KEPT:])


def _fold(desk: RoomAccounting, entry: Entry, value: Payload) -> RoomAccounting:
    match value:
        case entries.ChipsCollected():
            return _counted(desk, entry, value)
        case entries.ExceptionRaised():
            return _raised(desk, entry, value)
        case entries.ExceptionTaken():
            return _assigned(desk, entry, value)
        case entries.ExceptionResolved():
            return _resolved(desk, entry, value)
        case entries.PrizeShared():
            others = {prize: shares for prize, shares in desk.shared.items() if prize != value.prize}
            return desk._replace(shared=_last({**others, value.prize: value.shares}, _SHARED_KEPT))
        case _:
            return desk


ACCOUNTING: Projection[RoomAccounting] = Projection(
    name="desk", shape=RoomAccounting, empty=EMPTY, fold=_fold, kinds=ACCOUNTING_KINDS
)
