"""Reading by range: a period is found by halving, and what stands at its ends is the fold, with and without snapshots."""

from __future__ import annotations

import datetime
import sqlite3
from pathlib import Path

import pytest

from pitboss import books
from pitboss.books import Directory, Folding, last_before, part_at, state_at
from pitboss.books.audit import open_source
from pitboss.jackpot import HITS, JACKPOTS
from pitboss.reports import ACCOUNTING, INVARIANTS, PROJECTIONS, REPORTS, ReportRequest, make_report
from tests.books.making import Room, in_postgresql
from tests.reports.making import BOOK, FIRST, Clock, House, at, cells, house, main_jackpot, scope_of


def test_the_last_entry_before_an_instant_is_found_by_halving(sample: Path) -> None:
    store = open_source(Directory(sample))
    entries = list(store.entries(BOOK))
    head = len(entries)
    for instant in sorted({e.recorded + off for e in entries[::31] for off in (-1, 0, 1)} | {0, 2**52}):
        expected = max((e.sequence for e in entries if e.recorded < instant), default=0)
        assert expected == last_before(store, BOOK, instant, head)
    store.close()


def test_entries_of_kinds_are_those_of_the_journal_in_order(sample: Path) -> None:
    store = open_source(Directory(sample))
    kinds = {"prize-called", "chips-collected"}
    expected = [each for each in store.entries(BOOK) if each.kind in kinds and 20 < each.sequence <= 270]

    assert expected == list(store.entries(BOOK, 20, 270, kinds=kinds))
    store.close()


def long_room(room: House) -> None:
    room.open(main_jackpot())
    for number in range(30):
        room.press("4", [1, 3][: 1 + number % 2])
        room.clock.now += 1_200_000_000
    room.chips(FIRST, "day", "4", 30_00)


@pytest.mark.parametrize("every", [5_000, 10])
def test_what_stood_at_any_entry_is_the_fold_of_all_before_it(template: Path, quick_path: Path, every: int) -> None:
    path = quick_path / "room"
    with house(template, path, snapshot_every=every) as room:
        long_room(room)
    store = open_source(Directory(path))
    assert bool(store.snapshots(BOOK)) == (every == 10)
    folding = Folding((*books.PROJECTIONS, JACKPOTS, HITS))
    state = folding.empty()
    for entry in store.entries(BOOK):
        state = folding.fold(state, entry)
        if entry.sequence % 9 == 0:
            stood = state_at(store, BOOK, entry.sequence, (JACKPOTS, HITS))
            assert not stood.damages
            assert state == stood.state
    assert 1 == len(part_at(store, BOOK, entry.sequence, ACCOUNTING).chips)
    store.close()


def test_a_report_of_a_past_day_is_the_same_with_snapshots_and_after_more_was_recorded(
    template: Path, quick_path: Path
) -> None:
    reports = []
    for number, every in enumerate((5_000, 7, 5_000)):
        path = quick_path / f"room-{number}"
        with house(template, path, snapshot_every=every) as room:
            long_room(room)
            room.clock.now += 86_400_000_000
            for _ in range(5 * number):
                room.press("4", [1])
        with scope_of(path, ReportRequest(first_day=FIRST)) as scope:
            reports.append(cells(make_report(scope, "wagers-by-shift")) + cells(make_report(scope, "accrual")))

    assert reports[0] == reports[1] == reports[2]


def test_a_day_on_which_nothing_was_recorded_has_empty_reports(sample: Path) -> None:
    with scope_of(sample, ReportRequest(first_day=FIRST - datetime.timedelta(days=9))) as scope:
        assert (0, 0) == (scope.opening.sequence, scope.closing.sequence)
        report = make_report(scope, "wagers-by-table")
        assert () == report.rows
    with scope_of(sample, ReportRequest(first_day=FIRST + datetime.timedelta(days=9))) as scope:
        assert scope.opening.sequence == scope.closing.sequence == scope.head.sequence


def test_projections_are_those_of_the_room_with_the_desk_last() -> None:
    names = ["jackpots", "hits", "removals", "postings", "doubts", "tables", "table-log", "desk"]
    assert names == [each.name for each in PROJECTIONS]


def test_m_02_a_journal_that_was_altered_is_told_in_every_report(template: Path, quick_path: Path) -> None:
    path = quick_path / "room"
    with house(template, path) as room:
        room.open(main_jackpot())
        for _ in range(4):
            room.press("4", [1, 3])
    connection = sqlite3.connect(path / "journal.sqlite3")
    for (trigger,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
        connection.execute(f"DROP TRIGGER {trigger}")
    connection.execute("UPDATE entries SET actor = 'somebody else' WHERE sequence = 6")
    connection.commit()
    connection.close()
    with scope_of(path) as scope:
        chain, meters = make_report(scope, "chain"), make_report(scope, "meters")
    assert chain.broken
    assert ["book room, entry 6: its content does not give its hash"] == [line.words for line in chain.exceptions]
    assert "The journal is damaged: book room, entry 6" in meters.notes[0]


@in_postgresql
def test_in_postgresql_reports_say_the_same(room: Room) -> None:
    clock = Clock(at(FIRST, 7))
    with room.open(projections=PROJECTIONS, invariants=INVARIANTS, clock=clock, snapshot_every=12) as books:
        long_room(House(books, room.path, clock))
    with scope_of(room.path) as scope:
        found = {name: make_report(scope, name) for name in REPORTS}
        assert 45 == sum(row["counted"] for row in cells(found["wagers-by-seat"]))
        assert not any(report.broken for report in found.values())
        assert 1 == len(part_at(scope.store, BOOK, 10**6, ACCOUNTING).chips)
