"""Plain loops over 3 Card Double Play, compiled: every dealer's hand, dealer's hands as bits, every six cards."""

from __future__ import annotations

from typing import Any

import numpy as np

from pitboss.games.three_card_double_play.facts import (
    read_high_low,
    read_pick_3,
    read_pick_5,
    read_super_3s,
    read_super_six,
)
from pitboss.poker import DIVISIONS_OF_SIX, best_three_of_five, three_card_value
from pitboss.rules.facts import Hands, encode

BEST, AS_SET = 0, 1  # the readings of `pick3_basis`


def every_dealer(player: Any, high: int, left: Any, tables: Any, found: Any) -> None:
    """Ask the facts about every dealer's hand of the cards left."""
    board: Any = np.zeros(5, dtype=np.int64)
    for a in range(len(left)):
        board[0] = left[a]
        for b in range(a):
            board[1] = left[b]
            for c in range(b):
                board[2] = left[c]
                for d in range(c):
                    board[3] = left[d]
                    for e in range(d):
                        board[4] = left[e]
                        read = read_high_low(Hands(player, board, (high, 0), (0,)), tables)
                        found[
                            encode((read.doubled, read.high_wins, read.low_wins, read.low_category), (2, 2, 2, 7))
                        ] += 1


def sizes_of_values(tables: Any, sizes: Any) -> None:
    five: Any = np.zeros(5, dtype=np.int64)
    for a in range(52):
        for b in range(a):
            for c in range(b):
                for d in range(c):
                    for e in range(d):
                        five[0], five[1], five[2], five[3], five[4] = a, b, c, d, e
                        sizes[best_three_of_five(tables, five)] += 1


def fill_bitmap(tables: Any, first: Any, filled: Any, there: Any, holding: Any) -> None:
    five: Any = np.zeros(5, dtype=np.int64)
    for a in range(52):
        for b in range(a):
            for c in range(b):
                for d in range(c):
                    for e in range(d):
                        five[0], five[1], five[2], five[3], five[4] = a, b, c, d, e
                        value = best_three_of_five(tables, five)
                        word, bit = first[value] + filled[value] // 64, filled[value] % 64
                        filled[value] += 1
                        there[word] |= 1 << bit
                        for card in five:
                            holding[card, word] |= 1 << bit


def struck_out(
    start: int,
    stop: int,
    hands: Any,
    weights: Any,
    bits: Any,
    tables: Any,
    nets: Any,
    prizes: Any,
    found: Any,
    counts: Any,
    sums: Any,
) -> None:
    """For every hand strike out the dealer's hands that hold one of its cards, and take the best of ten divisions.

    `nets` is what is won by table, doubled, column (both, High only, neither) and low category; `prizes` by table and events.
    """
    words = len(bits.there)
    ones = np.zeros(words, dtype=np.int64)
    up_to = np.zeros(len(bits.first) - 1, dtype=np.int64)
    best = np.zeros(len(nets), dtype=np.int64)
    prize = np.zeros((len(nets), len(prizes)), dtype=np.int64)
    player: Any = np.zeros(6, dtype=np.int64)
    columns = np.zeros(3, dtype=np.int64)
    for node in range(start, stop):
        for place in range(6):
            player[place] = hands[node, place]
        p, q, r = bits.holding[player[0]], bits.holding[player[1]], bits.holding[player[2]]
        s, t, u = bits.holding[player[3]], bits.holding[player[4]], bits.holding[player[5]]
        for word in range(words):
            x = bits.there[word] & ~(p[word] | q[word] | r[word] | s[word] | t[word] | u[word])
            x -= (x >> 1) & 0x5555555555555555
            x = (x & 0x3333333333333333) + ((x >> 2) & 0x3333333333333333)
            x = (x + (x >> 4)) & 0x0F0F0F0F0F0F0F0F
            ones[word] = (x * 0x0101010101010101) >> 56
        total = 0
        for value in range(len(up_to)):
            for word in range(bits.first[value], bits.first[value + 1]):
                total += ones[word]
            up_to[value] = total
        for setting in range(found.used[node]):
            high, low = up_to[found.highs[node, setting]], up_to[found.lows[node, setting]]
            expected = counts[node, setting]
            if expected[0] != low or expected[1] != high - low or expected[2] != total - high:
                sums.wrong[0] += 1
        for division in range(10):
            mask = 0
            for place in DIVISIONS_OF_SIX[division][:3]:
                mask |= 1 << place
            a, b, c, d, e, f = DIVISIONS_OF_SIX[division]
            first = three_card_value(tables, player[a], player[b], player[c])
            second = three_card_value(tables, player[d], player[e], player[f])
            high, low = max(first, second), min(first, second)
            columns[0], columns[1], columns[2] = up_to[low], up_to[high] - up_to[low], total - up_to[high]
            made = read_pick_3(Hands(player, (0, 0, 0, 0, 0), (mask, 0), (AS_SET,)), tables).events
            for table in range(len(nets)):
                worth = 0
                doubled = 0
                for column in range(3):
                    worth += columns[column] * nets[table, 0, column, tables.category[low]]
                    doubled += columns[column] * nets[table, 1, column, tables.category[low]]
                worth = max(worth, doubled)
                if division == 0 or worth > best[table]:
                    best[table] = worth
                    prize[table, :] = prizes[:, made]
                elif worth == best[table]:
                    prize[table, :] = np.maximum(prize[table, :], prizes[:, made])
        for table in range(len(nets)):
            sums.worth[table] += best[table] * weights[node]
            sums.doubled[table] += weights[node] if best[table] > 0 else 0
            sums.pick_3[table, :] += prize[table, :] * weights[node]


def every_six_cards(start: int, stop: int, tables: Any, found: Any) -> None:
    """Ask the facts about all sets of six cards whose highest card is in the range."""
    player: Any = np.zeros(6, dtype=np.int64)
    for a in range(start, stop):
        for b in range(a):
            for c in range(b):
                for d in range(c):
                    for e in range(d):
                        for f in range(e):
                            player[0], player[1], player[2], player[3], player[4], player[5] = d, a, f, c, e, b
                            hands = Hands(player, (0, 0, 0, 0, 0), (0, 0), (BEST,))
                            found[0, read_pick_3(hands, tables).events] += 1
                            found[1, read_pick_5(hands, tables).events] += 1
                            found[2, read_super_3s(hands, tables).events] += 1
                            found[3, read_super_six(hands, tables).events] += 1
