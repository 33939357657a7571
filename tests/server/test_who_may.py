"""Who may, at the doors of a room in operation (issue 18): each was seen to go through before."""

from __future__ import annotations

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
from pitboss.jackpot.hits.values import Paper, kept_identification, without_papers
from pitboss.room.people.people import AllowLink, SetDevice, SetPerson
from pitboss.server.api.stream import Welcome
from pitboss.server.auth import identify_again
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


def test_g_70_surveillance_reads_no_winners_papers(house: House) -> None:
    client = house.as_("surveillance")
    for path in ("/office/reports/w-2g", "/office/reports/slips", "/office/hits/3/slips/1"):
        assert 403 == client.get(path).status_code, path


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
