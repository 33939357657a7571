"""The kit that loops count with."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from importlib import import_module
from typing import Any

from pitboss.odds.classes import suit_classes_of
from pitboss.odds.compiled import as_arrays, compiled, in_threads, make_compilable
from pitboss.rules import Game
from pitboss.rules.counts import Counts

__all__ = ["CountingKit", "count"]

_classes = cache(suit_classes_of)


@dataclass(frozen=True, slots=True, kw_only=True)
class CountingKit:
    """The kit for one deck and one set of readings."""

    ranks: int = 13
    decks: int = 1
    readings: tuple[int, ...] = ()

    @property
    def cards(self) -> int:
        """How many cards of rank and suit a deck has."""
        return 4 * self.ranks

    @property
    def without_readings(self) -> CountingKit:
        """The kit for what no reading changes."""
        return replace(self, readings=())

    def classes(self, size: int) -> tuple[Any, Any]:
        """Sets of cards up to a renaming of the suits, kept once made."""
        return _classes(size, self.ranks)

    def compiled(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """Compile a loop."""
        make_compilable(sys.modules[function.__module__])
        return compiled(function)

    def arrays(self, tables: Any) -> Any:
        """Give rank tables as arrays."""
        return as_arrays(tables)

    def spread(self, piece: Callable[[int, int], Any], size: int) -> list[Any]:
        """Run a piece of work over ranges, on every core."""
        return in_threads(piece, size)


def count(game: Game, wager: str, kit: CountingKit) -> Counts:
    """Count one wager of a game by its loops."""
    if game.loops is None:
        raise ValueError(f"{game.title} has no loops to count with")
    counts: Counts = import_module(game.loops).count(wager, kit)
    return counts
