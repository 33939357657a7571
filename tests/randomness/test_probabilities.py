"""Both ends of the distributions, by a second road: closed forms in long decimals, recurrences, plain sums."""

from __future__ import annotations

from decimal import Decimal, localcontext
from math import erfc, exp, gamma, pi, sqrt

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pitboss.randomness.trials import chi_square_ends, normal_two_sided, poisson_at_least, two_sided


def upper_of_even(statistic: float, degrees: int) -> Decimal:
    """The chance of at least this, for an even number of degrees: e**-x * (1 + x + x**2/2! + ...), in long decimals."""
    with localcontext() as context:
        context.prec = 60
        x = Decimal(statistic) / 2
        term = total = Decimal(1)
        for i in range(1, degrees // 2):
            term *= x / i
            total += term
        return total * (-x).exp()


def upper_of_odd(statistic: float, degrees: int) -> float:
    """The same for an odd number: erfc for one degree, and x**a * e**-x / Gamma(a + 1) for every two more."""
    x = statistic / 2
    total = erfc(sqrt(x))
    for i in range((degrees - 1) // 2):
        a = i + 0.5
        total += x**a * exp(-x) / gamma(a + 1)
    return total


@settings(deadline=None)
@given(st.integers(1, 150).map(lambda half: 2 * half), st.floats(0.01, 600))
def test_an_even_number_of_degrees_agrees_with_the_closed_form(degrees: int, statistic: float) -> None:
    upper = upper_of_even(statistic, degrees)
    lower_end, upper_end = chi_square_ends(statistic, degrees)
    assert upper_end == pytest.approx(float(upper), rel=1e-9, abs=1e-14)
    assert lower_end == pytest.approx(float(1 - upper), rel=1e-9, abs=1e-14)


@settings(deadline=None)
@given(st.integers(0, 60).map(lambda half: 2 * half + 1), st.floats(0.01, 250))
def test_an_odd_number_of_degrees_agrees_with_the_recurrence(degrees: int, statistic: float) -> None:
    assert chi_square_ends(statistic, degrees)[1] == pytest.approx(
        upper_of_odd(statistic, degrees), rel=1e-8, abs=1e-13
    )


@pytest.mark.parametrize("degrees", [2600, 65_536, 96_722])
@pytest.mark.parametrize("deviations", [-4, -1, 0, 1, 4])
def test_the_ends_are_right_for_as_many_degrees_as_the_battery_has(degrees: int, deviations: int) -> None:
    statistic = degrees + deviations * sqrt(2 * degrees)
    upper = upper_of_even(statistic, degrees)
    lower_end, upper_end = chi_square_ends(statistic, degrees)
    assert upper_end == pytest.approx(float(upper), rel=1e-8)
    assert lower_end == pytest.approx(float(1 - upper), rel=1e-8)


@pytest.mark.parametrize("degrees", [1, 2, 255, 96_721])
def test_nothing_and_everything_are_at_the_ends(degrees: int) -> None:
    assert chi_square_ends(0, degrees) == (0, 1)
    lower, upper = chi_square_ends(1e9, degrees)
    assert (lower, upper) == (1, 0)


def test_two_sided_is_the_nearer_end_twice_and_never_more_than_one() -> None:
    assert two_sided(0.9, 0.1) == 0.2
    assert two_sided(0.001, 0.999) == 0.002
    assert two_sided(0.7, 0.7) == 1


@pytest.mark.parametrize("z", [0.0, 0.5, 1.0, 1.96, 3.0, -3.0])
def test_a_normal_deviation_is_integrated(z: float) -> None:
    """By the rule of Simpson from 0 to the deviation."""
    steps = 2000
    width = abs(z) / steps
    heights = [exp(-((i * width) ** 2) / 2) / sqrt(2 * pi) for i in range(steps + 1)]
    middle = width / 3 * sum(h * (1 if i in (0, steps) else 4 if i % 2 else 2) for i, h in enumerate(heights))
    assert normal_two_sided(z) == pytest.approx(1 - 2 * middle, abs=1e-9)


@settings(deadline=None)
@given(st.integers(0, 30), st.floats(0.001, 20))
def test_events_that_are_rare_are_summed(count: int, mean: float) -> None:
    term, below = exp(-mean), 0.0
    for i in range(count):
        below += term
        term *= mean / (i + 1)
    assert poisson_at_least(count, mean) == pytest.approx(1 - below, abs=1e-12)
