"""What a player of Four Card Prime looks at: the best four cards and the dealer's up card."""

from collections.abc import Sequence
from itertools import permutations
from typing import Any

import numpy

from pitboss.cards import Card
from pitboss.games.four_card_prime.loops import ante_raise_nodes
from pitboss.poker import FOUR_CARD, best_four_of_five, four_card_tables
from pitboss.poker.scales import scale_of
from pitboss.rules.counting import CountingContext
from pitboss.rules.features import Feature, HandSpec, NodeMatch, StrategyQuestion

_MAIN = "ante-raise"
_ANSWERS = ("fold", "raise 1", "raise 2", "raise 3")
_DETAILS = {"high-card": 1, "pair": 1, "two-pair": 1}


def hand_specs(wager: str) -> tuple[HandSpec, ...]:
    """Return how many cards a player holds and sees at each decision."""
    return (HandSpec(level=0, player=5, public=1),) if wager == _MAIN else ()


def loop_best_four(start: int, stop: int, hands: Any, tables: Any, values: Any) -> None:
    """Value the best four of five cards."""
    for hand in range(start, stop):
        cards = (hands[hand, 0], hands[hand, 1], hands[hand, 2], hands[hand, 3], hands[hand, 4])
        values[hand] = best_four_of_five(tables, cards)


def questions(wager: str, context: CountingContext) -> tuple[StrategyQuestion, ...]:
    """Return the questions of a wager."""
    if wager != _MAIN:
        return ()
    nodes = ante_raise_nodes(context)
    values = numpy.zeros(len(nodes.hands), dtype=numpy.int64)
    loop, tables = context.compiled(loop_best_four), context.arrays(four_card_tables())
    context.spread(lambda start, stop: loop(start, stop, nodes.hands, tables, values), len(values))
    scale = scale_of(FOUR_CARD, _DETAILS)
    ranks = numpy.array([FOUR_CARD.ranks_of(value) for value in range(FOUR_CARD.classes)], dtype=numpy.int8)[values]
    pairs = numpy.array([FOUR_CARD.category_of(value).name == "pair" for value in range(FOUR_CARD.classes)])[values]
    up = (nodes.up >> 2).astype(numpy.int8)
    held = numpy.zeros((len(values), 13), dtype=bool)
    for place in range(5):
        held[numpy.arange(len(values)), nodes.hands[:, place] >> 2] = True
    pair = numpy.where(pairs, ranks[:, 0], -1)[nodes.hand]
    features = (
        Feature.of_scale(numpy.array(scale.steps, dtype=numpy.int8)[values][nodes.hand], scale),
        Feature.of_rank(up, "up card"),
        Feature(
            values=numpy.where(pair >= 0, numpy.sign(pair - up) + 1, 0),
            at_least={2: "one pair, above the up card", 1: "one pair, not below the up card"},
        ),
        Feature.yes_or_no(held[nodes.hand, up], "a card of the up card's rank", "no card of the up card's rank"),
    )
    return (StrategyQuestion.only(0, "Raise how many Antes, or fold?", _ANSWERS, features),)


def find(_wager: str, context: CountingContext, player: Sequence[Card], public: Sequence[Card]) -> NodeMatch:
    """Find five cards and the up card among the nodes of the counts, which are any of those with suits renamed."""
    nodes = ante_raise_nodes(context)
    for names in permutations(range(4)):
        *hand, up = (card >> 2 << 2 | names[card & 3] for card in (*player, *public))
        for row in numpy.flatnonzero((nodes.hands == sorted(hand)).all(axis=1)).tolist():
            first, last = nodes.first[row], nodes.first[row + 1]
            there = numpy.flatnonzero(nodes.up[first:last] == up)
            if len(there):
                return NodeMatch(node=int(first + there[0]), decisions=_ANSWERS)
    raise ValueError("no such cards")
