"""Three Card Poker as published (ANCHORS.md section 2): a sixth game, written outside the product."""

from tests.relatives.three_card_poker.rules import GAME

__all__ = ["GAME"]
