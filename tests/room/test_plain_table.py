"""Item 10: a table without a jackpot, a sensor or equipment sets up, opens, has its display, dealer and log, and counts nothing."""

from __future__ import annotations

import datetime
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from pitboss.books import RoomSettings
from pitboss.books.audit import check_books
from pitboss.books.store.migrate import create_books
from pitboss.commands import By
from pitboss.commands.command import SYSTEM_ACTOR
from pitboss.games import find_game
from pitboss.papers.posting import review_papers, unposted
from pitboss.reports import REPORTS
from pitboss.room.agreement import disagreements
from pitboss.room.people.people import SetPerson
from pitboss.room.posted_papers import PostPapers
from pitboss.room.projections import INVARIANTS, PROJECTIONS
from pitboss.room.room import Room
from pitboss.room.settings import gambling_day_of
from pitboss.server.app import create_app
from pitboss.server.views.office.room import start_view
from pitboss.table import default_configuration
from pitboss.table.configuration import toml_text
from pitboss.tabulator import TABLES, ChangeDealer, TableSetup
from pitboss.tabulator.setup import setup_problems
from tests.docs.console import run_pitboss
from tests.jackpot.making import DW, FCP, STC, TCP, TDP
from tests.pages.room import NAME
from tests.server.making import ADDRESS, PASSWORD, Clock, cheap, command, landed, sign_in

DAY = datetime.date(2026, 11, 16)
PLAIN = (TCP, DW, FCP, TDP)
PEOPLE = {"max": "manager", "lee": "accounting", "sue": "supervisor", "dan": "dealer", "vic": "surveillance"}


def plain_text(game: str) -> str:
    """The configuration of a table that offers the wagers of a game and no jackpot."""
    usual = default_configuration(find_game(game), DAY).as_dict()
    return toml_text({name: value for name, value in usual.items() if name not in ("jackpots", "equipment")})


def plain_setup(game: str, table: str) -> TableSetup:
    return TableSetup(table=table, game=game, model="none", seats=default_configuration(find_game(game), DAY).seats)


@pytest.fixture
def room(tmp_path: Path) -> Iterator[Room]:
    settings = RoomSettings(room=NAME, time_zone="America/Los_Angeles", shifts=(("day", datetime.time(6, 0)),))
    create_books(tmp_path / "room", settings, person="Ada", since=datetime.date(2026, 1, 1))
    with Room(tmp_path / "room", clock=Clock(), hashing=cheap()) as found:
        for login, role in PEOPLE.items():
            person = SetPerson(login=login, name=login.capitalize(), roles=(role,), active=True, first=True)
            found.access.set_person(person, SYSTEM_ACTOR, id=command())
            found.access.set_password(login, PASSWORD, SYSTEM_ACTOR)
        found.access.set_pin("dan", "4711", SYSTEM_ACTOR)
        yield found


class Api:
    """People who ask and approve over the HTTP interface."""

    def __init__(self, room: Room) -> None:
        self.room, self.app = room, create_app(room)
        self.clients: dict[str, TestClient] = {}

    def client(self, login: str) -> TestClient:
        if login not in self.clients:
            self.clients[login] = TestClient(self.app, base_url=ADDRESS, follow_redirects=False)
            sign_in(self.clients[login], login)
        return self.clients[login]

    def do(self, name: str, login: str, second: str = "", **fields: Any) -> None:
        answer = self.client(login).post(f"/api/v1/{name}", json={"command": command(), **fields})
        assert answer.status_code in (200, 202), answer.text
        if second:
            number = answer.json()["approval"]
            given = self.client(second).post(f"/api/v1/approvals/{number}/give", json={"command": command()})
            assert given.status_code == 200, given.text

    def page(self, login: str, address: str) -> str:
        answer = self.client(login).get(address, headers={"accept": "text/html"})
        assert answer.status_code == 200, answer.text
        return answer.text


def opened(room: Room, games: tuple[str, ...] = PLAIN) -> Api:
    api = Api(room)
    for number, game in enumerate(games, start=1):
        table = str(number)
        api.do("tables/post", "max", "lee", table=table, configuration=plain_text(game), words="new table")
        setup = {"table": table, "game": game, "model": "none", "seats": plain_setup(game, table).seats}
        api.do("tables/set-up", "max", "lee", setup=setup, words="new table")
        papers = [{"kind": "internal-controls", "number": "IC-26-1", "day": "2026-10-01"}]
        api.do("tables/record-approval", "max", "lee", table=table, game=game, papers=papers)
        api.do("tables/open", "sue", "max", table=table)
    return api


@pytest.mark.parametrize("game", PLAIN)
def test_item_10_a_table_without_equipment_need_not_count_anything(game: str) -> None:
    assert setup_problems(plain_setup(game, "1"), DAY) == []


def test_item_10_equipment_that_counts_nothing_is_still_refused() -> None:
    setup = TableSetup(table="1", game=TCP, model="milky-way", seats=6)
    assert [str(problem) for problem in setup_problems(setup, DAY)] == [
        "sensors: a tabulator counts a wager at least (TCP Appendix G, Bet Tabulator)"
    ]
    assert [problem.path for problem in setup_problems(plain_setup(STC, "1"), DAY)] == ["model"]


def play(api: Api, table: str, rounds: int = 3) -> None:
    api.room.do(ChangeDealer(table=table, dealer="Dan"), By("Sue", "supervisor"), id=command())
    for _ in range(2 * rounds):
        api.do("tables/press", "dan", table=table)
        api.room.clock.add(60_000_000)  # type: ignore[attr-defined]


def test_item_10_it_is_set_up_opened_dealt_at_and_closed_over_the_api(room: Room) -> None:
    api = opened(room)
    for number, _ in enumerate(PLAIN, start=1):
        table = str(number)
        play(api, table)
        record = room.state.of(TABLES).tables[table]
        assert (record.rounds_counted, record.wagers_counted, record.round) == (3, 0, 3)
        api.do("tables/void", "sue", "vic", table=table, round=2, cause="misdeal", words="a card too many")
        api.do("tables/close", "sue", table=table)
        assert room.state.of(TABLES).tables[table].life == "closed"
    report = check_books(room.books.directory, projections=PROJECTIONS, invariants=INVARIANTS)
    assert report.is_sound, report.findings


def test_item_10_the_first_day_of_a_room_without_jackpots_is_done_when_its_tables_are_open(room: Room) -> None:
    api = opened(room, (TCP,))
    review_papers(room)
    papers = unposted(room.state, "1", gambling_day_of(room.state, room.clock()))
    room.do(PostPapers(table="1", papers=papers), By("Sue", "supervisor"), id=command())
    view = start_view(room.state, room.secrets(), room.clock())
    assert {step.title: step.missing for step in view.steps if not step.is_done} == {}
    assert "Setup: 9 of 9 done." in api.page("max", "/office/start")


def test_item_10_a_jackpot_that_is_configured_is_still_missing_on_the_first_day(room: Room) -> None:
    api = Api(room)
    usual = default_configuration(find_game(TCP), DAY)
    api.do("tables/post", "max", "lee", table="1", configuration=usual.canonical, words="new table")
    view = start_view(room.state, room.secrets(), room.clock())
    jackpots = next(step for step in view.steps if step.title == "Jackpots")
    assert jackpots.missing == ("A progressive or a Bonus jackpot",)


def test_item_10_its_display_has_pay_tables_limits_and_notices_and_no_meter(room: Room) -> None:
    api = opened(room)
    for number, game in enumerate(PLAIN, start=1):
        page = api.page("max", f"/tables/{number}/vision")
        assert find_game(game).title in page
        assert "Maximum four wagers per player" in page
        assert 'class="panel paytable"' in page
        assert 'class="meter"' not in page


def test_item_10_its_console_follows_rounds_and_asks_for_no_wagers(room: Room) -> None:
    api = opened(room, (TCP,))
    room.do(ChangeDealer(table="1", dealer="Dan"), By("Sue", "supervisor"), id=command())
    page = api.page("dan", "/tables/1/console")
    assert "Deal a round" in page
    for words in ("Tabulate", "Tap each seat", "Report a jackpot", "Equipment problem"):
        assert words not in page
    api.do("tables/press", "dan", table="1")
    assert "Next round" in api.page("dan", "/tables/1/console")
    assert "Void a round" in api.page("sue", "/tables/1/console")


def test_item_10_every_page_about_it_is_there(room: Room) -> None:
    api = opened(room, (TCP,))
    play(api, "1")
    for address in (
        "/floor",
        "/floor/displays",
        "/office/tables",
        "/office/tables/1",
        "/office/audit?table=1",
        "/office/jackpots",
    ):
        api.page("max", address)
    page = api.page("max", "/office/tables/1")
    assert "no jackpot wagers" in page
    assert "If equipment fails" not in page.partition("Replace")[0]


def test_item_10_reports_the_packet_and_the_audit_accept_it_at_the_terminal(room: Room) -> None:
    api = opened(room, (TCP,))
    play(api, "1")
    path = str(room.books.directory.path)
    room.close()
    for name in REPORTS:
        ran = run_pitboss(["report", name, path])
        assert ran.exit_code == 0, ran.printed
    assert run_pitboss(["audit", path]).exit_code == 0
    shown = run_pitboss(["tables", "show", path, "--table", "1"])
    assert shown.exit_code == 0
    assert "counts nothing" in shown.printed


def test_item_10_it_is_set_up_and_opened_by_the_terminal(tmp_path: Path) -> None:
    """In a room without people, which takes names at the terminal (G-71)."""
    path, file = str(tmp_path / "new"), tmp_path / "plain.toml"
    settings = RoomSettings(room=NAME, time_zone="America/Los_Angeles", shifts=(("day", datetime.time(6, 0)),))
    create_books(tmp_path / "new", settings, person="Ada", since=datetime.date(2026, 1, 1))
    post = {"table": "9", "configuration": plain_text(TCP), "words": "new table"}
    posted = run_pitboss(
        ["do", path, "tables/post", json.dumps(post), "--person", "Max", "--role", "manager", "--approved-by", "Lee"]
    )
    assert posted.exit_code == 0, posted.printed
    seats = plain_setup(TCP, "9").seats
    file.write_text(f'table = "9"\ngame = "{TCP}"\nmodel = "none"\nseats = {seats}\n')
    two = ["--person", "Max", "--approved-by", "Lee"]
    floor = ["--person", "Sue", "--approved-by", "Max"]
    paper = "internal-controls=IC-26-014:2026-10-01"
    for typed in (
        ["check", str(file)],
        ["set-up", path, str(file), *two, "--reason", "new"],
        ["record-approval", path, "9", "--paper", paper, *two],
        ["open", path, "9", *floor],
        ["dealer", path, "9", "Dan", "--person", "Sue"],
        ["press", path, "9", "--person", "Dan"],
    ):
        ran = run_pitboss(["tables", *typed])
        assert ran.exit_code == 0, ran.printed
    assert run_pitboss(["audit", path]).exit_code == 0


def test_item_10_a_dispute_about_its_round_is_settled(room: Room) -> None:
    api = opened(room, (TCP,))
    play(api, "1")
    form = {"table": "1", "round": "2", "words": "the player had a flush", "seat": ["1"]}
    page = api.client("sue").get("/floor/disputes/new", params=form, headers={"accept": "text/html"})
    assert page.status_code == 200, page.text
    fields: dict[str, Any] = {"table": "1", "round": 2, "words": "the player had a flush", "board": ["9s", "9h", "4d"]}
    seat = {"seat": 1, "cards": ["Ad", "Kd", "Qd", "Jd"], "wagers": {"ante-play": 2000}, "decisions": {"play": True}}
    api.do("floor/dispute", "sue", **fields, seats=[seat])


def test_item_10_a_configuration_with_a_jackpot_disagrees_with_a_table_that_counts_nothing(room: Room) -> None:
    opened(room, (TCP,))
    usual = default_configuration(find_game(TCP), DAY)
    told = [str(problem) for problem in disagreements(room.state, "1", usual)]
    assert told == [
        f"jackpots.{wager}: the table is set up to count nothing, and a jackpot's wagers are counted: set it up anew"
        " (TCP Appendix G, Bet Tabulator)"
        for wager in usual.jackpots
    ]


def test_item_10_it_is_set_up_on_its_page_where_nothing_is_asked_about_equipment(room: Room) -> None:
    api = Api(room)
    api.do("tables/post", "max", "lee", table="1", configuration=plain_text(TCP), words="new table")
    page = api.page("max", "/office/tables/1")
    assert "Wagers the dealer enters" in page
    assert "Tabulator name" not in page
    found = re.search(r'name="hash" value="([^"]+)"', page)
    assert found is not None
    fields = {"command": command(), "hash": found[1], "words": "new"}
    answer = api.client("max").post("/office/tables/1/set-up", data=fields, headers={"accept": "text/html"})
    assert landed(answer) == "/office/tables/1?told=waits", answer.text
    (number,) = room.approvals.waiting
    room.approvals.give(number, name="Lee", roles=frozenset({"accounting"}), id=command())
    assert room.state.of(TABLES).tables["1"].setup.counts_nothing


def test_item_10_lines_for_a_sign_at_it_are_its_limits_and_notices(room: Room) -> None:
    opened(room, (TCP,))
    path = str(room.books.directory.path)
    room.close()
    ran = run_pitboss(["vision", "export", path, "1", "--text"])
    assert ran.exit_code == 0, ran.printed
    assert "Maximum four wagers per player" in ran.printed
