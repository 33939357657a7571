"""Four Card Prime counted: hand by hand on shortened decks, on samples, by simulation, and against printed figures."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import combinations
from math import comb, sqrt
from random import Random
from typing import Any

import numpy as np
import pytest

from pitboss.games import find_game
from pitboss.games.four_card_prime.facts import read_ante_raise
from pitboss.games.four_card_prime.loops import Nodes, ante_raise_nodes
from pitboss.odds.compiled import as_arrays, compiled
from pitboss.odds.context import NumbaContext, count
from pitboss.odds.pricing import Priced, UnitPays, best_decisions, price, unit_pays
from pitboss.poker import four_card_tables
from pitboss.rules import Terms, TermsInput, make_terms
from pitboss.rules.counting import Counts
from pitboss.rules.facts import BELOW, Hands, decode

pytestmark = pytest.mark.xdist_group("four_card_prime_counts")

GAME = find_game("four-card-prime")
MAIN = GAME.by_name["ante-raise"]
FULL = NumbaContext()
HANDS, DEALERS = comb(52, 5), comb(46, 5)
BAD_BEATS = ("BB-1", "BB-2", "BB-3", "BB-4")

# What optimal play is worth with Win-1, and how often it folds, raises once, twice and three times (of 52C5 * 47).
OPTIMAL = {
    "BB-1": Fraction(-172_100_825, 6_313_692_924),
    "BB-2": Fraction(-13_614_320_693, 536_663_898_540),
    "BB-3": Fraction(-176_836_939_859, 6_976_630_681_020),
    "BB-4": Fraction(-155_262_119_249, 6_976_630_681_020),
}
DECISIONS = {"0": 57_646_776, "1": 26_987_340, "2": 0, "3": 37_517_004}


def terms_of(wager: str, *tables: str) -> Terms:
    terms, problems = make_terms(GAME, TermsInput(paytables={wager: list(tables)}, readings={}))
    assert problems == ()
    return terms


def main_pays(bad_beat: str) -> UnitPays:
    return unit_pays(MAIN, terms_of("ante-raise", "Win-1", bad_beat))


def expectation(pays: UnitPays, priced: Priced) -> Fraction:
    return sum((pays.net[code] * often for code, often in priced.histogram.items()), Fraction(0)) / priced.total


@cache
def rank_arrays() -> Any:
    return as_arrays(four_card_tables())


@pytest.fixture(scope="module")
def main() -> Counts:
    return count(GAME, "ante-raise", FULL)


@pytest.fixture(scope="module")
def nodes() -> Nodes:
    return ante_raise_nodes(FULL)


# Shortened decks


Node = tuple[tuple[int, ...], int]
Tally = Counter[tuple[int, ...]]


def loop_dealer(
    hand: tuple[int, ...], up: int, deck: int, tables: Any, found: Any
) -> None:  # pragma: no cover - runs compiled
    """Deal every hand of the dealer and ask the facts."""
    held = np.zeros(deck, np.bool_)
    for card in hand:
        held[card] = True
    held[up] = True
    left = np.flatnonzero(~held)
    for a in range(len(left)):
        for b in range(a + 1, len(left)):
            for c in range(b + 1, len(left)):
                for d in range(c + 1, len(left)):
                    for e in range(d + 1, len(left)):
                        board = (up, left[a], left[b], left[c], left[d], left[e])
                        read = read_ante_raise(Hands(hand, board, (1,), (0,)), tables)
                        found[read.events, read.comparison] += 1


def by_plain_loop(hand: tuple[int, ...], up: int, ranks: int) -> tuple[int, ...]:
    """What the hand makes, and how many of the dealer's hands it is below, equal to and above."""
    found = np.zeros((8, 3), np.int64)
    compiled(loop_dealer)(hand, up, 4 * ranks, rank_arrays(), found)
    (made,) = np.flatnonzero(found.sum(axis=1))
    return int(made), *(int(often) for often in found[made])


def counted(counts: Counts, node: int) -> tuple[int, ...]:
    (level,) = counts.levels
    return int(level.groups[node, 0]), *(int(often) for often in level.counts[node, 0])


def card_tuples(nodes: Nodes) -> list[Node]:
    hands = [tuple(int(card) for card in hand) for hand in nodes.hands]
    return [(hands[hand], int(up)) for hand, up in zip(nodes.hand, nodes.up, strict=True)]


def test_shortened_deck_of_four_ranks_hand_by_hand() -> None:
    """Every hand and up card, whatever its class: straights, flushes and straight flushes occur."""
    context = NumbaContext(ranks=4)
    counts = count(GAME, "ante-raise", context)
    (level,) = counts.levels
    by_class: Counter[tuple[int, ...]] = Counter()
    for node, weight in enumerate(level.weights):
        by_class[counted(counts, node)] += int(weight)
    dealt: Counter[tuple[int, ...]] = Counter(
        by_plain_loop(hand, up, 4) for hand in combinations(range(16), 5) for up in range(16) if up not in hand
    )
    assert dealt == by_class
    assert {0, 1 + 4, 2, 4} == {made for made, *_ in dealt}


@pytest.mark.parametrize("ranks", [4, pytest.param(5, marks=pytest.mark.slow), pytest.param(6, marks=pytest.mark.slow)])
def test_shortened_decks_class_by_class(ranks: int) -> None:
    context = NumbaContext(ranks=ranks)
    counts = count(GAME, "ante-raise", context)
    listed = card_tuples(ante_raise_nodes(context))
    assert len(counts.levels[0].weights) == len(listed)
    assert comb(4 * ranks, 5) * (4 * ranks - 5) == int(counts.levels[0].weights.sum())
    for node, (hand, up) in enumerate(listed):
        assert by_plain_loop(hand, up, ranks) == counted(counts, node)


# The full deck, on samples


def sample(nodes: Nodes, main: Counts, seed: int, size: int, each: int) -> list[int]:
    """Nodes at random, and a few for everything that a hand can make."""
    random = Random(seed)
    groups = main.levels[0].groups[:, 0]
    chosen = [random.choice(np.flatnonzero(groups == made)) for made in np.unique(groups) for _ in range(each)]
    return [int(node) for node in chosen] + random.sample(range(len(nodes.hand)), size)


def check_sample(nodes: Nodes, main: Counts, seed: int, size: int, each: int) -> None:
    """The suits of the dealt cards are renamed and their order is another one: that must not matter."""
    random = Random(seed)
    for node in sample(nodes, main, seed, size, each):
        suits = random.sample(range(4), 4)
        hand = [int(card) // 4 * 4 + suits[int(card) % 4] for card in nodes.hands[nodes.hand[node]]]
        up = int(nodes.up[node]) // 4 * 4 + suits[int(nodes.up[node]) % 4]
        random.shuffle(hand)
        assert by_plain_loop(tuple(hand), up, 13) == counted(main, node)


def test_sampled_hands_of_the_full_deck_dealt_out(nodes: Nodes, main: Counts) -> None:
    check_sample(nodes, main, 1, 4, each=1)


@pytest.mark.slow
def test_many_sampled_hands_of_the_full_deck_dealt_out(nodes: Nodes, main: Counts) -> None:
    check_sample(nodes, main, 2, 400, each=2)


def loop_rounds(
    hands: Any, ups: Any, raises: Any, seed: int, tables: Any, pays: Any, sums: Any
) -> None:  # pragma: no cover - runs compiled
    """Deal the dealer's five hidden cards at random (rejecting those that are out) and add up results and squares."""
    state = np.uint64(seed)
    board: Any = np.zeros(6, np.int64)
    for deal in range(len(ups)):
        out = np.int64(1) << np.int64(ups[deal])
        for place in range(5):
            out |= np.int64(1) << np.int64(hands[deal, place])
        board[0] = ups[deal]
        size = 1
        while size < 6:
            # xorshift64*; the six bits taken are rejected above 51.
            state ^= state >> np.uint64(12)
            state ^= state << np.uint64(25)
            state ^= state >> np.uint64(27)
            card = np.int64((state * np.uint64(0x2545F4914F6CDD1D)) >> np.uint64(58))
            if card < 52 and not out >> card & 1:
                out |= np.int64(1) << card
                board[size] = card
                size += 1
        read = read_ante_raise(Hands(hands[deal], board, raises[deal : deal + 1], raises[:1]), tables)
        result = pays[(read.raised * 8 + read.events) * 3 + read.comparison]
        sums[0] += result
        sums[1] += result * result


def check_simulation(nodes: Nodes, main: Counts, millions: int) -> None:
    """Play the counted decisions against hands dealt at random: the mean is within four standard errors."""
    pays = main_pays("BB-1")
    (choices,) = best_decisions(main, pays)
    whole = np.array([int(net) for net in pays.net])
    assert tuple(whole) == pays.net
    edges = np.cumsum(nodes.weights)
    random = np.random.default_rng(5)
    sums = np.zeros(2, np.int64)
    for part in range(millions):
        picked = np.searchsorted(edges, random.integers(int(edges[-1]), size=1_000_000), side="right")
        hands, ups = nodes.hands[nodes.hand[picked]].astype(np.int64), nodes.up[picked].astype(np.int64)
        raises = choices[picked].astype(np.int64)
        compiled(loop_rounds)(hands, ups, raises, 1 + part, rank_arrays(), whole, sums)
    deals = millions * 1_000_000
    mean = sums[0] / deals
    error = sqrt((sums[1] / deals - mean * mean) / deals)
    print(f"simulated {mean:+.6f}, standard error {error:.6f}, counted {float(OPTIMAL['BB-1']):+.6f}")
    assert abs(mean - float(OPTIMAL["BB-1"])) < 4 * error


def test_simulated_rounds_agree_with_the_count(nodes: Nodes, main: Counts) -> None:
    check_simulation(nodes, main, 1)


@pytest.mark.slow
def test_many_simulated_rounds_agree_with_the_count(nodes: Nodes, main: Counts) -> None:
    check_simulation(nodes, main, 100)


# The full deck, all of it


def histogram(counts: Counts) -> dict[int, int]:
    """How often each facts code of a wager without a decision occurs."""
    (level,) = counts.levels
    return {code: int(often) for code, often in enumerate(level.counts[0, 0]) if often}


def by_best(counts: Counts, places: tuple[int, ...]) -> list[int]:
    """How often each of these events is the first that a hand makes, and at the end how often none of them is."""
    found: Counter[int] = Counter()
    for made, often in histogram(counts).items():
        found[next((index for index, place in enumerate(places) if made >> place & 1), len(places))] += often
    return [found[index] for index in range(len(places) + 1)]


@pytest.mark.parametrize("wager", [wager.name for wager in GAME.wagers if wager is not MAIN])
def test_counts_of_a_wager_on_five_cards_sum_to_all_hands(wager: str) -> None:
    counts = count(GAME, wager, FULL)
    assert HANDS == counts.total == sum(histogram(counts).values())
    assert counts.wager == wager


def test_anchor_best_four_of_five_frequencies() -> None:
    counts = count(GAME, "aces-baby", FULL)
    frequencies = [624, 2_072, 58_656, 114_616, 101_808, 123_552, 2_197_632]
    assert frequencies == by_best(counts, (1, 3, 5, 6, 7, 8))
    assert [*frequencies[:3], HANDS - sum(frequencies[:3])] == by_best(
        count(GAME, "four-card-jackpot", FULL), (1, 2, 3)
    )


def test_anchor_five_card_frequencies() -> None:
    counts = count(GAME, "five-card-jackpot", FULL)
    assert [4, 36, 624, 3_744, 5_108, 10_200, 54_912] == by_best(counts, tuple(range(7)))[:7]


def test_prime_counts_of_one_color() -> None:
    five, four = 2 * comb(26, 5), 2 * comb(26, 4) * 26
    assert {0b11: five, 0b10: four, 0: HANDS - five - four} == histogram(count(GAME, "prime", FULL))


def test_anchor_fcp_4_aces_baby_ab_6() -> None:
    pays = unit_pays(GAME.by_name["aces-baby"], terms_of("aces-baby", "AB-6"))
    priced = price(count(GAME, "aces-baby", FULL), pays)
    assert "96.63" == f"{float(100 + 100 * expectation(pays, priced)):.2f}"


def test_main_counts_are_complete(main: Counts) -> None:
    (level,) = main.levels
    assert ("0", "1", "2", "3") == level.decisions
    assert HANDS * 47 * DEALERS == main.total
    assert HANDS * 47 == int(level.weights.sum())
    assert level.counts.min() >= 0
    assert np.all(level.counts.sum(axis=2) == DEALERS)
    made = np.bincount(level.groups[:, 0], weights=level.weights, minlength=8) / 47
    assert [624, 2_072, 58_656] == [int(made[[1, 5]].sum()), int(made[[2, 6]].sum()), int(made[4])]


def test_main_codes_are_those_of_the_facts(main: Counts) -> None:
    (level,) = main.levels
    for raised in range(4):
        for made in range(8):
            for comparison in range(3):
                expected = (raised, made, comparison) if raised else (0, 0, BELOW)
                assert expected == decode(int(level.codes[raised, made, comparison]), MAIN.bounds)


def check_optimal(main: Counts, bad_beat: str) -> None:
    pays = main_pays(bad_beat)
    priced = price(main, pays)
    print(bad_beat, expectation(pays, priced), priced.decisions)
    assert OPTIMAL[bad_beat] == expectation(pays, priced)
    assert (DECISIONS,) == priced.decisions


def test_fcp_2_fcp_3_optimal_expectation_with_win_1_and_bb_1(main: Counts) -> None:
    check_optimal(main, "BB-1")


@pytest.mark.slow
@pytest.mark.parametrize("bad_beat", BAD_BEATS[1:])
def test_fcp_3_optimal_expectation_with_win_1_and_other_bad_beats(main: Counts, bad_beat: str) -> None:
    check_optimal(main, bad_beat)
