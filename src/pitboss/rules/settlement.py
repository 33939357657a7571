"""What a settled round is: a line for every wager, what every jackpot paid, and the money that moved.

What a round makes many of is a NamedTuple: a frozen dataclass costs three times as much to make.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from pitboss.cards import Card
from pitboss.rules.reasons import Reason

__all__ = ["HOUSE", "Chip", "FinishedRound", "FinishedSeat", "JackpotPayment", "Line", "Settlement", "Transfer"]

HOUSE = "house"


class FinishedSeat(NamedTuple):
    """A seat when the cards are down: wagers in cents, cards in the order dealt, decisions as integers."""

    number: int
    wagers: Mapping[str, int]
    cards: tuple[Card, ...]
    choices: tuple[int, ...]
    person: str | None = None


class FinishedRound(NamedTuple):
    """A round ready to be settled."""

    board: tuple[Card, ...]
    seats: tuple[FinishedSeat, ...]


class Chip(NamedTuple):
    """One chip of a wager in cents: what stood there and what is handed back for it."""

    part: str
    staked_cents: int
    paid_cents: int


class Line(NamedTuple):
    """One wager of one seat, settled: every chip at risk, every chip handed back, the event and why."""

    wager: str
    staked_cents: int
    paid_cents: int
    event: str | None
    paytable: str | None
    reasons: tuple[Reason, ...]
    chips: tuple[Chip, ...]
    envy_cents: int = 0

    @property
    def net_cents(self) -> int:
        """What the player is up or down on this wager."""
        return self.paid_cents - self.staked_cents


@dataclass(frozen=True, slots=True)
class JackpotPayment:
    """Who pays a jackpot's prizes of this round, and the odd cents that sharing leaves on the meter."""

    from_fund_cents: int
    from_house_cents: int
    odd_cents: int


@dataclass(frozen=True, slots=True)
class Transfer:
    """Money that moves from one account to another: the house, a seat, or a jackpot's fund."""

    payer: str
    payee: str
    cents: int
    wager: str


@dataclass(frozen=True, slots=True)
class Settlement:
    """A settled round."""

    lines: Mapping[int, Mapping[str, Line]]
    jackpots: Mapping[str, JackpotPayment]

    @property
    def transfers(self) -> tuple[Transfer, ...]:
        """The money that moves: every seat settles with the house, and a fund makes good what it owes of the prizes."""
        moved = []
        for seat, by_wager in self.lines.items():
            account = f"seat:{seat}"
            for name, line in by_wager.items():
                if line.net_cents < 0:
                    moved.append(Transfer(account, HOUSE, -line.net_cents, name))
                elif line.net_cents > 0:
                    moved.append(Transfer(HOUSE, account, line.net_cents, name))
        for name, payment in self.jackpots.items():
            if payment.from_fund_cents:
                moved.append(Transfer(f"fund:{name}", HOUSE, payment.from_fund_cents, name))
        return tuple(moved)

    def net_cents(self, seat: int) -> int:
        """What a seat is up or down on the round."""
        return sum([line.paid_cents - line.staked_cents for line in self.lines[seat].values()])
