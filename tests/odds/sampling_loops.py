"""Plain loops, compiled, that deal out the rest of a sampled hand card by card."""

from __future__ import annotations

from typing import Any

import numpy as np

from pitboss.games.deuces_wild.facts import read_fortune
from pitboss.games.super_three_card.facts import read_ante_odds_play
from pitboss.rules.facts import Hands


def every_round_of_a_shoe(start: int, stop: int, known: Any, left: Any, tables: Any, found: Any) -> None:
    """The player's third card at each of these places with every two more cards of the dealer's, each card its own."""
    for third in range(start, stop):
        player = (known[0], known[1], left[third])
        for x in range(len(left)):
            if x == third:
                continue
            for y in range(x):
                if y != third:
                    read = read_ante_odds_play(Hands(player, (known[2], left[x], left[y]), (1,), (0,)), tables)
                    found[read.events, read.comparison] += 1


def every_raised_fortune(start: int, stop: int, four: Any, left: Any, found: Any) -> None:
    """Each of these fifth cards with every community of the cards left, the dealer taking the best."""
    player: Any = np.zeros(5, dtype=np.int64)
    board: Any = np.zeros(4, dtype=np.int64)
    player[:4] = four
    for fifth in range(start, stop):
        player[4] = left[fifth]
        for w in range(len(left)):
            for x in range(w):
                for y in range(x):
                    for z in range(y):
                        if fifth not in (w, x, y, z):
                            board[0], board[1], board[2], board[3] = left[w], left[x], left[y], left[z]
                            found[read_fortune(Hands(player, board, (1, 1, 0), (1,)), 0).events] += 1
