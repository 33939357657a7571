"""Devices and displays: what stands in the room, and the tokens and links by which it is known."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, Field

from pitboss.server.access.door import Caller, allow
from pitboss.server.access.entries import DeviceSet
from pitboss.server.api.people import LinkMade
from pitboss.server.api.said import Asked, Done, Name, api_router, done
from pitboss.server.declared import RoomOf

__all__ = ["router"]

router = api_router("devices")
READER = allow("administrator", "supervisor", "manager", "auditor")
Administrator = Annotated[Caller, allow("administrator")]
TableName = Annotated[str, Field(max_length=120)]


class DeviceTold(BaseModel):
    """A device of the room."""

    name: str
    what: str
    table: str
    active: bool


class NewDevice(Asked):
    """A device to be added, and the table it stands at."""

    name: Name
    what: Literal["device", "display", "console", "monitor"]
    table: TableName = ""


class ChangedDevice(Asked):
    """Where a device stands from now on, and whether it is still there."""

    table: TableName
    active: bool = True


class TokenMade(BaseModel):
    """A token; it is told once."""

    token: str


@router.get("/devices", dependencies=[READER])
def devices(room: RoomOf) -> list[DeviceTold]:
    """List every device."""
    return [DeviceTold(**each._asdict()) for each in room.access.people.devices.values()]


@router.post("/devices", status_code=201)
def add_device(asked: NewDevice, caller: Administrator, room: RoomOf) -> Done:
    """Add a device; a link makes a browser that device, a token lets a program speak for it."""
    value = DeviceSet(name=asked.name, what=asked.what, table=asked.table, active=True, first=True)
    return done(room.access.set_device(value, actor=caller.name, command=asked.command))


@router.put("/devices/{name}")
def change_device(name: str, asked: ChangedDevice, caller: Administrator, room: RoomOf) -> Done:
    """Move a device to another table, or take it away: then its token and links end."""
    known = room.access.people.devices.get(name)
    what = "device" if known is None else known.what
    value = DeviceSet(name=name, what=what, table=asked.table, active=asked.active, first=False)
    return done(room.access.set_device(value, actor=caller.name, command=asked.command))


@router.post("/devices/{name}/links", status_code=201)
def make_link(name: str, asked: Asked, caller: Administrator, room: RoomOf) -> LinkMade:
    """Make a one-time link that makes a browser this device."""
    code = room.access.make_link(name, "enrol", actor=caller.name, command=asked.command)
    return LinkMade(path=f"/links/{code}")


@router.post("/devices/{name}/tokens", status_code=201)
def make_token(name: str, asked: Asked, caller: Administrator, room: RoomOf) -> TokenMade:
    """Make a token for a program that speaks for this device; one made before ends."""
    return TokenMade(token=room.access.make_token(name, actor=caller.name, command=asked.command))
