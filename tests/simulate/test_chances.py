"""Chances by a second road: closed forms for whole and half degrees of freedom."""

from __future__ import annotations

from math import erfc, exp, factorial, pi, sqrt

import pytest

from pitboss.simulate.chances import chi_square_chance, normal_chance


def closed_form(value: float, degrees: int) -> float:
    """Even degrees give a Poisson sum, odd ones begin with the normal tail."""
    half = value / 2
    if degrees % 2 == 0:
        return exp(-half) * sum(half**step / factorial(step) for step in range(degrees // 2))
    tail, term = erfc(sqrt(half)), 2 * sqrt(half / pi) * exp(-half)
    for step in range(1, degrees // 2 + 1):
        tail += term
        term *= half / (step + 0.5)
    return tail


@pytest.mark.parametrize("degrees", [1, 2, 3, 4, 5, 10, 17, 30, 61])
def test_chi_square_is_the_closed_form(degrees: int) -> None:
    for value in (0.001, 0.5, 1.0, 3.84, degrees - 0.5, degrees * 1.0, degrees + 1.5, 2.0 * degrees, 100.0):
        assert chi_square_chance(value, degrees) == pytest.approx(closed_form(value, degrees), rel=1e-9, abs=1e-12)


def test_known_points() -> None:
    assert chi_square_chance(3.841458820694124, 1) == pytest.approx(0.05)
    assert normal_chance(1.959963984540054) == pytest.approx(0.05)
    assert normal_chance(-1.959963984540054) == normal_chance(1.959963984540054)
    assert chi_square_chance(0, 3) == 1
    with pytest.raises(ValueError, match="degrees is 0"):
        chi_square_chance(1, 0)
