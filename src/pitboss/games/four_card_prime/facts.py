"""Facts of Four Card Prime: what each wager needs to know of the cards, in the part of Python that numba compiles.

A seat has five cards; the board is the dealer's six, the face-up card first.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from pitboss.poker import RankTables, best_four_of_five, best_four_of_six
from pitboss.poker.made import five_card_made, four_card_made
from pitboss.rules.facts import BELOW, Hands, compare

BONUS_EVENTS = ("Any Quads", "Any Straight Flush", "Any Trips")
ACES_BABY_EVENTS = (
    "Four Aces",
    "Quads",
    "Royal",
    "Straight flush",
    "Three Aces",
    "Trips",
    "Flush",
    "Straight",
    "Two Pair",
    "AA",
)
PRIME_EVENTS = ("All five one color", "Four one color")
FIVE_CARD_EVENTS = (
    "Five-card Royal Flush",
    "Five-card Straight Flush",
    "Four of a kind",
    "Full House",
    "Five-card Flush",
    "Five-card Straight",
    "Three of a kind",
)
FOUR_CARD_EVENTS = ("Four Aces", "Quads", "Straight Flush", "Trips")

_ACE = 12


class AnteRaise(NamedTuple):
    """How many Antes were raised (0 folds), the BONUS_EVENTS of the best four cards, and the comparison."""

    raised: int
    made: int
    comparison: int


class Made(NamedTuple):
    """The set of events a wager's cards make."""

    made: int


def read_ante_raise(hands: Hands, tables: RankTables) -> AnteRaise:
    """Read the facts of the Ante and Raise wagers."""
    raised = hands.choices[0]
    if not raised:
        return AnteRaise(0, 0, BELOW)
    _, trips, quads, straight_flush, _ = four_card_made(hands.player)
    made = (1 if quads else 0) | (2 if straight_flush else 0) | (4 if trips else 0)
    ours, theirs = best_four_of_five(tables, hands.player), best_four_of_six(tables, hands.board)
    return AnteRaise(raised, made, compare(ours, theirs))


def read_aces_baby(hands: Hands, tables: Any) -> Made:  # noqa: ARG001
    """Read the ACES_BABY_EVENTS among the player's four-card hands (FCP-4)."""
    pairs, trips, quads, straight_flush, simple = four_card_made(hands.player)
    made = 0
    if quads:
        made |= 0b11 if quads >> _ACE else 0b10
    if straight_flush:
        made |= 0b1100 if straight_flush == 2 else 0b1000
    if trips:
        made |= 0b110000 if trips >> _ACE else 0b100000
    if simple & 2:
        made |= 1 << 6
    if simple & 1:
        made |= 1 << 7
    if pairs & (pairs - 1):
        made |= 1 << 8
    if pairs >> _ACE:
        made |= 1 << 9
    return Made(made)


def read_prime(hands: Hands, tables: Any) -> Made:  # noqa: ARG001
    """Read the PRIME_EVENTS of the five cards; diamonds and hearts are red."""
    red = 0
    for card in hands.player:
        if card & 3 in (1, 2):
            red += 1
    if red in (0, 5):
        return Made(0b11)
    return Made(0b10 if red in (1, 4) else 0)


def read_five_card_jackpot(hands: Hands, tables: Any) -> Made:  # noqa: ARG001
    """Read the FIVE_CARD_EVENTS of the original five cards."""
    return Made(five_card_made(hands.player) & 0b1111111)


def read_four_card_jackpot(hands: Hands, tables: Any) -> Made:  # noqa: ARG001
    """Read the FOUR_CARD_EVENTS of the best four cards."""
    _, trips, quads, straight_flush, _ = four_card_made(hands.player)
    made = 0
    if quads:
        made |= 0b0011 if quads >> _ACE else 0b0010
    if straight_flush:
        made |= 0b0100
    if trips:
        made |= 0b1000
    return Made(made)
