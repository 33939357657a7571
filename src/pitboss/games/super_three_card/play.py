"""Decisions of Super Three Card: what a player looks at, and compiled rounds that look decisions up and read facts.

A player looks at two cards, and how they stand to the dealer's up card.
No pay and no rule of settlement is here.
"""

from collections.abc import Mapping, Sequence
from itertools import permutations
from typing import Any, NamedTuple

import numpy

from pitboss.cards import ACE, Card
from pitboss.games.super_three_card import facts
from pitboss.games.super_three_card.loops import nodes
from pitboss.games.super_three_card.rules import GAME
from pitboss.rules.counting import CountingContext
from pitboss.rules.facts import Hands, encode
from pitboss.rules.features import Feature, HandSpec, NodeMatch, StrategyQuestion

_MAIN = "ante-odds-play"
_ANSWERS = ("play", "surrender")


def hand_specs(wager: str) -> tuple[HandSpec, ...]:
    """Return how many cards a player holds and sees at each decision."""
    return (HandSpec(level=0, player=2, public=1),) if wager == _MAIN else ()


def questions(wager: str, context: CountingContext) -> tuple[StrategyQuestion, ...]:
    """Return the questions of a wager."""
    if wager != _MAIN:
        return ()
    cards, _ = nodes(context)
    ranks, suits = cards >> 2, cards & 3
    high, low, up = ranks[:, :2].max(axis=1), ranks[:, :2].min(axis=1), ranks[:, 2]
    pair, suited = high == low, suits[:, 0] == suits[:, 1]
    # An ace stands below a deuce too.
    apart = numpy.where(high == ACE, numpy.minimum(high - low, low + 1), high - low)
    to_straight = numpy.select([pair, apart == 1, apart == 2], [0, 2, 1], 0)
    features = (
        Feature(
            values=numpy.select([pair, suited], [4, 3], to_straight),
            at_least={
                4: "a pair",
                3: "a pair or two of a suit",
                2: "a pair, two of a suit or two in a row",
                1: "a pair, two of a suit or two to a straight",
            },
            at_most={3: "no pair", 2: "neither a pair nor two of a suit"},
        ),
        Feature.yes_or_no(suited, "two of a suit", "two suits"),
        Feature(
            values=to_straight,
            at_least={2: "two in a row", 1: "two to a straight"},
            at_most={1: "not two in a row", 0: "not two to a straight"},
        ),
        Feature.of_rank(high, "high card"),
        Feature.of_rank(low, "low card"),
        Feature.of_rank(up, "up card"),
        Feature(
            values=numpy.sign(high - up) + 1,
            at_least={2: "high card above the up card", 1: "high card not below the up card"},
            at_most={1: "high card not above the up card", 0: "high card below the up card"},
        ),
        Feature(
            values=numpy.sign(low - up) + 1,
            at_least={2: "low card above the up card", 1: "low card not below the up card"},
            at_most={1: "low card not above the up card", 0: "low card below the up card"},
        ),
        Feature.yes_or_no((high == up) | (low == up), "a card of the up card's rank", "no card of the up card's rank"),
    )
    return (StrategyQuestion.only(0, "Play or surrender?", _ANSWERS, features),)


def find(_wager: str, context: CountingContext, player: Sequence[Card], public: Sequence[Card]) -> NodeMatch:
    """Find two cards and the up card among the nodes of the counts, which are any of those with suits renamed."""
    cards, _ = nodes(context)
    for names in permutations(range(4)):
        first, second, up = (card >> 2 << 2 | names[card & 3] for card in (*player, *public))
        row = (min(first, second), max(first, second), up)
        matches = numpy.flatnonzero((cards == row).all(axis=1))
        if len(matches):
            return NodeMatch(node=int(matches[0]), decisions=_ANSWERS)
    raise ValueError("no such cards")


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
