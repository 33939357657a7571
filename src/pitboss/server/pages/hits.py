"""Hits and money: the list of hits, small prizes and exceptions of a gambling day, and each hit with all about it."""

import datetime
from collections.abc import Sequence
from functools import partial
from http import HTTPStatus
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request, Response
from fastapi.responses import RedirectResponse
from starlette.datastructures import FormData

from pitboss.books import ROOM, BookState, RefusedError, last_before
from pitboss.commands.command import BOOK
from pitboss.jackpot import JACKPOTS, CallFoundHit, Hit, ReprintSlip
from pitboss.reports import Period, period_of
from pitboss.room.hit_index import HIT_INDEX, slip_copy, stories_at, story_at
from pitboss.room.people.roles import READERS
from pitboss.room.room import Room, room_zone
from pitboss.server.auth import Caller, CurrentRoom, allow
from pitboss.server.pages.forms import (
    Form,
    SubmittedForm,
    answer,
    number_of,
    perform,
    problems_of,
    render_form,
    run,
    text_of,
)
from pitboss.server.pages.layout import render
from pitboss.server.problems import ProblemError
from pitboss.server.views.formatting import dollars, long_day, time_of
from pitboss.server.views.hits import exception_rows, hit_detail, hit_line, small_rows

router = APIRouter(include_in_schema=False)
READER = allow(*READERS)
CallsFound = Annotated[Caller, allow(*CallFoundHit.spec.roles)]
MESSAGES = {"waits": "It waits for a second person."}
_LAST = 25
_DAY = datetime.timedelta(days=1)


def _period(state: BookState, room: Room, day: str) -> Period:
    calendar = state.of(ROOM)
    if calendar is None:
        raise RefusedError(["the room has no settings: it is not known when its days begin"])
    if not day:
        today = calendar.gambling_day(time_of(room.clock()))
        return period_of(calendar, today)
    try:
        return period_of(calendar, datetime.date.fromisoformat(day))
    except ValueError:
        raise RefusedError([f"day: {day!r} is no day such as 2026-11-16"]) from None


def _hits(room: Room, state: BookState, bounds: tuple[int, int] | None) -> list[Hit]:
    """The hits that were called between two entries, newest first; without them, the last there were."""
    log = state.of(HIT_INDEX)
    numbers = sorted(log, reverse=True)
    numbers = numbers[:_LAST] if bounds is None else [hit for hit in numbers if bounds[0] < hit <= bounds[1]]
    stories = stories_at(room.books.store, BOOK, log, numbers)
    return [stories[number].hit for number in numbers if number in stories]


def _hits_page(
    request: Request, room: Room, day: str, problems: Sequence[str] = (), form: FormData | None = None
) -> Response:
    state, store = room.state, room.books.store
    period, zone = _period(state, room, day), room_zone(state)
    after = last_before(store, BOOK, period.begins, state.sequence)
    upto = last_before(store, BOOK, period.ends, state.sequence)
    called = _hits(room, state, (after, upto) if day else None)
    small = small_rows(state, store.entries(BOOK, after, upto, kinds=["prize-paid", "prize-reversed"]))
    context = {
        "hits": [hit_line(hit, zone) for hit in called],
        "small": small,
        "small_total": dollars(sum(row.cents for row in small)),
        "small_count": sum(row.small + row.envy for row in small),
        "exceptions": exception_rows(state),
        "day": period.first_day.isoformat(),
        "day_words": long_day(period.first_day),
        "before": (period.first_day - _DAY).isoformat(),
        "following": (period.first_day + _DAY).isoformat(),
        "of_day": bool(day),
        "may_call_found": request.state.caller.may(CallFoundHit),
        "jackpots": sorted(state.of(JACKPOTS).jackpots),
        "parts": ("queue",),
    }
    sent = SubmittedForm(request.url.path, form)
    return render_form(request, "hits/hits.html", context, problems=problems, messages=MESSAGES, sent=sent, area="hits")


@router.get("/office/hits", dependencies=[READER])
def hits(
    request: Request, room: CurrentRoom, day: Annotated[str, "a gambling day, such as 2026-11-16"] = ""
) -> Response:
    """Show hits, small prizes by table and shift, and exceptions."""
    return _hits_page(request, room, day)


def hit_page(
    request: Request, room: Room, number: str, problems: Sequence[str] = (), form: FormData | None = None
) -> Response:
    """Render a hit; after a refusal with its problems and the fields as filled in."""
    state, caller = room.state, request.state.caller
    story = story_at(room.books.store, BOOK, state.of(HIT_INDEX), number_of(number))
    if story is None:
        raise ProblemError(HTTPStatus.NOT_FOUND, [f"there is no hit {number!r} among the last ones"])
    sent = SubmittedForm(request.url.path, form)
    context = {"view": hit_detail(state, story), "may_reprint": caller.may(ReprintSlip), "parts": ("queue",)}
    return render_form(request, "hits/hit.html", context, problems=problems, sent=sent, area="slip")


@router.post("/office/hits/found")
def call_found(request: Request, caller: CallsFound, room: CurrentRoom, form: Form) -> Response:
    """Ask for a prize of an earlier round to be called; it waits for a second person."""
    pairs = zip(form.getlist("seat"), form.getlist("row"), strict=False)
    fields: dict[str, Any] = {name: form.get(name) for name in ("command", "jackpot", "table", "words")}
    fields |= {"round": number_of(form.get("round")), "dispute": number_of(form.get("dispute"))}
    fields["claims"] = [{"seat": number_of(seat), "row": text_of(row)} for seat, row in pairs]

    def action() -> str:
        return perform(room, caller, CallFoundHit, fields)

    return answer("/office/hits", action, partial(_hits_page, request, room, "", form=form))


@router.get("/office/hits/{number}", dependencies=[READER])
def hit(request: Request, number: str, room: CurrentRoom) -> Response:
    """Show a hit with its steps, people, papers and Form W-2G data."""
    return hit_page(request, room, number)


Reprints = Annotated[Caller, allow(*ReprintSlip.spec.roles)]


@router.post("/office/hits/{number}/slips/{slip}")
def reprint(request: Request, number: str, slip: str, caller: Reprints, room: CurrentRoom, form: Form) -> Response:
    """Print a slip of a hit once more, for a reason; or everything that speaks against it."""
    fields = {"command": form.get("command"), "slip": number_of(slip), "words": text_of(form.get("words"))}
    try:
        entry = run(room, caller, ReprintSlip, fields).entries[0].sequence
    except ValueError as error:
        return hit_page(request, room, number, problems_of(error), form)
    address = f"/office/hits/{number_of(number)}/slips/{number_of(slip)}?entry={entry}"
    return RedirectResponse(address, HTTPStatus.SEE_OTHER)


@router.get("/office/hits/{number}/slips/{slip}", dependencies=[allow(*READERS)])
def slip_page(
    request: Request, number: str, slip: str, room: CurrentRoom, entry: Annotated[int, Query(ge=0, le=2**53)] = 0
) -> Response:
    """Show a reprint as it is printed, by the entry that says that it was made."""
    state, store = room.state, room.books.store
    story = story_at(store, BOOK, state.of(HIT_INDEX), number_of(number))
    calendar = state.of(ROOM)
    reprint = None if story is None else slip_copy(story, calendar, number_of(slip), store.entry(BOOK, entry))
    if reprint is None:
        raise ProblemError(HTTPStatus.NOT_FOUND, [f"entry {entry} is no reprint of slip {slip!r} of hit {number!r}"])
    assert reprint.copy is not None
    context = {"slip": reprint, "text": reprint.text(), "hit": number_of(number)}
    return render(request, "hits/slip.html", context)
