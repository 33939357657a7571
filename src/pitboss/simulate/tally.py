"""Tallying rounds, compiled: how often each facts code occurs, what every round wins, and where the meter pays."""

from __future__ import annotations

from typing import Any

__all__ = ["loop_tally"]


def loop_tally(
    rounds: int,
    first: int,
    span: int,
    codes: Any,
    begins: Any,
    placed: Any,
    worth: Any,
    histogram: Any,
    squares: Any,
    wins: Any,
    sums: Any,
    found: Any,
) -> int:
    """Add rounds to the tally and say how many entries of `found` are filled.

    Each seat's facts codes of a wager begin at `begins`. `worth` holds twice the cents that a seat wins by each, plus
    one where the code is watched. The squares of a wager's sum over the seats are added up, and the house's cents by
    every `span` rounds into `wins`. A seat whose code is watched is found with its round, seat, wager and code, wager
    after wager. `sums` is room for two numbers a round.
    """
    size = 0
    for place in range(rounds):
        sums[1, place] = 0
    for wager in range(codes.shape[2]):
        for place in range(rounds):
            sums[0, place] = 0
        for seat in range(codes.shape[1]):
            if not placed[seat, wager]:
                continue
            for place in range(rounds):
                code = begins[wager] + codes[place, seat, wager]
                histogram[seat, code] += 1
                value = worth[seat, code]
                sums[0, place] += value >> 1
                if value & 1:
                    found[size, 0], found[size, 1] = first + place, seat
                    found[size, 2], found[size, 3] = wager, codes[place, seat, wager]
                    size += 1
        square = 0.0
        for place in range(rounds):
            won = sums[0, place]
            square += float(won) * float(won)
            sums[1, place] += won
        squares[wager] += square
    for place in range(rounds):
        period = (first + place) // span
        if period < len(wins):
            wins[period] -= sums[1, place]
    return size
