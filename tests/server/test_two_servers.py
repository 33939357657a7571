"""Two servers of one room on PostgreSQL, with devices that press: nothing that was acknowledged is lost or doubled."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.server.failovers import FAULTS, faults_of, run

pytestmark = pytest.mark.xdist_group("postgresql")


def test_a_leader_killed_paused_and_cut_off_under_load_loses_and_doubles_nothing(
    database: str, quick_path: Path
) -> None:
    failovers, presses = run(quick_path, database, list(FAULTS), tables=3, tell=print)
    assert [failover.fault for failover in failovers] == list(FAULTS)
    assert presses > 50


@pytest.mark.slow
def test_two_hundred_failovers_under_load_lose_and_double_nothing(database: str, quick_path: Path) -> None:
    times, seed = (int(os.environ.get(f"PITBOSS_FAILOVERS{name}", usual)) for name, usual in (("", 200), ("_SEED", 1)))
    failovers, _ = run(quick_path, database, faults_of(times, seed), tell=print)
    assert len(failovers) == times
