"""Meters over simulated rounds: contributions between hits, prizes as the settlement shares them, reseeds, in order.

A block is simulated without meters and says only where one pays. Here those places are folded over a meter by
`meters`, so that years of rounds cost no more than their hits; and the same hits are folded again under other terms.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from pitboss import meters
from pitboss.meters import Account, MeterState, MeterTerms
from pitboss.rules import JackpotPayment, MeterPrizes, Terms, pay_array, pay_from_meter
from pitboss.rules.pays import OfMeter
from pitboss.simulate.playing import make_ready
from pitboss.simulate.running import BlockResult, RoundTally
from pitboss.simulate.setup import BLOCK_ROUNDS, Setup

# What is assumed of a progressive whose contribution nobody states; every forecast says so.
ASSUMED_RATE, ASSUMED_RESERVE_RATE = Fraction("0.173"), Fraction("0.05")


class PrizeLevel(NamedTuple):
    """One printed percentage row that was hit in a round, and how many seats hit it."""

    event: str
    share: OfMeter
    winners: int


class Occasion(NamedTuple):
    """A round, counted from the first of block 0, in which a meter pays: its levels and its fixed prizes with Envy."""

    round: int
    levels: tuple[PrizeLevel, ...]
    fixed_cents: int

    @property
    def top(self) -> bool:
        """True if the whole meter is won, which reseeds it."""
        return any(level.share.share == 1 for level in self.levels)


class MeterHit(NamedTuple):
    """An occasion as it was paid: each winner's cents by level, who paid, and what reseeded the meter.

    `displayed_units` has this round's own wagers in it (G-4); `lacked_units` is what reserve and overflow did not have
    of the reseed, which the house lent.
    """

    occasion: Occasion
    displayed_units: int
    each_cents: tuple[int, ...]
    payment: JackpotPayment
    from_reserve_units: int
    from_overflow_units: int
    lacked_units: int

    @property
    def displayed_cents(self) -> int:
        """What the display showed when the hit was called."""
        return meters.cents_shown(self.displayed_units)

    @property
    def percentage_cents(self) -> int:
        """What the percentage prizes come to."""
        pairs = zip(self.occasion.levels, self.each_cents, strict=True)
        return sum(level.winners * prize for level, prize in pairs)


@dataclass(frozen=True, slots=True)
class Fold:
    """A meter after its rounds: its hits, where it ended, what every account moved since it opened, what was looked at.

    The accounts sum to zero and explain the state. `shown_cents` is what was displayed after each number of rounds
    that was asked for.
    """

    terms: MeterTerms
    rounds: int
    wagers_a_round: int
    hits: tuple[MeterHit, ...]
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
    occasions: dict[str, dict[int, Occasion]] = {ready.game.wagers[place].name: {} for place in outcomes}
    for result in results:
        for number, seat, place, code in result.watched.tolist():
            by_round = occasions[ready.game.wagers[place].name]
            at = result.block * BLOCK_ROUNDS + number
            occasion = by_round.get(at) or Occasion(at, (), 0)
            outcome = outcomes[place][code]
            levels = occasion.levels
            # As in the settlement, a level is a printed row: two rows of one percentage are two levels (G-4).
            if outcome.meter_share is not None and outcome.event is not None:
                levels = _one_more(levels, outcome.event, outcome.meter_share)
            cents = int(fixed[seat, ready.begins[place] + code])
            by_round[at] = Occasion(at, levels, occasion.fixed_cents + cents)
    return {name: tuple(by_round[at] for at in sorted(by_round)) for name, by_round in occasions.items()}


def _one_more(levels: tuple[PrizeLevel, ...], event: str, share: OfMeter) -> tuple[PrizeLevel, ...]:
    if all(level.event != event for level in levels):
        return (*levels, PrizeLevel(event, share, 1))
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
    folder = _Folder(terms, wager, meter, wagers_a_round, first)
    marks = iter([*looks, None])
    mark = next(marks)
    displayed = []
    for occasion in occasions:
        while mark is not None and mark <= occasion.round - first:
            displayed.append(folder.advance(mark).displayed_cents)
            mark = next(marks)
        folder.meet(occasion)
    while mark is not None:
        displayed.append(folder.advance(mark).displayed_cents)
        mark = next(marks)
    state = folder.advance(rounds)
    return Fold(meter, rounds, wagers_a_round, tuple(folder.hits), state, folder.accounts, tuple(displayed))


class _Folder:
    """A meter on its way through the rounds; prizes that reseed nothing wait to be paid in turn, together."""

    def __init__(self, terms: Terms, wager: str, meter: MeterTerms, wagers_a_round: int, first: int) -> None:
        self._terms = terms
        self._wager = wager
        self._meter = meter
        self._wagers = wagers_a_round
        self._first = first
        self._rounds = 0
        self._waiting: list[Occasion] = []
        self.hits: list[MeterHit] = []
        self.accounts = dict.fromkeys(Account, 0)
        self._state = self._done(meters.open_meter(meter))

    def _done(self, change: meters.MeterChange) -> MeterState:
        for transfer in change.transfers:
            self.accounts[transfer.payer] -= transfer.units
            self.accounts[transfer.payee] += transfer.units
        self._state = change.state
        return self._state

    def advance(self, rounds: int) -> MeterState:
        """Pay what waits, and count the wagers of all rounds up to this number."""
        self._pay_waiting()
        wagers = self._wagers_until(rounds)
        if wagers:
            self._done(meters.contribute(self._state, self._meter, wagers))
        return self._state

    def meet(self, occasion: Occasion) -> None:
        """Pay an occasion, at once or together with others."""
        if self._meter.is_progressive and not occasion.top:
            self._waiting.append(occasion)
            return
        # The round's own wagers are in what is displayed when the hit is called (G-4).
        before = self.advance(occasion.round - self._first + 1)
        prizes = self._prizes(occasion, before.displayed_cents)
        change = meters.hit(before, self._meter, prizes.payment, top=occasion.top)
        self._done(change)
        moved = meters.balances(change.transfers)
        reseeded = (-moved[Account.RESERVE], -moved[Account.OVERFLOW], -moved[Account.SEED])
        self.hits.append(MeterHit(occasion, before.displayed_units, prizes.each_cents, prizes.payment, *reseeded))

    def _prizes(self, occasion: Occasion, meter_cents: int) -> MeterPrizes:
        levels = [(level.share, level.winners) for level in occasion.levels]
        fixed = occasion.fixed_cents
        return pay_from_meter(self._terms, self._wager, levels, fixed_cents=fixed, meter_cents=meter_cents)

    def _wagers_until(self, rounds: int) -> int:
        if rounds < self._rounds:
            raise ValueError(f"round {rounds} comes after round {self._rounds}: occasions and looks must rise")
        wagers = (rounds - self._rounds) * self._wagers
        self._rounds = rounds
        return wagers

    def _pay_waiting(self) -> None:
        waiting, self._waiting = self._waiting, []
        if not waiting:
            return
        wagers = [self._wagers_until(occasion.round - self._first + 1) for occasion in waiting]
        every: list[MeterPrizes] = []

        def payment(turn: int, shown_cents: int) -> JackpotPayment:
            every.append(self._prizes(waiting[turn], shown_cents))
            return every[-1].payment

        change, turns = meters.pay_in_turn(self._state, self._meter, wagers, payment)
        self._done(change)
        for occasion, turn, prizes in zip(waiting, turns, every, strict=True):
            self.hits.append(MeterHit(occasion, turn.displayed_units, prizes.each_cents, turn.payment, 0, 0, 0))


@dataclass(frozen=True, slots=True)
class JackpotReport:
    """One jackpot after all rounds: its meter, with every hit."""

    wager: str
    fold: Fold

    @property
    def winners(self) -> dict[str, tuple[int, int]]:
        """By row of the table: how many seats won a percentage prize, and what they were paid in all."""
        winners: dict[str, tuple[int, int]] = {}
        for hit in self.fold.hits:
            for level, prize in zip(hit.occasion.levels, hit.each_cents, strict=True):
                seats, cents = winners.get(level.event, (0, 0))
                winners[level.event] = (seats + level.winners, cents + level.winners * prize)
        return winners

    @property
    def from_fund_cents(self) -> int:
        """What the fund paid."""
        return sum(hit.payment.from_fund_cents for hit in self.fold.hits)

    @property
    def from_house_cents(self) -> int:
        """What the house paid: Bonus prizes, or what the fund could not cover (G-4)."""
        return sum(hit.payment.from_house_cents for hit in self.fold.hits)


def usual_meter(terms: Terms, wager: str, opens_cents: int) -> MeterTerms:
    """Return a meter that is reseeded as it opens, a progressive with the rates that forecasts assume (G-28)."""
    progressive = terms.jackpot_type == "progressive"
    return MeterTerms(
        jackpot_type=terms.jackpot_type,
        wager_cents=terms.jackpot_wager_cents.get(wager, 100),
        seed_cents=opens_cents,
        reseed_cents=opens_cents,
        display_rate=ASSUMED_RATE if progressive else Fraction(0),
        reserve_rate=ASSUMED_RESERVE_RATE if progressive else Fraction(0),
        cap_cents=None,
        batch_wagers_max=None,
    )


def fold_tally(tally: RoundTally, terms: Mapping[str, MeterTerms]) -> tuple[JackpotReport, ...]:
    """Fold the meters of these jackpots over the rounds of a tally."""
    all_rounds = BlockResult(0, tally.rounds, None, None, None, tally.watched)
    occasions = find_occasions(tally.setup, [all_rounds])
    return tuple(
        JackpotReport(
            wager,
            fold_meter(
                tally.setup.terms,
                wager,
                terms[wager],
                occasions[wager],
                wagers_a_round=sum(1 for cents in tally.setup.staked_on(wager) if cents),
                rounds=tally.rounds,
            ),
        )
        for wager in occasions
        if wager in terms
    )
