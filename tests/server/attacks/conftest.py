"""The room that is attacked, one for each position, and what must hold after every try."""

from __future__ import annotations

import datetime
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from pitboss.books import microseconds_now
from pitboss.books.audit import check_books
from pitboss.books.store.directory import Directory
from pitboss.books.store.migrate import create_books
from pitboss.commands.command import SYSTEM_ACTOR
from pitboss.room.projections import INVARIANTS, PROJECTIONS
from tests.books.making import settings
from tests.programs import quick_folder
from tests.server.attacks.target import MEGABYTES_MAX, SECONDS_MAX, Target
from tests.server.making import PIN, served
from tests.server.running import running
from tests.server.test_api import DEVICE, Evening


class Made(NamedTuple):
    """The room as it is before anybody has tried anything, with the tokens and links in it."""

    path: Path
    tokens: dict[str, str]
    links: dict[str, str]


@pytest.fixture(scope="session")
def made_room() -> Iterator[Made]:
    """A room at work, filled once for all positions."""
    with tempfile.TemporaryDirectory(dir=quick_folder(), prefix="pitboss-") as folder:
        path = Path(folder) / "room"
        create_books(path, settings(), person="Ada", since=datetime.date(2026, 1, 1))
        with served(path) as house:
            house.clock.now = microseconds_now()
            house.fill()
            Evening(house)
            house.access.set_pin("a-dealer", PIN, SYSTEM_ACTOR)
            house.add_device("the other console", "console", table="5")
            consoles = ("the console", "the other console")
            links = {name: house.access.make_link(name, "enrol", SYSTEM_ACTOR) for name in consoles}
            tokens = {DEVICE: house.access.make_token(DEVICE, SYSTEM_ACTOR), **house.tokens}
        yield Made(path, tokens, links)


@pytest.fixture(scope="module")
def target(made_room: Made) -> Iterator[Target]:
    """A server of a copy of the room; after all that was tried its books are sound."""
    with tempfile.TemporaryDirectory(dir=quick_folder(), prefix="pitboss-") as folder:
        path = Path(shutil.copytree(made_room.path, Path(folder) / "room"))
        with running(path) as server:
            found = Target(server, made_room.tokens, made_room.links, path)
            found.person("auditor")
            badge = found.message(type="dealer", dealer="A-dealer")
            del badge["sensors"]
            assert found.device.post("/api/v1/devices/messages", json=badge).json()["status"] == "noted"
            assert found.press(sensors=[[1, 1]])["status"] == "counted"
            yield found
            report = check_books(Directory(path), projections=PROJECTIONS, invariants=INVARIANTS)
            assert [*report.damages, *report.findings] == []


@pytest.fixture(autouse=True)
def unharmed(target: Target) -> Iterator[None]:
    """Whatever is tried: the server goes on, answers others at once, and has not grown."""
    before = target.megabytes
    yield
    begun = target.seconds
    assert target.nobody.get("/healthz").status_code == 200
    assert target.seconds - begun < SECONDS_MAX
    assert target.megabytes - before < MEGABYTES_MAX
