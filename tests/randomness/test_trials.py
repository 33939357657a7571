"""Trials and the verdict on all of them together (R-18)."""

from __future__ import annotations

from fractions import Fraction
from math import inf

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pitboss.randomness.trials import ALPHA, EXPECTED_MIN, Trial, chi_square, fit, half_of, rejected


def a_trial(p: float) -> Trial:
    return Trial(test="a test", of="nothing", sample=1, statistic=0, degrees=None, p=p)


def rejected_by_adjusted_values(p_values: list[float]) -> set[int]:
    """Holm's rule the other way round: each p-value is made larger, and held against alpha itself."""
    order = sorted(range(len(p_values)), key=lambda place: p_values[place])
    largest, found = 0.0, set()
    for number, place in enumerate(order):
        largest = max(largest, p_values[place] * (len(p_values) - number))
        if largest <= ALPHA:
            found.add(place)
    return found


@settings(deadline=None)
@given(st.lists(st.sampled_from([0.0, 0.0001, 0.0009, 0.0011, 0.002, 0.004, 0.009, 0.02, 0.5, 1.0]), max_size=12))
def test_r_18_holms_rule_agrees_with_adjusted_p_values(p_values: list[float]) -> None:
    assert rejected_by_adjusted_values(p_values) == rejected([a_trial(p) for p in p_values])


def test_r_18_a_p_value_that_fails_alone_may_pass_among_many() -> None:
    assert rejected([a_trial(0.009)]) == {0}
    assert rejected([a_trial(0.009)] + [a_trial(0.5)] * 9) == set()
    assert rejected([a_trial(0.5)] * 9 + [a_trial(0.0009)]) == {9}
    # The first is held against 0.01 / 3, the second against 0.01 / 2, and the third against 0.01.
    assert rejected([a_trial(0.0101), a_trial(0.0049), a_trial(0.0033)]) == {1, 2}


def test_a_fit_is_the_sum_of_squares_over_what_is_expected() -> None:
    observed, weights = [30, 50, 120], [1, 2, 5]
    expected = [Fraction(200 * weight, 8) for weight in weights]
    total = sum((seen - mean) ** 2 / mean for seen, mean in zip(observed, expected, strict=True))
    trial = fit("a test", "classes", observed, weights)
    assert trial.statistic == pytest.approx(float(total))
    assert (trial.degrees, trial.sample) == (2, 200)


def test_rare_classes_are_put_together() -> None:
    weights = [1000, 1000, 3, 3, 1, 5, 8]
    trial = fit("a test", "classes", [1010, 985, 5, 2, 0, 7, 11], weights)
    # Together the rare ones are expected 20 times of 2,020.
    assert trial.degrees == 2
    assert trial.statistic == pytest.approx(10**2 / 1000 + 15**2 / 1000 + (25 - 20) ** 2 / 20)


def test_where_the_rare_are_too_rare_together_the_next_class_joins_them() -> None:
    trial = fit("a test", "classes", [60, 900, 1040, 0], [50, 950, 995, 5])
    assert EXPECTED_MIN > 5
    assert trial.degrees == 2
    assert trial.statistic == pytest.approx((60 - 55) ** 2 / 55 + 50**2 / 950 + 45**2 / 995)


def test_something_impossible_has_no_probability() -> None:
    trial = fit("a test", "classes", [100, 100, 1], [1, 1, 0])
    assert (trial.p, trial.statistic) == (0, inf)
    assert rejected([trial] + [a_trial(0.5)] * 99) == {0}


def test_classes_that_never_come_and_cannot_do_not_count() -> None:
    assert fit("a test", "classes", [0, 90, 110, 0], [0, 1, 1, 0]) == fit("a test", "classes", [90, 110], [1, 1])


@pytest.mark.parametrize("observed", [[1000, 1000, 1000], [1200, 900, 900]])
def test_too_good_and_too_bad_are_both_suspicious(observed: list[int]) -> None:
    assert fit("a test", "classes", observed, [1, 1, 1]).p < 0.001


def test_a_sample_too_small_for_any_test_is_refused() -> None:
    with pytest.raises(ValueError, match="a sample of 3 is too small"):
        fit("a test", "classes", [1, 2], [1, 1])
    with pytest.raises(ValueError, match="too small"):
        chi_square("a test", "classes", 5, 0.0, 0)


def test_half_is_counted_in_standard_deviations() -> None:
    trial = half_of("a test", "bits", 5150, 10_000)
    assert trial.statistic == pytest.approx(3)
    assert trial.p == pytest.approx(0.0026998, abs=1e-7)
