"""Facts of Super Three Card: what each wager needs to know of the cards, in the part of Python that numba compiles.

A seat has two cards, and a third if it played; the board is the dealer's, the first card dealt first.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from pitboss.poker import RankTables, shoe_three_card_value
from pitboss.poker.made import shoe_three_card_made
from pitboss.rules.facts import BELOW, Hands, compare

# The first eight in the order of poker.made.SHOE_THREE_EVENTS; a pair counts from jacks up.
ODDS_EVENTS = (
    "Mini Royal (AKQ Suited)",
    "Three-of-a-Kind (Suited)",
    "Straight Flush",
    "Three-of-a-Kind",
    "Straight",
    "Suited Pair",
    "Flush",
    "Pair of Jacks or Better",
)
BIG_HAND_EVENTS = (*ODDS_EVENTS[:7], "Three Aces (Suited)")
JACKPOT_EVENTS = (
    "Three-of-a-Kind Aces, Kings, or Queens Suited",
    "Three-of-a-Kind Aces or Kings Suited",
    "Three-of-a-Kind Aces Suited",
    "Three-of-a-Kind Suited",
    "Straight Flush",
    "Three-of-a-Kind Offsuit",
    "Straight",
    "Flush",
)

_JACK, _QUEEN, _KING, _ACE = 9, 10, 11, 12
_SUITED_TRIPS, _STRAIGHT_FLUSH, _TRIPS, _STRAIGHT, _FLUSH, _PAIR = 1, 2, 3, 4, 6, 7


class AnteOddsPlay(NamedTuple):
    """Whether the hand was played, the ODDS_EVENTS it makes, and the comparison with the dealer's."""

    played: int
    made: int
    comparison: int


class Made(NamedTuple):
    """The set of events a wager's cards make."""

    made: int


def read_ante_odds_play(hands: Hands, tables: RankTables) -> AnteOddsPlay:
    """Read the facts of the Ante, Odds and Play wagers."""
    if not hands.choices[0]:
        return AnteOddsPlay(0, 0, BELOW)
    player, dealer = hands.player, hands.board
    made, pair = shoe_three_card_made(player[0], player[1], player[2])
    if pair < _JACK:
        made &= ~(1 << _PAIR)
    ours = shoe_three_card_value(tables, player[0], player[1], player[2])
    theirs = shoe_three_card_value(tables, dealer[0], dealer[1], dealer[2])
    return AnteOddsPlay(1, made, compare(ours, theirs))


def read_big_hand(hands: Hands, tables: Any) -> Made:  # noqa: ARG001
    """Read the BIG_HAND_EVENTS of the player's first two cards and the dealer's first (STC-4)."""
    made, pair = shoe_three_card_made(hands.player[0], hands.player[1], hands.board[0])
    aces = made >> _SUITED_TRIPS & 1 and pair == _ACE
    return Made((made & ~(1 << _PAIR)) | (1 << _PAIR if aces else 0))


def read_jackpot(hands: Hands, tables: Any) -> Made:  # noqa: ARG001
    """Read the JACKPOT_EVENTS of the player's first two cards and the dealer's first; no suited pair (STC-5)."""
    shape, rank = shoe_three_card_made(hands.player[0], hands.player[1], hands.board[0])
    made = 0
    if shape >> _SUITED_TRIPS & 1:
        made |= 1 << 3
        for event, lowest in ((0, _QUEEN), (1, _KING), (2, _ACE)):
            if rank >= lowest:
                made |= 1 << event
    elif shape >> _TRIPS & 1:
        made |= 1 << 5
    if shape >> _STRAIGHT_FLUSH & 1:
        made |= 1 << 4
    if shape >> _STRAIGHT & 1:
        made |= 1 << 6
    if shape >> _FLUSH & 1:
        made |= 1 << 7
    return Made(made)
