"""Three Card Prime, as approved on 2015-09-25."""

from pitboss.games.three_card_prime.rules import GAME

__all__ = ["GAME"]
