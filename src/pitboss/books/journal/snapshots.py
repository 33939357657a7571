"""Sealed snapshots of a book's state, and entries about the book itself: snapshots, decided damage, restored books.

A snapshot saves folding all entries before it. It may have been sealed before a part of the state existed, or when the
part had another version: that part alone is folded, from the entries of its kinds.
"""

import json
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Annotated, Any, NamedTuple, TypeVar

from pitboss.books.journal import payloads
from pitboss.books.journal.codec import OMIT_DEFAULT, hash_of, json_object
from pitboss.books.journal.entries import Damage, Entry
from pitboss.books.journal.state import BookState, Folding, Projection
from pitboss.books.store.base import LAST, AwayError, JournalStore, Snapshot, StoreError

S = TypeVar("S")
SNAPSHOTS_TRIED = 3
"""So many of the newest snapshots are looked at for a sound one."""
_RUN = 1_000


@payloads.entry_kind("snapshot-sealed")
class SnapshotSealed(payloads.EntryPayload):
    """The hash of the state that all entries before this one fold to; signed where the room has a key."""

    state_hash: str
    key: Annotated[str, OMIT_DEFAULT] = ""
    signature: Annotated[str, OMIT_DEFAULT] = ""


class DoubtfulAmount(NamedTuple):
    """A jackpot whose amount rests on an entry that is damaged or lost, and the number of that entry."""

    jackpot: str
    sequence: int


@payloads.entry_kind("damage-decided")
class DamageDecided(payloads.EntryPayload):
    """Two people have looked at damage and decided that the books go on from what is there, for a reason (G-29).

    Entries of which a copy fits the hash are put back; `replaced` holds what stood in their place. Of the others, one
    that can be read counts as it reads and one that cannot moves nothing: the amounts that rest on them are doubtful.
    Decisions of before version 0.3 name one person.
    """

    person: str
    reason: str
    damages: tuple[Damage, ...]
    second: Annotated[str, OMIT_DEFAULT] = ""
    restored: Annotated[tuple[int, ...], OMIT_DEFAULT] = ()
    replaced: Annotated[tuple[str, ...], OMIT_DEFAULT] = ()
    doubtful: Annotated[tuple[DoubtfulAmount, ...], OMIT_DEFAULT] = ()


@payloads.entry_kind("time-decided")
class TimeDecided(payloads.EntryPayload):
    """Two people have said that the computer's clock is right now, for a reason, after it jumped (G-77).

    The entries from `first` to `last` were dated by a wrong one: they happened by `at`. 0 where there are none.
    """

    person: str
    second: str
    reason: str
    first: int
    last: int
    at: int


@payloads.entry_kind("books-restored")
class BooksRestored(payloads.EntryPayload):
    """A named person has restored the books from a backup whose head is named.

    `vouched` is the head from elsewhere that was found in it; or `without_head` says why there was none to compare.
    """

    person: str
    reason: str
    sequence: int
    head: str
    vouched: Annotated[str, OMIT_DEFAULT] = ""
    without_head: Annotated[str, OMIT_DEFAULT] = ""


@json_object
class Decisions(NamedTuple):
    """Decisions about the book itself: damage that was accepted, up to which entry, and entries that restored it."""

    decided: frozenset[Damage]
    decided_upto: int
    restored: tuple[int, ...]


def _fold(decisions: Decisions, entry: Entry, value: payloads.Payload) -> Decisions:
    if isinstance(value, DamageDecided):
        decided = decisions.decided | frozenset(value.damages)
        return decisions._replace(decided=decided, decided_upto=entry.sequence)
    return decisions._replace(restored=(*decisions.restored, entry.sequence))


DECISIONS: Projection[Decisions] = Projection(
    name="standing",
    shape=Decisions,
    empty=Decisions(frozenset(), 0, ()),
    fold=_fold,
    kinds=payloads.kinds_of(DamageDecided, BooksRestored),
)


class Start(NamedTuple):
    """The state of a snapshot with all parts, and the names of those that it lacks, which were folded alone."""

    state: BookState
    lacking: tuple[str, ...] = ()


def snapshot_states(store: JournalStore, folding: Folding, book: str, upto: int) -> Iterator[BookState]:
    """Yield states of sound snapshots up to an entry, the newest first, with all parts of a folding."""
    return (start.state for start in starts(store, folding, book, upto))


def part_at(store: JournalStore, book: str, upto: int, projection: Projection[S]) -> S:
    """Return what one part of the state comes to after an entry, from the nearest sealed state and its own entries."""
    folding = Folding((projection,))
    start = next(snapshot_states(store, folding, book, upto), folding.empty())
    part = start.of(projection)
    for entry in store.entries(book, start.sequence, upto, kinds=projection.kinds):
        try:
            part = projection.fold(part, entry, payloads.read_payload(entry.kind, entry.payload))
        except (payloads.UnreadableError, KeyError, TypeError, ValueError, AttributeError):
            # What cannot be read, or cannot follow what came before it, moves nothing (G-29).
            continue
    return part


def starts(store: JournalStore, folding: Folding, book: str, upto: int = LAST) -> Iterator[Start]:
    """Yield where a reading may start: sound snapshots up to an entry, the newest first.

    A snapshot is sound if its entry holds the hash of what was sealed. Parts that it lacks are folded alone; where that
    cannot be done there is nowhere to start, and the whole book is folded.
    """
    for _ in range(SNAPSHOTS_TRIED):
        # One at a time: mostly the newest will do, and a state is long.
        try:
            newest = store.snapshots(book, upto=upto, most=1)
        except AwayError:
            raise
        except StoreError:
            # Damage: then the book is folded from nothing.
            return
        if not newest:
            return
        [snapshot] = newest
        upto = snapshot.sequence - 1
        if _is_sound(store, book, snapshot):
            start = _completed(store, folding, book, json.loads(snapshot.state))
            if start is None:
                return
            yield start


def _is_sound(store: JournalStore, book: str, snapshot: Snapshot) -> bool:
    try:
        entry = store.entry(book, snapshot.sequence)
        if entry is None or not entry.is_sound or entry.kind != SnapshotSealed.KIND or type(snapshot.state) is not str:
            return False
    except AwayError:
        raise
    except (StoreError, AttributeError, TypeError):
        return False
    try:
        value = payloads.read_payload(entry.kind, entry.payload)
    except payloads.UnreadableError:
        return False
    return isinstance(value, SnapshotSealed) and value.state_hash == hash_of(snapshot.state).hex()


def _completed(store: JournalStore, folding: Folding, book: str, sealed: dict[str, Any]) -> Start | None:
    """Read the parts of a sealed state, and fold those that it lacks from entries of their kinds."""
    state = folding.sealed_parts(sealed)
    lacking = [projection for projection in folding.projections if projection.name not in state.parts]
    if not lacking:
        return Start(state)
    # Where damage was decided on, an entry that one part refused has moved no other: only the whole fold knows which.
    if sealed["parts"].get(DECISIONS.name, {"decided": True})["decided"]:
        return None
    parts = _folded_alone(store, lacking, book, state.sequence)
    if parts is None:
        return None
    whole = BookState(state.sequence, state.digest, state.recorded, state.parts | parts)
    return Start(whole, tuple(projection.name for projection in lacking))


def _folded_alone(
    store: JournalStore, projections: Iterable[Projection[Any]], book: str, upto: int
) -> dict[str, Any] | None:
    """Fold some parts of the state from the entries of their kinds, up to an entry; None where that cannot be done."""
    folding = Folding(projections)
    kinds: set[str] = set()
    for projection in folding.projections:
        if projection.kinds is None:
            return None
        kinds |= projection.kinds
    # A report reads the state at the beginning of its period and the one at its end: the second goes on from the first.
    state = store.folded_alone.get((book, *folding.version.items()))
    if state is None or state.sequence > upto:
        state = folding.empty()
    entries = store.entries(book, state.sequence, upto, kinds=kinds)
    while some := list(islice(entries, _RUN)):
        if not all(entry.is_sound for entry in some):
            return None
        try:
            state = folding.fold_run(
                state, [(entry, payloads.read_payload(entry.kind, entry.payload)) for entry in some]
            )
        except payloads.UnreadableError:
            return None
    store.folded_alone[book, *folding.version.items()] = state
    return state.parts
