"""How the seats play: decisions at every node of the counts, with the exact odds under these very decisions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from importlib import import_module
from typing import Any

import numpy

from pitboss.odds.context import NumbaContext
from pitboss.odds.pricing import (
    Priced,
    UnitPays,
    best_branches,
    best_decisions,
    follow_branches,
    price,
    unit_pays,
)
from pitboss.odds.results import OddsResult, make_result
from pitboss.odds.solving import counts_of
from pitboss.odds.store import OddsStore
from pitboss.odds.strategy import strategies
from pitboss.rules import Game, Terms, Wager
from pitboss.rules.counting import Counts
from pitboss.simulate.lines_file import choices_in_file
from pitboss.simulate.setup import NEVER_FOLD, OPTIMAL, SIMPLE

__all__ = ["Decided", "Exact", "decide"]


@dataclass(frozen=True, slots=True)
class Exact:
    """The exact odds of a wager under the decisions taken, with how often each facts code occurs."""

    wager: Wager
    terms: Terms
    pays: UnitPays
    priced: Priced
    result: OddsResult

    def result_of(self, priced: Priced) -> OddsResult:
        """Give the figures of another histogram of facts codes, such as one that was simulated."""
        return _result(self.wager, self.terms, self.pays, priced, self.result.basis, self.result.method)


@dataclass(frozen=True, slots=True)
class Decided:
    """The decisions of every wager that has some, by node and level, and the exact odds of every wager placed."""

    choices: Mapping[str, list[Any]]
    exact: Mapping[str, Exact]


def decide(game: Game, terms: Terms, placed: frozenset[str], strategy: str, store: OddsStore | None = None) -> Decided:
    """Decide at every node as the strategy says, for the wagers placed."""
    main = game.main
    plays_main = main.name in placed
    exact: dict[str, Exact] = {}
    choices: dict[str, list[Any]] = {}
    if plays_main:
        counts, pays = _counts_and_pays(game, main, terms, store)
        choices[main.name] = _main_choices(game, main, terms, counts, pays, strategy, store)
        _break_ties(game, terms, placed, strategy, choices, store)
        exact[main.name] = _exact(main, terms, pays, counts, choices[main.name])
    for wager in game.wagers:
        if wager.name not in placed or wager is main:
            continue
        if plays_main and _is_shared(wager, terms):
            counts = _beside(game, wager, terms, choices[main.name], store)
            pays = unit_pays(wager, terms)
            taken = _branches(counts, game, terms, choices, store) if _follows(wager) else best_decisions(counts, pays)
            choices[wager.name] = taken
            exact[wager.name] = _exact(wager, terms, pays, counts, taken, basis=_basis(wager))
        else:
            counts, pays = _counts_and_pays(game, wager, terms, store)
            choices[wager.name] = best_decisions(counts, pays)
            exact[wager.name] = _exact(wager, terms, pays, counts, choices[wager.name])
    return Decided(choices, exact)


def _main_choices(
    game: Game, main: Wager, terms: Terms, counts: Counts, pays: UnitPays, strategy: str, store: OddsStore | None
) -> list[Any]:
    if strategy == OPTIMAL:
        return best_decisions(counts, pays)
    if strategy == NEVER_FOLD:
        return best_decisions(_never_folding(game, counts), pays)
    if strategy == SIMPLE:
        return strategies(game, _only(main, terms), store=store).recommended.choices
    return choices_in_file(game, main, _only(main, terms), counts, strategy)


def _never_folding(game: Game, counts: Counts) -> Counts:
    """Leave only decisions that keep the hand in play."""
    folds = import_module(game.rounds or "").FOLDS
    levels = []
    for level in counts.levels:
        keeps = numpy.array([name not in folds for name in level.decisions], dtype=numpy.int8)
        shape = (len(level.weights), len(keeps))
        allowed = numpy.broadcast_to(keeps, shape) if level.allowed is None else level.allowed * keeps
        levels.append(replace(level, allowed=numpy.ascontiguousarray(allowed)))
    return replace(counts, levels=tuple(levels))


def _counts_and_pays(game: Game, wager: Wager, terms: Terms, store: OddsStore | None) -> tuple[Counts, UnitPays]:
    return counts_of(game, wager, terms, store=store), unit_pays(wager, terms)


def _only(wager: Wager, terms: Terms) -> Terms:
    return replace(terms, tables={slot.name: terms.tables[slot.name] for slot in wager.slots})


def _is_shared(wager: Wager, terms: Terms) -> bool:
    shares = wager.shares
    return shares is not None and terms.readings[shares.switch] in shares.readings


def _follows(wager: Wager) -> bool:
    return wager.shares is not None and wager.shares.follows_branch


def _basis(wager: Wager) -> str:
    return wager.shares.basis if wager.shares is not None else "alone"


def _break_ties(
    game: Game,
    terms: Terms,
    placed: frozenset[str],
    strategy: str,
    choices: dict[str, list[Any]],
    store: OddsStore | None,
) -> None:
    """Where several branches are worth most in the main wager, take the one that pays a wager more that follows it."""
    main = game.main
    for wager in game.wagers:
        if strategy != OPTIMAL or wager.name not in placed or not (_is_shared(wager, terms) and _follows(wager)):
            continue
        counts, pays = _counts_and_pays(game, main, terms, store)
        tied = best_branches(counts, pays)
        side, side_pays = _counts_and_pays(game, wager, terms, store)
        (branch,) = follow_branches(side, side_pays, tied)
        (level,) = counts.levels
        on_branch = numpy.array(level.branches)[None, :] == branch[:, None]
        allowed = on_branch if level.allowed is None else on_branch & (level.allowed > 0)
        only = replace(counts, levels=(replace(level, allowed=allowed.astype(numpy.int8)),))
        choices[main.name] = best_decisions(only, pays)


def _beside(game: Game, wager: Wager, terms: Terms, main: list[Any], store: OddsStore | None) -> Counts:
    if _follows(wager):
        return counts_of(game, wager, terms, store=store)
    context = NumbaContext(decks=terms.deck.decks, readings=game.reading_codes(terms))
    counts: Counts = import_module(game.loops or "").beside(wager.name, context, main)
    return counts


def _branches(
    counts: Counts, game: Game, terms: Terms, choices: Mapping[str, list[Any]], store: OddsStore | None
) -> Any:
    """Give the decision of a wager that follows the main one: the branch that was taken there."""
    (taken,) = choices[game.main.name]
    (level,) = counts_of(game, game.main, terms, store=store).levels
    assert list(counts.levels[0].branches) == list(range(len(counts.levels[0].branches)))
    return [numpy.array(level.branches, dtype=numpy.int64)[taken]]


def _exact(
    wager: Wager, terms: Terms, pays: UnitPays, counts: Counts, choices: list[Any], *, basis: str | None = None
) -> Exact:
    priced = price(counts, pays, choices)
    result = _result(wager, terms, pays, priced, basis or counts.basis, counts.method)
    return Exact(wager, terms, pays, priced, result)


def _result(wager: Wager, terms: Terms, pays: UnitPays, priced: Priced, basis: str, method: str) -> OddsResult:
    decks = terms.deck.decks if terms.deck.decks > 1 else None
    return make_result(wager, terms, pays, priced, basis=basis, method=method, decks=decks)
