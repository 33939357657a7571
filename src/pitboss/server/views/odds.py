"""The odds of a table in force: the figures of each wager, as they are counted; a jackpot's at what it shows now."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import NamedTuple

from pitboss.books import LEDGER, BookState
from pitboss.games import find_game
from pitboss.jackpot import JACKPOTS
from pitboss.odds.results import OddsResult, result_from_json
from pitboss.paper.words import decimal, percent
from pitboss.rules import dollars
from pitboss.server.views.paytables import titled
from pitboss.server.worker import Figure
from pitboss.table import Configuration

__all__ = ["EventLine", "OddsView", "WagerOdds", "odds_view"]


class EventLine(NamedTuple):
    """An event of a wager: what it pays, how often it comes, and what it adds."""

    event: str
    pays: str
    one_in: str
    adds: str


class WagerOdds(NamedTuple):
    """A wager: its figures, or that they are being computed, or why they cannot be."""

    name: str
    title: str
    paytables: str
    is_jackpot: bool
    waits: str = ""
    failed: str = ""
    edge: str = ""
    risk: str = ""
    deviation: str = ""
    hits: str = ""
    break_even: str = ""
    meter: str = ""
    edge_now: str = ""
    method: str = ""
    exact: str = ""
    events: tuple[EventLine, ...] = ()


class OddsView(NamedTuple):
    """The wagers of a table."""

    table: str
    game: str
    hash: str
    wagers: tuple[WagerOdds, ...]

    @property
    def waits(self) -> str:
        """A figure that is being computed, if any is."""
        return next((each.waits for each in self.wagers if each.waits), "")


def _one_in(probability: Fraction) -> str:
    return decimal(1 / probability, 1) if probability else ""


def _meter_cents(state: BookState, table: str, wager: str) -> int | None:
    """What the display of the table's jackpot on a wager shows."""
    for record in state.of(JACKPOTS).at(table):
        accounts = state.of(LEDGER).get(record.jackpot.name)
        if accounts is not None and record.jackpot.offer_at(table).wager == wager:
            return accounts.meter_state.displayed_cents
    return None


def _figures(result: OddsResult, meter_cents: int | None) -> dict[str, object]:
    even = result.break_even_meter
    is_jackpot = result.meter_coefficient is not None
    now = None if meter_cents is None or not is_jackpot else result.edge_at(meter_cents=meter_cents)
    return {
        "edge": percent(result.house_edge),
        "risk": percent(result.element_of_risk),
        "deviation": result.std_dev(4),
        "hits": percent(result.hit_frequency),
        "break_even": "" if even is None else f"${decimal(even, 2)}",
        "meter": "" if meter_cents is None or not is_jackpot else dollars(meter_cents),
        "edge_now": "" if now is None else percent(now),
        "method": result.method,
        "exact": f"{result.house_edge.numerator:,}/{result.house_edge.denominator:,}",
        "events": tuple(
            EventLine(each.event, each.pays, _one_in(each.probability), decimal(each.contribution, 6))
            for each in result.events
        ),
    }


def odds_view(state: BookState, table: str, configuration: Configuration, figures: Mapping[str, Figure]) -> OddsView:
    """Lay out the odds of the wagers on offer at a table, each as far as it is counted."""
    game = find_game(configuration.game)
    found = []
    for name in configuration.offered:
        settings = configuration.jackpots.get(name) or configuration.wagers[name]
        paytables = ", ".join(str(each["id"] if isinstance(each, Mapping) else each) for each in settings.paytables)
        line = WagerOdds(name, titled(game.by_name[name].title), paytables, name in configuration.jackpots)
        figure = figures[name]
        if figure.status == "ready":
            told = _figures(result_from_json(figure.value), _meter_cents(state, table, name))
            found.append(line._replace(**told))  # type: ignore[arg-type]
        else:
            found.append(line._replace(waits=figure.key) if figure.status == "computing" else _failed(line, figure))
    return OddsView(table, game.title, configuration.content_hash[:12], tuple(found))


def _failed(line: WagerOdds, figure: Figure) -> WagerOdds:
    return line._replace(failed=figure.words or "cannot be counted")
