"""The accounting desk as a fold: chips of recent shifts, exceptions not resolved and lately resolved, shared prizes.

The fold asks what the desk asks before it writes, so that an audit finds an entry that some other program has written.
"""

import datetime
from collections.abc import Mapping
from typing import Annotated, Any, NamedTuple

from pitboss import books


@books.entry_kind("chips-collected")
class ChipsCollected(books.EntryPayload):
    """The jackpot chips of one table and shift, counted by two people (O-12, P-06).

    A recount says which entry it replaces, and why.
    """

    day: datetime.date
    shift: str
    table: str
    cents: int
    counted_with: str
    replaces: int | None = None
    words: str = ""

    @property
    def place(self) -> str:
        """The day, shift and table as one text."""
        return place_of(self.day, self.shift, self.table)


def place_of(day: datetime.date, shift: str, table: str) -> str:
    """One text for the shift of a day at a table."""
    return f"{day.isoformat()}/{shift}/{table}"


@books.entry_kind("exception-raised", writes_defaults=True)
class ExceptionRaised(books.EntryPayload):
    """An open exception (M-07): the key it is found again by, words, its amount, and whom it is about.

    `about` is the entry whose video is kept until it is closed (G-48), 0 where there is none; entries of before do not
    state it.
    """

    key: str
    words: str
    units: int | None = None
    people: tuple[str, ...] = ()
    about: int | None = None


@books.entry_kind("exception-taken")
class ExceptionTaken(books.EntryPayload):
    """Somebody takes an exception and owns it from then on (M-07)."""

    number: int
    owner: str


@books.entry_kind("exception-resolved")
class ExceptionResolved(books.EntryPayload):
    """What the owner of an exception found out (M-07)."""

    number: int
    words: str


class Share(NamedTuple):
    """One person's part of a prize; of the taxpayer number the books hold only whether there is one."""

    winner: str
    cents: int
    taxpayer_number: bool


@books.entry_kind("prize-shared")
class PrizeShared(books.EntryPayload):
    """Several people are entitled to the prize of one seat: what Form 5754 asks (X-05)."""

    hit: int
    seat: int
    shares: tuple[Share, ...]

    @property
    def prize(self) -> str:
        """Which prize it is, as one text."""
        return f"{self.hit}-{self.seat}"


ACCOUNTING_KINDS = books.kinds_of(
    ChipsCollected,
    ExceptionRaised,
    ExceptionTaken,
    ExceptionResolved,
    PrizeShared,
)
_CHIPS_KEPT = 1_000
_RESOLVED_KEPT = 400
_SHARED_KEPT = 200
_VERSION = 2
"""Since exceptions say which entry they are about."""


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
    raised: books.Instant
    owner: str = ""
    state: str = "open"
    result: str = ""
    resolved: books.Instant = 0
    about: int | None = None


@books.json_object
class RoomAccounting(NamedTuple):
    """Chips by day, shift and table; exceptions not resolved by number, and the last that were; shared prizes."""

    # Lists and not objects: what came first is forgotten first, and keys of JSON are sorted.
    chips: Annotated[Mapping[str, Chips], books.ROWS]
    open: Annotated[Mapping[int, ExceptionRecord], books.KeyedBy("number")]
    resolved: tuple[ExceptionRecord, ...]
    shared: Annotated[Mapping[str, tuple[Share, ...]], books.PAIRS]

    def by_key(self, key: str) -> ExceptionRecord | None:
        """The exception with a key, the one that is not resolved before others."""
        records = [record for record in (*self.open.values(), *reversed(self.resolved)) if record.key == key]
        return records[0] if records else None


EMPTY = RoomAccounting({}, {}, (), {})


def _last(items: Mapping[str, Any], most: int) -> dict[str, Any]:
    return dict(list(items.items())[-most:])


def _counted(desk: RoomAccounting, entry: books.Entry, value: ChipsCollected) -> RoomAccounting:
    before = desk.chips.get(value.place)
    if value.counted_with == entry.actor:
        raise ValueError("two people count (O-12)")
    if before is not None and value.replaces != before.sequence:
        raise ValueError(f"the chips of {value.place} were counted in entry {before.sequence}")
    chips = Chips(entry.sequence, value.cents, entry.actor, value.counted_with)
    others = {place: count for place, count in desk.chips.items() if place != value.place}
    return desk._replace(chips=_last({**others, value.place: chips}, _CHIPS_KEPT))


def _raised(desk: RoomAccounting, entry: books.Entry, value: ExceptionRaised) -> RoomAccounting:
    if any(record.key == value.key for record in desk.open.values()):
        raise ValueError(f"{value.key} is raised already")
    held = ExceptionRecord(
        entry.sequence,
        value.key,
        value.words,
        value.units,
        value.people,
        entry.actor,
        entry.recorded,
        about=value.about,
    )
    return desk._replace(open={**desk.open, held.number: held})


def _assigned(desk: RoomAccounting, _: books.Entry, value: ExceptionTaken) -> RoomAccounting:
    held = desk.open[value.number]
    if value.owner in held.people:
        raise ValueError(f"{value.owner} cannot look into what is about themselves (M-07)")
    return desk._replace(open={**desk.open, value.number: held._replace(owner=value.owner, state="taken")})


def _resolved(desk: RoomAccounting, entry: books.Entry, value: ExceptionResolved) -> RoomAccounting:
    held = desk.open[value.number]
    if not held.owner or held.owner != entry.actor or not value.words.strip():
        raise ValueError("an exception is resolved by its owner, with words (M-07)")
    done = held._replace(state="resolved", result=value.words, resolved=entry.recorded)
    left = {number: record for number, record in desk.open.items() if number != value.number}
    return desk._replace(open=left, resolved=(*desk.resolved, done)[-_RESOLVED_KEPT:])


def _fold(desk: RoomAccounting, entry: books.Entry, value: books.Payload) -> RoomAccounting:
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


ACCOUNTING: books.Projection[RoomAccounting] = books.Projection(
    name="desk", shape=RoomAccounting, empty=EMPTY, fold=_fold, kinds=ACCOUNTING_KINDS, version=_VERSION
)
