"""How many dealer's hands, none of whose cards the player holds, are no better than a value: a sweep upward.

The dealer's hands (sets of five of the cards that are left) enter in the order of their values. Kept is, for every set of
at most five cards, how many of the hands so far contain it. When all hands up to a value have entered, the hands that
avoid a player's cards are counted by including and excluding every set of their cards.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.golden.compiled import compiled
from tests.golden.deck import CHOOSE

__all__ = ["avoiding", "enter", "kept_for", "order_by_value", "sets_of_five"]


def kept_for(cards: int) -> tuple[Any, Any]:
    """Where sets of each size start among all sets of at most five cards, and zeros for all of them."""
    starts = np.cumsum([0, *(int(CHOOSE[cards, size]) for size in range(6))])
    return starts[:6].copy(), np.zeros(int(starts[6]), np.int32)


@compiled
def enter(hand: Any, starts: Any, kept: Any) -> None:
    """A dealer's hand enters: it contains 32 sets of cards; `hand` is in rising order."""
    for chosen in range(32):
        at = size = 0
        for card in range(5):
            if chosen >> card & 1:
                size += 1
                at += CHOOSE[hand[card], size]
        kept[starts[size] + at] += 1


@compiled
def avoiding(held: Any, starts: Any, kept: Any) -> int:
    """How many of the hands so far have none of the cards held, which are in rising order."""
    number = 0
    for chosen in range(1 << len(held)):
        at = size = 0
        for card in range(len(held)):
            if chosen >> card & 1:
                size += 1
                if size <= 5:
                    at += CHOOSE[held[card], size]
        if size <= 5:
            number += -kept[starts[size] + at] if size & 1 else kept[starts[size] + at]
    return number


@compiled
def _list_fives(cards: int, sets: Any) -> None:
    at = 0
    for e in range(cards):
        for d in range(e):
            for c in range(d):
                for b in range(c):
                    for a in range(b):
                        sets[at, 0], sets[at, 1], sets[at, 2], sets[at, 3], sets[at, 4] = a, b, c, d, e
                        at += 1


def sets_of_five(cards: int) -> Any:
    """All sets of five of so many cards, each in rising order."""
    sets = np.zeros((int(CHOOSE[cards, 5]), 5), np.int8)
    _list_fives(cards, sets)
    return sets


@compiled
def order_by_value(values: Any, levels: int) -> tuple[Any, Any]:
    """Places in the order of their values (0 to levels - 1), and where each value starts in that order."""
    starts = np.zeros(levels + 1, np.int64)
    for value in values:
        starts[value + 1] += 1
    for level in range(levels):
        starts[level + 1] += starts[level]
    following = starts.copy()
    order = np.zeros(len(values), np.int32)
    for at in range(len(values)):
        order[following[values[at]]] = at
        following[values[at]] += 1
    return order, starts
