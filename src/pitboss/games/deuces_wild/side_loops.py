"""The sets of cards that Deuces Wild is counted on, and the wagers without a decision counted from them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import comb
from typing import Any, NamedTuple

import numpy

from pitboss.cards import JOKER
from pitboss.games.deuces_wild import facts
from pitboss.games.deuces_wild.facts import read_bonus_jackpot, read_treasure
from pitboss.poker.made import is_wild
from pitboss.rules.counts import Counts, plain_counts
from pitboss.rules.facts import Hands
from pitboss.rules.kit import Kit

__all__ = [
    "Sets",
    "count_bonus_jackpot",
    "count_treasure",
    "fourth_cards",
    "key_of",
    "loop_keys",
    "node_of",
    "place_of",
    "sets_of",
]

_HELD_MAX = 4


class Sets(NamedTuple):
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
        """Say where the sets of a size stand."""
        return slice(*numpy.searchsorted(self.sizes, (size, size + 1)).tolist())

    def ways(self, wild: int) -> Any:
        """How many cards each column of `next` stands for where the deck has so many wild cards."""
        ways = (self.next >= 0).astype(numpy.int64)
        ways[:, -1] = numpy.maximum(wild - self.wilds, 0)
        return ways


def key_of(cards: Any, size: int) -> int:
    """Give the first so many cards a key that neither suits nor wild cards change: size, wild cards, ranks by suit."""
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
    """Give every set its key."""
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
def sets_of(kit: Kit, *, joker: bool = True) -> Sets:
    """List the sets of at most four cards of the deck, with the joker or without."""
    deck = (JOKER, *range(kit.cards)) if joker else tuple(range(kit.cards))
    wild = numpy.array([card for card in deck if is_wild(card)], dtype=numpy.int64)
    natural = numpy.array([card for card in deck if not is_wild(card)], dtype=numpy.int64)
    columns: list[tuple[Any, ...]] = []
    for size in range(_HELD_MAX + 1):
        for wilds in range(size + 1):
            hands, ways = kit.classes(size - wilds)
            kept = ~numpy.isin(hands, wild).any(axis=1)
            cards = numpy.full((int(kept.sum()), _HELD_MAX), -1, dtype=numpy.int64)
            cards[:, :wilds], cards[:, wilds:size] = wild[:wilds], hands[kept, ::-1]
            ones = numpy.ones(len(cards), dtype=numpy.int64)
            columns.append((cards, ones * size, ones * wilds, ways[kept] * comb(len(wild), wilds)))
    cards, sizes, held, weights = (numpy.concatenate(column) for column in zip(*columns, strict=True))
    keys = numpy.zeros(len(cards), dtype=numpy.int64)
    kit.compiled(loop_keys)(0, len(keys), cards, sizes, keys)
    order = keys.argsort()
    cards, sizes, held = cards[order], sizes[order], held[order]
    candidates = numpy.tile(numpy.append(natural, -1), (len(keys), 1))
    for place in range(_HELD_MAX):
        candidates[candidates == cards[:, place, None]] = -1
    candidates[:, -1] = numpy.append(wild, -1)[held]
    more = numpy.full(candidates.shape, -1, dtype=numpy.int64)
    sets = Sets(len(deck), natural, wild, keys[order], cards, sizes, held, weights[order], candidates, more)
    loop = kit.compiled(loop_more)
    kit.spread(lambda start, stop: loop(start, stop, cards, sizes, sets.keys, candidates, more), sets.of_size(4).start)
    return sets


def node_of(sets: Sets, hand: Sequence[int]) -> int:
    """Find a hand of three or four cards among the sets of its size, which are the nodes of the counts."""
    return place_of(sets.keys, key_of(hand, len(hand))) - int(sets.of_size(len(hand)).start)


def fourth_cards(sets: Sets) -> tuple[Any, Any, Any]:
    """List the nodes after a Play: the set of three cards, that of four, and how many fourth cards lead there."""
    fours = sets.of_size(4)
    more, ways = sets.more[sets.of_size(3)], sets.ways(len(sets.wild))[sets.of_size(3)]
    size = fours.stop - fours.start
    pairs = numpy.arange(len(more))[:, None] * size + more - fours.start
    found, where = numpy.unique(pairs[ways > 0], return_inverse=True)
    summed = numpy.zeros(len(found), dtype=numpy.int64)
    numpy.add.at(summed, where, ways[ways > 0])
    return found // size, found % size, summed


def count_treasure(sets: Sets) -> Counts:
    """Count the Three Card Treasure over the sets of three cards."""
    here = sets.of_size(3)
    histogram = numpy.zeros(1 << len(facts.TREASURE_EVENTS), dtype=numpy.int64)
    for hand, weight in zip(sets.cards[here].tolist(), sets.weights[here], strict=True):
        histogram[read_treasure(Hands(hand[:3], (), (), ()), None).made] += weight
    return plain_counts("three-card-treasure", histogram, "every three cards, suits renamed and wild cards exchanged")


def count_bonus_jackpot(sets: Sets) -> Counts:
    """Count the Bonus Jackpot: wild cards alone matter, so by how many, on cards that stand for each number."""
    histogram = numpy.zeros(1 << len(facts.JACKPOT_EVENTS), dtype=numpy.int64)
    for wild in range(6):
        cards = (*sets.wild[:wild].tolist(), *sets.natural[: 5 - wild].tolist())
        ways = comb(len(sets.wild), wild) * comb(len(sets.natural), 5 - wild)
        histogram[read_bonus_jackpot(Hands(cards, (), (), ()), None).made] += ways
    return plain_counts("bonus-jackpot", histogram, "by the number of wild cards")
