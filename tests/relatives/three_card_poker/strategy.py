"""What a player of Three Card Poker looks at: how good the three cards are."""

from __future__ import annotations

from collections.abc import Sequence

import numpy

from pitboss.cards import Card
from pitboss.poker import THREE_CARD
from pitboss.poker.scales import scale_of
from pitboss.rules.counting import CountingContext
from pitboss.rules.features import Feature, HandSpec, NodeMatch, StrategyQuestion, suits_renamed


def hand_specs(wager: str) -> tuple[HandSpec, ...]:
    return (HandSpec(level=0, player=3),) if wager == "ante-play" else ()


def questions(_wager: str, context: CountingContext) -> tuple[StrategyQuestion, ...]:
    hands, _ = context.classes(3)
    scale = scale_of(THREE_CARD, {"high-card": 3, "pair": 2, "flush": 1})
    steps = numpy.array([scale.steps[THREE_CARD.value(hand)] for hand in hands.tolist()], dtype=numpy.int64)
    return (StrategyQuestion.only(0, "Play or fold?", ("play", "fold"), (Feature.of_scale(steps, scale),)),)


def find(_wager: str, context: CountingContext, player: Sequence[Card], _public: Sequence[Card]) -> NodeMatch:
    hands, _ = context.classes(3)
    row = sorted(suits_renamed(player).values())
    return NodeMatch(node=int(numpy.flatnonzero((hands == row).all(axis=1))[0]), decisions=("play", "fold"))
