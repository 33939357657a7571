"""A process in which tables play jackpots until it is killed, for the kill tests: answers are written down first.

Such a process is forked for every line that is read, from one that has one thread and nothing open.
"""

from __future__ import annotations

import os
import threading
from pathlib import Path

from pitboss.books import open_books
from pitboss.jackpot import INVARIANTS, PROJECTIONS
from tests.books.load import fork, killing
from tests.facades import Jackpots
from tests.jackpot.making import call, define, make_bonus, make_jackpot, opened, tables

MAIN_TABLES = ("1", "2", "3", "4", "5")
BONUS_TABLE = "6"
SNAPSHOT_EVERY = 40


def _begin(jackpots: Jackpots) -> None:
    for each in (make_jackpot(tables=tables(*MAIN_TABLES)), make_bonus(tables=tables(BONUS_TABLE))):
        if each.name not in jackpots.room.jackpots:
            define(jackpots, each)
        if jackpots.record(each.name).play != "open":
            opened(jackpots, each.name, f"open-{each.name}-{jackpots.books.state('room').sequence}")


def seats_of(table: str, number: int) -> list[int]:
    """The seats that have a wager in a round: by round and table alone, so that a test knows them."""
    return [seat for seat in range(1, 7) if (number * 7 + int(table) + seat * number) % 3]


def play(jackpots: Jackpots, notes: int, run: str, table: str) -> None:
    """Tabulate round after round at one table; now and then void one, or hit."""
    name = "daily" if table == BONUS_TABLE else "main"
    last = jackpots.room.last_round(table)
    number = 0 if last is None else last.round
    while True:
        number += 1
        asked = f"{table}-{number}"
        answer = jackpots.tabulate(
            table, number, {name: seats_of(table, number)}, command=asked, actor=f"table {table}"
        )
        os.write(notes, f"{asked} {answer.head}\n".encode())
        if number % 9 == 8:
            voided = jackpots.void_round(
                table, number, words="misdeal", command=f"{asked}-void", actor=f"table {table}"
            )
            os.write(notes, f"{asked}-void {voided.head}\n".encode())
        if number % 11 == 10 and name == "main":
            call(jackpots, name, f"{asked}-{run}-hit", table)


def load(path: Path, acknowledged: Path, run: str, point: str, nth: int) -> None:
    """Let every table play, each in a thread."""
    notes = os.open(acknowledged, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    at_point = killing(point, nth)
    with open_books(
        path, projections=PROJECTIONS, invariants=INVARIANTS, snapshot_every=SNAPSHOT_EVERY, at_point=at_point
    ) as books:
        jackpots = Jackpots(books)
        _begin(jackpots)
        names = (*MAIN_TABLES, BONUS_TABLE)
        workers = [threading.Thread(target=play, args=(jackpots, notes, run, name), daemon=True) for name in names]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()


def _run(words: list[str]) -> None:
    path, acknowledged, run, point, nth = words
    load(Path(path), Path(acknowledged), run, point, int(nth))


if __name__ == "__main__":
    fork(_run)
