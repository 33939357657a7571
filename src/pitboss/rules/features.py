"""Features that a person decides by, and where a hand stands among the nodes of the counts.

A game's `strategy` module gives these for its wagers, `odds` searches with them. Arrays are numpy's.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy

from pitboss.cards import ACE, DEUCE, Card, rank_word
from pitboss.poker.scales import Scale
from pitboss.rules.counting import Integers

Answers: TypeAlias = tuple[Integers, ...]
_CARD_BITS = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class Feature:
    """A feature of a hand that a person sees: at every node a small whole number, from 0.

    A condition says that the number is at least or at most a bound; `at_least` and `at_most` give the words of the
    bounds that can be said. `between` says two bounds at once, where that has words of its own.
    """

    values: Integers
    at_least: Mapping[int, str]
    at_most: Mapping[int, str] = field(default_factory=dict)
    between: Callable[[int, int], str] | None = None

    @classmethod
    def yes_or_no(cls, values: Integers, yes: str, no: str | None = None) -> Feature:
        """Build a feature that is there (1) or not (0)."""
        return cls(values=values, at_least={1: yes}, at_most={} if no is None else {0: no})

    @classmethod
    def of_rank(cls, values: Integers, words: str) -> Feature:
        """Build a feature of the rank of a card."""
        return cls(
            values=values,
            at_least={
                rank: f"{words} {rank_word(rank)}{'' if rank == ACE else ' or higher'}"
                for rank in range(DEUCE + 1, ACE + 1)
            },
            at_most={rank: f"{words} {rank_word(rank)}{'' if rank == DEUCE else ' or lower'}" for rank in range(ACE)},
            between=lambda low, high: f"{words} {rank_word(low)}" + ("" if low == high else f" to {rank_word(high)}"),
        )

    @classmethod
    def of_scale(cls, values: Integers, scale: Scale, words: str = "") -> Feature:
        """Build a feature of the steps of a scale, with these words first."""
        steps = range(len(scale.hands))
        return cls(
            values=values,
            at_least={step: f"{words}{scale.at_least(step)}" for step in steps[1:]},
            at_most={step: f"{words}{scale.at_most(step)}" for step in steps[:-1]},
            between=lambda first, last: f"{words}{scale.between(first, last)}",
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class StrategyQuestion:
    """One question that a person answers at a level of decisions, with the answers in words.

    What a person looks at, and where an answer leads, may depend on the answers to earlier questions of the level: for
    each of those the answer taken at every node. `leads_to` gives, for every node and answer, the level's decisions
    that are then still open, of which after the last question there is one; without it the answers are the level's
    decisions themselves.
    """

    level: int
    words: str
    answers: tuple[str, ...]
    features: Callable[[Answers], tuple[Feature, ...]]
    leads_to: Callable[[Answers], Integers] | None = None

    @classmethod
    def only(cls, level: int, words: str, answers: tuple[str, ...], features: tuple[Feature, ...]) -> StrategyQuestion:
        """Build the only question of a level, whose answers are the level's decisions."""
        return cls(level=level, words=words, answers=answers, features=lambda _: features)


@dataclass(frozen=True, slots=True, kw_only=True)
class HandSpec:
    """How many cards a person holds and sees when a level's decision is asked.

    `counted` names what a game's loops count these hands as, where the odds of the wager come of others.
    """

    level: int
    player: int
    public: int = 0
    counted: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class NodeMatch:
    """The node at which a hand stands, and each decision of its level in words for this hand.

    `answers` are each decision as the seat answers its questions with it, by their keys: one, or several where it does
    not matter which.
    """

    node: int
    decisions: tuple[str, ...]
    answers: tuple[tuple[Mapping[str, Any], ...], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class HandsMade:
    """Two hands into which cards are set: by node and setting what each makes, and how many settings a node has.

    The worst hand is 0; `names` say what each is, `titles` what the two are called.
    """

    titles: tuple[str, str]
    names: tuple[str, ...]
    first: Integers
    second: Integers
    settings: Integers


class RowIndex:
    """Finds rows of few cards in ascending order among many, each there once."""

    def __init__(self, rows: Integers) -> None:
        keys = numpy.zeros(len(rows), dtype=numpy.int64)
        for column in range(rows.shape[1]):
            keys = keys << _CARD_BITS | rows[:, column]
        self._order = numpy.argsort(keys)
        self._keys = keys[self._order]

    def find(self, row: Sequence[int]) -> int | None:
        """Return the place of a row, or nothing where it is not there."""
        key = 0
        for card in row:
            key = key << _CARD_BITS | card
        place = int(numpy.searchsorted(self._keys, key))
        return int(self._order[place]) if place < len(self._keys) and self._keys[place] == key else None


def suits_renamed(cards: Sequence[Card]) -> dict[Card, Card]:
    """Rename the suits of different cards as the classes of a context do; return which card becomes which.

    The suit that holds most cards comes first, of equals the one whose ranks are higher.
    """
    ranks = [sum(1 << (card >> 2) for card in cards if card & 3 == suit) for suit in range(4)]
    order = sorted(range(4), key=lambda suit: (ranks[suit].bit_count(), ranks[suit]), reverse=True)
    return {card: card >> 2 << 2 | order.index(card & 3) for card in cards}
