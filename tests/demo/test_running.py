"""The demo as people start it: a real server, with devices and screens as processes of their own."""

from __future__ import annotations

import re
import shutil
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx2
import pytest

from pitboss.books import Directory
from pitboss.books.audit import check_books
from pitboss.commands.command import BOOK
from pitboss.room.people.roles import PEOPLE_ROLES
from pitboss.room.projections import INVARIANTS, PROJECTIONS
from tests.docs.console import run_pitboss
from tests.server.running import Running, running

_TRIES, _PAUSE = 400, 0.2
PROGRESSIVES = 4


class Watched:
    """A demo that runs: what it printed, its meters and its child processes."""

    def __init__(self, server: Running) -> None:
        self.server, self.client = server, server.client()
        self.printed = "".join([server.first, *iter_until(server.line, "Waiting")])

    def meters(self) -> dict[str, int]:
        jackpots = self.client.get("/api/v1/room").json()["jackpots"]
        assert {each["play"] for each in jackpots} == {"open"}
        return {each["name"]: each["displayed_cents"] for each in jackpots if each["type"] == "progressive"}

    def moved(self, before: dict[str, int]) -> dict[str, int]:
        """Wait until a meter is more than it was, which none may be less than."""

        def found() -> bool:
            now = self.meters()
            assert all(now[name] >= cents for name, cents in before.items())
            return now != before

        until(found)
        return self.meters()

    def children(self) -> list[int]:
        pid = self.server.process.pid
        return [int(each) for each in Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii").split()]


def iter_until(line: Callable[[], str], word: str) -> Iterator[str]:
    while True:
        found = line()
        yield found
        if not found or found.startswith(word):
            return


def until(found: Callable[[], bool]) -> None:
    wait = threading.Event().wait
    for _ in range(_TRIES):
        if found():
            return
        wait(_PAUSE)
    raise AssertionError("it has not come to pass")


def is_over(process: int) -> bool:
    """Whether a process has ended, though nobody may have asked yet how."""
    try:
        return Path(f"/proc/{process}/stat").read_text(encoding="ascii").rpartition(")")[2].split()[0] == "Z"
    except OSError:
        return True


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="processes are looked up in /proc")
def test_devices_move_the_meters_and_neither_a_kill_nor_an_end_loses_anything(made: Path, tmp_path: Path) -> None:
    path = tmp_path / "room"
    shutil.copytree(made, path)
    with running(path, "--demo") as server:
        first = Watched(server)
        moved = first.moved(first.meters())
        _come_in(first)
        acknowledged, children = first.client.get("/healthz").json()["sequence"], first.children()
        server.end(signal.SIGKILL)
    # Four devices and one process for all screens; nobody was left to end them.
    assert len(children) == 5
    until(lambda: all(map(is_over, children)))
    report = check_books(Directory(path), projections=PROJECTIONS, invariants=INVARIANTS)
    assert report.is_sound
    assert report.books[BOOK].reading.state.sequence >= acknowledged

    with running(path, "--demo") as server:
        second = Watched(server)
        second.moved(moved)
        _come_in(second)
        children = second.children()
        # It ends in order and says so in one line, and has loaded nothing that a server must not.
        assert server.end(signal.SIGINT) == (0, "loaded:\n")
        assert f"Stopped. The room is saved in {path}.\n" in server.rest
    assert len(children) == 5
    assert all(map(is_over, children))


def _come_in(demo: Watched) -> None:
    """Come in by the one address that is printed: as each role, twice, and at a console with the PIN that stands there."""
    assert re.findall(r"http://\S+", demo.printed) == [f"{demo.server.address}/demo"]
    for role in PEOPLE_ROLES:
        with httpx2.Client(base_url=demo.server.address) as client:
            for _ in range(2):
                assert client.post(f"/demo/{role}").status_code == 303
                assert client.get("/api/v1/me").json()["roles"] == [role]
            if role == "supervisor":
                assert [each["state"] for each in client.get("/api/v1/hits").json()] == ["called"]
    found = re.search(r"PIN: <b>([0-9]+)</b>", demo.client.get("/demo").text)
    assert found is not None
    with httpx2.Client(base_url=demo.server.address) as console:
        assert console.post("/demo/console").status_code == 303
        console.headers["x-csrf-token"] = console.get("/api/v1/me").json()["csrf"]
        assert console.post("/tap", data={"login": "dan", "pin": found[1]}).status_code == 303


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--host", "0.0.0.0", "--behind-proxy"], "for this computer alone"),  # noqa: S104
        ([], "is not empty and no demo room"),
    ],
)
def test_no_demo_where_it_would_let_strangers_in(tmp_path: Path, options: list[str], words: str) -> None:
    (tmp_path / "something").touch()
    ran = run_pitboss(["serve", "--demo", "--data", str(tmp_path), *options])

    assert ran.exit_code == 2
    assert words in " ".join(ran.printed.split())
    assert [each.name for each in tmp_path.iterdir()] == ["something"]


def test_without_demo_a_data_directory_is_named() -> None:
    ran = run_pitboss(["serve"])

    assert ran.exit_code == 2
    assert "--data" in ran.printed
