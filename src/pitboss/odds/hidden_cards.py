"""Loops for `sight`, compiled: what every option wins over hidden cards that are dealt out, drawn or still to come."""

from typing import Any

import numpy

from pitboss.rules import Hands
from pitboss.rules.counting import set_number
from pitboss.rules.facts import encode


def next_set(at: Any, size: int, number: int) -> bool:
    """Move on to the next set of `size` of so many places; return whether there is one."""
    index = size - 1
    while index >= 0 and at[index] == number - size + index:
        index -= 1
    if index < 0:
        return False
    at[index] += 1
    for later in range(index + 1, size):
        at[later] = at[later - 1] + 1
    return True


def loop_all(read: Any, reader: Any, row: Any, options: Any, rest: Any, places: Any, sums: Any) -> int:
    """Add up what each option wins with every set of the rest of the cards at these places; return how many sets."""
    seat, readings, bounds, nets, tables = reader
    size, number = len(places), 0
    for option in range(len(options)):
        hands = Hands(row[:seat], row[seat:], options[option], readings)
        at = numpy.arange(size)
        number = 0
        goes_on = True
        while goes_on:
            for index in range(size):
                row[places[index]] = rest[at[index]]
            sums[option] += nets[encode(read(hands, tables), bounds)]
            number += 1
            goes_on = next_set(at, size, len(rest))
    return number


def loop_drawn(
    read: Any, reader: Any, row: Any, options: Any, cards: Any, places: Any, times: int, seed: int, sums: Any,
    by_card: Any,
) -> None:  # fmt: skip
    """Add up what each option wins with cards drawn to these places; also by the card at each of them."""
    seat, readings, bounds, nets, tables = reader
    for option in range(len(options)):
        hands = Hands(row[:seat], row[seat:], options[option], readings)
        rest = cards.copy()
        state = numpy.uint64(seed * 2 + 1)
        for _ in range(times):
            for index in range(len(places)):
                state ^= state << numpy.uint64(13)
                state ^= state >> numpy.uint64(7)
                state ^= state << numpy.uint64(17)
                other = index + numpy.int64((state >> numpy.uint64(11)) % numpy.uint64(len(rest) - index))
                rest[index], rest[other] = rest[other], rest[index]
                row[places[index]] = rest[index]
            net = nets[encode(read(hands, tables), bounds)]
            sums[option] += net
            for index in range(len(by_card)):
                by_card[index, option, row[places[index]]] += net


def loop_sets(
    read: Any, reader: Any, row: Any, options: Any, rest: Any, places: Any, choose: Any, by_card: Any, best: Any
) -> None:
    """Deal every set of cards to these places: what each option wins by card, and the best by sets of each size seen.

    A set of cards seen is decided upon by all that may lie beside it: `best` has the sum over the sets of each size.
    """
    seat, readings, bounds, nets, tables = reader
    size = len(places)
    won = numpy.zeros((len(options), choose[len(rest), size]), dtype=numpy.int64)
    by_set = numpy.zeros((size, len(options), choose[len(choose) - 1, size - 1]), dtype=numpy.int64)
    chosen = numpy.zeros(size, dtype=numpy.int64)
    for option in range(len(options)):
        hands = Hands(row[:seat], row[seat:], options[option], readings)
        at = numpy.arange(size)
        number, goes_on = 0, True
        while goes_on:
            for index in range(size):
                row[places[index]] = rest[at[index]]
            net = nets[encode(read(hands, tables), bounds)]
            won[option, number] = net
            number += 1
            for index in range(size):
                by_card[option, rest[at[index]]] += net
            for subset in range(3, (1 << size) - 1):
                held = 0
                for index in range(size):
                    if subset >> index & 1:
                        chosen[held] = rest[at[index]]
                        held += 1
                if held > 1:
                    by_set[held, option, set_number(choose, chosen, held)] += net
            goes_on = next_set(at, size, len(rest))
    best[0] = best_sum(won.sum(axis=1).reshape((len(options), 1)))
    best[1] = best_sum(by_card)
    for held in range(2, size):
        best[held] = best_sum(by_set[held])
    best[size] = best_sum(won)


def best_sum(sums: Any) -> Any:
    """Add up the most that an option wins, over columns."""
    total = 0
    for column in range(sums.shape[1]):
        most = sums[0, column]
        for option in range(1, sums.shape[0]):
            most = max(most, sums[option, column])
        total += most
    return total


def loop_coming(read: Any, reader: Any, row: Any, options: Any, rest: Any, places: Any, nets: Any) -> None:
    """Write what each option wins with every card at each place, in the order of the rest of the cards."""
    seat, readings, bounds, worth, tables = reader
    size, number = len(rest), len(places)
    for option in range(len(options)):
        hands = Hands(row[:seat], row[seat:], options[option], readings)
        for at in range(nets.shape[1]):
            left = at
            apart = True
            for place in range(number - 1, -1, -1):
                row[places[place]] = rest[left % size]
                left //= size
            for one in range(number):
                for other in range(one):
                    apart = apart and row[places[one]] != row[places[other]]
            if apart:
                nets[option, at] = worth[encode(read(hands, tables), bounds)]
