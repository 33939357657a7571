"""Issue 20, Training: a dealer does a set by forms, the result is booked, and a table test prints its record."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from types import SimpleNamespace

import pytest
from fastapi.testclient import TestClient

from pitboss.learn.exercises import Recipe, chips_of, exercise_round, lines_of, marks_of
from pitboss.learn.training import TrainingRuns
from pitboss.room.configurations import configuration_at
from pitboss.room.training import TRAINING
from pitboss.server.app import create_app
from pitboss.server.pages import training
from pitboss.server.worker.learning import RecordPdfJob
from tests.pages.desk import desk_room
from tests.pages.room import CardRoom
from tests.server.making import ADDRESS, sign_in

TABLE = "7"


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory) -> Iterator[CardRoom]:
    with desk_room(tmp_path_factory.mktemp("training") / "room") as opened:
        yield opened


@pytest.fixture
def client(room: CardRoom, monkeypatch: pytest.MonkeyPatch) -> Iterator[TestClient]:
    """A dealer at a server whose worker has three exercises at hand."""
    configuration = configuration_at(room.room.state, TABLE)
    assert configuration is not None
    marks = []
    for number in range(1, 4):
        played = exercise_round(configuration, Recipe(0, number))
        assert played is not None
        marks.append([min(marks_of(lines_of(played)[0][1])), 0, number])
    ready = SimpleNamespace(status="ready")
    monkeypatch.setattr(training, "figure_of", lambda _request, _job: ready)

    def figure(_request: object, _room: object, job: object) -> object:
        return job.run() if isinstance(job, RecordPdfJob) else {"marks": marks}

    monkeypatch.setattr(training, "awaited_figure", figure)
    with TestClient(create_app(room.room), base_url=ADDRESS, headers={"origin": ADDRESS}) as opened:
        opened.follow_redirects = False
        sign_in(opened, "dan")
        opened.follow_redirects = True
        yield opened


def run_of(client: TestClient) -> TrainingRuns:
    runs: TrainingRuns = client.app.state.training  # type: ignore[attr-defined]
    return runs


def answer_all(client: TestClient, kind: str) -> str:
    """Do a whole run with right answers; give the page of the last marking."""
    page = ""
    client.post("/training/begin", data={"table": TABLE, "kind": kind})
    run = run_of(client).find("Dan")
    assert run is not None
    run_of(client).keep("Dan", replace(run, length=2))
    for _ in range(2):
        run = run_of(client).find("Dan")
        assert run is not None
        fields = {"number": str(run.number)}
        for chip in chips_of(run.exercise.played):
            fields[f"do:{chip.name}"] = chip.action
            fields[f"pay:{chip.name}"] = f"{chip.paid_cents / 100:.2f}"
        page = client.post("/training/answer", data=fields).text
        booked = client.post("/training/next")
        assert booked.status_code == 200, booked.text
    return page


def test_a_set_is_done_by_forms_and_its_result_is_booked_once(client: TestClient, room: CardRoom) -> None:
    marked = answer_all(client, "pay")
    assert "All right" in marked
    assert "By kind of hand" in marked
    [*_, result] = room.room.state.of(TRAINING)["Dan"]
    assert (result.done.exercise, result.done.exercises, result.done.right) == ("pay", 2, result.done.asked)
    assert "2 of" in client.get("/training").text or f"{result.done.right} of" in client.get("/training").text


def test_a_table_test_is_passed_and_prints_a_record_with_its_seed(client: TestClient, room: CardRoom) -> None:
    answer_all(client, "test")
    [*_, result] = room.room.state.of(TRAINING)["Dan"]
    assert result.done.is_passed
    page = client.get("/training").text
    assert "Passed" in page
    link = re.search(r"/training/record/\d+/pdf", page)
    assert link is not None
    printed = client.get(link[0])
    assert printed.headers["content-type"] == "application/pdf"
    assert printed.content.startswith(b"%PDF")
    assert client.get("/training/record/1/pdf").status_code == 404


def test_training_is_for_who_has_signed_in(room: CardRoom) -> None:
    stranger = TestClient(create_app(room.room), base_url=ADDRESS, headers={"origin": ADDRESS})
    assert stranger.get("/training").status_code == 401
    assert stranger.post("/training/begin", data={"table": TABLE, "kind": "pay"}).status_code in (401, 403)
