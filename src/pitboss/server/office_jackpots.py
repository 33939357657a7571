"""The pages of jackpots in the back office: meters with their history, terms, escrow, and what people do to money."""

from __future__ import annotations

from collections.abc import Sequence
from http import HTTPStatus
from typing import Annotated

from fastapi import APIRouter, Query, Request, Response
from fastapi.responses import RedirectResponse
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import FormData

from pitboss.books import RefusedError
from pitboss.rules.money import MoneyError
from pitboss.server.access.door import Caller, allow
from pitboss.server.access.roles import READERS
from pitboss.server.declared import RoomOf
from pitboss.server.office_figures import is_long, office_figure
from pitboss.server.office_jackpot_doings import DOINGS, decided
from pitboss.server.pages import render
from pitboss.server.performing import problems_of, text_of, with_id
from pitboss.server.problems import ProblemError
from pitboss.server.room import Room
from pitboss.server.views.charts import step_chart
from pitboss.server.views.jackpots import JackpotView, jackpot_page, jackpots_view
from pitboss.server.views.table_state import room_zone

__all__ = ["router"]

router = APIRouter(include_in_schema=False)
Reader = Annotated[Caller, allow(*READERS)]
Acts = Annotated[Caller, allow("supervisor", "surveillance", "accounting", "manager")]
_MONEY = frozenset({"manager", "accounting"})
_FLOOR = frozenset({"manager", "supervisor"})
_SPANS = ((1, "Day"), (7, "Week"), (30, "Month"), (366, "Year"))
_REASONS = ("equipment-malfunction", "above-cap", "booked-as-receipts", "seed-recovered")
_PLAYS = (
    ("open", "Open play", "Ask a second person to open it"),
    ("close", "Close play", "Close it"),
    ("suspend", "Suspend play", "Suspend it"),
)
_HERE = {"open": "open", "closed": "close", "suspended": "suspend"}
_MINUTE = 60_000_000
_TOLD = {
    "waits": "It waits for a second person.",
    "done": "Done.",
    "given": "Approved, and done.",
    "refused": "It was refused.",
}


def _list(request: Request, room: Room, caller: Caller, problems: Sequence[str] = ()) -> Response:
    given = {
        "view": jackpots_view(room.state, room.clock(), caller.name, caller.roles),
        "is_manager": "manager" in caller.roles,
        "problems": problems,
        "told": _TOLD.get(request.query_params.get("told", ""), ""),
        "command": lambda: with_id("office"),
    }
    return render(request, "office_jackpots.html", given, status=HTTPStatus.CONFLICT if problems else HTTPStatus.OK)


@router.get("/office/jackpots")
def jackpots(request: Request, caller: Reader, room: RoomOf) -> Response:
    """Show every jackpot with its meter, what waits to be defined, and what the escrows warn of."""
    return _list(request, room, caller)


@router.post("/office/jackpots/asked/{number}/{do}")
async def decide(request: Request, number: int, do: str, caller: Acts, room: RoomOf) -> Response:
    """Give or refuse a definition that another has asked for, or take back one's own."""
    if do not in ("give", "refuse"):
        raise ProblemError(HTTPStatus.NOT_FOUND, [f"nothing is done by {do!r}"])
    form = await request.form()
    try:
        told = await run_in_threadpool(decided, room, caller, form, number, given=do == "give")
    except (RefusedError, ProblemError) as error:
        return await run_in_threadpool(_list, request, room, caller, error.problems)
    return RedirectResponse(f"/office/jackpots?told={told}", HTTPStatus.SEE_OTHER)


def _view(room: Room, caller: Caller, name: str) -> JackpotView:
    state = room.state
    view = jackpot_page(state, name, room.clock(), room_zone(state), caller.name, caller.roles)
    if view is None:
        raise ProblemError(HTTPStatus.NOT_FOUND, [f"there is no jackpot {name!r}"])
    return view


def _page(
    request: Request, room: Room, caller: Caller, name: str, problems: Sequence[str] = (), form: FormData | None = None
) -> Response:
    view, asked = _view(room, caller, name), request.query_params
    acted = request.url.path.rpartition("/")[2] if problems else ""
    days = next((each for each, _ in _SPANS if asked.get("days") == str(each)), 7)
    # A long journal is asked once a minute at most, whoever looks.
    now = room.clock()
    figure = office_figure(
        request, room, "meter-history", jackpot=name, days=days, at=now - now % _MINUTE if is_long(room) else now
    )
    found = figure.value if figure.status == "ready" else None
    given = {
        "view": view,
        "chart": found
        and step_chart(
            [tuple(each) for each in found["points"]], found["begins"], found["ends"], room_zone(room.state)
        ),
        "spans": [(each, title, each == days) for each, title in _SPANS],
        "waits": figure.key if figure.status == "computing" else "",
        "is_money": bool(caller.roles & _MONEY),
        "is_manager": "manager" in caller.roles,
        "is_floor": bool(caller.roles & _FLOOR),
        "reasons": _REASONS,
        "plays": [each for each in _PLAYS if each[0] != _HERE.get(view.card.play)],
        "acted": acted,
        "problems": problems,
        "told": _TOLD.get(asked.get("told", ""), ""),
        "sent": lambda do, field: text_of(form.get(field)) if form is not None and do == acted else "",
        "command": lambda: with_id("office"),
        "parts": ("chart",),
    }
    return render(request, "office_jackpot.html", given, status=HTTPStatus.CONFLICT if problems else HTTPStatus.OK)


@router.get("/office/jackpots/{name}")
def jackpot(
    request: Request, name: str, caller: Reader, room: RoomOf, days: Annotated[str, Query(max_length=5)] = ""
) -> Response:
    """Show a jackpot."""
    del days
    return _page(request, room, caller, name)


def _problems(error: RefusedError | ValueError | ProblemError) -> tuple[str, ...]:
    if isinstance(error, ProblemError):
        return error.problems
    return (str(error),) if isinstance(error, MoneyError) else problems_of(error)


@router.post("/office/jackpots/{name}/{do}")
async def act(request: Request, name: str, do: str, caller: Acts, room: RoomOf) -> Response:
    """Do what a form asks, once, and show the jackpot again; or everything that speaks against it."""
    await run_in_threadpool(_view, room, caller, name)
    doing = DOINGS.get(do)
    if doing is None:
        raise ProblemError(HTTPStatus.NOT_FOUND, [f"nothing is done by {do!r}"])
    form = await request.form()
    try:
        told = await run_in_threadpool(doing, room, caller, name, form)
    except (RefusedError, ValueError, ProblemError) as error:
        problems = _problems(error)
        return await run_in_threadpool(_page, request, room, caller, name, problems, form)
    address = request.url.path.rpartition("/")[0]
    return RedirectResponse(f"{address}?told={told}", HTTPStatus.SEE_OTHER)
