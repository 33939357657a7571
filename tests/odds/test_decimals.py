"""Exact numbers as decimal text round as they say."""

from __future__ import annotations

from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pitboss.odds.decimals import decimal_text, root_text


@given(st.integers(-(10**12), 10**12), st.integers(0, 6), st.integers(0, 8))
def test_decimals_round_half_away_from_zero(units: int, scale: int, places: int) -> None:
    expected = Decimal(units).scaleb(-scale).quantize(Decimal(1).scaleb(-places), rounding=ROUND_HALF_UP)
    assert decimal_text(Fraction(units, 10**scale), places) == f"{expected + 0:f}"


@given(st.fractions(0, 10**9), st.integers(0, 9))
def test_a_root_is_rounded_down(value: Fraction, places: int) -> None:
    root = Fraction(root_text(value, places))
    assert root**2 <= value < (root + Fraction(1, 10**places)) ** 2


@pytest.mark.parametrize(("value", "text"), [("-1/3", "-0.33"), ("-1/1000", "0.00"), ("1/200", "0.01"), ("7", "7.00")])
def test_a_number_that_rounds_to_nothing_has_no_sign(value: str, text: str) -> None:
    assert decimal_text(Fraction(value), 2) == text
