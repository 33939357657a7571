"""A room with people at work: tables set up and open, a dealer with a PIN, a supervisor, a console that is enrolled."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from pitboss.commands import By
from pitboss.commands.command import SYSTEM_ACTOR
from pitboss.room.people.people import SetDevice, SetPerson
from pitboss.tabulator import TableSetup, sensors_for
from tests.doors import doors_of
from tests.pages.room import FCP, TCP, CardRoom, card_room
from tests.server.making import PASSWORD, PIN, command

MANAGER = By("Max", "manager")
PEOPLE = {"dan": ("Dan", "dealer"), "dora": ("Dora", "dealer"), "sue": ("Sue", "supervisor"), "max": ("Max", "manager")}
CONSOLES = {"console 4": "4", "console 6": "6"}


def setups() -> tuple[TableSetup, ...]:
    """Table 6 has Milky Way, whose counts the dealer enters at the console; tables 4 and 5 have devices on the line."""
    usual: dict[str, Any] = {"seats": 7, "down_method": "on-the-spot"}
    lit = sensors_for("andromeda-3", 7, ["final-four"], lights=["final-four"])
    milky = sensors_for("milky-way", 7, ["four-card-jackpot"])
    return (
        TableSetup(table="4", game=TCP, model="andromeda-3", device="A3-4", sensors=lit, **usual),
        TableSetup(table="5", game=TCP, model="andromeda-3", device="A3-5", sensors=lit, **usual),
        TableSetup(table="6", game=FCP, model="milky-way", sensors=milky, **usual),
    )


def staff(room: CardRoom) -> None:
    access = room.room.access
    for login, (name, role) in PEOPLE.items():
        person = SetPerson(login=login, name=name, roles=(role,), active=True, first=True)
        access.set_person(person, SYSTEM_ACTOR, id=command())
        access.set_password(login, PASSWORD, SYSTEM_ACTOR)
        if role in ("dealer", "supervisor"):
            access.set_pin(login, PIN, SYSTEM_ACTOR)
    for name, table in CONSOLES.items():
        device = SetDevice(name=name, what="console", table=table, active=True, first=True)
        access.set_device(device, SYSTEM_ACTOR, id=command())


@contextmanager
def working_room(path: Path) -> Iterator[CardRoom]:
    with card_room(path) as room:
        staff(room)
        tables = doors_of(room.room).tables
        for setup in setups():
            tables.set_up(setup, words="new", by=MANAGER, approved_by="Sue", command=command())
            tables.open(setup.table, command=command(), by=MANAGER)
        yield room


def device_press(room: CardRoom, table: str, *seats: int, sequence: int = 1) -> None:
    """Press at a table whose device is on the line."""
    tables = doors_of(room.room).tables
    if not tables.table(table).dealer:
        tables.change_dealer(table, "Dora", command=command(), by=MANAGER)
    now = tables.clock()
    said = {"device": f"A3-{table}", "table": table, "type": "press", "sequence": sequence, "at": now, "sent": now}
    reply = tables.receive(json.dumps({**said, "sensors": [[seat, 1] for seat in seats]}))
    assert reply["status"] in ("counted", "released"), reply
