"""What a meter pays in one round: percentage prizes shared level by level (G-4), and who pays all prizes (G-5)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from pitboss.rules.money import share_equally, times
from pitboss.rules.pays import OfMeter
from pitboss.rules.settlement import JackpotPayment
from pitboss.rules.terms import Terms

__all__ = ["MeterPrizes", "pay_from_meter"]


class MeterPrizes(NamedTuple):
    """The cents that each winner of every level gets, and from where a jackpot's prizes of this round come."""

    each_cents: tuple[int, ...]
    payment: JackpotPayment


def pay_from_meter(
    terms: Terms, wager: str, levels: Sequence[tuple[OfMeter, int]], *, fixed_cents: int, meter_cents: int
) -> MeterPrizes:
    """Pay the levels that were hit, each a share of the meter with its number of winners.

    `fixed_cents` are the fixed prizes of the round, which concern the meter only where the operator deducts them (G-5).
    What the fund cannot cover, the house covers, and a Bonus prize is all the house's (G-4).
    """
    deducted = fixed_cents if wager in terms.fixed_from_meter else 0
    progressive = terms.jackpot_type == "progressive"
    divided = progressive or terms.bonus_sharing == "split"
    total = odd = 0
    every = []
    for share, winners in levels:
        prize = times(share.share, meter_cents)
        each, rest = share_equally(prize, winners) if divided else (prize, 0)
        every.append(each)
        odd += rest
        total += each * winners
    if not progressive:
        return MeterPrizes(tuple(every), JackpotPayment(0, total, odd))
    due = total + deducted
    from_fund = min(due, meter_cents)
    return MeterPrizes(tuple(every), JackpotPayment(from_fund, due - from_fund, odd))
