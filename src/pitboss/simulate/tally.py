"""Tallying rounds, compiled: how often each facts code occurs, what every round wins, and where the meter pays."""

from typing import Any


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
    watched: Any,
) -> int:
    """Add rounds to the tally and say how many entries of `watched` are filled.

    Each seat's facts codes of a wager begin at `begins`. `worth` holds twice the cents that a seat wins by each, plus
    one where the code is watched. The squares of a wager's sum over several seats are added up (of one seat, how often
    each code occurs tells them), and the house's cents by every `span` rounds into `wins`. A seat whose code is
    watched is found with its round, seat, wager and code, wager after wager. `sums` is room for two numbers a round.
    """
    size = 0
    sums[:, :rounds] = 0
    for wager in range(codes.shape[2]):
        seats = 0
        for seat in range(codes.shape[1]):
            seats += placed[seat, wager]
        # What one seat wins goes to the round at once, what several do is put together first.
        row = 0 if seats > 1 else 1
        for seat in range(codes.shape[1]):
            if not placed[seat, wager]:
                continue
            for place in range(rounds):
                code = begins[wager] + codes[place, seat, wager]
                histogram[seat, code] += 1
                value = worth[seat, code]
                sums[row, place] += value >> 1
                if value & 1:
                    watched[size, 0], watched[size, 1] = first + place, seat
                    watched[size, 2], watched[size, 3] = wager, codes[place, seat, wager]
                    size += 1
        if seats > 1:
            squares[wager] += put_together(rounds, sums)
    add_periods(rounds, first, span, sums, wins)
    return size


def put_together(rounds: int, sums: Any) -> float:
    """Move what several seats have won to their rounds, and give the sum of the squares."""
    square = 0.0
    for place in range(rounds):
        won = sums[0, place]
        square += float(won) * float(won)
        sums[1, place] += won
        sums[0, place] = 0
    return square


def add_periods(rounds: int, first: int, span: int, sums: Any, wins: Any) -> None:
    """Add what the house has won, period by period."""
    place = 0
    while place < rounds:
        period = (first + place) // span
        if period >= len(wins):
            return
        end = min(rounds, (period + 1) * span - first)
        won = 0
        while place < end:
            won -= sums[1, place]
            place += 1
        wins[period] += won
