"""Editing a configuration: as a form or as TOML, each turned into the other, checked while it is edited."""

from __future__ import annotations

import datetime
import tomllib
from collections.abc import Sequence
from http import HTTPStatus
from typing import Annotated, Any, Literal, NamedTuple

from fastapi import APIRouter, Query, Request, Response
from fastapi.responses import RedirectResponse
from starlette.datastructures import FormData

from pitboss.books import RefusedError
from pitboss.books.entries import EPOCH
from pitboss.games import UnknownGameError, all_games, find_game
from pitboss.room.agreement import disagreements
from pitboss.room.configurations import configuration_at, configuration_by_hash
from pitboss.room.posting import PostConfiguration, opening_instant, problems_on
from pitboss.room.room import Room
from pitboss.server.auth import Caller, RoomOf
from pitboss.server.pages.forms import Form, allow_commands, problems_of, render_form, submit, text_of
from pitboss.server.problems import ProblemError
from pitboss.server.views.office.compared import compared_view, problem_lines, short_hash
from pitboss.server.views.office.table_form import content_of, fields_of, form_view, lost_keys
from pitboss.server.views.office.tables import local_today, table_address
from pitboss.server.views.table_state import room_zone
from pitboss.server.worker.figures import figure_or_none
from pitboss.table import default_configuration, read_configuration
from pitboss.table.configuration import toml_text

router = APIRouter(include_in_schema=False)
Configures = Annotated[Caller, allow_commands(PostConfiguration)]
Mode = Literal["form", "toml"]
_BESIDE = ("opens", "words")


class Editing(NamedTuple):
    """A configuration being edited: as a form or TOML, its text, the form's fields, and what was typed beside it."""

    mode: Mode
    text: str
    fields: dict[str, str]
    beside: dict[str, str]
    problems: tuple[str, ...] = ()


def _from_content(content: dict[str, Any], beside: dict[str, str] | None = None) -> Editing:
    fields = fields_of(content)
    return Editing("form", toml_text(content_of(fields)), fields, beside or {})


def _beginning(room: Room, table: str, of: str) -> Editing:
    """Return a configuration by its hash, the default table of a game, or the one in force, to be edited."""
    state = room.state
    configuration = configuration_by_hash(state, of) or configuration_at(state, table)
    if of in {game.name for game in all_games()}:
        configuration = default_configuration(find_game(of), local_today(state, room.clock()))
    if configuration is None:
        raise ProblemError(HTTPStatus.NOT_FOUND, [f"there is no table {table!r}: begin it with a game"])
    return _from_content(configuration.as_dict())


def _typed(form: FormData) -> Editing:
    """Parse the submitted form or text."""
    beside = {name: text_of(form.get(name)) for name in _BESIDE}
    if form.get("mode") == "toml":
        text = str(form.get("text") or "").replace("\r\n", "\n")
        return Editing("toml", text, {}, beside)
    fields = {name: text_of(value) for name, value in form.multi_items() if name not in (*_BESIDE, "csrf", "command")}
    return Editing("form", toml_text(content_of(fields)), fields, beside)


def _as_form(typed: Editing) -> Editing:
    """Turn a text into the form; where something would be lost, it stays a text, with a problem."""
    try:
        content = tomllib.loads(typed.text)
        find_game(content.get("game"))
    except (tomllib.TOMLDecodeError, UnknownGameError) as error:
        return typed._replace(problems=(f"there is no form for this text: {error}",))
    lost = lost_keys(content)
    if lost:
        return typed._replace(problems=(f"the form has no field for {', '.join(lost)}: mend or remove it first",))
    return _from_content(content, typed.beside)


def _other_game(room: Room, typed: Editing) -> Editing:
    try:
        game = find_game(typed.fields.get("game"))
    except UnknownGameError as error:
        return typed._replace(problems=(str(error),))
    return _from_content(default_configuration(game, local_today(room.state, room.clock())).as_dict(), typed.beside)


def _moved(room: Room, typed: Editing, do: str) -> Editing:
    if do == "form" and typed.mode == "toml":
        return _as_form(typed)
    if do == "toml" and typed.mode == "form":
        return typed._replace(mode="toml")
    return _other_game(room, typed) if do == "game" and typed.mode == "form" else typed


def _opening_problems(room: Room, typed: Editing, configuration: Any) -> list[str]:
    """Return what is wrong with the opening time, or with the configuration by the rules of that day."""
    zone = room_zone(room.state)
    try:
        instant = opening_instant(typed.beside.get("opens", ""), zone)
    except RefusedError as error:
        return list(error.problems)
    day = (EPOCH + datetime.timedelta(microseconds=max(instant, room.clock()))).astimezone(zone).date()
    return problems_on(configuration, day)


def _page(
    request: Request,
    room: Room,
    table: str,
    typed: Editing,
    problems: Sequence[str] = (),
    *,
    status: HTTPStatus = HTTPStatus.OK,
) -> Response:
    parsed, state = read_configuration(typed.text), room.state
    configuration, in_force = parsed.configuration, configuration_at(state, table)
    game = None if configuration is None else configuration.game
    try:
        form = form_view(typed.fields) if typed.mode == "form" else None
    except UnknownGameError:
        form, typed = None, typed._replace(mode="toml")
    before_opening: list[str] = []
    is_valid = configuration is not None and not parsed.problems
    if configuration is not None and is_valid:
        before_opening = [*_opening_problems(room, typed, configuration)]
        before_opening += map(str, disagreements(state, table, configuration))
    context = {
        "table": table,
        "address": table_address(table),
        "editing": typed,
        "form": form,
        "wrong": problem_lines(parsed.problems, game),
        "notices": problem_lines(parsed.notices, game),
        "compared": compared_view(in_force, configuration, figure_or_none(request)) if configuration else None,
        "before_opening": before_opening,
        "is_new": in_force is None,
        "hash": configuration.content_hash if configuration is not None and is_valid else "",
        "short": short_hash,
        "parts": ("compared",),
    }
    wrong = (*typed.problems, *problems)
    return render_form(request, "office/table_form.html", context, problems=wrong, status=status)


@router.get("/office/tables/{table}/edit")
def edit(
    request: Request, table: str, _: Configures, room: RoomOf, of: Annotated[str, Query(max_length=64)] = ""
) -> Response:
    """Render the form that edits a configuration of a table."""
    return _page(request, room, table, _beginning(room, table, of))


@router.post("/office/tables/{table}/edit")
def change(request: Request, table: str, caller: Configures, room: RoomOf, form: Form) -> Response:
    """Check what was typed, turn it into the other form, or ask a second person for it."""
    typed, do = _typed(form), text_of(form.get("do")) or "check"
    if do != "ask":
        return _page(request, room, table, _moved(room, typed, do))
    try:
        message = submit(room, caller, PostConfiguration, form, table=table, configuration=typed.text, **typed.beside)
    except ValueError as error:
        problems = () if read_configuration(typed.text).problems else problems_of(error)
        refusal = ("It was not asked for: mend what is wrong first.", *problems)
        return _page(request, room, table, typed, refusal, status=HTTPStatus.CONFLICT)
    return RedirectResponse(f"{table_address(table)}?told={message}", HTTPStatus.SEE_OTHER)
