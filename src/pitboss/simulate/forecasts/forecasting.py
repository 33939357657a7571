"""The operator's forecast: what a table will win by shift, day and month, and how its meters will behave.

Rounds are simulated without meters; every meter is then folded over its hits. What is simulated stands beside what
`odds` gives exactly, and the result says which is which.
"""

from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import gcd
from typing import Any

import numpy

from pitboss.cards import fresh_key, key_text
from pitboss.games import find_game
from pitboss.meters import UNITS_PER_CENT, MeterRefusedError, MeterTerms, units_of
from pitboss.odds.compiled import source_hash
from pitboss.odds.sharing import shared_prizes
from pitboss.odds.store import default_store
from pitboss.rules import Wager, pay_array
from pitboss.simulate.folding import Fold, MeterHit, Occasion, find_occasions, fold_meter
from pitboss.simulate.forecasts import values
from pitboss.simulate.forecasts.plan import ForecastPlan, ForecastRequest, MeterSettings, make_request
from pitboss.simulate.playing import make_ready
from pitboss.simulate.running import BlockResult, run_blocks
from pitboss.simulate.setup import BLOCK_ROUNDS, OPTIMAL, Setup
from pitboss.table import Configuration

Tell = Callable[[int, int], None]


@dataclass(frozen=True, slots=True, eq=False)
class Gathered:
    """Whole runs of rounds: the house's cents of every shift without percentage prizes, and where meters pay."""

    runs: int
    interrupted: bool
    shift_cents: Any
    occasions: Mapping[str, tuple[Occasion, ...]]


def gather(setup: Setup, plan: ForecastPlan, key: bytes, tell: Tell | None = None) -> Gathered:
    """Simulate the runs of a plan; Ctrl-C ends with the whole runs there are, and goes on where there are none."""
    total = plan.runs * plan.run_rounds
    span = gcd(plan.shift_rounds, BLOCK_ROUNDS)
    shifts = numpy.zeros(total // plan.shift_rounds, dtype=numpy.int64)
    results: list[BlockResult] = []
    played = 0
    try:
        for result in run_blocks(setup, key, total, span=span):
            places = numpy.arange(played, played + result.rounds, span) // plan.shift_rounds
            numpy.add.at(shifts, places, result.wins)
            results.append(replace(result, histogram=None, squares=None, wins=None))
            played += result.rounds
            if tell is not None:
                tell(played, total)
    except KeyboardInterrupt:
        if played < plan.run_rounds:
            raise
    runs = played // plan.run_rounds
    rounds = runs * plan.run_rounds
    occasions = find_occasions(setup, results)
    return Gathered(
        runs,
        runs < plan.runs,
        shifts[: rounds // plan.shift_rounds],
        {name: tuple(occasion for occasion in every if occasion.round < rounds) for name, every in occasions.items()},
    )


def exact_win_cents(setup: Setup) -> Fraction:
    """Return what the house wins in a round without percentage prizes, exactly, from the odds under these decisions."""
    ready = make_ready(setup)
    nets = ready.paid - ready.staked + ready.envy
    won = Fraction(0)
    for place, wager in enumerate(ready.game.wagers):
        exact = ready.decided.exact.get(wager.name)
        if exact is None:
            continue
        begin = int(ready.begins[place])
        for seat in range(setup.seats):
            if ready.placed[seat, place]:
                cents = sum(count * int(nets[seat, begin + code]) for code, count in exact.priced.histogram.items())
                won += Fraction(cents, exact.priced.total)
    return -won


_FAN = (5, 25, 50, 75, 95)
_GRID_SEEDS = (Fraction(1, 2), Fraction(1), Fraction(2))
_GRID_RATES = (Fraction(1, 2), Fraction(1), Fraction(3, 2))


@dataclass(frozen=True, slots=True)
class RunFolds:
    """A jackpot's meter in every run, each opened anew as the table opens."""

    name: str
    wagers_a_round: int
    folds: tuple[Fold, ...]


def fold_runs(request: ForecastRequest, gathered: Gathered, name: str) -> RunFolds:
    """Fold a jackpot's meter over every run, looking at it after every day."""
    plan, setup = request.plan, request.setup
    occasions = gathered.occasions[name]
    starts = [occasion.round for occasion in occasions]
    days = [plan.day_rounds * day for day in range(plan.days + 1)]
    wagers = wagers_a_round(setup, name)
    folds = []
    for run in range(gathered.runs):
        first = run * plan.run_rounds
        own = occasions[bisect_left(starts, first) : bisect_left(starts, first + plan.run_rounds)]
        folds.append(
            fold_meter(
                setup.terms,
                name,
                request.meters[name],
                own,
                wagers_a_round=wagers,
                first=first,
                rounds=plan.run_rounds,
                looks=days,
            )
        )
    return RunFolds(name, wagers, tuple(folds))


def jackpot_forecast(
    request: ForecastRequest, gathered: Gathered, runs: RunFolds, *, grid: bool
) -> values.JackpotForecast:
    """Forecast how a jackpot's meter behaves."""
    name, plan, setup = runs.name, request.plan, request.setup
    wager = find_game(setup.game).by_name[name]
    meter, occasions = request.meters[name], gathered.occasions[name]
    rounds = gathered.runs * plan.run_rounds
    fold = _fold_all(setup, name, meter, occasions, rounds)
    tops = [occasion.round for occasion in occasions if occasion.top]
    chance = top_chance(setup, wager)
    reserved = None
    if chance and meter.is_progressive:
        reserved = Fraction(meter.reseed_cents, meter.wager_cents * runs.wagers_a_round) * chance
    return values.JackpotForecast(
        name=name,
        title=wager.title,
        meter=meter,
        assumed=request.assumed[name],
        rounds=rounds,
        wagers_a_round=runs.wagers_a_round,
        growth_units=_growth(plan, meter, runs.wagers_a_round),
        top_events=_top_events(setup, wager),
        top_chance=chance,
        top_hits=len(tops),
        rounds_between=values.spread_of(later - sooner for sooner, later in zip([-1, *tops], tops, strict=False)),
        top_prize=_top_prize(fold),
        lacked=_lacked(fold),
        lacked_in_runs=_lacked(*runs.folds),
        lent_units=_lent(fold),
        sufficient_reserve_rate=reserved,
        cover=_cover(fold),
        fan=_fan(runs),
        grid=_grid(request, name, occasions, rounds) if grid and meter.is_progressive else (),
    )


def wagers_a_round(setup: Setup, name: str) -> int:
    """Return how many seats wager on a jackpot in a round."""
    return sum(1 for cents in setup.staked_on(name) if cents)


def _fold_all(setup: Setup, name: str, meter: MeterTerms, occasions: Sequence[Occasion], rounds: int) -> Fold:
    wagers = wagers_a_round(setup, name)
    return fold_meter(setup.terms, name, meter, occasions, wagers_a_round=wagers, rounds=rounds)


def _growth(plan: ForecastPlan, meter: MeterTerms, wagers: int) -> int:
    return plan.day_rounds * wagers * meter.display_units


def _top_events(setup: Setup, wager: Wager) -> tuple[str, ...]:
    """Name the rows that pay the whole meter."""
    shares = [(outcome.event, outcome.meter_share) for outcome in pay_array(wager, setup.terms).outcomes]
    names = (event for event, share in shares if event is not None and share is not None and share.share == 1)
    return tuple(dict.fromkeys(names))


def top_chance(setup: Setup, wager: Wager) -> Fraction | None:
    """Return the exact chance of a round that some seat wins the whole meter, where `odds` can count it."""
    seats = wagers_a_round(setup, wager.name)
    events = _top_events(setup, wager)
    exact = make_ready(setup).decided.exact[wager.name]
    if seats == 1 and events:
        outcomes = exact.pays.outcomes
        counts = (count for code, count in exact.priced.histogram.items() if outcomes[code].event in events)
        return Fraction(sum(counts), exact.priced.total)
    if len(events) != 1 or wager.holds is None:
        return None

    def count() -> dict[str, Any]:
        (prize,) = shared_prizes(find_game(setup.game), wager, setup.terms, events)
        return prize.as_json()

    try:
        counted = default_store().cached(f"top award of {wager.name} under {setup.terms.content_hash}", count)
    except ValueError:
        # Too many hands make it to be counted together.
        return None
    return Fraction(counted["seats"][seats - 1]["any_of"])


def _top_prize(fold: Fold) -> values.Spread | None:
    return values.spread_of(units_of(hit.displayed_cents) for hit in fold.hits if hit.occasion.top)


def _lacked(*folds: Fold) -> values.Spread | None:
    """Return how much reserve and overflow lacked of a seed whenever the meter was won whole."""
    return values.spread_of(hit.lacked_units for fold in folds for hit in fold.hits if hit.occasion.top)


def _lent(fold: Fold) -> int:
    return sum(hit.lacked_units for hit in fold.hits)


def _cover(fold: Fold) -> values.Cover:
    house = [hit.payment.from_house_cents for hit in fold.hits if hit.payment.from_house_cents]
    return values.Cover(len(fold.hits), len(house), sum(house))


def _fan(runs: RunFolds) -> values.Fan:
    by_day = zip(*(fold.shown_cents for fold in runs.folds), strict=True)
    bands = tuple(tuple(values.quantile(sorted(amounts), percent) for percent in _FAN) for amounts in by_day)
    return values.Fan(_FAN, len(runs.folds), bands)


def _grid(
    request: ForecastRequest, name: str, occasions: Sequence[Occasion], rounds: int
) -> tuple[values.GridRow, ...]:
    """Fold the same hits under half and twice the seed, and under less and more contribution."""
    rows = []
    meter = request.meters[name]
    for seed in _GRID_SEEDS:
        for rate in _GRID_RATES:
            cents = int(meter.reseed_cents * seed)
            try:
                other = replace(meter, reseed_cents=cents, display_rate=meter.display_rate * rate)
            except MeterRefusedError:
                # More than the whole wager, a seed above the cap, or no whole number of units: no such meter.
                continue
            fold = _fold_all(request.setup, name, other, occasions, rounds)
            rows.append(
                values.GridRow(
                    seed_cents=cents,
                    rate=other.display_rate,
                    growth_units=_growth(request.plan, other, fold.wagers_a_round),
                    top_prize=_top_prize(fold),
                    lacked=_lacked(fold),
                    lent_units=_lent(fold),
                    cover=_cover(fold),
                )
            )
    return tuple(rows)


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
    tell: Tell | None = None,
) -> values.TableForecast:
    """Forecast a table: every seat stakes the same cents and plays alike; all that is wrong comes in one error.

    Left out, `seats` are those of the table and `stakes` the least of what it offers (G-12). `tell` hears how many
    rounds are done and of how many. Ctrl-C ends with the whole runs there are.
    """
    request = make_request(
        configuration, plan=plan or ForecastPlan(), seats=seats, stakes=stakes, meters=meters, strategy=strategy
    )
    drawn = fresh_key() if key is None else key
    text = key_text(drawn)
    gathered = gather(request.setup, request.plan, drawn, tell)
    folds = [fold_runs(request, gathered, name) for name in request.meters]
    periods, run_wins = _periods(request, gathered, folds)
    game = find_game(configuration.game)
    return values.TableForecast(
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
        jackpots=tuple(jackpot_forecast(request, gathered, runs, grid=grid) for runs in folds),
        exact_leaves_out=tuple(_left_out(request.setup)),
    )


def _left_out(setup: Setup) -> Iterator[str]:
    """Name what changes the simulated rounds and not the exact figures."""
    game = find_game(setup.game)
    if setup.cut_card is not None and game.cut_card is not None:
        yield f"the cut card after {setup.cut_card} cards: exact figures are of a fresh shoe ({game.cut_card.ruling})"
    limited = [game.by_name[name].title for name in setup.terms.aggregate_limits if any(setup.staked_on(name))]
    if limited:
        yield f"the aggregate payout limit of {', '.join(limited)} (G-65)"


def _periods(
    request: ForecastRequest, gathered: Gathered, folds: Sequence[RunFolds]
) -> tuple[tuple[values.PeriodWin, ...], tuple[int, ...]]:
    """Add shifts up to days and runs, and tell how the house's win in each is spread."""
    plan = request.plan
    contributed = contributed_units(request)
    before = gathered.shift_cents * UNITS_PER_CENT - plan.shift_rounds * contributed
    win = before + _jackpot_units(plan, folds, len(before))
    exact = exact_win_cents(request.setup) * UNITS_PER_CENT - contributed
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
                moved[hit.occasion.round // plan.shift_rounds] += house_units(hit)
    return moved


def house_units(hit: MeterHit) -> int:
    """Return what a hit moves to the house: percentage prizes, fund and seed (G-4, G-5)."""
    return units_of(hit.payment.from_fund_cents - hit.percentage_cents) - hit.lacked_units


def contributed_units(request: ForecastRequest) -> int:
    """Return what goes to the meters in a round, shown or not."""
    meters = request.meters.items()
    return sum(
        wagers_a_round(request.setup, name) * (meter.display_units + meter.reserve_units) for name, meter in meters
    )


def _period(name: str, size: int, plan: ForecastPlan, before: Any, win: Any, exact: Fraction) -> values.PeriodWin:
    sums = win.reshape(-1, size).sum(axis=1).tolist()
    spread, plain = values.spread_of(sums), values.spread_of(before.reshape(-1, size).sum(axis=1).tolist())
    assert spread is not None
    assert plain is not None
    rounds = size * plan.shift_rounds
    return values.PeriodWin(
        name=name,
        rounds=rounds,
        exact=exact * rounds,
        before=plain,
        win=spread,
        losing=sum(1 for win in sums if win < 0),
    )
