"""Aggregate payout limits over simulated rounds: what the settlement holds back of the prizes of each deal (G-65)."""

from typing import Any, NamedTuple

import numpy

from pitboss.rules import AggregateLimit, Game, line_of, pay_array
from pitboss.rules.limits import limited_prizes
from pitboss.rules.settlement import prizes_of
from pitboss.simulate.setup import Setup


class LimitedWager(NamedTuple):
    """A wager with a limit: its place, and for every seat and facts code the prizes of its chips and their sum."""

    place: int
    limit: AggregateLimit
    prizes: tuple[tuple[tuple[int, ...], ...], ...]
    totals: Any


def limited_wagers(game: Game, setup: Setup) -> tuple[LimitedWager, ...]:
    """Settle every facts code of the wagers that have a limit, by the settlement of the rules."""
    limited = []
    for name, limit in setup.terms.aggregate_limits.items():
        stakes, wager = setup.staked_on(name), game.by_name[name]
        if not any(stakes):
            continue
        outcomes = pay_array(wager, setup.terms).outcomes
        prizes = tuple(
            tuple(prizes_of(outcome, line_of(wager, outcome, cents)) if cents else () for outcome in outcomes)
            for cents in stakes
        )
        totals = numpy.array([[sum(chips) for chips in codes] for codes in prizes], dtype=numpy.int64)
        limited.append(LimitedWager(list(game.by_name).index(name), limit, prizes, totals))
    return tuple(limited)


def held_back(limited: LimitedWager, codes: Any) -> list[tuple[int, int]]:
    """Find the rounds of a chunk in which the limit binds, and the cents that it holds back in each.

    `codes` are the facts codes of the wager by round and seat; every seat is a player of its own.
    """
    seats = numpy.arange(codes.shape[1])
    won = limited.totals[seats, codes]
    binds = numpy.zeros(len(won), dtype=bool)
    if limited.limit.player_cents is not None:
        binds |= (won > limited.limit.player_cents).any(axis=1)
    if limited.limit.table_cents is not None:
        binds |= won.sum(axis=1) > limited.limit.table_cents
    held = []
    for place in numpy.flatnonzero(binds).tolist():
        chips = [limited.prizes[seat][code] for seat, code in enumerate(codes[place].tolist())]
        players = [seat for seat, each in enumerate(chips) for _ in each]
        paid = limited_prizes(limited.limit, [cents for each in chips for cents in each], players)
        held.append((place, int(won[place].sum()) - sum(paid)))
    return held
