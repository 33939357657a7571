"""The accounting desk: chips by two people, exceptions with owners, shared prizes; the fold refuses what the desk does."""

from __future__ import annotations

import datetime
from pathlib import Path
from typing import Any

import pytest

from pitboss.books import Directory, RefusedError, UnreadableError, part_at, read_payload, write_payload
from pitboss.books.audit import check_books, open_source
from pitboss.commands import By
from pitboss.meters import units_of
from pitboss.reports import ACCOUNTING, INVARIANTS, PROJECTIONS, Share
from pitboss.reports.state import ChipsCollected, ExceptionResolved, ExceptionTaken, PrizeShared
from tests.jackpot.hit_making import FLUSH
from tests.reports.making import BOOK, FIRST, ROYAL, House, cells, house, main_jackpot, report_of

NEXT = FIRST + datetime.timedelta(days=1)


def refused(act: object, room: House) -> tuple[str, ...]:
    """What speaks against something, after which nothing has changed."""
    before = room.books.state(BOOK)
    with pytest.raises(RefusedError) as caught:
        act()  # type: ignore[operator]
    assert before == room.books.state(BOOK)
    return caught.value.problems


def test_g_45_o_12_chips_are_counted_by_two_people_and_everything_wrong_is_told_at_once(
    template: Path, quick_path: Path
) -> None:
    with house(template, quick_path / "room") as room:
        room.open(main_jackpot())
        said = {"counted_with": "Lee", "command": "x", "actor": "LEE", "approved_by": "Nia Ford"}
        problems = refused(lambda: room.desk.collect(FIRST, "noon", "99", 10**9, **said), room)
        assert (
            "2026-11-13 has no shift 'noon'; it has: day, swing, graveyard",
            "no jackpot is linked to table '99'; there are: 4, 5",
            "1000000000 must be whole cents, at most $1,000,000.00 (G-3)",
            "LEE counts with somebody else (O-12, P-06, G-45)",
        ) == problems
        assert ("the swing shift of 2026-11-13 has not begun",) == refused(
            lambda: room.chips(FIRST, "swing", "4", 1), room
        )


def test_g_45_who_is_named_as_counting_confirms_the_amount_under_their_own_name(
    template: Path, quick_path: Path
) -> None:
    with house(template, quick_path / "room") as room:
        room.open(main_jackpot())
        count = {"counted_with": "Nobody at all", "actor": "Lee Sato", "command": "x"}
        problems = refused(lambda: room.desk.collect(FIRST, "day", "4", 1, approved_by="Nia Ford", **count), room)
        assert ("Nobody at all counted and confirms the amount, not Nia Ford (G-45)",) == problems
        same = {**count, "counted_with": "lee sato", "approved_by": "LEE SATO"}
        assert any(
            "no second person" in text
            for text in refused(lambda: room.desk.collect(FIRST, "day", "4", 1, **same), room)
        )
        room.chips(FIRST, "day", "4", 0)
        assert ("Lee Sato", "Nia Ford") == room.desk.room.chips["2026-11-13/day/4"][2:]


@pytest.mark.parametrize(("days", "late"), [(0, False), (1, False), (2, True), (9, True)])
def test_g_45_chips_entered_after_the_next_gambling_day_are_an_exception(
    template: Path, quick_path: Path, days: int, late: bool
) -> None:
    with house(template, quick_path / "room") as room:
        room.open(main_jackpot())
        room.press("4", [1, 2])
        room.set(FIRST + datetime.timedelta(days=days), 15)
        entries = room.chips(FIRST, "day", "4", 2_00).entries
        assert (["chips-collected", "exception-raised"] if late else ["chips-collected"]) == [
            entry.kind for entry in entries
        ]
        if late:
            held = room.desk.room.by_key("chips/2026-11-13/day/4")
            assert ("Lee Sato", "Nia Ford") == held.people
            entered = FIRST + datetime.timedelta(days=days)
            assert f"entered on {entered}, due by the end of 2026-11-14 (G-45)" in held.words
            # A recount raises it once.
            assert 1 == len(room.chips(FIRST, "day", "4", 3_00, "a chip stuck").entries)
    [row] = [
        row
        for row in cells(report_of(quick_path / "room", "takings", first_day=FIRST, last_day=FIRST))
        if row["table"] == "4"
    ]
    assert units_of(3_00 if late else 2_00) == row["collected_units"]


def test_g_66_a_small_prize_that_is_taken_back_is_no_prize_of_its_reports(template: Path, quick_path: Path) -> None:
    path = quick_path / "room"
    with house(template, path) as room:
        room.open(main_jackpot())
        room.press("4", [1, 2, 3])
        room.small("4", 1, FLUSH)
        room.small("4", 2, FLUSH)
        paid = room.hits.room.small["4"][-1]
        by = By("Sue Halvorsen", "supervisor")
        room.hits.reverse_small("4", paid.number, words="wrong seat", command=room.id(), by=by)
    [till] = [row for row in cells(report_of(path, "takings", first_day=FIRST)) if row["table"] == "4"]
    assert units_of(25_00) in till.values(), till
    assert any("1 small and Envy prize" in note for note in report_of(path, "hits", first_day=FIRST).notes)


def test_a_recount_says_why_and_replaces_the_count_before_it(template: Path, quick_path: Path) -> None:
    path = quick_path / "room"
    with house(template, path) as room:
        room.open(main_jackpot())
        room.press("4", [1, 2, 3])
        first = room.chips(FIRST, "day", "4", 2_00).entries[0].sequence
        assert ("these chips were counted already: a recount says why",) == refused(
            lambda: room.chips(FIRST, "day", "4", 3_00), room
        )
        assert ("nothing was counted here yet: words are for a recount",) == refused(
            lambda: room.chips(FIRST, "day", "5", 3_00, "again"), room
        )
        room.chips(FIRST, "day", "4", 3_00, "a chip stuck in the tube")
        found = room.desk.room.chips["2026-11-13/day/4"]
        assert (3_00, first + 1) == (found.cents, found.sequence)
        # What another program writes past the desk is refused by the fold.
        again = ChipsCollected(day=FIRST, shift="day", table="4", cents=1, counted_with="Nia Ford")
        assert "were counted in entry" in refused(lambda: room.write(again, actor="Lee"), room)[0]
        alone = ChipsCollected(day=FIRST, shift="day", table="5", cents=1, counted_with="Lee")
        assert "two people count" in refused(lambda: room.write(alone, actor="Lee"), room)[0]
    report = report_of(path, "takings")
    assert [(units_of(3_00), 0)] == [(row["collected_units"], row["difference_units"]) for row in cells(report)]


def test_g_46_section_10_no_5_differences_are_exceptions_with_an_owner(template: Path, quick_path: Path) -> None:
    path = quick_path / "room"
    with house(template, path) as room:
        room.open(main_jackpot())
        for _ in range(10):
            room.press("4", [1, 2])
            room.press("5", [1])
        room.small("4", 1, FLUSH)
        room.void("5")
        room.set(FIRST, 15)
        room.chips(FIRST, "day", "4", -7_00)
        found = report_of(path, "takings")
        assert [(units_of(-5_00), units_of(-7_00)), (units_of(9_00), None)] == [
            (row["expected_units"], row["collected_units"]) for row in cells(found)
        ]
        answer = room.desk.raise_found(found, command=room.id(), actor="pitboss")
        assert answer is not None
        assert 2 == len(answer.entries)
        assert room.desk.raise_found(report_of(path, "takings"), command=room.id(), actor="pitboss") is None
        number = answer.entries[0].sequence
        problems = refused(lambda: room.desk.take(number, "Nia Ford", command="t", actor="Nia Ford"), room)
        assert (f"exception {number} is about Nia Ford: somebody else looks into it (M-07)",) == problems
        assert (
            "resolved by its owner"
            in refused(lambda: room.desk.resolve(number, "ok", command="r", actor="Ada"), room)[0]
        )
        room.desk.take(number, "Omar Diaz", command=room.id(), actor="Omar Diaz")
        lines = {line.number: line for line in report_of(path, "exceptions").exceptions}
        assert ("Omar Diaz", "taken") == (lines[number].owner, lines[number].state)
        room.desk.resolve(number, "two chips were found under the tray", command=room.id(), actor="Omar Diaz")
        assert number not in room.desk.room.open
        rows = {row["number"]: row for row in cells(report_of(path, "exceptions"))}
        assert ("resolved", "two chips were found under the tray") == (rows[number]["state"], rows[number]["result"])
    report = check_books(room.books.directory, projections=PROJECTIONS, invariants=INVARIANTS)
    assert report.is_sound


def test_m_07_an_exception_is_raised_once_until_it_is_resolved(template: Path, quick_path: Path) -> None:
    with house(template, quick_path / "room") as room:
        room.open(main_jackpot())
        said: dict[str, Any] = {"command": room.id(), "actor": "Ada King"}
        number = room.desk.raise_exception("till/4", "a torn chip", people=["Dan Ortiz"], **said).entries[0].sequence
        problems = refused(
            lambda: room.desk.raise_exception("till/4", "", people=[" x"], command="y", actor="Ada"), room
        )
        assert 3 == len(problems)
        assert (
            "there is no open exception 1"
            in refused(lambda: room.desk.take(1, "Omar", command="z", actor="Omar"), room)[0]
        )
        for value, words in (
            (ExceptionTaken(number=number, owner="Dan Ortiz"), "about themselves"),
            (ExceptionResolved(number=number, words="fine"), "by its owner"),
        ):
            assert words in refused(lambda v=value: room.write(v, actor="Dan Ortiz"), room)[0]


def test_what_a_person_raised_stands_in_the_report_of_exceptions(template: Path, quick_path: Path) -> None:
    path = quick_path / "room"
    with house(template, path) as room:
        room.open(main_jackpot())
        room.desk.raise_exception("till/4", "a torn chip", units=units_of(1_00), command=room.id(), actor="Ada King")
    report = report_of(path, "exceptions")
    assert [("till", "a torn chip", units_of(1_00))] == [
        (row["found_by"], row["words"], row["amount_units"]) for row in cells(report)
    ]
    assert [("till/4", "open")] == [(line.key, line.state) for line in report.exceptions]


def test_x_05_parts_of_a_shared_prize_are_the_prize(template: Path, quick_path: Path) -> None:
    with house(template, quick_path / "room") as room:
        room.open(main_jackpot())
        room.press("4", [1, 3])
        hit = room.call("4", (3, ROYAL))
        cents = room.hits.open[hit].won[0].cents
        wrong = [Share("Rosa", 1, True), Share("Rosa", 0, True)]
        said = {"command": "s", "actor": "Cora"}
        problems = refused(lambda: room.desk.share(hit, 3, wrong, **said), room)
        assert 2 == len(problems)
        short = [Share("Rosa", 1, True), Share("Karl", 1, True)]
        assert "the parts come to $0.02" in refused(lambda: room.desk.share(hit, 3, short, **said), room)[0]
        assert f"no prize of a hit {hit + 1}" in refused(lambda: room.desk.share(hit + 1, 3, short, **said), room)[0]
        room.desk.share(hit, 3, [Share("Rosa", 1, True), Share("Karl", cents - 1, False)], **said)
        assert 2 == len(room.desk.room.shared[f"{hit}-3"])


def test_the_state_of_the_desk_is_written_and_read_back_as_it_was(sample: Path) -> None:
    store = open_source(Directory(sample))
    desk = part_at(store, BOOK, 10**6, ACCOUNTING)
    store.close()
    assert desk == ACCOUNTING.read(ACCOUNTING.write(desk))
    assert desk.chips
    assert desk.open
    assert desk.shared


@pytest.mark.parametrize(
    "value",
    [
        ChipsCollected(day=FIRST, shift="day", table="4", cents=-5, counted_with="Nia", replaces=4, words="again"),
        PrizeShared(hit=3, seat=2, shares=(Share("A", 5, True), Share("B", 6, False))),
    ],
)
def test_entries_are_read_as_they_were_written(value: ChipsCollected | PrizeShared) -> None:
    assert value == read_payload(value.kind, write_payload(value))
    with pytest.raises(UnreadableError):
        read_payload(value.kind, '{"day":"2026-11-13","cents":"5"}')
