"""Groups of tests for the workers, the `browser` mark, and parts of a long run."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from itertools import accumulate
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from tests.programs import quick_folder

pytest_plugins = ["tests.books.fixtures"]

# A busy machine is no fault of what is tested: no test of any values fails by the clock.
settings.register_profile("house", settings.default, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("house")

# Temporary folders are in memory where there is room: a killed process loses nothing there, and syncs cost little.
if (memory := quick_folder()) is not None:
    os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", memory)

SECONDS_FILE = Path(__file__).parent / "slow_seconds.json"
"""How long each slow test takes, by its id; `--seconds` writes such a file."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--shard", metavar="K/N", help="run the K-th of N parts of the selected tests")
    parser.addoption("--seconds", metavar="FILE", help="write how long each test takes to a JSON file")


def pytest_configure(config: pytest.Config) -> None:
    if (shard := config.getoption("--shard")) is not None:
        config.pluginmanager.register(Shard(shard), "shard")
    if (file := config.getoption("--seconds")) is not None and "PYTEST_XDIST_WORKER" not in os.environ:
        config.pluginmanager.register(Seconds(Path(file)), "seconds")


# First of all, because the plugin that hands tests out reads the groups in the same hook.
@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Group by file what neither its own mark nor the conftest of its folder has grouped.

    Tests of one file go to one worker, so that what the file counts, compiles or opens once is not made once more.
    """
    for item in items:
        if "browser" in getattr(item, "fixturenames", ()):
            item.add_marker("browser")
        if item.get_closest_marker("xdist_group") is None:
            item.add_marker(pytest.mark.xdist_group(item.nodeid.partition("::")[0]))


def part_of(seconds: list[float], part: int, parts: int) -> Iterator[int]:
    """Yield the indexes of one of so many parts: neighbors stay together, and parts take about the same time."""
    total = sum(seconds)
    for index, (end, own) in enumerate(zip(accumulate(seconds), seconds, strict=True)):
        if min(int((end - own / 2) * parts / total), parts - 1) == part:
            yield index


class Shard:
    """Selects one part of the tests that the other options have left."""

    def __init__(self, text: str) -> None:
        part, _, parts = text.partition("/")
        if not (part.isdecimal() and parts.isdecimal() and 1 <= int(part) <= int(parts)):
            raise pytest.UsageError(f"--shard is {text!r}; it must be K/N with K from 1 to N, such as 2/6")
        self.part, self.parts = int(part) - 1, int(parts)

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, config: pytest.Config, items: list[pytest.Item]) -> None:
        known = json.loads(SECONDS_FILE.read_text(encoding="utf-8")) if SECONDS_FILE.exists() else {}
        # The plugin that hands tests out appends the group to an id.
        seconds = [known.get(item.nodeid.rpartition("@")[0] or item.nodeid, 1.0) for item in items]
        chosen = set(part_of(seconds, self.part, self.parts))
        config.hook.pytest_deselected(items=[item for index, item in enumerate(items) if index not in chosen])
        items[:] = [item for index, item in enumerate(items) if index in chosen]


class Seconds:
    """Writes how long each test has taken, with its fixtures."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self.seconds: dict[str, float] = {}

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        name = report.nodeid.rpartition("@")[0] or report.nodeid
        self.seconds[name] = round(self.seconds.get(name, 0) + report.duration, 1)

    def pytest_sessionfinish(self) -> None:
        text = json.dumps(dict(sorted(self.seconds.items())), indent=0)
        self.file.write_text(f"{text}\n", encoding="utf-8")
