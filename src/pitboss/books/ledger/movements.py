"""Movements: entries that move money of a jackpot between its accounts, count what is counted, and say why."""

import json
from collections.abc import Iterable, Iterator, Mapping
from enum import StrEnum
from operator import attrgetter
from types import MappingProxyType
from typing import Any, NamedTuple

from pitboss.books.journal.codec import encoded, is_plain
from pitboss.books.journal.payloads import register_kinds
from pitboss.meters import Account, DecreaseReason, MeterChange, MeterState, MeterTerms, MeterTransfer, contributions


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


class LedgerTransfer(NamedTuple):
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
    transfers: tuple[LedgerTransfer, ...] = ()
    counts: Mapping[str, int] = _NOTHING
    terms: JackpotTerms | None = None
    words: str = ""
    approved_by: str = ""
    reason: str = ""
    corrects: int | None = None
    details: Mapping[str, Any] = _NOTHING

    def to_json(self) -> dict[str, Any]:
        """Write what is there, and leave out what is not."""
        _, jackpot, transfers, counts, terms, words, approved_by, reason, corrects, details = self
        written: dict[str, Any] = {"jackpot": jackpot}
        if transfers:
            written["transfers"] = [_transfer_json(transfer) for transfer in transfers]
        if terms is not None:
            written["terms"] = list(terms)
        if counts:
            written["counts"] = dict(counts)
        if details:
            written["details"] = dict(details)
        if words:
            written["words"] = words
        if approved_by:
            written["approved_by"] = approved_by
        if reason:
            written["reason"] = reason
        if corrects is not None:
            written["corrects"] = corrects
        return written


def _transfer_json(transfer: LedgerTransfer) -> tuple[Any, ...]:
    _, _, _, reason, words = transfer
    if words:
        return transfer
    return transfer[:3] if reason is None else transfer[:4]


def _read(kind: str, payload: dict[str, Any]) -> Movement:
    if not payload.keys() <= _KEYS:
        raise ValueError(f"says {', '.join(sorted(payload.keys() - _KEYS))} besides")
    find = payload.get
    terms, counts, details = find("terms"), find("counts", _NOTHING), find("details", _NOTHING)
    movement = Movement(
        kind,
        payload["jackpot"],
        tuple([LedgerTransfer(*transfer) for transfer in find("transfers", ())]),
        counts if counts is _NOTHING else MappingProxyType(counts),
        None if terms is None else JackpotTerms(*terms),
        find("words", ""),
        find("approved_by", ""),
        find("reason", ""),
        find("corrects"),
        details if details is _NOTHING else MappingProxyType(details),
    )
    for value, kind_of_value in _wrong_types(movement):
        raise TypeError(f"{value!r} must be {kind_of_value}")
    return movement


def _wrong_types(movement: Movement) -> Iterator[tuple[object, str]]:
    """Find what is of another type than it must be; what it means is for the invariants."""
    _, jackpot, transfers, counts, terms, words, approved_by, reason, corrects, _ = movement
    for text in (jackpot, words, approved_by, reason):
        if type(text) is not str:
            yield text, "a text"
    for number in counts.values():
        if type(number) is not int:
            yield number, "a whole number"
    for payer, payee, units, why, text in transfers:
        if type(units) is not int:
            yield units, "a whole number"
        if not (type(payer) is type(payee) is type(text) is str and (why is None or type(why) is str)):
            yield (payer, payee, why, text), "texts"
    if corrects is not None and type(corrects) is not int:
        yield corrects, "a whole number"
    if terms is not None:
        if type(terms.jackpot_type) is not str:
            yield terms.jackpot_type, "a text"
        for number in (terms.wager_cents, 0 if terms.cap_cents is None else terms.cap_cents):
            if type(number) is not int:
                yield number, "a whole number"


_KEYS = frozenset(Movement._fields) - {"kind"}
_MAPPINGS = (dict, MappingProxyType)


def _is_plain(movement: Movement) -> bool:
    """True if a movement is surely read as it was written: every part of the very type that reading gives."""
    _, _, transfers, counts, terms, _, _, _, _, details = movement
    if terms is not None or type(counts) not in _MAPPINGS or type(details) not in _MAPPINGS:
        return False
    for name in counts:
        if type(name) is not str:
            return False
    for transfer in transfers:
        if type(transfer) is not LedgerTransfer:
            return False
    for _ in _wrong_types(movement):
        return False
    return type(movement) is Movement and type(transfers) is tuple and is_plain(dict(details))


_COUNTED = "wagers-counted"
_ROUND = '"round":'
_DIGITS_MAX = 15
_TEXTS_MAX = 4_096


class RoundCache:
    """Movements that were read, by their text on both sides of the round's number.

    Almost all entries of a room are counts, and almost all of those say again what another has said, of another round:
    they are read without parsing them anew.
    """

    def __init__(self) -> None:
        self._read: dict[tuple[str, str], tuple[tuple[Any, ...], dict[str, Any]]] = {}
        self._written: dict[tuple[Any, ...], tuple[tuple[Any, ...], str, str]] = {}

    def find(self, text: str) -> Movement | None:
        """Return the payload of a text like one read before: the very value that reading it would give."""
        before, _, rest = text.partition(_ROUND)
        number, _, after = rest.partition(",")
        remembered = self._read.get((before, after))
        if remembered is None or not _is_number(number):
            return None
        fields, details = remembered
        return Movement._make((*fields, MappingProxyType({**details, "round": int(number)})))

    def learn(self, text: str, movement: Movement) -> None:
        """Remember a text that was read, where its one round is the one of its details.

        A canonical text has each key in one spelling, so that what is found in it once is the key of the details; and
        readers of movements take details as they are, so that another number gives another round and nothing else.
        """
        before, _, rest = text.partition(_ROUND)
        number, _, after = rest.partition(",")
        details = dict(movement.details)
        if not _is_number(number) or _ROUND in after:
            return
        if type(details.get("round")) is not int or details["round"] != int(number):
            return
        if encoded(json.loads(text)) != text:
            return
        if len(self._read) >= _TEXTS_MAX:
            self._read.clear()
        self._read[before, after] = (movement[:-1], details)

    def find_text(self, movement: Movement) -> str | None:
        """Return the text of a count of a round that differs by its round from one that was written before."""
        seats = _seats(movement)
        remembered = None if seats is None else self._written.get((movement.jackpot, *seats))
        if remembered is None:
            return None
        fields, before, after = remembered
        # The transfers are the very same, and so of the same types.
        if movement.transfers is not fields[2] or movement[:-1] != fields:
            return None
        return f"{before}{movement.details['round']}{after}"

    def learn_text(self, text: str, movement: Movement) -> None:
        """Remember how a count of a round was written."""
        seats, number = _seats(movement), movement.details.get("round")
        parts = text.split(f"{_ROUND}{number},")
        if seats is None or len(parts) != 2:
            return
        if len(self._written) >= _TEXTS_MAX:
            self._written.clear()
        self._written[movement.jackpot, *seats] = (movement[:-1], f"{parts[0]}{_ROUND}", f",{parts[1]}")


def _seats(movement: Movement) -> list[int] | None:
    """The seats of a count that says its round and its seats and no more, all numbers of the very type of numbers."""
    details, counts = movement.details, movement.counts
    seats, wagers = details.get("seats"), counts.get("wagers_counted")
    if len(details) != 2 or type(details.get("round")) is not int or type(seats) is not list:
        return None
    if len(counts) != 1 or type(wagers) is not int or movement.terms is not None or movement.corrects is not None:
        return None
    for seat in seats:
        if type(seat) is not int:
            return None
    return seats


def _is_number(text: str) -> bool:
    """True if a text is a whole number from 0 as JSON writes it."""
    return text.isdecimal() and text.isascii() and len(text) <= _DIGITS_MAX and (text[0] != "0" or text == "0")


def register_movements(*kinds: MovementKind) -> None:
    """Make kinds of movements known; a later package may add its own."""
    register_kinds([kind.name for kind in kinds if kind.name != _COUNTED], _read, _is_plain)
    register_kinds([kind.name for kind in kinds if kind.name == _COUNTED], _read, _is_plain, RoundCache())
    MOVEMENTS.update({kind.name: kind for kind in kinds})


register_movements(
    MovementKind("jackpot-opened", "a jackpot opens with its seed", terms=True),
    MovementKind("terms-changed", "a closed jackpot gets other terms", words=True, approval=True, terms=True),
    MovementKind("wagers-counted", "jackpot wagers are counted"),
    MovementKind("wagers-refunded", "counted wagers of a void round are refunded by the house"),
    MovementKind("prize-called", "a prize is called and its amount frozen"),
    MovementKind("prize-rejected", "a call is rejected and its amount restored", words=True, approval=True),
    MovementKind("prize-paid", "a prize is handed over"),
    MovementKind("prize-reversed", "a small prize that was paid by mistake is taken back"),
    MovementKind("meter-adjusted", "a fund is raised or lowered by hand", words=True, approval=True),
    MovementKind(
        "count-corrected", "wagers that the equipment counted wrongly are reversed", words=True, approval=True
    ),
    MovementKind("receipts-booked", "nondisplayed funds become gross receipts", words=True, approval=True),
    MovementKind("other-seeded", "nondisplayed funds seed another meter", words=True, approval=True),
    MovementKind("funds-removed", "a removed jackpot's money goes where its notice says", words=True, approval=True),
    MovementKind("bonus-posted", "a Bonus amount is posted", words=True),
    MovementKind("escrow-sent", "a deposit is on its way to the escrow bank"),
    MovementKind("escrow-arrived", "a deposit has come to the escrow bank"),
    MovementKind("escrow-withdrawn", "money is taken from the escrow bank", words=True, approval=True),
    MovementKind("correction", "an earlier entry is put right", words=True, approval=True, correction=True),
)


_counters = attrgetter(*COUNTERS)
_NONE = (0,) * len(COUNTERS)
_TEXT: dict[Any, Any] = {None: None} | {member: member.value for member in (*Account, *DecreaseReason)}
"""The plain text of accounts and reasons, by which they are written."""


def movement_of(kind: str, jackpot: str, before: MeterState | None, change: MeterChange, **fields: Any) -> Movement:
    """Make the movement that puts a change of a meter into the books: its transfers, and by how much it counts on."""
    now = _counters(change.state)
    then = _NONE if before is None else _counters(before)
    counts = {name: more - less for name, more, less in zip(COUNTERS, now, then, strict=True) if more != less}
    transfers = _posted(change.transfers, in_words=kind != "wagers-counted")
    if MOVEMENTS[kind].terms:
        fields["terms"] = JackpotTerms(change.terms.jackpot_type, change.terms.wager_cents, change.terms.cap_cents)
    return Movement(kind=kind, jackpot=jackpot, transfers=transfers, counts=counts, **fields)


def count_of(
    jackpot: str, displayed_units: int, terms: MeterTerms, wagers: int, details: Mapping[str, Any], **fields: Any
) -> Movement:
    """Make the movement of counted wagers from what is displayed: the same as of `contribute`, without its states.

    The state after it is the ledger's, where every invariant is asked.
    """
    transfers = counted_transfers(displayed_units, terms, wagers)
    counts = {"wagers_counted": wagers} if wagers else {}
    return Movement("wagers-counted", jackpot, transfers, counts, details=details, **fields)


def counted_transfers(displayed_units: int, terms: MeterTerms, wagers: int) -> tuple[LedgerTransfer, ...]:
    """Return the transfers of counted wagers: where each part goes by the rates of the terms."""
    return _counted(contributions(displayed_units, terms, wagers))


def _posted(transfers: Iterable[MeterTransfer], *, in_words: bool) -> tuple[LedgerTransfer, ...]:
    return tuple(
        [
            LedgerTransfer(
                _TEXT[one.payer], _TEXT[one.payee], one.units, _TEXT[one.reason], one.words if in_words else ""
            )
            for one in transfers
        ]
    )


_COUNTED_TRANSFERS: dict[int, tuple[tuple[MeterTransfer, ...], tuple[LedgerTransfer, ...]]] = {}
_COUNTED_TRANSFERS_MAX = 512


def _counted(transfers: tuple[MeterTransfer, ...]) -> tuple[LedgerTransfer, ...]:
    """Write the transfers of a count; the meters give the same value again and again, which is found by identity."""
    remembered = _COUNTED_TRANSFERS.get(id(transfers))
    if remembered is not None and remembered[0] is transfers:
        return remembered[1]
    if len(_COUNTED_TRANSFERS) >= _COUNTED_TRANSFERS_MAX:
        _COUNTED_TRANSFERS.clear()
    posted = _posted(transfers, in_words=False)
    _COUNTED_TRANSFERS[id(transfers)] = (transfers, posted)
    return posted
