"""A hundred good keys fail the report no more often than the stated confidence of 99 % lets them (R-01, R-13)."""

from __future__ import annotations

import hashlib
from functools import cache
from math import comb

import pytest

from pitboss.odds.store import default_store
from pitboss.randomness.battery import BYTES_MIN
from pitboss.randomness.report import RandomnessReport, RandomnessRequest, make_report

KEYS = 100
# A limit that a hundred reports with a chance of 1 in 100 each go beyond less than once in a thousand times.
FAILURES_MAX = 5


@cache
def reports() -> list[RandomnessReport]:
    """The keys are fixed, so that the test is the same every time; none was chosen."""
    keys = [hashlib.sha256(f"good key {number}".encode()).digest() for number in range(KEYS)]
    asked = [RandomnessRequest(key=key, rounds=20_000, length=BYTES_MIN, programs=False) for key in keys]
    return [make_report(each, store=default_store()) for each in asked]


def test_the_limit_is_that_of_the_binomial_distribution() -> None:
    beyond = 1 - sum(comb(KEYS, k) * 0.01**k * 0.99 ** (KEYS - k) for k in range(FAILURES_MAX + 1))
    assert beyond < 0.001 < 1 - sum(comb(KEYS, k) * 0.01**k * 0.99 ** (KEYS - k) for k in range(FAILURES_MAX - 1))


@pytest.mark.slow
def test_r_01_a_hundred_good_keys_fail_no_more_often_than_stated() -> None:
    assert sum(not report.passed for report in reports()) <= FAILURES_MAX


@pytest.mark.slow
@pytest.mark.parametrize("place", range(37))
def test_r_13_the_p_values_of_every_test_are_spread_evenly(place: int) -> None:
    """By the greatest distance of Kolmogorov and Smirnov, at one chance in ten thousand for each test."""
    p_values = sorted(report.trials[place].p for report in reports())
    assert len({report.trials[place].test for report in reports()}) == 1
    if reports()[0].trials[place].test == "repeated streams":
        assert p_values == [1.0] * KEYS
        return
    distance = max(max(p - i / KEYS, (i + 1) / KEYS - p) for i, p in enumerate(p_values))
    # 2 * exp(-2 * n * d**2) = 0.0001
    assert distance < 0.2226
