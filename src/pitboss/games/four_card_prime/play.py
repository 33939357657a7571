"""Decisions of Four Card Prime: what a player looks at, and compiled rounds that look decisions up and read facts.

A player looks at the best four cards and the dealer's up card.
No pay and no rule of settlement is here.
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import permutations
from math import comb
from typing import Any, NamedTuple

import numpy

from pitboss.cards import Card
from pitboss.games.four_card_prime import facts
from pitboss.games.four_card_prime.loops import ante_raise_nodes
from pitboss.games.four_card_prime.rules import GAME
from pitboss.poker import FOUR_CARD, best_four_of_five, four_card_tables
from pitboss.poker.scales import scale_of
from pitboss.rules.counting import CountingContext, pascal, set_number
from pitboss.rules.facts import Hands, encode
from pitboss.rules.features import Feature, HandSpec, NodeMatch, RowIndex, StrategyQuestion

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


@lru_cache(maxsize=2)
def _hand_index(context: CountingContext) -> RowIndex:
    return RowIndex(ante_raise_nodes(context).hands)


def find(_wager: str, context: CountingContext, player: Sequence[Card], public: Sequence[Card]) -> NodeMatch:
    """Find five cards and the up card among the nodes of the counts, which are any of those with suits renamed."""
    nodes, index = ante_raise_nodes(context), _hand_index(context)
    for names in permutations(range(4)):
        *hand, up = (card >> 2 << 2 | names[card & 3] for card in (*player, *public))
        row = index.find(sorted(hand))
        if row is None:
            continue
        first, last = nodes.first[row], nodes.first[row + 1]
        there = numpy.flatnonzero(nodes.up[first:last] == up)
        if len(there):
            answers = tuple(({"raise": times},) for times in range(len(_ANSWERS)))
            return NodeMatch(node=int(first + there[0]), decisions=_ANSWERS, answers=answers)
    raise ValueError("no such cards")


def details(_wager: str, context: CountingContext, _level: int) -> tuple[Feature, ...]:
    """Return what a person looks at beside the lines where those are not exact: the lowest card that is in no pair."""
    nodes = ante_raise_nodes(context)
    held = (nodes.hands[:, :, None] >> 2 == numpy.arange(context.ranks)).sum(axis=1)
    single = numpy.sort(numpy.where(held == 1, numpy.arange(context.ranks), -1), axis=1)[:, ::-1]
    lowest = numpy.maximum(single[:, 2], 0).astype(numpy.int8)
    return (Feature.of_rank(lowest[nodes.hand], "third card beside a pair"),)


def cards_at(_wager: str, context: CountingContext, _level: int, node: int) -> tuple[list[Card], list[Card]]:
    """Return cards that stand at a node, and those that lie open."""
    nodes = ante_raise_nodes(context)
    return nodes.hands[nodes.hand[node]].tolist(), [int(nodes.up[node])]


FOLDS = ("0",)
_CARDS = 5
_RENAMINGS = 24
_ANTE_RAISE, _ACES_BABY, _PRIME, _FIVE_CARD, _FOUR_CARD = (wager.bounds for wager in GAME.wagers)


class FourCardPrimePlan(NamedTuple):
    """How much is raised, by class of five cards and up card.

    By the number of a set of five cards `where` has its class and, as what is left by 24, the renaming of the suits
    that turns its cards into those of the class; `suits` has the new suits under each renaming.
    """

    choose: Any
    where: Any
    suits: Any
    raised: Any


def plan_of(context: CountingContext, choices: Mapping[str, list[Any]]) -> FourCardPrimePlan:
    """Make the plan of decisions at the nodes of the counts."""
    nodes = ante_raise_nodes(context)
    (decisions,) = choices["ante-raise"]
    choose = pascal(context.cards, _CARDS)
    renamings = list(permutations(range(4)))
    suits = numpy.array(renamings, dtype=numpy.int64)
    back = numpy.array([[renaming.index(suit) for suit in range(4)] for renaming in renamings], dtype=numpy.int64)
    where = numpy.zeros(comb(context.cards, _CARDS), dtype=numpy.int32)
    find, fill = context.compiled(loop_where), context.compiled(loop_raised)
    hands = len(nodes.hands)
    context.spread(lambda start, stop: find(start, stop, nodes.hands, choose, back, where), hands)
    raised = numpy.zeros((hands, context.cards), dtype=numpy.uint8)
    context.spread(lambda start, stop: fill(start, stop, nodes, decisions, raised), hands)
    return FourCardPrimePlan(choose, where, suits, raised)


def loop_where(start: int, stop: int, hands: Any, choose: Any, back: Any, where: Any) -> None:
    """Write the class and the renaming of every set: each class with its suits renamed back in every way."""
    cards = numpy.zeros(_CARDS, dtype=numpy.int64)
    for index in range(start, stop):
        for turn in range(_RENAMINGS):
            for place in range(_CARDS):
                card = hands[index, place]
                cards[place] = (card & ~3) | back[turn, card & 3]
            where[set_number(choose, cards, _CARDS)] = index * _RENAMINGS + turn


def loop_raised(start: int, stop: int, nodes: Any, decisions: Any, raised: Any) -> None:
    """Write what every node decides; an up card that is none itself decides as its suit's like, first in the hand."""
    masks = numpy.zeros(4, dtype=numpy.int64)
    for hand in range(start, stop):
        masks[:] = 0
        for place in range(_CARDS):
            masks[nodes.hands[hand, place] & 3] |= 1 << (nodes.hands[hand, place] >> 2)
        for node in range(nodes.first[hand], nodes.first[hand + 1]):
            up = nodes.up[node]
            for suit in range(4):
                if masks[suit] == masks[up & 3]:
                    raised[hand, (up & ~3) | suit] = decisions[node]


def decide(rounds: int, cards: Any, plan: FourCardPrimePlan, choices: Any) -> None:
    """Write the decision of every seat.

    All are numbered before any is looked up: the tables are large, and their answers are then waited for together.
    """
    seats = choices.shape[1]
    for place in range(rounds):
        for seat in range(seats):
            choices[place, seat, 0] = set_number(plan.choose, cards[place, 5 * seat : 5 * seat + 5], _CARDS)
    for place in range(rounds):
        dealt_up = cards[place, 5 * seats]
        for seat in range(seats):
            where = plan.where[choices[place, seat, 0]]
            up = (dealt_up & ~3) | plan.suits[where % _RENAMINGS, dealt_up & 3]
            choices[place, seat, 0] = plan.raised[where // _RENAMINGS, up]


def loop_rounds(
    rounds: int, placed: Any, cards: Any, plan: FourCardPrimePlan, tables: Any, readings: Any, choices: Any, codes: Any
) -> None:
    """Decide for every seat and read the facts of every wager that is wanted."""
    seats = codes.shape[1]
    decide(rounds, cards, plan, choices)
    for place in range(rounds):
        deal = cards[place]
        at = 5 * seats
        board = (deal[at], deal[at + 1], deal[at + 2], deal[at + 3], deal[at + 4], deal[at + 5])
        for seat in range(seats):
            at = 5 * seat
            player = (deal[at], deal[at + 1], deal[at + 2], deal[at + 3], deal[at + 4])
            hands = Hands(player, board, (choices[place, seat, 0],), readings)
            code = codes[place, seat]
            if placed[0]:
                code[0] = encode(facts.read_ante_raise(hands, tables), _ANTE_RAISE)
            if placed[1]:
                code[1] = encode(facts.read_aces_baby(hands, tables), _ACES_BABY)
            if placed[2]:
                code[2] = encode(facts.read_prime(hands, tables), _PRIME)
            if placed[3]:
                code[3] = encode(facts.read_five_card_jackpot(hands, tables), _FIVE_CARD)
            if placed[4]:
                code[4] = encode(facts.read_four_card_jackpot(hands, tables), _FOUR_CARD)
