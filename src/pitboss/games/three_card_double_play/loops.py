"""Counting 3 Card Double Play: how often each facts code occurs. No pay and no tie rule is in here.

The dealer's hands against six cards of a player are counted by inclusion and exclusion. Of the dealer's hands that are
below a value, those that avoid six cards P are the sum over the sets S in P of (-1)^|S| F(S), where F(S) counts
those that hold all of S. Every S of fewer than four cards is shared out evenly among the sets of one card more in P
that hold it, so that one table by suit class of four cards is enough; sets of five are dealer's hands themselves.
"""

from collections.abc import Callable
from functools import lru_cache
from itertools import combinations, permutations
from math import comb
from typing import Any, NamedTuple

import numpy

from pitboss.cards import parse_cards
from pitboss.games.three_card_double_play import facts
from pitboss.poker import DIVISIONS_OF_SIX, best_three_of_five, three_card_tables, three_card_value
from pitboss.rules.counting import CountingContext, Counts, DecisionLevel, plain_counts
from pitboss.rules.facts import Hands, encode

_AS_SET = 1  # the second reading of `pick3_basis`
_SETTINGS = len(DIVISIONS_OF_SIX)
_CATEGORIES = len(facts.LOW_HAND_EVENTS)
_BOUNDS = facts.HighLow.bounds()

# A set of 0, 1, 2, 3 of six cards is in 6, 5, 4, 3 sets of one card more: counts are kept in parts, that many to one.
_PARTS = (1, 6, 30, 120, 360)
_WHOLE = _PARTS[-1]
_FOURS_OF_SIX = tuple(combinations(range(6), 4))


class Settings(NamedTuple):
    """Every way to set each node's six cards that gives other values: the highest High Hand first, then the Low Hand.

    Arrays by node and setting: the places of the High Hand as bits, the values of both hands, and how many settings
    each node has. The nodes are the suit classes of six cards, cards ascending.
    """

    places: Any
    highs: Any
    lows: Any
    used: Any


def count(wager: str, context: CountingContext) -> Counts:
    """Count one wager."""
    if wager == "high-low":
        return _count_high_low(context.without_readings)
    if wager == "pick-3" and context.readings[:1] == (_AS_SET,):
        return _count_pick_3_as_set(context.without_readings)
    return count_six_cards(context, wager)


def _spread(context: CountingContext, loop: Callable[..., Any], size: int, *arguments: Any) -> None:
    """Run a loop over all of its range, on every core."""
    run = context.compiled(loop)
    context.spread(lambda start, stop: run(start, stop, *arguments), size)


# The settings of six cards


def loop_settings(
    start: int, stop: int, hands: Any, tables: Any, places: Any, highs: Any, lows: Any, used: Any
) -> None:
    """Write down every division that gives other values, the higher hand as the High Hand (TDP-6), in order."""
    held = numpy.zeros(6, dtype=numpy.int64)
    for node in range(start, stop):
        for place in range(6):
            held[place] = hands[node, place]
        size = 0
        for a, b, c, d, e, f in DIVISIONS_OF_SIX:
            mask = 1 << a | 1 << b | 1 << c
            high = three_card_value(tables, held[a], held[b], held[c])
            low = three_card_value(tables, held[d], held[e], held[f])
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


@lru_cache(maxsize=2)
def settings(context: CountingContext) -> Settings:
    """List the settings of every node, in the order of the counts of `high-low`."""
    hands, _ = context.classes(6)
    by_node = Settings(
        places=numpy.zeros((len(hands), _SETTINGS), dtype=numpy.int8),
        highs=numpy.zeros((len(hands), _SETTINGS), dtype=numpy.int16),
        lows=numpy.zeros((len(hands), _SETTINGS), dtype=numpy.int16),
        used=numpy.zeros(len(hands), dtype=numpy.int8),
    )
    _spread(context, loop_settings, len(hands), hands, context.arrays(three_card_tables()), *by_node)
    return by_node


# The dealer's hands


def loop_fifth_card(start: int, stop: int, fours: Any, cards: int, tables: Any, below: Any) -> None:
    """Count, of the hands of five that hold these four cards, those below each value."""
    five: Any = numpy.zeros(5, dtype=numpy.int64)
    for row in range(start, stop):
        for place in range(4):
            five[place] = fours[row, place]
        for card in range(cards):
            if card in (five[0], five[1], five[2], five[3]):
                continue
            five[4] = card
            below[row, best_three_of_five(tables, five) + 1] += 1
        for value in range(1, below.shape[1]):
            below[row, value] += below[row, value - 1]


def loop_one_card_less(
    start: int, stop: int, sets: Any, cards: int, choose: Any, index: Any, more: Any, below: Any
) -> None:
    """Count the same for sets of one card less: each hand is found once for every one of its other cards."""
    size = sets.shape[1]
    for row in range(start, stop):
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
                below[row, value] += more[index[place], value]
        for value in range(below.shape[1]):
            below[row, value] //= 5 - size


def loop_share(start: int, stop: int, sets: Any, choose: Any, index: Any, fewer: Any, parts: int, below: Any) -> None:
    """Put the counts in parts, with their sign, and add the share of every set of one card less."""
    size = sets.shape[1]
    for row in range(start, stop):
        for value in range(below.shape[1]):
            below[row, value] *= parts
        for left_out in range(size):
            place = 0
            for position in range(size):
                if position != left_out:
                    place += choose[sets[row, position], position + 1 if position < left_out else position]
            for value in range(below.shape[1]):
                below[row, value] += fewer[index[place], value]


def _places(sets: Any, choose: Any) -> Any:
    """Number sets of cards, ascending, by their place in the list of all of their size."""
    return choose[sets, numpy.arange(sets.shape[1]) + 1].sum(axis=1)


def _class_index(sets: Any, context: CountingContext, choose: Any) -> Any:
    """Return the class of every set of a size, by its place: the classes' sets with suits renamed in every way."""
    index = numpy.full(comb(context.cards, sets.shape[1]), -1, dtype=numpy.int32)
    for names in permutations(range(4)):
        renamed = numpy.sort(sets // 4 * 4 + numpy.array(names)[sets % 4], axis=1)
        index[_places(renamed, choose)] = numpy.arange(len(sets), dtype=numpy.int32)
    return index


def _dealer_below(context: CountingContext, choose: Any) -> tuple[Any, Any]:
    """Return the class of every set of four cards, and by class and value the parts it adds to the hands below."""
    tables = context.arrays(three_card_tables())
    classes = [context.classes(size)[0].astype(numpy.int64) for size in range(5)]
    indexes = [_class_index(sets, context, choose) for sets in classes]
    below = [numpy.zeros((len(sets), len(tables.category) + 1), dtype=numpy.int32) for sets in classes]
    _spread(context, loop_fifth_card, len(classes[4]), classes[4], context.cards, tables, below[4])
    for size in (3, 2, 1, 0):
        arguments = (classes[size], context.cards, choose, indexes[size + 1], below[size + 1], below[size])
        _spread(context, loop_one_card_less, len(classes[size]), *arguments)
    assert below[0][0, -1] == comb(context.cards, 5), "the dealer's hands do not add up"
    for size in (1, 2, 3, 4):
        parts = (-1) ** size * _PARTS[size]
        arguments = (classes[size], choose, indexes[size - 1], below[size - 1], parts, below[size])
        _spread(context, loop_share, len(classes[size]), *arguments)
    return indexes[4], below[4]


# The High Hand and the Low Hand


def loop_best_of_five(start: int, stop: int, choose: Any, tables: Any, bests: Any) -> None:
    """Value every five cards as a dealer's hand, by their place in the list of all; the range is of the last card."""
    five: Any = numpy.zeros(5, dtype=numpy.int64)
    for e in range(start, stop):
        for d in range(e):
            for c in range(d):
                for b in range(c):
                    for a in range(b):
                        five[0], five[1], five[2], five[3], five[4] = a, b, c, d, e
                        place = a + choose[b, 2] + choose[c, 3] + choose[d, 4] + choose[e, 5]
                        bests[place] = best_three_of_five(tables, five)


def loop_high_low(
    start: int,
    stop: int,
    hands: Any,
    choose: Any,
    index: Any,
    below: Any,
    bests: Any,
    wins: Any,
    by_node: Any,
    counts: Any,
) -> None:
    """For every setting count the dealer's hands up to the Low Hand, above it up to the High Hand, and above both.

    `wins` says of the High Hand and of the Low Hand whether an equal dealer's hand is counted below it.
    """
    held = numpy.zeros(6, dtype=numpy.int64)
    # Unsigned, so that compiled code need not look for places counted from the end.
    limits = numpy.zeros(2 * _SETTINGS + 1, dtype=numpy.uint64)
    totals = numpy.zeros(2 * _SETTINGS + 1, dtype=numpy.int64)
    for node in range(start, stop):
        for place in range(6):
            held[place] = hands[node, place]
        used = int(by_node.used[node])
        for setting in range(used):
            limits[2 * setting] = by_node.highs[node, setting] + wins[0]
            limits[2 * setting + 1] = by_node.lows[node, setting] + wins[1]
        limits[2 * used] = below.shape[1] - 1
        totals[:] = 0
        for a, b, c, d in _FOURS_OF_SIX:
            row = index[choose[held[a], 1] + choose[held[b], 2] + choose[held[c], 3] + choose[held[d], 4]]
            below_row = below[row]
            for at in range(2 * used + 1):
                totals[at] += below_row[limits[at]]
        for at in range(2 * used + 1):
            totals[at] //= _WHOLE
        for left_out in range(6):
            place = 0
            for position in range(5):
                place += choose[held[position if position < left_out else position + 1], position + 1]
            best = numpy.uint64(bests[place])
            for at in range(2 * used + 1):
                totals[at] -= 1 if best < limits[at] else 0
        for setting in range(used):
            to_high, to_low = totals[2 * setting], totals[2 * setting + 1]
            counts[node, setting, 0] = to_low
            counts[node, setting, 1] = to_high - to_low
            counts[node, setting, 2] = totals[2 * used] - to_high


def _column_facts() -> tuple[tuple[tuple[int, int], ...], tuple[int, int]]:
    """Read from the facts which hands win in each column, and whether each hand wins against its equal."""
    player = parse_cards("Ac Kd Jh Qc 9d 7h")

    def wins(dealer: str) -> tuple[int, int]:
        board = parse_cards(dealer)
        read = facts.read_high_low(Hands(player, board, (0b000111, 0), (0,)), three_card_tables())
        return read.high_wins, read.low_wins

    below_both, between, above_both = wins("Td 8h 5s 4c 2d"), wins("Kh Th 8s 4c 2d"), wins("Ad Ah 8s 4c 2d")
    like_high, like_low = wins("Ad Kh Js 4c 2d"), wins("Qd 9h 7s 4c 2d")
    assert like_high in (between, above_both)
    assert like_low in (below_both, between)
    return (below_both, between, above_both), (int(like_high == between), int(like_low == below_both))


def _count_high_low(context: CountingContext) -> Counts:
    hands, weights = context.classes(6)
    by_node = settings(context)
    choose = numpy.array([[comb(card, size) for size in range(6)] for card in range(context.cards)], dtype=numpy.int64)
    index, below = _dealer_below(context, choose)
    tables = context.arrays(three_card_tables())
    columns, equal = _column_facts()
    assert comb(context.cards, 5) * _WHOLE < 1 << 31, "counts of a node are 32-bit integers"
    counts = numpy.zeros((len(hands), _SETTINGS, len(columns)), dtype=numpy.int32)
    wins = numpy.array(equal, dtype=numpy.int64)
    bests = numpy.zeros(comb(context.cards, 5), dtype=numpy.int16)
    _spread(context, loop_best_of_five, context.cards, choose, tables, bests)
    _spread(context, loop_high_low, len(hands), hands, choose, index, below, bests, wins, by_node, counts)
    codes = numpy.zeros((2 * _SETTINGS, _CATEGORIES, len(columns)), dtype=numpy.int64)
    for decision, category, column in numpy.ndindex(codes.shape):
        codes[decision, category, column] = encode((decision % 2, *columns[column], category), _BOUNDS)
    level = DecisionLevel(
        decisions=tuple(f"setting {at + 1}{doubled}" for at in range(_SETTINGS) for doubled in ("", " doubled")),
        branches=tuple(decision // 2 for decision in range(2 * _SETTINGS)),
        weights=weights,
        counts=counts,
        groups=tables.category.astype(numpy.int8)[by_node.lows],
        codes=codes,
        allowed=_allowed(by_node, 2),
    )
    total = comb(context.cards, 6) * comb(context.cards - 6, 5)
    method = "every player's hand by suit class; dealer's hands by inclusion and exclusion of the player's six cards"
    return Counts(wager="high-low", total=total, levels=(level,), method=method)


def _allowed(by_node: Settings, decisions: int) -> Any:
    """Return of every node which decisions it has, so many to a setting."""
    setting = numpy.arange(_SETTINGS * decisions, dtype=numpy.int8) // decisions
    return (setting.astype(numpy.int8) < by_node.used[:, None]).view(numpy.int8)


# Pick-3 as the hands were set


def loop_pick_3_values(start: int, stop: int, hands: Any, tables: Any, events: Any) -> None:
    """Read what two hands of three cards make, by their values: on three cards that stand for each."""
    for one in range(start, stop):
        a, b, c = hands[one, 0] + 0, hands[one, 1] + 0, hands[one, 2] + 0
        high = three_card_value(tables, a, b, c)
        for other in range(len(hands)):
            d, e, f = hands[other, 0] + 0, hands[other, 1] + 0, hands[other, 2] + 0
            player = Hands((a, b, c, d, e, f), (0, 0, 0, 0, 0), (0b000111, 0), (_AS_SET,))
            events[high, three_card_value(tables, d, e, f)] = facts.read_pick_3(player, tables).events


def loop_pick_3(start: int, stop: int, by_node: Any, by_values: Any, events: Any) -> None:
    """Look up what each setting makes."""
    for node in range(start, stop):
        for setting in range(by_node.used[node]):
            events[node, setting] = by_values[by_node.highs[node, setting], by_node.lows[node, setting]]


def pick_3_by_setting(context: CountingContext) -> Any:
    """Return the PICK_3_EVENTS of every node and setting, in the order of the counts of `high-low`."""
    tables, by_node = three_card_tables(), settings(context)
    threes, _ = context.classes(3)
    # Categories and the rank of a pair are all that counts, and a value tells both: one hand of each is enough.
    values = [three_card_value(tables, *three) for three in threes.tolist()]
    hands = threes[numpy.unique(values, return_index=True)[1]]
    by_values = numpy.zeros((len(tables.category), len(tables.category)), dtype=numpy.int8)
    _spread(context, loop_pick_3_values, len(hands), hands, context.arrays(tables), by_values)
    events = numpy.zeros(by_node.places.shape, dtype=numpy.int8)
    _spread(context, loop_pick_3, len(events), by_node, by_values, events)
    return events


def _count_pick_3_as_set(context: CountingContext) -> Counts:
    """Make each setting a decision; which one is taken, the main game says (TDP-3)."""
    _, weights = context.classes(6)
    by_node = settings(context)
    events = pick_3_by_setting(context)
    every = numpy.arange(1 << len(facts.PICK_3_EVENTS), dtype=numpy.int64)
    level = DecisionLevel(
        decisions=tuple(f"setting {at + 1}" for at in range(_SETTINGS)),
        branches=tuple(range(_SETTINGS)),
        weights=weights,
        counts=numpy.ones((*events.shape, 1), dtype=numpy.int8),
        groups=events,
        codes=numpy.tile(every[:, None], (_SETTINGS, 1, 1)),
        allowed=_allowed(by_node, 1),
    )
    method = "every setting of every set of six cards by suit class"
    return Counts(wager="pick-3", total=comb(context.cards, 6), levels=(level,), method=method)


_PICK_3, _PICK_5, _SUPER_3S, _SUPER_SIX = 0, 1, 2, 3
_SIX_CARDS = {
    "pick-3": (_PICK_3, facts.PICK_3_EVENTS),
    "pick-5": (_PICK_5, facts.PICK_5_EVENTS),
    "super-3s": (_SUPER_3S, facts.SUPER_3S_EVENTS),
    "super-six": (_SUPER_SIX, facts.SUPER_SIX_EVENTS),
}


def loop_six_cards(start: int, stop: int, which: int, sets: Any, weights: Any, tables: Any, histogram: Any) -> None:
    """Over every set of six cards."""
    player: Any = numpy.zeros(6, dtype=numpy.int64)
    for node in range(start, stop):
        for place in range(6):
            player[place] = sets[node, place]
        hands = Hands(player, (0, 0, 0, 0, 0), (0, 0), (0,))
        if which == _PICK_3:
            events = facts.read_pick_3(hands, tables).events
        elif which == _PICK_5:
            events = facts.read_pick_5(hands, tables).events
        elif which == _SUPER_3S:
            events = facts.read_super_3s(hands, tables).events
        else:
            events = facts.read_super_six(hands, tables).events
        histogram[events] += weights[node]


def count_six_cards(context: CountingContext, wager: str) -> Counts:
    """Count one of these wagers."""
    which, events = _SIX_CARDS[wager]
    sets, weights = context.classes(6)
    loop, tables = context.compiled(loop_six_cards), context.arrays(three_card_tables())

    def piece(start: int, stop: int) -> Any:
        histogram = numpy.zeros(1 << len(events), dtype=numpy.int64)
        loop(start, stop, which, sets, weights, tables, histogram)
        return histogram

    return plain_counts(wager, sum(context.spread(piece, len(sets))), "every set of six cards by suit class")
