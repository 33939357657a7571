"""3 Card Double Play Poker, as approved on 2015-04-23."""

from pitboss.games.three_card_double_play.rules import GAME

__all__ = ["GAME"]
