"""A card is a small integer, so that compiled loops and plain Python share it.

The integer is `rank * 4 + suit`: 0 is the deuce of clubs, 51 the ace of spades.
The joker is 52.
"""

from typing import Final, TypeAlias

Card: TypeAlias = int

RANKS: Final = "23456789TJQKA"
SUITS: Final = "cdhs"

DEUCE: Final = 0
THREE: Final = 1
FOUR: Final = 2
FIVE: Final = 3
SIX: Final = 4
SEVEN: Final = 5
EIGHT: Final = 6
NINE: Final = 7
TEN: Final = 8
JACK: Final = 9
QUEEN: Final = 10
KING: Final = 11
ACE: Final = 12

CLUBS: Final = 0
DIAMONDS: Final = 1
HEARTS: Final = 2
SPADES: Final = 3

JOKER: Final = 52


def rank_of(card: Card) -> int:
    """Give the rank of a card, 0 for a deuce to 12 for an ace.

    The joker gives 13, one above the ace and the rank of no other card. Nothing is
    checked, so that numba can compile this function as it stands.
    """
    return card >> 2


def suit_of(card: Card) -> int:
    """Give the suit of a card: 0 clubs, 1 diamonds, 2 hearts, 3 spades.

    The joker has no suit but gives 0 like a club, so ask for its rank first.
    Nothing is checked, so that numba can compile this function as it stands.
    """
    return card & 3
