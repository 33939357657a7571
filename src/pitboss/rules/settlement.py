"""From facts to cents, once for all games: prizes, percentage prizes and their sharing, Envy, and who pays.

What a round makes many of is a NamedTuple: a frozen dataclass costs three times as much to make.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, NamedTuple

from pitboss.cards import Card
from pitboss.law import Citation
from pitboss.rules.facts import Hands
from pitboss.rules.game import Game
from pitboss.rules.limits import AggregateLimit, limited_prizes
from pitboss.rules.money import dollars, share_equally, times
from pitboss.rules.outcomes import Outcome, paid, row_words
from pitboss.rules.pays import Dollars, ForOne, OfMeter, Posted, ToOne
from pitboss.rules.reasons import Reason
from pitboss.rules.terms import Terms
from pitboss.rules.wagers import Wager

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


class SettledLine(NamedTuple):
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

    lines: Mapping[int, Mapping[str, SettledLine]]
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


class MeterPrizes(NamedTuple):
    """The cents that each winner of every level gets, and from where a jackpot's prizes of this round come."""

    each_cents: tuple[int, ...]
    payment: JackpotPayment


def pay_from_meter(
    terms: Terms, wager: str, levels: Sequence[tuple[OfMeter, int]], *, fixed_cents: int, meter_cents: int
) -> MeterPrizes:
    """Pay the levels that were hit, each a share of the meter with its number of winners.

    `fixed_cents` are the fixed prizes of the round, which concern the meter only where the operator deducts them (G-5).
    What the fund cannot cover, the house covers, and a Bonus prize is all the house's (G-4). A posted amount is a
    dollar prize, which is never divided (G-20).
    """
    deducted = fixed_cents if wager in terms.fixed_from_meter else 0
    progressive = terms.jackpot_type == "progressive"
    divided = progressive or terms.bonus_sharing == "split"
    total = odd = 0
    every = []
    for share, winners in levels:
        prize = times(share.share, meter_cents)
        is_divided = divided and not isinstance(share, Posted)
        prize_each, rest = share_equally(prize, winners) if is_divided else (prize, 0)
        every.append(prize_each)
        odd += rest
        total += prize_each * winners
    if not progressive:
        return MeterPrizes(tuple(every), JackpotPayment(0, total, odd))
    due = total + deducted
    from_fund = min(due, meter_cents)
    return MeterPrizes(tuple(every), JackpotPayment(from_fund, due - from_fund, odd))


_LINES_REMEMBERED = 8192


class Settler:
    """Settles rounds of one game under one set of terms, remembering outcomes and lines it has seen."""

    def __init__(self, game: Game, terms: Terms) -> None:
        self.game = game
        self.terms = terms
        self._tables = game.tables()
        self._readings = game.reading_codes(terms)
        self._outcomes: dict[tuple[str, tuple[int, ...]], Outcome] = {}

    def outcome(self, wager: Wager, seat: FinishedSeat, board: tuple[int, ...]) -> Outcome:
        """Read the facts of a wager and settle them."""
        return self._outcome(wager, wager.read(self._hands(seat, board), self._tables))

    def _hands(self, seat: FinishedSeat, board: tuple[int, ...]) -> Hands:
        return Hands(seat.cards, board, seat.choices, self._readings)

    def _outcome(self, wager: Wager, facts: tuple[int, ...]) -> Outcome:
        key = (wager.name, facts)
        outcome = self._outcomes.get(key)
        if outcome is None:
            outcome = self._outcomes[key] = wager.settle(facts, self.terms)
        return outcome

    @lru_cache(maxsize=_LINES_REMEMBERED)  # noqa: B019 - bounded, and a settler is small
    def _settled(self, name: str, facts: tuple[int, ...], cents: int) -> tuple[Outcome, SettledLine]:
        wager = self.game.by_name[name]
        outcome = self._outcome(wager, facts)
        return outcome, line_of(wager, outcome, cents)

    def settle(self, finished: FinishedRound, meters: Mapping[str, int]) -> Settlement:
        """Settle a round; `meters` holds the displayed amount of each jackpot in cents.

        Bonus and jackpot wagers of a folded or surrendered hand are settled on the same cards (G-10).
        """
        outcomes: dict[int, dict[str, Outcome]] = {}
        lines: dict[int, dict[str, SettledLine]] = {}
        wagered: set[str] = set()
        for seat in finished.seats:
            seat_outcomes = outcomes[seat.number] = {}
            seat_lines = lines[seat.number] = {}
            hands = self._hands(seat, finished.board)
            for name, cents in seat.wagers.items():
                facts = self.game.by_name[name].read(hands, self._tables)
                seat_outcomes[name], seat_lines[name] = self._settled(name, facts, cents)
            wagered.update(seat.wagers)
        for name, limit in self.terms.aggregate_limits.items():
            if name in wagered:
                self._limit(name, limit, finished, outcomes, lines)
        jackpots: dict[str, JackpotPayment] = {}
        for wager in self.game.jackpots:
            if wager.name not in wagered:
                continue
            if wager.envy is not None:
                self._pay_envy(wager, finished, outcomes, lines)
            payment = self._pay_meter(wager, outcomes, lines, meters)
            if payment is not None:
                jackpots[wager.name] = payment
        return Settlement(lines, jackpots)

    def _limit(
        self,
        name: str,
        limit: AggregateLimit,
        finished: FinishedRound,
        outcomes: Mapping[int, Mapping[str, Outcome]],
        lines: dict[int, dict[str, SettledLine]],
    ) -> None:
        """Reduce the prizes of one wager to its aggregate limit, chip by chip (G-65)."""
        seats = [seat for seat in finished.seats if name in seat.wagers]
        prizes = [prizes_of(outcomes[seat.number][name], lines[seat.number][name]) for seat in seats]
        players = [
            seat.number if seat.person is None else seat.person
            for seat, chips in zip(seats, prizes, strict=True)
            for _ in chips
        ]
        reduced = iter(limited_prizes(limit, [cents for chips in prizes for cents in chips], players))
        clause = self.game.clauses.get(self.game.approval.aggregate_limits) or self.game.by_name[name].clause
        for seat, chips in zip(seats, prizes, strict=True):
            paid_now = tuple(next(reduced) for _ in chips)
            if paid_now != chips:
                line = lines[seat.number][name]
                lines[seat.number][name] = _with_less(line, chips, paid_now, _why_limit(limit, clause, chips, paid_now))

    def settle_rows(self, name: str, rows: Mapping[int, str], stake_cents: int, meter_cents: int) -> Settlement:
        """Settle rows of a jackpot as they are called, seat to row as printed, before any card is entered (G-4).

        Envy is left to the cards, since other hands trigger it.
        """
        wager = self.game.by_name[name]
        table = self.terms.tables[wager.slots[0].name]
        outcomes: dict[int, dict[str, Outcome]] = {}
        lines: dict[int, dict[str, SettledLine]] = {}
        for seat, event in rows.items():
            row = table.row(event)
            if row is None:
                events = ", ".join(table_row.event for table_row in table.rows)
                raise ValueError(f"{table.id} has no row {event!r}; it has: {events}")
            why = (Reason(table.source, row_words(table, row)),)
            outcome = Outcome((paid(wager.parts[0].name, 1, row.pay),), row.event, table.id, why, row.envy)
            outcomes[seat], lines[seat] = {name: outcome}, {name: line_of(wager, outcome, stake_cents)}
        payment = self._pay_meter(wager, outcomes, lines, {name: meter_cents})
        return Settlement(lines, {} if payment is None else {name: payment})

    def _pay_meter(
        self,
        wager: Wager,
        outcomes: Mapping[int, Mapping[str, Outcome]],
        lines: dict[int, dict[str, SettledLine]],
        meters: Mapping[str, int],
    ) -> JackpotPayment | None:
        """Pay the percentage prizes of one jackpot (G-4), and say from where all its prizes come (G-5)."""
        levels = _levels(wager, outcomes, self.terms.tables[wager.slots[0].name].source)
        deducts = wager.name in self.terms.fixed_from_meter
        fixed = sum(lines[seat][wager.name].paid_cents for seat in lines if wager.name in lines[seat])
        if not levels and not (deducts and fixed):
            return None
        # A Bonus jackpot that pays no percentage needs no meter.
        displayed_cents = meters[wager.name] if levels or self.terms.jackpot_type == "progressive" else 0
        hit = [(level.share, len(level.seats)) for level in levels]
        prizes = pay_from_meter(self.terms, wager.name, hit, fixed_cents=fixed, meter_cents=displayed_cents)
        for level, prize_each in zip(levels, prizes.each_cents, strict=True):
            why = self._why_share(level, displayed_cents, prize_each)
            for seat in level.seats:
                lines[seat][wager.name] = _with_meter_prize(lines[seat][wager.name], prize_each, why)
        return prizes.payment

    def _why_share(self, level: _Level, meter_cents: int, prize_each: int) -> Reason:
        prize = times(level.share.share, meter_cents)
        words = f"{level.share} displayed at {dollars(meter_cents)} is {dollars(prize)}"
        if isinstance(level.share, Posted):
            words = f"Posted amount is {dollars(prize)}"
        if len(level.seats) > 1:
            seats = f"seats {', '.join(map(str, level.seats))}"
            words += (
                f", paid in full to each of {seats}"
                if prize_each == prize
                else f", shared by {seats}: {dollars(prize_each)} each"
            )
        return Reason(level.clause, words, "G-4")

    def _pay_envy(
        self,
        wager: Wager,
        finished: FinishedRound,
        outcomes: Mapping[int, Mapping[str, Outcome]],
        lines: dict[int, dict[str, SettledLine]],
    ) -> None:
        """Pay each participant one Envy prize for every other player's event (FCP-5)."""
        rule = wager.envy
        assert rule is not None
        any_hand = self.terms.readings[rule.switch] == rule.any_hand
        triggers = []
        for seat in finished.seats:
            outcome = outcomes[seat.number].get(wager.name)
            if outcome is None and any_hand:
                outcome = self.outcome(wager, seat, finished.board)
            if outcome is not None and outcome.envy is not None:
                triggers.append((seat, outcome))
        for seat in finished.seats:
            if wager.name not in seat.wagers:
                continue
            for other, outcome in triggers:
                if other.number == seat.number or (seat.person is not None and other.person == seat.person):
                    continue
                cents = prize_cents(wager, outcome.envy, seat.wagers[wager.name])
                words = f"Envy: seat {other.number} has {outcome.event}, {dollars(cents)}"
                line = lines[seat.number][wager.name]
                lines[seat.number][wager.name] = line._replace(
                    paid_cents=line.paid_cents + cents,
                    envy_cents=line.envy_cents + cents,
                    reasons=(*line.reasons, Reason(rule.clause, words, rule.ruling)),
                )


@dataclass(frozen=True, slots=True)
class _Level:
    """One printed percentage row that was hit, and the seats that hit it."""

    share: OfMeter
    clause: Citation
    seats: tuple[int, ...]


def _levels(wager: Wager, outcomes: Mapping[int, Mapping[str, Outcome]], clause: Citation) -> list[_Level]:
    levels: dict[str, _Level] = {}
    for seat, by_wager in outcomes.items():
        outcome = by_wager.get(wager.name)
        share = None if outcome is None else outcome.meter_share
        if outcome is None or share is None or outcome.event is None:
            continue
        level = levels.get(outcome.event) or _Level(share, clause, ())
        levels[outcome.event] = replace(level, seats=(*level.seats, seat))
    return list(levels.values())


def prize_cents(wager: Wager, pay: Any, stake_cents: int) -> int:
    """Return what a cell pays on a stake, apart from a share of the meter (G-3, G-7)."""
    match pay:
        case ToOne(factor) | ForOne(factor):
            return times(factor, stake_cents)
        case Dollars(cents):
            return cents * stake_cents // 100 if wager.dollars_scale else cents
        case _:
            # A percentage is paid when all winners of its level are known.
            return 0


def line_of(wager: Wager, outcome: Outcome, base_cents: int) -> SettledLine:
    """Turn an outcome into cents, any share of a meter left out."""
    parts, event, paytable, reasons, _ = outcome
    chips = []
    staked_all = paid_all = 0
    for name, multiple, returned, prizes in parts:
        stake = multiple * base_cents
        back = stake if returned else 0
        for prize in prizes:
            back += prize_cents(wager, prize, stake)
        chips.append(Chip(name, stake, back))
        staked_all += stake
        paid_all += back
    if wager.dollars_scale and base_cents != _DOLLAR_CENTS:
        reasons = (*reasons, *_why_scaled(wager, outcome, base_cents))
    return SettledLine(wager.name, staked_all, paid_all, event, paytable, reasons, tuple(chips))


_DOLLAR_CENTS = 100


def _why_scaled(wager: Wager, outcome: Outcome, stake_cents: int) -> Iterator[Reason]:
    """Say what a dollar prize comes to on a wager of another amount than the one it is printed for (G-7)."""
    for prize in (prize for part in outcome.parts for prize in part.prizes if isinstance(prize, Dollars)):
        cents = prize_cents(wager, prize, stake_cents)
        words = f"Prizes are printed for $1: on {dollars(stake_cents)} it is {dollars(cents)}"
        yield Reason(wager.clause, words, "G-7")


def prizes_of(outcome: Outcome, line: SettledLine) -> tuple[int, ...]:
    """Return what each chip of a line wins beside its stake, where that comes back."""
    return tuple(
        chip.paid_cents - (chip.staked_cents if part.returned else 0)
        for part, chip in zip(outcome.parts, line.chips, strict=True)
    )


def _why_limit(limit: AggregateLimit, clause: Citation, prizes: Sequence[int], reduced: Sequence[int]) -> Reason:
    amounts = " and ".join(f"{dollars(cents)} {whose}" for whose, cents in limit.stated)
    words = (
        f"Prizes of one deal are limited to {amounts}: paid in proportion, "
        f"{dollars(sum(reduced))} instead of {dollars(sum(prizes))}"
    )
    return Reason(clause, words, "G-65")


def _with_less(line: SettledLine, prizes: Sequence[int], reduced: Sequence[int], reason: Reason) -> SettledLine:
    chips = tuple(
        chip._replace(paid_cents=chip.paid_cents - prize + less)
        for chip, prize, less in zip(line.chips, prizes, reduced, strict=True)
    )
    return line._replace(
        paid_cents=line.paid_cents - sum(prizes) + sum(reduced), chips=chips, reasons=(*line.reasons, reason)
    )


def _with_meter_prize(line: SettledLine, cents: int, reason: Reason) -> SettledLine:
    (chip,) = line.chips
    return line._replace(
        paid_cents=line.paid_cents + cents,
        chips=(chip._replace(paid_cents=chip.paid_cents + cents),),
        reasons=(*line.reasons, reason),
    )


def settle_round(game: Game, terms: Terms, finished: FinishedRound, meters: Mapping[str, int]) -> Settlement:
    """Settle one round."""
    return Settler(game, terms).settle(finished, meters)


def void_round(staked: Mapping[int, Mapping[str, Mapping[str, int]]], reason: Reason) -> Settlement:
    """Return every chip of a void round (G-11): `staked` is seat to wager to chip to cents."""
    lines = {
        seat: {
            wager: SettledLine(
                wager,
                sum(chips.values()),
                sum(chips.values()),
                None,
                None,
                (reason,),
                tuple(Chip(part, cents, cents) for part, cents in chips.items()),
            )
            for wager, chips in wagers.items()
        }
        for seat, wagers in staked.items()
    }
    return Settlement(lines, {})
