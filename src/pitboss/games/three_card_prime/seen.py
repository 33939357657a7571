"""Counting Three Card Prime for a player who sees cards they should not. No pay, qualifier or tie rule is in here.

Against each player's hand the dealer's hands are read once, and counted in all, with each card and with each two cards.
What is left of them when three cards are known to lie elsewhere follows by inclusion and exclusion.
"""

from functools import partial
from math import comb
from typing import Any, NamedTuple

import numpy

from pitboss.games.three_card_prime import facts
from pitboss.games.three_card_prime.loops import ANTE_PLAY_COLUMNS, ante_play_codes, column_of, group_of
from pitboss.poker import three_card_tables
from pitboss.rules.counting import CountingContext, Counts, DecisionLevel, before_seeing
from pitboss.rules.facts import Hands

KINDS = {
    "own-fourth-card": "the player knows their own fourth card",
    "another-hand": "the player sees another seat's three cards",
    "dealer-card": "the player sees one of the dealer's three cards",
}

# The six counts of a row are the lanes of two integers, so that a row is added, taken away and compared in two steps.
_WORDS = 2
_LANES = ANTE_PLAY_COLUMNS // _WORDS
_LANE_BITS = 20
_LANE = (1 << _LANE_BITS) - 1
_SLOT_BITS = 16


class DealerRows(NamedTuple):
    """The dealer's hands against one player's hand: the column of each, and rows of counts by the cards they hold."""

    columns: Any
    all: Any
    one: Any
    two: Any


class Merged(NamedTuple):
    """Different rows of counts, how often each occurs, and the slots by which one is found again."""

    rows: Any
    numbers: Any
    slots: Any


def loop_dealt(a: int, b: int, c: int, cards: int, tables: Any, dealt: DealerRows) -> int:
    """Read every dealer's hand against one player's hand, in the order of its cards; return the player's group."""
    dealt.all[:] = 0
    dealt.one[:] = 0
    dealt.two[:] = 0
    at = group = 0
    for x in range(cards):
        if x in (a, b, c):
            continue
        for y in range(x + 1, cards):
            if y in (a, b, c):
                continue
            for z in range(y + 1, cards):
                if z in (a, b, c):
                    continue
                read = facts.read_ante_play(Hands((a, b, c, 0), (x, y, z), (1,), (0, 0)), tables)
                column, group = column_of(read), group_of(read)
                word, unit = column // _LANES, 1 << column % _LANES * _LANE_BITS
                dealt.columns[at] = column
                dealt.all[word] += unit
                dealt.one[x, word] += unit
                dealt.one[y, word] += unit
                dealt.one[z, word] += unit
                dealt.two[x, y, word] += unit
                dealt.two[x, z, word] += unit
                dealt.two[y, z, word] += unit
                at += 1
    return group


def loop_another_hand(a: int, b: int, c: int, cards: int, dealt: DealerRows, merged: Merged) -> int:
    """For every three cards seen, count the dealer's hands that hold none of them; return how many rows differ."""
    merged.slots[:] = -1
    every, one, two = dealt.all, dealt.one, dealt.two
    at = kinds = 0
    for x in range(cards):
        if x in (a, b, c):
            continue
        for y in range(x + 1, cards):
            if y in (a, b, c):
                continue
            low = every[0] - one[x, 0] - one[y, 0] + two[x, y, 0]
            high = every[1] - one[x, 1] - one[y, 1] + two[x, y, 1]
            for z in range(y + 1, cards):
                if z in (a, b, c):
                    continue
                # The three cards seen are a dealer's hand too: in all once, taken away three times, given back three
                # times, it has to go once more.
                column = dealt.columns[at]
                unit = 1 << column % _LANES * _LANE_BITS
                first = low - one[z, 0] + two[x, z, 0] + two[y, z, 0] - (unit if column < _LANES else 0)
                second = high - one[z, 1] + two[x, z, 1] + two[y, z, 1] - (0 if column < _LANES else unit)
                kinds = _merge(first, second, merged, kinds)
                at += 1
    return kinds


def _merge(first: int, second: int, merged: Merged, kinds: int) -> int:
    """Count a row once more, or as a new one; return how many different rows there are now."""
    mask = len(merged.slots) - 1
    mixed = first ^ first >> 13 ^ second << 2 ^ second >> 11
    slot = (mixed ^ mixed >> 20 ^ mixed >> 40) & mask
    while True:
        row = merged.slots[slot]
        if row < 0:
            merged.slots[slot] = kinds
            merged.rows[kinds, 0], merged.rows[kinds, 1] = first, second
            merged.numbers[kinds] = 1
            return kinds + 1
        if merged.rows[row, 0] == first and merged.rows[row, 1] == second:
            merged.numbers[row] += 1
            return kinds
        slot = (slot + 1) & mask


class _Of(NamedTuple):
    """Of one player's hand: its group, the rows of counts by what is seen, and how many sets of cards leave each."""

    group: int
    rows: Any
    numbers: Any


def _count_hands(kind: str, context: CountingContext, hands: Any, start: int, stop: int) -> list[_Of]:
    """Count, for each player's hand of a range, the dealer's hands that are left by what is seen."""
    sets = comb(context.cards - 3, 3)
    assert sets <= _LANE
    assert 2 * sets <= 1 << _SLOT_BITS
    tables = context.arrays(three_card_tables())
    read, merge = context.compiled(loop_dealt), context.compiled(loop_another_hand)
    words = [
        numpy.zeros((*shape, _WORDS), dtype=numpy.int64)
        for shape in ((), (context.cards,), (context.cards, context.cards))
    ]
    dealt = DealerRows(numpy.zeros(sets, dtype=numpy.int8), *words)
    merged = Merged(
        numpy.zeros((sets, _WORDS), dtype=numpy.int64),
        numpy.zeros(sets, dtype=numpy.int64),
        numpy.zeros(1 << _SLOT_BITS, dtype=numpy.int32),
    )
    counted = []
    for hand in hands[start:stop].tolist():
        group = read(*hand, context.cards, tables, dealt)
        if kind == "another-hand":
            rows = merge(*hand, context.cards, dealt, merged)
            counted.append(_Of(group, merged.rows[:rows].copy(), merged.numbers[:rows].copy()))
        else:
            with_card = numpy.delete(dealt.one, hand, axis=0)
            rows = with_card if kind == "dealer-card" else dealt.all - with_card
            counted.append(_Of(group, rows, numpy.ones(len(rows), dtype=numpy.int64)))
    return counted


def _unpacked(counted: list[_Of]) -> Any:
    """Return the counts of all rows. There are millions of nodes and no count is large: 32 bits hold each."""
    counts = numpy.zeros((sum(len(hand.rows) for hand in counted), 1, ANTE_PLAY_COLUMNS), dtype=numpy.int32)
    at = 0
    for hand in counted:
        to = at + len(hand.rows)
        for column in range(ANTE_PLAY_COLUMNS):
            counts[at:to, 0, column] = hand.rows[:, column // _LANES] >> column % _LANES * _LANE_BITS & _LANE
        at = to
    return counts


def count(kind: str, wager: str, context: CountingContext) -> Counts:
    """Count Ante and Play for a player who sees cards of this kind: first the hand, then what else is seen."""
    if wager != "ante-play":
        raise ValueError(f"{wager} has no decision that a card seen could change")
    hands, weights = context.classes(3)
    counted = [
        hand for part in context.spread(partial(_count_hands, kind, context, hands), len(hands)) for hand in part
    ]
    sizes = [len(hand.rows) for hand in counted]
    groups: Any = numpy.repeat(numpy.array([hand.group for hand in counted], dtype=numpy.int8), sizes)
    seeing = DecisionLevel(
        decisions=("play", "fold"),
        branches=(0, 0),
        weights=numpy.concatenate([hand.numbers for hand in counted]),
        counts=_unpacked(counted),
        groups=groups.reshape(-1, 1),
        codes=ante_play_codes(),
        parents=numpy.repeat(numpy.arange(len(hands)), sizes),
    )
    rest = context.cards - 3
    sets, dealers, seen_words = {
        "own-fourth-card": (rest, comb(rest - 1, 3), "every fourth card"),
        "another-hand": (comb(rest, 3), comb(rest - 3, 3), "every other three cards, those that leave the same as one"),
        "dealer-card": (rest, comb(rest - 1, 2), "every card of the dealer's"),
    }[kind]
    return Counts(
        wager=wager,
        total=comb(context.cards, 3) * sets * dealers,
        levels=(before_seeing(weights), seeing),
        method=f"every player's hand by suit class with {seen_words}; dealer's hands by inclusion and exclusion",
        basis=kind,
    )
