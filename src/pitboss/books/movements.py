"""Movements: entries that move money of a jackpot between its accounts, count what is counted, and say why."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from operator import attrgetter
from types import MappingProxyType
from typing import Any, NamedTuple

from pitboss.books.payloads import register_kinds
from pitboss.meters import Change, MeterState

__all__ = [
    "COUNTERS",
    "MOVEMENTS",
    "CorrectionReason",
    "JackpotTerms",
    "LedgerAccount",
    "Movement",
    "MovementKind",
    "Transfer",
    "movement_of",
    "register_movements",
]


class LedgerAccount(StrEnum):
    """Where money of a jackpot can be: the accounts of its meter, and behind them what was handed over and the bank.

    A balance is what came to the account less what left it; the balances of a jackpot sum to zero.
    """

    DISPLAYED = "displayed"
    RESERVE = "reserve"
    OVERFLOW = "overflow"
    WAGERS = "wagers"
    PLAYERS = "players"
    WINNERS = "winners"
    """Prizes payable: called, and not handed over yet."""
    SEED = "seed"
    HOUSE_SHARE = "house-share"
    HOUSE = "house"
    RECEIPTS = "receipts"
    OTHER_METERS = "other-meters"
    POSTING = "posting"
    PAID = "paid"
    """Prizes handed over."""
    CASH = "cash"
    """The house's cash that goes to the escrow bank and comes from it: minus what is at the bank or on its way."""
    ESCROW_TRANSIT = "escrow-transit"
    """Deposits on their way to the bank (J-19)."""
    ESCROW_BANK = "escrow-bank"
    """The separate bank account for progressive prizes (J-19)."""


COUNTERS = (
    "generation",
    "wagers_counted",
    "wagers_reversed",
    "hits",
    "hits_rejected",
    "won_cents",
    "won_rejected_cents",
)
"""The counters of a meter, none of which ever falls (M-11)."""


class CorrectionReason(StrEnum):
    """Why a new entry puts an earlier one right; the earlier one stays as it is (G-11)."""

    MISTYPED = "mistyped"
    WRONG_TABLE = "wrong-table"
    COUNTED_TWICE = "counted-twice"
    NOT_COUNTED = "not-counted"
    EQUIPMENT_MALFUNCTION = "equipment-malfunction"
    DAMAGED_JOURNAL = "damaged-journal"
    COMMISSION_ORDER = "commission-order"


class MovementKind(NamedTuple):
    """What a kind of movement must say besides its transfers."""

    name: str
    says: str
    words: bool = False
    approval: bool = False
    correction: bool = False
    terms: bool = False


MOVEMENTS: dict[str, MovementKind] = {}


class Transfer(NamedTuple):
    """Units from one account to another; `reason` is one of the five where a fund goes down (J-14)."""

    payer: str
    payee: str
    units: int
    reason: str | None = None
    words: str = ""


class JackpotTerms(NamedTuple):
    """What of a jackpot's terms the books check: its type, the fixed wager and the cap (J-01, G-7, J-10)."""

    jackpot_type: str
    wager_cents: int
    cap_cents: int | None


_NOTHING: Mapping[str, Any] = MappingProxyType({})


class Movement(NamedTuple):
    """Money of one jackpot that moves, what is counted with it, and why; `details` are for whoever wrote it."""

    kind: str
    jackpot: str
    transfers: tuple[Transfer, ...] = ()
    counts: Mapping[str, int] = _NOTHING
    terms: JackpotTerms | None = None
    words: str = ""
    approved_by: str = ""
    reason: str = ""
    corrects: int | None = None
    details: Mapping[str, Any] = _NOTHING

    def to_json(self) -> dict[str, Any]:
        """Write what is there, and leave out what is not."""
        written: dict[str, Any] = {"jackpot": self.jackpot}
        if self.transfers:
            written["transfers"] = [_transfer_json(each) for each in self.transfers]
        if self.terms is not None:
            written["terms"] = list(self.terms)
        for name in ("counts", "details"):
            if getattr(self, name):
                written[name] = dict(getattr(self, name))
        for name in ("words", "approved_by", "reason"):
            if getattr(self, name):
                written[name] = getattr(self, name)
        if self.corrects is not None:
            written["corrects"] = self.corrects
        return written


def _transfer_json(transfer: Transfer) -> list[Any]:
    if transfer.words:
        return list(transfer)
    return list(transfer[:4] if transfer.reason is not None else transfer[:3])


def _read(kind: str, said: dict[str, Any]) -> Movement:
    unknown = said.keys() - _KEYS
    if unknown:
        raise ValueError(f"says {', '.join(sorted(unknown))} besides")
    terms = said.get("terms")
    movement = Movement(
        kind=kind,
        jackpot=said["jackpot"],
        transfers=tuple([Transfer(*each) for each in said.get("transfers", ())]),
        counts=MappingProxyType(said["counts"]) if "counts" in said else _NOTHING,
        terms=None if terms is None else JackpotTerms(*terms),
        words=said.get("words", ""),
        approved_by=said.get("approved_by", ""),
        reason=said.get("reason", ""),
        corrects=said.get("corrects"),
        details=MappingProxyType(said["details"]) if "details" in said else _NOTHING,
    )
    _verify_types(movement)
    return movement


def _verify_types(movement: Movement) -> None:
    """Refuse what is of another type than it must be; what it means is for the invariants."""
    texts = [movement.jackpot, movement.words, movement.approved_by, movement.reason]
    numbers: list[object] = [*movement.counts.values()]
    for payer, payee, units, reason, words in movement.transfers:
        texts += [payer, payee, words, "" if reason is None else reason]
        numbers.append(units)
    if movement.terms is not None:
        texts.append(movement.terms.jackpot_type)
        numbers += [movement.terms.wager_cents, *(() if movement.terms.cap_cents is None else movement.terms[2:])]
    if movement.corrects is not None:
        numbers.append(movement.corrects)
    for text in texts:
        if type(text) is not str:
            raise TypeError(f"{text!r} must be a text")
    for number in numbers:
        if type(number) is not int:
            raise TypeError(f"{number!r} must be a whole number")


_KEYS = frozenset(Movement._fields) - {"kind"}


def register_movements(*kinds: MovementKind) -> None:
    """Make kinds of movements known; a later package may add its own."""
    register_kinds([kind.name for kind in kinds], _read)
    MOVEMENTS.update({kind.name: kind for kind in kinds})


register_movements(
    MovementKind("jackpot-opened", "a jackpot opens with its seed", terms=True),
    MovementKind("terms-changed", "a closed jackpot gets other terms", words=True, approval=True, terms=True),
    MovementKind("wagers-counted", "jackpot wagers are counted"),
    MovementKind("wagers-refunded", "counted wagers of a void round are refunded by the house"),
    MovementKind("prize-called", "a prize is called and its amount frozen"),
    MovementKind("prize-rejected", "a call is rejected and its amount restored", words=True, approval=True),
    MovementKind("prize-paid", "a prize is handed over"),
    MovementKind("meter-adjusted", "a fund is raised or lowered by hand", words=True, approval=True),
    MovementKind(
        "count-corrected", "wagers that the equipment counted wrongly are reversed", words=True, approval=True
    ),
    MovementKind("receipts-booked", "nondisplayed funds become gross receipts", words=True, approval=True),
    MovementKind("other-seeded", "nondisplayed funds seed another meter", words=True, approval=True),
    MovementKind("bonus-posted", "a Bonus amount is posted", words=True),
    MovementKind("escrow-sent", "a deposit is on its way to the escrow bank"),
    MovementKind("escrow-arrived", "a deposit has come to the escrow bank"),
    MovementKind("escrow-withdrawn", "money is taken from the escrow bank", words=True, approval=True),
    MovementKind("correction", "an earlier entry is put right", words=True, approval=True, correction=True),
)


_counters = attrgetter(*COUNTERS)
_NONE = (0,) * len(COUNTERS)


def movement_of(kind: str, jackpot: str, before: MeterState | None, change: Change, **said: Any) -> Movement:
    """Make the movement that puts a change of a meter into the books: its transfers, and by how much it counts on."""
    now = _counters(change.state)
    then = _NONE if before is None else _counters(before)
    counts = {name: more - less for name, more, less in zip(COUNTERS, now, then, strict=True) if more != less}
    said_in_words = kind != "wagers-counted"
    transfers = tuple(
        [
            Transfer(
                each.payer.value,
                each.payee.value,
                each.units,
                None if each.reason is None else each.reason.value,
                each.words if said_in_words else "",
            )
            for each in change.transfers
        ]
    )
    if MOVEMENTS[kind].terms:
        said["terms"] = JackpotTerms(change.terms.jackpot_type, change.terms.wager_cents, change.terms.cap_cents)
    return Movement(kind=kind, jackpot=jackpot, transfers=transfers, counts=counts, **said)
