"""Wild Hold'em Fold'em as published (ANCHORS.md section 2)."""

from tests.relatives.wild_holdem_foldem.rules import GAME

__all__ = ["GAME"]
