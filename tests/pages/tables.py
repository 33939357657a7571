"""A room whose tables are configured in the back office: one in play, one that is only beginning."""

from __future__ import annotations

import datetime
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from fractions import Fraction
from pathlib import Path
from typing import Any

from pitboss.books import RoomSettings
from pitboss.books.store.migrate import create_books
from pitboss.commands import By, read_fields
from pitboss.commands.command import SYSTEM_ACTOR
from pitboss.odds.results import EventOdds, OddsResult
from pitboss.room.commands import BY_NAME
from pitboss.room.people.people import SetPerson
from pitboss.room.room import Room
from pitboss.server.worker.jobs import JackpotOddsJob, Job, TableOddsJob, WagerOddsJob
from pitboss.tabulator import TableSetup, sensors_for
from tests.doors import Slides, doors_of, executor_of, record_approval
from tests.pages.room import NAME, TCP, CardRoom, example, jackpot, meter
from tests.server.making import PASSWORD, Clock, cheap, command

MAX, LEE, SUE = By("Max Adeyemi", "manager"), By("Lee Sato", "accounting"), By("Sue Halvorsen", "supervisor")
PEOPLE = {
    "max": ("Max Adeyemi", "manager"),
    "lee": ("Lee Sato", "accounting"),
    "sue": ("Sue Halvorsen", "supervisor"),
    "una": ("Una Reyes", "auditor"),
}
EXAMPLE = example(TCP)
WIDER = EXAMPLE.replace('maximum = "300.00"', 'maximum = "350.00"').replace("PW/BB-3", "PW/BB-1")
ALL_SEVEN = "all-seven"
BROKEN = WIDER.replace('maximum = "350.00"', 'maximum = "500.00"').replace("A6-4", "A6-9")


def odds_of(edge: Fraction) -> dict[str, Any]:
    """The odds of a wager with this edge."""
    return OddsResult(
        game="",
        wager="",
        paytables=("T",),
        readings={},
        decks=None,
        basis="",
        ev=-edge,
        initial_stake=Fraction(1),
        average_wager=Fraction(1),
        variance=Fraction(9),
        hit_frequency=Fraction(1, 8),
        meter_coefficient=None,
        events=(EventOdds("Top", 1, 1_000, "100", Fraction(0), Fraction(1)),),
        decisions=(),
        method="counted",
        terms_hash="",
        code_version="",
    ).as_json()


class SlowWork:
    """What the worker is given, kept until a test lets it be done: 2 % for a table that is stated, 3 % for PW/BB-1."""

    def __init__(self) -> None:
        self.waiting: list[tuple[Future[dict[str, Any]], Job]] = []
        self.at_once = False

    def submit(self, job: Job) -> Future[dict[str, Any]]:
        assert isinstance(job, WagerOddsJob | TableOddsJob | JackpotOddsJob)
        made: Future[dict[str, Any]] = Future()
        self.waiting.append((made, job))
        if self.at_once:
            self.finish()
        return made

    @property
    def submitting(self) -> Any:
        """What stands in the place of the worker's own submitting."""

        def submit(_: Any, job: Job) -> Future[dict[str, Any]]:
            return self.submit(job)

        return submit

    def finish(self) -> None:
        waiting, self.waiting = self.waiting, []
        for made, job in waiting:
            tables = str(job.stated["paytables"].get(job.wager, "")) if isinstance(job, WagerOddsJob) else ""
            made.set_result(odds_of(Fraction(3, 100) if "PW/BB-1" in tables else Fraction(2, 100)))


def setup(table: str = "1") -> TableSetup:
    lit = sensors_for("andromeda-3", 6, [ALL_SEVEN], lights=[ALL_SEVEN])
    return TableSetup(table=table, game=TCP, model="andromeda-3", device=f"A3-{table}", seats=6, sensors=lit)


@contextmanager
def tables_room(path: Path) -> Iterator[CardRoom]:
    """Table 1 is set up and open, with a jackpot that is what its configuration states."""
    settings = RoomSettings(room=NAME, time_zone="America/Los_Angeles", shifts=(("day", datetime.time(6, 0)),))
    create_books(path, settings, person="Ada", since=datetime.date(2026, 1, 1))
    clock = Clock()
    with Room(path, clock=clock, hashing=cheap()) as room:
        for login, (name, role) in PEOPLE.items():
            person = SetPerson(login=login, name=name, roles=(role,), active=True, first=True)
            room.access.set_person(person, SYSTEM_ACTOR, id=command())
            room.access.set_password(login, PASSWORD, SYSTEM_ACTOR)
        doors = doors_of(room)
        two: dict[str, Any] = {"actor": MAX.name, "approved_by": LEE.name}
        doors.posted.post("1", EXAMPLE, words="first day", command=command(), **two)
        made = jackpot("seven", TCP, ALL_SEVEN, "A7P-2", meter(25_000_00), "1")
        doors.jackpots.define(made, words="approved", command=command(), **two)
        doors.jackpots.open("seven", words="opened", command=command(), **two)
        doors.tables.set_up(setup(), words="new", by=MAX, approved_by=SUE.name, command=command())
        record_approval(room, "1", "2")
        doors.tables.open("1", command=command(), by=SUE)
        yield CardRoom(room, Slides(executor_of(room.books, room.clock)))


def clock_of(room: CardRoom) -> Clock:
    found = room.room.clock
    assert isinstance(found, Clock)
    return found


def ask(room: CardRoom, name: str, by: By, /, **said: Any) -> int:
    """Ask for something that a second person approves; give its number."""
    answer = room.room.do(read_fields(BY_NAME[name], said), By(by.name, by.role), id=command())
    return answer.entries[0].sequence


def give(room: CardRoom, number: int) -> None:
    room.room.approvals.give(number, name=LEE.name, roles=frozenset({"accounting"}), id=command())
