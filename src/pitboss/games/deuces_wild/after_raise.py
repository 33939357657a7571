"""Counting the Five Card Fortune where the dealer takes the best selection after a Raise (`dealer_takes_best`, DW-6).

Five cards are held and the community is known, so the hand makes what any of its selections makes. With a community
whose natural cards are not all of one suit a single card makes what its rank makes; so hands with at most one wild card
are counted by ranks, and the communities of one suit are then put right, suit by suit: there only the ranks held in the
suit and the other ranks matter. The few hands with two or more wild cards meet every community.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import combinations, combinations_with_replacement
from math import comb
from typing import Any

import numpy

from pitboss.games.deuces_wild.facts import fortune_made
from pitboss.games.deuces_wild.loops import (
    SELECTIONS,
    Sets,
    fortune_beside_ante,
    fourth_cards,
    key_of,
    place_of,
    sets_of,
)
from pitboss.poker.made import wild_five_card_made
from pitboss.rules.counts import Counts
from pitboss.rules.kit import Kit

__all__ = ["DEALER_SELECTS", "after_raise", "fortune_beside_raise"]

DEALER_SELECTS = "the dealer takes the best"
_HELD, _COMMUNITY = 5, 4
_WILD = 0  # the column of a wild card where others are by rank or by natural card


def loop_five_keys(start: int, stop: int, cards: Any, keys: Any) -> None:
    """Give every set of five cards its key."""
    for node in range(start, stop):
        keys[node] = key_of(cards[node], 5)


def loop_fives(start: int, stop: int, fours: Any, fifths: Any, keys: Any, places: Any) -> None:
    """Find the set of five that four cards become with each fifth."""
    held = numpy.zeros(5, dtype=numpy.int64)
    for node in range(start, stop):
        for place in range(4):
            held[place] = fours[node, place]
        for column in range(fifths.shape[1]):
            held[4] = fifths[node, column]
            if held[4] >= 0:
                places[node, column] = place_of(keys, key_of(held, 5))


def loop_one_selected(start: int, stop: int, boards: Any, cards: Any, made: Any) -> None:
    """Read what each card makes with each community; -1 in place of a card where there is none to read."""
    for node in range(start, stop):
        a, b, c, d = boards[node, 0], boards[node, 1], boards[node, 2], boards[node, 3]
        for column in range(cards.shape[1]):
            card = cards[node % cards.shape[0], column]
            if card >= 0 and card not in (a, b, c, d):
                made[column, node] = wild_five_card_made((a, b, c, d, card))


def loop_many_selected(start: int, stop: int, wild: Any, boards: Any, made: Any) -> None:
    """Read what two to five wild cards make with each community."""
    for node in range(start, stop):
        for selected in range(2, 6):
            made[selected, node] = fortune_made(wild, (1 << selected) - 1, boards[node])


def loop_by_ranks(
    start: int, stop: int, held: Any, boards: Any, ways: Any, made: Any, columns: Any, counts: Any
) -> None:
    """Count by ranks alone; `held` and `boards` say how many cards of each rank there are, wild cards at rank 0."""
    for node in range(start, stop):
        for board in range(len(boards)):
            number = ways[held[node, 0], boards[board, 0]]
            mask = 0
            for rank in range(held.shape[1]):
                if held[node, rank]:
                    mask |= made[rank, board]
                for step in range(boards[board, rank] if rank else 0):
                    number = number * (4 - held[node, rank] - step) // (step + 1)
            counts[node, columns[mask]] += number


def loop_in_suit(
    start: int, stop: int, held: Any, boards: Any, ways: Any, made: Any, columns: Any, counts: Any
) -> None:
    """Put right the communities of one suit; `held` is wild cards, ranks in the suit and in others."""
    for node in range(start, stop):
        wild, ours, others = held[node, 0], held[node, 1], held[node, 2]
        for board in range(len(boards)):
            if boards[board, 1] & ours:
                continue
            right = wrong = 0
            if wild:
                right, wrong = made[1, 0, board], made[0, 0, board]
            for rank in range(1, made.shape[1]):
                if ours >> rank & 1:
                    right |= made[1, rank, board]
                    wrong |= made[0, rank, board]
                if others >> rank & 1:
                    right |= made[0, rank, board]
                    wrong |= made[0, rank, board]
            if right != wrong:
                counts[node, columns[right]] += ways[wild, boards[board, 0]]
                counts[node, columns[wrong]] -= ways[wild, boards[board, 0]]


def loop_many_wild(
    start: int,
    stop: int,
    hands: Any,
    wilds: Any,
    boards: Any,
    ways: Any,
    one: Any,
    many: Any,
    columns: Any,
    counts: Any,
) -> None:
    """Meet every community with two or more wild cards."""
    for node in range(start, stop):
        wild, held = wilds[node], 0
        for place in range(wild, 5):
            held |= 1 << hands[node, place]
        for board in range(len(boards)):
            number = ways[wild, boards[board, 0]]
            if number and boards[board, 1] & held == 0:
                mask = many[wild, board]
                for place in range(wild, 5):
                    mask |= one[hands[node, place] - 3, board]
                counts[node, columns[mask]] += number


def _sets_of_five(kit: Kit, sets: Sets) -> tuple[Any, Any, Any]:
    """List the sets of five cards, ascending by key: keys, cards with the wild ones first, how many are wild."""
    cards, wilds = [], []
    for wild in range(_HELD + 1):
        hands, _ = kit.classes(_HELD - wild)
        natural = hands[~numpy.isin(hands, sets.wild).any(axis=1)].astype(numpy.int64)
        cards.append(numpy.hstack((numpy.tile(sets.wild[:wild], (len(natural), 1)), natural)))
        wilds.append(numpy.full(len(natural), wild))
    found, numbers = numpy.concatenate(cards), numpy.concatenate(wilds)
    keys = numpy.zeros(len(found), dtype=numpy.int64)
    kit.compiled(loop_five_keys)(0, len(keys), found, keys)
    order = keys.argsort()
    return keys[order], found[order], numbers[order]


def _communities(sets: Sets, natural: Sequence[int]) -> Any:
    """List the communities of wild cards, which are alike, and these natural ones."""
    found = []
    for wild in range(_COMMUNITY + 1):
        chosen = list(combinations(natural, _COMMUNITY - wild))
        rows = numpy.array(chosen, dtype=numpy.int64).reshape(len(chosen), _COMMUNITY - wild)
        found.append(numpy.hstack((numpy.tile(sets.wild[:wild], (len(rows), 1)), rows)))
    return numpy.concatenate(found)


def _of_ranks(kit: Kit, sets: Sets) -> tuple[Any, Any]:
    """List communities by ranks: how many cards of each rank, wild ones at 0; and such cards of two suits."""
    numbers, boards = [], []
    for ranks in combinations_with_replacement(range(kit.ranks), _COMMUNITY):
        row = [ranks.count(rank) for rank in range(kit.ranks)]
        lowest = min((rank for rank in ranks if rank), default=0)
        natural = [4 * r + (copy + (r != lowest)) % 4 for r in range(1, kit.ranks) for copy in range(row[r])]
        numbers.append(row)
        boards.append([*sets.wild[: row[0]].tolist(), *natural])
    return numpy.array(numbers, dtype=numpy.int64), numpy.array(boards, dtype=numpy.int64)


def _cards_of_ranks(sets: Sets, boards: Any, ranks: int, suits: Sequence[int]) -> Any:
    """For each community name a wild card and a card of each rank that it does not hold, of the first suit there is."""
    cards = numpy.full((len(boards), ranks), -1, dtype=numpy.int64)
    cards[:, _WILD] = sets.wild[-1]
    for rank in range(1, ranks):
        for suit in reversed(suits):
            free = (boards != 4 * rank + suit).all(axis=1)
            cards[free, rank] = 4 * rank + suit
    return cards


def _made(kit: Kit, boards: Any, cards: Any) -> Any:
    """What each card makes with each community, by card and community."""
    made = numpy.zeros((cards.shape[1], len(boards)), dtype=numpy.int64)
    loop = kit.compiled(loop_one_selected)
    kit.spread(lambda start, stop: loop(start, stop, boards, cards, made), len(boards))
    return made


def _all_joined(*made: Any) -> Any:
    """Every mask that comes of joining some of these."""
    masks = {int(mask) for part in made for mask in numpy.unique(part)}
    found = set(masks)
    while more := {a | b for a in found for b in masks} - found:
        found |= more
    return numpy.array(sorted(found))


def _wild_and_bits(boards: Any, sets: Sets, bit: Callable[[Any], Any]) -> Any:
    """How many wild cards each community has, and a bit for each of its natural ones."""
    wild = numpy.isin(boards, sets.wild)
    bits = numpy.where(wild, 0, numpy.int64(1) << bit(numpy.where(wild, 0, boards)))
    return numpy.stack((wild.sum(axis=1), bits.sum(axis=1)), axis=1)


@lru_cache(maxsize=2)
def after_raise(kit: Kit) -> tuple[Any, Any]:
    """Give the masks that occur, and by set of four cards how often each is made with the fifth and the community."""
    sets = sets_of(kit)
    keys, hands, wilds = _sets_of_five(kit, sets)
    ways = numpy.array([[comb(len(sets.wild) - held, more) for more in range(_HELD)] for held in range(_HELD + 1)])
    everything = _communities(sets, sets.natural.tolist())
    one = _made(kit, everything, numpy.append(sets.wild[-1:], sets.natural)[None])
    many = numpy.zeros((_HELD + 1, len(everything)), dtype=numpy.int64)
    read = kit.compiled(loop_many_selected)
    kit.spread(lambda start, stop: read(start, stop, sets.wild, everything, many), len(everything))
    masks = _all_joined(one, many)
    columns = numpy.zeros(int(masks[-1]) + 1, dtype=numpy.int64)
    columns[masks] = numpy.arange(len(masks))

    counts = numpy.zeros((len(hands), len(masks)), dtype=numpy.int64)
    few = wilds <= 1
    counts[few] = _few_wild(kit, sets, hands[few], wilds[few], ways, columns, len(masks))
    rest = numpy.zeros((int((~few).sum()), len(masks)), dtype=numpy.int64)
    given = (
        hands[~few],
        wilds[~few],
        _wild_and_bits(everything, sets, lambda card: card),
        ways,
        one,
        many,
        columns,
        rest,
    )
    meet = kit.compiled(loop_many_wild)
    kit.spread(lambda start, stop: meet(start, stop, *given), len(rest))
    counts[~few] = rest

    occurring = counts.any(axis=0)
    counts, masks = counts[:, occurring], masks[occurring]
    fours = sets.of_size(4)
    places = numpy.zeros(sets.next[fours].shape, dtype=numpy.int64)
    find = kit.compiled(loop_fives)
    kit.spread(lambda start, stop: find(start, stop, sets.cards[fours], sets.next[fours], keys, places), len(places))
    pairs = zip(places.T, sets.ways(len(sets.wild))[fours].T, strict=True)
    return masks, sum(counts[place] * number[:, None] for place, number in pairs)


def _few_wild(kit: Kit, sets: Sets, hands: Any, wilds: Any, ways: Any, columns: Any, width: int) -> Any:
    """Count for hands with at most one wild card: by ranks, then suit by suit where the community is of one suit."""
    ranks = numpy.where(numpy.arange(_HELD) < wilds[:, None], 0, hands >> 2)
    held = (ranks[:, :, None] == numpy.arange(kit.ranks)).sum(axis=1)
    kinds, where = numpy.unique(held @ 5 ** numpy.arange(kit.ranks), return_inverse=True)
    kinds = kinds[:, None] // 5 ** numpy.arange(kit.ranks) % 5
    numbers, boards = _of_ranks(kit, sets)
    made = _made(kit, boards, _cards_of_ranks(sets, boards, kit.ranks, (3, 2, 1, 0)))
    by_ranks = numpy.zeros((len(kinds), width), dtype=numpy.int64)
    run = kit.compiled(loop_by_ranks)
    kit.spread(lambda start, stop: run(start, stop, kinds, numbers, ways, made, columns, by_ranks), len(kinds))
    counts = by_ranks[where]

    # Any suit will do for the communities of one suit: hands are turned to it.
    suited = _communities(sets, [card for card in sets.natural.tolist() if card & 3 == 0])
    mixed = suited.copy()
    # Of two or more natural cards one leaves the suit.
    mixed[:, -1] += ~numpy.isin(suited[:, -2:], sets.wild).any(axis=1)
    pairs = ((mixed, 3), (suited, 0))
    made = numpy.stack([_made(kit, cards, _cards_of_ranks(sets, cards, kit.ranks, (suit,))) for cards, suit in pairs])
    # A community of wild cards alone is of every suit; by ranks it was counted rightly.
    suited_bits = _wild_and_bits(suited, sets, lambda card: card >> 2)
    some = suited_bits[:, 0] < _COMMUNITY
    given = (suited_bits[some], ways, numpy.ascontiguousarray(made[:, :, some]), columns)
    natural = numpy.arange(_HELD) >= wilds[:, None]
    bits = numpy.int64(1) << ranks
    turned = []
    for suit in range(4):
        ours, others = natural & (hands & 3 == suit), natural & (hands & 3 != suit)
        in_suit, elsewhere = (numpy.bitwise_or.reduce(numpy.where(cards, bits, 0), axis=1) for cards in (ours, others))
        turned.append((wilds << 26) | (in_suit << 13) | elsewhere)
    kinds, where = numpy.unique(numpy.concatenate(turned), return_inverse=True)
    kinds = numpy.stack((kinds >> 26, kinds >> 13 & 8191, kinds & 8191), axis=1)
    moved = numpy.zeros((len(kinds), width), dtype=numpy.int64)
    put_right = kit.compiled(loop_in_suit)
    kit.spread(lambda start, stop: put_right(start, stop, kinds, *given, moved), len(kinds))
    return counts + sum(moved[part] for part in where.reshape(4, len(hands)))


def fortune_beside_raise(kit: Kit, choices: Sequence[Any], counted: Counts | None = None) -> Counts:
    """Count the Five Card Fortune beside an Ante with these choices, the dealer taking the best after a Raise.

    Dealt are three cards, a fourth, a fifth and the community. The nodes are the sets of three cards and those of four
    that folded, then those of four that raised. Only weights depend on the choices: `counted` may be an earlier answer.
    """
    sets = sets_of(kit)
    parents, fourths, ways = fourth_cards(sets)
    selecting = fortune_beside_ante(kit, choices)
    threes, fours = len(sets.weights[sets.of_size(3)]), len(sets.weights[sets.of_size(4)])
    unseen = sets.deck - 4 - _COMMUNITY
    raised = numpy.zeros(fours, dtype=numpy.int64)
    plays = (sets.weights[sets.of_size(3)] * (1 - numpy.asarray(choices[0])))[parents]
    numpy.add.at(raised, fourths, ways * plays * (1 - numpy.asarray(choices[1])))
    weights = numpy.concatenate((selecting.levels[0].weights, raised))
    weights[threes : threes + fours] -= raised
    weights[: threes + fours] *= unseen
    total = comb(sets.deck, 3) * (sets.deck - 3) * (sets.deck - 4) * comb(sets.deck - _HELD, _COMMUNITY)
    if counted is None:
        counted = _with_dealer(kit, selecting)
    return replace(counted, total=total, levels=(replace(counted.levels[0], weights=weights),))


def _with_dealer(kit: Kit, selecting: Counts) -> Counts:
    """Add to hands that select those for which the dealer does."""
    level = selecting.levels[0]
    masks, best = after_raise(kit)
    codes = numpy.union1d(masks, level.codes[0, 0])
    counts = numpy.zeros((len(level.counts) + len(best), len(SELECTIONS) + 1, len(codes)), dtype=numpy.int64)
    counts[: len(level.counts), :-1, numpy.searchsorted(codes, level.codes[0, 0])] = level.counts
    counts[len(level.counts) :, -1, numpy.searchsorted(codes, masks)] = best
    level = replace(
        level,
        decisions=(*SELECTIONS, DEALER_SELECTS),
        branches=tuple(range(len(SELECTIONS) + 1)),
        counts=counts,
        groups=numpy.zeros(counts.shape[:2], dtype=numpy.int64),
        codes=numpy.tile(codes, (len(SELECTIONS) + 1, 1, 1)),
        allowed=numpy.where(counts.any(axis=2), 1, 0),
    )
    return replace(selecting, levels=(level,))
