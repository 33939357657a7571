"""Blocks are handed out whole and added up in order: any number of workers, here or elsewhere, gives the same."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy
import pytest

if TYPE_CHECKING:
    from distributed import LocalCluster

from pitboss.simulate import running
from pitboss.simulate.running import RoundTally, blocks_of, run, run_blocks
from pitboss.simulate.setup import BLOCK_ROUNDS, Setup
from tests.simulate.tables import KEY, table

ROUNDS = 5 * BLOCK_ROUNDS + 1234


def setup() -> Setup:
    return table("three-card-prime", seats=2)


def assert_same(one: RoundTally, other: RoundTally) -> None:
    assert one.rounds == other.rounds
    for name in ("histogram", "squares", "wins", "watched"):
        assert numpy.array_equal(getattr(one, name), getattr(other, name)), name


@pytest.fixture(scope="module")
def alone() -> RoundTally:
    return run(setup(), KEY, ROUNDS, span=1000, workers=1)


def test_rounds_are_divided_into_whole_blocks_and_a_rest() -> None:
    assert [(0, 65_536), (1, 65_536), (2, 5)] == blocks_of(2 * 65_536 + 5)
    assert [(0, 65_536)] == blocks_of(65_536)
    assert [(0, 7)] == blocks_of(7)


@pytest.mark.parametrize("workers", [2, 3, 7])
def test_any_number_of_workers_gives_the_identical_result(alone: RoundTally, workers: int) -> None:
    told: list[int] = []
    assert_same(alone, run(setup(), KEY, ROUNDS, span=1000, workers=workers, done=told.append))
    assert [BLOCK_ROUNDS] * 5 + [1234] == told


def test_another_key_gives_other_rounds(alone: RoundTally) -> None:
    other = run(setup(), bytes(32), ROUNDS, span=1000)
    assert not numpy.array_equal(alone.histogram, other.histogram)


def test_every_wager_of_every_seat_is_counted_in_every_round(alone: RoundTally) -> None:
    assert alone.whole
    assert int(alone.histogram.sum()) == ROUNDS * 2 * 6
    assert len(alone.wins) == 5 * (BLOCK_ROUNDS // 1000) + 1
    assert (numpy.diff(alone.watched[:, 0]) >= 0).all()
    assert alone.watched[-1, 0] > 5 * BLOCK_ROUNDS - 100_000


def test_stopped_from_the_keyboard_it_gives_the_whole_blocks_it_has(alone: RoundTally) -> None:
    def stop(rounds: int) -> None:
        told.append(rounds)
        if len(told) == 2:
            raise KeyboardInterrupt

    told: list[int] = []
    stopped = run(setup(), KEY, ROUNDS, span=1000, workers=2, done=stop)
    assert not stopped.whole
    assert_same(stopped, run(setup(), KEY, 2 * BLOCK_ROUNDS, span=1000))
    assert numpy.array_equal(stopped.wins, alone.wins[: len(stopped.wins)])


def test_stopped_before_the_first_block_there_is_nothing_to_give(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object, **__: object) -> Iterator[object]:
        raise KeyboardInterrupt
        yield

    monkeypatch.setattr(running, "run_blocks", interrupted)
    with pytest.raises(KeyboardInterrupt):
        run(setup(), KEY, ROUNDS)


def test_what_cannot_be_simulated_is_refused() -> None:
    with pytest.raises(ValueError, match="rounds is 0"):
        run(setup(), KEY, 0)
    with pytest.raises(ValueError, match="span is 0"):
        run(setup(), KEY, 10, span=0)


@pytest.fixture(scope="module")
def cluster() -> Iterator[LocalCluster]:
    # It takes a second to load, in every worker that only collects.
    from distributed import LocalCluster  # noqa: PLC0415

    with LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as made:
        yield made


@pytest.mark.filterwarnings("ignore")
@pytest.mark.xdist_group("cluster")
def test_a_cluster_gives_what_one_thread_gives_and_a_killed_worker_loses_nothing(
    alone: RoundTally, cluster: LocalCluster
) -> None:
    from distributed import Client  # noqa: PLC0415

    killed: list[int] = []

    def kill_one(_rounds: int) -> None:
        if not killed:
            with Client(cluster.scheduler_address, set_as_default=False) as client:
                killed.append(next(iter(client.run(os.getpid).values())))
            os.kill(killed[0], signal.SIGKILL)

    told = run(setup(), KEY, ROUNDS, span=1000, scheduler=cluster.scheduler_address, workers=1, done=kill_one)
    assert killed
    assert_same(alone, told)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.xdist_group("cluster")
def test_a_worker_with_other_sources_is_refused(cluster: LocalCluster, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(running, "source_hash", lambda: "other")
    with pytest.raises(ValueError, match="other sources of Pitboss"):
        list(run_blocks(setup(), KEY, 10, scheduler=cluster.scheduler_address))
