"""The example room of the documentation with its jackpots: the same entries, to the microsecond, every time.

`python -m tests.jackpot.sample` writes it to examples/jackpots.backup; a test compares that file with what is made
today.
"""

from __future__ import annotations

import datetime
import tempfile
from fractions import Fraction
from pathlib import Path

from pitboss.books import Directory, open_books
from pitboss.books.audit.backup import back_up
from pitboss.books.store.migrate import create_books
from pitboss.jackpot import INVARIANTS, PROJECTIONS
from tests.books.making import settings
from tests.books.sample import START
from tests.facades import Jackpots
from tests.jackpot.making import DAY, TCP, TWO, Clock, call, make_bonus, make_jackpot, opened, press, tables
from tests.meters.making import progressive

FILE = Path(__file__).parents[2] / "examples" / "jackpots.backup"
TERMS = progressive(reserve_rate=Fraction("0.05"), cap_cents=50_000_00)


def make_sample(path: Path) -> Directory:
    """Make the room: a progressive on two linked tables, a Bonus, two days of rounds, a hit, a correction, deposits."""
    clock = Clock(START)
    first = datetime.date(2026, 11, 1)
    create_books(path, settings(room="Example Room"), person="Ada King", since=first, clock=clock)
    with open_books(path, projections=PROJECTIONS, invariants=INVARIANTS, clock=clock) as books:
        _play(Jackpots(books, clock=clock), clock)
    return Directory(path)


def _play(jackpots: Jackpots, clock: Clock) -> None:
    linked = tables("1", "2", game=TCP, location="Example Room")
    daily = make_bonus(tables=tables("3", location="Example Room"))
    for jackpot in (make_jackpot(meter=TERMS, tables=linked), daily):
        jackpots.define(jackpot, words="approved 2015-09-25", command=f"define-{jackpot.name}", **TWO)
        opened(jackpots, jackpot.name)
    deposit = jackpots.send_deposit("main", 1_000_00, command="deposit-1", actor="Dora Vane")
    for number in range(1, 31):
        _round(jackpots, number)
    jackpots.deposit_arrived("main", deposit.entries[0].sequence, command="arrived-1", actor="Dora Vane")
    call(jackpots, "main", "hit-1", "2")
    clock.now += DAY
    last = 0
    for number in range(31, 61):
        last = _round(jackpots, number)
    words = "sensor of seat 1 stuck, malfunction report 7"
    jackpots.correct_count("main", last, {1: 1}, words=words, command="correction-1", **TWO)
    jackpots.post_bonus("daily", 300_00, words="amount of the day", command="post-1", actor="Ada")
    _round(jackpots, 61)


def _round(jackpots: Jackpots, number: int) -> int:
    press(jackpots, number, [1, 2, 5][: 1 + number % 3], table="1")
    press(jackpots, number, [3, 4][: number % 3], "daily", table="3")
    return press(jackpots, number, [1, 2, 3, 6][: 1 + number % 4], table="2")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        FILE.unlink(missing_ok=True)
        back_up(make_sample(Path(folder) / "room"), FILE, projections=PROJECTIONS, invariants=INVARIANTS)
