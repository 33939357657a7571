"""Running the demo: the room is made where there is none, served in this process, and played by others."""

from __future__ import annotations

import datetime
import secrets
import subprocess
import sys
import uuid
from collections.abc import Callable
from pathlib import Path

from pitboss.books import RefusedError, StoreError
from pitboss.commands.command import SYSTEM_ACTOR
from pitboss.demo.children import Children
from pitboss.demo.office import deposit
from pitboss.demo.places import default_path, is_free, path_problems
from pitboss.demo.room import DemoRoom, read_room
from pitboss.demo.telling import Welcome, welcome_lines
from pitboss.room.people.passwords import pin_problems
from pitboss.room.people.roles import PEOPLE_ROLES
from pitboss.room.room import Room
from pitboss.server.run import serve
from pitboss.server.settings import Listening

Tell = Callable[[str], None]


def run_demo(path: Path | None, listening: Listening, tell: Tell) -> None:
    """Serve the demo room until somebody ends it, with devices and screens; another start goes on where it was."""
    path = path or default_path()
    problems = path_problems(path)
    if not listening.is_loopback or listening.certificate is not None:
        problems.append("--demo is for this computer alone: without a certificate, on a host such as 127.0.0.1")
    if problems:
        raise RefusedError(problems)
    if is_free(path):
        tell(f"Making the demo room in {path} ...")
        make_room(path)
    demo, children = read_room(datetime.datetime.now(tz=datetime.UTC).date()), Children()

    def ready(room: Room, address: str) -> None:
        deposit(room, demo.person("accounting"), _command)
        _start(children, demo, room, address)
        for line in welcome_lines(demo, room, address, _welcome(demo, room)):
            tell(line)

    try:
        serve(path, listening, tell, ready)
    finally:
        children.end()


def make_room(path: Path) -> None:
    """Make the room in another process: a server never loads what makes a store."""
    made = subprocess.run(  # noqa: S603 - our own program
        [sys.executable, "-m", "pitboss.demo.building", str(path)], capture_output=True, text=True, check=False
    )
    if made.returncode:
        last = made.stderr.strip().rpartition("\n")[2]
        raise StoreError(f"the demo room could not be made in {path}: {last}")


def _command() -> str:
    return f"demo-{uuid.uuid4().hex}"


def _start(children: Children, demo: DemoRoom, room: Room, address: str) -> None:
    """Give devices and screens new tokens, and start them: nobody knows the old ones any more."""
    screens = {}
    for table in demo.tables:
        if table.device:
            token = room.access.make_token(table.device, SYSTEM_ACTOR, id=_command())
            children.start_device(room.path, table, address, token)
        if table.display.make != "sign":
            token = room.access.make_token(table.display.name, SYSTEM_ACTOR, id=_command())
            screens[table.name] = token
    children.start_screens(room.path, address, screens)


def _welcome(demo: DemoRoom, room: Room) -> Welcome:
    """Make a link for each role, a PIN for the dealer, and a link that makes a browser a console."""
    access, logins = room.access, {role: demo.login(role) for role in PEOPLE_ROLES}
    pin = _new_pin()
    access.set_pin(logins["dealer"], pin, SYSTEM_ACTOR)
    table = demo.tables[0]
    return Welcome(
        links={role: access.make_link(login, "sign-in", SYSTEM_ACTOR) for role, login in logins.items()},
        pin=pin,
        console=access.make_link(table.console, "enrol", SYSTEM_ACTOR),
        console_table=table.name,
    )


def _new_pin() -> str:
    while True:
        pin = f"{secrets.randbelow(10_000):04d}"
        if not pin_problems(pin):
            return pin
