"""A block of rounds: simulated without meters, anywhere, into counts that add up and the places where a meter pays."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy

from pitboss.simulate.playing import CHUNK_ROUNDS, Ready, make_ready
from pitboss.simulate.setup import BLOCK_ROUNDS, Setup

__all__ = ["BlockResult", "run_block"]


@dataclass(frozen=True, slots=True, eq=False)
class BlockResult:
    """What a block gives, all of which adds up over blocks.

    `histogram` counts by seat and facts code; `squares` adds up those of each wager's cents won in a round; `wins` are
    the house's cents of every `span` rounds; `found` has a row of round, seat, wager and code wherever a meter pays.
    """

    block: int
    rounds: int
    histogram: Any
    squares: Any
    wins: Any
    found: Any


def run_block(
    setup: Setup, key: bytes, block: int, *, rounds: int = BLOCK_ROUNDS, span: int = BLOCK_ROUNDS
) -> BlockResult:
    """Simulate the first rounds of a block; the same key and block number give the same result everywhere."""
    ready = make_ready(setup)
    worth = 2 * (ready.paid - ready.staked + ready.envy) + ready.watched
    seats, wagers = ready.placed.shape
    histogram = numpy.zeros(worth.shape, dtype=numpy.int64)
    squares = numpy.zeros(wagers, dtype=numpy.float64)
    wins = numpy.zeros(rounds // span, dtype=numpy.int64)
    found = []
    room = numpy.zeros((CHUNK_ROUNDS * seats * wagers, 4), dtype=numpy.int64)
    sums = numpy.zeros((2, CHUNK_ROUNDS), dtype=numpy.int64)
    for chunk in ready.play(key, block, rounds):
        given = (chunk.codes, ready.begins, ready.placed, worth, histogram, squares, wins, sums, room)
        rows = room[: ready.tally_loop(chunk.rounds, chunk.first, span, *given)]
        found.append(rows[numpy.argsort(rows[:, 0], kind="stable")])
    _check(ready, histogram, rounds)
    squares += _squares_of_one_seat(histogram, worth, ready.begins, ready.placed)
    return BlockResult(block, rounds, histogram, squares, wins, numpy.concatenate(found))


def _check(ready: Ready, histogram: Any, rounds: int) -> None:
    """See that every wager of every seat was counted in every round."""
    expected = int(ready.placed.sum()) * rounds
    if int(histogram.sum()) != expected:
        raise RuntimeError(f"{int(histogram.sum())} wagers were counted, not {expected}")


def _squares_of_one_seat(histogram: Any, worth: Any, begins: Any, placed: Any) -> Any:
    """Give by wager the sum of the squares of what is won, where one seat has it; where several have, none."""
    squares = numpy.zeros(placed.shape[1], dtype=numpy.float64)
    for wager in numpy.flatnonzero(placed.sum(axis=0) == 1):
        at = (placed[:, wager].argmax(), slice(begins[wager], begins[wager + 1]))
        won = (worth[at] >> 1).tolist()
        squares[wager] = sum(times * cents * cents for times, cents in zip(histogram[at].tolist(), won, strict=True))
    return squares
