"""Counting Three Card Poker. No pay and no tie rule is in here."""

from __future__ import annotations

from math import comb
from typing import Any

import numpy

from pitboss.poker import three_card_tables
from pitboss.rules.counting import CountingContext, Counts, DecisionLevel, plain_counts
from pitboss.rules.facts import Hands, encode
from tests.relatives.three_card_poker import facts
from tests.relatives.three_card_poker.facts import read_ante_play, read_pair_plus, read_six_card_bonus

_MASKS, _COMPARISONS, _QUALIFIED = 1 << len(facts.ANTE_BONUS_EVENTS), 3, 2


def count(wager: str, context: CountingContext) -> Counts:
    counters = {"ante-play": _ante_play, "pair-plus": _pair_plus, "six-card-bonus": _six_card_bonus}
    return counters[wager](context)


def loop_ante_play(start: int, stop: int, hands: Any, cards: int, tables: Any, counts: Any, groups: Any) -> None:
    """Against every dealer's hand, count comparison and qualifier; the group is what the player's hand makes."""
    for node in range(start, stop):
        a, b, c = hands[node, 0] + 0, hands[node, 1] + 0, hands[node, 2] + 0
        for x in range(cards):
            for y in range(x):
                for z in range(y):
                    if a not in (x, y, z) and b not in (x, y, z) and c not in (x, y, z):
                        read = read_ante_play(Hands((a, b, c), (x, y, z), (1,), (0,)), tables)
                        counts[node, 0, read.comparison * 2 + read.qualified] += 1
                        groups[node, 0] = read.events


def _ante_play(context: CountingContext) -> Counts:
    hands, weights = context.classes(3)
    counts = numpy.zeros((len(hands), 1, _COMPARISONS * _QUALIFIED), dtype=numpy.int64)
    groups = numpy.zeros((len(hands), 1), dtype=numpy.int64)
    loop, tables = context.compiled(loop_ante_play), context.arrays(three_card_tables())
    context.spread(lambda start, stop: loop(start, stop, hands, context.cards, tables, counts, groups), len(hands))
    bounds = (2, _MASKS, _COMPARISONS, _QUALIFIED)
    codes = numpy.full((2, _MASKS, _COMPARISONS * _QUALIFIED), encode((0, 0, 0, 0), bounds), dtype=numpy.int64)
    for made, column in numpy.ndindex(codes.shape[1:]):
        codes[0, made, column] = encode((1, made, *divmod(column, _QUALIFIED)), bounds)
    level = DecisionLevel(
        decisions=("play", "fold"), branches=(0, 0), weights=weights, counts=counts, groups=groups, codes=codes
    )
    total = comb(context.cards, 3) * comb(context.cards - 3, 3)
    return Counts(
        wager="ante-play", total=total, levels=(level,), method="every hand by suit class against every other"
    )


def loop_pair_plus(hands: Any, weights: Any, tables: Any, histogram: Any) -> None:
    for node in range(len(hands)):
        cards = (hands[node, 0] + 0, hands[node, 1] + 0, hands[node, 2] + 0)
        histogram[read_pair_plus(Hands(cards, cards, (0,), (0,)), tables).events] += weights[node]


def _pair_plus(context: CountingContext) -> Counts:
    histogram = numpy.zeros(1 << len(facts.PAIR_PLUS_EVENTS), dtype=numpy.int64)
    context.compiled(loop_pair_plus)(*context.classes(3), context.arrays(three_card_tables()), histogram)
    return plain_counts("pair-plus", histogram, "every three cards by suit class")


def loop_six_cards(start: int, stop: int, sets: Any, weights: Any, histogram: Any) -> None:
    for node in range(start, stop):
        player = (sets[node, 0] + 0, sets[node, 1] + 0, sets[node, 2] + 0)
        dealer = (sets[node, 3] + 0, sets[node, 4] + 0, sets[node, 5] + 0)
        histogram[read_six_card_bonus(Hands(player, dealer, (0,), (0,)), 0).events] += weights[node]


def _six_card_bonus(context: CountingContext) -> Counts:
    """Who holds which of the six cards does not matter."""
    sets, weights = context.classes(6)
    loop = context.compiled(loop_six_cards)

    def piece(start: int, stop: int) -> Any:
        histogram = numpy.zeros(1 << len(facts.SIX_CARD_EVENTS), dtype=numpy.int64)
        loop(start, stop, sets, weights, histogram)
        return histogram

    return plain_counts("six-card-bonus", sum(context.spread(piece, len(sets))), "every six cards by suit class")
