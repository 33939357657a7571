"""What a forecast says: simulated amounts with their spread, beside what is exact. Amounts are in units of a meter."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from pitboss.meters import MeterTerms
from pitboss.simulate.forecast_plan import Plan

__all__ = ["PERCENTS", "Cover", "Fan", "Forecast", "GridRow", "JackpotForecast", "PeriodWin", "Spread", "spread_of"]

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
    """Tell how numbers are spread; nothing where there are none."""
    ordered = sorted(numbers)
    count = len(ordered)
    if not count:
        return None
    mean = Fraction(sum(ordered), count)
    squares = Fraction(sum(number * number for number in ordered)) - count * mean * mean
    variance = squares / (count - 1) if count > 1 else Fraction(0)
    return Spread(count, mean, variance, tuple(quantile(ordered, percent) for percent in PERCENTS))


def quantile(ordered: list[int], percent: int) -> int:
    """Give the least of rising numbers which at least that part of them does not exceed."""
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
class Forecast:
    """A table's forecast, and what it was computed from."""

    game: str
    title: str
    seats: int
    stakes: Mapping[str, int]
    strategy: str
    plan: Plan
    runs: int
    interrupted: bool
    key: str
    terms_hash: str
    code_version: str
    periods: tuple[PeriodWin, ...]
    run_wins: tuple[int, ...]
    jackpots: tuple[JackpotForecast, ...]

    @property
    def rounds(self) -> int:
        """The rounds simulated that count."""
        return self.runs * self.plan.run_rounds

    def as_json(self) -> dict[str, Any]:
        """Give the forecast as `pitboss forecast --json` prints it."""
        from pitboss.simulate.forecast_json import as_json  # noqa: PLC0415 - it reads these values

        return as_json(self)
