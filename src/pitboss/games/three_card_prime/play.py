"""Decisions of Three Card Prime: what a player looks at, and compiled rounds that look decisions up and read facts.

A player looks at how good the three cards are.
No pay and no rule of settlement is here.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy

from pitboss.cards import Card
from pitboss.games.three_card_prime import facts
from pitboss.games.three_card_prime.rules import GAME
from pitboss.poker import THREE_CARD, three_card_tables, three_card_value
from pitboss.poker.scales import scale_of
from pitboss.rules.counting import CountingContext, in_any_order
from pitboss.rules.facts import Hands, encode
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


_ANSWERS = (({"play": True},), ({"play": False},))


def find(_wager: str, context: CountingContext, player: Sequence[Card], _public: Sequence[Card]) -> NodeMatch:
    """Find three cards among the nodes of the counts."""
    hands, _ = context.classes(3)
    row = sorted(suits_renamed(player).values())
    return NodeMatch(
        node=int(numpy.flatnonzero((hands == row).all(axis=1))[0]), decisions=("play", "fold"), answers=_ANSWERS
    )


def cards_at(_wager: str, context: CountingContext, _level: int, node: int) -> tuple[list[Card], list[Card]]:
    """Return cards that stand at a node, and those that lie open."""
    hands, _ = context.classes(3)
    return hands[node].tolist(), []


FOLDS = ("fold",)
_PLAY = 0
_ANTE_PLAY, _PRIME, _PAIR_BONUS, _ALL_SIX, _FINAL_FOUR, _ALL_SEVEN = (wager.bounds for wager in GAME.wagers)


class ThreeCardPrimePlan(NamedTuple):
    """Whether three cards are played, by each of them in the order dealt."""

    played: Any


def plan_of(context: CountingContext, choices: Mapping[str, list[Any]]) -> ThreeCardPrimePlan:
    """Make the plan of decisions at the nodes of the counts."""
    hands, _ = context.classes(3)
    (decisions,) = choices["ante-play"]
    return ThreeCardPrimePlan(in_any_order(hands, (decisions == _PLAY).astype(numpy.int8), context.cards))


def loop_rounds(
    rounds: int, placed: Any, cards: Any, plan: ThreeCardPrimePlan, tables: Any, readings: Any, choices: Any, codes: Any
) -> None:
    """Decide for every seat and read the facts of every wager that is wanted.

    All are read before any is written: what one has looked up, the next need not look up again.
    """
    seats = codes.shape[1]
    main, prime, pairs, six, four, seven = placed[0], placed[1], placed[2], placed[3], placed[4], placed[5]
    for place in range(rounds):
        at = 4 * seats
        board = (cards[place, at], cards[place, at + 1], cards[place, at + 2])
        for seat in range(seats):
            at = 4 * seat
            player = (cards[place, at], cards[place, at + 1], cards[place, at + 2], cards[place, at + 3])
            played = plan.played[player[0], player[1], player[2]]
            hands = Hands(player, board, (played,), readings)
            a = encode(facts.read_ante_play(hands, tables), _ANTE_PLAY) if main else 0
            b = encode(facts.read_prime(hands, tables), _PRIME) if prime else 0
            c = encode(facts.read_pair_bonus(hands, tables), _PAIR_BONUS) if pairs else 0
            d = encode(facts.read_all_six(hands, tables), _ALL_SIX) if six else 0
            e = encode(facts.read_final_four(hands, tables), _FINAL_FOUR) if four else 0
            f = encode(facts.read_all_seven(hands, tables), _ALL_SEVEN) if seven else 0
            choices[place, seat, 0] = played
            codes[place, seat, 0], codes[place, seat, 1], codes[place, seat, 2] = a, b, c
            codes[place, seat, 3], codes[place, seat, 4], codes[place, seat, 5] = d, e, f
