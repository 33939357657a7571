"""Rounds of Three Card Prime, compiled: decisions looked up, facts read. No pay and no rule of settlement is here."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy

from pitboss.games.three_card_prime.facts import (
    read_all_seven,
    read_all_six,
    read_ante_play,
    read_final_four,
    read_pair_bonus,
    read_prime,
)
from pitboss.games.three_card_prime.rules import GAME
from pitboss.rules.facts import Hands, encode
from pitboss.rules.kit import Kit
from pitboss.rules.lookups import in_any_order

__all__ = ["FOLDS", "Plan", "loop_rounds", "plan_of"]

FOLDS = ("fold",)
_PLAY = 0
_ANTE_PLAY, _PRIME, _PAIR_BONUS, _ALL_SIX, _FINAL_FOUR, _ALL_SEVEN = (wager.bounds for wager in GAME.wagers)


class Plan(NamedTuple):
    """Whether three cards are played, by each of them in the order dealt."""

    played: Any


def plan_of(kit: Kit, choices: Mapping[str, list[Any]]) -> Plan:
    """Make the plan of decisions at the nodes of the counts."""
    hands, _ = kit.classes(3)
    (decisions,) = choices["ante-play"]
    return Plan(in_any_order(hands, (decisions == _PLAY).astype(numpy.int8), kit.cards))


def loop_rounds(
    rounds: int, wanted: Any, cards: Any, plan: Plan, tables: Any, readings: Any, choices: Any, codes: Any
) -> None:
    """Decide for every seat and read the facts of every wager that is wanted."""
    seats = codes.shape[1]
    for place in range(rounds):
        deal = cards[place]
        board = (deal[4 * seats], deal[4 * seats + 1], deal[4 * seats + 2])
        for seat in range(seats):
            player = (deal[4 * seat], deal[4 * seat + 1], deal[4 * seat + 2], deal[4 * seat + 3])
            played = plan.played[player[0], player[1], player[2]]
            choices[place, seat, 0] = played
            hands = Hands(player, board, (played,), readings)
            code = codes[place, seat]
            if wanted[0]:
                code[0] = encode(read_ante_play(hands, tables), _ANTE_PLAY)
            if wanted[1]:
                code[1] = encode(read_prime(hands, tables), _PRIME)
            if wanted[2]:
                code[2] = encode(read_pair_bonus(hands, tables), _PAIR_BONUS)
            if wanted[3]:
                code[3] = encode(read_all_six(hands, tables), _ALL_SIX)
            if wanted[4]:
                code[4] = encode(read_final_four(hands, tables), _FINAL_FOUR)
            if wanted[5]:
                code[5] = encode(read_all_seven(hands, tables), _ALL_SEVEN)
