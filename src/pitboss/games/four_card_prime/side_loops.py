"""Counting the wagers of Four Card Prime that look at the player's five cards alone."""

from __future__ import annotations

from math import comb
from typing import Any

import numpy

from pitboss.games.four_card_prime import facts
from pitboss.games.four_card_prime.facts import read_aces_baby, read_five_card_jackpot, read_four_card_jackpot
from pitboss.poker import four_card_tables
from pitboss.rules.counts import Counts, plain_counts
from pitboss.rules.facts import Hands
from pitboss.rules.kit import Kit

__all__ = ["count_five_cards", "count_prime"]


def loop_five_cards(hands: Any, weights: Any, tables: Any, aces_baby: Any, five_card: Any, four_card: Any) -> None:
    """Over every five cards."""
    for index in range(len(hands)):
        a, b, c, d, e = hands[index, 0], hands[index, 1], hands[index, 2], hands[index, 3], hands[index, 4]
        cards = Hands((a, b, c, d, e), (0, 0, 0, 0, 0, 0), (0,), (0,))
        aces_baby[read_aces_baby(cards, tables).made] += weights[index]
        five_card[read_five_card_jackpot(cards, tables).made] += weights[index]
        four_card[read_four_card_jackpot(cards, tables).made] += weights[index]


def count_five_cards(kit: Kit, wager: str) -> Counts:
    """Count one of the wagers paid by what the five cards make."""
    hands, weights = kit.classes(5)
    histograms = {
        name: numpy.zeros(1 << len(events), dtype=numpy.int64)
        for name, events in (
            ("aces-baby", facts.ACES_BABY_EVENTS),
            ("five-card-jackpot", facts.FIVE_CARD_EVENTS),
            ("four-card-jackpot", facts.FOUR_CARD_EVENTS),
        )
    }
    kit.compiled(loop_five_cards)(hands, weights, kit.arrays(four_card_tables()), *histograms.values())
    return plain_counts(wager, histograms[wager], "every hand by suit class")


def count_prime(kit: Kit) -> Counts:
    """Colors alone matter: count by how many red cards the hand holds, on cards that stand for each number."""
    histogram = numpy.zeros(1 << len(facts.PRIME_EVENTS), dtype=numpy.int64)
    half = kit.cards // 2
    reds, blacks = [1, 2, 5, 6, 9], [0, 3, 4, 7, 8]
    for red in range(6):
        cards = reds[:red] + blacks[red:]
        made = facts.read_prime(Hands(cards, (), (), ()), None).made
        histogram[made] += comb(half, red) * comb(half, 5 - red)
    return plain_counts("prime", histogram, "by the number of red cards")
