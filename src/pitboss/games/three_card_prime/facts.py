"""Facts of Three Card Prime: what each wager needs to know of the cards, in the part of Python that numba compiles.

A seat's cards are the three of the hand and then the set-aside fourth; the board is the dealer's three.
"""

from __future__ import annotations

from typing import NamedTuple

from pitboss.poker import RankTables, three_card_value
from pitboss.poker.made import five_card_made, run_ends, straight_flush_of, suited_ranks, three_card_made
from pitboss.rules.facts import Hands, compare

PLAY_EVENTS = ("Mini-Royal", "Straight Flush", "Trips", "Straight")
PRIME_EVENTS = ("Same Color Player and Dealer Hands", "Same Color Player Hand")
PAIR_BONUS_EVENTS = ("Mini Royal", "Straight Flush", "Trips", "Straight", "Flush", "Pair")
ALL_SIX_EVENTS = (
    "Six-Card Royal Diamonds",
    "Six-Card Royal Other",
    "Five-Card Royal",
    "Five-Card Straight Flush",
    "Four of a Kind",
    "Full House",
    "Flush",
    "Straight",
    "Three of a Kind",
)
FINAL_FOUR_EVENTS = (
    "4-card diamond Royal",
    "4-card Royal",
    "4-card Straight Flush",
    "Four of a kind",
    "Initial 3-card SF",
    "Three of a Kind",
    "4-card Straight",
    "Initial 3-card straight",
)
ALL_SEVEN_EVENTS = ("7-card Straight Flush", "Royal", "Straight Flush", "Four of a Kind", "Full House", "Flush")

_QUEEN = 10
_DIAMONDS = 1
_ALL_SIX_FLUSH = ALL_SIX_EVENTS.index("Flush")
_ALL_SEVEN_STRAIGHT_FLUSH = 1 << ALL_SEVEN_EVENTS.index("Straight Flush")
_STRAIGHT_FLUSH, _TRIPS, _STRAIGHT, _FLUSH, _PAIR = 1, 2, 3, 4, 5  # categories of the three-card ranking, best first


class AntePlay(NamedTuple):
    """Whether the hand was played, the PLAY_EVENTS it makes, whether it is a flush, the comparison, the qualifier."""

    played: int
    made: int
    flush: int
    comparison: int
    qualified: int


class Made(NamedTuple):
    """The set of events a wager's cards make."""

    made: int


class PairBonus(NamedTuple):
    """The PAIR_BONUS_EVENTS of the three-card hand, and whether the fourth card is a deuce."""

    made: int
    deuce: int


def read_ante_play(hands: Hands, tables: RankTables) -> AntePlay:
    """Read the facts of the Ante and Play wagers."""
    player, dealer = hands.player, hands.board
    ours = three_card_value(tables, player[0], player[1], player[2])
    theirs = three_card_value(tables, dealer[0], dealer[1], dealer[2])
    category = tables.category[ours]
    pair_or_better = tables.category[theirs] <= _PAIR
    queen_high = max(dealer[0] >> 2, dealer[1] >> 2, dealer[2] >> 2) >= _QUEEN
    return AntePlay(
        1 if hands.choices[0] else 0,
        three_card_made(category) & 0b1111,
        1 if category == _FLUSH else 0,
        compare(ours, theirs),
        1 if pair_or_better or queen_high else 0,
    )


def _color(card: int) -> int:
    """Diamonds and hearts are red, clubs and spades black."""
    return 1 if card & 3 in (1, 2) else 0


def _color_of_all(cards: tuple[int, ...]) -> int:
    """Give the one color of three cards, or -1 where they are mixed."""
    reds = _color(cards[0]) + _color(cards[1]) + _color(cards[2])
    if reds == 3:
        return 1
    return 0 if reds == 0 else -1


def read_prime(hands: Hands, tables: RankTables) -> Made:  # noqa: ARG001
    """Read the PRIME_EVENTS."""
    player, dealer = hands.player, hands.board
    color = _color_of_all((player[0], player[1], player[2]))
    if color < 0:
        return Made(0)
    same = _color_of_all((dealer[0], dealer[1], dealer[2])) == color
    return Made(0b11 if same else 0b10)


def read_pair_bonus(hands: Hands, tables: RankTables) -> PairBonus:
    """Read the PAIR_BONUS_EVENTS and the loose deuce."""
    player = hands.player
    category = tables.category[three_card_value(tables, player[0], player[1], player[2])]
    return PairBonus(three_card_made(category), 1 if player[3] >> 2 == 0 else 0)


def read_all_six(hands: Hands, tables: RankTables) -> Made:  # noqa: ARG001
    """Read the ALL_SIX_EVENTS of the player's three and the dealer's three cards."""
    player, dealer = hands.player, hands.board
    cards = (player[0], player[1], player[2], dealer[0], dealer[1], dealer[2])
    made = (five_card_made(cards) & 0b1111111) << 2
    if made >> _ALL_SIX_FLUSH & 1:
        for suit in range(4):
            # Nine to ace of one suit: the six highest ranks.
            if suited_ranks(cards, suit) >> 7 == 0b111111:
                made |= 0b01 if suit == _DIAMONDS else 0b10
    return Made(made)


def read_final_four(hands: Hands, tables: RankTables) -> Made:
    """Read the FINAL_FOUR_EVENTS of the player's four cards, the first three being at least a straight."""
    player = hands.player
    category = tables.category[three_card_value(tables, player[0], player[1], player[2])]
    if category > _STRAIGHT:
        return Made(0)
    cards = (player[0], player[1], player[2], player[3])
    if category == _TRIPS:
        quads = player[3] >> 2 == player[0] >> 2
        return Made(0b101000 if quads else 0b100000)
    made = 1 << 7
    ranks = 0
    for card in cards:
        ranks |= 1 << (card >> 2)
    if run_ends(ranks, 4):
        made |= 1 << 6
    if category <= _STRAIGHT_FLUSH:
        made |= 1 << 4
        suit = straight_flush_of(cards, 4) - 1
        if suit >= 0:
            made |= 1 << 2
            if suited_ranks(cards, suit) >> 9 == 0b1111:
                made |= 0b11 if suit == _DIAMONDS else 0b10
    return Made(made)


def read_all_seven(hands: Hands, tables: RankTables) -> Made:  # noqa: ARG001
    """Read the ALL_SEVEN_EVENTS of the player's four and the dealer's three cards."""
    player, dealer = hands.player, hands.board
    cards = (player[0], player[1], player[2], player[3], dealer[0], dealer[1], dealer[2])
    made = (five_card_made(cards) & 0b11111) << 1
    if made & _ALL_SEVEN_STRAIGHT_FLUSH and straight_flush_of(cards, 7):
        made |= 1
    return Made(made)
