"""Killed at any instant while tables play, no acknowledged wager is lost or counted twice (T-10)."""

from __future__ import annotations

import shutil
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from pitboss.books import LEDGER, Movement, read_payload
from pitboss.books.journal.writer import POINTS
from pitboss.jackpot import INVARIANTS, JACKPOTS, PROJECTIONS
from pitboss.meters import MeterState, contribute, hit, open_meter, refund_void
from pitboss.rules import JackpotPayment
from tests.books.killing import Instants, Starter, kill_at_random, noted
from tests.books.load import NOWHERE
from tests.books.making import Room
from tests.facades import Jackpots
from tests.jackpot.load import BONUS_TABLE, MAIN_TABLES, seats_of
from tests.jackpot.making import audited, make_jackpot, tables


class Tables(Starter):
    """Starts processes in which tables play."""

    def __init__(self) -> None:
        super().__init__("tests.jackpot.load")

    def start(self, room: Room, notes: Path, run: str, point: str = NOWHERE, nth: int = 0) -> int:
        self.ask(room.path, notes, run, point, nth)
        return self.started()


@pytest.fixture(scope="module")
def playing_tables(request: pytest.FixtureRequest) -> Iterator[Tables]:
    # The server's password must be in the environment before the process starts.
    if shutil.which("pg_virtualenv"):
        request.getfixturevalue("postgresql")
    found = Tables()
    yield found
    found.close()


def assert_nothing_was_lost(room: Room, notes: Path) -> int:
    """Every acknowledged round is there once, with its seats; the meter is that of the arithmetic, replayed apart."""
    with room.open(projections=PROJECTIONS, invariants=INVARIANTS) as books:
        assert () == books.halted
        jackpots = Jackpots(books)
        state, found = books.state("room"), jackpots.room
    report = audited(room)
    assert report.is_sound, [*report.damages, *report.findings]
    assert state == report.books["room"].reading.state
    answers = noted(notes)
    written = {entry.command: entry for entry in room.entries()}
    for asked, head in answers.items():
        assert written[asked].digest.hex() == head
    for table in (*MAIN_TABLES, BONUS_TABLE):
        last = found.last_round(table)
        rounds = 0 if last is None else last.round
        assert rounds >= max((int(each.split("-")[1]) for each in answers if each.split("-")[0] == table), default=0)
        expected: dict[str, int] = {}
        for number in range(1, rounds + 1):
            for seat in seats_of(table, number):
                expected[str(seat)] = expected.get(str(seat), 0) + 1
        name = "daily" if table == BONUS_TABLE else "main"
        assert found.jackpots[name].counted.get(table, {}) == expected
    assert state.of(LEDGER)["main"].meter_state == replayed(room)
    assert state.of(JACKPOTS).jackpots["main"].displayed_units == replayed(room).displayed_units
    return len(answers)


def replayed(room: Room) -> MeterState:
    """Do the main jackpot's entries again by the arithmetic alone, from what happened and not from what was moved."""
    terms = make_jackpot(tables=tables(*MAIN_TABLES)).meter
    meter = open_meter(terms).state
    for entry in room.entries():
        value = read_payload(entry.kind, entry.payload)
        if not isinstance(value, Movement) or value.jackpot != "main":
            continue
        if value.kind == "wagers-counted":
            meter = contribute(meter, terms, len(value.details["seats"])).state
        elif value.kind == "wagers-refunded":
            meter = refund_void(meter, terms, len(value.details["seats"])).state
        elif value.kind == "prize-called":
            meter = hit(meter, terms, JackpotPayment(meter.displayed_cents, 0, 0), top=True).state
    return meter


def killed_at_random(playing_tables: Tables, room: Room, notes: Path, times: int, seed: int) -> int:
    instants = Instants(answers=60, pause=0.02)
    kill_at_random(playing_tables, lambda run: playing_tables.start(room, notes, run), notes, instants, seed, times)
    return assert_nothing_was_lost(room, notes)


def test_t_10_killed_at_random_instants_while_tables_play(
    playing_tables: Tables, sqlite_room: Room, tmp_path: Path
) -> None:
    assert killed_at_random(playing_tables, sqlite_room, tmp_path / "notes", 12, seed=20261116) > 12


@pytest.mark.slow
def test_t_10_killed_hundreds_of_times_while_tables_play(playing_tables: Tables, room: Room, tmp_path: Path) -> None:
    assert killed_at_random(playing_tables, room, tmp_path / "notes", 200, seed=7) > 200


def test_t_10_killed_at_every_point_of_the_writer_while_tables_play(
    playing_tables: Tables, sqlite_room: Room, tmp_path: Path
) -> None:
    notes = tmp_path / "notes"
    for point in POINTS:
        for nth in (2, 9):
            playing_tables.start(sqlite_room, notes, f"{point}{nth}", point, nth)
            assert playing_tables.ended_by() == -signal.SIGKILL
    assert assert_nothing_was_lost(sqlite_room, notes) > 0
