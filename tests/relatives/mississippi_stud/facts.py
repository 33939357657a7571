"""Facts of Mississippi Stud, in the part of Python that numba compiles: two cards, and three of the board."""

from __future__ import annotations

from typing import Any, NamedTuple

from pitboss.poker.made import five_card_made, multiples
from pitboss.rules.facts import Hands

EVENTS = (
    "Royal flush",
    "Straight flush",
    "Four of a kind",
    "Full house",
    "Flush",
    "Straight",
    "Three of a kind",
    "Two pairs",
    "Pair of jacks or better",
)
STREETS = 3
_MADE = (1 << len(EVENTS) - 1) - 1
_JACK, _SIX = 9, 4


class AnteBets(NamedTuple):
    """How many Antes were bet on the way, whether the hand stayed in, its EVENTS, and whether it pushes."""

    bets: int
    stayed: int
    events: int
    pushes: int


def read_ante_bets(hands: Hands, tables: Any) -> AnteBets:  # noqa: ARG001
    bets = 0
    for street in range(STREETS):
        if not hands.choices[street]:
            return AnteBets(bets, 0, 0, 0)
        bets += hands.choices[street]
    player, board = hands.player, hands.board
    cards = (player[0], player[1], board[0], board[1], board[2])
    events = five_card_made(cards) & _MADE
    pairs = multiples(cards)[1]
    if pairs >> _JACK:
        events |= 1 << 8
    return AnteBets(bets, 1, events, 1 if not events and pairs >> _SIX else 0)
