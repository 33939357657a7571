"""The first day: a path from an empty room to one that is open for business, and the page of the room itself."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Annotated, Any

from fastapi import APIRouter, Request, Response
from fastapi.responses import RedirectResponse
from starlette.concurrency import run_in_threadpool

from pitboss.books import ROOM, RefusedError
from pitboss.commands import InvalidCommandError
from pitboss.room.room import Room
from pitboss.room.settings import SetRoom
from pitboss.server.auth import Caller, CurrentRoom, allow
from pitboss.server.pages.forms import run, with_id
from pitboss.server.pages.layout import render
from pitboss.server.pages.office.jackpot_form import form_values
from pitboss.server.views.office.room import room_view
from pitboss.server.views.office.start import start_view

router = APIRouter(include_in_schema=False)
_MAY = ("manager", "administrator")
Sets = Annotated[Caller, allow(*_MAY)]
Looks = Annotated[Caller, allow(*_MAY, "supervisor", "accounting", "auditor")]
_TOLD = {"made": "The room is set up.", "changed": "Changed, from that day on."}
_FIELDS = {"room": "name of the room", "time_zone": "time zone"}


@router.get("/office/start")
def start(request: Request, caller: Sets, room: CurrentRoom) -> Response:
    """Show what is done and what is missing, each with its link."""
    given = {"view": start_view(room.state, room.secrets()), "roles": caller.roles}
    return render(request, "office/start.html", given)


def _page(
    request: Request,
    room: Room,
    caller: Caller,
    problems: Sequence[str] = (),
    values: Mapping[str, list[str]] | None = None,
) -> Response:
    given = {
        "view": room_view(room.state, room.clock(), values),
        "may_set": bool(caller.roles & set(_MAY)),
        "problems": problems,
        "told": _TOLD.get(request.query_params.get("told", ""), ""),
        "command": lambda: with_id("room"),
    }
    return render(request, "office/room.html", given, status=HTTPStatus.CONFLICT if problems else HTTPStatus.OK)


@router.get("/office/room")
def room_page(request: Request, caller: Looks, room: CurrentRoom) -> Response:
    """Show the room's settings through time, and the form that makes or changes them."""
    return _page(request, room, caller)


def _said(values: Mapping[str, list[str]], room: Room) -> dict[str, Any]:
    """What the form says: shifts without a name and a time are left out; name and zone of a room that is stay."""
    calendar = room.state.of(ROOM)

    def text(name: str) -> str:
        return next(iter(values.get(name, [])), "")

    named = zip(values.get("shift", []), values.get("begins", []), strict=False)
    shifts = [{"name": name or "?", "begins": begins} for name, begins in named if name or begins]
    settings = {"operator": text("operator"), "licence": text("licence"), "shifts": shifts}
    settings |= {"locale": text("locale")} if text("locale") else {}
    if calendar is None:
        settings |= {"room": text("room"), "time_zone": text("time_zone")}
        return {"settings": settings}
    last = calendar.history[-1][1]
    return {"settings": settings | {"room": last.room, "time_zone": last.time_zone}, "since": text("since")}


def _set(room: Room, caller: Caller, values: Mapping[str, list[str]]) -> str:
    is_new = room.state.of(ROOM) is None
    command = next(iter(values.get("command", [])), "") or with_id("room")
    run(room, caller, SetRoom, {"command": command, **_said(values, room)})
    return "made" if is_new else "changed"


def _problems(error: RefusedError | InvalidCommandError) -> tuple[str, ...]:
    if isinstance(error, RefusedError):
        return error.problems
    fields = [text.partition(":")[0].rpartition(".")[2] for text in error.problems]
    return tuple(f"{_FIELDS.get(name, name)}: say it (O-07)" for name in dict.fromkeys(fields))


@router.post("/office/room")
async def set_room(request: Request, caller: Sets, room: CurrentRoom) -> Response:
    """Make the room, or change its gambling day and shifts from a later day on (G-30)."""
    values = form_values(await request.form())
    try:
        told = await run_in_threadpool(_set, room, caller, values)
    except (RefusedError, InvalidCommandError) as error:
        return await run_in_threadpool(_page, request, room, caller, _problems(error), values)
    return RedirectResponse("/office/start" if told == "made" else f"/office/room?told={told}", HTTPStatus.SEE_OTHER)
