"""3 Card Double Play counted on the full deck: the shape of the counts, hands dealt out, and optimal play."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from random import Random

import numpy as np
import pytest

from pitboss.games.three_card_double_play import facts
from pitboss.odds.compiled import as_arrays, compiled
from pitboss.odds.pricing import best_decisions, price, unit_pays
from pitboss.odds.solving import solve
from pitboss.poker import three_card_tables
from pitboss.rules.facts import decode
from tests.odds.three_card_double_play_deck import (
    AS_SET,
    DEALERS,
    FULL,
    GAME,
    HANDS,
    LWB,
    MAIN,
    OPTIMAL,
    PICK_3,
    PICK_3_AS_SET,
    as_set_choices,
    counted,
    every_setting,
    expectation,
    level_of,
    main_pays,
    side_histogram,
    terms_of,
    worths,
)
from tests.odds.three_card_double_play_loops import every_dealer

pytestmark = pytest.mark.xdist_group("three_card_double_play_counts")


def test_every_setting_meets_every_dealers_hand() -> None:
    counts = counted("high-low")
    level = level_of(counts)
    assert level.allowed is not None
    assert counts.total == HANDS * DEALERS == int(level.weights.sum()) * DEALERS
    assert (962_988, 10, 3) == level.counts.shape
    there = level.allowed[:, ::2] == 1
    assert (level.allowed[:, 1::2] == level.allowed[:, ::2]).all()
    assert there[:, 0].all()
    sums = level.counts.sum(axis=2)
    assert (sums[there] == DEALERS).all()
    assert (sums[~there] == 0).all()
    assert (level.counts >= 0).all()
    for decision, name in enumerate(level.decisions):
        for category in range(7):
            for code, columns in zip(level.codes[decision, category], ((1, 1), (1, 0), (0, 0)), strict=True):
                assert (int(name.endswith("doubled")), *columns, category) == decode(int(code), MAIN.bounds)


def test_settings_are_legal_in_order_and_all_there() -> None:
    hands, _ = FULL.classes(6)
    found = every_setting()
    for node in Random(6).sample(range(len(hands)), 300):
        cards = tuple(int(card) for card in hands[node])
        legal = {
            facts.hand_values(cards, sum(1 << at for at in high), three_card_tables())
            for high in combinations(range(6), 3)
        }
        values = sorted(((high, low) for high, low in legal if high >= low), reverse=True)
        used = int(found.used[node])
        assert values == [(int(found.highs[node, at]), int(found.lows[node, at])) for at in range(used)]
        masks = [int(found.places[node, at]) for at in range(used)]
        assert values == [facts.hand_values(cards, mask, three_card_tables()) for mask in masks]


def check_dealt_out(node: int, random: Random) -> None:
    """Deal the hand, its suits renamed, against every dealer's hand in every setting."""
    level, found = level_of(counted("high-low")), every_setting()
    names = random.sample(range(4), 4)
    player = np.array([card - card % 4 + names[card % 4] for card in map(int, FULL.classes(6)[0][node])])
    left = np.array([card for card in range(52) if card not in player])
    run, tables = compiled(every_dealer), as_arrays(three_card_tables())
    for setting in range(int(found.used[node])):
        dealt = np.zeros(56, dtype=np.int64)
        run(player, int(found.places[node, setting]), left, tables, dealt)
        codes = level.codes[2 * setting, level.groups[node, setting]]
        expected = np.zeros(56, dtype=np.int64)
        np.add.at(expected, codes, level.counts[node, setting])
        assert (expected == dealt).all()


def test_a_hand_at_random_dealt_out_gives_the_same_counts() -> None:
    random = Random(962_988)
    check_dealt_out(random.randrange(962_988), random)


@pytest.mark.parametrize("category", [0, 4, *(pytest.param(number, marks=pytest.mark.slow) for number in (1, 2, 3))])
def test_hands_with_two_of_the_highest_categories_dealt_out_give_the_same_counts(category: int) -> None:
    random, found = Random(category), every_setting()
    high = np.array(three_card_tables().category)[found.highs[:, 0]]
    low = np.array(three_card_tables().category)[found.lows[:, 0]]
    nodes = np.flatnonzero((high == low) & (low == category))
    check_dealt_out(int(random.choice(nodes)), random)


@pytest.mark.slow
def test_many_hands_dealt_out_give_the_same_counts() -> None:
    random = Random(52)
    for node in random.sample(range(962_988), 60):
        check_dealt_out(node, random)


# The full deck: optimal play.


@pytest.mark.parametrize("table", LWB)
def test_optimal_expectation(table: str) -> None:
    counts, pays = counted("high-low"), main_pays(table)
    best = worths(counts, pays).max(axis=1)
    weights = level_of(counts).weights
    worth = sum(int(part.sum()) for part in np.array_split(np.where(best > 0, 2, 1) * best * weights, 64))
    assert OPTIMAL[table] == (Fraction(worth, pays.scale * counts.total), int(weights[best > 0].sum()))


def check_pick_3_as_set(pick: str, table: str) -> None:
    counts, pays = counted("pick-3", reading=AS_SET), unit_pays(PICK_3, terms_of("pick-3", pick))
    choices = as_set_choices(worths(counted("high-low"), main_pays(table)), level_of(counts).groups, pays)
    priced = price(counts, pays, [choices])
    assert PICK_3_AS_SET[pick, table] == expectation(priced.histogram.items(), pays, priced.total)
    beside = solve(GAME.name, "pick-3", [pick], readings={"pick3_basis": "as_set"}, beside=[table])
    assert PICK_3_AS_SET[pick, table] == beside.ev


@pytest.mark.parametrize(("pick", "table"), [("P3-10", "LWB-5")])
def test_optimal_settings_make_pick_3_as_set(pick: str, table: str) -> None:
    check_pick_3_as_set(pick, table)


@pytest.mark.slow
@pytest.mark.parametrize(("pick", "table"), PICK_3_AS_SET)
def test_optimal_settings_of_every_table_make_pick_3_as_set(pick: str, table: str) -> None:
    check_pick_3_as_set(pick, table)


def test_tdp_3_setting_for_pick_3_alone_is_the_reading_best() -> None:
    counts, pays = counted("pick-3", reading=AS_SET), unit_pays(PICK_3, terms_of("pick-3", "P3-1"))
    best = expectation(enumerate(side_histogram("pick-3")), pays, HANDS)
    assert best == expectation(price(counts, pays).histogram.items(), pays, HANDS)
    assert best > PICK_3_AS_SET["P3-1", "LWB-1"]


@pytest.mark.slow
@pytest.mark.parametrize("table", LWB)
def test_optimal_expectation_as_priced(table: str) -> None:
    counts, pays = counted("high-low"), main_pays(table)
    (choice,) = best_decisions(counts, pays)
    priced = price(counts, pays, [choice])
    doubled = sum(often for name, often in priced.decisions[0].items() if name.endswith("doubled"))
    assert OPTIMAL[table] == (expectation(priced.histogram.items(), pays, priced.total), doubled)
