"""The blackjack side wager 21+3 as published (ANCHORS.md section 2)."""

from tests.relatives.twenty_one_plus_three.rules import GAME

__all__ = ["GAME"]
