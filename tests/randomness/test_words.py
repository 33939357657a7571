"""What is counted in raw words is what a plain count finds."""

from __future__ import annotations

from collections import Counter
from itertools import groupby, pairwise, permutations
from math import factorial
from random import Random

import numpy
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pitboss.randomness import loops
from pitboss.randomness.battery import BYTES_MIN, word_trials

WORDS = st.lists(st.integers(0, 2**32 - 1), min_size=2, max_size=30)


def as_bytes(words: list[int]) -> list[int]:
    return list(b"".join(word.to_bytes(4, "little") for word in words))


def as_bits(words: list[int]) -> list[int]:
    return [word >> place & 1 for word in words for place in range(32)]


@settings(deadline=None)
@given(WORDS)
def test_ones_and_changes_by_place(words: list[int]) -> None:
    ones, changes = numpy.zeros(32, dtype=numpy.int64), numpy.zeros(32, dtype=numpy.int64)
    loops.tally_bits(numpy.array(words), ones, changes)
    texts = [f"{word:032b}"[::-1] for word in words]
    assert list(ones) == [sum(text[place] == "1" for text in texts) for place in range(32)]
    pairs = list(pairwise(texts))
    assert list(changes) == [sum(a[place] != b[place] for a, b in pairs) for place in range(32)]


@settings(deadline=None)
@given(WORDS)
def test_bytes_and_pairs_of_bytes(words: list[int]) -> None:
    numbers = as_bytes(words)
    single, pairs = numpy.zeros(256, dtype=numpy.int64), numpy.zeros(65_536, dtype=numpy.int64)
    loops.tally_bytes(numpy.array(numbers, dtype=numpy.uint8), single, pairs)
    assert {i: n for i, n in enumerate(single) if n} == Counter(numbers)
    expected = Counter(a * 256 + b for a, b in zip(numbers[::2], numbers[1::2], strict=True))
    assert {i: n for i, n in enumerate(pairs) if n} == expected


@settings(deadline=None)
@given(WORDS, st.integers(1, 60))
def test_runs_of_equal_bits(words: list[int], wanted: int) -> None:
    lengths = numpy.zeros(17, dtype=numpy.int64)
    found = loops.tally_runs(numpy.array(words), wanted, lengths)
    # The last run may go on beyond what is seen.
    runs = [len(list(group)) for _, group in groupby(as_bits(words))][:-1][:wanted]
    assert found == len(runs)
    assert {i: n for i, n in enumerate(lengths) if n} == Counter(min(run, 16) for run in runs)


@settings(deadline=None)
@given(st.lists(st.integers(0, 255), min_size=1, max_size=200), st.integers(1, 60))
def test_gaps_between_small_bytes(numbers: list[int], wanted: int) -> None:
    lengths = numpy.zeros(9, dtype=numpy.int64)
    found = loops.tally_gaps(numpy.array(numbers), 64, wanted, lengths)
    hits = [-1, *(place for place, number in enumerate(numbers) if number < 64)]
    gaps = [after - before - 1 for before, after in pairwise(hits)][:wanted]
    assert found == len(gaps)
    assert {i: n for i, n in enumerate(lengths) if n} == Counter(min(gap, 8) for gap in gaps)


def test_every_order_of_five_words_has_a_number_of_its_own() -> None:
    orders = numpy.zeros(factorial(5), dtype=numpy.int64)
    for order in permutations(range(5)):
        loops.tally_orders(numpy.array(order), 5, orders)
    assert list(orders) == [1] * 120


def test_words_left_over_make_no_group() -> None:
    orders = numpy.zeros(6, dtype=numpy.int64)
    loops.tally_orders(numpy.array([1, 2, 3, 9, 8, 7, 1, 2]), 3, orders)
    assert orders.sum() == 2


def test_the_trials_of_words_have_these_names() -> None:
    trials = word_trials(Random(1).randbytes(BYTES_MIN + 3))
    assert [(trial.test, trial.of) for trial in trials] == [
        ("frequency", "bits"),
        ("frequency by place", "bits"),
        ("serial", "bits of words in a row"),
        ("serial by place", "bits of words in a row"),
        ("frequency", "bytes"),
        ("serial", "pairs of bytes"),
        ("runs", "equal bits"),
        ("gap", "bytes less than 16"),
        ("permutation", "groups of 5 words"),
    ]


def test_too_short_a_stream_is_refused() -> None:
    with pytest.raises(ValueError, match="100 bytes are too few: a trial takes 4,194,304 at least"):
        word_trials(bytes(100))
