"""Counting: how often each facts code occurs at each information set, and what a game's loops count with.

A game's `loops` count, `odds` gives them their context and prices the counts. Lookups turn what was decided for classes
of cards into tables that compiled rounds read by the very cards.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import permutations
from math import comb
from typing import Any, Protocol, TypeAlias

import numpy
from numpy.typing import NDArray

Integers: TypeAlias = NDArray[numpy.signedinteger[Any]]
GOES_ON = -1


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class DecisionLevel:
    """The information sets (nodes) at which one decision is made.

    `weights` says how many deals lead to each node, for the levels after the first per deal of its parent (`parents`,
    ascending). A decision reads the counts of its branch, or goes on to the next level. At a node the facts code of
    a column under a decision is `codes[decision, group of the node and branch, column]`.
    """

    decisions: tuple[str, ...]
    branches: tuple[int, ...]
    weights: Integers
    counts: Integers
    groups: Integers
    codes: Integers
    parents: Integers | None = None
    allowed: Integers | None = None


def before_seeing(weights: Any) -> DecisionLevel:
    """Return the level of hands before other cards are seen: nothing is decided there."""
    return DecisionLevel(
        decisions=("",),
        branches=(GOES_ON,),
        weights=weights,
        counts=numpy.zeros((len(weights), 1, 0), dtype=numpy.int32),
        groups=numpy.zeros((len(weights), 1), dtype=numpy.int8),
        codes=numpy.zeros((1, 1, 0), dtype=numpy.int64),
    )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Counts:
    """All counts of one wager: the total number of deals and the levels of decisions."""

    wager: str
    total: int
    levels: tuple[DecisionLevel, ...]
    method: str
    basis: str = "alone"


@dataclass(frozen=True, slots=True, kw_only=True)
class SeenPlay:
    """The main wager played by somebody who sees cards, where what may be seen is too much to keep as counts.

    `seeing` says of all deals how often each facts code occurs under the best decisions, `decided` how often each is
    taken; `changes` in how many deals a decision (the first) is the other one (the second). `without` is the play of
    one who sees nothing, on the same deals, where those are not all deals there are.
    """

    total: int
    seeing: dict[int, int]
    decided: tuple[dict[str, int], ...]
    changes: dict[tuple[str, str], int]
    method: str
    without: dict[int, int] | None = None
    decided_without: tuple[dict[str, int], ...] = ()


def plain_counts(wager: str, histogram: Integers, method: str) -> Counts:
    """Make the counts of a wager without a decision from how often each facts code occurs."""
    width = len(histogram)
    level = DecisionLevel(
        decisions=("",),
        branches=(0,),
        weights=numpy.ones(1, dtype=numpy.int64),
        counts=histogram.reshape(1, 1, width),
        groups=numpy.zeros((1, 1), dtype=numpy.int64),
        codes=numpy.arange(width, dtype=numpy.int64).reshape(1, 1, width),
    )
    return Counts(wager=wager, total=int(histogram.sum()), levels=(level,), method=method)


class CountingContext(Protocol):
    """Tools for counting; `ranks` is 13 but for shortened decks in tests, `decks` the shoe where there is a choice."""

    @property
    def ranks(self) -> int:
        """How many ranks the deck has, from the deuce up."""

    @property
    def cards(self) -> int:
        """How many cards of rank and suit one deck has, the joker not counted."""

    @property
    def decks(self) -> int:
        """How many decks."""

    @property
    def readings(self) -> tuple[int, ...]:
        """The readings in force, as facts read them."""

    @property
    def without_readings(self) -> CountingContext:
        """The context for what no reading changes, so that it is counted once for all of them."""

    def __hash__(self) -> int:
        """Contexts that count alike are equal, so that what was counted is found again."""

    def classes(self, size: int) -> tuple[Any, Any]:
        """Sets of so many cards up to a renaming of the suits, and how many sets each stands for."""

    def compiled(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """Compile a loop."""

    def arrays(self, tables: Any) -> Any:
        """Convert rank tables to what compiled loops read."""

    def spread(self, piece: Callable[[int, int], Any], size: int) -> list[Any]:
        """Run a piece of work over ranges that cover 0 to size, on every core; the answers in order."""


def pascal(cards: int, size: int) -> Any:
    """Return the binomial coefficients that number sets of up to so many of these cards."""
    rows = [[comb(card, place) for place in range(size + 1)] for card in range(cards)]
    return numpy.array(rows, dtype=numpy.int64)


def set_number(choose: Any, cards: Any, size: int) -> Any:
    """Number the set of these cards among all sets of the size, in whatever order they are."""
    number = 0
    for index in range(size):
        place = 0
        for other in range(size):
            if cards[other] <= cards[index]:
                place += 1
        number += choose[cards[index], place]
    return number


def chosen_places(cards: Any, size: int, chosen: int) -> int:
    """Turn a bit for each card in ascending order into a bit for each card in the order given."""
    places = 0
    for index in range(size):
        rank = 0
        for other in range(size):
            if cards[other] < cards[index]:
                rank += 1
        places |= (chosen >> rank & 1) << index
    return places


def loop_spread(start: int, stop: int, hands: Any, values: Any, choose: Any, renamings: Any, table: Any) -> None:
    """Write the value of every class to all its sets; the lowest bits of it, one for each card, move with the cards."""
    size = hands.shape[1]
    cards = numpy.zeros(size, dtype=numpy.int64)
    for index in range(start, stop):
        for turn in range(len(renamings)):
            for place in range(size):
                card = hands[index, place]
                cards[place] = (card & ~3) | renamings[turn, card & 3]
            value = values[index]
            moved = 0
            for place in range(size):
                rank = 0
                for other in range(size):
                    if cards[other] < cards[place]:
                        rank += 1
                moved |= (value >> place & 1) << rank
            table[set_number(choose, cards, size)] = value >> size << size | moved


def in_any_order(hands: Any, values: Any, cards: int) -> Any:
    """Return a small value for every few cards by each of them, in whatever order, from those of classes of sets."""
    size = hands.shape[1]
    table = numpy.zeros((cards,) * size, dtype=values.dtype)
    for renaming in permutations(range(4)):
        renamed = (hands & ~3) | numpy.array(renaming)[hands & 3]
        for order in permutations(range(size)):
            table[tuple(renamed[:, place] for place in order)] = values
    return table


def spread_places(context: CountingContext, hands: Any, values: Any) -> Any:
    """Return a small value for every set of cards by its number, from those of classes of sets.

    The lowest bits of a value choose cards of the class, a bit each in the order of its row; in the answer they choose
    cards in ascending order.
    """
    size = hands.shape[1]
    choose = pascal(context.cards, size)
    renamings = numpy.array(list(permutations(range(4))), dtype=numpy.int64)
    table = numpy.zeros(comb(context.cards, size), dtype=numpy.uint8)
    loop = context.compiled(loop_spread)
    context.spread(lambda start, stop: loop(start, stop, hands, values, choose, renamings, table), len(hands))
    return table
