"""A floor to measure: a room with one progressive over all its tables, each with a device and displays; played.

The clients speak HTTP by hand, so that what is measured is the server and not its callers.
"""

from __future__ import annotations

import asyncio
import datetime
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from fractions import Fraction
from pathlib import Path
from typing import IO, NamedTuple
from urllib.parse import quote, urlsplit

from tests.doors import doors_of

from benchmarks.year_room import PAYTABLE
from pitboss.books import RoomSettings, microseconds_now
from pitboss.books.store.directory import database_at
from pitboss.books.store.migrate import create_books
from pitboss.commands import By
from pitboss.jackpot import Jackpot, LinkedTable, offer_of
from pitboss.meters import MeterTerms
from pitboss.room.displays import Display
from pitboss.room.people.people import SetDevice
from pitboss.room.room import Room
from pitboss.tabulator import TableSetup, sensors_for

GAME, WAGER, MODEL, NAME = "four-card-prime", "five-card-jackpot", "andromeda-3c", "main"
BEAT_SECONDS = 8
_PRESS_APART, _EARLIER = 7_000_000, 60 * 60 * 60 * 1_000_000
_PROFILE = "wa-tribal"
"""A room of more than fifteen tables is a tribal one (G-60)."""
_EXAMPLE = Path(__file__).parents[1] / "examples" / "four-card-prime.toml"
_ADMINISTRATOR = By("Ada", "administrator")


class Floor(NamedTuple):
    """The tokens of a floor's devices by table, and those of its displays by name."""

    devices: dict[str, str]
    displays: dict[str, str]

    def table_of(self, display: str) -> str:
        """Return the table at which a display stands."""
        return display.split()[1]


def _jackpot(names: list[str]) -> Jackpot:
    nothing = Fraction(0)
    meter = MeterTerms(
        jackpot_type="progressive",
        wager_cents=100,
        seed_cents=10_000_00,
        reseed_cents=10_000_00,
        display_rate=Fraction("0.173"),
        reserve_rate=nothing,
        cap_cents=None,
        batch_wagers_max=None,
    )
    tables = tuple(LinkedTable(name, GAME, "Benchmark") for name in names)
    return Jackpot(
        name=NAME, offers=(offer_of(GAME, WAGER, PAYTABLE),), meter=meter, tables=tables, display="real-time"
    )


def _configuration() -> str:
    text = _EXAMPLE.read_text(encoding="utf-8").partition("[jackpots]")[0].replace("milky-way", MODEL)
    text = text.replace("wa-commercial", _PROFILE)
    jackpot = f'[jackpots.{WAGER}]\npaytables = ["{PAYTABLE}"]\nmeter = "10000.00"\n'
    return f'{text}[jackpots]\ntype = "progressive"\n\n{jackpot}'


def made(path: Path, tables: int, displays: int, connection: str | None = None) -> Floor:
    """Make the room: every table configured, open and dealt at, every display registered."""
    settings = RoomSettings(room="Benchmark", time_zone="UTC", shifts=(("day", datetime.time(6)),))
    create_books(path, settings, person="Ada", since=datetime.date(2026, 1, 1), database=database_at(connection))
    names = [str(number) for number in range(1, tables + 1)]
    two, by = {"actor": "Ada", "approved_by": "Carla"}, By("Sue", "supervisor")
    floor = Floor({}, {})
    with Room(path) as room:
        doors = doors_of(room)
        doors.jackpots.define(_jackpot(names), words="for a benchmark", command="define", **two)
        for name in names:
            doors.posted.post(name, _configuration(), command=f"post-{name}", actor="Ada")
            sensors = sensors_for(MODEL, 7, [WAGER], lights=[WAGER])
            setup = TableSetup(
                table=name, game=GAME, model=MODEL, seats=7, device=f"device {name}", sensors=sensors, profile=_PROFILE
            )
            doors.tables.set_up(setup, words="new", command=f"set-{name}", by=by, approved_by="Carla")
            floor.devices[name] = _enrolled(room, f"device {name}", "device", name)
        for number in range(displays):
            table = names[number % tables]
            display = f"display {table} {number}"
            doors.displays.register(Display(display, table, "screen", ""), command=f"display-{number}", actor="Ada")
            floor.displays[display] = _enrolled(room, display, "display", table)
        doors.jackpots.open(NAME, words="for a benchmark", command="open", **two)
        for name in names:
            doors.tables.open(name, command=f"open-{name}", by=by)
            doors.tables.change_dealer(name, "Dan", command=f"dealer-{name}", by=by)
    return floor


def _enrolled(room: Room, name: str, what: str, table: str) -> str:
    value = SetDevice(name=name, what=what, table=table, active=True, first=True)
    room.access.set_device(value, _ADMINISTRATOR, id=f"enrol-{name}")
    return room.access.make_token(name, _ADMINISTRATOR)


class Served(NamedTuple):
    """A server that runs: its port, and its process."""

    port: int
    process: subprocess.Popen[str]

    def processor_seconds(self) -> float:
        """Return how long it has used a processor so far, with all its threads."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def waited_seconds(self) -> float:
        """Return how long its threads were ready to run and had no processor, because others had it."""
        tasks = Path(f"/proc/{self.process.pid}/task").iterdir()
        return sum(int((task / "schedstat").read_text(encoding="ascii").split()[1]) for task in tasks) / 1e9


@contextmanager
def served(path: Path, tree: Path, core: int | None, log: IO[bytes] | None = None) -> Iterator[Served]:
    """Serve a room by the sources of a tree, on one core where one is named; what it logs goes to a file."""
    program = "from pitboss.cli.main import main; main()"
    process = subprocess.Popen(  # noqa: S603 - our own program
        [sys.executable, "-c", program, "serve", "--data", str(path), "--port", "0"],
        stdout=subprocess.PIPE,
        stderr=log,
        text=True,
        env={**os.environ, "PYTHONPATH": str(tree / "src"), "PYTHONUNBUFFERED": "1"},
    )
    if core is not None:
        os.sched_setaffinity(process.pid, {core})
    try:
        assert process.stdout is not None
        port = urlsplit(process.stdout.readline().split()[-1]).port
        assert port is not None
        yield Served(port, process)
    finally:
        process.terminate()
        process.wait()


class Caller(asyncio.Protocol):
    """A device or a display: one connection that stays, one request at a time."""

    def __init__(self, token: str) -> None:
        self._head = f"Host: localhost\r\nAuthorization: Bearer {token}\r\n"
        self._answer: asyncio.Future[bytes] | None = None
        self._got = b""
        self._transport: asyncio.Transport | None = None
        self.is_cut = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Keep the connection."""
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport

    def connection_lost(self, exc: Exception | None) -> None:
        """Note that the server has ended it."""
        self._transport, self.is_cut = None, True
        if self._answer is not None and not self._answer.done():
            self._answer.set_exception(exc or ConnectionResetError())

    def data_received(self, data: bytes) -> None:
        """Take an answer when it is whole."""
        self._got += data
        head, found, body = self._got.partition(b"\r\n\r\n")
        if not found or self._answer is None:
            return
        lines = head.lower().split(b"\r\n")
        length = next((int(line[15:]) for line in lines if line.startswith(b"content-length:")), 0)
        if len(body) >= length and not self._answer.done():
            self._got = b""
            self._answer.set_result(lines[0][9:12] + body)

    async def post(self, port: int, path: str, value: object) -> tuple[int, bytes]:
        """Send something; return the status and the body of the answer."""
        loop = asyncio.get_running_loop()
        if self._transport is None:
            await loop.create_connection(lambda: self, "127.0.0.1", port)
        assert self._transport is not None
        body = json.dumps(value).encode()
        self._answer = loop.create_future()
        head = f"POST {path} HTTP/1.1\r\n{self._head}Content-Type: application/json\r\n"
        self._transport.write(f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body)
        answer = await self._answer
        return int(answer[:3]), answer[3:]


class Follower(asyncio.Protocol):
    """A display that follows a topic: the newest event that it has, and when each sequence came."""

    def __init__(self, topic: str, token: str) -> None:
        self._request = (
            f"GET /api/v1/stream?topics={quote(topic)} HTTP/1.1\r\n"
            f"Host: localhost\r\nAuthorization: Bearer {token}\r\n\r\n"
        )
        self.times: list[tuple[int, float]] = []
        self._rest = b""
        self.cents = 0
        self.is_cut = False
        self.begun = asyncio.Event()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Ask for the topic."""
        assert isinstance(transport, asyncio.Transport)
        transport.write(self._request.encode())

    def connection_lost(self, exc: Exception | None) -> None:
        """Note that the server has ended it."""
        self.is_cut = True

    def data_received(self, data: bytes) -> None:
        """Note the last event that is whole."""
        self._rest += data
        whole, found, rest = self._rest.rpartition(b"\n\n")
        if not found:
            return
        self._rest = rest
        place = whole.rfind(b'data: {"sequence":')
        if place >= 0:
            event = json.loads(whole[place + 6 :].partition(b"\n")[0])
            self.times.append((event["sequence"], time.perf_counter()))
            self.begun.set()
            self.cents = event.get("cents", {}).get(NAME, event.get("displayed_cents", 0))


class Device:
    """The device of a table, which presses round after round; what it sends was pressed in the days before."""

    def __init__(self, table: str, token: str, number: int = 0, clock: Callable[[], int] = microseconds_now) -> None:
        self.table, self._caller, self.number, self._clock = table, Caller(token), number, clock
        self._begun = clock() - _EARLIER

    async def press(self, port: int) -> str:
        """Press, and return what the server says became of it."""
        self.number += 1
        message = {
            "device": f"device {self.table}",
            "table": self.table,
            "type": "press",
            "sent": self._clock(),
            "at": self._begun + self.number * _PRESS_APART,
            "sequence": self.number,
            "sensors": [[1, 1], [2, 1], [5, 1]] if self.number % 2 else [],
        }
        status, body = await self._caller.post(port, "/api/v1/devices/messages", message)
        answer = json.loads(body)
        assert status == 200, body
        assert answer["status"] in ("counted", "released"), body
        return str(answer["status"])
