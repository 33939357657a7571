"""Calls, corrections and rejections: what moves the meter, from the state that all entries before have left."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from pitboss.books import LEDGER, BookState, Movement, Payload, RefusedError, movement_of
from pitboss.jackpot.definitions import Jackpot
from pitboss.jackpot.hits.amounts import Called, called_prizes, claim_problems
from pitboss.jackpot.hits.entries import HitCorrected
from pitboss.jackpot.hits.state import HITS, Claimed
from pitboss.jackpot.hits.values import Claim, Hit, Person
from pitboss.jackpot.hits.workflow import approval_problems, person_problems, step_problems
from pitboss.jackpot.lifecycle import record_of
from pitboss.jackpot.state import JACKPOTS, TabulatedRound
from pitboss.meters import (
    Account,
    Change,
    DecreaseReason,
    MeterState,
    MeterTransfer,
    cents_shown,
    reject_hit,
)
from pitboss.meters import (
    hit as meter_hit,
)

Decide = Callable[[BookState], Sequence[Payload]]


def refuse(problems: Iterable[str]) -> None:
    """Refuse with all problems at once, or do nothing where there are none."""
    found = list(problems)
    if found:
        raise RefusedError(found)


def open_hit(state: BookState, number: int) -> Hit:
    """Find a hit that is not finished, or refuse."""
    found = state.of(HITS).open
    if number not in found:
        told = ", ".join(map(str, found)) or "none"
        raise RefusedError([f"there is no open hit {number!r}; open are: {told}"])
    return found[number]


def round_of(state: BookState, table: str, round_number: int | None, problems: list[str]) -> TabulatedRound | None:
    """Find the round that is meant, the last one of the table where none is named."""
    kept = state.of(JACKPOTS).rounds.get(table, ())
    found = next((each for each in reversed(kept) if round_number in (None, each.round)), None)
    if found is None:
        told = ", ".join(str(each.round) for each in kept) or "none"
        asked = "" if round_number is None else f" {round_number}"
        problems.append(
            f"round{asked} of table {table} cannot be called any more, or never was: there are {told} (G-4)"
        )
    elif found.voided:
        problems.append(f"round {found.round} of table {table} is void: its wagers go back (G-11)")
    return found


def seat_problems(
    state: BookState, table: str, found: TabulatedRound, jackpot: str, seats: Iterable[int], of_seat: int = 0
) -> list[str]:
    """Say which seats had no wager counted in a round, or have a prize of it already."""
    claimed = state.of(HITS).claimed.get(table, ())
    problems = []
    for seat in seats:
        if seat not in found.seats.get(jackpot, ()):
            problems.append(f"seat {seat} had no wager of {jackpot} counted in round {found.round} (E-02)")
        if Claimed(found.round, jackpot, seat, of_seat) in claimed:
            problems.append(f"seat {seat} has a prize of round {found.round} already (G-2)")
    return problems


def _meter_of(state: BookState, jackpot: str, table: str, found: TabulatedRound) -> tuple[int, bool, int]:
    """The cents that percentages are of, whether the call is late, and the last entry that counts for them (G-4).

    Called after the next press, it is the meter as it stood at that press; but whoever called meanwhile comes first,
    and the meter may since show less. A Bonus is played under the amount shown at its own press, whatever is posted
    since (E-07).
    """
    accounts = state.of(LEDGER)[jackpot]
    shown = accounts.meter_state.displayed_cents
    later = [each for each in state.of(JACKPOTS).rounds[table] if each.round > found.round]
    if not accounts.is_progressive:
        return found.shown_cents(jackpot), bool(later), found.sequence
    if not later:
        return shown, False, state.sequence
    stood = later[0].shown_before.get(jackpot)
    then = shown if stood is None else cents_shown(stood)
    passed = any(call > later[0].sequence for call in state.of(HITS).fund_calls.get(jackpot, ()))
    if stood is None or (passed and shown < then):
        return shown, True, state.sequence
    return then, True, later[0].sequence - 1


def called(name: str, table: str, claims: Sequence[Claim], by: Person, round_number: int | None, words: str) -> Decide:
    """Call prizes of a round: the amount is frozen and the meter reseeded at once (F-04, T-17)."""

    def decide(state: BookState) -> list[Payload]:
        jackpot = record_of(state, name).jackpot
        problems = [*person_problems("call", by), *claim_problems(jackpot, table, claims)]
        found = round_of(state, table, round_number, problems)
        if found is not None:
            problems += seat_problems(state, table, found, name, [claim.seat for claim in claims])
            problems += _second_call(state, jackpot, table, found, claims)
        refuse(problems)
        assert found is not None
        base, late, counted = _meter_of(state, name, table, found)
        if late and not words.strip():
            refuse([f"round {found.round} is called after the next press: state the reason in words (G-4)"])
        before = state.of(LEDGER)[name].meter_state
        prizes = called_prizes(jackpot, table, claims, base, before.displayed_cents)
        said = {"step": "call", "role": by.role, "round": found.round, "late": late}
        said |= {"meter_cents": base, "meter_entry": counted}
        return [_call(jackpot, table, before, prizes, said, words)]

    return decide


def _second_call(
    state: BookState, jackpot: Jackpot, table: str, found: TabulatedRound, claims: Sequence[Claim]
) -> list[str]:
    """A second percentage of one round belongs to the first call, whose meter it is of, or whose prize it shares."""
    if jackpot.linked(table) is None:
        return []
    levels = {prize.event for prize in jackpot.offer_at(table).levels}
    if not any(claim.row in levels for claim in claims):
        return []
    return [
        f"round {found.round} of table {table} has hit {each.number} already: correct it to add a seat (G-4)"
        for each in state.of(HITS).open.values()
        if (each.table, each.round, each.jackpot) == (table, found.round, jackpot.name)
        and not each.handed
        and any(won.row in levels for won in each.won)
    ]


def _call(
    jackpot: Jackpot, table: str, before: MeterState, prizes: Called, said: Mapping[str, Any], words: str
) -> Movement:
    nothing = [won for won in prizes.won if won.cents <= 0]
    refuse(f"seat {won.seat}: {won.row} pays nothing" for won in nothing)
    change = meter_hit(before, jackpot.meter, prizes.payment, top=prizes.top)
    offer = jackpot.offer_at(table)
    details = {
        **said,
        "game": offer.game,
        "wager": offer.wager,
        "paytable": offer.paytable,
        "wager_cents": jackpot.meter.wager_cents,
        "won": [list(won) for won in prizes.won],
    }
    return movement_of("prize-called", jackpot.name, before, change, words=words, details=details)


def _undo(state: BookState, hit: Hit, jackpot: Jackpot) -> tuple[MeterState, Change]:
    before = state.of(LEDGER)[hit.jackpot].meter_state
    transfers = tuple(
        MeterTransfer(
            payer=Account(payer),
            payee=Account(payee),
            units=units,
            words=words or "called",
            reason=None if reason is None else DecreaseReason(reason),
        )
        for payer, payee, units, reason, words in hit.transfers
    )
    return before, reject_hit(before, jackpot.meter, transfers)


def _rejection(
    hit: Hit, step: str, undone: tuple[MeterState, Change], by: Person, approver: Person, words: str
) -> Movement:
    details = {"step": step, "hit": hit.number, "role": by.role, "approved_role": approver.role}
    before, back = undone
    return movement_of(
        "prize-rejected", hit.jackpot, before, back, words=words, approved_by=approver.name, details=details
    )


def rejected(number: int, by: Person, approver: Person, words: str) -> Decide:
    """Reject a call: the frozen amount returns with all contributions since, and the seed goes back."""

    def decide(state: BookState) -> list[Payload]:
        hit = open_hit(state, number)
        refuse([*step_problems(hit, "reject", by), *approval_problems(by, approver, words, hit)])
        undone = _undo(state, hit, record_of(state, hit.jackpot).jackpot)
        return [_rejection(hit, "reject", undone, by, approver, words)]

    return decide


def corrected(number: int, claims: Sequence[Claim], by: Person, approver: Person, words: str) -> Decide:
    """Correct a call before it is paid: another seat, another row, or a second winner of the round (G-4).

    Where only seats change, no money moves. Else the call is taken back and made anew in one command, on the amount
    that was frozen first.
    """

    def decide(state: BookState) -> list[Payload]:
        hit = open_hit(state, number)
        jackpot = record_of(state, hit.jackpot).jackpot
        problems = [*step_problems(hit, "correct", by), *approval_problems(by, approver, words, hit)]
        problems += claim_problems(jackpot, hit.table, claims)
        problems += _seats_of_correction(state, hit, claims)
        if list(claims) == [Claim(won.seat, won.row) for won in hit.won]:
            problems.append(f"this is what was called as hit {number}")
        refuse(problems)
        if Counter(claim.row for claim in claims) == Counter(won.row for won in hit.won):
            return [_seats_corrected(hit, claims, by, approver, words)]
        before, back = _undo(state, hit, jackpot)
        prizes = called_prizes(jackpot, hit.table, claims, hit.meter_cents, back.state.displayed_cents)
        said = {"step": "recall", "hit": number, "role": by.role, "round": hit.round, "meter_cents": hit.meter_cents}
        undone = _rejection(hit, "correct", (before, back), by, approver, words)
        return [undone, _call(jackpot, hit.table, back.state, prizes, {**said, "late": hit.late}, words)]

    return decide


def _seats_of_correction(state: BookState, hit: Hit, claims: Sequence[Claim]) -> list[str]:
    """Ask the round where the books still have it; else the wager lights are asked again when it is verified."""
    kept = state.of(JACKPOTS).rounds.get(hit.table, ())
    found = next((each for each in kept if each.round == hit.round), None)
    own = {won.seat for won in hit.won}
    seats = [claim.seat for claim in claims if claim.seat not in own]
    return [] if found is None else seat_problems(state, hit.table, found, hit.jackpot, seats)


def _seats_corrected(hit: Hit, claims: Sequence[Claim], by: Person, approver: Person, words: str) -> HitCorrected:
    left = list(claims)
    ordered = []
    for won in hit.won:
        claim = next(each for each in left if each.row == won.row)
        left.remove(claim)
        ordered.append(claim)
    return HitCorrected(
        hit=hit.number,
        role=by.role,
        claims=tuple(ordered),
        approved_by=approver.name,
        approved_role=approver.role,
        words=words,
    )
