"""What people do from the terminal: each verb builds the command that pages and the API build, and has it done."""

from __future__ import annotations

import json
import uuid
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from rich.markup import escape

from pitboss.books import Answer, RefusedError
from pitboss.cli.books.sources import explaining
from pitboss.cli.output import console, whole_number
from pitboss.commands import By, Command, InvalidCommandError, read_fields, write_fields
from pitboss.room.commands import BY_NAME
from pitboss.room.room import Room
from pitboss.tabulator.setup import read_setup


def _by(cls: type[Command], person: str, role: str, approved_by: str) -> By:
    """Return who acts: in the role that is named, else as a supervisor where one may."""
    roles, approvers = cls.spec.roles, cls.spec.approvers
    role = role or ("supervisor" if "supervisor" in roles else roles[0])
    # Who needs a second person names one here: the terminal asks nobody.
    return By(person, role, By(approved_by, approvers[0]) if approvers else None)


def _show(answer: Answer, *, as_json: bool) -> int:
    if as_json:
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


@explaining
def do_command(
    path: Path,
    name: str,
    fields: Mapping[str, Any],
    person: str,
    *,
    role: str = "",
    approved_by: str = "",
    as_json: bool,
) -> int:
    """Open the room, do one thing, and print its entries."""
    cls = BY_NAME[name]
    try:
        command = read_fields(cls, dict(fields))
    except InvalidCommandError as error:
        raise RefusedError(error.problems) from None
    with Room(path) as room:
        answer = room.do(command, _by(cls, person, role, approved_by), id=f"terminal-{uuid.uuid4()}")
    return _show(answer, as_json=as_json)


def _numbers(text: str) -> list[int]:
    numbers = [whole_number(part.strip()) for part in text.split(",") if part.strip()]
    if None in numbers:
        raise RefusedError([f"{text!r} must be seats such as 1,3,6"])
    return [number for number in numbers if number is not None]


def _wager(text: str) -> tuple[str, str]:
    wager, equals, rest = text.partition("=")
    if not equals or not wager:
        raise RefusedError([f"{text!r} must be a wager and its seats, such as prime=1,3"])
    return wager, rest


@explaining
def set_up(
    path: Path, file: Path, person: str, approved_by: str, reason: str, since: str | None, *, as_json: bool
) -> int:
    """Set a table up from a file."""
    fields = {"setup": write_fields(read_setup(file.read_text(encoding="utf-8"))), "words": reason, "since": since}
    return do_command(path, "tables/set-up", fields, person, approved_by=approved_by, as_json=as_json)


@explaining
def press(path: Path, table: str, person: str, seats: Sequence[str], *, as_json: bool) -> int:
    """Press at the console."""
    wagers = {wager: _numbers(rest) for wager, rest in map(_wager, seats)}
    return do_command(path, "tables/press", {"table": table, "seats": wagers}, person, role="dealer", as_json=as_json)


@explaining
def correct(
    path: Path,
    fields: dict[str, Any],
    causes: Mapping[str, str],
    person: str,
    role: str,
    approved_by: str,
    *,
    as_json: bool,
) -> int:
    """Correct a counted round; after the next press by two people."""
    chosen = [(cause, text) for cause, text in causes.items() if text]
    if len(chosen) != 1:
        raise RefusedError(["name one of --missed, --miscounted and --refunded (G-11)"])
    cause, (wager, rest) = chosen[0][0], _wager(chosen[0][1])
    fields |= {"wager": wager, "cause": cause, "seats": _numbers(rest)}
    name = "tables/correct-earlier" if approved_by else "tables/correct"
    return do_command(path, name, fields, person, role=role, approved_by=approved_by, as_json=as_json)


@explaining
def enter_counts(
    path: Path, fields: dict[str, Any], seats: Sequence[str], person: str, approved_by: str, *, as_json: bool
) -> int:
    """Enter counts of rounds that were played by hand."""
    wagers: dict[str, dict[str, int]] = {}
    for wager, rest in map(_wager, seats):
        pairs = [pair.split(":") for pair in rest.split(",") if pair.strip()]
        numbers = [[whole_number(part.strip()) for part in pair] for pair in pairs]
        if any(len(pair) != 2 or None in pair for pair in numbers):
            raise RefusedError([f"{rest!r} must be seats and counts such as 1:3,4:2"])
        wagers[wager] = {str(seat): int(count or 0) for seat, count in numbers}
    fields |= {"wagers": wagers}
    return do_command(path, "tables/enter-counts", fields, person, approved_by=approved_by, as_json=as_json)
