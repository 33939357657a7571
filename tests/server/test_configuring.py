"""Configurations of tables: in force between rounds, at their time, as two people approved them; and what agrees."""

from __future__ import annotations

import datetime
import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pitboss.books import EPOCH, Directory, EntryStep, RefusedError
from pitboss.books.audit import check_books
from pitboss.room.agreement import disagreements
from pitboss.room.configurations import (
    CONFIGURATIONS,
    TablePosted,
    configuration_at,
    configuration_by_hash,
    configuration_of_round,
    configurations_at,
    opening_instant,
    problems_on,
    round_problems,
)
from pitboss.room.disputes import RoundStatement
from pitboss.room.projections import INVARIANTS, PROJECTIONS, open_jackpot_problems, open_table_problems
from pitboss.room.room import room_zone, tables_of
from pitboss.server.views.displays import published
from pitboss.table import read_configuration
from pitboss.tabulator import OpenTable, sensors_for
from tests.doors import doors_of, show_amounts
from tests.pages.floor import device_press
from tests.pages.room import CardRoom, example, jackpot, meter
from tests.pages.tables import ALL_SEVEN, EXAMPLE, LEE, MAX, SUE, WIDER, ask, clock_of, give, setup, tables_room
from tests.server.making import SECOND, command

TWO: dict[str, Any] = {"actor": MAX.name, "approved_by": LEE.name}
HOUR = 3600 * SECOND


@pytest.fixture
def room(tmp_path: Path) -> Iterator[CardRoom]:
    with tables_room(tmp_path / "room") as found:
        yield found


def hash_of(text: str) -> str:
    found = read_configuration(text).configuration
    assert found is not None
    return found.content_hash


def in_force(room: CardRoom, table: str = "1") -> str:
    now = configurations_at(room.room.state, table).now
    return "" if now is None else now.hash


def local(room: CardRoom, hours: int) -> str:
    instant = EPOCH + datetime.timedelta(microseconds=room.room.clock() + hours * HOUR)
    return instant.astimezone(room_zone(room.room.state)).strftime("%Y-%m-%dT%H:%M")


def post(room: CardRoom, text: str, **said: Any) -> None:
    give(room, ask(room, "tables/post", MAX, table="1", configuration=text, **said))


def released(room: CardRoom) -> None:
    """End the round that is on the table."""
    clock_of(room).add(10 * SECOND)
    device_press(room, "1", sequence=2)


def refused(room: CardRoom, name: str, /, **said: Any) -> tuple[str, ...]:
    before = room.room.state.sequence
    with pytest.raises(RefusedError) as told:
        ask(room, name, MAX, **said)
    assert room.room.state.sequence == before
    return told.value.problems


def test_t_06_a_configuration_is_in_force_when_a_second_person_approves_and_not_before(room: CardRoom) -> None:
    number = ask(room, "tables/post", MAX, table="1", configuration=WIDER, words="holidays")
    assert in_force(room) == hash_of(EXAMPLE)
    with pytest.raises(RefusedError, match="another person approves"):
        room.room.approvals.give(number, name=MAX.name, roles=frozenset({"manager"}), id=command())
    with pytest.raises(RefusedError, match="is given by accounting or surveillance"):
        room.room.approvals.give(number, name=SUE.name, roles=frozenset({"supervisor"}), id=command())
    give(room, number)
    now = configurations_at(room.room.state, "1").now
    assert now is not None
    assert (now.hash, now.by, now.approved_by, now.words) == (hash_of(WIDER), MAX.name, LEE.name, "holidays")
    assert [each.hash for each in configurations_at(room.room.state, "1").history] == [hash_of(EXAMPLE), hash_of(WIDER)]

    # The journal has each whole text: the second road to what is in force.
    entries = [each for each in room.books.store.entries("room") if each.kind == "table-posted"]
    assert [hash_of(json.loads(each.payload)["configuration"]) for each in entries] == [hash_of(EXAMPLE), now.hash]
    assert now.hash[:12] in [each.words for each in published(room.books.store.entries("room"))][-1]


def test_t_16_in_a_round_nothing_changes_and_after_it_the_one_that_is_due_opens(room: CardRoom) -> None:
    device_press(room, "1", 2, 3)
    assert round_problems(room.room.state, "1") == ["round 1 is on the table: it ends first (T-16, G-53)"]
    post(room, WIDER)
    assert in_force(room) == hash_of(EXAMPLE)
    room.room.look_after()
    assert in_force(room) == hash_of(EXAMPLE)
    released(room)
    room.room.look_after()
    assert in_force(room) == hash_of(WIDER)
    assert configurations_at(room.room.state, "1").now.after_round == 1  # type: ignore[union-attr]
    assert not configurations_at(room.room.state, "1").prepared


def test_g_53_one_prepared_for_a_time_opens_then_and_the_books_hold(room: CardRoom) -> None:
    post(room, WIDER, opens=local(room, 6))
    narrow = EXAMPLE.replace('"300.00"', '"200.00"')
    post(room, narrow, opens=local(room, 2))
    assert [each.hash for each in configurations_at(room.room.state, "1").prepared] == [hash_of(narrow), hash_of(WIDER)]
    for hours, expected in ((1, EXAMPLE), (2, narrow), (2, narrow), (2, WIDER)):
        clock_of(room).add(hours * HOUR)
        room.room.look_after()
        assert in_force(room) == hash_of(expected)
    path = room.room.path
    room.room.close()
    assert check_books(Directory(path), projections=PROJECTIONS, invariants=INVARIANTS).is_sound


def test_g_53_where_two_are_due_at_once_the_later_one_holds_and_the_other_never_did(room: CardRoom) -> None:
    post(room, EXAMPLE.replace('"300.00"', '"200.00"'), opens=local(room, 2))
    post(room, WIDER, opens=local(room, 3))
    clock_of(room).add(9 * HOUR)
    room.room.look_after()
    assert [each.hash for each in configurations_at(room.room.state, "1").history] == [hash_of(EXAMPLE), hash_of(WIDER)]
    assert not configurations_at(room.room.state, "1").prepared


def test_what_is_prepared_can_be_withdrawn_with_a_reason(room: CardRoom) -> None:
    post(room, WIDER, opens=local(room, 6))
    posted = doors_of(room.room).posted
    for number, words, told in ((1, "x", "not prepared"), (2, " ", "reason")):
        with pytest.raises(RefusedError, match=told):
            posted.withdraw("1", number, words=words, command=command(), actor=MAX.name)
    posted.withdraw("1", 2, words="not now", command=command(), actor=MAX.name)
    clock_of(room).add(9 * HOUR)
    room.room.look_after()
    assert in_force(room) == hash_of(EXAMPLE)
    assert configuration_by_hash(room.room.state, hash_of(WIDER)) is not None


def test_every_problem_comes_at_once_and_nothing_is_asked(room: CardRoom) -> None:
    """G-14, G-6: wrong amounts, an unknown pay table, a time that is none, the rules of the opening day."""
    wrong = EXAMPLE.replace('"300.00"', '"500.00"').replace("A6-4", "A6-9")
    found = refused(room, "tables/post", table="1", configuration=wrong)
    assert any("WAC 230-15-140" in each for each in found)
    assert any("A6-9" in each for each in found)
    assert "must be a time" in refused(room, "tables/post", table="1", configuration=WIDER, opens="soon")[0]
    assert "already" in refused(room, "tables/post", table="1", configuration=EXAMPLE)[0]
    assert "one line" in refused(room, "tables/post", table=" 1", configuration=WIDER)[0]
    assert "not TOML" in refused(room, "tables/post", table="1", configuration="=")[0]


def test_g_14_the_rules_of_its_opening_day_are_held_against_it() -> None:
    """A table that states the rules of 2020 with a limit of 2026 is refused on a day when another limit holds."""
    found = read_configuration(EXAMPLE).configuration
    assert found is not None
    assert problems_on(found, found.on) == []
    much = replace(found, dealt="by-hand")
    assert "on its opening day" in problems_on(much, found.on.replace(year=2027))[0]


def test_g_53_a_configuration_that_disagrees_with_the_set_up_waits_until_the_table_is_set_up_anew(
    room: CardRoom,
) -> None:
    """One truth: seats, game, equipment are stated once, and sensors are laid out for them (T-16)."""
    five = EXAMPLE.replace("seats = 6", "seats = 5")
    post(room, five)
    assert in_force(room) == hash_of(EXAMPLE)
    configuration = read_configuration(five).configuration
    assert configuration is not None
    (problem,) = disagreements(room.room.state, "1", configuration)
    assert "seats: 5 is stated, and the table is set up for 6" in str(problem)
    tables = doors_of(room.room).tables
    tables.close("1", command=command(), by=SUE)
    made = replace(setup(), seats=5, sensors=sensors_for("andromeda-3", 5, [ALL_SEVEN], lights=[ALL_SEVEN]))
    tables.set_up(made, words="a seat less", by=MAX, approved_by=SUE.name, command=command())
    assert open_table_problems(room.room.state, "1") != []
    room.room.look_after()
    assert in_force(room) == hash_of(five)
    assert open_table_problems(room.room.state, "1") == []


def test_g_53_a_table_does_not_open_while_its_configuration_disagrees_with_what_stands_there(room: CardRoom) -> None:
    posted = doors_of(room.room).posted
    posted.post("2", EXAMPLE, command=command(), **TWO)
    other = replace(setup("2"), seats=4, sensors=sensors_for("andromeda-3", 4, [ALL_SEVEN], lights=[ALL_SEVEN]))
    tables = doors_of(room.room).tables
    tables.set_up(other, words="new", by=MAX, approved_by=SUE.name, command=command())
    with pytest.raises(RefusedError, match="set up for 4"):
        room.room.do(OpenTable(table="2"), SUE, id=command())
    tables.set_up(setup("2"), words="new", by=MAX, approved_by=SUE.name, command=command())
    room.room.do(OpenTable(table="2"), replace(SUE, approver=MAX), id=command())
    assert tables.table("2").life == "open"


def test_g_53_a_jackpot_does_not_open_where_a_table_states_it_otherwise(room: CardRoom) -> None:
    """A hit is paid by the jackpot's definition and a dispute settled by the configuration: they are one (T-16)."""
    jackpots = doors_of(room.room).jackpots
    for table, name, wager, paytable, told in (
        ("3", "wrong-table", ALL_SEVEN, "A7P-1", "pay table is A7P-2"),
        ("4", "wrong-wager", "final-four", "F4P-1", "does not offer"),
    ):
        doors_of(room.room).posted.post(table, EXAMPLE, command=command(), **TWO)
        made = jackpot(name, "three-card-prime", wager, paytable, meter(25_000_00), table)
        jackpots.define(made, words="x", command=command(), **TWO)
        show_amounts(room.room, table)
        (problem,) = open_jackpot_problems(room.room.state, name)
        assert told in problem
        asked = {"name": name, "words": "x"}
        assert any(told in each for each in refused(room, "jackpots/open", **asked))
    assert open_jackpot_problems(room.room.state, "seven") == []
    other = EXAMPLE.replace("A7P-2", "A7P-1")
    post(room, other)
    assert in_force(room) == hash_of(EXAMPLE)
    jackpots.close("seven", words="to be changed", command=command(), actor=SUE.name)
    room.room.look_after()
    assert in_force(room) == hash_of(other)
    assert "A7P-1" in open_jackpot_problems(room.room.state, "seven")[0]


def test_g_52_a_dispute_about_an_earlier_round_is_settled_under_what_was_in_force_then(room: CardRoom) -> None:
    """T-14: PW/BB-3 pays a beaten straight flush 6 to 1, PW/BB-1 12 to 1: round 1 stays settled as it was."""
    device_press(room, "1", 2)
    released(room)
    post(room, WIDER)
    state = room.room.state
    old, new = configuration_of_round(state, "1", 1), configuration_of_round(state, "1", 2)
    assert old is not None
    assert new is not None
    assert (old.content_hash, new.content_hash) == (hash_of(EXAMPLE), hash_of(WIDER))
    assert configuration_of_round(state, "1", 0) == new == configuration_at(state, "1")
    seat = {"seat": 2, "cards": ["Ad", "Kd", "Qd", "Jd"], "wagers": {"ante-play": 1000}, "decisions": {"play": True}}
    stated = RoundStatement([seat], ["9s", "9h", "4d"], {})
    disputes = doors_of(room.room).disputes
    for number, expected in ((1, hash_of(EXAMPLE)), (2, hash_of(WIDER)), (0, hash_of(WIDER))):
        answer = disputes.settle("1", stated, words="x", round_number=number, command=command(), by=SUE)
        assert json.loads(answer.entries[0].payload)["configuration"] == expected


def test_the_state_is_written_and_read_back_whole(room: CardRoom) -> None:
    post(room, WIDER, opens=local(room, 6))
    posted = room.room.state.of(CONFIGURATIONS)
    assert CONFIGURATIONS.read(json.loads(json.dumps(CONFIGURATIONS.write(posted)))) == posted
    assert tables_of(room.room.state) == ("1",)


def test_an_opening_time_is_one_by_the_rooms_clocks(room: CardRoom) -> None:
    zone = room_zone(room.room.state)
    assert opening_instant("", zone) == 0
    assert opening_instant("1970-01-01T00:00", zone) == 8 * HOUR
    assert opening_instant("1970-01-01T00:00+00:00", zone) == 0


def test_another_game_is_no_configuration_of_a_table_set_up_for_this_one(room: CardRoom) -> None:
    other = read_configuration(example("four-card-prime")).configuration
    assert other is not None
    told = [str(each) for each in disagreements(room.room.state, "1", other)]
    assert len(told) == 4
    assert "All Seven Jackpot is played here on Three Card Prime" in told[-1]


def test_g_53_t_16_while_a_dealt_round_is_on_the_table_nothing_opens(room: CardRoom) -> None:
    """W-04: a table that Pitboss deals at has its own rounds; the round is played to its end under what it began with."""
    doors, table = doors_of(room.room), "5"
    doors.posted.post(table, EXAMPLE, command=command(), **TWO)
    doors.dealing.set(table, "dealt", "play", approval="", words="training", command=command(), **TWO)
    doors.dealing.shuffle(table, command=command(), actor="Dan")
    doors.posted.post(table, WIDER, command=command(), **TWO)
    assert room.room.open_due() == []
    assert in_force(room, table) == hash_of(EXAMPLE)
    wager = {"do": "wager", "seat": 1, "wagers": {"ante-play": 1000}}
    for operation in (wager, {"do": "void", "reason": "misdeal"}):
        doors.dealing.operate(table, operation, command=command(), actor="Dan")
    assert room.room.open_due() == [table]
    assert in_force(room, table) == hash_of(WIDER)


def test_t_06_at_the_door_too_nobody_approves_his_own(room: CardRoom) -> None:
    with pytest.raises(RefusedError, match="no second person"):
        doors_of(room.room).posted.post("1", WIDER, command=command(), actor=MAX.name, approved_by=MAX.name.upper())


def test_the_audit_finds_one_that_opens_too_early_within_a_round_or_unprepared(room: CardRoom) -> None:
    """The invariant alone, without the door: what a forged entry would be refused for, and an audit would find."""
    post(room, WIDER, opens=local(room, 6))
    device_press(room, "1", 2)
    rule = next(each for each in INVARIANTS if each.name == "posted")
    assert rule.step is not None
    state, entry = room.room.state, next(iter(room.books.store.entries("room")))
    late = entry._replace(recorded=room.room.clock())
    for number, told in ((2, ["configuration 2 opens later (T-16, G-53)", "round 1 is on the table: it ends first (T-16, G-53)"]), (9, ["configuration 9 was not prepared for table 1 (T-16)"])):  # fmt: skip
        value = TablePosted(table="1", configuration=WIDER, prepared=number)
        assert list(rule.step(EntryStep(before=state, entry=late, value=value, after=state))) == told
