"""The forecast of a jackpot and the PAR sheet of a table: made by the worker, "computing" until they are there."""

from __future__ import annotations

import base64
import datetime
import re
from collections.abc import Iterator
from typing import Any

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from pitboss.games import find_game
from pitboss.server.app import create_app
from pitboss.server.views.office.odds import forecast_view
from pitboss.server.worker.jobs import JackpotForecastJob, Job, ParSheetJob
from pitboss.server.worker.pool import Figure
from pitboss.table import default_configuration
from tests.pages.office import add_people
from tests.pages.room import TCP, CardRoom, card_room, jackpots_of_the_room
from tests.server.making import ADDRESS, sign_in

DAYS = [["1000.00", "1100.00", "1200.00"], ["900.00", "1150.00", "1400.00"], ["500.00", "1200.00", "1600.00"]]
FOUND: dict[str, Any] = {
    "game": TCP,
    "seats": 7,
    "stakes": {"ante-play": "5.00"},
    "strategy": "optimal",
    "rounds_per_hour": 80,
    "hours_per_day": 16,
    "days": 3,
    "simulated": {"rounds": 384_000, "runs": 100, "key": "ab" * 32},
    "jackpots": [
        {
            "name": "final-four",
            "exact": {
                "growth_a_day": "1550.08",
                "top_events": ["4-card diamond Royal"],
                "rounds_between": "270725/7",
                "days_between": None,
                "sufficient_reserve_rate": "1/40",
            },
            "simulated": {
                "rounds": 384_000,
                "top_hits": 9,
                "top_prize": {"mean": "1234.56", "standard_error": "7.00"},
                "seed_lacked": None,
                "cover": {"covered": 2},
            },
            "fan": {"percents": [5, 50, 95], "dollars_by_day": DAYS},
        }
    ],
}


def test_a_fan_holds_its_bands_and_its_table_says_the_same() -> None:
    view = forecast_view(FOUND, "final-four")
    assert view is not None
    assert list(view.days.values()) == [tuple(f"${float(one):,.2f}" for one in day) for day in DAYS[1:]]
    corners = [tuple(map(int, each.split())) for each in re.findall(r"\d+ \d+", view.fan.bands[0])]
    middle = [tuple(map(int, each.split())) for each in re.findall(r"\d+ \d+", view.fan.line)]
    lower, upper = corners[:3], list(reversed(corners[3:]))
    assert all(under[1] >= centre[1] >= over[1] for under, centre, over in zip(lower, middle, upper, strict=True))
    assert view.fan.words.endswith("90% of runs end between $500.00 and $1,600.00.")
    assert list(view.days) == [1, 2], "the first band is what it shows now"
    assert view.fan.words.startswith("After 2 days")
    told = dict(view.exact)
    assert (told["Rounds between top prizes"], told["Days between top prizes"]) == ("38,675", "cannot be counted")
    assert dict(view.simulated)["Shortfall at reset"] == "never in these runs"
    assert forecast_view(FOUND, "all-seven") is None


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory) -> Iterator[CardRoom]:
    with card_room(tmp_path_factory.mktemp("office") / "room") as found:
        add_people(found.room)
        yield found


@pytest.fixture
def app(room: CardRoom, monkeypatch: pytest.MonkeyPatch) -> FastAPI:
    made = create_app(room.room)
    asked: list[Job] = []

    def ask(job: Job) -> Figure:
        asked.append(job)
        if len(asked) == 1 or not isinstance(job, JackpotForecastJob | ParSheetJob):
            return Figure("key-1", "computing")
        value = FOUND if isinstance(job, JackpotForecastJob) else {"pdf": base64.b64encode(b"%PDF-1").decode()}
        return Figure("key-1", "ready", value)

    monkeypatch.setattr(made.state.worker, "ask", ask)
    made.state.asked = asked
    return made


@pytest.fixture
def auditor(app: FastAPI) -> TestClient:
    client = TestClient(app, base_url=ADDRESS, follow_redirects=False)
    sign_in(client, "una")
    client.headers["accept"] = "text/html"
    return client


def test_a_forecast_is_computing_and_then_there_from_what_the_meter_shows(app: FastAPI, auditor: TestClient) -> None:
    page = auditor.get("/office/jackpots/final-four/forecast?days=3")
    assert 'data-figure="key-1"' in page.text
    assert "Working …" in page.text
    page = auditor.get("/office/jackpots/final-four/forecast?days=3")
    assert "Forecast meter of Final Four Jackpot" in page.text
    job = app.state.asked[-1]
    assert isinstance(job, JackpotForecastJob)
    assert (job.meter_cents, job.plan["days"]) == (23_416_00, 3)
    assert job.plan["rounds_per_hour"] == 80, "two tables are linked"
    wrong = auditor.get("/office/jackpots/final-four/forecast?days=0&runs=many")
    assert (wrong.status_code, wrong.text.count("enter a whole number")) == (409, 2)
    assert auditor.get("/office/jackpots/none/forecast").status_code == 404


def test_a_par_sheet_opens_when_it_is_made(auditor: TestClient) -> None:
    """T-07."""
    assert "/office/odds/4/par" in auditor.get("/office/odds/4").text
    answer = auditor.get("/office/odds/4/par")
    assert (answer.headers["content-type"], answer.content) == ("application/pdf", b"%PDF-1")
    assert auditor.get("/office/odds/99/par").status_code == 404


def test_the_worker_forecasts_the_same_twice_and_makes_a_sheet_that_carries_its_figures() -> None:
    """The key follows from what is asked: the same forecast can be made again."""
    configuration = default_configuration(find_game(TCP), datetime.date(2026, 11, 16)).canonical
    jackpot = jackpots_of_the_room()[0].to_json()
    plan = {"rounds_per_hour": 40, "hours_per_day": 8, "shift_hours": 8, "days": 4, "runs": 5}
    job = JackpotForecastJob(
        configuration=configuration, jackpot=jackpot, table="4", meter_cents=20_000_00, plan=plan, seats=0
    )
    first = job.run()
    assert first == job.run()
    meter = first["jackpots"][0]["meter"]
    assert (meter["opens_at"], meter["seed"], meter["rate"]) == ("20000.00", "5000.00", "173/1000")
    sheet = ParSheetJob(configuration=configuration, meters={"final-four": 20_000_00}).run()
    assert base64.b64decode(sheet["pdf"]).startswith(b"%PDF")
