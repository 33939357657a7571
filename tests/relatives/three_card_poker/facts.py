"""Facts of Three Card Poker, in the part of Python that numba compiles; a seat and the dealer have three cards each."""

from __future__ import annotations

from typing import Any, NamedTuple

from pitboss.poker import RankTables, three_card_value
from pitboss.poker.made import five_card_made, three_card_made
from pitboss.rules.facts import BELOW, Hands, compare

ANTE_BONUS_EVENTS = ("Straight flush", "Three of a kind", "Straight")
PAIR_PLUS_EVENTS = ("Straight flush", "Three of a kind", "Straight", "Flush", "Pair")
SIX_CARD_EVENTS = (
    "Royal flush",
    "Straight flush",
    "Four of a kind",
    "Full house",
    "Flush",
    "Straight",
    "Three of a kind",
)

_QUEEN = 10
_HIGH_CARD = 6  # the last category of the three-card ranking


class AntePlay(NamedTuple):
    """Whether the hand was played, its ANTE_BONUS_EVENTS, the comparison, and whether the dealer qualified."""

    played: int
    events: int
    comparison: int
    qualified: int


class Made(NamedTuple):
    """The set of events a wager's cards make."""

    events: int


def read_ante_play(hands: Hands, tables: RankTables) -> AntePlay:
    if not hands.choices[0]:
        return AntePlay(0, 0, BELOW, 0)
    player, dealer = hands.player, hands.board
    ours = three_card_value(tables, player[0], player[1], player[2])
    theirs = three_card_value(tables, dealer[0], dealer[1], dealer[2])
    high = max(dealer[0] >> 2, dealer[1] >> 2, dealer[2] >> 2) >= _QUEEN
    qualified = 1 if high or tables.category[theirs] < _HIGH_CARD else 0
    # A mini-royal is no more than a straight flush here.
    return AntePlay(1, three_card_made(tables.category[ours]) >> 1 & 0b111, compare(ours, theirs), qualified)


def read_pair_plus(hands: Hands, tables: RankTables) -> Made:
    player = hands.player
    value = three_card_value(tables, player[0], player[1], player[2])
    return Made(three_card_made(tables.category[value]) >> 1)


def read_six_card_bonus(hands: Hands, tables: Any) -> Made:  # noqa: ARG001
    """The best five of the player's three cards and the dealer's three."""
    a, b, c = hands.player[0], hands.player[1], hands.player[2]
    x, y, z = hands.board[0], hands.board[1], hands.board[2]
    return Made(five_card_made((a, b, c, x, y, z)) & 0b1111111)
