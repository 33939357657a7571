"""The worst that somebody in each position can do to a running server, tried (issue 18).

By position: nobody, a display, a device, a dealer with a PIN, each role, an administrator, who has the files, and who
is on the wire. What single doors refuse is shown beside them (roles, CSRF, bodies, guesses); here everything runs.
"""

from __future__ import annotations

import datetime
import itertools
import json
import os
import random
import shutil
import socket
import sqlite3
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx2
import pytest

from pitboss.books import microseconds_now
from pitboss.books.audit import check_books
from pitboss.books.journal.entries import sealed_entry
from pitboss.books.store.directory import Directory
from pitboss.books.store.migrate import create_books
from pitboss.books.store.sql import SQLITE_GUARDS
from pitboss.commands.command import BOOK, SYSTEM_ACTOR
from pitboss.room.people.roles import PEOPLE_ROLES
from pitboss.room.projections import INVARIANTS, PROJECTIONS
from tests.books.making import settings
from tests.programs import quick_folder
from tests.server.making import PASSWORD, PIN, command, served
from tests.server.running import Running, running
from tests.server.test_api import DEVICE, JACKPOT, Evening

MEGABYTES_MAX = 60
"""So much may the server grow by all that is tried here; one body of before took 9,500."""
SECONDS_MAX = 2.0
"""So long may the server compute for one answer: its own time, on a machine that does other things beside."""

TRACES = {"access-traced", "locked-out"}
"""Entries that are written beside the requests they are about, and may come a little later."""


class Target:
    """A room at work that is served: what each position holds, and what it is held against."""

    def __init__(self, server: Running, tokens: dict[str, str], links: dict[str, str], path: Path) -> None:
        self.server, self.tokens, self.links, self.path = server, tokens, links, path
        self.numbers = itertools.count(1)
        self.nobody = server.client()
        self._people: dict[str, httpx2.Client] = {}
        self.device = self.by_token(DEVICE)

    def person(self, role: str) -> httpx2.Client:
        """Somebody of a role who has signed in."""
        if role not in self._people:
            self._people[role] = self.server.client(f"a-{role}")
        return self._people[role]

    def by_token(self, name: str) -> httpx2.Client:
        client = self.server.client()
        client.headers["authorization"] = f"Bearer {self.tokens[name]}"
        return client

    def message(self, **fields: Any) -> dict[str, Any]:
        """The next press of the table, with fields of the attacker's own."""
        now = microseconds_now()
        usual = {"device": DEVICE, "table": "4", "type": "press", "sent": now, "at": now, "sensors": []}
        return {**usual, "sequence": self.expected, **fields}

    @property
    def expected(self) -> int:
        now = microseconds_now()
        beat = {"device": DEVICE, "table": "4", "type": "beat", "sent": now}
        found: int = self.device.post("/api/v1/devices/messages", json=beat).json()["acknowledged"]
        return found + 1

    def press(self, **fields: Any) -> dict[str, Any]:
        found: dict[str, Any] = self.device.post("/api/v1/devices/messages", json=self.message(**fields)).json()
        return found

    @property
    def head(self) -> int:
        found: int = self.person("auditor").get("/api/v1/head").json()["sequence"]
        return found

    @property
    def shown(self) -> int:
        """The cents of the meter."""
        found: int = self.nobody.get("/api/v1/jackpots/main").json()["displayed_cents"]
        return found

    def entries(self, since: int) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self.person("auditor").get(f"/api/v1/entries?after={since}").json()
        return found

    def post(self, role: str, path: str, **fields: Any) -> Any:
        return self.person(role).post(f"/api/v1/{path}", json={"command": command(), **fields})

    def raw(self, sent: bytes) -> bytes:
        """Send bytes as no client would, and return what comes back until nothing more does."""
        found = b""
        address = ("127.0.0.1", urlsplit(self.server.address).port or 0)
        with socket.create_connection(address, timeout=10) as connection, suppress(OSError):
            connection.sendall(sent)
            while chunk := connection.recv(65_536):
                found += chunk
                connection.settimeout(0.1)
        return found

    @property
    def seconds(self) -> float:
        """How long the server has computed so far."""
        fields = Path(f"/proc/{self.server.process.pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    @property
    def megabytes(self) -> int:
        status = Path(f"/proc/{self.server.process.pid}/status").read_text(encoding="ascii")
        return int(status.partition("VmRSS:")[2].split()[0]) // 1_024


def follows(client: httpx2.Client, topic: str) -> int:
    """Return how a stream is answered; one that begins is left at once."""
    with client.stream("GET", "/api/v1/stream", params={"topics": topic}) as answer:
        return answer.status_code


@pytest.fixture(scope="module")
def target() -> Iterator[Target]:
    with tempfile.TemporaryDirectory(dir=quick_folder(), prefix="pitboss-") as folder:
        path = Path(folder) / "room"
        create_books(path, settings(), person="Ada", since=datetime.date(2026, 1, 1))
        with served(path) as house:
            house.clock.now = microseconds_now()
            house.fill()
            Evening(house)
            house.access.set_pin("a-dealer", PIN, SYSTEM_ACTOR)
            house.add_device("the other console", "console", table="5")
            consoles = ("the console", "the other console")
            links = {name: house.access.make_link(name, "enrol", SYSTEM_ACTOR) for name in consoles}
            tokens = {DEVICE: house.access.make_token(DEVICE, SYSTEM_ACTOR), **house.tokens}
        with running(path) as server:
            found = Target(server, tokens, links, path)
            found.person("auditor")
            badge = found.message(type="dealer", dealer="A-dealer")
            del badge["sensors"]
            assert found.device.post("/api/v1/devices/messages", json=badge).json()["status"] == "noted"
            assert found.press(sensors=[[1, 1]])["status"] == "counted"
            yield found


@pytest.fixture(autouse=True)
def unharmed(target: Target) -> Iterator[None]:
    """Whatever is tried: the server goes on, answers others at once, and has not grown."""
    before = target.megabytes
    yield
    begun = target.seconds
    assert target.nobody.get("/healthz").status_code == 200
    assert target.seconds - begun < SECONDS_MAX
    assert target.megabytes - before < MEGABYTES_MAX


# Nobody.

PLACES = (
    "/static/../../../room/access.sqlite3",
    "/static/%2e%2e/%2e%2e/%2e%2e/etc/passwd",
    "/static/..%2f..%2fapp.py",
    "/static/..%5c..%5capp.py",
    "/static//etc/passwd",
    "/static/%00",
    "/parts/../app.py",
    "/parts/card/card.html",
    "/parts/%2e%2e/auth.py",
    "/slides/..%2faccess.sqlite3",
    "/slides/%2e%2e%2faccess.sqlite3",
    "/fonts/..%2f..%2fsettings.ttf",
    "/cards/..%2f..%2fKs.svg",
    "/tables/..%2f..%2f/vision",
)


@pytest.mark.parametrize("place", PLACES)
def test_nobody_reads_a_file_by_its_path(target: Target, place: str) -> None:
    answer = target.raw(f"GET {place} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n".encode())
    head, _, body = answer.partition(b"\r\n\r\n")
    assert head.split()[1] in (b"400", b"404", b"422"), answer
    for secret in (b"root:", b"SQLite format", b"import ", b"{%"):
        assert secret not in body


ODD = {
    "another host": b"GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n",
    "two hosts": b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nHost: evil.example\r\n\r\n",
    "no host": b"GET / HTTP/1.1\r\n\r\n",
    "no host, of old": b"GET /api/v1/room HTTP/1.0\r\n\r\n",
    "an address as a path": b"GET http://evil.example/ HTTP/1.1\r\nHost: evil.example\r\n\r\n",
    "a host with a user": b"GET / HTTP/1.1\r\nHost: 127.0.0.1@evil.example\r\n\r\n",
    "two lengths": b"POST /sign-in HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 4\r\nContent-Length: 9\r\n\r\nabcd",
    "length and chunks": (
        b"POST /sign-in HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n"
        b"0\r\n\r\nGET /metrics HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
    ),
    "a length below nothing": b"POST /sign-in HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: -1\r\n\r\n",
    "a line in a header": b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX: a\r\n b: c\x00\r\n\r\n",
    "a long header": b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nCookie: " + b"a" * 200_000 + b"\r\n\r\n",
    "many headers": b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n" + b"x: y\r\n" * 20_000 + b"\r\n",
    "a tunnel": b"CONNECT evil.example:443 HTTP/1.1\r\nHost: evil.example\r\n\r\n",
}


@pytest.mark.parametrize("sent", ODD.values(), ids=ODD)
def test_nobody_gets_a_page_by_a_request_that_is_none(target: Target, sent: bytes) -> None:
    answer = target.raw(sent)
    statuses = [line.split()[1] for line in answer.split(b"\r\n") if line.startswith(b"HTTP/1.1 ")]
    assert len(statuses) <= 1, statuses
    assert not statuses or statuses[0] in (b"400", b"404", b"405", b"413", b"421", b"422", b"431"), statuses


def test_nobody_is_believed_about_where_they_come_from(target: Target) -> None:
    """Who says another address each time is still counted at their own."""
    answers = []
    for number in range(7):
        headers = {"x-forwarded-for": f"203.0.113.{number}", "x-real-ip": f"203.0.113.{number}"}
        headers |= {"forwarded": f"for=203.0.113.{number}", "x-forwarded-host": "evil.example"}
        form = {"login": "a-surveillance", "password": f"wrong number {number}"}
        answer = target.server.client().post("/sign-in", data=form, headers=headers)
        answers.append(answer.status_code)
        assert "evil.example" not in answer.text
    assert set(answers) == {403}
    right = {"login": "a-surveillance", "password": PASSWORD}
    locked = target.server.client().post("/sign-in", data=right, headers={"x-forwarded-for": "203.0.113.99"})
    assert locked.status_code == 403


def test_nobody_chooses_the_session_that_somebody_gets(target: Target) -> None:
    client = target.server.client()
    client.cookies.set("pitboss-session", "chosen-by-the-attacker")
    answer = client.post("/sign-in", data={"login": "a-manager", "password": PASSWORD})
    assert "chosen-by-the-attacker" not in answer.headers["set-cookie"]
    thief = target.server.client()
    thief.cookies.set("pitboss-session", "chosen-by-the-attacker")
    assert thief.get("/api/v1/me").status_code == 401


NUMBERS = (
    "9" * 4_000,
    "-1",
    "1e400",
    "NaN",
    "0x7fffffffffffffff",
    "\ud800".encode("utf-8", "surrogatepass").hex(),
    "٣",
)
ASKED = ("/api/v1/jackpots/{}", "/tables/{}/vision", "/links/{}", "/cards/{}.svg")


def test_nobody_breaks_a_page_with_a_number(target: Target) -> None:
    for place, number in itertools.product(ASKED, NUMBERS):
        answer = target.nobody.get(place.format(number))
        assert answer.status_code in (200, 400, 404, 422), (place, number[:20], answer.status_code)
    for number in ("9" * 4_000, "-1", "1e400"):
        assert target.nobody.get(f"/api/v1/stream?topics=room&after={number}").status_code == 422


def test_nobody_follows_what_is_the_staffs(target: Target) -> None:
    topics = target.person("manager").get("/api/v1/topics").json()
    names = [topic if isinstance(topic, str) else topic["name"] for topic in topics]
    public = {
        topic if isinstance(topic, str) else topic["name"] for topic in target.nobody.get("/api/v1/topics").json()
    }
    assert set(names) - public
    for name in set(names) - public:
        assert follows(target.nobody, name) in (401, 403, 404), name


# A display.


def test_a_display_reads_and_changes_nothing_but_its_own_beat(target: Target) -> None:
    display = target.by_token("display")
    before = target.head
    for path in ("entries", "head", "people", "hits", "approvals", "devices", "jackpots/main/accounts", "alarms"):
        assert display.get(f"/api/v1/{path}").status_code == 403, path
    bodies: tuple[Any, ...] = ({"amounts": {"main": 10**18}}, {"amounts": {"main": -1}}, [], {})
    for body in (*bodies, {"amounts": dict.fromkeys(map(str, range(1_000)), 1)}):
        assert display.post("/api/v1/displays/beat", json=body).status_code == 422, body
    # What it says it shows moves no meter, and another display's name cannot be said.
    shown = target.shown
    assert display.post("/api/v1/displays/beat", json={"amounts": {"main": 1}}).json()["registered"] is False
    named = {"amounts": {"main": 1}, "name": "monitor 4"}
    assert display.post("/api/v1/displays/beat", json=named).status_code == 422
    assert target.shown == shown
    assert {entry["kind"] for entry in target.entries(before)} <= TRACES


# A device.


def test_a_device_does_not_speak_for_others_or_at_another_time(target: Target) -> None:
    now, shown = microseconds_now(), target.shown
    year = 365 * 24 * 3_600 * 1_000_000
    for fields in ({"device": "A3-0018"}, {"table": "5"}, {"device": "the device"}):
        assert target.press(**fields)["status"] == "refused"
    for at, sent in ((0, now), (1, 1), (now - year, now - year), (2**53 - 1, 2**53 - 1), (now + year, now + year)):
        reply = target.press(at=at, sent=sent, sensors=[[1, 1]])
        # A clock that is wrong is put right by the server's own: then it is a press of now.
        assert reply["status"] in ("refused", "counted", "released", "ignored", "noted"), reply
        if reply["status"] == "counted":
            assert abs(sent - now) > 120 * 1_000_000
            assert at == sent
    strange = target.by_token("device")
    assert strange.post("/api/v1/devices/messages", json=target.message()).json()["status"] == "refused"
    assert target.shown - shown <= 5 * 18


def test_a_device_sends_nothing_that_harms(target: Target) -> None:
    bodies = (
        b"[" * 120_000,
        b'{"a":' * 40_000,
        b"9" * 200_000,
        b'{"type": "press", "type": "hello"}',
        b'{"type": NaN}',
        b"\xff\xfe\x00",
        json.dumps(target.message(sequence=10**400)).encode(),
        json.dumps(target.message(sensors=[[10**30, 1]])).encode(),
        json.dumps(target.message(device="\ud800")).encode(),
        json.dumps({**target.message(), "rounds": []}).encode(),
        json.dumps(target.message(type="batch", rounds=[[1, [[1, 1]]]] * 9_000) | {"sensors": []}).encode(),
    )
    shown = target.shown
    for body in bodies:
        begun = target.seconds
        answer = target.device.post("/api/v1/devices/messages", content=body)
        assert answer.status_code in (200, 413, 422), (body[:40], answer.status_code)
        assert answer.status_code != 200 or answer.json()["status"] in ("unreadable", "refused"), answer.text
        assert target.seconds - begun < SECONDS_MAX, body[:40]
        assert len(answer.content) < 20_000, body[:40]
    assert target.device.post("/api/v1/devices/messages", content=b" " * 256_001).status_code == 413
    assert target.shown == shown


def test_a_second_device_under_the_same_name_is_an_alarm_and_counts_nothing(target: Target) -> None:
    first = target.message(sensors=[[2, 1]])
    target.device.post("/api/v1/devices/messages", json=first)
    shown, before = target.shown, target.head
    twin = target.device.post("/api/v1/devices/messages", json={**first, "sensors": [[3, 1], [4, 1]]}).json()
    assert twin["status"] == "refused"
    assert target.shown == shown
    [refused] = [entry for entry in target.entries(before) if entry["kind"] == "message-refused"]
    assert "two devices" in json.dumps(refused)
    assert "two devices" in target.person("supervisor").get("/floor").text.lower()


# A dealer with a PIN.


@pytest.fixture(scope="module")
def dealer(target: Target) -> httpx2.Client:
    """The console of table 4, at which the dealer has tapped in."""
    client = target.server.client()
    assert client.post(f"/links/{target.links['the console']}").status_code == 303
    csrf = client.get("/api/v1/me").json()["csrf"]
    tapped = client.post("/tap", data={"login": "a-dealer", "pin": PIN, "csrf": csrf})
    assert tapped.status_code == 303, tapped.text
    client.headers["x-csrf-token"] = client.get("/api/v1/me").json()["csrf"]
    return client


READ = ("/api/v1/entries", "/api/v1/head", "/office/audit", "/office/audit/1", "/office/reports/w-2g", "/api/v1/people")


def test_a_pin_reads_no_journal_and_no_winners_papers(dealer: httpx2.Client) -> None:
    for path in (*READ, "/office/hits/3/slips/1", "/office/hits/3/slips/1/pdf", "/office/packet", "/metrics"):
        assert dealer.get(path).status_code == 403, path
    for topic in ("floor", "alarms", "approvals", "people", "approvals/people"):
        assert follows(dealer, topic) in (403, 404), topic


def test_a_pin_acts_at_its_own_table_and_in_its_own_place(target: Target, dealer: httpx2.Client) -> None:
    before = target.head
    claims = [{"seat": 1, "row": "Five-card Royal Flush"}]
    tried: tuple[tuple[str, dict[str, Any], tuple[int, ...]], ...] = (
        ("hits/call", {"jackpot": "main", "table": "5", "claims": claims}, (403, 409)),
        ("tables/press", {"table": "5"}, (403, 409)),
        ("tables/void", {"table": "4", "round": 1, "cause": "misdeal", "words": "x"}, (403, 422)),
        ("jackpots/adjust", {"name": "main", "units": 5_000_000_000, "words": "x"}, (403,)),
        ("hits/pay", {"hit": 1, "slip": 1}, (403,)),
        ("approvals/1/give", {}, (403,)),
        ("people", {"login": "eve", "name": "Eve", "roles": ["manager"]}, (403,)),
    )
    for path, fields, statuses in tried:
        answer = dealer.post(f"/api/v1/{path}", json={"command": command(), **fields})
        assert answer.status_code in statuses, (path, answer.status_code, answer.text)
    assert {entry["kind"] for entry in target.entries(before)} <= TRACES


@pytest.mark.parametrize("name", ["device A3-0017 {}", "watch-1", "first-administrator"])
def test_a_dealer_takes_no_id_of_a_device_or_of_the_server(target: Target, dealer: httpx2.Client, name: str) -> None:
    taken = name.format(target.expected)
    answer = dealer.post("/api/v1/tables/mark-seats", json={"command": taken, "table": "4", "persons": []})
    assert (answer.status_code, "command" in answer.text) == (409, True), answer.text
    before = target.expected
    target.press()
    assert target.expected == before + 1


def test_a_pins_session_is_worth_nothing_in_another_browser(target: Target, dealer: httpx2.Client) -> None:
    thief = target.server.client()
    thief.cookies.set("pitboss-session", dealer.cookies["pitboss-session"])
    assert thief.get("/api/v1/me").status_code == 401
    # Nor at the console of another table.
    assert thief.post(f"/links/{target.links['the other console']}").status_code == 303
    thief.cookies.set("pitboss-session", dealer.cookies["pitboss-session"])
    assert "dealer" not in thief.get("/api/v1/me").json()["roles"]


# Each role.


def test_each_role_alone_moves_no_meter(target: Target) -> None:
    """Every way in which one person could raise or lower a progressive, and then approve it themselves."""
    shown = target.shown
    ways: tuple[tuple[str, dict[str, Any]], ...] = (
        ("jackpots/adjust", {"name": "main", "units": 5_000_000_000, "words": "a gift"}),
        ("jackpots/withdraw", {"name": "main", "cents": 1_000_00}),
        ("jackpots/seed-other", {"name": "main", "other": "main", "cents": 1, "words": "x"}),
        ("jackpots/change", {"jackpot": JACKPOT, "words": "x"}),
        ("jackpots/remove", {"name": "main", "words": "x"}),
        ("tables/void", {"table": "4", "round": 1, "cause": "misdeal", "words": "x"}),
    )
    for role in PEOPLE_ROLES:
        if role == "surveillance":
            # Whoever was locked out above.
            continue
        for path, fields in ways:
            answer = target.post(role, path, **fields)
            assert answer.status_code in (202, 403, 409, 422), (role, path, answer.text)
            if answer.status_code == 202:
                number = answer.json()["approval"]
                own = target.post(role, f"approvals/{number}/give")
                assert own.status_code in (403, 409), (role, path, own.text)
                assert target.post(role, f"approvals/{number}/refuse", words="back").status_code == 200
    assert target.shown == shown


def test_an_id_that_is_sent_again_does_nothing_and_with_another_content_is_refused(target: Target) -> None:
    body = {"command": command(), "name": "Renamed", "since": "2027-06-01", "words": "why"}
    first = target.post("manager", "room/rename", **body)
    assert first.status_code == 202
    before = target.head
    assert target.post("manager", "room/rename", **body).json() == first.json() | {"again": True}
    assert target.post("manager", "room/rename", **{**body, "name": "Another"}).status_code == 409
    assert target.post("accounting", "jackpots/adjust", **{**body, "units": 1, "name": "main"}).status_code in (
        409,
        422,
    )
    assert [entry["kind"] for entry in target.entries(before) if entry["kind"] not in TRACES] == []
    number = first.json()["approval"]
    assert target.post("manager", f"approvals/{number}/refuse", words="never mind").status_code == 200


TOMLS = {
    "dotted keys": ".".join("a" * 49_000) + " = 1",
    "many dotted keys": "\n".join(f"{'.'.join('a' * 400)}.b{number} = 1" for number in range(110)),
    "nested lists": "a = " + "[" * 40_000 + "]" * 40_000,
    "nested tables": "a = " + "{a=" * 30_000,
    "a long number": "a = " + "9" * 90_000,
    "a day that is none": "a = 9999-12-31T23:59:59.999999+23:59",
    "not closed": 'a = """' + "x" * 90_000,
}


@pytest.mark.parametrize("text", TOMLS.values(), ids=TOMLS)
def test_a_managers_toml_is_refused_in_milliseconds(target: Target, text: str) -> None:
    """Seen: 98 kB of dotted keys took 9.5 GB."""
    begun = target.seconds
    answer = target.post("manager", "tables/post", table="4", toml=text, since="2026-12-01", words="x")
    assert answer.status_code in (409, 422), answer.text[:200]
    page = target.person("manager").post("/office/tables/4/edit", data={"toml": text, "command": command()})
    assert page.status_code in (200, 409, 422), page.status_code
    assert target.seconds - begun < SECONDS_MAX


# An administrator.


def test_an_administrator_becomes_nobody_else(target: Target) -> None:
    """Seen: one administrator raised a progressive by $50,000 alone."""
    waiting = []
    for roles in (["manager"], ["accounting", "surveillance"], ["dealer"]):
        added = target.post("administrator", "people", login=f"eve-{roles[0]}", name=f"Eve {roles[0]}", roles=roles)
        assert added.status_code == 202, added.text
        waiting.append(added.json()["approval"])
    for role in PEOPLE_ROLES:
        if role != "administrator":
            linked = target.post("administrator", f"people/a-{role}/links", words="forgot it")
            assert linked.status_code == 202, (role, linked.text)
            waiting.append(linked.json()["approval"])
    own = target.person("administrator").put(
        "/api/v1/people/a-administrator", json={"command": command(), "roles": ["administrator", "manager"]}
    )
    assert own.status_code in (202, 409)
    for number in waiting:
        assert target.post("administrator", f"approvals/{number}/give").status_code == 403
        assert target.post("administrator", f"approvals/{number}/refuse", words="no").status_code == 200
    adjusted = target.post("administrator", "jackpots/adjust", name="main", units=5_000_000_000, words="x")
    assert adjusted.status_code == 403


def test_g_68_an_administrator_makes_no_link_alone_for_who_has_a_pin(target: Target) -> None:
    """Who only deals has a PIN and no password: a link would make the administrator that dealer."""
    administrator = target.person("administrator")
    with closing(sqlite3.connect(target.path / "access.sqlite3")) as vault, vault:
        kept = vault.execute("SELECT hash FROM secrets WHERE subject = 'a-dealer' AND what = 'password'").fetchone()
        vault.execute("DELETE FROM secrets WHERE subject = 'a-dealer' AND what = 'password'")
    try:
        body = {"command": command(), "words": "forgot it"}
        assert administrator.post("/api/v1/people/a-dealer/links", json=body).status_code == 202
    finally:
        with closing(sqlite3.connect(target.path / "access.sqlite3")) as vault, vault:
            vault.execute("INSERT INTO secrets VALUES ('a-dealer', 'password', ?)", kept)


def test_an_administrators_devices_and_names_are_nobody_else(target: Target) -> None:
    """A device or a person whose name looks like another's, or like what signs for the server."""
    for name in ("A-manager", "a-MANAGER", "Pitboss", "pitboss", "\uff21-manager", "A\u2010manager\u200b"):
        device = target.post("administrator", "devices", name=name, what="display", table="4")
        assert device.status_code == 409, (name, device.text)
        person = target.post("administrator", "people", login=f"x{command()}", name=name, roles=["auditor"])
        assert person.status_code == 409, (name, person.text)


# Who has the files.


def test_who_reads_the_files_has_no_session_no_token_and_no_link(target: Target) -> None:
    """Everything that the store of sign-ins holds, sent as a cookie, a token and a link."""
    target.server.client("a-accounting")
    with closing(sqlite3.connect(f"file:{target.path}/access.sqlite3?mode=ro", uri=True)) as vault:
        sessions = [row[0] for row in vault.execute("SELECT hash FROM sessions")]
        csrf = [row[0] for row in vault.execute("SELECT csrf FROM sessions")]
        tokens = [row[0] for row in vault.execute("SELECT hash FROM secrets")]
        links = [row[0] for row in vault.execute("SELECT hash FROM links")]
    assert sessions
    assert tokens
    thief = target.server.client()
    for value in (*sessions[:4], *csrf[:2], *tokens[:4]):
        thief.cookies.set("pitboss-session", value)
        thief.cookies.set("pitboss-device", value)
        assert thief.get("/api/v1/me").status_code == 401
        bearer = {"authorization": f"Bearer {value}"}
        assert target.server.client().get("/api/v1/me", headers=bearer).status_code == 401
    for value in links:
        assert target.nobody.post(f"/links/{value}").status_code in (403, 404, 410)
    files = {file.name: file.stat().st_mode & 0o077 for file in target.path.iterdir()}
    assert set(files.values()) == {0}, files


def test_who_writes_the_history_anew_is_found(target: Target, quick_path: Path) -> None:
    """One entry is changed, every hash after it recomputed, and the triggers are put back as they were."""
    copy = shutil.copytree(target.path, quick_path / "copy")
    with closing(Directory(copy).open_store(write=False)) as store:
        entries = list(store.entries(BOOK))
    previous = entries[3].previous
    with closing(sqlite3.connect(copy / "journal.sqlite3")) as journal, journal:
        for (trigger,) in journal.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
            journal.execute(f"DROP TRIGGER {trigger}")
        for number, entry in enumerate(entries[3:]):
            forged = sealed_entry(entry._replace(previous=previous, actor="Eve" if number == 0 else entry.actor))
            previous = forged.digest
            values = (forged.actor, forged.previous, forged.digest, BOOK, forged.sequence)
            journal.execute("UPDATE entries SET actor=?, previous=?, digest=? WHERE book=? AND sequence=?", values)
        for statement in SQLITE_GUARDS.values():
            journal.execute(statement)
    damages = [str(damage) for damage in check_books(Directory(copy)).damages]
    assert any("not the entry that was acknowledged" in damage for damage in damages), damages
    with running(copy) as server:
        # It shows its pages, and neither counts nor lets anybody sign in before two people have decided (G-29).
        assert server.client().get("/healthz").status_code == 503
        press = target.message()
        bearer = {"authorization": f"Bearer {target.tokens[DEVICE]}"}
        answer = server.client().post("/api/v1/devices/messages", json=press, headers=bearer)
        assert answer.json()["status"] == "later"


# Who is on the wire.


def test_what_was_recorded_on_the_wire_and_is_sent_again_counts_once(target: Target) -> None:
    sent = target.message(sensors=[[5, 1]])
    first = target.device.post("/api/v1/devices/messages", json=sent).json()
    shown, before = target.shown, target.head
    for _ in range(3):
        again = target.device.post("/api/v1/devices/messages", json=sent).json()
        assert (again["status"], again["again"]) == (first["status"], True)
    assert (target.shown, target.head) == (shown, before)


def test_a_recorded_session_ends_when_its_person_signs_out(target: Target) -> None:
    client = target.server.client("a-auditor")
    cookies, csrf = dict(client.cookies), client.headers["x-csrf-token"]
    assert client.post("/sign-out").status_code == 303
    thief = target.server.client()
    for name, value in cookies.items():
        thief.cookies.set(name, value)
    thief.headers["x-csrf-token"] = csrf
    assert thief.get("/api/v1/me").status_code == 401
    assert thief.post("/account/pin", data={"pin": "8264"}).status_code == 401


@pytest.mark.slow
def test_everybody_at_once_and_for_long(target: Target) -> None:
    """All positions together for `PITBOSS_ATTACK_SECONDS`, while the table counts and the floor reads."""
    until = time.monotonic() + float(os.environ.get("PITBOSS_ATTACK_SECONDS", "60"))
    manager, device, texts = target.person("manager"), target.by_token(DEVICE), list(TOMLS.values())
    attacks: tuple[Callable[[random.Random], object], ...] = (
        lambda rng: target.raw(rng.choice(list(ODD.values()))),
        lambda rng: target.raw(f"GET {rng.choice(PLACES)} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode()),
        lambda rng: target.server.client().post("/sign-in", data={"login": f"x{rng.random()}", "password": "x" * 50}),
        lambda rng: device.post("/api/v1/devices/messages", content=rng.randbytes(rng.randrange(100_000))),
        lambda rng: manager.post("/api/v1/tables/post", json={"command": command(), "toml": rng.choice(texts)}),
    )

    def attack(number: int) -> None:
        rng = random.Random(number)
        while time.monotonic() < until:
            with suppress(httpx2.TransportError):
                attacks[number](rng)

    before = target.megabytes
    with ThreadPoolExecutor(len(attacks)) as pool:
        attackers = [pool.submit(attack, number) for number in range(len(attacks))]
        while time.monotonic() < until:
            expected = target.expected
            assert target.press()["acknowledged"] == expected
            assert target.person("supervisor").get("/floor").status_code == 200
            time.sleep(7)
        assert {each.result() for each in attackers} == {None}
    assert target.megabytes - before < MEGABYTES_MAX


# After all that.


def test_the_books_are_sound_after_everything_that_was_tried(target: Target) -> None:
    report = check_books(Directory(target.path), projections=PROJECTIONS, invariants=INVARIANTS)
    assert [*report.damages, *report.findings] == []
