"""Escrow of a progressive: what must be at the bank, what is, how old the rest is, and when it will be too old.

What is held for the players (display, reserve, overflow) belongs in a separate bank account; accrued funds are
deposited at least weekly, else the game stops (J-19). So money is due at the bank when it is seven days old; what came
later may still be undeposited. A deposit on its way counts for seven days.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from pitboss.books import LEDGER, BookState, JackpotAccounts, Movement, Payload, RefusedError, Transfer
from pitboss.jackpot.adjustments import meter_of
from pitboss.jackpot.entries import PlayReason, PlaySet
from pitboss.jackpot.state import DAY, ESCROW_DAYS, JACKPOTS, JackpotRecord
from pitboss.meters import units_of, units_text
from pitboss.meters.terms import integer_problems

Decide = Callable[[BookState], Sequence[Payload]]
_WEEK = ESCROW_DAYS * DAY
WARN_DAYS = 2
"""How many days ahead a shortfall is warned of."""


class Escrow(NamedTuple):
    """The escrow of one progressive at an instant, in units.

    `undeposited_units` is what is held and neither at the bank nor on its way; `oldest` is when the oldest part of it
    came, nothing where all is deposited; `shortfall_units` is what of it is older than seven days.
    """

    now: int
    held_units: int
    bank_units: int
    transit_units: int
    stale_units: int
    undeposited_units: int
    oldest: int | None
    shortfall_units: int

    @property
    def age_days(self) -> int:
        """How many whole days old the oldest undeposited money is."""
        return 0 if self.oldest is None else (self.now - self.oldest) // DAY

    @property
    def is_short(self) -> bool:
        """Whether the game must stop (J-19)."""
        return self.shortfall_units > 0


def escrow_of(record: JackpotRecord, accounts: JackpotAccounts, now: int) -> Escrow:
    """Say how the escrow of a progressive stands; a Bonus is the house's and has none (J-01)."""
    held = accounts.held_units
    bank = accounts.balances["escrow-bank"]
    transit = sum(units for _, since, units in record.in_transit if now - since <= _WEEK)
    missing = max(0, held - bank - transit)
    recent = sum(units for hour, units in record.accruals if now - hour <= _WEEK)
    return Escrow(
        now=now,
        held_units=held,
        bank_units=bank,
        transit_units=transit,
        stale_units=accounts.balances["escrow-transit"] - transit,
        undeposited_units=missing,
        oldest=_oldest(record, missing),
        shortfall_units=max(0, missing - recent),
    )


def shortfall_units(record: JackpotRecord, accounts: JackpotAccounts, now: int) -> int:
    """What is held, not deposited and older than seven days, as `escrow_of` says, looked for no longer than needed."""
    missing = accounts.held_units - accounts.balances["escrow-bank"]
    for _, since, units in record.in_transit:
        if now - since <= _WEEK:
            missing -= units
    for hour, units in reversed(record.accruals):
        if missing <= 0 or now - hour > _WEEK:
            break
        missing -= units
    return max(0, missing)


def _oldest(record: JackpotRecord, missing: int) -> int | None:
    """The money that came last is the money that is not deposited yet: find when the first of it came."""
    if missing == 0:
        return None
    when = 0
    for hour, units in reversed(record.accruals):
        when, missing = hour, missing - units
        if missing <= 0:
            break
    return when


class Forecast(NamedTuple):
    """When the escrow will be short if nothing is deposited: `short_at` is nothing where that is not to be foreseen.

    Within seven days this is exact, since all that can fall due is there already; later it goes on with
    `daily_units`, the accruals of the last seven days over the days there were.
    """

    daily_units: int
    short_at: int | None

    def days(self, now: int) -> int | None:
        """How many whole days are left."""
        return None if self.short_at is None else max(0, self.short_at - now) // DAY


def forecast_of(record: JackpotRecord, accounts: JackpotAccounts, now: int) -> Forecast:
    """Look ahead: accruals become due and deposits on their way stale, each seven days after it came."""
    recent = [(hour, units) for hour, units in record.accruals if now - hour <= _WEEK]
    daily = 0
    if recent:
        # Seven days at most, a day at least: a room that opened this morning is not said to earn that every hour.
        daily = sum(units for _, units in recent) * DAY // max(DAY, now - recent[0][0])
    if escrow_of(record, accounts, now).is_short:
        return Forecast(daily, now)
    moments = {hour for hour, _ in recent} | {since for _, since, _ in record.in_transit if now - since <= _WEEK}
    for moment in sorted(moment + _WEEK + 1 for moment in moments):
        if escrow_of(record, accounts, moment).is_short:
            return Forecast(daily, moment)
    slack = accounts.balances["escrow-bank"] - accounts.held_units
    if daily == 0:
        return Forecast(0, None)
    return Forecast(daily, now + _WEEK + max(0, slack) * DAY // daily)


def sent(name: str, cents: int) -> Decide:
    """Send cash of the house to the escrow bank."""

    def decide(state: BookState) -> list[Payload]:
        record, _ = meter_of(state, name)
        if not record.jackpot.is_progressive:
            raise RefusedError([f"{name} is a Bonus: it has no escrow (J-01)"])
        problems = integer_problems("cents", cents, 1, "REGULATION J-19", "G-3")
        if problems:
            raise RefusedError(map(str, problems))
        return [Movement("escrow-sent", name, (Transfer("cash", "escrow-transit", units_of(cents)),))]

    return decide


def arrived(name: str, sequence: int) -> Decide:
    """Note that the deposit of an entry has come to the bank (J-20)."""

    def decide(state: BookState) -> list[Payload]:
        record, _ = meter_of(state, name)
        units = next((units for entry, _, units in record.in_transit if entry == sequence), None)
        if units is None:
            told = ", ".join(str(entry) for entry, _, _ in record.in_transit) or "none"
            raise RefusedError([f"no deposit of {name} by entry {sequence!r} is on its way; there are: {told}"])
        details = {"sent": sequence}
        return [Movement("escrow-arrived", name, (Transfer("escrow-transit", "escrow-bank", units),), details=details)]

    return decide


def withdrawn(name: str, cents: int, words: str, approved_by: str) -> Decide:
    """Take money from the bank: for prizes that were paid, or because it was seized (J-18)."""

    def decide(state: BookState) -> list[Payload]:
        meter_of(state, name)
        problems = integer_problems("cents", cents, 1, "REGULATION J-19", "G-3")
        if problems:
            raise RefusedError(map(str, problems))
        transfers = (Transfer("escrow-bank", "cash", units_of(cents)),)
        return [Movement("escrow-withdrawn", name, transfers, words=words, approved_by=approved_by)]

    return decide


def short_names(state: BookState, now: int) -> list[str]:
    """The jackpots that are open and whose escrow is short at an instant."""
    return [each.name for each in _short(state, now)]


class _Short(NamedTuple):
    name: str
    units: int


def _short(state: BookState, now: int) -> list[_Short]:
    found = []
    for name, record in state.of(JACKPOTS).jackpots.items():
        if record.play == "open":
            units = shortfall_units(record, state.of(LEDGER)[name], now)
            if units:
                found.append(_Short(name, units))
    return found


def warnings(state: BookState, now: int, days: int = WARN_DAYS) -> list[str]:
    """Say which escrows are short, or will be in so many days if nothing is deposited."""
    told = []
    for name, record in sorted(state.of(JACKPOTS).jackpots.items()):
        accounts = state.of(LEDGER).get(name)
        if accounts is None or not record.jackpot.is_progressive:
            continue
        escrow, forecast = escrow_of(record, accounts, now), forecast_of(record, accounts, now)
        left = forecast.days(now)
        if escrow.is_short:
            told.append(
                f"{name}: the escrow is short by {units_text(escrow.shortfall_units)}, the game is stopped (J-19)"
            )
        elif left is not None and left <= days:
            missing = units_text(escrow.undeposited_units)
            when = "today" if left == 0 else f"in {left} day{'s' if left > 1 else ''}"
            told.append(f"{name}: {missing} is not deposited, and the game stops {when} (J-19)")
    return told


def reviewed(now: int) -> Decide:
    """Suspend every open jackpot whose escrow is short (J-19)."""

    def decide(state: BookState) -> list[Payload]:
        return [
            PlaySet(
                name=name,
                play="suspended",
                reason=PlayReason.ESCROW_SHORTFALL,
                words=f"{units_text(units)} held for the players is neither at the bank nor younger than seven days",
            )
            for name, units in _short(state, now)
        ]

    return decide
