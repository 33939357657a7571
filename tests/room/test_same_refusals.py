"""Issue 16, shown by: a room of each kind with all five games is set up over HTTP and at the terminal, with the same refusals."""

from __future__ import annotations

import datetime
import json
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
from pitboss.games import all_games
from pitboss.room.people.people import SetPerson
from pitboss.room.room import Room
from pitboss.rules import Game
from pitboss.server.app import create_app
from pitboss.table import default_configuration
from pitboss.table.configuration import toml_text
from pitboss.tabulator import TABLES
from tests.docs.console import run_pitboss
from tests.server.making import ADDRESS, PASSWORD, cheap, command, sign_in

ROLES = {"Mia": "manager", "Lee": "accounting", "Sue": "supervisor"}
ZONE = ZoneInfo("America/Los_Angeles")
KINDS = [(profile, year) for profile in ("wa-commercial", "wa-tribal") for year in (2016, 2026)]
PAPERS = {
    "wa-commercial": ("internal-controls",),
    "wa-tribal": ("tga", "state-concurrence", "appendix-a-18"),
}
Step = tuple[str, dict[str, Any], str, str]


def papers(profile: str, day: datetime.date) -> list[dict[str, str]]:
    return [{"kind": kind, "number": f"{kind[:3]}-1", "day": day.isoformat()} for kind in PAPERS[profile]]


def plain_text(game: Game, day: datetime.date, profile: str, **changed: Any) -> str:
    usual = default_configuration(game, day, profile).as_dict() | changed
    return toml_text({name: value for name, value in usual.items() if name not in ("jackpots", "equipment")})


def steps_of(game: Game, table: str, day: datetime.date, profile: str) -> list[Step]:
    """What a careless operator asks for at a table, one after another, until it is open or cannot be."""
    other = "wa-tribal" if profile == "wa-commercial" else "wa-commercial"
    usual = default_configuration(game, day, profile)
    setup = {"table": table, "game": game.name, "model": "none", "seats": usual.seats, "profile": profile}
    past = day - datetime.timedelta(days=30)
    post, set_up = ("tables/post", "Mia", "Lee"), ("tables/set-up", "Mia", "Lee")
    return [
        ("tables/open", {"table": table}, "Sue", "Mia"),
        (post[0], {"table": table, "configuration": "game = 'poker'", "words": "new"}, *post[1:]),
        (post[0], {"table": table, "configuration": plain_text(game, day, profile, seats=99), "words": "n"}, *post[1:]),
        (post[0], {"table": table, "configuration": plain_text(game, day, profile), "words": "new"}, "Mia", "Mia"),
        (post[0], {"table": table, "configuration": usual.canonical, "words": "with its jackpots"}, *post[1:]),
        (post[0], {"table": table, "configuration": plain_text(game, day, profile), "words": "new"}, *post[1:]),
        (set_up[0], {"setup": setup | {"model": "andromeda-9"}, "words": "new"}, *set_up[1:]),
        (set_up[0], {"setup": setup | {"seats": 8}, "words": "new"}, *set_up[1:]),
        (set_up[0], {"setup": setup, "words": "new"}, *set_up[1:]),
        ("tables/open", {"table": table}, "Sue", "Mia"),
        ("tables/record-approval", {"table": table, "game": game.name, "papers": papers(other, past)}, "Mia", "Lee"),
        ("tables/open", {"table": table}, "Sue", "Mia"),
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


def at_the_terminal(path: Path, name: str, fields: dict[str, Any], person: str, second: str) -> tuple[str, ...]:
    typed = ["do", str(path), name, json.dumps(fields), "--person", person, "--role", ROLES[person]]
    ran = run_pitboss([*typed, "--approved-by", second, "--json"])
    bullets = [line.removeprefix("  • ") for line in ran.printed.splitlines() if line.startswith("  • ")]
    assert (ran.exit_code == 0) == (not bullets), ran.printed
    return tuple(bullets)


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
    monkeypatch.setattr(import_module("pitboss.odds.edges"), "house_edges", lambda _: {})


SAME_PERSON = "second person"


def told_alike(http: tuple[str, ...], terminal: tuple[str, ...]) -> bool:
    """True if both doors refuse with the same words; who approves their own request is told so by each in its place."""
    if any(SAME_PERSON in text for text in terminal):
        return len(http) > 0
    return http == terminal


@pytest.mark.usefixtures("wide")
@pytest.mark.parametrize(("profile", "year"), KINDS)
def test_shown_by_a_room_of_each_kind_set_up_by_http_and_at_the_terminal_is_refused_in_the_same_words(
    profile: str, year: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    day = datetime.date(year, 11, 16)
    now = microseconds(datetime.datetime.combine(day, datetime.time(12), ZONE))
    for name in ("http", "terminal"):
        make_room(tmp_path / name, lambda: now)
    # The attribute of the package is a module that is loaded later.
    monkeypatch.setattr(import_module("pitboss.cli.room.tables"), "Room", partial(Room, clock=lambda: now))
    refused: dict[str, int] = {}
    with Room(tmp_path / "http", clock=lambda: now, hashing=cheap()) as room:
        http = Http(room)
        for number, game in enumerate(all_games(), start=1):
            for place, step in enumerate(steps_of(game, str(number), day, profile)):
                ours, theirs = http.do(*step), at_the_terminal(tmp_path / "terminal", *step)
                assert told_alike(ours, theirs), "\n".join(
                    map(str, (game.name, place, step[0], *ours, "----", *theirs))
                )
                refused[game.name] = refused.get(game.name, 0) + bool(ours)
        lives = {name: record.life for name, record in room.state.of(TABLES).tables.items()}
    with Room(tmp_path / "terminal", clock=lambda: now) as room:
        assert lives == {name: record.life for name, record in room.state.of(TABLES).tables.items()}
    # Where the document demands equipment a table without any stays shut; the others are open.
    demands = {str(number) for number, game in enumerate(all_games(), 1) if game.approval.equipment_required}
    assert {"open"} == {life for name, life in lives.items() if name not in demands}
    assert all(count >= 7 for count in refused.values()), refused
