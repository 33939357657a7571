"""Charts are the same bytes for the same values, name no day, and draw what they are given."""

from __future__ import annotations

import re
from collections.abc import Callable
from xml.etree import ElementTree

import pytest

from pitboss.paper.charts import GAIN, LOSS, Bar, HistogramBar, bar_chart, histogram, line_chart

BARS = [Bar("Straight Flush", 0.25, "+0.25"), Bar("nothing <&>", -0.75, "\u22120.75"), Bar("push", 0.0, "0.00")]
STEPS = [HistogramBar(-2, -1, 0.25), HistogramBar(-1, 0, 0.5), HistogramBar(0, 1, 0.25)]


def bars() -> str:
    return bar_chart(BARS, width=400, names_width=90)


def steps() -> str:
    return histogram(STEPS, mean=-0.25, label="result in units", width=240, height=130)


def line() -> str:
    points = [(0.0, 50.0), (1000.0, 0.0), (2000.0, -50.0)]
    return line_chart(points, mark=1000, marked="here", labels=("meter", "edge"), width=240, height=130)


@pytest.mark.parametrize("draw", [bars, steps, line])
def test_a_chart_is_the_same_bytes_every_time_and_names_no_day(draw: Callable[[], str]) -> None:
    first = draw()

    assert first == draw()
    assert not re.search(r"20\d\d-\d\d-\d\d|matplotlib v", first.lower())
    ElementTree.fromstring(first)  # noqa: S314


def test_the_users_own_style_changes_nothing() -> None:
    plain = steps()
    import matplotlib as mpl  # noqa: PLC0415

    with mpl.rc_context({"font.size": 30, "axes.facecolor": "red", "svg.fonttype": "path"}):
        assert steps() == plain
        assert mpl.rcParams["font.size"] == 30


def test_bars_are_named_and_coloured_by_their_side() -> None:
    drawn = bars()

    assert "nothing &lt;&amp;&gt;" in drawn
    assert drawn.count(GAIN) >= 1
    assert drawn.count(LOSS) == 1
    assert all(bar.words in drawn for bar in BARS)
    assert "Source Sans Pro" in drawn


def test_what_is_behind_and_ahead_has_its_colour() -> None:
    drawn = steps()

    assert drawn.count(LOSS) == 2
    assert drawn.count(GAIN) == 1


def test_a_line_names_its_axes_and_its_mark() -> None:
    drawn = line()

    assert all(words in drawn for words in ("meter", "edge", "here", "\u221250"))
