"""The rounds behind a forecast, simulated in blocks: what the house wins by shift, and where meters pay."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from math import gcd
from typing import Any

import numpy

from pitboss.simulate.blocks import BlockResult
from pitboss.simulate.folding import Occasion, find_occasions
from pitboss.simulate.forecast_plan import Plan
from pitboss.simulate.playing import make_ready
from pitboss.simulate.running import run_blocks
from pitboss.simulate.setup import BLOCK_ROUNDS, Setup

__all__ = ["Gathered", "exact_win_cents", "gather"]

Tell = Callable[[int, int], None]


@dataclass(frozen=True, slots=True, eq=False)
class Gathered:
    """Whole runs of rounds: the house's cents of every shift without percentage prizes, and where meters pay."""

    runs: int
    interrupted: bool
    shift_cents: Any
    occasions: Mapping[str, tuple[Occasion, ...]]


def gather(setup: Setup, plan: Plan, key: bytes, tell: Tell | None = None) -> Gathered:
    """Simulate the runs of a plan; Ctrl-C ends with the whole runs there are, and goes on where there are none."""
    wanted = plan.runs * plan.run_rounds
    span = gcd(plan.shift_rounds, BLOCK_ROUNDS)
    shifts = numpy.zeros(wanted // plan.shift_rounds, dtype=numpy.int64)
    results: list[BlockResult] = []
    played = 0
    try:
        for result in run_blocks(setup, key, wanted, span=span):
            places = numpy.arange(played, played + result.rounds, span) // plan.shift_rounds
            numpy.add.at(shifts, places, result.wins)
            results.append(replace(result, histogram=None, squares=None, wins=None))
            played += result.rounds
            if tell is not None:
                tell(played, wanted)
    except KeyboardInterrupt:
        if played < plan.run_rounds:
            raise
    runs = played // plan.run_rounds
    rounds = runs * plan.run_rounds
    found = find_occasions(setup, results)
    return Gathered(
        runs,
        runs < plan.runs,
        shifts[: rounds // plan.shift_rounds],
        {name: tuple(each for each in every if each.round < rounds) for name, every in found.items()},
    )


def exact_win_cents(setup: Setup) -> Fraction:
    """Give what the house wins in a round without percentage prizes, exactly, from the odds under these decisions."""
    ready = make_ready(setup)
    nets = ready.paid - ready.staked + ready.envy
    won = Fraction(0)
    for place, wager in enumerate(ready.game.wagers):
        exact = ready.decided.exact.get(wager.name)
        if exact is None:
            continue
        begin = int(ready.begins[place])
        for seat in range(setup.seats):
            if ready.placed[seat, place]:
                cents = sum(count * int(nets[seat, begin + code]) for code, count in exact.priced.histogram.items())
                won += Fraction(cents, exact.priced.total)
    return -won
