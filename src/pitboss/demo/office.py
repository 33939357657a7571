"""What the office of the demo room has done: tables opened and closed, deposits, counts of chips, readings."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from dataclasses import replace

from pitboss.books import LEDGER
from pitboss.commands import By, read_fields
from pitboss.commands.command import BOOK, SYSTEM_ACTOR
from pitboss.demo.past import MINUTE, SECOND, Past
from pitboss.jackpot import JACKPOTS, AdjustFund, ConfirmDeposit, PostBonus, SendDeposit
from pitboss.meters import units_of
from pitboss.reports import Report, ReportRequest, look, make_report
from pitboss.room.accounting import CollectChips, RaiseReport, TakeException
from pitboss.room.commands import BY_NAME
from pitboss.room.displays import ConfirmDisplay, shown_at
from pitboss.room.room import Room
from pitboss.tabulator import (
    TABLES,
    ChangeDealer,
    CloseTable,
    EndMalfunction,
    OpenTable,
    ReadCounter,
    ReportMalfunction,
)

_COUNTER = 41_200
"""What the counter of the table that has one showed on the first day."""
_ROUNDED_CENTS = 100_00
_CHIP_CENTS, _LAST_SHIFT = 1_00, "swing"


def open_day(past: Past, day: int) -> None:
    """Open the tables, put dealers in charge, confirm signs, and do what was decided for the day."""
    demo = past.demo
    supervisor, manager, accounting = (demo.person(role) for role in ("supervisor", "manager", "accounting"))
    for table in demo.tables:
        past.clock.add(2 * SECOND)
        past.do(OpenTable(table=table.name), supervisor)
        past.do(ChangeDealer(table=table.name, dealer=demo.dealer_at(table.name).name), supervisor)
    for adjustment in demo.said["adjustments"]:
        if adjustment["day"] == day:
            units = units_of(100 * adjustment["dollars"])
            adjust = AdjustFund(name=adjustment["jackpot"], units=units, words=adjustment["words"])
            past.do(adjust, replace(accounting, approver=manager))
    for posting in demo.said["postings"]:
        if posting["day"] == day:
            past.do(PostBonus(name=posting["jackpot"], cents=posting["cents"], words=posting["words"]), manager)
    _confirm_signs(past)
    _read_counters(past)
    deposit(past.room, accounting, past.id)


def _confirm_signs(past: Past) -> None:
    for table in past.demo.tables:
        if table.display.make == "sign":
            amounts = shown_at(past.room.state, table.name)
            past.do(ConfirmDisplay(name=table.display.name, amounts=amounts), past.demo.person("supervisor"))


def _read_counters(past: Past) -> None:
    for table in past.demo.tables:
        if table.setup.equipment.counter:
            reading = _COUNTER + past.room.state.of(TABLES).tables[table.name].counter
            past.do(ReadCounter(table=table.name, reading=reading), past.demo.person("supervisor"))


def deposit(room: Room, by: By, make_id: Callable[[], str]) -> None:
    """Bring what is held for the players and not at the bank there, in round amounts (J-19)."""
    jackpots = room.state.of(JACKPOTS).jackpots
    for name, accounts in room.state.of(LEDGER).items():
        if not jackpots[name].jackpot.is_progressive:
            continue
        missing = accounts.held_units - accounts.balances["escrow-bank"]
        if missing > 0:
            cents = -(-missing // units_of(_ROUNDED_CENTS)) * _ROUNDED_CENTS
            sent = room.do(SendDeposit(name=name, cents=cents), by, id=make_id())
            room.do(ConfirmDeposit(name=name, sequence=sent.entries[0].sequence), by, id=make_id())


def close_day(past: Past, day: int) -> None:
    """Close the tables, read counters, count the chips of both shifts."""
    supervisor = past.demo.person("supervisor")
    past.clock.add(10 * MINUTE)
    _read_counters(past)
    for table in past.demo.tables:
        past.clock.add(2 * SECOND)
        past.do(CloseTable(table=table.name), supervisor)
    past.clock.add(30 * MINUTE)
    _report_malfunctions(past)
    _count_chips(past, day)
    # What comes later is read from here on.
    past.room.books.seal(BOOK)


def ask_approvals(past: Past) -> None:
    """Ask for what needs a second person, who has not come yet."""
    for request in past.demo.said["requests"]:
        past.clock.add(2 * SECOND)
        past.do(read_fields(BY_NAME[request["what"]], request["said"]), past.demo.person(request["role"]))


def _report_malfunctions(past: Past) -> None:
    """Report what has failed to the commission, and have it mended (O-02)."""
    manager = past.demo.person("manager")
    for number in [record.number for record in past.room.state.of(TABLES).malfunctions.values()]:
        past.do(ReportMalfunction(malfunction=number, reference=f"report {number} by mail"), manager)
        past.do(EndMalfunction(malfunction=number, words="cable seated again"), manager)


def _count_chips(past: Past, day: int) -> None:
    """Count what lies there; on the last evening a chip is missing at the first table, and somebody looks into it."""
    cashier, second = past.demo.people("accounting")[:2]
    is_last = missing = day == 1
    for date, shift, table, cents in _expected(past):
        short = missing and shift == _LAST_SHIFT
        missing = missing and not short
        chips = CollectChips(
            day=datetime.date.fromisoformat(date),
            shift=shift,
            table=table,
            cents=cents - (_CHIP_CENTS if short else 0),
            counted_with=second.name,
        )
        past.do(chips, cashier)
    if is_last and (report := _takings(past)).exceptions:
        raised = past.do(RaiseReport(report=report), SYSTEM_ACTOR)
        past.do(TakeException(number=raised.entries[0].sequence), past.demo.person("manager"))


def _takings(past: Past) -> Report:
    return make_report(look(past.room.books.store, BOOK, ReportRequest(), made_at=past.clock.now), "takings")


def _expected(past: Past) -> list[tuple[str, str, str, int]]:
    """By day, shift and table what must lie there, as the report on takings has it."""
    report = _takings(past)
    keys = [column.key for column in report.columns]
    places = [keys.index(key) for key in ("day", "shift", "table", "expected_units")]
    found = [tuple(row.cells[place] for place in places) for row in report.rows]
    return [(str(day), str(shift), str(table), int(str(units)) // units_of(1)) for day, shift, table, units in found]
