"""From a call to the closed hit: verified, surveilled, documented, handed over, closed; and slips printed again."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any
from zoneinfo import ZoneInfo

from pitboss import law
from pitboss.books import ROOM, BookState, Movement, Payload, RefusedError, Transfer
from pitboss.jackpot.hit_amounts import RoundCards, verified_by_cards
from pitboss.jackpot.hit_calls import Decide, open_hit, refuse
from pitboss.jackpot.hit_entries import HitClosed, HitDocumented, HitSurveilled, HitVerified, SlipReprinted
from pitboss.jackpot.hit_state import HITS
from pitboss.jackpot.hit_steps import (
    check_problems,
    handing_problems,
    paper_problems,
    person_problems,
    step_problems,
)
from pitboss.jackpot.hit_values import Handed, Hit, Paper, Person
from pitboss.jackpot.life import record_of
from pitboss.jackpot.state import JACKPOTS
from pitboss.jackpot.thresholds import PrizeDemands, prize_demands
from pitboss.meters import units_of

__all__ = ["Today", "closed", "documented", "handed_over", "local_day", "reprinted", "surveilled", "verified"]

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
