"""G-29: two people who are known, of different roles, neither of the computers, decide on damaged books."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from functools import partial
from pathlib import Path

import pytest

from pitboss.books import BookState, Draft, HaltedError, Payload, RefusedError, Submission
from pitboss.commands import By
from pitboss.commands.command import SYSTEM_ACTOR
from pitboss.jackpot import AdjustFund, ConfirmAmount
from pitboss.jackpot.doubts import AmountConfirmed
from pitboss.jackpot.escrow import warnings
from pitboss.meters import units_of
from pitboss.reports import ReportRequest, look, make_report
from pitboss.room.damage import Decider, decide_damage
from pitboss.room.dealing.entries import DealingUnlocked
from pitboss.room.people.people import PersonSet, RecordSession
from pitboss.room.room import Room
from tests.pages.room import card_room
from tests.server.making import PASSWORD, cheap

ACCOUNTING, MANAGER = By("Acc", "accounting"), By("Mia", "manager")


@pytest.fixture
def damaged(quick_path: Path) -> Path:
    """A room with an open progressive one of whose amounts was altered; and people."""
    path = quick_path / "room"
    with card_room(path) as house:
        for login, *roles in (
            ("mia", "manager"),
            ("max", "manager"),
            ("acc", "accounting"),
            ("cam", "surveillance"),
            ("root", "administrator"),
            ("both", "manager", "administrator"),
            ("dee", "dealer"),
            ("new", "surveillance"),
        ):
            # As books of before have them: an administrator could be a manager too.
            person = PersonSet(login=login, name=login.capitalize(), roles=tuple(roles), active=True, first=True)
            by = MANAGER if login == "new" else SYSTEM_ACTOR
            house.room.do(RecordSession(values=(person,)), by, id=f"person-{login}")
            house.room.access.set_password(login, PASSWORD, SYSTEM_ACTOR)
        raised = AdjustFund(name="final-four", units=units_of(1_00), words="found in the drop")
        answer = house.room.do(raised, By("Acc", "accounting", MANAGER), id="raise")
        number = answer.entries[0].sequence
    with closing(sqlite3.connect(path / "journal.sqlite3", isolation_level=None)) as connection:
        connection.execute("DROP TRIGGER entries_update")
        connection.execute(
            f"UPDATE entries SET payload = replace(payload, '1000000', '9000000') WHERE sequence = {number}"
        )
    return path


def refused(path: Path, first: Decider, second: Decider) -> str:
    with Room(path, hashing=cheap()) as room:
        before = room.state.sequence
        with pytest.raises(RefusedError) as error:
            decide_damage(room, "room", first, second, reason="seen")
        assert before == room.state.sequence
        assert room.books.halted
    return "; ".join(error.value.problems)


@pytest.mark.parametrize(
    ("first", "second", "words"),
    [
        (
            Decider("Dora Invented"),
            Decider("mia", PASSWORD),
            "'Dora Invented' with this password is nobody who works here",
        ),
        (Decider("mia", PASSWORD), Decider("acc", "another"), "'acc' with this password is nobody"),
        (Decider("mia", PASSWORD), Decider("mia", PASSWORD), "is no second person"),
        (Decider("mia", PASSWORD), Decider("MIA", PASSWORD), "is no second person"),
        (Decider("mia", PASSWORD), Decider("max", PASSWORD), "not another manager"),
        (Decider("mia", PASSWORD), Decider("root", PASSWORD), "Root administers the computers"),
        (Decider("both", PASSWORD), Decider("acc", PASSWORD), "Both administers the computers"),
        (Decider("mia", PASSWORD), Decider("dee", PASSWORD), "not by a dealer"),
        (Decider("mia", PASSWORD), Decider("new", PASSWORD), "Mia brought New in"),
        (Decider("new", PASSWORD), Decider("mia", PASSWORD), "Mia brought New in"),
    ],
)
def test_g_29_who_may_not_decide(damaged: Path, first: Decider, second: Decider, words: str) -> None:
    assert words in refused(damaged, first, second)


def test_g_29_two_people_decide_and_the_amount_is_doubtful_until_two_people_confirm_it(damaged: Path) -> None:
    with Room(damaged, hashing=cheap()) as room:
        confirm = ConfirmAmount(name="final-four", words="compared with the counter")
        with pytest.raises(HaltedError):
            room.do(confirm, By("Acc", "accounting", MANAGER), id="early")
        answer = decide_damage(room, "room", Decider("mia", PASSWORD), Decider("Cam", PASSWORD), reason="disk replaced")
        [warning] = [text for text in warnings(room.state, room.clock()) if "G-29" in text]
        assert warning.startswith("Final Four Jackpot: its amount rests on damaged entry ")
        # The decision stands in the report of malfunctions, with both people.
        request = ReportRequest()
        report = make_report(look(room.books.store, "room", request, made_at=room.clock()), "malfunctions")
        [row] = [row for row in report.rows if row.cells[0] == answer.entries[-1].sequence]
        assert "Mia and Cam" in row.cells
        assert str(row.cells[-1]).startswith("disk replaced: book room: the trigger entries_update")
        assert "; book room, entry " in str(row.cells[-1])
        with pytest.raises(RefusedError, match="not another accounting"):
            room.do(confirm, By("Acc", "accounting", By("Abe", "accounting")), id="one desk")
        room.do(confirm, By("Acc", "accounting", MANAGER), id="confirmed")
        assert not [text for text in warnings(room.state, room.clock()) if "G-29" in text]
        with pytest.raises(RefusedError, match="no damaged entry"):
            room.do(confirm, By("Acc", "accounting", MANAGER), id="again")


def test_g_29_a_correction_by_two_people_ends_the_doubt(damaged: Path) -> None:
    with Room(damaged, hashing=cheap()) as room:
        decide_damage(room, "room", Decider("mia", PASSWORD), Decider("acc", PASSWORD), reason="disk replaced")
        correction = AdjustFund(name="final-four", units=units_of(2_00), words="as the counter says")
        room.do(correction, By("Acc", "accounting", MANAGER), id="corrected")
        assert not [text for text in warnings(room.state, room.clock()) if "G-29" in text]


def _draft(value: Payload, _: BookState) -> list[Draft]:
    return [Draft(value)]


def test_g_29_g_27_what_a_program_writes_alone_is_refused_by_the_books(quick_path: Path) -> None:
    alone = (
        AmountConfirmed(jackpot="final-four", words="right", approved_by=""),
        AmountConfirmed(jackpot="final-four", words="right", approved_by="EVE"),
        DealingUnlocked(failure="repetition", words="looked at", approved_by="eve"),
    )
    with card_room(quick_path / "room") as house:
        for number, value in enumerate(alone):
            submission = Submission(
                book="room", id=f"alone-{number}", actor="Eve", content=[], decide=partial(_draft, value)
            )
            with pytest.raises(RefusedError, match=r"second person|of their own"):
                house.room.books.submit(submission)
