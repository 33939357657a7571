"""The routes of commands, which answer 202 where a second person is needed, of approvals, and of rounds we deal."""

import json
from functools import cache, partial
from http import HTTPStatus
from typing import Annotated, Any

from fastapi import APIRouter, Path, Query, Request
from fastapi.responses import JSONResponse
from pydantic import BaseModel, Field
from starlette.concurrency import run_in_threadpool

from pitboss.books import Answer, RefusedError
from pitboss.commands import By, Command, InvalidCommandError, read_fields, schema_of
from pitboss.room.approvals import approval_problems, description_of, is_waiting
from pitboss.room.commands import BY_NAME, COMMANDS, EXPOSED
from pitboss.room.dealing.dealing import EndDealtRound, ShuffleShoe
from pitboss.room.people.roles import PEOPLE_ROLES, PIN_ROLES
from pitboss.room.room import Room
from pitboss.room.services import console_problems
from pitboss.server.api.schemas import CommandBody, CommandResult, Name, Words, api_router, result_of
from pitboss.server.auth import Caller, CurrentRoom, allow
from pitboss.server.problems import ProblemError

APPROVERS: tuple[str, ...] = tuple(dict.fromkeys(role for cls in COMMANDS for role in cls.spec.approvers))
ASKERS: tuple[str, ...] = tuple(
    dict.fromkeys(role for cls in COMMANDS if cls.spec.approvers for role in cls.spec.roles if role in PEOPLE_ROLES)
)
Number = Annotated[int, Path(ge=0, le=2**53)]


class Waits(BaseModel):
    """A command that waits for a second person: the number of the approval, and who may give it."""

    approval: int
    approvers: list[str]
    again: bool


class ChangeBody(BaseModel):
    """One thing that changes: what it is called, what it is now (empty where it is new), what it becomes."""

    label: str
    before: str
    after: str


class PendingApproval(BaseModel):
    """A request that waits for approval; `yours` is true if the caller can approve it.

    `title`, `changes` and `reason` are the card that pages and the terminal show.
    """

    number: int
    what: str
    said: dict[str, Any]
    by: str
    role: str
    approvers: list[str]
    asked: int
    yours: bool
    prize_cents: int = 0
    title: str = ""
    changes: list[ChangeBody] = []
    reason: str = ""


class Refusal(CommandBody):
    """Why an approval is refused or taken back."""

    words: Words


class ByPin(CommandBody):
    """Who approves at a console, by PIN."""

    login: Name
    pin: Annotated[str, Field(max_length=20)]


def verify_console(caller: Caller, table: str | None) -> None:
    """Refuse whoever has tapped in at the console of another table."""
    if table is not None and caller.is_elsewhere(table):
        raise ProblemError(HTTPStatus.FORBIDDEN, [f"this console is no console of table {table!r}"])


def _body_schema(cls: type[Command]) -> dict[str, Any]:
    """Describe the body of a command: its fields, and the id under which it is done once."""
    fields = schema_of(cls)
    command_id = {"type": "string", "minLength": 1, "maxLength": 120, "description": _ID_TEXT}
    return {
        **fields,
        "properties": {"command": command_id, **fields["properties"]},
        "required": ["command", *fields["required"]],
    }


_ID_TEXT = "Made by the client; what is sent again under it is done once."


async def _read_body(request: Request) -> Any:
    """Read a body as JSON, which it must be."""
    try:
        return json.loads(await request.body())
    except (ValueError, RecursionError):
        raise InvalidCommandError(["the body must be JSON"]) from None


def _parse(cls: type[Command], body: Any) -> tuple[Command, str]:
    """Parse a body into a command and its id, or refuse it with everything that is wrong."""
    command_id = body.pop("command", None) if isinstance(body, dict) else None
    problems = [] if isinstance(command_id, str) and 1 <= len(command_id) <= 120 else ["command: an id is required"]
    try:
        command = read_fields(cls, body)
    except InvalidCommandError as error:
        raise InvalidCommandError([*problems, *error.problems]) from None
    if problems:
        raise InvalidCommandError(problems)
    assert isinstance(command_id, str)
    return command, command_id


def _do(room: Room, cls: type[Command], body: Any, caller: Caller) -> CommandResult | Waits:
    command, command_id = _parse(cls, body)
    verify_console(caller, getattr(command, "table", None))
    by = caller.by(command.role_order())
    answer = room.do(command, by, id=command_id)
    if not is_waiting(answer):
        return result_of(answer)
    return waits_of(answer, cls, by)


def waits_of(answer: Answer, cls: type[Command], by: By) -> Waits:
    """Return the request that a command has become."""
    approvers = list(cls.spec.approvers_of(by.role))
    return Waits(approval=answer.entries[0].sequence, approvers=approvers, again=answer.again)


def _add(router: APIRouter, cls: type[Command]) -> None:
    spec = cls.spec
    door = allow(*spec.roles)

    async def endpoint(request: Request, caller: Annotated[Caller, door], room: CurrentRoom) -> Any:
        result = await run_in_threadpool(_do, room, cls, await _read_body(request), caller)
        # What needs a second person only at times says by its status what became of it.
        return JSONResponse(result.model_dump(), 202) if sometimes and isinstance(result, Waits) else result

    sometimes = bool(spec.approvers) and cls.needs_second is not Command.needs_second
    waits = bool(spec.approvers) and not sometimes
    schema = {"content": {"application/json": {"schema": _body_schema(cls)}}, "required": True}
    router.add_api_route(
        f"/{spec.name}",
        endpoint,
        methods=["POST"],
        name=spec.name,
        description=spec.summary,
        summary=spec.summary,
        response_model=Waits if waits else CommandResult,
        status_code=202 if waits else 200,
        responses={202: {"model": Waits}} if sometimes else None,
        operation_id=spec.name.replace("/", "-"),
        openapi_extra={"requestBody": schema},
    )


@cache
def command_routers() -> tuple[APIRouter, ...]:
    """Build the routes of every command, by area; they are the same in every application."""
    routers: dict[str, APIRouter] = {}
    for cls in EXPOSED:
        _add(routers.setdefault(cls.spec.area, api_router(cls.spec.area)), cls)
    return tuple(routers.values())


approvals_router = api_router("approvals")
Reader = Annotated[Caller, allow(*dict.fromkeys((*APPROVERS, *ASKERS, "auditor")))]
AtConsole = Annotated[Caller, allow("console")]
Giver = Annotated[Caller, allow(*APPROVERS)]
Asker = Annotated[Caller, allow(*dict.fromkeys((*APPROVERS, *ASKERS)))]


@approvals_router.get("/approvals")
def approvals(caller: Reader, room: CurrentRoom) -> list[PendingApproval]:
    """List what waits: what one can give, what one has asked for; an auditor sees all of it."""
    rows = []
    for pending in room.approvals.waiting.values():
        yours = not approval_problems(room.state, pending, caller.name, caller.roles)
        if yours or pending.is_of(caller.name) or "auditor" in caller.roles:
            title, changes, reason = description_of(room.state, pending)
            fields = {**pending._asdict(), "approvers": list(pending.approvers), "yours": yours}
            bodies = [ChangeBody(**change._asdict()) for change in changes]
            rows.append(PendingApproval(**fields, title=title, changes=bodies, reason=reason))
    return rows


@approvals_router.post("/approvals/{number}/give")
def give(number: Number, body: CommandBody, caller: Giver, room: CurrentRoom) -> CommandResult:
    """Approve what another person has requested; it is done at once."""
    give = partial(room.approvals.give, console=caller.console)
    return result_of(give(number, name=caller.name, roles=caller.roles, id=body.command))


@approvals_router.post("/approvals/{number}/give-here")
def give_here(number: Number, body: ByPin, caller: AtConsole, room: CurrentRoom) -> CommandResult:
    """Approve by PIN at the console of a table, without relieving its dealer; a PIN has the roles of the floor."""
    pending = room.approvals.waiting.get(number)
    here = "" if caller.device is None else caller.device.table
    if pending is not None:
        command = read_fields(BY_NAME[pending.what], dict(pending.said))
        if problems := console_problems(room.state, command, here):
            raise ProblemError(HTTPStatus.FORBIDDEN, problems)
    person = room.access.by_pin(body.login, body.pin, address=caller.address)
    roles = PIN_ROLES & frozenset(person.roles)
    answer = room.approvals.give(number, name=person.name, roles=roles, id=body.command, console=here)
    return result_of(answer)


@approvals_router.post("/approvals/{number}/refuse")
def refuse(number: Number, body: Refusal, caller: Asker, room: CurrentRoom) -> CommandResult:
    """Decline what another person has requested, or withdraw one's own request."""
    if not body.words.strip():
        raise RefusedError(["words: the reason must be stated in words"])
    decline = partial(room.approvals.refuse, console=caller.console)
    return result_of(decline(number, name=caller.name, roles=caller.roles, words=body.words, id=body.command))


dealt_router = api_router("dealt")
Dealer = Annotated[Caller, allow(*ShuffleShoe.spec.roles)]


class AtTable(CommandBody):
    """A table whose next round is dealt."""

    table: Name


class RoundOperation(AtTable):
    """An operation in the round on a table, as round records write it."""

    operation: dict[str, Any]


class RoundProgress(BaseModel):
    """The round after it; `over` has the entry that tells the key, where the round is over."""

    seen: dict[str, Any] | None
    over: CommandResult | None


@dealt_router.post("/dealt/shuffle")
def shuffle(body: AtTable, caller: Dealer, room: CurrentRoom) -> CommandResult:
    """Start the next round: its hash is logged now, the key when its shoe is over."""
    verify_console(caller, body.table)
    return result_of(room.dealing.shuffle(body.table, caller.by(ShuffleShoe.spec.roles), id=body.command))


@dealt_router.post("/dealt/operate")
def operate(body: RoundOperation, caller: Dealer, room: CurrentRoom) -> RoundProgress:
    """Run an operation of the round: wager, deal, decide, reveal, settle or void."""
    verify_console(caller, body.table)
    dealing = room.dealing
    answer = dealing.operate(body.table, body.operation, caller.by(EndDealtRound.spec.roles), id=body.command)
    if answer is not None:
        return RoundProgress(seen=None, over=result_of(answer))
    return RoundProgress(seen=dealing.seen(body.table), over=None)


@dealt_router.get("/dealt/{table}", dependencies=[allow("dealer", "supervisor", "console", "auditor")])
def seen(table: str, room: CurrentRoom, seat: Annotated[int | None, Query(ge=1, le=99)] = None) -> dict[str, Any]:
    """The round on a table: hidden cards stay hidden; for play money a seat's own cards can be asked for."""
    return room.dealing.seen(table, seat)
