"""The picture of a forecast is drawn for every shape of table, the same bytes again; its bins hold every run."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pitboss.paper.simulation import FORMATS, _edges, forecast_picture
from pitboss.simulate.forecasts.values import TableForecast
from tests.simulate.test_forecast import often

STARTS = {"svg": b"<?xml", "pdf": b"%PDF", "png": b"\x89PNG"}


@pytest.fixture(scope="module")
def found() -> TableForecast:
    return often()


@pytest.mark.parametrize("form", FORMATS)
def test_a_forecast_is_drawn_in_every_format_the_same_again(found: TableForecast, form: str) -> None:
    picture = forecast_picture(found, form)

    assert picture.startswith(STARTS[form])
    assert forecast_picture(found, form) == picture


@pytest.mark.parametrize("meters", [0, 3, *(pytest.param(number, marks=pytest.mark.slow) for number in (1, 2))])
def test_every_number_of_meters_has_its_place(found: TableForecast, meters: int) -> None:
    with_meters = replace(found, jackpots=found.jackpots * meters)
    # Titles are drawn as curves: what tells is that another fan makes another picture.
    pictures = {forecast_picture(replace(with_meters, jackpots=found.jackpots * other), "svg") for other in (meters, 5)}

    assert len(pictures) == 2


@given(st.lists(st.floats(-1e7, 1e7), min_size=1, max_size=80))
def test_bins_hold_every_run_and_none_lies_on_both_sides_of_zero(wins: list[float]) -> None:
    edges = _edges(wins)

    assert sum(left <= win < right for win in wins for left, right in pairwise(edges)) == len(wins)
    assert not any(left < 0 < right for left, right in pairwise(edges))
    assert len(edges) <= 40
