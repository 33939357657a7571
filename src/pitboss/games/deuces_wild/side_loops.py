"""Counting the wagers of Deuces Wild that have no decision, from the sets of cards that `loops` lists."""

from __future__ import annotations

from math import comb
from typing import Any

import numpy

from pitboss.games.deuces_wild import facts
from pitboss.games.deuces_wild.facts import read_bonus_jackpot, read_treasure
from pitboss.rules.counts import Counts, plain_counts
from pitboss.rules.facts import Hands

__all__ = ["count_bonus_jackpot", "count_treasure"]


def count_treasure(sets: Any) -> Counts:
    """Count the Three Card Treasure over the sets of three cards."""
    here = sets.of_size(3)
    histogram = numpy.zeros(1 << len(facts.TREASURE_EVENTS), dtype=numpy.int64)
    for hand, weight in zip(sets.cards[here].tolist(), sets.weights[here], strict=True):
        histogram[read_treasure(Hands(hand[:3], (), (), ()), None).made] += weight
    return plain_counts("three-card-treasure", histogram, "every three cards, suits renamed and wild cards exchanged")


def count_bonus_jackpot(sets: Any) -> Counts:
    """Count the Bonus Jackpot: wild cards alone matter, so by how many, on cards that stand for each number."""
    histogram = numpy.zeros(1 << len(facts.JACKPOT_EVENTS), dtype=numpy.int64)
    for wild in range(6):
        cards = (*sets.wild[:wild].tolist(), *sets.natural[: 5 - wild].tolist())
        ways = comb(len(sets.wild), wild) * comb(len(sets.natural), 5 - wild)
        histogram[read_bonus_jackpot(Hands(cards, (), (), ()), None).made] += ways
    return plain_counts("bonus-jackpot", histogram, "by the number of wild cards")
