"""Meters over simulated rounds: contributions between hits, prizes as the settlement shares them, reseeds, in order.

A block is simulated without meters and says only where one pays. Here those places are folded over a meter by
`meters`, so that years of rounds cost no more than their hits; and the same hits are folded again under other terms.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from pitboss.meters import Account, Change, MeterState, MeterTerms, balances, contribute, hit, open_meter, units_of
from pitboss.rules import JackpotPayment, Terms, pay_array, pay_from_meter
from pitboss.rules.pays import OfMeter
from pitboss.simulate.blocks import BlockResult
from pitboss.simulate.playing import make_ready
from pitboss.simulate.setup import BLOCK_ROUNDS, Setup

__all__ = ["Fold", "Hit", "Level", "Occasion", "find_occasions", "fold_meter"]


class Level(NamedTuple):
    """One printed percentage row that was hit in a round, and how many seats hit it."""

    event: str
    share: OfMeter
    winners: int


class Occasion(NamedTuple):
    """A round, counted from the first of block 0, in which a meter pays: its levels and its fixed prizes with Envy."""

    round: int
    levels: tuple[Level, ...]
    fixed_cents: int

    @property
    def top(self) -> bool:
        """Whether the whole meter is won, which reseeds it."""
        return any(level.share.share == 1 for level in self.levels)


class Hit(NamedTuple):
    """An occasion as it was paid: each winner's cents by level, who paid, and what reseeded the meter.

    `before` is the meter with this round's own wagers in it (G-4); `lacked_units` is what reserve and overflow did not
    have of the reseed, which the house lent.
    """

    occasion: Occasion
    before: MeterState
    each_cents: tuple[int, ...]
    payment: JackpotPayment
    from_reserve_units: int
    from_overflow_units: int
    lacked_units: int

    @property
    def percentage_cents(self) -> int:
        """What the percentage prizes come to."""
        pairs = zip(self.occasion.levels, self.each_cents, strict=True)
        return sum(level.winners * each for level, each in pairs)


@dataclass(frozen=True, slots=True)
class Fold:
    """A meter after its rounds: its hits, where it ended, what every account moved since it opened, what was looked at.

    The accounts sum to zero and explain the state. `shown_cents` is what was displayed after each number of rounds
    that was asked for.
    """

    terms: MeterTerms
    rounds: int
    wagers_a_round: int
    hits: tuple[Hit, ...]
    state: MeterState
    accounts: Mapping[Account, int]
    shown_cents: tuple[int, ...]


def find_occasions(setup: Setup, results: Iterable[BlockResult]) -> dict[str, tuple[Occasion, ...]]:
    """Gather the places that blocks found into the rounds in which each jackpot's meter pays, in order."""
    ready = make_ready(setup)
    fixed = ready.paid + ready.envy
    outcomes = {
        place: pay_array(wager, setup.terms).outcomes
        for place, wager in enumerate(ready.game.wagers)
        if wager.jackpot and any(setup.staked_on(wager.name))
    }
    found: dict[str, dict[int, Occasion]] = {ready.game.wagers[place].name: {} for place in outcomes}
    for result in results:
        for number, seat, place, code in result.found.tolist():
            by_round = found[ready.game.wagers[place].name]
            at = result.block * BLOCK_ROUNDS + number
            known = by_round.get(at) or Occasion(at, (), 0)
            outcome = outcomes[place][code]
            levels = known.levels
            # As in the settlement, a level is a printed row: two rows of one percentage are two levels (G-4).
            if outcome.meter_share is not None and outcome.event is not None:
                levels = _one_more(levels, outcome.event, outcome.meter_share)
            cents = int(fixed[seat, ready.begins[place] + code])
            by_round[at] = Occasion(at, levels, known.fixed_cents + cents)
    return {name: tuple(by_round[at] for at in sorted(by_round)) for name, by_round in found.items()}


def _one_more(levels: tuple[Level, ...], event: str, share: OfMeter) -> tuple[Level, ...]:
    if all(level.event != event for level in levels):
        return (*levels, Level(event, share, 1))
    return tuple(level._replace(winners=level.winners + (level.event == event)) for level in levels)


def fold_meter(
    terms: Terms,
    wager: str,
    meter: MeterTerms,
    occasions: Sequence[Occasion],
    *,
    wagers_a_round: int,
    first: int = 0,
    rounds: int,
    looks: Sequence[int] = (),
) -> Fold:
    """Open a meter and fold rounds over it, from the first on; `looks` are numbers of rounds, rising, to note it after.

    `occasions` are those of these rounds, in order.
    """
    folder = _Folder(meter, wagers_a_round)
    marks = iter([*looks, None])
    mark = next(marks)
    shown = []
    hits = []
    for occasion in occasions:
        played = occasion.round - first
        while mark is not None and mark <= played:
            shown.append(folder.advance(mark).displayed_cents)
            mark = next(marks)
        # The round's own wagers are in what is displayed when the hit is called (G-4).
        before = folder.advance(played + 1)
        hits.append(folder.pay(terms, wager, occasion, before))
    while mark is not None:
        shown.append(folder.advance(mark).displayed_cents)
        mark = next(marks)
    state = folder.advance(rounds)
    return Fold(meter, rounds, wagers_a_round, tuple(hits), state, folder.accounts, tuple(shown))


class _Folder:
    """A meter on its way through the rounds."""

    def __init__(self, terms: MeterTerms, wagers_a_round: int) -> None:
        self._terms = terms
        self._wagers = wagers_a_round
        self._rounds = 0
        self.accounts = dict.fromkeys(Account, 0)
        self._state = self._done(open_meter(terms))

    def _done(self, change: Change) -> MeterState:
        for transfer in change.transfers:
            self.accounts[transfer.payer] -= transfer.units
            self.accounts[transfer.payee] += transfer.units
        self._state = change.state
        return self._state

    def advance(self, rounds: int) -> MeterState:
        """Count the wagers of all rounds up to this number."""
        if rounds < self._rounds:
            raise ValueError(f"round {rounds} comes after round {self._rounds}: occasions and looks must rise")
        if rounds > self._rounds:
            self._done(contribute(self._state, self._terms, (rounds - self._rounds) * self._wagers))
            self._rounds = rounds
        return self._state

    def pay(self, terms: Terms, wager: str, occasion: Occasion, before: MeterState) -> Hit:
        """Pay an occasion from the meter as it stands."""
        prizes = pay_from_meter(
            terms,
            wager,
            [(level.share, level.winners) for level in occasion.levels],
            fixed_cents=occasion.fixed_cents,
            meter_cents=before.displayed_cents,
        )
        change = hit(before, self._terms, prizes.payment, top=occasion.top)
        self._done(change)
        moved = balances(change.transfers)
        assert moved[Account.WINNERS] == units_of(prizes.payment.from_fund_cents + prizes.payment.from_house_cents)
        return Hit(
            occasion,
            before,
            prizes.each_cents,
            prizes.payment,
            -moved[Account.RESERVE],
            -moved[Account.OVERFLOW],
            -moved[Account.SEED],
        )
