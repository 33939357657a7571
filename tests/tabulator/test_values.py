"""Commands about tables as values: read as they were written, verified as they are done, refused without a trace."""

from __future__ import annotations

import datetime
import shutil
import types
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pitboss.books import RefusedError, canonical
from pitboss.commands import Bounds, By, Command, read_fields, write_fields
from pitboss.tabulator import COMMANDS, CorrectRound, OpenTable, Press, SetUpTable
from tests.books.making import BOOK, Room
from tests.jackpot.making import make_bonus, tables
from tests.tabulator.making import DEVICE, FINAL_FOUR, PRIME, Floor, floor, make_setup

KINDS = sorted(COMMANDS, key=lambda kind: kind.spec.name)
_QUIET = [HealthCheck.function_scoped_fixture, HealthCheck.too_slow]


def values_of(hint: Any, bounds: Bounds | None = None) -> st.SearchStrategy[Any]:
    """Return the values that a field may have, by its type and bounds."""
    origin, inner = get_origin(hint), get_args(hint)
    limits = bounds or Bounds(most=4)
    if origin is Annotated:
        return values_of(inner[0], inner[1])
    if origin in (Union, types.UnionType):
        return st.one_of(*(st.none() if member is type(None) else values_of(member) for member in inner))
    if origin is Literal:
        return st.sampled_from(inner)
    if origin is tuple:
        most = min(limits.most or 4, 4)
        return st.lists(values_of(inner[0]), min_size=limits.least or 0, max_size=most).map(tuple)
    if origin is not None and issubclass(origin, Mapping):
        return st.dictionaries(values_of(inner[0]), values_of(inner[1]), max_size=3)
    if hint is str:
        return st.text(min_size=limits.least or 0, max_size=min(limits.most or 9, 9))
    if hint is int:
        return st.integers(limits.least, limits.most)
    if hint in (bool, datetime.date):
        return st.from_type(hint)
    return records_of(hint)


def records_of(kind: type, **names: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """Return values of a record; `names` are fields whose values are chosen otherwise."""
    hints = get_type_hints(kind, include_extras=True)
    members = [field.name for field in fields(kind)] if is_dataclass(kind) else kind._fields  # type: ignore[attr-defined]
    return st.builds(kind, **{name: names[name] if name in names else values_of(hints[name]) for name in members})


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


_PEOPLE = {"dealer": "Dan", "supervisor": "Sue", "manager": "Max", "system": "pitboss"}


def requests(kind: type[Command]) -> st.SearchStrategy[tuple[Command, By]]:
    """Return commands of a kind by people who mostly may."""
    spec, stranger = kind.spec, st.just(By("Dora", "dealer"))
    approver = By("Carla", spec.approvers[0]) if spec.approvers else None
    able = st.sampled_from([By(_PEOPLE[role], role, approver) for role in spec.roles if role in _PEOPLE])
    names = _NAMES | (
        {"seats": st.sampled_from([None, {FINAL_FOUR: (1, 2)}, {"royal": (9,)}])} if kind is Press else {}
    )
    return st.tuples(records_of(kind, **names), st.one_of(able, able, able, stranger))


def assert_verified_as_done(at: Floor, command: Command, by: By) -> bool:
    """Carry a command out: it is refused for what `verify` returns, and then nothing is written."""
    executor, before = at.tables.executor, at.books.state(BOOK)
    problems = executor.verify(command, by)
    assert at.books.state(BOOK) is before
    assert executor.can(command, by) == (not problems)
    if problems:
        with pytest.raises(RefusedError) as caught:
            executor.do(command, by, id=at.id())
        assert caught.value.problems == problems
        assert at.books.state(BOOK) is before
        return False
    answer = executor.do(command, by, id=at.id())
    assert answer.entries[-1].sequence == at.books.state(BOOK).sequence
    return True


def test_what_verify_returns_is_what_a_command_is_refused_for(sqlite_template: Room, quick_path: Any) -> None:
    done: set[str] = set()

    @settings(max_examples=30, deadline=None, derandomize=True, suppress_health_check=_QUIET)
    @given(drawn=st.tuples(*map(requests, KINDS)).flatmap(st.permutations))
    def check(drawn: list[tuple[Command, By]]) -> None:
        path = quick_path / "room"
        shutil.rmtree(path, ignore_errors=True)
        room = Room(shutil.copytree(sqlite_template.path, path), "sqlite")
        setups = (make_setup(), make_setup("none", table="5"))
        with floor(room, *setups, jackpots=[make_bonus(tables=tables("4", "5"))]) as at:
            at.round(1, 2)
            for command, by in drawn:
                at.clock.add(2)
                if assert_verified_as_done(at, command, by):
                    done.add(command.spec.name)
            assert at.is_sound()

    check()
    assert len(done) >= 8, sorted(done)


def test_a_command_under_its_id_is_done_once_and_other_content_is_refused(sqlite_room: Room) -> None:
    with floor(sqlite_room) as at:
        at.set_up(make_setup())
        executor, by = at.tables.executor, By("Sue", "supervisor")
        first = executor.do(OpenTable(table="4"), by, id="open")
        again = executor.do(OpenTable(table="4"), by, id="open")
        assert (again.again, again.entries) == (True, first.entries)
        with pytest.raises(RefusedError, match="was used for something else"):
            executor.do(OpenTable(table="4", words="late"), by, id="open")
        assert canonical(write_fields(OpenTable(table="4"))) == canonical({"table": "4", "words": ""})
