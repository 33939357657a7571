"""What devices and displays say: messages of tabulators, beats of displays."""

from __future__ import annotations

from http import HTTPStatus
from typing import Annotated, Any

from fastapi import Request
from pydantic import BaseModel, ConfigDict, Field
from starlette.concurrency import run_in_threadpool

from pitboss.server.access.door import Caller, allow
from pitboss.server.api.said import Name, api_router
from pitboss.server.commands.kinds import Count
from pitboss.server.declared import RoomOf
from pitboss.server.problems import ProblemError

__all__ = ["router"]

router = api_router("equipment")
Device = Annotated[Caller, allow("device", awake=False)]
Display = Annotated[Caller, allow("display", "console", awake=False)]
_MESSAGE_BYTES_MAX = 1_000_000
_TOO_LARGE = HTTPStatus.REQUEST_ENTITY_TOO_LARGE


class Beat(BaseModel):
    """What a display says it shows: by jackpot the cents."""

    model_config = ConfigDict(extra="forbid", strict=True)
    amounts: Annotated[dict[Name, Count], Field(max_length=20)]


class Heard(BaseModel):
    """Whether the display is registered, and the last entry of the books."""

    registered: bool
    sequence: int


@router.post(
    "/devices/messages",
    openapi_extra={"requestBody": {"content": {"application/json": {"schema": {"type": "object"}}}, "required": True}},
)
async def messages(request: Request, caller: Device, room: RoomOf) -> dict[str, Any]:
    """Take a message of a device, as docs/devices.md describes it; the reply says what became of it."""
    body = b""
    async for chunk in request.stream():
        body += chunk
        if len(body) > _MESSAGE_BYTES_MAX:
            raise ProblemError(_TOO_LARGE, [f"a message has at most {_MESSAGE_BYTES_MAX:,} bytes"])
    assert caller.device is not None
    return await run_in_threadpool(room.doors.tables.receive, body, device=caller.device.name)


@router.post("/displays/beat")
def beat(asked: Beat, caller: Display, room: RoomOf) -> Heard:
    """Say what a display shows; one that is silent or shows something else raises an alarm."""
    assert caller.device is not None
    registered = room.doors.displays.beat(caller.device.name, asked.amounts)
    return Heard(registered=registered, sequence=room.state.sequence)
