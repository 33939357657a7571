"""The games, one folder each, and their registry.

A game's folder holds its rules, facts, pay tables, clauses and approvals. No game is named outside its folder, but for
its name in the list here.
"""

from functools import cache
from importlib import import_module

from pitboss.rules import Game

__all__ = ["UnknownGameError", "all_games", "find_game", "game_names", "register", "unregister"]

_FOLDERS = ["three_card_prime", "deuces_wild", "super_three_card", "four_card_prime", "three_card_double_play"]
_FOLDER_OF = {folder.replace("_", "-"): folder for folder in _FOLDERS}
_REGISTERED: dict[str, Game] = {}


class UnknownGameError(ValueError):
    """A name that is no game's."""


@cache
def _built_in(folder: str) -> Game:
    game = import_module(f"pitboss.games.{folder}.rules").GAME
    assert isinstance(game, Game)
    return game


def register(game: Game) -> None:
    """Add a game that lives outside this package; its name must be new."""
    if game.name in game_names():
        raise ValueError(f"there is a game {game.name!r} already")
    _REGISTERED[game.name] = game


def unregister(name: str) -> None:
    """Remove a registered game."""
    del _REGISTERED[name]


def game_names() -> tuple[str, ...]:
    """Every game's name, without loading any."""
    return (*_FOLDER_OF, *_REGISTERED)


def find_game(name: object) -> Game:
    """Return the game of this name, loading it when it is first asked for."""
    if isinstance(name, str):
        if name in _FOLDER_OF:
            return _built_in(_FOLDER_OF[name])
        if name in _REGISTERED:
            return _REGISTERED[name]
    raise UnknownGameError(f"unknown game {name!r}: expected one of {', '.join(game_names())}")


def all_games() -> tuple[Game, ...]:
    """Every game there is."""
    return tuple(find_game(name) for name in game_names())
