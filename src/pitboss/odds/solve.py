"""Solving a wager: counted once, priced under any terms; and the catalogue of all that can be priced as printed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from itertools import product
from typing import Any

from pitboss.games import find_game
from pitboss.odds.kit import CountingKit, count
from pitboss.odds.pricing import price, unit_pays
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
    """Give the exact odds of a wager under optimal play."""
    counts = counts_of(game, wager, terms)
    pays = unit_pays(wager, terms)
    priced = price(counts, pays)
    decks = terms.deck.decks if game.decks_allowed else None
    return make_result(wager, terms, pays, priced, basis=counts.basis, method=counts.method, decks=decks)


def solve(
    game_name: str,
    wager_name: str,
    paytables: list[Any],
    *,
    readings: Mapping[str, str] | None = None,
    decks: int | None = None,
    jackpot_type: str = "progressive",
) -> OddsResult:
    """Solve a wager by names; every problem with them comes back in one ValueError."""
    game = find_game(game_name)
    if wager_name not in game.by_name:
        raise ValueError(f"{game.title} has no wager {wager_name!r}; it has: {', '.join(game.by_name)}")
    if decks is None and game.decks_allowed:
        decks = game.decks_allowed[0]
    stated = Stated(paytables={wager_name: paytables}, readings=readings or {}, decks=decks, jackpot_type=jackpot_type)
    terms, problems = make_terms(game, stated)
    if problems:
        raise ValueError("; ".join(map(str, problems)))
    return solve_terms(game, game.by_name[wager_name], terms)


def catalogue(game: Game) -> Iterator[tuple[Wager, Terms]]:
    """Every wager with every combination of tables that needs no amounts, every reading and every shoe."""
    for wager in game.wagers:
        choices = [slot.ids for slot in wager.slots if not slot.fixed]
        switches = [switch for switch in game.switches if switch.name in wager.switches]
        for decks, tables, read in product(
            game.decks_allowed or (None,), product(*choices), product(*(switch.readings for switch in switches))
        ):
            readings = {switch.name: reading for switch, reading in zip(switches, read, strict=True)}
            stated = Stated(paytables={wager.name: list(tables)}, readings=readings, decks=decks)
            terms, problems = make_terms(game, stated)
            if not problems:
                yield wager, terms
