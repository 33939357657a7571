"""Every disputed clause with the price of each of its readings."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from pitboss.odds.results import OddsResult
from pitboss.odds.solving import first_tables, printed_tables, solve_terms, stated_terms
from pitboss.odds.store import Store
from pitboss.rules import Game, Switch, Wager

__all__ = ["PricedReading", "priced_readings"]


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
        """Give switch, reading and the whole result."""
        return {
            "switch": self.switch.name,
            "ruling": self.switch.ruling,
            "clause": self.switch.clause.id,
            "reading": self.reading,
            "words": self.switch.readings[self.reading],
            "default": self.reading == self.switch.default,
            "seats": self.seats,
            "house_edge": f"{self.house_edge.numerator}/{self.house_edge.denominator}",
            "result": self.result.as_json(),
        }


def priced_readings(game: Game, *, store: Store | None = None) -> Iterator[PricedReading]:
    """Price every reading of every switch for each wager it concerns, under optimal play.

    Shown are the first printed tables under which the readings differ, or the first of all where none do. A wager that
    shares a decision with the main one under a reading stands beside it there.
    """
    for switch in game.switches:
        for wager in game.wagers:
            if switch.name in wager.switches:
                yield from _where_they_differ(game, switch, wager, store)


def _where_they_differ(game: Game, switch: Switch, wager: Wager, store: Store | None) -> list[PricedReading]:
    first: list[PricedReading] = []
    for tables in printed_tables(game, wager):
        found = [_priced(game, switch, wager, tables, reading, store) for reading in switch.readings]
        if len({priced.house_edge for priced in found}) > 1:
            return found
        first = first or found
    return first


def _priced(
    game: Game, switch: Switch, wager: Wager, ids: list[Any], reading: str, store: Store | None
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
