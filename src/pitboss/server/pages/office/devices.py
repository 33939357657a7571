"""The page of devices: consoles, tabulators and displays are registered, enrolled and taken away."""

from __future__ import annotations

from collections.abc import Sequence
from http import HTTPStatus
from typing import Annotated

from fastapi import APIRouter, Request, Response
from fastapi.responses import RedirectResponse
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import FormData

from pitboss.books import RefusedError
from pitboss.commands import Command, refuse
from pitboss.room.displays import DISPLAYS, RegisterDisplay
from pitboss.room.people.people import SetDevice
from pitboss.room.people.sessions import ENROLLED
from pitboss.room.room import Room
from pitboss.server.auth import Caller, CurrentRoom, allow
from pitboss.server.pages.forms import SubmittedForm, text_of, with_id
from pitboss.server.pages.layout import render
from pitboss.server.problems import ProblemError
from pitboss.server.views.office.devices import KINDS, devices_view

router = APIRouter(include_in_schema=False)
Reader = Annotated[Caller, allow("administrator", "supervisor", "manager", "auditor")]
Administrator = Annotated[Caller, allow("administrator")]
_TOLD = {"added": "Registered: now make a one-time link for its browser, or a token.", "gone": "Taken away."}


def _page(
    request: Request,
    room: Room,
    caller: Caller,
    *,
    problems: Sequence[str] = (),
    sent: SubmittedForm | None = None,
    made: tuple[str, str, str] | None = None,
) -> Response:
    people = room.access.people
    enrolled = {name for name in people.devices if room.access.sessions.of(name, ENROLLED)}
    given = {
        "view": devices_view(room.state, set(room.vault.secrets("token").values()), enrolled),
        "may_change": "administrator" in caller.roles,
        "problems": problems,
        "told": _TOLD.get(request.query_params.get("told", ""), ""),
        "made": made,
        "sent": sent or SubmittedForm(),
        "command": lambda: with_id("device"),
    }
    return render(request, "office/devices.html", given, status=HTTPStatus.CONFLICT if problems else HTTPStatus.OK)


@router.get("/office/devices")
def devices_page(request: Request, caller: Reader, room: CurrentRoom) -> Response:
    """Show every device and display."""
    return _page(request, room, caller)


def _add(room: Room, caller: Caller, form: FormData) -> None:
    """Register a device, and where it is a display also as that; all that is wrong is told at once."""
    name, table, key = (text_of(form.get(each)) for each in ("name", "table", "kind"))
    command = text_of(form.get("command")) or with_id("device")
    if key not in KINDS:
        raise RefusedError([f"kind: {key!r} is none of {', '.join(KINDS)}"])
    _, what, make, driver = KINDS[key]
    commands: list[tuple[Command, str]] = []
    if what:
        commands.append((SetDevice(name=name, what=what, table=table, first=True), command))
    if make:
        display = RegisterDisplay(name=name, table=table, make=make, driven_by=driver)  # type: ignore[arg-type]
        commands.append((display, f"{command}-display"))
    problems = [text for value, _ in commands for text in room.verify(value, caller.by(value.role_order()))]
    if make and not what and name in room.state.of(DISPLAYS):
        problems.append(f"name: {name!r} is taken")
    refuse(dict.fromkeys(problems))
    for value, command_id in commands:
        room.do(value, caller.by(value.role_order()), id=command_id)


@router.post("/office/devices")
async def add(request: Request, caller: Administrator, room: CurrentRoom) -> Response:
    """Register a console, a tabulator or a display at a table."""
    form = await request.form()
    try:
        await run_in_threadpool(_add, room, caller, form)
    except RefusedError as error:
        sent = SubmittedForm("add", form)
        return await run_in_threadpool(_page, request, room, caller, problems=error.problems, sent=sent)
    return RedirectResponse("/office/devices?told=added", HTTPStatus.SEE_OTHER)


def _make(room: Room, caller: Caller, name: str, do: str, command: str) -> str:
    if do == "link":
        return room.access.make_link(name, "enrol", caller.by(SetDevice.spec.roles), id=command)
    return room.access.make_token(name, caller.by(SetDevice.spec.roles), id=command)


def _remove(room: Room, caller: Caller, name: str, command: str) -> None:
    """Take a device away: its token and its enrolled browser end, and a display is no longer registered."""
    device, display = room.access.people.devices.get(name), room.state.of(DISPLAYS).get(name)
    if device is not None and device.active:
        gone = SetDevice(name=name, what=device.what, table=device.table, active=False, first=False)
        room.access.set_device(gone, caller.by(gone.role_order()), id=command)
    if display is not None and display.active:
        taken_down = RegisterDisplay(**display.display._asdict(), active=False)
        room.do(taken_down, caller.by(taken_down.role_order()), id=f"{command}-display")


@router.post("/office/devices/{name}/{do}")
async def act(request: Request, name: str, do: str, caller: Administrator, room: CurrentRoom) -> Response:
    """Make a one-time link or a token, each told once, or take a device away."""
    known = name in room.access.people.devices or name in room.state.of(DISPLAYS)
    if not known or do not in ("link", "token", "remove"):
        raise ProblemError(HTTPStatus.NOT_FOUND, [f"there is no device {name!r} to {do}"])
    form = await request.form()
    command = text_of(form.get("command")) or with_id("device")
    try:
        if do == "remove":
            await run_in_threadpool(_remove, room, caller, name, command)
            return RedirectResponse("/office/devices?told=gone", HTTPStatus.SEE_OTHER)
        secret = await run_in_threadpool(_make, room, caller, name, do, command)
    except RefusedError as error:
        return await run_in_threadpool(_page, request, room, caller, problems=error.problems)
    told = f"{request.base_url}links/{secret}" if do == "link" else secret
    return await run_in_threadpool(_page, request, room, caller, made=(name, do, told))
