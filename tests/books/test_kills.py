"""Killed at any instant, the books lose nothing that was acknowledged and count nothing twice (T-10)."""

from __future__ import annotations

import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest

from pitboss.books.audit import check_books
from pitboss.books.journal.writer import POINTS
from tests.books.killing import ROOT, Instants, Starter, kill_at_random, noted
from tests.books.load import NOWHERE
from tests.books.making import BOOK, Room, counting
from tests.books.tracing import strace

THREADS = 8
UNENDING = 10**6


class Loader(Starter):
    """Starts processes that load the books."""

    def __init__(self) -> None:
        super().__init__("tests.books.load", "fork")

    def start(self, room: Room, notes: Path, run: str, point: str = NOWHERE, nth: int = 0) -> int:
        self.ask(room.path, notes, run, THREADS, UNENDING, point, nth)
        return self.started()


@pytest.fixture(scope="module")
def loader(request: pytest.FixtureRequest) -> Iterator[Loader]:
    # The server's password must be in the environment before the process starts.
    if shutil.which("pg_virtualenv"):
        request.getfixturevalue("postgresql")
    found = Loader()
    yield found
    found.close()


def assert_nothing_was_lost(room: Room, notes: Path) -> int:
    """After a restart the fold equals the replay, and every acknowledged command is there exactly once."""
    with room.open() as books:
        assert () == books.halted
        state = books.state(BOOK)
    report = check_books(room.directory)
    assert report.is_sound, [*report.damages, *report.findings]
    assert state == report.books[BOOK].reading.state
    entries = room.entries()
    written: dict[str, list[str]] = {}
    for entry in entries:
        written.setdefault(entry.command, []).append(entry.digest.hex())
    answers = noted(notes)
    assert set() == answers.keys() - written.keys()
    for command_id, head in answers.items():
        assert head == written[command_id][-1]
        assert len(written[command_id]) == (2 if int(command_id.rsplit("-", 1)[1]) % 7 == 6 else 1)
    return len(answers)


def killed_at_random(loader: Loader, room: Room, notes: Path, times: int, seed: int) -> int:
    """Kill, and look every fifth time: what was lost is then not far."""
    instants = Instants(answers=20, pause=0.02, unanswered=0.2)
    runs = count()
    for turn in range(times // 5):
        kill_at_random(loader, lambda _: loader.start(room, notes, f"r{next(runs)}"), notes, instants, seed + turn, 5)
        found = assert_nothing_was_lost(room, notes)
    return found


def test_t_10_killed_at_random_instants_under_load_nothing_is_lost(loader: Loader, room: Room, tmp_path: Path) -> None:
    assert 50 < killed_at_random(loader, room, tmp_path / "notes", 15, seed=20261116)


@pytest.mark.slow
def test_t_10_killed_hundreds_of_times_nothing_is_lost(loader: Loader, room: Room, tmp_path: Path) -> None:
    assert 1_000 < killed_at_random(loader, room, tmp_path / "notes", 300, seed=5)


def test_t_10_killed_at_every_point_of_the_writer_nothing_is_lost(loader: Loader, room: Room, tmp_path: Path) -> None:
    notes = tmp_path / "notes"
    for point in POINTS:
        for nth in (1, 3):
            loader.start(room, notes, f"{point}{nth}", point, nth)
            assert -signal.SIGKILL == loader.ended_by()
        assert_nothing_was_lost(room, notes)


def killed_in_the_system(room: Room, notes: Path, call: str, when: int) -> bool:
    """Kill at the nth call to the system of one kind, before it is carried out; say whether there were so many."""
    inject = f"inject={call}:error=EIO:signal=SIGKILL:when={when}"
    ran = subprocess.run(  # noqa: S603 - our own program
        [
            strace(),
            "-f",
            "-qqq",
            "-o",
            "/dev/null",
            "-e",
            f"trace={call}",
            "-e",
            inject,
            sys.executable,
            "-m",
            "tests.books.load",
            str(room.path),
            str(notes),
            f"{call}{when}",
            "2",
            "14",
            NOWHERE,
            "0",
        ],
        cwd=ROOT,
        check=False,
    )
    return ran.returncode in (-signal.SIGKILL, 128 + signal.SIGKILL)


@pytest.mark.parametrize(("call", "when"), [("pwrite64", 4), ("pwrite64", 11), ("fdatasync", 3)])
def test_t_10_killed_inside_a_commit_nothing_is_lost(sqlite_room: Room, tmp_path: Path, call: str, when: int) -> None:
    notes = tmp_path / "notes"
    assert killed_in_the_system(sqlite_room, notes, call, when)
    assert_nothing_was_lost(sqlite_room, notes)


@pytest.mark.slow
@pytest.mark.parametrize("call", ["pwrite64", "fdatasync", "ftruncate", "unlink"])
def test_t_10_killed_at_every_write_to_the_disk_nothing_is_lost(sqlite_room: Room, tmp_path: Path, call: str) -> None:
    notes = tmp_path / "notes"
    when = 1
    while killed_in_the_system(sqlite_room, notes, call, when) and when < 120:
        assert_nothing_was_lost(sqlite_room, notes)
        when += 1
    assert_nothing_was_lost(sqlite_room, notes)


def test_a_command_killed_before_its_answer_may_be_sent_again(loader: Loader, room: Room, tmp_path: Path) -> None:
    """Written and not acknowledged: the client sends it again and is answered with what was written."""
    loader.start(room, tmp_path / "notes", "x", "committed", 4)
    loader.ended_by()
    last = room.entries()[-1]
    wagers = 1 + int(last.command.rsplit("-", 1)[1]) % 5
    with room.open() as books:
        again = books.submit(counting(last.command, wagers))

    assert again.again
    assert (last,) == again.entries
