"""Hits and money: every hit with its steps, people and papers; small prizes by table and shift; exceptions."""

from __future__ import annotations

import datetime
from collections.abc import Iterable
from typing import NamedTuple
from zoneinfo import ZoneInfo

from pitboss.books import EPOCH, ROOM, BookState, Entry, Movement, read_payload
from pitboss.jackpot import HITS, Hit
from pitboss.jackpot.hits.history import Story
from pitboss.jackpot.hits.thresholds import Demand
from pitboss.meters import units_text
from pitboss.reports import ACCOUNTING, ExceptionRecord
from pitboss.reports.catalogue.hits import SMALL_STEPS
from pitboss.server.views.formatting import clock_text, dollars
from pitboss.server.views.queue import ROLE_NAMES, StepDone, demand_words, steps_of
from pitboss.server.views.table_state import room_zone

_STEPS = {
    "call": "called",
    "verify": "verified by cards and light",
    "surveil": "confirmed by surveillance",
    "document": "papers made",
    "pay": "handed over",
    "close": "closed",
    "reject": "rejected",
    "correct": "corrected",
}
_RESOLVED_SHOWN = 40


class HitLine(NamedTuple):
    """A hit in the list: where, what, how much, and how far it has come."""

    number: int
    called: str
    jackpot: str
    table: str
    round: int
    won: tuple[str, ...]
    winners: tuple[str, ...]
    slips: tuple[int, ...]
    total: str
    state: str
    steps: tuple[StepDone, ...]


class StepLine(NamedTuple):
    """A step that was done: in which entry, by whom, when, and what was said."""

    entry: int
    title: str
    who: str
    role: str
    at: str
    words: str


class PrizeDetail(NamedTuple):
    """A prize with its papers: what it demands by which rule, what was withheld, and what Form W-2G says."""

    seat: int
    row: str
    amount: str
    because: tuple[tuple[str, str], ...]
    cards: str
    demands: tuple[tuple[str, str], ...]
    winner: str
    slip: int
    copies: int
    form: tuple[tuple[str, str], ...]
    withheld: str
    net: str
    handed: str


class HitDetail(NamedTuple):
    """A hit with everything about it."""

    line: HitLine
    meter: str
    wager: str
    paytable: str
    late: bool
    prizes: tuple[PrizeDetail, ...]
    done: tuple[StepLine, ...]


class SmallRow(NamedTuple):
    """Small prizes of a table in a shift: how many from the tray and as Envy, and how much together."""

    table: str
    shift: str
    jackpot: str
    small: int
    envy: int
    cents: int
    total: str


class ExceptionRow(NamedTuple):
    """Something that had to be looked into: what, how much, who raised it, who has it, and what came of it."""

    number: int
    words: str
    amount: str
    raised_by: str
    raised: str
    state: str
    owner: str
    result: str
    resolved: str


def hit_line(hit: Hit, zone: ZoneInfo) -> HitLine:
    """Show a hit in the list."""
    return HitLine(
        number=hit.number,
        called=clock_text(hit.done[0].happened, zone, with_day=True),
        jackpot=hit.jackpot,
        table=hit.table,
        round=hit.round,
        won=tuple(f"seat {won.seat}: {won.row}" for won in hit.won),
        winners=tuple(paper.winner for paper in hit.papers),
        slips=tuple(paper.slip for paper in hit.papers),
        total=dollars(hit.cents),
        state=hit.state.value,
        steps=steps_of(hit, zone, with_day=True),
    )


def _form(hit: Hit, seat: int) -> tuple[tuple[str, str], ...]:
    """What Form W-2G says of a prize, where one is due (X-01, X-02); the number itself is not in the books."""
    won, paper, demands = hit.prize(seat), hit.paper(seat), hit.demands.get(seat)
    if won is None or paper is None or demands is None or Demand.W2G not in demands:
        return ()
    withheld = demands.withheld(has_taxpayer_number=paper.taxpayer_number)
    return (
        ("Winnings", dollars(won.cents)),
        ("Wager", dollars(hit.wager_cents)),
        ("Federal tax withheld", dollars(withheld)),
        ("Taxpayer number", "given" if paper.taxpayer_number else "not given: backup withholding (X-07)"),
        ("First identification", paper.identification[0] if paper.identification else "none"),
        ("Second identification", paper.identification[1] if len(paper.identification) > 1 else "none"),
    )


def _handed(hit: Hit, seat: int) -> str:
    found = next((each for each in hit.handed if each.seat == seat), None)
    if found is None:
        return ""
    return f"cheque {found.cheque}" if found.cheque else f"from the {found.method}"


def _prize(state: BookState, story: Story, seat: int) -> PrizeDetail:
    hit, verified = story.hit, story.verified
    won, paper, demands = hit.prize(seat), hit.paper(seat), hit.demands.get(seat)
    assert won is not None
    withheld = 0
    if paper is not None and demands is not None:
        withheld = demands.withheld(has_taxpayer_number=paper.taxpayer_number)
    because = () if verified is None else verified.because.get(seat, ())
    return PrizeDetail(
        seat=seat,
        row=won.row,
        amount=dollars(won.cents),
        because=tuple(
            (words, "; ".join(each for each in (clause, ruling) if each)) for clause, ruling, words in because
        ),
        cards="" if verified is None else verified.cards.get(str(seat), ""),
        demands=() if demands is None else tuple((demand_words(e), demands.sources[e]) for e in Demand if e in demands),
        winner="" if paper is None else paper.winner,
        slip=0 if paper is None else paper.slip,
        copies=0 if paper is None else state.of(HITS).copies.get(str(paper.slip), 0),
        form=_form(hit, seat),
        withheld=dollars(withheld),
        net=dollars(won.cents - withheld),
        handed=_handed(hit, seat),
    )


def hit_detail(state: BookState, story: Story) -> HitDetail:
    """Show everything about a hit."""
    hit, zone = story.hit, room_zone(state)
    said = story.called.details
    done = tuple(
        StepLine(
            entry=each.sequence,
            title=_STEPS.get(each.step, each.step),
            who=each.person,
            role=ROLE_NAMES.get(each.role, each.role),
            at=clock_text(each.happened, zone, with_day=True),
            words=each.words,
        )
        for each in hit.done
    )
    return HitDetail(
        line=hit_line(hit, zone),
        meter=dollars(hit.meter_cents),
        wager=dollars(hit.wager_cents),
        paytable=said["paytable"],
        late=hit.late,
        prizes=tuple(_prize(state, story, won.seat) for won in hit.won),
        done=done,
    )


def small_rows(state: BookState, entries: Iterable[Entry]) -> tuple[SmallRow, ...]:
    """Add up the small and Envy prizes of a stretch of the journal by table, shift and jackpot."""
    calendar = state.of(ROOM)
    found: dict[tuple[str, str, str], list[int]] = {}
    for entry in entries:
        value = read_payload(entry.kind, entry.payload)
        if calendar is None or not isinstance(value, Movement) or value.kind != "prize-paid":
            continue
        step = value.details.get("step")
        if step not in SMALL_STEPS:
            continue
        shift = calendar.shift(EPOCH + datetime.timedelta(microseconds=entry.recorded)).name
        tally = found.setdefault((entry.table, shift, value.jackpot), [0, 0, 0])
        for _, _, cents in value.details["won"]:
            tally[step == "envy"] += 1
            tally[2] += cents
    rows = (
        SmallRow(table, shift, jackpot, small, envy, cents, dollars(cents))
        for (table, shift, jackpot), (small, envy, cents) in found.items()
    )
    return tuple(sorted(rows, key=lambda row: (not row.table.isdigit(), row.table.zfill(6), row.shift, row.jackpot)))


def _exception(held: ExceptionRecord, zone: ZoneInfo) -> ExceptionRow:
    return ExceptionRow(
        number=held.number,
        words=held.words,
        amount="" if held.units is None else units_text(held.units),
        raised_by=held.raised_by,
        raised=clock_text(held.raised, zone, with_day=True),
        state=held.state,
        owner=held.owner,
        result=held.result,
        resolved=clock_text(held.resolved, zone, with_day=True) if held.resolved else "",
    )


def exception_rows(state: BookState) -> tuple[ExceptionRow, ...]:
    """Show exceptions that are not resolved, and the last that were, with who resolved them (M-07)."""
    desk, zone = state.of(ACCOUNTING), room_zone(state)
    held = (*desk.open.values(), *reversed(desk.resolved[-_RESOLVED_SHOWN:]))
    return tuple(_exception(each, zone) for each in held)
