"""What a room, a company and a journal cost as they grow: processor time measured at small sizes, the rest projected.

Every line says which it is. A projection goes on with the line through what was measured (least squares), or by the
power where it is well above 1: 0 costs the same at any size, 1 grows as the size does, more than 1 grows faster.
"""

from __future__ import annotations

import argparse
import datetime
import json
import math
import os
import shutil
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import NamedTuple

from benchmarks.floor_room import made
from benchmarks.long_journal import measure, write_journal
from pitboss.books import open_books
from pitboss.cards import parse_key
from pitboss.company.reading import RoomReading
from pitboss.company.views import company_view
from pitboss.games import find_game
from pitboss.odds.compiled import source_hash
from pitboss.room.projections import INVARIANTS, PROJECTIONS
from pitboss.room.room import Room
from pitboss.server.api.summary import room_summary
from pitboss.server.live import room_view
from pitboss.server.views.formatting import time_of
from pitboss.simulate.forecasts.company import CompanyForecast, forecast_company, play_table, table_key
from pitboss.simulate.forecasts.plan import ForecastPlan, make_request
from pitboss.simulate.running import clients, processes
from pitboss.table import default_configuration

PRESSES, TURNS, DAYS, WORKERS_TURNS = 600, 5, 14, 3
_LINE_MAX = 1.15
_SECOND = 1_000_000
_KEY = parse_key("0" * 64)


class Growth(NamedTuple):
    """What was measured: sizes, and the processor's seconds at each; `sizes_projected` are to be said too."""

    title: str
    unit: str
    sizes: tuple[int, ...]
    seconds: tuple[float, ...]
    sizes_projected: tuple[int, ...]

    @property
    def power(self) -> float:
        """The slope of the logarithms: with which power of the size the cost grows."""
        logs = [(math.log(size), math.log(max(seconds, 1e-9))) for size, seconds in zip(*self[2:4], strict=True)]
        return slope(logs)[0]

    def projected(self, size: int) -> float:
        """Return the cost of a size: on the line through what was measured, or where it grows faster by its power.

        What does not grow costs the same: a line that falls is what was measured by chance.
        """
        if self.power > _LINE_MAX:
            return self.seconds[-1] * math.pow(size / self.sizes[-1], self.power)
        rise, begins = slope(list(zip(map(float, self.sizes), self.seconds, strict=True)))
        return begins + rise * size if rise > 0 else max(self.seconds)


def slope(points: Sequence[tuple[float, float]]) -> tuple[float, float]:
    """Return the line of least squares: its slope, and where it begins."""
    x_mean, y_mean = (sum(each) / len(points) for each in zip(*points, strict=True))
    spread = sum((x - x_mean) ** 2 for x, _ in points)
    rise = sum((x - x_mean) * (y - y_mean) for x, y in points) / spread
    return rise, y_mean - rise * x_mean


def report(growth: Growth, each: float = 1.0, unit: str = "s") -> None:
    """Print what was measured, and what is projected from it."""
    print(f"{growth.title}: grows with the power {growth.power:.2f} of the {growth.unit}")
    rows = [(size, seconds, "measured") for size, seconds in zip(growth.sizes, growth.seconds, strict=True)]
    rows += [(size, growth.projected(size), "projected") for size in growth.sizes_projected]
    for size, seconds, how in rows:
        print(f"  {size:>13,} {growth.unit:<8} {seconds * each:>12,.3f} {unit}  {how}")


def least(work: Callable[[], object], turns: int = TURNS) -> float:
    """Return the least processor time of some turns."""
    taken = []
    for _ in range(turns):
        begun = time.process_time()
        work()
        taken.append(time.process_time() - begun)
    return min(taken)


def _press_all(room: Room, tables: int, presses: int, first: int) -> float:
    """Press at all tables in turn, and return the processor's seconds of a press."""
    begun = room.clock() - 3_600 * _SECOND
    messages = []
    for number in range(presses):
        table, turn = str(number % tables + 1), number // tables
        at = begun + (turn + first) * 7 * _SECOND
        sensors = [] if (turn + first) % 2 else [[1, 1], [3, 1], [6, 1]]
        fields = {"device": f"device {table}", "table": table, "type": "press", "sensors": sensors}
        message = {**fields, "sequence": turn + first + 1, "at": at, "sent": room.clock()}
        messages.append((json.dumps(message), f"device {table}"))
    start = time.process_time()
    for text, device in messages:
        reply = room.devices.receive(text, device=device)
        if reply["status"] not in ("counted", "released"):
            raise SystemExit(f"a press was answered {reply}")
    return (time.process_time() - start) / presses


def measure_tables(folder: Path, sizes: Sequence[int], sizes_projected: tuple[int, ...]) -> list[Growth]:
    """Measure what one press costs, and what the pages of a whole room do, by how many tables there are."""
    presses, views, summaries = [], [], []
    for size in sizes:
        path = folder / f"tables-{size}"
        made(path, size, size)
        with Room(path) as room:
            turns = max(2, PRESSES // size // 2 * 2)
            costs = [_press_all(room, size, turns * size, turns * turn) for turn in range(2)]
            presses.append(min(costs))
            views.append(least(lambda room=room: room_view(room.state, "", time_of(room.clock()))))  # type: ignore[misc]
            summaries.append(least(lambda room=room: room_summary(room)))  # type: ignore[misc]
        shutil.rmtree(path)
    named = (("a press", presses), ("the room in short", views), ("the summary for a company", summaries))
    return [Growth(title, "tables", tuple(sizes), tuple(costs), sizes_projected) for title, costs in named]


def measure_rooms(folder: Path, sizes: Sequence[int], sizes_projected: tuple[int, ...]) -> list[Growth]:
    """Measure the page of a company and its forecast by how many rooms there are, each with fifteen tables."""
    path = folder / "company"
    made(path, 15, 15)
    with Room(path) as room:
        answer = {**room_summary(room), "theory": None}
    shutil.rmtree(path)
    game = find_game("three-card-prime")
    table = default_configuration(game, time_of(answer["at"]).date())
    request = make_request(table, plan=ForecastPlan(days=DAYS, runs=1), seats=5)
    play_table(source_hash(), request, table_key(_KEY, 0, 0))
    pages, years = [], []
    for size in sizes:
        text = json.dumps(answer)
        pages.append(least(lambda size=size, text=text: _page(size, text)))  # type: ignore[misc]
        begun = time.process_time()
        for place in range(size * 15):
            play_table(source_hash(), request, table_key(_KEY, *divmod(place, 15)))
        years.append((time.process_time() - begun) * 365 / DAYS)
    return [
        Growth("the page of a company", "rooms", tuple(sizes), tuple(pages), sizes_projected),
        Growth(f"a year's forecast, from that of {DAYS} days", "rooms", tuple(sizes), tuple(years), sizes_projected),
    ]


class Crew(NamedTuple):
    """So many workers, the clock's and the processors' seconds of their fastest forecast, and what they found."""

    workers: int
    seconds: float
    processor: float
    found: CompanyForecast


def measure_workers(counts: Sequence[int], rooms: int, turns: int = WORKERS_TURNS) -> list[Crew]:
    """Forecast a year of the same company by several numbers of workers, which are there already and take turns."""
    table = default_configuration(find_game("three-card-prime"), datetime.date(2027, 1, 1))
    request = make_request(table, plan=ForecastPlan(days=365, runs=1), seats=5)
    with ExitStack() as stack:
        addresses = {count: stack.enter_context(processes(count)) for count in counts}
        asked = {count: stack.enter_context(clients(address)) for count, address in addresses.items()}

        def forecast(count: int, rooms: int) -> Crew:
            begun, used = time.perf_counter(), sum(asked[count].run(time.process_time).values())
            found = forecast_company(
                request, rooms=rooms, tables=15, key=_KEY, scheduler=addresses[count], workers=count
            )
            seconds = time.perf_counter() - begun
            return Crew(count, seconds, sum(asked[count].run(time.process_time).values()) - used, found)

        for count in counts:
            forecast(count, 1)
        crews = [[forecast(count, rooms) for count in counts] for _ in range(turns)]
    return [min(each, key=lambda crew: crew.seconds) for each in zip(*crews, strict=True)]


def report_workers(crews: Sequence[Crew]) -> None:
    """Print how much sooner more workers are done, what that costs, and that they find the same."""
    one, found = crews[0], crews[0].found
    print(
        f"a year of {found.rooms} rooms with {found.tables} tables, {found.rounds:,} rounds, on a cluster of processes"
    )
    for crew in crews:
        ratios = (
            f"{one.seconds / crew.seconds:.2f} times as fast, {crew.processor / one.processor:.2f} times the processor"
        )
        print(f"  {crew.workers:>13,} workers  {crew.seconds:>12,.3f} s  {ratios} ({crew.processor:.3f} s)  measured")
    if any(crew.found != found for crew in crews):
        raise SystemExit("the figures depend on how many workers there are")
    load = f"{os.cpu_count()} processors, load {os.getloadavg()[0]:.1f}"
    print(f"  every figure is the same, to the unit ({found.win_units:,} units won); this computer has {load}")


def _page(rooms: int, text: str) -> object:
    readings = [
        RoomReading(room=f"Room {number}", answer=json.loads(text), answered=1, problem="") for number in range(rooms)
    ]
    return company_view("Company", readings, 1)


def _open(path: Path) -> None:
    with open_books(path, projections=PROJECTIONS, invariants=INVARIANTS):
        pass


def measure_entries(folder: Path, sizes: Sequence[int], sizes_projected: tuple[int, ...]) -> list[Growth]:
    """Measure writing, verifying with rebuilding, opening, and the size on disk by how many entries there are."""
    writing, checking, opening, disk = [], [], [], []
    for size in sizes:
        path = folder / f"entries-{size}"
        begun = time.process_time()
        write_journal(path, size)
        writing.append(time.process_time() - begun)
        result = measure(path)
        checking.append(result.processor)
        opening.append(least(lambda path=path: _open(path)))  # type: ignore[misc]
        disk.append(result.size / 1e9)
        shutil.rmtree(path)
    named = (
        ("writing a journal in bulk", writing),
        ("verifying it whole and rebuilding the books", checking),
        ("opening from the last snapshot", opening),
        ("on disk, in gigabytes", disk),
    )
    return [Growth(title, "entries", tuple(sizes), tuple(costs), sizes_projected) for title, costs in named]


def main() -> None:
    """Measure, project and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", type=int, nargs="+", default=[15, 30, 60])
    parser.add_argument("--rooms", type=int, nargs="+", default=[1, 2, 4])
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--entries", type=int, nargs="+", default=[25_000, 50_000, 100_000])
    parser.add_argument("--folder", type=Path, default=Path.cwd(), help="where rooms are made, and deleted after")
    sizes = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=sizes.folder, prefix=".growth-") as name:
        folder = Path(name)
        for growth in measure_tables(folder, sizes.tables, (150, 500, 1_500)):
            report(growth, 1_000, "ms")
        for growth, each, unit in zip(
            measure_rooms(folder, sizes.rooms, (10, 40)), (1_000, 1 / 3_600), ("ms", "h"), strict=True
        ):
            report(growth, each, unit)
        report_workers(measure_workers(sizes.workers, sizes.rooms[-1]))
        for growth in measure_entries(folder, sizes.entries, (1_000_000, 10_000_000, 100_000_000)):
            report(growth, 1, "GB" if "disk" in growth.title else "s")
    print("measured: processor seconds of this run; projected: on the line through them, not measured")


if __name__ == "__main__":
    main()
