"""Running the demo: the room is made where there is none, served in this process, and played by others."""

from __future__ import annotations

import datetime
import secrets
import subprocess
import sys
import uuid
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from pitboss.books import RefusedError, StoreError
from pitboss.commands.command import SYSTEM_ACTOR
from pitboss.demo.children import Children
from pitboss.demo.room import DemoRoom, default_path, deposit, folder_of, is_free, path_problems, read_room
from pitboss.games import find_game
from pitboss.jackpot import HITS, Hit, HitState
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
    demo, children = read_room(datetime.datetime.now(tz=datetime.UTC).date()), Children(folder_of(path))

    def ready(room: Room, address: str) -> None:
        deposit(room, demo.person("accounting"), demo.person("manager"), _command)
        _start(children, demo, room, address)
        for line in welcome_lines(demo, room, address, _make_welcome(demo, room)):
            tell(line)

    try:
        serve(path, listening, tell, ready)
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


def _make_welcome(demo: DemoRoom, room: Room) -> Welcome:
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


class Welcome(NamedTuple):
    """One-time links by role, the dealer's PIN, and a link that makes a browser the console of a table."""

    links: Mapping[str, str]
    pin: str
    console: str
    console_table: str


def welcome_lines(demo: DemoRoom, room: Room, address: str, welcome: Welcome) -> Iterator[str]:
    """Yield what to open, who can come in by which link, and what waits to be done."""
    yield f"{room.name} is served at {address}"
    yield f"  Its data is in {room.path}; Ctrl-C ends it, and the next start goes on from there."
    yield ""
    yield "To look at, without signing in:"
    yield f"  {'front page':<34} {address}/"
    for table in demo.tables:
        title = find_game(table.configuration.game).title
        yield f"  {f'table {table.name}, {title}':<34} {address}/tables/{table.name}/vision"
    yield ""
    yield "To sign in, each link once (start again for new ones):"
    for role, code in welcome.links.items():
        name = demo.person(role).name
        yield f"  {f'{role}: {name}':<34} {address}/links/{code}"
    yield ""
    yield "Dealer's consoles, for a dealer, supervisor or manager who has signed in:"
    for table in demo.tables:
        by_hand = "" if table.device else "   (wagers are entered by hand here)"
        yield f"  {f'table {table.name}':<34} {address}/tables/{table.name}/console{by_hand}"
    dealt = demo.dealt["name"]
    yield f"  {f'table {dealt}, dealt by Pitboss':<34} {address}/tables/{dealt}/play   (play money)"
    dealer, table_name = demo.person("dealer").name, welcome.console_table
    yield f"Or make a browser the console of table {table_name}, once; PIN of {dealer}: {welcome.pin}"
    yield f"  {'console':<34} {address}/links/{welcome.console}"
    yield from _waiting(demo, room)


def _waiting(demo: DemoRoom, room: Room) -> Iterator[str]:
    for hit in room.state.of(HITS).open.values():
        if hit.state is HitState.CALLED:
            prizes = ", ".join(f"seat {won.seat} has {won.row}" for won in hit.won)
            yield ""
            yield f"Waiting for a supervisor: hit {hit.number} at table {hit.table}, {prizes}{_cards(demo, hit)}."


def _cards(demo: DemoRoom, hit: Hit) -> str:
    """The cards that lie there, where the hit is one that the demo has begun with."""
    for data in demo.data["hits"]:
        if (data["jackpot"], data["row"], data["ends"]) == (hit.jackpot, hit.won[0].row, "called"):
            return f" ({data['cards']})"
    return ""
