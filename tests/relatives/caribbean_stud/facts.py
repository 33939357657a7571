"""Facts of Caribbean Stud, in the part of Python that numba compiles: five cards each, the dealer's first face up."""

from __future__ import annotations

from typing import NamedTuple

from pitboss.poker import SumTables, five_card_value
from pitboss.poker.made import five_card_made
from pitboss.rules.facts import BELOW, Hands, compare

EVENTS = (
    "Royal flush",
    "Straight flush",
    "Four of a kind",
    "Full house",
    "Flush",
    "Straight",
    "Three of a kind",
    "Two pairs",
    "Anything else",
)
_ELSE = 1 << len(EVENTS) - 1
_ACE_KING = 0b11 << 11
_MADE = 0b111111111


class AnteRaise(NamedTuple):
    """Whether the hand was raised, the EVENTS it makes, the comparison, and whether the dealer qualified."""

    raised: int
    events: int
    comparison: int
    qualified: int


def read_ante_raise(hands: Hands, tables: SumTables) -> AnteRaise:
    if not hands.choices[0]:
        return AnteRaise(0, 0, BELOW, 0)
    player, dealer = hands.player, hands.board
    ours = five_card_value(tables, player[0], player[1], player[2], player[3], player[4])
    theirs = five_card_value(tables, dealer[0], dealer[1], dealer[2], dealer[3], dealer[4])
    ranks = 0
    for card in dealer:
        ranks |= 1 << (card >> 2)
    made = five_card_made(dealer) & _MADE
    qualified = 1 if made or ranks & _ACE_KING == _ACE_KING else 0
    return AnteRaise(1, five_card_made(player) & (_ELSE - 1) | _ELSE, compare(ours, theirs), qualified)
