"""Counting Super Three Card for a player who takes account of another seat's cards. No pay or tie rule is in here.

All cards lie face up: what another seat holds is gone from the shoe, and nobody need hide that they saw it.
"""

from collections.abc import Sequence
from functools import partial
from math import comb
from typing import Any, NamedTuple

import numpy

from pitboss.games.super_three_card import facts
from pitboss.games.super_three_card.loops import (
    COMPARISONS,
    MASKS,
    ByValue,
    count_left,
    dealer_values,
    nodes,
)
from pitboss.games.super_three_card.loops import count as count_plain
from pitboss.poker import shoe_three_card_value
from pitboss.rules.counting import CountingContext, Counts, DecisionLevel, SeenPlay, before_seeing
from pitboss.rules.facts import Hands, compare

KINDS = {
    "another-card": "the player takes account of one card of another seat, face up",
    "another-hand": "the player takes account of both cards of another seat, face up",
}
PLAYED = ("another-hand",)
_WAGER = "ante-odds-play"


def loop_seen(hand: Any, decks: int, tables: Any, values: Any, by_value: ByValue, counts: Any) -> None:
    """Count what follows two cards and an up card, for every card seen elsewhere that the shoe still holds."""
    left = numpy.full(values.shape[0], decks)
    for place in range(3):
        left[hand[place]] -= 1
    for seen in range(values.shape[0]):
        if left[seen] > 0:
            left[seen] -= 1
            count_left(hand, left, tables, values, by_value, counts[seen])
            left[seen] += 1


class _Of(NamedTuple):
    """Of one node: different rows of counts by what is seen, and how many sets of cards leave each."""

    rows: Any
    numbers: Any


def _count_hands(context: CountingContext, used: Any, hands: Any, start: int, stop: int) -> list[_Of]:
    """Count, for each node of a range, what follows by what is seen; rows that are the same stand as one."""
    tables, values = dealer_values(context)
    loop = context.compiled(loop_seen)
    size = len(tables.category)
    by_value = ByValue(*(numpy.zeros(length, dtype=numpy.int64) for length in (size, size, COMPARISONS)))
    counts = numpy.zeros((context.cards, MASKS * COMPARISONS), dtype=numpy.int64)
    counted = []
    for hand in hands[start:stop]:
        counts[:] = 0
        loop(hand, context.decks, tables, values, by_value, counts)
        numbers = context.decks - numpy.bincount(hand, minlength=context.cards)
        # No count is larger than the deals that follow one hand, some ten millions: 32 bits hold each.
        rows, where = _merged(counts[:, used].astype(numpy.int32)[numbers > 0])
        summed = numpy.zeros(len(rows), dtype=numpy.int64)
        numpy.add.at(summed, where, numbers[numbers > 0])
        counted.append(_Of(rows, summed))
    return counted


def _merged(rows: Any) -> tuple[Any, Any]:
    """Return the different rows, and where each row stands among them."""
    rows = numpy.ascontiguousarray(rows)
    whole = rows.view(numpy.dtype((numpy.void, rows.dtype.itemsize * rows.shape[1]))).reshape(-1)
    _, first, where = numpy.unique(whole, return_index=True, return_inverse=True)
    return rows[first], where.reshape(-1)


def count(kind: str, wager: str, context: CountingContext) -> Counts:
    """Count Ante, Odds and Play for a player who takes account of cards of this kind: the hand, then what is seen."""
    if wager != _WAGER:
        raise ValueError(f"{wager} has no decision that a card seen could change")
    (plain,) = count_plain(wager, context).levels
    used = plain.codes[0, 0] - MASKS * COMPARISONS
    hands, weights = nodes(context)
    parts = context.spread(partial(_count_hands, context, used, hands), len(hands))
    counted = [node for part in parts for node in part]
    sizes = [len(node.rows) for node in counted]
    seeing = DecisionLevel(
        decisions=plain.decisions,
        branches=plain.branches,
        weights=numpy.concatenate([node.numbers for node in counted]),
        counts=numpy.concatenate([node.rows for node in counted])[:, None, :],
        groups=numpy.zeros((sum(sizes), 1), dtype=numpy.int8),
        codes=plain.codes,
        parents=numpy.repeat(numpy.arange(len(hands)), sizes),
    )
    shoe = context.cards * context.decks
    return Counts(
        wager=wager,
        total=comb(shoe, 2) * (shoe - 2) * (shoe - 3) * (shoe - 4) * comb(shoe - 5, 2),
        levels=(before_seeing(weights), seeing),
        method=f"two cards and the up card of {context.decks} decks by suit class, and every card seen",
        basis=kind,
    )


class Removed(NamedTuple):
    """Of the deals that follow one hand, by column: all, those with a card of a kind, and those with two cards."""

    every: Any
    one: Any
    two: Any


def count_removed(hand: Any, left: Any, tables: Any, values: Any, column: Any, removed: Removed) -> None:
    """Count every third card against every two more of the dealer's, and how many of those deals hold what is seen.

    A card is in as many deals as any other of its kind; so the deals that hold one card, or two, are exact parts of
    all, and what is left when two cards are seen follows by inclusion and exclusion.
    """
    up, kinds = hand[2], len(left)
    removed.every[:] = 0
    removed.one[:] = 0
    removed.two[:] = 0
    for third in range(kinds):
        if left[third] == 0:
            continue
        read = facts.read_ante_odds_play(Hands((hand[0], hand[1], third), (up, up, up), (1,), (0,)), tables)
        ours = shoe_three_card_value(tables, hand[0], hand[1], third)
        for x in range(kinds):
            of_x = left[x] - (1 if x == third else 0)
            for y in range(x, kinds):
                pairs = of_x * (of_x - 1) // 2 if x == y else of_x * (left[y] - (1 if y == third else 0))
                if pairs > 0:
                    at = column[read.events * COMPARISONS + compare(ours, values[up, x, y])]
                    remove(third, x, y, left, left[third] * pairs, at, removed)


def remove(third: int, x: int, y: int, left: Any, ways: int, at: int, removed: Removed) -> None:
    """Add so many deals of three kinds of cards to all, and to those that hold each one and each two of their cards."""
    removed.every[at] += ways
    thirds, xs = 1 + (x == third) + (y == third), 1 + (y == x)
    removed.one[third, at] += ways * thirds // left[third]
    if thirds > 1:
        removed.two[third, third, at] += ways * thirds * (thirds - 1) // (left[third] * (left[third] - 1))
    if x != third:
        removed.one[x, at] += ways * xs // left[x]
        removed.two[min(third, x), max(third, x), at] += ways * thirds * xs // (left[third] * left[x])
        if xs > 1:
            removed.two[x, x, at] += ways * 2 // (left[x] * (left[x] - 1))
    if y not in (third, x):
        removed.one[y, at] += ways // left[y]
        removed.two[min(third, y), max(third, y), at] += ways * thirds // (left[third] * left[y])
        if x != third:
            removed.two[x, y, at] += ways // (left[x] * left[y])


def loop_play(
    start: int, stop: int, hands: Any, decks: int, tables: Any, values: Any, column: Any, nets: Any, seeing: Any,
    surrendered: Any, changed: Any,
) -> None:  # fmt: skip
    """Decide for every hand and every two cards seen, and add up what follows.

    `nets` has by column what playing wins, and last what surrendering does, in whole numbers. `changed` counts deals
    that are played although they would be surrendered unseen, and the reverse.
    """
    columns = len(nets) - 1
    kinds = values.shape[0]
    removed = Removed(
        numpy.zeros(columns, dtype=numpy.int64),
        numpy.zeros((kinds, columns), dtype=numpy.int64),
        numpy.zeros((kinds, kinds, columns), dtype=numpy.int64),
    )
    for node in range(start, stop):
        left = numpy.full(kinds, decks)
        for place in range(3):
            left[hands[node, place]] -= 1
        count_removed(hands[node], left, tables, values, column, removed)
        usual = (removed.every * nets[:columns]).sum() > removed.every.sum() * nets[columns]
        for one in range(kinds):
            for other in range(one, kinds):
                times = left[one] * (left[one] - 1) // 2 if one == other else left[one] * left[other]
                if times == 0:
                    continue
                rest = removed.every - removed.one[one] - removed.one[other] + removed.two[one, other]
                deals = times * rest.sum()
                # Where both are worth the same the smaller wager is taken (G-18).
                plays = (rest * nets[:columns]).sum() > rest.sum() * nets[columns]
                if plays:
                    seeing[node] += times * rest
                else:
                    surrendered[node] += deals
                if plays != usual:
                    changed[node, 0 if plays else 1] += deals


def play(kind: str, context: CountingContext, nets: Sequence[int]) -> SeenPlay:
    """Play Ante, Odds and Play for a player who takes account of two cards; `nets` is by facts code."""
    (plain,) = count_plain(_WAGER, context).levels
    codes = plain.codes[:, 0].tolist()
    column = numpy.zeros(MASKS * COMPARISONS, dtype=numpy.int64)
    column[plain.codes[0, 0] - MASKS * COMPARISONS] = numpy.arange(len(codes[0]))
    by_column = numpy.array([nets[code] for code in (*codes[0], codes[1][0])], dtype=numpy.int64)
    hands, weights = nodes(context)
    tables, values = dealer_values(context)
    seeing = numpy.zeros((len(hands), len(codes[0])), dtype=numpy.int64)
    surrendered, changed = numpy.zeros(len(hands), dtype=numpy.int64), numpy.zeros((len(hands), 2), dtype=numpy.int64)
    loop = context.compiled(loop_play)
    arrays = (hands, context.decks, tables, values, column, by_column, seeing, surrendered, changed)
    context.spread(lambda start, stop: loop(start, stop, *arrays), len(hands))
    # All deals together are more than 64 bits hold.
    times = weights.astype(object)
    played = (seeing.astype(object) * times[:, None]).sum(axis=0)
    gave_up = int((surrendered.astype(object) * times).sum())
    to_play, to_surrender = (int(number) for number in (changed.astype(object) * times[:, None]).sum(axis=0))
    histogram = {code: int(number) for code, number in zip(codes[0], played, strict=True) if number}
    if gave_up:
        histogram[codes[1][0]] = gave_up
    total = sum(histogram.values())
    shoe = context.cards * context.decks
    assert total == comb(shoe, 2) * (shoe - 2) * comb(shoe - 3, 2) * (shoe - 5) * comb(shoe - 6, 2)
    return SeenPlay(
        total=total,
        seeing=histogram,
        decided=({"play": total - gave_up, "surrender": gave_up},),
        changes={("surrender", "play"): to_play, ("play", "surrender"): to_surrender},
        method=f"two cards and the up card of {context.decks} decks by suit class, and every two cards seen ({kind})",
    )
