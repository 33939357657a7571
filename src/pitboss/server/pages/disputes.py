"""Disputes on the floor: cards and wagers are tapped, the settlement is shown with its clauses, and kept."""

import base64
import json
from collections.abc import Sequence
from http import HTTPStatus
from typing import Annotated, Any

from fastapi import APIRouter, Request, Response
from fastapi.responses import RedirectResponse
from starlette.datastructures import ImmutableMultiDict

from pitboss.books import RefusedError, entries_at
from pitboss.commands.command import BOOK
from pitboss.jackpot import CallFoundHit
from pitboss.room.configurations import configuration_at
from pitboss.room.disputes import DISPUTES, RoundStatement, SettleDispute, ledger_meters, settled_dispute, with_ledger
from pitboss.room.people.roles import READERS
from pitboss.room.room import Room, room_name, room_zone, tables_of
from pitboss.rules import MoneyError, parse_dollars
from pitboss.server.auth import Caller, CurrentRoom, allow
from pitboss.server.pages.forms import Form, number_of, problems_of, render_form, run, text_of
from pitboss.server.pages.layout import render
from pitboss.server.problems import ProblemError
from pitboss.server.views import disputes as views
from pitboss.server.worker.papers import DisputePdfJob
from pitboss.server.worker.pool import figure_of

router = APIRouter(include_in_schema=False)
Reader = Annotated[Caller, allow(*READERS)]
Settles = Annotated[Caller, allow(*SettleDispute.spec.roles)]
Fields = ImmutableMultiDict[str, Any]
_LIST_MOST = 50
_ANSWERS: dict[str, Any] = {"yes": True, "no": False}


def _dollars(text: str, place: str, problems: list[str]) -> int:
    try:
        return parse_dollars(text)
    except MoneyError as error:
        problems.append(f"{place}: {error}")
        return 0


def _answer(text: str) -> Any:
    if text in _ANSWERS:
        return _ANSWERS[text]
    return number_of(text) if text.isdigit() else text.split()


def _seat(fields: Fields, seat: int, problems: list[str]) -> dict[str, Any]:
    wagers, decisions = {}, {}
    for name, value in fields.multi_items():
        what, _, rest = name.partition(":")
        number, _, key = rest.partition(":")
        text = text_of(value)
        if number != str(seat) or not text:
            continue
        if what == "wager":
            wagers[key] = _dollars(text, f"seat {seat} {key}", problems)
        elif what == "decision":
            decisions[key] = _answer(text)
    cards = text_of(fields.get(f"cards:{seat}")).split()
    person, is_turned = text_of(fields.get(f"person:{seat}")).strip(), f"turned:{seat}" in fields
    marks = {"person": person, "turned": is_turned}
    return {"seat": seat, "cards": cards, "wagers": wagers, "decisions": decisions, **marks}


def _read_round(fields: Fields) -> RoundStatement:
    """Read a round off the fields of the form; amounts that are none are all named."""
    problems: list[str] = []
    seats = [_seat(fields, number_of(seat), problems) for seat in dict.fromkeys(fields.getlist("seat"))]
    meters = {
        name.removeprefix("meter:"): _dollars(text_of(value), name, problems)
        for name, value in fields.multi_items()
        if name.startswith("meter:") and text_of(value)
    }
    if problems:
        raise RefusedError(problems)
    return RoundStatement(seats, text_of(fields.get("board")).split(), meters, text_of(fields.get("void")))


def _records(room: Room, sequences: Sequence[int]) -> list[views.DisputeView]:
    zone = room_zone(room.state)
    entries = entries_at(room.books.store, BOOK, sequences)
    return [views.dispute_view(entries[sequence], zone) for sequence in sequences if sequence in entries]


def _tables(room: Room) -> list[str]:
    state = room.state
    return [table for table in tables_of(state) if configuration_at(state, table) is not None]


@router.get("/floor/disputes")
def disputes(request: Request, caller: Reader, room: CurrentRoom) -> Response:
    """List the disputes that were kept, and begin another."""
    sequences = room.state.of(DISPUTES)
    context = {
        "disputes": _records(room, sequences[: -_LIST_MOST - 1 : -1]),
        "count": len(sequences),
        "tables": _tables(room),
        "may_settle": caller.may(SettleDispute),
    }
    return render(request, "disputes/disputes.html", context)


def _page(request: Request, room: Room, fields: Fields, problems: Sequence[str] = ()) -> Response:
    table = text_of(fields.get("table"))
    number = number_of(fields.get("round"))
    ledger = ledger_meters(room.services, table, number)
    form = views.dispute_form(room.state, table, number, ledger)
    if form is None:
        raise ProblemError(HTTPStatus.NOT_FOUND, [f"no configuration is posted at table {table!r}"])
    view = None
    if "settle" in fields and not problems:
        try:
            played = with_ledger(_read_round(fields), ledger)
            settled, record = settled_dispute(room.state, table, played, number)
            view = views.settlement_view(record, json.loads(settled.json_text(paytables=True)))
        except RefusedError as error:
            problems = error.problems
    seats = [number_of(seat) for seat in dict.fromkeys(fields.getlist("seat"))] or [1]
    context = {
        "form": form,
        "seats": seats,
        "typed": lambda name, usual="": text_of(fields.get(name, usual)),
        "view": view,
        "sent": [(name, value) for name, value in fields.multi_items() if name not in ("csrf", "command", "words")],
        "parts": ("queue", "pick", "card", "prizes"),
    }
    return render_form(request, "disputes/dispute.html", context, problems=problems, area="dispute")


@router.get("/floor/disputes/new")
def new(request: Request, _: Settles, room: CurrentRoom) -> Response:
    """Show the form for cards and wagers, and how they settle; nothing is written yet."""
    return _page(request, room, request.query_params)


@router.post("/floor/disputes")
def keep(request: Request, caller: Settles, room: CurrentRoom, form: Form) -> Response:
    """Record a dispute as it was settled, under the next number."""
    try:
        played = _read_round(form)
        fields = {
            "command": form.get("command"),
            "table": text_of(form.get("table")),
            "seats": list(played.seats),
            "board": list(played.board),
            "meters": dict(played.meters),
            "round": number_of(form.get("round")),
            "void": played.void,
            "meter_words": text_of(form.get("meter_words")),
            "words": text_of(form.get("words")),
        }
        recorded = run(room, caller, SettleDispute, fields)
    except ValueError as error:
        return _page(request, room, form, problems_of(error))
    number = room.state.of(DISPUTES).index(recorded.entries[0].sequence) + 1
    return RedirectResponse(f"/floor/disputes/{number}", HTTPStatus.SEE_OTHER)


def _sequence(room: Room, number: str) -> int:
    sequences, place = room.state.of(DISPUTES), number_of(number)
    if not 1 <= place <= len(sequences):
        raise ProblemError(HTTPStatus.NOT_FOUND, [f"No dispute {number}: {len(sequences)} are saved."])
    return sequences[place - 1]


@router.get("/floor/disputes/{number}")
def dispute(request: Request, number: str, caller: Reader, room: CurrentRoom) -> Response:
    """Show a dispute that was kept, to be read and printed."""
    sequence = _sequence(room, number)
    [view] = _records(room, [sequence])
    entry = room.books.store.entry(BOOK, sequence)
    assert entry is not None
    found = views.found_prizes(room.state, view, entry) if caller.may(CallFoundHit) else ()
    context = {"view": view._replace(found=found), "parts": ("queue", "card")}
    return render_form(request, "disputes/record.html", context, area="dispute")


@router.get("/floor/disputes/{number}/pdf")
def dispute_pdf(request: Request, number: str, _: Reader, room: CurrentRoom) -> Response:
    """Return the record of a dispute as a PDF, to be signed by both; or a page that waits while it is printed."""
    entry = room.books.store.entry(BOOK, _sequence(room, number))
    assert entry is not None
    name = room_name(room.state, entry.happened)
    figure = figure_of(request, DisputePdfJob(view=views.dispute_paper(entry, room_zone(room.state), name)))
    if figure.status == "failed":
        raise ProblemError(HTTPStatus.CONFLICT, [figure.words])
    if figure.status == "computing":
        back = f"/floor/disputes/{number_of(number)}"
        context = {"title": f"Dispute {number_of(number)}", "waits": figure.key, "back": back}
        return render(request, "office/waits.html", context, status=HTTPStatus.ACCEPTED)
    named = {"content-disposition": f'inline; filename="dispute-{number_of(number)}.pdf"'}
    return Response(base64.b64decode(figure.value["pdf"]), media_type="application/pdf", headers=named)
