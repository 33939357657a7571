"""What a program that does not ask would write is refused by the books, and found by an audit (section 10 no. 4)."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pitboss.books import Draft, Payload, Submission
from pitboss.tabulator import INVARIANTS
from pitboss.tabulator.entries import (
    BatchTabulated,
    CounterRead,
    RoundCorrected,
    RoundReleased,
    RoundTabulated,
    RoundVoided,
    SequencesLost,
    TableClosed,
    TableSetUp,
)
from tests.books.making import Room
from tests.jackpot.making import make_bonus, refused
from tests.tabulator.making import DEVICE, FINAL_FOUR, Floor, floor, make_setup

SOURCE = Path(__file__).parents[2] / "src" / "pitboss" / "tabulator"


def forged(at: Floor, *values: Payload) -> str:
    """What speaks against entries that are written without asking anybody."""
    drafts = [Draft(value) for value in values]
    asked = Submission(book="room", id=at.id(), actor="Eve", content=[], decide=lambda _: drafts, table="4")
    return refused(lambda: at.books.submit(asked))


def tabulated(**said: Any) -> RoundTabulated:
    usual: dict[str, Any] = {"round": 2, "dealer": "Dan", "source": "device", "counted": {FINAL_FOUR: (1,)}}
    return RoundTabulated(**usual | said)


def test_section_10_no_4_a_round_that_its_jackpots_have_not_counted_is_refused(sqlite_room: Room) -> None:
    with floor(sqlite_room, make_setup()) as at:
        at.round(1, 2)
        told = "seat 1 of table 4 has 2 jackpot wagers, and its jackpots have counted 1"
        assert forged(at, tabulated()) == told
        batch = BatchTabulated(round=3, rounds=2, dealer="Dan", source="device", counted={FINAL_FOUR: ((1, 1),)})
        assert forged(at, batch) == told
        said: dict[str, Any] = {"round": 1, "wager": FINAL_FOUR, "words": "x", "by": "Sue", "role": "supervisor"}
        taken = RoundCorrected(cause="miscounted", seats=(1,), approved_by="Max", **said)
        assert forged(at, taken) == "seat 1 of table 4 has 0 jackpot wagers, and its jackpots have counted 1"


def test_e_02_presses_that_do_not_follow_are_refused(sqlite_room: Room) -> None:
    with floor(sqlite_room, make_setup()) as at:
        at.press()
        empty: dict[str, Any] = {"counted": {FINAL_FOUR: ()}}
        assert "table 4 is tabulated: a round-tabulated does not follow" in forged(at, tabulated(**empty))
        assert "round 1 is on table 4, not 7" in forged(at, RoundReleased(round=7, dealer="Dan", source="device"))
        assert "names no dealer" in forged(at, RoundReleased(round=1, dealer=" ", source="device"))
        assert "round 1 is on table 4: it changes between rounds" in forged(at, TableClosed())
        assert "its equipment changes while it is closed" in forged(
            at, TableSetUp(setup=make_setup(), words="x", approved_by="Max")
        )
        at.press()
        assert "round 1 of table 4 was counted already" in forged(at, tabulated(round=1, **empty))


def test_m_10_a_message_that_does_not_follow_is_refused(sqlite_room: Room) -> None:
    with floor(sqlite_room, make_setup()) as at:
        at.round()
        for number in (1, 2, 4):
            said = tabulated(counted={FINAL_FOUR: ()}, device=DEVICE, device_sequence=number)
            assert f"message {number} of {DEVICE} does not follow 2" in forged(at, said)


def test_t_06_what_two_people_do_is_not_written_by_one(sqlite_room: Room) -> None:
    with floor(sqlite_room, make_setup()) as at:
        at.round(1)
        void = RoundVoided(round=1, cause="misdeal", words="x", by="Eve", approved_by="eve")
        assert "Eve approves a change of their own" in forged(at, void)
        lost = SequencesLost(device=DEVICE, first=3, last=4, words="x", by="Eve", approved_by="")
        assert "needs the approval of a second person" in forged(at, lost)
        counts = BatchTabulated(round=2, rounds=1, dealer="Dan", source="hand", counted={}, by="Eve")
        assert "a batch-tabulated needs the approval" in forged(at, counts)


def test_m_11_a_reading_that_falls_is_refused_by_the_books_too(sqlite_room: Room) -> None:
    with floor(sqlite_room, make_setup("milky-way"), jackpots=[make_bonus()]) as at:
        first = CounterRead(day="2026-12-19", shift="day", reading=9, counted=0, by="Dan")
        asked = Submission(book="room", id="r", actor="Dan", content=[], decide=lambda _: [Draft(first)], table="4")
        at.books.submit(asked)
        assert "the reading 8 of table 4 is below 9" in forged(at, replace(first, reading=8))


def test_the_invariants_of_tables_are_asked_in_every_audit() -> None:
    named = {each.name for each in INVARIANTS}
    assert {"table-approval", "table-course", "table-messages", "table-counter", "table-counts"} <= named


@pytest.mark.parametrize("module", sorted(SOURCE.glob("*.py")), ids=lambda path: str(path.name))
def test_the_tabulator_knows_no_amounts_of_money(module: Path) -> None:
    assert [] == re.findall(r"\b\w*(?:cents|dollar|units|balance|displayed)\w*\b", module.read_text(encoding="utf-8"))
