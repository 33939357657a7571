"""Every page of the back office is opened as each role: who may sees it whole, and buttons follow the commands."""

from __future__ import annotations

import re
from collections.abc import Iterator
from concurrent.futures import Future
from html import unescape
from typing import Any

import pytest
from fastapi.routing import APIRoute
from fastapi.testclient import TestClient

from pitboss.commands.command import SYSTEM_ACTOR
from pitboss.room.displays import RegisterDisplay
from pitboss.room.people.people import SetDevice, SetPerson
from pitboss.server.app import create_app
from pitboss.server.pages.office import router
from pitboss.server.worker.pool import Worker
from tests.pages.room import SLIDE, CardRoom
from tests.pages.tables import EXAMPLE, MAX, WIDER, ask, give, tables_room
from tests.server.making import ADDRESS, PASSWORD, command, sign_in
from tests.server.matrix import stated

MORE = {"vic": ("Vic Tran", "surveillance"), "ann": ("Ann Kato", "administrator")}
LOGINS = {
    "supervisor": "sue",
    "surveillance": "vic",
    "accounting": "lee",
    "manager": "max",
    "auditor": "una",
    "administrator": "ann",
}
PATHS = sorted(
    route.path
    for route in router.routes
    if isinstance(route, APIRoute)
    and "GET" in (route.methods or ())
    and route.path.startswith("/office/")
    # A picture is no page, nor is a paper about a jackpot or a problem, of which this room has none.
    and not route.path.endswith(("/picture", "/hits/{number}/forms", "/malfunctions/{number}/report"))
)
NAMES = {"reports": "takings", "papers": "placards"}
"""What a page of an area is named after, where that is no jackpot."""
BUTTON = re.compile(r"<button[^>]*?(?P<disabled> disabled)?(?: aria-describedby=\"(?P<id>[^\"]*)\")?>(?P<label>[^<]*)")


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory) -> Iterator[CardRoom]:
    """A room with something of everything: requests, a prepared configuration, devices, a slide."""
    with pytest.MonkeyPatch.context() as patch, tables_room(tmp_path_factory.mktemp("office") / "room") as opened:
        patch.setattr(Worker, "_submit", lambda *_: Future[dict[str, Any]]())
        access = opened.room.access
        for login, (name, role) in MORE.items():
            person = SetPerson(login=login, name=name, roles=(role,), active=True, first=True)
            access.set_person(person, SYSTEM_ACTOR, id=command())
            access.set_password(login, PASSWORD, SYSTEM_ACTOR)
        device = SetDevice(name="screen 1", what="display", table="1", first=True)
        access.set_device(device, SYSTEM_ACTOR, id=command())
        opened.room.do(RegisterDisplay(name="screen 1", table="1", make="screen"), MAX, id=command())
        opened.promotions.set(SLIDE, command=command(), actor="Max Adeyemi")
        give(opened, ask(opened, "tables/post", MAX, table="1", configuration=WIDER, opens="2099-01-01T06:00"))
        ask(opened, "jackpots/adjust", MAX, name="seven", units=100, reason=None, fund="reserve", words="found")
        yield opened


@pytest.fixture(scope="module")
def addresses(room: CardRoom) -> dict[str, str]:
    number = str(ask(room, "tables/post", MAX, table="1", configuration=EXAMPLE, words="again"))
    values = {"table": "1", "kind": "progressive", "sequence": "1", "number": number}
    filled = {}
    for path in PATHS:
        area = path.split("/")[2]
        filled[path] = path.format(name=NAMES.get(area, "seven"), **values)
    return filled


@pytest.fixture(scope="module")
def people(room: CardRoom) -> dict[str, TestClient]:
    app, clients = create_app(room.room), {}
    for role, login in LOGINS.items():
        clients[role] = TestClient(app, base_url=ADDRESS, follow_redirects=False)
        sign_in(clients[role], login)
        clients[role].headers["accept"] = "text/html"
    return clients


@pytest.mark.parametrize("path", PATHS)
def test_a_page_is_whole_for_each_role_that_may_see_it_and_for_no_other(
    addresses: dict[str, str], people: dict[str, TestClient], path: str
) -> None:
    """A template that names what its page does not have is refused by jinja, and the page with it."""
    roles = stated()["GET", path]
    for role, client in people.items():
        answer = client.get(addresses[path], params={"at": 1})
        assert (answer.status_code in (200, 202)) is (role in roles), (role, answer.status_code, answer.text)
        assert role in roles or answer.status_code == 403


def buttons(page: str) -> dict[str, str]:
    """The buttons of a page by label, with what speaks against pressing them."""
    found = {}
    for match in BUTTON.finditer(page):
        reason = re.search(rf'id="{match["id"]}">(.*?)</small>', page) if match["id"] else None
        assert bool(match["disabled"]) is (reason is not None)
        sentences = [] if reason is None else re.findall(r"<span>([^<]+?) ?<", reason[1])
        found[match["label"]] = unescape("; ".join(sentences))
    return found


@pytest.mark.parametrize(
    ("role", "path", "shown", "hidden"),
    [
        ("manager", "/office/tables/1", {"Close table", "Withdraw"}, set()),
        ("supervisor", "/office/tables/1", {"Close table"}, {"Withdraw"}),
        ("auditor", "/office/tables/1", set(), {"Close table", "Withdraw"}),
        ("manager", "/office/jackpots/seven", {"Close jackpot", "Suspend jackpot"}, {"Submit for approval"}),
        ("surveillance", "/office/jackpots/seven", {"Suspend jackpot"}, {"Close jackpot", "Submit for approval"}),
        ("accounting", "/office/jackpots/seven", {"Approve", "Suspend jackpot"}, {"Close jackpot"}),
        ("accounting", "/office/jackpots/seven?tab=money", {"Record deposit"}, set()),
        ("surveillance", "/office/jackpots/seven?tab=money", set(), {"Record deposit", "Submit for approval"}),
        ("auditor", "/office/jackpots/seven", set(), {"Close jackpot", "Suspend jackpot", "Approve"}),
        ("auditor", "/office/jackpots/seven?tab=terms", set(), {"Submit for approval"}),
        ("manager", "/office/slides", {"End", "Save promotion"}, set()),
        ("accounting", "/office/slides", set(), {"End", "Save promotion"}),
        ("administrator", "/office/devices", {"Remove", "Add device"}, set()),
        ("manager", "/office/devices", set(), {"Remove", "Add device"}),
        ("administrator", "/office/people", {"Add person", "Request new sign-in link"}, set()),
        ("auditor", "/office/people", set(), {"Add person", "New sign-in link"}),
        ("manager", "/office/room", {"Submit change"}, set()),
        ("supervisor", "/office/room", set(), {"Submit change"}),
    ],
)
def test_a_button_is_shown_to_who_may_ask_for_its_command(
    people: dict[str, TestClient], addresses: dict[str, str], role: str, path: str, shown: set[str], hidden: set[str]
) -> None:
    assert addresses
    labels = buttons(people[role].get(path).text).keys()
    assert shown <= labels
    assert not hidden & labels


def test_a_button_that_the_room_would_refuse_is_greyed_and_says_why(people: dict[str, TestClient]) -> None:
    """J-17: a progressive is removed after notice, while it is closed."""
    page = people["manager"].get("/office/jackpots/seven?tab=terms").text
    problems = buttons(page[page.index('/seven/remove"') :])
    refused = people["manager"].post("/office/jackpots/seven/remove", data={"command": command(), "words": "reason"})
    assert refused.status_code == 409
    assert all(text in unescape(refused.text) for text in problems["Submit for approval"].split("; "))
    assert "notice" in problems["Submit for approval"]
