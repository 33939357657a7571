"""Tests of the units a meter is kept in."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pitboss.meters import UNITS_PER_CENT, cents_shown, exact_units, units_of, units_text


def test_g_3_a_part_of_a_dollar_is_exact() -> None:
    assert 173_000 == exact_units(Fraction("0.173"), 100)
    assert 1 == exact_units(Fraction(1, 1_000_000), 100)


def test_g_3_a_part_that_is_no_whole_number_of_units_is_not_rounded() -> None:
    assert exact_units(Fraction(1, 3), 100) is None
    assert exact_units(Fraction(1, 2_000_000), 100) is None
    assert 500_000 == exact_units(Fraction(1, 6), 300)


@given(st.integers(0, 10**18))
def test_g_3_the_display_rounds_down_to_the_cent(units: int) -> None:
    assert cents_shown(units) == Fraction(units, UNITS_PER_CENT).__floor__()
    assert 0 <= units - units_of(cents_shown(units)) < UNITS_PER_CENT


@pytest.mark.parametrize(
    ("units", "text"),
    [
        (0, "$0.00"),
        (1_730_000_000, "$1,730.00"),
        (173_000, "$0.173000"),
        (1, "$0.000001"),
        (-173_001, "-$0.173001"),
    ],
)
def test_units_are_printed_with_every_digit_they_have(units: int, text: str) -> None:
    assert text == units_text(units)
