"""Pages of forms built from commands: the service of a table, and the nondisplayed funds of a progressive."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from http import HTTPStatus
from typing import Annotated, Any, NamedTuple

from fastapi import APIRouter, Request, Response
from fastapi.responses import RedirectResponse
from starlette.datastructures import FormData

from pitboss.books import BookState, RefusedError
from pitboss.commands import Command
from pitboss.jackpot import escrow, jackpot_title
from pitboss.meters import units_of
from pitboss.room.approvals import Pending
from pitboss.room.dealing.dealing import GiveUpDealt, SetDealing
from pitboss.room.dealing.lock import UnlockDealing
from pitboss.room.people.roles import PEOPLE_ROLES, READERS
from pitboss.room.room import Room, room_zone
from pitboss.server.auth import Caller, CurrentRoom, allow
from pitboss.server.pages import forms
from pitboss.server.pages.forms import Form, text_of
from pitboss.server.problems import ProblemError
from pitboss.server.views import service as views
from pitboss.server.views.approvals import about_jackpot, about_table, approval_cards
from pitboss.server.views.floor import floor_live, shape_of
from pitboss.server.views.viewer import Viewer
from pitboss.tabulator import outages, tables

router = APIRouter(include_in_schema=False)
Fields = Mapping[str, Any]
FieldsOf = Callable[[FormData], Fields]
_LONGEST = 15
MESSAGES = {
    "waits": "Submitted. Waiting for approval.",
    "close": "Table closed.",
    "suspend": "Jackpots suspended at this table.",
    "down": "Out of service. Report the problem to the Commission in time.",
    "by-hand": "The table goes on without its link.",
    "malfunction": "Problem logged. Report it to the Commission in time.",
    "report": "Marked as reported.",
    "mend": "Marked as repaired. Return it to service when ready.",
    "read-counter": "Counter reading saved.",
    "mark-seats": "Seats saved.",
}


def _whole(form: FormData, name: str, label: str) -> int:
    """Return a whole number of a form; what is none is refused, never read as 0."""
    text = text_of(form.get(name))
    if not (text.isascii() and text.isdigit() and len(text) <= _LONGEST):
        raise RefusedError([f"{label}: enter a whole number."])
    return int(text)


def _nothing(_: FormData) -> Fields:
    return {}


def _restore(form: FormData) -> Fields:
    return {"rounds_played": _whole(form, "rounds_played", "Rounds dealt meanwhile")}


def _counts(form: FormData) -> Fields:
    wagers: dict[str, dict[str, int]] = {}
    for name in form:
        kind, _, rest = name.partition(":")
        wager, _, seat = rest.rpartition(":")
        if kind == "count" and text_of(form.get(name)):
            wagers.setdefault(wager, {})[seat] = _whole(form, name, f"Seat {seat}")
    return {"rounds": _whole(form, "rounds", "Rounds played manually"), "wagers": wagers}


def _place(form: FormData) -> Fields:
    position, _, number = text_of(form.get("place")).partition(".")
    return {"place": [forms.number_of(position), forms.number_of(number)] if position else None}


def _reading(form: FormData) -> Fields:
    reading = _whole(form, "reading", "Counter shows")
    return {"reading": reading, "rolled_over": "rolled_over" in form, "replaced": "replaced" in form}


def _persons(form: FormData) -> Fields:
    persons: dict[str, list[int]] = {}
    for name, value in form.multi_items():
        if name.startswith("person:") and text_of(value):
            persons.setdefault(text_of(value), []).append(forms.number_of(name.removeprefix("person:")))
    return {"persons": list(persons.values())}


def _last(form: FormData) -> Fields:
    return {"last": _whole(form, "last", "Write off up to message no.")}


_SPECIAL: dict[type[Command], FieldsOf] = {
    outages.RestoreEquipment: _restore,
    outages.EnterCounts: _counts,
    outages.RecordMalfunction: _place,
    outages.ReadCounter: _reading,
    outages.GiveUpMessages: _last,
    tables.MarkSeats: _persons,
}
COMMANDS = forms.form_commands(
    *(tables.OpenTable, tables.CloseTable, tables.SuspendTable, tables.ResumeTable, tables.MarkSeats),
    *(outages.TakeDown, outages.RestoreEquipment, outages.GoByHand, outages.EnterCounts, outages.ReadCounter),
    *(outages.RecordMalfunction, outages.ReportMalfunction, outages.EndMalfunction, outages.GiveUpMessages),
    *(SetDealing, GiveUpDealt, UnlockDealing),
)
"""The commands of the page's forms, by the last part of their address."""
_ACTING = {role for cls in COMMANDS.values() for role in cls.spec.roles}
READS = tuple(role for role in PEOPLE_ROLES if role in {*READERS, *_ACTING})
"""Who may see the service of a table."""
Reads = Annotated[Caller, allow(*READS)]
Acts = Annotated[Caller, forms.allow_commands(*COMMANDS.values())]


RESERVE_COMMANDS = forms.form_commands(escrow.BookReceipts, escrow.SeedOtherJackpot)
ReadsFunds = Annotated[Caller, allow(*READERS)]
MovesFunds = Annotated[Caller, forms.allow_commands(*RESERVE_COMMANDS.values())]


def _table_fields(cls: type[Command], table: str, form: FormData) -> Fields:
    named = {"table": table} if "table" in cls.__slots__ else {}
    return {**named, **_SPECIAL.get(cls, _nothing)(form)}


def _reserve_fields(_: type[Command], name: str, form: FormData) -> Fields:
    return {"name": name, "units": units_of(forms.cents_of(form.get("amount")))}


class _ServicePage(NamedTuple):
    """A page of forms about a table or a fund: its commands, view, address, and the fields beside those typed."""

    commands: Mapping[str, type[Command]]
    view: Callable[[BookState, str, Viewer], views.ServiceView | None]
    missing: Callable[[BookState, str], str]
    address: Callable[[str], str]
    fields: Callable[[type[Command], str, FormData], Fields]
    about: Callable[[BookState, str], Callable[[Pending], bool]]


_TABLE = _ServicePage(
    COMMANDS,
    views.service_view,
    lambda _, table: f"Table {table} isn't set up.",
    views.service_address,
    _table_fields,
    about_table,
)
_RESERVE = _ServicePage(
    RESERVE_COMMANDS,
    views.reserve_view,
    lambda state, name: f"{jackpot_title(state, name)} has no reserve yet: it was never opened.",
    views.reserve_address,
    _reserve_fields,
    lambda _, name: about_jackpot(name),
)


def _show(
    page: _ServicePage, request: Request, room: Room, caller: Caller, name: str, problems: Sequence[str] = (),
    form: FormData | None = None,
) -> Response:  # fmt: skip
    viewer = forms.viewer_of(room, caller)
    view = page.view(room.state, name, viewer)
    if view is None:
        raise ProblemError(HTTPStatus.NOT_FOUND, [page.missing(room.state, name)])
    refused = "" if form is None else text_of(form.get("form"))
    # Who may follow the floor sees what changes without loading the page again.
    is_reader = bool(caller.roles & set(READERS))
    shape = floor_live(room.state)["shape"] if is_reader else ""
    context = {
        "view": view,
        "waiting": approval_cards(room.state, viewer, everything=is_reader, about=page.about(room.state, name)),
        "refused": refused,
        "parts": ("queue", "approval", "age"),
        "body_theme": "pit",
        "shape": shape,
        "shape_of": shape_of,
        "sequence": room.state.sequence,
        "zone": room_zone(room.state).key,
    }
    sent = forms.SubmittedForm(refused, form)
    return forms.render_form(
        request, "service.html", context, problems=problems, messages=MESSAGES, sent=sent, area="service"
    )


def _act(
    page: _ServicePage, request: Request, room: Room, caller: Caller, name: str, do: str, form: FormData
) -> Response:
    """Run the command of a form, or ask for its approval; on refusal show the page with the form as filled in."""
    forms.require_form(do, page.commands)
    cls = page.commands[do]

    def action() -> str:
        return forms.submit(room, caller, cls, form, **page.fields(cls, name, form))

    address = "/floor" if text_of(form.get("from")) == "floor" else page.address(name)
    return forms.answer(address, action, partial(_show, page, request, room, caller, name, form=form))


@router.get("/floor/tables/{table}")
def service(request: Request, table: str, caller: Reads, room: CurrentRoom) -> Response:
    """Show the service page of a table."""
    return _show(_TABLE, request, room, caller, table)


@router.get("/floor/tables/{table}/{_do}")
def service_again(table: str, _do: str, _: Reads) -> Response:
    """Lead who opens the address of a form back to its page."""
    return RedirectResponse(views.service_address(table), HTTPStatus.SEE_OTHER)


@router.post("/floor/tables/{table}/{do}")
def act(request: Request, table: str, do: str, caller: Acts, room: CurrentRoom, form: Form) -> Response:
    """Run a form of a table's service."""
    if caller.is_elsewhere(table):
        raise ProblemError(HTTPStatus.NOT_FOUND, [f"This is not the console of table {table}."])
    return _act(_TABLE, request, room, caller, table, do, form)


@router.get("/office/jackpots/{name}/reserve")
def reserve(request: Request, name: str, caller: ReadsFunds, room: CurrentRoom) -> Response:
    """Show the nondisplayed funds of a progressive, and what can be done with them."""
    return _show(_RESERVE, request, room, caller, name)


@router.post("/office/jackpots/{name}/reserve/{do}")
def move_reserve(request: Request, name: str, do: str, caller: MovesFunds, room: CurrentRoom, form: Form) -> Response:
    """Ask for nondisplayed funds to be booked as receipts, or to seed another progressive."""
    return _act(_RESERVE, request, room, caller, name, do, form)
