"""Rounds of Three Card Poker, compiled: decisions looked up, facts read."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy

from pitboss.rules.counting import CountingContext, in_any_order
from pitboss.rules.facts import Hands, encode
from tests.relatives.three_card_poker.facts import read_ante_play, read_pair_plus, read_six_card_bonus
from tests.relatives.three_card_poker.rules import GAME

FOLDS = ("fold",)
_ANTE_PLAY, _PAIR_PLUS, _SIX_CARDS = (wager.bounds for wager in GAME.wagers)


class Plan(NamedTuple):
    """Whether three cards are played, by each of them in the order dealt."""

    played: Any


def plan_of(context: CountingContext, choices: Mapping[str, list[Any]]) -> Plan:
    hands, _ = context.classes(3)
    (decisions,) = choices["ante-play"]
    return Plan(in_any_order(hands, (decisions == 0).astype(numpy.int8), context.cards))


def loop_rounds(
    rounds: int, wanted: Any, cards: Any, plan: Plan, tables: Any, readings: Any, choices: Any, codes: Any
) -> None:
    seats = codes.shape[1]
    for place in range(rounds):
        deal = cards[place]
        board = (deal[3 * seats], deal[3 * seats + 1], deal[3 * seats + 2])
        for seat in range(seats):
            player = (deal[3 * seat], deal[3 * seat + 1], deal[3 * seat + 2])
            played = plan.played[player[0], player[1], player[2]]
            choices[place, seat, 0] = played
            hands = Hands(player, board, (played,), readings)
            if wanted[0]:
                codes[place, seat, 0] = encode(read_ante_play(hands, tables), _ANTE_PLAY)
            if wanted[1]:
                codes[place, seat, 1] = encode(read_pair_plus(hands, tables), _PAIR_PLUS)
            if wanted[2]:
                codes[place, seat, 2] = encode(read_six_card_bonus(hands, tables), _SIX_CARDS)
