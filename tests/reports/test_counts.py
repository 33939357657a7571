"""Reports of counts: wagers by seat, table, hour and shift, participation, rounds, accrual; all counted once more."""

from __future__ import annotations

import datetime
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from pitboss.books import RefusedError
from pitboss.jackpot import Jackpot, offer_of
from pitboss.meters import units_of
from pitboss.reports.catalogue.play import Participation
from pitboss.tabulator import TableSetup
from pitboss.tabulator.entries import BatchTabulated
from tests.jackpot.hit_making import FCP
from tests.reports.making import (
    BOOK,
    FIRST,
    ZONE,
    at,
    cells,
    daily_bonus,
    house,
    main_jackpot,
    report_of,
    scope_of,
    totals,
)
from tests.reports.naive import moved, raw_rows, seats_of, wagers, within

NEXT = FIRST + datetime.timedelta(days=1)
WHOLE: dict[str, Any] = {"first_day": FIRST, "last_day": NEXT}


def test_m_11_wagers_by_seat_are_those_of_the_raw_journal(sample: Path) -> None:
    rows = raw_rows(sample)
    counted, back, refunded = (wagers(rows, kind) for kind in ("wagers-counted", "count-corrected", "wagers-refunded"))
    found = {
        (row["jackpot"], row["table"], row["seat"]): row for row in cells(report_of(sample, "wagers-by-seat", **WHOLE))
    }

    assert set(counted) == set(found)
    for key, row in found.items():
        assert (counted[key], back[key], refunded[key]) == (row["counted"], row["taken_back"], row["refunded"])
        assert units_of(100 * (counted[key] - back[key] - refunded[key])) == row["staked_units"]


def test_section_10_no_4_seats_tables_hours_and_shifts_add_up_to_one_number(sample: Path) -> None:
    names = ("wagers-by-seat", "wagers-by-table", "wagers-by-hour", "wagers-by-shift")
    sums = [totals(report_of(sample, name, **WHOLE)) for name in names]

    for key in ("counted", "taken_back", "wagers", "refunded", "staked_units"):
        assert 1 == len({each[key] for each in sums})
    assert sum(wagers(raw_rows(sample)).values()) == sums[0]["counted"]


def test_hours_are_those_that_the_rooms_clocks_show(sample: Path) -> None:
    expected: Counter[tuple[str, str]] = Counter()
    for row in raw_rows(sample):
        if row.kind == "wagers-counted":
            shown = datetime.datetime.fromtimestamp(row.recorded / 1e6, ZONE)
            expected[f"{shown:%Y-%m-%dT%H:00%z}", row.said["jackpot"]] += sum(
                number for _, number in seats_of(row.said)
            )
    found = {
        (row["hour"], row["jackpot"]): row["counted"] for row in cells(report_of(sample, "wagers-by-hour", **WHOLE))
    }

    assert {key: number for key, number in expected.items() if number} == {k: n for k, n in found.items() if n}


def test_shifts_stand_in_the_order_of_the_day(sample: Path) -> None:
    found = [row["shift"] for row in cells(report_of(sample, "wagers-by-shift", first_day=FIRST))]

    assert ["day"] * 3 + ["swing"] * 3 == found


def test_g_44_m_10_what_arrives_late_is_counted_where_it_was_recorded_and_told(
    template: Path, quick_path: Path
) -> None:
    path = quick_path / "room"
    with house(template, path) as room:
        room.open(main_jackpot())
        room.set(FIRST, 14, 30)
        room.press("4", [1, 2], happened=at(FIRST, 13, 59))
        room.press("4", [1])
    report = report_of(path, "wagers-by-shift")

    assert [("swing", 3)] == [(row["shift"], row["counted"]) for row in cells(report)]
    assert any("2 wagers happened in an earlier shift" in note for note in report.notes)


def test_rounds_are_counted_once_however_many_jackpots_a_press_has(template: Path, quick_path: Path) -> None:
    path = quick_path / "room"
    with house(template, path) as room:
        room.open(main_jackpot("4"), main_jackpot_named("second", "4"))
        for number in range(1, 4):
            both = {"main": [1], "second": [1, 2]}
            room.jackpots.tabulate("4", number, both, command=room.id(), actor="table 4")
        room.rounds["4"] = 3
        room.clock.now += 3_600_000_000
        room.batch("4", 5, {1: 5})
        room.jackpots.count_missed(
            "main", "4", 3, [6], words="missed", command=room.id(), actor="Ada", approved_by="Max"
        )
    (row,) = cells(report_of(path, "rounds"))

    assert (8, 2, Fraction(4), 5) == (row["rounds"], row["hours"], row["per_hour"], row["most"])


def main_jackpot_named(name: str, *tables: str) -> Jackpot:
    return replace(main_jackpot(*tables), name=name, offers=(offer_of(FCP, "four-card-jackpot", "FCJ-1"),))


def test_f_11_participation_is_wagers_over_hands_in_play(template: Path, quick_path: Path) -> None:
    path = quick_path / "room"
    setup = TableSetup(table="6", game=FCP, model="none", seats=7, entered=("ante-raise", "five-card-jackpot"))
    with house(template, path) as room:
        room.open(daily_bonus("6"))
        room.equip(setup)
        for seats, base in (([1, 2], [1, 2, 3, 4]), ([1], [1, 2]), ([], [5])):
            room.enter("6", {"ante-raise": base, "five-card-jackpot": seats})
    (row,) = cells(report_of(path, "participation"))

    assert (3, 3, 7, Fraction(3, 7)) == (row["rounds"], row["wagers"], row["in_play"], row["participation"])
    assert (Fraction(1), 2, Fraction(3, 6)) == (row["per_round"], row["seats"], row["of_these"])
    with scope_of(path) as scope:
        collector = Participation(scope)
        pairs = {"ante-raise": ((1, 3), (2, 2)), "five-card-jackpot": ((1, 1),)}
        entry = next(each for each in scope.store.entries(BOOK) if each.kind == "round-tabulated")
        collector.take(entry, BatchTabulated(round=6, rounds=3, dealer="Dan", source="device", counted=pairs))
        assert {"6": 5} == collector.in_play, "a seat is in play as often as the wager it made most often"


@pytest.mark.parametrize("day", [FIRST, NEXT])
def test_j_04_the_accrual_line_is_what_wagers_put_into_the_funds(sample: Path, day: datetime.date) -> None:
    report = report_of(sample, "accrual", first_day=day)
    (row,) = cells(report)
    rows = within(raw_rows(sample), report.period.begins, report.period.ends)
    back = [each for each in rows if each.kind == "count-corrected"]
    into = sum(moved(rows, "main", "wagers", fund) for fund in ("displayed", "reserve", "overflow"))
    out = sum(
        units
        for each in back
        for payer, payee, units, *_ in each.said["transfers"]
        if payer in ("displayed", "reserve")
    )

    assert "main" == row["jackpot"], "a Bonus has no accrual line"
    assert into - out == row["accrual_units"]
    assert units_of(row["wagers"] * 100) == row["staked_units"]
    assert Fraction(row["accrual_units"], row["staked_units"]) == Fraction("0.223")


def test_a_table_or_jackpot_narrows_every_report_of_counts(sample: Path) -> None:
    for name in ("wagers-by-seat", "wagers-by-shift", "participation", "rounds"):
        report = report_of(sample, name, table="4", **WHOLE)
        assert {"4"} == {row["table"] for row in cells(report)}
        assert (("table", "4"),) == report.filters
    assert {"daily"} == {row["jackpot"] for row in cells(report_of(sample, "wagers-by-hour", jackpot="daily", **WHOLE))}


def test_what_is_asked_wrongly_is_told_at_once(sample: Path) -> None:
    with pytest.raises(RefusedError) as caught:
        report_of(sample, "meters", table="99", jackpot="nothing", first_day=FIRST)
    assert (
        "there is no jackpot 'nothing'; there are: daily, main",
        "no jackpot is linked to table '99'; there are: 4, 5, 6",
    ) == caught.value.problems
    with pytest.raises(RefusedError) as caught:
        report_of(sample, "meters", first_day=NEXT, last_day=FIRST, shift="noon")
    assert 3 == len(caught.value.problems)
    with pytest.raises(RefusedError, match="there is no report 'weather'"):
        report_of(sample, "weather")
