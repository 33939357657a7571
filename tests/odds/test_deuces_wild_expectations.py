"""Exact expectations of Deuces Wild, each by two roads: counted and priced, and by kinds, plain loops or every hand."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import combinations
from math import comb
from typing import Any

import numpy as np
import pytest

from pitboss.games.deuces_wild import loops
from pitboss.odds.pricing import price
from pitboss.rules.counting import Counts
from tests.odds.deuces_wild_kinds import (
    BY_PLAIN_LOOPS,
    EVENTS,
    Kind,
    best_pay,
    kinds_of_three,
    names_of_kind,
    one_more_card,
)
from tests.odds.deuces_wild_tree import (
    ANTE,
    APR,
    FORTUNE,
    FULL,
    JACKPOT,
    TREASURE,
    ante_choices,
    beside_ante,
    counted,
    expectation,
    pays_of,
)
from tests.poker import made_twin

# Optimal expectations. The roads of each: the counts priced through the settlement, and the second one named.
BY_KINDS = {  # a tree over kinds of hands, events by substitution, pays as printed
    "APR-A": Fraction(-39_684, 2_049_775),
    "APR-B": Fraction(-289_788, 14_348_425),
    "APR-C": Fraction(-363_508, 14_348_425),
    "APR-D": Fraction(-452_588, 14_348_425),
    "APR-E": Fraction(-479_728, 14_348_425),
    "APR-F": Fraction(-406_768, 14_348_425),
}
BY_EVERY_HAND = {  # every three cards by substitution, pays as printed; wild cards by binomials
    "TCT-A": Fraction(-276, 11_713),
    "TCT-B": Fraction(-283, 11_713),
    "TCT-C": Fraction(-383, 11_713),
    "BJ-A": Fraction(-285_953, 573_937),
    "BJ-B": Fraction(-291_537, 573_937),
    "BJ-C": Fraction(-298_017, 573_937),
}


@pytest.mark.parametrize("table", APR)
def test_dw_2_dw_3_ante_play_raise_by_kinds_of_hands(table: str) -> None:
    @cache
    def raised(kind: Kind) -> int:
        names = names_of_kind(kind)
        return 4 * best_pay(sum(1 << place for place, event in enumerate(EVENTS) if event in names), table)

    @cache
    def at_four(kind: Kind) -> int:
        return max(-2 * 49, sum(ways * raised(five) for five, ways in one_more_card(kind, 4) if ways))

    total = 0
    for kind, ways in kinds_of_three().items():
        played_on = sum(number * at_four(four) for four, number in one_more_card(kind, 3) if number)
        total += ways * max(-50 * 49, played_on)
    assert BY_KINDS[table] == Fraction(total, 53 * 52 * 51 * 50 * 49)


EXPECTED = [
    *((ANTE, table, value) for table, value in BY_KINDS.items()),
    *((FORTUNE, table, value) for table, value in BY_PLAIN_LOOPS.items()),
    *((TREASURE if table.startswith("TCT") else JACKPOT, table, value) for table, value in BY_EVERY_HAND.items()),
]


@pytest.mark.parametrize(("wager", "table", "expected"), EXPECTED)
def test_exact_expectations_of_optimal_play(wager: str, table: str, expected: Fraction) -> None:
    """The first road: counted, and priced through the settlement; the meter of a jackpot counts nothing."""
    pays = pays_of(wager, table)
    assert expected == expectation(price(counted(wager), pays), pays)


@pytest.mark.parametrize(("table", "played", "raised"), [("APR-A", 9_926, 484_744), ("APR-F", 9_566, 473_944)])
def test_how_often_optimal_play_plays_and_raises(table: str, played: int, raised: int) -> None:
    at_three, at_four = price(counted(ANTE), pays_of(ANTE, table)).decisions
    assert {"play": played, "fold": 23_426 - played} == at_three
    assert {"raise": raised, "fold": 50 * played - raised} == at_four


def test_dw_8_three_card_treasure_by_substitution() -> None:
    printed = {"TCT-A": (20, 6, 5, 2, 2), "TCT-B": (25, 5, 4, 3, 1), "TCT-C": (25, 5, 4, 2, 2)}
    events = ("mini-royal", "straight flush", "trips", "straight", "flush")
    hands = [made_twin.names_of_wild_three(hand) for hand in combinations(range(53), 3)]
    for table, pays in printed.items():
        won = dict(zip(events, pays, strict=True))
        total = sum(max((won[name] for name in names), default=-1) for names in hands)
        assert BY_EVERY_HAND[table] == Fraction(total, comb(53, 3))


def test_anchor_dw_7_wild_cards_in_five_of_53_cards() -> None:
    """The binomials, and the jackpot tables as printed: for 1, the Bonus counting nothing."""
    wild = [comb(5, held) * comb(48, 5 - held) for held in range(6)]
    assert comb(53, 5) == sum(wild)
    histogram = counted(JACKPOT).levels[0].counts[0, 0]
    assert {0: wild[0] + wild[1], 0b1000: wild[2], 0b1100: wild[3], 0b1110: wild[4], 0b1111: wild[5]} == {
        code: number for code, number in enumerate(histogram.tolist()) if number
    }
    for table, prizes in {"BJ-A": (250, 15, 7), "BJ-B": (400, 40, 5), "BJ-C": (500, 35, 5)}.items():
        paid = wild[4] * prizes[0] + wild[3] * prizes[1] + wild[2] * prizes[2]
        assert BY_EVERY_HAND[table] == Fraction(paid, comb(53, 5)) - 1


BESIDE = {
    ("APR-A", "FCF-A"): Fraction(-17_501_644_627, 62_042_589_700),
    ("APR-A", "FCF-B"): Fraction(-17_968_759_023, 62_042_589_700),
    ("APR-A", "FCF-C"): Fraction(-2_650_690_641, 8_863_227_100),
    ("APR-F", "FCF-A"): Fraction(-193_228_951, 681_786_700),
    ("APR-F", "FCF-B"): Fraction(-180_470_250, 620_425_897),
    ("APR-F", "FCF-C"): Fraction(-84_308_541, 280_735_700),
}


def test_dw_6_fortune_beside_the_ante_pinned() -> None:
    """The second road adds up what three and four cards are worth, each as the plain loops found them."""
    sets = loops.sets_of(FULL)
    parents, fourths, ways = loops.fourth_cards(sets)
    weights = sets.weights[sets.of_size(3)]
    for (ante, table), expected in BESIDE.items():
        pays = pays_of(FORTUNE, table)
        assert expected == expectation(price(beside_ante(13, ante), pays), pays)
        three, four = (values_of(counts, table) for counts in (counted(FORTUNE), loops.fortune_from_four(FULL)))
        plays = ante_choices(13, ante)[0] == 0
        at_four = np.zeros(len(weights), dtype=np.int64)
        np.add.at(at_four, parents, ways * four[fourths])
        total = int((weights * np.where(plays, at_four, 46 * three)).sum())
        assert expected == Fraction(total, comb(53, 3) * 50 * comb(49, 4))


def values_of(counts: Counts, table: str) -> Any:
    """What the best selection of every node is worth over its communities, as printed."""
    level = counts.levels[0]
    worth = level.counts @ np.array([best_pay(int(mask), table) for mask in level.codes[0, 0]])
    assert level.allowed is not None
    return np.where(level.allowed == 1, worth, worth.min() - 1).max(axis=1)
