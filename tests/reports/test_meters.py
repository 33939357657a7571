"""Meter reconciliation: it balances on every day that could be, and on none that could not."""

from __future__ import annotations

import datetime
import shutil
import tempfile
from collections import Counter
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pitboss.books import LEDGER, BookState, Draft, LedgerTransfer, Movement, Submission, movement_of
from pitboss.meters import Account, DecreaseReason, contribute, units_of
from pitboss.reports import INVARIANTS, ReportRequest, make_report
from pitboss.reports.catalogue.meters import Meters
from pitboss.reports.scope import period_entries
from tests.jackpot.hit_making import FLUSH
from tests.reports.making import (
    BOOK,
    FIRST,
    ROYAL,
    STRAIGHT_FLUSH,
    TWO,
    House,
    cells,
    daily_bonus,
    house,
    main_jackpot,
    report_of,
    scope_of,
)
from tests.reports.naive import FUNDS, Raw, balance, moved, raw_rows, wagers, within

DAYS = [FIRST + datetime.timedelta(days=number) for number in range(2)]
SHIFTS = ("day", "swing", "graveyard")


def lines(path: Path, jackpot: str = "main", **asked: Any) -> dict[str, dict[str, Any]]:
    """The lines of one meter by their words."""
    return {row["line"]: row for row in cells(report_of(path, "meters", jackpot=jackpot, **asked))}


def test_j_07_a_scripted_day_comes_to_what_a_pencil_says(template: Path, quick_path: Path) -> None:
    """40 wagers at 17.3 % and 5 %: $6.92 and $2.00 on a seed of $10,000, less a prize of the whole meter."""
    with house(template, quick_path / "room") as room:
        room.open(main_jackpot())
        for _ in range(20):
            room.press("4", [1, 5])
        room.paid_hit = room.call("4", (5, ROYAL))  # type: ignore[attr-defined]
    found = lines(quick_path / "room")

    assert 40 == found["Table 4: wagers at $0.173, $0.05 to the reserve"]["count"]
    assert units_of(6_92) == found["Table 4: wagers at $0.173, $0.05 to the reserve"]["displayed_units"]
    assert units_of(2_00) == found["Table 4: wagers at $0.173, $0.05 to the reserve"]["reserve_units"]
    assert units_of(-10_006_92) == found["Prizes"]["displayed_units"]
    assert units_of(2_00) == found["Reset from the reserve"]["displayed_units"]
    assert units_of(4_998_00) == found["Reset by the house"]["displayed_units"]
    assert units_of(5_000_00) == found["Calculated"]["held_units"] == found["Recorded"]["held_units"]
    assert "Difference" in found


@pytest.mark.parametrize("day", DAYS)
@pytest.mark.parametrize("jackpot", ["main", "daily"])
def test_j_09_start_wagers_prizes_and_end_are_those_of_the_raw_journal(
    sample: Path, day: datetime.date, jackpot: str
) -> None:
    rows = raw_rows(sample)
    report = report_of(sample, "meters", first_day=day, jackpot=jackpot)
    found = {row["line"]: row for row in cells(report)}
    begins, ends = report.period.begins, report.period.ends

    for fund in FUNDS:
        assert balance(rows, jackpot, fund, begins) == found["Opening"][f"{fund}_units"]
        assert balance(rows, jackpot, fund, ends) == found["Recorded"][f"{fund}_units"]
    of_day = within(rows, begins, ends)
    counted = sum(number for (name, _, _), number in wagers(of_day).items() if name == jackpot)
    assert counted == sum(row["count"] for line, row in found.items() if "wagers" in line)
    prizes = found.get("Prizes", {"displayed_units": 0})["displayed_units"]
    assert -moved(of_day, jackpot, "displayed", "winners", "prize-called") == prizes
    assert not report.broken


def test_shifts_of_a_day_join_without_a_gap(sample: Path) -> None:
    for day in DAYS:
        whole = lines(sample, first_day=day)
        parts = [lines(sample, first_day=day, shift=shift) for shift in SHIFTS]

        assert whole["Opening"]["held_units"] == parts[0]["Opening"]["held_units"]
        for earlier, later in pairwise(parts):
            assert earlier["Recorded"]["held_units"] == later["Opening"]["held_units"]
        assert parts[-1]["Recorded"]["held_units"] == whole["Recorded"]["held_units"]


def test_t_22_what_passes_the_cap_is_told_apart(template: Path, quick_path: Path) -> None:
    with house(template, quick_path / "room") as room:
        room.open(main_jackpot(cap_cents=10_000_50))
        for _ in range(10):
            room.press("4", [1])
    found = lines(quick_path / "room")

    above = found["Of these above the cap"]
    assert units_of(1_73 - 50) == above["overflow_units"] == -above["displayed_units"]
    assert "Difference" in found


def test_t_16_changed_rates_stand_in_lines_of_their_own(template: Path, quick_path: Path) -> None:
    with house(template, quick_path / "room") as room:
        room.open(main_jackpot())
        room.press("4", [1, 2])
        room.jackpots.close("main", words="new rate", command=room.id(), actor="Ada King")
        changed = main_jackpot(display_rate=Fraction("0.2"))
        room.jackpots.change(changed, words="new rate", command=room.id(), **TWO)
        room.jackpots.open("main", words="new rate", command=room.id(), **TWO)
        room.press("4", [1, 2, 3])
    found = lines(quick_path / "room")

    assert (2, 3) == (
        found["Table 4: wagers at $0.173, $0.05 to the reserve"]["count"],
        found["Table 4: wagers at $0.20, $0.05 to the reserve"]["count"],
    )
    assert "Difference" in found


# A report has to find by itself what the writer refuses and an audit names.
WITHOUT_RATES = tuple(invariant for invariant in INVARIANTS if invariant.name != "jackpot-rates")


def false_count(room: House, off: int) -> None:
    """Write a count whose display gets other units than its rate says; the house's share makes it sum to zero."""

    def decide(state: BookState) -> list[Draft]:
        before = state.of(LEDGER)["main"].meter_state
        made = movement_of("wagers-counted", "main", before, contribute(before, main_jackpot().meter, 2))
        wrong = {"displayed": off, "house-share": -off}
        transfers = tuple(
            LedgerTransfer(payer, payee, units + wrong.get(payee, 0), reason, words)
            for payer, payee, units, reason, words in made.transfers
        )
        details = {"round": room.rounds["4"] + 1, "seats": [1, 2]}
        return [Draft(Movement("wagers-counted", "main", transfers, made.counts, details=details))]

    asked = Submission(book=BOOK, id=room.id(), actor="table 4", content=["x"], decide=decide, table="4")
    room.books.submit(asked)


@pytest.mark.parametrize("off", [1, -1, 500])
def test_a_book_that_is_wrong_by_one_unit_does_not_balance(template: Path, quick_path: Path, off: int) -> None:
    with house(template, quick_path / "room", invariants=WITHOUT_RATES) as room:
        room.open(main_jackpot(), daily_bonus())
        room.press("4", [1, 2])
        false_count(room, off)
    report = report_of(quick_path / "room", "meters")
    found = {row["line"]: row for row in cells(report) if row["jackpot"] == "main"}

    assert report.broken
    assert off == found["Difference: DOES NOT BALANCE"]["displayed_units"]
    assert ["meters/2026-11-13/2026-11-13/main"] == [each.key for each in report.exceptions]
    assert off == report.exceptions[0].units


def test_section_10_no_4_a_count_that_is_not_its_seats_is_an_exception(template: Path, quick_path: Path) -> None:
    with house(template, quick_path / "room") as room:
        room.open(main_jackpot())
        room.press("4", [1, 2])
    with scope_of(quick_path / "room") as scope:
        collector = Meters(scope)
        lying = Movement("wagers-counted", "main", counts={"wagers_counted": 3}, details={"round": 1, "seats": [1, 2]})
        for entry, value in period_entries(scope, Meters.kinds):
            collector.take(entry, lying if entry.kind == "wagers-counted" else value)
        assert any("counts 3 wagers and its seats 2" in each.words for each in collector.report().exceptions)


PLAYS = st.lists(
    st.one_of(
        st.tuples(st.just("press"), st.sampled_from("45"), st.sets(st.integers(1, 6))),
        st.tuples(st.just("bonus"), st.just("6"), st.sets(st.integers(1, 6))),
        st.tuples(st.just("batch"), st.sampled_from("45"), st.integers(1, 5)),
        st.tuples(st.just("void"), st.sampled_from("45"), st.none()),
        st.tuples(st.just("correct"), st.sampled_from("45"), st.integers(1, 6)),
        st.tuples(st.just("raise"), st.none(), st.integers(1, 10**9)),
        st.tuples(st.just("lower"), st.none(), st.integers(1, 10**7)),
        st.tuples(st.just("receipts"), st.none(), st.integers(1, 10**5)),
        st.tuples(st.just("post"), st.none(), st.integers(1, 10**5)),
        st.tuples(st.just("small"), st.sampled_from("45"), st.integers(1, 6)),
        st.tuples(st.just("hit"), st.sampled_from("45"), st.sampled_from([ROYAL, STRAIGHT_FLUSH])),
        st.tuples(st.just("reject"), st.none(), st.none()),
        st.tuples(st.just("wait"), st.none(), st.integers(1, 14)),
    ),
    min_size=5,
    max_size=40,
)


def play(room: House, plays: list[Any]) -> None:
    """Play whatever of it is allowed; what is refused changes nothing."""
    last: dict[str, int] = {}
    for what, table, said in plays:
        match what:
            case "press":
                room.trying(lambda t=table, s=said: last.__setitem__(t, room.press(t, sorted(s))))
            case "bonus":
                room.trying(room.press, table, sorted(said), "daily")
            case "batch":
                room.trying(room.batch, table, said, {1: said, 3: said - 1})
            case "void" if table in room.rounds:
                room.trying(room.void, table)
            case "correct" if table in last:
                room.trying(room.correct, last[table], said)
            case "small":
                room.trying(room.small, table, said, FLUSH)
            case "hit":
                room.trying(room.call, table, (1, said))
            case "reject":
                for number in list(room.hits.open):
                    room.trying(room.reject, number)
            case "wait":
                room.clock.now += said * 3_600_000_000
            case _:
                room.trying(desk_work, room, what, said)


def desk_work(room: House, what: str, units: Any) -> None:
    said = {"words": "as asked", "command": room.id(), **TWO}
    if what == "raise":
        room.jackpots.adjust("main", units, **said)
    elif what == "lower":
        room.jackpots.adjust("main", -units, DecreaseReason.EQUIPMENT_MALFUNCTION, **said)
    elif what == "receipts":
        room.jackpots.book_receipts("main", units, fund=Account.RESERVE, **said)
    elif what == "post":
        room.jackpots.post_bonus("daily", units, words="as asked", command=room.id(), actor="Ada King")


def check_days(template: Path, plays: list[Any], cap: int | None) -> None:
    """Whatever was played: every day and shift balances, and begins where the one before it ended."""
    with tempfile.TemporaryDirectory(dir=template.parent) as folder:
        path = Path(folder) / "room"
        with house(template, path) as room:
            room.open(main_jackpot("4", "5", cap_cents=cap), daily_bonus("6"))
            play(room, plays)
            until = room.clock.now
        held = None
        day = FIRST
        while True:
            with scope_of(path, ReportRequest(first_day=day, jackpot="main")) as scope:
                report = make_report(scope, "meters")
            found = {row["line"]: row["held_units"] for row in cells(report)}
            assert not report.broken
            assert held in (None, found["Opening"])
            held = found["Recorded"]
            if report.period.ends > until:
                break
            day += datetime.timedelta(days=1)
        rows = raw_rows(path)
        assert held == sum(balance(rows, "main", fund, until + 10**12) for fund in FUNDS)
        check_counts(path, day, rows)
        shutil.rmtree(path)


def check_counts(path: Path, last_day: datetime.date, rows: list[Raw]) -> None:
    """Seats, shifts and tills of all days say what a second count of the raw journal says."""
    period: dict[str, Any] = {"first_day": FIRST, "last_day": last_day}
    by_seat = {
        (row["jackpot"], row["table"], row["seat"]): row for row in cells(report_of(path, "wagers-by-seat", **period))
    }
    kinds = {"counted": "wagers-counted", "taken_back": "count-corrected", "refunded": "wagers-refunded"}
    for key, kind in kinds.items():
        assert wagers(rows, kind) == Counter({place: row[key] for place, row in by_seat.items() if row[key]})
    tills = cells(report_of(path, "takings", **period))
    tray = sum(moved(rows, name, "winners", "paid") for name in ("main", "daily"))
    net = sum(row["counted"] - row["taken_back"] - row["refunded"] for row in by_seat.values())
    assert units_of(100 * net) - tray == sum(row["expected_units"] for row in tills)


CAPS = st.sampled_from([None, 10_001_00])


@settings(max_examples=12, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(plays=PLAYS, cap=CAPS)
def test_any_days_balance_and_join(template: Path, plays: list[Any], cap: int | None) -> None:
    check_days(template, plays, cap)


@pytest.mark.slow
@settings(max_examples=400, deadline=None, suppress_health_check=list(HealthCheck))
@given(plays=PLAYS, cap=CAPS)
def test_many_days_balance_and_join(template: Path, plays: list[Any], cap: int | None) -> None:
    check_days(template, plays, cap)
