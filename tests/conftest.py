"""Groups of tests for the workers, the `browser` mark, and parts of a long run."""

from __future__ import annotations

import gc
import json
import os
import re
import sys
import tomllib
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib import import_module
from math import ceil
from pathlib import Path

import pytest
import typer.main
import typer.testing
from hypothesis import HealthCheck, settings

from tests.examples import IN_FULL
from tests.programs import quick_folder

pytest_plugins = ["tests.books.fixtures"]

# A busy machine is no fault of what is tested: no test of any values fails by the clock.
settings.register_profile("house", max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("in full", settings.get_profile("house"), max_examples=400)
settings.load_profile("house")

# Typer builds every command anew for each one that a test types, which takes longer than most of them run.
setattr(typer.testing, "_get_command", cache(typer.main.get_command))  # noqa: B010 - not exported

# Processes that tests start would compile every module anew, and so would each worker.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

# Temporary folders are in memory where there is room: a killed process loses nothing there, and syncs cost little.
if (memory := quick_folder()) is not None:
    os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", memory)

SECONDS_FILE = Path(__file__).parent / "seconds.json"
"""How long tests and groups of them take that are not quick; `--seconds` adds what it measures to such a file."""
QUICK = 2.0


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--shard", metavar="K/N", help="run the K-th of N parts of the selected tests")
    parser.addoption("--store", choices=("sqlite", "postgresql"), default="sqlite", help="where tests make their rooms")
    parser.addoption("--seconds", metavar="FILE", help="write how long each test takes to a JSON file")


def pytest_configure(config: pytest.Config) -> None:
    if config.getoption("markexpr") == "slow":
        os.environ[IN_FULL] = "yes"
        settings.load_profile("in full")
    if config.getoption("--store") == "postgresql":
        config.pluginmanager.register(import_module("tests.on_postgresql"), "on_postgresql")
    if (shard := config.getoption("--shard")) is not None:
        config.pluginmanager.register(Shard(shard), "shard")
    if (file := config.getoption("--seconds")) is not None and "PYTEST_XDIST_WORKER" not in os.environ:
        config.pluginmanager.register(Seconds(Path(file)), "seconds")


# First of all, because the plugin that hands tests out reads the groups in the same hook.
@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Group by file what neither its own mark nor the conftest of its folder has grouped.

    Tests of one file go to one worker, so that what the file counts, compiles or opens once is not made once more. A test
    of any values is slow as well where slow tests run: it tries more of them.
    """
    mark_more_of_the_same(items, is_whole=config.args == [str(path) for path in config.getini("testpaths")])
    for item in items:
        if "browser" in getattr(item, "fixturenames", ()):
            item.add_marker("browser")
        if IN_FULL in os.environ and getattr(getattr(item, "obj", None), "is_hypothesis_test", False):
            item.add_marker("slow")
        if item.get_closest_marker("xdist_group") is None:
            item.add_marker(pytest.mark.xdist_group(item.nodeid.partition("::")[0]))
    # What takes long begins first: else one worker would end with it while the others have nothing left.
    measured = measured_seconds()
    items.sort(key=lambda item: -measured.get(group_of(item), 0.0))


MORE_FILE = Path(__file__).parent / "more_of_the_same.toml"


def file_of(node_id: str) -> str:
    return node_id.partition("::")[0]


def fitting(by_file: Mapping[str, Sequence[pytest.Item]], ids: str) -> list[pytest.Item]:
    """Return the items whose id fits; a star stands for anything."""
    pattern = re.compile(re.escape(ids).replace(r"\*", ".*"))
    return [item for item in by_file.get(file_of(ids), ()) if pattern.fullmatch(item.nodeid)]


def without_quick_ones(items: Sequence[pytest.Item], quick: int) -> list[pytest.Item]:
    """Return all cases of a test but so many, which are spread evenly over their list."""
    kept = {len(items) * place // quick for place in range(quick)}
    return [item for place, item in enumerate(items) if place not in kept]


def mark_more_of_the_same(items: list[pytest.Item], *, is_whole: bool) -> None:
    """Mark what `more_of_the_same.toml` names as slow; in a whole run each quick test it names must be there, quick."""
    by_file = defaultdict(list)
    for item in items:
        by_file[file_of(item.nodeid)].append(item)
    lists = tomllib.loads(MORE_FILE.read_text(encoding="utf-8"))
    more: list[tuple[str, list[pytest.Item]]] = [
        (entry["tests"], without_quick_ones(fitting(by_file, entry["tests"]), entry["cases"]))
        for entry in lists["sample"]
    ]
    for entry in lists["more"]:
        cases = [
            item for item in fitting(by_file, entry["tests"]) if not any(k in item.nodeid for k in entry.get("but", ()))
        ]
        more.append((entry["tests"], cases))
    for name, cases in more:
        if is_whole and not cases:
            raise pytest.UsageError(f"{MORE_FILE.name}: {name} has no test that is more of the same")
        for item in cases:
            item.add_marker("slow")
    for entry in lists["more"] if is_whole else ():
        if all(item.get_closest_marker("slow") for item in fitting(by_file, entry["quick"])):
            raise pytest.UsageError(f"{MORE_FILE.name}: nothing quick shows what {entry['tests']} shows")


def group_of(item: pytest.Item) -> str:
    mark = item.get_closest_marker("xdist_group")
    return str(mark.args[0]) if mark else ""


@cache
def measured_seconds() -> dict[str, float]:
    found: dict[str, float] = json.loads(SECONDS_FILE.read_text(encoding="utf-8")) if SECONDS_FILE.exists() else {}
    return found


@pytest.fixture(scope="session", autouse=True)
def no_edges_are_counted_and_books_are_of_any_day() -> Iterator[None]:
    """Let configurations be posted without counting their odds, which takes seconds; tests of G-61 count them.

    Books of tests are dated as their clocks say, whatever the day is; tests of G-77 give the clocks that are watched. A
    room that is made by the clock of this machine is made before the days on which tests play it.
    """
    pool = sys.modules.get("pitboss.server.worker.pool")
    with pytest.MonkeyPatch.context() as patch:
        if (migrate := sys.modules.get("pitboss.books.store.migrate")) is not None:
            defaults = migrate.create_books.__kwdefaults__
            patch.setitem(defaults, "clock", import_module("tests.clocks").before_tests(defaults["clock"]))
        if (room := sys.modules.get("pitboss.room.room")) is not None:
            patch.setattr(room, "_clock_watch", import_module("tests.clocks").watch_of_tests)
        if pool is not None:
            patch.setattr(pool.Worker, "count_edges", lambda *_: pool.Counted("ready", {}, ""))
        yield


def pytest_collection_finish() -> None:
    """Leave what was imported and collected, which stays to the end, out of every later garbage collection."""
    gc.collect()
    gc.freeze()


def parts_of(tests: Sequence[tuple[str, float]], parts: int) -> list[int]:
    """Return the part of each test, given its group and seconds, so that parts take about the same time.

    A group stays together, for what its tests share, unless it would fill a third of a part. The longest is placed first.

    >>> parts_of([("a", 5), ("a", 5), ("b", 1), ("c", 1), ("c", 1)], 2)
    [0, 1, 1, 0, 0]
    >>> parts_of([("a", 1), ("a", 1), ("b", 1), ("b", 1), ("c", 1), ("c", 1), ("d", 1), ("d", 1)], 1)
    [0, 0, 0, 0, 0, 0, 0, 0]
    """
    most = sum(seconds for _, seconds in tests) / parts / 3
    groups: dict[str, list[int]] = {}
    for index, (group, _) in enumerate(tests):
        groups.setdefault(group, []).append(index)
    pieces: list[tuple[float, list[int]]] = []
    for indexes in groups.values():
        count = min(len(indexes), ceil(sum(tests[index][1] for index in indexes) / most))
        for start in range(count):
            piece = indexes[start::count]
            pieces.append((sum(tests[index][1] for index in piece), piece))
    part_of, loads = [0] * len(tests), [0.0] * parts
    for seconds, piece in sorted(pieces, key=lambda entry: (-entry[0], entry[1])):
        part = loads.index(min(loads))
        loads[part] += seconds
        for index in piece:
            part_of[index] = part
    return part_of


def plain_id(node_id: str) -> str:
    """Return the id of a test without its group, which the plugin that hands tests out appends."""
    name, mark, group = node_id.rpartition("@")
    return name if mark and "]" not in group and "::" not in group else node_id


class Shard:
    """Selects one part of the tests that the other options have left."""

    def __init__(self, text: str) -> None:
        part, _, parts = text.partition("/")
        if not (part.isdecimal() and parts.isdecimal() and 1 <= int(part) <= int(parts)):
            raise pytest.UsageError(f"--shard is {text!r}; it must be K/N with K from 1 to N, such as 2/6")
        self.part, self.parts = int(part) - 1, int(parts)

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, config: pytest.Config, items: list[pytest.Item]) -> None:
        measured = measured_seconds()
        tests = [(group_of(item), measured.get(plain_id(item.nodeid), 1.0)) for item in items]
        chosen = [part == self.part for part in parts_of(tests, self.parts)]
        config.hook.pytest_deselected(items=[item for item, keep in zip(items, chosen, strict=True) if not keep])
        items[:] = [item for item, keep in zip(items, chosen, strict=True) if keep]


class Seconds:
    """Adds how long each test and each group takes, with fixtures, to a file; what is quick is left out."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self.seconds: defaultdict[str, float] = defaultdict(float)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        name = plain_id(report.nodeid)
        self.seconds[name] += report.duration
        if name != report.nodeid:
            self.seconds[report.nodeid.rpartition("@")[2]] += report.duration

    def pytest_sessionfinish(self) -> None:
        before = json.loads(self.file.read_text(encoding="utf-8")) if self.file.exists() else {}
        measured = {name: round(seconds, 1) for name, seconds in self.seconds.items() if seconds >= QUICK}
        text = json.dumps(dict(sorted((before | measured).items())), indent=0)
        self.file.parent.mkdir(parents=True, exist_ok=True)
        self.file.write_text(f"{text}\n", encoding="utf-8")
