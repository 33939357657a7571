"""Counting Super Three Card by kinds of cards in a shoe. No pay or tie rule is in here."""

from functools import cache
from itertools import permutations
from math import comb
from typing import Any, NamedTuple

import numpy

from pitboss.games.super_three_card import facts
from pitboss.poker import shoe_three_card_tables, shoe_three_card_value
from pitboss.rules.counting import CountingContext, Counts, DecisionLevel, plain_counts
from pitboss.rules.facts import ABOVE, BELOW, EQUAL, Hands, compare, encode

_, MASKS, COMPARISONS = facts.AnteOddsPlay.bounds()


def count(wager: str, context: CountingContext) -> Counts:
    """Count one wager on a fresh shoe, by the player's own view: two cards and the up card (STC-7)."""
    return _count_main(context) if wager == "ante-odds-play" else _count_first_three(context, wager)


def loop_first_three(kinds: int, decks: int, big: Any, jackpot: Any) -> None:
    """Over every set of three cards of the shoe, the player's first two and the dealer's first, by kinds."""
    for a in range(kinds):
        for b in range(a, kinds):
            for c in range(b, kinds):
                ways = decks * (decks - (1 if b == a else 0)) * (decks - (1 if c == a else 0) - (1 if c == b else 0))
                if a == b == c:
                    ways //= 6
                elif b in (a, c):
                    ways //= 2
                cards = Hands((a, b), (c,), (0,), (0,))
                big[facts.read_big_hand(cards, 0).events] += ways
                jackpot[facts.read_jackpot(cards, 0).events] += ways


def _count_first_three(context: CountingContext, wager: str) -> Counts:
    big = numpy.zeros(1 << len(facts.BIG_HAND_EVENTS), dtype=numpy.int64)
    jackpot = numpy.zeros(1 << len(facts.JACKPOT_EVENTS), dtype=numpy.int64)
    context.compiled(loop_first_three)(context.cards, context.decks, big, jackpot)
    histogram = big if wager == "big-hand-bonus" else jackpot
    assert int(histogram.sum()) == comb(context.cards * context.decks, 3)
    return plain_counts(wager, histogram, f"every set of three cards of {context.decks} decks, by kinds")


def loop_dealer_values(kinds: int, tables: Any, values: Any) -> None:
    """The value of the dealer's hand for every up card and two more."""
    for up in range(kinds):
        for x in range(kinds):
            for y in range(kinds):
                values[up, x, y] = shoe_three_card_value(tables, up, x, y)


class ByValue(NamedTuple):
    """Room to weigh the dealer's pairs by value, those below each value, and what one hand meets."""

    pairs: Any
    lower: Any
    against: Any


def count_left(hand: Any, left: Any, tables: Any, values: Any, by_value: ByValue, row: Any) -> None:
    """For two cards and an up card: every third card against every two more of the dealer's, with the cards left.

    The dealer's pairs are weighed once by value; for each third card those that would hold it are then taken off.
    """
    a, b, up, kinds = hand[0], hand[1], hand[2], len(left)
    pairs, lower, against = by_value.pairs, by_value.lower, by_value.against
    pairs[:] = 0
    for x in range(kinds):
        pairs[values[up, x, x]] += left[x] * (left[x] - 1) // 2
        for y in range(x + 1, kinds):
            pairs[values[up, x, y]] += left[x] * left[y]
    total = 0
    for value in range(len(pairs)):
        lower[value] = total
        total += pairs[value]
    for third in range(kinds):
        if left[third] == 0:
            continue
        # What the player's hand makes does not depend on the dealer's two more cards.
        events = facts.read_ante_odds_play(Hands((a, b, third), (up, up, up), (1,), (0,)), tables).events
        ours = shoe_three_card_value(tables, a, b, third)
        against[ABOVE], against[EQUAL] = lower[ours], pairs[ours]
        against[BELOW] = total - lower[ours] - pairs[ours]
        for y in range(kinds):
            against[compare(ours, values[up, third, y])] -= left[y] - (1 if y == third else 0)
        for comparison in range(3):
            row[events * 3 + comparison] += left[third] * against[comparison]


def loop_main(start: int, stop: int, nodes: Any, kinds: int, decks: int, tables: Any, values: Any, counts: Any) -> None:
    """Count what follows each two cards and up card, weighed by the shoe."""
    by_value = ByValue(
        numpy.zeros(len(tables.category), dtype=numpy.int64),
        numpy.zeros(len(tables.category), dtype=numpy.int64),
        numpy.zeros(3, dtype=numpy.int64),
    )
    for node in range(start, stop):
        left = numpy.full(kinds, decks)
        for place in range(3):
            left[nodes[node, place]] -= 1
        count_left(nodes[node], left, tables, values, by_value, counts[node, 0])


@cache
def _classes(kinds: int) -> tuple[Any, Any, Any]:
    """Every two cards and up card by kinds; the first of each class up to a renaming of suits; the class of each."""
    first, second = numpy.triu_indices(kinds)
    hands = numpy.stack((first.repeat(kinds), second.repeat(kinds), numpy.tile(range(kinds), len(first))), axis=1)
    keys = numpy.full(len(hands), kinds**3, dtype=numpy.int64)
    for order in permutations(range(4)):
        suits = numpy.array(order, dtype=numpy.int64)
        named = hands // 4 * 4 + suits[hands % 4]
        low, high = named[:, :2].min(axis=1), named[:, :2].max(axis=1)
        key = (low * kinds + high) * kinds + named[:, 2]
        keys = numpy.minimum(keys, key)
    _, representatives, group = numpy.unique(keys, return_index=True, return_inverse=True)
    return hands, representatives, group


def nodes(context: CountingContext) -> tuple[Any, Any]:
    """Two cards and an up card up to a renaming of the suits, and how many deals each stands for."""
    hands, representatives, group = _classes(context.cards)
    decks = context.decks
    first, second, up = hands[:, 0], hands[:, 1], hands[:, 2]
    weights = numpy.where(first == second, decks * (decks - 1) // 2, decks * decks)
    weights = weights * (decks - (up == first).astype(numpy.int64) - (up == second).astype(numpy.int64))
    total = numpy.zeros(len(representatives), dtype=numpy.int64)
    numpy.add.at(total, group, weights)
    return hands[representatives], total


def dealer_values(context: CountingContext) -> tuple[Any, Any]:
    """Return the ranking tables, and the dealer's value for every up card and two more."""
    tables = context.arrays(shoe_three_card_tables())
    values = numpy.zeros((context.cards, context.cards, context.cards), dtype=numpy.int16)
    context.compiled(loop_dealer_values)(context.cards, tables, values)
    return tables, values


def main_codes(used: Any) -> Any:
    """Return the facts code of each column that is used, by decision: play or surrender."""
    bounds = facts.AnteOddsPlay.bounds()
    codes = numpy.zeros((2, 1, len(used)), dtype=numpy.int64)
    for column, place in enumerate(used):
        codes[0, 0, column] = encode((1, int(place) // COMPARISONS, int(place) % COMPARISONS), bounds)
        codes[1, 0, column] = encode((0, 0, 0), bounds)
    return codes


def _count_main(context: CountingContext) -> Counts:
    cards, weights = nodes(context)
    tables, values = dealer_values(context)
    dense = numpy.zeros((len(cards), 1, MASKS * COMPARISONS), dtype=numpy.int64)
    loop = context.compiled(loop_main)
    context.spread(
        lambda start, stop: loop(start, stop, cards, context.cards, context.decks, tables, values, dense), len(cards)
    )
    used = numpy.flatnonzero(dense.any(axis=(0, 1)))
    level = DecisionLevel(
        decisions=("play", "surrender"),
        branches=(0, 0),
        weights=weights,
        counts=numpy.ascontiguousarray(dense[:, :, used]),
        groups=numpy.zeros((len(cards), 1), dtype=numpy.int64),
        codes=main_codes(used),
    )
    shoe = context.cards * context.decks
    total = comb(shoe, 2) * (shoe - 2) * (shoe - 3) * comb(shoe - 4, 2)
    method = f"two cards and the up card of {context.decks} decks by suit class, all that follow by kinds"
    return Counts(wager="ante-odds-play", total=total, levels=(level,), method=method)
