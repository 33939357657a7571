"""Counting 3 Card Double Play: how often each facts code occurs. No pay and no tie rule is in here.

The dealer's hands against six cards of a player are counted by inclusion and exclusion. Of the dealer's hands whose best
three are below a value, those that avoid six cards P are the sum over the sets S in P of (-1)^|S| F(S), where F(S)
counts those that hold all of S. Every S of fewer than four cards is shared out among the sets of four in P
that hold it, so that one table by suit class of four cards is enough; sets of five are dealer's hands themselves.
"""

from __future__ import annotations

from itertools import combinations, permutations
from math import comb
from typing import Any, NamedTuple

import numpy  # noqa: ICN001

from pitboss.cards import parse_cards
from pitboss.games.three_card_double_play import facts
from pitboss.games.three_card_double_play.facts import (
    read_high_low,
    read_pick_3,
    read_pick_5,
    read_super_3s,
    read_super_six,
)
from pitboss.poker import DIVISIONS_OF_SIX, best_three_of_five, three_card_tables, three_card_value
from pitboss.rules.counts import Counts, Level, plain_counts
from pitboss.rules.facts import Hands, encode
from pitboss.rules.kit import Kit

__all__ = ["Settings", "count", "pick_3_by_setting", "settings"]

_AS_SET = 1  # the second reading of `pick3_basis`
_SETTINGS = len(DIVISIONS_OF_SIX)
_CATEGORIES = len(facts.LOW_HAND_EVENTS)
_BOUNDS = (2, 2, 2, _CATEGORIES)
_BOTH, _HIGH_ONLY, _NEITHER = 0, 1, 2
_PICK_3, _PICK_5, _SUPER_3S, _SUPER_SIX = 0, 1, 2, 3

# Sets of fewer than four cards in a set of four of a player's six: how many of such sets of four hold them. What each
# is worth to one of the four is counted in thirtieths.
_SHARED_BY = (comb(6, 4), comb(5, 3), comb(4, 2), comb(3, 1), 1)
_WHOLE = 30
_SHARES = tuple((-1) ** size * _WHOLE // shared for size, shared in enumerate(_SHARED_BY))


class Settings(NamedTuple):
    """Every way to set each node's six cards that gives other values: the highest High Hand first, then the Low Hand.

    Arrays by node and setting: the places of the High Hand as bits, the values of both hands, and how many settings
    each node has. The nodes are the suit classes of six cards, cards ascending.
    """

    places: Any
    highs: Any
    lows: Any
    used: Any


def count(wager: str, kit: Kit) -> Counts:
    """Count one wager."""
    if wager == "high-low":
        return _count_high_low(kit)
    if wager == "pick-3" and kit.readings[:1] == (_AS_SET,):
        return _count_pick_3_as_set(kit)
    which, events = _SIX_CARDS[wager]
    return _count_six_cards(kit, wager, which, len(events))


# The settings of six cards


def loop_settings(
    start: int, stop: int, hands: Any, tables: Any, places: Any, highs: Any, lows: Any, used: Any
) -> None:
    """Write down every division that gives other values, the higher hand as the High Hand (TDP-6), in order."""
    for node in range(start, stop):
        held = hands[node]
        size = 0
        for a, b, c, d, e, f in DIVISIONS_OF_SIX:
            mask = 1 << a | 1 << b | 1 << c
            high = three_card_value(tables, held[a] + 0, held[b] + 0, held[c] + 0)
            low = three_card_value(tables, held[d] + 0, held[e] + 0, held[f] + 0)
            if low > high:
                high, low, mask = low, high, mask ^ 0b111111
            at = size
            while at > 0 and (highs[node, at - 1] < high or (highs[node, at - 1] == high and lows[node, at - 1] < low)):
                at -= 1
            if at > 0 and highs[node, at - 1] == high and lows[node, at - 1] == low:
                continue
            for behind in range(size, at, -1):
                highs[node, behind] = highs[node, behind - 1]
                lows[node, behind] = lows[node, behind - 1]
                places[node, behind] = places[node, behind - 1]
            highs[node, at], lows[node, at], places[node, at] = high, low, mask
            size += 1
        used[node] = size


def settings(kit: Kit) -> Settings:
    """List the settings of every node, in the order of the counts of `high-low`."""
    hands, _ = kit.classes(6)
    found = Settings(
        places=numpy.zeros((len(hands), _SETTINGS), dtype=numpy.int8),
        highs=numpy.zeros((len(hands), _SETTINGS), dtype=numpy.int16),
        lows=numpy.zeros((len(hands), _SETTINGS), dtype=numpy.int16),
        used=numpy.zeros(len(hands), dtype=numpy.int8),
    )
    loop, tables = kit.compiled(loop_settings), kit.arrays(three_card_tables())
    kit.spread(lambda start, stop: loop(start, stop, hands, tables, *found), len(hands))
    return found


# The dealer's hands


def loop_fifth_card(start: int, stop: int, fours: Any, cards: int, tables: Any, below: Any) -> None:
    """Count, of the hands of five that hold these four cards, those below each value."""
    five = numpy.zeros(5, dtype=numpy.int64)
    for row in range(start, stop):
        a, b, c, d = fours[row, 0] + 0, fours[row, 1] + 0, fours[row, 2] + 0, fours[row, 3] + 0
        five[0], five[1], five[2], five[3] = a, b, c, d
        for card in range(cards):
            if card in (a, b, c, d):
                continue
            five[4] = card
            below[row, best_three_of_five(tables, five) + 1] += 1
        for value in range(1, below.shape[1]):
            below[row, value] += below[row, value - 1]


def loop_one_card_less(sets: Any, cards: int, choose: Any, index: Any, above: Any, below: Any) -> None:
    """Count the same for sets of one card less: each hand is found once for every one of its other cards."""
    size = sets.shape[1]
    for row in range(len(sets)):
        for card in range(cards):
            place = 0
            held = False
            at = 0
            for position in range(size):
                other = sets[row, position]
                if other == card:
                    held = True
                if other < card:
                    place += choose[other, position + 1]
                    at += 1
                else:
                    place += choose[other, position + 2]
            if held:
                continue
            place += choose[card, at + 1]
            for value in range(below.shape[1]):
                below[row, value] += above[index[place], value]
        for value in range(below.shape[1]):
            below[row, value] //= 5 - size


def loop_share(start: int, stop: int, fewer: Any, rows: Any, share: int, fours: Any) -> None:
    """Add to each set of four its share of the smaller sets it holds."""
    for row in range(start, stop):
        for column in range(rows.shape[1]):
            for value in range(fours.shape[1]):
                fours[row, value] += share * fewer[rows[row, column], value]


def _places(sets: Any, choose: Any) -> Any:
    """Number sets of cards, ascending, by their place in the list of all of their size."""
    size = sets.shape[1]
    return sum(
        (choose[sets[:, column], column + 1] for column in range(size)), numpy.zeros(len(sets), dtype=numpy.int64)
    )


def _class_index(sets: Any, kit: Kit, choose: Any) -> Any:
    """Give the class of every set of a size, by its place: the classes' sets with their suits renamed in every way."""
    index = numpy.full(comb(kit.cards, sets.shape[1]), -1, dtype=numpy.int32)
    for names in permutations(range(4)):
        renamed = numpy.sort(sets // 4 * 4 + numpy.array(names)[sets % 4], axis=1)
        index[_places(renamed, choose)] = numpy.arange(len(sets), dtype=numpy.int32)
    return index


def _dealer_below(kit: Kit, choose: Any) -> tuple[Any, Any]:
    """Give the class of every set of four cards and, by class and value, its share of the dealer's hands below it."""
    tables = kit.arrays(three_card_tables())
    classes = [kit.classes(size)[0].astype(numpy.int64) for size in range(5)]
    indexes = [_class_index(sets, kit, choose) for sets in classes]
    below = [numpy.zeros((len(sets), len(tables.category) + 1), dtype=numpy.int32) for sets in classes]
    fifth, less, share = (kit.compiled(loop) for loop in (loop_fifth_card, loop_one_card_less, loop_share))
    kit.spread(lambda start, stop: fifth(start, stop, classes[4], kit.cards, tables, below[4]), len(classes[4]))
    for size in (3, 2, 1, 0):
        less(classes[size], kit.cards, choose, indexes[size + 1], below[size + 1], below[size])
    assert below[0][0, -1] == comb(kit.cards, 5), "the dealer's hands do not add up"
    shared = below[4] * numpy.int32(_SHARES[4])
    for size in range(4):
        rows = [indexes[size][_places(classes[4][:, list(part)], choose)] for part in combinations(range(4), size)]
        held = numpy.stack(rows, axis=1)
        kit.spread(lambda start, stop: share(start, stop, below[size], held, _SHARES[size], shared), len(held))  # noqa: B023
    return indexes[4], shared


# The High Hand and the Low Hand


def loop_high_low(
    start: int,
    stop: int,
    hands: Any,
    choose: Any,
    index: Any,
    below: Any,
    tables: Any,
    wins: Any,
    found: Any,
    counts: Any,
) -> None:
    """For every setting count the dealer's hands up to the Low Hand, above it up to the High Hand, and above both.

    `wins` says of the High Hand and of the Low Hand whether an equal dealer's hand is counted below it.
    """
    rows = numpy.zeros(15, dtype=numpy.int64)
    values = numpy.zeros(6, dtype=numpy.int64)
    five = numpy.zeros(5, dtype=numpy.int64)
    for node in range(start, stop):
        held = hands[node]
        at = 0
        for a in range(6):
            for b in range(a + 1, 6):
                for c in range(b + 1, 6):
                    for d in range(c + 1, 6):
                        place = choose[held[a], 1] + choose[held[b], 2] + choose[held[c], 3] + choose[held[d], 4]
                        rows[at] = index[place]
                        at += 1
        for left_out in range(6):
            for place in range(5):
                five[place] = held[place if place < left_out else place + 1]
            values[left_out] = best_three_of_five(tables, five)
        every = _avoiding(below, rows, values, below.shape[1] - 1)
        for setting in range(found.used[node]):
            to_high = _avoiding(below, rows, values, found.highs[node, setting] + wins[0])
            to_low = _avoiding(below, rows, values, found.lows[node, setting] + wins[1])
            counts[node, setting, 0] = to_low
            counts[node, setting, 1] = to_high - to_low
            counts[node, setting, 2] = every - to_high


def _avoiding(below: Any, rows: Any, values: Any, value: int) -> int:
    """Count the dealer's hands below a value that hold none of the six cards."""
    total = 0
    for row in rows:
        total += below[row, value]
    total //= 30
    for five in values:
        if five < value:
            total -= 1
    return total


def _column_facts() -> tuple[tuple[tuple[int, int], ...], tuple[int, int]]:
    """Ask the facts which hands win in each column, and whether each hand wins against its equal."""
    player = parse_cards("Ac Kd Jh Qc 9d 7h")

    def wins(dealer: str) -> tuple[int, int]:
        board = parse_cards(dealer)
        read = read_high_low(Hands(player, board, (0b000111, 0), (0,)), three_card_tables())
        return read.high_wins, read.low_wins

    columns = wins("Td 8h 5s 4c 2d"), wins("Kh Th 8s 4c 2d"), wins("Ad Ah 8s 4c 2d")
    like_low, like_high = wins("Qd 9h 7s 4c 2d"), wins("Ad Kh Js 4c 2d")
    assert like_low in columns[:2]
    assert like_high in columns[1:]
    return columns, (int(like_high == columns[_HIGH_ONLY]), int(like_low == columns[_BOTH]))


def _count_high_low(kit: Kit) -> Counts:
    hands, weights = kit.classes(6)
    found = settings(kit)
    choose = numpy.array([[comb(card, size) for size in range(6)] for card in range(kit.cards)], dtype=numpy.int64)
    index, below = _dealer_below(kit, choose)
    tables = kit.arrays(three_card_tables())
    columns, equal = _column_facts()
    counts = numpy.zeros((len(hands), _SETTINGS, len(columns)), dtype=numpy.int64)
    loop, wins = kit.compiled(loop_high_low), numpy.array(equal, dtype=numpy.int64)
    kit.spread(
        lambda start, stop: loop(start, stop, hands, choose, index, below, tables, wins, found, counts), len(hands)
    )
    codes = numpy.zeros((2 * _SETTINGS, _CATEGORIES, len(columns)), dtype=numpy.int64)
    for decision in range(2 * _SETTINGS):
        for category in range(_CATEGORIES):
            for column, winning in enumerate(columns):
                codes[decision, category, column] = encode((decision % 2, *winning, category), _BOUNDS)
    level = Level(
        decisions=tuple(f"setting {at + 1}{doubled}" for at in range(_SETTINGS) for doubled in ("", " doubled")),
        branches=tuple(decision // 2 for decision in range(2 * _SETTINGS)),
        weights=weights,
        counts=counts,
        groups=tables.category.astype(numpy.int8)[found.lows],
        codes=codes,
        allowed=_allowed(found, 2),
    )
    total = comb(kit.cards, 6) * comb(kit.cards - 6, 5)
    method = "every player's hand by suit class; dealer's hands by inclusion and exclusion of the player's six cards"
    return Counts(wager="high-low", total=total, levels=(level,), method=method)


def _allowed(found: Settings, decisions: int) -> Any:
    """Say of every node which decisions it has, so many to a setting."""
    return (numpy.arange(_SETTINGS * decisions) // decisions < found.used[:, None]).astype(numpy.int8)


# Pick-3 as the hands were set


def loop_pick_3(start: int, stop: int, hands: Any, tables: Any, found: Any, made: Any) -> None:
    """Read what each setting makes."""
    for node in range(start, stop):
        player = hands[node].astype(numpy.int64)
        for setting in range(found.used[node]):
            high = found.places[node, setting] + 0
            made[node, setting] = read_pick_3(Hands(player, (0, 0, 0, 0, 0), (high, 0), (_AS_SET,)), tables).made


def pick_3_by_setting(kit: Kit) -> Any:
    """Give the PICK_3_EVENTS of every node and setting, in the order of the counts of `high-low`."""
    return _pick_3_of(kit, settings(kit))


def _pick_3_of(kit: Kit, found: Settings) -> Any:
    hands, _ = kit.classes(6)
    made = numpy.zeros(found.places.shape, dtype=numpy.int16)
    loop, tables = kit.compiled(loop_pick_3), kit.arrays(three_card_tables())
    kit.spread(lambda start, stop: loop(start, stop, hands, tables, found, made), len(hands))
    return made


def _count_pick_3_as_set(kit: Kit) -> Counts:
    """Make each setting a decision; which one is taken, the main game says (TDP-3)."""
    _, weights = kit.classes(6)
    found = settings(kit)
    made = _pick_3_of(kit, found)
    every = numpy.arange(1 << len(facts.PICK_3_EVENTS), dtype=numpy.int64)
    level = Level(
        decisions=tuple(f"setting {at + 1}" for at in range(_SETTINGS)),
        branches=tuple(range(_SETTINGS)),
        weights=weights,
        counts=numpy.broadcast_to(numpy.ones(1, dtype=numpy.int64), (*made.shape, 1)),
        groups=made,
        codes=numpy.broadcast_to(every[:, None], (_SETTINGS, len(every), 1)),
        allowed=_allowed(found, 1),
    )
    method = "every setting of every set of six cards by suit class"
    return Counts(wager="pick-3", total=comb(kit.cards, 6), levels=(level,), method=method)


# Wagers on the six cards however they are set


def loop_six_cards(start: int, stop: int, which: int, sets: Any, weights: Any, tables: Any, histogram: Any) -> None:
    """Over every set of six cards."""
    player = numpy.zeros(6, dtype=numpy.int64)
    for node in range(start, stop):
        for place in range(6):
            player[place] = sets[node, place]
        hands = Hands(player, (0, 0, 0, 0, 0), (0, 0), (0,))
        if which == _PICK_3:
            made = read_pick_3(hands, tables).made
        elif which == _PICK_5:
            made = read_pick_5(hands, tables).made
        elif which == _SUPER_3S:
            made = read_super_3s(hands, tables).made
        else:
            made = read_super_six(hands, tables).made
        histogram[made] += weights[node]


def _count_six_cards(kit: Kit, wager: str, which: int, events: int) -> Counts:
    sets, weights = kit.classes(6)
    loop, tables = kit.compiled(loop_six_cards), kit.arrays(three_card_tables())

    def piece(start: int, stop: int) -> Any:
        histogram = numpy.zeros(1 << events, dtype=numpy.int64)
        loop(start, stop, which, sets, weights, tables, histogram)
        return histogram

    return plain_counts(wager, sum(kit.spread(piece, len(sets))), "every set of six cards by suit class")


_SIX_CARDS = {
    "pick-3": (_PICK_3, facts.PICK_3_EVENTS),
    "pick-5": (_PICK_5, facts.PICK_5_EVENTS),
    "super-3s": (_SUPER_3S, facts.SUPER_3S_EVENTS),
    "super-six": (_SUPER_SIX, facts.SUPER_SIX_EVENTS),
}
