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


def one_feature(line: Any, low: int, prices: Any, answer: int, feature: int, found: Any) -> None:
    """Try every bound of a feature, and every two bounds; `line` says what is saved at each value from the lowest."""
    last = low + len(line) - 1
    best = saved = 0
    for bound in range(last, low, -1):
        saved += line[bound - low]
        price = prices[AT_LEAST, bound]
        if saved - price > best:
            best = keep(found, price, saved, answer, feature, AT_LEAST, bound, -1, 0, 0)
    saved = 0
    first, before = low, -prices[AT_LEAST, low]
    for bound in range(low, last):
        # Of the values up to a bound those from the best first one on are kept.
        if bound > low and (first == low or saved + prices[AT_LEAST, bound] < before + prices[AT_LEAST, first]):
            first, before = bound, saved
        saved += line[bound - low]
        price = prices[AT_MOST, bound]
        if saved - price > best:
            best = keep(found, price, saved, answer, feature, AT_MOST, bound, -1, 0, 0)
        price += prices[AT_LEAST, first]
        if first > low and saved - before - price > best:
            best = keep(found, price, saved - before, answer, feature, AT_LEAST, first, feature, AT_MOST, bound)


def two_features(table: Any, lows: Any, prices: Any, answer: int, one: int, two: int, found: Any) -> None:
    """Try every bound of one feature with every bound of another.

    `table` says what is saved at each two values, from the lowest on.
    """
    rows, columns = table.shape
    for row in range(rows):
        for column in range(1, columns):
            table[row, column] += table[row, column - 1]
        if row:
            for column in range(columns):
                table[row, column] += table[row - 1, column]
    everything = table[rows - 1, columns - 1]
    best = 0
    for row in range(rows - 1):
        x = lows[one] + row
        upper, lower = prices[one, AT_MOST, x], prices[one, AT_LEAST, x + 1]
        beside = table[row, columns - 1]
        for column in range(columns - 1):
            y = lows[two] + column
            left, right = prices[two, AT_MOST, y], prices[two, AT_LEAST, y + 1]
            corner, below = table[row, column], table[rows - 1, column]
            rest = everything - below - beside + corner
            above = max(corner - left, beside - corner - right) - upper
            if max(above, max(below - corner - left, rest - right) - lower) <= best:
                continue
            if corner - upper - left > best:
                best = keep(found, upper + left, corner, answer, one, AT_MOST, x, two, AT_MOST, y)
            if beside - corner - upper - right > best:
                best = keep(found, upper + right, beside - corner, answer, one, AT_MOST, x, two, AT_LEAST, y + 1)
            if below - corner - lower - left > best:
                best = keep(found, lower + left, below - corner, answer, one, AT_LEAST, x + 1, two, AT_MOST, y)
            if rest - lower - right > best:
                best = keep(found, lower + right, rest, answer, one, AT_LEAST, x + 1, two, AT_LEAST, y + 1)


def loop_conditions(seen: Any, prices: Any, saves: Any, found: Any) -> None:
    """For every one or two features and every answer find the bounds between which that answer saves most.

    `seen` is by feature and case, `saves` by answer and case; a bound has a price for its words.
    """
    features, cases = seen.shape
    answers = len(saves)
    lows, sizes = numpy.zeros(features, dtype=numpy.int64), numpy.zeros(features, dtype=numpy.int64)
    for feature in range(features):
        lows[feature] = seen[feature].min()
        sizes[feature] = seen[feature].max() - lows[feature] + 1
    room = numpy.zeros(answers * sizes.max() * sizes.max(), dtype=numpy.int64)
    place = 0
    for one in range(features):
        for two in range(one, features):
            rows, columns = sizes[one], sizes[two] if two > one else 1
            tables = room[: answers * rows * columns]
            tables[:] = 0
            for case in range(cases):
                at = seen[one, case] - lows[one]
                if two > one:
                    at = at * columns + seen[two, case] - lows[two]
                for answer in range(answers):
                    tables[answer * rows * columns + at] += saves[answer, case]
            for answer in range(answers):
                table = tables[answer * rows * columns : (answer + 1) * rows * columns]
                if two > one:
                    two_features(table.reshape(rows, columns), lows, prices, answer, one, two, found[place])
                else:
                    one_feature(table, lows[one], prices[one], answer, one, found[place])
                place += 1
