"""Compiled loops of the search for strategies: what cases lose, and the condition that saves most."""

from __future__ import annotations

from typing import Any

import numpy

__all__ = ["AT_LEAST", "AT_MOST", "FOUND", "loop_conditions", "loop_worth"]

AT_LEAST, AT_MOST = 0, 1
# A condition found: what it saves less the price of its words, what it saves, the answer, then twice a feature
# (-1 for none), the side of its bound and the bound.
FOUND = 9


def loop_worth(
    start: int,
    stop: int,
    counts: Any,
    groups: Any,
    codes: Any,
    branches: Any,
    net: Any,
    carried: Any,
    weights: Any,
    leads: Any,
    cases: Any,
    worth: Any,
) -> None:
    """Add up by case what each answer is worth, the best of the decisions that it leaves open being taken."""
    for node in range(start, stop):
        weight = weights[node]
        if weight == 0:
            continue
        for answer in range(leads.shape[1]):
            best = 0
            none = True
            for place in range(leads.shape[2]):
                decision = leads[node, answer, place]
                if decision < 0:
                    continue
                branch = branches[decision]
                value = 0
                if branch < 0:
                    value = carried[node]
                else:
                    group = groups[node, branch]
                    for column in range(counts.shape[2]):
                        value += counts[node, branch, column] * net[codes[decision, group, column]]
                if none or value > best:
                    best = value
                    none = False
            worth[answer, cases[node]] += weight * best


def keep(
    found: Any, price: int, saved: int, answer: int, one: int, side: int, bound: int, two: int, side2: int, bound2: int
) -> int:
    """Keep a condition; the answer is what it saves less its price."""
    found[0] = saved - price
    found[1] = saved
    found[2] = answer
    found[3] = one
    found[4] = side
    found[5] = bound
    found[6] = two
    found[7] = side2
    found[8] = bound2
    return saved - price


def one_feature(line: Any, size: int, words: Any, penalty: int, answer: int, feature: int, found: Any) -> None:
    """Try every bound of a feature, and every two bounds; `line` says what is saved at each of its values."""
    best = saved = 0
    for bound in range(size - 1, 0, -1):
        saved += line[bound]
        price = words[AT_LEAST, bound] * penalty
        if price >= 0 and saved - price > best:
            best = keep(found, price, saved, answer, feature, AT_LEAST, bound, -1, 0, 0)
    saved = 0
    first = -1
    before = first_price = 0
    for bound in range(size - 1):
        price = words[AT_LEAST, bound] * penalty
        # Of the values up to a bound those from the best first one on are kept.
        if bound and price >= 0 and (first < 0 or saved + price < before + first_price):
            first, before, first_price = bound, saved, price
        saved += line[bound]
        price = words[AT_MOST, bound] * penalty
        if price >= 0 and saved - price > best:
            best = keep(found, price, saved, answer, feature, AT_MOST, bound, -1, 0, 0)
        both = first_price + price
        if price >= 0 and first >= 0 and saved - before - both > best:
            best = keep(found, both, saved - before, answer, feature, AT_LEAST, first, feature, AT_MOST, bound)


def two_features(table: Any, sizes: Any, words: Any, penalty: int, answer: int, one: int, two: int, found: Any) -> None:
    """Try every bound of one feature with every bound of another; `table` says what is saved at each two values."""
    rows, columns = sizes[one], sizes[two]
    for row in range(rows):
        for column in range(1, columns):
            table[row, column] += table[row, column - 1]
        if row:
            for column in range(columns):
                table[row, column] += table[row - 1, column]
    everything = table[rows - 1, columns - 1]
    best = 0
    for row in range(rows - 1):
        upper, lower = words[one, AT_MOST, row] * penalty, words[one, AT_LEAST, row + 1] * penalty
        beside = table[row, columns - 1]
        for column in range(columns - 1):
            left, right = words[two, AT_MOST, column] * penalty, words[two, AT_LEAST, column + 1] * penalty
            corner, below = table[row, column], table[rows - 1, column]
            if upper >= 0 and left >= 0 and corner - upper - left > best:
                best = keep(found, upper + left, corner, answer, one, AT_MOST, row, two, AT_MOST, column)
            saved = beside - corner
            if upper >= 0 and right >= 0 and saved - upper - right > best:
                best = keep(found, upper + right, saved, answer, one, AT_MOST, row, two, AT_LEAST, column + 1)
            saved = below - corner
            if lower >= 0 and left >= 0 and saved - lower - left > best:
                best = keep(found, lower + left, saved, answer, one, AT_LEAST, row + 1, two, AT_MOST, column)
            saved = everything - below - beside + corner
            if lower >= 0 and right >= 0 and saved - lower - right > best:
                best = keep(found, lower + right, saved, answer, one, AT_LEAST, row + 1, two, AT_LEAST, column + 1)


def loop_conditions(seen: Any, sizes: Any, words: Any, saves: Any, chosen: Any, penalty: int, found: Any) -> None:
    """For every one or two features and every answer find the bounds between which that answer saves most.

    Looked at are the cases chosen. A word of a condition costs the penalty; a bound without words has -1.
    """
    place = 0
    for one in range(len(sizes)):
        for two in range(one, len(sizes)):
            for answer in range(len(saves)):
                if one == two:
                    line = numpy.zeros(sizes[one], dtype=numpy.int64)
                    for case in chosen:
                        line[seen[one, case]] += saves[answer, case]
                    one_feature(line, sizes[one], words[one], penalty, answer, one, found[place])
                else:
                    table = numpy.zeros((sizes[one], sizes[two]), dtype=numpy.int64)
                    for case in chosen:
                        table[seen[one, case], seen[two, case]] += saves[answer, case]
                    two_features(table, sizes, words, penalty, answer, one, two, found[place])
                place += 1
