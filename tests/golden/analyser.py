"""The first method: the analyser, computing everything again."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from pitboss.games import find_game
from pitboss.odds.printed import catalogue
from pitboss.odds.solving import solve_terms
from tests.golden.entries import Entry

__all__ = ["results"]


def results(game_name: str) -> Iterator[tuple[Entry, Fraction, str]]:
    """Every entry of a game's catalogue with its expectation and the analyser's words for its method."""
    game = find_game(game_name)
    for wager, terms in catalogue(game):
        result = solve_terms(game, wager, terms)
        entry = Entry(
            game=result.game,
            wager=result.wager,
            paytables=result.paytables,
            readings=tuple(result.readings.items()),
            decks=result.decks,
            basis=result.basis,
        )
        yield entry, result.ev, result.method
