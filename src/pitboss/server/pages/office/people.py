"""The page of people: roles, one-time links, secrets that are set, sessions and lock-outs."""

from collections.abc import Sequence
from functools import partial
from http import HTTPStatus
from typing import Annotated

from fastapi import APIRouter, Request, Response
from starlette.datastructures import FormData

from pitboss.books import RefusedError
from pitboss.room.people.people import SetPerson
from pitboss.room.people.roles import PEOPLE_ROLES, READERS
from pitboss.room.room import Room
from pitboss.server.auth import Caller, CurrentRoom, allow
from pitboss.server.pages.forms import Form, SubmittedForm, allow_commands, answer, render_form, text_of, with_id
from pitboss.server.problems import ProblemError
from pitboss.server.views.office.people import Credentials, people_view
from pitboss.server.views.table_state import room_zone

router = APIRouter(include_in_schema=False)
Reader = Annotated[Caller, allow("administrator", "manager", "auditor")]
Administrator = Annotated[Caller, allow_commands(SetPerson)]
MESSAGES = {"added": "Added: now make a one-time link.", "changed": "Changed."}
_PAGE = "/office/people"


def _credentials(room: Room, login: str) -> Credentials:
    vault, sessions = room.access.vault, room.access.sessions
    return Credentials(
        password=vault.secret(login, "password") is not None,
        pin=vault.secret(login, "pin") is not None,
        sessions=tuple(session for session in sessions.of(login) if sessions.is_live(session)),
        failures=tuple(failures for failures in vault.failures() if failures.key.partition(":")[2] == login),
    )


def _page(
    request: Request,
    room: Room,
    caller: Caller,
    problems: Sequence[str] = (),
    *,
    sent: SubmittedForm | None = None,
    link: tuple[str, str] | None = None,
) -> Response:
    people = room.access.people
    credentials = {login: _credentials(room, login) for login in people.people}
    context = {
        "people": people_view(people, credentials, room.clock(), room_zone(room.state)),
        "roles": PEOPLE_ROLES,
        "may_change": caller.may(SetPerson),
        "may_read": bool(caller.roles & set(READERS)),
        "link": link,
    }
    return render_form(
        request, "office/people.html", context, problems=problems, messages=MESSAGES, sent=sent, area="people"
    )


@router.get(_PAGE)
def people_page(request: Request, caller: Reader, room: CurrentRoom) -> Response:
    """Render everybody."""
    return _page(request, room, caller)


def _set(room: Room, caller: Caller, form: FormData, login: str, name: str, *, first: bool) -> str:
    roles = tuple(role for role in PEOPLE_ROLES if role in form.getlist("role"))
    active = first or form.get("active") == "yes"
    person = SetPerson(login=login, name=name, roles=roles, active=active, first=first)
    room.access.set_person(person, caller.by(person.role_order()), id=_id(form))
    return "added" if first else "changed"


def _id(form: FormData) -> str:
    return text_of(form.get("command")) or with_id("people")


@router.post(_PAGE)
def add(request: Request, caller: Administrator, room: CurrentRoom, form: Form) -> Response:
    """Add a person, who comes in by a one-time link."""
    login, name = text_of(form.get("login")), text_of(form.get("name"))
    page = partial(_page, request, room, caller, sent=SubmittedForm("add", form))
    return answer(_PAGE, lambda: _set(room, caller, form, login, name, first=True), page)


@router.post("/office/people/{login}/{do}")
def act(request: Request, login: str, do: str, caller: Administrator, room: CurrentRoom, form: Form) -> Response:
    """Change somebody's roles, take them off the list, or make them a one-time link, which is shown once."""
    person = room.access.people.people.get(login)
    if person is None or do not in ("change", "link"):
        raise ProblemError(HTTPStatus.NOT_FOUND, [f"there is nobody with login {login!r} to {do}"])
    if do == "change":
        page = partial(_page, request, room, caller)
        return answer(_PAGE, lambda: _set(room, caller, form, login, person.name, first=False), page)
    try:
        code = room.access.make_link(login, "password", caller.by(SetPerson.spec.roles), id=_id(form))
    except RefusedError as error:
        return _page(request, room, caller, error.problems)
    return _page(request, room, caller, link=(person.name, f"{request.base_url}links/{code}"))
