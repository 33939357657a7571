"""A process in which a device presses until it is killed, for the kill tests: replies are written down first."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path

from pitboss.books import open_books
from pitboss.tabulator import PROJECTIONS
from tests.books.load import fork, killing
from tests.facades import Jackpots, Tables
from tests.jackpot.making import define, opened
from tests.tabulator.making import APPROVER, DEALER, DEVICE, SUPERVISOR, main_jackpot, make_setup

SNAPSHOT_EVERY = 20


def seats_of(sequence: int) -> list[int]:
    """The seats with a wager at a press: by its number alone, so that a test knows them."""
    return [seat for seat in range(1, 8) if (sequence * 5 + seat * sequence) % 3]


def message_of(sequence: int, start: int) -> str:
    """The message of a press; odd ones count, even ones end the round."""
    at = start + sequence * 2_000_000
    sensors = [[seat, 1] for seat in seats_of(sequence)] if sequence % 2 else []
    said = {"device": DEVICE, "table": "4", "type": "press", "sequence": sequence, "at": at, "sent": at}
    return json.dumps(said | {"sensors": sensors})


def _begin(tables: Tables, jackpots: Jackpots, run: str) -> None:
    """Whatever of the room is not there yet."""
    if "main" not in jackpots.room.jackpots:
        define(jackpots, main_jackpot())
    if jackpots.record("main").play != "open":
        opened(jackpots, "main", f"open-{run}")
    if "4" not in tables.room.tables:
        tables.set_up(make_setup(), words="new", command=f"set-{run}", by=SUPERVISOR, approved_by=APPROVER)
    if tables.table("4").life == "closed":
        tables.open("4", command=f"table-{run}", by=SUPERVISOR)
    if not tables.table("4").dealer:
        tables.change_dealer("4", DEALER.name, command=f"dealer-{run}", by=SUPERVISOR)


def load(path: Path, acknowledged: Path, run: str, point: str, nth: int) -> None:
    """Press, and send every message twice; go on after what the books have."""
    notes = os.open(acknowledged, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    start = int((path.parent / "start").read_text())
    with open_books(
        path, projections=PROJECTIONS, snapshot_every=SNAPSHOT_EVERY, at_point=killing(point, nth)
    ) as books:
        tables = Tables(books)
        _begin(tables, Jackpots(books), run)
        sequence = tables.room.devices[DEVICE].sequence
        end = time.monotonic() + 60
        while time.monotonic() < end:
            sequence += 1
            for _ in range(2):
                reply = tables.receive(message_of(sequence, start))
                os.write(notes, f"{sequence} {reply['status']}\n".encode())


def _run(words: list[str]) -> None:
    path, acknowledged, run, point, nth = words
    load(Path(path), Path(acknowledged), run, point, int(nth))


if __name__ == "__main__":
    fork(_run)
