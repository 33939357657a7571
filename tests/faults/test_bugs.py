"""The test of the test: every planted bug is found by the floor (issue 21)."""

from __future__ import annotations

import pytest

from tests.faults.bugs import BUGS, finds
from tests.faults.run import run_seed

WITHIN = 1_000
QUICK = {
    "skipped-sync": 0, "half-a-group-commit": 0, "snapshot-without-its-tail": 0, "own-approval": 0,
    "counted-twice-after-a-reconnect": 0, "undo-without-end": 0,
}  # fmt: skip
"""Some of them with the seed that finds each."""


def seed_that_finds(name: str, first: int, seeds: int) -> int | None:
    for seed in range(first, first + seeds):
        if finds(name, run_seed(seed, crash_states=2, plant=BUGS[name]).findings):
            return seed
    return None


@pytest.mark.parametrize(("name", "seed"), QUICK.items())
def test_some_planted_bugs_are_found(name: str, seed: int) -> None:
    assert seed == seed_that_finds(name, seed, 1)


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(BUGS))
def test_every_planted_bug_is_found_within_a_thousand_seeds(name: str) -> None:
    assert seed_that_finds(name, 0, WITHIN) is not None


def test_there_is_a_bug_for_each_promise() -> None:
    assert len(BUGS) >= 30
    assert len({plant.__doc__ for plant in BUGS.values()}) == len(BUGS)
