"""Rounds of 3 Card Double Play, compiled: decisions looked up, facts read. No pay and no rule of settlement is here."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy

from pitboss.games.three_card_double_play import facts
from pitboss.games.three_card_double_play.loops import settings
from pitboss.games.three_card_double_play.rules import GAME
from pitboss.rules.counting import CountingContext, chosen_places, pascal, set_number, spread_places
from pitboss.rules.facts import Hands, encode

FOLDS = ()
_HIGH_LOW, _PICK_3, _PICK_5, _SUPER_3S, _SUPER_SIX = (wager.bounds for wager in GAME.wagers)
_CARDS = 6
_PLACES = (1 << _CARDS) - 1


class DoublePlayPlan(NamedTuple):
    """How six cards are set, by the number of the set: a bit for each card of the High Hand, ascending, and doubled.

    Where `decides` is not set nobody has High and Low wagers, and the hands lie as they fall.
    """

    choose: Any
    choices_by_set: Any
    decides: bool


def plan_of(context: CountingContext, choices: Mapping[str, list[Any]]) -> DoublePlayPlan:
    """Make the plan of decisions at the nodes of the counts."""
    choose = pascal(context.cards, _CARDS)
    if "high-low" not in choices:
        return DoublePlayPlan(choose, numpy.zeros(1, dtype=numpy.uint8), False)
    hands, _ = context.classes(_CARDS)
    (decisions,) = choices["high-low"]
    places = settings(context).places[numpy.arange(len(hands)), decisions // 2].astype(numpy.int64)
    return DoublePlayPlan(choose, spread_places(context, hands, decisions % 2 << _CARDS | places), True)


def decide(rounds: int, cards: Any, plan: DoublePlayPlan, choices: Any) -> None:
    """Write the decision of every seat.

    All are numbered before any is looked up: the table is large, and its answers are then waited for together.
    """
    seats = choices.shape[1]
    for place in range(rounds):
        for seat in range(seats):
            choices[place, seat, 0] = set_number(plan.choose, cards[place, 6 * seat : 6 * seat + 6], _CARDS)
    for place in range(rounds):
        for seat in range(seats):
            choices[place, seat, 0] = plan.choices_by_set[choices[place, seat, 0]]
    for place in range(rounds):
        for seat in range(seats):
            choice = choices[place, seat, 0]
            high = chosen_places(cards[place, 6 * seat : 6 * seat + 6], _CARDS, choice & _PLACES)
            choices[place, seat, 0], choices[place, seat, 1] = high, choice >> _CARDS


def loop_rounds(
    rounds: int, placed: Any, cards: Any, plan: DoublePlayPlan, tables: Any, readings: Any, choices: Any, codes: Any
) -> None:
    """Decide for every seat and read the facts of every wager that is wanted."""
    seats = codes.shape[1]
    if plan.decides:
        decide(rounds, cards, plan, choices)
    else:
        choices[:, :, 0], choices[:, :, 1] = _PLACES >> 3, 0
    for place in range(rounds):
        deal = cards[place]
        at = 6 * seats
        board = (deal[at], deal[at + 1], deal[at + 2], deal[at + 3], deal[at + 4])
        for seat in range(seats):
            at = 6 * seat
            player = (deal[at], deal[at + 1], deal[at + 2], deal[at + 3], deal[at + 4], deal[at + 5])
            hands = Hands(player, board, (choices[place, seat, 0], choices[place, seat, 1]), readings)
            code = codes[place, seat]
            if placed[0]:
                code[0] = encode(facts.read_high_low(hands, tables), _HIGH_LOW)
            if placed[1]:
                code[1] = encode(facts.read_pick_3(hands, tables), _PICK_3)
            if placed[2]:
                code[2] = encode(facts.read_pick_5(hands, tables), _PICK_5)
            if placed[3]:
                code[3] = encode(facts.read_super_3s(hands, tables), _SUPER_3S)
            if placed[4]:
                code[4] = encode(facts.read_super_six(hands, tables), _SUPER_SIX)
