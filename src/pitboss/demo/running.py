"""Running the demo: the room is made where there is none, served in this process, and played by others."""

from __future__ import annotations

import datetime
import secrets
import subprocess
import sys
import uuid
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from pitboss.books import RefusedError, StoreError
from pitboss.commands.command import SYSTEM_ACTOR
from pitboss.demo.children import Children
from pitboss.demo.room import DemoRoom, default_path, deposit, folder_of, is_free, path_problems, read_room
from pitboss.jackpot import HITS, Hit, HitState
from pitboss.room.people.passwords import pin_problems
from pitboss.room.people.vault import SessionLimits
from pitboss.room.room import Room
from pitboss.rules import full_words
from pitboss.server.run import serve
from pitboss.server.settings import Listening, listening_problems

Tell = Callable[[str], None]
_YEAR = 365 * 24 * 60 * 60 * 1_000_000
_LIMITS = SessionLimits(idle=_YEAR, longest=_YEAR, longest_at_table=_YEAR)
"""Nobody who tries the demo is signed out for thinking."""


def run_demo(path: Path | None, listening: Listening, tell: Tell) -> None:
    """Serve the demo room until somebody ends it, with devices and screens; another start goes on where it was."""
    path = path or default_path()
    problems = [*path_problems(path), *listening_problems(listening)]
    if problems:
        raise RefusedError(problems)
    if is_free(path):
        tell(f"Making the demo room in {path} (about 10 seconds) ...")
        make_room(path)
    demo, children = read_room(datetime.datetime.now(tz=datetime.UTC).date()), Children(folder_of(path))

    def ready(room: Room, address: str) -> DemoPin:
        deposit(room, demo.person("accounting"), demo.person("manager"), _command)
        _start(children, demo, room, address)
        pin = _set_pin(demo, room)
        for line in welcome_lines(demo, room, address):
            tell(line)
        return pin

    try:
        serve(path, replace(listening, demo=True), tell, ready, _LIMITS)
    finally:
        children.end()


def make_room(path: Path) -> None:
    """Make the room in another process: a server never loads what makes a store."""
    process = subprocess.run(  # noqa: S603 - our own program
        [sys.executable, "-m", "pitboss.demo.history", str(path)], capture_output=True, text=True, check=False
    )
    if process.returncode:
        last = process.stderr.strip().rpartition("\n")[2]
        raise StoreError(f"the demo room could not be made in {path}: {last}")


def _command() -> str:
    return f"demo-{uuid.uuid4().hex}"


def _start(children: Children, demo: DemoRoom, room: Room, address: str) -> None:
    """Make new tokens for devices and screens, and start them: nobody has the old ones any more."""
    screens = {}
    for table in demo.tables:
        if table.device:
            token = room.access.make_token(table.device, SYSTEM_ACTOR, id=_command())
            options = {"--table": table.name, "--seats": table.setup.seats, "--sensors": len(table.setup.wagers)}
            children.start_device(table.device, address, token, options)
        if table.display.make != "sign":
            token = room.access.make_token(table.display.name, SYSTEM_ACTOR, id=_command())
            screens[table.name] = token
    children.start_screens(address, screens)


class DemoPin(NamedTuple):
    """The PIN with which a dealer taps in at the console of a table."""

    table: str
    dealer: str
    pin: str


def _set_pin(demo: DemoRoom, room: Room) -> DemoPin:
    """Choose a PIN for the dealer of the first table; the demo's page shows it."""
    table, pin = demo.tables[0], _new_pin()
    room.access.set_pin(demo.login("dealer"), pin, SYSTEM_ACTOR)
    return DemoPin(table.name, demo.person("dealer").name, pin)


def _new_pin() -> str:
    while True:
        pin = f"{secrets.randbelow(10_000):04d}"
        if not pin_problems(pin):
            return pin


def welcome_lines(demo: DemoRoom, room: Room, address: str) -> Iterator[str]:
    """Yield where to begin, how to stop, and what waits to be done."""
    yield f"{room.name} is running. Open {address}/demo and choose a role."
    yield f"Data: {room.path}. Press Ctrl-C to stop; the next start picks up where you left off."
    yield from _waiting(demo, room)


def _waiting(demo: DemoRoom, room: Room) -> Iterator[str]:
    for hit in room.state.of(HITS).open.values():
        if hit.state is HitState.CALLED:
            prizes = ", ".join(f"seat {won.seat}, {full_words(won.row)}" for won in hit.won)
            yield f"Waiting for a supervisor: jackpot {hit.number}, table {hit.table}, {prizes}{_cards(demo, hit)}."


def _cards(demo: DemoRoom, hit: Hit) -> str:
    """The cards that lie there, where the hit is one that the demo has begun with."""
    for data in demo.data["hits"]:
        if (data["jackpot"], data["row"], data["ends"]) == (hit.jackpot, hit.won[0].row, "called"):
            return f" ({data['cards']})"
    return ""
