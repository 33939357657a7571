"""Reading hands by looking at ranks and suits; nothing is shared with `pitboss.poker`.

A hand of three or four cards has a value that compares like the hand: the category's number, then ranks as digits. What
can be made of five, six or seven cards is read from two sums over the cards: how often each rank occurs, and the ranks of
each suit.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.golden.compiled import compiled
from tests.golden.deck import POPULATION, step

__all__ = [
    "FLUSH",
    "FULL_HOUSE",
    "OF_RANK",
    "OF_SUIT",
    "QUADS",
    "ROYAL",
    "STRAIGHT",
    "STRAIGHT_FLUSH",
    "TRIPS",
    "TWO_PAIR",
    "category",
    "four_card_values",
    "made",
    "shoe_value",
    "suited_run",
    "three_card_values",
]

_DIGITS = 16
_RANKS = 13
_ACE = 12

# --- hands of three or four cards, all of them used


@compiled
def _read(cards: Any, counts: Any) -> tuple[int, int, int, bool]:
    """Count the ranks; give ranks as digits (most frequent first, then highest), top of a straight or -1, suited."""
    counts[:] = 0
    suited = True
    for card in cards:
        counts[card // 4] += 1
        if card % 4 != cards[0] % 4:
            suited = False
    digits = 0
    distinct = 0
    lowest = highest = -1
    for times in range(4, 0, -1):
        for rank in range(_RANKS - 1, -1, -1):
            if counts[rank] == times:
                for _ in range(times):
                    digits = digits * _DIGITS + rank
    for rank in range(_RANKS):
        if counts[rank]:
            distinct += 1
            highest = rank
            if lowest < 0:
                lowest = rank
    top = -1
    size = len(cards)
    if distinct == size:
        if highest - lowest == size - 1:
            top = highest
        elif highest == _ACE:
            wheel = True
            for rank in range(size - 1):
                if not counts[rank]:
                    wheel = False
            if wheel:
                top = size - 2
    return digits, distinct, top, suited


@compiled
def _most(counts: Any) -> int:
    most = 0
    for times in counts:
        most = max(most, times)
    return most


@compiled
def category(value: int) -> int:
    """The category's number in a value."""
    return value // _DIGITS**4


@compiled
def _value(kind: int, digits: int) -> int:
    return kind * _DIGITS**4 + digits


@compiled
def three_card_value(cards: Any, counts: Any) -> int:
    """TCP-1, TDP-1: 6 mini-royal, 5 straight flush, 4 trips, 3 straight, 2 flush, 1 pair, 0 high card."""
    digits, distinct, top, suited = _read(cards, counts)
    if top >= 0:
        if suited:
            return _value(6 if top == _ACE else 5, top)
        return _value(3, top)
    if distinct == 1:
        return _value(4, digits)
    if suited:
        return _value(2, digits)
    return _value(1 if distinct == 2 else 0, digits)


@compiled
def four_card_value(cards: Any, counts: Any) -> int:
    """FCP-1: 7 quads, 6 straight flush, 5 trips, 4 flush, 3 straight, 2 two pair, 1 pair, 0 high card."""
    digits, distinct, top, suited = _read(cards, counts)
    most = _most(counts)
    if most == 4:
        return _value(7, digits)
    if top >= 0 and suited:
        return _value(6, top)
    if most == 3:
        return _value(5, digits)
    if suited:
        return _value(4, digits)
    if top >= 0:
        return _value(3, top)
    if most == 2:
        return _value(2 if distinct == 2 else 1, digits)
    return _value(0, digits)


@compiled
def shoe_value(cards: Any, counts: Any) -> int:
    """STC-1: 8 mini-royal, 7 suited trips, 6 straight flush, 5 trips, 4 straight, 3 suited pair, 2 flush, 1 pair, 0."""
    digits, distinct, top, suited = _read(cards, counts)
    if top >= 0:
        if suited:
            return _value(8 if top == _ACE else 6, top)
        return _value(4, top)
    if distinct == 1:
        return _value(7 if suited else 5, digits)
    if cards[0] == cards[1] or cards[0] == cards[2] or cards[1] == cards[2]:
        return _value(3, digits)
    if suited:
        return _value(2, digits)
    return _value(1 if distinct == 2 else 0, digits)


@compiled
def _all_three(values: Any) -> None:
    cards, counts = np.arange(3), np.zeros(_RANKS, np.int64)
    for at in range(len(values)):
        values[at] = three_card_value(cards, counts)
        step(cards, 3)


@compiled
def _all_four(values: Any) -> None:
    cards, counts = np.arange(4), np.zeros(_RANKS, np.int64)
    for at in range(len(values)):
        values[at] = four_card_value(cards, counts)
        step(cards, 4)


def three_card_values() -> Any:
    """The values of all 22,100 hands of three, each at its place."""
    values = np.zeros(22_100, np.int64)
    _all_three(values)
    return values


def four_card_values() -> Any:
    """The values of all 270,725 hands of four, each at its place."""
    values = np.zeros(270_725, np.int64)
    _all_four(values)
    return values


# --- what can be made of more cards

TRIPS, TWO_PAIR, STRAIGHT, FLUSH, FULL_HOUSE, QUADS, STRAIGHT_FLUSH, ROYAL = (1 << bit for bit in range(8))

# Added up over cards: a digit for each rank says how often it occurs, thirteen bits for each suit which ranks it has.
OF_RANK = np.array([1 << (4 * (card // 4)) for card in range(52)], dtype=np.int64)
OF_SUIT = np.array([1 << (13 * (card % 4) + card // 4) for card in range(52)], dtype=np.int64)

_ONES = sum(1 << (4 * rank) for rank in range(_RANKS))
_SUIT = (1 << _RANKS) - 1


@compiled
def _runs(ranks: int, size: int) -> int:
    """Bits where a run of this size starts, the first bit being an Ace used low."""
    runs = (ranks << 1) | (ranks >> _ACE)
    once = runs
    for further in range(1, size):
        runs &= once >> further
    return runs


@compiled
def made(by_rank: int, by_suit: int, size: int) -> int:
    """Everything that hands of `size` (four or five) out of the cards can be, as bits."""
    found = 0
    four = (by_rank >> 2) & _ONES
    three = (by_rank & (by_rank >> 1) & _ONES) | four
    two = ((by_rank >> 1) & _ONES) | four
    several = (two & (two - 1)) != 0
    if four:
        found |= QUADS
    if three:
        found |= TRIPS
        if several and size == 5:
            found |= FULL_HOUSE
    if several:
        found |= TWO_PAIR
    ranks = 0
    for suit in range(4):
        held = (by_suit >> (13 * suit)) & _SUIT
        ranks |= held
        if POPULATION[held] >= size:
            found |= FLUSH
            runs = _runs(held, size)
            if runs:
                found |= STRAIGHT_FLUSH
                if runs >> (14 - size):
                    found |= ROYAL
    if _runs(ranks, size):
        found |= STRAIGHT
    return found


@compiled
def suited_run(by_suit: int, size: int) -> int:
    """Where `size` cards of one suit are in sequence: `suit * 16 + rank` of the highest such top card, else -1."""
    for suit in range(4):
        runs = _runs((by_suit >> (13 * suit)) & _SUIT, size)
        if runs:
            top = 14 - size
            while not runs >> top:
                top -= 1
            return suit * 16 + top + size - 2
    return -1
