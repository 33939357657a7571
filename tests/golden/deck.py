"""Cards as numbers, sets of cards as places in one list, and suits that may be renamed.

A card is `rank * 4 + suit`, ranks 0 (a deuce) to 12 (an Ace), suits in the order `s h d c`. A set of cards stands in the
list of all sets of its size at the sum of `CHOOSE[card][number]`, its cards numbered from 1 upward.
"""

from __future__ import annotations

from math import comb
from typing import Any

import numpy as np

from tests.golden.compiled import compiled

__all__ = ["CHOOSE", "POPULATION", "is_chosen", "orbit", "place", "step", "suit_masks", "text", "texts"]

CHOOSE = np.array([[comb(n, k) for k in range(8)] for n in range(54)], dtype=np.int64)
POPULATION = np.array([mask.bit_count() for mask in range(1 << 13)], dtype=np.int64)
_FACTORIALS = (1, 1, 2, 6, 24)


def text(card: int) -> str:
    """A card as round records write it."""
    return "23456789TJQKA"[card // 4] + "shdc"[card % 4]


def texts(cards: Any) -> list[str]:
    """Cards as round records write them."""
    return [text(int(card)) for card in cards]


@compiled
def place(cards: Any, size: int) -> int:
    """The place of a set of cards in the list of all sets of its size; the cards come in any order."""
    total = 0
    for card in cards[:size]:
        below = 0
        for other in cards[:size]:
            if other < card:
                below += 1
        total += CHOOSE[card, below + 1]
    return total


@compiled
def step(cards: Any, size: int) -> None:
    """Go from a set of cards in rising order to the next in the list; from the first `0, 1, 2, …` through all."""
    move = 0
    while move < size - 1 and cards[move] + 1 == cards[move + 1]:
        cards[move] = move
        move += 1
    if size:
        cards[move] += 1


@compiled
def suit_masks(cards: Any, masks: Any) -> None:
    """The ranks held in each suit, as bits."""
    masks[:] = 0
    for card in cards:
        masks[card % 4] |= 1 << (card // 4)


@compiled
def is_chosen(masks: Any) -> bool:
    """Of the hands that differ only in the names of suits, exactly one has its suits in falling order."""
    return bool(masks[0] >= masks[1] and masks[1] >= masks[2] and masks[2] >= masks[3])


@compiled
def orbit(masks: Any) -> int:
    """How many hands a chosen one stands for: 24 renamings, divided by those that exchange equal suits."""
    alike, number = 1, 24
    for suit in range(1, 5):
        if suit < 4 and masks[suit] == masks[suit - 1]:
            alike += 1
        else:
            number //= _FACTORIALS[alike]
            alike = 1
    return number
