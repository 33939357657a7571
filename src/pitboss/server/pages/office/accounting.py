"""What the accounting desk does on the pages of reports: chips are entered, exceptions raised, taken and resolved."""

from __future__ import annotations

from collections.abc import Callable
from http import HTTPStatus
from typing import Annotated, Any
from urllib.parse import urlencode

from fastapi import APIRouter, Request, Response
from fastapi.responses import RedirectResponse
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import FormData

from pitboss.books import RefusedError
from pitboss.room.accounting import CollectChips, RaiseFound, ResolveException, TakeException
from pitboss.room.room import Room
from pitboss.rules import parse_dollars
from pitboss.rules.money import MoneyError
from pitboss.server.auth import Caller, CurrentRoom, allow
from pitboss.server.pages.forms import number_of, perform, problems_of, text_of
from pitboss.server.problems import ProblemError

router = APIRouter(include_in_schema=False)
Acts = Annotated[Caller, allow("supervisor", "surveillance", "accounting", "manager")]
FormAction = Callable[[Room, Caller, FormData], None]


def _signed_cents(text: str) -> int:
    """Read an amount that may be below zero: what the tray paid beyond the wagers it took (O-12)."""
    sign, plain = (-1, text[1:]) if text[:1] in ("-", "\N{MINUS SIGN}") else (1, text)
    return sign * parse_dollars(plain)


def _collect(room: Room, caller: Caller, form: FormData) -> None:
    said: dict[str, Any] = {
        name: text_of(form.get(name)) for name in ("command", "day", "shift", "table", "counted_with", "words")
    }
    perform(room, caller, CollectChips, {**said, "cents": _signed_cents(text_of(form.get("amount")))})


def _raise(room: Room, caller: Caller, form: FormData) -> None:
    said = {name: text_of(form.get(name)) for name in ("command", "report", "key")}
    period = {name: text_of(form.get(f"back-{name}")) for name in ("first", "last")}
    perform(room, caller, RaiseFound, {**said, **period})


def _take(room: Room, caller: Caller, form: FormData) -> None:
    said = {"command": text_of(form.get("command")), "number": number_of(form.get("number"))}
    perform(room, caller, TakeException, said)


def _resolve(room: Room, caller: Caller, form: FormData) -> None:
    said = {"command": text_of(form.get("command")), "number": number_of(form.get("number"))}
    perform(room, caller, ResolveException, {**said, "words": text_of(form.get("words"))})


ACTIONS: dict[str, FormAction] = {"collect": _collect, "raise": _raise, "take": _take, "resolve": _resolve}


@router.post("/office/desk/{do}")
async def act(request: Request, do: str, caller: Acts, room: CurrentRoom) -> Response:
    """Do what a form of a report asks, once, and show the report again; or everything that speaks against it."""
    action = ACTIONS.get(do)
    if action is None:
        raise ProblemError(HTTPStatus.NOT_FOUND, [f"nothing is done by {do!r}"])
    form = await request.form()
    try:
        await run_in_threadpool(action, room, caller, form)
    except (RefusedError, ValueError) as error:
        problems = (str(error),) if isinstance(error, MoneyError) else problems_of(error)
        raise ProblemError(HTTPStatus.CONFLICT, problems) from None
    back = {name: text_of(form.get(f"back-{name}")) for name in ("first", "last", "shift", "table", "jackpot")}
    query = urlencode({name: value for name, value in back.items() if value})
    name = "takings" if do == "collect" else text_of(form.get("report")) or "exceptions"
    plain = name if name.replace("-", "").isalnum() and name.isascii() else "exceptions"
    return RedirectResponse(f"/office/reports/{plain}?{query}", HTTPStatus.SEE_OTHER)
