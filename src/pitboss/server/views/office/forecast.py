"""A forecast of a jackpot as its page shows it: a fan of what the meter may show, and figures beside the exact."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from pitboss.meters import units_of
from pitboss.paper.words import decimal
from pitboss.rules import dollars, parse_dollars
from pitboss.server.views.charts import HEIGHT, WIDTH, Tick, money_ticks
from pitboss.server.views.office.audit import Field

_LEFT, _RIGHT, _TOP, _BOTTOM = 84, 12, 12, 26
_UNITS_PER_CENT = units_of(1)
_DAYS_SHOWN = 10


class FanView(NamedTuple):
    """Everything that is drawn, in the units of the drawing, and what it says in words."""

    width: int
    height: int
    left: int
    right: int
    bottom: int
    bands: tuple[str, ...]
    line: str
    rows: tuple[Tick, ...]
    columns: tuple[Tick, ...]
    words: str


class DayLine(NamedTuple):
    """A day of the forecast, and what the meter shows after it in so many of a hundred runs."""

    day: int
    amounts: tuple[str, ...]


class ForecastView(NamedTuple):
    """The forecast of one jackpot."""

    fan: FanView
    percents: tuple[str, ...]
    days: tuple[DayLine, ...]
    exact: tuple[Field, ...]
    simulated: tuple[Field, ...]
    source: tuple[Field, ...]


def fan_view(bands: Sequence[Sequence[int]], percents: Sequence[int]) -> FanView:
    """Draw bands of cents by day, the first of which is now: the outermost pair first, the middle as a line."""
    low, high = min(map(min, bands)), max(map(max, bands))
    ticks = money_ticks(units_of(low), units_of(high))
    first, last = ticks[0] // _UNITS_PER_CENT, ticks[-1] // _UNITS_PER_CENT
    wide, tall = WIDTH - _LEFT - _RIGHT, HEIGHT - _TOP - _BOTTOM
    count = max(1, len(bands) - 1)

    def x(day: int) -> int:
        return _LEFT + day * wide // count

    def y(cents: int) -> int:
        return _TOP + tall - (cents - first) * tall // (last - first)

    def points(place: int) -> list[str]:
        return [f"{x(day)} {y(band[place])}" for day, band in enumerate(bands)]

    middle = len(percents) // 2
    pairs = [(place, len(percents) - 1 - place) for place in range(middle)]
    every = -(-len(bands) // _DAYS_SHOWN)
    ends = bands[-1]
    return FanView(
        width=WIDTH,
        height=HEIGHT,
        left=_LEFT,
        right=WIDTH - _RIGHT,
        bottom=HEIGHT - _BOTTOM,
        bands=tuple(f"M{'L'.join([*points(under), *reversed(points(over))])}Z" for under, over in pairs),
        line=f"M{'L'.join(points(middle))}",
        rows=tuple(Tick(y(tick // _UNITS_PER_CENT), dollars(tick // _UNITS_PER_CENT)) for tick in ticks),
        columns=tuple(Tick(x(day), f"day {day}" if day else "now") for day in range(0, len(bands), every)),
        words=f"After {len(bands) - 1} days the middle of all runs shows {dollars(ends[middle])}; "
        f"{percents[-1] - percents[0]} of a hundred end between {dollars(ends[0])} and {dollars(ends[-1])}.",
    )


def _ratio(text: str | None, places: int, unit: str) -> str:
    return "cannot be counted" if text is None else f"{decimal(Fraction(text), places)}{unit}"


def _money(text: str) -> str:
    return dollars(parse_dollars(text))


def _mean(spread: Mapping[str, Any] | None) -> str:
    if spread is None:
        return "never in these runs"
    return f"{_money(spread['mean'])}, ± {_money(spread['standard_error'])}"


def forecast_view(found: Mapping[str, Any], wager: str) -> ForecastView | None:
    """Lay out the forecast of a jackpot wager; nothing where the forecast has none."""
    jackpot = next((each for each in found["jackpots"] if each["name"] == wager), None)
    if jackpot is None:
        return None
    percents = jackpot["fan"]["percents"]
    bands = [[parse_dollars(each) for each in band] for band in jackpot["fan"]["dollars_by_day"]]
    exact, simulated, source = jackpot["exact"], jackpot["simulated"], found["simulated"]
    reserve = exact["sufficient_reserve_rate"]
    every = -(-len(bands) // _DAYS_SHOWN)
    shown = sorted({*range(every, len(bands), every), len(bands) - 1})
    return ForecastView(
        fan=fan_view(bands, percents),
        percents=tuple(f"{each} %" for each in percents),
        days=tuple(DayLine(day, tuple(map(dollars, bands[day]))) for day in shown),
        exact=(
            Field("Grows a day, before prizes", _money(exact["growth_a_day"])),
            Field("Won whole by", " or ".join(exact["top_events"]) or "no row"),
            Field("Once in so many rounds", _ratio(exact["rounds_between"], 0, "")),
            Field("Once in so many days", _ratio(exact["days_between"], 1, "")),
            Field(
                "Reserve that gathers the seed", "" if reserve is None else f"{decimal(Fraction(reserve) * 100, 2)} %"
            ),
        ),
        simulated=(
            Field("Whole meters won", f"{simulated['top_hits']:,} in {simulated['rounds']:,} rounds"),
            Field("Prize of the whole meter", _mean(simulated["top_prize"])),
            Field("Lacking for the next seed", _mean(simulated["seed_lacked"])),
            Field("Prizes that the house had to cover", f"{simulated['cover']['covered']:,}"),
        ),
        source=(
            Field("Rounds", f"{source['rounds']:,} in {source['runs']:,} runs of {found['days']} days"),
            Field("Rounds a day", f"{found['rounds_per_hour'] * found['hours_per_day']:,}"),
            Field("Each of so many seats stakes", f"{found['seats']}: {_stakes(found['stakes'])}"),
            Field("Play", found["strategy"]),
            Field("Key, by which it is the same again", source["key"]),
        ),
    )


def _stakes(stakes: Mapping[str, str]) -> str:
    return ", ".join(f"{name} {_money(text)}" for name, text in stakes.items())
