"""Six cards as two hands of three: the twenty hands, the ten divisions, and what Pick-3 and Super-3's ask of them."""

from __future__ import annotations

from functools import cache
from itertools import combinations
from typing import Any

import numpy as np

from tests.golden.compiled import compiled
from tests.golden.deck import CHOOSE, place
from tests.golden.hands import OF_SUIT, category, three_card_values

__all__ = ["THREES", "cards_at", "legal_high", "marks", "threes_of", "two_hands", "values"]

# Twenty threes of six cards; the one opposite to number n is number 19 - n, so the first ten name the divisions.
THREES = np.array(list(combinations(range(6), 3)), dtype=np.int64)
_ROYAL, _STRAIGHT_FLUSH, _TRIPS, _RUN_OR_SUIT, _PAIR_RANK = 1, 2, 4, 8, 16


@cache
def values() -> Any:
    """The values of all hands of three, each at its place."""
    return three_card_values()


@compiled
def threes_of(cards: Any, places: Any) -> None:
    """The places of the twenty hands of three out of six cards, which are in rising order."""
    for number in range(20):
        places[number] = (
            CHOOSE[cards[THREES[number, 0]], 1]
            + CHOOSE[cards[THREES[number, 1]], 2]
            + CHOOSE[cards[THREES[number, 2]], 3]
        )


@compiled
def _mark(value: int) -> int:
    """What Pick-3 asks of one hand; a mini-royal is a straight flush too, trips hold a pair (G-23)."""
    kind = category(value)
    pair = _PAIR_RANK * (value // 16**2 % 16 + 1)
    if kind == 6:
        return _ROYAL + _STRAIGHT_FLUSH + _RUN_OR_SUIT
    if kind == 5:
        return _STRAIGHT_FLUSH + _RUN_OR_SUIT
    if kind == 4:
        return _TRIPS + pair
    if kind in (2, 3):
        return _RUN_OR_SUIT
    return pair if kind == 1 else 0


@compiled
def _fill_marks(of_value: Any, found: Any) -> None:
    for at in range(len(found)):
        found[at] = _mark(of_value[at])


@cache
def marks() -> Any:
    """The marks of all hands of three, each at its place."""
    found = np.zeros(len(values()), np.int64)
    _fill_marks(values(), found)
    return found


@compiled
def two_hands(one: int, two: int) -> int:
    """The events of two hands, as bits: each row of Pick-3 and Super-3's is one of them or some together (TDP-4)."""
    found = 0
    strong = _STRAIGHT_FLUSH + _TRIPS
    if one & _ROYAL and two & _ROYAL:
        found |= 1
    if (one & _ROYAL and two & _STRAIGHT_FLUSH) or (two & _ROYAL and one & _STRAIGHT_FLUSH):
        found |= 2
    if (one & _ROYAL and two & _TRIPS) or (two & _ROYAL and one & _TRIPS):
        found |= 4
    if one & strong and two & strong:
        found |= 8
    if (one | two) & _ROYAL:
        found |= 16
    if (one | two) & strong:
        found |= 32
    if one & _RUN_OR_SUIT and two & _RUN_OR_SUIT:
        found |= 64
    if one >= _PAIR_RANK and two >= _PAIR_RANK and one // _PAIR_RANK != two // _PAIR_RANK:
        found |= 128
    return found


def cards_at(by_suit: int) -> list[int]:
    """The cards that the ranks of the four suits name, in rising order."""
    return [card for card in range(52) if by_suit & int(OF_SUIT[card])]


def legal_high(cards: list[int], division: int = 0) -> list[int]:
    """The better hand of a division, which is set as the High Hand (TDP-6)."""
    first = [cards[card] for card in THREES[division]]
    second = [card for card in cards if card not in first]
    one, two = (int(values()[place(np.array(hand), 3)]) for hand in (first, second))
    return first if one >= two else second
