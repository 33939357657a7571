"""Simulated means stand where the exact ones are: under every reading and strategy, of every wager."""

from __future__ import annotations

from math import sqrt

import pytest

from pitboss.simulate.blocks import run_block
from pitboss.simulate.playing import make_ready
from tests.simulate.cases import CASES, KEY, Case

# The rounds are the same every time; in so many standard errors none of some hundred means may be off by chance.
Z_MAX = 4.5


def z_scores(case: Case, blocks: int) -> dict[str, float]:
    ready = make_ready(case.setup)
    histogram = sum(run_block(case.setup, KEY, 20 + block).histogram for block in range(blocks))
    scores = {}
    for place, (name, wager) in enumerate(ready.game.by_name.items()):
        exact = ready.decided.exact.get(name)
        if exact is None:
            continue
        here = slice(ready.begins[place], ready.begins[place + 1])
        # Seats of one round share cards; the first alone makes independent rounds.
        counted = histogram[0, here]
        cents = ready.setup.stakes[0][place]
        nets = (ready.paid - ready.staked)[0, here] / cents
        mean = float((counted * nets).sum() / counted.sum())
        assert wager.jackpot or exact.result.variance > 0
        error = sqrt(float(exact.result.variance) / counted.sum())
        scores[name] = (mean - float(exact.result.ev)) / error
    return scores


@pytest.mark.parametrize("case", CASES, ids=str)
def test_the_mean_of_every_wager_agrees_with_the_exact_one(case: Case) -> None:
    scores = z_scores(case, 1)
    assert scores
    assert all(abs(score) < Z_MAX for score in scores.values()), scores


@pytest.mark.prove
@pytest.mark.parametrize("case", CASES, ids=str)
def test_the_mean_over_millions_of_rounds_agrees_with_the_exact_one(case: Case) -> None:
    scores = z_scores(case, 256 // case.seats)
    assert all(abs(score) < Z_MAX for score in scores.values()), scores
