"""From nodes to cases: those that look alike to a person are one, with what each answer loses there."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

import numpy

from pitboss.odds.compiled import compiled, in_threads
from pitboss.odds.line_loops import AT_LEAST, AT_MOST, loop_worth
from pitboss.odds.lines import Cases
from pitboss.odds.pricing import UnitPays
from pitboss.rules.counts import GOES_ON, Counts, Level
from pitboss.rules.looking import Feature

__all__ = ["cases_of", "guiding_nets", "reaching", "worth_of"]

_SAFE = 1 << 58
# More than all that can be saved, and twice as much still fits 64 bits.
_UNSAID = 1 << 60
# Fewer kinds of cases than this are numbered by a table, more by sorting.
_TABLE = 1 << 24


def guiding_nets(counts: Counts, pays: UnitPays) -> tuple[Any, int]:
    """Give what each facts code pays in whole numbers, and what one base stake over all deals is in these.

    They guide the search and are rounded down where sums over all deals would not fit 64 bits; prices are exact.
    """
    scale = pays.scale
    nets = [int(pay * scale) for pay in pays.net]
    shift = max(0, (counts.total * max(map(abs, nets))).bit_length() - _SAFE.bit_length())
    return numpy.array([net >> shift for net in nets], dtype=numpy.int64), counts.total * scale >> shift


def reaching(counts: Counts, choices: Sequence[Any]) -> list[Any]:
    """Say for every node of every level how many deals lead there under these choices, each over its parent's."""
    reached: list[Any] = []
    for place, level in enumerate(counts.levels):
        if not place:
            reached.append(level.weights)
            continue
        above = counts.levels[place - 1]
        goes_on = numpy.array(above.branches)[choices[place - 1]] == GOES_ON
        reached.append(level.weights * (reached[-1] * goes_on)[level.parents])
    return reached


def worth_of(level: Level, nets: Any, carried: Any, weights: Any, leads: Any, index: Any, size: int) -> Any:
    """Add up by answer and index what the nodes of a level are worth, so often as they weigh."""
    run = compiled(loop_worth)

    def piece(start: int, stop: int) -> Any:
        worth = numpy.zeros((leads.shape[1], size), dtype=numpy.int64)
        branches = numpy.array(level.branches)
        given = (level.counts, level.groups, level.codes, branches, nets, carried, weights, leads, index)
        run(start, stop, *given, worth)
        return worth

    return sum(in_threads(piece, len(weights)))


def _numbered(features: Sequence[Feature], nodes: int) -> tuple[Any, Any]:
    """Number the cases: by feature what is seen in each case, and the case of every node."""
    sizes = [int(feature.values.max(initial=0)) + 1 for feature in features]
    keys = numpy.zeros(nodes, dtype=numpy.int64)
    assert prod(sizes) < _SAFE
    for feature, size in zip(features, sizes, strict=True):
        keys *= size
        keys += feature.values
    if prod(sizes) < _TABLE:
        there = numpy.zeros(prod(sizes), dtype=bool)
        there[keys] = True
        kept = numpy.flatnonzero(there)
        place = numpy.zeros(len(there), dtype=numpy.int32)
        place[kept] = numpy.arange(len(kept), dtype=numpy.int32)
        index = place[keys]
    else:
        kept, inverse = numpy.unique(keys, return_inverse=True)
        index = inverse.astype(numpy.int32)
    seen = []
    for size in reversed(sizes):
        kept, values = numpy.divmod(kept, size)
        seen.append(values.astype(numpy.int16))
    return numpy.array(seen[::-1]), index


def cases_of(
    level: Level, nets: Any, carried: Any, weights: Any, features: Sequence[Feature], leads: Any, penalty: int
) -> tuple[Cases, Any]:
    """Give the cases of a level for the search, those without a difference left in, and the case of every node."""
    seen, index = _numbered(features, len(weights))
    worth = worth_of(level, nets, carried, weights, leads, index, seen.shape[1])
    return Cases(seen, worth.max(axis=0) - worth, _prices(features, penalty)), index


def _prices(features: Sequence[Feature], penalty: int) -> Any:
    """Give every bound the price of its words; what a hand is at most takes one word more to think of."""
    longest = max(int(feature.values.max(initial=0)) for feature in features) + 1
    prices = numpy.full((len(features), 2, longest), _UNSAID, dtype=numpy.int64)
    for place, feature in enumerate(features):
        for side, said in ((AT_LEAST, feature.at_least), (AT_MOST, feature.at_most)):
            for bound, text in said.items():
                if bound < longest:
                    prices[place, side, bound] = (len(text.split()) + side) * penalty
    return prices
