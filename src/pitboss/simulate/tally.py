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
    nets: Any,
    watched: Any,
    histogram: Any,
    squares: Any,
    wins: Any,
    found: Any,
    size: int,
) -> int:
    """Add rounds to the tally and say how many entries of `found` are filled.

    Each seat's facts codes of a wager begin at `begins`. `nets` holds the cents that a seat wins by each; the squares
    of a wager's sum over the seats are added up, and the house's cents by every `span` rounds into `wins`. A seat
    whose code is watched is found with its round, seat, wager and code.
    """
    seats, wagers = codes.shape[1], codes.shape[2]
    for place in range(rounds):
        number = first + place
        total = 0
        for wager in range(wagers):
            won = 0
            for seat in range(seats):
                if placed[seat, wager]:
                    code = begins[wager] + codes[place, seat, wager]
                    histogram[seat, code] += 1
                    won += nets[seat, code]
                    if watched[seat, code]:
                        found[size, 0] = number
                        found[size, 1] = seat
                        found[size, 2] = wager
                        found[size, 3] = codes[place, seat, wager]
                        size += 1
            squares[wager] += float(won) * float(won)
            total += won
        period = number // span
        if period < len(wins):
            wins[period] -= total
    return size
