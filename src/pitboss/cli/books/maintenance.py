"""The commands that create, copy and mend the books, and change the settings of a room."""

import datetime
import json
from dataclasses import replace
from pathlib import Path

import typer
from rich.markup import escape

from pitboss.books import ROOM, DamageDecided, Directory, RefusedError, RoomSettings, read_payload, time_of_day
from pitboss.books.audit.backup import back_up, restore
from pitboss.books.store.migrate import create_books, upgrade_store
from pitboss.cli.books.sources import explaining, report_json
from pitboss.cli.output import BROKEN_RULE, console, show_problems
from pitboss.cli.room.tables import carry_out, show_waiting
from pitboss.commands import write_fields
from pitboss.commands.command import BOOK
from pitboss.room import damage
from pitboss.room.projections import INVARIANTS, PROJECTIONS
from pitboss.room.room import Room
from pitboss.room.settings import SettingsDraft


def _shifts(typed: list[str]) -> tuple[tuple[str, datetime.time], ...]:
    """Parse shifts such as day=06:00, or refuse all that cannot be parsed."""
    parsed, problems = [], []
    for text in typed:
        shift, _, begins = text.partition("=")
        try:
            parsed.append((shift, time_of_day(begins)))
        except ValueError as error:
            problems.append(f"shift {shift}: {error}")
    if problems:
        raise RefusedError(problems)
    return tuple(parsed)


@explaining
def create_room(
    path: Path, name: str, time_zone: str, locale: str, shifts: list[str], person: str, connection: str | None
) -> int:
    """Make the books of a new room."""
    settings = RoomSettings(room=name, time_zone=time_zone, shifts=_shifts(shifts), locale=locale)
    create_books(path, settings, person=person, connection=connection)
    console.print(f"{escape(name)}: books made in {escape(str(path))}")
    return 0


@explaining
def change_shifts(path: Path, since: str, shifts: list[str], person: str, book: str, locale: str | None) -> int:
    """Journal other shifts and another locale, in force from a later gambling day on."""
    try:
        day = datetime.date.fromisoformat(since)
    except ValueError:
        raise RefusedError([f"--since {since!r} must be a date such as 2026-12-01"]) from None
    typed = _shifts(shifts)
    with Room(path) as room:
        calendar = room.state.of(ROOM)
        if calendar is None or book != BOOK:
            raise RefusedError([f"book {book} is not the book of a room"])
        before = calendar.settings_on(day)
        settings = SettingsDraft.of(replace(before, shifts=typed, locale=locale or before.locale))
        answer = carry_out(room, "room/set", {"settings": write_fields(settings), "since": day.isoformat()}, person)
    if show_waiting(answer):
        return 0
    settings_text = ", ".join([*shifts, *([locale] if locale else [])])
    console.print(f"From gaming day {day} on: {escape(settings_text)}")
    return 0


@explaining
def rename_room(path: Path, name: str, since: str, person: str, approved_by: str, reason: str) -> int:
    """Journal another name of the room, in force from a later gambling day on."""
    with Room(path) as room:
        fields = {"name": name, "since": since, "words": reason}
        answer = carry_out(room, "room/rename", fields, person, "", approved_by)
    if show_waiting(answer):
        return 0
    console.print(f"From gaming day {since} on: {escape(name)}")
    return 0


@explaining
def decide_damage(
    path: Path, book: str, person: str, second: str, reason: str, copy: Path | None, *, as_json: bool
) -> int:
    """Journal the decision of two people about damage; where the room has people, each proves who they are."""
    with Room(path) as room:
        damages = room.books.halted
        deciders = [
            damage.Decider(name, _password(name) if damage.has_people(room) else "") for name in (person, second)
        ]
        answer = damage.decide_damage(room, book, deciders[0], deciders[1], reason=reason, copy=copy)
        left = room.books.halted
    decision = read_payload(answer.entries[-1].kind, answer.entries[-1].payload)
    assert isinstance(decision, DamageDecided)
    if as_json:
        content = {
            "sequence": answer.entries[-1].sequence,
            "head": answer.head,
            "decided": [str(wrong) for wrong in damages],
            "restored": list(decision.restored),
            "doubtful": [doubt._asdict() for doubt in decision.doubtful],
        }
        print(json.dumps(content, indent=2))
        return 0
    for wrong in damages:
        console.print(f"  • {escape(str(wrong))}")
    if decision.restored:
        console.print(f"Put back from the copy: entries {', '.join(map(str, decision.restored))}")
    for jackpot, sequence in decision.doubtful:
        console.print(f"The amount of {escape(jackpot)} rests on entry {sequence}: two people correct or confirm it")
    people = f"{decision.person} and {decision.second}"
    console.print(f"Decided by {escape(people)} in entry {answer.entries[-1].sequence}, head {answer.head}")
    if left:
        show_problems(map(str, left), "other books still wait for a decision")
    return BROKEN_RULE if left else 0


def _password(name: str) -> str:
    return str(typer.prompt(f"Password of {name}", hide_input=True, err=True))


@explaining
def upgrade_room(path: Path) -> int:
    """Upgrade the store."""
    upgrade_store(Directory(path))
    console.print(f"{escape(str(path))}: the store is of this version")
    return 0


@explaining
def back_up_room(path: Path, target: Path, processes: int, *, as_json: bool) -> int:
    """Back up, verified by replay."""
    done = back_up(Directory(path), target, projections=PROJECTIONS, invariants=INVARIANTS, processes=processes)
    if as_json:
        print(json.dumps(report_json(done.report) | {"file": str(target)}, indent=2))
        return 0 if done.report.is_sound else BROKEN_RULE
    for book, head in done.heads.items():
        console.print(f"book {book}: {head.sequence:,} entries copied and replayed, head {head.digest.hex()}")
    if not done.report.is_sound:
        show_problems(map(str, done.report.damages), f"{target}: copied as it stands, and the books are not sound")
        return BROKEN_RULE
    return 0


@explaining
def restore_room(
    backup: Path, path: Path, person: str, reason: str, head: str | None, connection: str | None, *, as_json: bool
) -> int:
    """Restore, verified by replay."""
    report = restore(backup, path, person=person, reason=reason, connection=connection, head=head)
    if as_json:
        print(json.dumps(report_json(report), indent=2))
        return 0
    for book, book_report in report.books.items():
        state = book_report.reading.state
        console.print(
            f"book {book}: {book_report.reading.entries:,} entries restored and replayed, head {state.digest.hex()}"
        )
    return 0
