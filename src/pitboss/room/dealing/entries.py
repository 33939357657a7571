"""Entries about cards that Pitboss deals, and how tables deal as a fold over them (W-04, R-04).

The key of a shoe is bound by its hash at the shuffle and told when the round is over; what was done in between is told
with it, so that nobody reads a card in the journal that lies face down.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, ClassVar, Literal, NamedTuple, TypeAlias

from pitboss.books import Entry, Invariant, Payload, Projection, Step, register_invariants
from pitboss.room.configurations import configuration_at
from pitboss.table import Configuration, Round, read_configuration
from pitboss.table.operations import from_json
from pitboss.table.round import Phase
from pitboss.tabulator.said import Said, entry_kind

Cards: TypeAlias = Literal["physical", "dealt"]
Money: TypeAlias = Literal["play", "real"]
_OVER = (Phase.FINISHED, Phase.VOID)


@entry_kind
@dataclass(frozen=True, slots=True, kw_only=True)
class DealingSet(Said):
    """How a table deals from now on: physical cards, or cards that Pitboss deals, and for which money."""

    KIND: ClassVar[str] = "dealing-set"
    cards: Cards
    money: Money
    approval: str
    words: str
    approved_by: str


@entry_kind
@dataclass(frozen=True, slots=True, kw_only=True)
class ShoeBound(Said):
    """The shuffle for a round: the hash of its fresh key, and the configuration it is played under."""

    KIND: ClassVar[str] = "shoe-bound"
    round: int
    key_hash: str
    configuration: str


@entry_kind
@dataclass(frozen=True, slots=True, kw_only=True)
class ShoeRevealed(Said):
    """A dealt round is over: its key, and all that was done, from which it can be dealt again."""

    KIND: ClassVar[str] = "shoe-revealed"
    round: int
    key: str
    operations: tuple[str, ...]


@entry_kind
@dataclass(frozen=True, slots=True, kw_only=True)
class ShoeLost(Said):
    """A round whose key is lost, as after a restore: two people say so, and it counts for nothing."""

    KIND: ClassVar[str] = "shoe-lost"
    round: int
    words: str
    approved_by: str


class Dealt(NamedTuple):
    """How a table deals: the last round, and of one that is not over the hash of its key and its configuration."""

    cards: Cards = "physical"
    money: Money = "play"
    approval: str = ""
    round: int = 0
    key_hash: str = ""
    configuration: str = ""

    @property
    def is_on(self) -> bool:
        """Whether a round is on the table."""
        return bool(self.key_hash)


Tables = Mapping[str, Dealt]


def key_hash(key: bytes) -> str:
    """The hash that binds a key."""
    return sha256(key).hexdigest()


def _fold(tables: Tables, entry: Entry, value: Payload) -> Tables:
    before = tables.get(entry.table, Dealt())
    if isinstance(value, DealingSet):
        after = before._replace(cards=value.cards, money=value.money, approval=value.approval)
    elif isinstance(value, ShoeBound):
        after = before._replace(round=value.round, key_hash=value.key_hash, configuration=value.configuration)
    elif isinstance(value, ShoeRevealed | ShoeLost):
        after = before._replace(key_hash="", configuration="")
    else:
        return tables
    return {**tables, entry.table: after}


def _read(said: dict[str, Any]) -> Tables:
    return {table: Dealt(*each) for table, each in said.items()}


DEALING: Projection[Tables] = Projection(
    name="dealing",
    empty={},
    fold=_fold,
    write=lambda tables: {table: list(each) for table, each in tables.items()},
    read=_read,
    kinds=frozenset({DealingSet.KIND, ShoeBound.KIND, ShoeRevealed.KIND, ShoeLost.KIND}),
)


def _configuration(text: str) -> Configuration:
    found = read_configuration(text)
    if found.configuration is None:
        raise ValueError("; ".join(map(str, found.problems)))
    return found.configuration


def replayed(configuration: str, key: bytes, operations: tuple[str, ...]) -> Round:
    """Deal a round again from its key, and do again what was done."""
    # Only who deals or checks a dealt round loads this.
    from pitboss.randomness import LiveDealing, MemoryLock  # noqa: PLC0415

    table = _configuration(configuration)
    shoe = LiveDealing(key, MemoryLock()).next_shoe(table.terms.deck)
    played = Round(configuration=table, shoe=shoe.cards, meters=table.meters)
    for each in operations:
        played = played.apply(from_json(each))
    return played


def ended(played: Round) -> bool:
    """Whether a round is over, so that its key may be told."""
    return played.phase in _OVER


def _sound(step: Step) -> Iterator[str]:
    """A key that is told is the one that was bound, and the round that it deals is over."""
    value = step.value
    before = step.before.of(DEALING).get(step.entry.table, Dealt()) if DEALING.name in step.before.parts else None
    if before is None:
        return
    if isinstance(value, ShoeBound):
        if before.cards != "dealt":
            yield f"table {step.entry.table} deals physical cards (W-04)"
        if before.is_on:
            yield f"round {before.round} is not over: its key comes first (R-04)"
        if value.round != before.round + 1:
            yield f"round {value.round} does not follow round {before.round}"
        if configuration_at(step.before, step.entry.table) is None:
            yield f"no configuration is posted at table {step.entry.table}"
    elif isinstance(value, ShoeRevealed):
        key = bytes.fromhex(value.key)
        if not before.is_on or value.round != before.round or key_hash(key) != before.key_hash:
            yield f"this is not the key that was bound for round {before.round} (R-04)"
        elif not ended(replayed(before.configuration, key, value.operations)):
            yield f"round {before.round} is not over: no key is told (R-04)"
    elif isinstance(value, DealingSet) and value.cards == "dealt" and value.money == "real" and not value.approval:
        yield "electronic card facsimiles for money need the director's approval (W-04)"


register_invariants(
    Invariant(
        name="dealt",
        says="a key is bound before its round and told after it, and deals what was dealt",
        sources=("W-04", "R-04"),
        step=_sound,
        about=(ShoeBound, ShoeRevealed, DealingSet),
    )
)
