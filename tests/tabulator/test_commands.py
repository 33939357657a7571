"""The commands about tables: what is shown, what is refused, and the example room that stands in the repository."""

from __future__ import annotations

import json
import shutil
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from pitboss.books import RefusedError
from pitboss.books.store.sqlite import BackupStore
from pitboss.tabulator.devices.client import HttpLine, LineCutError
from pitboss.tabulator.setup import AlarmLimits, read_setup
from tests.books.making import Room
from tests.docs.console import ROOT, Ran, run_pitboss
from tests.tabulator.making import DEVICE, floor, make_setup
from tests.tabulator.sample import FILE, make_sample
from tests.tabulator.wire import served

TOKEN = "another-token-of-the-test"  # noqa: S105 - of this test alone


@pytest.fixture(scope="module")
def example(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_sample(tmp_path_factory.mktemp("tables") / "room").path


def test_the_example_room_is_what_is_made_today(example: Path) -> None:
    with closing(BackupStore(FILE)) as kept:
        assert list(kept.entries("room")) == Room(example, "sqlite").entries()


def pitboss(*words: str) -> Ran:
    return run_pitboss(list(words))


def test_the_tables_of_a_room_as_json() -> None:
    said = json.loads(pitboss("tables", "show", "examples/tables.backup", "--json").printed)
    assert list(said["tables"]) == ["1", "2", "3", "5"]
    assert said["tables"]["1"]["phase"] == "tabulated"
    assert [alarm["key"] for alarm in said["alarms"]] == ["disagreeing 1 5.1"]
    (malfunction,) = said["malfunctions"]
    assert (malfunction["due"] - malfunction["known"], malfunction["overdue"]) == (72 * 3_600 * 1_000_000, False)
    assert {model["name"] for model in json.loads(pitboss("tables", "models", "--json").printed)} > {"none"}


def test_what_is_done_at_a_table_is_told_and_what_is_refused_changes_nothing(example: Path, tmp_path: Path) -> None:
    room = str(shutil.copytree(example, tmp_path / "room"))
    said = ("--person", "Sue Halvorsen", "--json")
    done = json.loads(pitboss("tables", "close", room, "3", *said).printed)
    assert [entry["kind"] for entry in done["entries"]] == ["table-closed"]
    before = Room(Path(room), "sqlite").entries()
    ran = pitboss("tables", "close", room, "1", "--person", "Sue Halvorsen")
    assert (ran.exit_code, "round 6 of table 1 is in play: " in ran.printed) == (2, True)
    ran = pitboss("tables", "show", room, "--table", "9")
    assert (ran.exit_code, "there is no table '9'" in ran.printed) == (2, True)
    for wrong in ("prime", "prime=x"):
        assert pitboss("tables", "press", room, "3", "--seats", wrong, "--person", "Dan").exit_code == 2
    assert Room(Path(room), "sqlite").entries() == before


def test_a_setup_that_may_not_be_is_told_whole(tmp_path: Path) -> None:
    text = (ROOT / "examples" / "equipment" / "table-4.toml").read_text(encoding="utf-8")
    file = tmp_path / "table.toml"
    file.write_text(text.replace('"andromeda-3"', '"milky-way"').replace("seats = 7", "seats = 8"))
    ran = pitboss("tables", "check", str(file))
    assert ran.exit_code == 1
    for told in ("Milky Way has 1 sensors a position", "8 seats, but at most 7", "has no line to us"):
        assert told in ran.printed
    file.write_text("tabel = 4\nseats = true\nlimits = {silent = 3}\nsensors = [[1, 2]]\nwagers = [3]")
    with pytest.raises(RefusedError) as caught:
        read_setup(file.read_text())
    assert caught.value.problems == (
        "table is missing",
        "game is missing",
        "model is missing",
        "'tabel' is no key of a table's equipment",
        "seats: must be a whole number",
        "wagers: must be names of wagers",
        f"limits: whole numbers for some of {', '.join(AlarmLimits._fields)}",
        "sensors: either sensor by sensor, or the same wagers at every seat",
        'sensors: each as [position, number, wager, light], such as [1, 1, "WAGER", true]',
    )


def test_sensors_may_be_said_one_by_one() -> None:
    text = (
        'table = "4"\ngame = "g"\nmodel = "andromeda-3"\nseats = 1\nsensors = [[1, 1, "prime", true], [2, 1, "prime"]]'
    )
    assert [tuple(each) for each in read_setup(text).sensors] == [(1, 1, "prime", True), (2, 1, "prime", False)]


def test_the_device_command_plays_over_http_and_tells_what_the_server_said(
    sqlite_room: Room, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from pitboss.cli.room import devices as device_command  # noqa: PLC0415

    with floor(sqlite_room, make_setup()) as at, served(at.tables.receive, {TOKEN: DEVICE}) as url:
        monkeypatch.setattr(device_command._Time, "now", lambda _: at.clock.now)
        monkeypatch.setattr(device_command._Time, "pause", lambda _, seconds: at.clock.add(seconds))
        token = tmp_path / "token"
        token.write_text(f"{TOKEN}\n")
        words = ["device", url, "--device", DEVICE, "--table", "4", "--buffer", str(tmp_path / "buffer"), "--json"]
        words += ["--token-file", str(token), "--rounds", "6", "--seed", "3"]
        words += ["--fault", "duplicate=0.3", "--fault", "gap=0.2", "--fault", "dead=2.1", "--dealer", "Dora"]
        said = json.loads(pitboss(*words).printed)
        assert (said["statuses"]["counted"], said["waiting"], said["problems"]) == (6, 0, [])
        assert at.four.rounds_counted == 6
        assert "2" not in at.four.counts["final-four"]
        token.write_text("wrong")
        assert "this token does not speak there" in pitboss(*words).printed


def test_a_device_that_is_asked_wrongly_plays_nothing() -> None:
    ran = pitboss("device", "http://nowhere", "--device", "x", "--table", "4", "--fault", "gap=2", "--rounds", "0")
    assert ran.exit_code == 2
    for told in ("--fault 'gap=2'", "--buffer: name the file", "must be more than nothing"):
        assert told in ran.printed


def test_s_17_a_server_that_does_not_answer_is_told_of_at_once_and_once(capsys: pytest.CaptureFixture[str]) -> None:
    """Seen: a minute of silence where nothing listened; the device itself only waits and sends again."""
    from pitboss.cli.room.devices import _ToldLine  # noqa: PLC0415

    class Silent:
        answers = iter([False, False, True, True])

        def send(self, message: bytes) -> dict[str, Any]:
            if not next(self.answers):
                return HttpLine("http://127.0.0.1:1").send(message)
            return {"status": "ok"}

    line = _ToldLine(Silent())
    for _ in range(2):
        with pytest.raises(LineCutError):
            line.send(b"{}")
    for _ in range(2):
        assert line.send(b"{}") == {"status": "ok"}
    told = capsys.readouterr().err
    assert told.splitlines() == [
        "http://127.0.0.1:1/api/v1/devices/messages: Connection refused. Messages wait, and are sent again; Ctrl-C ends.",
        "The server answers again.",
    ]


def test_the_device_command_shows_how_it_is_typed() -> None:
    assert "{URL|-|conform} [URL]" in " ".join(pitboss("device", "--help").printed.split())
