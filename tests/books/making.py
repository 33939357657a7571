"""Small constructors for the tests of the books: a room, a jackpot, commands that count and pay."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from pitboss.books import (
    LEDGER,
    BookReading,
    Books,
    BookState,
    Directory,
    Draft,
    Entry,
    LedgerTransfer,
    Movement,
    RoomSettings,
    Submission,
    folding_of,
    movement_of,
    open_books,
    read_book,
)
from pitboss.books.store.directory import database_at
from pitboss.books.store.migrate import create_books
from pitboss.meters import MeterTerms, contribute, hit, open_meter, units_of
from tests import clocks
from tests.meters.making import fund_pays, progressive

BOOK = "room"
in_postgresql = pytest.mark.parametrize(
    "room", [pytest.param("postgresql", marks=pytest.mark.xdist_group("postgresql"))], indirect=True
)
"""For tests of what SQLite has not."""
START = clocks.START


def ticking(start: int = START) -> Callable[[], int]:
    """A clock that moves a second each time it is asked."""
    seconds = iter(range(10**9))
    return lambda: start + next(seconds) * 1_000_000


@dataclass(frozen=True)
class Room:
    """A data directory with books in it."""

    path: Path
    store_kind: str

    @property
    def directory(self) -> Directory:
        return Directory(self.path)

    @property
    def database(self) -> tuple[str, str]:
        """The connection string of a PostgreSQL server, and the name of the database in it."""
        server, _, name = self.directory.connection.partition(" options=")[0].rpartition(" dbname=")
        return server, name

    def open(self, **options: Any) -> Books:
        return open_books(self.path, **({"clock": ticking()} | options))

    def entries(self, book: str = BOOK) -> list[Entry]:
        with closing(self.directory.open_store(write=False)) as store:
            return list(store.entries(book))

    def read(self, book: str = BOOK, *, whole: bool = True) -> BookReading:
        """Read a book as an audit does."""
        directory = self.directory
        with closing(directory.open_store(write=False)) as store:
            return read_book(store, folding_of(), book, witness=directory.witness(book), whole=whole)


def make_room(path: Path, connection: str | None = None, schema: str | None = None) -> Room:
    create_books(
        path,
        settings(),
        person="Ada",
        since=datetime.date(2026, 1, 1),
        database=database_at(connection, schema),
        clock=lambda: START - 1_000_000,
    )
    return Room(path, "sqlite" if connection is None else "postgresql")


def settings(**fields: Any) -> RoomSettings:
    usual: dict[str, Any] = {
        "room": "Test Room",
        "time_zone": "America/Los_Angeles",
        "shifts": (("day", datetime.time(6)), ("swing", datetime.time(14)), ("graveyard", datetime.time(22))),
    }
    return RoomSettings(**usual | fields)


TERMS: MeterTerms = progressive(reserve_rate=progressive().display_rate / 2)


def command(
    command_id: str, decide: Callable[[BookState], Sequence[Draft]], content: Any = None, **said: Any
) -> Submission:
    usual: dict[str, Any] = {"book": BOOK, "actor": "Bob", "content": content, "table": "4"}
    return Submission(id=command_id, decide=decide, **usual | said)


def opening(jackpot: str = "main", terms: MeterTerms = TERMS, command_id: str | None = None) -> Submission:
    def decide(_: BookState) -> list[Draft]:
        return [Draft(movement_of("jackpot-opened", jackpot, None, open_meter(terms)))]

    return command(command_id or f"open-{jackpot}", decide, ["open", jackpot])


def counting(command_id: str, wagers: int = 1, jackpot: str = "main", terms: MeterTerms = TERMS) -> Submission:
    """Count wagers from the state in memory, as a later package will."""

    def decide(state: BookState) -> list[Draft]:
        before = state.of(LEDGER)[jackpot].meter_state
        return [Draft(movement_of("wagers-counted", jackpot, before, contribute(before, terms, wagers)))]

    return command(command_id, decide, ["count", jackpot, wagers])


def hitting(command_id: str, cents: int, jackpot: str = "main", terms: MeterTerms = TERMS) -> Submission:
    """Call a prize from the fund and hand it over: two entries of one command."""

    def decide(state: BookState) -> list[Draft]:
        before = state.of(LEDGER)[jackpot].meter_state
        called = movement_of("prize-called", jackpot, before, hit(before, terms, fund_pays(cents), top=False))
        paid = Movement(
            kind="prize-paid", jackpot=jackpot, transfers=(LedgerTransfer("winners", "paid", units_of(cents)),)
        )
        return [Draft(called), Draft(paid)]

    return command(command_id, decide, ["hit", jackpot, cents])


def moving(command_id: str, movement: Movement, **said: Any) -> Submission:
    return command(command_id, lambda _: [Draft(movement)], movement.to_json(), **said)


def balances(books: Books, jackpot: str = "main") -> dict[str, int]:
    return dict(books.state(BOOK).of(LEDGER)[jackpot].balances)
