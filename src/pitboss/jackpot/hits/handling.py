"""From a call to the closed hit: verified, surveilled, documented, handed over, closed; and slips printed again."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any
from zoneinfo import ZoneInfo

from pitboss import law
from pitboss.books import LEDGER, ROOM, BookState, Movement, Payload, RefusedError, Transfer, movement_of
from pitboss.jackpot.definitions import Jackpot
from pitboss.jackpot.hits.amounts import (
    RoundCards,
    called_prizes,
    claim_problems,
    envy_cents,
    needs_wager,
    verified_by_cards,
)
from pitboss.jackpot.hits.calls import Decide, open_hit, refuse, round_of, seat_problems
from pitboss.jackpot.hits.entries import HitClosed, HitDocumented, HitSurveilled, HitVerified, SlipReprinted
from pitboss.jackpot.hits.state import HITS
from pitboss.jackpot.hits.thresholds import PrizeDemands, prize_demands
from pitboss.jackpot.hits.values import Claim, Handed, Hit, Paper, Person, Won
from pitboss.jackpot.hits.workflow import (
    check_problems,
    handing_problems,
    paper_problems,
    person_problems,
    step_problems,
)
from pitboss.jackpot.lifecycle import record_of
from pitboss.jackpot.state import JACKPOTS
from pitboss.meters import hit as meter_hit
from pitboss.meters import units_of
from pitboss.rules import JackpotPayment, dollars

Today = Callable[[BookState], tuple[datetime.date, str]]
"""The day by the room's clocks, and the kind of room, of which a command's thresholds are."""
_EPOCH = datetime.datetime(1970, 1, 1, tzinfo=datetime.UTC)


def local_day(state: BookState, happened: int) -> datetime.date:
    """The date that the room's clocks show at an instant: a form goes by the day of payment (X-02)."""
    instant = _EPOCH + datetime.timedelta(microseconds=happened)
    calendar = state.of(ROOM)
    if calendar is None:
        return instant.date()
    settings = calendar.settings_on(calendar.gambling_day(instant))
    return instant.astimezone(ZoneInfo(settings.time_zone)).date()


def _demands(state: BookState, hit: Hit, today: Today) -> dict[int, PrizeDemands]:
    try:
        return {won.seat: prize_demands(won.cents, hit.wager_cents, *today(state)) for won in hit.won}
    except law.NoRuleSetError as error:
        raise RefusedError([str(error)]) from None


def verified(number: int, by: Person, cards: RoundCards, lights: Sequence[int], today: Today) -> Decide:
    """Verify a call: the cards are evaluated by the settlement, and the wager lights confirmed."""

    def decide(state: BookState) -> list[Payload]:
        hit = open_hit(state, number)
        refuse(step_problems(hit, "verify", by))
        kept = state.of(JACKPOTS).rounds.get(hit.table, ())
        persons = next((each.persons for each in kept if each.round == hit.round), ())
        found = verified_by_cards(record_of(state, hit.jackpot).jackpot, hit, cards, lights, persons)
        return [
            HitVerified(
                hit=number,
                role=by.role,
                cards=cards.to_json(),
                lights=tuple(sorted(lights)),
                because=found.because,
                demands=_demands(state, hit, today),
                envy=found.envy,
            )
        ]

    return decide


def surveilled(number: int, by: Person, checks: Sequence[str]) -> Decide:
    """Let surveillance confirm hand, wager, payout and winner (O-04)."""

    def decide(state: BookState) -> list[Payload]:
        hit = open_hit(state, number)
        refuse([*step_problems(hit, "surveil", by), *check_problems(checks)])
        return [HitSurveilled(hit=number, role=by.role, checks=tuple(checks))]

    return decide


def documented(number: int, by: Person, papers: Sequence[Paper], today: Today) -> Decide:
    """Make the papers of every prize and give each the next slip of the room (M-08)."""

    def decide(state: BookState) -> list[Payload]:
        hit = open_hit(state, number)
        demands = _demands(state, hit, today)
        refuse([*step_problems(hit, "document", by), *paper_problems(replace(hit, demands=demands), papers)])
        first = state.of(HITS).slips + 1
        numbered = tuple(paper._replace(slip=first + index) for index, paper in enumerate(papers))
        return [HitDocumented(hit=number, role=by.role, papers=numbered, demands=demands)]

    return decide


def handed_over(number: int, by: Person, seat: int, method: str, cheque: str, today: Today) -> Decide:
    """Hand a prize over, in the way its amount allows, less what is withheld."""

    def decide(state: BookState) -> list[Payload]:
        hit = open_hit(state, number)
        paper, demands = hit.paper(seat), hit.demands.get(seat)
        withheld = (
            0 if paper is None or demands is None else demands.withheld(has_taxpayer_number=paper.taxpayer_number)
        )
        handed = Handed(seat, method, withheld, cheque, 0 if paper is None else paper.slip, 0)
        problems = [*step_problems(hit, "pay", by), *handing_problems(hit, handed, by)]
        if demands is not None and _demands(state, hit, today).get(seat) != demands:
            problems.append(
                f"seat {seat}: today's thresholds are others than those of the papers: make them anew (X-02)"
            )
        refuse(problems)
        won = hit.prize(seat)
        assert won is not None
        details: dict[str, Any] = {"step": "pay", "hit": number, "role": by.role, "handed": list(handed[:5])}
        moved = (Transfer("winners", "paid", units_of(won.cents)),)
        return [Movement("prize-paid", hit.jackpot, moved, details=details)]

    return decide


def closed(number: int, by: Person, words: str) -> Decide:
    """Close a hit whose prizes are all handed over."""

    def decide(state: BookState) -> list[Payload]:
        refuse(step_problems(open_hit(state, number), "close", by))
        return [HitClosed(hit=number, role=by.role, words=words)]

    return decide


def reprinted(slip: int, by: Person, words: str) -> Decide:
    """Journal that a slip is printed once more (F-15)."""

    def decide(state: BookState) -> list[Payload]:
        room = state.of(HITS)
        problems = list(person_problems("reprint", by))
        if type(slip) is not int or not 1 <= slip <= room.slips:
            problems.append(f"there is no slip {slip!r}: the last is {room.slips} (M-08)")
        if not words.strip():
            problems.append("the reason must be stated in words (F-15)")
        refuse(problems)
        return [SlipReprinted(slip=slip, copy=room.copies.get(str(slip), 0) + 1, role=by.role, words=words)]

    return decide


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
