"""3 Card Double Play, wagers on six cards: published frequencies, and every set of six cards one by one."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from pitboss.odds.compiled import as_arrays, compiled, in_threads
from pitboss.poker import three_card_tables
from tests.odds.three_card_double_play_deck import HANDS, SIDES, side_histogram
from tests.odds.three_card_double_play_loops import every_six_cards

pytestmark = pytest.mark.xdist_group("three_card_double_play_counts")


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


@pytest.mark.slow
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
