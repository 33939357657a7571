"""Which results are kept on disk, and under what key; read without what it takes to compute them."""

from __future__ import annotations

from pitboss.odds.results import OddsResult
from pitboss.odds.store import Store
from pitboss.rules import Game, Terms, Wager

__all__ = ["is_ours", "kept_result", "result_key"]

_OURS = "pitboss."


def is_ours(game: Game) -> bool:
    """Tell whether the hash of our sources covers a game's loops; what others count is not kept on disk."""
    return game.loops is not None and game.loops.startswith(_OURS)


def result_key(game: Game, wager: Wager, terms: Terms, open_events: frozenset[str] = frozenset()) -> str:
    """Give what a result depends on, besides the sources."""
    return f"{game.name} {wager.name} {sorted(open_events)} {terms.canonical}"


def kept_result(game: Game, wager: Wager, terms: Terms, store: Store | None) -> OddsResult | None:
    """Give the odds of a wager if they were made before."""
    return None if store is None or not is_ours(game) else store.kept_result(result_key(game, wager, terms))
