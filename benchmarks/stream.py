"""How soon displays are current: 200 displays and 15 consoles on one real server, while 15 tables press.

Time runs from before a press is sent until each display has the event that shows it; beside it stands the bare fan-out,
the same states through the same hub to as many followers without a network.
"""

from __future__ import annotations

import argparse
import asyncio
import datetime
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator
from fractions import Fraction
from pathlib import Path
from statistics import quantiles
from urllib.parse import quote, urlsplit

from tests.doors import doors_of

from pitboss.books import RoomSettings, microseconds_now
from pitboss.books.store.migrate import create_books
from pitboss.commands import By
from pitboss.commands import By as Acting
from pitboss.jackpot import Jackpot, LinkedTable, offer_of
from pitboss.meters import MeterTerms
from pitboss.room.people.people import SetDevice
from pitboss.room.room import Room
from pitboss.server.live import TOPICS, Hub
from pitboss.tabulator import TableSetup, sensors_for

TABLES, DISPLAYS = 15, 200
GAME, WAGER, MODEL = "four-card-prime", "five-card-jackpot", "andromeda-3c"
PRESSES_A_SECOND = 5


def made(path: Path) -> dict[str, str]:
    """Make a room with one jackpot over all tables; give the token of each table's device."""
    settings = RoomSettings(room="Benchmark", time_zone="UTC", shifts=(("day", datetime.time(6)),))
    create_books(path, settings, person="Ada", since=datetime.date(2026, 1, 1))
    names = [str(number) for number in range(1, TABLES + 1)]
    rate, nothing = Fraction("0.173"), Fraction(0)
    meter = MeterTerms(
        jackpot_type="progressive",
        wager_cents=100,
        seed_cents=10_000_00,
        reseed_cents=10_000_00,
        display_rate=rate,
        reserve_rate=nothing,
        cap_cents=None,
        batch_wagers_max=None,
    )
    tables = tuple(LinkedTable(name, GAME, "Benchmark") for name in names)
    jackpot = Jackpot(
        name="main", offers=(offer_of(GAME, WAGER, "PJ-1"),), meter=meter, tables=tables, display="real-time"
    )
    two = {"actor": "Ada", "approved_by": "Carla"}
    by = Acting("Sue", "supervisor")
    with Room(path) as room:
        doors = doors_of(room)
        doors.jackpots.define(jackpot, words="for a benchmark", command="define", **two)
        doors.jackpots.open("main", words="for a benchmark", command="open", **two)
        tokens = {}
        for name in names:
            setup = TableSetup(
                table=name,
                game=GAME,
                model=MODEL,
                seats=7,
                device=f"device {name}",
                sensors=sensors_for(MODEL, 7, [WAGER], lights=[WAGER]),
            )
            doors.tables.set_up(setup, words="new", command=f"set-{name}", by=by, approved_by="Carla")
            doors.tables.open(name, command=f"open-{name}", by=by)
            doors.tables.change_dealer(name, "Dan", command=f"dealer-{name}", by=by)
            value = SetDevice(name=f"device {name}", what="device", table=name, active=True, first=True)
            room.access.set_device(value, By("Ada", "administrator"), id=f"device-{name}")
            tokens[name] = room.access.make_token(f"device {name}", By("Ada", "administrator"))
    return tokens


async def events(port: int, topics: str, token: str = "") -> AsyncIterator[bytes]:
    """Follow topics over a connection of its own; gives the data of each event."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    more = f"Authorization: Bearer {token}\r\n" if token else ""
    writer.write(f"GET /api/v1/stream?topics={quote(topics)} HTTP/1.1\r\nHost: localhost\r\n{more}\r\n".encode())
    while line := await reader.readline():
        if line.startswith(b'data: {"seq'):
            yield line


class Watching:
    """What each display has shown when, and how long it took."""

    def __init__(self) -> None:
        self.pressed: dict[int, float] = {}
        self.seen: list[list[tuple[int, float]]] = []

    async def display(self, port: int, topics: str, ready: asyncio.Semaphore, token: str = "") -> None:
        """Follow topics as a display does, and write down what came when."""
        mine: list[tuple[int, float]] = []
        self.seen.append(mine)
        first = True
        async for line in events(port, topics, token):
            mine.append((json.loads(line[6:])["sequence"], time.perf_counter()))
            if first:
                ready.release()
                first = False

    def delays(self) -> list[float]:
        """For each press and display, until the first event that is as new as the press."""
        return [
            next((at - begun for number, at in mine if number >= sequence), float("inf"))
            for sequence, begun in self.pressed.items()
            for mine in self.seen
        ]


async def press(port: int, table: str, token: str, number: int) -> None:
    """Press at a table by its device."""
    now = microseconds_now()
    said = {"device": f"device {table}", "table": table, "type": "press", "sent": now, "at": now, "sequence": number}
    body = json.dumps({**said, "sensors": [[1, 1], [2, 1]] if number % 2 else []}).encode()
    head = f"POST /api/v1/devices/messages HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {token}\r\n"
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(f"{head}Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n".encode() + body)
    answer = await reader.readuntil(b"\r\n\r\n")
    assert b" 200 " in answer.splitlines()[0], answer
    length = int(next(line for line in answer.lower().splitlines() if line.startswith(b"content-length"))[15:])
    told = json.loads(await reader.readexactly(length))
    writer.close()
    assert told["status"] in ("counted", "released"), told


async def measured(port: int, tokens: dict[str, str], seconds: float) -> Watching:
    """Let tables press in turn while displays and consoles follow."""
    watching, ready = Watching(), asyncio.Semaphore(0)
    names = list(tokens)
    tasks = [
        # With a token: strangers at one address have few places.
        asyncio.create_task(
            watching.display(port, f"vision:{names[number % TABLES]}", ready, tokens[names[number % TABLES]])
        )
        for number in range(DISPLAYS)
    ]
    tasks += [
        asyncio.create_task(watching.display(port, f"table:{name}", ready, token)) for name, token in tokens.items()
    ]
    for _ in tasks:
        await ready.acquire()
    counts = dict.fromkeys(names, 0)
    ends = time.perf_counter() + seconds
    while time.perf_counter() < ends:
        for name in names:
            counts[name] += 1
            begun = time.perf_counter()
            await press(port, name, tokens[name], counts[name])
            if counts[name] % 2:
                sequence = await _sequence(port)
                watching.pressed[sequence] = begun
            await asyncio.sleep(max(0, 1 / PRESSES_A_SECOND - (time.perf_counter() - begun)))
    await asyncio.sleep(2)
    for task in tasks:
        task.cancel()
    return watching


async def _sequence(port: int) -> int:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
    answer = await reader.read()
    writer.close()
    return int(json.loads(answer.partition(b"\r\n\r\n")[2])["sequence"])


async def bare(room: Room, turns: int) -> list[float]:
    """The same fan-out through the hub alone."""
    hub = Hub(lambda: room.state, TOPICS, clock=room.clock)
    names = [str(number) for number in range(1, TABLES + 1)]
    followers = [hub.follow([f"vision:{names[number % TABLES]}"], None) for number in range(DISPLAYS)]
    followers += [hub.follow([f"table:{name}"], None) for name in names]
    stop = room.when_moved(hub.moved)
    for each in followers:
        await anext(each)
    found = []
    for number in range(turns):
        waiting = [asyncio.ensure_future(anext(each)) for each in followers[:DISPLAYS]]
        begun = time.perf_counter()
        await asyncio.to_thread(
            doors_of(room).jackpots.adjust,
            "main",
            10_000,
            words="for a benchmark",
            command=f"bare-{number}",
            actor="Ada",
            approved_by="Carla",
        )
        await asyncio.gather(*waiting)
        found.append(time.perf_counter() - begun)
    stop()
    return found


def told(what: str, seconds: list[float]) -> None:
    """Print the middle, the tail and the worst of some times."""
    cuts = quantiles(seconds, n=100)
    worst = max(seconds)
    print(f"{what}: p50 {cuts[49] * 1e3:,.1f} ms, p99 {cuts[98] * 1e3:,.1f} ms, worst {worst * 1e3:,.1f} ms")


def main() -> None:
    """Make a room, serve it, and measure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=10.0)
    seconds = parser.parse_args().seconds
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "room"
        tokens = made(path)
        program = "from pitboss.cli.main import main; main()"
        begun = time.perf_counter()
        server = subprocess.Popen(  # noqa: S603 - our own program
            [sys.executable, "-c", program, "serve", "--data", str(path), "--port", "0"],
            stdout=subprocess.PIPE,
            text=True,
        )
        assert server.stdout is not None
        port = urlsplit(server.stdout.readline().split()[-1]).port
        assert port is not None
        print(f"ready after {time.perf_counter() - begun:.2f} s")
        watching = asyncio.run(measured(port, tokens, seconds))
        server.terminate()
        server.wait()
        delays = watching.delays()
        print(f"{len(watching.pressed)} presses, {DISPLAYS} displays and {TABLES} consoles")
        told("until a display shows a press", [each for each in delays if each != float("inf")])
        print(f"never shown: {sum(each == float('inf') for each in delays)}")
        with Room(path) as room:
            told("bare fan-out to the same displays", asyncio.run(bare(room, 50)))


if __name__ == "__main__":
    main()
