"""Rounds of Four Card Prime, compiled: decisions looked up, facts read. No pay and no rule of settlement is here."""

from collections.abc import Mapping
from itertools import permutations
from math import comb
from typing import Any, NamedTuple

import numpy

from pitboss.games.four_card_prime import facts
from pitboss.games.four_card_prime.loops import ante_raise_nodes
from pitboss.games.four_card_prime.rules import GAME
from pitboss.rules.counting import CountingContext, pascal, set_number
from pitboss.rules.facts import Hands, encode

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
