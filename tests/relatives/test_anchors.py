"""ANCHORS.md section 2: the relatives, counted and priced by the same machinery as our games, meet every printed figure."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from math import comb
from typing import Any

import numpy as np
import pytest

from pitboss.games.four_card_prime.loops import ante_raise_nodes
from pitboss.odds.context import NumbaContext
from pitboss.odds.pricing import UnitPays, best_decisions, price, unit_pays
from pitboss.odds.results import OddsResult
from pitboss.odds.solving import counts_of, solve_terms
from pitboss.poker import FOUR_CARD, best_four_of_five, four_card_tables
from pitboss.rules import Game, Terms, TermsInput, Wager, make_terms
from pitboss.rules.counting import Counts
from pitboss.rules.facts import decode
from tests.relatives import dj_wild_trips, four_card_poker, three_card_poker, twenty_one_plus_three, wild_holdem_foldem

# The counts of Four Card Poker are large: one worker makes them once.
pytestmark = pytest.mark.xdist_group("relatives")

THREE_CARD_DEALS = 407_170_400
QUEEN = 10


def terms_of(game: Game, wager: Wager, table: str, readings: dict[str, str], decks: int | None = None) -> Terms:
    terms, problems = make_terms(game, TermsInput(paytables={wager.name: [table]}, readings=readings, decks=decks))
    assert () == problems
    return terms


def solved(game: Game, wager_name: str, table: str, *, decks: int | None = None, **readings: str) -> OddsResult:
    wager = game.by_name[wager_name]
    return solve_terms(game, wager, terms_of(game, wager, table, readings, decks))


def percent(value: Fraction, places: int = 2) -> str:
    return f"{float(value * 100):.{places}f}"


def mean(counts: Counts, pays: UnitPays, choices: list[Any] | None = None) -> Fraction:
    """The expectation of these choices, of the best ones where none are given."""
    histogram = price(counts, pays, choices).histogram
    return sum((pays.net[code] * often for code, often in histogram.items()), Fraction(0)) / counts.total


# Three Card Poker


@cache
def three_card_poker_without_bonus() -> tuple[Counts, UnitPays]:
    game = three_card_poker.GAME
    wager = game.by_name["ante-play"]
    terms = terms_of(game, wager, "AB-none", {})
    return counts_of(game, wager, terms), unit_pays(wager, terms)


def test_three_card_poker_expectation_and_element_of_risk() -> None:
    result = solved(three_card_poker.GAME, "ante-play", "AB-541")
    assert Fraction(-13_733_780, THREE_CARD_DEALS) == result.ev
    assert "3.373" == percent(result.house_edge, 3)
    assert "2.01" == percent(result.element_of_risk)
    assert Fraction(14_900, 22_100) == result.decisions[0]["play"]


def test_three_card_poker_plays_queen_six_four_or_better() -> None:
    """The hands below are exactly those that fold."""
    game = three_card_poker.GAME
    wager = game.by_name["ante-play"]
    terms = terms_of(game, wager, "AB-541", {})
    counts = counts_of(game, wager, terms)
    (choices,) = best_decisions(counts, unit_pays(wager, terms))
    hands, _ = NumbaContext().classes(3)
    for hand, choice in zip(hands.tolist(), choices.tolist(), strict=True):
        ranks = sorted((card >> 2 for card in hand), reverse=True)
        paired, suited = len(set(ranks)) < 3, len({card & 3 for card in hand}) == 1
        run = ranks in ([12, 1, 0], [ranks[0], ranks[0] - 1, ranks[0] - 2])
        assert (0 if paired or suited or run or ranks >= [QUEEN, 4, 2] else 1) == choice


def test_three_card_poker_dealer_qualifies() -> None:
    counts, pays = three_card_poker_without_bonus()
    bounds = three_card_poker.GAME.by_name["ante-play"].bounds
    never_fold = price(counts, pays, [np.zeros(len(counts.levels[0].weights), dtype=np.int64)])
    qualified = sum(often for code, often in never_fold.histogram.items() if decode(code, bounds)[3])
    assert Fraction(15_380, 22_100) == Fraction(qualified, counts.total)


def test_three_card_poker_ties_to_the_player() -> None:
    result = solved(three_card_poker.GAME, "ante-play", "AB-541", ties="player")
    assert "3.24" == percent(result.house_edge)
    assert Fraction(14_924, 22_100) == result.decisions[0]["play"]


def test_three_card_poker_without_ante_bonus_optimal_mimic_dealer_and_never_fold() -> None:
    counts, pays = three_card_poker_without_bonus()
    hands, _ = NumbaContext().classes(3)
    made = counts.levels[0].groups[:, 0]
    ranks = hands >> 2
    paired = (ranks[:, 0] == ranks[:, 1]) | (ranks[:, 1] == ranks[:, 2])
    suited = (hands & 3 == hands[:, :1] & 3).all(axis=1)
    like_the_dealer = (ranks.max(axis=1) >= QUEEN) | paired | suited | (made > 0)
    assert THREE_CARD_DEALS == counts.total
    assert Fraction(-35_253_012, THREE_CARD_DEALS) == mean(counts, pays)
    assert Fraction(-35_563_032, THREE_CARD_DEALS) == mean(counts, pays, [np.where(like_the_dealer, 0, 1)])
    assert Fraction(-52_683_216, THREE_CARD_DEALS) == mean(counts, pays, [np.zeros(len(hands), dtype=np.int64)])


@pytest.mark.parametrize(
    ("table", "edge"),
    [
        ("PP-40-30-6-4-1", "2.32"),
        ("PP-40-30-6-3-1", "7.28"),
        ("PP-50-30-6-3-1", "5.10"),
        ("PP-40-30-5-4-1", "5.57"),
        ("PP-40-25-6-4-1", "3.49"),
    ],
)
def test_pair_plus(table: str, edge: str) -> None:
    result = solved(three_card_poker.GAME, "pair-plus", table)
    assert edge == percent(result.house_edge)
    assert [48, 52, 720, 1_096, 3_744, 16_440] == [event.count for event in result.events]


def test_six_card_bonus() -> None:
    assert "14.36" == percent(solved(three_card_poker.GAME, "six-card-bonus", "6CB-2000").house_edge)


# Four Card Poker


def test_four_card_poker() -> None:
    result = solved(four_card_poker.GAME, "ante-raise", "4CP-25-20-2")
    assert 0.0278 < result.house_edge < 0.0279
    assert "1.30" == percent(result.element_of_risk)


def test_four_card_poker_simple_strategy() -> None:
    """Fold less than a pair of threes, raise once up to nines, three times from tens on."""
    game = four_card_poker.GAME
    wager = game.by_name["ante-raise"]
    terms = terms_of(game, wager, "4CP-25-20-2", {})
    nodes, tables = ante_raise_nodes(NumbaContext()), four_card_tables()
    threes, tens = (FOUR_CARD.value([4 * rank, 4 * rank + 1, *rest]) for rank, rest in ((1, (0, 8)), (8, (0, 4))))
    values = [best_four_of_five(tables, hand) for hand in nodes.hands.tolist()]
    choices = np.array([3 if value >= tens else 1 if value >= threes else 0 for value in values])[nodes.hand]
    assert "3.40" == percent(-mean(counts_of(game, wager, terms), unit_pays(wager, terms), [choices]))


# Wagers against a pay table


def test_wild_holdem_foldem() -> None:
    result = solved(wild_holdem_foldem.GAME, "ante-play-raise", "WHF-1000")
    assert "6.86" == percent(result.house_edge)
    assert "38.1" == percent(result.decisions[0]["play"], 1)


def test_dj_wild_trips() -> None:
    result = solved(dj_wild_trips.GAME, "trips", "DJW-1")
    assert "95.76" == percent(1 + result.ev)
    assert ("Five wild cards", 1, comb(53, 5)) == (result.events[0].event, result.events[0].count, result.events[0].of)


@pytest.mark.parametrize(("decks", "edge"), [(1, "13.30"), (2, "7.26"), (4, "4.24"), (6, "3.24"), (8, "2.74")])
def test_twenty_one_plus_three_all_wins_nine_to_one(decks: int, edge: str) -> None:
    assert edge == percent(solved(twenty_one_plus_three.GAME, "21-plus-3", "21+3-9", decks=decks).house_edge)
