"""The past of the demo room: some gambling days with rounds, prizes, hits, corrections and what an office does."""

from __future__ import annotations

import datetime
import random
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from pitboss.books import EPOCH, ROOM, microseconds
from pitboss.books.store.migrate import create_books
from pitboss.demo.office import ask_approvals, close_day, open_day
from pitboss.demo.past import MINUTE, SECOND, GivenClock, Past
from pitboss.demo.prizes import Called, call, finish, rejected, small_prize
from pitboss.demo.room import DemoRoom, read_room, set_up
from pitboss.room.room import Room
from pitboss.tabulator import TABLES, CorrectRound, RecordMalfunction, VoidRound

DAYS = 4
"""So many gambling days before today."""
_SESSIONS = (4, 13)
"""A session begins so many hours after its gambling day: one in the day shift, one in the swing shift."""
_ROUNDS = 14
_ROUND = 95 * SECOND
_SETTLED = 60 * SECOND
_TAPS = 0.12
"""How often a table pays a small prize in a round."""


class Session(NamedTuple):
    """Rounds that are played on end: on which day (counted back from today), which of that day, and from when."""

    day: int
    number: int
    begins: int


def build_room(path: Path, now: int, seed: int = 1, days: int = DAYS) -> None:
    """Make the data directory of the room with its past, which ends at an instant; the same one every time."""
    first = EPOCH + datetime.timedelta(microseconds=now) - datetime.timedelta(days=days + 2)
    demo = read_room(first.date())
    clock = GivenClock(microseconds(first))
    administrator = demo.person("administrator").name
    create_books(path, demo.settings, person=administrator, since=first.date(), clock=clock)
    with Room(path, clock=clock) as room:
        set_up(demo, room)
        past = Past(demo, room, clock)
        _play(past, random.Random(seed), _sessions(past, now, days))  # noqa: S311 - a past, not a secret
        ask_approvals(past)
        clock.until(now)


def _sessions(past: Past, now: int, days: int) -> Iterator[Session]:
    calendar = past.room.state.of(ROOM)
    assert calendar is not None
    today = calendar.gambling_day(EPOCH + datetime.timedelta(microseconds=now))
    for back in range(days, 0, -1):
        begins = calendar.begins(today - datetime.timedelta(days=back))
        for number, hours in enumerate(_SESSIONS, start=1):
            yield Session(back, number, microseconds(begins + datetime.timedelta(hours=hours)))
    yield Session(0, 1, now - (_ROUNDS + 1) * _ROUND)


def _play(past: Past, chances: random.Random, sessions: Iterable[Session]) -> None:
    for session in sessions:
        past.clock.until(session.begins - 5 * MINUTE)
        if session.number == 1:
            open_day(past, session.day)
        called = [hit for each in range(1, _ROUNDS + 1) for hit in _round(past, chances, session, each)]
        past.commit()
        if session.day:
            for hit in called:
                finish(past, hit)
        if session.number == len(_SESSIONS):
            close_day(past, session.day)


def _round(past: Past, chances: random.Random, session: Session, number: int) -> list[Called]:
    """Play a round at every table: the press that counts, what happens in it, and the press that ends it."""
    begins = session.begins + (number - 1) * _ROUND
    due = [each for each in (*past.demo.said["hits"], *past.demo.said["mishaps"]) if _is_due(each, session, number)]
    wagers = {table.name: _wagers(past.demo, chances, table.name, due) for table in past.demo.tables}
    _pressed(past, chances, begins, lambda table: past.press(table, wagers[table]))
    for table in past.demo.tables:
        if chances.random() < _TAPS and not any(each["table"] == table.name for each in due):
            past.clock.add(SECOND)
            small_prize(past, chances, table, wagers[table.name])
    called = []
    for each in due:
        past.commit()
        past.clock.add(2 * SECOND)
        called += _happened(past, each)
    _pressed(past, chances, begins + _SETTLED, lambda table: past.press(table, ()))
    return called


def _is_due(said: dict[str, Any], session: Session, number: int) -> bool:
    return (said["day"], said["session"], said["round"]) == (session.day, session.number, number)


def _wagers(demo: DemoRoom, chances: random.Random, table: str, due: list[dict[str, Any]]) -> list[list[int]]:
    """By sensor the seats that have a wager: who wins one has made it, and what is missed is not seen."""
    found = demo.table(table)
    seats = [
        [seat for seat in range(1, found.setup.seats + 1) if chances.random() < 0.55] for _ in found.said["wagers"]
    ]
    for each in due:
        if each["table"] != table or "seat" not in each:
            continue
        wager = next((j["wager"] for j in found.said["jackpots"] if j["name"] == each.get("jackpot")), None)
        number = 0 if wager is None else found.said["wagers"].index(wager)
        others = [seat for seat in seats[number] if seat != each["seat"]]
        seats[number] = others if each.get("kind") == "missed" else sorted([*others, each["seat"]])
    return seats


def _pressed(past: Past, chances: random.Random, begins: int, press: Callable[[str], None]) -> None:
    for number, table in enumerate(past.demo.tables):
        past.clock.until(begins + number * 3 * SECOND + chances.randrange(2 * SECOND))
        press(table.name)


def _happened(past: Past, said: dict[str, Any]) -> list[Called]:
    """Do what has happened in a round; give the hit that was called."""
    if "jackpot" in said:
        hit = call(past, said)
        if said["ends"] == "rejected":
            rejected(past, hit)
            return []
        return [hit]
    table, words = past.demo.table(said["table"]), said["words"]
    number = past.room.state.of(TABLES).tables[table.name].round
    supervisor, manager = past.demo.person("supervisor"), past.demo.person("manager")
    if said["kind"] == "malfunction":
        past.do(RecordMalfunction(table=table.name, words=words), supervisor)
    elif said["kind"] == "misdeal":
        void = VoidRound(table=table.name, round=number, cause="misdeal", words=words)
        past.do(void, replace(supervisor, approver=manager))
    else:
        correct = CorrectRound(
            table=table.name,
            round=number,
            wager=table.said["wagers"][0],
            cause=said["kind"],
            seats=(said["seat"],),
            words=words,
        )
        past.do(correct, past.demo.dealer_at(table.name))
    return []
