"""Blocks are handed out whole and added up in order: any number of workers, here or elsewhere, gives the same."""

from __future__ import annotations

import datetime
import os
import signal
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy
import pytest

from pitboss.games import find_game
from pitboss.odds.compiled import source_hash
from pitboss.simulate.forecasts import ForecastPlan, MeterSettings, forecast
from pitboss.simulate.forecasts.company import forecast_company, play_table, table_key
from pitboss.simulate.forecasts.plan import ForecastRequest, make_request
from pitboss.table import default_configuration

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


def company_request() -> ForecastRequest:
    table = default_configuration(find_game("three-card-prime"), datetime.date(2026, 11, 15))
    return make_request(table, plan=ForecastPlan(days=2, runs=7), seats=1, meters={"final-four": MeterSettings()})


@pytest.mark.filterwarnings("ignore")
@pytest.mark.xdist_group("cluster")
def test_a_company_is_forecast_alike_by_any_number_of_workers(cluster: LocalCluster) -> None:
    request, heard = company_request(), []
    address = cluster.scheduler_address
    found = forecast_company(
        request, rooms=3, tables=2, key=KEY, scheduler=address, tell=lambda done, of: heard.append((done, of))
    )
    one_run = replace(request, plan=replace(request.plan, runs=1))
    alone = [play_table(source_hash(), one_run, table_key(KEY, room, table)) for room in range(3) for table in range(2)]
    assert found.by_room == tuple(alone[at].win_units + alone[at + 1].win_units for at in (0, 2, 4))
    assert found.before_units == sum(year.before_units for year in alone)
    assert len({year.before_units for year in alone}) == 6, "each table plays rounds of its own"
    assert found.rounds == heard[-1][0] == heard[-1][1] == 6 * request.plan.run_rounds
    assert found == forecast_company(request, rooms=3, tables=2, key=KEY, scheduler=address, workers=2)
    assert abs(found.deviation) < 4
    with pytest.raises(ValueError, match="--rooms"):
        forecast_company(request, rooms=0, tables=2, key=KEY)


def test_a_table_of_a_company_is_the_table_of_a_forecast() -> None:
    table = default_configuration(find_game("three-card-prime"), datetime.date(2026, 11, 15))
    alone = forecast(table, plan=ForecastPlan(days=2, runs=1), seats=1, key=table_key(KEY, 1, 0))
    request = company_request()
    year = play_table(source_hash(), replace(request, plan=replace(request.plan, runs=1)), table_key(KEY, 1, 0))
    assert (year.win_units,) == alone.run_wins
    assert year.top_hits == {jackpot.name: jackpot.top_hits for jackpot in alone.jackpots}
