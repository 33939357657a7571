"""3 Card Double Play by a second road: a bit for every dealer's hand, those that hold one of six cards struck out."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from typing import Any, NamedTuple

import numpy as np
import pytest

from pitboss.games.three_card_double_play import facts
from pitboss.odds.compiled import as_arrays, compiled, in_threads
from pitboss.poker import three_card_tables
from pitboss.rules.facts import EventFacts
from tests.games.counting import net
from tests.odds.three_card_double_play_deck import (
    DEALERS,
    FULL,
    HANDS,
    LWB,
    MAIN,
    OPTIMAL,
    P3,
    PICK_3,
    PICK_3_AS_SET,
    counted,
    every_setting,
    level_of,
    main_terms,
    terms_of,
)
from tests.odds.three_card_double_play_loops import fill_bitmap, sizes_of_values, struck_out

pytestmark = pytest.mark.xdist_group("three_card_double_play_counts")


class Bitmap(NamedTuple):
    first: Any
    """The first word of each value, and one past the last."""
    there: Any
    """The words with a bit for every dealer's hand."""
    holding: Any
    """The same for the hands that hold a card."""


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
        prizes[table, code] = int(net(PICK_3.settle(EventFacts(code), terms_of("pick-3", P3[table]))))
    bits, tables, run = dealers_bitmap(), as_arrays(three_card_tables()), compiled(struck_out)

    def piece(start: int, stop: int) -> StruckOut:
        shapes = (len(LWB), len(LWB), (len(LWB), len(P3)), 1)
        sums = StruckOut(*(np.zeros(shape, dtype=np.int64) for shape in shapes))
        run(start, stop, hands, weights, bits, tables, nets, prizes, found, level.counts, sums)
        return sums

    pieces = in_threads(piece, len(hands))
    return StruckOut(*(sum(parts) for parts in zip(*pieces, strict=True)))


@pytest.mark.slow
def test_every_count_by_striking_out_dealers_hands() -> None:
    assert 0 == by_bitmap().wrong[0]


@pytest.mark.slow
@pytest.mark.parametrize("table", LWB)
def test_optimal_expectation_by_striking_out_dealers_hands(table: str) -> None:
    sums, place = by_bitmap(), LWB.index(table)
    assert OPTIMAL[table] == (Fraction(int(sums.worth[place]), 2 * HANDS * DEALERS), int(sums.doubled[place]))


@pytest.mark.slow
@pytest.mark.parametrize("table", LWB)
@pytest.mark.parametrize("pick", ["P3-1", "P3-10"])
def test_pick_3_as_set_by_striking_out_dealers_hands(pick: str, table: str) -> None:
    won = int(by_bitmap().pick_3[LWB.index(table), P3.index(pick)])
    assert PICK_3_AS_SET[pick, table] == Fraction(won, HANDS)
