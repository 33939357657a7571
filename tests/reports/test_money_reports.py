"""Escrow, adjustments, takings of the example room, equipment, papers and the chain, each by a second road."""

from __future__ import annotations

import datetime
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest

from pitboss.books import Directory, Entry, Payload
from pitboss.books.audit import check_books
from pitboss.meters import units_of
from pitboss.reports import INVARIANTS, PACKET, PROJECTIONS, REPORTS, ReportRequest, make_packet, make_report
from pitboss.reports import scope as collecting
from tests.reports.making import (
    FIRST,
    MANAGER,
    SUPERVISOR,
    House,
    cells,
    daily_bonus,
    house,
    main_jackpot,
    milky_way,
    report_of,
    scope_of,
    totals,
)
from tests.reports.naive import balance, raw_rows, seats_of, within

NEXT = FIRST + datetime.timedelta(days=1)
WHOLE: dict[str, Any] = {"first_day": FIRST, "last_day": NEXT}


@pytest.mark.parametrize("day", [FIRST, NEXT])
def test_j_22_the_bank_is_what_the_raw_journal_says(sample: Path, day: datetime.date) -> None:
    report = report_of(sample, "escrow", first_day=day)
    found = {row["line"]: row for row in cells(report)}
    rows = raw_rows(sample)
    for line, instant in (("Opening", report.period.begins), ("Closing", report.period.ends)):
        assert balance(rows, "main", "escrow-bank", instant) == found[line]["bank_units"]
        assert balance(rows, "main", "escrow-transit", instant) == found[line]["transit_units"]
        held = sum(balance(rows, "main", fund, instant) for fund in ("displayed", "reserve", "overflow"))
        assert held == found[line]["held_units"]
    assert not report.broken


def test_j_19_a_shortfall_is_an_alarm(template: Path, quick_path: Path) -> None:
    path = quick_path / "room"
    with house(template, path) as room:
        room.open(main_jackpot(), daily_bonus())
        room.press("4", [1])
        room.clock.now += 8 * 86_400_000_000
        room.press("6", [1], "daily")
    report = report_of(path, "escrow")

    assert report.broken
    assert ["escrow/short/2026-11-21/main"] == [line.key for line in report.exceptions]
    assert report.exceptions[0].units == 223_000


def test_j_14_adjustments_have_a_reason_each_and_sum_to_what_play_did_not_do(sample: Path) -> None:
    report = report_of(sample, "adjustments", jackpot="main", first_day=NEXT)
    rows = within(raw_rows(sample), report.period.begins, report.period.ends)
    funds = ("displayed", "reserve", "overflow")
    expected = 0
    for row in rows:
        if row.said.get("jackpot") == "main" and row.kind != "wagers-counted":
            for payer, payee, units, *_ in row.said.get("transfers", ()):
                if row.kind != "prize-called" or payee == "winners":
                    expected += units * ((payee in funds) - (payer in funds))
    assert expected == totals(report)["amount_units"]
    lowered = [row for row in cells(report) if row["amount_units"] < 0 and row["entry"]]
    assert {row["reason"] for row in lowered} == {"equipment-malfunction", "booked-as-receipts", "seed-recovered"}
    assert all(row["approved_by"] for row in lowered)


def test_o_12_takings_are_wagers_less_refunds_and_tray_prizes_of_the_raw_journal(sample: Path) -> None:
    found = {(row["day"], row["shift"], row["table"]): row for row in cells(report_of(sample, "takings", **WHOLE))}
    for day in (FIRST, NEXT):
        for shift in ("day", "swing", "graveyard"):
            period = report_of(sample, "takings", first_day=day, shift=shift).period
            rows = within(raw_rows(sample), period.begins, period.ends)
            for table in "456":
                mine = [row for row in rows if row.table == table]
                sign = {"wagers-counted": 1, "count-corrected": -1, "wagers-refunded": -1}
                dollars = sum(sign[r.kind] * n for r in mine if r.kind in sign for _, n in seats_of(r.said))
                paid = sum(
                    cents
                    for r in mine
                    if r.kind == "prize-paid" and r.said["details"]["step"] in ("tray", "envy")
                    for _, _, cents in r.said["details"]["won"]
                )
                row = found.get((day.isoformat(), shift, table))
                assert units_of(dollars * 100 - paid) == (0 if row is None else row["expected_units"])
    differences = {key: row["difference_units"] for key, row in found.items() if row["difference_units"]}
    assert {("2026-11-13", "swing", "5"): units_of(-3_00)} == differences


def read(room: House, reading: int, **said: Any) -> int:
    return room.tables.read_counter("6", reading, command=room.id(), by=SUPERVISOR, **said).entries[0].sequence


def test_m_11_readings_are_compared_with_the_counts_between_them(template: Path, quick_path: Path) -> None:
    path = quick_path / "room"
    with house(template, path) as room:
        room.open(daily_bonus("6"))
        room.equip(milky_way(digits=4))
        read(room, 9_990)
        room.press("6", [1, 2, 3, 4, 5], "daily")
        read(room, 9_995)
        room.press("6", [1, 2, 3, 4, 5, 6, 7], "daily")
        read(room, 2, rolled_over=True, words="past 9999")
        room.press("6", [1, 2, 3], "daily")
        wrong = read(room, 6)
        room.clock.now += 86_400_000_000
        read(room, 0, replaced=True, words="battery")
        room.press("6", [1], "daily")
        read(room, 1)
    report = report_of(path, "counters", first_day=FIRST)

    assert [(None, None), (5, 5), (7, 7), (4, 3)] == [(row["gone"], row["entered"]) for row in cells(report)]
    assert [f"counters/{wrong}"] == [line.key for line in report.exceptions]
    later = cells(report_of(path, "counters", first_day=NEXT))
    assert [(None, "Counter replaced: battery"), (0, "")] == [(row["difference"], row["words"]) for row in later]


def test_o_02_the_clock_of_a_malfunction_runs_72_hours_from_knowing(template: Path, quick_path: Path) -> None:
    path = quick_path / "room"
    hour = 3_600_000_000
    with house(template, path) as room:
        room.open(daily_bonus("6"))
        room.equip(milky_way())
        known = room.tables.malfunction("6", words="dead sensor", command=room.id(), by=SUPERVISOR)
        number = known.entries[0].sequence
        room.clock.now += 71 * hour
        room.press("6", [1], "daily")
        report = report_of(path, "malfunctions")
        assert ["0 hours left"] == [row["clock"] for row in cells(report)]
        assert () == report.exceptions
        room.clock.now += 3 * hour
        room.tables.mend(number, words="new sensor", command=room.id(), by=SUPERVISOR)
        report = report_of(path, "malfunctions")
        assert ["2 hours OVERDUE"] == [row["clock"] for row in cells(report)]
        assert [f"malfunctions/{number}"] == [line.key for line in report.exceptions]
        assert f"malfunctions/{number}" in {line.key for line in report_of(path, "exceptions").exceptions}
        room.tables.report(number, reference="E-9", command=room.id(), by=MANAGER)
    (row,) = cells(report_of(path, "malfunctions"))
    assert ("2 hours late", "E-9", "Yes") == (row["clock"], row["reference"], row["mended"])


def test_g_11_void_and_corrected_rounds_name_both_people(template: Path, quick_path: Path) -> None:
    path = quick_path / "room"
    two: dict[str, Any] = {"by": SUPERVISOR, "approved_by": "Max"}
    with house(template, path) as room:
        room.open(daily_bonus("6"))
        room.equip(milky_way())
        room.press("6", [1, 2], "daily")
        room.tables.void("6", 1, "misdeal", words="two cards stuck", command=room.id(), **two)
        room.press("6", [1, 2], "daily")
        said = ("6", 2, "five-card-jackpot", "missed", [3])
        room.tables.correct(*said, words="light was out", command=room.id(), **two)
        room.press("6", [], "daily")
        room.tables.void("6", 3, "fouled-deck", words="a card too many", command=room.id(), **two)
    rows = cells(report_of(path, "voids"))
    assert [
        ("daily", 1, "1, 2", units_of(2_00), "misdeal", "Max", "two cards stuck"),
        ("None", 3, "", 0, "fouled-deck", "Max", "a card too many"),
    ] == [
        tuple(row[key] for key in ("jackpot", "round", "seats", "refunded_units", "cause", "approved_by", "words"))
        for row in rows
    ]
    (row,) = cells(report_of(path, "corrections"))
    assert (2, "missed", "3", SUPERVISOR.name, "Max", "light was out") == tuple(
        row[key] for key in ("round", "cause", "seats", "by", "approved_by", "words")
    )
    assert 5 == totals(report_of(path, "wagers-by-seat"))["counted"]


def test_f_08_alarms_stand_until_they_are_cleared(template: Path, quick_path: Path) -> None:
    path = quick_path / "room"
    with house(template, path) as room:
        room.open(daily_bonus("6"))
        room.equip(milky_way())
        read(room, 10)
        read(room, 12)
        assert ["Counter difference"] == [row["alarm"] for row in cells(report_of(path, "alarms"))]
        room.tables.clear_alarm("counter 6", words="read twice", command=room.id(), by=SUPERVISOR)
    (row,) = cells(report_of(path, "alarms"))
    assert f"Resolved by {SUPERVISOR.name}: read twice" == row["words"]


def test_m_04_configurations_say_what_was_in_force_and_what_changed(sample: Path) -> None:
    first, second = (cells(report_of(sample, "configurations", first_day=day)) for day in (FIRST, NEXT))

    assert ["defined", "open", "defined", "open", "set up"] == [row["what"].partition(":")[0] for row in first]
    assert all(row["what"].startswith("active, open") for row in second)
    assert "$0.173 of a wager to the meter; $0.05 to the reserve" in second[1]["what"]


def test_w_10_approvals_are_the_letters_of_the_games(sample: Path) -> None:
    dates = [row["date"] for row in cells(report_of(sample, "approvals"))]
    assert ["2015-04-23", "2017-08-30", "2021-01-28"] == dates


def test_m_02_the_chain_of_a_period_is_verified_as_an_audit_does(sample: Path) -> None:
    report = report_of(sample, "chain", first_day=NEXT)
    audited = check_books(Directory(sample), projections=PROJECTIONS, invariants=INVARIANTS)
    rows = {row["check"]: row for row in cells(report)}

    assert audited.is_sound
    assert not report.broken
    assert {invariant.name for invariant in audited.invariants} <= set(rows)
    assert audited.books["room"].reading.state.digest.hex() == rows["ends with"]["says"] == report.head


def test_a_packet_is_made_of_one_reading_and_says_what_its_reports_say(
    sample: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with scope_of(sample, ReportRequest(**WHOLE)) as scope:
        alone = [make_report(scope, each.name) for each in PACKET]
        reads, read = [], collecting.period_entries

        def counted(*said: Any) -> Iterator[tuple[Entry, Payload]]:
            reads.append(said)
            return read(*said)

        monkeypatch.setattr(collecting, "period_entries", counted)
        packet = make_packet(scope)
    assert alone == packet
    assert 1 == len(reads)


def test_every_report_says_what_m_06_asks(sample: Path) -> None:
    with scope_of(sample, ReportRequest(**WHOLE), made=5) as scope:
        for name in REPORTS:
            report = make_report(scope, name)
            assert name == report.name
            assert (report.room, report.made_at) == ("Example Room", 5)
            assert report.version == f"{version('pitboss')}, running from source"
            assert report.head == scope.head.digest.hex()
            assert report.period.words == "gambling days 2026-11-13 to 2026-11-14"
