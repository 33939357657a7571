"""Shoes that are counted are those dealt live; what is counted is what a plain count finds; the distributions are exact."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise, permutations
from math import factorial

import numpy
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pitboss.cards import KeyStream, shuffled
from pitboss.randomness import battery, loops
from pitboss.randomness.battery import ShoeTally, deal_shoes, fixed_point_weights, opening_trial
from tests.randomness.streams import Words

KEY = bytes(range(100, 132))


@pytest.mark.parametrize("size", [1, 2, 5, 52, 53, 312, 416])
@pytest.mark.parametrize("first", [0, 1, 2**32 - 2, 2**64 - 2, 2**96 - 4], ids=str)
def test_r_07_shoes_counted_are_the_shoes_dealt_live(size: int, first: int) -> None:
    dealt = deal_shoes(KEY, first, 4, size)
    for index in range(4):
        stream = KeyStream(KEY, first + index)
        assert tuple(dealt.orders[index]) == shuffled(range(size), stream)
        words = KeyStream(KEY, first + index)
        opening = (words.word() | words.word() << 32).to_bytes(8, "little")
        assert opening == dealt.openings[index].tobytes()


@settings(max_examples=15, deadline=None)
@given(st.binary(min_size=32, max_size=32), st.integers(0, 2**96 - 1))
def test_r_07_any_key_and_block_deal_the_same(key: bytes, block: int) -> None:
    assert tuple(deal_shoes(key, block, 1, 60).orders[0]) == shuffled(range(60), KeyStream(key, block))


def test_a_round_short_of_words_is_dealt_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(battery, "_SPARE_WORDS", -20)
    dealt = deal_shoes(KEY, 9, 3, 52)
    assert [tuple(order) for order in dealt.orders] == [shuffled(range(52), KeyStream(KEY, 9 + i)) for i in range(3)]


@settings(deadline=None)
@given(st.lists(st.sampled_from([0, 1, 3, 5, 2**31, 2**32 - 1, 0x80000001, 1431655766]), min_size=1, max_size=60))
def test_r_08_rejected_words_are_passed_over_as_in_the_plain_shuffle(words: list[int]) -> None:
    """Zero is rejected for every bound that is no power of two; words may run out, and then the loop says so."""
    order = numpy.zeros(9, dtype=numpy.int64)
    enough = loops.shuffle_into(words, len(words), order, 9)
    source = Words(words.__getitem__)
    try:
        expected = shuffled(range(9), source)
    except IndexError:
        assert not enough
    else:
        assert enough
        assert tuple(order) == expected


def plain_counts(orders: list[tuple[int, ...]]) -> tuple[Counter[object], ...]:
    positions = Counter((place, card) for order in orders for place, card in enumerate(order))
    follows = Counter((order[i - 1], order[i]) for order in orders for i in range(len(order)))
    fixed = Counter(sum(card == place for place, card in enumerate(order)) for order in orders)
    stay = [sum(map(int.__eq__, before, after)) for before, after in pairwise(orders)]
    return positions, follows, fixed, Counter(stay)  # type: ignore[return-value]


@settings(deadline=None)
@given(st.lists(st.permutations(range(6)), min_size=1, max_size=20))
def test_what_is_counted_is_what_a_plain_count_finds(given_orders: list[list[int]]) -> None:
    orders = [tuple(order) for order in given_orders]
    tally = ShoeTally(6)
    tally.add(numpy.array(orders, dtype=numpy.uint16))
    counted = (tally.positions, tally.neighbours, tally.fixed, tally.carried)
    for array, plain in zip(counted, plain_counts(orders), strict=True):
        found = {
            index if len(index) > 1 else index[0]: int(array[index]) for index in zip(*array.nonzero(), strict=True)
        }
        assert found == dict(plain)


def test_tallies_of_parts_are_added() -> None:
    orders = deal_shoes(KEY, 0, 40, 10).orders
    whole, parts, second = ShoeTally(10), ShoeTally(10), ShoeTally(10)
    whole.add(orders)
    parts.add(orders[:25])
    second.add(orders[25:])
    parts.merge(second)
    assert (whole.positions == parts.positions).all()
    assert (whole.neighbours == parts.neighbours).all()
    assert (whole.fixed == parts.fixed).all()
    assert whole.carried.sum() == parts.carried.sum() + 1


@pytest.mark.parametrize("size", [2, 3, 5, 7])
def test_r_10_cards_at_home_are_as_frequent_as_in_all_orders(size: int) -> None:
    counts = Counter(sum(card == place for place, card in enumerate(order)) for order in permutations(range(size)))
    expected = [counts[number] / factorial(size) for number in range(size + 1)]
    assert fixed_point_weights(size) == pytest.approx(expected)


def test_r_10_cards_at_home_have_mean_and_variance_one_in_every_shoe() -> None:
    for size in (52, 53, 312, 416):
        weights, numbers = fixed_point_weights(size), numpy.arange(size + 1)
        assert weights.sum() == pytest.approx(1)
        assert (weights * numbers).sum() == pytest.approx(1)
        assert (weights * numbers**2).sum() == pytest.approx(2)


def statistics_of_all_orders(size: int, name: str) -> tuple[list[float], int]:
    """The statistic of every order alone."""
    found, degrees = [], 0
    for order in permutations(range(size)):
        tally = ShoeTally(size)
        tally.add(numpy.array([order], dtype=numpy.uint16))
        trial = getattr(battery, name)("all", getattr(tally, name.strip("_")))
        found.append(trial.statistic)
        degrees = trial.degrees
    return found, degrees


@pytest.mark.parametrize("name", ["_positions", "_neighbours"])
@pytest.mark.parametrize("size", [4, 5])
def test_r_10_over_all_orders_a_statistic_has_the_mean_of_its_degrees(name: str, size: int) -> None:
    found, degrees = statistics_of_all_orders(size, name)
    assert sum(found) / len(found) == pytest.approx(degrees)


@pytest.mark.parametrize("size", [4, 5, 6])
def test_r_10_neighbours_vary_as_the_statistic_says(size: int) -> None:
    """Every direction in which the counts of one shoe vary has one of the two variances, so often as there are degrees."""
    cells = []
    for order in permutations(range(size)):
        matrix = numpy.zeros((size, size))
        for i in range(size):
            matrix[order[i - 1], order[i]] = 1
        cells.append(matrix.ravel())
    variances = numpy.linalg.eigvalsh(numpy.cov(numpy.array(cells).T, bias=True)) * (size - 1)
    expected = [0.0] * (size**2 - (size**2 - 3 * size + 1))
    expected += [1.0] * (size * (size - 3) // 2) + [size / (size - 2)] * ((size - 1) * (size - 2) // 2)
    assert sorted(variances) == pytest.approx(sorted(expected), abs=1e-9)


@pytest.mark.parametrize("size", [3, 5])
def test_r_10_positions_vary_as_the_statistic_says(size: int) -> None:
    cells = [numpy.eye(size)[list(order)].ravel() for order in permutations(range(size))]
    variances = numpy.linalg.eigvalsh(numpy.cov(numpy.array(cells).T, bias=True)) * (size - 1)
    assert sorted(variances) == pytest.approx([0.0] * (2 * size - 1) + [1.0] * (size - 1) ** 2, abs=1e-9)


def test_r_04_one_repetition_in_a_million_streams_is_no_chance() -> None:
    openings = numpy.arange(1_000_000)
    assert opening_trial(openings).p == 1
    openings[5] = openings[77]
    repeated = opening_trial(openings)
    assert repeated.statistic == 1
    assert repeated.p == pytest.approx(1e12 / 2**65, rel=1e-5)
