"""Charts as SVG text, the same bytes for the same values; matplotlib is loaded when the first one is drawn."""

from __future__ import annotations

import io
import logging
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pitboss.odds.compiled import cache_folder
from pitboss.paper.typesetting import FACE, face_folder

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

INK, PALE, GAIN, LOSS, MARK = "#2b3440", "#c9d0d6", "#2f6f5e", "#a8443f", "#b7862b"
_POINTS = 72
_STYLE: Any = {
    "svg.fonttype": "none",
    "svg.hashsalt": "pitboss",
    "font.family": FACE,
    "font.size": 8,
    "axes.edgecolor": INK,
    "axes.labelcolor": INK,
    "axes.linewidth": 0.5,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.unicode_minus": True,
    "text.color": INK,
    "xtick.color": INK,
    "ytick.color": INK,
    "xtick.major.width": 0.5,
    "ytick.major.width": 0.5,
    "xtick.major.size": 2.5,
    "ytick.major.size": 2.5,
    "xtick.labelsize": 7.5,
    "ytick.labelsize": 7.5,
}


@dataclass(frozen=True, slots=True)
class Bar:
    """One bar: its name, how far it reaches, and what is written at its end."""

    name: str
    length: float
    words: str


@dataclass(frozen=True, slots=True)
class HistogramBar:
    """One bar of a histogram: where it begins and ends, and how high it is."""

    left: float
    right: float
    height: float


@contextmanager
def style(differs: Any = None) -> Iterator[None]:
    """Draw in the style of our papers, or in what differs from it; matplotlib is loaded here."""
    # Its list of fonts is kept with our caches, and no file of the user's changes how a sheet looks.
    os.environ.setdefault("MPLCONFIGDIR", str(cache_folder() / "matplotlib"))
    logging.getLogger("matplotlib.font_manager").setLevel(logging.ERROR)
    import matplotlib as mpl  # noqa: PLC0415
    from matplotlib import font_manager  # noqa: PLC0415

    # Measured in the face that typst then draws with.
    if FACE not in font_manager.fontManager.get_font_names():
        for file in sorted(face_folder().glob("*.ttf")):
            font_manager.fontManager.addfont(file)
    with mpl.rc_context():
        mpl.rcdefaults()
        mpl.rcParams.update(_STYLE | (differs or {}))
        yield


@contextmanager
def picture(width: float, height: float) -> Iterator[Figure]:
    """Open a canvas of so many points in the style of all our charts."""
    with style():
        from matplotlib.figure import Figure  # noqa: PLC0415

        yield Figure(figsize=(width / _POINTS, height / _POINTS))


@contextmanager
def _drawing(width: float, height: float, edges: tuple[float, float, float, float]) -> Iterator[tuple[Axes, list[str]]]:
    """Open axes on a canvas of so many points, with margins left, right, bottom and top; the SVG is put in the list."""
    left, right, bottom, top = edges
    drawn: list[str] = []
    with picture(width, height) as figure:
        box = (left / width, bottom / height, (width - left - right) / width, (height - bottom - top) / height)
        yield figure.add_axes(box), drawn
        out = io.StringIO()
        figure.savefig(out, format="svg", transparent=True, metadata={"Date": None, "Creator": None})
    drawn.append(out.getvalue())


def bar_chart(bars: Sequence[Bar], *, width: float, names_width: float) -> str:
    """Draw bars from zero to both sides, one under the other, each with its name and its figure."""
    height = 13 * len(bars) + 10
    with _drawing(width, height, (names_width, 4, 4, 4)) as (axes, drawn):
        lengths = [bar.length for bar in bars]
        reach = max(map(abs, lengths), default=0) or 1
        places = range(len(bars))
        axes.barh(
            places, lengths, height=0.62, color=[GAIN if length >= 0 else LOSS for length in lengths], linewidth=0
        )
        for place, bar in zip(places, bars, strict=True):
            side = 1 if bar.length >= 0 else -1
            axes.annotate(
                bar.words,
                (bar.length, place),
                xytext=(3 * side, 0),
                textcoords="offset points",
                ha="left" if side > 0 else "right",
                va="center_baseline",
                fontsize=7.5,
            )
        room = 0.34 * reach
        low = min(*lengths, 0) - (room if min(lengths) < 0 else 0)
        axes.set_xlim(low, max(*lengths, 0) + (room if max(lengths) > 0 else 0))
        axes.set_ylim(len(bars) - 0.4, -0.6)
        axes.set_yticks(list(places), [bar.name for bar in bars])
        axes.tick_params(axis="y", length=0, pad=4)
        axes.set_xticks([])
        for side_name in ("left", "bottom"):
            axes.spines[side_name].set_visible(False)
        axes.axvline(0, color=INK, linewidth=0.6)
    return drawn[0]


def histogram(steps: Sequence[HistogramBar], *, mean: float, label: str, width: float, height: float) -> str:
    """Draw how a session's result is spread: behind in one colour, ahead in another, the mean dashed."""
    with _drawing(width, height, (34, 6, 30, 8)) as (axes, drawn):
        lefts = [step.left for step in steps]
        colours = [GAIN if step.left + step.right > 0 else LOSS for step in steps]
        widths = [step.right - step.left for step in steps]
        axes.bar(lefts, [step.height * 100 for step in steps], width=widths, align="edge", color=colours, linewidth=0.3)
        for patch in axes.patches:
            patch.set_edgecolor("white")
        axes.set_xlim(min(lefts), max(step.right for step in steps))
        axes.axvline(mean, color="white", linewidth=2)
        axes.axvline(mean, color=INK, linewidth=1, dashes=(3, 2))
        axes.set_xlabel(label, labelpad=3)
        axes.set_ylabel("sessions, %", labelpad=3)
        _few_ticks(axes)
    return drawn[0]


def line_chart(
    points: Sequence[tuple[float, float]],
    *,
    mark: float,
    marked: str,
    labels: tuple[str, str],
    width: float,
    height: float,
) -> str:
    """Draw a line through points with the zero line and one place on it marked."""
    with _drawing(width, height, (38, 16, 30, 8)) as (axes, drawn):
        across, up = [x for x, _ in points], [y for _, y in points]
        axes.axhline(0, color=INK, linewidth=0.6)
        axes.fill_between(
            across, up, 0, where=[y >= 0 for y in up], interpolate=True, color=GAIN, alpha=0.16, linewidth=0
        )
        axes.fill_between(
            across, up, 0, where=[y <= 0 for y in up], interpolate=True, color=LOSS, alpha=0.16, linewidth=0
        )
        axes.plot(across, up, color=INK, linewidth=1.1)
        axes.plot([mark], [0], marker="o", markersize=4, color=MARK, linestyle="none", zorder=3)
        axes.annotate(marked, (mark, 0), xytext=(4, 6), textcoords="offset points", fontsize=7.5)
        axes.set_xlim(min(across), max(across))
        axes.set_xlabel(labels[0], labelpad=3)
        axes.set_ylabel(labels[1], labelpad=3)
        _few_ticks(axes)
    return drawn[0]


def _few_ticks(axes: Any) -> None:
    from matplotlib.ticker import FuncFormatter, MaxNLocator  # noqa: PLC0415

    axes.xaxis.set_major_locator(MaxNLocator(6))
    axes.yaxis.set_major_locator(MaxNLocator(5))
    axes.xaxis.set_major_formatter(FuncFormatter(_tick))
    axes.yaxis.set_major_formatter(FuncFormatter(_tick))


def _tick(value: float, _place: int) -> str:
    return f"{value:,.10g}".replace("-", "\u2212")
