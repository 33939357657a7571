"""Looking up a decision by the very cards: what was decided for sets of cards up to a renaming of the suits, spread.

The functions are for compiled loops; `kit` compiles them. Arrays are numpy's.
"""

from __future__ import annotations

from itertools import permutations
from math import comb
from typing import Any

import numpy

from pitboss.rules.kit import Kit

__all__ = ["chosen_places", "in_any_order", "pascal", "set_number", "spread_places", "spread_values"]


def pascal(cards: int, size: int) -> Any:
    """Give the binomial coefficients that number sets of up to so many of these cards."""
    rows = [[comb(card, place) for place in range(size + 1)] for card in range(cards)]
    return numpy.array(rows, dtype=numpy.int64)


def set_number(choose: Any, cards: Any, size: int) -> Any:
    """Number the set of these cards among all sets of the size, in whatever order they are."""
    number = 0
    for index in range(size):
        place = 0
        for other in range(size):
            if cards[other] <= cards[index]:
                place += 1
        number += choose[cards[index], place]
    return number


def chosen_places(cards: Any, size: int, chosen: int) -> int:
    """Turn a bit for each card in ascending order into a bit for each card in the order given."""
    places = 0
    for index in range(size):
        rank = 0
        for other in range(size):
            if cards[other] < cards[index]:
                rank += 1
        places |= (chosen >> rank & 1) << index
    return places


def loop_spread(
    start: int, stop: int, hands: Any, values: Any, bits: int, choose: Any, renamings: Any, table: Any
) -> None:
    """Write the value of every class to all the sets it stands for; the lowest `bits` of it move with the cards."""
    size = hands.shape[1]
    cards = numpy.zeros(size, dtype=numpy.int64)
    for index in range(start, stop):
        for turn in range(len(renamings)):
            for place in range(size):
                card = hands[index, place]
                cards[place] = (card & ~3) | renamings[turn, card & 3]
            value = values[index]
            if bits:
                moved = 0
                for place in range(size):
                    rank = 0
                    for other in range(size):
                        if cards[other] < cards[place]:
                            rank += 1
                    moved |= (value >> place & 1) << rank
                value = value >> bits << bits | moved
            table[set_number(choose, cards, size)] = value


def in_any_order(hands: Any, values: Any, cards: int) -> Any:
    """Give a small value for every few cards by each of them, in whatever order, from those of classes of sets."""
    size = hands.shape[1]
    table = numpy.zeros((cards,) * size, dtype=values.dtype)
    for renaming in permutations(range(4)):
        renamed = (hands & ~3) | numpy.array(renaming)[hands & 3]
        for order in permutations(range(size)):
            table[tuple(renamed[:, place] for place in order)] = values
    return table


def _spread(kit: Kit, hands: Any, values: Any, bits: int) -> Any:
    size = hands.shape[1]
    choose = pascal(kit.cards, size)
    renamings = numpy.array(list(permutations(range(4))), dtype=numpy.int64)
    table = numpy.zeros(comb(kit.cards, size), dtype=numpy.uint8)
    loop = kit.compiled(loop_spread)
    kit.spread(lambda start, stop: loop(start, stop, hands, values, bits, choose, renamings, table), len(hands))
    return table


def spread_values(kit: Kit, hands: Any, values: Any) -> Any:
    """Give a small value for every set of cards by its number, from those of classes of sets."""
    return _spread(kit, hands, values, 0)


def spread_places(kit: Kit, hands: Any, values: Any) -> Any:
    """Do so with values whose lowest bits choose cards of the class, a bit each in the order of its row.

    In the answer they choose cards in ascending order.
    """
    return _spread(kit, hands, values, hands.shape[1])
