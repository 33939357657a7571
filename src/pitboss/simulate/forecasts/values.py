"""What a forecast says: simulated amounts with their spread, beside what is exact; and the same as JSON.

Amounts are in units of a meter; JSON has them in dollars to the cent, exact numbers also as "numerator/denominator".
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from pitboss.meters import UNITS_PER_CENT, MeterTerms
from pitboss.odds.decimals import decimal_text, root_text
from pitboss.simulate.forecasts.plan import ForecastPlan
from pitboss.table.configuration import dollar_text

PERCENTS = (1, 5, 25, 50, 75, 95, 99)


@dataclass(frozen=True, slots=True)
class Spread:
    """How simulated whole numbers are spread; `quantiles` belong to `PERCENTS`.

    A quantile is the least of the numbers which at least that part of them does not exceed.
    """

    count: int
    mean: Fraction
    variance: Fraction
    quantiles: tuple[int, ...]

    @property
    def error_squared(self) -> Fraction:
        """The square of the standard error of the mean."""
        return self.variance / self.count


def spread_of(numbers: Iterable[int]) -> Spread | None:
    """Return how numbers are spread; nothing where there are none."""
    ordered = sorted(numbers)
    count = len(ordered)
    if not count:
        return None
    mean = Fraction(sum(ordered), count)
    squares = Fraction(sum(number * number for number in ordered)) - count * mean * mean
    variance = squares / (count - 1) if count > 1 else Fraction(0)
    return Spread(count, mean, variance, tuple(quantile(ordered, percent) for percent in PERCENTS))


def quantile(ordered: list[int], percent: int) -> int:
    """Return the least of rising numbers which at least that part of them does not exceed."""
    return ordered[-(-percent * len(ordered) // 100) - 1]


@dataclass(frozen=True, slots=True, kw_only=True)
class PeriodWin:
    """What the house wins in periods of one length.

    `before` is without percentage prizes and seed, for which `exact` is the expectation; `win` has the house's part of
    percentage prizes and the seed it lends in it. All of them are less the contributions to meters (J-03).
    """

    name: str
    rounds: int
    exact: Fraction
    before: Spread
    win: Spread
    losing: int

    @property
    def losing_share(self) -> Fraction:
        """The part of the simulated periods in which the house lost."""
        return Fraction(self.losing, self.win.count)

    @property
    def losing_error_squared(self) -> Fraction:
        """The square of the standard error of that part."""
        return self.losing_share * (1 - self.losing_share) / self.win.count


@dataclass(frozen=True, slots=True)
class Fan:
    """What a meter shows after each day of many runs: `bands` holds by day the quantiles of `percents`, in cents."""

    percents: tuple[int, ...]
    runs: int
    bands: tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class Cover:
    """How often the house paid a part of a meter's prizes, and how much in all (G-4)."""

    hits: int
    covered: int
    cents: int


@dataclass(frozen=True, slots=True, kw_only=True)
class GridRow:
    """The same hits under another seed and contribution rate."""

    seed_cents: int
    rate: Fraction
    growth_units: int
    top_prize: Spread | None
    lacked: Spread | None
    lent_units: int
    cover: Cover


@dataclass(frozen=True, slots=True, kw_only=True)
class JackpotForecast:
    """How a meter behaves: folded once over all rounds, which is the long run, and once for each run.

    `rounds_between`, `top_prize`, `cover` and `lacked`, what reserve and overflow lacked of a seed when the meter was
    won whole, are of the long run; `lacked_in_runs` and `fan` are of runs that open with an empty reserve.

    `top_chance` is the exact chance of a round that some seat wins the whole meter, where it can be counted;
    `sufficient_reserve_rate` is that at which the reserve gathers a seed from one such win to the next on average.
    """

    name: str
    title: str
    meter: MeterTerms
    assumed: tuple[str, ...]
    rounds: int
    wagers_a_round: int
    growth_units: int
    top_events: tuple[str, ...]
    top_chance: Fraction | None
    top_hits: int
    rounds_between: Spread | None
    top_prize: Spread | None
    lacked: Spread | None
    lacked_in_runs: Spread | None
    lent_units: int
    sufficient_reserve_rate: Fraction | None
    cover: Cover
    fan: Fan
    grid: tuple[GridRow, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class TableForecast:
    """A table's forecast, and what it was computed from."""

    game: str
    title: str
    seats: int
    stakes: Mapping[str, int]
    strategy: str
    plan: ForecastPlan
    runs: int
    interrupted: bool
    key: str
    terms_hash: str
    code_version: str
    periods: tuple[PeriodWin, ...]
    run_wins: tuple[int, ...]
    jackpots: tuple[JackpotForecast, ...]
    exact_leaves_out: tuple[str, ...] = ()
    """What the simulated rounds follow and the exact figures do not: a cut card (STC-8), payout limits (G-65)."""

    @property
    def rounds(self) -> int:
        """The rounds simulated that count."""
        return self.runs * self.plan.run_rounds

    def as_json(self) -> dict[str, Any]:
        """Return the forecast as `pitboss forecast --json` prints it."""
        from pitboss.simulate.forecasts.values import as_json  # noqa: PLC0415 - it reads these values

        return as_json(self)


_UNITS = 100 * UNITS_PER_CENT


def as_json(forecast: TableForecast) -> dict[str, Any]:
    """Return a forecast as `pitboss forecast --json` prints it."""
    plan = forecast.plan
    return {
        "game": forecast.game,
        "seats": forecast.seats,
        "stakes": {name: dollar_text(cents) for name, cents in forecast.stakes.items()},
        "strategy": forecast.strategy,
        "rounds_per_hour": plan.rounds_per_hour,
        "hours_per_day": plan.hours_per_day,
        "shift_hours": plan.shift_hours,
        "days": plan.days,
        **({"exact_leaves_out": list(forecast.exact_leaves_out)} if forecast.exact_leaves_out else {}),
        "simulated": {
            "rounds": forecast.rounds,
            "runs": forecast.runs,
            "interrupted": forecast.interrupted,
            "key": forecast.key,
            "terms_hash": forecast.terms_hash,
            "code_version": forecast.code_version,
        },
        "win": [_period(period) for period in forecast.periods],
        "jackpots": [_jackpot(jackpot, plan.day_rounds) for jackpot in forecast.jackpots],
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
