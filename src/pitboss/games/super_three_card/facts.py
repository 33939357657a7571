"""Facts of Super Three Card: what each wager needs to know of the cards, in the part of Python that numba compiles.

A seat has two cards, and a third if it played; the board is the dealer's, the first card dealt first.
"""

from typing import Any, NamedTuple

from pitboss.poker import RankTables, shoe_three_card_value
from pitboss.poker.made import shoe_three_card_made
from pitboss.rules.facts import BELOW, EventFacts, Hands, compare, event_bits

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
_, _SUITED_TRIPS, _STRAIGHT_FLUSH, _TRIPS, _STRAIGHT, _, _FLUSH, _PAIR = event_bits(ODDS_EVENTS)
_SUITED_ACES = event_bits(BIG_HAND_EVENTS)[-1]
_FROM_QUEENS, _FROM_KINGS, _ACES, _JACKPOT_SUITED_TRIPS = event_bits(JACKPOT_EVENTS)[:4]
JACKPOT_STRAIGHT_FLUSH, _JACKPOT_TRIPS, _JACKPOT_STRAIGHT, JACKPOT_FLUSH = event_bits(JACKPOT_EVENTS)[4:]


class AnteOddsPlay(NamedTuple):
    """Whether the hand was played, the ODDS_EVENTS it makes, and the comparison with the dealer's."""

    played: int
    events: int
    comparison: int

    @staticmethod
    def bounds() -> tuple[int, ...]:
        """How many values each fact has."""
        return (2, 1 << len(ODDS_EVENTS), 3)


def read_ante_odds_play(hands: Hands, tables: RankTables) -> AnteOddsPlay:
    """Read the facts of the Ante, Odds and Play wagers."""
    if not hands.choices[0]:
        return AnteOddsPlay(0, 0, BELOW)
    player, dealer = hands.player, hands.board
    events, pair = shoe_three_card_made(player[0], player[1], player[2])
    if pair < _JACK:
        events &= ~_PAIR
    ours = shoe_three_card_value(tables, player[0], player[1], player[2])
    theirs = shoe_three_card_value(tables, dealer[0], dealer[1], dealer[2])
    return AnteOddsPlay(1, events, compare(ours, theirs))


def read_big_hand(hands: Hands, tables: Any) -> EventFacts:  # noqa: ARG001
    """Read the BIG_HAND_EVENTS of the player's first two cards and the dealer's first (STC-4)."""
    events, pair = shoe_three_card_made(hands.player[0], hands.player[1], hands.board[0])
    # A pair pays nothing here; its bit is that of three suited aces.
    aces = events & _SUITED_TRIPS and pair == _ACE
    return EventFacts((events & ~_PAIR) | (_SUITED_ACES if aces else 0))


def read_jackpot(hands: Hands, tables: Any) -> EventFacts:  # noqa: ARG001
    """Read the JACKPOT_EVENTS of the player's first two cards and the dealer's first; no suited pair (STC-5)."""
    shape, rank = shoe_three_card_made(hands.player[0], hands.player[1], hands.board[0])
    events = 0
    if shape & _SUITED_TRIPS:
        events |= _JACKPOT_SUITED_TRIPS
        for event, lowest in ((_FROM_QUEENS, _QUEEN), (_FROM_KINGS, _KING), (_ACES, _ACE)):
            if rank >= lowest:
                events |= event
    elif shape & _TRIPS:
        events |= _JACKPOT_TRIPS
    if shape & _STRAIGHT_FLUSH:
        events |= JACKPOT_STRAIGHT_FLUSH
    if shape & _STRAIGHT:
        events |= _JACKPOT_STRAIGHT
    if shape & _FLUSH:
        events |= JACKPOT_FLUSH
    return EventFacts(events)
