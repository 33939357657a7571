"""Counts over whole decks, compiled around the functions of `pitboss.poker` as they are."""

from typing import Any

import numba
import numpy as np
from numba.extending import register_jitable

from pitboss.poker import (
    best_five_of_seven,
    best_five_of_six,
    best_four_of_five,
    five_card_value,
)

for function in (best_four_of_five, five_card_value, best_five_of_six, best_five_of_seven):
    register_jitable(function)


def _best_four_of_five_counts(tables: Any) -> Any:
    counts = np.zeros(8, np.int64)
    for a in range(52):
        for b in range(a):
            for c in range(b):
                for d in range(c):
                    for e in range(d):
                        counts[tables.category[best_four_of_five(tables, (a, b, c, d, e))]] += 1
    return counts


def _five_counts(tables: Any) -> Any:
    counts = np.zeros(10, np.int64)
    for a in range(52):
        for b in range(a):
            for c in range(b):
                for d in range(c):
                    for e in range(d):
                        counts[tables.category[five_card_value(tables, a, b, c, d, e)]] += 1
    return counts


def _best_five_of_six_counts(tables: Any) -> Any:
    counts = np.zeros(10, np.int64)
    for a in range(52):
        for b in range(a):
            for c in range(b):
                for d in range(c):
                    for e in range(d):
                        for f in range(e):
                            counts[tables.category[best_five_of_six(tables, (a, b, c, d, e, f))]] += 1
    return counts


def _best_five_of_seven_counts(tables: Any) -> Any:
    counts = np.zeros(10, np.int64)
    for a in range(52):
        for b in range(a):
            for c in range(b):
                for d in range(c):
                    for e in range(d):
                        for f in range(e):
                            for g in range(f):
                                counts[tables.category[best_five_of_seven(tables, (a, b, c, d, e, f, g))]] += 1
    return counts


def _dj_wild(tables: Any, wild_tables: Any, natural_pays: Any, wild_pays: Any) -> Any:
    """Count hands of 53 by wild cards, and sum what DJ Wild's Trips wins less what it loses."""
    counts = np.zeros(6, np.int64)
    net = 0
    for a in range(53):
        for b in range(a):
            for c in range(b):
                for d in range(c):
                    for e in range(d):
                        wild_count = (a == 52) + (a < 4) + (b < 4) + (c < 4) + (d < 4) + (e < 4)
                        counts[wild_count] += 1
                        category = wild_tables.category[five_card_value(wild_tables, a, b, c, d, e)]
                        pay = 2000 if wild_count == 5 else wild_pays[category]
                        if a != 52:
                            # Natural is a hand that makes its rank with deuces as deuces. From the straight flush
                            # on, a category stands two places lower among the wild ones.
                            natural = tables.category[five_card_value(tables, a, b, c, d, e)]
                            if natural in (0, category - 2):
                                pay = natural_pays[natural]
                        net += pay if pay > 0 else -1
    return counts, net


best_four_of_five_counts = numba.njit(_best_four_of_five_counts)
five_counts = numba.njit(_five_counts)
best_five_of_six_counts = numba.njit(_best_five_of_six_counts)
best_five_of_seven_counts = numba.njit(_best_five_of_seven_counts)
dj_wild = numba.njit(_dj_wild)
