"""Where the journal has the last dealt round of each table: the entry that bound its key, and the one that told it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from pitboss.books import BookState, Entry, JournalStore, Payload, Projection, kinds_of, read_payload
from pitboss.commands.command import BOOK
from pitboss.room.dealing.entries import ShoeBound, ShoeRevealed, key_hash, replayed
from pitboss.table import Round


class LastDealt(NamedTuple):
    """Of a table: the entry of the last shuffle, and of the last round that is over both its entries; 0 is none."""

    begun: int = 0
    bound: int = 0
    told: int = 0


Lasts = Mapping[str, LastDealt]


def _fold(lasts: Lasts, entry: Entry, value: Payload) -> Lasts:
    before = lasts.get(entry.table, LastDealt())
    if isinstance(value, ShoeBound):
        after = before._replace(begun=entry.sequence)
    elif isinstance(value, ShoeRevealed):
        after = before._replace(bound=before.begun, told=entry.sequence)
    else:
        return lasts
    return {**lasts, entry.table: after}


DEALT_ROUNDS: Projection[Lasts] = Projection(
    name="dealt-rounds",
    empty={},
    shape=Lasts,
    fold=_fold,
    kinds=kinds_of(ShoeBound, ShoeRevealed),
)


def last_dealt(state: BookState, table: str) -> LastDealt:
    """The last round of a table."""
    return state.of(DEALT_ROUNDS).get(table, LastDealt())


class ToldRound(NamedTuple):
    """A round whose key is told: its two entries, what they say, and the round dealt again from the key."""

    begun: Entry
    over: Entry
    bound: ShoeBound
    told: ShoeRevealed
    played: Round

    @property
    def computed_hash(self) -> str:
        """The hash of the key that was told, computed now."""
        return key_hash(bytes.fromhex(self.told.key))

    @property
    def is_bound(self) -> bool:
        """Whether the key that was told is the one that was bound (R-04)."""
        return self.computed_hash == self.bound.key_hash


def told_round(store: JournalStore, table: str, bound: int, told: int) -> ToldRound | None:
    """Read a round that is over off its two entries, and deal it again; nothing where these are not its entries."""
    begun, over = store.entry(BOOK, bound), store.entry(BOOK, told)
    if begun is None or over is None or not begun.table == over.table == table:
        return None
    first, last = (read_payload(each.kind, each.payload) for each in (begun, over))
    if not isinstance(first, ShoeBound) or not isinstance(last, ShoeRevealed) or first.round != last.round:
        return None
    played = replayed(first.configuration, bytes.fromhex(last.key), last.operations)
    return ToldRound(begun, over, first, last, played)
