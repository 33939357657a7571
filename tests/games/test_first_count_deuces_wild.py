"""A first count of Deuces Wild: the tree over three cards, the fourth and the fifth, on two roads."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from math import comb, prod
from random import Random
from typing import Any

import numpy as np
import pytest

from pitboss.games import find_game
from pitboss.rules import FinishedSeat, Settler
from tests.games import counting
from tests.games.compiled import hands_of
from tests.games.counting import code_counts, net, nets, percent, terms_of
from tests.poker import made_twin

DW = "deuces-wild"


@pytest.fixture(scope="module")
def fifth_cards() -> tuple[list[int], Any]:
    """The codes of raised hands, and for each four cards of 53 how often each of them follows with the fifth."""
    bounds = find_game(DW).by_name["ante-play-raise"].bounds
    hands = hands_of((0,) * 5, (0,) * 4, (1, 1, 0), (0,))
    none = np.zeros(1, np.int64)
    of_five = np.zeros(prod(bounds), np.int64)
    counting.five_card_codes(hands, none, bounds, of_five)
    assert comb(53, 5) == of_five.sum()
    found = [code for code, _ in code_counts(of_five)]
    column = np.zeros(prod(bounds), np.int64)
    column[found] = range(len(found))
    counts = np.zeros((comb(53, 4), len(found)), np.int64)
    counting.four_card_counts(hands, none, bounds, column, counts)
    assert (5 * of_five[found]).tolist() == counts.sum(axis=0).tolist()
    return found, counts


def by_three_cards(fifth_cards: tuple[list[int], Any], table: str) -> tuple[Any, Any]:
    """What raising or folding is worth by four cards (times 49), and playing on by three cards (times 50 * 49)."""
    found, counts = fifth_cards
    worth = nets(DW, "ante-play-raise", table)
    assert all(worth[code] == int(worth[code]) for code in found)
    raised = counts @ np.array([int(worth[code]) for code in found], np.int64)
    best = np.maximum(raised, -2 * 49)
    sums = np.zeros(comb(53, 3), np.int64)
    counting.best_fourths(best, sums)
    return best, sums


def test_dw_ante_play_raise_optimal_expectation(fifth_cards: tuple[list[int], Any]) -> None:
    """Counted here; no figure is published. APR-A."""
    _, sums = by_three_cards(fifth_cards, "APR-A")
    total = int(np.maximum(sums, -50 * 49).sum())
    assert Fraction(-39_684, 2_049_775) == Fraction(total, comb(53, 3) * 50 * 49)
    assert "-1.9360" == percent(Fraction(total, comb(53, 3) * 50 * 49), 4)
    assert 9_926 == int((sums > -50 * 49).sum())


Kind = tuple[tuple[int, ...], bool]  # the ranks of the natural cards in order, and whether they are of one suit
APR_A = {
    "natural royal flush": 250,
    "five wild cards": 0,  # no row of its own: a wild royal (DW-1)
    "wild royal flush": 30,
    "five of a kind": 20,
    "straight flush": 10,
    "quads": 4,
    "full house": 4,
    "flush": 3,
    "straight": 3,
    "trips": 1,
    "two pair": 1,
}


def one_more_card(kind: Kind, cards: int) -> Iterator[tuple[Kind, int]]:
    """What a kind of hand becomes with one more card of 53, and by how many cards."""
    ranks, suited = kind
    yield kind, 5 - (cards - len(ranks))
    for rank in range(1, 13):
        more = tuple(sorted((*ranks, rank)))
        left = 4 - ranks.count(rank)
        if not ranks:
            yield (more, True), left
        elif suited:
            in_suit = 0 if rank in ranks else 1
            yield (more, True), in_suit
            yield (more, False), left - in_suit
        else:
            yield (more, False), left


@cache
def raised_kind(kind: Kind) -> int:
    """What Ante, Play and Raise, four stakes, win or lose on five cards of this kind, as APR-A prints it."""
    ranks, suited = kind
    cards = [
        4 * rank + (0 if suited else place % 2 if len(set(ranks)) > 1 else place) for place, rank in enumerate(ranks)
    ]
    names = made_twin.names_of_wild_five([*cards, *(52, 0, 1, 2, 3)[len(ranks) :]])
    return 4 * max((APR_A[name] for name in names), default=-1)


def test_dw_ante_play_raise_by_a_second_road() -> None:
    """A tree over kinds of hands, each event found by substitution, with the pays as printed."""

    @cache
    def at_four(kind: Kind) -> int:
        return max(-2 * 49, sum(ways * raised_kind(five) for five, ways in one_more_card(kind, 4) if ways))

    kinds: Counter[Kind] = Counter({((), True): 1})
    for cards in range(3):
        grown: Counter[Kind] = Counter()
        for kind, ways in kinds.items():
            for more, count in one_more_card(kind, cards):
                grown[more] += ways * count
        kinds = +grown
    total = 0
    for kind, ways in kinds.items():
        played_on = sum(count * at_four(four) for four, count in one_more_card(kind, 3) if count)
        total += ways * max(-50 * 49, played_on)
    assert Fraction(-39_684, 2_049_775) == Fraction(total, 53 * 52 * 51 * 50 * 49)


def test_dw_ante_play_raise_tree_agrees_with_plain_settlement(fifth_cards: tuple[list[int], Any]) -> None:
    game = find_game(DW)
    wager = game.by_name["ante-play-raise"]
    settler = Settler(game, terms_of(game, "ante-play-raise", "APR-A"))
    _, sums = by_three_cards(fifth_cards, "APR-A")

    def settle(cards: tuple[int, ...], *choices: int) -> Fraction:
        return net(settler.outcome(wager, FinishedSeat(1, {"ante-play-raise": 100}, cards, choices), (0, 0, 0, 0)))

    order = counting.in_loop_order(53, 3)
    assert -1 == settle(order[0], 0, 0, 0)
    for node in Random(5).sample(range(len(order)), 12):
        three = order[node]
        total = Fraction(0)
        for fourth in set(range(53)) - set(three):
            four = (*three, fourth)
            fifths = set(range(53)) - set(four)
            raised = sum(settle((*four, fifth), 1, 1, 0) for fifth in fifths)
            total += max(raised, 49 * settle(four, 1, 0, 0))
        assert total == int(sums[node])
