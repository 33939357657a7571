"""Small constructors for the tests of tables: setups, a clock that is set, and a floor with its tables open."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count
from typing import Any

from pitboss.books import LEDGER, Answer, Books
from pitboss.books.audit import check_books
from pitboss.commands import By
from pitboss.jackpot import Jackpot
from pitboss.tabulator import INVARIANTS, PROJECTIONS, AlarmLimits, TableRecord, TableSetup, sensors_for
from tests.books.making import BOOK, START, Room
from tests.facades import Jackpots, Tables
from tests.jackpot.making import TCP, define, make_jackpot, opened, tables

DEALER, SECOND_DEALER = By("Dan", "dealer"), By("Dora", "dealer")
SUPERVISOR, MANAGER = By("Sue", "supervisor"), By("Max", "manager")
APPROVER = "Carla"
FINAL_FOUR, PRIME, PAIR_BONUS, ALL_SIX, ANTE = "final-four", "prime", "pair-bonus", "all-six", "ante-play"
DEVICE = "A3-0017"
SECOND = 1_000_000
TWO: dict[str, Any] = {"by": SUPERVISOR, "approved_by": APPROVER}


FAST = AlarmLimits(rounds_a_minute=100)
"""Tests deal faster than people."""


class Clock:
    """A clock that stands still until a test moves it."""

    def __init__(self, now: int = START) -> None:
        self.now = now

    def __call__(self) -> int:
        return self.now

    def add(self, seconds: float) -> int:
        self.now += int(seconds * SECOND)
        return self.now


def make_setup(model: str = "andromeda-3", wagers: Sequence[str] = (FINAL_FOUR,), **fields: Any) -> TableSetup:
    """Table 4 with seven seats, one sensor with a light for each wager."""
    usual: dict[str, Any] = {
        "table": "4",
        "game": TCP,
        "seats": 7,
        "down_method": "on-the-spot",
        "limits": FAST,
    }
    fields = usual | fields
    if model == "none":
        fields |= {"entered": tuple(wagers)}
    elif "sensors" not in fields:
        fields |= {"sensors": sensors_for(model, fields["seats"], wagers, lights=wagers)}
    if model not in ("none", "milky-way"):
        fields = {"device": DEVICE} | fields
    return TableSetup(model=model, **fields)


@dataclass
class Floor:
    """A room at work, with short words for what people and devices do at table 4."""

    books: Books
    room: Room
    clock: Clock
    tables: Tables
    jackpots: Jackpots
    ids: Iterator[int] = field(default_factory=lambda: count(1))
    sequences: dict[str, int] = field(default_factory=dict)

    def id(self) -> str:
        return f"c{next(self.ids)}"

    @property
    def four(self) -> TableRecord:
        return self.tables.table("4")

    def message(self, type_: str = "press", **said: Any) -> dict[str, Any]:
        """The next message of the device of table 4, two seconds after the last."""
        device = said.pop("device", DEVICE)
        if type_ not in ("hello", "beat") and "sequence" not in said:
            said["sequence"] = self.sequences[device] = self.sequences.get(device, 0) + 1
        now = self.clock.add(said.pop("after", 2))
        usual: dict[str, Any] = {"device": device, "table": "4", "type": type_, "sent": now}
        if type_ not in ("hello", "beat"):
            usual["at"] = now
        return usual | said

    def send(self, message: Mapping[str, Any]) -> dict[str, Any]:
        return self.tables.receive(json.dumps(message))

    def press(self, *seen: tuple[int, int], **said: Any) -> dict[str, Any]:
        return self.send(self.message(sensors=[list(place) for place in seen], **said))

    def round(self, *seats: int) -> int:
        """Play a round whose jackpot wagers are at these seats; give its number."""
        reply = self.press(*((seat, 1) for seat in seats))
        assert reply["status"] == "counted", reply
        assert self.press()["status"] == "released"
        return int(reply["round"])

    def enter(self, seats: Mapping[str, Sequence[int]] | None = None, after: float = 2, **said: Any) -> Answer:
        self.clock.add(after)
        return self.tables.press("4", seats, command=self.id(), **{"by": DEALER} | said)

    def wagers(self, name: str = "main") -> int:
        return self.books.state(BOOK).of(LEDGER)[name].counts["wagers_counted"]

    def shown(self, name: str = "main") -> int:
        return self.jackpots.meter(name).displayed_units

    def set_up(self, setup: TableSetup, **said: Any) -> Answer:
        return self.tables.set_up(setup, command=self.id(), **{"words": "new table", **TWO} | said)

    def start(self, setup: TableSetup) -> None:
        """Set a table up, open it, and put a dealer in charge."""
        self.set_up(setup)
        self.tables.open(setup.table, command=self.id(), by=SUPERVISOR)
        self.tables.change_dealer(setup.table, DEALER.name, command=self.id(), by=SUPERVISOR)

    def is_sound(self) -> bool:
        report = check_books(self.room.directory, projections=PROJECTIONS, invariants=INVARIANTS)
        wrong = [*report.damages, *report.findings]
        assert wrong == []
        assert report.books[BOOK].reading.state == self.books.state(BOOK)
        return report.is_sound


def main_jackpot(*names: str) -> Jackpot:
    return make_jackpot(tables=tables(*(names or ("4",))))


@contextmanager
def floor(
    room: Room, *setups: TableSetup, jackpots: Sequence[Jackpot] | None = None, **options: Any
) -> Iterator[Floor]:
    """Open the books of a room, its jackpots, and these tables."""
    clock = Clock()
    with room.open(projections=PROJECTIONS, invariants=INVARIANTS, clock=clock, **options) as books:
        found = Floor(books, room, clock, Tables(books, clock=clock), Jackpots(books, clock=clock))
        for each in [main_jackpot()] if jackpots is None else jackpots:
            define(found.jackpots, each)
            opened(found.jackpots, each.name)
        for setup in setups:
            found.start(setup)
        yield found
