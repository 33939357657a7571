"""Facts of the Trips wager of DJ Wild: the rank of five cards with deuces and the joker wild, and whether natural."""

from __future__ import annotations

from typing import Any, NamedTuple

from pitboss.poker.made import five_card_made, wild_five_card_made
from pitboss.rules.facts import Hands

_NATURAL_EVENTS = (
    "Natural royal flush",
    "Natural straight flush",
    "Natural four of a kind",
    "Natural full house",
    "Natural flush",
    "Natural straight",
    "Natural three of a kind",
)
_WILD_EVENTS = (
    "Five wild cards",
    "Wild royal flush",
    "Five of a kind",
    "Wild straight flush",
    "Wild four of a kind",
    "Wild full house",
    "Wild flush",
    "Wild straight",
    "Wild three of a kind",
)
EVENTS = _NATURAL_EVENTS + _WILD_EVENTS

_JOKER = 52
_NATURAL = len(_NATURAL_EVENTS)


class Ranked(NamedTuple):
    """Which of the EVENTS is the rank of the five cards, counted from one; zero for none of them."""

    rank: int

    @property
    def events(self) -> int:
        """The same as a set of events."""
        return 1 << self.rank >> 1


def read_trips(hands: Hands, tables: Any) -> Ranked:  # noqa: ARG001
    """The best rank that the wild cards make, natural where the cards as they are make that rank too.

    So a flush with a deuce that completes a straight flush is a wild straight flush and no natural flush.
    """
    wild, natural = wild_five_card_made(hands.player), five_card_made(hands.player)
    for card in hands.player:
        if card == _JOKER:
            natural = 0
    if natural & 1:
        return Ranked(1)
    # Both sets are in rank order; a natural straight flush stands second, a wild one fourth behind the natural royal.
    for place in range(9):
        if wild >> (place + 1) & 1:
            plain = place - 2
            if plain > 0 and natural >> plain & 1:
                return Ranked(1 + plain)
            return Ranked(1 + _NATURAL + place)
    return Ranked(0)
