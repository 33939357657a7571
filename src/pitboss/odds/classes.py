"""Sets of cards up to a renaming of the suits, each with the number of sets it stands for."""

from __future__ import annotations

import sys
from typing import Any

import numpy

from pitboss.odds.compiled import compiled, make_compilable

__all__ = ["suit_classes_of"]

_SUITS_PERMUTED = 24


def _masks_of(count: int, ranks: int) -> Any:
    """Every set of so many ranks, a bit each, ascending."""
    return numpy.array([mask for mask in range(1 << ranks) if mask.bit_count() == count], dtype=numpy.int64)


def _partitions(size: int, ranks: int) -> list[tuple[int, int, int, int]]:
    """How many cards each suit holds, suits with more cards first."""
    found = []
    for a in range(size, -1, -1):
        for b in range(min(a, size - a), -1, -1):
            for c in range(min(b, size - a - b), -1, -1):
                d = size - a - b - c
                if d <= c and a <= ranks:
                    found.append((a, b, c, d))
    return found


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


def _fill(first: Any, second: Any, third: Any, fourth: Any, sizes: Any, cards: Any, weights: Any, at: int) -> int:
    """Write every class of one partition from place `at` on; with no room (`cards` empty) only count them."""
    write = cards.shape[0] > 0
    for p in first:
        for q in second:
            if sizes[1] == sizes[0] and q > p:
                break
            for r in third:
                if sizes[2] == sizes[1] and r > q:
                    break
                for s in fourth:
                    if sizes[3] == sizes[2] and s > r:
                        break
                    if write:
                        weights[at] = _multiplicity(p, q, r, s)
                        place = 0
                        for rank in range(13):
                            if p >> rank & 1:
                                cards[at, place] = rank * 4
                                place += 1
                            if q >> rank & 1:
                                cards[at, place] = rank * 4 + 1
                                place += 1
                            if r >> rank & 1:
                                cards[at, place] = rank * 4 + 2
                                place += 1
                            if s >> rank & 1:
                                cards[at, place] = rank * 4 + 3
                                place += 1
                    at += 1
    return at


def suit_classes_of(size: int, ranks: int) -> tuple[Any, Any]:
    """Give a representative of each class of cards of the lowest ranks, and how many sets each stands for."""
    make_compilable(sys.modules[__name__])
    fill = compiled(_fill)
    masks = [_masks_of(count, ranks) for count in range(size + 1)]
    no_cards, no_weights = numpy.zeros((0, size), dtype=numpy.int8), numpy.zeros(0, dtype=numpy.int64)
    partitions = _partitions(size, ranks)
    total = 0
    for parts in partitions:
        total = fill(*(masks[part] for part in parts), numpy.array(parts), no_cards, no_weights, total)
    cards = numpy.zeros((total, size), dtype=numpy.int8)
    weights = numpy.zeros(total, dtype=numpy.int64)
    at = 0
    for parts in partitions:
        at = fill(*(masks[part] for part in parts), numpy.array(parts), cards, weights, at)
    return cards, weights
