"""The example room of the documentation with two days of reports: the same entries, to the microsecond, every time.

`python -m tests.reports.sample` writes it to examples/reports.backup; a test compares that file with what is made
today.
"""

from __future__ import annotations

import datetime
import tempfile
from pathlib import Path
from typing import Any

from pitboss.books import Directory
from pitboss.books.audit.backup import back_up
from pitboss.meters import Account, DecreaseReason
from pitboss.reports import INVARIANTS, PROJECTIONS, Share
from tests.jackpot.hit_making import FLUSH, FULL_HOUSE, QUADS
from tests.reports.making import (
    CASHIER,
    FIRST,
    MANAGER,
    ROYAL,
    STRAIGHT_FLUSH,
    SUPERVISOR,
    TWO,
    House,
    daily_bonus,
    house,
    main_jackpot,
    make_template,
    milky_way,
    report_of,
)

FILE = Path(__file__).parents[2] / "examples" / "reports.backup"
NEXT = FIRST + datetime.timedelta(days=1)


def make_sample(path: Path) -> Directory:
    """Make the room: two gambling days with hits, a void round, corrections, chips, readings and exceptions."""
    template = make_template(path.with_name("template"))
    with house(template, path) as room:
        _open(room)
        _first_day(room)
        _second_day(room)
    return Directory(path)


def _open(room: House) -> None:
    room.open(main_jackpot("4", "5"), daily_bonus("6"))
    room.equip(milky_way())
    _reading(room, 41_200)
    room.set(FIRST, 10)


def _reading(room: House, reading: int) -> None:
    room.tables.read_counter("6", reading, command=room.id(), by=SUPERVISOR)


def _play(room: House, rounds: int) -> None:
    for number in range(rounds):
        room.press("4", [1, 3, 5][: 1 + number % 3])
        room.press("5", [2, 4])
        if number % 2 == 0:
            room.press("6", [1, 2, 7], "daily")
        room.clock.now += 75_000_000


def _first_day(room: House) -> None:
    _play(room, 40)
    room.small("5", 2, FLUSH)
    room.set(FIRST, 14, 5)
    _reading(room, 41_260)
    room.chips(FIRST, "day", "4", 79_00)
    room.chips(FIRST, "day", "5", 55_00)
    room.chips(FIRST, "day", "6", 60_00)
    room.set(FIRST, 15)
    _play(room, 30)
    room.press("4", [1, 3, 5])
    top = room.call("4", (3, ROYAL))
    room.documented(top, winner="Rosa Lind")
    shares = [Share("Rosa Lind", 6_000_00, True), Share("Karl Lind", 4_000_00 + _odd_cents(room, top), True)]
    room.desk.share(top, 3, shares, command=room.id(), actor=CASHIER.name)
    room.paid(top)
    room.press("5", [2, 4])
    room.void("5", "two cards fell off the table")
    room.press("6", [1, 4], "daily")
    said: dict[str, Any] = {"by": SUPERVISOR, "approved_by": "Max Adeyemi"}
    room.tables.void("6", room.rounds["6"], "exposed-card", words="the burn card lay open", command=room.id(), **said)
    room.set(FIRST, 21, 40)
    words = "the light of seat 1 stays dark"
    known = room.tables.malfunction("6", words=words, command=room.id(), by=SUPERVISOR, place=(1, 1))
    room.broken = known.entries[0].sequence
    room.set(FIRST, 22, 5)
    _reading(room, 41_306)
    room.chips(FIRST, "swing", "4", 63_00)
    room.chips(FIRST, "swing", "5", 57_00)
    room.chips(FIRST, "swing", "6", 45_00)


def _odd_cents(room: House, hit: int) -> int:
    return room.hits.open[hit].won[0].cents - 10_000_00


def _second_day(room: House) -> None:
    room.set(NEXT, 7)
    last = 0
    for number in range(25):
        last = room.press("4", [1, 5])
        room.press("5", [2, 4, 6][: 1 + number % 3])
        room.clock.now += 80_000_000
    room.correct(last, 1, "sensor of seat 1 sticks, malfunction report")
    room.batch("5", 4, {2: 4, 4: 3})
    room.jackpots.adjust("main", 5_000_000, words="gift for the second day", command=room.id(), **TWO)
    room.jackpots.book_receipts("main", 10_000, fund=Account.RESERVE, words="test booking", command=room.id(), **TWO)
    seed, words = DecreaseReason.SEED_RECOVERED, "part of the seed"
    room.jackpots.adjust("main", -1_000_000, seed, words=words, command=room.id(), **TWO)
    room.jackpots.post_bonus("daily", 300_00, words="amount of the day", command=room.id(), actor="Ada King")
    room.press("5", [2, 4])
    shared = room.call("5", (2, STRAIGHT_FLUSH), (4, QUADS))
    room.documented(shared, taxpayer_number=True)
    room.paid(shared, "cage")
    room.press("4", [1, 5])
    room.reject(room.call("4", (5, ROYAL)), "the ten is of clubs")
    room.small("4", 1, FULL_HOUSE)
    room.set(NEXT, 14, 10)
    room.chips(NEXT, "day", "4", -49_00)
    room.tables.report(room.broken, reference="E-2026-118", command=room.id(), by=MANAGER)
    raised = room.desk.raise_found(
        report_of(room.path, "takings", first_day=FIRST), command=room.id(), actor="Ada King"
    )
    assert raised is not None
    room.desk.take(raised.entries[0].sequence, "Omar Diaz", command=room.id(), actor="Omar Diaz")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        FILE.unlink(missing_ok=True)
        back_up(make_sample(Path(folder) / "room"), FILE, projections=PROJECTIONS, invariants=INVARIANTS)
