"""Counting the wagers of 3 Card Double Play that look at the six cards however they are set."""

from __future__ import annotations

from typing import Any

import numpy

from pitboss.games.three_card_double_play import facts
from pitboss.games.three_card_double_play.facts import read_pick_3, read_pick_5, read_super_3s, read_super_six
from pitboss.poker import three_card_tables
from pitboss.rules.counts import Counts, plain_counts
from pitboss.rules.facts import Hands
from pitboss.rules.kit import Kit

__all__ = ["count_six_cards"]

_PICK_3, _PICK_5, _SUPER_3S, _SUPER_SIX = 0, 1, 2, 3
_SIX_CARDS = {
    "pick-3": (_PICK_3, facts.PICK_3_EVENTS),
    "pick-5": (_PICK_5, facts.PICK_5_EVENTS),
    "super-3s": (_SUPER_3S, facts.SUPER_3S_EVENTS),
    "super-six": (_SUPER_SIX, facts.SUPER_SIX_EVENTS),
}


def loop_six_cards(start: int, stop: int, which: int, sets: Any, weights: Any, tables: Any, histogram: Any) -> None:
    """Over every set of six cards."""
    player: Any = numpy.zeros(6, dtype=numpy.int64)
    for node in range(start, stop):
        for place in range(6):
            player[place] = sets[node, place]
        hands = Hands(player, (0, 0, 0, 0, 0), (0, 0), (0,))
        if which == _PICK_3:
            made = read_pick_3(hands, tables).made
        elif which == _PICK_5:
            made = read_pick_5(hands, tables).made
        elif which == _SUPER_3S:
            made = read_super_3s(hands, tables).made
        else:
            made = read_super_six(hands, tables).made
        histogram[made] += weights[node]


def count_six_cards(kit: Kit, wager: str) -> Counts:
    """Count one of these wagers."""
    which, events = _SIX_CARDS[wager]
    sets, weights = kit.classes(6)
    loop, tables = kit.compiled(loop_six_cards), kit.arrays(three_card_tables())

    def piece(start: int, stop: int) -> Any:
        histogram = numpy.zeros(1 << len(events), dtype=numpy.int64)
        loop(start, stop, which, sets, weights, tables, histogram)
        return histogram

    return plain_counts(wager, sum(kit.spread(piece, len(sets))), "every set of six cards by suit class")
