"""The worth of dealer's cards seen in Caribbean Stud by a second road: hands of its own, drawn, with a bracket.

Nothing of Pitboss is used. What a raise is worth is drawn twice. Deciding by both halves overstates the worth, since luck
in deciding is counted; deciding by the first and counting the second understates it. The truth lies between. Each is
added to the known value of raising with a pair or better, or with ace, king, jack, eight, three or better.
"""

from __future__ import annotations

from typing import NamedTuple

import numba
import numpy as np

SIMPLE = -0.05316
"""The expectation of those who raise by that line, which is published to five digits."""
PAYS = np.array([1, 1, 2, 3, 4, 5, 7, 20, 50], np.float64)
"""What a raise wins by the player's category; a royal flush wins 100."""
_ROYAL, _STRAIGHT_FLUSH, _BASE = 100.0, 8, 13**5
_LINE = (((12 * 13 + 11) * 13 + 9) * 13 + 6) * 13 + 1


class Bracket(NamedTuple):
    """A value that lies between two others, and their standard error."""

    low: float
    high: float
    error: float


@numba.njit(nogil=True)
def strength(cards: np.ndarray) -> tuple[int, int]:
    """Return how strong five cards are, and their category."""
    count, mask, most, second, suited = np.zeros(13, np.int64), 0, 0, 0, True
    for card in cards:
        count[card >> 2] += 1
        mask |= 1 << (card >> 2)
        suited = suited and (card & 3) == (cards[0] & 3)
    straight = 3 if mask == 0b1000000001111 else -1
    for high in range(4, 13):
        if (mask >> (high - 4)) & 31 == 31 and mask >> (high + 1) == 0:
            straight = high
    key, places = 0, 0
    for times in range(4, 0, -1):
        for rank in range(12, -1, -1):
            if count[rank] == times:
                key, places = key * 13 + rank, places + 1
    key *= 13 ** (5 - places)
    for place in range(13):
        if count[place] > most:
            most, second = count[place], most
        elif count[place] > second:
            second = count[place]
    if straight >= 0:
        category, key = (8, straight) if suited else (4, straight)
    elif most == 4:
        category = 7
    elif most == 3:
        category = 6 if second == 2 else 3
    elif most == 2:
        category = 2 if second == 2 else 1
    else:
        category = 0
    if suited and straight < 0 and category < 5:
        category = 5
    return category * _BASE + key, category


@numba.njit(nogil=True)
def _net(deck: np.ndarray, mine: int, pay: float) -> float:
    theirs, category = strength(deck[5:10])
    if category == 0 and (theirs // 13**4 != 12 or theirs // 13**3 % 13 != 11):
        return 1.0
    return 0.0 if mine == theirs else 1.0 + 2.0 * pay if mine > theirs else -3.0


@numba.njit(nogil=True)
def _drawn(seed: int, deals: int, draws: int, known: int, pays: np.ndarray) -> tuple[float, float, float]:
    np.random.seed(seed)  # noqa: NPY002 - what numba compiles
    deck, half = np.arange(52), draws // 2
    high = low = squares = 0.0
    for _ in range(deals):
        for place in range(10):
            other = place + np.random.randint(52 - place)  # noqa: NPY002
            deck[place], deck[other] = deck[other], deck[place]
        mine, category = strength(deck[:5])
        pay = _ROYAL if mine == _STRAIGHT_FLUSH * _BASE + 12 else pays[category]
        sums = np.zeros(2)
        for draw in range(2 * half):
            for place in range(5 + known, 10):
                other = place + np.random.randint(52 - place)  # noqa: NPY002
                deck[place], deck[other] = deck[other], deck[place]
            sums[draw // half] += _net(deck, mine, pay)
        both, first, again = sums.sum() / (2 * half), sums[0] / half, sums[1] / half
        raises = category >= 1 or mine >= _LINE
        gain = max(-1.0, both) - (both if raises else -1.0)
        high += gain
        squares += gain * gain
        low += (again if first > -1.0 else -1.0) - (again if raises else -1.0)
    mean = high / deals
    return low / deals, mean, np.sqrt((squares / deals - mean * mean) / deals)


def worth_of(known: int, *, deals: int, draws: int, seed: int) -> Bracket:
    """Return what a player wins of an Ante who knows so many of the dealer's cards."""
    low, high, error = _drawn(seed, deals, draws, known, PAYS)
    return Bracket(SIMPLE + low, SIMPLE + high, error)
