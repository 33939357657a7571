"""Counting Deuces Wild: how often each facts code occurs. No pay and no rule of settlement is in here.

No facts tell apart sets of cards that differ in the names of the suits or in which of the wild cards they hold; so all
counting is done on sets of at most four cards up to that (`sets_of`, some fifteen thousand of 53 cards). One table
carries both wagers with decisions: for every four cards, what they make with each fifth. Summed downwards it tells of
every set of fewer cards what the five-card hands make that hold it; included and excluded over the other cards held,
that is what a card selected for the Fortune makes with every community the player may still meet.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import lru_cache
from math import comb
from typing import Any, NamedTuple

import numpy

from pitboss.cards import JOKER
from pitboss.games.deuces_wild import facts
from pitboss.poker.made import is_wild, wild_five_card_made
from pitboss.rules.counting import GOES_ON, CountingContext, Counts, DecisionLevel, plain_counts
from pitboss.rules.facts import Hands, encode

_HELD_MAX = 4


class CardSets(NamedTuple):
    """Sets of at most four cards of a deck, which has so many cards; fewer cards first, ascending by key.

    `cards` has the wild cards first, then the natural ones from the highest down, then -1. `weights` is how many sets
    of the deck each stands for. `next` is each natural card that may join it, and last one wild card for all of
    them; `more` is the place of the set it then becomes. Both are -1 where there is none.
    """

    deck: int
    natural: Any
    wild: Any
    keys: Any
    cards: Any
    sizes: Any
    wilds: Any
    weights: Any
    next: Any
    more: Any

    def of_size(self, size: int) -> slice:
        """Return where the sets of a size stand."""
        return slice(*numpy.searchsorted(self.sizes, (size, size + 1)).tolist())

    def ways(self, wild: int) -> Any:
        """How many cards each column of `next` stands for where the deck has so many wild cards."""
        ways = (self.next >= 0).astype(numpy.int64)
        ways[:, -1] = numpy.maximum(wild - self.wilds, 0)
        return ways


def key_of(cards: Any, size: int) -> int:
    """Return a key of the first so many cards that neither suits nor wild cards change: size, wild cards, ranks."""
    wild = p = q = r = s = 0
    for place in range(size):
        suit, rank = cards[place] & 3, 1 << (cards[place] >> 2)
        if is_wild(cards[place]):
            wild += 1
        else:
            p |= rank if suit == 0 else 0
            q |= rank if suit == 1 else 0
            r |= rank if suit == 2 else 0
            s |= rank if suit == 3 else 0
    p, q = max(p, q), min(p, q)
    r, s = max(r, s), min(r, s)
    p, r = max(p, r), min(p, r)
    q, s = max(q, s), min(q, s)
    q, r = max(q, r), min(q, r)
    return (((size << 3 | wild) << 13 | p) << 13 | q) << 26 | r << 13 | s


def place_of(keys: Any, key: int) -> int:
    """Find a key that is among these, ascending."""
    low, high = 0, len(keys) - 1
    while low < high:
        middle = (low + high) // 2
        low, high = (middle + 1, high) if keys[middle] < key else (low, middle)
    return low


def loop_keys(start: int, stop: int, cards: Any, sizes: Any, keys: Any) -> None:
    """Compute the key of every set."""
    for node in range(start, stop):
        keys[node] = key_of(cards[node], sizes[node])


def loop_more(start: int, stop: int, cards: Any, sizes: Any, keys: Any, candidates: Any, more: Any) -> None:
    """Find the set that each set of fewer than four cards becomes with one more."""
    held = numpy.zeros(4, dtype=numpy.int64)
    for node in range(start, stop):
        size = sizes[node]
        for place in range(size):
            held[place] = cards[node, place]
        for column in range(candidates.shape[1]):
            held[size] = candidates[node, column]
            if held[size] >= 0:
                more[node, column] = place_of(keys, key_of(held, size + 1))


@lru_cache(maxsize=4)
def sets_of(context: CountingContext, *, joker: bool = True) -> CardSets:
    """List the sets of at most four cards of the deck, with the joker or without."""
    deck = (JOKER, *range(context.cards)) if joker else tuple(range(context.cards))
    wild = numpy.array([card for card in deck if is_wild(card)], dtype=numpy.int64)
    natural = numpy.array([card for card in deck if not is_wild(card)], dtype=numpy.int64)
    columns: list[tuple[Any, ...]] = []
    for size in range(_HELD_MAX + 1):
        for wilds in range(size + 1):
            hands, ways = context.classes(size - wilds)
            natural_only = ~numpy.isin(hands, wild).any(axis=1)
            cards = numpy.full((int(natural_only.sum()), _HELD_MAX), -1, dtype=numpy.int64)
            cards[:, :wilds], cards[:, wilds:size] = wild[:wilds], hands[natural_only, ::-1]
            ones = numpy.ones(len(cards), dtype=numpy.int64)
            columns.append((cards, ones * size, ones * wilds, ways[natural_only] * comb(len(wild), wilds)))
    cards, sizes, held, weights = (numpy.concatenate(column) for column in zip(*columns, strict=True))
    keys = numpy.zeros(len(cards), dtype=numpy.int64)
    context.compiled(loop_keys)(0, len(keys), cards, sizes, keys)
    order = keys.argsort()
    cards, sizes, held = cards[order], sizes[order], held[order]
    candidates = numpy.tile(numpy.append(natural, -1), (len(keys), 1))
    for place in range(_HELD_MAX):
        candidates[candidates == cards[:, place, None]] = -1
    candidates[:, -1] = numpy.append(wild, -1)[held]
    more = numpy.full(candidates.shape, -1, dtype=numpy.int64)
    sets = CardSets(len(deck), natural, wild, keys[order], cards, sizes, held, weights[order], candidates, more)
    loop = context.compiled(loop_more)
    context.spread(
        lambda start, stop: loop(start, stop, cards, sizes, sets.keys, candidates, more), sets.of_size(4).start
    )
    return sets


def node_of(sets: CardSets, hand: Sequence[int]) -> int:
    """Find a hand of three or four cards among the sets of its size, which are the nodes of the counts."""
    return place_of(sets.keys, key_of(hand, len(hand))) - int(sets.of_size(len(hand)).start)


def fourth_cards(sets: CardSets) -> tuple[Any, Any, Any]:
    """List the nodes after a Play: the set of three cards, that of four, and how many fourth cards lead there."""
    fours = sets.of_size(4)
    more, ways = sets.more[sets.of_size(3)], sets.ways(len(sets.wild))[sets.of_size(3)]
    size = fours.stop - fours.start
    pairs = numpy.arange(len(more))[:, None] * size + more - fours.start
    nodes, where = numpy.unique(pairs[ways > 0], return_inverse=True)
    summed = numpy.zeros(len(nodes), dtype=numpy.int64)
    numpy.add.at(summed, where, ways[ways > 0])
    return nodes // size, nodes % size, summed


def count_treasure(sets: CardSets) -> Counts:
    """Count the Three Card Treasure over the sets of three cards."""
    here = sets.of_size(3)
    histogram = numpy.zeros(1 << len(facts.TREASURE_EVENTS), dtype=numpy.int64)
    for hand, weight in zip(sets.cards[here].tolist(), sets.weights[here], strict=True):
        histogram[facts.read_treasure(Hands(hand[:3], (), (), ()), None).events] += weight
    return plain_counts("three-card-treasure", histogram, "every three cards, suits renamed and wild cards exchanged")


def count_bonus_jackpot(sets: CardSets) -> Counts:
    """Count the Bonus Jackpot: wild cards alone matter, so by how many, on cards that stand for each number."""
    histogram = numpy.zeros(1 << len(facts.JACKPOT_EVENTS), dtype=numpy.int64)
    for wild in range(6):
        cards = (*sets.wild[:wild].tolist(), *sets.natural[: 5 - wild].tolist())
        ways = comb(len(sets.wild), wild) * comb(len(sets.natural), 5 - wild)
        histogram[facts.read_bonus_jackpot(Hands(cards, (), (), ()), None).events] += ways
    return plain_counts("bonus-jackpot", histogram, "by the number of wild cards")


Loop = Callable[..., None]
_HELD_MAX, _COMMUNITY = 4, 4
_HAND_MASKS = 1 << len(facts.HAND_EVENTS)

# What a seat may select for the Fortune, as far as it holds it, in the order in which equals are taken (DW-11). Which
# of several wild cards does not matter.
_NATURAL = ("highest natural card", "second natural card", "third natural card", "fourth natural card")
_WILD = ("one wild card", "two wild cards", "three wild cards", "four wild cards")
SELECTIONS = _NATURAL + _WILD
FORTUNE_FROM_FOUR = "five-card-fortune from four"
"""The Fortune as it is selected by who has played: from four cards."""


def count(wager: str, context: CountingContext) -> Counts:
    """Count one wager; the Five Card Fortune alone, selected from three cards."""
    return _COUNTERS[wager](context.without_readings)


def loop_fifth(start: int, stop: int, fours: Any, fifths: Any, events: Any) -> None:
    """Read what four cards make with each fifth: as raised hands, and as one selected card with a community."""
    for node in range(start, stop):
        a, b, c, d = fours[node, 0], fours[node, 1], fours[node, 2], fours[node, 3]
        for column in range(fifths.shape[1]):
            if fifths[node, column] >= 0:
                events[node, column] = wild_five_card_made((a, b, c, d, fifths[node, column]))


def _with_fifth(context: CountingContext, sets: CardSets, loop: Loop) -> Any:
    """Return the masks of all sets of four cards with each card of `next`; -1 where there is none."""
    fours = sets.of_size(4)
    cards, fifths = sets.cards[fours], sets.next[fours]
    events = numpy.full(fifths.shape, -1, dtype=numpy.int64)
    run = context.compiled(loop)
    context.spread(lambda start, stop: run(start, stop, cards, fifths, events), len(cards))
    return events


def _by_mask(sets: CardSets, events: Any, masks: Any) -> Any:
    """Count for every four cards by how many fifth cards each of the masks is made."""
    ways = sets.ways(len(sets.wild))[sets.of_size(4)]
    columns = numpy.searchsorted(masks, numpy.where(ways > 0, events, masks[0]))
    counts = numpy.zeros((len(events), len(masks)), dtype=numpy.int64)
    numpy.add.at(counts, (numpy.arange(len(events))[:, None], columns), ways)
    return counts


def ante_play_raise(
    context: CountingContext, *, joker: bool = True, loop: Loop = loop_fifth, masks: int = _HAND_MASKS
) -> Counts:
    """Count Ante, Play and Raise. The nodes are the sets of three cards, then those of `fourth_cards`.

    A relative of the game may leave the joker out, and read five cards by a loop of its own, as one of so many masks.
    """
    sets, bounds = sets_of(context, joker=joker), (3, masks)
    weights, left = sets.weights[sets.of_size(3)], sets.deck - 3
    folded = DecisionLevel(
        decisions=("play", "fold"),
        branches=(GOES_ON, 0),
        weights=weights,
        counts=numpy.full((len(weights), 1, 1), left * (left - 1)),
        groups=numpy.zeros((len(weights), 1), dtype=numpy.int64),
        codes=numpy.full((2, 1, 1), encode((facts.FOLDED_AT_THREE, 0), bounds)),
    )
    events = _with_fifth(context, sets, loop)
    masks_made = numpy.unique(events[events >= 0])
    codes = numpy.full((2, 1, len(masks_made)), encode((facts.FOLDED_AT_FOUR, 0), bounds))
    codes[0, 0] = [encode((facts.RAISED, mask), bounds) for mask in masks_made.tolist()]
    parents, fourths, ways = fourth_cards(sets)
    raised = DecisionLevel(
        decisions=("raise", "fold"),
        branches=(0, 0),
        weights=ways,
        counts=_by_mask(sets, events, masks_made)[fourths][:, None, :],
        groups=numpy.zeros((len(ways), 1), dtype=numpy.int64),
        codes=codes,
        parents=parents,
    )
    return Counts(
        wager="ante-play-raise",
        total=comb(sets.deck, 3) * left * (left - 1),
        levels=(folded, raised),
        method="every three, four and five cards, suits renamed and wild cards exchanged",
    )


def loop_wild_selected(start: int, stop: int, wild: Any, communities: Any, events: Any) -> None:
    """Read what two, three and four selected wild cards make with every community."""
    for selected in range(2, 5):
        for node in range(start, stop):
            events[selected, node] = facts.fortune_made(wild, (1 << selected) - 1, communities[node])


def _sum_up(sets: CardSets, counts: Any, wild: int, full: int) -> None:
    """Fill the counts of smaller sets from those of four; a set meets a full hand once by each card it lacks."""
    ways = sets.ways(wild)
    for size in reversed(range(_HELD_MAX)):
        here = sets.of_size(size)
        columns = zip(sets.more[here].T, ways[here].T, strict=True)
        total = sum(counts[more] * number[:, None] for more, number in columns)
        assert not (total % (full - size)).any(), "a hand was not met by every card it lacks"
        counts[here] = total // (full - size)


class FortuneTables(NamedTuple):
    """The masks that occur; by selection (one card; two, three, four wild), set and mask, how often it does.

    Counted are the communities that hold the set; where one card is selected, the set holds that card as well.
    For sets of four as communities: what each card of `next` makes (`one`), what that many wild cards make (`several`).
    """

    masks: Any
    counts: Any
    one: Any
    several: Any


@lru_cache(maxsize=4)
def fortune_tables(context: CountingContext) -> FortuneTables:
    """Read every community with one card, and with two, three and four wild cards; sum up for smaller sets."""
    sets = sets_of(context)
    fours = sets.of_size(4)
    one = _with_fifth(context, sets, loop_fifth)
    several = numpy.zeros((_HELD_MAX + 1, len(one)), dtype=numpy.int64)
    run = context.compiled(loop_wild_selected)
    context.spread(lambda start, stop: run(start, stop, sets.wild, sets.cards[fours], several), len(one))
    masks = numpy.unique(numpy.concatenate((one[one >= 0], several[2:].ravel())))
    counts = numpy.zeros((_HELD_MAX, len(sets.keys), len(masks)), dtype=numpy.int64)
    counts[0, fours] = _by_mask(sets, one, masks)
    _sum_up(sets, counts[0], len(sets.wild), _COMMUNITY + 1)
    for selected in range(2, _HELD_MAX + 1):
        counts[selected - 1, fours] = several[selected][:, None] == masks
        _sum_up(sets, counts[selected - 1], len(sets.wild) - selected, _COMMUNITY)
    return FortuneTables(masks, counts, one, several)


def loop_selections(start: int, stop: int, hands: Any, held: Any, keys: Any, tables: Any, counts: Any) -> None:
    """For every hand and selection count the communities without the other cards held, by inclusion and exclusion."""
    others, chosen = numpy.zeros(4, dtype=numpy.int64), numpy.zeros(4, dtype=numpy.int64)
    for node in range(start, stop):
        size, wild = held[node, 0], held[node, 1]
        for selection in range(8):
            selected = 1 if selection < 4 else selection - 3
            first = wild + selection if selection < 4 else 0
            if first + selected > (size if selection < 4 else wild):
                continue
            left = 0
            for place in range(size):
                if place < first or place >= first + selected:
                    others[left] = hands[node, place]
                    left += 1
            for subset in range(1 << left):
                chosen[0] = hands[node, first]
                chosen_size = 1 if selected == 1 else 0
                sign = 1
                for place in range(left):
                    if subset >> place & 1:
                        chosen[chosen_size] = others[place]
                        chosen_size += 1
                        sign = -sign
                at = place_of(keys, key_of(chosen, chosen_size))
                for mask in range(tables.shape[2]):
                    counts[node, selection, mask] += sign * tables[selected - 1, at, mask]


def _selections(context: CountingContext, sets: CardSets, hands: Any, weights: Any, total: int) -> Counts:
    """Count the Fortune for hands of three or four cards, written as `CardSets` writes them."""
    masks, tables, _, _ = fortune_tables(context)
    counts = numpy.zeros((len(hands), len(SELECTIONS), len(masks)), dtype=numpy.int32)
    held = numpy.stack(((hands >= 0).sum(axis=1), numpy.isin(hands, sets.wild).sum(axis=1)), axis=1)
    loop = context.compiled(loop_selections)
    context.spread(lambda start, stop: loop(start, stop, hands, held, sets.keys, tables, counts), len(hands))
    level = DecisionLevel(
        decisions=SELECTIONS,
        branches=tuple(range(len(SELECTIONS))),
        weights=weights,
        counts=counts,
        groups=numpy.zeros((len(hands), len(SELECTIONS)), dtype=numpy.int8),
        codes=numpy.tile(masks, (len(SELECTIONS), 1, 1)),
        allowed=numpy.asarray(counts.any(axis=2), dtype=numpy.int8),
    )
    method = "five-card hands that hold a set of cards, included and excluded over the cards held"
    return Counts(wager="five-card-fortune", total=total, levels=(level,), method=method)


@lru_cache(maxsize=8)
def fortune_from(context: CountingContext, *sizes: int) -> Counts:
    """Count the Five Card Fortune selected from hands of each of these sizes; the nodes are the sets, in order."""
    sets = sets_of(context)
    here = slice(sets.of_size(sizes[0]).start, sets.of_size(sizes[-1]).stop)
    total = sum(comb(sets.deck, size) * comb(sets.deck - size, _COMMUNITY) for size in sizes)
    return _selections(context, sets, sets.cards[here], sets.weights[here], total)


def fortune_from_four(context: CountingContext) -> Counts:
    """Count the Five Card Fortune selected from four cards; `fourth_cards` names its nodes."""
    return fortune_from(context, 4)


def fortune_of_hands(context: CountingContext, hands: Sequence[Sequence[int]]) -> Counts:
    """Count the Five Card Fortune for these very hands of three or four cards, each weighing one."""
    sets = sets_of(context)
    rows = numpy.full((len(hands), _HELD_MAX), -1, dtype=numpy.int64)
    for node, hand in enumerate(hands):
        rows[node, : len(hand)] = sorted(hand, key=lambda card: (not is_wild(card), -card))
    total = sum(comb(sets.deck - len(hand), _COMMUNITY) for hand in hands)
    return _selections(context, sets, rows, numpy.ones(len(hands), dtype=numpy.int64), total)


def fortune_beside_ante(context: CountingContext, choices: Sequence[Any], counted: Counts | None = None) -> Counts:
    """Count the Five Card Fortune beside an Ante that takes these choices, by the levels of `ante_play_raise`.

    A hand folded at three cards selects from three; any other from four, raised or folded (reading `player_selects`).
    Dealt are three cards, a fourth (unseen if folded) and the community; the nodes are the sets of three, then of four.
    Only weights depend on the choices: `counted` may be an earlier answer for others.
    """
    sets = sets_of(context)
    weights, folds = sets.weights[sets.of_size(3)], numpy.asarray(choices[0])
    parents, fourths, ways = fourth_cards(sets)
    reached = numpy.zeros(len(sets.weights[sets.of_size(4)]), dtype=numpy.int64)
    numpy.add.at(reached, fourths, ways * (weights * (1 - folds))[parents])
    folded = weights * folds * (sets.deck - 3 - _COMMUNITY)
    counted = counted or fortune_from(context, 3, 4)
    level = replace(counted.levels[0], weights=numpy.concatenate((folded, reached)))
    total = comb(sets.deck, 3) * (sets.deck - 3) * comb(sets.deck - 4, _COMMUNITY)
    return replace(counted, total=total, levels=(level,))


def beside(wager: str, context: CountingContext, choices: Sequence[Any]) -> Counts:
    """Count a wager beside an Ante that takes these choices."""
    from pitboss.games.deuces_wild.after_raise import fortune_beside_raise  # noqa: PLC0415 - it stands on this module

    assert wager == "five-card-fortune"
    count_beside = fortune_beside_raise if context.readings[0] else fortune_beside_ante
    return count_beside(context.without_readings, choices)


def beside_places(wager: str, context: CountingContext) -> tuple[Any, ...]:
    """Return the node of `beside` to which each decision at each node of the Ante leads; -1 where it goes on."""
    assert wager == "five-card-fortune"
    sets = sets_of(context)
    threes, fours = (len(sets.weights[sets.of_size(size)]) for size in (3, 4))
    _, fourths, _ = fourth_cards(sets)
    folded = threes + fourths
    first = numpy.stack((numpy.full(threes, GOES_ON), numpy.arange(threes)), axis=1)
    return first, numpy.stack((folded + fours if context.readings[0] else folded, folded), axis=1)


_COUNTERS: dict[str, Callable[[CountingContext], Counts]] = {
    "ante-play-raise": ante_play_raise,
    "three-card-treasure": lambda context: count_treasure(sets_of(context)),
    "five-card-fortune": lambda context: fortune_from(context, 3),
    FORTUNE_FROM_FOUR: fortune_from_four,
    "bonus-jackpot": lambda context: count_bonus_jackpot(sets_of(context)),
}
