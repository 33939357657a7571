"""Slips: numbered without gaps for each room, each a value that carries the head of the chain; reprints are marked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from pitboss.rules import dollars


class SlipStep(NamedTuple):
    """Who did a step before the slip was made, in which entry and when."""

    step: str
    person: str
    role: str
    entry: int
    instant: str


class SlipCopy(NamedTuple):
    """A reprint: its number, who asked for it, why, when, and the head of the chain with it."""

    copy: int
    person: str
    words: str
    instant: str
    head: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Slip:
    """A jackpot slip (M-08); `head` is the hash of the entry that made it, which an audit finds again.

    `void` is the reason for which it no longer counts; `copy` is there on a reprint alone.
    """

    number: int
    room: str
    hit: int
    jackpot: str
    game: str
    paytable: str
    table: str
    round: int
    seat: int
    row: str
    winner: str
    prize_cents: int
    withheld_cents: int
    meter_cents: int
    methods: tuple[str, ...]
    within_hours: int | None
    demands: tuple[tuple[str, str], ...]
    steps: tuple[SlipStep, ...]
    instant: str
    head: str
    void: str = ""
    copy: SlipCopy | None = None

    @property
    def net_cents(self) -> int:
        """The cents that are handed over."""
        return self.prize_cents - self.withheld_cents

    def to_json(self) -> dict[str, Any]:
        """Write the slip as JSON."""
        payload: dict[str, Any] = {name: getattr(self, name) for name in self.__slots__}
        return payload | {
            "methods": list(self.methods),
            "demands": dict(self.demands),
            "steps": [step._asdict() for step in self.steps],
            "copy": None if self.copy is None else self.copy._asdict(),
            "net_cents": self.net_cents,
        }

    @classmethod
    def from_json(cls, payload: Mapping[str, Any]) -> Slip:
        """Read what `to_json` wrote."""
        read: dict[str, Any] = {
            "methods": tuple(payload["methods"]),
            "demands": tuple(payload["demands"].items()),
            "steps": tuple(SlipStep(**step) for step in payload["steps"]),
            "copy": None if payload["copy"] is None else SlipCopy(**payload["copy"]),
        }
        return cls(**{name: value for name, value in {**payload, **read}.items() if name != "net_cents"})

    def text(self) -> str:
        """Print the slip as plain text, marked where it is void or a reprint (F-15)."""
        lines = [f"JACKPOT SLIP {self.number:06d}   {self.room}"]
        if self.copy is not None:
            request = f"{self.copy.person}, {self.copy.instant}: {self.copy.words}"
            lines.append(f"*** REPRINT {self.copy.copy} *** {request}")
        within = "" if self.within_hours is None else f", within {self.within_hours} hours"
        if self.void:
            lines.append(f"*** VOID *** {self.void}")
        lines += [
            f"hit {self.hit}: {self.jackpot}, table {self.table}, round {self.round}, seat {self.seat}",
            f"{self.row} by {self.paytable}, meter {dollars(self.meter_cents)}",
            f"winner    {self.winner}",
            f"prize     {dollars(self.prize_cents)}",
            f"withheld  {dollars(self.withheld_cents)}",
            f"to pay    {dollars(self.net_cents)} by {' or '.join(self.methods)}{within}",
        ]
        lines += [f"demands   {name} ({source})" for name, source in self.demands]
        lines += [
            f"{step.step:<9} {step.person} ({step.role}), entry {step.entry}, {step.instant}" for step in self.steps
        ]
        lines += [f"made      {self.instant}", f"head      {self.head}"]
        if self.copy is not None:
            lines.append(f"reprinted {self.copy.head}")
        return "\n".join(lines) + "\n"
