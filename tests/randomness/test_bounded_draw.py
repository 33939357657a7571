"""The bounded draw is unbiased: every word, and every pair of words, tried for every bound (R-08)."""

from __future__ import annotations

from fractions import Fraction
from functools import partial

import pytest

from pitboss.cards import draw_below
from tests.cards import enumerated


@pytest.mark.parametrize("bits", [7, 8, 9, 10])
def test_r_08_of_all_words_as_many_give_each_number_for_every_bound(bits: int) -> None:
    size = 2**bits
    for n in range(1, size + 1):
        counts, rejected = enumerated.results(bits, 1, partial(draw_below, n=n))
        assert dict.fromkeys(range(n), size // n) == dict(counts)
        assert Fraction(size % n, size) == rejected


@pytest.mark.parametrize("bits", [4, 5])
def test_r_08_of_all_pairs_of_words_as_many_give_each_number_for_every_bound(bits: int) -> None:
    """The second word counts where the first was rejected."""
    size = 2**bits
    for n in range(1, size + 1):
        counts, rejected = enumerated.results(bits, 2, partial(draw_below, n=n))
        # A pair is counted by its first word alone, whatever the second, or by the second after a rejection.
        each = size // n * size + size % n * (size // n)
        assert dict.fromkeys(range(n), each) == dict(counts)
        assert Fraction(size % n, size) ** 2 == rejected


@pytest.mark.parametrize("bits", [4, 6])
def test_r_08_the_enumeration_catches_a_remainder_for_every_bound_that_is_no_power_of_two(bits: int) -> None:
    for n in range(1, 2**bits + 1):
        counts, _ = enumerated.results(bits, 1, lambda source, n=n: source.word() % n)  # type: ignore[misc]
        assert (len(set(counts.values())) == 1) == (2**bits % n == 0)
