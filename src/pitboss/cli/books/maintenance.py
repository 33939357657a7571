"""The commands that create, copy and mend the books, and change the settings of a room."""

import datetime
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import typer
from rich.markup import escape

from pitboss.books import (
    ROOM,
    Answer,
    DamageDecided,
    Directory,
    RefusedError,
    RoomSettings,
    TimeDecided,
    instant_text,
    read_payload,
    time_of_day,
)
from pitboss.books.journal.heads import BookHead, keys_of
from pitboss.books.store.directory import database_at
from pitboss.books.store.keys import load_signers, make_key, read_head_settings, read_key, write_head_settings
from pitboss.books.store.migrate import create_books, upgrade_store
from pitboss.cli.books.sources import check_book, explaining, open_store, state_of
from pitboss.cli.output import BROKEN_RULE, console, show_problems
from pitboss.cli.room.tables import carry_out, show_waiting
from pitboss.commands import write_fields
from pitboss.commands.command import BOOK
from pitboss.room import damage
from pitboss.room.approvals import is_waiting
from pitboss.room.heads import send_head as deliver_head
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
    path: Path,
    name: str,
    time_zone: str,
    locale: str,
    shifts: list[str],
    person: str,
    connection: str | None,
    schema: str | None,
) -> int:
    """Make the books of a new room."""
    settings = RoomSettings(room=name, time_zone=time_zone, shifts=_shifts(shifts), locale=locale)
    create_books(path, settings, person=person, database=database_at(connection, schema))
    console.print(f"{escape(name)}: books made in {escape(str(path))}")
    return 0


def _change_settings(path: Path, since: str, changes: dict[str, Any], text: str, person: str, approved_by: str) -> int:
    """Journal the settings of a later gambling day with some of them changed."""
    try:
        day = datetime.date.fromisoformat(since)
    except ValueError:
        raise RefusedError([f"--since {since!r} must be a date such as 2026-12-01"]) from None
    with Room(path) as room:
        calendar = room.state.of(ROOM)
        if calendar is None:
            raise RefusedError(["these are not the books of a room"])
        settings = SettingsDraft.of(replace(calendar.settings_on(day), **changes))
        fields = {"settings": write_fields(settings), "since": day.isoformat()}
        answer = carry_out(room, "room/set", fields, person, "", approved_by)
    if show_waiting(answer):
        return 0
    console.print(f"From gaming day {day} on: {escape(text)}")
    return 0


@explaining
def change_shifts(
    path: Path, since: str, shifts: list[str], person: str, approved_by: str, book: str, locale: str | None
) -> int:
    """Journal other shifts and another locale, in force from a later gambling day on."""
    if book != BOOK:
        raise RefusedError([f"book {book} is not the book of a room"])
    changes = {"shifts": _shifts(shifts)} | ({"locale": locale} if locale else {})
    text = ", ".join([*shifts, *([locale] if locale else [])])
    return _change_settings(path, since, changes, text, person, approved_by)


@explaining
def change_words(path: Path, since: str, words: dict[str, str | None], person: str, approved_by: str) -> int:
    """Journal what the room itself posts at its tables, in force from a later gambling day on."""
    changes = {name: text for name, text in words.items() if text is not None}
    if not changes:
        raise RefusedError(["say at least one of --disputes, --employees, --responsible"])
    text = "; ".join(f"{name}: {said or 'nothing'}" for name, said in changes.items())
    return _change_settings(path, since, changes, text, person, approved_by)


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
        if not damages and (jump := room.books.clock_jump):
            return _show_time(damage.decide_time(room, book, *deciders, reason=reason), jump, as_json=as_json)
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


def _show_time(answer: Answer, jump: str, *, as_json: bool) -> int:
    """Print the decision that the clock is right now, and which entries it has put right (G-77)."""
    entry = answer.entries[0]
    decision = read_payload(entry.kind, entry.payload)
    assert isinstance(decision, TimeDecided)
    if as_json:
        righted = [decision.first, decision.last] if decision.first else []
        print(json.dumps({"sequence": entry.sequence, "head": answer.head, "decided": [jump], "righted": righted}))
        return 0
    console.print(f"  • {escape(jump)}")
    if decision.first:
        when = instant_text(decision.at)
        console.print(f"Entries {decision.first} to {decision.last} have a wrong time: they count as of {when}")
    people = f"{decision.person} and {decision.second}"
    console.print(f"The clock is right: decided by {escape(people)} in entry {entry.sequence}, head {answer.head}")
    return 0


def _password(name: str) -> str:
    return str(typer.prompt(f"Password of {name}", hide_input=True, err=True))


@explaining
def upgrade_room(path: Path) -> int:
    """Upgrade the store."""
    upgrade_store(Directory(path))
    console.print(f"{escape(str(path))}: the store is of this version")
    return 0


@explaining
def add_key(
    path: Path, file: Path, old: Path | None, person: str, approved_by: str, reason: str, *, apart: bool, as_json: bool
) -> int:
    """Make a key in a new file and have the room add it; where it replaces another, that one signs it."""
    before = read_head_settings(path)
    replaced = None if old is None else read_key(old)
    key = make_key(file)
    try:
        if not apart:
            write_head_settings(path, before._replace(keys=(*before.keys, str(file.absolute()))))
        with Room(path) as room:
            fields: dict[str, object] = {"public": key.public, "words": reason, "apart": apart}
            if replaced is not None:
                fields |= {"replaces": replaced.id, "proof": replaced.sign("key", key.public)}
            answer = carry_out(room, "room/add-key", fields, person, "", approved_by)
    except BaseException:
        # Nothing was added: the room goes on with the key it had.
        write_head_settings(path, before)
        file.unlink()
        raise
    if as_json:
        waits = is_waiting(answer)
        print(json.dumps({"key": key.id, "public": key.public, "file": str(file), "waiting": waits}, indent=2))
        return 0
    show_waiting(answer)
    console.print(f"key {key.id}, public key {key.public}")
    console.print(f"Write the public key down, and keep that paper away from this computer. Private key: {file}")
    return 0


@explaining
def rotate_key(
    path: Path, file: Path, old: Path | None, person: str, approved_by: str, reason: str, *, as_json: bool
) -> int:
    """Replace a key by a new one: the server's own, or one that is kept apart."""
    with open_store(path) as store:
        server = keys_of(state_of(store, BOOK)).server
    name = "" if server is None else server.id
    if old is not None:
        apart = read_key(old).id != name
        return add_key(path, file, old, person, approved_by, reason, apart=apart, as_json=as_json)
    for own in read_head_settings(path).keys:
        if name and read_key(path / own).id == name:
            return add_key(path, file, path / own, person, approved_by, reason, apart=False, as_json=as_json)
    raise RefusedError(["the server has no key here: `pitboss keys make` makes one"])


@explaining
def sign_head(path: Path, file: Path, to: Path | None, book: str, *, as_json: bool) -> int:
    """Sign where a book ends now with a key that is kept apart; nothing is written to the books."""
    key = read_key(file)
    with open_store(path) as store:
        check_book(store, book)
        head = BookHead.of(book, state_of(store, book), key)
    if to is not None:
        with to.open("a", encoding="utf-8") as stream:
            stream.write(f"{head.line()}\n")
    print(json.dumps(head._asdict(), indent=2) if as_json else head.line())
    return 0


@explaining
def send_heads(path: Path, directory: Path | None, *, syslog: bool | None, display: bool | None, as_json: bool) -> int:
    """Set where heads go, and send the present one there to show that it arrives."""
    Directory(path)
    before = settings = read_head_settings(path)
    if directory is not None:
        settings = settings._replace(directory=str(directory.absolute()))
    if syslog is not None:
        settings = settings._replace(syslog=syslog)
    if display is not None:
        settings = settings._replace(display=display)
    if settings != before:
        with open_store(path) as store:
            for book in store.books():
                state = state_of(store, book)
                key = keys_of(state).server
                signer = None if key is None else load_signers(path).get(key.id)
                deliver_head(settings, BookHead.of(book, state, signer))
        write_head_settings(path, settings)
    if as_json:
        print(json.dumps(settings._asdict(), indent=2))
        return 0
    console.print(f"heads go to the directory {settings.directory or '(none)'}", markup=False)
    console.print(f"heads go to the system's log: {'yes' if settings.syslog else 'no'}")
    console.print(f"the page of displays shows the last head: {'yes' if settings.display else 'no'}")
    console.print(f"the server's keys are in {', '.join(settings.keys) or '(none)'}", markup=False)
    return 0
