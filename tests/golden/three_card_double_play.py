"""3 Card Double Play once more: every set of six cards one by one; the main wager has a module of its own."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from math import comb
from typing import Any

import numpy as np

from tests.golden import high_low
from tests.golden.compiled import compiled, in_threads
from tests.golden.deck import CHOOSE, step, text, texts
from tests.golden.divisions import cards_at, legal_high, marks, threes_of, two_hands
from tests.golden.entries import Entry
from tests.golden.hands import OF_RANK, OF_SUIT, made, suited_run
from tests.golden.settled import net_units

__all__ = ["METHODS", "expectation", "six_signature"]

_SIDE = "each of 20,358,520 sets of six cards"
_SWEEP = "a sweep through all dealer's hands by value, the player's cards, suits renamed, included and excluded"
METHODS = {
    "high-low": _SWEEP,
    "pick-3": f"{_SIDE} and each division",
    "pick-3 beside-high-low": f"{_SWEEP}; then each best division",
    "pick-5": _SIDE,
    "super-3s": f"{_SIDE} and each division",
    "super-six": _SIDE,
}


@compiled
def six_signature(by_rank: int, by_suit: int) -> int:
    """What Pick-5 and Super-Six ask: the best five of six, and whether all six are suited in sequence (TDP-5)."""
    return made(by_rank, by_suit, 5) + (256 if suited_run(by_suit, 6) >= 0 else 0)


@compiled
def _all_sixes(top: int, of_three: Any, fives: Any, fives_shown: Any, threes: Any, threes_shown: Any) -> None:
    """Every set of six whose highest card is `top`: by the best five, and by what all divisions make together."""
    cards, places = np.arange(6), np.zeros(20, np.int64)
    cards[5] = top
    for _ in range(CHOOSE[top, 5]):
        by_rank = by_suit = 0
        for card in cards:
            by_rank += OF_RANK[card]
            by_suit += OF_SUIT[card]
        found = six_signature(by_rank, by_suit)
        fives[found] += 1
        fives_shown[found] = by_suit
        threes_of(cards, places)
        found = 0
        for division in range(10):
            found |= two_hands(of_three[places[division]], of_three[places[19 - division]])
        threes[found] += 1
        threes_shown[found] = by_suit
        step(cards, 5)


Counted = list[tuple[int, list[int]]]


@cache
def _counts() -> tuple[Counted, Counted]:
    """Sets by best five and sets by divisions, each with cards that show it."""
    every = np.zeros((52, 4, 512), np.int64)
    of_three = marks()
    in_threads(lambda top: _all_sixes(top, of_three, *every[top]), range(52))
    found = []
    for which in (0, 2):
        total, shown = every[:, which].sum(axis=0), every[:, which + 1].max(axis=0)
        assert int(total.sum()) == comb(52, 6)
        found.append([(int(total[key]), cards_at(int(shown[key]))) for key in np.flatnonzero(total)])
    return found[0], found[1]


def _on_six_cards(entry: Entry, counted: Counted) -> Fraction:
    won = Fraction(0)
    for number, cards in counted:
        dealer = [text(card) for card in range(52) if card not in cards][:5]
        decisions = {"high": texts(legal_high(cards)), "double": False}
        won += number * net_units(entry, cards=texts(cards), board=dealer, decisions=decisions)
    return won / comb(52, 6)


def expectation(entry: Entry) -> Fraction:
    """What a unit of the wager wins, by the second method."""
    if entry.wager == "high-low":
        return high_low.expectation(entry)
    if entry.basis == "beside-high-low":
        return high_low.as_set(entry)
    return _on_six_cards(entry, _counts()[0 if entry.wager in ("pick-5", "super-six") else 1])
