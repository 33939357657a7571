"""The worker: figures made in a process of their own, told when they are ready; a process that dies is replaced."""

from __future__ import annotations

import asyncio
import os
import shutil
import threading
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import aclosing
from pathlib import Path
from typing import Any

import pytest

from pitboss.server.live import Hub, figure_topic
from pitboss.server.worker import jobs, learning, odds_room
from pitboss.server.worker import pool as worker_module
from pitboss.server.worker.pool import BusyError, Figure, Worker
from tests.server.conftest import Filled
from tests.server.making import House
from tests.server.running import running
from tests.server.test_stream import Fake
from tests.server.working import AbortJob, DoubleJob, FailJob, SlowDoubleJob


class Told:
    """Waits until the worker has told of so many figures."""

    def __init__(self) -> None:
        self._times = threading.Semaphore(0)

    def __call__(self) -> None:
        self._times.release()

    def wait(self) -> None:
        assert self._times.acquire(timeout=60)


@pytest.fixture(scope="module")
def told() -> Told:
    return Told()


@pytest.fixture(scope="module")
def worker(told: Told) -> Iterator[Worker]:
    found = Worker(told)
    yield found
    found.close()


def made(worker: Worker, told: Told, figure: Figure) -> Figure:
    told.wait()
    found = worker.figure(figure.key)
    assert found is not None
    return found


def test_a_figure_is_computed_elsewhere_once_and_then_there(worker: Worker, told: Told) -> None:
    asked = worker.ask(DoubleJob(number=21))
    assert asked.status == "computing"
    found = made(worker, told, asked)

    assert found.status == "ready"
    assert found.value["number"] == 42
    assert found.value["process"] != os.getpid()
    assert worker.ask(DoubleJob(number=21)) == found


def test_a_figure_that_cannot_be_made_says_why_and_is_tried_again(worker: Worker, told: Told) -> None:
    found = made(worker, told, worker.ask(FailJob(words="no such pay table")))

    assert (found.status, found.words) == ("failed", "no such pay table")
    assert worker.ask(FailJob(words="no such pay table")).status == "computing"
    told.wait()


def test_a_worker_that_dies_is_replaced(worker: Worker, told: Told) -> None:
    assert made(worker, told, worker.ask(AbortJob())).status == "failed"
    found = made(worker, told, worker.ask(DoubleJob(number=4)))

    assert found.value["number"] == 8


def test_a_worker_takes_only_so_much_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker_module, "_WAITING_MAX", 0)
    busy = Worker()

    with pytest.raises(BusyError):
        busy.ask(DoubleJob(number=1))
    busy.close()


def test_issue_20_a_caller_and_all_callers_together_have_so_many_figures_computed_at_once(
    worker: Worker, told: Told, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(worker_module, "_OF_ONE", 1)
    monkeypatch.setattr(worker_module, "_OF_STRANGERS", 2)
    monkeypatch.setattr(worker, "_submit", lambda _job: Future())
    worker.ask(DoubleJob(number=301), "one")
    with pytest.raises(BusyError, match="in a moment"):
        worker.ask(DoubleJob(number=302), "one")
    worker.ask(DoubleJob(number=302), "other")
    with pytest.raises(BusyError, match="in a moment"):
        worker.ask(DoubleJob(number=303), "third")
    assert worker.ask(DoubleJob(number=301), "third").status == "computing", "what is asked for already costs nothing"
    assert worker.ask(DoubleJob(number=304)).status == "computing", "the room's own work is not counted"
    ended: Future[dict[str, int]] = Future()
    ended.set_result({"number": 1})
    for number in (301, 302, 304):
        worker._finish(DoubleJob(number=number).key, ended)
        told.wait()
    assert worker.ask(DoubleJob(number=303), "one").status == "computing"
    worker._finish(DoubleJob(number=303).key, ended)
    told.wait()


def test_issue_20_a_what_if_waits_for_nothing_long() -> None:
    fields: dict[str, Any] = {"game": "three-card-prime", "wager": "prime", "tables": ["PRW-1"]}
    lanes = {DoubleJob(number=1).lane, SlowDoubleJob(number=1).lane, odds_room.WhatIfJob(**fields).lane}
    assert {"quick", "slow", "odds"} == lanes
    assert "odds" == odds_room.HandJob(**fields, player="").lane
    assert "slow" == odds_room.VulnerabilityJob(game="three-card-prime", part="sight").lane


def test_what_strangers_have_computed_keeps_nothing_of_the_room_waiting() -> None:
    """Seen: a dozen designs of one stranger stood before the room's reports and its audit, each for minutes."""
    fields: dict[str, Any] = {"game": "three-card-prime", "wager": "prime", "tables": ["PRW-1"]}
    hand: dict[str, Any] = {"seed": "0", "focus": "", "number": 1}
    of_strangers = (
        odds_room.StrategyJob(**fields),
        odds_room.DesignJob(**fields, edge=[]),
        odds_room.WhatIfSheetJob(**fields),
        learning.OwnPlayJob(configuration="", decisions=[]),
        learning.DrillJob(configuration="", **hand),
        learning.CoachJob(configuration="", asked={}),
    )
    assert {job.lane for job in of_strangers}.isdisjoint({"quick", "slow"})


def test_so_many_strangers_wait_in_a_thread_and_the_others_ask_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """Seen: forty requests for one figure that took a minute held every thread, and no page of the staff came."""
    found, done = Worker(), Future[dict[str, Any]]()
    monkeypatch.setattr(found, "_submit", lambda _job: done)
    job = DoubleJob(number=1)
    with ThreadPoolExecutor(60) as pool:
        asked = [pool.submit(found.wait, job, 60, f"address {number % 20}") for number in range(59)]
        own = pool.submit(found.wait, job, 60)
        waiting = wait(asked, timeout=2).not_done
        assert len(waiting) <= worker_module.WAITING_STRANGERS_MAX
        assert {each.result().status for each in asked if each not in waiting} == {"computing"}
        assert not own.done()
        done.set_result({"number": 2})
        assert {each.result().status for each in (*waiting, own)} == {"ready"}


def test_practice_is_counted_as_the_odds_room_is(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """Seen: what practice has computed was counted for nobody: one stranger filled the line, and reports were refused."""
    worker = house.app.state.worker
    ready = Future[dict[str, Any]]()
    ready.set_result({"lessons": [["", [[["As", "Kd", "9c"], ["2c"], ""]]]]})

    def submitted(job: jobs.Job) -> Future[dict[str, Any]]:
        return ready if isinstance(job, learning.CoachCountsJob | learning.CourseJob) else Future()

    monkeypatch.setattr(worker, "_submit", submitted)
    client = house.browser()
    drills = (f"/practice/three-card-prime/drill?key={number:064x}" for number in range(60))
    assert {client.get(drill).status_code for drill in drills} == {200}
    assert worker.queue_length <= 4
    assert worker.ask(DoubleJob(number=5)).status == "computing", "the room's own work finds its place"


def test_a_figure_is_told_by_the_stream_when_it_is_ready() -> None:
    async def story() -> None:
        fake, figures = Fake(), {"k": Figure("k", "computing")}
        topic = figure_topic(lambda: figures, lambda key: figures[key].view())
        hub = Hub(fake.state, [topic], clock=lambda: 0, beat_seconds=3_600)
        async with aclosing(hub.follow(["figure:k"], after=1)) as stream:
            assert b'"status":"computing"' in await anext(stream)
            figures["k"] = Figure("k", "ready", {"value": 1})
            hub.moved()
            text = (await asyncio.wait_for(anext(stream), 30)).decode()
            assert '"status":"ready"' in text
            assert "id: " not in text
            # Who comes back is sent it again: no entry says since when it is there.
        async with aclosing(hub.follow(["figure:k"], after=1)) as stream:
            assert b'"status":"ready"' in await anext(stream)

    asyncio.run(story())


def test_odds_of_what_there_is_not_are_not_asked_for(shared: House) -> None:
    client = shared.as_("manager")
    wrong = client.get("/api/v1/odds", params={"game": "none", "wager": "x", "paytable": "y"})
    assert wrong.status_code == 404
    wrong = client.get("/api/v1/odds", params={"game": "four-card-prime", "wager": "x", "paytable": "y"})
    assert "it has: ante-raise" in wrong.json()["detail"]


def test_odds_are_counted_by_the_real_worker_and_the_server_loads_nothing_for_it(
    filled: Filled, quick_path: Path
) -> None:
    path = shutil.copytree(filled.path, quick_path / "room")
    with running(path) as server:
        client = server.client("a-manager")
        query = {"game": "three-card-prime", "wager": "prime", "paytable": "PRW-1"}
        answer = client.get("/api/v1/odds", params=query).json()
        while answer["status"] == "computing":
            with client.stream("GET", "/api/v1/stream", params={"topics": answer["topic"]}) as stream:
                for line in stream.iter_lines():
                    if '"status":"ready"' in line or '"status":"failed"' in line:
                        break
            answer = client.get("/api/v1/odds", params=query).json()
        assert answer["status"] == "ready", answer
        assert answer["figure"]["wager"] == "prime"
        assert server.end() == (0, "loaded:\n")


def test_what_takes_long_has_a_process_of_its_own_and_a_figure_can_be_waited_for(worker: Worker, told: Told) -> None:
    quick, slow = (worker.wait(job, 60) for job in (DoubleJob(number=22), SlowDoubleJob(number=101)))
    told.wait()
    told.wait()
    assert [each.value["number"] for each in (quick, slow)] == [44, 202]
    assert quick.value["process"] != slow.value["process"]
    assert worker.wait(DoubleJob(number=22), 0) == quick


def test_what_may_take_long_is_known_by_its_days() -> None:
    day, week, month = ({"first": "2026-11-01", "last": f"2026-11-{last}"} for last in ("01", "07", "30"))
    slow = [jobs.ReportJob(path="", name="meters", criteria=each, at=0).is_slow for each in ({}, day, week, month)]
    assert slow == [False, False, False, True]
    assert jobs.ReportCsvJob(path="", name="chain", criteria=day, at=0).is_slow
    assert jobs.ReportPdfJob(path="", name="meters", criteria=day, at=0).is_slow
    history = [jobs.MeterHistoryJob(path="", jackpot="", days=days, at=0).is_slow for days in (1, 7, 30)]
    assert history == [False, False, True]
    assert jobs.VerifyBooksJob(path="", heads=[], at=0).is_slow
    assert jobs.TableOddsJob(configuration="", wager="").is_slow
    assert not jobs.DisplayExplanationJob(path="", jackpot="", entry=1).is_slow
    assert not jobs.ActorCountsJob(path="", first=1, last=2).is_slow


def test_equal_jobs_have_one_key_and_others_another() -> None:
    first, again = (jobs.ReportJob(path="r", name="meters", criteria={"table": "4"}, at=1) for _ in range(2))
    assert (first, first.key) == (again, again.key)
    assert first.key != jobs.ReportCsvJob(path="r", name="meters", criteria={"table": "4"}, at=1).key
    assert first.key != jobs.ReportJob(path="r", name="meters", criteria={"table": "5"}, at=1).key


def test_what_is_remembered_has_a_limit_in_bytes_and_the_newest_is_always_there(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from concurrent.futures import Future  # noqa: PLC0415

    monkeypatch.setattr(worker_module, "_BYTES_MAX", 3_000)
    found = Worker()

    def make(key: str, length: int) -> None:
        done: Future[dict[str, str]] = Future()
        done.set_result({"png": "x" * length})
        found._finish(key, done)

    for number in range(5):
        make(f"small {number}", 800)
    assert found.keys() == ["small 2", "small 3", "small 4"], "what was asked for longest ago is forgotten"
    make("large", 10_000)
    assert found.keys() == ["large"], "whoever asked for it finds it"
    make("small", 10)
    assert found.keys() == ["small"]
    assert sum(found._sizes.values()) == worker_module.size_of({"png": "x" * 10})


def test_the_size_of_a_value_grows_with_all_it_holds() -> None:
    size = worker_module.size_of
    assert size("x" * 1_000) >= 1_000
    assert size({"a": ["y" * 500, 1, None], "b": {"c": "z" * 500}}) >= 1_000
    assert size([1] * 100) > size([1])
