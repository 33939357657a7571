"""The pages of jackpots in the back office: meters with their history, terms, escrow, and what people do to money."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from http import HTTPStatus
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request, Response
from fastapi.responses import RedirectResponse
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import FormData

from pitboss.books import RefusedError
from pitboss.meters import units_of
from pitboss.rules import parse_dollars
from pitboss.rules.money import MoneyError
from pitboss.server.access.door import Caller, allow
from pitboss.server.access.roles import READERS
from pitboss.server.declared import RoomOf
from pitboss.server.office_figures import is_long, office_figure
from pitboss.server.pages import render
from pitboss.server.performing import number_of, perform, problems_of, with_id
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
_SPANS = ((1, "Day"), (7, "Week"), (30, "Month"), (366, "Year"))
_REASONS = ("equipment-malfunction", "above-cap", "booked-as-receipts", "seed-recovered")
_MINUTE = 60_000_000
_TOLD = {
    "waits": "It waits for a second person.",
    "done": "Done.",
    "given": "Approved, and done.",
    "refused": "It was refused.",
}


@router.get("/office/jackpots")
def jackpots(request: Request, caller: Reader, room: RoomOf) -> Response:
    """Show every jackpot with its meter, and what the escrows warn of."""
    del caller
    return render(request, "office_jackpots.html", {"view": jackpots_view(room.state, room.clock())})


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
        "reasons": _REASONS,
        "problems": problems,
        "told": _TOLD.get(asked.get("told", ""), ""),
        "was": lambda field: "" if form is None else str(form.get(field) or ""),
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


def _done(room: Room, caller: Caller, name: str, said: dict[str, Any]) -> str:
    return "waits" if perform(room, caller, name, said) == "waits" else "done"


Doing = Callable[[Room, Caller, str, FormData], str]


def _adjust(room: Room, caller: Caller, name: str, form: FormData) -> str:
    """Raise a fund, or lower it for one of the permitted reasons (J-14); another person approves (T-06)."""
    units, lowers = units_of(parse_dollars(str(form.get("amount")))), form.get("way") == "lower"
    said: dict[str, Any] = {
        "command": form.get("command"),
        "name": name,
        "units": -units if lowers else units,
        "reason": form.get("reason") if lowers else None,
        "fund": form.get("fund"),
        "words": form.get("words"),
    }
    return _done(room, caller, "jackpots/adjust", said)


def _deposit(room: Room, caller: Caller, name: str, form: FormData) -> str:
    cents = parse_dollars(str(form.get("amount")))
    return _done(room, caller, "jackpots/deposit", {"command": form.get("command"), "name": name, "cents": cents})


def _arrived(room: Room, caller: Caller, name: str, form: FormData) -> str:
    said = {"command": form.get("command"), "name": name, "sequence": number_of(form.get("entry"))}
    return _done(room, caller, "jackpots/deposit-arrived", said)


def _give(room: Room, caller: Caller, name: str, form: FormData) -> str:
    del name
    number, command = number_of(form.get("number")), str(form.get("command"))
    room.approvals.give(number, name=caller.name, roles=caller.roles, command=command)
    return "given"


def _refuse(room: Room, caller: Caller, name: str, form: FormData) -> str:
    del name
    number, command = number_of(form.get("number")), str(form.get("command"))
    words = str(form.get("words") or "")
    if not words.strip():
        raise RefusedError(["say why it is refused"])
    room.approvals.refuse(number, name=caller.name, roles=caller.roles, words=words, command=command)
    return "refused"


_DOINGS: dict[str, Doing] = {
    "adjust": _adjust,
    "deposit": _deposit,
    "arrived": _arrived,
    "give": _give,
    "refuse": _refuse,
}


@router.post("/office/jackpots/{name}/{do}")
async def act(request: Request, name: str, do: str, caller: Acts, room: RoomOf) -> Response:
    """Do what a form asks, once, and show the jackpot again; or everything that speaks against it."""
    await run_in_threadpool(_view, room, caller, name)
    doing = _DOINGS.get(do)
    if doing is None:
        raise ProblemError(HTTPStatus.NOT_FOUND, [f"nothing is done by {do!r}"])
    form = await request.form()
    try:
        told = await run_in_threadpool(doing, room, caller, name, form)
    except (RefusedError, ValueError) as error:
        problems = (str(error),) if isinstance(error, MoneyError) else problems_of(error)
        return await run_in_threadpool(_page, request, room, caller, name, problems, form)
    address = request.url.path.rpartition("/")[0]
    return RedirectResponse(f"{address}?told={told}", HTTPStatus.SEE_OTHER)
