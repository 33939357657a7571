"""3 Card Double Play as its counting tests see it: terms, counts made once, and what settings are worth."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from functools import cache
from math import comb
from typing import Any

import numpy as np

from pitboss.games import find_game
from pitboss.games.three_card_double_play.loops import Settings, settings
from pitboss.odds.context import NumbaContext
from pitboss.odds.pricing import UnitPays, unit_pays
from pitboss.odds.solving import counts_of
from pitboss.rules import Terms, TermsInput, make_terms
from pitboss.rules.counting import Counts, DecisionLevel
from pitboss.rules.pays import Loss, Pay, ToOne

GAME = find_game("three-card-double-play")
MAIN, PICK_3, PICK_5 = GAME.by_name["high-low"], GAME.by_name["pick-3"], GAME.by_name["pick-5"]
FULL = NumbaContext()
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
    terms, problems = make_terms(GAME, TermsInput(paytables={wager: [table]}, readings={}))
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
    """The counts that `solve` finds again."""
    readings = {"pick3_basis": ("best", "as_set")[reading]}
    terms, problems = make_terms(GAME, TermsInput(paytables={}, readings=readings))
    assert () == problems
    return counts_of(GAME, GAME.by_name[wager], terms, ranks=ranks)


def level_of(counts: Counts) -> DecisionLevel:
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
