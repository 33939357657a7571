"""Facts of 3 Card Double Play: what each wager needs to know of the cards, in the part of Python that numba compiles.

A seat has six cards; the board is the dealer's five. The choices are: the High Hand as a bit for each card, doubled.
"""

from __future__ import annotations

from itertools import combinations
from typing import Any, NamedTuple

from pitboss.poker import DIVISIONS_OF_SIX, RankTables, best_three_of_five, three_card_value
from pitboss.poker.made import five_card_made, multiples, straight_flush_of
from pitboss.rules.facts import Hands

__all__ = [
    "LOW_HAND_EVENTS",
    "PICK_3_EVENTS",
    "PICK_5_EVENTS",
    "SUPER_3S_EVENTS",
    "SUPER_SIX_EVENTS",
    "HighLow",
    "Made",
    "hand_values",
    "read_high_low",
    "read_pick_3",
    "read_pick_5",
    "read_super_3s",
    "read_super_six",
]

# In the order of the categories of the three-card ranking, best first.
LOW_HAND_EVENTS = ("Mini-Royal in Low side", "Straight Flush", "Trips", "Straight", "Flush", "Pair", "High Cards")
PICK_3_EVENTS = (
    "Double Mini-Royal",
    "Mini-Royal + Trips/SF",
    "Double Trips/SF",
    "One Mini-Royal",
    "Single Trips or SF",
    "Double pairs",
    "Double Flush or Straight",
)
SUPER_3S_EVENTS = (
    "Double Mini-Royal",
    "Mini-Royal with SF",
    "Mini-Royal with Trips",
    "Double Trips/SF",
    "One Mini-Royal",
    "One Trips or SF",
)
PICK_5_EVENTS = ("Royal", "Straight Flush", "Quads", "Full House", "Flush", "Straight", "Trips", "Two Pairs")
SUPER_SIX_EVENTS = (
    "Six-card Straight Flush",
    "Five-card Royal Flush",
    "Five-card straight flush",
    "Four of a kind",
    "Full House",
    "Flush",
    "Straight",
)

_MINI_ROYAL, _STRAIGHT_FLUSH, _TRIPS, _STRAIGHT, _FLUSH, _PAIR, _HIGH_CARDS = 0, 1, 2, 3, 4, 5, 6
_AS_SET = 1  # the second reading of `pick3_basis`


class HighLow(NamedTuple):
    """Whether the hand was doubled, whether each hand wins, and the category of the Low Hand, best first."""

    doubled: int
    high_wins: int
    low_wins: int
    low_category: int


class Made(NamedTuple):
    """The set of events a wager's cards make."""

    made: int


# The three places out of six that a mask names, by mask; other masks name no hand.
_PLACES = tuple(
    next((threes for threes in combinations(range(6), 3) if sum(1 << place for place in threes) == mask), (0, 0, 0))
    for mask in range(64)
)


def _hand_at(player: Any, mask: int) -> tuple[int, int, int]:
    """Pick the three cards that a mask of six places names."""
    first, second, third = _PLACES[mask]
    return player[first], player[second], player[third]


def hand_values(player: Any, high: int, tables: RankTables) -> tuple[int, int]:
    """Give the values of the High Hand at this mask and of the Low Hand that is left."""
    a, b, c = _hand_at(player, high)
    d, e, f = _hand_at(player, ~high & 0b111111)
    return three_card_value(tables, a, b, c), three_card_value(tables, d, e, f)


def read_high_low(hands: Hands, tables: RankTables) -> HighLow:
    """Read the facts of the High Hand and Low Hand wagers."""
    high, low = hand_values(hands.player, hands.choices[0], tables)
    dealer = best_three_of_five(tables, hands.board)
    return HighLow(
        1 if hands.choices[1] else 0,
        1 if high >= dealer else 0,
        1 if low >= dealer else 0,
        tables.category[low],
    )


def _pair_rank(a: int, b: int, c: int) -> int:
    """Give the rank that stands twice among three cards, or -1."""
    x, y, z = a >> 2, b >> 2, c >> 2
    if x in (y, z):
        return x
    return y if y == z else -1


def _pick_3_made(first: int, second: int, pair_ranks_differ: bool) -> int:
    """Give the PICK_3_EVENTS of two hands of these categories."""
    made = 0
    if first <= _TRIPS or second <= _TRIPS:
        made |= 1 << 4
        if first <= _TRIPS and second <= _TRIPS:
            made |= 1 << 2
    if _MINI_ROYAL in (first, second):
        made |= 1 << 3
        if first <= _TRIPS and second <= _TRIPS:
            made |= 1 << 1
        if first == second:
            made |= 1
    if pair_ranks_differ:
        made |= 1 << 5
    # A straight flush counts as a straight and as a flush; trips are neither.
    if first <= _FLUSH and second <= _FLUSH and _TRIPS not in (first, second):
        made |= 1 << 6
    return made


def _pick_3_of(player: Any, places: tuple[int, int, int, int, int, int], tables: RankTables) -> int:
    a, b, c = player[places[0]], player[places[1]], player[places[2]]
    d, e, f = player[places[3]], player[places[4]], player[places[5]]
    first = tables.category[three_card_value(tables, a, b, c)]
    second = tables.category[three_card_value(tables, d, e, f)]
    if first > _TRIPS and second > _TRIPS and _HIGH_CARDS in (first, second):
        return 0
    paired = first in (_TRIPS, _PAIR) and second in (_TRIPS, _PAIR)
    return _pick_3_made(first, second, paired and _pair_rank(a, b, c) != _pair_rank(d, e, f))


def read_pick_3(hands: Hands, tables: RankTables) -> Made:
    """Read the PICK_3_EVENTS: of all divisions of the six cards, or of the hands as set (TDP-3)."""
    player = hands.player
    made = 0
    if hands.readings[0] == _AS_SET:
        high = hands.choices[0]
        a, b, c = _hand_at(player, high)
        d, e, f = _hand_at(player, ~high & 0b111111)
        return Made(_pick_3_of((a, b, c, d, e, f), (0, 1, 2, 3, 4, 5), tables))
    for places in DIVISIONS_OF_SIX:
        made |= _pick_3_of(player, places, tables)
    return Made(made)


def read_super_3s(hands: Hands, tables: RankTables) -> Made:
    """Read the SUPER_3S_EVENTS of all divisions of the six cards (TDP-3)."""
    player = hands.player
    made = 0
    # Every event needs trips or a straight flush, and few sets of six cards hold one.
    trips = multiples(player)[2]
    if not trips and not straight_flush_of(player, 3):
        return Made(0)
    for places in DIVISIONS_OF_SIX:
        first = tables.category[three_card_value(tables, player[places[0]], player[places[1]], player[places[2]])]
        second = tables.category[three_card_value(tables, player[places[3]], player[places[4]], player[places[5]])]
        if second < first:
            first, second = second, first
        if first > _TRIPS:
            continue
        made |= 1 << 5
        if second <= _TRIPS:
            made |= 1 << 3
        if first == _MINI_ROYAL:
            made |= 1 << 4
            if second == _TRIPS:
                made |= 1 << 2
            elif second <= _STRAIGHT_FLUSH:
                made |= 1 << 1
                if second == _MINI_ROYAL:
                    made |= 1
    return Made(made)


def read_pick_5(hands: Hands, tables: Any) -> Made:  # noqa: ARG001
    """Read the PICK_5_EVENTS of the six cards."""
    return Made(five_card_made(hands.player) & 0b11111111)


def read_super_six(hands: Hands, tables: Any) -> Made:  # noqa: ARG001
    """Read the SUPER_SIX_EVENTS of the six cards."""
    made = (five_card_made(hands.player) & 0b111111) << 1
    if straight_flush_of(hands.player, 6):
        made |= 1
    return Made(made)
