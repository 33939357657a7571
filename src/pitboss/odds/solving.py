"""Solving a wager: counted once, priced under any terms."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from importlib import import_module
from itertools import product
from typing import Any

from pitboss.games import find_game
from pitboss.odds import pricing
from pitboss.odds.context import NumbaContext, count
from pitboss.odds.decimals import ratio_text
from pitboss.odds.results import OddsResult, make_result
from pitboss.odds.store import OddsStore, is_ours, result_key
from pitboss.rules import Game, Terms, TermsInput, Wager, make_terms
from pitboss.rules.counting import Counts
from pitboss.rules.game import Switch
from pitboss.rules.pays import OfMeter, OperatorSet
from pitboss.rules.paytables import PayTable

_COUNTED: dict[tuple[Game, str, NumbaContext], Counts] = {}


def counts_of(
    game: Game, wager: Wager, terms: Terms, *, ranks: int = 13, store: OddsStore | None = None, counted: str = ""
) -> Counts:
    """Count a wager, or give the counts made before; readings matter only where they say which cards count.

    `counted` is what the loops count its hands as at another point of the round.
    """
    readings = game.reading_codes(terms) if wager.switches else ()
    context = NumbaContext(ranks=ranks, decks=terms.deck.decks, readings=readings)
    key = (game, counted or wager.name, context)
    if key not in _COUNTED:
        _COUNTED[key] = _count(game, counted or wager.name, context, store)
    return _COUNTED[key]


def _count(game: Game, name: str, context: NumbaContext, store: OddsStore | None) -> Counts:
    if store is None or not is_ours(game):
        return count(game, name, context)
    return store.counts(f"{game.name} {name} {context}", lambda: count(game, name, context))


def solve_terms(
    game: Game, wager: Wager, terms: Terms, *, store: OddsStore | None = None, open_events: frozenset[str] = frozenset()
) -> OddsResult:
    """Return the exact odds of a wager under optimal play; beside the main wager where the terms hold its table too.

    With a store, counts and results made before are found there. `open_events` are rows that wait for an amount.
    """
    if store is None or not is_ours(game):
        return solve_fresh(game, wager, terms, store=store, open_events=open_events)
    key = result_key(game, wager, terms, open_events)
    return store.result(key, lambda: solve_fresh(game, wager, terms, store=store, open_events=open_events))


def solve_fresh(
    game: Game, wager: Wager, terms: Terms, *, store: OddsStore | None = None, open_events: frozenset[str] = frozenset()
) -> OddsResult:
    """Return the odds as `solve_terms` does, from counts that may be stored but never a stored result."""
    if _is_beside(game, wager, terms):
        return _solve_beside(game, wager, terms, store)
    return _solve_alone(game, wager, terms, store, open_events)


def _solve_alone(
    game: Game, wager: Wager, terms: Terms, store: OddsStore | None, open_events: frozenset[str]
) -> OddsResult:
    counts = counts_of(game, wager, terms, store=store)
    alone = _as_if_alone(game, wager, terms)
    pays = _pays(game, wager, alone, store)
    is_shared = any(other.shares is not None and other.shares.main == wager.name for other in game.wagers)
    return make_result(
        wager,
        terms,
        pays,
        pricing.price(counts, pays, _best_play(game, wager, alone, store)[0] if is_shared else None),
        basis=counts.basis,
        method=counts.method,
        decks=terms.deck.decks if game.decks_allowed else None,
        open_events=open_events,
    )


def _is_beside(game: Game, wager: Wager, terms: Terms) -> bool:
    if wager.shares is None or not wager.shares_decision(terms):
        return False
    return all(slot.name in terms.tables for slot in game.by_name[wager.shares.main].slots)


def terms_of_one(wager: Wager, terms: Terms) -> Terms:
    """Keep of the terms the tables of one wager, so that what depends on those alone is found again."""
    return replace(terms, tables={slot.name: terms.tables[slot.name] for slot in wager.slots})


def _as_if_alone(game: Game, wager: Wager, terms: Terms) -> Terms:
    """Keep of the terms what concerns one wager: its tables, and its readings where others stand as by default."""
    readings = {
        switch.name: terms.readings[switch.name] if switch.name in wager.switches else switch.default
        for switch in game.switches
    }
    return replace(terms_of_one(wager, terms), readings=readings)


@lru_cache(maxsize=128)
def _pays(game: Game, wager: Wager, terms: Terms, store: OddsStore | None) -> pricing.UnitPays:
    """Settle the facts codes that occur."""
    return pricing.unit_pays(wager, terms, pricing.occurring_codes(counts_of(game, wager, terms, store=store)))


@lru_cache(maxsize=8)
def _best_play(game: Game, main: Wager, terms: Terms, store: OddsStore | None) -> tuple[list[Any], Any]:
    """Find the best decisions of a wager that others share, with all its best branches where it has but one level."""
    counts, pays = counts_of(game, main, terms, store=store), _pays(game, main, terms, store)
    return pricing.best_play(counts, pays) if len(counts.levels) == 1 else (pricing.best_decisions(counts, pays), None)


@lru_cache(maxsize=8)
def _following(game: Game, wager: Wager, main: Wager, terms: Terms, store: OddsStore | None) -> tuple[Counts, Any]:
    """Leave of a wager's branches those that are best for the main wager, once for all the tables it may have."""
    return pricing.merged_nodes(
        counts_of(game, wager, terms, store=store), _best_play(game, main, _as_if_alone(game, main, terms), store)[1]
    )


@lru_cache(maxsize=16)
def _beside(game: Game, wager: Wager, main: Wager, terms: Terms, store: OddsStore | None) -> Counts:
    """Count a wager beside the main wager's best decisions, once for all the tables it may have."""
    loops = import_module(game.loops or "")
    context = NumbaContext(decks=terms.deck.decks, readings=game.reading_codes(terms))
    counts: Counts = loops.beside(
        wager.name, context, _best_play(game, main, _as_if_alone(game, main, terms), store)[0]
    )
    return counts


def _solve_beside(game: Game, wager: Wager, terms: Terms, store: OddsStore | None) -> OddsResult:
    """Price a wager that shares a decision with the main wager, which is played as if alone."""
    shares = wager.shares
    assert shares is not None
    main = game.by_name[shares.main]
    if shares.follows_branch:
        counts, tied = _following(game, wager, main, terms_of_one(main, terms), store)
        pays = _pays(game, wager, terms_of_one(wager, terms), store)
        priced = pricing.price(counts, pays, pricing.follow_branches(counts, pays, tied))
    else:
        counts = _beside(game, wager, main, terms_of_one(main, terms), store)
        pays = pricing.unit_pays(wager, terms, pricing.occurring_codes(counts))
        priced = pricing.price(counts, pays)
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
    store: OddsStore | None = None,
) -> OddsResult:
    """Solve a wager by names, beside the main wager's tables where given; every problem comes in one ValueError."""
    game = find_game(game_name)
    if wager_name not in game.by_name:
        raise ValueError(f"{game.title} has no wager {wager_name!r}; it has: {', '.join(game.by_name)}")
    tables = {wager_name: paytables} | ({} if beside is None else {game.main.name: beside})
    terms, open_events = stated_terms(game, tables, readings=readings, decks=decks, jackpot_type=jackpot_type)
    return solve_terms(game, game.by_name[wager_name], terms, store=store, open_events=open_events)


def stated_terms(
    game: Game,
    paytables: Mapping[str, list[Any]],
    *,
    readings: Mapping[str, str] | None = None,
    decks: int | None = None,
    jackpot_type: str = "progressive",
) -> tuple[Terms, frozenset[str]]:
    """Make terms of what was stated; every problem comes in one ValueError.

    Of a jackpot's table the rows left to the operator may come without an amount: those events are named, and stand in
    the terms as small shares of a meter that counts as zero, so that they keep their printed order (G-2, G-6).
    """
    if decks is None and game.decks_allowed:
        decks = game.decks_allowed[0]
    inputs = TermsInput(paytables=paytables, readings=readings or {}, decks=decks, jackpot_type=jackpot_type)
    terms, problems = make_terms(game, inputs)
    opened = {
        slot.name: (f"paytables.{wager.name}.{table.id}", table)
        for wager, slot in game.slots()
        if wager.jackpot and (table := terms.tables.get(slot.name)) is not None and table.operator_set
    }
    waiting = {path for path, _ in opened.values()}
    if rest := [problem for problem in problems if problem.path not in waiting]:
        raise ValueError("; ".join(map(str, rest)))
    tables = {name: _placeholders(table) for name, (_, table) in opened.items()}
    return (
        replace(terms, tables={**terms.tables, **tables}),
        frozenset(row.event for _, table in opened.values() for row in table.operator_set),
    )


def _placeholders(table: PayTable) -> PayTable:
    size = len(table.rows)
    shares = [OfMeter(Fraction(size - place, 10**9)) for place in range(size)]
    return table.with_rows(
        tuple(
            replace(
                row,
                pay=share if isinstance(row.pay, OperatorSet) else row.pay,
                envy=None if isinstance(row.envy, OperatorSet) else row.envy,
            )
            for row, share in zip(table.rows, shares, strict=True)
        )
    )


def printed_tables(game: Game, wager: Wager) -> list[list[str]]:
    """List every combination of a wager's tables that needs no amounts, or of all of them where each slot does."""
    slots = [
        [table for table in slot.ids if not game.paytables[table].operator_set] or slot.ids
        for slot in wager.slots
        if not slot.fixed
    ]
    return [list(ids) for ids in product(*slots)]


def first_tables(game: Game, wager: Wager) -> list[str]:
    """Name the first table of each slot that needs no amounts, or the first where all do."""
    return printed_tables(game, wager)[0]


@dataclass(frozen=True, slots=True)
class PricedReading:
    """One wager under one reading of a switch; a jackpot with Envy among `seats` hands of which only one wagers."""

    switch: Switch
    reading: str
    result: OddsResult
    seats: int

    @property
    def house_edge(self) -> Fraction:
        """The edge under this reading."""
        return self.result.edge_at(seats=self.seats)

    def as_json(self) -> dict[str, Any]:
        """Return switch, reading and the whole result."""
        return {
            "switch": self.switch.name,
            "ruling": self.switch.ruling,
            "clause": self.switch.clause.id,
            "reading": self.reading,
            "words": self.switch.readings[self.reading],
            "default": self.reading == self.switch.default,
            "seats": self.seats,
            "house_edge": ratio_text(self.house_edge),
            "result": self.result.as_json(),
        }


def priced_readings(game: Game, *, store: OddsStore | None = None) -> Iterator[PricedReading]:
    """Price every reading of every switch for each wager it concerns, under optimal play.

    Shown are the first printed tables under which the readings differ, or the first of all where none do. A wager that
    shares a decision with the main one under a reading stands beside it there.
    """
    for switch in game.switches:
        for wager in game.wagers:
            if switch.name in wager.switches:
                yield from _where_they_differ(game, switch, wager, store)


def _where_they_differ(game: Game, switch: Switch, wager: Wager, store: OddsStore | None) -> list[PricedReading]:
    first: list[PricedReading] = []
    for tables in printed_tables(game, wager):
        priced_by_reading = [_priced(game, switch, wager, tables, reading, store) for reading in switch.readings]
        if len({priced.house_edge for priced in priced_by_reading}) > 1:
            return priced_by_reading
        first = first or priced_by_reading
    return first


def _priced(
    game: Game, switch: Switch, wager: Wager, ids: list[Any], reading: str, store: OddsStore | None
) -> PricedReading:
    tables = {wager.name: ids}
    shares = wager.shares
    if shares is not None and shares.switch == switch.name and reading in shares.readings:
        main = game.by_name[shares.main]
        tables[main.name] = first_tables(game, main)
    terms, open_events = stated_terms(game, tables, readings={switch.name: reading})
    result = solve_terms(game, wager, terms, store=store, open_events=open_events)
    envy = wager.envy
    everyone = envy is not None and envy.switch == switch.name and reading == envy.any_hand
    return PricedReading(switch, reading, result, game.seats_max if everyone else 1)
