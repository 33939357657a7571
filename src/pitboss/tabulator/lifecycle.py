"""The life of a table: set up, prepared for a later day, opened, closed, suspended; its dealer, and its persons."""

from __future__ import annotations

import datetime
from collections.abc import Sequence

from pitboss.books import BookState, Draft
from pitboss.jackpot import Person
from pitboss.jackpot.hits.handling import local_day
from pitboss.tabulator.checks import opening_problems, setup_problems
from pitboss.tabulator.entries import (
    DealerChanged,
    JackpotsResumed,
    JackpotsSuspended,
    SeatsMarked,
    TableClosed,
    TableOpened,
    TableSetUp,
)
from pitboss.tabulator.guards import (
    FLOOR,
    Decide,
    approval_problems,
    refuse,
    role_problems,
    shift_at,
    table_of,
    words_problems,
)
from pitboss.tabulator.setup import TableSetup
from pitboss.tabulator.state import TABLES
from pitboss.tabulator.values import TableRecord

_NO_CALENDAR = "the room has no gambling day yet: set its shifts first (O-07)"


def _gambling_day(state: BookState, now: int) -> datetime.date | None:
    shift = shift_at(state, now)
    return None if shift is None else shift.day


def set_up(
    setup: TableSetup, words: str, by: Person, approved_by: str, since: datetime.date | None, now: int
) -> Decide:
    """Set a closed table up, or prepare it for the first opening of a later gambling day."""

    def decide(state: BookState) -> list[Draft]:
        problems = role_problems(by, FLOOR, "a table is set up")
        problems += approval_problems(by.name, approved_by, "a table is set up")
        problems += words_problems(words)
        problems += map(str, setup_problems(setup, since or local_day(state, now)))
        problems += _room_problems(state, setup)
        before = state.of(TABLES).tables.get(setup.table)
        today = _gambling_day(state, now)
        if since is None and before is not None and before.life != "closed":
            problems.append(f"table {setup.table} is {before.life}: prepare the change for a later day (T-16)")
        elif since is not None and before is None:
            problems.append(f"there is no table {setup.table!r} yet: set it up first (T-09)")
        elif since is not None and today is not None and since <= today:
            problems.append(f"the gambling day of {today} has begun: a change is prepared for a later one (T-16)")
        refuse(problems)
        day = "" if since is None else since.isoformat()
        return [Draft(TableSetUp(setup=setup, words=words, approved_by=approved_by, since=day), table=setup.table)]

    return decide


def _room_problems(state: BookState, setup: TableSetup) -> list[str]:
    for other in state.of(TABLES).tables.values():
        setups = (other.setup, *(each for _, each in other.prepared))
        if other.table != setup.table and setup.device and setup.device in {each.device for each in setups}:
            return [f"device {setup.device} is that of table {other.table}: each has its own (T-09)"]
    return []


def opened(table: str, by: Person, words: str, now: int) -> Decide:
    """Open a table; what was prepared for today is in force."""

    def decide(state: BookState) -> list[Draft]:
        record, day = table_of(state, table), _gambling_day(state, now)
        problems = role_problems(by, FLOOR, "a table is opened")
        if record.life != "closed":
            problems.append(f"table {table} is {record.life} already (E-02)")
        if day is None:
            refuse([*problems, _NO_CALENDAR])
        assert day is not None
        due = [setup for since, setup in record.prepared if since <= day.isoformat()]
        setup = due[-1] if due else record.setup
        problems += map(str, opening_problems(setup, state, local_day(state, now)))
        refuse(problems)
        return [Draft(TableOpened(day=day.isoformat(), words=words))]

    return decide


def _between_rounds(record: TableRecord, what: str) -> list[str]:
    if record.phase == "open":
        return []
    return [f"{what} between rounds: round {record.on_table} of table {record.table} is on the table (E-02)"]


def closed(table: str, by: Person, words: str) -> Decide:
    """Close a table between rounds."""

    def decide(state: BookState) -> list[Draft]:
        record = table_of(state, table)
        problems = role_problems(by, FLOOR, "a table is closed")
        problems += [f"table {table} is closed already (E-02)"] if record.life == "closed" else []
        problems += _between_rounds(record, "a table is closed")
        refuse(problems)
        return [Draft(TableClosed(words=words))]

    return decide


def suspended(table: str, by: Person, words: str) -> Decide:
    """Suspend the jackpots of a table between rounds."""

    def decide(state: BookState) -> list[Draft]:
        record = table_of(state, table)
        problems = role_problems(by, FLOOR, "jackpots are suspended") + words_problems(words)
        problems += [f"table {table} is {record.life}, not open (T-09)"] if record.life != "open" else []
        refuse(problems + _between_rounds(record, "jackpots are suspended"))
        return [Draft(JackpotsSuspended(words=words))]

    return decide


def resumed(table: str, by: Person, approved_by: str, words: str, now: int) -> Decide:
    """Play the jackpots of a table again."""

    def decide(state: BookState) -> list[Draft]:
        record = table_of(state, table)
        problems = role_problems(by, FLOOR, "jackpots are played again") + words_problems(words)
        problems += approval_problems(by.name, approved_by, "jackpots are played again")
        problems += [f"table {table} is {record.life}, not suspended (T-09)"] if record.life != "suspended" else []
        problems += _between_rounds(record, "jackpots are played again")
        problems += map(str, opening_problems(record.setup, state, local_day(state, now)))
        refuse(problems)
        return [Draft(JackpotsResumed(words=words, approved_by=approved_by))]

    return decide


def dealer_changed(table: str, dealer: str, *, device: str = "", device_sequence: int = 0) -> Decide:
    """Put another dealer in charge; a round that is on the table goes on."""

    def decide(state: BookState) -> list[Draft]:
        record = table_of(state, table)
        problems = [] if dealer.strip() == dealer != "" else [f"{dealer!r} is no dealer's name (E-02)"]
        if record.life == "closed":
            problems.append(f"table {table} is closed: no dealer is in charge (E-02)")
        refuse(problems)
        return [Draft(DealerChanged(dealer=dealer, device=device, device_sequence=device_sequence))]

    return decide


def marked(table: str, persons: Sequence[Sequence[int]], by: Person) -> Decide:
    """Mark seats that one person plays; these marks are in place of those before."""

    def decide(state: BookState) -> list[Draft]:
        record = table_of(state, table)
        seats = [seat for group in persons for seat in group]
        problems = role_problems(by, ("dealer", *FLOOR), "seats are marked")
        if record.life == "closed":
            problems.append(f"table {table} is closed: nobody plays there (E-02)")
        if any(type(seat) is not int or not 1 <= seat <= record.setup.seats for seat in seats):
            problems.append(f"seats {seats}: numbers from 1 to {record.setup.seats} (G-16)")
        if len(set(seats)) != len(seats) or any(len(group) < 2 for group in persons):
            problems.append(f"{[list(group) for group in persons]}: a person plays two seats or more, alone (FCP-5)")
        refuse(problems)
        groups = tuple(sorted(tuple(sorted(group)) for group in persons))
        return [Draft(SeatsMarked(persons=groups, by=by.name))]

    return decide
