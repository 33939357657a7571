"""Super Three Card, as approved on 2021-01-28."""

from pitboss.games.super_three_card.rules import GAME

__all__ = ["GAME"]
