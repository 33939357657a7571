"""`pitboss report` and `pitboss packet`: what is typed, what comes out, and how they end."""

from __future__ import annotations

import json
import re
from contextlib import closing
from pathlib import Path

import pytest

from pitboss.books.store.sqlite import BackupStore
from pitboss.reports import PACKET, REPORTS
from pitboss.room.projections import INVARIANTS, PROJECTIONS
from tests.docs.console import ROOT, run_pitboss
from tests.doors import Configurations, executor_of
from tests.reports.conftest import template
from tests.reports.making import BOOK, house, main_jackpot
from tests.reports.sample import FILE, make_sample
from tests.reports.test_meters import WITHOUT_RATES, false_count

__all__ = ["template"]

ROOM = "examples/reports.backup"
MADE = ["--made", "2026-11-15T08:00-08:00"]


def test_the_example_room_is_what_is_made_today(tmp_path: Path) -> None:
    directory = make_sample(tmp_path / "room")
    with closing(BackupStore(FILE)) as kept, closing(directory.open_store(write=False)) as made:
        assert list(made.entries(BOOK)) == list(kept.entries(BOOK))


def test_every_report_is_listed_and_made() -> None:
    listed = run_pitboss(["report", "--list", "--json"])
    assert list(REPORTS) == [each["name"] for each in json.loads(listed.printed)]
    assert "Meter reconciliation" in run_pitboss(["report", "--list"]).printed


@pytest.mark.parametrize("name", ["meters", "hits", "takings", "exceptions", "configurations"])
def test_a_report_is_a_table_json_csv_and_a_file(name: str, tmp_path: Path) -> None:
    asked = ["report", name, ROOM, "--from", "2026-11-13", "--to", "2026-11-14", *MADE]
    table, as_json, as_csv = (run_pitboss([*asked, *more]) for more in ([], ["--json"], ["--csv"]))
    assert (0, 0, 0) == (table.exit_code, as_json.exit_code, as_csv.exit_code)
    said = json.loads(as_json.printed)
    assert (name, "2026-11-15 16:00:00.000000 UTC") == (said["report"], said["made"])
    for printed in (table.printed, as_csv.printed):
        assert said["head"] in printed
        assert said["title"] in printed
    for ending, begins in ((".pdf", b"%PDF"), (".csv", as_csv.printed.splitlines()[0].encode()), (".json", b"{")):
        file = tmp_path / f"out{ending}"
        assert 0 == run_pitboss([*asked, "-o", str(file)]).exit_code
        assert file.read_bytes().startswith(begins)
    assert json.loads((tmp_path / "out.json").read_text()) == said


def test_a_packet_is_a_pdf_or_a_folder(tmp_path: Path) -> None:
    asked = ["packet", ROOM, "--from", "2026-11-13", "--to", "2026-11-14", *MADE, "-o"]
    assert 0 == run_pitboss([*asked, str(tmp_path / "one.pdf")]).exit_code
    ran = run_pitboss([*asked, str(tmp_path / "folder")])
    assert 0 == ran.exit_code
    assert (tmp_path / "one.pdf").read_bytes() == (tmp_path / "folder" / "packet.pdf").read_bytes()
    names = sorted(each.name for each in (tmp_path / "folder").iterdir())
    assert 2 * len(PACKET) + 1 == len(names)
    assert all(each.name in ran.printed for each in PACKET)


def test_everything_typed_wrongly_is_told_at_once() -> None:
    ran = run_pitboss(["report", "meters", ROOM, "--day", "today", "--from", "2026-13-01", "--made", "noon"])
    assert 2 == ran.exit_code
    for words in ("--day: 'today'", "--from: '2026-13-01'", "--made: 'noon'", "name one or the other"):
        assert words in ran.printed
    assert 2 == run_pitboss(["report", "weather", ROOM]).exit_code
    assert 2 == run_pitboss(["report"]).exit_code
    assert 2 == run_pitboss(["report", "meters", "no-such-room"]).exit_code
    assert "the ending must be" in run_pitboss(["report", "meters", ROOM, "-o", "x.doc"]).printed


def test_a_meter_that_does_not_balance_ends_with_1(template: Path, tmp_path: Path) -> None:
    path = tmp_path / "room"
    with house(template, path, invariants=WITHOUT_RATES) as room:
        room.open(main_jackpot())
        room.press("4", [1])
        false_count(room, 7)
    ran = run_pitboss(["report", "meters", str(path), "--day", "2026-11-13"])
    assert 1 == ran.exit_code
    assert "DOES NOT BALANCE" in ran.printed
    assert "to be looked at" in ran.printed
    assert 1 == run_pitboss(["packet", str(path), "--from", "2026-11-13", "-o", str(tmp_path / "p.pdf")]).exit_code


def test_entries_of_the_server_are_known_and_posted_configurations_are_listed(template: Path, tmp_path: Path) -> None:
    path = tmp_path / "room"
    text = (ROOT / "examples" / "four-card-prime.toml").read_text(encoding="utf-8")
    text = text.replace('type = "bonus"\nbonus_sharing = "full"\n', 'type = "progressive"\n').replace(
        "milky-way", "andromeda-3c"
    )
    text = re.sub(
        r"\[jackpots.four-card-jackpot\]\npaytables = .*", '[jackpots.five-card-jackpot]\npaytables = ["PJ-1"]', text
    )
    with house(template, path, projections=PROJECTIONS, invariants=INVARIANTS) as room:
        Configurations(executor_of(room.books, room.clock)).post("4", text, command=room.id(), actor="Ada King")
        room.open(main_jackpot())
        room.press("4", [1])
        room.clock.now += 86_400_000_000
        room.press("4", [1])
    for day, word in (("2026-11-13", "now active: "), ("2026-11-14", "active: ")):
        said = json.loads(run_pitboss(["report", "configurations", str(path), "--day", day, "--json"]).printed)
        assert not any("damaged" in note for note in said["notes"])
        assert any(word in row["what"] and "four-card-prime" in row["what"] for row in said["rows"])
    assert 0 == run_pitboss(["report", "chain", str(path), "--day", "2026-11-13"]).exit_code
