"""A company's rooms in one PostgreSQL database: each is served, pressed at, audited, copied and taken over by itself."""

from __future__ import annotations

import datetime
import json
import shutil
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from typing import NamedTuple

import pytest
from fastapi.testclient import TestClient

from pitboss.books import LEDGER, Directory
from pitboss.books.audit import check_books
from pitboss.books.store.directory import Database
from pitboss.books.store.migrate import create_books
from pitboss.commands import By
from pitboss.commands.command import SYSTEM_ACTOR
from pitboss.company.pages import create_company_app
from pitboss.company.password import Door
from pitboss.company.reading import Rooms
from pitboss.company.settings import Company, RoomAddress
from pitboss.room.copying import copy_room
from pitboss.room.projections import INVARIANTS, PROJECTIONS
from pitboss.room.room import room_name, room_zone
from pitboss.server.settings import Listening
from pitboss.tabulator import ChangeDealer
from tests.books.making import START, settings
from tests.books.test_uncertain import eventually
from tests.cli.running import run
from tests.server.making import PASSWORD, House, command, sign_in
from tests.server.test_api import Evening
from tests.server.test_company import bridge

pytestmark = pytest.mark.xdist_group("postgresql")
ROUNDS, SECONDS = 6, 30


class Tenant(NamedTuple):
    """What a room in the database is: where its books are, its name, its zone and what kind of room it is."""

    schema: str
    name: str
    zone: str
    profile: str


TENANTS = (
    Tenant("cedar_river", "Cedar River", "America/Los_Angeles", "wa-commercial"),
    Tenant("pine_ridge", "Pine Ridge", "America/Denver", "wa-tribal"),
)


@pytest.fixture
def evenings(database: str, quick_path: Path) -> Iterator[list[Evening]]:
    """Two rooms of one database, each with its people and an open jackpot."""
    with ExitStack() as stack:
        found = []
        for tenant in TENANTS:
            path = quick_path / tenant.schema
            said = settings(room=tenant.name, time_zone=tenant.zone)
            since, place = datetime.date(2026, 1, 1), Database(database, tenant.schema)
            create_books(path, said, person="Ada", since=since, database=place, clock=lambda: START - 1_000_000)
            house = House(path, stands_by=True)
            stack.callback(house.room.close)
            house.fill()
            found.append(Evening(house, tenant.profile))
            house.room.do(ChangeDealer(table="4", dealer="A-dealer"), By("A-dealer", "dealer"), id=command())
        yield found


def press_all(evenings: list[Evening], rounds: int = ROUNDS) -> None:
    """Play rounds in every room at once, each by a thread of its own and with another number of seats."""

    def play(number: int) -> list[str]:
        presses = [range(1, 3 + number), ()] * rounds
        return [evenings[number].press(*seats)["status"] for seats in presses]

    with ThreadPoolExecutor() as pool:
        assert [["counted", "released"] * rounds] * len(evenings) == list(pool.map(play, range(len(evenings))))


def test_two_rooms_of_one_database_play_at_once_each_with_its_zone_profile_people_and_books(
    evenings: list[Evening], tmp_path: Path
) -> None:
    before = [evening.shown for evening in evenings]
    press_all(evenings)
    for number, (evening, tenant) in enumerate(zip(evenings, TENANTS, strict=True)):
        room = evening.house.room
        assert evening.shown == before[number] + ROUNDS * (2 + number) * 173_000
        assert (room_name(room.state), str(room_zone(room.state))) == (tenant.name, tenant.zone)
        assert evening.is_sound()
    one, other = (evening.house for evening in evenings)
    # Who has a password in one room is nobody in the other.
    one.add_person("only-here", "manager")
    sign_in(one.browser(), "only-here")
    assert other.browser().post("/sign-in", data={"login": "only-here", "password": PASSWORD}).status_code == 403
    assert other.room.access.vault.secret("only-here", "password") is None
    for house, tenant in zip((one, other), TENANTS, strict=True):
        report = run(f"report malfunctions {house.room.path}")
        assert (report.exit_code, tenant.name in report.output) == (0, True)
        assert run(f"audit {house.room.path}").exit_code == 0
        found = json.loads(run(f"doctor {house.room.path} --port 0 --json").output)["findings"]
        assert not {finding["check"] for finding in found} & {"store-settings", "store-guards", "store-durability"}
    _company_page(evenings, tmp_path)


def _company_page(evenings: list[Evening], tmp_path: Path) -> None:
    """The page of the company over the servers of both rooms."""
    with ExitStack() as stack:
        addresses = []
        for evening in evenings:
            house, file = evening.house, tmp_path / room_name(evening.house.room.state)
            file.write_text(house.access.make_terminal_token("a-auditor", SYSTEM_ACTOR))
            addresses.append(RoomAddress(name=file.name, url=stack.enter_context(bridge(house)), token_file=file))
        rooms = Rooms(Company(name="Three Rivers", rooms=tuple(addresses)))
        stack.callback(rooms.close)
        rooms.read_all()
        page = TestClient(create_company_app(rooms, Door(None), Listening()), base_url="http://127.0.0.1").get("/").text
        assert "2</b> <span>of 2 rooms answering" in page
        for evening, tenant in zip(evenings, TENANTS, strict=True):
            cents = evening.house.room.state.of(LEDGER)["main"].meter_state.displayed_cents
            answer = rooms.readings[tenant.name].answer
            assert answer is not None
            assert (answer["zone"], answer["jackpots"][0]["displayed_cents"]) == (tenant.zone, cents)
            assert tenant.name in page
            assert f"${cents / 100:,.2f}" in page


def test_one_room_is_backed_up_copied_and_moved_while_the_other_plays_on(
    evenings: list[Evening], database: str, quick_path: Path
) -> None:
    press_all(evenings, 3)
    cedar, pine = evenings
    source, backup, said = cedar.house.room.path, quick_path / "cedar.backup", "--person Dora --reason x --no-head x"
    for typed in (
        f"backup {source} {backup}",
        f"restore {backup} {quick_path / 'restored'} {said} --postgres '{database}' --schema cedar_restored",
        f"audit {quick_path / 'restored'}",
    ):
        done = run(typed)
        assert done.exit_code == 0, (typed, done.output)
    cedar.house.room.close()
    out, back = quick_path / "sqlite", quick_path / "back"
    done = run(f"store copy {source} {out}")
    assert done.exit_code == 0, done.output
    into_another = run(f"store copy {out} {quick_path / 'wrong'} --postgres '{database}' --schema pine_ridge")
    assert into_another.exit_code == 2
    assert "schema pine_ridge is not empty" in " ".join(into_another.output.split())
    done = run(f"store copy {out} {back} --postgres '{database}' --schema cedar_moved")
    assert done.exit_code == 0, done.output
    again = copy_room(back, quick_path / "again", None, lambda *_: None)
    assert pine.press(1)["status"] == "counted"
    assert pine.is_sound()
    for path in (source, out, back, quick_path / "again"):
        assert check_books(Directory(path), projections=PROJECTIONS, invariants=INVARIANTS).is_sound
    assert again.vault["secrets"] > 3
    house = House(back)
    try:
        sign_in(house.browser(), "a-manager")
        assert house.room.state.of(LEDGER)["main"].meter_state.displayed_units == cedar.shown
    finally:
        house.room.close()


def test_the_second_server_of_one_room_takes_over_while_the_other_room_presses(evenings: list[Evening]) -> None:
    cedar, pine = evenings
    path = shutil.copytree(cedar.house.room.path, cedar.house.room.path.with_name("other"))
    standby = House(path, None, cedar.house.tokens, stands_by=True)
    try:
        roles = [evening.house.room.role for evening in evenings]
        assert (roles, standby.room.role) == (["leader", "leader"], "standby")
        press_all(evenings, 3)
        assert eventually(lambda: standby.room.state.sequence == cedar.house.room.state.sequence)
        cedar.house.room.close()
        assert eventually(lambda: standby.room.role == "leader", SECONDS)
        assert pine.press(1, 2, 3)["status"] == "counted"
        assert pine.house.room.role == "leader"
        standby.clock.now = cedar.house.clock.now
        cedar.device = _device(standby, cedar)
        cedar.house = standby
        assert cedar.press(1)["status"] in ("counted", "released")
        assert all(evening.is_sound() for evening in evenings)
    finally:
        standby.room.close()


def _device(house: House, evening: Evening) -> TestClient:
    device = house.browser()
    device.headers["authorization"] = evening.device.headers["authorization"]
    return device
