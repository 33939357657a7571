"""The pages on which a jackpot is defined and changed, its tables linked and unlinked; two people do each (T-06)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Annotated, Any, Literal
from urllib.parse import quote

from fastapi import APIRouter, Query, Request, Response
from fastapi.responses import RedirectResponse
from pydantic import ValidationError
from starlette.concurrency import run_in_threadpool

from pitboss.books import RefusedError
from pitboss.jackpot import JACKPOTS, Jackpot, jackpot_problems
from pitboss.jackpot.checking import room_problems
from pitboss.server.access.door import Caller, allow
from pitboss.server.commands.of_jackpots import JackpotSaid, jackpot_of
from pitboss.server.declared import RoomOf
from pitboss.server.jackpot_form import form_values, said_of
from pitboss.server.pages import render
from pitboss.server.performing import perform, problems_of, with_id
from pitboss.server.problems import ProblemError
from pitboss.server.room import Room
from pitboss.server.views.jackpot_form import (
    initial_values,
    offer_groups,
    offer_key,
    offer_view,
    table_boxes,
    values_of,
)

__all__ = ["router"]

router = APIRouter(include_in_schema=False)
Manager = Annotated[Caller, allow("manager")]
Kind = Literal["progressive", "bonus"]
Key = Annotated[str, Query(max_length=200)]
Values = Mapping[str, list[str]]
_TITLES = {"progressive": "Define a progressive jackpot", "bonus": "Define a Bonus Jackpot"}


def _form(
    request: Request, room: Room, kind: str, values: Values, problems: Sequence[str], before: Jackpot | None
) -> Response:
    offer = offer_view(next(iter(values.get("offer", [])), ""))
    name = "" if before is None else before.name
    given = {
        "title": _TITLES[kind] if before is None else f"Change {name}",
        "kind": kind,
        "is_progressive": kind == "progressive",
        "name": name,
        "back": f"/office/jackpots/{quote(name, safe='')}" if name else "/office/jackpots",
        "offer": offer,
        "groups": offer_groups(),
        "boxes": table_boxes(room.state, name),
        "was": lambda field: next(iter(values.get(field, [])), ""),
        "all": lambda field: values.get(field, []),
        "problems": problems,
        "command": lambda: with_id("office"),
        "is_closed": before is None or room.state.of(JACKPOTS).jackpots[name].play == "closed",
    }
    return render(request, "office_jackpot_form.html", given, status=HTTPStatus.CONFLICT if problems else HTTPStatus.OK)


@router.get("/office/jackpots/new/{kind}", dependencies=[allow("manager")])
def new(request: Request, kind: Kind, room: RoomOf, offer: Key = "") -> Response:
    """Show the form of a new jackpot: first its pay table is chosen, then everything else."""
    values = {**initial_values(room.state, kind), "offer": [offer]}
    problems = ["choose a wager and its pay table (REGULATION J-01)"] if offer and offer_view(offer) is None else []
    return _form(request, room, kind, values, problems, None)


def _known(room: Room, name: str) -> Jackpot:
    record = room.state.of(JACKPOTS).jackpots.get(name)
    if record is None:
        raise ProblemError(HTTPStatus.NOT_FOUND, [f"there is no jackpot {name!r}"])
    return record.jackpot


@router.get("/office/jackpots/{name}/change", dependencies=[allow("manager")])
def change(request: Request, name: str, room: RoomOf, offer: Key = "") -> Response:
    """Show the form of a jackpot with what is in force, under another pay table where one is chosen."""
    found = _known(room, name)
    first = found.offers[0]
    key = offer if offer_view(offer) is not None else offer_key(first.game, first.wager, first.paytable)
    return _form(request, room, found.meter.jackpot_type, {**values_of(found), "offer": [key]}, (), found)


def _wrong(room: Room, said: Mapping[str, Any], wrong: Sequence[str]) -> list[str]:
    """Name what else is wrong with a jackpot of which some fields cannot be read, without telling anything twice."""
    filled = {**said, "name": said["name"] or "this jackpot"}
    filled["tables"] = [{**each, "location": each["location"] or room.name} for each in said["tables"]]
    try:
        made = jackpot_of(JackpotSaid.model_validate(filled), room.chances, room.jackpots.room)
        found = list(map(str, jackpot_problems(made) or room_problems(made, room.jackpots.room)))
    except RefusedError as error:
        found = list(error.problems)
    except ValidationError:
        return list(wrong)
    fields = {each.partition(":")[0].replace(" ", "_") for each in wrong}
    told = {f"{field}{end}" for field in fields for end in ("", "_cents", "_wagers_max")}
    return [*wrong, *(each for each in found if each.partition(":")[0].strip() not in told)]


def _ask(room: Room, caller: Caller, what: str, values: Values, kind: str, name: str) -> None:
    """Ask a second person for a jackpot as a form says it, or refuse it with everything that is wrong."""
    said, problems = said_of(values, kind, room.state)
    if name:
        said["name"] = name
        problems = [each for each in problems if not each.startswith("name:")]
    if problems:
        raise RefusedError(_wrong(room, said, problems))
    words = next(iter(values.get("words", [])), "")
    command = next(iter(values.get("command", [])), "") or with_id("office")
    perform(room, caller, what, {"command": command, "jackpot": said, "words": words})


def _problems(error: RefusedError | ValueError | ProblemError) -> tuple[str, ...]:
    return error.problems if isinstance(error, ProblemError) else problems_of(error)


@router.post("/office/jackpots/new/{kind}")
async def define(request: Request, kind: Kind, caller: Manager, room: RoomOf) -> Response:
    """Ask a second person for a new jackpot."""
    values = form_values(await request.form())
    try:
        await run_in_threadpool(_ask, room, caller, "jackpots/define", values, kind, "")
    except (RefusedError, ValueError, ProblemError) as error:
        return await run_in_threadpool(_form, request, room, kind, values, _problems(error), None)
    return RedirectResponse("/office/jackpots?told=waits", HTTPStatus.SEE_OTHER)


@router.post("/office/jackpots/{name}/change")
async def changed(request: Request, name: str, caller: Manager, room: RoomOf) -> Response:
    """Ask a second person for changed parameters, tables or linked games; only while it is closed (T-16)."""
    found = await run_in_threadpool(_known, room, name)
    kind, values = found.meter.jackpot_type, form_values(await request.form())
    try:
        await run_in_threadpool(_ask, room, caller, "jackpots/change", values, kind, name)
    except (RefusedError, ValueError, ProblemError) as error:
        return await run_in_threadpool(_form, request, room, kind, values, _problems(error), found)
    return RedirectResponse(f"/office/jackpots/{quote(name, safe='')}?told=waits", HTTPStatus.SEE_OTHER)
