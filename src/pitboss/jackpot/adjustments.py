"""What people do to the money of a jackpot: adjust a fund, book receipts, seed another, post a Bonus amount."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from pitboss.books import LEDGER, BookState, Movement, RefusedError, movement_of
from pitboss.jackpot.lifecycle import record_of
from pitboss.jackpot.state import JackpotRecord
from pitboss.meters import Account, DecreaseReason, MeterState, adjust, book_receipts, post_bonus, seed_other

Decide = Callable[[BookState], Sequence[Movement]]


def meter_of(state: BookState, name: str) -> tuple[JackpotRecord, MeterState]:
    """Find a jackpot and the state of its meter, or refuse."""
    record = record_of(state, name)
    accounts = state.of(LEDGER).get(name)
    if accounts is None:
        raise RefusedError([f"jackpot {name!r} has not been opened yet"])
    return record, accounts.meter_state


def adjusted(
    name: str,
    units: int,
    reason: DecreaseReason | None,
    words: str,
    approved_by: str,
    fund: Account = Account.DISPLAYED,
    source: Account = Account.HOUSE,
) -> Decide:
    """Raise a fund, or lower it for one of the five permitted reasons (J-09, J-14)."""

    def decide(state: BookState) -> list[Movement]:
        record, meter = meter_of(state, name)
        change = adjust(meter, record.jackpot.meter, units, reason, words=words, fund=fund, source=source)
        return [movement_of("meter-adjusted", name, meter, change, words=words, approved_by=approved_by)]

    return decide


def receipts_booked(name: str, units: int, fund: Account, words: str, approved_by: str) -> Decide:
    """Book nondisplayed funds as gross receipts (J-03, J-14)."""

    def decide(state: BookState) -> list[Movement]:
        record, meter = meter_of(state, name)
        change = book_receipts(meter, record.jackpot.meter, units, fund=fund, words=words)
        return [movement_of("receipts-booked", name, meter, change, words=words, approved_by=approved_by)]

    return decide


def other_seeded(
    name: str, other: str, units: int, fund: Account, permitted_by: str, words: str, approved_by: str
) -> Decide:
    """Move nondisplayed funds of one progressive to the display of another where a dated rule permits it (J-15)."""

    def decide(state: BookState) -> list[Movement]:
        if name == other:
            raise RefusedError([f"{name} cannot seed itself"])
        (giver, gives), (taker, takes) = meter_of(state, name), meter_of(state, other)
        given = seed_other(gives, giver.jackpot.meter, units, fund=fund, permitted_by=permitted_by, words=words)
        source = Account.OTHER_METERS
        taken = adjust(takes, taker.jackpot.meter, units, words=f"{words} (from {name})", source=source)
        said = {"words": words, "approved_by": approved_by}
        return [
            movement_of("other-seeded", name, gives, given, **said),
            movement_of("meter-adjusted", other, takes, taken, **said),
        ]

    return decide


def bonus_posted(name: str, cents: int, words: str) -> Decide:
    """Post another amount of a Bonus: at any time where its display is updatable, else while it is closed (E-07)."""

    def decide(state: BookState) -> list[Movement]:
        record, meter = meter_of(state, name)
        if record.jackpot.display == "static" and record.play != "closed":
            raise RefusedError([f"the display of {name} is static: close it before another amount is posted (E-07)"])
        change = post_bonus(meter, record.jackpot.meter, cents, words=words)
        if not change.transfers:
            raise RefusedError([f"{name} shows this amount already"])
        return [movement_of("bonus-posted", name, meter, change, words=words)]

    return decide
