"""A floor for an hour, 64 tables, 200 displays and 20 people who read their pages: what grows, how long a press is.

`--minutes` says how long. Memory, open files and the size of the data directory are read every minute, from the first
minute after the beginning on; presses are timed from when they were due until they are acknowledged. Raw commits of the
same store, one row each, are timed before and after on the same disk: a press cannot be faster than one.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import secrets
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import quantiles
from typing import NamedTuple

from benchmarks.books import raw_commits
from benchmarks.floor import Playing
from benchmarks.floor_room import Floor, Served, made, served
from benchmarks.pages import Browser
from pitboss.commands.command import SYSTEM_ACTOR
from pitboss.room.people.people import SetPerson
from pitboss.room.room import Room

_HERE = Path(__file__).parents[1]
_LIMIT_SECONDS = 0.100
_READS_APART = 10.0
_RAW_SECONDS = 3.0
_ROLES = ("supervisor", "accounting", "surveillance", "manager")


class Sample(NamedTuple):
    """What a server uses at an instant: memory and the size of its folder in megabytes, and open files."""

    memory: float
    files: int
    folder: float

    def line(self, minute: int, presses: int) -> str:
        """Return it as one line."""
        return (
            f"minute {minute:3}: {self.memory:7.1f} MB of memory, {self.files:4} files open, "
            f"{self.folder:7.1f} MB on disk, {presses:,} presses"
        )


def sample(server: Served, room: Path) -> Sample:
    """Read what the server's process uses."""
    process = Path(f"/proc/{server.process.pid}")
    status = (process / "status").read_text(encoding="ascii")
    [memory] = [int(line.split()[1]) for line in status.splitlines() if line.startswith("VmRSS")]
    folder = sum(file.stat().st_size for file in room.rglob("*") if file.is_file())
    return Sample(memory / 1024, len(list((process / "fd").iterdir())), folder / 1e6)


def staff(room: Path, people: int) -> list[tuple[str, str]]:
    """Add people who sign in; return their logins and passwords."""
    added = []
    with Room(room) as opened:
        for number in range(people):
            login, password = f"soak{number}", secrets.token_urlsafe(16)
            role = _ROLES[number % len(_ROLES)]
            person = SetPerson(login=login, name=f"Soak {number}", roles=(role,), first=True)
            opened.access.set_person(person, SYSTEM_ACTOR, id=f"soak-{number}")
            opened.access.set_password(login, password, SYSTEM_ACTOR)
            added.append((login, password))
    return added


def signed_in(port: int, people: list[tuple[str, str]]) -> list[Browser]:
    """Have everybody sign in, one after another: of many at once most would be told to wait."""
    browsers = []
    for login, password in people:
        browser = Browser(port)
        browser.sign_in(login, password)
        browser.connection.close()
        browsers.append(browser)
    return browsers


async def read_pages(browser: Browser) -> None:
    """Read the pages of one's role again and again."""
    while True:
        await asyncio.to_thread(browser.get, "/")
        # The server lets go of a connection that says nothing for some seconds: the next page gets a new one.
        browser.connection.close()
        await asyncio.sleep(_READS_APART)


def raw_milliseconds(folder: Path) -> tuple[float, float]:
    """Return the median and the 99th percentile of raw commits, in milliseconds."""
    times = list(_raw_times(folder))
    cuts = quantiles(times, n=100)
    return cuts[49] * 1e3, cuts[98] * 1e3


def _raw_times(folder: Path) -> Iterator[float]:
    with tempfile.TemporaryDirectory(dir=folder) as path:
        for commit in raw_commits(Path(path), None):
            ends = time.perf_counter() + _RAW_SECONDS
            while (begun := time.perf_counter()) < ends:
                commit(0)
                yield time.perf_counter() - begun


async def soak(
    floor: Floor, server: Served, room: Path, people: list[tuple[str, str]], asked: argparse.Namespace
) -> None:
    """Press, follow and read for so many minutes, and print what it came to."""
    browsers = signed_in(server.port, people)
    playing = Playing(floor, server)
    await playing.begin()
    tasks = [asyncio.create_task(playing.beats())]
    tasks += [asyncio.create_task(read_pages(browser)) for browser in browsers]
    samples: list[Sample] = []
    parts = max(2, round(asked.minutes))
    for minute in range(1, parts + 1):
        await playing.press_at(asked.rate, asked.minutes * 60 / parts)
        samples.append(sample(server, room))
        print(samples[-1].line(minute, len(playing.took)), flush=True)
        playing.answered.clear()
    for task in tasks:
        task.cancel()
    failed = [task for task in await asyncio.gather(*tasks, return_exceptions=True) if isinstance(task, Exception)]
    cuts = quantiles(playing.took, n=100)
    first, last = samples[0], samples[-1]
    worst = f"worst {max(playing.took) * 1e3:.1f} ms; the limit is {_LIMIT_SECONDS * 1e3:.0f} ms"
    print(f"press: p50 {cuts[49] * 1e3:.1f}, p99 {cuts[98] * 1e3:.1f}, {worst}")
    grown = f"memory {last.memory - first.memory:+.1f} MB, files {last.files - first.files:+d}"
    print(f"{grown}, disk {last.folder - first.folder:+.1f} MB after the first minute")
    cut = sum(follower.is_cut for follower in playing.follow.values())
    print(f"displays cut off: {cut}; callers that failed: {len(failed)} {failed[:1]}")


def main() -> None:
    """Make a floor, serve it, and let it run."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=64)
    parser.add_argument("--displays", type=int, default=200)
    parser.add_argument("--staff", type=int, default=20)
    parser.add_argument("--minutes", type=float, default=60.0)
    parser.add_argument("--rate", type=float, default=5.0, help="presses a second; 64 tables make about 1.5")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=_HERE) as folder:
        room = Path(folder) / "room"
        floor = made(room, asked.tables, asked.displays)
        people = staff(room, asked.staff)
        before = raw_milliseconds(Path(folder))
        print(
            f"{asked.tables} tables, {asked.displays} displays, {asked.staff} people; load: {os.getloadavg()[0]:.1f}",
            flush=True,
        )
        with served(room, _HERE, None) as server:
            asyncio.run(soak(floor, server, room, people, asked))
        after = raw_milliseconds(Path(folder))
    for when, (middle, most) in (("before", before), ("after", after)):
        print(f"raw commits {when}: p50 {middle:.2f}, p99 {most:.2f} ms")


if __name__ == "__main__":
    main()
