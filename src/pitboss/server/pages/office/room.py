"""The room: its settings through time, and the first day, from an empty room to one that is open for business."""

from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Annotated, Any

from fastapi import APIRouter, Request, Response
from fastapi.responses import RedirectResponse
from starlette.datastructures import FormData

from pitboss.books import ROOM, RefusedError
from pitboss.books.calendar import POSTED_WORDS
from pitboss.commands import By, Command, InvalidCommandError
from pitboss.law.papers import PARTS
from pitboss.room.approval_records import RegisterMaker
from pitboss.room.room import Room
from pitboss.room.settings import RenameRoom, SetRoom
from pitboss.server.auth import Caller, CurrentRoom, allow
from pitboss.server.pages.forms import (
    Form,
    SubmittedForm,
    allow_commands,
    answer,
    form_values,
    number_of,
    perform,
    render_form,
    submit,
    text_of,
    with_id,
)
from pitboss.server.pages.office.people import DeviceSetter, connect_device
from pitboss.server.views.links import HandedSecret
from pitboss.server.views.office.approvals import makers_view
from pitboss.server.views.office.room import start_view
from pitboss.server.views.office.settings import room_view

router = APIRouter(include_in_schema=False)
Setter = Annotated[Caller, allow_commands(SetRoom)]
Starter = Annotated[Caller, allow(*SetRoom.spec.roles, "supervisor", "accounting", "surveillance")]
Reader = Annotated[Caller, allow(*SetRoom.spec.roles, "supervisor", "accounting", "auditor")]
Renamer = Annotated[Caller, allow_commands(RenameRoom)]
Registrar = Annotated[Caller, allow_commands(RegisterMaker)]
MESSAGES = {"post": "Marked as posted.", "changed": "Change scheduled.", "waits": "Submitted. Waiting for approval."}
_FIELDS = {"room": "name of the room", "time_zone": "time zone"}
_FIELD_NAMES = ("room", "time_zone", "since", "operator", "licence", "shifts", "name", "words", "maker", *POSTED_WORDS)
_FIELD_OF = {**{name: name for name in _FIELD_NAMES}, "begins": "shifts"}
"""The field beside which a problem stands, by the end of its path."""


@router.get("/office/start")
def start(request: Request, caller: Starter, room: CurrentRoom) -> Response:
    """Render what is done and what is missing, each with the buttons of those who do it."""
    return _start(request, room, caller)


def _start(
    request: Request,
    room: Room,
    caller: Caller,
    problems: Sequence[str] = (),
    secrets: Sequence[HandedSecret] = (),
) -> Response:
    def held(command: Command) -> Sequence[str]:
        return room.verify(command, By(caller.name, command.spec.roles[0]))

    view = start_view(room.state, room.secrets(), room.clock(), held)
    context = {"view": view, "roles": caller.roles, "secrets": secrets}
    return render_form(request, "office/room/start.html", context, problems=problems, messages=MESSAGES, area="start")


@router.post("/office/start/devices")
def add_devices(request: Request, caller: DeviceSetter, room: CurrentRoom, form: Form) -> Response:
    """Add displays, consoles and tabulators at once, and list the link or token of each; one that is there gets its."""
    values = form_values(form)
    rows = zip(*(values.get(name, []) for name in ("kind", "name", "table")), strict=False)
    command_id = text_of(form.get("command")) or with_id("device")
    secrets: list[HandedSecret] = []
    problems: list[str] = []
    for number, (kind, name, table) in enumerate(rows):
        try:
            secret = connect_device(request, room, caller, (kind, name, table), f"{command_id}-{number}")
        except RefusedError as error:
            problems += [f"{name}: {text}" for text in error.problems]
        else:
            secrets += [] if secret is None else [secret]
    return _start(request, room, caller, problems, secrets)


def _page(
    request: Request,
    room: Room,
    caller: Caller,
    problems: Sequence[str] = (),
    values: Mapping[str, list[str]] | None = None,
    sent: tuple[str, FormData | None] = ("", None),
) -> Response:
    def field_of(path: str) -> str:
        field = _FIELD_OF.get(path.rpartition(".")[2], "")
        return f"{sent[0]}-{field}" if sent[0] and field else field

    context = {
        "view": room_view(room.state, room.clock(), values),
        "may_set": caller.may(SetRoom),
        "may_rename": caller.may(RenameRoom),
        "makers": makers_view(room.state),
        "parts_of_equipment": PARTS,
        "may_register": caller.may(RegisterMaker),
    }
    return render_form(
        request, "office/room/room.html", context, problems=problems, messages=MESSAGES, sent=SubmittedForm(*sent),
        area="room", field_of=field_of,
    )  # fmt: skip


@router.get("/office/room")
def room_page(request: Request, caller: Reader, room: CurrentRoom) -> Response:
    """Render the room's settings through time, and the form that makes or changes them."""
    return _page(request, room, caller)


def _fields(values: Mapping[str, list[str]], room: Room) -> dict[str, Any]:
    """Return the fields of the command: empty shifts are left out; name and zone of a room that exists stay."""
    calendar = room.state.of(ROOM)

    def text(name: str) -> str:
        return next(iter(values.get(name, [])), "")

    rows = zip(values.get("shift", []), values.get("begins", []), strict=False)
    shifts = [{"name": name or "?", "begins": begins} for name, begins in rows if name or begins]
    settings: dict[str, Any] = {"operator": text("operator"), "licence": text("licence"), "shifts": shifts}
    settings |= {name: " ".join(text(name).split()) for name in POSTED_WORDS if name in values}
    settings |= {"locale": text("locale")} if text("locale") else {}
    settings |= {"practice": text("practice") == "on"} if text("practice") else {}
    settings |= {name: number_of(text(name)) for name in ("test_hands", "test_minutes", "test_percent") if text(name)}
    fields = {"command": text("command") or with_id("room")}
    if calendar is None:
        return {**fields, "settings": settings | {"room": text("room"), "time_zone": text("time_zone")}}
    last = calendar.history[-1][1]
    settings |= {"room": last.room, "time_zone": last.time_zone}
    return {**fields, "settings": settings, "since": text("since")}


def _problems(error: RefusedError | InvalidCommandError) -> tuple[str, ...]:
    if isinstance(error, RefusedError):
        return error.problems
    fields = [text.partition(":")[0].rpartition(".")[2] for text in error.problems]
    return tuple(f"{name}: fill in the {_FIELDS.get(name, name)} (O-07)" for name in dict.fromkeys(fields))


@router.post("/office/room")
def set_room(request: Request, caller: Setter, room: CurrentRoom, form: Form) -> Response:
    """Make the room, or change its gambling day and shifts from a later day on (G-30)."""
    values, is_new = form_values(form), room.state.of(ROOM) is None
    try:
        told = perform(room, caller, SetRoom, _fields(values, room))
    except (RefusedError, InvalidCommandError) as error:
        return _page(request, room, caller, _problems(error), values)
    return RedirectResponse(
        "/office/start" if is_new else f"/office/room?told={'waits' if told == 'waits' else 'changed'}",
        HTTPStatus.SEE_OTHER,
    )


@router.post("/office/room/name")
def rename_room(request: Request, caller: Renamer, room: CurrentRoom, form: Form) -> Response:
    """Submit another name of the room for approval, from a later day on (G-57)."""
    return answer(
        "/office/room",
        lambda: submit(room, caller, RenameRoom, form),
        lambda problems: _page(request, room, caller, problems, sent=("rename", form)),
    )


@router.post("/office/room/makers")
def register_maker(request: Request, caller: Registrar, room: CurrentRoom, form: Form) -> Response:
    """Submit an entry of the register of makers and distributors for approval (O-16)."""
    return answer(
        "/office/room",
        lambda: submit(room, caller, RegisterMaker, form),
        lambda problems: _page(request, room, caller, problems, sent=("maker", form)),
        "#makers",
    )
