"""Devices and displays: registration, tokens, links, and their messages."""

from http import HTTPStatus
from typing import Annotated, Any, Literal

from fastapi import Request
from pydantic import BaseModel, ConfigDict, Field
from starlette.concurrency import run_in_threadpool

from pitboss.room.people.people import SetDevice
from pitboss.server.api.people import OneTimeLink
from pitboss.server.api.schemas import CommandBody, CommandResult, Name, api_router, result_of
from pitboss.server.auth import Caller, CurrentRoom, allow
from pitboss.server.problems import ProblemError

router = api_router("devices")
READER = allow("administrator", "supervisor", "manager", "auditor")
Administrator = Annotated[Caller, allow("administrator")]
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


@router.get("/devices", dependencies=[READER])
def devices(room: CurrentRoom) -> list[DeviceInfo]:
    """List every device."""
    return [DeviceInfo(**device._asdict()) for device in room.access.people.devices.values()]


@router.post("/devices", status_code=201)
def add_device(body: NewDevice, caller: Administrator, room: CurrentRoom) -> CommandResult:
    """Add a device; a link makes a browser that device, a token lets a program speak for it."""
    device = SetDevice(name=body.name, what=body.what, table=body.table, active=True, first=True)
    return result_of(room.access.set_device(device, caller.by(SetDevice.spec.roles), id=body.command))


@router.put("/devices/{name}")
def change_device(name: str, body: ChangedDevice, caller: Administrator, room: CurrentRoom) -> CommandResult:
    """Move a device to another table, or take it away: then its token and links end."""
    before = room.access.people.devices.get(name)
    what = "device" if before is None else before.what
    device = SetDevice(name=name, what=what, table=body.table, active=body.active, first=False)
    return result_of(room.access.set_device(device, caller.by(SetDevice.spec.roles), id=body.command))


@router.post("/devices/{name}/links", status_code=201)
def make_link(name: str, body: CommandBody, caller: Administrator, room: CurrentRoom) -> OneTimeLink:
    """Make a one-time link that makes a browser this device."""
    code = room.access.make_link(name, "enrol", caller.by(SetDevice.spec.roles), id=body.command)
    return OneTimeLink(path=f"/links/{code}")


@router.post("/devices/{name}/tokens", status_code=201)
def make_token(name: str, body: CommandBody, caller: Administrator, room: CurrentRoom) -> DeviceToken:
    """Make a token for a program that speaks for this device; one made before ends."""
    return DeviceToken(token=room.access.make_token(name, caller.by(SetDevice.spec.roles), id=body.command))


equipment_router = api_router("equipment")
Device = Annotated[Caller, allow("device", awake=False)]
Display = Annotated[Caller, allow("display", "console", awake=False)]
_MESSAGE_BYTES_MAX = 1_000_000
_TOO_LARGE = HTTPStatus.REQUEST_ENTITY_TOO_LARGE


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
    openapi_extra={"requestBody": {"content": {"application/json": {"schema": {"type": "object"}}}, "required": True}},
)
async def messages(request: Request, caller: Device, room: CurrentRoom) -> dict[str, Any]:
    """Receive a message of a device, as docs/devices.md describes it; the reply states what became of it."""
    body = b""
    async for chunk in request.stream():
        body += chunk
        if len(body) > _MESSAGE_BYTES_MAX:
            raise ProblemError(_TOO_LARGE, [f"a message has at most {_MESSAGE_BYTES_MAX:,} bytes"])
    assert caller.device is not None
    return await run_in_threadpool(room.devices.receive, body, device=caller.device.name)


@equipment_router.post("/displays/beat")
def beat(body: DisplayBeat, caller: Display, room: CurrentRoom) -> BeatReply:
    """Receive what a display shows; one that is silent or shows something else raises an alarm."""
    assert caller.device is not None
    registered = room.displays.beat(caller.device.name, body.amounts)
    return BeatReply(registered=registered, sequence=room.state.sequence)
