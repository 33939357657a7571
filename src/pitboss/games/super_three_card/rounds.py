"""Rounds of Super Three Card, compiled: decisions looked up, facts read. No pay and no rule of settlement is here."""

from collections.abc import Mapping
from itertools import permutations
from typing import Any, NamedTuple

import numpy

from pitboss.games.super_three_card import facts
from pitboss.games.super_three_card.loops import nodes
from pitboss.games.super_three_card.rules import GAME
from pitboss.rules.counting import CountingContext
from pitboss.rules.facts import Hands, encode

FOLDS = ("surrender",)
_PLAY = 0
_ANTE_ODDS_PLAY, _BIG_HAND, _JACKPOT, _JACKPOT_B = (wager.bounds for wager in GAME.wagers)


class SuperThreeCardPlan(NamedTuple):
    """Whether two cards are played, by each of them in the order dealt and the dealer's up card."""

    played: Any


def plan_of(context: CountingContext, choices: Mapping[str, list[Any]]) -> SuperThreeCardPlan:
    """Make the plan of decisions at the nodes of the counts."""
    cards, _ = nodes(context)
    (decisions,) = choices["ante-odds-play"]
    played = numpy.zeros((context.cards,) * 3, dtype=numpy.int8)
    for renaming in permutations(range(4)):
        first, second, up = ((cards & ~3) | numpy.array(renaming)[cards & 3]).T
        for pair in ((first, second), (second, first)):
            played[(*pair, up)] = decisions == _PLAY
    return SuperThreeCardPlan(played)


def loop_rounds(
    rounds: int, placed: Any, cards: Any, plan: SuperThreeCardPlan, tables: Any, readings: Any, choices: Any, codes: Any
) -> None:
    """Decide for every seat and read the facts of every wager that is wanted.

    A seat that surrenders is not dealt its third card; no facts read it then.
    """
    seats = codes.shape[1]
    for place in range(rounds):
        deal = cards[place]
        board = (deal[3 * seats], deal[3 * seats + 1], deal[3 * seats + 2])
        for seat in range(seats):
            player = (deal[3 * seat], deal[3 * seat + 1], deal[3 * seat + 2])
            played = plan.played[player[0], player[1], board[0]]
            choices[place, seat, 0] = played
            hands = Hands(player, board, (played,), readings)
            code = codes[place, seat]
            if placed[0]:
                code[0] = encode(facts.read_ante_odds_play(hands, tables), _ANTE_ODDS_PLAY)
            if placed[1]:
                code[1] = encode(facts.read_big_hand(hands, tables), _BIG_HAND)
            if placed[2]:
                code[2] = encode(facts.read_jackpot(hands, tables), _JACKPOT)
            if placed[3]:
                code[3] = encode(facts.read_jackpot(hands, tables), _JACKPOT_B)
