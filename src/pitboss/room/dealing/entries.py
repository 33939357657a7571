"""Entries about cards that Pitboss deals, and how tables deal as a fold over them (W-04, R-04).

The key of a shoe is bound by its hash at the shuffle and revealed when the shoe is over, with the operations in
between, so that nobody reads a card in the journal that is still to be dealt. A shoe is over with its round, or,
where it has a cut card, with the round in which that comes out (STC-8).
"""

from collections.abc import Iterator, Mapping
from hashlib import sha256
from typing import Literal, NamedTuple, TypeAlias

from pitboss import books
from pitboss.cards import Card, cards_text, parse_cards
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
    """The shuffle for a round: the hash of its fresh key, and the configuration it is played under.

    A round that is dealt on from the shoe of the one before has its hash, and how many cards are `drawn` from it.
    """

    round: int
    key_hash: str
    configuration: str
    drawn: int = 0


@books.entry_kind("shoe-revealed")
class ShoeRevealed(books.EntryPayload):
    """A dealt round is over: its key, and all that was done, from which it can be dealt again."""

    round: int
    key: str
    operations: tuple[str, ...]


@books.entry_kind("dealt-round-ended")
class DealtRoundEnded(books.EntryPayload):
    """A dealt round is over and its shoe goes on: all that was done, and all cards that have left the shoe so far."""

    round: int
    cards: str
    operations: tuple[str, ...]


@books.entry_kind("shoe-closed")
class ShoeClosed(books.EntryPayload):
    """A shoe is over between rounds, since its table's terms or its way of dealing changed: its key."""

    key: str


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
    """How a table deals: the last round, and of one that is not over the hash of its key and its configuration.

    Between the rounds of one shoe `shoe_hash` and `shoe_configuration` are its own; `gone` are the cards that have
    left it in rounds before.
    """

    cards: Cards = "physical"
    money: Money = "play"
    approval: str = ""
    round: int = 0
    key_hash: str = ""
    configuration: str = ""
    shoe_hash: str = ""
    shoe_configuration: str = ""
    gone: str = ""

    @property
    def cards_gone(self) -> int:
        """How many cards have left the shoe in rounds before."""
        return len(self.gone.split())

    @property
    def goes_on(self) -> bool:
        """True between two rounds of one shoe."""
        return bool(self.shoe_hash)

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
        after = before._replace(
            round=value.round,
            key_hash=value.key_hash,
            configuration=value.configuration,
            shoe_hash="",
            shoe_configuration="",
        )
    elif isinstance(value, DealtRoundEnded):
        after = before._replace(
            key_hash="",
            configuration="",
            shoe_hash=before.key_hash,
            shoe_configuration=before.configuration,
            gone=value.cards,
        )
    elif isinstance(value, ShoeRevealed | ShoeLost | ShoeClosed):
        after = before._replace(key_hash="", configuration="", shoe_hash="", shoe_configuration="", gone="")
    else:
        return tables
    return {**tables, entry.table: after}


DEALING: books.Projection[Tables] = books.Projection(
    name="dealing",
    empty={},
    shape=Tables,
    fold=_fold,
    kinds=books.kinds_of(DealingSet, ShoeBound, ShoeRevealed, ShoeLost, DealtRoundEnded, ShoeClosed),
    version=2,
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


def shoe_of(configuration: str, key: bytes) -> tuple[Card, ...]:
    """Shuffle a shoe again from its key."""
    # Only who deals or checks a dealt round loads this.
    from pitboss.randomness import LiveDealing, MemoryLock  # noqa: PLC0415

    return LiveDealing(key, MemoryLock()).next_shoe(_configuration(configuration).terms.deck).cards


def replayed(configuration: str, key: bytes, operations: tuple[str, ...], drawn: int = 0) -> Round:
    """Deal a round again from its key, after so many cards of rounds before it, and apply its operations again."""
    return _played(configuration, shoe_of(configuration, key), operations, drawn)


def _played(configuration: str, shoe: tuple[Card, ...], operations: tuple[str, ...], drawn: int) -> Round:
    table = _configuration(configuration)
    played = Round(configuration=table, shoe=shoe[drawn:], meters=table.meters, dealt_before=shoe[:drawn])
    for operation in operations:
        played = played.apply(from_json(operation))
    return played


def left_shoe(played: Round) -> str:
    """Return the cards that have left a shoe up to this round and in it."""
    return cards_text((*played.dealt_before, *played.shoe[: played.state.used]))


def end_problems(dealt: TableDealing, value: DealtRoundEnded) -> Iterator[str]:
    """Return what is wrong with the end of a round whose shoe goes on, read off its own cards (STC-8)."""
    if not dealt.is_on or value.round != dealt.round:
        yield f"round {value.round} is not the one that was bound (R-04)"
    elif value.cards.split()[: dealt.cards_gone] != dealt.gone.split():
        yield f"round {value.round} has other cards before it than were dealt from its shoe (R-04)"
    else:
        played = _played(dealt.configuration, parse_cards(value.cards), value.operations, dealt.cards_gone)
        if played.following() is None or left_shoe(played) != value.cards:
            yield f"round {value.round} is not over, or its shoe does not go on (STC-8, R-04)"


def key_problems(dealt: TableDealing, value: ShoeRevealed | ShoeClosed) -> Iterator[str]:
    """Return what is wrong with a key that is told: it is the one that was bound, and deals what was dealt (R-04)."""
    key, bound = bytes.fromhex(value.key), dealt.key_hash if isinstance(value, ShoeRevealed) else dealt.shoe_hash
    is_round = not isinstance(value, ShoeRevealed) or value.round == dealt.round
    if not bound or not is_round or key_hash(key) != bound:
        yield f"this is not the key that was bound for round {dealt.round} (R-04)"
        return
    shoe = shoe_of(dealt.configuration or dealt.shoe_configuration, key)
    if cards_text(shoe[: dealt.cards_gone]) != dealt.gone:
        yield f"the key of round {dealt.round} does not deal the cards of the rounds before it (R-04)"
    elif isinstance(value, ShoeRevealed) and not ended(
        _played(dealt.configuration, shoe, value.operations, dealt.cards_gone)
    ):
        yield f"round {dealt.round} is not over: no key is told (R-04)"


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
    elif isinstance(value, ShoeRevealed | DealtRoundEnded):
        after = before._replace(bound=before.begun, revealed=entry.sequence)
    else:
        return lasts
    return {**lasts, entry.table: after}


DEALT_ROUNDS: books.Projection[Lasts] = books.Projection(
    name="dealt-rounds",
    shape=Lasts,
    empty={},
    fold=_fold_last,
    kinds=books.kinds_of(ShoeBound, ShoeRevealed, DealtRoundEnded),
)


def last_dealt(state: books.BookState, table: str) -> LastDealt:
    """Return the last round of a table."""
    return state.of(DEALT_ROUNDS).get(table, LastDealt())


class RevealedRound(NamedTuple):
    """A round that is over: its two entries, what was bound, its key, and the round dealt again.

    The key of a shoe that goes on is empty; of one that was told later, `told` is the entry of the key.
    """

    begun: books.Entry
    over: books.Entry
    bound: ShoeBound
    key: str
    told: books.Entry | None
    played: Round

    @property
    def computed_hash(self) -> str:
        """The hash of the revealed key, computed now."""
        return key_hash(bytes.fromhex(self.key)) if self.key else ""

    @property
    def is_bound(self) -> bool:
        """True if the revealed key is the one that was bound, and deals the cards of the round (R-04)."""
        if self.computed_hash != self.bound.key_hash:
            return False
        shoe, used = shoe_of(self.bound.configuration, bytes.fromhex(self.key)), left_shoe(self.played)
        return cards_text(shoe[: len(used.split())]) == used


def revealed_round(store: books.JournalStore, table: str, bound: int, revealed: int) -> RevealedRound | None:
    """Read a round that is over off its two entries, and deal it again; nothing where these are not its entries."""
    begun, over = store.entry(BOOK, bound), store.entry(BOOK, revealed)
    if begun is None or over is None or not begun.table == over.table == table:
        return None
    first, last = (books.read_payload(entry.kind, entry.payload) for entry in (begun, over))
    if not isinstance(first, ShoeBound) or not isinstance(last, ShoeRevealed | DealtRoundEnded):
        return None
    if first.round != last.round:
        return None
    if isinstance(last, ShoeRevealed):
        played = replayed(first.configuration, bytes.fromhex(last.key), last.operations, first.drawn)
        return RevealedRound(begun, over, first, last.key, over, played)
    key, told = _told_later(store, over, first.key_hash)
    played = _played(first.configuration, parse_cards(last.cards), last.operations, first.drawn)
    return RevealedRound(begun, over, first, key, told, played)


def _told_later(store: books.JournalStore, over: books.Entry, bound: str) -> tuple[str, books.Entry | None]:
    """Find the key of a shoe that went on after a round."""
    head = store.head(BOOK) or over
    for kind in (ShoeRevealed.KIND, ShoeClosed.KIND):
        sought = books.Sought(kind=kind, table=over.table)
        for entry in books.newest(store, BOOK, sought, over.sequence, head.sequence):
            value = books.read_payload(entry.kind, entry.payload)
            assert isinstance(value, ShoeRevealed | ShoeClosed)
            if key_hash(bytes.fromhex(value.key)) == bound:
                return value.key, entry
    return "", None
