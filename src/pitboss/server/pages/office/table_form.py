"""Editing a configuration: as a form or as TOML, each turned into the other, checked while it is edited."""

from __future__ import annotations

import datetime
import tomllib
from collections.abc import Sequence
from http import HTTPStatus
from typing import Annotated, Any, Literal, NamedTuple

from fastapi import APIRouter, Query, Request, Response
from fastapi.responses import RedirectResponse
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import FormData

from pitboss.books import RefusedError
from pitboss.books.entries import EPOCH
from pitboss.games import UnknownGameError, all_games, find_game
from pitboss.room.agreement import disagreements
from pitboss.room.configurations import configuration_at, configuration_by_hash
from pitboss.room.posting import PostConfiguration, opening_instant, problems_on
from pitboss.room.room import Room
from pitboss.rules import Problem
from pitboss.server.auth import Caller, CurrentRoom, allow
from pitboss.server.pages.forms import perform, problems_of, text_of, with_id
from pitboss.server.pages.layout import render
from pitboss.server.problems import ProblemError
from pitboss.server.views.office.configurations import compared_view, problem_lines, short_hash
from pitboss.server.views.office.table_form import content_of, fields_of, form_view, lost_keys
from pitboss.server.views.office.tables import table_address
from pitboss.server.views.table_state import room_zone
from pitboss.server.worker.figures import figure_or_failure
from pitboss.table import default_configuration, read_configuration
from pitboss.table.configuration import toml_text

router = APIRouter(include_in_schema=False)
Manages = Annotated[Caller, allow("manager")]
Mode = Literal["form", "toml"]
_BESIDE = ("opens", "words")


class Editing(NamedTuple):
    """What is being edited: as which of the two, the text, what stands in the fields, and what beside it was typed."""

    mode: Mode
    text: str
    fields: dict[str, str]
    beside: dict[str, str]
    wrong: tuple[str, ...] = ()


def _today(room: Room) -> datetime.date:
    return (EPOCH + datetime.timedelta(microseconds=room.clock())).astimezone(room_zone(room.state)).date()


def _from_content(content: dict[str, Any], beside: dict[str, str] | None = None) -> Editing:
    fields = fields_of(content)
    return Editing("form", toml_text(content_of(fields)), fields, beside or {})


def _beginning(room: Room, table: str, of: str) -> Editing:
    """Begin with a configuration by its hash, the default table of a game, or the one in force."""
    state = room.state
    found = configuration_by_hash(state, of) or configuration_at(state, table)
    if of in {each.name for each in all_games()}:
        found = default_configuration(find_game(of), _today(room))
    if found is None:
        raise ProblemError(HTTPStatus.NOT_FOUND, [f"there is no table {table!r}: begin it with a game"])
    return _from_content(found.as_dict())


def _typed(form: FormData) -> Editing:
    """Read what was typed, in whichever of the two."""
    beside = {name: text_of(form.get(name)) for name in _BESIDE}
    if form.get("mode") == "toml":
        text = str(form.get("text") or "").replace("\r\n", "\n")
        return Editing("toml", text, {}, beside)
    fields = {name: text_of(value) for name, value in form.multi_items() if name not in (*_BESIDE, "csrf", "command")}
    return Editing("form", toml_text(content_of(fields)), fields, beside)


def _as_form(typed: Editing) -> Editing:
    """Turn a text into the form; where something would be lost on the way, it stays a text and that is said."""
    try:
        content = tomllib.loads(typed.text)
        find_game(content.get("game"))
    except (tomllib.TOMLDecodeError, UnknownGameError) as error:
        return typed._replace(wrong=(f"there is no form for this text: {error}",))
    lost = lost_keys(content)
    if lost:
        return typed._replace(wrong=(f"the form has no field for {', '.join(lost)}: mend or remove it first",))
    return _from_content(content, typed.beside)


def _other_game(room: Room, typed: Editing) -> Editing:
    try:
        game = find_game(typed.fields.get("game"))
    except UnknownGameError as error:
        return typed._replace(wrong=(str(error),))
    return _from_content(default_configuration(game, _today(room)).as_dict(), typed.beside)


def _moved(room: Room, typed: Editing, do: str) -> Editing:
    if do == "form" and typed.mode == "toml":
        return _as_form(typed)
    if do == "toml" and typed.mode == "form":
        return typed._replace(mode="toml")
    return _other_game(room, typed) if do == "game" and typed.mode == "form" else typed


def _opening_problems(room: Room, typed: Editing, configuration: Any) -> list[str]:
    """What the opening time itself, and the rules of that day, hold against it."""
    zone = room_zone(room.state)
    try:
        instant = opening_instant(typed.beside.get("opens", ""), zone)
    except RefusedError as error:
        return list(error.problems)
    day = (EPOCH + datetime.timedelta(microseconds=max(instant, room.clock()))).astimezone(zone).date()
    return problems_on(configuration, day)


def _page(
    request: Request, room: Room, table: str, typed: Editing, problems: Sequence[str] = (), *, status: int = 200
) -> Response:
    read, state = read_configuration(typed.text), room.state
    configuration, standing = read.configuration, configuration_at(state, table)
    game = None if configuration is None else configuration.game
    try:
        form = form_view(typed.fields) if typed.mode == "form" else None
    except UnknownGameError:
        form, typed = None, typed._replace(mode="toml")
    wrong: tuple[Problem, ...] = read.problems
    compared = compared_view(standing, configuration, figure_or_failure(request)) if configuration else None
    before_opening: list[str] = []
    if configuration is not None and not wrong:
        before_opening = [*_opening_problems(room, typed, configuration)]
        before_opening += map(str, disagreements(state, table, configuration))
    given = {
        "table": table,
        "address": table_address(table),
        "editing": typed,
        "form": form,
        "problems": (*typed.wrong, *problems),
        "wrong": problem_lines(wrong, game),
        "notices": problem_lines(read.notices, game),
        "compared": compared,
        "before_opening": before_opening,
        "is_new": standing is None,
        "hash": configuration.content_hash if configuration is not None and not wrong else "",
        "short": short_hash,
        "parts": ("compared",),
        "command": lambda: with_id("office"),
    }
    return render(request, "office/table_form.html", given, status=status)


@router.get("/office/tables/{table}/edit")
def edit(
    request: Request, table: str, _: Manages, room: CurrentRoom, of: Annotated[str, Query(max_length=64)] = ""
) -> Response:
    """Begin to edit a configuration of a table."""
    return _page(request, room, table, _beginning(room, table, of))


def _ask(request: Request, room: Room, caller: Caller, table: str, typed: Editing, command: Any) -> Response:
    """Ask a second person for it; where anything is wrong nothing is asked, and all of it is said."""
    said = {"command": command, "table": table, "configuration": typed.text, **typed.beside}
    try:
        perform(room, caller, PostConfiguration, said)
    except (RefusedError, ValueError) as error:
        problems = () if read_configuration(typed.text).problems else problems_of(error)
        told = ("It was not asked for: mend what is wrong first.", *problems)
        return _page(request, room, table, typed, told, status=HTTPStatus.CONFLICT)
    return RedirectResponse(f"{table_address(table)}?told=waits", HTTPStatus.SEE_OTHER)


@router.post("/office/tables/{table}/edit")
async def change(request: Request, table: str, caller: Manages, room: CurrentRoom) -> Response:
    """Check what was typed, turn it into the other form, or ask a second person for it."""
    form = await request.form()
    typed, do = _typed(form), text_of(form.get("do")) or "check"
    if do == "ask":
        return await run_in_threadpool(_ask, request, room, caller, table, typed, form.get("command"))
    return await run_in_threadpool(_page, request, room, table, _moved(room, typed, do))
