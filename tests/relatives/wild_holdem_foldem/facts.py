"""Facts of Wild Hold'em Fold'em: those of Deuces Wild, and four deuces and a pair of aces besides."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pitboss.games.deuces_wild.facts import FOLDED_AT_FOUR, FOLDED_AT_THREE, HAND_EVENTS, RAISED, AntePlayRaise
from pitboss.poker.made import wild_cards, wild_five_card_made
from pitboss.rules.facts import Hands

EVENTS = (*HAND_EVENTS, "Four Deuces", "Pair of Aces")

_FOUR_DEUCES, _PAIR_OF_ACES = 1 << 11, 1 << 12
_ACE = 12


def five_cards_made(cards: Sequence[int]) -> int:
    """Give the EVENTS of five cards."""
    wild = wild_cards(cards)
    aces = wild
    for card in cards:
        if card >> 2 == _ACE:
            aces += 1
    made = wild_five_card_made(cards)
    if wild == 4:
        made |= _FOUR_DEUCES
    if aces >= 2:
        made |= _PAIR_OF_ACES
    return made


def read_ante_play_raise(hands: Hands, tables: Any) -> AntePlayRaise:  # noqa: ARG001
    if not hands.choices[0]:
        return AntePlayRaise(FOLDED_AT_THREE, 0)
    if not hands.choices[1]:
        return AntePlayRaise(FOLDED_AT_FOUR, 0)
    return AntePlayRaise(RAISED, five_cards_made(hands.player))
