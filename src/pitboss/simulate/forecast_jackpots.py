"""How the meters of a table will behave: folded over all rounds, run by run, and under other seeds and rates."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from pitboss.games import find_game
from pitboss.meters import MeterRefusedError, MeterTerms, units_of
from pitboss.odds.sharing import shared_prizes
from pitboss.odds.store import default_store
from pitboss.rules import Wager, pay_array
from pitboss.simulate.folding import Fold, Occasion, fold_meter
from pitboss.simulate.forecast_plan import Plan, Request
from pitboss.simulate.forecast_rounds import Gathered
from pitboss.simulate.forecast_values import Cover, Fan, GridRow, JackpotForecast, Spread, quantile, spread_of
from pitboss.simulate.playing import make_ready
from pitboss.simulate.setup import Setup

__all__ = ["RunFolds", "fold_runs", "jackpot_forecast"]

_FAN = (5, 25, 50, 75, 95)
_GRID_SEEDS = (Fraction(1, 2), Fraction(1), Fraction(2))
_GRID_RATES = (Fraction(1, 2), Fraction(1), Fraction(3, 2))


@dataclass(frozen=True, slots=True)
class RunFolds:
    """A jackpot's meter in every run, each opened anew as the table opens."""

    name: str
    wagers_a_round: int
    folds: tuple[Fold, ...]


def fold_runs(request: Request, gathered: Gathered, name: str) -> RunFolds:
    """Fold a jackpot's meter over every run, looking at it after every day."""
    plan, setup = request.plan, request.setup
    occasions = gathered.occasions[name]
    starts = [occasion.round for occasion in occasions]
    days = [plan.day_rounds * day for day in range(plan.days + 1)]
    wagers = _wagers_a_round(setup, name)
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


def jackpot_forecast(request: Request, gathered: Gathered, runs: RunFolds, *, grid: bool) -> JackpotForecast:
    """Tell how a jackpot's meter behaves."""
    name, plan, setup = runs.name, request.plan, request.setup
    wager = find_game(setup.game).by_name[name]
    meter, occasions = request.meters[name], gathered.occasions[name]
    rounds = gathered.runs * plan.run_rounds
    fold = _fold_all(setup, name, meter, occasions, rounds)
    tops = [occasion.round for occasion in occasions if occasion.top]
    chance = _top_chance(setup, wager)
    reserved = None
    if chance and meter.is_progressive:
        reserved = Fraction(meter.reseed_cents, meter.wager_cents * runs.wagers_a_round) * chance
    return JackpotForecast(
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
        rounds_between=spread_of(later - sooner for sooner, later in zip([-1, *tops], tops, strict=False)),
        top_prize=_top_prize(fold),
        lacked=_lacked(fold),
        lacked_in_runs=_lacked(*runs.folds),
        lent_units=_lent(fold),
        sufficient_reserve_rate=reserved,
        cover=_cover(fold),
        fan=_fan(runs),
        grid=_grid(request, name, occasions, rounds) if grid and meter.is_progressive else (),
    )


def _wagers_a_round(setup: Setup, name: str) -> int:
    return sum(1 for cents in setup.staked_on(name) if cents)


def _fold_all(setup: Setup, name: str, meter: MeterTerms, occasions: Sequence[Occasion], rounds: int) -> Fold:
    wagers = _wagers_a_round(setup, name)
    return fold_meter(setup.terms, name, meter, occasions, wagers_a_round=wagers, rounds=rounds)


def _growth(plan: Plan, meter: MeterTerms, wagers: int) -> int:
    return plan.day_rounds * wagers * meter.display_units


def _top_events(setup: Setup, wager: Wager) -> tuple[str, ...]:
    """Name the rows that pay the whole meter."""
    outcomes = pay_array(wager, setup.terms).outcomes
    names = (each.event for each in outcomes if each.meter_share is not None and each.meter_share.share == 1)
    return tuple(dict.fromkeys(name for name in names if name is not None))


def _top_chance(setup: Setup, wager: Wager) -> Fraction | None:
    """Give the exact chance of a round that some seat wins the whole meter, where `odds` can count it."""
    seats = _wagers_a_round(setup, wager.name)
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
        told = default_store().cached(f"top award of {wager.name} under {setup.terms.content_hash}", count)
    except ValueError:
        # Too many hands make it to be counted together.
        return None
    return Fraction(told["seats"][seats - 1]["any_of"])


def _top_prize(fold: Fold) -> Spread | None:
    return spread_of(units_of(hit.displayed_cents) for hit in fold.hits if hit.occasion.top)


def _lacked(*folds: Fold) -> Spread | None:
    """Tell how much reserve and overflow lacked of a seed whenever the meter was won whole."""
    return spread_of(hit.lacked_units for fold in folds for hit in fold.hits if hit.occasion.top)


def _lent(fold: Fold) -> int:
    return sum(hit.lacked_units for hit in fold.hits)


def _cover(fold: Fold) -> Cover:
    house = [hit.payment.from_house_cents for hit in fold.hits if hit.payment.from_house_cents]
    return Cover(len(fold.hits), len(house), sum(house))


def _fan(runs: RunFolds) -> Fan:
    by_day = zip(*(fold.shown_cents for fold in runs.folds), strict=True)
    bands = tuple(tuple(quantile(sorted(shown), percent) for percent in _FAN) for shown in by_day)
    return Fan(_FAN, len(runs.folds), bands)


def _grid(request: Request, name: str, occasions: Sequence[Occasion], rounds: int) -> tuple[GridRow, ...]:
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
                GridRow(
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
