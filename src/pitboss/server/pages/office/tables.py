"""Tables in the back office: the list, a table with its configurations, and what people do about them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from http import HTTPStatus
from typing import Annotated, Any

from fastapi import APIRouter, Request, Response
from fastapi.responses import RedirectResponse
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import FormData

from pitboss.books import RefusedError
from pitboss.commands import Command
from pitboss.games import all_games, find_game
from pitboss.room.configurations import configuration_at, configuration_by_hash, posts_at
from pitboss.room.people.roles import READERS
from pitboss.room.posting import WithdrawConfiguration
from pitboss.room.room import Room
from pitboss.server.auth import Caller, CurrentRoom, allow
from pitboss.server.pages.forms import SubmittedForm, decide_approval, number_of, perform, problems_of, text_of, with_id
from pitboss.server.pages.layout import render
from pitboss.server.problems import ProblemError
from pitboss.server.views.office.configurations import compared_view, short_hash
from pitboss.server.views.office.tables import asked_configuration, table_address, table_cards, table_page
from pitboss.server.views.paytables import titled
from pitboss.server.views.table_state import tables_of
from pitboss.server.worker.figures import figure_or_failure
from pitboss.table import Configuration
from pitboss.tabulator import TABLES, CloseTable, OpenTable, SetUpTable, sensors_for
from pitboss.tabulator.equipment import NONE, find_model


def wagers_to_count(configuration: Configuration) -> tuple[tuple[str, str, bool], ...]:
    """The wagers that a tabulator may count: name, title, and whether it must, because a jackpot is won on it."""
    by_name = find_game(configuration.game).by_name
    names = (*configuration.jackpots, *configuration.wagers)
    return tuple((name, titled(by_name[name].title), name in configuration.jackpots) for name in names)


def setup_said(table: str, configuration: Configuration, form: FormData) -> dict[str, Any]:
    """Say the set-up of a table: the same sensors at every seat, one for each wager that is counted (E-02, E-03)."""
    model = configuration.equipment or NONE
    counted = [name for name, _, _ in wagers_to_count(configuration) if name in form.getlist("counted")]
    found = find_model(model)
    lit = counted if found is not None and found.lights == "sensors" else []
    digits = text_of(form.get("counter_digits"))
    return {
        "table": table,
        "game": configuration.game,
        "model": model,
        "seats": configuration.seats,
        "sensors": [each._asdict() for each in sensors_for(model, configuration.seats, counted, lights=lit)],
        "entered": counted if model == NONE else [],
        "down_method": text_of(form.get("down_method")) or "suspend",
        "profile": configuration.profile,
        "device": text_of(form.get("device")),
        "counter_digits": number_of(digits) if digits else None,
        "limits": {},
    }


router = APIRouter(include_in_schema=False)
Reader = Annotated[Caller, allow(*READERS)]
Acts = Annotated[Caller, allow("supervisor", "surveillance", "accounting", "manager")]
Manages = Annotated[Caller, allow("manager")]
TOLD = {
    "waits": "It waits for a second person.",
    "done": "Done.",
    "given": "Approved.",
    "refused": "It was refused.",
    "opened": "The table is open.",
    "closed": "The table is closed.",
    "withdrawn": "Withdrawn: it does not open.",
}


@router.get("/office/tables")
def tables(request: Request, caller: Reader, room: CurrentRoom) -> Response:
    """Show every table with what is in force there."""
    return _list(request, room, caller)


def _list(
    request: Request, room: Room, caller: Caller, problems: Sequence[str] = (), form: FormData | None = None
) -> Response:
    given = {
        "cards": table_cards(room.state, room.clock()),
        "games": [(each.name, each.title) for each in all_games()],
        "may_make": "manager" in caller.roles,
        "problems": problems,
        "sent": SubmittedForm("new", form),
        "short": short_hash,
        "parts": ("compared",),
    }
    return render(request, "office/tables.html", given, status=HTTPStatus.CONFLICT if problems else HTTPStatus.OK)


@router.post("/office/tables")
async def begin(request: Request, caller: Manages, room: CurrentRoom) -> Response:
    """Begin a new table: its name and its game; what it offers is edited next, and nothing is kept before."""
    form = await request.form()
    table, game = text_of(form.get("table")), text_of(form.get("game"))
    problems = []
    if not table or not table.isprintable() or len(table) > 40 or table in (".", ".."):
        problems.append("name: a table has a name of at most 40 letters in one line")
    elif any(each.table == table for each in table_cards(room.state, room.clock())):
        problems.append(f"name: there is a table {table} already")
    if game not in {each.name for each in all_games()}:
        problems.append("game: choose one")
    if problems:
        return await run_in_threadpool(_list, request, room, caller, problems, form)
    return RedirectResponse(f"{table_address(table)}/edit?of={find_game(game).name}", HTTPStatus.SEE_OTHER)


def _page(
    request: Request,
    room: Room,
    caller: Caller,
    table: str,
    problems: Sequence[str] = (),
    sent: SubmittedForm | None = None,
) -> Response:
    state, now = room.state, room.clock()
    view = table_page(state, table, now, caller.name, caller.roles)
    if table not in tables_of(state) and not view.asked:
        raise ProblemError(HTTPStatus.NOT_FOUND, [f"there is no table {table!r}"])
    shown = compared_view(None, view.configuration, figure_or_failure(request)) if view.configuration else None
    record = state.of(TABLES).tables.get(table)
    posts = posts_at(state, table)
    hashes = dict.fromkeys((*([posts.now.hash] if posts.now else []), *(each.hash for each in posts.prepared)))
    setting = [(each, configuration_by_hash(state, each)) for each in hashes]
    given = {
        "view": view,
        "shown": shown,
        "waits": "" if shown is None else shown.waits,
        "record": record,
        "setting": [(each, wagers_to_count(found)) for each, found in setting if found is not None],
        "is_manager": "manager" in caller.roles,
        "is_floor": bool(caller.roles & {"supervisor", "manager"}),
        "problems": problems,
        "sent": sent or SubmittedForm(),
        "told": TOLD.get(request.query_params.get("told", ""), ""),
        "short": short_hash,
        "parts": ("compared",),
        "command": lambda: with_id("office"),
    }
    return render(request, "office/table.html", given, status=HTTPStatus.CONFLICT if problems else HTTPStatus.OK)


@router.get("/office/tables/{table}")
def table_of(request: Request, table: str, caller: Reader, room: CurrentRoom) -> Response:
    """Show a table: what is in force, prepared and asked for, its equipment, and what was in force when."""
    return _page(request, room, caller, table)


@router.get("/office/tables/{table}/asked/{number}")
def asked(request: Request, table: str, number: str, caller: Reader, room: CurrentRoom) -> Response:
    """Show a configuration that waits for a second person beside the one in force."""
    state = room.state
    pending = room.approvals.waiting.get(number_of(number))
    view = table_page(state, table, room.clock(), caller.name, caller.roles)
    line = next((each for each in view.asked if each.number == number_of(number)), None)
    configuration = None if pending is None else asked_configuration(pending)
    if line is None or configuration is None:
        raise ProblemError(HTTPStatus.NOT_FOUND, [f"nothing that waits at table {table!r} has the number {number}"])
    compared = compared_view(configuration_at(state, table), configuration, figure_or_failure(request))
    given = {
        "card": view.card,
        "asked": line,
        "compared": compared,
        "text": configuration.canonical,
        "waits": compared.waits,
        "short": short_hash,
        "parts": ("compared",),
        "command": lambda: with_id("office"),
    }
    return render(request, "office/table_request.html", given)


FormAction = Callable[[Room, Caller, str, FormData], str]


def _give(room: Room, caller: Caller, table: str, form: FormData) -> str:
    del table
    return decide_approval(room, caller, "give", number_of(form.get("number")), form)


def _refuse(room: Room, caller: Caller, table: str, form: FormData) -> str:
    del table
    return decide_approval(room, caller, "refuse", number_of(form.get("number")), form)


def _simple(cls: type[Command], told: str, *fields: str) -> FormAction:
    def do(room: Room, caller: Caller, table: str, form: FormData) -> str:
        said: dict[str, Any] = {"command": form.get("command"), "table": table}
        said |= {each: text_of(form.get(each)) for each in fields}
        if "number" in said:
            said["number"] = number_of(said["number"])
        found = perform(room, caller, cls, said)
        return found if found == "waits" else told

    return do


def _set_up(room: Room, caller: Caller, table: str, form: FormData) -> str:
    """Set the table up as a configuration of it states: its game, seats and equipment are said once."""
    configuration = configuration_by_hash(room.state, text_of(form.get("hash")))
    if configuration is None:
        raise RefusedError(["configuration: prepare one first; the table is set up for it"])
    said: dict[str, Any] = {"command": form.get("command"), "words": text_of(form.get("words"))}
    since = text_of(form.get("since"))
    said |= {"setup": setup_said(table, configuration, form), "since": since or None}
    return perform(room, caller, SetUpTable, said)


ACTIONS: dict[str, FormAction] = {
    "give": _give,
    "refuse": _refuse,
    "withdraw": _simple(WithdrawConfiguration, "withdrawn", "number", "words"),
    "open": _simple(OpenTable, "opened"),
    "close": _simple(CloseTable, "closed"),
    "set-up": _set_up,
}


@router.post("/office/tables/{table}/{do}")
async def act(request: Request, table: str, do: str, caller: Acts, room: CurrentRoom) -> Response:
    """Do what a form asks, once, and show the table again; or everything that speaks against it."""
    action = ACTIONS.get(do)
    if action is None:
        raise ProblemError(HTTPStatus.NOT_FOUND, [f"nothing is done by {do!r}"])
    form = await request.form()
    try:
        told = await run_in_threadpool(action, room, caller, table, form)
    except (RefusedError, ValueError) as error:
        return await run_in_threadpool(_page, request, room, caller, table, problems_of(error), SubmittedForm(do, form))
    return RedirectResponse(f"{table_address(table)}?told={told}", HTTPStatus.SEE_OTHER)
