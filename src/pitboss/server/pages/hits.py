"""Hits and money: the list of hits, small prizes and exceptions of a gambling day, and each hit with all about it."""

import base64
import datetime
import json
from collections.abc import Sequence
from functools import partial
from http import HTTPStatus
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request, Response
from fastapi.responses import RedirectResponse
from starlette.datastructures import FormData

from pitboss import jackpot
from pitboss.books import ROOM, BookState, RefusedError, last_before
from pitboss.commands import Command
from pitboss.commands.command import BOOK
from pitboss.jackpot.hits.history import Slip
from pitboss.meters import units_of
from pitboss.reports import Period, period_of
from pitboss.room.accounting import RaiseException
from pitboss.room.hit_index import HIT_INDEX, printed_slip, slip_preview, stories_at, story_at
from pitboss.room.people.roles import PAPER_READERS, READERS
from pitboss.room.room import Room, room_zone
from pitboss.server.auth import Caller, CurrentRoom, allow
from pitboss.server.pages.forms import (
    Form,
    SubmittedForm,
    answer,
    cents_of,
    number_of,
    perform,
    problems_of,
    render_form,
    run,
    submit,
    text_of,
    viewer_of,
)
from pitboss.server.pages.layout import render
from pitboss.server.problems import ProblemError
from pitboss.server.views import hits as views
from pitboss.server.views.floor import floor_live, shape_of
from pitboss.server.views.formatting import clock_text, dollars, medium_day, short_day, time_of
from pitboss.server.worker.papers import SlipPdfJob
from pitboss.server.worker.pool import figure_of

router = APIRouter(include_in_schema=False)
READER = allow(*READERS)
CallsFound = Annotated[Caller, allow(*jackpot.CallFoundHit.spec.roles)]
Reverses = Annotated[Caller, allow(*jackpot.ReverseSmallPrize.spec.roles)]
Raises = Annotated[Caller, allow(*RaiseException.spec.roles)]
MESSAGES = {
    "waits": "Submitted. Waiting for approval.",
    "raise": "Exception opened.",
    "reverse-small": "Prize reversed.",
}
_LAST = 25
_DAY = datetime.timedelta(days=1)
_NEWEST = 40
"""Small prizes of a day that are listed before somebody asks for all: a room pays hundreds a day."""


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


def _hits(room: Room, state: BookState, bounds: tuple[int, int] | None) -> list[jackpot.Hit]:
    """The hits that were called between two entries, newest first; without them, the last there were."""
    log = state.of(HIT_INDEX)
    numbers = sorted(log, reverse=True)
    numbers = numbers[:_LAST] if bounds is None else [hit for hit in numbers if bounds[0] < hit <= bounds[1]]
    stories = stories_at(room.books.store, BOOK, log, numbers)
    return [stories[number].hit for number in numbers if number in stories]


def _reads_papers(request: Request) -> bool:
    """Return whether who asks reads winners' papers (G-70)."""
    return bool(request.state.caller.roles & set(PAPER_READERS))


def _hits_page(
    request: Request,
    room: Room,
    day: str,
    problems: Sequence[str] = (),
    form: FormData | None = None,
    *,
    most: int | None = None,
) -> Response:
    state, store = room.state, room.books.store
    period, zone = _period(state, room, day), room_zone(state)
    after = last_before(store, BOOK, period.begins, state.sequence)
    upto = last_before(store, BOOK, period.ends, state.sequence)
    called = _hits(room, state, (after, upto) if day else None)
    small = views.small_rows(state, store.entries(BOOK, after, upto, kinds=["prize-paid", "prize-reversed"]))
    context = {
        "hits": [views.hit_line(state, hit, zone, with_papers=_reads_papers(request)) for hit in called],
        "days": _small_days(room, request.state.caller, period, most, is_chosen=bool(day)),
        "of_all": most is None,
        "small": small,
        "small_total": dollars(sum(row.cents for row in small)),
        "small_count": sum(row.small + row.envy for row in small),
        "exceptions": views.exception_rows(state),
        "day": period.first_day.isoformat(),
        "day_words": medium_day(period.first_day),
        "before": (period.first_day - _DAY).isoformat(),
        "following": (period.first_day + _DAY).isoformat(),
        "of_day": bool(day),
        "refused": "" if form is None else text_of(form.get("form")),
        "may_call_found": request.state.caller.may(jackpot.CallFoundHit),
        "may_raise": request.state.caller.may(RaiseException),
        "jackpots": [
            (name, jackpot.jackpot_title(state, name)) for name in sorted(state.of(jackpot.JACKPOTS).jackpots)
        ],
        "parts": ("queue", "age"),
        "shape": floor_live(state)["shape"],
        "shape_of": shape_of,
        "sequence": state.sequence,
        "zone": zone.key,
    }
    sent = SubmittedForm(request.url.path, form)
    return render_form(request, "hits/hits.html", context, problems=problems, messages=MESSAGES, sent=sent, area="hits")


def _small_days(
    room: Room, caller: Caller, period: Period, most: int | None, *, is_chosen: bool
) -> list[views.SmallDay]:
    """Return the small prizes of the chosen gambling day; without one of the running and of the last day."""
    state, store, zone = room.state, room.books.store, room_zone(room.state)
    viewer, first = viewer_of(room, caller), period.first_day
    days = []
    for day, ends in ((first, period.ends), (first - _DAY, period.begins))[: 1 if is_chosen else 2]:
        state_words = "running" if ends > room.clock() else f"ended {clock_text(ends, zone)}"
        title = f"Gaming day {short_day(day)} ({state_words})"
        days.append(views.small_day(state, title, jackpot.small_prizes_of(store, state, day), viewer, most))
    return days


@router.get("/office/hits", dependencies=[READER])
def hits(
    request: Request,
    room: CurrentRoom,
    day: Annotated[str, "a gambling day, such as 2026-11-16"] = "",
    prizes: Annotated[str, "`all`, or else the newest small prizes"] = "",
) -> Response:
    """Show hits, small prizes by table and shift, and exceptions."""
    return _hits_page(request, room, day, most=None if prizes == "all" else _NEWEST)


def hit_page(
    request: Request, room: Room, number: str, problems: Sequence[str] = (), form: FormData | None = None
) -> Response:
    """Render a hit; after a refusal with its problems and the fields as filled in."""
    state = room.state
    story = story_at(room.books.store, BOOK, state.of(HIT_INDEX), number_of(number))
    if story is None:
        raise ProblemError(HTTPStatus.NOT_FOUND, [f"No jackpot {number}."])
    sent = SubmittedForm(request.url.path, form)
    reads_papers = _reads_papers(request)
    view = views.hit_detail(state, story, with_papers=reads_papers)
    context: dict[str, Any] = {"view": view, "parts": ("queue", "card"), "reads_papers": reads_papers}
    return render_form(request, "hits/hit.html", context, problems=problems, sent=sent, area="slip")


@router.post("/office/hits/found")
def call_found(request: Request, caller: CallsFound, room: CurrentRoom, form: Form) -> Response:
    """Ask for a prize of an earlier round to be called; it waits for a second person."""
    pairs = zip(form.getlist("seat"), form.getlist("row"), strict=False)
    fields: dict[str, Any] = {name: form.get(name) for name in ("command", "jackpot", "table", "words")}
    fields |= {"round": number_of(form.get("round")), "dispute": number_of(form.get("dispute"))}
    fields["claims"] = [{"seat": number_of(seat), "row": text_of(row)} for seat, row in pairs]

    def action() -> str:
        return perform(room, caller, jackpot.CallFoundHit, fields)

    return answer("/office/hits", action, partial(_hits_page, request, room, "", form=form))


@router.post("/office/hits/small/{table}/{prize}/reverse")
def reverse_small(
    request: Request, table: str, prize: str, caller: Reverses, room: CurrentRoom, form: Form
) -> Response:
    """Reverse a small prize of this shift, for a reason."""

    def action() -> str:
        return submit(room, caller, jackpot.ReverseSmallPrize, form, table=table, prize=number_of(prize))

    return answer("/office/hits", action, partial(_hits_page, request, room, "", form=form), "#small-title")


@router.post("/office/hits/raise")
def raise_exception(request: Request, caller: Raises, room: CurrentRoom, form: Form) -> Response:
    """Open an exception that somebody has met themselves; what a report finds is opened from the report."""

    def action() -> str:
        amount = text_of(form.get("amount"))
        units = units_of(cents_of(amount.removeprefix("-"))) if amount else None
        fields = {"command": form.get("command"), "key": text_of(form.get("key")), "words": text_of(form.get("words"))}
        signed = -units if units is not None and amount.startswith("-") else units
        return perform(room, caller, RaiseException, {**fields, "units": signed})

    return answer("/office/hits", action, partial(_hits_page, request, room, "", form=form), "#exceptions-title")


@router.get("/office/hits/{number}", dependencies=[READER])
def hit(request: Request, number: str, room: CurrentRoom) -> Response:
    """Show a hit with its steps, people, papers and Form W-2G data."""
    return hit_page(request, room, number)


Prints = Annotated[Caller, allow(*jackpot.PrintSlip.spec.roles)]
_PAPERS = {"letter": "Letter", "80mm": "80 mm"}


def _slip_address(number: str, slip: str) -> str:
    return f"/office/hits/{number_of(number)}/slips/{number_of(slip)}"


@router.post("/office/hits/{number}/slips/{slip}/print")
def print_slip(request: Request, number: str, slip: str, caller: Prints, room: CurrentRoom, form: Form) -> Response:
    """Print the original of a slip, once; or everything that speaks against it."""
    fields = {"command": form.get("command"), "slip": number_of(slip)}
    return _printed(request, room, caller, (number, slip), jackpot.PrintSlip, fields, form)


@router.post("/office/hits/{number}/slips/{slip}")
def reprint(request: Request, number: str, slip: str, caller: Prints, room: CurrentRoom, form: Form) -> Response:
    """Print a slip of a hit once more, for a reason; or everything that speaks against it."""
    fields = {"command": form.get("command"), "slip": number_of(slip), "words": text_of(form.get("words"))}
    return _printed(request, room, caller, (number, slip), jackpot.ReprintSlip, fields, form)


def _printed(
    request: Request,
    room: Room,
    caller: Caller,
    place: tuple[str, str],
    cls: type[Command],
    fields: dict[str, Any],
    form: FormData,
) -> Response:
    try:
        entry = run(room, caller, cls, fields).entries[0].sequence
    except ValueError as error:
        return _slip_page(request, room, *place, problems=problems_of(error), form=form)
    return RedirectResponse(f"{_slip_address(*place)}?entry={entry}", HTTPStatus.SEE_OTHER)


def _slip_of(room: Room, number: str, slip: str, entry: int) -> Slip:
    """Return a slip as an entry says that it was printed; without one as it will be."""
    state, store = room.state, room.books.store
    story, calendar = story_at(store, BOOK, state.of(HIT_INDEX), number_of(number)), state.of(ROOM)
    paper = None
    if story is not None and entry:
        paper = printed_slip(story, calendar, number_of(slip), store.entry(BOOK, entry))
    elif story is not None:
        paper = slip_preview(story, calendar, number_of(slip))
    if paper is None:
        text = f"Entry {entry} isn't a print of slip {slip}." if entry else f"No slip {slip} of jackpot {number}."
        raise ProblemError(HTTPStatus.NOT_FOUND, [text])
    return paper


def _slip_page(
    request: Request,
    room: Room,
    number: str,
    slip: str,
    entry: int = 0,
    problems: Sequence[str] = (),
    form: FormData | None = None,
) -> Response:
    paper, caller = _slip_of(room, number, slip, entry), request.state.caller
    hits, address = room.state.of(jackpot.HITS), _slip_address(number, slip)
    is_printed = paper.number in hits.printed or str(paper.number) in hits.copies
    context = {
        "slip": paper.view(),
        "copy": 0 if paper.copy is None else paper.copy.copy,
        "cards": views.drawn_cards(paper.cards),
        "board": views.drawn_cards(paper.board),
        "address": address,
        "entry": entry,
        "papers": _PAPERS,
        "hit": number_of(number),
        "may_print": caller.may(jackpot.PrintSlip) and not is_printed,
        "may_reprint": caller.may(jackpot.ReprintSlip) and is_printed,
        "parts": ("queue", "card"),
    }
    sent = SubmittedForm(request.url.path, form)
    return render_form(request, "hits/slip.html", context, problems=problems, sent=sent, area="slip")


@router.get("/office/hits/{number}/slips/{slip}", dependencies=[allow(*PAPER_READERS)])
def slip_page(
    request: Request, number: str, slip: str, room: CurrentRoom, entry: Annotated[int, Query(ge=0, le=2**53)] = 0
) -> Response:
    """Show a slip before it is printed; or as it was, by the entry that says so."""
    return _slip_page(request, room, number, slip, entry)


@router.get("/office/hits/{number}/slips/{slip}/print", dependencies=[allow(*PAPER_READERS)])
def print_slip_again(number: str, slip: str) -> Response:
    """Lead who opens the address of a form back to the slip."""
    return RedirectResponse(_slip_address(number, slip), HTTPStatus.SEE_OTHER)


@router.get("/office/hits/{number}/slips/{slip}/pdf", dependencies=[allow(*PAPER_READERS)])
def slip_paper(
    request: Request,
    number: str,
    slip: str,
    room: CurrentRoom,
    entry: Annotated[int, Query(ge=1, le=2**53)],
    paper: Annotated[str, Query(pattern="^(letter|80mm)$")] = "letter",
) -> Response:
    """Return a printed slip as a PDF for Letter or a roll of 80 mm; or a page that waits while it is typeset."""
    view: dict[str, Any] = json.loads(json.dumps(_slip_of(room, number, slip, entry).view()))
    figure = figure_of(request, SlipPdfJob(view=view, paper=paper))
    if figure.status == "failed":
        raise ProblemError(HTTPStatus.CONFLICT, [figure.words])
    if figure.status == "computing":
        back = f"{_slip_address(number, slip)}?entry={entry}"
        context = {"title": f"Slip {number_of(slip):06d}", "waits": figure.key, "back": back}
        return render(request, "office/waits.html", context, status=HTTPStatus.ACCEPTED)
    named = {"content-disposition": f'inline; filename="slip-{number_of(slip):06d}.pdf"'}
    return Response(base64.b64decode(figure.value["pdf"]), media_type="application/pdf", headers=named)
