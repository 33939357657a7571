"""Pictures of a simulation: how the house's result is spread, and how far each wager is from its exact value."""

from __future__ import annotations

import io
from collections.abc import Sequence
from math import sqrt
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pitboss.paper.charts import GAIN, INK, LOSS, MARK, PALE, picture
from pitboss.simulate.report import Report
from pitboss.simulate.running import Tally

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["check_ending", "draw_simulation"]

_BARS = 60


def check_ending(file: Path) -> None:
    """Refuse a file whose ending names no kind of picture we draw."""
    if file.suffix not in (".svg", ".png", ".pdf"):
        raise ValueError(f"{file}: the ending must be .svg, .png or .pdf")


def draw_simulation(report: Report, tally: Tally, file: Path) -> None:
    """Draw the results to a file; its ending says whether it is SVG, PNG or PDF."""
    check_ending(file)
    out = io.BytesIO()
    with picture(760, 330 + 16 * len(report.wagers)) as figure:
        upper, lower = figure.subplots(2, 1, height_ratios=(3, 0.5 + 0.25 * len(report.wagers)))
        seats = f"{report.seats} seat{'s' if report.seats > 1 else ''}"
        figure.suptitle(f"{tally.setup.game}: {report.rounds:,} rounds, {seats}", fontsize=12, fontweight="bold")
        _draw_wins(upper, tally)
        _draw_means(lower, report)
        figure.tight_layout()
        figure.savefig(out, format=file.suffix[1:], dpi=160, metadata=_metadata(file.suffix))
    file.write_bytes(out.getvalue())


def _metadata(suffix: str) -> dict[str, Any]:
    if suffix == ".pdf":
        return {"CreationDate": None, "Creator": None, "Producer": None}
    return {"Date": None, "Creator": None} if suffix == ".svg" else {"Software": None}


def _draw_wins(axes: Axes, tally: Tally) -> None:
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


def _draw_means(axes: Axes, report: Report) -> None:
    """Draw every mean as standard errors from its exact value, with the band that 95 in 100 fall in."""
    names: Sequence[str] = [each.wager for each in report.wagers]
    axes.axvspan(-1.96, 1.96, color=PALE, alpha=0.5, linewidth=0)
    axes.axvline(0, color=INK, linewidth=0.8)
    scores = [each.z or 0.0 for each in report.wagers]
    axes.plot(scores, range(len(names)), "o", color=MARK, markersize=7, markeredgecolor=INK, markeredgewidth=0.6)
    axes.set_yticks(range(len(names)), names)
    axes.set_ylim(len(names) - 0.4, -0.6)
    reach = max(4.0, *(abs(score) + 0.5 for score in scores)) if scores else sqrt(16)
    axes.set_xlim(-reach, reach)
    axes.set_xlabel("mean of each wager, in standard errors from its exact value; 95 in 100 fall in the band")
