"""The odds of a table in force: the figures of each wager, as they are counted; a jackpot's at what it shows now.

Wagers are those of the posted configuration; jackpots are those the table is linked to, as they are defined.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import NamedTuple

from pitboss.books import LEDGER, BookState
from pitboss.games import find_game
from pitboss.jackpot import JACKPOTS
from pitboss.odds.results import OddsResult, result_from_json
from pitboss.paper.words import decimal, percent
from pitboss.server.views.formatting import dollars
from pitboss.server.views.paytables import titled
from pitboss.server.worker.jobs import JackpotOddsJob, Job, TableOddsJob
from pitboss.server.worker.pool import Figure
from pitboss.table import Configuration


class Offered(NamedTuple):
    """A wager that a table offers: how it is asked for of the worker, and for a jackpot the cents that it shows."""

    game: str
    wager: str
    paytables: str
    job: Job
    cents: int | None = None


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


def offered_at(state: BookState, table: str, configuration: Configuration | None) -> tuple[Offered, ...]:
    """What a table offers: the wagers of its configuration, and its jackpots as they are defined."""
    found = []
    if configuration is not None:
        for name, settings in configuration.wagers.items():
            told = ", ".join(str(each["id"] if isinstance(each, Mapping) else each) for each in settings.paytables)
            job = TableOddsJob(configuration=configuration.canonical, wager=name)
            found.append(Offered(configuration.game, name, told, job))
    for record in state.of(JACKPOTS).at(table):
        jackpot, offer = record.jackpot, record.jackpot.offer_at(table)
        accounts = state.of(LEDGER).get(jackpot.name)
        cents = None if accounts is None else accounts.meter_state.displayed_cents
        defined = JackpotOddsJob(jackpot=jackpot.to_json(), table=table)
        found.append(Offered(offer.game, offer.wager, offer.paytable, defined, cents))
    return tuple(found)


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


def odds_view(
    table: str, configuration: Configuration | None, offered: tuple[Offered, ...], ask: Callable[[Job], Figure]
) -> OddsView:
    """Lay out the odds of the wagers on offer at a table, each as far as it is counted."""
    games = dict.fromkeys(find_game(each.game).title for each in offered)
    found = tuple(wager_line(each, ask(each.job)) for each in offered)
    return OddsView(table, ", ".join(games), "" if configuration is None else configuration.content_hash[:12], found)


def wager_line(offered: Offered, figure: Figure) -> WagerOdds:
    """Lay out the odds of one wager, as far as they are counted."""
    wager = find_game(offered.game).by_name[offered.wager]
    line = WagerOdds(offered.wager, titled(wager.title), offered.paytables, wager.jackpot)
    if figure.status == "computing":
        return line._replace(waits=figure.key)
    if figure.status == "failed":
        return line._replace(failed=figure.words or "cannot be counted")
    told = _figures(result_from_json(figure.value), offered.cents)
    return line._replace(**told)  # type: ignore[arg-type]
