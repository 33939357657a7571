"""The context that loops count with: classes of cards up to a renaming of the suits, compiled loops and threads."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from importlib import import_module
from itertools import combinations
from math import comb, prod
from typing import Any

import numpy

from pitboss.odds.compiled import as_arrays, compiled, in_threads, make_compilable
from pitboss.rules import Game
from pitboss.rules.counting import Counts

_SUITS_PERMUTED = 24


@cache
def _masks_of(count: int, ranks: int) -> Any:
    """Every set of so many ranks, a bit each, ascending."""
    masks = [sum(1 << rank for rank in held) for held in combinations(range(ranks), count)]
    return numpy.array(sorted(masks), dtype=numpy.int64)


def _partitions(size: int, ranks: int) -> list[tuple[int, int, int, int]]:
    """How many cards each suit holds, suits with more cards first."""
    partitions = []
    for a in range(size, -1, -1):
        for b in range(min(a, size - a), -1, -1):
            for c in range(min(b, size - a - b), -1, -1):
                d = size - a - b - c
                if d <= c and a <= ranks:
                    partitions.append((a, b, c, d))
    return partitions


def _multiplicity(p: int, q: int, r: int, s: int) -> int:
    """How many ways four suits can hold these rank sets."""
    ways = _SUITS_PERMUTED
    alike = 1
    before = p
    for mask in (q, r, s):
        alike = alike + 1 if mask == before else 1
        ways //= alike
        before = mask
    return ways


def _number_of(parts: tuple[int, ...], ranks: int) -> int:
    """How many classes hold so many cards by suit: suits that hold as many are alike, so sets of them are chosen."""
    return prod(comb(comb(ranks, part) + parts.count(part) - 1, parts.count(part)) for part in set(parts))


def put_cards(p: int, q: int, r: int, held: Any) -> int:
    """Write down the cards of the first three suits, ascending; return how many."""
    size = 0
    for rank in range(13):
        for suit, mask in ((0, p), (1, q), (2, r)):
            if mask >> rank & 1:
                held[size] = rank * 4 + suit
                size += 1
    return size


def loop_classes(
    first: Any, second: Any, third: Any, fourth: Any, last: Any, sizes: Any, at: int, cards: Any, weights: Any
) -> None:
    """Write every class of one partition from place `at` on; `last` has the cards of the fourth suit for each mask."""
    held = numpy.zeros(52, dtype=numpy.int8)
    for p in first:
        for q in second:
            if sizes[1] == sizes[0] and q > p:
                break
            for r in third:
                if sizes[2] == sizes[1] and r > q:
                    break
                size = put_cards(p, q, r, held)
                for index in range(len(fourth)):
                    if sizes[3] == sizes[2] and fourth[index] > r:
                        break
                    weights[at] = _multiplicity(p, q, r, fourth[index])
                    one = other = 0
                    for place in range(cards.shape[1]):
                        if other == last.shape[1] or (one < size and held[one] < last[index, other]):
                            cards[at, place] = held[one]
                            one += 1
                        else:
                            cards[at, place] = last[index, other]
                            other += 1
                    at += 1


def suit_classes_of(size: int, ranks: int) -> tuple[Any, Any]:
    """Return a representative of each class of cards of the lowest ranks, and how many sets each stands for."""
    make_compilable(sys.modules[__name__])
    write = compiled(loop_classes)
    partitions = _partitions(size, ranks)
    begins = numpy.cumsum([0, *(_number_of(parts, ranks) for parts in partitions)])
    cards = numpy.zeros((begins[-1], size), dtype=numpy.int8)
    weights = numpy.zeros(begins[-1], dtype=numpy.int64)

    def piece(start: int, stop: int) -> None:
        for index in range(start, stop):
            parts = partitions[index]
            masks = [_masks_of(part, ranks) for part in parts]
            last = (numpy.nonzero(masks[3][:, None] >> numpy.arange(ranks) & 1)[1] * 4 + 3).astype(numpy.int8)
            last_cards = last.reshape(len(masks[3]), parts[3])
            write(*masks, last_cards, numpy.array(parts), begins[index], cards, weights)

    in_threads(piece, len(partitions), pieces=len(partitions))
    return cards, weights


_classes = cache(suit_classes_of)


@dataclass(frozen=True, slots=True, kw_only=True)
class NumbaContext:
    """The context for one deck and one set of readings."""

    ranks: int = 13
    decks: int = 1
    readings: tuple[int, ...] = ()

    @property
    def cards(self) -> int:
        """How many cards of rank and suit a deck has."""
        return 4 * self.ranks

    @property
    def without_readings(self) -> NumbaContext:
        """The context for what no reading changes."""
        return replace(self, readings=())

    def classes(self, size: int) -> tuple[Any, Any]:
        """Sets of cards up to a renaming of the suits, kept once made."""
        return _classes(size, self.ranks)

    def compiled(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """Compile a loop."""
        make_compilable(sys.modules[function.__module__])
        return compiled(function)

    def arrays(self, tables: Any) -> Any:
        """Convert rank tables to arrays."""
        return as_arrays(tables)

    def spread(self, piece: Callable[[int, int], Any], size: int) -> list[Any]:
        """Run a piece of work over ranges, on every core."""
        return in_threads(piece, size)


def count(game: Game, wager: str, context: NumbaContext) -> Counts:
    """Count one wager of a game by its loops."""
    if game.loops is None:
        raise ValueError(f"{game.title} has no loops to count with")
    counts: Counts = import_module(game.loops).count(wager, context)
    return counts
