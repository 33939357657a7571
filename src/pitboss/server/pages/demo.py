"""The demo's own pages: anybody becomes anybody, again and again. Routed by `pitboss serve --demo` alone."""

from http import HTTPStatus
from typing import Annotated

from fastapi import APIRouter, Request, Response

from pitboss.commands.command import SYSTEM_ACTOR
from pitboss.room.people.roles import ANYONE, PEOPLE_ROLES
from pitboss.server.auth import Caller, CurrentRoom, allow
from pitboss.server.pages.layout import render
from pitboss.server.pages.sign_in import begin_session
from pitboss.server.problems import ProblemError

router = APIRouter(include_in_schema=False)
Anybody = Annotated[Caller, allow(ANYONE, csrf=False)]
CONSOLE = "console"
_DOES = {
    "dealer": "Counts jackpot wagers, pays small prizes and reports a jackpot at the table's console.",
    "supervisor": "Runs the floor: verifies jackpots, handles alerts and disputes.",
    "surveillance": "Reviews jackpots on camera and approves what needs another role.",
    "accounting": "Pays jackpots, counts chips, deposits escrow, reads the reports.",
    "manager": "Chooses games, pay tables and limits; approves changes.",
    "auditor": "Reads everything and changes nothing.",
    "administrator": "Adds people, devices and one-time links.",
}


@router.get("/demo", dependencies=[allow(ANYONE)])
def demo_page(request: Request, room: CurrentRoom) -> Response:
    """Show a button for each role, the console with its PIN, and what waits."""
    people = room.access.people
    cards = [(role, people.with_role(role)[0].name, _DOES[role]) for role in PEOPLE_ROLES if people.with_role(role)]
    context = {"cards": cards, "pin": getattr(request.app.state, "demo_pin", None)}
    return render(request, "demo/demo.html", context)


def _enter(request: Request, caller: Caller, room: CurrentRoom, role: str) -> Response:
    """Start a session as the first person of a role; for the console, make this browser the console of a table."""
    if role == CONSOLE:
        device = next((device for device in room.access.people.devices.values() if device.what == CONSOLE), None)
        if device is None:
            raise ProblemError(HTTPStatus.NOT_FOUND, ["This demo has no console."])
        code = room.access.make_link(device.name, "enrol", SYSTEM_ACTOR)
        return begin_session(request, room.access.enrol(code, address=caller.address), "/tap")
    people = room.access.people.with_role(role) if role in PEOPLE_ROLES else ()
    if not people:
        raise ProblemError(HTTPStatus.NOT_FOUND, [f"This demo has nobody for the role {role!r}."])
    code = room.access.make_link(people[0].login, "sign-in", SYSTEM_ACTOR)
    return begin_session(request, room.access.use_link(code, address=caller.address))


@router.get("/demo/{role}")
def enter_beside(request: Request, caller: Anybody, room: CurrentRoom, role: str) -> Response:
    """Become a role on its own host, so that the sessions of other roles in this browser stay."""
    return _enter(request, caller, room, role)


@router.post("/demo/{role}")
def enter_here(request: Request, caller: Anybody, room: CurrentRoom, role: str) -> Response:
    """Become a role on this host, in place of whoever was signed in here."""
    return _enter(request, caller, room, role)
