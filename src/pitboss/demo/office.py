"""What the office of the demo room has done: tables opened and closed, deposits, counts of chips, readings."""

from __future__ import annotations

import datetime
from typing import Any

from pitboss.books import LEDGER
from pitboss.demo.past import MINUTE, SECOND, Past
from pitboss.meters import units_of
from pitboss.reports import Asked, Desk, Report, look, make_report
from pitboss.room.commands import BY_NAME
from pitboss.room.displays import shown_at
from pitboss.room.people.access import BOOK
from pitboss.room.room import Room

_COUNTER = 41_200
"""What the counter of the table that has one showed on the first day."""
_ROUNDED_CENTS = 100_00
_CHIP_CENTS, _LAST_SHIFT = 1_00, "swing"


def open_day(past: Past, day: int) -> None:
    """Open the tables, put dealers in charge, confirm signs, and do what was decided for the day."""
    demo, tables = past.demo, past.doors.tables
    supervisor, manager = demo.person("supervisor"), demo.person("manager")
    for table in demo.tables:
        past.clock.add(2 * SECOND)
        tables.open(table.name, command=past.id(), by=supervisor)
        tables.change_dealer(table.name, demo.dealer_at(table.name).name, command=past.id(), by=supervisor)
    two: dict[str, Any] = {"actor": supervisor.name, "approved_by": manager.name}
    for each in demo.said["adjustments"]:
        if each["day"] == day:
            units = units_of(100 * each["dollars"])
            past.doors.jackpots.adjust(each["jackpot"], units, words=each["words"], command=past.id(), **two)
    for each in demo.said["postings"]:
        if each["day"] == day:
            said = {"words": each["words"], "command": past.id(), "actor": manager.name}
            past.doors.jackpots.post_bonus(each["jackpot"], each["cents"], **said)
    _confirm_signs(past)
    _read_counters(past)
    deposit(past.room, past.demo.person("accounting").name, past.id)


def _confirm_signs(past: Past) -> None:
    for table in past.demo.tables:
        if table.display.make == "sign":
            amounts = shown_at(past.room.state, table.name)
            actor = past.demo.person("supervisor").name
            past.doors.displays.confirm(table.display.name, amounts, command=past.id(), actor=actor)


def _read_counters(past: Past) -> None:
    for table in past.demo.tables:
        if table.setup.equipment.counter:
            reading = _COUNTER + past.doors.tables.table(table.name).counter
            past.doors.tables.read_counter(table.name, reading, command=past.id(), by=past.demo.person("supervisor"))


def deposit(room: Room, actor: str, make_id: Any) -> None:
    """Bring what is held for the players and not at the bank there, in round amounts (J-19)."""
    jackpots = room.doors.jackpots
    for name, accounts in room.state.of(LEDGER).items():
        if not jackpots.record(name).jackpot.is_progressive:
            continue
        missing = accounts.held_units - accounts.balances["escrow-bank"]
        if missing > 0:
            cents = -(-missing // units_of(_ROUNDED_CENTS)) * _ROUNDED_CENTS
            sent = jackpots.send_deposit(name, cents, command=make_id(), actor=actor)
            jackpots.deposit_arrived(name, sent.entries[0].sequence, command=make_id(), actor=actor)


def close_day(past: Past, day: int) -> None:
    """Close the tables, read counters, count the chips of both shifts."""
    supervisor = past.demo.person("supervisor")
    past.clock.add(10 * MINUTE)
    _read_counters(past)
    for table in past.demo.tables:
        past.clock.add(2 * SECOND)
        past.doors.tables.close(table.name, command=past.id(), by=supervisor)
    past.clock.add(30 * MINUTE)
    _report_malfunctions(past)
    _count_chips(past, day)
    # What comes later is read from here on.
    past.room.books.seal(BOOK)


def ask_approvals(past: Past) -> None:
    """Ask for what needs a second person, who has not come yet."""
    for each in past.demo.said["requests"]:
        past.clock.add(2 * SECOND)
        kind = BY_NAME[each["what"]]
        asked = kind.model.model_validate({**each["said"], "command": past.id()})
        past.room.approvals.ask(kind, asked, past.demo.person(each["role"]))


def _report_malfunctions(past: Past) -> None:
    """Report what has failed to the commission, and have it mended (O-02)."""
    tables, manager = past.doors.tables, past.demo.person("manager")
    for number in [each.number for each in tables.room.malfunctions.values()]:
        tables.report(number, reference=f"report {number} by mail", command=past.id(), by=manager)
        tables.mend(number, words="cable seated again", command=past.id(), by=manager)


def _count_chips(past: Past, day: int) -> None:
    """Count what lies there; on the last evening a chip is missing at the first table, and somebody looks into it."""
    desk = Desk(past.room.books, clock=past.clock)
    cashier, second = past.demo.people("accounting")[:2]
    is_last = missing = day == 1
    for date, shift, table, cents in _expected(past):
        short = missing and shift == _LAST_SHIFT
        missing = missing and not short
        said = {"counted_with": second.name, "command": past.id(), "actor": cashier.name}
        desk.collect(datetime.date.fromisoformat(date), shift, table, cents - (_CHIP_CENTS if short else 0), **said)
    raised = desk.raise_found(_takings(past), command=past.id(), actor=second.name) if is_last else None
    if raised is not None:
        owner = past.demo.person("manager").name
        desk.take(raised.entries[0].sequence, owner, command=past.id(), actor=owner)


def _takings(past: Past) -> Report:
    return make_report(look(past.room.books.store, BOOK, Asked(), made=past.clock.now), "takings")


def _expected(past: Past) -> list[tuple[str, str, str, int]]:
    """By day, shift and table what must lie there, as the report on takings has it."""
    report = _takings(past)
    keys = [column.key for column in report.columns]
    places = [keys.index(key) for key in ("day", "shift", "table", "expected_units")]
    found = [tuple(row.cells[place] for place in places) for row in report.rows]
    return [(str(day), str(shift), str(table), int(str(units)) // units_of(1)) for day, shift, table, units in found]
