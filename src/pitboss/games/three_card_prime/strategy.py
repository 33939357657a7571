"""What a player of Three Card Prime looks at: how good the three cards are."""

from collections.abc import Sequence

import numpy

from pitboss.cards import Card
from pitboss.poker import THREE_CARD, three_card_tables, three_card_value
from pitboss.poker.scales import scale_of
from pitboss.rules.counting import CountingContext
from pitboss.rules.features import Feature, HandSpec, NodeMatch, StrategyQuestion, suits_renamed

_MAIN = "ante-play"
_DETAILS = {"high-card": 3, "pair": 2, "flush": 3, "straight": 1, "trips": 1, "straight-flush": 1}


def hand_specs(wager: str) -> tuple[HandSpec, ...]:
    """Return how many cards a player holds at each decision."""
    return (HandSpec(level=0, player=3),) if wager == _MAIN else ()


def questions(wager: str, context: CountingContext) -> tuple[StrategyQuestion, ...]:
    """Return the questions of a wager."""
    if wager != _MAIN:
        return ()
    hands, _ = context.classes(3)
    scale, tables = scale_of(THREE_CARD, _DETAILS), three_card_tables()
    steps = numpy.array([scale.steps[three_card_value(tables, *hand)] for hand in hands.tolist()], dtype=numpy.int64)
    return (StrategyQuestion.only(0, "Play or fold?", ("play", "fold"), (Feature.of_scale(steps, scale),)),)


def find(_wager: str, context: CountingContext, player: Sequence[Card], _public: Sequence[Card]) -> NodeMatch:
    """Find three cards among the nodes of the counts."""
    hands, _ = context.classes(3)
    row = sorted(suits_renamed(player).values())
    return NodeMatch(node=int(numpy.flatnonzero((hands == row).all(axis=1))[0]), decisions=("play", "fold"))
