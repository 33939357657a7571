"""Four Card Poker as published (ANCHORS.md section 2)."""

from tests.relatives.four_card_poker.rules import GAME

__all__ = ["GAME"]
