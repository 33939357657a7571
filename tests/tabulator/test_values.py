"""Commands about tables as values: read as they were written, verified as they are done, refused without a trace."""

from __future__ import annotations

import datetime
import shutil
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pitboss.books import RefusedError, canonical
from pitboss.commands import By, Command, read_fields, write_fields
from pitboss.tabulator import COMMANDS, CorrectRound, OpenTable, Press, SetUpTable, StateLights
from pitboss.tabulator.naming import NameSeats
from tests.books.making import Room
from tests.jackpot.making import make_bonus, tables
from tests.random_commands import is_done_as_verified, records_of, requests
from tests.tabulator.making import DEVICE, FINAL_FOUR, PRIME, floor, make_setup

KINDS = sorted(COMMANDS, key=lambda kind: kind.spec.name)
_QUIET = [HealthCheck.function_scoped_fixture, HealthCheck.too_slow]


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.spec.name)
@settings(max_examples=20, deadline=None)
@given(data=st.data())
def test_a_command_is_read_as_it_was_written(kind: type[Command], data: st.DataObject) -> None:
    command = data.draw(records_of(kind))
    assert read_fields(kind, write_fields(command)) == command


def test_a_setup_is_read_in_the_shape_of_the_api() -> None:
    setup = {
        "table": "4",
        "game": "three-card-prime",
        "model": "andromeda-3",
        "seats": 1,
        "limits": {"silent_rounds": 9},
    }
    sensors = [{"position": 1, "number": 1, "wager": FINAL_FOUR, "light": True}]
    command = read_fields(SetUpTable, {"setup": {**setup, "sensors": sensors}, "words": "new", "since": "2026-12-01"})
    assert command.since == datetime.date(2026, 12, 1)
    assert command.setup == make_setup(seats=1, down_method="suspend", device="", limits=command.setup.limits)
    assert (command.setup.limits.silent_rounds, command.setup.limits.clock_seconds) == (9, 5)
    assert write_fields(command)["setup"]["sensors"] == sensors


def test_a_second_person_does_not_make_a_correction_that_of_an_earlier_round(sqlite_room: Room) -> None:
    """The roles of an approver are checked by the command that asks for one, so that another's is not enough."""
    with floor(sqlite_room, make_setup()) as at:
        number = at.round(1)
        command = CorrectRound(table="4", round=number, wager=FINAL_FOUR, cause="missed", seats=(2,), words="seen")
        (problem,) = at.tables.executor.verify(command, By("Sue", "supervisor", By("Dan", "dealer")))
        assert problem.endswith("by two people: 'nobody' is no second person (T-06, G-31)")


# What a room of two tables could be asked, mostly within what it has.
_NAMES: dict[str, st.SearchStrategy[Any]] = {
    "table": st.sampled_from([*"444555", "9"]),
    "device": st.sampled_from([DEVICE, "B-1"]),
    "wager": st.sampled_from([FINAL_FOUR, PRIME, "royal"]),
    "seats": st.lists(st.integers(1, 8), max_size=3).map(tuple),
    "round": st.integers(0, 3),
    "rounds": st.integers(0, 3),
    "rounds_played": st.integers(0, 3),
    "last": st.integers(0, 9),
    "malfunction": st.integers(0, 40),
    "words": st.sampled_from([*["seen on video"] * 5, " "]),
    "alarm": st.sampled_from(["reconciliation 4", "nothing"]),
    "persons": st.sampled_from([(), ((1, 2),), ((1,),)]),
    "place": st.sampled_from([None, (1, 1), (9, 9)]),
    "since": st.sampled_from([None, datetime.date(2027, 2, 1)]),
    "wagers": st.sampled_from([{FINAL_FOUR: {1: 1}}, {"royal": {9: 2}}]),
    "dealer": st.sampled_from(["Dan", "Dora", " "]),
    "setup": st.sampled_from([make_setup(), make_setup("none", table="5"), make_setup(seats=12)]),
}


def _names(kind: type[Command]) -> dict[str, st.SearchStrategy[Any]]:
    seats = st.sampled_from([None, {FINAL_FOUR: (1, 2)}, {"royal": (9,)}])
    lit = st.sampled_from([{FINAL_FOUR: (1, 2)}, {"royal": (9,)}, {}])
    by_wager = {Press: seats, StateLights: lit, NameSeats: lit}
    return _NAMES | ({"seats": by_wager[kind]} if kind in by_wager else {})


def test_what_verify_returns_is_what_a_command_is_refused_for(sqlite_template: Room, quick_path: Any) -> None:
    done: set[str] = set()

    @settings(max_examples=30, deadline=None, derandomize=True, suppress_health_check=_QUIET)
    @given(drawn=st.tuples(*(requests(kind, **_names(kind)) for kind in KINDS)).flatmap(st.permutations))
    def check(drawn: list[tuple[Command, By]]) -> None:
        path = quick_path / "room"
        shutil.rmtree(path, ignore_errors=True)
        room = Room(shutil.copytree(sqlite_template.path, path), "sqlite")
        setups = (make_setup(), make_setup("none", table="5"))
        with floor(room, *setups, jackpots=[make_bonus(tables=tables("4", "5"))]) as at:
            at.round(1, 2)
            for command, by in drawn:
                at.clock.add(2)
                if is_done_as_verified(at.tables.executor, command, by, at.id()):
                    done.add(command.spec.name)
            assert at.is_sound()

    check()
    assert len(done) >= 8, sorted(done)


def test_a_command_under_its_id_is_done_once_and_other_content_is_refused(sqlite_room: Room) -> None:
    with floor(sqlite_room) as at:
        at.set_up(make_setup())
        executor, by = at.tables.executor, By("Sue", "supervisor", By("Max", "manager"))
        first = executor.do(OpenTable(table="4"), by, id="open")
        again = executor.do(OpenTable(table="4"), by, id="open")
        assert (again.again, again.entries) == (True, first.entries)
        with pytest.raises(RefusedError, match="was used for something else"):
            executor.do(OpenTable(table="4", words="late"), by, id="open")
        assert canonical(write_fields(OpenTable(table="4"))) == canonical({"table": "4", "words": ""})
