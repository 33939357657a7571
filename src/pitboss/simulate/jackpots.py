"""What the jackpots of simulated rounds paid: their meters opened, grown, won, shared and reseeded in order."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from pitboss.meters import MeterTerms
from pitboss.rules import Terms
from pitboss.simulate.blocks import BlockResult
from pitboss.simulate.folding import Fold, find_occasions, fold_meter
from pitboss.simulate.forecast_plan import ASSUMED_RATE, ASSUMED_RESERVE_RATE
from pitboss.simulate.running import Tally

__all__ = ["JackpotReport", "fold_tally", "usual_meter"]


@dataclass(frozen=True, slots=True)
class JackpotReport:
    """One jackpot after all rounds: its meter, with every hit."""

    wager: str
    fold: Fold

    @property
    def winners(self) -> dict[str, tuple[int, int]]:
        """By row of the table: how many seats won a percentage prize, and what they were paid in all."""
        found: dict[str, tuple[int, int]] = {}
        for hit in self.fold.hits:
            for level, each in zip(hit.occasion.levels, hit.each_cents, strict=True):
                seats, cents = found.get(level.event, (0, 0))
                found[level.event] = (seats + level.winners, cents + level.winners * each)
        return found

    @property
    def from_fund_cents(self) -> int:
        """What the fund paid."""
        return sum(hit.payment.from_fund_cents for hit in self.fold.hits)

    @property
    def from_house_cents(self) -> int:
        """What the house paid: Bonus prizes, or what the fund could not cover (G-4)."""
        return sum(hit.payment.from_house_cents for hit in self.fold.hits)


def usual_meter(terms: Terms, wager: str, opens_cents: int) -> MeterTerms:
    """Give a meter that is reseeded as it opens, a progressive with the rates that forecasts assume (G-28)."""
    progressive = terms.jackpot_type == "progressive"
    return MeterTerms(
        jackpot_type=terms.jackpot_type,
        wager_cents=terms.jackpot_wager_cents.get(wager, 100),
        seed_cents=opens_cents,
        reseed_cents=opens_cents,
        display_rate=ASSUMED_RATE if progressive else ASSUMED_RATE * 0,
        reserve_rate=ASSUMED_RESERVE_RATE if progressive else ASSUMED_RESERVE_RATE * 0,
        cap_cents=None,
        batch_wagers_max=None,
    )


def fold_tally(tally: Tally, meters: Mapping[str, MeterTerms]) -> tuple[JackpotReport, ...]:
    """Fold the meters of these jackpots over the rounds of a tally."""
    all_rounds = BlockResult(0, tally.rounds, None, None, None, tally.found)
    occasions = find_occasions(tally.setup, [all_rounds])
    return tuple(
        JackpotReport(
            wager,
            fold_meter(
                tally.setup.terms,
                wager,
                meters[wager],
                occasions[wager],
                wagers_a_round=sum(1 for cents in tally.setup.staked_on(wager) if cents),
                rounds=tally.rounds,
            ),
        )
        for wager in occasions
        if wager in meters
    )
