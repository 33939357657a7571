"""Who may, at the doors of a room in operation (issue 18): each was seen to go through before."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from starlette.requests import Request

from pitboss.commands import By
from pitboss.commands.command import SYSTEM_ACTOR
from pitboss.jackpot.hits.handling import DocumentHit, SurveilHit
from pitboss.jackpot.hits.values import Paper, PaperDraft, kept_identification, without_papers
from pitboss.jackpot.hits.workflow import CHECKS
from pitboss.reports import REPORTS
from pitboss.room.people.people import AllowLink, SetDevice, SetPerson
from pitboss.room.people.roles import ANYONE
from pitboss.server.api.stream import Welcome
from pitboss.server.app import gambling_day
from pitboss.server.auth import identify_again, routes_of
from pitboss.server.live import find_topic, topics_now
from pitboss.server.views.formatting import time_of
from pitboss.server.worker.pool import Figure
from tests.pages.room import card_room
from tests.server.making import PASSWORD, PIN, House, command, served, with_csrf


@pytest.fixture
def at_work(quick_path: Path) -> Iterator[House]:
    """A house whose jackpots are open, with a person of every role."""
    with card_room(quick_path / "at-work"):
        pass
    with served(quick_path / "at-work") as found:
        found.clock.now = found.room.state.recorded
        found.fill()
        yield found


def tapped_in(house: House, login: str) -> TestClient:
    """The console of table 4 with somebody tapped in."""
    house.access.set_pin(login, PIN, SYSTEM_ACTOR)
    console = house.console("the console")
    answer = console.post("/tap", data={"login": login, "pin": PIN})
    assert answer.status_code == 303, answer.text
    with_csrf(console)
    return console


def send(client: TestClient, method: str, path: str, **fields: Any) -> Any:
    return client.request(method, f"/api/v1/{path}", json={"command": command(), **fields})


def test_g_68_an_administrator_makes_no_manager_and_no_link_for_one_alone(at_work: House) -> None:
    """Seen: 201 and 201, and the administrator was the manager."""
    client = at_work.as_("administrator")
    added = send(client, "POST", "people", login="eve", name="Eve Stone", roles=["manager"])
    linked = send(client, "POST", "people/a-manager/links", words="forgot it")
    own = send(client, "PUT", "people/a-administrator", roles=["administrator", "manager"])
    assert (202, 202, 409) == (added.status_code, linked.status_code, own.status_code)
    assert "eve" not in at_work.access.people.people
    assert ["manager", "accounting", "surveillance"] == added.json()["approvers"]
    given = send(at_work.as_("accounting"), "POST", f"approvals/{added.json()['approval']}/give")
    assert 200 == given.status_code
    assert ("manager",) == at_work.access.people.people["eve"].roles


def test_g_68_an_administrator_withdraws_their_own_request(at_work: House) -> None:
    client = at_work.as_("administrator")
    number = send(client, "POST", "people", login="eve", name="Eve Stone", roles=["manager"]).json()["approval"]
    assert [number] == [row["number"] for row in client.get("/api/v1/approvals").json()]
    assert 403 == send(client, "POST", f"approvals/{number}/give").status_code
    assert 200 == send(client, "POST", f"approvals/{number}/refuse", words="a mistake").status_code


@pytest.mark.parametrize(
    "path", ["/api/v1/entries", "/api/v1/head", "/office/audit", "/office/reports", "/office/hits"]
)
def test_g_49_reading_the_books_needs_a_sign_in(house: House, path: str) -> None:
    """Seen: four digits at a console read the whole journal."""
    assert 403 == tapped_in(house, "a-supervisor").get(path).status_code
    assert 200 == house.as_("supervisor").get(path).status_code


def test_g_69_a_pin_session_ends_when_the_pin_changes(house: House) -> None:
    console = tapped_in(house, "a-dealer")
    house.access.set_pin("a-dealer", "4812", SYSTEM_ACTOR)
    assert "dealer" not in console.get("/api/v1/me").json()["roles"]


def test_g_69_who_is_taken_off_the_list_has_no_password_when_they_come_back(house: House) -> None:
    client = house.as_("administrator")
    send(client, "PUT", "people/a-dealer", roles=["dealer"], active=False)
    send(client, "PUT", "people/a-dealer", roles=["dealer"])
    assert house.access.people.people["a-dealer"].active
    answer = house.browser().post("/sign-in", data={"login": "a-dealer", "password": PASSWORD})
    assert 403 == answer.status_code


def test_g_70_the_books_keep_kind_and_last_digits_and_streams_no_papers() -> None:
    """Seen: the whole number of a passport stood in the journal, and on a console where nobody had tapped in."""
    assert "Passport ending 5678" == kept_identification("Passport 512345678")
    assert "driver license ending 4321" == kept_identification("driver license WDL-98-4321")
    assert "passport" == kept_identification("passport")
    paper = Paper(1, "Rosa Winner", ("Passport ending 5678",), slip=3)
    hidden = without_papers({"papers": [paper._asdict()], "hit": 3})
    assert "Rosa" not in str(hidden)
    assert "5678" not in str(hidden)
    assert 3 == hidden["papers"][0]["slip"]


WINNER = PaperDraft(1, "Rosa Winner", ("Passport 512345678", "driver license WDL-98-4321"), True, True, True)


@pytest.fixture(scope="module")
def documented(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[House, int]]:
    """A house with a jackpot that waits to be paid, its winner's papers made."""
    path = tmp_path_factory.mktemp("documented") / "room"
    with card_room(path) as found:
        found.press("4", final_four=[1, 2])
        hit = found.call("final-four", "4", 1, "4-card diamond Royal")
        found.verify(hit, {1: "Ad Kd Qd Jd"})
        found.room.do(SurveilHit(hit=hit, checks=CHECKS), By("Cam", "surveillance"), id="surveil")
        found.room.do(DocumentHit(hit=hit, papers=(WINNER,)), By("Lee", "accounting"), id="document")
    with served(path) as house:
        house.clock.now = house.room.state.recorded
        house.fill()
        yield house, hit


def filled(path: str, values: dict[str, str], other: str) -> str:
    """Fill the fields of a route's path: those that are named, and all others alike."""
    return "".join(
        values.get(part[1:-1].partition(":")[0], other) if part.startswith("{") else part
        for part in re.split(r"(\{[^}]*\})", path)
    )


def shown_to(house: House, hit: int, role: str) -> Iterator[tuple[str, str]]:
    """Yield everything that a role reads: by each route, about the jackpot and each report, and by each topic."""
    client, state = house.as_(role), house.room.state
    day = gambling_day(house.room)
    span = f"?first={day}&last={day}&from={day}&to={day}"
    for route in routes_of(house.app):
        if "GET" not in (route.methods or ()) or route.path in ("/api/v1/stream", "/demo/{role}"):
            continue
        named = REPORTS if "/reports/" in route.path else ("final-four",)
        for name in named if "{name}" in route.path else ("",):
            place = filled(route.path, {"name": name, "jackpot": "final-four", "table": "4", "slip": "1"}, str(hit))
            yield place, client.get(place + span).text
    for topic in topics_now(house.app.state.hub.specs, state):
        spec, name = find_topic(house.app.state.hub.specs, state, topic) or (None, "")
        if spec is not None and spec.roles & {role, ANYONE}:
            yield topic, str(spec.view(state, name, time_of(house.clock())))


def test_g_70_the_number_of_an_identification_stands_in_no_file_of_the_room(documented: tuple[House, int]) -> None:
    house, hit = documented
    entries = "".join(entry.payload for entry in house.entries())
    assert "Rosa Winner" in entries
    assert "Passport ending 5678" in entries
    files = [file.read_bytes() for file in house.room.path.rglob("*") if file.is_file()]
    assert not any(number in content for number in (b"512345678", b"WDL-98-4321", b"98-4321") for content in files)
    assert any("Rosa" in text for _, text in shown_to(house, hit, "accounting")), "who reads the papers sees the name"


@pytest.mark.parametrize(
    "role", ["surveillance", "dealer", "administrator", "console", "display", "device", "monitor", "anyone"]
)
def test_g_70_nobody_else_reads_a_winners_papers_by_any_page_report_or_topic(
    documented: tuple[House, int], role: str
) -> None:
    house, hit = documented
    assert [place for place, text in shown_to(house, hit, role) if "Rosa" in text or "ending 5678" in text] == []


def test_g_70_surveillance_reads_no_winners_papers(house: House) -> None:
    client = house.as_("surveillance")
    for path in ("/office/reports/w-2g", "/office/reports/slips", "/office/hits/3/slips/1"):
        assert 403 == client.get(path).status_code, path


def test_g_70_the_stream_says_that_a_figure_is_there_and_nothing_of_what_it_holds(house: House) -> None:
    """Seen: a dealer, by PIN, followed `figure:KEY` and read reports of winners' papers, audits and the company's page."""
    worker, specs = house.app.state.worker, house.app.state.hub.specs
    held = Figure("k", "ready", {"rows": ["Rosa Winner"]}), Figure("f", "failed", words="Rosa Winner has no slip")
    worker._figures |= {figure.key: figure for figure in held}
    for figure in held:
        match = find_topic(specs, house.room.state, f"figure:{figure.key}")
        assert match is not None
        shown = match[0].view(house.room.state, figure.key, time_of(house.clock()))
        assert shown == {"key": figure.key, "status": figure.status}


def test_g_69_a_stream_ends_when_a_role_or_a_device_goes(house: House) -> None:
    """Seen: a display and a manager who had gone followed on for hours."""
    request = Request({"type": "http", "app": house.app, "headers": [], "client": None, "method": "GET", "path": "/"})
    device = house.tokens["device"]
    request.scope["headers"] = [(b"authorization", f"Bearer {device}".encode())]
    assert identify_again(request) is not None
    gone = SetDevice(name="the device", what="device", table="4", active=False, first=False)
    house.access.set_device(gone, SYSTEM_ACTOR, id=command())
    assert identify_again(request) is None


def following(house: House, headers: dict[str, str], *needed: str) -> Welcome:
    """What a stream asks before each event, of somebody who follows what these roles may."""
    sent = [(name.encode(), value.encode()) for name, value in headers.items()]
    request = Request({"type": "http", "app": house.app, "headers": sent, "client": None, "method": "GET", "path": "/"})
    caller = identify_again(request)
    assert caller is not None
    return Welcome(request, house.room, caller, [frozenset(needed)])


def cookies(client: TestClient) -> dict[str, str]:
    return {"cookie": "; ".join(f"{name}={value}" for name, value in client.cookies.items())}


def test_g_69_before_each_event_a_follower_is_who_they_were(house: House) -> None:
    """Item 4: roles, sessions, PINs, passwords, tokens and devices that go, each ends what was followed by it."""
    console = tapped_in(house, "a-dealer")
    manager, other, clerk = (house.as_(role) for role in ("manager", "supervisor", "accounting"))
    terminal = house.access.make_terminal_token("a-auditor", SYSTEM_ACTOR)
    streams = {
        "role": following(house, cookies(manager), "manager"),
        "session": following(house, cookies(other), "supervisor"),
        "password": following(house, cookies(clerk), "accounting"),
        "pin": following(house, cookies(console), "dealer"),
        "console": following(house, cookies(console), "console"),
        "token": following(house, {"authorization": f"Bearer {house.tokens['display']}"}, "display"),
        "device": following(house, {"authorization": f"Bearer {house.tokens['device']}"}, "device"),
        "terminal": following(house, {"authorization": f"Bearer {terminal}"}, "auditor"),
    }
    assert all(welcome() for welcome in streams.values())

    def ends(*names: str) -> None:
        for name in names:
            assert not streams.pop(name)(), name
        assert [name for name, welcome in streams.items() if not welcome()] == []

    roles = SetPerson(login="a-manager", name="A-manager", roles=("auditor",), active=True, first=False)
    house.access.set_person(roles, SYSTEM_ACTOR, id=command())
    ends("role")
    assert other.post("/sign-out").status_code == 303
    ends("session")
    house.access.set_password("a-accounting", "nine geese in a row", SYSTEM_ACTOR)
    ends("password")
    house.access.set_pin("a-dealer", "8264", SYSTEM_ACTOR)
    ends("pin", "console")
    house.access.make_token("the display", SYSTEM_ACTOR)
    ends("token")
    house.access.make_terminal_token("a-auditor", SYSTEM_ACTOR)
    ends("terminal")
    gone = SetDevice(name="the device", what="device", table="4", active=False, first=False)
    house.access.set_device(gone, SYSTEM_ACTOR, id=command())
    ends("device")


def test_g_68_who_signs_in_after_a_link_was_made_is_told_by_whom_and_when(at_work: House) -> None:
    """Item 1: the next sign-in leads to the account, which names it; the one after goes where the role begins."""
    house = at_work
    ada, amy = By("A-administrator", "administrator"), By("A-accounting", "accounting")
    house.room.do(AllowLink(login="a-manager", words="lost the password"), replace(ada, approver=amy), id=command())
    house.access.make_link("a-manager", "sign-in", ada)
    client, sent = house.browser(), {"login": "a-manager", "password": PASSWORD}
    answer = client.post("/sign-in", data=sent)
    assert (answer.status_code, answer.headers["location"]) == (303, "/account")
    page = unescape(client.get("/account", headers={"accept": "text/html"}).text)
    told = page.partition("Sign-in links")[2].partition("</ul>")[0]
    assert "A-administrator" in told
    assert client.post("/sign-in", data=sent).headers["location"] != "/account"
