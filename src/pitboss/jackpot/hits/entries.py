"""Entries of a hit that move no money: verified, seen by surveillance, documented, corrected, closed; slips reprinted.

Calls, rejections and payments are movements of `books`, whose `details` say which hit and which step they are.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pitboss.books import register_kinds
from pitboss.jackpot.hits.thresholds import PrizeDemands
from pitboss.jackpot.hits.values import Claim, Paper, paper_json, paper_of


@dataclass(frozen=True, slots=True, kw_only=True)
class HitVerified:
    """A supervisor entered the cards, the engine evaluated them, and the wager lights were confirmed (F-17).

    `cards` are the board and the hands as entered; `because` has for each seat the clauses, rulings and words by which
    the settlement came to its prize; `envy` lists what other seats are paid for it (seat, cents, words).
    """

    hit: int
    role: str
    cards: Mapping[str, str]
    lights: tuple[int, ...]
    because: Mapping[int, tuple[tuple[str, str | None, str], ...]]
    demands: Mapping[int, PrizeDemands]
    envy: tuple[tuple[int, int, str], ...] = ()

    @property
    def kind(self) -> str:
        """The kind of its entries."""
        return "hit-verified"

    def to_json(self) -> dict[str, Any]:
        """Write the verification."""
        return {
            "hit": self.hit,
            "role": self.role,
            "cards": dict(self.cards),
            "lights": list(self.lights),
            "because": {str(seat): [list(each) for each in reasons] for seat, reasons in self.because.items()},
            "demands": _demands_json(self.demands),
            "envy": [list(each) for each in self.envy],
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class HitSurveilled:
    """Surveillance has checked hand, wager, payout and winner by camera (O-04)."""

    hit: int
    role: str
    checks: tuple[str, ...]

    @property
    def kind(self) -> str:
        """The kind of its entries."""
        return "hit-surveilled"

    def to_json(self) -> dict[str, Any]:
        """Write what was checked."""
        return {"hit": self.hit, "role": self.role, "checks": list(self.checks)}


@dataclass(frozen=True, slots=True, kw_only=True)
class HitDocumented:
    """The papers of every prize are made, and each has a slip (P-03, M-08); `demands` are those of that day."""

    hit: int
    role: str
    papers: tuple[Paper, ...]
    demands: Mapping[int, PrizeDemands]

    @property
    def kind(self) -> str:
        """The kind of its entries."""
        return "hit-documented"

    def to_json(self) -> dict[str, Any]:
        """Write the papers."""
        papers = list(map(paper_json, self.papers))
        return {"hit": self.hit, "role": self.role, "papers": papers, "demands": _demands_json(self.demands)}


@dataclass(frozen=True, slots=True, kw_only=True)
class HitCorrected:
    """The prizes of a call are another seat's; no amount changes, and the hit is verified anew."""

    hit: int
    role: str
    claims: tuple[Claim, ...]
    approved_by: str
    approved_role: str
    words: str

    @property
    def kind(self) -> str:
        """The kind of its entries."""
        return "hit-corrected"

    def to_json(self) -> dict[str, Any]:
        """Write the claims as they are now, who approved, and why."""
        return {
            "hit": self.hit,
            "role": self.role,
            "claims": [list(each) for each in self.claims],
            "approved_by": self.approved_by,
            "approved_role": self.approved_role,
            "words": self.words,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class HitClosed:
    """Every prize is handed over, and somebody else has looked through the papers."""

    hit: int
    role: str
    words: str = ""

    @property
    def kind(self) -> str:
        """The kind of its entries."""
        return "hit-closed"

    def to_json(self) -> dict[str, Any]:
        """Write which hit, and what was remarked."""
        return {"hit": self.hit, "role": self.role, "words": self.words}


@dataclass(frozen=True, slots=True, kw_only=True)
class SlipReprinted:
    """A slip was printed once more, and marked so (F-15)."""

    slip: int
    copy: int
    role: str
    words: str

    @property
    def kind(self) -> str:
        """The kind of its entries."""
        return "slip-reprinted"

    def to_json(self) -> dict[str, Any]:
        """Write which slip, which copy, and why."""
        return {"slip": self.slip, "copy": self.copy, "role": self.role, "words": self.words}


def _demands_json(demands: Mapping[int, PrizeDemands]) -> dict[str, Any]:
    return {str(seat): each.to_json() for seat, each in demands.items()}


def _demands(said: Mapping[str, Any]) -> dict[int, PrizeDemands]:
    return {int(seat): PrizeDemands.from_json(each) for seat, each in said.items()}


def _verified(_: str, said: dict[str, Any]) -> HitVerified:
    return HitVerified(
        hit=said["hit"],
        role=said["role"],
        cards=said["cards"],
        lights=tuple(said["lights"]),
        because={
            int(seat): tuple((clause, ruling, words) for clause, ruling, words in reasons)
            for seat, reasons in said["because"].items()
        },
        demands=_demands(said["demands"]),
        envy=tuple((seat, cents, words) for seat, cents, words in said["envy"]),
    )


def _documented(_: str, said: dict[str, Any]) -> HitDocumented:
    papers = tuple(map(paper_of, said["papers"]))
    return HitDocumented(hit=said["hit"], role=said["role"], papers=papers, demands=_demands(said["demands"]))


def _corrected(_: str, said: dict[str, Any]) -> HitCorrected:
    return HitCorrected(**{**said, "claims": tuple(Claim(*each) for each in said["claims"])})


register_kinds(["hit-verified"], _verified)
register_kinds(["hit-surveilled"], lambda _, said: HitSurveilled(**{**said, "checks": tuple(said["checks"])}))
register_kinds(["hit-documented"], _documented)
register_kinds(["hit-corrected"], _corrected)
register_kinds(["hit-closed"], lambda _, said: HitClosed(**said))
register_kinds(["slip-reprinted"], lambda _, said: SlipReprinted(**said))
