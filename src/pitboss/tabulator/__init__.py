"""The Bet Tabulator: equipment as data, tables and rounds in the books, and the devices on the line.

The package counts wagers and knows no amounts of money: what a count does to a meter, `jackpot.counting` computes, in
the same command. `COMMANDS` are what people and Pitboss itself do at tables. A server receives a device's message with

    reply: dict = Receiver(executor).receive(message: bytes | str, device=name_of_the_token)

`message` is the body of a POST as it came, `device` whose token it was; the reply is JSON to be sent back with status
200, whatever it holds. Nothing that a device may send raises. Where a `Press` at the console is refused, the caller
runs `review_escrow`, as the receiver does for a device.

`PROJECTIONS` are the parts of a book's state up to this package, the jackpots' among them: whoever opens or audits the
books of a room passes them. The state of all tables is `state.of(TABLES)`, a `RoomTables`.
"""

from typing import Any

from pitboss.books import Invariant, Projection
from pitboss.commands import Command
from pitboss.jackpot import INVARIANTS as _JACKPOT_INVARIANTS
from pitboss.jackpot import PROJECTIONS as _JACKPOT
from pitboss.tabulator import naming, outages, table_log, tables
from pitboss.tabulator.corrections import CorrectEarlierRound, CorrectRound, VoidRound
from pitboss.tabulator.devices.receive import Receiver
from pitboss.tabulator.equipment import models
from pitboss.tabulator.invariants import INVARIANTS as _TABLE_INVARIANTS
from pitboss.tabulator.outages import (
    ClearAlarm,
    EndMalfunction,
    ReadCounter,
    RecordMalfunction,
    ReportMalfunction,
    TakeDown,
)
from pitboss.tabulator.panel import StateLights
from pitboss.tabulator.rounds import Press
from pitboss.tabulator.setup import AlarmLimits, TableSetup, sensors_for
from pitboss.tabulator.state import TABLES
from pitboss.tabulator.tables import ChangeDealer, CloseTable, OpenTable, SetUpTable, SuspendTable
from pitboss.tabulator.values import Alarm, CounterReading, Malfunction, RoomTables, TableRecord

PROJECTIONS: tuple[Projection[Any], ...] = (*_JACKPOT, TABLES, table_log.TABLE_LOG)
"""The parts of a book's state that the packages down to this one bring."""
INVARIANTS: tuple[Invariant, ...] = (
    *_JACKPOT_INVARIANTS,
    *_TABLE_INVARIANTS,
    *naming.INVARIANTS,
    *table_log.INVARIANTS,
)
"""The invariants that they bring."""
COMMANDS: tuple[type[Command], ...] = (
    SetUpTable,
    OpenTable,
    CloseTable,
    SuspendTable,
    tables.ResumeTable,
    ChangeDealer,
    Press,
    tables.MarkSeats,
    CorrectRound,
    CorrectEarlierRound,
    VoidRound,
    StateLights,
    TakeDown,
    outages.GoByHand,
    outages.EnterCounts,
    naming.NameSeats,
    outages.RestoreEquipment,
    ReadCounter,
    RecordMalfunction,
    ReportMalfunction,
    EndMalfunction,
    ClearAlarm,
    outages.LoseLink,
    outages.GiveUpMessages,
    table_log.LogDeck,
    table_log.SetShuffler,
)
"""The commands of people and of Pitboss itself at tables; the messages of devices are not among them."""

__all__ = [
    "COMMANDS", "INVARIANTS", "PROJECTIONS", "TABLES", "Alarm", "AlarmLimits", "ChangeDealer", "ClearAlarm",
    "CloseTable", "CorrectEarlierRound", "CorrectRound", "CounterReading", "EndMalfunction", "Malfunction", "OpenTable",
    "Press", "ReadCounter", "Receiver", "RecordMalfunction", "ReportMalfunction", "RoomTables", "SetUpTable",
    "StateLights", "SuspendTable", "TableRecord", "TableSetup", "TakeDown", "VoidRound", "models", "sensors_for",
]  # fmt: skip
