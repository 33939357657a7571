"""Many prizes in turn as one change: what counting and paying them one by one gives, for years of simulated rounds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from pitboss.meters.accounts import Account, DecreaseReason, move
from pitboss.meters.state import Change, MeterState, changed
from pitboss.meters.terms import MeterTerms, refuse
from pitboss.meters.units import UNITS_PER_CENT, cents_shown, units_of
from pitboss.rules import JackpotPayment, Problem

__all__ = ["Turn", "pay_in_turn"]


class Turn(NamedTuple):
    """A prize that was paid in its turn, and what was displayed with the wagers before it counted."""

    displayed_units: int
    payment: JackpotPayment


def pay_in_turn(
    state: MeterState, terms: MeterTerms, wagers: Sequence[int], payment: Callable[[int, int], JackpotPayment]
) -> tuple[Change, tuple[Turn, ...]]:
    """Count wagers and pay a prize, again and again; none of the prizes is the whole of a progressive, to reseed it.

    `payment` gives that of a turn, counted from 0, with so many cents displayed.
    """
    if not terms.is_progressive:
        refuse([Problem("jackpot_type", "only a progressive is paid in turn", "REGULATION J-01")])
    displayed, cap = state.displayed_units, terms.cap_units
    turns = []
    shown = fund = house = 0
    for turn, count in enumerate(wagers):
        grown = count * terms.display_units
        seen = grown if cap is None else min(grown, cap - displayed)
        displayed += seen
        shown += seen
        paid = payment(turn, displayed // UNITS_PER_CENT)
        turns.append(Turn(displayed, paid))
        fund += paid.from_fund_cents
        house += paid.from_house_cents
        displayed -= paid.from_fund_cents * UNITS_PER_CENT
        if displayed < 0 or min(count, paid.from_fund_cents, paid.from_house_cents) < 0:
            words = f"{paid} with {cents_shown(turns[-1].displayed_units)} cents displayed after {count} wagers"
            refuse([Problem("payment", words, "REGULATION J-23", "G-4")])
    total = sum(wagers)
    over = total * terms.display_units - shown
    transfers = (
        *move(Account.WAGERS, Account.DISPLAYED, shown, "display rate of the wagers counted"),
        *move(Account.WAGERS, Account.OVERFLOW, over, "display rate of the wagers counted, above the cap"),
        *move(Account.WAGERS, Account.RESERVE, total * terms.reserve_units, "reserve rate of the wagers counted"),
        *move(Account.WAGERS, Account.HOUSE_SHARE, total * terms.house_units, "rest of the wagers counted"),
        *move(Account.DISPLAYED, Account.WINNERS, units_of(fund), "prizes from the fund", DecreaseReason.PRIZE_WON),
        *move(Account.HOUSE, Account.WINNERS, units_of(house), "prizes from the house"),
    )
    counters = {
        "wagers_counted": state.wagers_counted + total,
        "hits": state.hits + len(turns),
        "won_cents": state.won_cents + fund + house,
    }
    return changed(state, terms, transfers, **counters), tuple(turns)
