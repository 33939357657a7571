"""Small constructors for the tests of the server: a room that is served, people of every role, browsers."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from argon2 import PasswordHasher
from fastapi import FastAPI
from fastapi.testclient import TestClient

from pitboss.books import Entry
from pitboss.commands.command import BOOK, SYSTEM_ACTOR
from pitboss.room.people.passwords import Hashing
from pitboss.room.people.people import SetDevice, SetPerson
from pitboss.room.people.roles import DEVICE_KINDS, PEOPLE_ROLES
from pitboss.room.room import Room
from pitboss.server.app import create_app
from pitboss.server.settings import Listening
from tests.books.making import START

ADDRESS = "http://127.0.0.1"
PASSWORD = "a horse, a kingdom, a staple"  # noqa: S105 - of people who live in tests alone
PIN = "4711"
SECOND = 1_000_000
MINUTE = 60 * SECOND
_NUMBERS = itertools.count(1)


class Clock:
    """A clock that stands until a test moves it."""

    def __init__(self) -> None:
        self.now = START

    def __call__(self) -> int:
        return self.now

    def add(self, microseconds: int) -> None:
        self.now += microseconds


def cheap() -> Hashing:
    """Hashes that cost nothing, for tests that are not about their cost."""
    return Hashing(PasswordHasher(time_cost=1, memory_cost=8, parallelism=1))


def command() -> str:
    """A command id of its own."""
    return f"test-{next(_NUMBERS)}"


class House:
    """A room that is served, with a person of every role and a device of every kind."""

    def __init__(
        self,
        path: Path,
        listening: Listening | None = None,
        tokens: dict[str, str] | None = None,
        *,
        stands_by: bool = False,
    ) -> None:
        self.clock = Clock()
        self.room = Room(path, clock=self.clock, hashing=cheap(), stands_by=stands_by)
        self.app: FastAPI = create_app(self.room, listening)
        self.tokens = tokens or {}

    @property
    def access(self) -> Any:
        return self.room.access

    def add_person(self, login: str, *roles: str, name: str | None = None) -> str:
        value = SetPerson(login=login, name=name or login.capitalize(), roles=roles, active=True, first=True)
        self.access.set_person(value, SYSTEM_ACTOR, id=command())
        self.access.set_password(login, PASSWORD, SYSTEM_ACTOR)
        return login

    def add_device(self, name: str, what: str, table: str = "4") -> str:
        value = SetDevice(name=name, what=what, table=table, active=True, first=True)
        self.access.set_device(value, SYSTEM_ACTOR, id=command())
        return name

    def fill(self) -> None:
        for role in PEOPLE_ROLES:
            self.add_person(f"a-{role}", role)
        for kind in DEVICE_KINDS:
            self.add_device(f"the {kind}", kind)
            self.tokens[kind] = self.access.make_token(f"the {kind}", SYSTEM_ACTOR)

    def browser(self) -> TestClient:
        """A browser of its own, in which nobody has signed in."""
        return TestClient(self.app, base_url=ADDRESS, follow_redirects=False, client=("192.0.2.7", 50_000))

    def as_(self, role: str) -> TestClient:
        """A client that is signed in, or speaks for a device, and sends its token with everything."""
        client = self.browser()
        if role in self.tokens:
            client.headers["authorization"] = f"Bearer {self.tokens[role]}"
        elif role != "anyone":
            sign_in(client, f"a-{role}")
        return client

    def console(self, name: str) -> TestClient:
        """A browser that is enrolled as a device."""
        client = self.browser()
        code = self.access.make_link(name, "enrol", SYSTEM_ACTOR)
        answer = client.post(f"/links/{code}")
        assert answer.status_code == 303, answer.text
        with_csrf(client)
        return client

    def entries(self, *kinds: str) -> list[Entry]:
        found = self.room.books.store.entries(BOOK)
        return [each for each in found if not kinds or each.kind in kinds]


def sign_in(client: TestClient, login: str, password: str = PASSWORD) -> None:
    answer = client.post("/sign-in", data={"login": login, "password": password})
    assert answer.status_code == 303, answer.text
    with_csrf(client)


def with_csrf(client: TestClient) -> None:
    client.headers["x-csrf-token"] = client.get("/api/v1/me").json()["csrf"]


@contextmanager
def served(path: Path, listening: Listening | None = None, tokens: dict[str, str] | None = None) -> Iterator[House]:
    house = House(path, listening, tokens)
    try:
        yield house
    finally:
        house.room.close()


def landed(answer: Any) -> str:
    """Return where a form led, without the number of the entry that its message names."""
    return re.sub(r"entry=\d+&", "", answer.headers["location"])
