"""Hands with wild cards, read by looking; cards of Deuces Wild as numbers.

Cards 0 to 47 are natural, from the treys to the Aces as `(rank - 3) * 4 + suit`; 48 to 51 are the deuces, 52 is the
joker. The five wild cards do the same work, so a hand is its natural cards and how many wild ones.
"""

from __future__ import annotations

from functools import cache
from math import comb
from typing import Any

import numpy as np

from tests.golden.compiled import compiled
from tests.golden.deck import step, text

__all__ = [
    "EVENTS",
    "FIVE_WILD",
    "NATURALS",
    "WILDS",
    "event_of",
    "events_of_naturals",
    "treasure_event",
    "wild_text",
    "wild_texts",
]

NATURALS = 48
WILDS = 5
# Numbered from the best: 0 is nothing that any table pays.
(_NOTHING, _TWO_PAIR, _TRIPS, _STRAIGHT, _FLUSH, _FULL_HOUSE, _QUADS, _STRAIGHT_FLUSH, _FIVE_OF_A_KIND) = range(9)
(_WILD_ROYAL, FIVE_WILD, _NATURAL_ROYAL) = range(9, 12)
EVENTS = 12

# The ranks a run of so many cards may hold, trey = bit 0; a deuce in it can only be a wild card.
_RUNS = {
    size: np.array(
        [
            sum(1 << (rank - 3) for rank in (14 if low == 1 else low, *range(low + 1, low + size)) if rank > 2)
            for low in range(1, 16 - size)
        ],
        dtype=np.int64,
    )
    for size in (3, 5)
}
_RUNS_OF_THREE, _RUNS_OF_FIVE = _RUNS[3], _RUNS[5]


def wild_text(card: int) -> str:
    """A card as round records write it."""
    if card < NATURALS:
        return text(card + 4)
    return "*" if card == NATURALS + 4 else text(card - NATURALS)


def wild_texts(cards: Any) -> list[str]:
    """Cards as round records write them."""
    return [wild_text(int(card)) for card in cards]


@compiled
def _look(cards: Any, size: int) -> tuple[int, int, bool, int]:
    """Of natural cards: the ranks as bits, how many are distinct, whether of one suit, and the most of one rank."""
    ranks = distinct = most = 0
    suited = True
    for at in range(size):
        times = 0
        for other in range(size):
            if cards[other] // 4 == cards[at] // 4:
                times += 1
        most = max(most, times)
        if not ranks >> (cards[at] // 4) & 1:
            distinct += 1
            ranks |= 1 << (cards[at] // 4)
        if cards[at] % 4 != cards[0] % 4:
            suited = False
    return ranks, distinct, suited, most


@compiled
def _in_a_run(ranks: int, runs: Any) -> bool:
    found = False
    for run in runs:
        found |= ranks | run == run
    return found


@compiled
def event_of(cards: Any, naturals: int) -> int:
    """The best of EVENTS that so many natural cards make with wild ones for the rest of five (DW-1, DW-2)."""
    wilds = 5 - naturals
    if wilds == 5:
        return FIVE_WILD
    ranks, distinct, suited, most = _look(cards, naturals)
    run = distinct == naturals and _in_a_run(ranks, _RUNS_OF_FIVE)
    if run and suited:
        if ranks | _RUNS_OF_FIVE[-1] == _RUNS_OF_FIVE[-1]:
            return _WILD_ROYAL if wilds else _NATURAL_ROYAL
        if most + wilds < 5:
            return _STRAIGHT_FLUSH
    if most + wilds >= 5:
        return _FIVE_OF_A_KIND
    if most + wilds == 4:
        return _QUADS
    if distinct == 2:
        return _FULL_HOUSE
    if suited:
        return _FLUSH
    if run:
        return _STRAIGHT
    if most + wilds == 3:
        return _TRIPS
    return _TWO_PAIR if distinct == 3 else _NOTHING


@compiled
def treasure_event(cards: Any, naturals: int) -> int:
    """Three cards: 5 mini-royal, 4 straight flush, 3 three of a kind, 2 straight, 1 flush, 0 nothing (bits of all)."""
    ranks, distinct, suited, most = _look(cards, naturals)
    found = 0
    run = distinct == naturals and _in_a_run(ranks, _RUNS_OF_THREE)
    if run and suited:
        found |= 16
        if ranks | _RUNS_OF_THREE[-1] == _RUNS_OF_THREE[-1]:
            found |= 32
    if most + 3 - naturals >= 3:
        found |= 8
    if run:
        found |= 4
    if suited:
        found |= 2
    return found


@compiled
def _fill(size: int, events: Any) -> None:
    """The events of all sets of so many natural cards, in order, the lowest card moving fastest."""
    cards = np.arange(size)
    for at in range(len(events)):
        events[at] = event_of(cards, size)
        step(cards, size)


@cache
def events_of_naturals() -> list[Any]:
    """For each number of natural cards: what each set of them makes with wild cards for the rest."""
    tables = []
    for size in range(6):
        events = np.zeros(comb(NATURALS, size), np.uint8)
        _fill(size, events)
        tables.append(events)
    return tables
