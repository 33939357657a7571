"""A simulated stretch of a whole room is reconciled to the unit: the books against the benchmark's own count."""

from __future__ import annotations

from pathlib import Path

import pytest
from benchmarks.year import Plan, play_year
from benchmarks.year_reconcile import differences
from benchmarks.year_room import ROWS

from pitboss.books import Directory, open_books
from pitboss.books.audit import check_books
from pitboss.room.projections import INVARIANTS, PROJECTIONS
from tests.facades import Jackpots

# Rows of a year in days: royals, straight flushes and quads come far more often than they are dealt.
STACKED = tuple(row._replace(hands=hands) for row, hands in zip(ROWS, (9_000, 12_000, 9_000), strict=False))


def _is_sound(path: Path) -> bool:
    return check_books(Directory(path), projections=PROJECTIONS, invariants=INVARIANTS).is_sound


def test_j_09_days_of_a_room_come_to_what_the_script_counts_and_a_false_count_is_found(tmp_path: Path) -> None:
    path = tmp_path / "room"
    year, wrong = play_year(path, Plan(days=8, rounds_a_day=6, rows=(*STACKED, *ROWS[3:])))
    assert [] == wrong
    assert _is_sound(path)
    progressives = [each for each in year.tallies.values() if each.rates.is_progressive]
    assert all(each.deposited and each.reversed + each.refunded for each in progressives)
    assert any(each.reseeded for each in progressives)
    assert any(each.rejected for each in year.tallies.values())
    # A check that cannot fail shows nothing: one unit, one wager or one day too many is told.
    year.tallies["west"].shown += 1
    year.tallies["north"].by_day[3] += 1
    with open_books(path, projections=PROJECTIONS, invariants=INVARIANTS) as books:
        found = differences(Jackpots(books), year.tallies, year.calendar, min(day for day, _ in year.calendar.history))
    assert ["west: the display", "north: day 4 has"] == [each.split(" is ")[0][:17].strip() for each in found]


@pytest.mark.slow
def test_j_09_weeks_of_a_room_come_to_what_the_script_counts(tmp_path: Path) -> None:
    """With the chances of the cards, and with stacked ones, across caps, reseeds, months and the change of clocks."""
    for rows, days in ((ROWS, 9), ((*STACKED, *ROWS[3:]), 80)):
        path = tmp_path / str(days)
        _, wrong = play_year(path, Plan(days=days, rounds_a_day=640 if days == 9 else 40, rows=rows))
        assert [] == wrong
        assert _is_sound(path)
