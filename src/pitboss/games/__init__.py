"""The games, one folder each, and their registry.

A game's folder holds its rules, facts, pay tables, clauses and approvals. No game is named outside its folder.
"""

from pitboss.games.registry import UnknownGameError, all_games, find_game, game_names, register, unregister

__all__ = ["UnknownGameError", "all_games", "find_game", "game_names", "register", "unregister"]
