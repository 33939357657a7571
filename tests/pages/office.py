"""The example room of the reports, served: two gambling days in its books, and people of the back office."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pitboss.commands.command import SYSTEM_ACTOR
from pitboss.room.people.people import SetPerson
from pitboss.room.room import Room
from tests.doors import Slides, executor_of
from tests.pages.room import CardRoom
from tests.reports.making import Clock, at
from tests.reports.sample import NEXT, make_sample
from tests.server.making import PASSWORD, cheap, command

PEOPLE = {
    "max": ("Max Adeyemi", "manager"),
    "lee": ("Lee Sato", "accounting"),
    "nia": ("Nia Ford", "accounting"),
    "una": ("Una Reyes", "auditor"),
    "ann": ("Ann Kato", "administrator"),
}


@contextmanager
def office_room(path: Path) -> Iterator[CardRoom]:
    """Open the example room in the afternoon of its second day."""
    make_sample(path)
    with Room(path, clock=Clock(at(NEXT, 16)), hashing=cheap()) as room:
        add_people(room)
        # This clock moves with every look at it, however long a test takes: nobody is idle by it.
        room.access.sessions._monotonic = lambda: 0
        yield CardRoom(room, Slides(executor_of(room.books, room.clock)))


def add_people(room: Room) -> None:
    """Let the people of the back office work in a room."""
    for login, (name, role) in PEOPLE.items():
        person = SetPerson(login=login, name=name, roles=(role,), active=True, first=True)
        room.access.set_person(person, SYSTEM_ACTOR, id=command())
        room.access.set_password(login, PASSWORD, SYSTEM_ACTOR)
