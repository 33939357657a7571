"""Plain loops over the full deck of Deuces Wild, compiled: every community for every hand and selection."""

from __future__ import annotations

from typing import Any

import numpy as np

from pitboss.games.deuces_wild.facts import fortune_made


def every_community(held: Any, selection: int, histogram: Any) -> None:
    board: Any = np.zeros(4, dtype=np.int64)
    for w in range(53):
        for x in range(w):
            for y in range(x):
                for z in range(y):
                    board[0], board[1], board[2], board[3] = w, x, y, z
                    free = True
                    for card in held:
                        if card in (w, x, y, z):
                            free = False
                    if free:
                        histogram[fortune_made(held, selection, board)] += 1


def plain_selections(
    start: int, stop: int, hands: Any, sizes: Any, wilds: Any, masks: Any, columns: Any, out: Any
) -> None:
    """Every community for every hand and selection; what five cards make stands by their ranks and whether suited."""
    five = np.zeros(5, dtype=np.int64)
    board = np.zeros(4, dtype=np.int64)
    for node in range(start, stop):
        size, wild = sizes[node], wilds[node]
        for selection in range(8):
            number = 1 if selection < 4 else selection - 3
            first = wild + selection if selection < 4 else 0
            if (selection < 4 and first >= size) or (selection >= 4 and number > wild):
                continue
            for w in range(53):
                for x in range(w):
                    for y in range(x):
                        for z in range(y):
                            free = True
                            for place in range(size):
                                card = hands[node, place]
                                if card in (w, x, y, z):
                                    free = False
                            if not free:
                                continue
                            board[0], board[1], board[2], board[3] = w, x, y, z
                            made = 0
                            for kept in range(16):
                                five[:] = 0
                                suits = count = key = 0
                                for place in range(4):
                                    if kept >> place & 1:
                                        count += 1
                                        if 4 <= board[place] < 52:
                                            five[place] = board[place] // 4
                                            suits |= 1 << board[place] % 4
                                if count != 5 - number:
                                    continue
                                if 4 <= hands[node, first] < 52:
                                    five[4] = hands[node, first] // 4
                                    suits |= 1 << hands[node, first] % 4
                                for place in range(1, 5):
                                    at = place
                                    while at > 0 and five[at - 1] > five[at]:
                                        five[at - 1], five[at] = five[at], five[at - 1]
                                        at -= 1
                                for place in range(5):
                                    key = key * 13 + five[place]
                                made |= masks[key * 2 + (1 if suits & (suits - 1) == 0 else 0)]
                            out[node, selection, columns[made]] += 1
