"""Proxies, file modes and the trace of what was refused and taken away (issue 18, item 11)."""

from __future__ import annotations

import json
import os
import stat
from dataclasses import replace
from pathlib import Path

import pytest
from fastapi import APIRouter, Response

from pitboss.books.store.directory import write_store_file
from pitboss.commands.command import SYSTEM_ACTOR
from pitboss.reports.render import csv_text, guarded_text
from pitboss.reports.report import Report
from pitboss.server.app import create_app
from pitboss.server.auth import allow
from pitboss.server.settings import Listening, key_warnings, listening_problems, make_private
from tests.reports.making import report_of
from tests.server.making import MINUTE, PIN, House, served, with_csrf
from tests.server.running import self_signed


def test_every_proxy_is_named_by_its_address_and_a_star_is_none() -> None:
    for proxy in ("*", "0.0.0.0/0", "proxy.example", ""):
        assert len(listening_problems(Listening(behind_proxy=True, proxies=(proxy,), public="https://x"))) == 1
    proxies = ("192.0.2.1", "::1")
    assert listening_problems(Listening(behind_proxy=True, proxies=proxies, public="https://pit.example")) == []


def test_behind_a_proxy_the_host_that_people_type_is_named_and_a_star_is_none() -> None:
    """Item 11. Seen: without --public any host was answered."""
    (problem,) = listening_problems(Listening(behind_proxy=True))
    assert problem == "behind a proxy only the host that people type is answered: name it, --public https://NAME"
    for public in ("https://*", "https://*.example", "https://", "pit.example"):
        assert len(listening_problems(Listening(behind_proxy=True, public=public))) == 1


def test_behind_a_proxy_only_the_host_that_is_named_is_answered(house: House) -> None:
    house.room.close()
    with served(house.room.path, Listening(behind_proxy=True, public="https://pit.example:8443/")) as again:
        for host, status in (("pit.example:8443", 200), ("127.0.0.1:8000", 200), ("evil.example", 421)):
            assert again.browser().get("/healthz", headers={"host": host}).status_code == status


def test_the_data_directory_is_its_owners_alone(tmp_path: Path) -> None:
    room = tmp_path / "room"
    write_store_file(room, None)
    assert stat.S_IMODE(room.stat().st_mode) == 0o700
    file = room / "journal.sqlite3"
    file.touch(0o644)
    room.chmod(0o755)
    before = os.umask(0)
    try:
        make_private(room)
        (room / "new").touch()
    finally:
        os.umask(before)
    modes = [stat.S_IMODE(each.stat().st_mode) for each in (room, file, room / "new")]
    assert modes == [0o700, 0o600, 0o600]


def test_a_key_that_others_can_read_is_a_warning(tmp_path: Path) -> None:
    key = tmp_path / "key.pem"
    key.touch(0o600)
    assert key_warnings(Listening(key=key)) == []
    key.chmod(0o644)
    assert "chmod 600" in key_warnings(Listening(key=key))[0]


def test_notes_of_a_report_are_guarded_as_its_cells_are(house: House) -> None:
    manager = house.as_("manager")
    assert manager.get("/healthz").status_code == 200
    report: Report = report_of(house.room.path, "access")
    text = csv_text(replace(report, notes=('a, =HYPERLINK("x"), b\r\n=1+1',)))
    assert '"# a, =HYPERLINK(""x""), b =1+1"' in text.split("\r\n")


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@A1", "\t=1+1", "\r\n=1+1", " =1+1", "\uff1d1+1", "\u200b=1"])
def test_no_cell_of_a_report_is_taken_for_a_formula(text: str) -> None:
    """Seen: a cell that begins with a tab or a space, or with a wide sign, was written as it is."""
    assert guarded_text(text).startswith("'")
    for plain in ("", "Max", "4-card", "'=", "(-1)"):
        assert guarded_text(plain) == plain


def test_every_file_of_values_with_commas_is_written_by_the_guarded_writer() -> None:
    """Seen: the odds room had a writer of its own."""
    import pitboss  # noqa: PLC0415

    folder = Path(pitboss.__file__).parent
    files = {str(file.relative_to(folder)) for file in folder.rglob("*.py") if "csv.writer" in file.read_text("utf-8")}
    assert files == {"reports/render.py"}


def test_what_was_refused_and_taken_away_is_listed_by_the_report_of_access(house: House) -> None:
    dealer, downloads = house.as_("dealer"), APIRouter()

    @downloads.get("/a-file", dependencies=[allow("manager")])
    def a_file() -> Response:
        return Response(b"1,2", headers={"content-disposition": "attachment"})

    for _ in range(3):
        assert dealer.post("/api/v1/people", json={}).status_code == 403
    assert house.browser().post("/api/v1/people", json={}).status_code == 401
    house.app = create_app(house.room, more=[downloads])
    manager = house.as_("manager")
    assert manager.get("/a-file").status_code == 200
    house.access.tidy()

    found = [json.loads(each.payload) for each in house.entries("access-traced")]
    assert {(each["who"], each["what"], each["page"], each["count"]) for each in found} == {
        ("A-dealer", "refused", "POST /api/v1/people", 3),
        ("", "refused", "", 1),
        ("A-manager", "download", "GET /a-file", 1),
    }
    rows = [row.cells for row in report_of(house.room.path, "access").rows]
    assert {(cells[2], cells[3]) for cells in rows} >= {("A-dealer", "Refused"), ("A-manager", "Downloaded")}


def traced(house: House) -> set[tuple[str, str, int]]:
    found = [json.loads(each.payload) for each in house.entries("access-traced")]
    return {(each["who"], each["page"], each["count"]) for each in found}


def test_what_a_pin_or_a_form_of_elsewhere_may_not_leaves_a_trace_too(house: House) -> None:
    house.access.set_pin("a-dealer", PIN, SYSTEM_ACTOR)
    console = house.console("the console")
    assert console.post("/tap", data={"login": "a-dealer", "pin": PIN}).status_code == 303
    with_csrf(console)
    assert console.get("/api/v1/entries").status_code == 403
    manager = house.as_("manager")
    assert manager.post("/account/pin", headers={"x-csrf-token": "guessed"}).status_code == 403
    assert manager.post("/account/pin", headers={"origin": "https://evil.example"}).status_code == 403
    house.access.tidy()

    assert ("A-dealer", "GET /api/v1/entries", 1) in traced(house)
    assert ("A-manager", "POST /account/pin", 2) in traced(house)


def test_what_strangers_ask_for_in_vain_is_written_once_an_hour_and_address(house: House) -> None:
    stranger = house.browser()
    for _ in range(3):
        assert stranger.get("/api/v1/entries").status_code == 401
        assert stranger.get("/api/v1/me", headers={"authorization": "Bearer guessed"}).status_code == 401
    house.clock.add(2 * MINUTE)
    house.access.tidy()
    assert traced(house) == set()
    house.clock.add(60 * MINUTE)
    house.access.tidy()
    assert traced(house) == {("", "", 6)}
    for number in range(3_000):
        house.access.looks.add("", f"198.51.{number // 250}.{number % 250}", "refused", "")
    assert len(house.access.looks._counts) == 1_001


def test_a_server_with_a_certificate_answers_to_the_names_in_it(house: House, tmp_path: Path) -> None:
    certificate, key = self_signed(tmp_path)
    listening = Listening(host="0.0.0.0", certificate=certificate, key=key, public="https://pit.example")  # noqa: S104
    assert {"127.0.0.1", "pit.example"} <= (listening.hosts or set())
    house.room.close()
    with served(house.room.path, listening) as again:
        for host, status in (("pit.example", 200), ("127.0.0.1:8000", 200), ("evil.example", 421)):
            assert again.browser().get("/healthz", headers={"host": host}).status_code == status
