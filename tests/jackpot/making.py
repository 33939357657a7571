"""Small constructors for the tests of jackpots: jackpots, a clock that is set, a room with its jackpots open."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import pytest

from pitboss.books import LEDGER, BookState, Draft, Movement, RefusedError, Submission, movement_of, read_payload
from pitboss.books.audit import AuditReport, check_books
from pitboss.jackpot import INVARIANTS, PROJECTIONS, Jackpot, LinkedTable, Offer, offer_of
from pitboss.meters import UNITS_PER_CENT, MeterTerms, hit, units_of
from pitboss.rules import JackpotPayment
from tests.books.making import START, Room
from tests.facades import Jackpots
from tests.meters.making import bonus, progressive

HOME = "Test Room"
DAY = 24 * 60 * 60 * 1_000_000
TCP = "three-card-prime"
FCP = "four-card-prime"
TDP = "three-card-double-play"
STC = "super-three-card"
DW = "deuces-wild"
TWO: dict[str, Any] = {"actor": "Ada", "approved_by": "Carla"}


class Clock:
    """A clock that moves a second each time it is asked, and that a test can set."""

    def __init__(self, now: int = START) -> None:
        self.now = now

    def __call__(self) -> int:
        self.now += 1_000_000
        return self.now

    def add_days(self, days: float) -> None:
        self.now += int(days * DAY)


def final_four(**said: Any) -> Offer:
    return offer_of(TCP, "final-four", "F4P-1", **said)


def tables(*names: str, game: str = TCP, location: str = HOME) -> tuple[LinkedTable, ...]:
    return tuple(LinkedTable(name, game, location) for name in names)


def make_jackpot(name: str = "main", meter: MeterTerms | None = None, **fields: Any) -> Jackpot:
    """A progressive on one wager of one game, played at table 4."""
    terms = meter or progressive()
    usual: dict[str, Any] = {
        "offers": (final_four(),),
        "tables": tables("4"),
        "display": "real-time" if terms.is_progressive else "updatable",
        "small_prize_cents": 100_00,
    }
    return Jackpot(name=name, meter=terms, **usual | fields)


def make_bonus(name: str = "daily", **fields: Any) -> Jackpot:
    offer = offer_of(TCP, "final-four", "F4P-1", jackpot_type="bonus")
    return make_jackpot(name, bonus(), **{"offers": (offer,), "bonus_sharing": "full"} | fields)


@contextmanager
def playing(room: Room, *jackpots: Jackpot, clock: Clock | None = None, **options: Any) -> Iterator[Jackpots]:
    """Open the books of a room, define these jackpots and open them."""
    time = clock or Clock()
    with room.open(projections=PROJECTIONS, invariants=INVARIANTS, clock=time, **options) as books:
        found = Jackpots(books, clock=time)
        for each in jackpots:
            define(found, each)
            opened(found, each.name)
        yield found


def define(jackpots: Jackpots, jackpot: Jackpot) -> None:
    jackpots.define(jackpot, words="approved", command=f"define-{jackpot.name}", **TWO)


def opened(jackpots: Jackpots, name: str, command: str | None = None) -> None:
    jackpots.open(name, words="opened for play", command=command or f"open-{name}", **TWO)


def closed(jackpots: Jackpots, name: str, command: str = "close-1") -> None:
    jackpots.close(name, words="end of the day", command=command, actor="Ada")


def press(jackpots: Jackpots, number: int, seats: list[int], name: str = "main", table: str = "4") -> int:
    """Count a round at a table; give the sequence of its entry."""
    answer = jackpots.tabulate(table, number, {name: seats}, command=f"{table}-{number}", actor=f"table {table}")
    return answer.entries[0].sequence


def audited(room: Room) -> AuditReport:
    """Check the books whole, with the jackpots."""
    return check_books(room.directory, projections=PROJECTIONS, invariants=INVARIANTS)


def sound(room: Room) -> bool:
    report = audited(room)
    wrong = [
        *report.damages,
        *report.findings,
        *(each for book in report.books.values() for each in book.disagreements),
    ]
    assert wrong == []
    return report.is_sound


def refused(act: Callable[[], object]) -> str:
    """What speaks against something that must be refused."""
    with pytest.raises(RefusedError) as caught:
        act()
    return "; ".join(caught.value.problems)


def with_meter(jackpot: Jackpot, **fields: Any) -> Jackpot:
    return replace(jackpot, meter=replace(jackpot.meter, **fields))


def units(dollars: int) -> int:
    return units_of(dollars * 100)


def call(jackpots: Jackpots, name: str, command: str, table: str) -> int:
    """Call the whole meter as the table shows it at that instant; give what was paid, in cents."""

    def decide(state: BookState) -> list[Draft]:
        before = state.of(LEDGER)[name].meter_state
        payment = JackpotPayment(before.displayed_cents, 0, 0)
        change = hit(before, jackpots.record(name).jackpot.meter, payment, top=True)
        return [Draft(movement_of("prize-called", name, before, change))]

    asked = Submission(book="room", id=command, actor=table, content=["call"], decide=decide, table=table)
    (entry,) = jackpots.books.submit(asked).entries
    value = read_payload(entry.kind, entry.payload)
    assert isinstance(value, Movement)
    return next(each.units for each in value.transfers if each.payee == "winners") // UNITS_PER_CENT
