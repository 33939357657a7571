"""Four Card Prime, as approved on 2015-04-23."""

from pitboss.games.four_card_prime.rules import GAME

__all__ = ["GAME"]
