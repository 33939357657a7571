"""The values of a hit: who did what to it, what was won, the papers, and how each prize was handed over."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any, NamedTuple

from pitboss.books import Transfer
from pitboss.jackpot.hits.thresholds import PrizeDemands

ROLES = ("dealer", "supervisor", "surveillance", "cashier", "manager")


class Person(NamedTuple):
    """Somebody who acts, and in which role; logins decide elsewhere who may call himself what."""

    name: str
    role: str


class Claim(NamedTuple):
    """What is called: a seat, and the row of the pay table as printed."""

    seat: int
    row: str


class Won(NamedTuple):
    """A prize that was called: its amount is frozen (F-04)."""

    seat: int
    row: str
    cents: int


class Paper(NamedTuple):
    """The paperwork of one prize (P-03, X-01, X-06); the taxpayer number itself never comes into the books.

    `slip` is the number of its slip, which is given when the papers are journalled.
    """

    seat: int
    winner: str
    identification: tuple[str, ...] = ()
    photograph: bool = False
    taxpayer_number: bool = False
    deck_checked: bool = False
    slip: int = 0


class Handed(NamedTuple):
    """A prize that was handed over: how, what was withheld, by which slip and in which entry."""

    seat: int
    method: str
    withheld_cents: int
    cheque: str
    slip: int
    sequence: int


class HitState(StrEnum):
    """Where a hit stands; a prize is handed over only after the step before it (F-17)."""

    CALLED = "called"
    VERIFIED = "verified"
    SURVEILLED = "surveilled"
    DOCUMENTED = "documented"
    PAID = "paid"
    CLOSED = "closed"
    REJECTED = "rejected"


class Done(NamedTuple):
    """A step that was done: by whom, in which entry, when it happened, and the reason where one was given."""

    step: str
    person: str
    role: str
    sequence: int
    happened: int
    words: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """A call of prizes of one jackpot in one round at one table; its number is the sequence of its entry (T-12).

    `meter_cents` is the amount that percentages are of; `transfers` are those of the call in force, which is
    entry `called_at`. `since` says at
    which step the present course began: a correction begins a new one.
    """

    number: int
    jackpot: str
    table: str
    round: int
    wager_cents: int
    meter_cents: int
    late: bool
    state: HitState
    won: tuple[Won, ...]
    transfers: tuple[Transfer, ...]
    called_at: int
    done: tuple[Done, ...]
    since: int = 0
    demands: Mapping[int, PrizeDemands] = field(default_factory=dict)
    papers: tuple[Paper, ...] = ()
    handed: tuple[Handed, ...] = ()

    @property
    def is_finished(self) -> bool:
        """Whether nothing more can happen to it."""
        return self.state in (HitState.CLOSED, HitState.REJECTED)

    @property
    def cents(self) -> int:
        """All prizes together."""
        return sum(each.cents for each in self.won)

    @property
    def unpaid(self) -> tuple[Won, ...]:
        """The prizes that have not been handed over."""
        handed = {each.seat for each in self.handed}
        return () if self.state is HitState.REJECTED else tuple(each for each in self.won if each.seat not in handed)

    def prize(self, seat: int) -> Won | None:
        """The prize of a seat, if it has one."""
        return next((each for each in self.won if each.seat == seat), None)

    def paper(self, seat: int) -> Paper | None:
        """The papers of a seat, if they are made."""
        return next((each for each in self.papers if each.seat == seat), None)

    def did(self, *steps: str) -> set[str]:
        """Who did these steps in the present course; whoever called or corrected stays who he is (T-06)."""
        found = {each.person for each in self.done[self.since :] if each.step in steps}
        if "call" in steps:
            found |= {each.person for each in self.done if each.step in ("call", "correct")}
        return found

    def after(self, done: Done, state: HitState, **fields: Any) -> Hit:
        """Give the hit after a step."""
        return replace(self, state=state, done=(*self.done, done), **fields)

    def to_json(self) -> dict[str, Any]:
        """Write the hit."""
        return {
            "number": self.number,
            "jackpot": self.jackpot,
            "table": self.table,
            "round": self.round,
            "wager_cents": self.wager_cents,
            "meter_cents": self.meter_cents,
            "late": self.late,
            "state": self.state.value,
            "won": [list(each) for each in self.won],
            "transfers": [list(each) for each in self.transfers],
            "called_at": self.called_at,
            "done": [list(each) for each in self.done],
            "since": self.since,
            "demands": {str(seat): each.to_json() for seat, each in self.demands.items()},
            "papers": [{**each._asdict(), "identification": list(each.identification)} for each in self.papers],
            "handed": [list(each) for each in self.handed],
        }

    @classmethod
    def from_json(cls, said: Mapping[str, Any]) -> Hit:
        """Read what `to_json` wrote."""
        read: dict[str, Any] = {
            "state": HitState(said["state"]),
            "won": tuple(Won(*each) for each in said["won"]),
            "transfers": tuple(Transfer(*each) for each in said["transfers"]),
            "done": tuple(Done(*each) for each in said["done"]),
            "demands": {int(seat): PrizeDemands.from_json(each) for seat, each in said["demands"].items()},
            "papers": tuple(paper_of(each) for each in said["papers"]),
            "handed": tuple(Handed(*each) for each in said["handed"]),
        }
        return cls(**{**said, **read})


def paper_of(said: Mapping[str, Any]) -> Paper:
    """Read papers as they were written."""
    return Paper(**{**said, "identification": tuple(said["identification"])})
