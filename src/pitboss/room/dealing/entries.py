"""Entries about cards that Pitboss deals, and how tables deal as a fold over them (W-04, R-04).

The key of a shoe is bound by its hash at the shuffle and revealed when the round is over, with the operations in
between, so that nobody reads a card in the journal that lies face down.
"""

from collections.abc import Mapping
from hashlib import sha256
from typing import Literal, NamedTuple, TypeAlias

from pitboss import books
from pitboss.commands.command import BOOK
from pitboss.table import Configuration, Round, read_configuration
from pitboss.table.operations import from_json
from pitboss.table.round import Phase

Cards: TypeAlias = Literal["physical", "dealt"]
Money: TypeAlias = Literal["play", "real"]
_OVER = (Phase.FINISHED, Phase.VOID)


@books.entry_kind("dealing-set")
class DealingSet(books.EntryPayload):
    """How a table deals from now on: physical cards, or cards that Pitboss deals, and for which money."""

    cards: Cards
    money: Money
    approval: str
    words: str
    approved_by: str


@books.entry_kind("shoe-bound")
class ShoeBound(books.EntryPayload):
    """The shuffle for a round: the hash of its fresh key, and the configuration it is played under."""

    round: int
    key_hash: str
    configuration: str


@books.entry_kind("shoe-revealed")
class ShoeRevealed(books.EntryPayload):
    """A dealt round is over: its key, and all that was done, from which it can be dealt again."""

    round: int
    key: str
    operations: tuple[str, ...]


@books.entry_kind("shoe-lost")
class ShoeLost(books.EntryPayload):
    """A round whose key is lost, as after a restore: two people say so, and it counts for nothing."""

    round: int
    words: str
    approved_by: str


@books.entry_kind("dealing-unlocked")
class DealingUnlocked(books.EntryPayload):
    """Two people have looked at a failed health test of the random numbers, and dealing goes on (R-06, G-27)."""

    failure: str
    words: str
    approved_by: str


class TableDealing(NamedTuple):
    """How a table deals: the last round, and of one that is not over the hash of its key and its configuration."""

    cards: Cards = "physical"
    money: Money = "play"
    approval: str = ""
    round: int = 0
    key_hash: str = ""
    configuration: str = ""

    @property
    def is_on(self) -> bool:
        """True if a round is on the table."""
        return bool(self.key_hash)


Tables = Mapping[str, TableDealing]


def key_hash(key: bytes) -> str:
    """Return the hash that binds a key."""
    return sha256(key).hexdigest()


def _fold(tables: Tables, entry: books.Entry, value: books.Payload) -> Tables:
    before = tables.get(entry.table, TableDealing())
    if isinstance(value, DealingSet):
        after = before._replace(cards=value.cards, money=value.money, approval=value.approval)
    elif isinstance(value, ShoeBound):
        after = before._replace(round=value.round, key_hash=value.key_hash, configuration=value.configuration)
    elif isinstance(value, ShoeRevealed | ShoeLost):
        after = before._replace(key_hash="", configuration="")
    else:
        return tables
    return {**tables, entry.table: after}


DEALING: books.Projection[Tables] = books.Projection(
    name="dealing",
    empty={},
    shape=Tables,
    fold=_fold,
    kinds=books.kinds_of(DealingSet, ShoeBound, ShoeRevealed, ShoeLost),
)


UNLOCKED: books.Projection[str] = books.Projection(
    name="dealing-unlocked",
    empty="",
    shape=str,
    fold=lambda before, _, value: value.failure if isinstance(value, DealingUnlocked) else before,
    kinds=books.kinds_of(DealingUnlocked),
)
"""The last failure of a health test after which two people let dealing go on."""


def _configuration(text: str) -> Configuration:
    reading = read_configuration(text)
    if reading.configuration is None:
        raise ValueError("; ".join(map(str, reading.problems)))
    return reading.configuration


def replayed(configuration: str, key: bytes, operations: tuple[str, ...]) -> Round:
    """Deal a round again from its key, and apply its operations again."""
    # Only who deals or checks a dealt round loads this.
    from pitboss.randomness import LiveDealing, MemoryLock  # noqa: PLC0415

    table = _configuration(configuration)
    shoe = LiveDealing(key, MemoryLock()).next_shoe(table.terms.deck)
    played = Round(configuration=table, shoe=shoe.cards, meters=table.meters)
    for operation in operations:
        played = played.apply(from_json(operation))
    return played


def ended(played: Round) -> bool:
    """True if a round is over, so that its key may be revealed."""
    return played.phase in _OVER


class LastDealt(NamedTuple):
    """Of a table: the entry of the last shuffle, and of the last round that is over both its entries; 0 is none."""

    begun: int = 0
    bound: int = 0
    revealed: int = 0


Lasts = Mapping[str, LastDealt]


def _fold_last(lasts: Lasts, entry: books.Entry, value: books.Payload) -> Lasts:
    before = lasts.get(entry.table, LastDealt())
    if isinstance(value, ShoeBound):
        after = before._replace(begun=entry.sequence)
    elif isinstance(value, ShoeRevealed):
        after = before._replace(bound=before.begun, revealed=entry.sequence)
    else:
        return lasts
    return {**lasts, entry.table: after}


DEALT_ROUNDS: books.Projection[Lasts] = books.Projection(
    name="dealt-rounds", shape=Lasts, empty={}, fold=_fold_last, kinds=books.kinds_of(ShoeBound, ShoeRevealed)
)


def last_dealt(state: books.BookState, table: str) -> LastDealt:
    """Return the last round of a table."""
    return state.of(DEALT_ROUNDS).get(table, LastDealt())


class RevealedRound(NamedTuple):
    """A round whose key is revealed: its two entries, their values, and the round dealt again from the key."""

    begun: books.Entry
    over: books.Entry
    bound: ShoeBound
    revealed: ShoeRevealed
    played: Round

    @property
    def computed_hash(self) -> str:
        """The hash of the revealed key, computed now."""
        return key_hash(bytes.fromhex(self.revealed.key))

    @property
    def is_bound(self) -> bool:
        """True if the revealed key is the one that was bound (R-04)."""
        return self.computed_hash == self.bound.key_hash


def revealed_round(store: books.JournalStore, table: str, bound: int, revealed: int) -> RevealedRound | None:
    """Read a round that is over off its two entries, and deal it again; nothing where these are not its entries."""
    begun, over = store.entry(BOOK, bound), store.entry(BOOK, revealed)
    if begun is None or over is None or not begun.table == over.table == table:
        return None
    first, last = (books.read_payload(entry.kind, entry.payload) for entry in (begun, over))
    if not isinstance(first, ShoeBound) or not isinstance(last, ShoeRevealed) or first.round != last.round:
        return None
    played = replayed(first.configuration, bytes.fromhex(last.key), last.operations)
    return RevealedRound(begun, over, first, last, played)
