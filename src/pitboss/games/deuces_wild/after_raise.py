"""Counting the Five Card Fortune where the dealer takes the best selection after a Raise (`dealer_takes_best`, DW-6).

Five cards are held and the community is known, so the hand makes what any of its selections makes.

Hands without a wild card are counted by ranks: with a community whose natural cards are not all of one suit a single
card makes what its rank makes. The communities of one suit are then put right, suit by suit: there only the ranks held
in the suit and the other ranks matter.

With wild cards held, all of them selected make nearly all that a natural card can make. The communities without the
natural cards held are included and excluded as for any selection; then those few are put right with which some natural
card makes more than wild cards do (of a royal flush, the one that is natural).
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import combinations, combinations_with_replacement, permutations
from math import comb, prod
from typing import Any

import numpy

from pitboss.games.deuces_wild import loops
from pitboss.poker.made import wild_five_card_made
from pitboss.rules.counting import CountingContext, Counts

DEALER_SELECTS = "the dealer takes the best"
_HELD, _COMMUNITY = 5, 4


def loop_fives(start: int, stop: int, fours: Any, fifths: Any, ways: Any, keys: Any, counts: Any, summed: Any) -> None:
    """Sum up for four cards what is counted for the five that they become with each fifth."""
    held = numpy.zeros(5, dtype=numpy.int64)
    for node in range(start, stop):
        for place in range(4):
            held[place] = fours[node, place]
        for column in range(fifths.shape[1]):
            if ways[node, column]:
                held[4] = fifths[node, column]
                five = loops.place_of(keys, loops.key_of(held, 5))
                for mask in range(counts.shape[1]):
                    summed[node, mask] += ways[node, column] * counts[five, mask]


def loop_one_selected(start: int, stop: int, boards: Any, cards: Any, events: Any) -> None:
    """Read what each card makes with each community; -1 in place of a card where there is none to read."""
    for node in range(start, stop):
        a, b, c, d = boards[node, 0], boards[node, 1], boards[node, 2], boards[node, 3]
        for column in range(cards.shape[1]):
            card = cards[node % cards.shape[0], column]
            if card >= 0 and card not in (a, b, c, d):
                events[column, node] = wild_five_card_made((a, b, c, d, card))


def loop_by_ranks(
    start: int, stop: int, held: Any, boards: Any, ways: Any, choose: Any, events: Any, columns: Any, counts: Any
) -> None:
    """Count by ranks alone; `held` and `boards` say how many cards of each rank there are, `ways` how many boards."""
    ranks = numpy.zeros(5, dtype=numpy.int64)
    for node in range(start, stop):
        size = 0
        for rank in range(held.shape[1]):
            if held[node, rank]:
                ranks[size] = rank
                size += 1
        for board in range(len(boards)):
            number = ways[board]
            mask = 0
            for place in range(size):
                rank = ranks[place]
                mask |= events[rank, board]
                # Of four cards of the rank those held are gone.
                there = boards[board, rank]
                number = number // choose[4, there] * choose[4 - held[node, rank], there]
            counts[node, columns[mask]] += number


def loop_in_suit(
    start: int, stop: int, held: Any, boards: Any, ways: Any, events: Any, columns: Any, counts: Any
) -> None:
    """Correct the communities of one suit; `held` is the ranks in the suit and in others, a bit each."""
    right, wrong = numpy.zeros(len(boards), dtype=events.dtype), numpy.zeros(len(boards), dtype=events.dtype)
    for node in range(start, stop):
        ours, others = held[node, 0], held[node, 1]
        right[:] = 0
        wrong[:] = 0
        for rank in range(events.shape[1]):
            if ours >> rank & 1:
                for board in range(len(boards)):
                    right[board] |= events[1, rank, board]
            if others >> rank & 1:
                for board in range(len(boards)):
                    right[board] |= events[0, rank, board]
            if (ours | others) >> rank & 1:
                for board in range(len(boards)):
                    wrong[board] |= events[0, rank, board]
        for board in range(len(boards)):
            if boards[board] & ours == 0:
                counts[node, columns[right[board]]] += ways[board]
                counts[node, columns[wrong[board]]] -= ways[board]


def loop_with_wild(
    start: int, stop: int, hands: Any, wilds: Any, keys: Any, tables: Any, masks: Any, columns: Any, counts: Any
) -> None:
    """Count what all the wild cards of a hand make with the communities without its natural ones (one to four wild)."""
    chosen: Any = numpy.zeros(5, dtype=numpy.int64)
    for node in range(start, stop):
        wild = wilds[node]
        for subset in range(1 << (5 - wild)):
            chosen[0] = hands[node, 0]
            size = 1 if wild == 1 else 0
            sign = 1
            for place in range(5 - wild):
                if subset >> place & 1:
                    chosen[size] = hands[node, wild + place]
                    size += 1
                    sign = -sign
            if size == 5:
                # The one community of all the natural cards held.
                counts[node, columns[wild_five_card_made(chosen)]] += sign
            else:
                at = loops.place_of(keys, loops.key_of(chosen, size))
                for mask in range(len(masks)):
                    counts[node, columns[masks[mask]]] += sign * tables[wild - 1, at, mask]


def loop_natural_makes_more(
    start: int,
    stop: int,
    hands: Any,
    wilds: Any,
    boards: Any,
    ways: Any,
    natural: Any,
    wild_made: Any,
    columns: Any,
    counts: Any,
) -> None:
    """Put right these communities, of which `boards` has the natural cards, a bit each: natural cards held join in."""
    for node in range(start, stop):
        wild, held = wilds[node], 0
        for place in range(wild, 5):
            held |= 1 << hands[node, place]
        for board in range(len(boards)):
            if boards[board] & held == 0:
                wrong = right = wild_made[wild, board]
                for place in range(wild, 5):
                    right |= natural[hands[node, place], board]
                counts[node, columns[right]] += ways[wild, board]
                counts[node, columns[wrong]] -= ways[wild, board]


def _sets_of_five(context: CountingContext, sets: loops.CardSets) -> tuple[Any, Any, Any]:
    """List the sets of five cards, ascending by key: keys, cards with the wild ones first, how many are wild."""
    cards, wilds = [], []
    for wild in range(_HELD + 1):
        hands, _ = context.classes(_HELD - wild)
        natural = hands[~numpy.isin(hands, sets.wild).any(axis=1)].astype(numpy.int64)
        cards.append(numpy.hstack((numpy.tile(sets.wild[:wild], (len(natural), 1)), natural)))
        wilds.append(numpy.full(len(natural), wild))
    held, numbers = numpy.concatenate(cards), numpy.concatenate(wilds)
    keys = numpy.zeros(len(held), dtype=numpy.int64)
    context.compiled(loops.loop_keys)(0, len(keys), held, numpy.full(len(keys), _HELD), keys)
    order = keys.argsort()
    return keys[order], held[order], numbers[order]


def _communities(sets: loops.CardSets, natural: Sequence[int]) -> Any:
    """List the communities of wild cards, which are alike, and these natural ones."""
    boards = []
    for wild in range(_COMMUNITY + 1):
        chosen = list(combinations(natural, _COMMUNITY - wild))
        rows = numpy.array(chosen, dtype=numpy.int64).reshape(len(chosen), _COMMUNITY - wild)
        boards.append(numpy.hstack((numpy.tile(sets.wild[:wild], (len(rows), 1)), rows)))
    return numpy.concatenate(boards)


def _of_ranks(context: CountingContext, sets: loops.CardSets) -> tuple[Any, Any, Any]:
    """List communities by ranks: how many cards of each rank, wild ones at 0; such cards of two suits; how many."""
    numbers, boards, ways = [], [], []
    for ranks in combinations_with_replacement(range(context.ranks), _COMMUNITY):
        row = [ranks.count(rank) for rank in range(context.ranks)]
        lowest = min((rank for rank in ranks if rank), default=0)
        natural = [4 * r + (copy + (r != lowest)) % 4 for r in range(1, context.ranks) for copy in range(row[r])]
        numbers.append(row)
        boards.append([*sets.wild[: row[0]].tolist(), *natural])
        ways.append(comb(len(sets.wild), row[0]) * prod(comb(4, number) for number in row[1:]))
    return tuple(numpy.array(column, dtype=numpy.int64) for column in (numbers, boards, ways))  # type: ignore[return-value]


def _cards_of_ranks(boards: Any, ranks: int, suits: Sequence[int]) -> Any:
    """For each community name a card of each rank that it does not hold, of the first suit there is; no wild card."""
    cards = numpy.full((len(boards), ranks), -1, dtype=numpy.int64)
    for rank in range(1, ranks):
        for suit in reversed(suits):
            free = (boards != 4 * rank + suit).all(axis=1)
            cards[free, rank] = 4 * rank + suit
    return cards


def _events_of(context: CountingContext, boards: Any, cards: Any) -> Any:
    """What each card makes with each community, by card and community."""
    events = numpy.zeros((cards.shape[1], len(boards)), dtype=numpy.int64)
    loop = context.compiled(loop_one_selected)
    context.spread(lambda start, stop: loop(start, stop, boards, cards, events), len(boards))
    return events


def _all_joined(*events: Any) -> Any:
    """Every mask that comes of joining some of these."""
    masks = {int(mask) for part in events for mask in numpy.unique(part) if mask >= 0}
    joined = set(masks)
    while more := {a | b for a in joined for b in masks} - joined:
        joined |= more
    return numpy.array(sorted(joined))


@lru_cache(maxsize=2)
def after_raise(context: CountingContext) -> tuple[Any, Any]:
    """Return the masks that occur, and by set of four cards how often each is made with the fifth and the community."""
    sets, tables = loops.sets_of(context), loops.fortune_tables(context)
    assert comb(sets.deck, _COMMUNITY) * sets.deck < 1 << 31, "counts of a hand are 32-bit integers"
    keys, hands, wilds = _sets_of_five(context, sets)
    all_wild = wild_five_card_made(sets.wild.tolist())
    masks = _all_joined(tables.one, tables.several, all_wild)
    columns = numpy.zeros(int(masks[-1]) + 1, dtype=numpy.int64)
    columns[masks] = numpy.arange(len(masks))

    counts = numpy.zeros((len(hands), len(masks)), dtype=numpy.int32)
    counts[wilds == 0] = _without_wild(context, sets, hands[wilds == 0], columns, len(masks))
    some = wilds > 0
    counts[some] = _with_wild(context, sets, tables, hands[some], wilds[some], columns, len(masks), all_wild)

    occurring = counts.any(axis=0)
    counts = numpy.ascontiguousarray(counts[:, occurring])
    fours = sets.of_size(4)
    arrays = (sets.cards[fours], sets.next[fours], sets.ways(len(sets.wild))[fours], keys, counts)
    summed = numpy.zeros((fours.stop - fours.start, counts.shape[1]), dtype=numpy.int64)
    sum_up = context.compiled(loop_fives)
    context.spread(lambda start, stop: sum_up(start, stop, *arrays, summed), len(summed))
    return masks[occurring], summed


def _without_wild(context: CountingContext, sets: loops.CardSets, hands: Any, columns: Any, width: int) -> Any:
    """Count for hands without a wild card: by ranks, then suit by suit where the community is of one suit."""
    held = (hands[:, :, None] >> 2 == numpy.arange(context.ranks)).sum(axis=1)
    kinds, where = numpy.unique(held @ 5 ** numpy.arange(context.ranks), return_inverse=True)
    kinds = kinds[:, None] // 5 ** numpy.arange(context.ranks) % 5
    numbers, boards, ways = _of_ranks(context, sets)
    events = _events_of(context, boards, _cards_of_ranks(boards, context.ranks, (3, 2, 1, 0)))
    choose = numpy.array([[comb(n, k) for k in range(5)] for n in range(5)])
    by_ranks = numpy.zeros((len(kinds), width), dtype=numpy.int32)
    run = context.compiled(loop_by_ranks)
    arrays = (kinds, numbers, ways, choose, events, columns, by_ranks)
    context.spread(lambda start, stop: run(start, stop, *arrays), len(kinds))

    turned = []
    for suit in range(4):
        bits, ours = numpy.int64(1) << (hands >> 2), hands & 3 == suit
        in_suit, elsewhere = (numpy.bitwise_or.reduce(numpy.where(o, bits, 0), axis=1) for o in (ours, ~ours))
        turned.append(in_suit << context.ranks | elsewhere)
    in_suits, places = numpy.unique(numpy.concatenate(turned), return_inverse=True)
    held = numpy.stack((in_suits >> context.ranks, in_suits & (1 << context.ranks) - 1), axis=1)
    moved = _in_suit(context, sets, held, columns, width)
    counts = by_ranks[where]
    for part in places.reshape(4, len(hands)):
        counts += moved[part]
    return counts


def _in_suit(context: CountingContext, sets: loops.CardSets, held: Any, columns: Any, width: int) -> Any:
    """Return by how much the counts by ranks change for the communities of one suit, given ranks held in it and not."""
    # Any suit will do: hands are turned to it. A community of wild cards alone was counted rightly.
    suited = _communities(sets, [card for card in sets.natural.tolist() if card & 3 == 0])
    suited = suited[~numpy.isin(suited, sets.wild).all(axis=1)]
    wild = numpy.isin(suited, sets.wild)
    mixed = suited.copy()
    # Of two or more natural cards one leaves the suit.
    mixed[:, -1] += ~wild[:, -2:].any(axis=1)
    pairs = ((mixed, 3), (suited, 0))
    events = numpy.stack(
        [_events_of(context, cards, _cards_of_ranks(cards, context.ranks, (suit,))) for cards, suit in pairs]
    )
    events = events.astype(numpy.int16)
    ranks = numpy.where(wild, 0, numpy.int64(1) << (suited >> 2)).sum(axis=1)
    ways = numpy.array([comb(len(sets.wild), number) for number in range(_COMMUNITY)])[wild.sum(axis=1)]
    moved = numpy.zeros((len(held), width), dtype=numpy.int32)
    loop = context.compiled(loop_in_suit)
    context.spread(lambda start, stop: loop(start, stop, held, ranks, ways, events, columns, moved), len(held))
    return moved


def _with_wild(
    context: CountingContext,
    sets: loops.CardSets,
    tables: loops.FortuneTables,
    hands: Any,
    wilds: Any,
    columns: Any,
    width: int,
    all_wild: int,
) -> Any:
    """Count for hands with wild cards: what those make, then the communities with which a natural card makes more."""
    counts = numpy.zeros((len(hands), width), dtype=numpy.int32)
    counts[wilds == _HELD, columns[all_wild]] = comb(len(sets.natural), _COMMUNITY)
    some = wilds < _HELD
    some_counts = numpy.zeros((int(some.sum()), width), dtype=numpy.int32)
    arrays = (hands[some], wilds[some], sets.keys, tables.counts, tables.masks, columns, some_counts)
    loop = context.compiled(loop_with_wild)
    context.spread(lambda start, stop: loop(start, stop, *arrays), len(some_counts))
    counts[some] = some_counts

    boards, wild_made = _natural_makes_more(sets, tables, all_wild)
    natural = numpy.zeros((context.cards, len(boards)), dtype=numpy.int64)
    natural[sets.natural] = _events_of(context, boards, sets.natural[None])
    in_board = numpy.isin(boards, sets.wild).sum(axis=1).tolist()
    ways = [[comb(len(sets.wild) - wild, number) for number in in_board] for wild in range(_HELD + 1)]
    bits = numpy.where(numpy.isin(boards, sets.wild), 0, numpy.int64(1) << boards).sum(axis=1)
    put_right = context.compiled(loop_natural_makes_more)
    rest = (hands, wilds, bits, numpy.array(ways), natural, wild_made, columns, counts)
    context.spread(lambda start, stop: put_right(start, stop, *rest), len(hands))
    return counts


def _natural_makes_more(sets: loops.CardSets, tables: loops.FortuneTables, all_wild: int) -> tuple[Any, Any]:
    """List the communities with which a natural card makes what wild cards do not; and what one to five of these do."""
    by_wild = numpy.stack((tables.one[:, -1], *tables.several[2:], numpy.full(len(tables.one), all_wild)))
    always = numpy.bitwise_and.reduce(by_wild)
    natural = tables.one[:, :-1]
    rows = numpy.flatnonzero(((natural >= 0) & (natural & ~always[:, None] > 0)).any(axis=1))
    boards, classes = [], []
    for row in rows:
        cards = sets.cards[sets.of_size(4)][row].tolist()
        for suits in permutations(range(4)):
            named = tuple(sorted(card if card in sets.wild else card // 4 * 4 + suits[card % 4] for card in cards))
            if named not in boards:
                boards.append(named)
                classes.append(row)
    events = numpy.zeros((_HELD + 1, len(boards)), dtype=numpy.int64)
    events[1:] = by_wild[:, classes]
    return numpy.array(boards, dtype=numpy.int64).reshape(len(boards), _COMMUNITY), events


def fortune_beside_raise(context: CountingContext, choices: Sequence[Any]) -> Counts:
    """Count the Five Card Fortune beside an Ante with these choices, the dealer taking the best after a Raise.

    Dealt are three cards, a fourth, a fifth and the community. The nodes are the sets of three cards and those of four
    that folded, then those of four that raised. Only weights depend on the choices.
    """
    sets = loops.sets_of(context)
    parents, fourths, ways = loops.fourth_cards(sets)
    threes, fours = len(sets.weights[sets.of_size(3)]), len(sets.weights[sets.of_size(4)])
    unseen = sets.deck - 4 - _COMMUNITY
    raised = numpy.zeros(fours, dtype=numpy.int64)
    plays = (sets.weights[sets.of_size(3)] * (1 - numpy.asarray(choices[0])))[parents]
    numpy.add.at(raised, fourths, ways * plays * (1 - numpy.asarray(choices[1])))
    weights = numpy.concatenate((loops.fortune_beside_ante(context, choices).levels[0].weights, raised))
    weights[threes : threes + fours] -= raised
    weights[: threes + fours] *= unseen
    total = comb(sets.deck, 3) * (sets.deck - 3) * (sets.deck - 4) * comb(sets.deck - _HELD, _COMMUNITY)
    counted = _with_dealer(context)
    return replace(counted, total=total, levels=(replace(counted.levels[0], weights=weights),))


@lru_cache(maxsize=2)
def _with_dealer(context: CountingContext) -> Counts:
    """Add to hands of three and four cards that select those for which the dealer does; weights are still to come."""
    selecting = loops.fortune_from(context, 3, 4)
    level = selecting.levels[0]
    masks, best = after_raise(context)
    codes = numpy.union1d(masks, level.codes[0, 0])
    counts = numpy.zeros((len(level.counts) + len(best), len(loops.SELECTIONS) + 1, len(codes)), dtype=numpy.int32)
    counts[: len(level.counts), :-1, numpy.searchsorted(codes, level.codes[0, 0])] = level.counts
    counts[len(level.counts) :, -1, numpy.searchsorted(codes, masks)] = best
    level = replace(
        level,
        decisions=(*loops.SELECTIONS, DEALER_SELECTS),
        branches=tuple(range(len(loops.SELECTIONS) + 1)),
        counts=counts,
        groups=numpy.zeros(counts.shape[:2], dtype=numpy.int8),
        codes=numpy.tile(codes, (len(loops.SELECTIONS) + 1, 1, 1)),
        allowed=numpy.asarray(counts.any(axis=2), dtype=numpy.int8),
    )
    return replace(selecting, levels=(level,))
