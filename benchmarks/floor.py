"""How many presses a second a floor takes: 96 tables on one progressive, 200 displays that follow, one core to serve.

Presses come at a rate, whether those before are answered or not; each is timed from when it was due until it is
acknowledged, which is after its commit. `--before TREE` serves the same room by another tree's sources in turn, and
prints what the one has over the other. A machine that others use is slow for both: the processor's time for each press
is the figure to trust there, and what the server waited for a processor is printed beside it.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Iterable
from functools import partial
from pathlib import Path
from statistics import quantiles
from typing import NamedTuple

from benchmarks.floor_room import BEAT_SECONDS, NAME, Caller, Device, Floor, Follower, Served, made, served

_HERE = Path(__file__).parents[1]
_LIMIT_SECONDS = 0.250
_WARM_SECONDS = 2.0
_WAIT_SECONDS = 30.0


class Measured(NamedTuple):
    """What a run came to: how long presses took, what displays waited, and what it cost."""

    rate: float
    seconds: float
    presses: list[float]
    shown: list[float]
    processor: float
    waited: float
    cut: int

    @property
    def p99(self) -> float:
        """How long 99 of 100 presses took at most."""
        return quantiles(self.presses, n=100)[98]

    @property
    def over(self) -> int:
        """How many presses took longer than they may."""
        return sum(each > _LIMIT_SECONDS for each in self.presses)

    @property
    def each(self) -> float:
        """The processor's seconds for each press, with everything that displays follow."""
        return self.processor / len(self.presses)

    def line(self, what: str) -> str:
        """Return the run as one line."""
        cuts, shown = quantiles(self.presses, n=100), quantiles(self.shown, n=100) if self.shown else [0.0] * 99
        took = f"p50 {cuts[49] * 1e3:6.1f}  p99 {cuts[98] * 1e3:7.1f}  worst {max(self.presses) * 1e3:7.1f} ms"
        over = f"over {_LIMIT_SECONDS * 1e3:.0f} ms: {self.over} of {len(self.presses)}"
        displays = f"shown p50 {shown[49] * 1e3:6.1f}  p99 {shown[98] * 1e3:7.1f} ms"
        cost = f"{self.each * 1e6:6,.0f} us a press, busy {self.processor / self.seconds:4.0%}"
        rate = len(self.presses) / self.seconds
        waited = f"waited {self.waited / self.seconds:4.0%}"
        return (
            f"{what:8} {self.rate:4.0f}/s: {rate:5.0f}/s  {took}, {over}  {displays}  {cost}, {waited}; "
            f"displays cut off: {self.cut}"
        )


def _itself(follower: Follower) -> Follower:
    return follower


class Playing:
    """The devices and displays of a floor, at a server."""

    def __init__(self, floor: Floor, server: Served) -> None:
        self.server = server
        self.devices = [Device(table, token) for table, token in floor.devices.items()]
        self.follow = {
            name: Follower(f"vision:{floor.table_of(name)}", token) for name, token in floor.displays.items()
        }
        self._callers = {name: Caller(token) for name, token in floor.displays.items()}
        self.took: list[float] = []
        self.answered: list[tuple[float, float]] = []

    async def begin(self) -> None:
        """Let every display follow its table."""
        loop, port = asyncio.get_running_loop(), self.server.port
        for follower in self.follow.values():
            await loop.create_connection(partial(_itself, follower), "127.0.0.1", port)
            # One after the other: those who have not said yet who they are have few places.
            await asyncio.wait_for(follower.begun.wait(), _WAIT_SECONDS)

    async def beats(self) -> None:
        """Let every display say what it shows, as often as displays do."""
        names = list(self._callers)
        while True:
            for name in names:
                amounts = {NAME: self.follow[name].cents}
                status, body = await self._callers[name].post(
                    self.server.port, "/api/v1/displays/beat", {"amounts": amounts}
                )
                assert status == 200, body
                await asyncio.sleep(BEAT_SECONDS / len(names))

    async def press_at(self, rate: float, seconds: float) -> None:
        """Press at a rate, table after table in turn."""
        begun = time.perf_counter()
        number = len(self.devices)
        each = [
            self._pressing(device, begun + place / rate, number / rate, begun + seconds)
            for place, device in enumerate(self.devices)
        ]
        await asyncio.gather(*each)

    async def _pressing(self, device: Device, due: float, apart: float, ends: float) -> None:
        while due < ends:
            await asyncio.sleep(max(0.0, due - time.perf_counter()))
            status = await device.press(self.server.port)
            now = time.perf_counter()
            self.took.append(now - due)
            if status == "counted":
                self.answered.append((due, now))
            due += apart

    def shown(self) -> list[float]:
        """Return how long after an answer each display had an event that is as new, for a sample of presses."""
        delays = []
        sample = self.answered[:: max(1, len(self.answered) // 50)]
        for follower in list(self.follow.values())[::10]:
            for _, answered in sample:
                later = next((at for _, at in follower.times if at >= answered), None)
                if later is not None:
                    delays.append(later - answered)
        return delays


async def run(floor: Floor, server: Served, rate: float, seconds: float) -> Measured:
    """Play a floor at a rate, and measure."""
    playing = Playing(floor, server)
    await playing.begin()
    beats = asyncio.create_task(playing.beats())
    await playing.press_at(min(rate, 50), _WARM_SECONDS)
    playing.took.clear()
    playing.answered.clear()
    used, waited, begun = server.processor_seconds(), server.waited_seconds(), time.perf_counter()
    await playing.press_at(rate, seconds)
    took = time.perf_counter() - begun
    used, waited = server.processor_seconds() - used, server.waited_seconds() - waited
    await asyncio.sleep(1)
    beats.cancel()
    cut = sum(follower.is_cut for follower in playing.follow.values())
    return Measured(rate, took, playing.took, playing.shown(), used, waited, cut)


def measured(floor: Floor, room: Path, tree: Path, rate: float, seconds: float, core: int | None) -> Measured:
    """Serve a copy of the room by a tree, and play it."""
    with tempfile.TemporaryDirectory(dir=room.parent) as folder:
        path = Path(shutil.copytree(room, Path(folder) / "room"))
        with served(path, tree, core) as server:
            return asyncio.run(run(floor, server, rate, seconds))


def _rates(text: str) -> list[float]:
    return [float(part) for part in text.split(",")]


def _compared(floor: Floor, room: Path, trees: Iterable[tuple[str, Path]], asked: argparse.Namespace) -> None:
    best: dict[str, float] = {}
    each: dict[str, list[float]] = {}
    for rate in asked.rates:
        for what, tree in trees:
            found = measured(floor, room, tree, rate, asked.seconds, asked.core)
            print(found.line(what), flush=True)
            each.setdefault(what, []).append(found.each)
            if found.p99 < _LIMIT_SECONDS and len(found.presses) / found.seconds > 0.95 * rate:
                best[what] = max(best.get(what, 0.0), rate)
    for what, rate in best.items():
        print(f"{what}: p99 under {_LIMIT_SECONDS * 1e3:.0f} ms up to {rate:.0f} presses a second, of those tried")
    if "before" in each:
        print(f"a press costs before/now: {min(each['before']) / min(each['now']):.1f} times the processor's time")


def main() -> None:
    """Make a floor, serve it, press, and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=96)
    parser.add_argument("--displays", type=int, default=200)
    parser.add_argument("--rates", type=_rates, default=[50.0, 400.0], help="presses a second, separated by commas")
    parser.add_argument("--seconds", type=float, default=10.0)
    parser.add_argument("--before", type=Path, help="another tree of these sources, to compare with")
    parser.add_argument("--core", type=int, default=0, help="the processor that serves")
    asked = parser.parse_args()
    trees = [("now", _HERE)] if asked.before is None else [("before", asked.before), ("now", _HERE)]
    others = os.sched_getaffinity(0) - {asked.core}
    with tempfile.TemporaryDirectory(dir=_HERE) as folder:
        room = Path(folder) / "room"
        floor = made(room, asked.tables, asked.displays)
        if others:
            os.sched_setaffinity(0, others)
        load = ", ".join(f"{part:.1f}" for part in os.getloadavg())
        print(f"{asked.tables} tables, {asked.displays} displays; load of the machine: {load}", flush=True)
        _compared(floor, room, trees, asked)
    print(f"load of the machine: {', '.join(f'{part:.1f}' for part in os.getloadavg())}", file=sys.stderr)


if __name__ == "__main__":
    main()
