"""People and devices: roles, registration, tokens, one-time links, and the messages of devices and displays."""

import asyncio
import contextvars
from collections import deque
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from http import HTTPStatus
from typing import Annotated, Any, Literal

from fastapi import FastAPI, Request, Response
from fastapi.responses import JSONResponse
from pydantic import BaseModel, ConfigDict, Field

from pitboss.books import Answer
from pitboss.commands import By
from pitboss.room.approvals import is_waiting
from pitboss.room.people.people import AllowLink, SetDevice, SetPerson
from pitboss.room.people.roles import DEVICE_KINDS, PEOPLE_ROLES
from pitboss.room.room import Room
from pitboss.server.api.commands import Waits, waits_of
from pitboss.server.api.schemas import CommandBody, CommandResult, Name, Words, api_router, result_of
from pitboss.server.auth import Caller, CurrentRoom, allow, plain

router = api_router("people")
SignedIn = Annotated[Caller, allow(*PEOPLE_ROLES, *DEVICE_KINDS)]
READER = allow("administrator", "manager", "auditor")
Administrator = Annotated[Caller, allow("administrator")]


class Me(BaseModel):
    """Who asks, as the server knows them, and the token to send with what they change."""

    name: str
    login: str | None
    device: str | None
    table: str | None
    roles: list[str]
    csrf: str


class PersonInfo(BaseModel):
    """A person of the room."""

    login: str
    name: str
    roles: list[str]
    active: bool


class NewPerson(CommandBody):
    """A person to be added."""

    login: Name
    name: Name
    roles: list[Name]


class ChangedPerson(CommandBody):
    """What a person's roles are from now on, and whether they still work here."""

    roles: list[Name]
    active: bool = True


class NewLink(CommandBody):
    """A one-time link for a person: to choose a password with, or only to sign in once."""

    purpose: Literal["password", "sign-in"] = "password"
    words: Words = ""


class OneTimeLink(BaseModel):
    """A one-time link; it is returned once, and lasts for a day."""

    path: str


@router.get("/me")
def me(caller: SignedIn) -> Me:
    """Return the caller as the server knows them."""
    return Me(
        name=caller.name,
        login=None if caller.person is None else caller.person.login,
        device=None if caller.device is None else caller.device.name,
        table=None if caller.device is None else caller.device.table or None,
        roles=sorted(caller.roles),
        csrf=caller.csrf,
    )


@router.get("/people", dependencies=[READER])
def people(room: CurrentRoom) -> list[PersonInfo]:
    """List everybody."""
    people = room.access.people.people.values()
    return [PersonInfo(login=p.login, name=p.name, roles=list(p.roles), active=p.active) for p in people]


def _set(room: Room, person: SetPerson, by: By, command: str, response: Response) -> CommandResult | Waits:
    """Set a person, or answer 202 where a second person approves it (G-68)."""
    answer = room.access.set_person(person, by, id=command)
    if not is_waiting(answer):
        return result_of(answer)
    response.status_code = HTTPStatus.ACCEPTED
    return waits_of(answer, SetPerson, by)


@router.post("/people", status_code=201)
def add_person(body: NewPerson, caller: Administrator, room: CurrentRoom, response: Response) -> CommandResult | Waits:
    """Add a person, who comes in by a one-time link; 202 where a second person approves it."""
    person = SetPerson(login=body.login, name=body.name, roles=tuple(body.roles), active=True, first=True)
    return _set(room, person, caller.by(SetPerson.spec.roles), body.command, response)


@router.put("/people/{login}")
def change_person(
    login: str, body: ChangedPerson, caller: Administrator, room: CurrentRoom, response: Response
) -> CommandResult | Waits:
    """Change a person's roles, or take them off the list; their name stays, because entries are signed with it."""
    before = room.access.people.people.get(login)
    name = login if before is None else before.name
    person = SetPerson(login=login, name=name, roles=tuple(body.roles), active=body.active, first=False)
    return _set(room, person, caller.by(SetPerson.spec.roles), body.command, response)


@router.post("/people/{login}/links", status_code=201)
def make_link(
    login: str, body: NewLink, caller: Administrator, room: CurrentRoom, response: Response
) -> OneTimeLink | Waits:
    """Make a one-time link for a person; one made before ends. For who has a password it is asked for first: 202."""
    by = caller.by(AllowLink.spec.roles)
    if room.access.link_waits(login):
        response.status_code = HTTPStatus.ACCEPTED
        return waits_of(room.do(AllowLink(login=login, words=body.words), by, id=body.command), AllowLink, by)
    code = room.access.make_link(login, body.purpose, by, id=body.command)
    return OneTimeLink(path=f"/links/{code}")


device_router = api_router("devices")
DEVICE_READER = allow("administrator", "supervisor", "manager", "auditor")
TableName = Annotated[str, Field(max_length=120)]


class DeviceInfo(BaseModel):
    """A device of the room."""

    name: str
    what: str
    table: str
    active: bool


class NewDevice(CommandBody):
    """A device to be added, and the table it stands at."""

    name: Name
    what: Literal["device", "display", "console", "monitor"]
    table: TableName = ""


class ChangedDevice(CommandBody):
    """Where a device stands from now on, and whether it is still there."""

    table: TableName
    active: bool = True


class DeviceToken(BaseModel):
    """A token of a device; it is returned once."""

    token: str


@device_router.get("/devices", dependencies=[DEVICE_READER])
def devices(room: CurrentRoom) -> list[DeviceInfo]:
    """List every device."""
    return [DeviceInfo(**device._asdict()) for device in room.access.people.devices.values()]


@device_router.post("/devices", status_code=201)
def add_device(body: NewDevice, caller: Administrator, room: CurrentRoom) -> CommandResult:
    """Add a device; a link makes a browser that device, a token lets a program speak for it."""
    device = SetDevice(name=body.name, what=body.what, table=body.table, active=True, first=True)
    return result_of(room.access.set_device(device, caller.by(SetDevice.spec.roles), id=body.command))


@device_router.put("/devices/{name}")
def change_device(name: str, body: ChangedDevice, caller: Administrator, room: CurrentRoom) -> CommandResult:
    """Move a device to another table, or take it away: then its token and links end."""
    before = room.access.people.devices.get(name)
    what = "device" if before is None else before.what
    device = SetDevice(name=name, what=what, table=body.table, active=body.active, first=False)
    return result_of(room.access.set_device(device, caller.by(SetDevice.spec.roles), id=body.command))


@device_router.post("/devices/{name}/links", status_code=201, name="make_link")
def make_device_link(name: str, body: CommandBody, caller: Administrator, room: CurrentRoom) -> OneTimeLink:
    """Make a one-time link that makes a browser this device."""
    code = room.access.make_link(name, "enrol", caller.by(SetDevice.spec.roles), id=body.command)
    return OneTimeLink(path=f"/links/{code}")


@device_router.post("/devices/{name}/tokens", status_code=201)
def make_token(name: str, body: CommandBody, caller: Administrator, room: CurrentRoom) -> DeviceToken:
    """Make a token for a program that speaks for this device; one made before ends."""
    return DeviceToken(token=room.access.make_token(name, caller.by(SetDevice.spec.roles), id=body.command))


equipment_router = api_router("equipment")
_DEVICE_THREADS = 16
Device = Annotated[Caller, allow("device", awake=False)]
Display = Annotated[Caller, allow("display", "console", awake=False)]


def _device_threads(app: FastAPI) -> ThreadPoolExecutor:
    """Return the threads for messages of devices, made when the first message comes."""
    if not hasattr(app.state, "device_threads"):
        app.state.device_threads = ThreadPoolExecutor(_DEVICE_THREADS, thread_name_prefix="device")
    threads: ThreadPoolExecutor = app.state.device_threads
    return threads


class _Answers:
    """Answers of the writer on their way to the loop: those of one commit wake it once."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self.loop = loop
        self._line: deque[tuple[asyncio.Future[Answer | None], Answer | None]] = deque()
        self._is_due = False

    def put(self, future: asyncio.Future[Answer | None], answer: Answer | None) -> None:
        """Hand an answer over; called by the thread that writes."""
        self._line.append((future, answer))
        if not self._is_due:
            self._is_due = True
            # A loop that has ended has nobody who waits, and what was written is told by the journal.
            with suppress(RuntimeError):
                self.loop.call_soon_threadsafe(self._deliver)

    def _deliver(self) -> None:
        self._is_due = False
        while self._line:
            future, answer = self._line.popleft()
            if not future.done():
                future.set_result(answer)


class _LoopReply:
    """Where a coroutine waits for the writer's answer; None where something spoke against it."""

    __slots__ = ("_answers", "future")

    def __init__(self, answers: _Answers) -> None:
        self._answers = answers
        self.future: asyncio.Future[Answer | None] = answers.loop.create_future()

    def set_running_or_notify_cancel(self) -> bool:
        """Return that it is done whoever still waits: the device will ask for it again."""
        return True

    def set_result(self, answer: Answer) -> None:
        """Receive the answer."""
        self._answers.put(self.future, answer)

    def set_exception(self, _error: BaseException) -> None:
        """Receive that there is no answer."""
        self._answers.put(self.future, None)


def _answers(app: FastAPI) -> _Answers:
    """Return the way of answers to the loop that runs."""
    loop, answers = asyncio.get_running_loop(), getattr(app.state, "answers", None)
    if answers is None or answers.loop is not loop:
        answers = app.state.answers = _Answers(loop)
    way: _Answers = answers
    return way


class DisplayBeat(BaseModel):
    """What a display says it shows: by jackpot the cents."""

    model_config = ConfigDict(extra="forbid", strict=True)
    amounts: Annotated[dict[Name, Annotated[int, Field(ge=0, le=2**53 - 1)]], Field(max_length=20)]


class BeatReply(BaseModel):
    """The reply to a beat: whether the display is registered, and the last entry of the books."""

    registered: bool
    sequence: int


@equipment_router.post(
    "/devices/messages",
    response_model=dict[str, Any],
    openapi_extra={"requestBody": {"content": {"application/json": {"schema": {"type": "object"}}}, "required": True}},
)
@plain
async def messages(request: Request, caller: Device, room: CurrentRoom) -> Response:
    """Receive a message of a device, as docs/devices.md describes it; the reply states what became of it."""
    body = await request.body()
    assert caller.device is not None
    return JSONResponse(await _received(request, room, body, caller.device.name))


async def _received(request: Request, room: Room, body: bytes, device: str) -> dict[str, Any]:
    """Apply a message: a press without a thread that waits for it, where nothing speaks against it."""
    answers = _answers(request.app)
    message = room.devices.receive_later(body, waiting := _LoopReply(answers), device=device)
    if message is not None:
        answer = await waiting.future
        if answer is not None:
            return room.devices.reply_to(message, answer)
    # Threads of their own: many who sign in or read pages at once do not keep a press waiting.
    receive = partial(room.devices.receive, body, device=device)
    threads, context = _device_threads(request.app), contextvars.copy_context()
    return await asyncio.get_running_loop().run_in_executor(threads, context.run, receive)


@equipment_router.post("/displays/beat")
def beat(body: DisplayBeat, caller: Display, room: CurrentRoom) -> BeatReply:
    """Receive what a display shows; one that is silent or shows something else raises an alarm."""
    assert caller.device is not None
    registered = room.displays.beat(caller.device.name, body.amounts)
    return BeatReply(registered=registered, sequence=room.state.sequence)
