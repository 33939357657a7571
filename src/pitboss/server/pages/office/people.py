"""The page of people: roles, one-time links, secrets that are set, sessions and lock-outs."""

from __future__ import annotations

from collections.abc import Sequence
from http import HTTPStatus
from typing import Annotated

from fastapi import APIRouter, Request, Response
from fastapi.responses import RedirectResponse
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import FormData

from pitboss.books import RefusedError
from pitboss.room.people.people import SetPerson
from pitboss.room.people.roles import PEOPLE_ROLES, READERS
from pitboss.room.room import Room
from pitboss.server.auth import Caller, CurrentRoom, allow
from pitboss.server.pages.forms import SubmittedForm, text_of, with_id
from pitboss.server.pages.layout import render
from pitboss.server.problems import ProblemError
from pitboss.server.views.office.people import Kept, people_view
from pitboss.server.views.table_state import room_zone

router = APIRouter(include_in_schema=False)
Reader = Annotated[Caller, allow("administrator", "manager", "auditor")]
Administrator = Annotated[Caller, allow("administrator")]
_TOLD = {"added": "Added: now make a one-time link.", "changed": "Changed."}


def _kept(room: Room, login: str) -> Kept:
    vault = room.access.vault
    return Kept(
        password=vault.secret(login, "password") is not None,
        pin=vault.secret(login, "pin") is not None,
        sessions=tuple(each for each in room.access.sessions.of(login) if room.access.sessions.is_live(each)),
        failures=tuple(each for each in vault.failures() if each.key.partition(":")[2] == login),
    )


def _page(
    request: Request,
    room: Room,
    caller: Caller,
    *,
    problems: Sequence[str] = (),
    sent: SubmittedForm | None = None,
    link: tuple[str, str] | None = None,
) -> Response:
    people = room.access.people
    kept = {login: _kept(room, login) for login in people.people}
    given = {
        "people": people_view(people, kept, room.clock(), room_zone(room.state)),
        "roles": PEOPLE_ROLES,
        "may_change": "administrator" in caller.roles,
        "may_read": bool(caller.roles & set(READERS)),
        "problems": problems,
        "told": _TOLD.get(request.query_params.get("told", ""), ""),
        "link": link,
        "sent": sent or SubmittedForm(),
        "command": lambda: with_id("people"),
    }
    return render(request, "office/people.html", given, status=HTTPStatus.CONFLICT if problems else HTTPStatus.OK)


@router.get("/office/people")
def people_page(request: Request, caller: Reader, room: CurrentRoom) -> Response:
    """Show everybody."""
    return _page(request, room, caller)


def _set(room: Room, caller: Caller, form: FormData, login: str, name: str, *, first: bool) -> None:
    roles = tuple(role for role in PEOPLE_ROLES if role in form.getlist("role"))
    active = first or form.get("active") == "yes"
    person = SetPerson(login=login, name=name, roles=roles, active=active, first=first)
    room.access.set_person(
        person, caller.by(SetPerson.spec.roles), id=text_of(form.get("command")) or with_id("people")
    )


@router.post("/office/people")
async def add(request: Request, caller: Administrator, room: CurrentRoom) -> Response:
    """Add a person, who comes in by a one-time link."""
    form = await request.form()
    login, name = text_of(form.get("login")), text_of(form.get("name"))
    try:
        await run_in_threadpool(_set, room, caller, form, login, name, first=True)
    except RefusedError as error:
        sent = SubmittedForm("add", form)
        return await run_in_threadpool(_page, request, room, caller, problems=error.problems, sent=sent)
    return RedirectResponse("/office/people?told=added", HTTPStatus.SEE_OTHER)


@router.post("/office/people/{login}/{do}")
async def act(request: Request, login: str, do: str, caller: Administrator, room: CurrentRoom) -> Response:
    """Change somebody's roles, take him off the list, or make him a one-time link, which is told once."""
    known = room.access.people.people.get(login)
    if known is None or do not in ("change", "link"):
        raise ProblemError(HTTPStatus.NOT_FOUND, [f"there is nobody with login {login!r} to {do}"])
    form = await request.form()
    try:
        if do == "change":
            await run_in_threadpool(_set, room, caller, form, login, known.name, first=False)
            return RedirectResponse("/office/people?told=changed", HTTPStatus.SEE_OTHER)
        code = await run_in_threadpool(_link, room, caller, form, login)
    except RefusedError as error:
        return await run_in_threadpool(_page, request, room, caller, problems=error.problems)
    link = (known.name, f"{request.base_url}links/{code}")
    return await run_in_threadpool(_page, request, room, caller, link=link)


def _link(room: Room, caller: Caller, form: FormData, login: str) -> str:
    command = text_of(form.get("command")) or with_id("people")
    return room.access.make_link(login, "password", caller.by(SetPerson.spec.roles), id=command)
