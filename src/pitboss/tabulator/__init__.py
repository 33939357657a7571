"""The Bet Tabulator: equipment as data, tables and rounds in the books, and the devices on the line.

The package counts wagers and knows no amounts of money: what a count does to a meter, `jackpot.counting` says, in the
same command. For a server the door of devices is one line:

    reply: dict = tables.receive(message: bytes | str, device=name_of_the_token)

`tables` is a `Tables(books)`; `message` is the body of a POST as it came, `device` whose token it was; the reply is
JSON to be sent back with status 200, whatever it says. It never raises for anything a device may send.

`PROJECTIONS` are the parts of a book's state up to this package, the jackpots' among them: whoever opens or audits the
books of a room gives them. The state of all tables is `state.of(TABLES)`, a `RoomTables`.
"""

from typing import Any

from pitboss.books import Projection
from pitboss.jackpot import PROJECTIONS as _JACKPOT
from pitboss.tabulator import invariants as _invariants
from pitboss.tabulator.equipment import Model, find_model, models
from pitboss.tabulator.setup import AlarmLimits, Sensor, TableSetup, sensors_for
from pitboss.tabulator.state import TABLES
from pitboss.tabulator.tables import Tables
from pitboss.tabulator.values import (
    Alarm,
    CountedRound,
    DeviceRecord,
    Malfunction,
    Reading,
    RoomTables,
    SensorRecord,
    TableRecord,
)

assert _invariants is not None

PROJECTIONS: tuple[Projection[Any], ...] = (*_JACKPOT, TABLES)
"""The parts of a book's state that the packages down to this one bring."""

__all__ = [
    "PROJECTIONS",
    "TABLES",
    "Alarm",
    "AlarmLimits",
    "CountedRound",
    "DeviceRecord",
    "Malfunction",
    "Model",
    "Reading",
    "RoomTables",
    "Sensor",
    "SensorRecord",
    "TableRecord",
    "TableSetup",
    "Tables",
    "find_model",
    "models",
    "sensors_for",
]
