"""Deuces Wild, as approved on 2010-03-31."""

from pitboss.games.deuces_wild.rules import GAME

__all__ = ["GAME"]
