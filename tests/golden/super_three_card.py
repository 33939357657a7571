"""Super Three Card once more: by kinds of cards, of which the shoe holds six or eight each, in plain loops.

The player's pair and the dealer's first card are taken once for all names of the suits; the player's third card and the
dealer's two others are dealt out.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import permutations
from math import comb
from typing import Any

import numpy as np

from tests.golden.compiled import compiled, in_threads
from tests.golden.deck import texts
from tests.golden.entries import Entry
from tests.golden.hands import category, shoe_value
from tests.golden.settled import net_units

__all__ = ["METHODS", "expectation", "first_three_signature", "odds_row"]

METHODS = {
    "ante-odds-play": "each pair with each first card, suits renamed, then each third card and each two of the dealer's",
    "big-hand-bonus": "each pair with each first card of the dealer, by kinds of cards",
    "twenty-one-plus-three": "each pair with each first card of the dealer, by kinds of cards",
    "twenty-one-plus-three-b": "each pair with each first card of the dealer, by kinds of cards",
}

_JACK, _QUEEN = 9, 10
_PAIR, _HIGH_PAIR_ROW = 1, 9
_ROWS = 10
_RENAMINGS = np.array(list(permutations(range(4))), dtype=np.int64)


@compiled
def _fill_values(values: Any) -> None:
    cards, counts = np.zeros(3, np.int64), np.zeros(13, np.int64)
    for cards[0] in range(52):
        for cards[1] in range(52):
            for cards[2] in range(52):
                values[cards[0], cards[1], cards[2]] = shoe_value(cards, counts)


@cache
def _values() -> Any:
    """The value of any three kinds of cards in any order."""
    values = np.zeros((52, 52, 52), np.int64)
    _fill_values(values)
    return values


@compiled
def odds_row(value: int) -> int:
    """What the Odds table asks of a hand: its category, a pair of Jacks or better apart."""
    kind = category(value)
    if kind == _PAIR and value // 16**2 % 16 >= _JACK:
        return _HIGH_PAIR_ROW
    return kind


@compiled
def first_three_signature(value: int, one: int, two: int, three: int) -> int:
    """What Big Hand and 21+3 ask: the category, one suit (a suited pair may be a flush, STC-5), which suited trips."""
    kind = category(value)
    rank = one // 4
    suited = 1 if one % 4 == two % 4 and one % 4 == three % 4 else 0
    return (kind * 2 + suited) * 4 + (rank - _QUEEN + 1 if kind == 7 and rank >= _QUEEN else 0)


# --- the first three cards


@compiled
def _starts(starts: Any, renamings: Any) -> int:
    """List (low of the pair, high, dealer's first) once for all names of the suits, with how many each stands for."""
    found = 0
    number = np.zeros((52, 52, 52), np.int64)
    for low in range(52):
        for high in range(low, 52):
            for up in range(52):
                least = 52**3
                for naming in renamings:
                    one = low // 4 * 4 + naming[low % 4]
                    two = high // 4 * 4 + naming[high % 4]
                    three = up // 4 * 4 + naming[up % 4]
                    least = min(least, (min(one, two) * 52 + max(one, two)) * 52 + three)
                number[least // 2704, least // 52 % 52, least % 52] += 1
    for low in range(52):
        for high in range(low, 52):
            for up in range(52):
                if number[low, high, up]:
                    starts[found, 0], starts[found, 1], starts[found, 2] = low, high, up
                    starts[found, 3] = number[low, high, up]
                    found += 1
    return found


@cache
def _all_starts() -> Any:
    starts = np.zeros((52 * 53 // 2 * 52, 4), np.int64)
    found = _starts(starts, _RENAMINGS)
    assert int(starts[:, 3].sum()) == 52 * 53 // 2 * 52
    return starts[:found]


def _ways(low: int, high: int, up: int, decks: int) -> int:
    """In how many ways a shoe gives this pair and this first card."""
    pair = comb(decks, 2) if low == high else decks * decks
    return pair * (decks - (low == up) - (high == up))


def _first_three(entry: Entry) -> Fraction:
    """Settle what the first three cards make, once for each thing they can be."""
    decks = entry.decks or 0
    values = _values()
    counts: dict[int, int] = {}
    shown: dict[int, tuple[int, int, int]] = {}
    for low, high, up, number in _all_starts().tolist():
        key = first_three_signature(int(values[low, high, up]), low, high, up)
        counts[key] = counts.get(key, 0) + number * _ways(low, high, up, decks)
        shown.setdefault(key, (low, high, up))
    total = comb(52 * decks, 2) * (52 * decks - 2)
    assert sum(counts.values()) == total
    won = Fraction(0)
    for key, (low, high, up) in shown.items():
        others = [card for card in range(52) if card not in (low, high, up)]
        cards, dealer = texts([low, high, others[0]]), texts([up, *others[1:3]])
        won += counts[key] * net_units(entry, cards=cards, board=dealer, decisions={"play": True})
    return won / total


# --- Ante, Odds and Play


@compiled
def _play_on(first: int, starts: Any, values: Any, decks: int, counts: Any, shown: Any) -> None:
    """For each start: deals by row of the player's hand and by (player at least equal), with deals that show them."""
    left = np.zeros(52, np.int64)
    for start in range(first, len(starts), 2):
        low, high, up = starts[start, 0], starts[start, 1], starts[start, 2]
        for card in range(52):
            left[card] = decks
        left[low] -= 1
        left[high] -= 1
        left[up] -= 1
        for third in range(52):
            times = left[third]
            left[third] -= 1
            value = values[low, high, third]
            row = odds_row(value)
            for one in range(52):
                for two in range(one, 52):
                    ways = left[one] * left[two] if one < two else left[one] * (left[one] - 1) // 2
                    wins = 1 if values[up, one, two] <= value else 0
                    counts[start, row, wins] += times * ways
                    shown[start % 2, row, wins] = ((start * 52 + third) * 52 + one) * 52 + two
            left[third] += 1


@cache
def _played(decks: int) -> tuple[Any, Any]:
    starts, values = _all_starts(), _values()
    counts = np.zeros((len(starts), _ROWS, 2), np.int64)
    shown = np.full((2, _ROWS, 2), -1, np.int64)
    in_threads(lambda first: _play_on(first, starts, values, decks, counts, shown), range(2))
    cards = 52 * decks
    assert (counts.sum(axis=(1, 2)) == (cards - 3) * comb(cards - 4, 2)).all()
    return counts, shown.max(axis=0)


def _ante_odds_play(entry: Entry) -> Fraction:
    decks = entry.decks or 0
    counts, shown = _played(decks)
    starts = _all_starts()
    nets = np.zeros((_ROWS, 2), np.int64)
    surrender = Fraction(0)
    for row, wins in np.argwhere(shown >= 0).tolist():
        start, third, one, two = np.unravel_index(int(shown[row, wins]), (len(starts), 52, 52, 52))
        low, high, up = starts[start, :3].tolist()
        pair, dealer = texts([low, high]), texts([up, one, two])
        net = net_units(entry, cards=[*pair, *texts([third])], board=dealer, decisions={"play": True})
        assert (2 * net).denominator == 1
        nets[row, wins] = int(2 * net)
        surrender = net_units(entry, cards=pair, board=dealer[:1], decisions={"play": False})
    cards = 52 * decks
    deals = (cards - 3) * comb(cards - 4, 2)
    played = (counts * nets).sum(axis=(1, 2))
    best = np.maximum(played, int(2 * surrender) * deals).tolist()
    won = sum(
        value * number * _ways(low, high, up, decks)
        for value, (low, high, up, number) in zip(best, starts.tolist(), strict=True)
    )
    return Fraction(won, 2 * comb(cards, 2) * (cards - 2) * deals)


def expectation(entry: Entry) -> Fraction:
    """What a unit of the wager wins, by the second method."""
    return _ante_odds_play(entry) if entry.wager == "ante-odds-play" else _first_three(entry)
