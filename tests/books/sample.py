"""The example room of the documentation: the same entries, to the microsecond, every time it is made.

`python -m tests.books.sample` writes it to examples/room.backup; a test compares that file with what is made today.
"""

from __future__ import annotations

import datetime
import tempfile
from pathlib import Path

from pitboss.books import Books, Directory, Draft, LedgerTransfer, Movement, microseconds, open_books
from pitboss.books.audit.backup import back_up
from pitboss.books.store.migrate import create_books
from pitboss.meters import units_of
from tests.books.making import BOOK, command, counting, hitting, moving, opening, settings, ticking
from tests.meters.making import bonus

FILE = Path(__file__).parents[2] / "examples" / "room.backup"
START = microseconds(datetime.datetime(2026, 11, 15, 20, 0, tzinfo=datetime.UTC))


def make_sample(path: Path) -> Directory:
    """Make the example room: a progressive and a Bonus jackpot, wagers, a prize, a correction, a deposit, a snapshot."""
    first = datetime.date(2026, 11, 1)
    clock = ticking(START)
    create_books(path, settings(room="Example Room"), person="Ada King", since=first, clock=clock)
    with open_books(path, clock=clock) as books:
        _play(books)
    return Directory(path)


def _play(books: Books) -> None:
    terms = bonus()
    books.submit(opening("main"))
    books.submit(opening("daily-bonus", terms))
    for number in range(6):
        books.submit(counting(f"press-{number}", 2 + number % 4))
        books.submit(counting(f"bonus-press-{number}", 1 + number % 3, "daily-bonus", terms))
    books.submit(hitting("hit-1", 75_00))
    books.seal(BOOK)
    books.submit(
        moving(
            "correction-1",
            Movement(
                "correction",
                "main",
                (LedgerTransfer("house", "displayed", units_of(1_00)),),
                words="the dealer's slip of 8:05 said $1 more",
                approved_by="Carla Mbeki",
                reason="mistyped",
                corrects=4,
            ),
            actor="Dora Vane",
        )
    )
    sent = Movement("escrow-sent", "main", (LedgerTransfer("cash", "escrow-transit", units_of(1_000_00)),))
    books.submit(command("deposit-1", lambda _: [Draft(sent, table="")], sent.to_json(), actor="Dora Vane"))


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        FILE.unlink(missing_ok=True)
        back_up(make_sample(Path(folder) / "room"), FILE)
