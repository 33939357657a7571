"""Where people begin: Today, the tiles of the tables; and what stands around a page while it is open."""

from collections.abc import Sequence
from functools import partial
from typing import Annotated, Any

from fastapi import APIRouter, Request, Response
from fastapi.responses import JSONResponse

from pitboss.room.people.roles import PEOPLE_ROLES, READERS
from pitboss.room.room import Room
from pitboss.server.auth import Caller, CurrentRoom, allow
from pitboss.server.pages import forms
from pitboss.server.pages.console import CONSOLE_ROLES
from pitboss.server.pages.layout import render
from pitboss.server.views.approvals import approval_cards
from pitboss.server.views.today import table_tiles, today_view

router = APIRouter(include_in_schema=False)
MESSAGES = {"given": "Approved.", "refused": "Request declined.", "withdrawn": "Request withdrawn."}
Reader = Annotated[Caller, allow(*READERS)]
Approver = Annotated[Caller, allow(*(role for role in READERS if role != "auditor"))]
Dealing = Annotated[Caller, allow(*(role for role in PEOPLE_ROLES if role in CONSOLE_ROLES))]
Idle = Annotated[Caller, allow(*PEOPLE_ROLES, awake=False)]
Awake = Annotated[Caller, allow(*PEOPLE_ROLES)]


@router.get("/today")
def today_page(request: Request, caller: Reader, room: CurrentRoom) -> Response:
    """Show what waits and how the room is, each with the page on which it is done."""
    return _today(request, room, caller)


def _today(request: Request, room: Room, caller: Caller, problems: Sequence[str] = ()) -> Response:
    viewer = forms.viewer_of(room, caller)
    context = {
        "view": today_view(room.state, viewer, room.clock()),
        "waiting": approval_cards(room.state, viewer),
        "parts": ("approval",),
    }
    return forms.render_form(request, "today.html", context, problems=problems, messages=MESSAGES, area="today")


@router.post("/today/approvals/{number}/{do}")
def decide(request: Request, number: str, do: str, caller: Approver, room: CurrentRoom, form: forms.Form) -> Response:
    """Approve what waits, decline it, or take one's own request back, on the page where somebody begins."""
    forms.require_form(do, forms.APPROVAL_FORMS)
    return forms.answer(
        "/today",
        lambda: forms.decide_approval(room, caller, do, forms.number_of(number), form),
        partial(_today, request, room, caller),
    )


@router.get("/tables")
def tables_page(request: Request, caller: Dealing, room: CurrentRoom) -> Response:
    """Show every table as a tile that opens its console."""
    return render(request, "tables.html", {"tiles": table_tiles(room.state, caller.name), "body_theme": "pit"})


@router.get("/shell", dependencies=[allow(*PEOPLE_ROLES, awake=False)])
def shell_fragment(request: Request) -> Response:
    """Render the clock, the shift and what waits, for a page that is open; it keeps nobody signed in."""
    return render(request, "shell.html")


def _seconds(room: CurrentRoom, caller: Caller) -> dict[str, Any]:
    assert caller.session is not None
    return {"seconds": room.access.sessions.seconds_left(caller.session)}


@router.get("/session")
def session_left(caller: Idle, room: CurrentRoom) -> Response:
    """Return in how many seconds the session ends; asking does not keep it."""
    return JSONResponse(_seconds(room, caller))


@router.post("/session")
def session_kept(caller: Awake, room: CurrentRoom) -> Response:
    """Stay signed in, and return in how many seconds the session ends now."""
    return JSONResponse(_seconds(room, caller))
