"""3 Card Double Play counted: against dealing everything out on shortened decks, on samples, and by second roads."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations, permutations
from math import comb
from random import Random
from typing import Any, NamedTuple

import numpy as np
import pytest

from pitboss.games import find_game
from pitboss.games.three_card_double_play import facts
from pitboss.games.three_card_double_play.facts import (
    read_high_low,
    read_pick_3,
    read_pick_5,
    read_super_3s,
    read_super_six,
)
from pitboss.games.three_card_double_play.loops import Settings, pick_3_by_setting, settings
from pitboss.odds.compiled import as_arrays, compiled, in_threads
from pitboss.odds.kit import CountingKit, count
from pitboss.odds.pricing import UnitPays, best_decisions, price, unit_pays
from pitboss.poker import DIVISIONS_OF_SIX, THREE_CARD, best_three_of_five, three_card_tables, three_card_value
from pitboss.rules import Outcome, Seat, Stated, Terms, decode, encode, make_terms
from pitboss.rules.counts import Counts, Level
from pitboss.rules.facts import Hands
from pitboss.rules.pays import Loss, Pay, ToOne
from tests.games.counting import net, percent

pytestmark = pytest.mark.xdist_group("three_card_double_play_counts")

GAME = find_game("three-card-double-play")
MAIN, PICK_3, PICK_5 = GAME.by_name["high-low"], GAME.by_name["pick-3"], GAME.by_name["pick-5"]
FULL = CountingKit()
BEST, AS_SET = 0, 1  # the readings of `pick3_basis`
HANDS, DEALERS = comb(52, 6), comb(46, 5)
LWB = tuple(f"LWB-{number}" for number in range(1, 7))
P3 = tuple(f"P3-{number}" for number in (*range(1, 9), *range(10, 17)))
SIDES = {"pick-3": 7, "pick-5": 8, "super-3s": 6, "super-six": 7}

# What optimal play is worth, and in how many of 52C6 hands it doubles. Two roads: inclusion and exclusion by suit class,
# priced through the settlement; and every dealer's hand a bit, those with one of the six cards struck out, and the rest
# below each value added up, for all ten divisions (`struck_out`).
OPTIMAL = {
    "LWB-1": (Fraction(-71_014_960_633, 6_976_630_681_020), 6_074_320),
    "LWB-2": (Fraction(-716_916_943, 37_109_737_665), 6_884_656),
    "LWB-3": (Fraction(-201_984_812_269, 6_976_630_681_020), 6_074_320),
    "LWB-4": (Fraction(-15_834_219_727, 348_831_534_051), 6_593_440),
    "LWB-5": (Fraction(-3_680_578_463, 74_219_475_330), 6_233_488),
    "LWB-6": (Fraction(-3_177_159_899, 45_302_796_630), 6_233_488),
}
# What Pick-3 is worth on the hands as the main game sets them, by the same two roads.
PICK_3_AS_SET = {
    ("P3-1", "LWB-1"): Fraction(-22_546, 72_709),
    ("P3-1", "LWB-2"): Fraction(-1_588_159, 5_089_630),
    ("P3-1", "LWB-3"): Fraction(-16_789, 54_145),
    ("P3-1", "LWB-4"): Fraction(-791_429, 2_544_815),
    ("P3-1", "LWB-5"): Fraction(-1_569_943, 5_089_630),
    ("P3-1", "LWB-6"): Fraction(-1_569_889, 5_089_630),
    ("P3-10", "LWB-1"): Fraction(-163_649, 1_017_926),
    ("P3-10", "LWB-2"): Fraction(-34_904, 195_755),
    ("P3-10", "LWB-3"): Fraction(-163_649, 1_017_926),
    ("P3-10", "LWB-4"): Fraction(-462_563, 2_544_815),
    ("P3-10", "LWB-5"): Fraction(-469_457, 2_544_815),
    ("P3-10", "LWB-6"): Fraction(-469_457, 2_544_815),
}
# No printed table pays a low category more than a higher one; an operator's own might.
UPSIDE_DOWN: Mapping[str, Pay] = {
    "Mini-Royal in Low side": Loss(),
    "Straight Flush": ToOne(Fraction(0)),
    "Trips": ToOne(Fraction(1, 3)),
    "Straight": ToOne(Fraction(1)),
    "Flush": ToOne(Fraction(9)),
    "Pair": ToOne(Fraction(5, 2)),
    "High Cards": ToOne(Fraction(4)),
}


def terms_of(wager: str, table: str, pays: Mapping[str, Pay] | None = None) -> Terms:
    """The terms of one table, with the pays of a custom table where they are given."""
    terms, problems = make_terms(GAME, Stated(paytables={wager: [table]}, readings={}))
    assert problems == ()
    if pays is None:
        return terms
    slot = GAME.by_name[wager].slots[0].name
    posted = terms.tables[slot]
    rows = tuple(type(row)(row.event, str(pays[row.event]), pays[row.event]) for row in posted.rows)
    return Terms(game=GAME.name, deck=terms.deck, tables={slot: posted.with_rows(rows)}, readings=terms.readings)


def main_terms(table: str) -> Terms:
    return terms_of("high-low", "LWB-1", UPSIDE_DOWN) if table == "upside down" else terms_of("high-low", table)


@cache
def main_pays(table: str) -> UnitPays:
    return unit_pays(MAIN, main_terms(table))


@cache
def every_setting() -> Settings:
    counted("high-low")  # lets loops call the facts
    return settings(FULL)


@cache
def counted(wager: str, ranks: int = 13, reading: int = BEST) -> Counts:
    return count(GAME, wager, CountingKit(ranks=ranks, readings=(reading,)))


def level_of(counts: Counts) -> Level:
    (level,) = counts.levels
    return level


def expectation(histogram: Iterable[tuple[int, int]], pays: UnitPays, total: int) -> Fraction:
    return sum((pays.net[code] * number for code, number in histogram), Fraction(0)) / total


def side_histogram(wager: str, ranks: int = 13) -> list[int]:
    return [int(number) for number in level_of(counted(wager, ranks)).counts[0, 0]]


def worths(counts: Counts, pays: UnitPays) -> Any:
    """What each setting is worth undoubled, by node, times the common denominator of the pays; no setting: very little."""
    level = level_of(counts)
    assert level.allowed is not None
    scaled = np.array([int(pay * pays.scale) for pay in pays.net], dtype=np.int64)
    values = scaled[level.codes[0]]  # the first decision is not doubled; all settings have the same codes
    worth = np.zeros(level.groups.shape, dtype=np.int64)
    for column in range(level.counts.shape[2]):
        worth += level.counts[:, :, column] * values[level.groups, column]
    return np.where(level.allowed[:, ::2], worth, -(1 << 62))


def as_set_choices(worth: Any, made: Any, pays: UnitPays) -> Any:
    """The setting worth most in the main game; of equals the one that pays more on Pick-3 (TDP-3)."""
    prize = np.array([int(pay) for pay in pays.net], dtype=np.int64)[made]
    return np.where(worth == worth.max(axis=1, keepdims=True), prize, -(1 << 62)).argmax(axis=1)


# Shortened decks: every hand, every legal setting, every dealer's hand, through facts and settlement.


class NaiveSetting(NamedTuple):
    values: tuple[int, int]
    found: Counter[tuple[int, ...]]
    pick_3: int


class NaiveHand(NamedTuple):
    weight: int
    settings: list[NaiveSetting]
    made: dict[str, int]


def naive_setting(cards: tuple[int, ...], high: tuple[int, ...], boards: Sequence[tuple[int, ...]]) -> NaiveSetting:
    low = tuple(card for card in cards if card not in high)
    mask = sum(1 << cards.index(card) for card in high)
    tables = three_card_tables()
    found = Counter(tuple(MAIN.read(Hands(cards, board, (mask, 0), (AS_SET,)), tables)) for board in boards)
    (made,) = PICK_3.read(Hands(cards, boards[0], (mask, 0), (AS_SET,)), tables)
    return NaiveSetting((THREE_CARD.hand(high).value, THREE_CARD.hand(low).value), found, made)


@cache
def naive_hands(ranks: int, *, by_class: bool) -> list[NaiveHand]:
    deck = range(4 * ranks)
    weights = Counter[tuple[int, ...]]()
    for cards in combinations(deck, 6):
        alike = [tuple(sorted(card - card % 4 + names[card % 4] for card in cards)) for names in permutations(range(4))]
        weights[min(alike) if by_class else cards] += 1
    hands = []
    for cards, weight in weights.items():
        boards = list(combinations(sorted(set(deck) - set(cards)), 5))
        question = GAME.question(Seat(1, {"high-low": 100}, cards), {})
        assert question is not None
        by_values: dict[tuple[int, int], NaiveSetting] = {}
        for high in question.options():
            setting = naive_setting(cards, high, boards)
            assert by_values.setdefault(setting.values, setting)[1:] == setting[1:]
        ordered = [by_values[values] for values in sorted(by_values, reverse=True)]
        read = Hands(cards, boards[0], (0, 0), (BEST,))
        made = {name: GAME.by_name[name].read(read, three_card_tables())[0] for name in SIDES}
        hands.append(NaiveHand(weight, ordered, made))
    return hands


def settled(outcome: Outcome) -> tuple[Fraction, Fraction]:
    """What the chips won or lost, and how much was at risk."""
    return net(outcome), sum((Fraction(part.multiple) for part in outcome.parts), Fraction(0))


class NaiveResult(NamedTuple):
    worth: Fraction
    codes: Counter[int]
    decisions: Counter[str]


def naive_main(hands: list[NaiveHand], terms: Terms) -> NaiveResult:
    """Decide by G-18: the largest expectation, the smaller wager, the smaller variance, the first."""
    outcomes = {
        (doubled, *made): settled(MAIN.settle(facts.HighLow(doubled, *made), terms))
        for doubled in (0, 1)
        for made in {found[1:] for hand in hands for setting in hand.settings for found in setting.found}
    }
    total, codes, decisions = Fraction(0), Counter[int](), Counter[str]()
    for hand in hands:
        options = []
        for number, setting in enumerate(hand.settings, start=1):
            for doubled in (0, 1):
                results = [(outcomes[doubled, *made[1:]], often) for made, often in setting.found.items()]
                worth = sum(won * often for (won, _), often in results)
                risk = sum(staked * often for (_, staked), often in results)
                square = sum(won * won * often for (won, _), often in results)
                options.append((worth, -risk, -square, -number, -doubled))
        worth, _, _, number, doubled = max(options)
        total += worth * hand.weight
        decisions[f"setting {-number}{' doubled' if doubled else ''}"] += hand.weight
        for made, often in hand.settings[-number - 1].found.items():
            codes[encode((-doubled, *made[1:]), MAIN.bounds)] += often * hand.weight
    return NaiveResult(total, codes, decisions)


def check_main_on_short_deck(ranks: int, hands: list[NaiveHand], table: str) -> None:
    naive = naive_main(hands, main_terms(table))
    counts, pays = counted("high-low", ranks), main_pays(table)
    assert comb(4 * ranks, 6) * comb(4 * ranks - 6, 5) == counts.total == sum(naive.codes.values())
    priced = price(counts, pays)
    assert naive.worth / counts.total == expectation(priced.histogram.items(), pays, counts.total)
    assert dict(naive.codes) == priced.histogram
    assert dict(naive.decisions) == {name: often for name, often in priced.decisions[0].items() if often}


def check_pick_3_as_set_on_short_deck(ranks: int, hands: list[NaiveHand], main: str, table: str) -> None:
    terms, pick_terms = main_terms(main), terms_of("pick-3", table)
    total = Fraction(0)
    for hand in hands:
        valued = []
        for setting in hand.settings:
            worth = sum(net(MAIN.settle(facts.HighLow(*made), terms)) * often for made, often in setting.found.items())
            valued.append((worth, net(PICK_3.settle(facts.Made(setting.pick_3), pick_terms))))
        total += max(valued)[1] * hand.weight
    counts, pays = counted("pick-3", ranks, AS_SET), unit_pays(PICK_3, pick_terms)
    made = pick_3_by_setting(CountingKit(ranks=ranks))
    assert (made == level_of(counts).groups).all()
    choices = as_set_choices(worths(counted("high-low", ranks), main_pays(main)), made, pays)
    priced = price(counts, pays, [choices])
    assert total / comb(4 * ranks, 6) == expectation(priced.histogram.items(), pays, priced.total)


@pytest.mark.parametrize("table", [*LWB, "upside down"])
def test_three_ranks_dealt_out_give_the_same_expectation_events_and_decisions(table: str) -> None:
    check_main_on_short_deck(3, naive_hands(3, by_class=False), table)


@pytest.mark.prove
@pytest.mark.parametrize("table", [*LWB, "upside down"])
def test_four_ranks_dealt_out_give_the_same_expectation_events_and_decisions(table: str) -> None:
    check_main_on_short_deck(4, naive_hands(4, by_class=True), table)


@pytest.mark.parametrize("table", P3)
@pytest.mark.parametrize("main", [LWB[0], LWB[5], "upside down"])
def test_three_ranks_dealt_out_give_the_same_pick_3_as_set(main: str, table: str) -> None:
    check_pick_3_as_set_on_short_deck(3, naive_hands(3, by_class=False), main, table)


@pytest.mark.prove
@pytest.mark.parametrize("table", P3)
@pytest.mark.parametrize("main", [*LWB, "upside down"])
def test_four_ranks_dealt_out_give_the_same_pick_3_as_set(main: str, table: str) -> None:
    check_pick_3_as_set_on_short_deck(4, naive_hands(4, by_class=True), main, table)


def check_sides_on_short_deck(ranks: int, hands: list[NaiveHand], wager: str) -> None:
    naive = Counter[int]()
    for hand in hands:
        naive[hand.made[wager]] += hand.weight
    assert dict(naive) == {code: often for code, often in enumerate(side_histogram(wager, ranks)) if often}


@pytest.mark.parametrize("wager", SIDES)
def test_three_ranks_dealt_out_make_the_same_sets_of_events(wager: str) -> None:
    check_sides_on_short_deck(3, naive_hands(3, by_class=False), wager)


@pytest.mark.prove
@pytest.mark.parametrize("wager", SIDES)
def test_four_ranks_dealt_out_make_the_same_sets_of_events(wager: str) -> None:
    check_sides_on_short_deck(4, naive_hands(4, by_class=True), wager)


# The full deck: the shape of the counts, and hands dealt out by a plain loop.


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


def every_dealer(player: Any, high: int, left: Any, tables: Any, found: Any) -> None:
    """Ask the facts about every dealer's hand of the cards left."""
    board: Any = np.zeros(5, dtype=np.int64)
    for a in range(len(left)):
        board[0] = left[a]
        for b in range(a):
            board[1] = left[b]
            for c in range(b):
                board[2] = left[c]
                for d in range(c):
                    board[3] = left[d]
                    for e in range(d):
                        board[4] = left[e]
                        read = read_high_low(Hands(player, board, (high, 0), (0,)), tables)
                        found[
                            encode((read.doubled, read.high_wins, read.low_wins, read.low_category), (2, 2, 2, 7))
                        ] += 1


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


def test_a_sample_of_hands_dealt_out_gives_the_same_counts() -> None:
    random = Random(962_988)
    for node in random.sample(range(962_988), 3):
        check_dealt_out(node, random)


@pytest.mark.parametrize("category", range(5))
def test_hands_with_two_of_the_highest_categories_dealt_out_give_the_same_counts(category: int) -> None:
    random, found = Random(category), every_setting()
    high = np.array(three_card_tables().category)[found.highs[:, 0]]
    low = np.array(three_card_tables().category)[found.lows[:, 0]]
    nodes = np.flatnonzero((high == low) & (low == category))
    check_dealt_out(int(random.choice(nodes)), random)


@pytest.mark.prove
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


@pytest.mark.parametrize(("pick", "table"), [("P3-1", "LWB-1"), ("P3-10", "LWB-5")])
def test_optimal_settings_make_pick_3_as_set(pick: str, table: str) -> None:
    check_pick_3_as_set(pick, table)


@pytest.mark.prove
@pytest.mark.parametrize(("pick", "table"), PICK_3_AS_SET)
def test_optimal_settings_of_every_table_make_pick_3_as_set(pick: str, table: str) -> None:
    check_pick_3_as_set(pick, table)


def test_tdp_3_setting_for_pick_3_alone_is_the_reading_best() -> None:
    counts, pays = counted("pick-3", reading=AS_SET), unit_pays(PICK_3, terms_of("pick-3", "P3-1"))
    best = expectation(enumerate(side_histogram("pick-3")), pays, HANDS)
    assert best == expectation(price(counts, pays).histogram.items(), pays, HANDS)
    assert best > PICK_3_AS_SET["P3-1", "LWB-1"]


@pytest.mark.prove
@pytest.mark.parametrize("table", LWB)
def test_optimal_expectation_as_priced(table: str) -> None:
    counts, pays = counted("high-low"), main_pays(table)
    (choice,) = best_decisions(counts, pays)
    priced = price(counts, pays, [choice])
    doubled = sum(often for name, often in priced.decisions[0].items() if name.endswith("doubled"))
    assert OPTIMAL[table] == (expectation(priced.histogram.items(), pays, priced.total), doubled)


# The second road: a bit for every dealer's hand, in the order of their values.


class Bitmap(NamedTuple):
    first: Any
    """The first word of each value, and one past the last."""
    there: Any
    """The words with a bit for every dealer's hand."""
    holding: Any
    """The same for the hands that hold a card."""


def sizes_of_values(tables: Any, sizes: Any) -> None:
    five: Any = np.zeros(5, dtype=np.int64)
    for a in range(52):
        for b in range(a):
            for c in range(b):
                for d in range(c):
                    for e in range(d):
                        five[0], five[1], five[2], five[3], five[4] = a, b, c, d, e
                        sizes[best_three_of_five(tables, five)] += 1


def fill_bitmap(tables: Any, first: Any, filled: Any, there: Any, holding: Any) -> None:
    five: Any = np.zeros(5, dtype=np.int64)
    for a in range(52):
        for b in range(a):
            for c in range(b):
                for d in range(c):
                    for e in range(d):
                        five[0], five[1], five[2], five[3], five[4] = a, b, c, d, e
                        value = best_three_of_five(tables, five)
                        word, bit = first[value] + filled[value] // 64, filled[value] % 64
                        filled[value] += 1
                        there[word] |= 1 << bit
                        for card in five:
                            holding[card, word] |= 1 << bit


def dealers_bitmap() -> Bitmap:
    tables = as_arrays(three_card_tables())
    sizes = np.zeros(len(tables.category), dtype=np.int64)
    compiled(sizes_of_values)(tables, sizes)
    first = np.concatenate([[0], np.cumsum((sizes + 63) // 64)])
    there, holding = np.zeros(first[-1], dtype=np.int64), np.zeros((52, first[-1]), dtype=np.int64)
    filled = np.zeros(len(sizes), dtype=np.int64)
    compiled(fill_bitmap)(tables, first, filled, there, holding)
    assert (filled == sizes).all()
    return Bitmap(first, there, holding)


class StruckOut(NamedTuple):
    """Sums over all hands: what is won under each table, doubled hands, what Pick-3 wins, and counts that differ."""

    worth: Any
    doubled: Any
    pick_3: Any
    wrong: Any


def struck_out(
    start: int,
    stop: int,
    hands: Any,
    weights: Any,
    bits: Any,
    tables: Any,
    nets: Any,
    prizes: Any,
    found: Any,
    counts: Any,
    sums: Any,
) -> None:
    """For every hand strike out the dealer's hands that hold one of its cards, and take the best of ten divisions.

    `nets` is what is won by table, doubled, column (both, High only, neither) and low category; `prizes` by table and events.
    """
    words = len(bits.there)
    ones = np.zeros(words, dtype=np.int64)
    up_to = np.zeros(len(bits.first) - 1, dtype=np.int64)
    best = np.zeros(len(nets), dtype=np.int64)
    prize = np.zeros((len(nets), len(prizes)), dtype=np.int64)
    player: Any = np.zeros(6, dtype=np.int64)
    columns = np.zeros(3, dtype=np.int64)
    for node in range(start, stop):
        for place in range(6):
            player[place] = hands[node, place]
        p, q, r = bits.holding[player[0]], bits.holding[player[1]], bits.holding[player[2]]
        s, t, u = bits.holding[player[3]], bits.holding[player[4]], bits.holding[player[5]]
        for word in range(words):
            x = bits.there[word] & ~(p[word] | q[word] | r[word] | s[word] | t[word] | u[word])
            x -= (x >> 1) & 0x5555555555555555
            x = (x & 0x3333333333333333) + ((x >> 2) & 0x3333333333333333)
            x = (x + (x >> 4)) & 0x0F0F0F0F0F0F0F0F
            ones[word] = (x * 0x0101010101010101) >> 56
        total = 0
        for value in range(len(up_to)):
            for word in range(bits.first[value], bits.first[value + 1]):
                total += ones[word]
            up_to[value] = total
        for setting in range(found.used[node]):
            high, low = up_to[found.highs[node, setting]], up_to[found.lows[node, setting]]
            expected = counts[node, setting]
            if expected[0] != low or expected[1] != high - low or expected[2] != total - high:
                sums.wrong[0] += 1
        for division in range(10):
            mask = 0
            for place in DIVISIONS_OF_SIX[division][:3]:
                mask |= 1 << place
            a, b, c, d, e, f = DIVISIONS_OF_SIX[division]
            first = three_card_value(tables, player[a], player[b], player[c])
            second = three_card_value(tables, player[d], player[e], player[f])
            high, low = max(first, second), min(first, second)
            columns[0], columns[1], columns[2] = up_to[low], up_to[high] - up_to[low], total - up_to[high]
            made = read_pick_3(Hands(player, (0, 0, 0, 0, 0), (mask, 0), (AS_SET,)), tables).made
            for table in range(len(nets)):
                worth = 0
                doubled = 0
                for column in range(3):
                    worth += columns[column] * nets[table, 0, column, tables.category[low]]
                    doubled += columns[column] * nets[table, 1, column, tables.category[low]]
                worth = max(worth, doubled)
                if division == 0 or worth > best[table]:
                    best[table] = worth
                    prize[table, :] = prizes[:, made]
                elif worth == best[table]:
                    prize[table, :] = np.maximum(prize[table, :], prizes[:, made])
        for table in range(len(nets)):
            sums.worth[table] += best[table] * weights[node]
            sums.doubled[table] += weights[node] if best[table] > 0 else 0
            sums.pick_3[table, :] += prize[table, :] * weights[node]


@cache
def by_bitmap() -> StruckOut:
    level, found = level_of(counted("high-low")), every_setting()
    hands, weights = FULL.classes(6)
    nets = np.zeros((len(LWB), 2, 3, 7), dtype=np.int64)
    for place in np.ndindex(nets.shape):
        table, doubled, column, category = place
        made = facts.HighLow(doubled, *((1, 1), (1, 0), (0, 0))[column], category)
        nets[place] = int(2 * net(MAIN.settle(made, main_terms(LWB[table]))))
    prizes = np.zeros((len(P3), 128), dtype=np.int64)
    for table, code in np.ndindex(prizes.shape):
        prizes[table, code] = int(net(PICK_3.settle(facts.Made(code), terms_of("pick-3", P3[table]))))
    bits, tables, run = dealers_bitmap(), as_arrays(three_card_tables()), compiled(struck_out)

    def piece(start: int, stop: int) -> StruckOut:
        shapes = (len(LWB), len(LWB), (len(LWB), len(P3)), 1)
        sums = StruckOut(*(np.zeros(shape, dtype=np.int64) for shape in shapes))
        run(start, stop, hands, weights, bits, tables, nets, prizes, found, level.counts, sums)
        return sums

    pieces = in_threads(piece, len(hands))
    return StruckOut(*(sum(parts) for parts in zip(*pieces, strict=True)))


@pytest.mark.prove
def test_every_count_by_striking_out_dealers_hands() -> None:
    assert 0 == by_bitmap().wrong[0]


@pytest.mark.prove
@pytest.mark.parametrize("table", LWB)
def test_optimal_expectation_by_striking_out_dealers_hands(table: str) -> None:
    sums, place = by_bitmap(), LWB.index(table)
    assert OPTIMAL[table] == (Fraction(int(sums.worth[place]), 2 * HANDS * DEALERS), int(sums.doubled[place]))


@pytest.mark.prove
@pytest.mark.parametrize("table", LWB)
@pytest.mark.parametrize("pick", ["P3-1", "P3-10"])
def test_pick_3_as_set_by_striking_out_dealers_hands(pick: str, table: str) -> None:
    won = int(by_bitmap().pick_3[LWB.index(table), P3.index(pick)])
    assert PICK_3_AS_SET[pick, table] == Fraction(won, HANDS)


# Wagers on the six cards: published frequencies, and every set of six cards one by one.


def best_events(wager: str) -> list[int]:
    """How often each event is the best one made, and last how often there is none."""
    counts = [0] * (SIDES[wager] + 1)
    for code, often in enumerate(side_histogram(wager)):
        counts[(code & -code).bit_length() - 1 if code else -1] += often
    return counts


def test_anchor_tdp_5_best_five_of_six_frequencies() -> None:
    less = 9_730_740 + 6_612_900
    frequencies = [188, 1_656, 14_664, 165_984, 205_792, 361_620, 732_160, 2_532_816, less]
    assert frequencies == best_events("pick-5")
    assert sum(frequencies) == HANDS


def test_anchor_tdp_5_six_card_straight_flushes() -> None:
    six, royal, straight_flush, *rest = best_events("super-six")
    assert (36, [14_664, 165_984, 205_792, 361_620]) == (six, rest[:4])
    # Of the six-card straight flushes four are royals of five and 32 are other straight flushes of five.
    assert (188 - 4, 1_656 - 32) == (royal, straight_flush)


def test_anchor_tdp_5_six_card_bonus() -> None:
    """6 Card Bonus is Pick-5 with other pays and nothing for two pairs."""
    events = ("Royal", "Straight Flush", "Quads", "Full House", "Flush", "Straight", "Trips")
    amounts = (2000, 200, 50, 25, 15, 10, 5)
    pays: dict[str, Pay] = {event: ToOne(Fraction(to)) for event, to in zip(events, amounts, strict=True)}
    terms = terms_of("pick-5", "P5-1", {**pays, "Two Pairs": Loss(), "Other": Loss()})
    edge = -expectation(enumerate(side_histogram("pick-5")), unit_pays(PICK_5, terms), HANDS)
    assert "14.36" == percent(edge)


def every_six_cards(start: int, stop: int, tables: Any, found: Any) -> None:
    """Ask the facts about all sets of six cards whose highest card is in the range."""
    player: Any = np.zeros(6, dtype=np.int64)
    for a in range(start, stop):
        for b in range(a):
            for c in range(b):
                for d in range(c):
                    for e in range(d):
                        for f in range(e):
                            player[0], player[1], player[2], player[3], player[4], player[5] = d, a, f, c, e, b
                            hands = Hands(player, (0, 0, 0, 0, 0), (0, 0), (BEST,))
                            found[0, read_pick_3(hands, tables).made] += 1
                            found[1, read_pick_5(hands, tables).made] += 1
                            found[2, read_super_3s(hands, tables).made] += 1
                            found[3, read_super_six(hands, tables).made] += 1


@pytest.mark.prove
def test_every_six_cards_one_by_one_make_the_same_sets_of_events() -> None:
    histograms = [side_histogram(wager) for wager in SIDES]
    tables, run = as_arrays(three_card_tables()), compiled(every_six_cards)

    def piece(start: int, stop: int) -> Any:
        found = np.zeros((4, 256), dtype=np.int64)
        run(start, stop, tables, found)
        return found

    found = sum(in_threads(piece, 52, pieces=26))
    for histogram, dealt in zip(histograms, found, strict=True):
        assert [*histogram, *[0] * (256 - len(histogram))] == dealt.tolist()
