"""The simulated year's room, made ready to be looked at: who works there, a table set up, a hit and a dispute; served.

`python -m benchmarks.pages_room DIR` serves it on a free port, by a clock that begins an hour after the last entry.
"""

from __future__ import annotations

import secrets
import sys
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

from tests.doors import doors_of

from benchmarks.year_room import CLERK, GAME, MANAGER, PAYTABLE, SUPERVISOR, WAGER_NAME
from pitboss.books import Directory
from pitboss.commands import By
from pitboss.commands.command import SYSTEM_ACTOR
from pitboss.jackpot import JACKPOTS, Claim
from pitboss.room.configurations import configuration_at
from pitboss.room.disputes import DISPUTES, RoundStatement
from pitboss.room.hit_index import HIT_INDEX
from pitboss.room.people.people import SetPerson
from pitboss.room.room import Room
from pitboss.server.app import create_app
from pitboss.server.run import Serving
from pitboss.server.run import _config as served_by
from pitboss.server.settings import Listening
from pitboss.tabulator import TableSetup, sensors_for

__all__ = ["BOOK", "TABLE", "Ready", "clock_after", "prepared"]

BOOK, TABLE, NAME, MODEL = "room", "1", "east", "andromeda-3c"
_ROLES = ("dealer", "supervisor", "surveillance", "accounting", "manager")
_HOUR = 3_600_000_000
_EXAMPLE = Path(__file__).parents[1] / "examples" / "four-card-prime.toml"
_SEAT = {"seat": 2, "cards": ["As", "Ah", "Kd", "Qd", "2c"], "wagers": {"ante-raise": 5_00}, "decisions": {"raise": 1}}
_ROUND = RoundStatement([_SEAT], ["9s", "9h", "4d", "3c", "2h", "7d"], {})


class Ready(NamedTuple):
    """What pages need to be asked for: who signs in, the hits that are known, the last entry and its instant."""

    login: str
    password: str
    hits: tuple[int, ...]
    head: int
    recorded: int


def clock_after(path: Path) -> Callable[[], int]:
    """A clock that goes as clocks go, from an hour after the last entry on."""
    with closing(Directory(path).open_store(write=False)) as store:
        head = store.head(BOOK)
    assert head is not None
    begun, begins = time.monotonic_ns(), head.recorded + _HOUR
    return lambda: begins + (time.monotonic_ns() - begun) // 1_000


def _configuration() -> str:
    """The example of the game, with the jackpot that the year is played with: it must agree with it to open (G-53)."""
    text = _EXAMPLE.read_text(encoding="utf-8").partition("[jackpots]")[0].replace("milky-way", MODEL)
    jackpot = f'[jackpots.{WAGER_NAME}]\npaytables = ["{PAYTABLE}"]\nmeter = "10000.00"\n'
    return f'{text}[jackpots]\ntype = "progressive"\n\n{jackpot}'


def _post(room: Room, made: str) -> None:
    """Post a configuration at a table, which comes into force at once."""
    doors_of(room).posted.post(TABLE, _configuration(), command=f"{made}-post", actor=CLERK)
    if configuration_at(room.state, TABLE) is None:
        raise SystemExit("the configuration of the table did not open")


def _set_up(room: Room, made: str) -> None:
    """Give the table equipment, open it, and settle a dispute."""
    doors = doors_of(room)
    sensors = sensors_for(MODEL, 7, [WAGER_NAME], lights=[WAGER_NAME])
    setup = TableSetup(table=TABLE, game=GAME, model=MODEL, seats=7, device="device 1", sensors=sensors)
    doors.tables.set_up(setup, words="new", command=f"{made}-set", by=MANAGER, approved_by=SUPERVISOR.name)
    doors.tables.open(TABLE, command=f"{made}-open", by=SUPERVISOR)
    doors.tables.change_dealer(TABLE, "Dan Wu", command=f"{made}-dealer", by=SUPERVISOR)
    words = "the Raise was not paid"
    doors.disputes.settle(TABLE, _ROUND, words=words, round_number=0, command=f"{made}-dispute", by=SUPERVISOR)


def _play(room: Room, made: str) -> None:
    """Press, and call what was won."""
    last = room.state.of(JACKPOTS).last_round(TABLE)
    number = 1 if last is None else last.round + last.rounds
    doors_of(room).jackpots.tabulate(TABLE, number, {NAME: [2, 3]}, command=f"{made}-press", actor="table 1")
    claim, dealer = [Claim(3, "Four of a kind")], By("Dan Wu", "dealer")
    doors_of(room).hits.call(NAME, TABLE, claim, command=f"{made}-call", by=dealer)


def prepared(path: Path) -> Ready:
    """Add what pages show besides jackpots to a room; one that has it gets somebody new who signs in."""
    password, made = secrets.token_urlsafe(16), f"pages-{secrets.token_hex(4)}"
    with Room(path, clock=clock_after(path)) as room:
        person = SetPerson(login=made, name=f"Page {made}", roles=_ROLES, active=True, first=True)
        room.access.set_person(person, SYSTEM_ACTOR, id=made)
        room.access.set_password(made, password, SYSTEM_ACTOR)
        if not room.state.of(DISPUTES):
            _post(room, made)
            _play(room, made)
            _set_up(room, made)
        state, hits = room.state, room.state.of(HIT_INDEX)
        return Ready(made, password, tuple(sorted(hits)), state.sequence, state.recorded)


def main() -> None:
    """Serve a room until the process is ended; says its port in one line."""
    path = Path(sys.argv[1])
    listening = Listening(port=0)
    with Room(path, clock=clock_after(path)) as room:
        app = create_app(room, listening)
        Serving(served_by(app, listening), app, lambda port: print(port, flush=True)).run()


if __name__ == "__main__":
    main()
