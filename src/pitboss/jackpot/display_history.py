"""When displays came to an amount, and what a display went through: read by stretches between sealed states.

What a display showed at both ends of a stretch is known, and counted wagers only raise it: where nothing else moved it,
it went from one to the other, and the stretch need not be read.
"""

from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from itertools import pairwise
from typing import NamedTuple, TypeVar

from pitboss.books import LEDGER, Folding, JournalStore, Movement, entries_at, read_payload, saying, snapshot_states
from pitboss.jackpot.explain import movements_of, shown_change
from pitboss.meters import cents_shown

_DISPLAYED = '"displayed"'
Point = tuple[int, int]
"""An instant in microseconds, and what stood on a display from then on, in units."""


class DisplayMoment(NamedTuple):
    """A moment at which a display came to an amount: the jackpot and the entry."""

    jackpot: str
    sequence: int


class Stretch(NamedTuple):
    """A stretch of a book: what displays showed after the entry before it and after its last, and when that was.

    The newest one, after the last sealed state, has no closing: it is read.
    """

    after: int
    upto: int
    opening: Mapping[str, int]
    closing: Mapping[str, int]
    recorded: int
    head: bytes = b""
    """The hash of the entry that sealed its closing: all before it is the same wherever that is."""


class _Sealed(NamedTuple):
    sequence: int
    recorded: int
    displays: Mapping[str, int]


_REMEMBERED_MAX = 4_000
_seals: OrderedDict[tuple[int, bytes], _Sealed] = OrderedDict()
_fallen: OrderedDict[tuple[int, int, bytes], dict[str, int]] = OrderedDict()
K = TypeVar("K")
V = TypeVar("V")


def _remembered(cache: OrderedDict[K, V], key: K, build: Callable[[], V]) -> V:
    """Return a cached value, or build it: a process reads the same entries once."""
    if key in cache:
        return cache[key]
    value = cache[key] = build()
    if len(cache) > _REMEMBERED_MAX:
        cache.popitem(last=False)
    return value


def _sealed(store: JournalStore, book: str, upto: int) -> _Sealed:
    newest = next(snapshot_states(store, Folding((LEDGER,)), book, upto), None)
    if newest is None:
        return _Sealed(0, 0, {})
    displays = {name: accounts.balances["displayed"] for name, accounts in newest.of(LEDGER).items()}
    return _Sealed(newest.sequence, newest.recorded, displays)


def stretches(store: JournalStore, book: str, after: int, upto: int) -> Iterator[Stretch]:
    """Split what is between two entries at the sealed states there are, the newest stretch first.

    The oldest may go back before `after`, to the sealed state before it.
    """
    heads = entries_at(store, book, store.snapshot_numbers(book, after, upto))
    ends, closing, recorded, head = upto, dict[str, int](), 0, b""
    for number in sorted(heads, reverse=True):
        digest = heads[number].digest
        seal = _remembered(_seals, (number, digest), partial(_sealed, store, book, number))
        if seal.sequence >= ends:
            continue
        yield Stretch(seal.sequence, ends, seal.displays, closing, recorded, head)
        ends, closing, recorded, head = seal.sequence, dict(seal.displays), seal.recorded, digest
        if seal.sequence <= after:
            return
    first = _sealed(store, book, after)
    yield Stretch(first.sequence, ends, first.displays, closing, recorded, head)


def _falls(store: JournalStore, book: str, stretch: Stretch) -> dict[str, int]:
    """Return by how much each display fell at most in a stretch: all that left it by no counted wager, in units.

    A jackpot whose display anything but counted wagers moved is named, though nothing left it.
    """
    if not stretch.closing:
        return _fell(store, book, stretch)
    return _remembered(_fallen, (stretch.after, stretch.upto, stretch.head), partial(_fell, store, book, stretch))


def _fell(store: JournalStore, book: str, stretch: Stretch) -> dict[str, int]:
    falls: dict[str, int] = {}
    for entry in saying(store, book, _DISPLAYED, stretch.after, stretch.upto, but="wagers-counted"):
        value = read_payload(entry.kind, entry.payload)
        if isinstance(value, Movement):
            fell = sum(transfer.units for transfer in value.transfers if transfer.payer == "displayed")
            falls[value.jackpot] = falls.get(value.jackpot, 0) + fell
    return falls


def _may_show(stretch: Stretch, falls: Mapping[str, int], name: str, cents: int) -> bool:
    """True if a display may have come to an amount: it was never below its opening less all falls, nor above."""
    if name not in stretch.opening or name not in stretch.closing:
        return True
    fell = falls.get(name, 0)
    lowest, highest = stretch.opening[name] - fell, stretch.closing[name] + fell
    return cents_shown(lowest) <= cents <= cents_shown(highest)


def _last_shown(store: JournalStore, book: str, stretch: Stretch, name: str, cents: int) -> int | None:
    """Return the last entry of a stretch at which a display came to an amount."""
    last, units = None, stretch.opening.get(name)
    for entry, movement in movements_of(store, book, stretch.upto, name, stretch.after):
        before, units = units, (units or 0) + shown_change(movement)
        if cents_shown(units) == cents and (before is None or cents_shown(before) != cents):
            last = entry.sequence
    return last


def find_shown(store: JournalStore, book: str, cents: int, upto: int) -> list[DisplayMoment]:
    """Find the last moment at which each display of a book came to show an amount."""
    last_by_name: dict[str, int] = {}
    head = store.head(book)
    names: set[str] | None = None
    for stretch in stretches(store, book, 0, min(upto, 0 if head is None else head.sequence)):
        if names is None:
            moved = movements_of(store, book, stretch.upto, None, stretch.after)
            names = {*stretch.opening, *(movement.jackpot for _, movement in moved)}
        missing = names - set(last_by_name)
        if not missing:
            break
        falls = _falls(store, book, stretch)
        for name in missing:
            at = _last_shown(store, book, stretch, name, cents) if _may_show(stretch, falls, name, cents) else None
            if at is not None:
                last_by_name[name] = at
    moments = (DisplayMoment(name, sequence) for name, sequence in last_by_name.items())
    return sorted(moments, key=lambda moment: moment.sequence)


def history_of(store: JournalStore, book: str, name: str, after: int, upto: int) -> list[Point]:
    """Return what a display showed after each sealed state, and on both sides of every fall; oldest first."""
    points: list[list[Point]] = []
    for stretch in stretches(store, book, after, upto):
        is_read = not stretch.closing or name in _falls(store, book, stretch)
        points.append(_points(store, book, stretch, name, after) if is_read else [])
        if name in stretch.closing:
            points[-1].append((stretch.recorded, stretch.closing[name]))
    return [point for some in reversed(points) for point in some]


def _points(store: JournalStore, book: str, stretch: Stretch, name: str, after: int) -> list[Point]:
    """Return both sides of every fall in a stretch that is read, and its last point."""
    every: list[Point] = []
    units = stretch.opening.get(name, 0)
    for entry, movement in movements_of(store, book, stretch.upto, name, stretch.after):
        before, units = units, units + shown_change(movement)
        if entry.sequence > after and (units != before or not every):
            every.append((entry.recorded, units))
    falls = {place for place, (one, two) in enumerate(pairwise(every), start=1) if two[1] < one[1]}
    places = {0, len(every) - 1, *falls, *(place - 1 for place in falls)}
    return [point for place, point in enumerate(every) if place in places]
