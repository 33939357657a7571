"""The routes of commands, one for each that is declared, and of approvals.

A command that needs a second person answers 202: it waits, visible to those who can give it.
"""

from functools import cache
from http import HTTPStatus
from typing import Annotated, Any

from fastapi import APIRouter, Path, Response
from pydantic import BaseModel, Field

from pitboss.books import RefusedError
from pitboss.room.commands import COMMANDS, CommandKind, Who
from pitboss.room.commands.kinds import Asked, Name, Words
from pitboss.room.people.roles import PIN_ROLES
from pitboss.room.room import Room
from pitboss.server.api.schemas import Done, api_router, done
from pitboss.server.auth import Caller, RoomOf, allow
from pitboss.server.problems import ProblemError

APPROVERS: tuple[str, ...] = tuple(dict.fromkeys(role for kind in COMMANDS for role in kind.approvers))
ASKERS: tuple[str, ...] = tuple(dict.fromkeys(role for kind in COMMANDS if kind.approvers for role in kind.roles))
Number = Annotated[int, Path(ge=0, le=2**53)]


class Waits(BaseModel):
    """A command that waits for a second person: the number of the approval, and who may give it."""

    approval: int
    approvers: list[str]
    again: bool


class PendingTold(BaseModel):
    """Something that waits for a second person; `yours` says whether who asks can give it."""

    number: int
    what: str
    said: dict[str, Any]
    by: str
    role: str
    approvers: list[str]
    asked: int
    yours: bool


class Refusal(Asked):
    """Why an approval is refused or taken back."""

    words: Words


class ByPin(Asked):
    """Who approves at a console, by PIN."""

    login: Name
    pin: Annotated[str, Field(max_length=20)]


def elsewhere(caller: Caller, asked: Asked) -> None:
    """Who has tapped in at a console acts at its table and at no other."""
    table = getattr(asked, "table", None)
    at_console = caller.session is not None and caller.session.how == "pin"
    if at_console and table is not None and caller.device is not None and table != caller.device.table:
        raise ProblemError(HTTPStatus.FORBIDDEN, [f"this console is no console of table {table!r}"])


def _do(room: Room, kind: CommandKind, asked: Asked, caller: Caller, response: Response) -> Done | Waits:
    elsewhere(caller, asked)
    by = kind.actor(caller.name, caller.roles, asked)
    if not kind.approvers:
        return done(kind.do(room.doors, asked, Who(asked.command, by)))
    answer = room.approvals.ask(kind, asked, by)
    response.status_code = HTTPStatus.ACCEPTED
    return Waits(approval=answer.entries[0].sequence, approvers=list(kind.approvers), again=answer.again)


def _add(router: APIRouter, kind: CommandKind) -> None:
    model, door = kind.model, allow(*kind.roles)

    def endpoint(asked: model, caller: Annotated[Caller, door], room: RoomOf, response: Response) -> Any:  # type: ignore[valid-type]
        return _do(room, kind, asked, caller, response)

    answers: dict[int | str, dict[str, Any]] = {202: {"model": Waits}} if kind.approvers else {}
    router.add_api_route(
        f"/{kind.name}",
        endpoint,
        methods=["POST"],
        name=kind.name,
        description=kind.says,
        summary=kind.says,
        response_model=Waits if kind.approvers else Done,
        status_code=202 if kind.approvers else 200,
        responses=answers,
        operation_id=kind.name.replace("/", "-"),
    )


@cache
def command_routers() -> tuple[APIRouter, ...]:
    """Make the routes of every command, by area; they are the same in every application."""
    routers: dict[str, APIRouter] = {}
    for kind in COMMANDS:
        _add(routers.setdefault(kind.area, api_router(kind.area)), kind)
    return tuple(routers.values())


approvals_router = api_router("approvals")
Reader = Annotated[Caller, allow(*dict.fromkeys((*APPROVERS, *ASKERS, "auditor")))]
AtConsole = Annotated[Caller, allow("console")]
Giver = Annotated[Caller, allow(*APPROVERS)]
Asker = Annotated[Caller, allow(*dict.fromkeys((*APPROVERS, *ASKERS)))]


@approvals_router.get("/approvals")
def approvals(caller: Reader, room: RoomOf) -> list[PendingTold]:
    """List what waits: what one can give, what one has asked for; an auditor sees all of it."""
    told = []
    for each in room.approvals.waiting.values():
        yours = not each.problems(caller.name, caller.roles)
        if yours or each.by.casefold() == caller.name.casefold() or "auditor" in caller.roles:
            said = {**each._asdict(), "approvers": list(each.approvers), "yours": yours}
            told.append(PendingTold(**said))
    return told


@approvals_router.post("/approvals/{number}/give")
def give(number: Number, asked: Asked, caller: Giver, room: RoomOf) -> Done:
    """Approve what another person has asked for; it is done at once."""
    return done(room.approvals.give(number, name=caller.name, roles=caller.roles, command=asked.command))


@approvals_router.post("/approvals/{number}/give-here")
def give_here(number: Number, asked: ByPin, caller: AtConsole, room: RoomOf) -> Done:
    """Approve by PIN at the console of a table, without relieving its dealer; a PIN has the roles of the floor."""
    person = room.access.by_pin(asked.login, asked.pin, address=caller.address)
    roles = PIN_ROLES & frozenset(person.roles)
    return done(room.approvals.give(number, name=person.name, roles=roles, command=asked.command))


@approvals_router.post("/approvals/{number}/refuse")
def refuse(number: Number, asked: Refusal, caller: Asker, room: RoomOf) -> Done:
    """Refuse what another person has asked for, or take back what one has asked for oneself."""
    if not asked.words.strip():
        raise RefusedError(["words: the reason must be stated in words"])
    answer = room.approvals.refuse(
        number, name=caller.name, roles=caller.roles, words=asked.words, command=asked.command
    )
    return done(answer)
