"""Killed at any instant while a device presses, no acknowledged press is lost, halved or counted twice (T-10, M-10)."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import IO

import pytest

from pitboss.books import LEDGER
from pitboss.books.check import check_books
from pitboss.books.writer import POINTS
from pitboss.tabulator import PROJECTIONS, TABLES
from tests.books.load import NOWHERE
from tests.books.making import START, Room
from tests.tabulator.load import seats_of
from tests.tabulator.making import DEVICE, FINAL_FOUR

ROOT = Path(__file__).parents[2]


class Presses:
    """Starts processes in which a device presses."""

    def __init__(self) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tests.tabulator.load"],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.asks: IO[str] = self.process.stdin
        self.tells: IO[str] = self.process.stdout

    def start(self, room: Room, notes: Path, run: str, point: str = NOWHERE, nth: int = 0) -> int:
        (room.path.parent / "start").write_text(str(START))
        self.asks.write(f"{room.path} {notes} {run} {point} {nth}\n")
        self.asks.flush()
        return int(self.tells.readline())

    def ended_by(self) -> int:
        return os.waitstatus_to_exitcode(int(self.tells.readline()))

    def close(self) -> None:
        self.asks.close()
        self.tells.close()
        self.process.wait()


@pytest.fixture(scope="module")
def presses() -> Iterator[Presses]:
    found = Presses()
    yield found
    found.close()


def acknowledged(notes: Path) -> list[tuple[int, str]]:
    lines = notes.read_text().splitlines() if notes.exists() else []
    return [(int(line.split()[0]), line.split()[1]) for line in lines]


def waited_for(notes: Path, wanted: int) -> None:
    for _ in range(6_000):
        if len(acknowledged(notes)) >= wanted:
            return
        threading.Event().wait(0.005)
    raise AssertionError("the device does not press")


def assert_nothing_was_lost(room: Room, notes: Path) -> int:
    """Every acknowledged press is there once; the counts are those of the presses, replayed apart."""
    with room.open(projections=PROJECTIONS) as books:
        assert () == books.halted
        state = books.state("room")
    report = check_books(room.directory, projections=PROJECTIONS)
    assert report.is_sound, [*report.damages, *report.findings]
    assert state == report.books["room"].reading.state
    done = state.of(TABLES).devices[DEVICE].sequence
    answers = acknowledged(notes)
    assert {status for _, status in answers} <= {"counted", "released"}
    assert all(status == ("counted" if sequence % 2 else "released") for sequence, status in answers)
    assert done >= max((sequence for sequence, _ in answers), default=0)
    wanted: dict[str, int] = {}
    for sequence in range(1, done + 1, 2):
        for seat in seats_of(sequence):
            wanted[str(seat)] = wanted.get(str(seat), 0) + 1
    four = state.of(TABLES).tables["4"]
    assert four.counts.get(FINAL_FOUR, {}) == wanted
    assert (four.phase, four.rounds_counted) == ("tabulated" if done % 2 else "open", (done + 1) // 2)
    assert state.of(LEDGER)["main"].counts["wagers_counted"] == sum(wanted.values())
    return len(answers)


def kill_at_random(presses: Presses, room: Room, notes: Path, times: int, seed: int) -> int:
    rng = random.Random(seed)
    for number in range(times):
        child = presses.start(room, notes, f"r{number}")
        waited_for(notes, len(acknowledged(notes)) + rng.randint(1, 30))
        threading.Event().wait(rng.random() * 0.01)
        os.kill(child, signal.SIGKILL)
        assert presses.ended_by() == -signal.SIGKILL, f"seed {seed}, kill {number}"
    return assert_nothing_was_lost(room, notes)


def test_t_10_killed_at_random_instants_while_a_device_presses(
    presses: Presses, sqlite_room: Room, tmp_path: Path
) -> None:
    assert kill_at_random(presses, sqlite_room, tmp_path / "notes", 4, seed=20261116) > 4


@pytest.mark.prove
def test_t_10_killed_hundreds_of_times_while_a_device_presses(
    presses: Presses, sqlite_room: Room, tmp_path: Path
) -> None:
    assert kill_at_random(presses, sqlite_room, tmp_path / "notes", 200, seed=11) > 200


def test_t_10_killed_at_every_point_of_the_writer_while_a_device_presses(
    presses: Presses, sqlite_room: Room, tmp_path: Path
) -> None:
    notes = tmp_path / "notes"
    for point in POINTS:
        # Room, jackpot and table are there after six commits; then presses follow.
        presses.start(sqlite_room, notes, point, point, 9)
        assert presses.ended_by() == -signal.SIGKILL
    assert assert_nothing_was_lost(sqlite_room, notes) > 0
