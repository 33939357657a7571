"""Pictures of simulated rounds: how the house's result is spread, how far wagers are from exact, and forecasts."""

from __future__ import annotations

import io
from collections.abc import Sequence
from itertools import pairwise
from math import sqrt
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pitboss.meters import UNITS_PER_CENT
from pitboss.paper.charts import GAIN, INK, LOSS, MARK, PALE, picture, style
from pitboss.simulate.forecasts.values import PERCENTS, JackpotForecast, TableForecast
from pitboss.simulate.report import SimulationReport
from pitboss.simulate.running import RoundTally

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_BARS = 60
FORMATS = ("svg", "pdf", "png")
_DOLLAR = 100 * UNITS_PER_CENT
_WIDTH, _ROW, _FOOT = 9.6, 3.7, 0.3
_BINS_LEAST, _BINS_MOST = 8, 36
_MUTED = "#66717c"
_OUTER, _INNER = 0.18, 0.36
# Letters as curves look alike wherever the picture is opened; a dollar sign is no formula.
_STYLE: dict[str, Any] = {
    "svg.fonttype": "path",
    "text.parse_math": False,
    "font.size": 9.5,
    "xtick.labelsize": 8.5,
    "ytick.labelsize": 8.5,
}
# Nothing that changes from one drawing to the next is written into the file.
_METADATA: dict[str, dict[str, Any]] = {
    "svg": {"Date": None, "Creator": None},
    "pdf": {"CreationDate": None, "Creator": None, "Producer": None},
    "png": {"Software": None},
}


def check_ending(file: Path) -> None:
    """Refuse a file whose ending names no kind of picture we draw."""
    if file.suffix.removeprefix(".") not in FORMATS:
        raise ValueError(f"{file}: the ending must be .svg, .png or .pdf")


def draw_simulation(report: SimulationReport, tally: RoundTally, file: Path) -> None:
    """Draw the results to a file; its ending says whether it is SVG, PNG or PDF."""
    check_ending(file)
    out = io.BytesIO()
    with picture(760, 330 + 16 * len(report.wagers)) as figure:
        upper, lower = figure.subplots(2, 1, height_ratios=(3, 0.5 + 0.25 * len(report.wagers)))
        seats = f"{report.seats} seat{'s' if report.seats > 1 else ''}"
        figure.suptitle(f"{tally.setup.game}: {report.rounds:,} rounds, {seats}", fontsize=12, fontweight="bold")
        _draw_house(upper, tally)
        _draw_means(lower, report)
        figure.tight_layout()
        figure.savefig(out, format=file.suffix[1:], dpi=160, metadata=_METADATA[file.suffix[1:]])
    file.write_bytes(out.getvalue())


def _draw_house(axes: Axes, tally: RoundTally) -> None:
    """Draw how often the house won how much in so many rounds."""
    wins = [cents / 100 for cents in tally.wins.tolist()]
    heights, edges, bars = axes.hist(wins, bins=min(_BARS, max(5, len(wins) // 4)), linewidth=0.3, edgecolor="white")
    del heights
    for bar, left, right in zip(bars, edges[:-1], edges[1:], strict=True):  # type: ignore[arg-type]
        bar.set_facecolor(GAIN if left + right > 0 else LOSS)
    mean = sum(wins) / len(wins)
    axes.axvline(mean, color=INK, linewidth=1.2, dashes=(4, 2))
    axes.set_xlabel(f"dollars the house wins in {tally.span:,} rounds, percentage prizes not counted; mean {mean:,.2f}")
    axes.set_ylabel("how often")


def _draw_means(axes: Axes, report: SimulationReport) -> None:
    """Draw every mean as standard errors from its exact value, with the band that 95 in 100 fall in."""
    names: Sequence[str] = [wager.wager for wager in report.wagers]
    axes.axvspan(-1.96, 1.96, color=PALE, alpha=0.5, linewidth=0)
    axes.axvline(0, color=INK, linewidth=0.8)
    scores = [wager.z or 0.0 for wager in report.wagers]
    axes.plot(scores, range(len(names)), "o", color=MARK, markersize=7, markeredgecolor=INK, markeredgewidth=0.6)
    axes.set_yticks(range(len(names)), names)
    axes.set_ylim(len(names) - 0.4, -0.6)
    reach = max(4.0, *(abs(score) + 0.5 for score in scores)) if scores else sqrt(16)
    axes.set_xlim(-reach, reach)
    axes.set_xlabel("mean of each wager, in standard errors from its exact value; 95 in 100 fall in the band")


def forecast_picture(forecast: TableForecast, form: str) -> bytes:
    """Draw a forecast as SVG, PDF or PNG, the same bytes for the same forecast."""
    climbing = [jackpot for jackpot in forecast.jackpots if jackpot.meter.is_progressive]
    columns = 2 if climbing else 1
    rows = -(-(1 + len(climbing)) // columns)
    with style(_STYLE):
        from matplotlib.figure import Figure  # noqa: PLC0415

        height = rows * _ROW + _FOOT
        figure = Figure(figsize=(_WIDTH if columns > 1 else _WIDTH * 0.6, height), layout="constrained")
        figure.get_layout_engine().set(rect=(0.004, _FOOT / height, 0.992, 1 - _FOOT / height), wspace=0.05)  # type: ignore[union-attr,call-arg]
        grid = figure.add_gridspec(rows, columns)
        # An even number of meters leaves the first row to the win.
        wide = columns if len(climbing) % 2 == 0 else 1
        _draw_wins(figure.add_subplot(grid[0, :wide]), forecast)
        for place, jackpot in enumerate(climbing, start=wide):
            _draw_fan(figure.add_subplot(grid[place // columns, place % columns]), jackpot, forecast)
        figure.text(0.012, 0.1 / height, _foot(forecast), fontsize=7, color=_MUTED)
        out = io.BytesIO()
        figure.savefig(out, format=form, dpi=160, facecolor="white", metadata=_METADATA[form])
    return out.getvalue()


def _foot(forecast: TableForecast) -> str:
    return (
        f"{forecast.title}, seats: {forecast.seats}; {forecast.rounds:,} rounds simulated, runs: {forecast.runs:,}, "
        f"days a run: {forecast.plan.days}; key {forecast.key[:8]}\N{HORIZONTAL ELLIPSIS}, "
        f"terms {forecast.terms_hash[:12]}"
    )


def _title(axes: Axes, words: str, more: str) -> None:
    axes.set_title(words, loc="left", fontsize=12, pad=20, color=INK)
    axes.text(0, 1.028, more, transform=axes.transAxes, fontsize=8.5, color=_MUTED)


def _dollars(value: float, _place: int = 0) -> str:
    sign = "\N{MINUS SIGN}" if value < 0 else ""
    return f"{sign}${abs(value):,.0f}"


def _draw_wins(axes: Axes, forecast: TableForecast) -> None:
    """Draw how the win of a run is spread: losing runs in one colour, winning ones in another."""
    period = forecast.periods[-1]
    wins = [units / _DOLLAR for units in forecast.run_wins]
    edges = _edges(wins)
    counts = [sum(left <= win < right for win in wins) for left, right in pairwise(edges)]
    colours = [GAIN if left >= 0 else LOSS for left in edges[:-1]]
    axes.bar(
        edges[:-1], counts, width=edges[1] - edges[0], align="edge", color=colours, linewidth=0.4, edgecolor="white"
    )
    low, high = (period.win.quantiles[PERCENTS.index(percent)] / _DOLLAR for percent in (5, 95))
    mean = float(period.win.mean) / _DOLLAR
    top = max(counts)
    axes.axvspan(low, high, color=PALE, alpha=0.45, linewidth=0, zorder=0)
    axes.axvline(mean, color="white", linewidth=2.4)
    axes.axvline(mean, color=INK, linewidth=1.1, dashes=(4, 2))
    axes.annotate(f"mean {_dollars(mean)}", (mean, top * 1.09), xytext=(4, 0), textcoords="offset points", fontsize=8.5)
    if low < 0:
        axes.axvline(0, color=INK, linewidth=0.6)
    axes.set_ylim(0, top * 1.2)
    spread = f"90% of {forecast.runs:,} runs from {_dollars(low)} to {_dollars(high)} (shaded)"
    _title(axes, f"Win of the house in a {period.name}", f"{spread}; losing {period.losing:,}")
    axes.set_xlabel("win of a run")
    axes.set_ylabel("runs")
    _ticks(axes.xaxis, axes.yaxis)


def _edges(wins: Sequence[float]) -> list[float]:
    """Cut the range into bins of a round width, one of whose edges is zero."""
    bins = min(_BINS_MOST, max(_BINS_LEAST, round(2 * len(wins) ** 0.5)))
    rough = (max(wins) - min(wins)) / bins or 1.0
    scale = 10.0 ** (len(str(int(rough))) - 1)
    width = next(step * scale for step in (1, 2, 2.5, 5, 10) if step * scale >= rough * 0.999)
    first, last = int(min(wins) // width), int(max(wins) // width) + 1
    return [place * width for place in range(first, last + 1)]


def _draw_fan(axes: Axes, jackpot: JackpotForecast, forecast: TableForecast) -> None:
    """Draw the quantile bands of what a meter shows after every day, and its growth were it never won."""
    fan = jackpot.fan
    days = list(range(len(fan.bands)))
    lines = {percent: [band[place] / 100 for band in fan.bands] for place, percent in enumerate(fan.percents)}
    axes.fill_between(days, lines[5], lines[95], color=GAIN, alpha=_OUTER, linewidth=0, label="90% of runs")
    axes.fill_between(days, lines[25], lines[75], color=GAIN, alpha=_INNER, linewidth=0, label="half of the runs")
    axes.plot(days, lines[50], color=INK, linewidth=1.6, label="median")
    opens, growth = jackpot.meter.seed_cents / 100, jackpot.growth_units / _DOLLAR
    cap = float("inf") if jackpot.meter.cap_cents is None else jackpot.meter.cap_cents / 100
    never = [min(cap, opens + growth * day) for day in days]
    axes.plot(days, never, color=MARK, linewidth=1, dashes=(1.5, 1.5), label="if nothing is won (exact)")
    axes.set_xlim(0, days[-1])
    axes.set_ylim(0, max(*lines[95], opens + growth) * 1.25)
    more = f"{fan.runs:,} runs, each opening at {_dollars(opens)}; grows {_dollars(growth)} a day"
    _title(axes, f"{jackpot.title}: what the meter shows", more)
    axes.set_xlabel(f"days of {forecast.plan.day_rounds:,} rounds")
    axes.legend(loc="lower left" if min(lines[5]) > max(lines[95]) / 3 else "best", frameon=False, fontsize=8.5)
    _ticks(axes.yaxis, axes.xaxis)


def _ticks(of_money: Any, of_numbers: Any) -> None:
    from matplotlib.ticker import FuncFormatter, MaxNLocator  # noqa: PLC0415

    of_money.set_major_locator(MaxNLocator(6))
    of_money.set_major_formatter(FuncFormatter(_dollars))
    of_numbers.set_major_locator(MaxNLocator(6, integer=True))
