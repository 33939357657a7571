"""The pages of an audit: the journal, an entry, an amount explained, the chain verified, and who did what."""

from __future__ import annotations

import datetime
from http import HTTPStatus
from typing import Annotated

from fastapi import APIRouter, Query, Request, Response
from pydantic import BaseModel, Field

from pitboss.books import LEDGER, ROOM, Entry, RefusedError, microseconds
from pitboss.books.entries import EPOCH
from pitboss.books.finding import Sought, entries_at, newest
from pitboss.books.payloads import known_kinds
from pitboss.commands.command import BOOK
from pitboss.reports.journal import last_before
from pitboss.room.people.roles import PEOPLE_ROLES, READERS
from pitboss.room.room import Room
from pitboss.rules import parse_dollars
from pitboss.rules.money import MoneyError
from pitboss.server.auth import CurrentRoom, allow
from pitboss.server.pages.layout import render
from pitboss.server.problems import ProblemError
from pitboss.server.views.office.audit import (
    Wanted,
    display_explained,
    entry_view,
    hit_explained,
    is_wanted,
    journal_view,
    may_view,
    who_view,
)
from pitboss.server.views.table_state import room_zone, tables_of
from pitboss.server.worker.figures import figure_of, journal_figure
from pitboss.server.worker.jobs import (
    ActorCountsJob,
    DisplayedAmountJob,
    DisplayExplanationJob,
    HitExplanationJob,
    VerifyBooksJob,
)
from pitboss.server.worker.pool import Figure

router = APIRouter(include_in_schema=False)
READER = allow(*READERS)
_LINES = 100
_READ_MAX = 50_000
"""So many entries are looked through for one page; what is older is one click away."""
_WORDS_MAX = 20_000
"""So many where what is said in them is looked through too."""
Sequence = Annotated[int, Query(ge=0, le=2**53)]
_WORDS = Field(default="", max_length=120)


class Looking(BaseModel):
    """Which entries are looked for, as the form sends it."""

    kind: str = _WORDS
    actor: str = _WORDS
    table: str = _WORDS
    words: str = _WORDS
    day: str = _WORDS
    before: int | None = Field(default=None, ge=0, le=2**53)
    after: int = Field(default=0, ge=0, le=2**53)


def _bounds(room: Room, asked: Looking) -> tuple[int, int]:
    """The entries between which is looked: those of a gambling day, or all."""
    head, first, last = room.state.sequence, asked.after + 1, room.state.sequence
    calendar = room.state.of(ROOM)
    if asked.day and calendar is not None:
        try:
            day = datetime.date.fromisoformat(asked.day)
            ends = microseconds(calendar.begins(day + datetime.timedelta(days=1)))
            begins = microseconds(calendar.begins(day))
        except (ValueError, OverflowError):
            raise ProblemError(
                HTTPStatus.UNPROCESSABLE_ENTITY, [f"day: {asked.day!r} must be a day such as 2026-11-15"]
            ) from None
        first = max(first, last_before(room.books.store, BOOK, begins, head) + 1)
        last = last_before(room.books.store, BOOK, ends, head)
    return first, last if asked.before is None else min(last, asked.before - 1)


def _found(room: Room, wanted: Wanted, first: int, last: int) -> tuple[list[Entry], int]:
    """Look back from the last entry until a page is full, and how far it was looked; the database leaves out most."""
    found: list[Entry] = []
    least = max(first, last - (min(_READ_MAX, _WORDS_MAX) if wanted.words else _READ_MAX) + 1)
    sought = Sought(wanted.kind, wanted.table, wanted.actor, wanted.words)
    for entry in newest(room.books.store, BOOK, sought, least - 1, last):
        if is_wanted(entry, wanted):
            found.append(entry)
            if len(found) == _LINES:
                return found, entry.sequence
    return found, least


@router.get("/office/audit", dependencies=[READER])
def journal(request: Request, room: CurrentRoom, asked: Annotated[Looking, Query()]) -> Response:
    """Show the journal, newest first, narrowed by kind, person, table, day and words."""
    state = room.state
    first, last = _bounds(room, asked)
    wanted = Wanted(asked.kind, asked.actor, asked.table, asked.words)
    found, upto = _found(room, wanted, first, last)
    said = asked.model_dump(include={"kind", "actor", "table", "words", "day"}) | (
        {"after": str(asked.after)} if asked.after else {}
    )
    given = {
        "view": journal_view(found, room_zone(state), said, (upto, last), first),
        "asked": asked,
        "kinds": sorted(known_kinds()),
        "tables": tables_of(state),
        "head": state.digest.hex(),
        "sequence": state.sequence,
    }
    return render(request, "office/audit/journal.html", given)


@router.get("/office/audit/explain", dependencies=[READER])
def explain(
    request: Request,
    room: CurrentRoom,
    jackpot: Annotated[str, Query(max_length=120)] = "",
    entry: Annotated[str, Query(max_length=20)] = "",
    amount: Annotated[str, Query(max_length=40)] = "",
    hit: Annotated[int | None, Query(ge=0, le=2**53)] = None,
) -> Response:
    """Explain an amount: what a display showed, back to its seed, or a hit back to cards and clauses."""
    state = room.state
    ledger = state.of(LEDGER)
    given: dict[str, object] = {
        "jackpots": sorted(ledger),
        "jackpot": jackpot,
        "entry": entry,
        "amount": amount,
        "view": None,
        "hit": None,
        "moments": (),
        "problems": (),
        "waits": "",
    }
    try:
        given |= _explained(request, room, jackpot, entry, amount, hit)
    except (RefusedError, MoneyError) as error:
        given["problems"] = error.problems if isinstance(error, RefusedError) else (str(error),)
    status = HTTPStatus.UNPROCESSABLE_ENTITY if given["problems"] else HTTPStatus.OK
    return render(request, "office/audit/explain.html", given, status=status)


def _explained(
    request: Request, room: Room, jackpot: str, entry: str, amount: str, hit: int | None
) -> dict[str, object]:
    upto = room.state.sequence
    if hit is not None:
        figure = journal_figure(request, room, HitExplanationJob(path=str(room.path), hit=hit, entry=upto))
        return {"hit": hit_explained(figure.value)} if figure.status == "ready" else _waits(figure)
    if amount:
        figure = journal_figure(
            request, room, DisplayedAmountJob(path=str(room.path), cents=parse_dollars(amount), entry=upto)
        )
        if figure.status != "ready":
            return _waits(figure)
        moments = [each for each in figure.value["shown"] if jackpot in ("", each["jackpot"])]
        if not moments:
            raise RefusedError([f"no display has shown {amount}"])
        found: dict[str, object] = {"moments": moments}
        jackpot, entry = moments[-1]["jackpot"], str(moments[-1]["sequence"])
    else:
        found = {}
    if not jackpot:
        return found
    if jackpot not in room.state.of(LEDGER):
        raise RefusedError([f"there is no jackpot {jackpot!r} that was opened"])
    number = int(entry) if entry.isascii() and entry.isdigit() else upto
    figure = journal_figure(
        request, room, DisplayExplanationJob(path=str(room.path), jackpot=jackpot, entry=min(number, upto))
    )
    if figure.status != "ready":
        return {**found, **_waits(figure)}
    return {**found, "view": display_explained(figure.value), "jackpot": jackpot}


def _waits(figure: Figure) -> dict[str, object]:
    if figure.status == "failed":
        raise RefusedError([figure.words])
    return {"waits": figure.key}


@router.get("/office/audit/chain", dependencies=[READER])
def chain(
    request: Request,
    room: CurrentRoom,
    head: Annotated[str, Query(max_length=64)] = "",
    at: Annotated[int | None, Query(ge=0, le=2**62)] = None,
) -> Response:
    """Verify the whole journal, and that it has a head that was printed; the worker does it, and the answer arrives."""
    given: dict[str, object] = {"head": head, "now": room.clock(), "found": None, "waits": "", "problems": ()}
    if at is not None:
        heads = [head.strip().lower()] if head.strip() else []
        figure = figure_of(request, VerifyBooksJob(path=str(room.path), heads=heads, at=at))
        given["waits"] = figure.key if figure.status == "computing" else ""
        given["found"] = figure.value
        given["problems"] = (figure.words,) if figure.status == "failed" else ()
    return render(request, "office/audit/chain.html", given)


@router.get("/office/audit/who", dependencies=[READER])
def who(request: Request, room: CurrentRoom, day: Annotated[str, Query(max_length=20)] = "") -> Response:
    """Show who did what on a gambling day, and who may do what."""
    state = room.state
    calendar = state.of(ROOM)
    if not day and calendar is not None:
        day = calendar.gambling_day(EPOCH + datetime.timedelta(microseconds=state.recorded)).isoformat()
    first, last = _bounds(room, Looking(day=day))
    figure = journal_figure(request, room, ActorCountsJob(path=str(room.path), first=first, last=last))
    given = {
        "day": day,
        "view": who_view(state, figure.value["who"], day) if figure.status == "ready" else None,
        "may": may_view(),
        "roles": PEOPLE_ROLES,
        "waits": figure.key if figure.status == "computing" else "",
    }
    return render(request, "office/audit/who.html", given)


@router.get("/office/audit/{sequence}", dependencies=[READER])
def entry_page(request: Request, sequence: str, room: CurrentRoom) -> Response:
    """Show one entry, whole."""
    number = int(sequence) if sequence.isascii() and sequence.isdigit() and len(sequence) <= 15 else 0
    near = entries_at(room.books.store, BOOK, (number - 1, number, number + 1))
    if number not in near:
        raise ProblemError(HTTPStatus.NOT_FOUND, [f"there is no entry {sequence}"])
    calendar = room.state.of(ROOM)
    view = entry_view(near[number], room_zone(room.state), near.get(number - 1), near.get(number + 1), calendar)
    return render(request, "office/audit/entry.html", {"view": view})
