"""Watching a server: liveness, readiness, metrics, alerts with their pages, and its log in JSON (issue 21)."""

from __future__ import annotations

import json
import logging
import re
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml  # type: ignore[import-untyped]

from pitboss.books.store.directory import JOURNAL
from pitboss.room.room import Room
from pitboss.server import monitoring
from pitboss.server.logs import REQUESTS, JsonFormatter
from pitboss.tabulator import TABLES
from tests.programs import program
from tests.server.making import SECOND, House
from tests.server.test_api import DEVICE, Evening
from tests.server.test_strange_devices import badge

DOCS = Path(__file__).parents[2] / "docs"
RULES: list[dict[str, Any]] = yaml.safe_load(monitoring.text("alerts.yml"))["groups"][0]["rules"]
NAME = re.compile(r"\b(pitboss_[a-z_]+|up)\b")


def ready(house: House) -> dict[str, Any]:
    house.clock.add(2 * SECOND)
    answer = house.browser().get("/readyz")
    content: dict[str, Any] = answer.json()
    assert (answer.status_code == 200) == (content["status"] == "ready")
    return content


def metrics(house: House) -> dict[str, float]:
    """Every figure of the room, by its name and labels as Prometheus writes them."""
    text = house.as_("monitor").get("/metrics").text
    lines = [line.rsplit(" ", 1) for line in text.splitlines() if not line.startswith("#")]
    return {name: float(value) for name, value in lines}


def test_livez_answers_whatever_the_books_are_like(house: House) -> None:
    (house.room.path / "halted.json").write_text("[]")
    house.room.books.directory.halt([])
    assert house.browser().get("/healthz").status_code == 503
    assert house.browser().get("/livez").json() == {"status": "ok"}


def test_readyz_names_each_check(house: House) -> None:
    assert ready(house)["checks"] == {"books": "ok", "tail": "ok", "disk": "ok", "devices": "ok"}
    house.app.state.readiness.floor = 10**18
    assert "below 1,000,000,000,000 MB" in ready(house)["checks"]["disk"]
    house.room.books.directory.halt([])
    assert ready(house)["checks"]["books"] == "halted"


def test_readyz_verifies_the_last_entry_on_disk(house: House) -> None:
    last = house.room.state.sequence
    with sqlite3.connect(house.room.path / JOURNAL) as connection:
        for (guard,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
            connection.execute(f"DROP TRIGGER {guard}")
        connection.execute("UPDATE entries SET actor = 'Eve' WHERE sequence = ?", (last,))
    assert ready(house)["checks"]["tail"] == "damaged"


def test_readyz_says_that_no_tabulator_is_heard(house: House) -> None:
    Evening(house)
    house.room.look_after()
    assert ready(house)["checks"]["devices"] == "ok"
    for _ in range(3):
        house.clock.add(24 * 60 * 60 * SECOND)
        house.room.look_after()
    assert house.room.state.of(TABLES).devices[DEVICE].lost
    assert ready(house)["checks"]["devices"] == "none of 1 heard"
    figures = metrics(house)
    assert figures["pitboss_devices_silent"] == 1
    assert figures["pitboss_ready"] == 0


def test_a_server_says_whether_it_leads_or_stands_by(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    assert ready(house)["role"] == "leader"
    monkeypatch.setattr(Room, "is_leader", property(lambda _: False))
    assert ready(house)["role"] == "standby"


def test_presses_commits_and_refusals_are_counted(house: House) -> None:
    before = metrics(house)
    Evening(house)
    assert house.browser().post("/api/v1/tables/void", json={}).status_code in (401, 403)
    after = metrics(house)
    assert after["pitboss_commit_seconds_count"] > before["pitboss_commit_seconds_count"]
    assert after["pitboss_journal_sequence"] == house.room.state.sequence
    counted = house.room.state.of(TABLES).tables["4"].rounds_counted
    assert after['pitboss_presses_total{table="4"}'] == counted
    assert after['pitboss_refusals_total{status="409"}'] == before['pitboss_refusals_total{status="409"}']
    house.as_("supervisor").post("/api/v1/tables/void", json={"command": "x", "table": "4"})
    assert metrics(house)['pitboss_refusals_total{status="422"}'] == 1


def test_every_figure_of_alerts_and_dashboard_is_one_that_the_server_has(house: House) -> None:
    Evening(house)
    text = house.as_("monitor").get("/metrics").text
    # Those that a room has only with a certificate, a plan of backups or a short escrow.
    sometimes = {"pitboss_certificate_days_left", "pitboss_escrow_days"}
    sometimes |= {"pitboss_backup_age_seconds", "pitboss_backup_failed", "pitboss_backup_late"}
    known = {*re.findall(r"^(pitboss_[a-z_]+)", text, re.MULTILINE), *sometimes, "up"}
    source = Path(monitoring.__file__).parents[1].joinpath("metrics.py").read_text(encoding="utf-8")
    assert all(name.removeprefix("pitboss_") in source for name in sometimes)
    panels = json.loads(monitoring.text("dashboard.json"))["panels"]
    expressions = [rule["expr"] for rule in RULES] + [each["expr"] for panel in panels for each in panel["targets"]]
    used = {name for expression in expressions for name in NAME.findall(expression)}
    assert used - known == set()


def test_each_alert_has_its_page_and_each_page_its_alert() -> None:
    pages = {page.stem for page in (DOCS / "runbooks").glob("*.md")} - {"README"}
    assert pages == {rule["alert"] for rule in RULES}
    for rule in RULES:
        text = (DOCS / "runbooks" / f"{rule['alert']}.md").read_text(encoding="utf-8")
        assert rule["annotations"]["runbook"] == f"docs/runbooks/{rule['alert']}.md"
        assert rule["annotations"]["summary"] in text
        assert rule["expr"].replace("|", "\\|") in text
        assert f"| {rule['labels']['severity']} |" in text


def test_each_alert_fires_where_it_should_and_none_in_a_room_that_is_well(tmp_path: Path) -> None:
    """Evaluated by Prometheus itself, with the series of alerts.test.yml."""
    cases = Path(__file__).with_name("alerts.test.yml")
    fired = {test["alert_rule_test"][0]["alertname"] for test in yaml.safe_load(cases.read_text())["tests"][:-1]}
    assert fired == {rule["alert"] for rule in RULES}
    promtool = program("promtool")
    (tmp_path / "alerts.yml").write_text(monitoring.text("alerts.yml"))
    shutil.copy(cases, tmp_path / "test.yml")
    for arguments in (("check", "rules", "alerts.yml"), ("test", "rules", "test.yml")):
        command = [promtool, *arguments]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)  # noqa: S603 - ours
        assert done.returncode == 0, done.stdout + done.stderr


class Lines(logging.Handler):
    """The lines of the log, as standard error would have them."""

    def __init__(self) -> None:
        super().__init__()
        self.setFormatter(JsonFormatter())
        self.lines: list[dict[str, Any]] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(json.loads(self.format(record)))


@pytest.fixture
def lines() -> Iterator[list[dict[str, Any]]]:
    handler, level = Lines(), REQUESTS.level
    REQUESTS.addHandler(handler)
    REQUESTS.setLevel(logging.INFO)
    yield handler.lines
    REQUESTS.removeHandler(handler)
    REQUESTS.setLevel(level)


def test_a_request_is_one_line_with_its_id_caller_and_entries(house: House, lines: list[dict[str, Any]]) -> None:
    person = house.as_("manager")
    lines.clear()
    before = house.room.state.sequence
    words = "Rosa Lind won the big one"
    slide = {"name": "x", "title": words, "words": words, "first_day": "2026-11-20", "last_day": "2026-11-21"}
    answer = person.post("/api/v1/promotions/set", json={"command": "y", "promotion": slide})
    assert answer.status_code == 200, answer.text
    [line] = lines
    assert line["request"] == answer.headers["x-request-id"]
    assert line["route"] == "/api/v1/promotions/set"
    assert (line["method"], line["status"], line["caller"]) == ("POST", 200, "manager")
    assert line["entries"] == [before + 1] == answer.json()["entries"]
    assert line["milliseconds"] > 0
    assert "Rosa" not in json.dumps(lines)
    assert "manager" not in line["message"]


def test_the_entries_of_a_device_are_in_its_line(house: House, lines: list[dict[str, Any]]) -> None:
    evening = Evening(house)
    badge(evening, "A-dealer")
    before = house.room.state.sequence
    assert evening.press(2, 5)["status"] == "counted"
    line = lines[-1]
    assert (line["caller"], line["entries"]) == ("device", list(range(before + 1, house.room.state.sequence + 1)))
    written = [number for each in lines for number in each["entries"]]
    assert len(set(written)) == len(written)


def test_a_refusal_names_its_request_and_no_secret_is_in_the_log(house: House, lines: list[dict[str, Any]]) -> None:
    browser = house.browser()
    browser.get("/links/secret-code-of-a-link?token=abc")
    answer = browser.get("/api/v1/me", headers={"authorization": "Bearer secret-token", "x-request-id": "mine"})
    assert answer.status_code == 401
    assert answer.json()["request"] == answer.headers["x-request-id"] == lines[-1]["request"] != "mine"
    assert browser.get("/healthz").headers["x-request-id"] != answer.headers["x-request-id"]
    text = json.dumps(lines)
    assert "secret" not in text
    assert "abc" not in text
    assert {line["caller"] for line in lines} == {"anyone"}


def raised(error: Exception) -> Any:
    try:
        raise error
    except ValueError:
        return sys.exc_info()


def test_an_error_is_one_line_without_what_it_says() -> None:
    error = ValueError("Rosa Lind")
    record = logging.LogRecord("x", logging.ERROR, "", 0, "it fails for %s", ("room",), raised(error))
    text = JsonFormatter().format(record)
    line = json.loads(text)
    assert (line["message"], line["error"], line["level"]) == ("it fails for room", "ValueError", "error")
    assert line["raised"][0].endswith("raised")
    assert "Rosa" not in text
    assert "\n" not in text
