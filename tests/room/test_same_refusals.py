"""Issue 16, shown by: a room of each kind with all five games is set up by forms, HTTP and terminal, with the same refusals.

The forms are those of the rendered pages, found by where they are sent, filled by the names of their fields and
submitted whole; what a form cannot say (a model that no configuration has) is asked for by the other two alone.
"""

from __future__ import annotations

import datetime
import json
import re
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from fastapi.testclient import TestClient

from pitboss.books import RoomSettings, microseconds
from pitboss.books.store.migrate import create_books
from pitboss.cli import output
from pitboss.commands.command import SYSTEM_ACTOR
from pitboss.games import all_games, find_game
from pitboss.room.configurations import configuration_at
from pitboss.room.people.people import SetPerson
from pitboss.room.room import Room, tables_of
from pitboss.rules import Game
from pitboss.server.app import create_app
from pitboss.server.worker import pool
from pitboss.table import default_configuration, read_configuration
from pitboss.table.configuration import toml_text
from pitboss.tabulator import TABLES
from tests.docs.console import run_pitboss
from tests.pages.form_filling import PageForm, form_to, forms_of, words_of
from tests.server.making import ADDRESS, PASSWORD, cheap, command, sign_in
from tests.server.test_terminal import keep

ROLES = {"Mia": "manager", "Lee": "accounting", "Sue": "supervisor"}
ZONE = ZoneInfo("America/Los_Angeles")
KINDS = [(profile, year) for profile in ("wa-commercial", "wa-tribal") for year in (2016, 2026)]
PAPERS = {
    "wa-commercial": ("internal-controls",),
    "wa-tribal": ("tga", "state-concurrence", "appendix-a-18"),
}
Step = tuple[str, dict[str, Any], str, str]


def papers(profile: str, day: datetime.date, number: str = "") -> list[dict[str, str]]:
    return [{"kind": kind, "number": number or f"{kind[:3]}-1", "day": day.isoformat()} for kind in PAPERS[profile]]


def plain_text(game: Game, day: datetime.date, profile: str, **changed: Any) -> str:
    usual = default_configuration(game, day, profile).as_dict() | changed
    return toml_text({name: value for name, value in usual.items() if name not in ("jackpots", "equipment")})


def steps_of(game: Game, table: str, day: datetime.date, profile: str) -> list[Step]:
    """What a careless operator asks for at a table, one after another, until it is open or cannot be."""
    other = "wa-tribal" if profile == "wa-commercial" else "wa-commercial"
    usual = default_configuration(game, day, profile)
    setup = {"table": table, "game": game.name, "model": "none", "seats": usual.seats, "profile": profile}
    past, later = day - datetime.timedelta(days=30), day + datetime.timedelta(days=30)
    post, set_up = ("tables/post", "Mia", "Lee"), ("tables/set-up", "Mia", "Lee")
    new = {"table": table, "configuration": plain_text(game, day, profile), "setup": setup, "words": "new"}
    broken = {"configuration": plain_text(game, day, profile, seats=99)}
    return [
        ("tables/open", {"table": table}, "Sue", "Mia"),
        ("tables/add", new | {"configuration": "game = 'poker'"}, "Mia", "Lee"),
        ("tables/add", new | broken, "Mia", "Lee"),
        ("tables/add", new | {"setup": setup | {"seats": 3}}, "Mia", "Lee"),
        ("tables/add", new | {"papers": papers(profile, day, number="yes")}, "Mia", "Lee"),
        ("tables/add", new | {"papers": papers(profile, later)}, "Mia", "Lee"),
        ("tables/add", new, "Mia", "Mia"),
        ("tables/add", new, "Mia", "Lee"),
        (post[0], {"table": table, **broken, "words": "n"}, *post[1:]),
        (post[0], {"table": table, "configuration": usual.canonical, "words": "with its jackpots"}, *post[1:]),
        (post[0], {"table": table, "configuration": plain_text(game, day, profile), "words": "new"}, *post[1:]),
        (set_up[0], {"setup": setup | {"model": "andromeda-9"}, "words": "new"}, *set_up[1:]),
        (set_up[0], {"setup": setup | {"seats": 8}, "words": "new"}, *set_up[1:]),
        (set_up[0], {"setup": setup, "words": "new", "since": past.isoformat()}, *set_up[1:]),
        (set_up[0], {"setup": setup, "words": "new"}, *set_up[1:]),
        ("tables/open", {"table": table}, "Sue", "Mia"),
        ("tables/record-approval", {"table": table, "game": game.name, "papers": papers(other, past)}, "Mia", "Lee"),
        ("tables/open", {"table": table}, "Sue", "Mia"),
        (
            "tables/record-approval",
            {"table": table, "game": game.name, "papers": papers(profile, day, number="yes")},
            "Mia",
            "Lee",
        ),
        ("tables/record-approval", {"table": table, "game": game.name, "papers": papers(profile, later)}, "Mia", "Lee"),
        ("tables/record-approval", {"table": table, "game": game.name, "papers": papers(profile, past)}, "Mia", "Lee"),
        ("tables/open", {"table": table}, "Sue", "Sue"),
        ("tables/open", {"table": table}, "Sue", "Mia"),
    ]


class Http:
    """People who ask and approve over HTTP, each signed in."""

    def __init__(self, room: Room) -> None:
        app = create_app(room)
        self.clients = {}
        for name in ROLES:
            self.clients[name] = TestClient(app, base_url=ADDRESS, follow_redirects=False)
            sign_in(self.clients[name], name.lower())

    def do(self, name: str, fields: dict[str, Any], person: str, second: str) -> tuple[str, ...]:
        answer = self.clients[person].post(f"/api/v1/{name}", json={"command": command(), **fields})
        if answer.status_code == 202:
            path = f"/api/v1/approvals/{answer.json()['approval']}"
            answer = self.clients[second].post(f"{path}/give", json={"command": command()})
            if answer.status_code >= 400:
                taken_back = self.clients[person].post(f"{path}/refuse", json={"command": command(), "words": "no"})
                assert taken_back.status_code == 200, taken_back.text
        return tuple(answer.json().get("problems", ())) if answer.status_code >= 400 else ()


Refusal = tuple[bool, str]
"""Whether a page refused, and all that it said then."""


class Pages:
    """The same people, who fill in the forms of the pages."""

    def __init__(self, room: Room, day: datetime.date, profile: str) -> None:
        self.room, self.http, self.day, self.profile = room, Http(room), day, profile
        self.begun: dict[str, PageForm] = {}
        self.clients = Http(room).clients
        for client in self.clients.values():
            client.headers["accept"] = "text/html"

    def do(self, name: str, fields: dict[str, Any], person: str, second: str) -> Refusal | None:
        """Ask and approve by forms; nothing where no form can say it: then it is asked for without one."""
        waiting = set(self.room.approvals.waiting)
        found = getattr(self, f"_{name.partition('/')[2].replace('-', '_')}")(fields, self.clients[person])
        if found is None:
            self.http.do(name, fields, person, second)
            return None
        address, sent = found
        answer = self.clients[person].post(address, data=sent)
        if answer.status_code != 303:
            assert answer.status_code in (404, 409), answer.text
            return True, words_of(answer.text)
        pending = set(self.room.approvals.waiting) - waiting
        return self._approved(pending.pop(), fields, person, second) if pending else (False, "")

    def _approved(self, number: int, fields: dict[str, Any], person: str, second: str) -> Refusal:
        table = fields.get("table") or fields["setup"]["table"]
        form = self._form(second, "/give", number, table)
        if form is not None:
            answer = self.clients[second].post(form.action, data=form.filled({}))
            if answer.status_code == 303:
                return False, ""
        back = self._form(person, "/refuse", number, table)
        assert back is not None
        assert self.clients[person].post(back.action, data=back.filled({"words": "no"})).status_code == 303
        return True, "" if form is None else words_of(answer.text)

    def _form(self, person: str, ending: str, number: int, table: str) -> PageForm | None:
        """Find the form by which somebody decides on what waits, wherever a page offers it to them."""
        for page in (f"/office/tables/{table}/asked/{number}", f"/office/tables/{table}", "/floor"):
            for form in forms_of(self.clients[person].get(page).text):
                is_its = ("number", str(number)) in form.values or f"/{number}/" in form.action
                if is_its and form.action.endswith(ending):
                    return form
        return None

    def _add(self, fields: dict[str, Any], client: TestClient) -> tuple[str, dict[str, list[str]]] | None:
        """Fill in the form of a new table, its setup as text; nothing where its form cannot say it."""
        stated = read_configuration(fields["configuration"]).configuration
        if stated is not None and stated.seats not in (99, fields["setup"]["seats"]):
            # The form sets a table up for the seats that its configuration states.
            return None
        form = self._begun(fields["table"], fields["setup"]["game"], client)
        typed = {"text": fields["configuration"], "words": fields["words"], "command": command()}
        for paper in fields.get("papers", ()):
            typed |= {f"number:{paper['kind']}": paper["number"], f"day:{paper['kind']}": paper["day"]}
        return form.action, form.filled(typed, ("do", "ask"))

    def _begun(self, table: str, game: str, client: TestClient) -> PageForm:
        """Begin a table once, turn its form into text and check it, so that the fields of its own papers are there."""
        if table not in self.begun:
            begin = form_to(client.get("/office/tables").text, "/office/tables")
            begun = client.post(begin.action, data=begin.filled({"table": table, "game": game}))
            form = form_to(client.get(begun.headers["location"]).text, "/edit")
            form = form_to(client.post(form.action, data=form.filled({}, ("do", "toml"))).text, "/edit")
            typed = {"text": plain_text(find_game(game), self.day, self.profile)}
            checked = client.post(form.action, data=form.filled(typed, ("do", "check")))
            self.begun[table] = form_to(checked.text, "/edit")
        return self.begun[table]

    def _post(self, fields: dict[str, Any], client: TestClient) -> tuple[str, dict[str, list[str]]] | None:
        if fields["table"] not in tables_of(self.room.state):
            # The page of a new table asks for its papers and equipment too, at once (`tables/add`).
            return None
        form = form_to(client.get(f"/office/tables/{fields['table']}/edit?of={all_games()[0].name}").text, "/edit")
        if "text" not in form.names:
            form = form_to(client.post(form.action, data=form.filled({}, ("do", "toml"))).text, "/edit")
        typed = {"text": fields["configuration"], "words": fields["words"]}
        return form.action, form.filled(typed, ("do", "ask"))

    def _set_up(self, fields: dict[str, Any], client: TestClient) -> tuple[str, dict[str, list[str]]] | None:
        setup = fields["setup"]
        configuration = configuration_at(self.room.state, setup["table"])
        if configuration is None:
            return None
        if (setup["model"], setup["seats"]) != (configuration.equipment or "none", configuration.seats):
            return None
        page = client.get(f"/office/tables/{setup['table']}").text
        form = form_to(page, "/set-up")
        typed = {"words": fields["words"], "since": fields.get("since", ""), "counted": []}
        return form.action, form.filled(typed)

    def _record_approval(self, fields: dict[str, Any], client: TestClient) -> tuple[str, dict[str, list[str]]] | None:
        page = client.get(f"/office/tables/{fields['table']}")
        if page.status_code == 404:
            # A page asks for the papers of a game that is configured there; nothing could be posted.
            return None
        form = form_to(page.text, "/record-approval")
        typed = {f"number:{paper['kind']}": paper["number"] for paper in fields["papers"]}
        typed |= {f"day:{paper['kind']}": paper["day"] for paper in fields["papers"]}
        return (form.action, form.filled(typed)) if set(typed) <= form.names else None

    def _open(self, fields: dict[str, Any], client: TestClient) -> tuple[str, dict[str, list[str]]] | None:
        page = client.get(f"/office/tables/{fields['table']}")
        if page.status_code == 404 or not any(form.action.endswith("/open") for form in forms_of(page.text)):
            return None
        # A greyed button is pressed all the same: whoever has an old page can.
        form = form_to(page.text, "/open")
        return form.action, form.filled({})


def says(page: str, refusal: str) -> bool:
    """True if a page says a refusal: its sentence, whose sources and path may stand apart."""
    sentence = re.sub(r"( \([^()]*\))+$", "", refusal)
    words = sentence if sentence in page else re.sub(r"^(line \d+: )?[-\w. ]+: ", "", sentence)
    return words in page


class Terminal:
    """The same people at a terminal, who sign in there by their own personal token (G-71), one after another."""

    def __init__(self, path: Path, clock: Any, token: Path) -> None:
        self.path, self.token = path, token
        with Room(path, clock=clock, hashing=cheap()) as room:
            self.tokens = {name: room.access.make_terminal_token(name.lower(), SYSTEM_ACTOR) for name in ROLES}

    def do(self, name: str, fields: dict[str, Any], person: str, second: str) -> tuple[str, ...]:
        """Ask with one token and approve with another; a request that is not approved is taken back."""
        asked = ["do", str(self.path), name, json.dumps(fields), "--person", person, "--role", ROLES[person], "--json"]
        printed, bullets = self._typed(person, asked)
        if bullets:
            return bullets
        (request,) = json.loads(printed)["entries"]
        number = str(request["sequence"])
        _, bullets = self._typed(second, ["approve", str(self.path), number])
        if bullets:
            assert not self._typed(person, ["decline", str(self.path), number, "--reason", "no"])[1]
        return bullets

    def _typed(self, person: str, arguments: list[str]) -> tuple[str, tuple[str, ...]]:
        keep(self.token, self.tokens[person])
        ran = run_pitboss(arguments)
        bullets = tuple(line.removeprefix("  • ") for line in ran.printed.splitlines() if line.startswith("  • "))
        assert (ran.exit_code == 0) == (not bullets), ran.printed
        return ran.printed, bullets


def make_room(path: Path, clock: Any) -> None:
    settings = RoomSettings(room="Example", time_zone=str(ZONE), shifts=(("day", datetime.time(6, 0)),))
    create_books(path, settings, person="Ada", since=datetime.date(2016, 1, 1), clock=clock)
    with Room(path, clock=clock, hashing=cheap()) as room:
        for name, role in ROLES.items():
            person = SetPerson(login=name.lower(), name=name, roles=(role,), active=True, first=True)
            room.access.set_person(person, SYSTEM_ACTOR, id=command())
            room.access.set_password(name.lower(), PASSWORD, SYSTEM_ACTOR)


@pytest.fixture
def wide(monkeypatch: pytest.MonkeyPatch) -> None:
    """A terminal that breaks no line, and no odds: whether an edge is below zero is asked elsewhere (G-61)."""
    monkeypatch.setattr(output.errors, "width", 10_000)
    monkeypatch.setattr(import_module("pitboss.odds.results"), "house_edges", lambda _: {})


def told(refusals: tuple[str, ...]) -> list[str]:
    """Return refusals without the number of a request, which is the place of an entry in its own journal."""
    return [re.sub(r"^approval \d+ ", "approval ", refusal) for refusal in refusals]


def clock_on(year: int) -> tuple[datetime.date, Any]:
    day = datetime.date(year, 11, 16)
    now = microseconds(datetime.datetime.combine(day, datetime.time(12), ZONE))
    return day, lambda: now


def lives_in(room: Room) -> dict[str, str]:
    return {name: record.life for name, record in room.state.of(TABLES).tables.items()}


@pytest.fixture
def terminal(year: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Terminal:
    """A room of a year at a terminal, at which people sign in."""
    _, clock = clock_on(year)
    make_room(tmp_path / "terminal", clock)
    # The attribute of the package is a module that is loaded later.
    for module in ("tables", "served"):
        monkeypatch.setattr(import_module(f"pitboss.cli.room.{module}"), "Room", partial(Room, clock=clock))
    monkeypatch.setenv("PITBOSS_TOKEN_FILE", str(tmp_path / "token"))
    return Terminal(tmp_path / "terminal", clock, tmp_path / "token")


@pytest.mark.usefixtures("wide")
@pytest.mark.parametrize(("profile", "year"), KINDS)
def test_shown_by_a_room_of_each_kind_set_up_by_http_and_at_the_terminal_is_refused_in_the_same_words(
    profile: str, year: int, tmp_path: Path, terminal: Terminal
) -> None:
    day, clock = clock_on(year)
    make_room(tmp_path / "http", clock)
    refused: dict[str, int] = {}
    with Room(tmp_path / "http", clock=clock, hashing=cheap()) as room:
        http = Http(room)
        for number, game in enumerate(all_games(), start=1):
            for place, step in enumerate(steps_of(game, str(number), day, profile)):
                ours, theirs = http.do(*step), terminal.do(*step)
                assert told(ours) == told(theirs), (game.name, place, step[0], ours, theirs)
                refused[game.name] = refused.get(game.name, 0) + bool(ours)
        lives = lives_in(room)
    with Room(terminal.path, clock=clock) as room:
        assert lives == lives_in(room)
    # Where the document demands equipment a table without any stays shut; the others are open.
    demands = {str(number) for number, game in enumerate(all_games(), 1) if game.approval.equipment_required}
    assert {"open"} == {life for name, life in lives.items() if name not in demands}
    assert all(count >= 9 for count in refused.values()), refused


@pytest.mark.parametrize(
    ("profile", "year"),
    [
        ("wa-commercial", 2026),
        ("wa-tribal", 2016),
        pytest.param("wa-commercial", 2016, marks=pytest.mark.slow),
        pytest.param("wa-tribal", 2026, marks=pytest.mark.slow),
    ],
)
def test_shown_by_a_room_of_each_kind_set_up_by_the_forms_of_the_pages_is_refused_in_the_same_words(
    profile: str, year: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    day, clock = clock_on(year)
    monkeypatch.setattr(pool.Worker, "ask", lambda *_: pool.Figure("key", "computing"))
    for name in ("http", "pages"):
        make_room(tmp_path / name, clock)
    by_forms = 0
    with (
        Room(tmp_path / "http", clock=clock, hashing=cheap()) as room,
        Room(tmp_path / "pages", clock=clock, hashing=cheap()) as paged,
    ):
        http, pages = Http(room), Pages(paged, day, profile)
        for number, game in enumerate(all_games(), start=1):
            for place, step in enumerate(steps_of(game, str(number), day, profile)):
                refusals, shown = http.do(*step), pages.do(*step)
                if shown is not None:
                    by_forms += shown[0]
                    assert shown[0] == bool(refusals), (game.name, place, step[0], refusals, shown)
                    own = step[2] == step[3]
                    assert own or [] == [text for text in refusals if not says(shown[1], text)], (
                        game.name,
                        place,
                        shown,
                    )
        assert lives_in(room) == lives_in(paged)
    assert by_forms >= 50
