"""The loss of Caribbean Stud, counted: dealer's hands are added up by the cards they hold, from the weakest on."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations
from math import comb
from typing import Any

import numpy as np

from pitboss.odds.compiled import as_arrays, compiled, make_compilable
from pitboss.odds.context import NumbaContext
from pitboss.odds.pricing import unit_pays
from pitboss.odds.solving import stated_terms
from pitboss.poker import five_card_tables, five_card_value
from pitboss.rules import Hands
from pitboss.rules.counting import pascal, set_number
from pitboss.rules.facts import ABOVE, encode
from tests.relatives.caribbean_stud.facts import AnteRaise, read_ante_raise
from tests.relatives.caribbean_stud.rules import GAME

UNQUALIFIED, BELOW, EQUAL = 0, 1, 2


def loop_values(hands: Any, reader: Any, values: Any, qualified: Any, wins: Any) -> None:
    """Read every hand as a player's and as a dealer's: its value, whether it qualifies, and what it wins raised."""
    bounds, nets, raised, readings, tables = reader
    for index in range(len(hands)):
        hand = hands[index]
        values[index] = five_card_value(tables, hand[0], hand[1], hand[2], hand[3], hand[4])
        made = read_ante_raise(Hands(hand, hand, raised, readings), tables)
        qualified[index] = made.qualified
        wins[index] = nets[encode(AnteRaise(1, made.events, ABOVE, 1), bounds)]


def add(tallies: Any, hand: Any, choose: Any, begins: Any, times: int) -> None:
    """Count a hand under every set of cards that it holds."""
    chosen = np.zeros(5, dtype=np.int64)
    for subset in range(1 << 5):
        size = 0
        for index in range(5):
            if subset >> index & 1:
                chosen[size] = hand[index]
                size += 1
        tallies[begins[size] + set_number(choose, chosen, size)] += times


def raised_worth(tallies: Any, hand: Any, seen: Any, win: int, total: int, choose: Any, begins: Any) -> int:
    """Return what raising wins over all dealer's hands with the cards seen and none of the player's."""
    chosen = np.zeros(5, dtype=np.int64)
    numbers = np.zeros(3, dtype=np.int64)
    chosen[: len(seen)] = seen
    for subset in range(1 << 5):
        size, sign = len(seen), 1
        for index in range(5):
            if subset >> index & 1 and size == 5:
                sign = 0
            elif subset >> index & 1:
                chosen[size] = hand[index]
                size += 1
                sign = -sign
        if sign:
            place = begins[size] + set_number(choose, chosen, size)
            for kind in range(3):
                numbers[kind] += sign * tallies[kind, place]
    above = total - numbers.sum()
    return int(numbers[UNQUALIFIED] + win * numbers[BELOW] - 3 * above)


def is_apart(hand: Any, seen: Any) -> bool:
    """Return whether no card is in both."""
    apart = True
    for card in seen:
        apart = apart and card not in hand
    return apart


def loop_players(players: Any, weights: Any, dealers: Any, sights: Any, choose: Any, begins: Any, total: int) -> int:
    """Go through values from the lowest; return what best play wins over all deals. Players and dealers are in order."""
    tallies = np.zeros((3, begins[len(begins) - 1]), dtype=np.int32)
    hands, values, qualified = dealers
    for index in range(len(hands)):
        if not qualified[index]:
            add(tallies[UNQUALIFIED], hands[index], choose, begins, 1)
    own, worths, wins = players
    won, next_dealer = 0, 0
    below = 0
    for index in range(len(own)):
        while next_dealer < len(hands) and values[next_dealer] <= worths[index]:
            if qualified[next_dealer]:
                add(tallies[EQUAL], hands[next_dealer], choose, begins, 1)
            next_dealer += 1
        while values[below] < worths[index]:
            if qualified[below]:
                add(tallies[EQUAL], hands[below], choose, begins, -1)
                add(tallies[BELOW], hands[below], choose, begins, 1)
            below += 1
        for seen in sights:
            if is_apart(own[index], seen):
                worth = raised_worth(tallies, own[index], seen, wins[index], total, choose, begins)
                won += weights[index] * max(worth, -total)
    return won


def expectation(cards: Sequence[int] | None = None, known: int = 1) -> Fraction:
    """What best play that knows so many dealer's cards expects per Ante, from all cards or, not compiled, from a few."""
    deck = np.array(GAME.deck.cards if cards is None else cards, dtype=np.int64)
    hands = np.array(list(combinations(deck.tolist(), 5)), dtype=np.int64)
    own, weights = NumbaContext().classes(5) if cards is None else (hands, np.ones(len(hands), dtype=np.int64))
    make_compilable(sys.modules[__name__])
    compiled_or_not = compiled if cards is None else lambda loop: loop
    pays = unit_pays(GAME.main, stated_terms(GAME, {GAME.main.name: ["CS-100"]})[0])
    nets = np.array([int(net) for net in pays.net], dtype=np.int64)
    bounds, none = np.array(GAME.main.bounds, dtype=np.int64), np.zeros(1, dtype=np.int64)
    reader = (bounds, nets, np.ones(1, dtype=np.int64), none, as_arrays(five_card_tables()))
    read = []
    for some in (np.ascontiguousarray(own, dtype=np.int64), hands):
        values, qualified, wins = (np.zeros(len(some), dtype=np.int64) for _ in range(3))
        compiled_or_not(loop_values)(some, reader, values, qualified, wins)
        read.append((np.argsort(values, kind="stable"), some, values, qualified, wins))
    order, own, worths, _, wins = read[0]
    players = (own[order], worths[order], wins[order])
    sequence, hands, values, qualified, _ = read[1]
    dealers = (hands[sequence], values[sequence], qualified[sequence])
    begins = np.cumsum([0, *(comb(52, size) for size in range(6))])
    sights = np.array(list(combinations(deck.tolist(), known)), dtype=np.int64)
    total = comb(len(deck) - 5 - known, 5 - known)
    won = compiled_or_not(loop_players)(players, weights[order], dealers, sights, pascal(53, 5), begins, total)
    return Fraction(int(won), int(weights.sum()) * comb(len(deck) - 5, known) * total)
