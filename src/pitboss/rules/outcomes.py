"""Outcomes: what happens to each chip of a wager, before any amount of money is known."""

from __future__ import annotations

from typing import NamedTuple

from pitboss.rules.pays import Dollars, ForOne, OfMeter, OperatorSet, Pay, Push, ToOne
from pitboss.rules.reasons import Reason

__all__ = ["Outcome", "PartResult", "paid", "returned", "taken"]


class PartResult(NamedTuple):
    """One chip of a wager: how many base stakes it is, whether it goes back, and the prizes paid on it."""

    part: str
    multiple: int
    returned: bool
    prizes: tuple[ToOne | ForOne | Dollars | OfMeter, ...] = ()


class Outcome(NamedTuple):
    """What happened to a wager: each of its chips, the event as its pay table prints it, why, and the Envy it gives."""

    parts: tuple[PartResult, ...]
    event: str | None
    paytable: str | None
    reasons: tuple[Reason, ...]
    envy: Pay | None = None

    @property
    def meter_share(self) -> OfMeter | None:
        """The percentage prize of this outcome, if it has one."""
        for part in self.parts:
            for prize in part.prizes:
                if isinstance(prize, OfMeter):
                    return prize
        return None


def taken(part: str, multiple: int = 1) -> PartResult:
    """Give the result of a chip that is lost."""
    return PartResult(part, multiple, returned=False)


def returned(part: str, multiple: int = 1) -> PartResult:
    """Give the result of a chip that pushes."""
    return PartResult(part, multiple, returned=True)


def paid(part: str, multiple: int, *pays: Pay) -> PartResult:
    """Give the result of a chip settled by one or more cells; it is returned if any of them returns the stake."""
    prizes = []
    back = False
    for pay in pays:
        if isinstance(pay, OperatorSet):
            raise ValueError(f"{part}: a cell left to the operator has no amount (G-6)")  # noqa: TRY004
        if isinstance(pay, (ToOne, ForOne, Dollars, OfMeter)):
            prizes.append(pay)
        back = back or isinstance(pay, (ToOne, Push))
    return PartResult(part, multiple, back, tuple(prizes))
