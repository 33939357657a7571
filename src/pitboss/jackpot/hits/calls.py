"""Calls, corrections and rejections: what moves the meter, from the state that all entries before have left."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pitboss.books import LEDGER, BookState, Draft, Movement, movement_of
from pitboss.commands import (
    By,
    Command,
    Count,
    Description,
    Name,
    Now,
    Services,
    Words,
    command,
    is_same_person,
    refuse,
    roles,
)
from pitboss.jackpot import descriptions
from pitboss.jackpot.definitions import Jackpot
from pitboss.jackpot.hits import earlier as earlier_rounds
from pitboss.jackpot.hits.amounts import CalledPrizes, called_prizes, claim_problems
from pitboss.jackpot.hits.state import HITS, Claimed, drafts_about, open_hit
from pitboss.jackpot.hits.values import Claim, Claims, Hit, HitCorrected, Won
from pitboss.jackpot.hits.workflow import STEPS, approval_problems, step_problems
from pitboss.jackpot.state import JACKPOTS, TabulatedRound, record_of
from pitboss.meters import Account, DecreaseReason, MeterChange, MeterState, MeterTransfer, cents_shown, reject_hit
from pitboss.meters import hit as meter_hit
from pitboss.rules import dollars


def round_of(state: BookState, table: str, round_number: int | None, problems: list[str]) -> TabulatedRound | None:
    """Return the round that is meant, the last one of the table where none is named."""
    recent = state.of(JACKPOTS).rounds.get(table, ())
    whole = next((c for c in reversed(recent) if round_number is None or c.holds(round_number)), None)
    meant = None if whole is None else whole.only(whole.round if round_number is None else round_number)
    if whole is not None and meant is None:
        last = whole.round if round_number is None else round_number
        problems.append(
            f"of round {last} of table {table} only totals were entered: nobody knows whose wager lay in it (G-35); "
            "two people name its seats first"
        )
    elif meant is None:
        number = "" if round_number is None else f" {round_number}"
        others = ", ".join(str(counted.round) for counted in recent) or "none"
        problems.append(
            f"round{number} of table {table} cannot be called any more, or never was: there are {others} (G-4)"
        )
    elif meant.voided:
        problems.append(f"round {meant.round} of table {table} is void: its wagers go back (G-11)")
    return meant


MOVED_ON = "A new round has started, so nothing was changed."
"""Why a form is refused whose screen showed a round that is no longer the last one (G-67)."""


def screen_problems(state: BookState, table: str, shown_round: int | None) -> list[str]:
    """Return that a round was counted since a screen was shown, where the command says which round that showed."""
    last = state.of(JACKPOTS).last_round(table)
    is_behind = shown_round is not None and shown_round != (0 if last is None else last.round)
    return [MOVED_ON] if is_behind else []


def added_problems(
    state: BookState, table: str, counted: TabulatedRound, jackpot: str, seats: Iterable[int], by: By
) -> list[str]:
    """Return what speaks against paying seats at the table that one person alone put into the round (G-39)."""
    confirmed, added = state.of(HITS).confirmed.get(table, ()), counted.added_to(jackpot)
    problems = []
    for seat in seats:
        if seat in added and Claimed(counted.round, jackpot, seat) not in confirmed:
            place = f"seat {seat} was added to round {counted.round} by {added[seat]}"
            problems.append(
                f"{place}: surveillance first confirms that the wager lay there before the first card (G-39)"
            )
        elif is_same_person(added.get(seat, ""), by.name):
            problems.append(
                f"{by.name} added seat {seat} to round {counted.round}: another person pays its prize (G-39)"
            )
    return problems


def seat_problems(
    state: BookState, table: str, counted: TabulatedRound, jackpot: str, seats: Iterable[int], of_seat: int = 0
) -> list[str]:
    """Return which seats had no wager counted in a round, or have a prize of it already."""
    claimed = state.of(HITS).claimed.get(table, ())
    problems = []
    for seat in seats:
        if seat not in counted.seats.get(jackpot, ()):
            title = state.of(JACKPOTS).title(jackpot)
            problems.append(f"seat {seat} had no wager of {title} counted in round {counted.round} (E-02)")
        if Claimed(counted.round, jackpot, seat, of_seat) in claimed:
            problems.append(f"seat {seat} has a prize of round {counted.round} already (G-2)")
    return problems


def meter_of(
    state: BookState, jackpot: str, table: str, called: TabulatedRound, found: earlier_rounds.StoodThen | None = None
) -> tuple[int, bool, int]:
    """Return the cents that percentages are of, whether the call is late, and the last entry that counts for them.

    Called after the next press, it is the meter as it stood at that press, although another call may have emptied it
    since (G-4, G-36). A Bonus is played under the amount displayed at its own press, whatever is posted since (E-07).
    `found` is what was looked up where that press counted no wager of the jackpot.
    """
    accounts = state.of(LEDGER)[jackpot]
    displayed = accounts.meter_state.displayed_cents
    later = [counted for counted in state.of(JACKPOTS).rounds[table] if counted.sequence > called.sequence]
    if not accounts.is_progressive:
        return called.shown_cents(jackpot), bool(later or found), called.sequence
    if found is not None:
        return found.cents, True, found.sequence
    if not later:
        return displayed, False, state.sequence
    return cents_shown(later[0].shown_before[jackpot]), True, later[0].sequence - 1


@command("hits/call", roles=STEPS["call"].roles, pin=True)
class CallHit(Command):
    """Report a jackpot of a round, the last one where none is named.

    `shown_round` and `shown_cents` are what the screen of the caller showed: it is refused where another round was
    counted since, or where the prizes come to less than was shown (G-67).
    """

    jackpot: Name
    table: Name
    claims: Claims
    round: Count | None = None
    words: Words = ""
    shown_round: Count | None = None
    shown_cents: Count | None = None

    def prepare(self, services: Services) -> PreparedCall:
        """Look up the hits of the round that are finished, where somebody has a prize of it already."""
        state = services.state
        called = round_of(state, self.table, self.round, [])
        claimed = [claim[:2] for claim in state.of(HITS).claimed.get(self.table, ())]
        if called is None:
            return PreparedCall(self)
        stood = earlier_rounds.stood_then(services, self.jackpot, self.table, called)
        if (called.round, self.jackpot) not in claimed:
            return PreparedCall(self, stood=stood)
        place = (self.table, called.round, self.jackpot)
        journal = earlier_rounds.earlier_in_journal(services, place, called.sequence)
        return PreparedCall(self, called.round, journal, stood)

    def entries(self, now: Now, by: By) -> list[Movement]:
        """Return the call where no finished hit of its round was looked up."""
        return PreparedCall(self).entries(now, by)


@dataclass(frozen=True, slots=True)
class PreparedCall:
    """A call, and the hits that the journal has of the round that was the last one when they were looked up.

    `stood` is the meter at the next press of the table, where that counted no wager of the jackpot.
    """

    call: CallHit
    round: int | None = None
    journal: tuple[earlier_rounds.EarlierHit, ...] = ()
    stood: earlier_rounds.StoodThen | None = None

    def entries(self, now: Now, by: By) -> list[Movement]:
        """Return the call: the amount is frozen and the meter reseeded at once (F-04, T-17)."""
        call, state, table = self.call, now.state, self.call.table
        refuse(screen_problems(state, table, call.shown_round))
        jackpot = record_of(state, call.jackpot).jackpot
        problems = claim_problems(jackpot, table, call.claims)
        called = round_of(state, table, call.round, problems)
        earlier: Sequence[earlier_rounds.EarlierHit] = ()
        if called is not None:
            is_open = earlier_rounds.earlier_in_state(state, (table, called.round, call.jackpot))
            numbers = {hit.number for hit in is_open}
            # A press may have come in between: what was looked up is then of another round, and this one is too young
            # to have a hit that was handed over and closed.
            journal = self.journal if self.round == called.round else ()
            earlier = [*is_open, *(hit for hit in journal if hit.number not in numbers)]
            problems += seat_problems(state, table, called, call.jackpot, [claim.seat for claim in call.claims])
            problems += earlier_rounds.second_call_problems(jackpot, table, called.round, call.claims, is_open)
        refuse(problems)
        assert called is not None
        stood = None if self.stood is None or self.stood.after != called.sequence else self.stood
        if stood is None and earlier_rounds.is_ended_uncounted(state, call.jackpot, table, called):
            refuse([MOVED_ON])
        base, late, counted = meter_of(state, call.jackpot, table, called, stood)
        if late and not call.words.strip():
            refuse([MOVED_ON] if call.shown_round is not None else [])
            refuse([f"round {called.round} is called after the next press: state the reason in words (G-4)"])
        before = state.of(LEDGER)[call.jackpot].meter_state
        details = {"step": "call", "role": by.role, "round": called.round, "late": late, "meter_cents": base}
        details |= {"meter_entry": counted, **added_details(called.added_to(call.jackpot))}
        second = earlier_rounds.second_winners(jackpot, table, call.claims, earlier)
        if second is None:
            prizes = called_prizes(jackpot, table, call.claims, base, before.displayed_cents)
        else:
            prizes = earlier_rounds.second_prizes(jackpot, table, call.claims, *second)
            details |= {"meter_cents": second.meter_cents, **earlier_rounds.beside_details(second.beside)}
        called_cents = sum(won.cents for won in prizes.won)
        if call.shown_cents is not None and called_cents < call.shown_cents:
            lower = f"The prize is {dollars(called_cents)} now, and {dollars(call.shown_cents)} was shown"
            refuse([f"{lower}: nothing was reported. Check it and report it again (G-67)"])
        return [call_movement(jackpot, table, before, prizes, details, call.words)]


def added_details(added: Mapping[int, str]) -> dict[str, Any]:
    """Return what a call says of seats that one person alone put into the round (G-39)."""
    return {"added": [[seat, name] for seat, name in added.items()]} if added else {}


def call_movement(
    jackpot: Jackpot,
    table: str,
    before: MeterState,
    prizes: CalledPrizes,
    details: Mapping[str, Any],
    reason: str,
    **approval: str,
) -> Movement:
    """Return the movement of a call: its amount is frozen and the meter reseeded."""
    refuse(f"seat {won.seat}: {won.row} pays nothing" for won in prizes.won if won.cents <= 0)
    change = meter_hit(before, jackpot.meter, prizes.payment, top=prizes.top)
    offer = jackpot.offer_at(table)
    details = {
        **details,
        "game": offer.game,
        "wager": offer.wager,
        "paytable": offer.paytable,
        "wager_cents": jackpot.meter.wager_cents,
        "won": list(map(list, prizes.won)),
    }
    return movement_of("prize-called", jackpot.name, before, change, words=reason, details=details, **approval)


def _undo(state: BookState, hit: Hit, jackpot: Jackpot) -> tuple[MeterState, MeterChange]:
    before = state.of(LEDGER)[hit.jackpot].meter_state
    return before, _undone(before, hit, jackpot)


def _undone(before: MeterState, hit: Hit, jackpot: Jackpot) -> MeterChange:
    """Return the change that takes a call back from the meter as it is."""
    transfers = tuple(
        MeterTransfer(
            payer=Account(payer),
            payee=Account(payee),
            units=units,
            words=text or "called",
            reason=None if reason is None else DecreaseReason(reason),
        )
        for payer, payee, units, reason, text in hit.transfers
    )
    return reject_hit(before, jackpot.meter, transfers)


def _meter_after(state: BookState, hit: Hit) -> MeterState | None:
    """Return the meter as it is once a call is taken back; nothing where that cannot be."""
    try:
        return _undo(state, hit, record_of(state, hit.jackpot).jackpot)[1].state
    except (ValueError, KeyError):
        return None


def _rejection(hit: Hit, step: str, before: MeterState, back: MeterChange, by: By, reason: str) -> Movement:
    assert by.approver is not None
    details = {"step": step, "hit": hit.number, "role": by.role, "approved_role": by.approver.role}
    return movement_of(
        "prize-rejected", hit.jackpot, before, back, words=reason, approved_by=by.approved_by, details=details
    )


def _described(state: BookState, verb: str, number: int) -> tuple[str, Hit | None]:
    """Return the sentence of what is done to a hit, and the hit where it is open."""
    hit = state.of(HITS).open.get(number)
    if hit is None:
        return f"{verb} jackpot {number}, which is no longer pending", None
    return f"{verb} {descriptions.hit_title(state, hit)}", hit


@command("hits/reject", roles=STEPS["reject"].roles, approvers=roles.APPROVERS, pin=True)
class RejectHit(Command):
    """Reject a report."""

    hit: Count
    words: Words

    def describe(self, state: BookState) -> Description:
        """Return the prizes that are not paid, and what comes back to the meter."""
        title, hit = _described(state, "Reject", self.hit)
        if hit is None:
            return Description(title, (), self.words)
        rows = descriptions.prize_changes(hit.won, ())
        rows += descriptions.meter_change(state, hit.jackpot, _meter_after(state, hit))
        return Description(title, tuple(rows), self.words)

    def entries(self, now: Now, by: By) -> list[Draft]:
        """Return the rejection: the frozen amount comes back with all contributions since, and the seed goes back."""
        hit = open_hit(now.state, self.hit)
        refuse([*step_problems(hit, "reject", by), *approval_problems(by, self.words, hit)])
        undone = _undo(now.state, hit, record_of(now.state, hit.jackpot).jackpot)
        return drafts_about(hit, _rejection(hit, "reject", *undone, by, self.words))


def round_rejections(state: BookState, hits: Sequence[Hit], by: By, reason: str) -> list[Draft]:
    """Return the rejections of all these hits together: each gives back what the one before has left (G-11)."""
    refuse(
        problem for hit in hits for problem in (*step_problems(hit, "reject", by), *approval_problems(by, reason, hit))
    )
    meters: dict[str, MeterState] = {}
    drafts = []
    # The last call is undone first: its amount was frozen on what those before it had left.
    for hit in sorted(hits, key=lambda hit: -hit.called_at):
        before = meters.get(hit.jackpot, state.of(LEDGER)[hit.jackpot].meter_state)
        back = _undone(before, hit, record_of(state, hit.jackpot).jackpot)
        meters[hit.jackpot] = back.state
        drafts += drafts_about(hit, _rejection(hit, "reject", before, back, by, reason))
    return drafts


@command("hits/correct", roles=STEPS["correct"].roles, approvers=roles.APPROVERS, pin=True)
class CorrectHit(Command):
    """Correct a report before it is paid: the seats and rows that it should have named.

    Where only seats change, no money moves. Else the call is taken back and made anew in one command, on the amount
    that was frozen first (G-4).
    """

    hit: Count
    claims: Claims
    words: Words

    def describe(self, state: BookState) -> Description:
        """Return the prizes seat by seat, as called and as corrected."""
        title, hit = _described(state, "Correct", self.hit)
        if hit is None:
            return Description(title, (), self.words)
        rows = descriptions.prize_changes(hit.won, self._prizes(state, hit), self.claims)
        return Description(title, tuple(rows), self.words)

    def _prizes(self, state: BookState, hit: Hit) -> Sequence[Won] | None:
        """Return the prizes as corrected; nothing where they cannot be worked out."""
        meter, jackpot = _meter_after(state, hit), record_of(state, hit.jackpot).jackpot
        if meter is None or claim_problems(jackpot, hit.table, self.claims):
            return None
        if hit.beside:
            return earlier_rounds.second_prizes(jackpot, hit.table, self.claims, hit.meter_cents, hit.beside).won
        return called_prizes(jackpot, hit.table, self.claims, hit.meter_cents, meter.displayed_cents).won

    def entries(self, now: Now, by: By) -> list[Draft]:
        """Return the correction."""
        hit, claims = open_hit(now.state, self.hit), self.claims
        jackpot = record_of(now.state, hit.jackpot).jackpot
        problems = [*step_problems(hit, "correct", by), *approval_problems(by, self.words, hit)]
        problems += claim_problems(jackpot, hit.table, claims)
        problems += _correction_seat_problems(now.state, hit, claims)
        if list(claims) == [Claim(won.seat, won.row) for won in hit.won]:
            problems.append(f"this is what was called as hit {self.hit}")
        refuse(problems)
        called = _round_of_hit(now.state, hit)
        added = hit.added if called is None else called.added_to(hit.jackpot)
        if Counter(claim.row for claim in claims) == Counter(won.row for won in hit.won):
            return drafts_about(hit, _moved_seats(hit, claims, by, self.words, added))
        before, back = _undo(now.state, hit, jackpot)
        if hit.beside:
            prizes = earlier_rounds.second_prizes(jackpot, hit.table, claims, hit.meter_cents, hit.beside)
        else:
            prizes = called_prizes(jackpot, hit.table, claims, hit.meter_cents, back.state.displayed_cents)
        details = {"step": "recall", "hit": hit.number, "role": by.role, "round": hit.round}
        details |= {"meter_cents": hit.meter_cents, "late": hit.late, **added_details(added)}
        details |= earlier_rounds.beside_details(hit.beside)
        recall = call_movement(jackpot, hit.table, back.state, prizes, details, self.words)
        return drafts_about(hit, _rejection(hit, "correct", before, back, by, self.words), recall)


def _correction_seat_problems(state: BookState, hit: Hit, claims: Sequence[Claim]) -> list[str]:
    """Check the round where the books still have it; else the wager lights are asked again when it is verified."""
    called = _round_of_hit(state, hit)
    own = {won.seat for won in hit.won}
    seats = [claim.seat for claim in claims if claim.seat not in own]
    return [] if called is None else seat_problems(state, hit.table, called, hit.jackpot, seats)


def _round_of_hit(state: BookState, hit: Hit) -> TabulatedRound | None:
    recent = state.of(JACKPOTS).rounds.get(hit.table, ())
    return next((counted.only(hit.round) for counted in recent if counted.holds(hit.round)), None)


def _moved_seats(hit: Hit, claims: Sequence[Claim], by: By, reason: str, added: Mapping[int, str]) -> HitCorrected:
    """Return the correction of seats alone, its claims in the order of the prizes."""
    assert by.approver is not None
    left = list(claims)
    ordered = []
    for won in hit.won:
        claim = next(claim for claim in left if claim.row == won.row)
        left.remove(claim)
        ordered.append(claim)
    return HitCorrected(
        hit=hit.number,
        role=by.role,
        claims=tuple(ordered),
        approved_by=by.approved_by,
        approved_role=by.approver.role,
        words=reason,
        added=tuple(added.items()),
    )
