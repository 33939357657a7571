"""Accounts of a meter, and transfers between them: every unit that comes to one account has left another."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum

__all__ = ["FUNDS", "HOUSE_ACCOUNTS", "Account", "DecreaseReason", "MeterTransfer", "balances", "move"]


class Account(StrEnum):
    """Where money of a jackpot can be; only the first three are on the meter and held for the players (J-03)."""

    DISPLAYED = "displayed"
    RESERVE = "reserve"
    OVERFLOW = "overflow"
    WAGERS = "wagers"
    """Counted jackpot wagers: minus what the players staked."""
    PLAYERS = "players"
    """What was handed to players or for them: refunds of a void round, and what stood on a removed jackpot."""
    WINNERS = "winners"
    """Prizes called, whether handed over yet or not."""
    SEED = "seed"
    """The house's seed money: minus what it put in and has not recovered."""
    HOUSE_SHARE = "house-share"
    """What is left of a wager after its contributions."""
    HOUSE = "house"
    """The house's own purse: prizes it covers, refunds, gifts to the meter, corrected malfunctions."""
    RECEIPTS = "receipts"
    """Nondisplayed funds that were booked as gross receipts."""
    OTHER_METERS = "other-meters"
    """What went to another meter, or came from one."""
    POSTING = "posting"
    """The counterpart of a Bonus display, which announces the house's money and holds none of the players'."""


FUNDS = (Account.DISPLAYED, Account.RESERVE, Account.OVERFLOW)
HOUSE_ACCOUNTS = (Account.SEED, Account.HOUSE_SHARE, Account.HOUSE, Account.RECEIPTS)


class DecreaseReason(StrEnum):
    """The five reasons for which a displayed or accrued amount may go down (WAC 230-15-695; REGULATION J-14)."""

    PRIZE_WON = "prize-won"
    EQUIPMENT_MALFUNCTION = "equipment-malfunction"
    ABOVE_CAP = "above-cap"
    BOOKED_AS_RECEIPTS = "booked-as-receipts"
    SEED_RECOVERED = "seed-recovered"


@dataclass(frozen=True, slots=True, kw_only=True)
class MeterTransfer:
    """Units that move from one account to another, why in words, and the permitted reason where an amount goes down."""

    payer: Account
    payee: Account
    units: int
    words: str
    reason: DecreaseReason | None = None

    def __post_init__(self) -> None:
        if type(self.units) is not int or self.units <= 0 or self.payer is self.payee or not self.words.strip():
            raise AssertionError(f"no transfer is written like this: {self!r}")


def move(
    payer: Account, payee: Account, units: int, words: str, reason: DecreaseReason | None = None
) -> tuple[MeterTransfer, ...]:
    """Write a transfer, or none where nothing moves."""
    if units == 0:
        return ()
    return (MeterTransfer(payer=payer, payee=payee, units=units, words=words, reason=reason),)


_ZERO = dict.fromkeys(Account, 0)


def balances(transfers: Iterable[MeterTransfer]) -> Mapping[Account, int]:
    """Fold transfers into the balance of every account; the balances sum to zero."""
    found = _ZERO.copy()
    for transfer in transfers:
        found[transfer.payer] -= transfer.units
        found[transfer.payee] += transfer.units
    return found
