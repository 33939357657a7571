"""The values of a hit: who did what to it, what was won, the papers, how each prize was handed over; and its entries.

Calls, rejections and payments are movements of `books`, whose `details` say which hit and which step they are.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Annotated, Any, NamedTuple

from pitboss.books import OMIT_DEFAULT, EntryPayload, Instant, LedgerTransfer, entry_kind, json_object
from pitboss.commands import Bounds, Name, Seat
from pitboss.jackpot.hits.thresholds import PrizeDemands

Text = Annotated[str, Bounds(most=200)]


class Claim(NamedTuple):
    """A called prize: a seat, and the row of the pay table as printed."""

    seat: Seat
    row: Name


Claims = Annotated[tuple[Claim, ...], Bounds(most=20)]


class Won(NamedTuple):
    """A prize that was called: its amount is frozen (F-04)."""

    seat: int
    row: str
    cents: int


class PaperDraft(NamedTuple):
    """The paperwork of one prize; the taxpayer number itself never comes into the books."""

    seat: Seat
    winner: Text
    identification: Annotated[tuple[Text, ...], Bounds(most=10)] = ()
    photograph: bool = False
    taxpayer_number: bool = False
    deck_checked: bool = False


@json_object
class Paper(NamedTuple):
    """The paperwork of one prize (P-03, X-01, X-06) with the number of its slip."""

    seat: int
    winner: str
    identification: tuple[str, ...] = ()
    photograph: bool = False
    taxpayer_number: bool = False
    deck_checked: bool = False
    slip: int = 0


_DIGITS_KEPT = 4


def kept_identification(text: str) -> str:
    """Return a form of identification as the books keep it: its kind and the last digits of its number (G-70)."""
    words = text.split()
    number = "".join(sign for word in words if any(map(str.isdigit, word)) for sign in word if sign.isalnum())
    kind = " ".join(word for word in words if not any(map(str.isdigit, word))).rstrip(" ,:;#-") or "ID"
    return f"{kind} ending {number[-min(_DIGITS_KEPT, len(number) // 2) :]}" if len(number) > 1 else kind


def without_papers(payload: Any) -> Any:
    """Return a payload as those read it who read no winners' papers: without names and identification (G-70)."""
    if isinstance(payload, Mapping):
        return {key: _HIDDEN[key] if key in _HIDDEN else without_papers(value) for key, value in payload.items()}
    return [without_papers(item) for item in payload] if isinstance(payload, list | tuple) else payload


_HIDDEN: Mapping[str, Any] = {"winner": "not shown", "identification": []}


class Handed(NamedTuple):
    """A prize that was handed over: how, what was withheld, by which slip and in which entry."""

    seat: int
    method: str
    withheld_cents: int
    cheque: str
    slip: int
    sequence: int


@json_object
class SmallPaid(NamedTuple):
    """A small or Envy prize that was paid from the tray; its number is the sequence of its call, as of a hit (T-12).

    `at` is when it was recorded, `fund_units` what the meter paid of it, `of_seat` whose hand gave the Envy, else 0.
    """

    number: int
    at: Instant
    round: int
    jackpot: str
    person: str
    won: tuple[Won, ...]
    fund_units: int
    of_seat: int = 0

    @property
    def cents(self) -> int:
        """All its prizes together."""
        return sum(won.cents for won in self.won)


class HitState(StrEnum):
    """Where a hit stands; a prize is handed over only after the step before it (F-17)."""

    CALLED = "called"
    VERIFIED = "verified"
    SURVEILLED = "surveilled"
    DOCUMENTED = "documented"
    PAID = "paid"
    CLOSED = "closed"
    REJECTED = "rejected"


STATE_WORDS: dict[str, str] = {
    "called": "Reported",
    "verified": "Verified",
    "surveilled": "Surveillance done",
    "documented": "Paperwork done",
    "paid": "Paid",
    "closed": "Closed",
    "rejected": "Rejected",
}
"""Where a jackpot stands, as people read it."""


class Done(NamedTuple):
    """A step that was done: by whom, in which entry, when it happened, and the reason where one was given."""

    step: str
    person: str
    role: str
    sequence: int
    happened: Instant
    words: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """A call of prizes of one jackpot in one round at one table; its number is the sequence of its entry (T-12).

    `meter_cents` is the amount that percentages are of; `transfers` are those of the call in force, which is entry
    `called_at`; `since` is the step at which the present course began: a correction begins a new one. `added` has the
    seats of its round that one person alone put in after the press, and who that was (G-39); `beside` are those who had
    a percentage of the same amount and were paid before this was called (G-37).
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
    transfers: tuple[LedgerTransfer, ...]
    called_at: int
    done: tuple[Done, ...]
    since: int = 0
    demands: Mapping[int, PrizeDemands] = field(default_factory=dict)
    papers: tuple[Paper, ...] = ()
    handed: tuple[Handed, ...] = ()
    added: Annotated[Mapping[int, str], OMIT_DEFAULT] = field(default_factory=dict)
    beside: Annotated[tuple[Claim, ...], OMIT_DEFAULT] = ()

    @property
    def is_finished(self) -> bool:
        """True if nothing more can happen to it."""
        return self.state in (HitState.CLOSED, HitState.REJECTED)

    @property
    def cents(self) -> int:
        """All prizes together."""
        return sum(won.cents for won in self.won)

    @property
    def unpaid(self) -> tuple[Won, ...]:
        """The prizes that have not been handed over."""
        handed = {prize.seat for prize in self.handed}
        return () if self.state is HitState.REJECTED else tuple(won for won in self.won if won.seat not in handed)

    def prize(self, seat: int) -> Won | None:
        """Return the prize of a seat, if it has one."""
        return next((won for won in self.won if won.seat == seat), None)

    def paper(self, seat: int) -> Paper | None:
        """Return the papers of a seat, if they are made."""
        return next((paper for paper in self.papers if paper.seat == seat), None)

    def did(self, *steps: str) -> set[str]:
        """Return who did these steps in the present course; whoever called or corrected it stays in mind (T-06)."""
        people = {done.person for done in self.done[self.since :] if done.step in steps}
        if "call" in steps:
            people |= {done.person for done in self.done if done.step in ("call", "correct")}
        return people

    def after(self, done: Done, state: HitState, **fields: Any) -> Hit:
        """Return the hit after a step."""
        return replace(self, state=state, done=(*self.done, done), **fields)


@entry_kind("hit-verified", writes_defaults=True)
class HitVerified(EntryPayload):
    """A supervisor entered the cards, the engine evaluated them, and the wager lights were confirmed (F-17).

    `cards` are the board and the hands as entered; `because` has for each seat the clauses, rulings and words by which
    the settlement came to its prize; `envy` lists what other seats are paid for it (seat, cents, words). `added` are
    seats with a prize whose wager one person alone had put into the round, and who that was (G-39).
    """

    hit: int
    role: str
    cards: Mapping[str, str]
    lights: tuple[int, ...]
    because: Mapping[int, tuple[tuple[str, str | None, str], ...]]
    demands: Mapping[int, PrizeDemands]
    envy: tuple[tuple[int, int, str], ...] = ()
    added: Annotated[tuple[tuple[int, str], ...], OMIT_DEFAULT] = ()


@entry_kind("hit-surveilled")
class HitSurveilled(EntryPayload):
    """Surveillance has checked hand, wager, payout and winner by camera (O-04)."""

    hit: int
    role: str
    checks: tuple[str, ...]


@entry_kind("hit-documented")
class HitDocumented(EntryPayload):
    """The papers of every prize are made, and each has a slip (P-03, M-08); `demands` are those of that day."""

    hit: int
    role: str
    papers: tuple[Paper, ...]
    demands: Mapping[int, PrizeDemands]


@entry_kind("hit-corrected")
class HitCorrected(EntryPayload):
    """The prizes of a call are another seat's; no amount changes, and the hit is verified anew."""

    hit: int
    role: str
    claims: tuple[Claim, ...]
    approved_by: str
    approved_role: str
    words: str
    added: tuple[tuple[int, str], ...] = ()


@entry_kind("wager-confirmed")
class WagerConfirmed(EntryPayload):
    """Surveillance has seen that the wager of a seat that was added lay there before the first card (G-39)."""

    jackpot: str
    round: int
    seat: int
    role: str
    words: str


@entry_kind("hit-closed", writes_defaults=True)
class HitClosed(EntryPayload):
    """Every prize is handed over, and somebody else has looked through the papers."""

    hit: int
    role: str
    words: str = ""


@entry_kind("slip-printed")
class SlipPrinted(EntryPayload):
    """The original of a slip was printed, once; whatever is printed after it is a reprint (F-15)."""

    slip: int
    role: str


@entry_kind("slip-reprinted")
class SlipReprinted(EntryPayload):
    """A slip was printed once more, and marked so (F-15)."""

    slip: int
    copy: int
    role: str
    words: str
