"""The page of devices: consoles, tabulators and displays are registered, enrolled and removed."""

from collections.abc import Sequence
from functools import partial
from http import HTTPStatus
from typing import Annotated

from fastapi import APIRouter, Request, Response
from starlette.datastructures import FormData

from pitboss.books import RefusedError
from pitboss.commands import Command, refuse
from pitboss.room.displays import DISPLAYS, RegisterDisplay
from pitboss.room.people.people import SetDevice
from pitboss.room.people.vault import ENROLLED
from pitboss.room.room import Room
from pitboss.server.auth import Caller, CurrentRoom, allow
from pitboss.server.pages import forms
from pitboss.server.problems import ProblemError
from pitboss.server.views.office.devices import KINDS, devices_view
from pitboss.server.views.viewer import Button

router = APIRouter(include_in_schema=False)
Reader = Annotated[Caller, allow("administrator", "supervisor", "manager", "auditor")]
Administrator = Annotated[Caller, forms.allow_commands(SetDevice)]
MESSAGES = {"added": "Registered: now make a one-time link for its browser, or a token.", "gone": "Taken away."}
_PAGE = "/office/devices"


def _page(
    request: Request,
    room: Room,
    caller: Caller,
    problems: Sequence[str] = (),
    *,
    sent: forms.SubmittedForm | None = None,
    secret: tuple[str, str, str] | None = None,
) -> Response:
    people = room.access.people
    enrolled = {name for name in people.devices if room.access.sessions.of(name, ENROLLED)}
    view = devices_view(room.state, set(room.vault.secrets("token").values()), enrolled)
    context = {
        "view": view,
        "may_change": caller.may(SetDevice),
        "removals": {line.name: _removal_button(room, caller, line.name) for line in view.lines if line.active},
        "secret": secret,
    }
    return forms.render_form(
        request, "office/devices.html", context, problems=problems, messages=MESSAGES, sent=sent, area="device"
    )


@router.get(_PAGE)
def devices_page(request: Request, caller: Reader, room: CurrentRoom) -> Response:
    """Render every device and display."""
    return _page(request, room, caller)


def _add(room: Room, caller: Caller, form: FormData) -> str:
    """Register a device, and where it is a display also as that, or refuse with all problems."""
    name, table, key = (forms.text_of(form.get(field)) for field in ("name", "table", "kind"))
    if key not in KINDS:
        raise RefusedError([f"kind: {key!r} is none of {', '.join(KINDS)}"])
    _, what, make, driver = KINDS[key]
    commands: dict[str, Command] = {}
    if what:
        commands[""] = SetDevice(name=name, what=what, table=table, first=True)
    if make:
        commands["-display"] = RegisterDisplay(name=name, table=table, make=make, driven_by=driver)  # type: ignore[arg-type]
    problems = [text for command in commands.values() for text in forms.button(room, caller, command).problems]
    if make and not what and name in room.state.of(DISPLAYS):
        problems.append(f"name: {name!r} is taken")
    refuse(dict.fromkeys(problems))
    command_id = _id(form)
    for suffix, command in commands.items():
        room.do(command, caller.by(command.role_order()), id=command_id + suffix)
    return "added"


def _id(form: FormData) -> str:
    return forms.text_of(form.get("command")) or forms.with_id("device")


@router.post(_PAGE)
def add(request: Request, caller: Administrator, room: CurrentRoom, form: forms.Form) -> Response:
    """Register a console, a tabulator or a display at a table."""
    page = partial(_page, request, room, caller, sent=forms.SubmittedForm("add", form))
    return forms.answer(_PAGE, lambda: _add(room, caller, form), page)


def _removal(room: Room, name: str) -> tuple[SetDevice | None, RegisterDisplay | None]:
    """Return what removes a device, and the display that it is."""
    device, display = room.access.people.devices.get(name), room.state.of(DISPLAYS).get(name)
    gone = None if device is None or not device.active else device
    dark = None if display is None or not display.active else display.display
    return (
        None if gone is None else SetDevice(name=name, what=gone.what, table=gone.table, active=False, first=False),
        None if dark is None else RegisterDisplay(**dark._asdict(), active=False),
    )


def _removal_button(room: Room, caller: Caller, name: str) -> Button:
    buttons = [forms.button(room, caller, command) for command in _removal(room, name) if command is not None]
    return Button(all(part.is_shown for part in buttons), tuple(text for part in buttons for text in part.problems))


def _remove(room: Room, caller: Caller, name: str, form: FormData) -> str:
    """Remove a device: its token and its enrolled browser end, and a display is no longer registered."""
    (device, display), command_id = _removal(room, name), _id(form)
    if device is not None:
        room.access.set_device(device, caller.by(device.role_order()), id=command_id)
    if display is not None:
        room.do(display, caller.by(display.role_order()), id=f"{command_id}-display")
    return "gone"


@router.post("/office/devices/{name}/{do}")
def act(request: Request, name: str, do: str, caller: Administrator, room: CurrentRoom, form: forms.Form) -> Response:
    """Make a one-time link or a token, each shown once, or remove a device."""
    exists = name in room.access.people.devices or name in room.state.of(DISPLAYS)
    if not exists or do not in ("link", "token", "remove"):
        raise ProblemError(HTTPStatus.NOT_FOUND, [f"there is no device {name!r} to {do}"])
    if do == "remove":
        return forms.answer(_PAGE, lambda: _remove(room, caller, name, form), partial(_page, request, room, caller))
    by = caller.by(SetDevice.spec.roles)
    try:
        if do == "link":
            secret = f"{request.base_url}links/{room.access.make_link(name, 'enrol', by, id=_id(form))}"
        else:
            secret = room.access.make_token(name, by, id=_id(form))
    except RefusedError as error:
        return _page(request, room, caller, error.problems)
    return _page(request, room, caller, secret=(name, do, secret))
