"""What people do at tables from the terminal: each as one command to the books."""

from __future__ import annotations

import datetime
import json
import uuid
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from rich.markup import escape

from pitboss.books import Answer, RefusedError, open_books
from pitboss.cli.books_source import explaining
from pitboss.cli.output import console, whole_number
from pitboss.jackpot import Person
from pitboss.room.projections import PROJECTIONS
from pitboss.tabulator import Tables
from pitboss.tabulator.setup_file import read_setup

__all__ = [
    "Asked",
    "change_dealer",
    "clear",
    "close_table",
    "correct",
    "down",
    "enter_counts",
    "malfunction",
    "open_table",
    "press",
    "read_counter",
    "report",
    "restore",
    "set_up",
    "void",
]


class Asked(NamedTuple):
    """Where something is done, by whom, and how it is answered."""

    path: Path
    book: str
    person: str
    as_json: bool
    role: str = "supervisor"

    @property
    def by(self) -> Person:
        """Who acts."""
        return Person(self.person, self.role)


def _done(asked: Asked, act: Callable[[Tables, str], Answer]) -> int:
    """Open the books, do one thing, and tell its entries."""
    with open_books(asked.path, projections=PROJECTIONS) as books:
        answer = act(Tables(books, asked.book), f"terminal-{uuid.uuid4()}")
    if asked.as_json:
        entries = [
            {"sequence": entry.sequence, "kind": entry.kind, "payload": json.loads(entry.payload)}
            for entry in answer.entries
        ]
        print(json.dumps({"entries": entries, "head": answer.head}, indent=2))
        return 0
    for entry in answer.entries:
        console.print(f"entry {entry.sequence}: {entry.kind} {escape(entry.payload)}")
    console.print(f"head {answer.head}")
    return 0


def _numbers(text: str) -> list[int]:
    found = [whole_number(each.strip()) for each in text.split(",") if each.strip()]
    if any(each is None for each in found):
        raise RefusedError([f"{text!r} must be seats such as 1,3,6"])
    return [each for each in found if each is not None]


def _wager(text: str) -> tuple[str, str]:
    wager, equals, rest = text.partition("=")
    if not equals or not wager:
        raise RefusedError([f"{text!r} must be a wager and its seats, such as prime=1,3"])
    return wager, rest


@explaining
def set_up(asked: Asked, file: Path, approved_by: str, reason: str, since: str | None) -> int:
    """Set a table up from a file."""
    setup = read_setup(file.read_text(encoding="utf-8"))
    try:
        day = None if since is None else datetime.date.fromisoformat(since)
    except ValueError:
        raise RefusedError([f"--since {since!r} must be a date such as 2026-12-01"]) from None
    said: dict[str, Any] = {"words": reason, "by": asked.by, "approved_by": approved_by, "since": day}
    return _done(asked, lambda tables, command: tables.set_up(setup, command=command, **said))


@explaining
def open_table(asked: Asked, table: str) -> int:
    """Open a table."""
    return _done(asked, lambda tables, command: tables.open(table, command=command, by=asked.by))


@explaining
def close_table(asked: Asked, table: str) -> int:
    """Close a table."""
    return _done(asked, lambda tables, command: tables.close(table, command=command, by=asked.by))


@explaining
def change_dealer(asked: Asked, table: str, name: str) -> int:
    """Put a dealer in charge."""
    return _done(asked, lambda tables, command: tables.change_dealer(table, name, command=command, by=asked.by))


@explaining
def press(asked: Asked, table: str, seats: Sequence[str]) -> int:
    """Press at the console."""
    named = {wager: _numbers(rest) for wager, rest in map(_wager, seats)}
    return _done(asked, lambda tables, command: tables.press(table, named, command=command, by=asked.by))


@explaining
def correct(asked: Asked, table: str, number: int, said: Mapping[str, str], reason: str, approved_by: str) -> int:
    """Correct a counted round."""
    given = [(cause, text) for cause, text in said.items() if text]
    if len(given) != 1:
        raise RefusedError(["name one of --missed, --miscounted and --refunded (G-11)"])
    cause, (wager, rest) = given[0][0], _wager(given[0][1])
    words: dict[str, Any] = {"words": reason, "by": asked.by, "approved_by": approved_by}
    what: Any = (table, number, wager, cause, _numbers(rest))
    return _done(asked, lambda tables, command: tables.correct(*what, command=command, **words))


@explaining
def void(asked: Asked, table: str, number: int, cause: str, approved_by: str, reason: str) -> int:
    """Make a round void."""
    said: dict[str, Any] = {"words": reason, "by": asked.by, "approved_by": approved_by}
    what: Any = (table, number, cause)
    return _done(asked, lambda tables, command: tables.void(*what, command=command, **said))


@explaining
def down(asked: Asked, table: str, reason: str) -> int:
    """Take equipment out of play."""
    return _done(asked, lambda tables, command: tables.down(table, words=reason, command=command, by=asked.by))


@explaining
def enter_counts(asked: Asked, table: str, rounds: int, seats: Sequence[str], approved_by: str, reason: str) -> int:
    """Enter counts of rounds that were played by hand."""
    wagers: dict[str, dict[int, int]] = {}
    for wager, rest in map(_wager, seats):
        pairs = [each.split(":") for each in rest.split(",") if each.strip()]
        numbers = [[whole_number(part.strip()) for part in pair] for pair in pairs]
        if any(len(pair) != 2 or None in pair for pair in numbers):
            raise RefusedError([f"{rest!r} must be seats and counts such as 1:3,4:2"])
        wagers[wager] = {int(seat or 0): int(count or 0) for seat, count in numbers}
    said: dict[str, Any] = {"words": reason, "by": asked.by, "approved_by": approved_by}
    return _done(asked, lambda tables, command: tables.enter_counts(table, rounds, wagers, command=command, **said))


@explaining
def restore(asked: Asked, table: str, rounds: int, approved_by: str, reason: str) -> int:
    """Let equipment count again."""
    said: dict[str, Any] = {"words": reason, "by": asked.by, "approved_by": approved_by}
    return _done(asked, lambda tables, command: tables.restore(table, rounds, command=command, **said))


@explaining
def read_counter(asked: Asked, table: str, reading: int, rolled_over: bool, replaced: bool, reason: str) -> int:
    """Write a reading down."""
    said: dict[str, Any] = {"by": asked.by, "rolled_over": rolled_over, "replaced": replaced, "words": reason}
    return _done(asked, lambda tables, command: tables.read_counter(table, reading, command=command, **said))


@explaining
def malfunction(asked: Asked, table: str, reason: str) -> int:
    """Write a malfunction down."""
    return _done(asked, lambda tables, command: tables.malfunction(table, words=reason, command=command, by=asked.by))


@explaining
def report(asked: Asked, number: int, reference: str) -> int:
    """Write down that a malfunction was reported."""
    said: dict[str, Any] = {"reference": reference, "by": asked.by}
    return _done(asked, lambda tables, command: tables.report(number, command=command, **said))


@explaining
def clear(asked: Asked, alarm: str, reason: str) -> int:
    """Clear an alarm."""
    return _done(asked, lambda tables, command: tables.clear_alarm(alarm, words=reason, command=command, by=asked.by))
