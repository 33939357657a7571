"""What a player of Three Card Poker looks at: how good the three cards are."""

from __future__ import annotations

from collections.abc import Sequence

import numpy

from pitboss.cards import Card
from pitboss.poker import THREE_CARD
from pitboss.poker.scales import scale_of
from pitboss.rules.kit import Kit
from pitboss.rules.looking import Found, HandAsked, Question, question, scale_feature, suits_renamed


def hands_asked(wager: str) -> tuple[HandAsked, ...]:
    return (HandAsked(level=0, player=3),) if wager == "ante-play" else ()


def questions(_wager: str, kit: Kit) -> tuple[Question, ...]:
    hands, _ = kit.classes(3)
    scale = scale_of(THREE_CARD, {"high-card": 3, "pair": 2, "flush": 1})
    steps = numpy.array([scale.steps[THREE_CARD.value(hand)] for hand in hands.tolist()], dtype=numpy.int64)
    return (question(0, "Play or fold?", ("play", "fold"), (scale_feature(steps, scale),)),)


def find(_wager: str, kit: Kit, player: Sequence[Card], _public: Sequence[Card]) -> Found:
    hands, _ = kit.classes(3)
    row = sorted(suits_renamed(player).values())
    return Found(node=int(numpy.flatnonzero((hands == row).all(axis=1))[0]), decisions=("play", "fold"))
