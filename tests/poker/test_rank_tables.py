"""The tables and the functions that read them, as they are and compiled."""

import os
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import combinations, combinations_with_replacement, permutations
from random import Random
from typing import Any

import numba
import numpy as np
import phevaluator
import pytest

from pitboss import poker
from pitboss.cards import JOKER, card_text
from pitboss.poker import (
    DIVISIONS_OF_SIX,
    FIVE_CARD,
    FOUR_CARD,
    SHOE_THREE_CARD,
    THREE_CARD,
    WILD_FIVE_CARD,
    WILD_THREE_CARD,
    Ranking,
    RankTables,
    SumTables,
)

from . import counting

# Built when a test asks for them and not while tests are collected, which every worker does.
TABLES: list[tuple[Ranking, Callable[[], RankTables | SumTables]]] = [
    (THREE_CARD, poker.three_card_tables),
    (SHOE_THREE_CARD, poker.shoe_three_card_tables),
    (FOUR_CARD, poker.four_card_tables),
    (FIVE_CARD, poker.five_card_tables),
    (WILD_FIVE_CARD, poker.wild_five_card_tables),
    (WILD_THREE_CARD, poker.wild_three_card_tables),
]
TABLES_OF = {ranking.name: build for ranking, build in TABLES}

# function, its ranking, cards given, whether the cards come as one sequence
FUNCTIONS: list[tuple[Callable[..., int], Ranking, int, bool]] = [
    (poker.three_card_value, THREE_CARD, 3, False),
    (poker.shoe_three_card_value, SHOE_THREE_CARD, 3, False),
    (poker.four_card_value, FOUR_CARD, 4, False),
    (poker.five_card_value, FIVE_CARD, 5, False),
    (poker.five_card_value, WILD_FIVE_CARD, 5, False),
    (poker.wild_three_card_value, WILD_THREE_CARD, 3, False),
    (poker.best_three_of_five, THREE_CARD, 5, True),
    (poker.best_four_of_five, FOUR_CARD, 5, True),
    (poker.best_four_of_six, FOUR_CARD, 6, True),
    (poker.best_five_of_six, FIVE_CARD, 6, True),
    (poker.best_five_of_six, WILD_FIVE_CARD, 6, True),
    (poker.best_five_of_seven, FIVE_CARD, 7, True),
    (poker.best_five_of_seven, WILD_FIVE_CARD, 7, True),
]
NAMES = [f"{each[0].__name__}-{each[1].name}" for each in FUNCTIONS]

compiled_only = pytest.mark.skipif(
    os.environ.get("NUMBA_DISABLE_JIT", "0") != "0",
    reason="millions of hands; compiling is switched off by NUMBA_DISABLE_JIT",
)


def arrays(tables: RankTables | SumTables) -> Any:
    as_compiled: Any = type(tables)
    return as_compiled(*(np.array(each, dtype=np.int64) for each in tables))


def sample_hands(ranking: Ranking, size: int, count: int) -> list[list[int]]:
    """Draw hands, every other one from two suits, so that suited hands are not rare."""
    random = Random(size)
    deck = [*range(JOKER), JOKER] if ranking.wild_deuces else [*range(JOKER)]
    two_suits = [card for card in deck if card == JOKER or card & 1]
    draw: Callable[[list[int]], list[int]] = (
        (lambda cards: random.choices(cards, k=size))
        if ranking.many_decks
        else (lambda cards: random.sample(cards, size))
    )
    return [draw(two_suits if i % 2 else deck) for i in range(count)]


@pytest.mark.parametrize(("function", "ranking", "size", "as_one"), FUNCTIONS, ids=NAMES)
def test_functions_give_the_values_of_the_ranking(
    function: Callable[..., int], ranking: Ranking, size: int, as_one: bool
) -> None:
    tables = TABLES_OF[ranking.name]()
    for hand in sample_hands(ranking, size, 2_000):
        value = function(tables, hand) if as_one else function(tables, *hand)
        assert value == ranking.best(hand).value


@pytest.mark.parametrize(("function", "ranking", "size", "as_one"), FUNCTIONS, ids=NAMES)
def test_functions_compile_as_they_are_and_give_the_same_values(
    function: Callable[..., int], ranking: Ranking, size: int, as_one: bool
) -> None:
    compiled = numba.njit(function)
    tables = TABLES_OF[ranking.name]()
    tables_compiled = arrays(tables)
    for hand in sample_hands(ranking, size, 2_000):
        if as_one:
            assert compiled(tables_compiled, np.array(hand)) == function(tables, hand)
        else:
            assert compiled(tables_compiled, *hand) == function(tables, *hand)


def test_three_and_four_card_functions_agree_with_the_ranking_on_every_hand() -> None:
    tables = poker.three_card_tables()
    assert all(
        poker.three_card_value(tables, *hand) == THREE_CARD.value(hand)
        for ranks in combinations(range(52), 3)
        for hand in permutations(ranks)
    )
    four = poker.four_card_tables()
    assert all(poker.four_card_value(four, *hand) == FOUR_CARD.value(hand) for hand in combinations(range(52), 4))
    wild = poker.wild_three_card_tables()
    assert all(
        poker.wild_three_card_value(wild, *hand) == WILD_THREE_CARD.value(hand)
        for hand in combinations(range(JOKER + 1), 3)
    )
    shoe = poker.shoe_three_card_tables()
    assert all(
        poker.shoe_three_card_value(shoe, *hand) == SHOE_THREE_CARD.value(hand)
        for hand in combinations_with_replacement(range(52), 3)
    )


@pytest.mark.parametrize(("ranking", "build"), TABLES)
def test_category_of_each_value_is_that_of_the_ranking(
    ranking: Ranking, build: Callable[[], RankTables | SumTables]
) -> None:
    tables = build()
    assert len(tables.category) == ranking.classes
    assert [ranking.categories[index] for index in tables.category] == [
        ranking.category_of(value) for value in range(ranking.classes)
    ]


@pytest.mark.parametrize(("ranking", "build"), TABLES)
def test_tables_hold_every_hand_once_and_a_suit_never_lowers_one(
    ranking: Ranking, build: Callable[[], RankTables | SumTables]
) -> None:
    """The functions for the best of more cards rest on the second."""
    tables = build()
    assert all(suited >= plain for plain, suited in zip(tables.plain, tables.suited, strict=True) if suited >= 0)
    if isinstance(tables, RankTables):
        assert len(tables.plain) == len(tables.suited) == 13**ranking.size
        assert len(tables.paired) == (13**ranking.size if ranking.many_decks else 0)
        assert set(tables.plain) | set(tables.suited) | set(tables.paired) >= set(range(ranking.classes))
    else:
        # Two hands on one place would leave fewer places taken than there are hands.
        hands = ranking._classes.values
        assert sum(value >= 0 for value in (*tables.plain, *tables.suited)) == len(hands)


def test_tables_are_built_once() -> None:
    assert poker.three_card_tables() is poker.three_card_tables()
    assert poker.five_card_tables() is poker.five_card_tables()


def by_category(ranking: Ranking, counts: Sequence[int]) -> dict[str, int]:
    return {category.name: int(count) for category, count in zip(ranking.categories, counts, strict=True)}


@pytest.fixture(scope="module")
def five() -> Any:
    return arrays(poker.five_card_tables())


@compiled_only
def test_anchor_best_4_of_5_counts() -> None:
    found = by_category(FOUR_CARD, counting.best_four_of_five_counts(arrays(poker.four_card_tables())))
    assert found.pop("pair") + found.pop("high-card") == 2_197_632
    assert found == {
        "quads": 624,
        "straight-flush": 2_072,
        "trips": 58_656,
        "flush": 114_616,
        "straight": 101_808,
        "two-pair": 123_552,
    }


FIVE_CARD_NAMES = [category.name for category in FIVE_CARD.categories]


@compiled_only
def test_anchor_5_of_52_counts(five: Any) -> None:
    expected = [4, 36, 624, 3_744, 5_108, 10_200, 54_912, 123_552, 1_098_240, 1_302_540]
    assert by_category(FIVE_CARD, counting.five_counts(five)) == dict(zip(FIVE_CARD_NAMES, expected, strict=True))


@compiled_only
def test_anchor_best_5_of_6_counts(five: Any) -> None:
    expected = [188, 1_656, 14_664, 165_984, 205_792, 361_620, 732_160, 2_532_816, 9_730_740, 6_612_900]
    assert by_category(FIVE_CARD, counting.best_five_of_six_counts(five)) == dict(
        zip(FIVE_CARD_NAMES, expected, strict=True)
    )


@pytest.mark.slow
@compiled_only
def test_anchor_best_5_of_7_counts(five: Any) -> None:
    expected = [4_324, 37_260, 224_848, 3_473_184, 4_047_644, 6_180_020, 6_461_620, 31_433_400, 58_627_800, 23_294_460]
    assert by_category(FIVE_CARD, counting.best_five_of_seven_counts(five)) == dict(
        zip(FIVE_CARD_NAMES, expected, strict=True)
    )


@compiled_only
def test_dw_1_wild_cards_in_all_five_card_hands_of_53_and_anchor_dj_wild_trips(five: Any) -> None:
    """DJ Wild's Trips pays more for a hand that makes its rank without a wild card; 95.76 % comes back."""
    natural_pays = [1000, 200, 60, 30, 25, 15, 5, 0, 0, 0]
    wild_pays = [0, 100, 100, 20, 8, 6, 4, 3, 1, 0, 0, 0]
    wild_counts, net = counting.dj_wild(
        five, arrays(poker.wild_five_card_tables()), np.array(natural_pays), np.array(wild_pays)
    )
    assert list(wild_counts) == [1_712_304, 972_900, 172_960, 11_280, 240, 1]
    assert round(100 + 100 * net / 2_869_685, 2) == 95.76


@pytest.mark.parametrize("size", [5, 6, 7])
def test_phevaluator_gives_the_same_places(size: int) -> None:
    """A third opinion; it counts from 1, the best, to 7462."""
    function = {6: poker.best_five_of_six, 7: poker.best_five_of_seven}.get(size)
    tables = poker.five_card_tables()
    for hand in sample_hands(FIVE_CARD, size, 10_000):
        value = function(tables, hand) if function else poker.five_card_value(tables, *hand)
        assert value == 7462 - phevaluator.evaluate_cards(*map(card_text, hand))


def test_divisions_of_six_are_the_ten_ways_into_two_threes() -> None:
    assert len(set(DIVISIONS_OF_SIX)) == 10
    assert all(sorted(division) == [0, 1, 2, 3, 4, 5] for division in DIVISIONS_OF_SIX)
    ways = Counter(frozenset(map(frozenset, (division[:3], division[3:]))) for division in DIVISIONS_OF_SIX)
    assert len(ways) == 10
    assert all(division[0] == 0 for division in DIVISIONS_OF_SIX)
    assert all(list(half) == sorted(half) for division in DIVISIONS_OF_SIX for half in (division[:3], division[3:]))
