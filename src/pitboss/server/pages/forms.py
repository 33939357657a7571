"""Doing what a form asks: the one way from a page to a declared command, or to a second person who must approve it."""

from __future__ import annotations

import uuid
from typing import Any

from pydantic import ValidationError
from starlette.datastructures import FormData

from pitboss.books import Answer, RefusedError
from pitboss.room.commands import BY_NAME, Who
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


class Sent:
    """What was filled in where a form was refused, so that nobody fills it in twice; nothing on any other page."""

    def __init__(self, action: str = "", form: FormData | None = None) -> None:
        self._action, self._form = action, form

    def was(self, action: str, name: str, number: int = 0) -> str:
        """What stood in a field of a form."""
        found = self._values(action, name)
        return found[number] if number < len(found) else ""

    def ticked(self, action: str, name: str, value: Any) -> bool:
        """Whether a box of a form was ticked."""
        return str(value) in self._values(action, name)

    def _values(self, action: str, name: str) -> list[str]:
        form = self._form if action == self._action else None
        return [] if form is None else [text_of(each) for each in form.getlist(name)]


def submit(room: Room, caller: Caller, name: str, said: dict[str, Any]) -> Answer:
    """Do a command that is declared, or ask a second person for it."""
    kind = BY_NAME[name]
    if not caller.roles & set(kind.roles):
        raise RefusedError([f"{caller.name} is no {' and no '.join(kind.roles)}"])
    asked = kind.model.model_validate(said)
    by = kind.actor(caller.name, caller.roles, asked)
    if kind.approvers:
        return room.approvals.ask(kind, asked, by)
    return kind.do(room.doors, asked, Who(asked.command, by))


def perform(room: Room, caller: Caller, name: str, said: dict[str, Any]) -> str:
    """Do a command, or ask a second person for it; give what is told of it."""
    submit(room, caller, name, said)
    return "waits" if BY_NAME[name].approvers else name.rpartition("/")[2]


def problems_of(error: RefusedError | ValueError) -> tuple[str, ...]:
    """Name everything that speaks against what a form asked."""
    if isinstance(error, RefusedError):
        return error.problems
    if isinstance(error, ValidationError):
        return tuple(f"{'.'.join(map(str, each['loc']))}: {each['msg']}" for each in error.errors())
    return ("the form is not whole: load it again",)
