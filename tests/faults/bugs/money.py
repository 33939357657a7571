"""Bugs of meters, prizes and escrow."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from pitboss.books import LEDGER, BookState, LedgerTransfer, Movement
from pitboss.commands import By
from pitboss.jackpot import counting, escrow
from pitboss.jackpot import state as jackpot_state
from pitboss.jackpot.hits import amounts, calls, handling, values, workflow
from pitboss.jackpot.hits import state as hit_state
from pitboss.meters import MeterTerms, play
from pitboss.meters.state import Account, DecreaseReason, MeterState, MeterTransfer, changed, move
from pitboss.room import displays
from tests.faults.bugs.planting import bug, without_invariants


@bug
def contribution_rounded_up(patch: pytest.MonkeyPatch) -> None:
    """What a wager adds is exact: no fraction of a cent is rounded."""
    exact = MeterTerms.__post_init__

    def rounded(self: MeterTerms) -> None:
        exact(self)
        object.__setattr__(self, "display_units", -(-self.display_units // 10_000) * 10_000)

    patch.setattr(MeterTerms, "__post_init__", rounded)
    without_invariants(patch, "jackpot-rates")


@bug
def lying_display(patch: pytest.MonkeyPatch) -> None:
    """A display shows the meter in whole cents, rounded down."""
    shown = displays.shown_at

    def rounding(state: BookState, table: str) -> dict[str, int]:
        ledger = state.of(LEDGER)
        return {name: -(-ledger[name].meter_state.displayed_units // 10_000) for name in shown(state, table)}

    patch.setattr(displays, "shown_at", rounding)


@bug
def overflow_lost(patch: pytest.MonkeyPatch) -> None:
    """What is above the cap of a meter waits in its overflow, and is not the house's."""

    def lossy(displayed: int, above: int, reserve: int, house: int) -> tuple[MeterTransfer, ...]:
        return (
            *move(Account.WAGERS, Account.DISPLAYED, displayed, "display rate of the wagers counted"),
            *move(Account.WAGERS, Account.RESERVE, reserve, "reserve rate of the wagers counted"),
            *move(Account.WAGERS, Account.HOUSE_SHARE, house + above, "rest of the wagers counted"),
        )

    patch.setattr(play, "_contributions", lossy)
    _as_counted(patch)


def _as_counted(patch: pytest.MonkeyPatch) -> None:
    """Have counts go by the arithmetic of meters, whose shortcut is not planted."""

    def count_of(name: str, displayed: int, terms: MeterTerms, wagers: int, details: Any, **reason: Any) -> Movement:
        transfers = tuple(
            LedgerTransfer(t.payer.value, t.payee.value, t.units, None, "")
            for t in play.contributions(displayed, terms, wagers)
        )
        counts = {"wagers_counted": wagers} if wagers else {}
        return Movement("wagers-counted", name, transfers, counts=counts, details=dict(details), **reason)

    patch.setattr("pitboss.jackpot.counting.books.count_of", count_of)


@bug
def odd_cents_lost(patch: pytest.MonkeyPatch) -> None:
    """Odd cents of a shared prize stay on the meter."""
    settled = amounts.called_prizes

    def greedy(jackpot: Any, table: str, claims: Sequence[Any], base: int, shown: int) -> amounts.CalledPrizes:
        prizes = settled(jackpot, table, claims, base, shown)
        odd = prizes.payment.odd_cents
        if not odd or prizes.payment.from_fund_cents + odd > shown:
            return prizes
        first = prizes.won[0]
        won = (first._replace(cents=first.cents + odd), *prizes.won[1:])
        payment = replace(prizes.payment, from_fund_cents=prizes.payment.from_fund_cents + odd, odd_cents=0)
        return prizes._replace(won=won, payment=payment)

    patch.setattr(amounts, "called_prizes", greedy)
    patch.setattr(calls, "called_prizes", greedy)


@bug
def reseed_forgotten(patch: pytest.MonkeyPatch) -> None:
    """A meter that was won is reseeded at once."""
    patch.setattr(play, "_reseed", lambda *_: ())


@bug
def reseeded_by_the_house_first(patch: pytest.MonkeyPatch) -> None:
    """A reserve reseeds before the house does."""
    reseed = play._reseed
    patch.setattr(play, "_reseed", lambda state, terms, rest: reseed(replace(state, reserve_units=0), terms, rest))


@bug
def linked_meter_read_before_it_was_reset(patch: pytest.MonkeyPatch) -> None:
    """Of two winners at linked tables in one instant, the second is paid from what the first has left."""
    meter_of = calls.meter_of

    def early(state: BookState, jackpot: str, table: str, called: Any, stood: Any = None) -> tuple[int, bool, int]:
        base, late, counted = meter_of(state, jackpot, table, called, stood)
        after = called.shown_after.get(jackpot)
        return (base if after is None else after // 10_000), late, counted

    patch.setattr(calls, "meter_of", early)


@bug
def rejection_keeps_the_money(patch: pytest.MonkeyPatch) -> None:
    """What a rejected report has frozen returns to the meter, to the last cent."""
    reject = play.reject_hit

    def keeping(state: MeterState, terms: MeterTerms, called: Any) -> Any:
        change = reject(state, terms, called)
        transfers = tuple(
            replace(t, payee=Account.HOUSE) if t.payee is Account.DISPLAYED and t.units < 10**8 else t
            for t in change.transfers
        )
        if transfers == change.transfers:
            first = change.transfers[0]
            if first.units <= 10_000:
                return change
            transfers = (replace(first, units=first.units - 10_000), *change.transfers[1:])
            transfers += move(first.payer, Account.HOUSE, 10_000, "kept")
        counts = {"hits_rejected": change.state.hits_rejected, "won_rejected_cents": change.state.won_rejected_cents}
        return changed(state, terms, transfers, **counts)

    patch.setattr(calls, "reject_hit", keeping)


@bug
def void_lowers_the_meter(patch: pytest.MonkeyPatch) -> None:
    """The house refunds the wagers of a void round, and the meter stays as it is."""

    def lowering(state: MeterState, terms: MeterTerms, wagers: int) -> Any:
        words = "wagers of a void round refunded"
        units = min(wagers * terms.wager_units, state.displayed_units)
        reason = DecreaseReason.EQUIPMENT_MALFUNCTION
        return changed(state, terms, move(Account.DISPLAYED, Account.PLAYERS, units, words, reason))

    patch.setattr(counting, "refund_void", lowering)


@bug
def correction_counts_twice(patch: pytest.MonkeyPatch) -> None:
    """A wager that was missed is counted once."""
    missed = counting.count_missed

    def twice(state: BookState, name: str, table: str, number: int, seats: Sequence[int], **reason: Any) -> Any:
        [movement] = missed(state, name, table, number, seats, **reason)
        transfers = tuple(each._replace(units=2 * each.units) for each in movement.transfers)
        counts = {key: 2 * value for key, value in movement.counts.items()}
        return [movement._replace(transfers=transfers, counts=counts)]

    patch.setattr(counting, "count_missed", twice)
    without_invariants(patch, "jackpot-rates", "jackpot-counts", "table-counts")


@bug
def prize_paid_twice(patch: pytest.MonkeyPatch) -> None:
    """A prize is handed over once."""
    problems, rule = workflow.handing_problems, workflow.STEPS["pay"]

    def lenient(hit: values.Hit, given: Any, by: By) -> Any:
        return (text for text in problems(hit, given, by) if "already paid" not in text)

    patch.setattr(workflow, "handing_problems", lenient)
    patch.setattr(handling, "handing_problems", lenient)
    patch.setitem(workflow.STEPS, "pay", rule._replace(after=(*rule.after, values.HitState.PAID)))
    without_invariants(patch, "prizes-payable", "not-negative")


@bug
def slip_number_doubled(patch: pytest.MonkeyPatch) -> None:
    """Every slip has the next number, and none is used twice."""
    documented = hit_state._documented

    def forgetful(room: Any, entry: Any, value: Any) -> Any:
        after = documented(room, entry, value)
        return after._replace(slips=room.slips if room.slips == 2 else after.slips)

    patch.setattr(hit_state, "_documented", forgetful)


@bug
def escrow_a_day_too_long(patch: pytest.MonkeyPatch) -> None:
    """Play stops when money of the players is not at the bank after seven days."""
    time = jackpot_state.escrow_time
    late = lambda now: time(now) + 24 * 3600 * 1_000_000  # noqa: E731
    patch.setattr(jackpot_state, "escrow_time", late)
    patch.setattr(escrow, "escrow_time", late)


@bug
def withdrawn_from_the_players(patch: pytest.MonkeyPatch) -> None:
    """What is held for players and owed to winners stays at the bank."""
    patch.setattr(escrow, "_withdrawal_problems", lambda *_: ())


@bug
def small_prize_from_the_meter(patch: pytest.MonkeyPatch) -> None:
    """A fixed prize is the house's to pay where its definition says so."""
    settled = amounts.called_prizes

    def of_meter(jackpot: Any, table: str, claims: Sequence[Any], base: int, shown: int) -> amounts.CalledPrizes:
        prizes = settled(jackpot, table, claims, base, shown)
        paid = prizes.payment.from_house_cents
        payment = replace(prizes.payment, from_fund_cents=prizes.payment.from_fund_cents + paid, from_house_cents=0)
        return prizes._replace(payment=payment)

    patch.setattr(amounts, "called_prizes", of_meter)
    without_invariants(patch, "jackpot-agreement")
