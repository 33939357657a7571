"""Forms: from the fields of a page to a command that is run, or asked of a second person."""

from __future__ import annotations

import uuid
from typing import Any, NamedTuple

from starlette.datastructures import FormData

from pitboss.books import Answer, RefusedError
from pitboss.commands import Command, InvalidCommandError, read_fields
from pitboss.room.room import Room
from pitboss.server.auth import Caller

_LONGEST_NUMBER = 9


def with_id(area: str) -> str:
    """Make a command id for a form that is rendered now."""
    return f"{area}-{uuid.uuid4().hex}"


def number_of(text: Any) -> int:
    """Read a small whole number of a form; what is none is 0, which nothing takes."""
    is_number = isinstance(text, str) and text.isascii() and text.isdigit() and len(text) <= _LONGEST_NUMBER
    return int(text) if is_number else 0


def text_of(value: Any) -> str:
    """Read a text of a form, without spaces around it; a file that was sent instead is no text."""
    return value.strip() if isinstance(value, str) else ""


class SubmittedForm:
    """What was filled in where a form was refused, so that nobody fills it in twice; nothing on any other page."""

    def __init__(self, action: str = "", form: FormData | None = None) -> None:
        self._action, self._form = action, form

    def value(self, action: str, name: str, number: int = 0) -> str:
        """What stood in a field of a form."""
        found = self._values(action, name)
        return found[number] if number < len(found) else ""

    def checked(self, action: str, name: str, value: Any) -> bool:
        """Whether a box of a form was ticked."""
        return str(value) in self._values(action, name)

    def _values(self, action: str, name: str) -> list[str]:
        form = self._form if action == self._action else None
        return [] if form is None else [text_of(each) for each in form.getlist(name)]


def run(room: Room, caller: Caller, cls: type[Command], fields: dict[str, Any]) -> Answer:
    """Run the form's command under its id, or ask the second person for it that it needs."""
    values = dict(fields)
    command_id = text_of(values.pop("command", ""))
    command = read_fields(cls, values)
    return room.do(command, caller.by(command.role_order()), id=command_id)


class Button(NamedTuple):
    """The button of a form: whether the caller sees it, and what speaks against pressing it now, which greys it."""

    is_shown: bool
    problems: tuple[str, ...] = ()


def button(room: Room, caller: Caller, command: Command) -> Button:
    """Return the button that runs a command: shown to the roles that may, greyed where the room refuses it now."""
    if not caller.may(type(command)):
        return Button(is_shown=False)
    return Button(is_shown=True, problems=room.verify(command, caller.by(command.role_order())))


def perform(room: Room, caller: Caller, cls: type[Command], fields: dict[str, Any]) -> str:
    """Run the form's command, and return which message tells of it."""
    run(room, caller, cls, fields)
    return "waits" if cls.spec.approvers else cls.spec.name.rpartition("/")[2]


def problems_of(error: RefusedError | ValueError) -> tuple[str, ...]:
    """Name everything that speaks against what a form asked."""
    if isinstance(error, RefusedError | InvalidCommandError):
        return error.problems
    return ("the form is not whole: load it again",)
