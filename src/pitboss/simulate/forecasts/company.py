"""A forecast of a company: many rooms of many tables for a year, on a cluster of processes.

Each table plays rounds of its own, by a key of the company's key, its room and its number: who plays it, and how many
play at once, changes no figure. Every table has a meter of its own, as the law has it for different rooms (J-11).
"""

import hashlib
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, replace
from fractions import Fraction
from math import gcd, sqrt
from typing import Any

from pitboss.cards import key_text
from pitboss.games import find_game
from pitboss.meters import UNITS_PER_CENT
from pitboss.odds.compiled import source_hash
from pitboss.rules import Problem
from pitboss.simulate.folding import find_occasions, fold_meter
from pitboss.simulate.forecasts import forecasting
from pitboss.simulate.forecasts.plan import ForecastPlan, ForecastRefusedError, ForecastRequest
from pitboss.simulate.forecasts.values import Spread, spread_of
from pitboss.simulate.running import clients, processes, run_blocks
from pitboss.simulate.setup import BLOCK_ROUNDS

_AHEAD, _TABLES_MAX = 4, 1_000_000
Tell = Callable[[int, int], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class TableYear:
    """A table over the whole time: the house's win in units without and with percentage prizes and seed, and hits.

    `top_hits` has by jackpot how often its meter was won whole.
    """

    rounds: int
    before_units: int
    win_units: int
    top_hits: dict[str, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class CompanyForecast:
    """What a company wins: of all its rooms, and how that of one room is spread; `expected_hits` are exact."""

    title: str
    plan: ForecastPlan
    rooms: int
    tables: int
    rounds: int
    key: str
    code_version: str
    exact_units: Fraction
    before_units: int
    win_units: int
    by_room: tuple[int, ...]
    before_by_room: tuple[int, ...]
    top_hits: dict[str, int]
    expected_hits: dict[str, Fraction | None]

    @property
    def rooms_win(self) -> Spread | None:
        """How the win of a room is spread."""
        return spread_of(self.by_room)

    @property
    def deviation(self) -> float:
        """By how many standard errors the simulated win, without percentage prizes and seed, is off the exact one."""
        spread = spread_of(self.before_by_room)
        if spread is None or not spread.variance:
            return 0.0
        return float(self.before_units - self.exact_units) / sqrt(spread.variance * self.rooms)

    def as_json(self) -> dict[str, Any]:
        """Return it as JSON: units, and exact numbers as "numerator/denominator"."""
        expected = {name: None if hits is None else str(hits) for name, hits in self.expected_hits.items()}
        return {
            "title": self.title,
            "days": self.plan.days,
            "rooms": self.rooms,
            "tables": self.tables,
            "rounds": self.rounds,
            "key": self.key,
            "code_version": self.code_version,
            "exact_units": str(self.exact_units),
            "before_units": self.before_units,
            "win_units": self.win_units,
            "by_room": list(self.by_room),
            "deviation": round(self.deviation, 4),
            "top_hits": self.top_hits,
            "expected_hits": expected,
        }


def table_key(key: bytes, room: int, table: int) -> bytes:
    """Return the key of a table's rounds."""
    return hashlib.sha256(b"pitboss company %b %d %d" % (key, room, table)).digest()


def play_table(version: str, request: ForecastRequest, key: bytes) -> TableYear:
    """Play a table for a run of the plan, in this process."""
    if source_hash() != version:
        raise ValueError(f"a worker has other sources of Pitboss ({source_hash()}) than this machine ({version})")
    plan, setup = request.plan, request.setup
    results, cents = [], 0
    for result in run_blocks(setup, key, plan.run_rounds, span=gcd(plan.run_rounds, BLOCK_ROUNDS), workers=1):
        cents += int(result.wins.sum())
        results.append(replace(result, histogram=None, squares=None, wins=None))
    occasions = find_occasions(setup, results)
    folds = {}
    for name, meter in request.meters.items():
        wagers, rounds = forecasting.wagers_a_round(setup, name), plan.run_rounds
        folds[name] = fold_meter(setup.terms, name, meter, occasions[name], wagers_a_round=wagers, rounds=rounds)
    before = cents * UNITS_PER_CENT - plan.run_rounds * forecasting.contributed_units(request)
    return TableYear(
        rounds=plan.run_rounds,
        before_units=before,
        win_units=before + sum(forecasting.house_units(hit) for fold in folds.values() for hit in fold.hits),
        top_hits={name: sum(hit.occasion.top for hit in fold.hits) for name, fold in folds.items()},
    )


def forecast_company(
    request: ForecastRequest,
    *,
    rooms: int,
    tables: int,
    key: bytes,
    workers: int = 1,
    scheduler: str | None = None,
    tell: Tell | None = None,
) -> CompanyForecast:
    """Forecast so many rooms of so many tables each, by a cluster of processes here or one that is there already."""
    if rooms < 1 or tables < 1 or workers < 1 or rooms * tables > _TABLES_MAX:
        words = f"--rooms, --tables and --workers must be from 1, and all tables together at most {_TABLES_MAX:,}"
        raise ForecastRefusedError([Problem("company", words)])
    one_run = replace(request, plan=replace(request.plan, runs=1))
    years: list[TableYear] = []
    for year in _years(one_run, rooms, tables, key, workers, scheduler):
        years.append(year)
        if tell is not None:
            tell(len(years) * one_run.plan.run_rounds, rooms * tables * one_run.plan.run_rounds)
    return _added(one_run, rooms, tables, key, years)


def _years(
    request: ForecastRequest, rooms: int, tables: int, key: bytes, workers: int, scheduler: str | None
) -> Iterator[TableYear]:
    """Yield the tables in order, room after room, whoever played them; a few more than there are workers are out."""
    with ExitStack() as stack:
        client = stack.enter_context(clients(scheduler or stack.enter_context(processes(workers))))
        sent = client.scatter(request, broadcast=True, hash=False)
        waiting: deque[Any] = deque()
        version = source_hash()
        for place in range(rooms * tables):
            own = table_key(key, *divmod(place, tables))
            waiting.append(client.submit(play_table, version, sent, own, pure=False))
            if len(waiting) > _AHEAD * workers:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()


def _added(request: ForecastRequest, rooms: int, tables: int, key: bytes, years: list[TableYear]) -> CompanyForecast:
    by_room = [years[first : first + tables] for first in range(0, rooms * tables, tables)]
    rounds = sum(year.rounds for year in years)
    game = find_game(request.setup.game)
    exact = forecasting.exact_win_cents(request.setup) * UNITS_PER_CENT - forecasting.contributed_units(request)
    chances = {name: forecasting.top_chance(request.setup, game.by_name[name]) for name in request.meters}
    return CompanyForecast(
        title=game.title,
        plan=request.plan,
        rooms=rooms,
        tables=tables,
        rounds=rounds,
        key=key_text(key),
        code_version=source_hash(),
        exact_units=exact * rounds,
        before_units=sum(year.before_units for year in years),
        win_units=sum(year.win_units for year in years),
        by_room=tuple(sum(year.win_units for year in room) for room in by_room),
        before_by_room=tuple(sum(year.before_units for year in room) for room in by_room),
        top_hits={name: sum(year.top_hits[name] for year in years) for name in request.meters},
        expected_hits={name: None if chance is None else chance * rounds for name, chance in chances.items()},
    )
