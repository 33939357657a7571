"""Counting the Trips wager of DJ Wild: every five of 52 cards, and every four with the joker."""

from __future__ import annotations

from typing import Any

import numpy

from pitboss.cards import JOKER
from pitboss.rules.counting import CountingContext, Counts, plain_counts
from pitboss.rules.facts import Hands
from tests.relatives.dj_wild_trips import facts
from tests.relatives.dj_wild_trips.facts import read_trips


def loop_trips(hands: Any, weights: Any, histogram: Any) -> None:
    for node in range(len(hands)):
        cards = (hands[node, 0], hands[node, 1], hands[node, 2], hands[node, 3], hands[node, 4])
        histogram[read_trips(Hands(cards, cards, (0,), (0,)), 0).rank] += weights[node]


def count(wager: str, context: CountingContext) -> Counts:
    histogram = numpy.zeros(1 + len(facts.EVENTS), dtype=numpy.int64)
    loop = context.compiled(loop_trips)
    five, weights = context.classes(5)
    loop(five.astype(numpy.int64), weights, histogram)
    four, weights = context.classes(4)
    with_joker = numpy.hstack((four, numpy.full((len(four), 1), JOKER))).astype(numpy.int64)
    loop(with_joker, weights, histogram)
    return plain_counts(wager, histogram, "every five cards by suit class, with the joker and without")
