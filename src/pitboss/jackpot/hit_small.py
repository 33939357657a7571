"""Small prizes, paid from the tray with one command: called and handed over in the same breath, and journalled."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pitboss import law
from pitboss.books import LEDGER, BookState, Movement, Payload, RefusedError, Transfer, movement_of
from pitboss.jackpot.definitions import Jackpot
from pitboss.jackpot.hit_amounts import called_prizes, claim_problems, envy_cents, needs_wager
from pitboss.jackpot.hit_calls import Decide, refuse, round_of, seat_problems
from pitboss.jackpot.hit_handling import Today
from pitboss.jackpot.hit_steps import person_problems
from pitboss.jackpot.hit_values import Claim, Person, Won
from pitboss.jackpot.life import record_of
from pitboss.jackpot.thresholds import prize_demands
from pitboss.meters import hit as meter_hit
from pitboss.meters import units_of
from pitboss.rules import JackpotPayment, dollars

__all__ = ["envy_paid", "small_paid"]


def small_paid(name: str, table: str, claim: Claim, by: Person, round_number: int | None, today: Today) -> Decide:
    """Pay a small fixed prize: a seat and a row, below the amount the operator set."""

    def decide(state: BookState) -> list[Payload]:
        jackpot = record_of(state, name).jackpot
        problems = [*person_problems("tray", by), *claim_problems(jackpot, table, [claim])]
        found = round_of(state, table, round_number, problems)
        if found is not None:
            problems += seat_problems(state, table, found, name, [claim.seat])
        refuse(problems)
        assert found is not None
        prize = jackpot.offer_at(table).prize(claim.row)
        if prize is not None and prize.share is not None:
            refuse([f"{claim.row} is a percentage of the meter: call it (G-4)"])
        before = state.of(LEDGER)[name].meter_state
        called = called_prizes(jackpot, table, [claim], before.displayed_cents, before.displayed_cents)
        refuse(_too_large(state, jackpot, called.won[0], today))
        said = {"step": "tray", "role": by.role, "round": found.round}
        return _paid_at_once(state, jackpot, called.won, called.payment, said)

    return decide


def _too_large(state: BookState, jackpot: Jackpot, won: Won, today: Today) -> list[str]:
    """A prize from the tray is below the operator's amount and demands nothing."""
    problems = []
    if won.cents <= 0:
        problems.append(f"seat {won.seat}: {won.row} pays nothing")
    if won.cents >= jackpot.small_prize_cents:
        limit = dollars(jackpot.small_prize_cents)
        problems.append(f"{won.row} pays {dollars(won.cents)}: only prizes below {limit} are paid so, call it (F-17)")
    return problems + _demanding(state, jackpot, won, today)


def _demanding(state: BookState, jackpot: Jackpot, won: Won, today: Today) -> list[str]:
    try:
        demands = prize_demands(won.cents, jackpot.meter.wager_cents, *today(state))
    except law.NoRuleSetError as error:
        raise RefusedError([str(error)]) from None
    return [f"{dollars(won.cents)} demands {each}: call it ({source})" for each, source in demands.sources.items()]


def _paid_at_once(
    state: BookState, jackpot: Jackpot, won: Sequence[Won], payment: JackpotPayment, said: dict[str, Any]
) -> list[Payload]:
    before = state.of(LEDGER)[jackpot.name].meter_state
    change = meter_hit(before, jackpot.meter, payment, top=False)
    details = {**said, "won": [list(each) for each in won]}
    units = units_of(sum(each.cents for each in won))
    return [
        movement_of("prize-called", jackpot.name, before, change, details=details),
        Movement("prize-paid", jackpot.name, (Transfer("winners", "paid", units),), details=details),
    ]


def envy_paid(
    name: str,
    table: str,
    event: Claim,
    seats: Sequence[int],
    by: Person,
    round_number: int | None,
    today: Today,
) -> Decide:
    """Pay the Envy list of an event: these seats, for the hand of another one."""

    def decide(state: BookState) -> list[Payload]:
        jackpot = record_of(state, name).jackpot
        problems = [*person_problems("envy", by), *claim_problems(jackpot, table, [event])]
        found = round_of(state, table, round_number, problems)
        if found is not None:
            problems += seat_problems(state, table, found, name, seats, event.seat)
            if needs_wager(jackpot, table) and event.seat not in found.seats.get(name, ()):
                problems.append(f"seat {event.seat} had no wager, and only a hand that carries it gives Envy")
            own = [seat for seat in seats if found.one_person(seat, event.seat)]
            problems += [f"seats {seat} and {event.seat} are one person: no Envy by himself (FCP-5)" for seat in own]
        if not seats or event.seat in seats or len(set(seats)) != len(seats):
            problems.append(f"seats {list(seats)!r} must be others than seat {event.seat}, each once")
        refuse(problems)
        assert found is not None
        cents = envy_cents(jackpot, table, event.row)
        if not cents:
            refuse([f"{event.row} gives no Envy prize"])
        assert cents is not None
        won = tuple(Won(seat, event.row, cents) for seat in seats)
        refuse(_demanding(state, jackpot, won[0], today))
        said = {"step": "envy", "role": by.role, "round": found.round, "of_seat": event.seat}
        return _paid_at_once(state, jackpot, won, JackpotPayment(0, cents * len(won), 0), said)

    return decide
