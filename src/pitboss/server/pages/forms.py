"""Forms: from the fields of a page to a command that is run, or asked of a second person; and their buttons."""

from __future__ import annotations

import uuid
from typing import Any

from starlette.datastructures import FormData

from pitboss.books import Answer, RefusedError
from pitboss.commands import Command, InvalidCommandError, read_fields
from pitboss.room.people.roles import PEOPLE_ROLES
from pitboss.room.room import Room
from pitboss.server.auth import Caller
from pitboss.server.views.viewer import Button, Viewer

_LONGEST_NUMBER = 9


def with_id(area: str) -> str:
    """Return a new command id for a form that is rendered now."""
    return f"{area}-{uuid.uuid4().hex}"


def number_of(text: Any) -> int:
    """Parse a small whole number of a form; what is none is 0, which nothing accepts."""
    is_number = isinstance(text, str) and text.isascii() and text.isdigit() and len(text) <= _LONGEST_NUMBER
    return int(text) if is_number else 0


def text_of(value: Any) -> str:
    """Return a text of a form, without spaces around it; a file that was sent instead is no text."""
    return value.strip() if isinstance(value, str) else ""


class SubmittedForm:
    """The fields of a form that was refused, so that nobody fills it in twice; empty on any other page."""

    def __init__(self, action: str = "", form: FormData | None = None) -> None:
        self._action, self._form = action, form

    def value(self, action: str, name: str, number: int = 0) -> str:
        """Return what stood in a field of a form."""
        values = self._values(action, name)
        return values[number] if number < len(values) else ""

    def checked(self, action: str, name: str, value: Any) -> bool:
        """True if a box of a form was checked."""
        return str(value) in self._values(action, name)

    def _values(self, action: str, name: str) -> list[str]:
        form = self._form if action == self._action else None
        return [] if form is None else [text_of(value) for value in form.getlist(name)]


def roles_of(*commands: type[Command]) -> tuple[str, ...]:
    """Return the people's roles that may ask for one of several commands, as a route declares them."""
    roles = dict.fromkeys(role for cls in commands for role in cls.spec.roles)
    return tuple(role for role in roles if role in PEOPLE_ROLES)


def run(room: Room, caller: Caller, cls: type[Command], fields: dict[str, Any]) -> Answer:
    """Run the form's command under its id, or ask the second person for it that it needs."""
    values = dict(fields)
    command_id = text_of(values.pop("command", ""))
    command = read_fields(cls, values)
    return room.do(command, caller.by(command.role_order()), id=command_id)


def perform(room: Room, caller: Caller, cls: type[Command], fields: dict[str, Any]) -> str:
    """Run the form's command, and return the key of the message about it."""
    run(room, caller, cls, fields)
    return "waits" if cls.spec.approvers else cls.spec.name.rpartition("/")[2]


def answer_approval(room: Room, caller: Caller, number: int, form: FormData, *, give: bool) -> None:
    """Answer what waits for a second person: give it, or refuse it with a reason; one's own is taken back so."""
    name, roles, command_id = caller.name, caller.roles, text_of(form.get("command"))
    if give:
        room.approvals.give(number, name=name, roles=roles, id=command_id)
        return
    words = text_of(form.get("words"))
    if not words:
        raise RefusedError(["say why it is refused"])
    room.approvals.refuse(number, name=name, roles=roles, words=words, id=command_id)


def viewer_of(room: Room, caller: Caller) -> Viewer:
    """Return the caller as a view sees them: name, roles, and what the room holds against their commands."""
    return Viewer(caller.name, caller.roles, lambda command: room.verify(command, caller.by(command.role_order())))


def button(room: Room, caller: Caller, command: Command) -> Button:
    """Return the button that runs a command: shown to the roles that may, greyed where the room refuses it now."""
    return viewer_of(room, caller).button(command)


def problems_of(error: RefusedError | ValueError) -> tuple[str, ...]:
    """Return everything that speaks against a submitted form."""
    if isinstance(error, RefusedError | InvalidCommandError):
        return error.problems
    return ("the form is not whole: load it again",)
