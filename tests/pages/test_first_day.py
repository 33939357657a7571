"""The first day: an empty room is set up in the browser, and a path says what is missing until nothing is."""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from pitboss.books import ROOM, RefusedError, RoomSettings, read_value, write_value
from pitboss.books.store.migrate import create_store
from pitboss.commands import By
from pitboss.commands.command import SYSTEM_ACTOR
from pitboss.jackpot.escrow import SendDeposit
from pitboss.room.people.access import Secrets
from pitboss.room.people.people import SetPerson
from pitboss.room.room import Room
from pitboss.server.app import create_app
from pitboss.server.pages.layout import is_started
from pitboss.server.views.office.room import start_view
from pitboss.tabulator import SetUpTable, TableSetup
from tests.books.making import START
from tests.doors import doors_of
from tests.pages.room import TCP, CardRoom, card_room, jackpot, meter
from tests.pages.tables import ALL_SEVEN, LEE, MAX, ask, tables_room
from tests.server.making import ADDRESS, PASSWORD, Clock, cheap, command, sign_in, with_csrf

SHIFTS = {"shift": ["day", "night", "", ""], "begins": ["06:00", "18:00", "", ""]}
NEW = {"room": "Cedar River", "time_zone": "America/Los_Angeles", "operator": "Cedar LLC", "licence": "67-00001"}
NOBODY = Secrets(frozenset(), frozenset(), frozenset())


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("first") / "room"
    create_store(path)
    return path


@pytest.fixture(scope="module")
def room(store: Path) -> Iterator[Room]:
    with Room(store, clock=Clock(), hashing=cheap()) as found:
        yield found


@pytest.fixture(scope="module")
def administrator(room: Room) -> TestClient:
    client = TestClient(create_app(room), base_url=ADDRESS, follow_redirects=False)
    client.headers["accept"] = "text/html"
    code = room.access.first_link()
    answer = client.post(f"/links/{code}", data={"password": PASSWORD, "again": PASSWORD})
    assert answer.headers["location"] == "/office/start"
    with_csrf(client)
    return client


def missing(page: str) -> list[str]:
    return re.findall(r'<li class="missing">(.*?)</li>', page)


def test_an_empty_room_says_that_everything_is_missing(administrator: TestClient) -> None:
    page = administrator.get("/office/start").text
    assert "Setup: 0 of 9 done. Next: Room details." in page
    assert "<span>Setup</span></a>" in administrator.get("/office/people").text
    assert len(missing(page)) == 12
    assert "Accounting, who approves jackpots and money that a manager requests" in page


def test_a_room_is_made_once_and_every_problem_with_it_is_told(room: Room, administrator: TestClient) -> None:
    """O-07: what was typed stays; nothing is written that is wrong."""
    wrong = {"room": "Cedar River", "time_zone": "Mars", "shift": ["day", "day"], "begins": ["06:00", "noon"]}
    answer = administrator.post("/office/room", data={"command": command(), **wrong})
    assert (answer.status_code, room.state.of(ROOM)) == (409, None)
    assert all(each in answer.text for each in ("noon", "Mars", 'value="Cedar River"')), answer.text
    empty = administrator.post("/office/room", data={"command": command(), "room": "", "time_zone": ""})
    assert (empty.status_code, "Fill in the name of the room" in empty.text) == (409, True)
    made = administrator.post("/office/room", data={"command": command(), **NEW, **SHIFTS})
    assert made.headers["location"] == "/office/start"
    assert room.name == "Cedar River"
    calendar = room.state.of(ROOM)
    assert calendar is not None
    settings = calendar.history[0][1]
    assert (settings.operator, settings.licence, len(settings.shifts)) == ("Cedar LLC", "67-00001", 2)
    assert read_value(RoomSettings, write_value(settings)) == settings
    assert "Setup: 1 of 9 done. Next: People." in administrator.get("/office/start").text


def test_later_the_day_changes_from_a_future_day_on_and_never_today(room: Room, administrator: TestClient) -> None:
    """G-30, O-07: a day that has begun keeps its bounds; name and zone stay."""
    calendar = room.state.of(ROOM)
    assert calendar is not None
    today = calendar.gambling_day(datetime.datetime.fromtimestamp(START / 1_000_000, datetime.UTC))
    said = {"command": command(), "shift": ["early", "late"], "begins": ["05:00", "17:00"], "since": str(today)}
    refused = administrator.post("/office/room", data=said)
    assert (refused.status_code, "has begun, name a later one" in refused.text) == (409, True)
    assert re.search(r'name="since"[^>]*aria-invalid="true" aria-describedby="since-problem"', refused.text), (
        "at the field"
    )
    said |= {"command": command(), "since": str(today + datetime.timedelta(days=3))}
    assert administrator.post("/office/room", data=said).headers["location"] == "/office/room?told=changed"
    after = room.state.of(ROOM)
    assert after is not None
    assert after.settings_on(today) == calendar.settings_on(today)
    assert after.settings_on(today + datetime.timedelta(days=3)).shifts[0][0] == "early"
    page = administrator.get("/office/room").text
    assert page.index(">Active<") < page.index(">Scheduled<")


def test_g_57_another_name_or_zone_is_refused(room: Room) -> None:
    other = RoomSettings(room="Other", time_zone="UTC", shifts=(("day", datetime.time(6)),))
    before = room.state.sequence
    with pytest.raises(RefusedError, match="stay") as refused:
        doors_of(room).setting.set(other, None, command=command(), actor="Ann")
    assert (len(refused.value.problems), room.state.sequence) == (3, before)


def test_people_who_approve_each_other_are_missing_until_they_have_passwords(
    room: Room, administrator: TestClient
) -> None:
    """T-06, G-49, P-05."""
    for login, role in (("max", "manager"), ("lee", "accounting"), ("sue", "supervisor"), ("dan", "dealer")):
        person = SetPerson(login=login, name=login.capitalize(), roles=(role,), active=True, first=True)
        room.access.set_person(person, By("Administrator", "administrator"), id=command())
    found = missing(administrator.get("/office/start").text)
    assert "A sign-in link for Max, Lee, Sue, to choose a password" in found
    assert not any("second person" in each for each in found)
    for login in ("max", "lee", "sue"):
        room.access.set_password(login, PASSWORD, SYSTEM_ACTOR)
    found = missing(administrator.get("/office/start").text)
    assert "A console PIN, which is chosen by Dan" in found
    room.access.set_pin("dan", "4711", SYSTEM_ACTOR)
    assert "People<span" in administrator.get("/office/start").text
    assert start_view(room.state, room.secrets(), room.clock()).steps[1].is_done


def test_devices_are_registered_enrolled_and_taken_away(room: Room, administrator: TestClient) -> None:
    """J-08, E-08: a display is registered where it stands, and known by a link or a token that is told once."""
    wrong = administrator.post("/office/devices", data={"command": command(), "kind": "console", "name": " "})
    assert (wrong.status_code, "stands at a table" in wrong.text) == (409, True)
    for kind, name in (("screen", "screen 4"), ("console", "console 4"), ("sign", "sign 4")):
        said = {"command": command(), "kind": kind, "name": name, "table": "4"}
        added = administrator.post("/office/devices", data=said)
        assert (added.status_code, "/links/" in added.text) == ((303, False) if kind == "sign" else (200, True))
    page = administrator.post("/office/devices/screen 4/link", data={"command": command()}).text
    link = re.search(r"<code[^>]*>\S+(/links/\S+)</code>", page)
    assert link is not None
    browser = TestClient(create_app(room), base_url=ADDRESS, follow_redirects=False)
    assert browser.post(link[1]).headers["location"] == "/tables/4/vision"
    page = administrator.post("/office/devices/screen 4/token", data={"command": command()}).text
    assert re.search(r"<code[^>]*>\S{40,}</code>", page)
    assert "Browser, Token" in administrator.get("/office/devices").text
    administrator.post("/office/devices/screen 4/remove", data={"command": command()})
    assert not room.access.people.devices["screen 4"].active
    assert administrator.post("/office/devices/none/link").status_code == 404


def test_a_manager_sees_what_he_does_himself(room: Room) -> None:
    client = TestClient(create_app(room), base_url=ADDRESS, follow_redirects=False)
    sign_in(client, "max")
    client.headers["accept"] = "text/html"
    page = client.get("/office/start").text
    assert "Add a jackpot</a>" in page
    assert "Administrator does this" in page


def test_a_room_that_has_counted_wagers_has_no_first_day(tmp_path: Path) -> None:
    """The path goes from the navigation; it is worked out from the books alone."""
    with card_room(tmp_path / "room") as found:
        assert isinstance(found, CardRoom)
        assert not is_started(found.room.state, lambda: NOBODY, found.room.clock())
        view = start_view(found.room.state, NOBODY, found.room.clock())
        told = "\n".join(each for step in view.steps for each in step.missing)
        assert "Table 7: a display players can see" in told
        assert "starting amount" not in told
        assert "Final Four Jackpot: its starting amount is at the bank" in {
            each for step in view.steps for each in step.there
        }
        assert not start_view(found.room.state, NOBODY, found.room.clock()).is_over
        found.press("4", final_four=[1, 2])
        assert start_view(found.room.state, NOBODY, found.room.clock()).is_over
        assert is_started(found.room.state, lambda: NOBODY, found.room.clock())


def test_no_rule_code_stands_inside_a_sentence_of_setup(room: Room, administrator: TestClient) -> None:
    """Seen: "(REGULATION O-16, P-04; G-15)" in the text; the codes stand behind an info mark."""
    setup = TableSetup(table="4", game="three-card-prime", model="none", seats=7)
    by = By("Max", "manager", By("Lee", "accounting"))
    room.do(SetUpTable(setup=setup, words="new"), by, id=command())
    page = administrator.get("/office/start").text
    assert "no licensed maker or distributor is on the register: must be confirmed" in page
    assert "<span>REGULATION O-16, P-04; G-15</span></details>" in page
    assert not re.search(r"\((REGULATION )?[A-Z]{1,4}-[0-9]+", page), re.findall(r".{30}\([A-Z]+-[0-9]+", page)


def test_i17_8_displays_and_consoles_of_several_tables_are_added_in_one_press_with_all_their_links(
    administrator: TestClient,
) -> None:
    fields = {"kind": ["screen", "console", "screen"], "name": ["S 8", "C 8", " "], "table": ["8", "8", "9"]}
    page = administrator.post("/office/start/devices", data={"command": command(), **fields}).text
    assert "<h1>Setup</h1>" in page
    links = re.findall(r'<code id="(handed-secret[-0-9]*)">\S+/links/\S+</code>', page)
    assert links == ["handed-secret", "handed-secret-2"], "and the third, without a name, is refused"
    assert page.count("QR code of the link for") == 2
    again = administrator.post(
        "/office/start/devices", data={"command": command(), **{k: v[:1] for k, v in fields.items()}}
    )
    assert again.text.count("QR code of the link for") == 1, "what is there gets another link"


def test_a_request_that_waits_hides_no_other_deposit_of_setup(tmp_path: Path) -> None:
    """Seen: while one confirmation waited, no other deposit could be marked as received."""
    with tables_room(tmp_path / "room") as found:
        for name, table in (("first", "2"), ("second", "3")):
            new = jackpot(name, TCP, ALL_SEVEN, "A7P-2", meter(25_000_00), table)
            doors_of(found.room).jackpots.define(
                new, words="approved", command=command(), actor=MAX.name, approved_by=LEE.name
            )
            sent = found.room.do(SendDeposit(name=name, cents=100_00), LEE, id=command())
            entry = sent.entries[-1].sequence
            if name == "first":
                ask(found, "jackpots/deposit-arrived", MAX, name=name, sequence=entry, reference="B 1")
        steps = start_view(found.room.state, NOBODY, found.room.clock()).steps
        escrow = next(step for step in steps if step.title == "Escrow")
        assert [action.label.partition(" the")[0] for action in escrow.actions] == [
            "Review Max Adeyemi's request",
            "Mark",
        ]
        assert [action.address.partition("?")[0] for action in escrow.actions][1:] == ["/office/jackpots/second"]
