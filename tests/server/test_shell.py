"""What stands around every page: where a role begins, errors in plain words with a way back, sessions, and the demo."""

from __future__ import annotations

from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from pitboss.room.people.roles import PEOPLE_ROLES
from pitboss.room.people.vault import SessionLimits
from pitboss.room.room import Room
from pitboss.server.app import create_app
from pitboss.server.auth import no_access
from pitboss.server.settings import Listening, listening_problems
from tests.server.making import MINUTE, PASSWORD, SECOND, House, cheap

HTML = {"accept": "text/html"}
HOMES = {
    "dealer": "/tables",
    "supervisor": "/floor",
    "surveillance": "/floor",
    "accounting": "/today",
    "manager": "/today",
    "auditor": "/office/audit",
    "administrator": "/office/people",
}


@pytest.mark.parametrize("role", PEOPLE_ROLES)
def test_a_role_begins_on_its_own_page_and_the_brand_leads_back_there(shared: House, role: str) -> None:
    client = shared.browser()
    answer = client.post("/sign-in", data={"login": f"a-{role}", "password": PASSWORD})
    assert answer.headers["location"] == HOMES[role]
    page = client.get(HOMES[role], headers=HTML)
    assert page.status_code == 200
    assert f'<a class="brand" href="{HOMES[role]}">' in page.text
    assert 'aria-label="Main menu"' in page.text
    assert "Skip to content" in page.text


def test_an_error_is_a_sentence_with_the_same_head_and_a_way_back(shared: House) -> None:
    dealer = shared.as_("dealer")
    missing = dealer.get("/nowhere", headers=HTML | {"referer": "http://127.0.0.1/tables?x=1"})
    assert missing.status_code == 404
    assert "<h1>Page not found</h1>" in missing.text
    manager = shared.as_("manager")
    for path in ("/office/tables/77", "/office/odds/77", "/tables/77/console"):
        assert "Table 77 isn&#39;t set up." in manager.get(path, headers=HTML).text, path
    incomplete = manager.get("/office/packet", headers=HTML)
    assert (incomplete.status_code, "Open the page from the menu" in incomplete.text) == (422, True)
    assert "Field required" not in incomplete.text
    assert "A-dealer" in missing.text
    assert '<a class="action" href="/tables?x=1">Back</a>' in missing.text
    assert 'href="/tables">Home</a>' in missing.text
    elsewhere = dealer.get("/nowhere", headers=HTML | {"referer": "http://elsewhere.example/x"})
    assert "elsewhere.example" not in elsewhere.text
    stranger = shared.browser().get("/nowhere", headers=HTML).text
    assert "Sign in</a>" in stranger
    assert "Home</a>" in stranger
    forbidden = dealer.get("/office/people", headers=HTML)
    assert "<h1>You don&#39;t have access</h1>" in forbidden.text
    assert "It&#39;s for administrators, auditors and managers." in forbidden.text
    assert no_access(["surveillance"]) == "You don't have access to this page. It's for surveillance."


def test_programs_are_told_as_before(shared: House) -> None:
    answer = shared.as_("dealer").get("/nowhere").json()
    assert (answer["title"], answer["status"]) == ("Not Found", 404)


@pytest.mark.parametrize(
    ("path", "page"),
    [
        ("/office/jackpots/final-four/open", "/office/jackpots/final-four"),
        ("/tables/1/console/press", "/tables/1/console"),
        ("/sign-out", "/"),
        ("/account/pin", "/account"),
    ],
)
def test_the_address_of_a_form_leads_back_to_its_page(shared: House, path: str, page: str) -> None:
    """S2: such an address stood in the bar, and loading it again said Method Not Allowed twice."""
    answer = shared.as_("supervisor").get(path, headers=HTML)
    assert (answer.status_code, answer.headers["location"]) == (303, page)
    assert shared.as_("supervisor").get(path).status_code == 405


def test_a_wrong_password_is_told_at_its_field(house: House) -> None:
    client = house.browser()
    form = {"login": "a-dealer", "password": "wrong"}
    refused = client.post("/sign-in", data=form)
    assert refused.status_code == 403
    assert 'aria-invalid="true" aria-describedby="password-problem"' in refused.text
    assert "That name and password don&#39;t match." in refused.text
    assert "too many tries" not in refused.text
    stranger = client.post("/sign-in", data=form | {"login": "nobody"})
    assert "That name and password don&#39;t match." in stranger.text
    for _ in range(5):
        last = client.post("/sign-in", data=form)
    again = client.post("/sign-in", data=form | {"login": "nobody"})
    assert "After too many tries, wait a few minutes" in last.text
    assert "After too many tries, wait a few minutes" in again.text, "whether a name is somebody's is not told"


def test_a_session_that_ends_is_foretold_and_can_be_kept(house: House) -> None:
    client = house.as_("manager")
    assert 'data-session="900"' in client.get("/account").text
    house.clock.add(14 * MINUTE)
    assert client.get("/session").json() == {"seconds": 60}
    house.clock.add(30 * SECOND)
    assert client.get("/session").json() == {"seconds": 30}, "asking does not keep it"
    assert client.get("/shell").status_code == 200
    assert client.get("/session").json() == {"seconds": 30}
    assert client.post("/session").json() == {"seconds": 900}
    house.clock.add(16 * MINUTE)
    assert client.get("/session").status_code == 401


def test_the_head_has_the_rooms_clock_day_and_shift(shared: House) -> None:
    page = shared.as_("manager").get("/shell").text
    assert "data-clock" in page
    assert " shift</span>" in page
    assert 'data-follows="waiting"' in page
    assert "data-follows" not in shared.as_("dealer").get("/shell").text


def test_today_links_to_where_each_thing_is_done(shared: House) -> None:
    page = shared.as_("accounting").get("/today").text
    for title in ("Tables", "Jackpots", "Approvals", "Alerts", "Count", "Escrow"):
        assert f"<h2>{title}</h2>" in page
    for path in ("/floor#approvals-title", "/floor#hits-title", "/floor#alarms-title", "/office/jackpots"):
        assert f'href="{path}"' in page


def demo_of(path: Path) -> TestClient:
    room = Room(path, hashing=cheap(), limits=SessionLimits(idle=10**15, longest=10**15))
    app = create_app(room, Listening(demo=True))
    return TestClient(app, base_url="http://127.0.0.1", follow_redirects=False)


def test_the_demo_has_a_button_for_each_role_that_works_again_and_again(house: House) -> None:
    house.room.close()
    client = demo_of(house.room.path)
    try:
        page = client.get("/demo").text
        for role in PEOPLE_ROLES:
            assert f"http://{role}.localhost/demo/{role}" in page
            for _ in range(2):
                assert client.post(f"/demo/{role}").headers["location"] == HOMES[role]
                assert client.get("/api/v1/me").json()["roles"] == [role]
        ribbon = client.get("/account").text
        assert "You are A-administrator, Administrator." in ribbon
        assert "data-session" not in ribbon, "nobody is warned of an end that does not come"
        hosted = client.get("/demo/dealer", headers={"host": "dealer.localhost"})
        assert hosted.status_code == 303
        assert client.get("/demo", headers={"host": "elsewhere.localhost"}).status_code == 421
        assert client.post("/demo/console").headers["location"] == "/tap"
        assert client.post("/demo/king").status_code == 404
        foreign = client.post("/demo/dealer", headers={"origin": "http://elsewhere.example"})
        assert foreign.status_code == 403
    finally:
        client.app.state.room.close()  # type: ignore[attr-defined]


def test_no_other_room_has_a_demos_door(shared: House) -> None:
    assert shared.browser().get("/demo").status_code == 404
    assert shared.browser().post("/demo/manager").status_code == 404
    assert shared.browser().get("/", headers={"host": "manager.localhost"}).status_code == 421
    assert "/demo" not in shared.browser().get("/sign-in").text
    assert listening_problems(Listening(demo=True, host="0.0.0.0", behind_proxy=True))  # noqa: S104
