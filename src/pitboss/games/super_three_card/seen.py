"""Counting Super Three Card for a player who takes account of another seat's cards. No pay or tie rule is in here.

All cards lie face up: what another seat holds is gone from the shoe, and nobody need hide that they saw it.
"""

from functools import partial
from math import comb
from typing import Any, NamedTuple

import numpy

from pitboss.games.super_three_card.loops import (
    COMPARISONS,
    MASKS,
    ByValue,
    count_left,
    dealer_values,
    nodes,
)
from pitboss.games.super_three_card.loops import count as count_plain
from pitboss.rules.counting import GOES_ON, CountingContext, Counts, DecisionLevel

KINDS = {"another-card": "the player takes account of one card of another seat, face up"}
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


def _before_seeing(weights: Any) -> DecisionLevel:
    """The hand and the up card alone: nothing is decided before the other cards are seen."""
    return DecisionLevel(
        decisions=("",),
        branches=(GOES_ON,),
        weights=weights,
        counts=numpy.zeros((len(weights), 1, 0), dtype=numpy.int32),
        groups=numpy.zeros((len(weights), 1), dtype=numpy.int8),
        codes=numpy.zeros((1, 1, 0), dtype=numpy.int64),
    )


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
        levels=(_before_seeing(weights), seeing),
        method=f"two cards and the up card of {context.decks} decks by suit class, and every card seen",
        basis=kind,
    )
