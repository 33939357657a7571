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
from pitboss.commands import Command
from pitboss.jackpot import (
    AdjustFund,
    BookReceipts,
    CloseJackpot,
    ConfirmDeposit,
    GiveRemovalNotice,
    OpenJackpot,
    PostBonus,
    RemoveJackpot,
    SendDeposit,
    SuspendJackpot,
    WithdrawEscrow,
)
from pitboss.meters import units_of
from pitboss.room.people.roles import READERS
from pitboss.room.room import Room
from pitboss.rules import parse_dollars
from pitboss.rules.money import MoneyError
from pitboss.server.auth import Caller, CurrentRoom, allow
from pitboss.server.pages.forms import decide_approval, number_of, perform, problems_of, text_of, with_id
from pitboss.server.pages.layout import render
from pitboss.server.problems import ProblemError
from pitboss.server.views.charts import step_chart
from pitboss.server.views.office.jackpots import JackpotView, jackpot_page, jackpots_view
from pitboss.server.views.table_state import room_zone
from pitboss.server.worker.figures import is_long, journal_figure
from pitboss.server.worker.jobs import MeterHistoryJob

FormAction = Callable[[Room, Caller, str, FormData], str]


def _done(room: Room, caller: Caller, cls: type[Command], said: dict[str, Any]) -> str:
    return "waits" if perform(room, caller, cls, said) == "waits" else "done"


def _plain(cls: type[Command]) -> FormAction:
    """A form action whose only field is the reason."""

    def do(room: Room, caller: Caller, name: str, form: FormData) -> str:
        said = {"command": form.get("command"), "name": name, "words": text_of(form.get("words"))}
        if not said["words"]:
            raise RefusedError(["say why, in words (REGULATION J-09)"])
        return _done(room, caller, cls, said)

    return do


def _money(cls: type[Command], *more: str, units: bool = False) -> FormAction:
    """A form action with an amount, and fields as they stand in the form."""

    def do(room: Room, caller: Caller, name: str, form: FormData) -> str:
        cents = parse_dollars(str(form.get("amount")))
        amount = {"units": units_of(cents)} if units else {"cents": cents}
        fields = {each: text_of(form.get(each)) for each in more}
        return _done(room, caller, cls, {"command": form.get("command"), "name": name, **amount, **fields})

    return do


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
    return _done(room, caller, AdjustFund, said)


def _arrived(room: Room, caller: Caller, name: str, form: FormData) -> str:
    said = {"command": form.get("command"), "name": name, "sequence": number_of(form.get("entry"))}
    return _done(room, caller, ConfirmDeposit, said)


def decided(room: Room, caller: Caller, form: FormData, number: int, *, given: bool) -> str:
    """Give or refuse what another has asked for, or take back what one has asked for oneself."""
    return decide_approval(room, caller, "give" if given else "refuse", number, form)


def _give(room: Room, caller: Caller, name: str, form: FormData) -> str:
    del name
    return decided(room, caller, form, number_of(form.get("number")), given=True)


def _refuse(room: Room, caller: Caller, name: str, form: FormData) -> str:
    del name
    return decided(room, caller, form, number_of(form.get("number")), given=False)


def _notice(room: Room, caller: Caller, name: str, form: FormData) -> str:
    """Give notice of a removal: the day, and where the money goes (J-17)."""
    destination = text_of(form.get("destination"))
    to = text_of(form.get("other")) if destination == "progressive" else text_of(form.get("to"))
    said = {each: text_of(form.get(each)) for each in ("day", "destination", "words")}
    command = form.get("command")
    return _done(room, caller, GiveRemovalNotice, {"command": command, "name": name, **said, "to": to})


ACTIONS: dict[str, FormAction] = {
    "adjust": _adjust,
    "deposit": _money(SendDeposit),
    "arrived": _arrived,
    "withdraw": _money(WithdrawEscrow, "words"),
    "receipts": _money(BookReceipts, "fund", "words", units=True),
    "post": _money(PostBonus, "words"),
    "open": _plain(OpenJackpot),
    "close": _plain(CloseJackpot),
    "suspend": _plain(SuspendJackpot),
    "notice": _notice,
    "remove": _plain(RemoveJackpot),
    "give": _give,
    "refuse": _refuse,
}


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
    return render(request, "office/jackpots.html", given, status=HTTPStatus.CONFLICT if problems else HTTPStatus.OK)


@router.get("/office/jackpots")
def jackpots(request: Request, caller: Reader, room: CurrentRoom) -> Response:
    """Show every jackpot with its meter, what waits to be defined, and what the escrows warn of."""
    return _list(request, room, caller)


@router.post("/office/jackpots/asked/{number}/{do}")
async def decide(request: Request, number: int, do: str, caller: Acts, room: CurrentRoom) -> Response:
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
    at = now - now % _MINUTE if is_long(room) else now
    figure = journal_figure(request, room, MeterHistoryJob(path=str(room.path), jackpot=name, days=days, at=at))
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
    return render(request, "office/jackpot.html", given, status=HTTPStatus.CONFLICT if problems else HTTPStatus.OK)


@router.get("/office/jackpots/{name}")
def jackpot(
    request: Request, name: str, caller: Reader, room: CurrentRoom, days: Annotated[str, Query(max_length=5)] = ""
) -> Response:
    """Show a jackpot."""
    del days
    return _page(request, room, caller, name)


def _problems(error: RefusedError | ValueError | ProblemError) -> tuple[str, ...]:
    if isinstance(error, ProblemError):
        return error.problems
    return (str(error),) if isinstance(error, MoneyError) else problems_of(error)


@router.post("/office/jackpots/{name}/{do}")
async def act(request: Request, name: str, do: str, caller: Acts, room: CurrentRoom) -> Response:
    """Do what a form asks, once, and show the jackpot again; or everything that speaks against it."""
    await run_in_threadpool(_view, room, caller, name)
    action = ACTIONS.get(do)
    if action is None:
        raise ProblemError(HTTPStatus.NOT_FOUND, [f"nothing is done by {do!r}"])
    form = await request.form()
    try:
        told = await run_in_threadpool(action, room, caller, name, form)
    except (RefusedError, ValueError, ProblemError) as error:
        problems = _problems(error)
        return await run_in_threadpool(_page, request, room, caller, name, problems, form)
    address = request.url.path.rpartition("/")[0]
    return RedirectResponse(f"{address}?told={told}", HTTPStatus.SEE_OTHER)
