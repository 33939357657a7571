"""A forecast as JSON: amounts in dollars to the cent, exact numbers also as "numerator/denominator"."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from pitboss.meters import UNITS_PER_CENT
from pitboss.odds.decimals import decimal_text, root_text
from pitboss.simulate.forecast_values import PERCENTS, Cover, Forecast, GridRow, JackpotForecast, PeriodWin, Spread
from pitboss.table.configuration import dollar_text

__all__ = ["as_json"]

_UNITS = 100 * UNITS_PER_CENT


def as_json(found: Forecast) -> dict[str, Any]:
    """Give a forecast as `pitboss forecast --json` prints it."""
    plan = found.plan
    return {
        "game": found.game,
        "seats": found.seats,
        "stakes": {name: dollar_text(cents) for name, cents in found.stakes.items()},
        "strategy": found.strategy,
        "rounds_per_hour": plan.rounds_per_hour,
        "hours_per_day": plan.hours_per_day,
        "shift_hours": plan.shift_hours,
        "days": plan.days,
        "simulated": {
            "rounds": found.rounds,
            "runs": found.runs,
            "interrupted": found.interrupted,
            "key": found.key,
            "terms_hash": found.terms_hash,
            "code_version": found.code_version,
        },
        "win": [_period(period) for period in found.periods],
        "jackpots": [_jackpot(jackpot, plan.day_rounds) for jackpot in found.jackpots],
    }


def _dollars(units: Fraction | int) -> str:
    return decimal_text(Fraction(units) / _UNITS, 2)


def _ratio(value: Fraction) -> str:
    return f"{value.numerator}/{value.denominator}"


def _maybe(value: Fraction | None) -> str | None:
    return None if value is None else _ratio(value)


def _spread(spread: Spread | None) -> dict[str, Any] | None:
    if spread is None:
        return None
    return {
        "count": spread.count,
        "mean": _dollars(spread.mean),
        "standard_error": root_text(spread.error_squared / _UNITS**2, 2),
        "standard_deviation": root_text(spread.variance / _UNITS**2, 2),
        "quantiles": {str(percent): _dollars(value) for percent, value in zip(PERCENTS, spread.quantiles, strict=True)},
    }


def _plain_spread(spread: Spread | None) -> dict[str, Any] | None:
    if spread is None:
        return None
    return {
        "count": spread.count,
        "mean": decimal_text(spread.mean, 2),
        "standard_error": root_text(spread.error_squared, 2),
        "quantiles": dict(zip(map(str, PERCENTS), spread.quantiles, strict=True)),
    }


def _period(period: PeriodWin) -> dict[str, Any]:
    return {
        "period": period.name,
        "rounds": period.rounds,
        "before_prizes_and_seed": {
            "exact": _ratio(period.exact / _UNITS),
            "exact_dollars": _dollars(period.exact),
            "simulated": _spread(period.before),
        },
        "simulated": _spread(period.win),
        "losing": {
            "periods": period.losing,
            "of": period.win.count,
            "probability": decimal_text(period.losing_share, 6),
            "standard_error": root_text(period.losing_error_squared, 6),
        },
    }


def _cover(cover: Cover) -> dict[str, Any]:
    return {"hits": cover.hits, "covered": cover.covered, "dollars": dollar_text(cover.cents)}


def _jackpot(jackpot: JackpotForecast, day_rounds: int) -> dict[str, Any]:
    meter, chance = jackpot.meter, jackpot.top_chance
    return {
        "name": jackpot.name,
        "meter": {
            "type": meter.jackpot_type,
            "wager": dollar_text(meter.wager_cents),
            "opens_at": dollar_text(meter.seed_cents),
            "seed": dollar_text(meter.reseed_cents),
            "rate": _ratio(meter.display_rate),
            "reserve_rate": _ratio(meter.reserve_rate),
            "cap": None if meter.cap_cents is None else dollar_text(meter.cap_cents),
            "assumed": list(jackpot.assumed),
        },
        "wagers_a_round": jackpot.wagers_a_round,
        "exact": {
            "growth_a_day": _dollars(jackpot.growth_units),
            "top_events": list(jackpot.top_events),
            "top_chance_a_round": _maybe(chance),
            "rounds_between": _maybe(1 / chance if chance else None),
            "days_between": _maybe(1 / (chance * day_rounds) if chance else None),
            "sufficient_reserve_rate": _maybe(jackpot.sufficient_reserve_rate),
        },
        "simulated": {
            "rounds": jackpot.rounds,
            "top_hits": jackpot.top_hits,
            "rounds_between": _plain_spread(jackpot.rounds_between),
            "top_prize": _spread(jackpot.top_prize),
            "seed_lacked": _spread(jackpot.lacked),
            "seed_lacked_in_runs": _spread(jackpot.lacked_in_runs),
            "seed_lent": _dollars(jackpot.lent_units),
            "cover": _cover(jackpot.cover),
        },
        "fan": {
            "runs": jackpot.fan.runs,
            "percents": list(jackpot.fan.percents),
            "dollars_by_day": [[dollar_text(cents) for cents in band] for band in jackpot.fan.bands],
        },
        "grid": [_grid_row(row) for row in jackpot.grid],
    }


def _grid_row(row: GridRow) -> dict[str, Any]:
    return {
        "seed": dollar_text(row.seed_cents),
        "rate": _ratio(row.rate),
        "growth_a_day": _dollars(row.growth_units),
        "top_prize": _spread(row.top_prize),
        "seed_lacked": _spread(row.lacked),
        "seed_lent": _dollars(row.lent_units),
        "cover": _cover(row.cover),
    }
