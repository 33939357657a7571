"""The fault floor (issue 21): whatever fails, nothing acknowledged is lost and no cent is adrift; the same seed is the same run."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from pathlib import Path

import pytest

from tests.faults.disk import DELETE, SYNC, TRUNCATE, WRITE, Change, Image
from tests.faults.run import run_seed

ROOT = Path(__file__).parents[2]
PARTS, SEEDS, STEPS = 4, 50, 90
LONG_PARTS, LONG_SEEDS, LONG_STATES = 20, 500, 5_000


@pytest.mark.parametrize(
    "part", [pytest.param(part, marks=pytest.mark.xdist_group(f"faults-{part}")) for part in range(PARTS)]
)
def test_two_hundred_seeds_lose_nothing_and_leave_no_cent_adrift(part: int) -> None:
    for seed in range(part * SEEDS, part * SEEDS + SEEDS):
        verdict = run_seed(seed, steps=STEPS, crash_states=2)
        assert [] == verdict.findings, (
            f"python -m tests.faults --seeds 1 --from {seed} --steps {STEPS} --crash-states 2"
        )


@pytest.mark.slow
@pytest.mark.parametrize(
    "part", [pytest.param(part, marks=pytest.mark.xdist_group(f"long-faults-{part}")) for part in range(LONG_PARTS)]
)
def test_ten_thousand_seeds_and_a_hundred_thousand_crash_states(part: int) -> None:
    each = LONG_STATES // LONG_SEEDS
    for seed in range(part * LONG_SEEDS, part * LONG_SEEDS + LONG_SEEDS):
        verdict = run_seed(seed, crash_states=each)
        assert [] == verdict.findings, f"python -m tests.faults --seeds 1 --from {seed} --crash-states {each}"


def test_the_command_plays_seeds_from_wherever_it_is_typed(tmp_path: Path) -> None:
    """Issue 21: `pitboss-faults --seeds N`."""
    command = [str(ROOT / "tests" / "faults" / "pitboss-faults"), "--seeds", "1", "--steps", "20"]
    played = subprocess.run(  # noqa: S603 - our own script
        command, cwd=tmp_path, capture_output=True, text=True, check=False, env={**os.environ, "PYTHON": sys.executable}
    )
    assert (0, True) == (played.returncode, "1 of 1 seeds" in played.stdout), played.stderr


ONE = "import json, sys; from tests.faults.run import run_seed; v = run_seed(5, crash_states=3); print(json.dumps([v.digest, v.counts]))"


def test_a_seed_is_the_same_run_in_another_process() -> None:
    """The clock, every message, answer, entry and write: byte by byte."""
    environment = {**os.environ, "PYTHONHASHSEED": "7"}
    ran = subprocess.run(  # noqa: S603 - our own program
        [sys.executable, "-c", ONE], cwd=ROOT, env=environment, check=True, capture_output=True, text=True
    )
    verdict = run_seed(5, crash_states=3)

    assert json.loads(ran.stdout) == [verdict.digest, verdict.counts]
    assert verdict.counts["power cut"] + verdict.counts["killed"] >= 1


def test_what_is_synced_is_left_and_what_is_not_may_be_torn() -> None:
    image = Image(bytearray(b"a" * 1024))
    for change in (Change(WRITE, "f", 0, b"b" * 1024), Change(SYNC, "f"), Change(WRITE, "f", 256, b"c" * 512)):
        image.see(change)

    left = {image.left(random.Random(seed), 512) for seed in range(64)}

    both = [
        b"b" * 256 + first + second + b"b" * 256
        for first in (b"b" * 256, b"c" * 256)
        for second in (b"b" * 256, b"c" * 256)
    ]
    assert set(both) == left


def test_a_failed_sync_loses_what_it_was_to_write() -> None:
    image = Image(bytearray(b"old"))
    for change in (Change(WRITE, "f", 0, b"new"), Change("failed sync", "f"), Change(SYNC, "f")):
        image.see(change)

    assert {b"old"} == {image.left(random.Random(seed), 512) for seed in range(8)}


def test_a_file_that_was_deleted_or_truncated_may_be_there_as_it_was() -> None:
    gone, short = Image(bytearray(b"old")), Image(bytearray(b"long"))
    gone.see(Change(DELETE, "f"))
    short.see(Change(TRUNCATE, "f", 1))

    assert {None, b"old"} == {gone.left(random.Random(seed), 512) for seed in range(16)}
    assert {b"l", b"long"} == {short.left(random.Random(seed), 512) for seed in range(16)}
