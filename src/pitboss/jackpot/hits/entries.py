"""Entries of a hit that move no money: verified, seen by surveillance, documented, corrected, closed; slips reprinted.

Calls, rejections and payments are movements of `books`, whose `details` say which hit and which step they are.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from pitboss.books import EntryPayload, entry_kind
from pitboss.jackpot.hits.thresholds import PrizeDemands
from pitboss.jackpot.hits.values import Claim, Paper


@entry_kind
@dataclass(frozen=True, slots=True, kw_only=True)
class HitVerified(EntryPayload):
    """A supervisor entered the cards, the engine evaluated them, and the wager lights were confirmed (F-17).

    `cards` are the board and the hands as entered; `because` has for each seat the clauses, rulings and words by which
    the settlement came to its prize; `envy` lists what other seats are paid for it (seat, cents, words).
    """

    KIND: ClassVar[str] = "hit-verified"
    WRITES_DEFAULTS: ClassVar[bool] = True
    hit: int
    role: str
    cards: Mapping[str, str]
    lights: tuple[int, ...]
    because: Mapping[int, tuple[tuple[str, str | None, str], ...]]
    demands: Mapping[int, PrizeDemands]
    envy: tuple[tuple[int, int, str], ...] = ()


@entry_kind
@dataclass(frozen=True, slots=True, kw_only=True)
class HitSurveilled(EntryPayload):
    """Surveillance has checked hand, wager, payout and winner by camera (O-04)."""

    KIND: ClassVar[str] = "hit-surveilled"
    hit: int
    role: str
    checks: tuple[str, ...]


@entry_kind
@dataclass(frozen=True, slots=True, kw_only=True)
class HitDocumented(EntryPayload):
    """The papers of every prize are made, and each has a slip (P-03, M-08); `demands` are those of that day."""

    KIND: ClassVar[str] = "hit-documented"
    hit: int
    role: str
    papers: tuple[Paper, ...]
    demands: Mapping[int, PrizeDemands]


@entry_kind
@dataclass(frozen=True, slots=True, kw_only=True)
class HitCorrected(EntryPayload):
    """The prizes of a call are another seat's; no amount changes, and the hit is verified anew."""

    KIND: ClassVar[str] = "hit-corrected"
    hit: int
    role: str
    claims: tuple[Claim, ...]
    approved_by: str
    approved_role: str
    words: str


@entry_kind
@dataclass(frozen=True, slots=True, kw_only=True)
class HitClosed(EntryPayload):
    """Every prize is handed over, and somebody else has looked through the papers."""

    KIND: ClassVar[str] = "hit-closed"
    WRITES_DEFAULTS: ClassVar[bool] = True
    hit: int
    role: str
    words: str = ""


@entry_kind
@dataclass(frozen=True, slots=True, kw_only=True)
class SlipReprinted(EntryPayload):
    """A slip was printed once more, and marked so (F-15)."""

    KIND: ClassVar[str] = "slip-reprinted"
    slip: int
    copy: int
    role: str
    words: str
