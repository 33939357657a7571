"""G-31 and G-49: one asks and another, of a different role, approves."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pitboss.books import Draft, RefusedError, Submission
from pitboss.commands import By, Command
from pitboss.commands.command import BOOK
from pitboss.jackpot import (
    AdjustFund,
    ConfirmDeposit,
    OpenJackpot,
    PostBonus,
    WithdrawPosting,
    scheduled_for,
)
from pitboss.jackpot.escrow import SeedOtherJackpot
from pitboss.meters import DecreaseReason, units_of
from pitboss.room.approvals import description_of, undoable_acts
from pitboss.room.commands import EXPOSED
from pitboss.room.people.people import Person
from pitboss.room.room import Room
from pitboss.tabulator import OpenTable, VoidRound
from pitboss.tabulator.entries import MalfunctionKnown
from tests.pages.room import CardRoom, card_room

MANAGER, SECOND_MANAGER = By("Mia", "manager"), By("Max", "manager")
ACCOUNTING, SUPERVISOR, CAMERA = By("Acc", "accounting"), By("Sue", "supervisor"), By("Cam", "surveillance")
_NUMBERS = itertools.count(1)


@pytest.fixture
def at(quick_path: Path) -> Iterator[CardRoom]:
    with card_room(quick_path / "room") as found:
        yield found


def do(room: Room, value: Command, by: By, approver: By | None = None) -> Any:
    return room.do(value, By(by.name, by.role, approver), id=f"two-{next(_NUMBERS)}")


def problems(room: Room, value: Command, by: By, approver: By) -> str:
    before = room.state.sequence
    with pytest.raises(RefusedError) as error:
        do(room, value, by, approver)
    assert before == room.state.sequence
    return "; ".join(error.value.problems)


def malfunction(room: Room, table: str) -> int:
    """Write a malfunction down as the tabulator does; the tables of this room have no equipment."""
    known = MalfunctionKnown(known=1, due=2, words="counted twice", by="Sue")
    submission = Submission(
        book=BOOK, id=f"m-{table}", actor="Sue", content=[], decide=lambda _: [Draft(known)], table=table
    )
    return room.books.submit(submission).entries[0].sequence


RAISE = AdjustFund(name="final-four", units=units_of(1_00), words="found in the drop")


def test_g_31_two_managers_do_not_suffice(at: CardRoom) -> None:
    """Seen: two managers adjusted a meter, and opened what they had closed."""
    assert "G-31" in problems(at.room, RAISE, MANAGER, SECOND_MANAGER)
    assert "G-31" in problems(at.room, RAISE, ACCOUNTING, By("Ada", "accounting"))
    before = at.jackpots.displayed_cents("final-four")
    do(at.room, RAISE, MANAGER, ACCOUNTING)
    do(at.room, RAISE, ACCOUNTING, MANAGER)
    assert before + 2_00 == at.jackpots.displayed_cents("final-four")


def test_g_31_a_request_is_not_given_by_who_acts_in_the_same_role(at: CardRoom) -> None:
    """Seen: a second manager gave what the first had asked for."""
    number = do(at.room, RAISE, MANAGER).entries[0].sequence
    give = at.room.approvals.give
    with pytest.raises(RefusedError, match="G-31"):
        give(number, name="Max", roles=frozenset({"manager"}), id="max")
    with pytest.raises(RefusedError, match="another person"):
        give(number, name="mia", roles=frozenset({"accounting"}), id="mia")
    assert ("accounting",) == at.room.approvals.waiting[number].approvers
    # Who has both roles acts as accounting.
    given = give(number, name="Max", roles=frozenset({"manager", "accounting"}), id="both").entries[0]
    assert '"accounting"' in given.payload


def test_g_31_a_request_of_before_waits_on_and_is_given_by_another_role(at: CardRoom) -> None:
    """Before version 0.3 a request named the asker's own role too among those who approve."""
    pending = do(at.room, RAISE, MANAGER).entries[0].sequence
    waiting = at.room.approvals.waiting[pending]._replace(approvers=("manager", "accounting"))
    assert waiting.problems("Max", frozenset({"manager"}))
    assert [] == waiting.problems("Acc", frozenset({"accounting"}))


def test_g_49_a_void_is_approved_by_surveillance_or_a_manager_and_no_supervisor(at: CardRoom) -> None:
    void = VoidRound(table="4", round=1, cause="misdeal", words="a card short")
    assert "approved by surveillance or manager" in problems(at.room, void, SUPERVISOR, By("Sam", "supervisor"))
    assert "G-31" in problems(at.room, void, MANAGER, SECOND_MANAGER)


def test_g_31_play_goes_on_by_two_people() -> None:
    """Seen: one supervisor opened a table, and one person said that a deposit had arrived."""
    waits = (OpenTable, OpenJackpot, ConfirmDeposit)
    assert all(cls.spec.approvers for cls in waits)


def test_g_31_what_two_have_scheduled_is_withdrawn_by_two(at: CardRoom) -> None:
    """Seen: one manager withdrew the amount of a Bonus that two people had scheduled."""
    post = PostBonus(name="quads", cents=6_000_00, words="the week", at="2030-01-01T06:00")
    number = do(at.room, post, MANAGER, ACCOUNTING).entries[0].sequence
    withdraw = WithdrawPosting(name="quads", scheduled=number, words="typed wrongly")
    assert "G-31" in problems(at.room, withdraw, MANAGER, SECOND_MANAGER)
    asked = do(at.room, withdraw, MANAGER)
    assert [number] == [each.entry for each in scheduled_for(at.room.state, "quads")]
    card = description_of(at.room.state, at.room.approvals.waiting[asked.entries[0].sequence])
    assert "$6,000" in str(card.changes)
    assert '"approved_by":"Acc"' in do(at.room, withdraw, MANAGER, ACCOUNTING).entries[0].payload
    assert () == scheduled_for(at.room.state, "quads")


def test_g_31_a_decrease_for_malfunction_names_the_malfunctions_record(at: CardRoom) -> None:
    """Seen: $50 were taken off a display for a malfunction that nobody had recorded."""

    def lower(number: int | None = None, **fields: Any) -> AdjustFund:
        usual: dict[str, Any] = {
            "name": "final-four",
            "units": -units_of(50_00),
            "reason": DecreaseReason.EQUIPMENT_MALFUNCTION,
            "words": "counted twice",
        }
        return AdjustFund(malfunction=number, **usual | fields)

    assert "names its record (G-31" in problems(at.room, lower(), ACCOUNTING, MANAGER)
    assert "is no record of a malfunction" in problems(at.room, lower(1), ACCOUNTING, MANAGER)
    assert "is no record of a malfunction" in problems(at.room, lower(10**6), ACCOUNTING, MANAGER)
    known = malfunction(at.room, "4")
    elsewhere = malfunction(at.room, "7")
    assert "where Final Four Jackpot is not played" in problems(at.room, lower(elsewhere), ACCOUNTING, MANAGER)
    raising = lower(known, units=units_of(1_00), reason=None)
    assert "only a decrease" in problems(at.room, raising, ACCOUNTING, MANAGER)
    before = at.jackpots.displayed_cents("final-four")
    entry = do(at.room, lower(known), ACCOUNTING, MANAGER).entries[0]
    assert before - 50_00 == at.jackpots.displayed_cents("final-four")
    assert f'"malfunction":{known}' in entry.payload


def test_g_31_seeding_another_progressive_is_refused_in_a_commercial_room_of_2026(at: CardRoom) -> None:
    """Seen: it went through with any words for the rule that permits it."""
    at.press("4", final_four=[1, 2, 3])
    reserve = at.jackpots.meter("final-four").reserve_units
    assert reserve > 0
    seed = SeedOtherJackpot(
        name="final-four", other="aces", units=reserve, fund="reserve", permitted_by="any words", words="why not"
    )
    assert "G-31" in problems(at.room, seed, ACCOUNTING, MANAGER)


def acts(*people: tuple[str, ...]) -> set[str]:
    members = [Person(f"p{number}", f"P{number}", roles, True) for number, roles in enumerate(people)]
    return {spec.name for specs in undoable_acts(EXPOSED, members).values() for spec in specs}


def test_g_31_a_room_with_too_few_people_sees_what_it_cannot_do() -> None:
    # What needs a second person only at times can be done by one at others (G-68).
    always = {cls for cls in EXPOSED if cls.spec.approvers and cls.needs_second is Command.needs_second}
    assert {cls.spec.name for cls in always} == acts() == acts(("manager", "accounting"))
    two_managers = acts(("manager",), ("manager", "dealer"))
    assert {"jackpots/adjust", "tables/post", "tables/void", "tables/open"} <= two_managers
    assert {"jackpots/adjust", "tables/post", "jackpots/define"} <= acts(("manager",), ("supervisor",))
    assert "tables/void" not in acts(("manager",), ("supervisor",))
    assert set() == acts(("manager",), ("supervisor",), ("accounting",))
