"""Many rooms on one page: what each has answered, since when one is silent, and that the company changes nothing."""

from __future__ import annotations

import math
import random
import re
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from fractions import Fraction
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from fastapi.routing import APIRoute
from fastapi.testclient import TestClient

from pitboss.books import LEDGER, RefusedError
from pitboss.commands.command import SYSTEM_ACTOR
from pitboss.company import reading
from pitboss.company.pages import create_company_app
from pitboss.company.password import Door, save_password
from pitboss.company.reading import Rooms, UnansweredError, ask
from pitboss.company.settings import Company, RoomAddress, read_company
from pitboss.company.theory import above, below, hit_theory, limits, together
from pitboss.company.views import verify_reading
from pitboss.server.settings import Listening
from tests.docs.console import run_pitboss
from tests.server.making import House, cheap, command
from tests.server.test_api import JACKPOT, Evening

PASSWORD = "three rooms and one page"  # noqa: S105 - of a company of tests


def answer(name: str, **fields: Any) -> dict[str, Any]:
    jackpot = {
        "name": "main", "title": "Prime Jackpot", "type": "progressive", "status": "open", "displayed_cents": 1_234_567,
        "displayed": "$12,345.67", "tables": ["4"], "locations": [name], "rates": [17, 5], "wagers": 1_000, "hits": 3,
        "won_cents": 90_000, "undeposited_units": 0, "is_short": False,
    }  # fmt: skip
    hits = [
        {
            "jackpot": "main",
            "game": "Three Card Prime",
            "row": "Mini-Royal",
            "wagers": 100_000,
            "one_in": "1000",
            "expected": "100",
            "actual": 160,
        }
    ]
    usual = {
        "room": name, "zone": "America/Los_Angeles", "at": 1_800_000_000_000_000, "day": "2027-01-15", "shift": "Day shift",
        "health": {"status": "ok", "sequence": 9, "head": "", "alerts": 0, "devices_lost": 0},
        "tables": {"all": 3, "open": 2, "largest_cents": 5_000_000}, "jackpots": [jackpot], "pending": [], "exceptions": 0,
        "theory": {"first": "2026-01-15", "last": "2027-01-14", "hits": hits, "accrued": {"main": {"wagers": 10, "units": 220}}},
    }  # fmt: skip
    return usual | fields


@contextmanager
def company(tmp_path: Path, answers: dict[str, Any], door: Door | None = None) -> Iterator[tuple[Rooms, TestClient]]:
    """A page over rooms that answer from a table; one without an answer is down."""

    def asked(room: RoomAddress) -> dict[str, Any]:
        if answers[room.name] is None:
            raise UnansweredError("its server cannot be reached: Connection refused")
        found: dict[str, Any] = answers[room.name]
        return found

    addresses = tuple(RoomAddress(name=name, url=f"https://{name}.example", token_file=tmp_path) for name in answers)
    rooms = Rooms(
        Company(name="Three Rivers", rooms=addresses),
        clock=lambda: 1_800_000_060_000_000,
        ask=asked,
        verify=verify_reading,
    )
    app = create_company_app(rooms, door or Door(None), Listening())
    try:
        yield rooms, TestClient(app, base_url="http://127.0.0.1", follow_redirects=False)
    finally:
        rooms.close()


def test_a_room_that_is_down_is_shown_with_its_last_answer_and_since_when(tmp_path: Path) -> None:
    answers = {name: answer(name) for name in ("North", "South", "East")}
    with company(tmp_path, answers) as (rooms, browser):
        rooms.read_all()
        assert "3</b> <span>of 3 rooms answering" in browser.get("/").text
        answers["South"] = None  # type: ignore[assignment]
        rooms.read_all()
        page = browser.get("/").text
        assert "2</b> <span>of 3 rooms answering" in page
        assert "No answer since" in page
        assert "Connection refused" in page
        assert page.count("$12,345.67") == 3, "the last answer of the room that is down stays"
        assert "$37,037.01" in page
        since = rooms.readings["South"].silent_since
        rooms.read_all()
        assert rooms.readings["South"].silent_since == since
        detail = browser.get("/rooms/1").text
        assert "No answer since" in detail
        assert "Mini-Royal" in detail
        assert browser.get("/rooms/3").status_code == 404
        answers["South"] = answer("South")
        rooms.read_all()
        assert "No answer" not in browser.get("/").text


def _theory(**fields: Any) -> dict[str, Any]:
    usual = answer("South")["theory"]
    return {**usual, "hits": [{**usual["hits"][0], **fields}]}


@pytest.mark.parametrize(
    "harm",
    [{"health": []}, {"jackpots": [{}]}, {"tables": 1}, {"pending": 7}, {"exceptions": "x"}]
    + [{"theory": _theory(expected=text)} for text in ("1e99999999", "9" * 30, "1/0", "NaN")],
    ids=str,
)
def test_a_room_that_answers_nonsense_is_silent_and_the_page_of_all_goes_on(
    harm: dict[str, Any], tmp_path: Path
) -> None:
    """Seen: one room's answer made the page of all rooms an error, or kept it computing for good."""
    answers = {"North": answer("North"), "South": answer("South")}
    with company(tmp_path, answers) as (rooms, browser):
        rooms.read_all()
        answers["South"] = answer("South", **harm)
        begun = time.process_time()
        rooms.read_all()
        page = browser.get("/")
        assert page.status_code == 200
        assert "1</b> <span>of 2 rooms answering" in page.text
        assert "no room of this version" in page.text
        assert page.text.count("$12,345.67") == 2, "its last answer stays"
        assert browser.get("/rooms/1").status_code == 200
        assert time.process_time() - begun < 5


def test_an_answer_that_is_deep_or_never_ends_keeps_no_other_room_waiting(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Seen: a deep answer ended the asking of all rooms for good; one that never ended held all of them up."""
    monkeypatch.setattr(reading, "_ROUND_SECONDS", 0.2)
    ended = threading.Event()

    def asked(room: RoomAddress) -> dict[str, Any]:
        if room.name == "South":
            ended.wait(60)
        return answer(room.name)

    file = tmp_path / "token"
    file.write_text("abc")
    with answering(b"[" * 100_000) as url, pytest.raises(UnansweredError, match="no room of this version"):
        ask(RoomAddress(name="North", url=url, token_file=file))
    addresses = tuple(RoomAddress(name=name, url=f"https://{name}", token_file=file) for name in ("North", "South"))
    rooms = Rooms(Company(name="Three Rivers", rooms=addresses), ask=asked)
    try:
        for _ in range(2):
            rooms.read_all()
            assert not rooms.readings["North"].is_silent
            assert rooms.readings["South"].problem == "its server does not finish its answer"
    finally:
        ended.set()
        rooms.close()


@contextmanager
def answering(body: bytes) -> Iterator[str]:
    """A server that answers everything with one body."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()


def test_strangers_who_hold_connections_keep_nobody_out(tmp_path: Path) -> None:
    """Seen: 210 connections on which nothing was asked, and the page answered nobody as long as they stood."""
    (tmp_path / "north.token").write_text("abc")
    (tmp_path / "north.token").chmod(0o600)
    file = tmp_path / "company.toml"
    file.write_text('company = "C"\n[[rooms]]\nname = "N"\nurl = "http://127.0.0.1:9"\ntoken = "north.token"\n')
    program = [sys.executable, "-m", "pitboss", "company", "serve", str(file), "--port", "0"]
    with subprocess.Popen(program, stdout=subprocess.PIPE, text=True) as process, ExitStack() as held:  # noqa: S603
        try:
            assert process.stdout is not None
            address = process.stdout.readline().split()[-1]
            port = int(address.rpartition(":")[2])
            for _ in range(210):
                held.enter_context(socket.create_connection(("127.0.0.1", port)))
            with urllib.request.urlopen(f"{address}/", timeout=20) as page:  # noqa: S310
                assert page.status == 200
        finally:
            process.terminate()
            assert process.wait(30) in (0, -signal.SIGTERM)


def test_last_answers_outlive_the_process(tmp_path: Path) -> None:
    addresses = (RoomAddress(name="North", url="https://north.example", token_file=tmp_path),)
    settings = Company(name="Three Rivers", rooms=addresses, keep=tmp_path / "answers.json")
    first = Rooms(settings, ask=lambda room: answer(room.name))
    first.read_all()
    first.close()
    assert (tmp_path / "answers.json").stat().st_mode & 0o077 == 0
    again = Rooms(settings)
    assert again.readings["North"].answer == first.readings["North"].answer
    assert again.readings["North"].is_silent
    again.close()


def test_j_11_a_company_has_no_route_by_which_a_room_is_changed_and_no_jackpot_spans_two_rooms(
    house: House, tmp_path: Path
) -> None:
    with company(tmp_path, {"North": answer("North")}) as (_, browser):
        app: Any = browser.app
        routes = {(route.path, *sorted(route.methods or ())) for route in app.routes if isinstance(route, APIRoute)}
        assert {path for path, *methods in routes if set(methods) - {"GET", "HEAD"}} == {"/sign-in", "/sign-out"}
    # A link to a table of another location is refused by the room itself, whoever asks (G-34 holds within one).
    two = [*JACKPOT["tables"], {"table": "5", "game": JACKPOT["tables"][0]["game"], "location": "The Other Room"}]
    body = {"command": command(), "jackpot": {**JACKPOT, "tables": two}, "words": "both rooms"}
    refused = house.as_("manager").post("/api/v1/jackpots/define", json=body)
    assert refused.status_code == 409
    assert "J-11" in refused.json()["detail"]


def test_a_room_works_on_when_the_company_asks_or_is_gone(house: House, tmp_path: Path) -> None:
    """The company only reads: its questions leave no entry, and with a token that is not an auditor's it is told so."""
    evening = Evening(house)
    before = house.room.state.sequence
    tokens = {role: house.access.make_terminal_token(f"a-{role}", SYSTEM_ACTOR) for role in ("auditor", "dealer")}
    made = house.room.state.sequence
    with bridge(house) as url:
        for role, token in tokens.items():
            file = tmp_path / role
            file.write_text(token)
            room = RoomAddress(name="North", url=url, token_file=file)
            if role == "auditor":
                found = ask(room)
                assert (
                    found["jackpots"][0]["displayed_cents"]
                    == house.room.state.of(LEDGER)["main"].meter_state.displayed_cents
                )
            else:
                with pytest.raises(UnansweredError, match="not that of an auditor"):
                    ask(room)
        file.write_text("nobody's")
        with pytest.raises(UnansweredError, match="make a new one"):
            ask(room)
    with pytest.raises(UnansweredError, match="cannot be reached"):
        ask(room)
    assert before < made == house.room.state.sequence
    assert evening.is_sound()


@contextmanager
def bridge(house: House) -> Iterator[str]:
    """The application of a room on a port of this computer."""
    client = house.browser()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            found = client.get(self.path, headers={"authorization": self.headers["authorization"]})
            self.send_response(found.status_code)
            self.end_headers()
            self.wfile.write(found.content)

        def log_message(self, *_: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def test_who_does_not_know_the_password_sees_nothing_and_is_slowed(tmp_path: Path) -> None:
    file = tmp_path / "password"
    with pytest.raises(RefusedError):
        save_password(file, "short", "Three Rivers")
    save_password(file, PASSWORD, "Three Rivers")
    assert PASSWORD not in file.read_text()
    assert file.stat().st_mode & 0o077 == 0
    file.write_text(cheap().hash(PASSWORD))
    with company(tmp_path, {"North": answer("North")}, Door(file, cheap())) as (rooms, browser):
        rooms.read_all()
        for path in ("/", "/rooms/0", "/nothing"):
            assert browser.get(path).headers["location"] == "/sign-in"
        assert browser.post("/sign-in", data={"password": "wrong"}).status_code == 403
        assert browser.post("/sign-in", content=b"x" * 5_000).status_code == 413
        came = browser.post("/sign-in", data={"password": PASSWORD})
        assert (came.status_code, came.headers["location"]) == (303, "/")
        assert re.search(r"HttpOnly.*SameSite=strict", came.headers["set-cookie"], re.IGNORECASE)
        page = browser.get("/")
        assert "$12,345.67" in page.text
        assert page.headers["content-security-policy"].startswith("default-src 'self'")
        assert page.headers["cache-control"] == "no-store"
        assert browser.get("/", headers={"host": "elsewhere.example"}).status_code == 421
        assert browser.post("/sign-out", headers={"sec-fetch-site": "cross-site"}).status_code == 403
        browser.post("/sign-out")
        assert browser.get("/").status_code == 303
        for _ in range(11):
            browser.post("/sign-in", data={"password": "wrong"})
        assert browser.post("/sign-in", data={"password": PASSWORD}).status_code == 403


def test_the_password_is_typed_at_the_command_and_only_its_hash_is_kept(tmp_path: Path) -> None:
    (tmp_path / "north.token").write_text("abc")
    (tmp_path / "north.token").chmod(0o600)
    file = tmp_path / "company.toml"
    room = '[[rooms]]\nname = "North"\nurl = "https://north.example"\ntoken = "north.token"\n'
    file.write_text(f'company = "Three Rivers"\n{room}')
    assert run_pitboss(["company", "password", str(file)], PASSWORD).exit_code != 0, "it names no file for it"
    file.write_text(f'company = "Three Rivers"\npassword = "password"\n{room}')
    assert run_pitboss(["company", "password", str(file)], f"{PASSWORD}\n").exit_code == 0
    assert Door(tmp_path / "password").enter(PASSWORD, "127.0.0.1") is not None
    assert PASSWORD not in (tmp_path / "password").read_text()


def test_everything_that_is_wrong_with_a_file_is_named_at_once(tmp_path: Path) -> None:
    (tmp_path / "open.token").write_text("abc")
    (tmp_path / "open.token").chmod(0o644)
    file = tmp_path / "company.toml"
    file.write_text(
        'company = ""\nseconds = 1\nmore = 1\n'
        '[[rooms]]\nname = "North"\nurl = "http://north.example"\ntoken = "open.token"\n'
        '[[rooms]]\nname = "North"\nurl = "https://south.example/path"\ntoken = "none.token"\nauthority = "none.pem"\n'
    )
    with pytest.raises(RefusedError) as refused:
        read_company(file)
    words = " ".join(refused.value.problems)
    for part in (
        "company:",
        "seconds:",
        "'more'",
        "leads off",
        "chmod 600",
        "must be the address",
        "cannot be read",
        "authority",
        "twice",
    ):
        assert part in words, part
    (tmp_path / "open.token").chmod(0o600)
    file.write_text(
        'company = "Three Rivers"\n[[rooms]]\nname = "North"\nurl = "https://north.example/"\ntoken = "open.token"\n'
    )
    (room,) = read_company(file).rooms
    assert (room.url, room.token(), read_company(file).seconds) == ("https://north.example", "abc", 30)


def test_f_11_the_range_of_hits_is_that_of_the_exact_poisson_count() -> None:
    for mean in (0.001, 0.4, 3.0, 25.0, 900.0):
        exact = [math.exp(count * math.log(mean) - mean - math.lgamma(count + 1)) for count in range(2_000)]
        for count in (0, 1, 3, 20, 30, 850, 950):
            assert below(mean, count) == pytest.approx(math.fsum(exact[: count + 1]), abs=1e-12)
            assert above(mean, count) == pytest.approx(math.fsum(exact[count:]), rel=1e-9, abs=1e-300)
        low, high = limits(mean)
        assert below(mean, low - 1) <= 0.025 < (below(mean, low) if low < mean else 1)
        assert above(mean, high + 1) <= 0.025
    rows = answer("North")["theory"]["hits"]
    (strange,) = hit_theory(rows)
    assert (strange.state, strange.low, strange.high) == ("danger", 81, 120)
    (sums,) = together([strange, strange])
    assert (sums.wagers, sums.expected, sums.actual) == (200_000, Fraction(200), 320)
    left_out = ({"one_in": "50"}, {"one_in": None}, {"expected": "-1/3"})
    assert hit_theory([{**rows[0], **fields} for fields in left_out]) == ()


def test_a_room_that_plays_by_the_odds_is_hardly_ever_strange() -> None:
    rng = random.Random(5)
    counts = []
    for _ in range(400):
        actual = sum(rng.random() < 1 / 500 for _ in range(4_000))
        row = {
            "jackpot": "main",
            "game": "Three Card Prime",
            "row": "x",
            "wagers": 4_000,
            "one_in": "500",
            "expected": "8",
            "actual": actual,
        }
        counts += [result.state for result in hit_theory([row])]
    assert counts.count("ok") >= 0.93 * 400
    assert counts.count("danger") <= 4
