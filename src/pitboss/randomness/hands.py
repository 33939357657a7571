"""Hands on trial: how often each facts code comes in rounds dealt, against the exact counts of `odds`.

A wager is read where no decision changes what it makes: jackpots and most bonus wagers. The cards of a seat lie in the
shoe where the stages of its game deal them to the only seat of a table.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy

from pitboss.cards import Deck
from pitboss.odds.compiled import as_arrays, compiled, make_compilable
from pitboss.odds.solving import counts_of, first_tables, stated_terms
from pitboss.odds.store import OddsStore
from pitboss.rules import CardPlace, Game, StageKind, Wager
from pitboss.rules.facts import Hands, codes, encode

__all__ = ["HandsRead", "Layout", "hands_of", "layout_of"]


@dataclass(frozen=True, slots=True)
class Layout:
    """Where in the shoe the cards of a lone seat and of the board lie, in the order dealt."""

    seat: tuple[int, ...]
    board: tuple[int, ...]


def layout_of(game: Game) -> Layout:
    """Follow the stages of a game with one seat that gets every card it may be dealt."""
    places: dict[CardPlace, list[int]] = {who: [] for who in CardPlace}
    used = 0
    for stage in game.stages:
        if stage.kind is StageKind.DEAL:
            places[stage.who] += range(used, used + len(stage.faces))
            used += len(stage.faces)
    return Layout(tuple(places[CardPlace.SEATS]), tuple(places[CardPlace.BOARD]))


@dataclass(frozen=True, slots=True, eq=False)
class HandsRead:
    """One wager whose facts codes are counted: how often each comes in all deals, and how it is read."""

    game: Game
    wager: Wager
    deck: Deck
    counts: Any

    def histogram_of(self, cards: Any) -> Any:
        """Read the wager in every shoe and count its codes."""
        histogram = numpy.zeros(len(self.counts), dtype=numpy.int64)
        layout = layout_of(self.game)
        player, board = cards[:, layout.seat].astype(numpy.int64), cards[:, layout.board].astype(numpy.int64)
        _loop_of(self.wager.read)(
            player,
            board,
            # What no decision and no reading changes is read under any of them.
            numpy.ones(max(len(self.game.decisions), 1), dtype=numpy.int64),
            numpy.zeros(max(len(self.game.switches), 1), dtype=numpy.int64),
            as_arrays(self.game.tables()),
            numpy.array(self.wager.bounds, dtype=numpy.int64),
            histogram,
        )
        return histogram


def hands_of(game: Game, store: OddsStore | None) -> tuple[HandsRead, ...]:
    """Give the wagers of a game that no decision changes, each way of reading once, with their exact counts."""
    found: dict[Any, HandsRead] = {}
    for wager in game.wagers:
        # The main wager always has a decision, and counting it takes longest.
        if wager.read in found or wager.switches or wager is game.main:
            continue
        terms, _ = stated_terms(game, {wager.name: first_tables(game, wager)})
        counts = counts_of(game, wager, terms, store=store)
        if [level.decisions for level in counts.levels] == [("",)]:
            level = counts.levels[0]
            by_code = numpy.zeros(len(codes(wager.bounds)), dtype=numpy.int64)
            numpy.add.at(by_code, level.codes[0, level.groups[0, 0]], level.counts[0, 0])
            found[wager.read] = HandsRead(game, wager, terms.deck, by_code)
    return tuple(found.values())


@cache
def _loop_of(read: Callable[..., Any]) -> Callable[..., Any]:
    """Compile a loop around a way of reading, whose module must be compilable first."""
    make_compilable(sys.modules[read.__module__], sys.modules[encode.__module__])

    def loop(player: Any, board: Any, choices: Any, readings: Any, tables: Any, bounds: Any, histogram: Any) -> None:
        for index in range(player.shape[0]):
            histogram[encode(read(Hands(player[index], board[index], choices, readings), tables), bounds)] += 1

    return compiled(loop)
