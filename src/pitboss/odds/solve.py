"""Solving a wager: counted once, priced under any terms; and the catalogue of all that can be priced as printed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache, lru_cache
from importlib import import_module
from itertools import product
from typing import Any

from pitboss.games import find_game
from pitboss.odds.kit import CountingKit, count
from pitboss.odds.pricing import (
    UnitPays,
    best_branches,
    best_decisions,
    follow_branches,
    merged_nodes,
    occurring_codes,
    price,
    unit_pays,
)
from pitboss.odds.results import OddsResult, make_result
from pitboss.rules import Game, Stated, Terms, Wager, make_terms
from pitboss.rules.counts import Counts

__all__ = ["catalogue", "counts_of", "solve", "solve_terms"]


@cache
def _counted(game: str, wager: str, kit: CountingKit) -> Counts:
    return count(find_game(game), wager, kit)


def counts_of(game: Game, wager: Wager, terms: Terms, *, ranks: int = 13) -> Counts:
    """Count a wager, or give the counts made before; readings matter only where they say which cards count."""
    readings = game.reading_codes(terms) if wager.switches else ()
    # Two jackpots that differ only in name have the same counts.
    return _counted(game.name, wager.name, CountingKit(ranks=ranks, decks=terms.deck.decks, readings=readings))


def solve_terms(game: Game, wager: Wager, terms: Terms) -> OddsResult:
    """Give the exact odds of a wager under optimal play; beside the main wager where the terms hold its table too."""
    if _is_beside(game, wager, terms):
        return _solve_beside(game, wager, terms)
    counts = counts_of(game, wager, terms)
    pays = unit_pays(wager, terms, occurring_codes(counts))
    decks = terms.deck.decks if game.decks_allowed else None
    return make_result(wager, terms, pays, price(counts, pays), basis=counts.basis, method=counts.method, decks=decks)


def _is_beside(game: Game, wager: Wager, terms: Terms) -> bool:
    shares = wager.shares
    if shares is None or terms.readings[shares.switch] not in shares.readings:
        return False
    return all(slot.name in terms.tables for slot in game.by_name[shares.main].slots)


def _only(wager: Wager, terms: Terms) -> Terms:
    """Keep of the terms the tables of one wager, so that what depends on those alone is found again."""
    return replace(terms, tables={slot.name: terms.tables[slot.name] for slot in wager.slots})


@lru_cache(maxsize=128)
def _pays(game: Game, wager: Wager, terms: Terms) -> UnitPays:
    """Settle the facts codes that occur."""
    return unit_pays(wager, terms, occurring_codes(counts_of(game, wager, terms)))


@lru_cache(maxsize=8)
def _following(game: Game, wager: Wager, main: Wager, terms: Terms) -> tuple[Counts, Any]:
    """Leave of a wager's branches those that are best for the main wager, once for all the tables it may have."""
    tied = best_branches(counts_of(game, main, terms), _pays(game, main, terms))
    return merged_nodes(counts_of(game, wager, terms), tied)


@lru_cache(maxsize=8)
def _beside(game: Game, wager: Wager, main: Wager, terms: Terms) -> Counts:
    """Count a wager beside the main wager's best decisions, once for all the tables it may have."""
    loops = import_module(game.loops or "")
    kit = CountingKit(decks=terms.deck.decks, readings=game.reading_codes(terms))
    choices = best_decisions(counts_of(game, main, terms), _pays(game, main, terms))
    counts: Counts = loops.beside(wager.name, kit, choices)
    return counts


def _solve_beside(game: Game, wager: Wager, terms: Terms) -> OddsResult:
    """Price a wager that shares a decision with the main wager, which is played as if alone."""
    shares = wager.shares
    assert shares is not None
    main = game.by_name[shares.main]
    if shares.follows_branch:
        counts, tied = _following(game, wager, main, _only(main, terms))
        pays = _pays(game, wager, _only(wager, terms))
        priced = price(counts, pays, follow_branches(counts, pays, tied))
    else:
        counts = _beside(game, wager, main, _only(main, terms))
        pays = unit_pays(wager, terms, occurring_codes(counts))
        priced = price(counts, pays)
    tables = tuple(terms.tables[slot.name].id for slot in main.slots if not slot.fixed)
    result = make_result(wager, terms, pays, priced, basis=shares.basis, method=counts.method, decks=None)
    return replace(result, paytables=(*result.paytables, *tables))


def solve(
    game_name: str,
    wager_name: str,
    paytables: list[Any],
    *,
    readings: Mapping[str, str] | None = None,
    decks: int | None = None,
    jackpot_type: str = "progressive",
    beside: list[Any] | None = None,
) -> OddsResult:
    """Solve a wager by names, beside the main wager's tables where given; every problem comes in one ValueError."""
    game = find_game(game_name)
    if wager_name not in game.by_name:
        raise ValueError(f"{game.title} has no wager {wager_name!r}; it has: {', '.join(game.by_name)}")
    if decks is None and game.decks_allowed:
        decks = game.decks_allowed[0]
    tables = {wager_name: paytables} | ({} if beside is None else {game.main.name: beside})
    stated = Stated(paytables=tables, readings=readings or {}, decks=decks, jackpot_type=jackpot_type)
    terms, problems = make_terms(game, stated)
    if problems:
        raise ValueError("; ".join(map(str, problems)))
    return solve_terms(game, game.by_name[wager_name], terms)


def catalogue(game: Game) -> Iterator[tuple[Wager, Terms]]:
    """Every wager with every combination of tables that needs no amounts, every reading and every shoe.

    A wager that shares a decision with the main one stands beside each of its tables too; one that is settled on what
    the main wager chose stands there only.
    """
    for wager in game.wagers:
        shares = wager.shares
        for terms in _printed_terms(game, wager, ()):
            if shares is None or not shares.follows_branch or terms.readings[shares.switch] not in shares.readings:
                yield wager, terms
        if shares is not None:
            for terms in _printed_terms(game, wager, (game.by_name[shares.main],)):
                if terms.readings[shares.switch] in shares.readings:
                    yield wager, terms


def _printed_terms(game: Game, wager: Wager, beside: tuple[Wager, ...]) -> Iterator[Terms]:
    wagers = (wager, *beside)
    choices = [[slot.ids for slot in each.slots if not slot.fixed] for each in wagers]
    switches = [switch for switch in game.switches if switch.name in wager.switches]
    for decks, tables, read in product(
        game.decks_allowed or (None,),
        product(*(product(*slots) for slots in choices)),
        product(*(switch.readings for switch in switches)),
    ):
        stated = Stated(
            paytables={each.name: list(ids) for each, ids in zip(wagers, tables, strict=True)},
            readings={switch.name: reading for switch, reading in zip(switches, read, strict=True)},
            decks=decks,
        )
        terms, problems = make_terms(game, stated)
        if not problems:
            yield terms
