"""Tables to simulate in tests."""

from __future__ import annotations

from pitboss.games import find_game
from pitboss.odds.solving import first_tables, stated_terms
from pitboss.simulate.setup import OPTIMAL, Setup, make_setup

__all__ = ["KEY", "table"]

KEY = bytes(range(32))


def table(name: str, *wagers: str, seats: int = 1, strategy: str = OPTIMAL, cents: int = 100) -> Setup:
    """Give a table with the first pay table of every wager, on these wagers or on all."""
    game = find_game(name)
    terms, _ = stated_terms(game, {wager.name: first_tables(game, wager) for wager in game.wagers})
    placed = wagers or tuple(game.by_name)
    stakes = {wager: 100 if game.by_name[wager].jackpot else cents for wager in placed}
    return make_setup(game, terms, stakes, seats=seats, strategy=strategy)
