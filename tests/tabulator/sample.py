"""The example room of the documentation with its tables: the same entries, to the microsecond, every time.

`python -m tests.tabulator.sample` writes it to examples/tables.backup; a test compares that file with what is made today.
"""

from __future__ import annotations

import datetime
import json
import tempfile
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any

from pitboss.books import Directory, open_books
from pitboss.books.audit.backup import back_up
from pitboss.books.store.migrate import create_books
from pitboss.commands import By
from pitboss.tabulator import INVARIANTS, PROJECTIONS, AlarmLimits
from tests.books.making import settings
from tests.books.sample import START
from tests.facades import Jackpots, Tables
from tests.jackpot.making import define, make_bonus, make_jackpot, opened, tables
from tests.tabulator.making import FINAL_FOUR, PRIME, Clock, make_setup

FILE = Path(__file__).parents[2] / "examples" / "tables.backup"
DEALER, SUPERVISOR = By("Dan Ortiz", "dealer"), By("Sue Halvorsen", "supervisor")
TWO: dict[str, Any] = {"by": SUPERVISOR, "approved_by": "Max Adeyemi"}
HOME = "Example Room"


class Sample:
    """The room while it is made."""

    def __init__(self, found: Tables, jackpots: Jackpots, clock: Clock) -> None:
        self.tables, self.jackpots, self.clock = found, jackpots, clock
        self.ids: Iterator[int] = count(1)
        self.sequences: dict[str, int] = {}

    def id(self) -> str:
        self.clock.add(1)
        return f"sample-{next(self.ids)}"

    def start(self, table: str, model: str, device: str = "", *, opens: bool = True, **said: Any) -> None:
        usual: dict[str, Any] = {"table": table, "limits": AlarmLimits(), **({"device": device} if device else {})}
        self.tables.set_up(make_setup(model, **usual | said), words="new table", command=self.id(), **TWO)
        if opens:
            self.tables.open(table, command=self.id(), by=SUPERVISOR)
            self.tables.change_dealer(table, DEALER.name, command=self.id(), by=SUPERVISOR)

    def press(self, table: str, device: str, *places: tuple[int, int]) -> None:
        now = self.clock.add(40)
        self.sequences[device] = self.sequences.get(device, 0) + 1
        said = {"device": device, "table": table, "type": "press", "sequence": self.sequences[device]}
        sensors = [list(place) for place in places]
        reply = self.tables.receive(json.dumps(said | {"at": now, "sent": now, "sensors": sensors}))
        assert reply["status"] in ("counted", "released"), reply


def make_sample(path: Path) -> Directory:
    """Make the room: a table with corrections, one that is closed, a Milky Way, and one whose equipment is down."""
    clock = Clock(START)
    first = datetime.date(2026, 11, 1)
    create_books(path, settings(room=HOME), person="Ada King", since=first, clock=clock)
    with open_books(path, projections=PROJECTIONS, invariants=INVARIANTS, clock=clock) as books:
        sample = Sample(Tables(books, clock=clock), Jackpots(books, clock=clock), clock)
        linked = tables("1", "2", "4", "5", location=HOME)
        for jackpot in (make_jackpot(tables=linked), make_bonus(tables=tables("3", location=HOME))):
            define(sample.jackpots, jackpot)
            opened(sample.jackpots, jackpot.name)
        # The bank holds more than the room will ever owe, so that examples run on any later day (J-19).
        deposit = sample.jackpots.send_deposit("main", 5_000_00, command=sample.id(), actor="Dora Vane")
        arrived = deposit.entries[0].sequence
        sample.jackpots.deposit_arrived("main", arrived, command=sample.id(), actor="Dora Vane")
        _first(sample)
        sample.start("2", "andromeda-3", "A3-0002", opens=False)
        _milky_way(sample)
        sample.start("5", "andromeda-3", "A3-0005")
        sample.press("5", "A3-0005", (1, 1), (4, 1))
        sample.press("5", "A3-0005")
        sample.tables.down("5", words="panel dark", command=sample.id(), by=SUPERVISOR)
    return Directory(path)


def _first(sample: Sample) -> None:
    """Six rounds at table 1, the last still on the table; the sensor of seat 5 is corrected in three of them."""
    sample.start("1", "andromeda-3", "A3-0001", wagers=(FINAL_FOUR, PRIME))
    for number in range(1, 7):
        seats = [seat for seat in (1, 2, 3, 6, 7) if (seat + number) % 3]
        sample.press("1", "A3-0001", *((seat, 1) for seat in seats), *((seat, 2) for seat in seats[:2]))
        if number in (2, 3, 5):
            said: dict[str, Any] = {"words": "chip seen, no light", "command": sample.id(), "by": DEALER}
            sample.tables.correct("1", number, FINAL_FOUR, "missed", [5], **said)
        if number < 6:
            sample.press("1", "A3-0001")


def _milky_way(sample: Sample) -> None:
    sample.start("3", "milky-way", counter_digits=6)
    sample.tables.read_counter("3", 1234, command=sample.id(), by=DEALER)
    for seats in ([1, 2], [2, 5, 6], [1]):
        for named in ({FINAL_FOUR: seats}, None):
            sample.clock.add(40)
            sample.tables.press("3", named, command=sample.id(), by=DEALER)
    sample.tables.read_counter("3", 1240, command=sample.id(), by=DEALER)
    sample.clock.add(40)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        FILE.unlink(missing_ok=True)
        back_up(make_sample(Path(folder) / "room"), FILE, projections=PROJECTIONS, invariants=INVARIANTS)
