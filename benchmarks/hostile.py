"""A floor under attack: thousands of hostile connections while 15 tables press and 40 displays follow.

The attacker is a process of its own. It opens connections in every bad way, holds what it gets and opens another for
each that is closed. Printed: how long presses took without it and with it, how many took over 250 ms, displays that
were cut off, tables whose jackpots were suspended, what the attacker has tried and was given, and the lines that the
server has logged. `--before TREE` serves the same room by another tree's sources too.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from benchmarks.floor import Measured, Playing
from benchmarks.floor_room import Floor, Served, made, served
from pitboss.books import Directory, kinds_of
from pitboss.tabulator.entries import JackpotsSuspended

_HERE = Path(__file__).parents[1]
_HEAD = b"HTTP/1.1\r\nhost: localhost\r\n"
_BAD = (
    b"",
    b"GET / HT",
    b"GET /api/v1/stream?topics=room " + _HEAD + b"\r\n",
    b"\x16\x03 nonsense",
    b"POST /sign-in " + _HEAD + b"content-length: 900\r\n\r\nlogin=",
    b"GET /sign-in " + _HEAD + b"\r\n",
)
_AGAIN_SECONDS = 5


class Attacked(NamedTuple):
    """What an attacker has tried until now: connections, those open at once at most, and answers."""

    tried: int
    open_max: int
    answered: int


async def _attacking(port: int, number: int, a_second: int) -> None:
    sent = itertools.cycle(_BAD)
    tried = answered = is_open = open_max = 0

    async def one(place: int) -> None:
        nonlocal tried, answered, is_open, open_max
        await asyncio.sleep(place / a_second)
        while True:
            tried += 1
            with suppress(OSError):
                reader, writer = await asyncio.open_connection("127.0.0.1", port)
                is_open += 1
                open_max = max(open_max, is_open)
                try:
                    writer.write(next(sent))
                    first = await reader.read(1)
                    answered += bool(first)
                    await reader.read()
                finally:
                    is_open -= 1
                    writer.transport.abort()
            await asyncio.sleep(_AGAIN_SECONDS)

    async def report() -> None:
        while True:
            await asyncio.sleep(1)
            print(json.dumps([tried, open_max, answered]), flush=True)

    await asyncio.gather(report(), *map(one, range(number)))


def attack(port: int, number: int, a_second: int) -> None:
    """Attack until the process is ended."""
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(number + 500, most), most))
    asyncio.run(_attacking(port, number, a_second))


async def _pressed(
    floor: Floor, server: Served, asked: argparse.Namespace, *, attacked: bool
) -> tuple[Measured, Attacked | None]:
    playing = Playing(floor, server)
    await playing.begin()
    beats = asyncio.create_task(playing.beats())
    arguments = [sys.executable, "-m", "benchmarks.hostile", "--attack", str(server.port)]
    hostile = None
    if attacked:
        more = ["--connections", str(asked.connections), "--a-second", str(asked.a_second)]
        hostile = subprocess.Popen(  # noqa: S603, ASYNC220 - our own program
            [*arguments, *more], cwd=_HERE, stdout=subprocess.PIPE, text=True
        )
    used, waited, begun = server.processor_seconds(), server.waited_seconds(), time.perf_counter()
    await playing.press_at(asked.rate, asked.seconds)
    took = time.perf_counter() - begun
    used, waited = server.processor_seconds() - used, server.waited_seconds() - waited
    attack = None
    if hostile is not None:
        hostile.kill()
        reports = hostile.communicate()[0].splitlines()
        attack = Attacked(*json.loads(reports[-1]))
    beats.cancel()
    cut = sum(follower.is_cut for follower in playing.follow.values())
    return Measured(asked.rate, took, playing.took, playing.shown(), used, waited, cut), attack


def _suspended(path: Path) -> int:
    store = Directory(path).open_store(write=False)
    try:
        return sum(len(page) for page in store.pages("room", kinds=kinds_of(JackpotsSuspended)))
    finally:
        store.close()


def _show(floor: Floor, room: Path, trees: list[tuple[str, Path]], asked: argparse.Namespace) -> None:
    for (what, tree), attacked in itertools.product(trees, (False, True)):
        with tempfile.TemporaryDirectory(dir=room.parent) as folder:
            path, log = Path(shutil.copytree(room, Path(folder) / "room")), Path(folder) / "log"
            with log.open("wb") as file, served(path, tree, None, file) as server:
                found, attack = asyncio.run(_pressed(floor, server, asked, attacked=attacked))
            suspended, lines = _suspended(path), log.read_text(encoding="utf-8").splitlines()
        who = f"{asked.connections} hostile" if attacked else "nobody"
        print(f"{who:>13}: {found.line(what)}")
        print(f"{'':15}tables suspended: {suspended}, lines logged in {found.seconds:.0f} s: {len(lines)}", flush=True)
        if attack is not None:
            a_second = attack.tried / found.seconds
            held = f"{attack.open_max:,} open at once, {attack.answered:,} answered"
            print(
                f"{'':15}the attacker tried {attack.tried:,} connections ({a_second:,.0f} a second): {held}", flush=True
            )


def main() -> None:
    """Play a floor, attack it, and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--connections", type=int, default=5_000)
    parser.add_argument("--a-second", type=int, default=1_000)
    parser.add_argument("--tables", type=int, default=15)
    parser.add_argument("--displays", type=int, default=40)
    parser.add_argument("--rate", type=float, default=15.0, help="presses a second")
    parser.add_argument("--seconds", type=float, default=30.0)
    parser.add_argument("--before", type=Path, help="another tree of these sources, to compare with")
    parser.add_argument("--attack", type=int, help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.attack is not None:
        attack(asked.attack, asked.connections, asked.a_second)
        return
    trees = [("now", _HERE)] if asked.before is None else [("before", asked.before), ("now", _HERE)]
    with tempfile.TemporaryDirectory(dir=_HERE) as folder:
        room = Path(folder) / "room"
        floor = made(room, asked.tables, asked.displays)
        print(f"load of the machine: {', '.join(f'{part:.1f}' for part in os.getloadavg())}", flush=True)
        _show(floor, room, trees, asked)


if __name__ == "__main__":
    main()
