"""People in the back office: added, given roles, a link, and taken off the list; by the administrator alone."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from fastapi.testclient import TestClient

from pitboss.room.people.people import People, Person
from pitboss.room.people.vault import Failures, Session
from pitboss.server.app import create_app
from pitboss.server.pages.office.people import Credentials, people_view
from tests.pages.floor import staff
from tests.pages.room import CardRoom, card_room
from tests.reports.making import ZONE, at
from tests.reports.sample import NEXT
from tests.server.making import ADDRESS, PASSWORD, command, landed, sign_in

NOW = at(NEXT, 12)


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory) -> Iterator[CardRoom]:
    with card_room(tmp_path_factory.mktemp("people") / "room") as found:
        staff(found)
        yield found


@pytest.fixture(scope="module")
def administrator(room: CardRoom) -> TestClient:
    link = room.room.access.first_link()
    assert link is not None
    client = TestClient(create_app(room.room), base_url=ADDRESS, follow_redirects=False)
    client.post(f"/links/{link.rpartition('/')[2]}", data={"password": PASSWORD, "again": PASSWORD})
    sign_in(client, "administrator" if "administrator" in room.room.access.people.people else "admin")
    return client


def manager_of(room: CardRoom) -> TestClient:
    client = TestClient(create_app(room.room), base_url=ADDRESS, follow_redirects=False)
    sign_in(client, "max")
    return client


def approve(room: CardRoom, client: TestClient) -> None:
    """Approve the one request that waits."""
    (number,) = room.room.approvals.waiting
    answer = client.post("/office/people/requests/give", data={"command": command(), "number": str(number)})
    assert landed(answer) == "/office/people?told=given", answer.text


def test_a_person_is_told_with_secrets_sessions_and_lock_outs() -> None:
    people = People(
        {"dan": Person("dan", "Dan", ("dealer",), True), "al": Person("al", "Al", ("manager",), False)}, {}, {}
    )
    credentials = Credentials(
        pin=True,
        sessions=(
            Session("g", "dan", "pin", "console 3", "", at(NEXT, 8), at(NEXT, 10)),
            Session("h", "dan", "pin", "console 4", "", at(NEXT, 9), at(NEXT, 11)),
        ),
        failures=(Failures("pin:dan", 5, NOW, NOW + 1), Failures("password:dan", 5, 0, NOW - 1)),
    )
    dan, al = people_view(people, {"dan": credentials}, NOW, ZONE)
    assert dan.sessions == (
        "Tapped in at console 4 Nov 14, 2026, 9:00 AM, last seen Nov 14, 2026, 11:00 AM",
        "Tapped in at console 3 Nov 14, 2026, 8:00 AM, last seen Nov 14, 2026, 10:00 AM",
    )
    assert dan.locked == ("PIN locked until Nov 14, 2026, 12:00 PM after 5 failures",)
    assert (dan.secrets, al.secrets, al.active) == ("PIN", "Not set up", False)
    assert [role for role, has in dan.boxes.items() if has] == ["dealer"]


def test_somebody_is_added_comes_in_by_his_link_and_is_taken_off_the_list(
    room: CardRoom, administrator: TestClient
) -> None:
    said = {"command": command(), "name": "Vic Tran", "login": "vic", "role": ["surveillance", "supervisor"]}
    asked = administrator.post("/office/people", data=said)
    assert asked.headers["location"] == "/office/people?told=waits", "G-68: a role that handles money is given by two"
    page = administrator.get("/office/people?told=waits").text
    assert "Submitted for approval by another person." in page
    assert "Add Vic Tran: supervisor, surveillance" in page
    manager = manager_of(room)
    assert "Add Vic Tran: supervisor, surveillance" in manager.get("/office/people").text
    approve(room, manager)
    added = administrator.post("/office/people/vic/link", data={"command": command()})
    link = re.search(r"<code[^>]*>[^<]*(/links/[^<]+)</code>", added.text)
    assert "Link for Vic Tran" in added.text
    assert 'aria-label="QR code of the link for Vic Tran"><svg' in added.text, "A20: copy, QR code and print"
    assert link is not None
    assert administrator.get("/office/people").text.count("/links/") == 0, "a link is told once"
    assert administrator.get(link[1]).status_code == 200
    changed = {"command": command(), "role": ["surveillance"], "active": "yes"}
    administrator.post("/office/people/vic/change", data=changed)
    approve(room, manager)
    assert room.room.access.people.people["vic"].roles == ("surveillance",)
    administrator.post("/office/people/vic/change", data={"command": command(), "role": ["surveillance"]})
    assert not room.room.access.people.people["vic"].active


def test_what_is_wrong_is_told_whole_and_the_form_stays_filled(room: CardRoom, administrator: TestClient) -> None:
    """T-06: an auditor has no other role."""
    before = room.room.state.sequence
    said = {"command": command(), "name": "Dan", "login": "Not a login", "role": ["auditor", "manager"]}
    refused = administrator.post("/office/people", data=said)
    assert refused.status_code == 409
    for told in ("small letters", "is taken", "n auditor reads all", 'value="Not a login"'):
        assert told in refused.text, told
    assert room.room.state.sequence == before
    assert administrator.post("/office/people/none/change", data=said).status_code == 404


def test_a_manager_reads_and_changes_nothing(room: CardRoom) -> None:
    client = TestClient(create_app(room.room), base_url=ADDRESS, follow_redirects=False)
    sign_in(client, "max")
    page = client.get("/office/people").text
    assert "Dora" in page
    assert "Add person" not in page
    assert client.post("/office/people", data={"login": "x"}).status_code == 403


def test_g_68_a_link_for_who_has_a_password_waits_and_its_person_is_told(
    room: CardRoom, administrator: TestClient
) -> None:
    page = administrator.get("/office/people").text
    assert "Request new sign-in link" in page
    refused = administrator.post("/office/people/sue/link", data={"command": command()})
    assert (refused.status_code, "Enter a reason." in refused.text) == (409, True)
    asked = administrator.post("/office/people/sue/link", data={"command": command(), "words": "lost the paper"})
    assert asked.headers["location"] == "/office/people?told=waits"
    approve(room, manager_of(room))
    made = administrator.post("/office/people/sue/link", data={"command": command()})
    assert "/links/" in made.text
    client = TestClient(create_app(room.room), base_url=ADDRESS, follow_redirects=False)
    answer = client.post("/sign-in", data={"login": "sue", "password": PASSWORD})
    assert answer.headers["location"] == "/account"
    assert "Administrator made a sign-in link for you on" in client.get("/account").text
