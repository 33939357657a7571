"""Killed at any instant while a device presses, no acknowledged press is lost, halved or counted twice (T-10, M-10)."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from pitboss.books import LEDGER
from pitboss.books.audit import check_books
from pitboss.books.journal.writer import POINTS
from pitboss.tabulator import INVARIANTS, PROJECTIONS, TABLES
from tests.books.killing import Instants, Starter, answers, kill_at_random
from tests.books.load import NOWHERE
from tests.books.making import START, Room
from tests.tabulator.load import seats_of
from tests.tabulator.making import DEVICE, FINAL_FOUR


class Presses(Starter):
    """Starts processes in which a device presses."""

    def __init__(self) -> None:
        super().__init__("tests.tabulator.load")

    def start(self, room: Room, notes: Path, run: str, point: str = NOWHERE, nth: int = 0) -> int:
        (room.path.parent / "start").write_text(str(START))
        self.ask(room.path, notes, run, point, nth)
        return self.started()


@pytest.fixture(scope="module")
def presses() -> Iterator[Presses]:
    found = Presses()
    yield found
    found.close()


def acknowledged(notes: Path) -> list[tuple[int, str]]:
    return [(int(sequence), status) for sequence, status in answers(notes)]


def assert_nothing_was_lost(room: Room, notes: Path) -> int:
    """Every acknowledged press is there once; the counts are those of the presses, replayed apart."""
    with room.open(projections=PROJECTIONS, invariants=INVARIANTS) as books:
        assert () == books.halted
        state = books.state("room")
    report = check_books(room.directory, projections=PROJECTIONS, invariants=INVARIANTS)
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


def killed_at_random(presses: Presses, room: Room, notes: Path, times: int, seed: int) -> int:
    instants = Instants(answers=30, pause=0.01)
    kill_at_random(presses, lambda run: presses.start(room, notes, run), notes, instants, seed, times)
    return assert_nothing_was_lost(room, notes)


def test_t_10_killed_at_random_instants_while_a_device_presses(
    presses: Presses, sqlite_room: Room, tmp_path: Path
) -> None:
    assert killed_at_random(presses, sqlite_room, tmp_path / "notes", 4, seed=20261116) > 4


@pytest.mark.slow
def test_t_10_killed_hundreds_of_times_while_a_device_presses(
    presses: Presses, sqlite_room: Room, tmp_path: Path
) -> None:
    assert killed_at_random(presses, sqlite_room, tmp_path / "notes", 200, seed=11) > 200


def test_t_10_killed_at_every_point_of_the_writer_while_a_device_presses(
    presses: Presses, sqlite_room: Room, tmp_path: Path
) -> None:
    notes = tmp_path / "notes"
    for point in POINTS:
        # Room, jackpot and table are there after six commits; then presses follow.
        presses.start(sqlite_room, notes, point, point, 9)
        assert presses.ended_by() == -signal.SIGKILL
    assert assert_nothing_was_lost(sqlite_room, notes) > 0
