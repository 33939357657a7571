"""The operator's forecast: what a table will win by shift, day and month, and how its meters will behave.

Rounds are simulated without meters; every meter is then folded over its hits. What is simulated stands beside what
`odds` gives exactly, and the result says which is which.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy

from pitboss.cards import fresh_key, key_text
from pitboss.games import find_game
from pitboss.meters import UNITS_PER_CENT, units_of
from pitboss.odds.compiled import source_hash
from pitboss.simulate.forecasts import rounds as simulated
from pitboss.simulate.forecasts.plan import ForecastPlan, ForecastRequest, MeterSettings, make_request
from pitboss.simulate.forecasts.rounds import Gathered, RunFolds
from pitboss.simulate.forecasts.values import PeriodWin, TableForecast, spread_of
from pitboss.simulate.setup import OPTIMAL
from pitboss.table import Configuration


def forecast(
    configuration: Configuration,
    *,
    plan: ForecastPlan | None = None,
    seats: int | None = None,
    stakes: Mapping[str, int] | None = None,
    meters: Mapping[str, MeterSettings] | None = None,
    strategy: str = OPTIMAL,
    key: bytes | None = None,
    grid: bool = False,
    tell: simulated.Tell | None = None,
) -> TableForecast:
    """Forecast a table: every seat stakes the same cents and plays alike; all that is wrong comes in one error.

    Left out, `seats` are those of the table and `stakes` the least of what it offers (G-12). `tell` hears how many
    rounds are done and of how many. Ctrl-C ends with the whole runs there are.
    """
    request = make_request(
        configuration, plan=plan or ForecastPlan(), seats=seats, stakes=stakes, meters=meters, strategy=strategy
    )
    drawn = fresh_key() if key is None else key
    text = key_text(drawn)
    gathered = simulated.gather(request.setup, request.plan, drawn, tell)
    folds = [simulated.fold_runs(request, gathered, name) for name in request.meters]
    periods, run_wins = _periods(request, gathered, folds)
    game = find_game(configuration.game)
    return TableForecast(
        game=game.name,
        title=game.title,
        seats=request.setup.seats,
        stakes={name: cents for name, cents in zip(game.by_name, request.setup.stakes[0], strict=True) if cents},
        strategy=strategy,
        plan=request.plan,
        runs=gathered.runs,
        interrupted=gathered.interrupted,
        key=text,
        terms_hash=configuration.terms.content_hash,
        code_version=source_hash(),
        periods=periods,
        run_wins=run_wins,
        jackpots=tuple(simulated.jackpot_forecast(request, gathered, runs, grid=grid) for runs in folds),
    )


def _periods(
    request: ForecastRequest, gathered: Gathered, folds: Sequence[RunFolds]
) -> tuple[tuple[PeriodWin, ...], tuple[int, ...]]:
    """Add shifts up to days and runs, and tell how the house's win in each is spread."""
    plan = request.plan
    contributed = sum(
        runs.wagers_a_round * (request.meters[runs.name].display_units + request.meters[runs.name].reserve_units)
        for runs in folds
    )
    before = gathered.shift_cents * UNITS_PER_CENT - plan.shift_rounds * contributed
    win = before + _jackpot_units(plan, folds, len(before))
    exact = simulated.exact_win_cents(request.setup) * UNITS_PER_CENT - contributed
    shifts = plan.hours_per_day // plan.shift_hours
    # A day of one shift, and a run of one day, stand once, as a day.
    lengths = {
        1: f"shift of {_counted(plan.shift_hours, 'hour')}",
        shifts: f"day of {_counted(plan.hours_per_day, 'hour')}",
    }
    lengths.setdefault(shifts * plan.days, f"{'month' if plan.days == 30 else 'run'} of {_counted(plan.days, 'day')}")
    every = tuple(_period(name, size, plan, before, win, exact) for size, name in lengths.items())
    return every, tuple(win.reshape(gathered.runs, -1).sum(axis=1).tolist())


def _counted(number: int, thing: str) -> str:
    return f"{number} {thing}{'' if number == 1 else 's'}"


def _jackpot_units(plan: ForecastPlan, folds: Sequence[RunFolds], shifts: int) -> Any:
    """Add up by shift what hits move from or to the house: percentage prizes, fund and seed (G-4, G-5)."""
    moved = numpy.zeros(shifts, dtype=numpy.int64)
    for runs in folds:
        for fold in runs.folds:
            for hit in fold.hits:
                house = units_of(hit.payment.from_fund_cents - hit.percentage_cents) - hit.lacked_units
                moved[hit.occasion.round // plan.shift_rounds] += house
    return moved


def _period(name: str, size: int, plan: ForecastPlan, before: Any, win: Any, exact: Fraction) -> PeriodWin:
    sums = win.reshape(-1, size).sum(axis=1).tolist()
    spread, plain = spread_of(sums), spread_of(before.reshape(-1, size).sum(axis=1).tolist())
    assert spread is not None
    assert plain is not None
    rounds = size * plan.shift_rounds
    return PeriodWin(
        name=name,
        rounds=rounds,
        exact=exact * rounds,
        before=plain,
        win=spread,
        losing=sum(1 for win in sums if win < 0),
    )
