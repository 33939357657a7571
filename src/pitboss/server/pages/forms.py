"""Forms: from the fields of a page to a command that is run, or asked of a second person; and their buttons."""

import dataclasses
import uuid
from collections.abc import AsyncIterator, Callable, Container, Mapping, Sequence
from functools import cache, partial
from http import HTTPStatus
from types import MappingProxyType
from typing import Annotated, Any, get_args, get_type_hints
from urllib.parse import urlencode

from fastapi import Depends, Request, Response
from fastapi.responses import RedirectResponse
from starlette.datastructures import FormData

from pitboss.books import Answer, RefusedError
from pitboss.commands import Command, Description, InvalidCommandError, read_fields, refuse
from pitboss.commands.command import BOOK
from pitboss.room.approvals import is_waiting
from pitboss.room.people.roles import PEOPLE_ROLES
from pitboss.room.room import Room
from pitboss.room.sentences import booked_text
from pitboss.rules import parse_dollars
from pitboss.rules.money import MoneyError
from pitboss.server.auth import Caller, allow
from pitboss.server.pages.layout import render
from pitboss.server.problems import ProblemError
from pitboss.server.views.formatting import cited
from pitboss.server.views.viewer import Button, Viewer

_LONGEST_NUMBER = 9
_FIELDS_MAX = 1_000


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


def run(room: Room, caller: Caller, cls: type[Command], fields: dict[str, Any]) -> Answer:
    """Run the form's command under its id, or ask the second person for it that it needs."""
    values = dict(fields)
    command_id = text_of(values.pop("command", ""))
    command = read_fields(cls, values)
    return room.do(command, caller.by(command.role_order()), id=command_id)


def viewer_of(room: Room, caller: Caller) -> Viewer:
    """Return the caller as a view sees them: name, roles, and what the room holds against their commands."""
    return Viewer(caller.name, caller.roles, lambda command: room.verify(command, caller.by(command.role_order())))


def button(room: Room, caller: Caller, command: Command) -> Button:
    """Return the button that runs a command: shown to the roles that may, greyed where the room refuses it now."""
    return viewer_of(room, caller).button(command)


class Booked(str):
    """The key of the message about something that was booked; `entry` is where the audit log says what and how much."""

    __slots__ = ("entry",)
    entry: int

    @classmethod
    def by(cls, key: str, answer: Answer) -> "Booked":
        """Return the key of a message about what an answer wrote."""
        booked = cls(key)
        booked.entry = answer.entries[-1].sequence
        return booked


def perform(room: Room, caller: Caller, cls: type[Command], fields: dict[str, Any]) -> Booked:
    """Run the form's command, and return the key of the message about it."""
    booked = run(room, caller, cls, fields)
    return Booked.by("waits" if is_waiting(booked) else cls.spec.name.rpartition("/")[2], booked)


def entry_query(message: str) -> dict[str, int]:
    """Return what an address carries besides the key of a message: the entry that was booked, where one was."""
    return {"entry": message.entry} if isinstance(message, Booked) else {}


def booked_message(request: Request, text: str) -> str:
    """Return the message about what was done, with what was booked and how much, as the audit log has it."""
    number, caller = number_of(request.query_params.get("entry")), request.app.state.caller_of(request)
    room = request.app.state.room
    entry = room.books.store.entry(BOOK, number) if text and number and "$" not in text else None
    booked = "" if entry is None or caller is None else booked_text(room.state, entry, caller.name)
    return f"{text} {booked}".strip()


def problems_of(error: RefusedError | ValueError) -> tuple[str, ...]:
    """Return everything that speaks against a submitted form."""
    if isinstance(error, RefusedError | InvalidCommandError):
        return error.problems
    return ("the form is not whole: load it again",)


async def _submitted(request: Request) -> AsyncIterator[FormData]:
    async with request.form() as form:
        yield form


Form = Annotated[FormData, Depends(_submitted)]
"""The submitted form of a request; a route that takes it is a plain function, which runs in a thread."""


def allow_commands(*classes: type[Command], approvers: bool = False) -> Any:
    """Declare that a route is for the people who may ask for one of these commands, or also who approve it."""
    roles = {role for cls in classes for role in (*cls.spec.roles, *(cls.spec.approvers if approvers else ()))}
    return allow(*(role for role in PEOPLE_ROLES if role in roles))


def form_commands(*classes: type[Command], **others: type[Command]) -> dict[str, type[Command]]:
    """Return commands by the last part of a form's address: that of their name, or another one."""
    return {cls.spec.name.rpartition("/")[2]: cls for cls in classes} | others


APPROVAL_FORMS = ("give", "refuse")
"""The last part of the address of a form by which an approval is decided."""


def require_form(do: str, known: Container[str]) -> None:
    """Answer 404 where the last part of an address names no form."""
    if do not in known:
        raise ProblemError(HTTPStatus.NOT_FOUND, [f"nothing is done by {do!r}"])


@cache
def _hints(cls: type[Command]) -> dict[str, Any]:
    hints = get_type_hints(cls)
    return {field.name: hints[field.name] for field in dataclasses.fields(cls)}  # type: ignore[arg-type]


def _read(hint: Any, text: str) -> Any:
    if hint is int:
        return number_of(text)
    return None if not text and type(None) in get_args(hint) else text


def submit(room: Room, caller: Caller, cls: type[Command], form: FormData, **fields: Any) -> Booked:
    """Run a command with these fields and those that the form has under their names; return the key of its message."""
    return perform(room, caller, cls, {"command": form.get("command"), **_texts(cls, form), **fields})


def _texts(cls: type[Command], form: FormData) -> dict[str, Any]:
    return {name: _read(hint, text_of(form.get(name))) for name, hint in _hints(cls).items() if name in form}


def reviewed(room: Room, caller: Caller, cls: type[Command], form: FormData, **fields: Any) -> Description:
    """Return what a command would do, before it is asked for, or refuse it with all problems; nothing is written."""
    command = read_fields(cls, {**_texts(cls, form), **fields})
    refuse(room.verify(command, caller.by(command.role_order())))
    return command.describe(room.state)


def decide_approval(room: Room, caller: Caller, do: str, number: int, form: FormData) -> str:
    """Approve what another has asked for (`give`); else decline it, or withdraw one's own request."""
    command, pending = text_of(form.get("command")), room.approvals.waiting.get(number)
    if do == "give":
        given = room.approvals.give(number, name=caller.name, roles=caller.roles, id=command, console=caller.console)
        return Booked.by("given", given)
    reason = reason_of(form, "Enter a reason.")
    decline = partial(room.approvals.refuse, console=caller.console)
    decline(number, name=caller.name, roles=caller.roles, words=reason, id=command)
    is_own = pending is not None and pending.is_of(caller.name)
    return "withdrawn" if is_own else "refused"


def reason_of(form: FormData, problem: str) -> str:
    """Return the reason that a form has, or refuse it with this problem."""
    reason = text_of(form.get("words"))
    if not reason:
        raise RefusedError([problem])
    return reason


def cents_of(value: Any) -> int:
    """Parse an amount of a form, or refuse it."""
    try:
        return parse_dollars(text_of(value))
    except MoneyError as error:
        raise RefusedError([str(error)]) from None


def form_values(form: FormData) -> dict[str, list[str]]:
    """Return the texts of a form by field."""
    return {name: [text_of(text) for text in form.getlist(name)] for name in list(form)[:_FIELDS_MAX]}


def sent_fields(form: FormData, *without: str) -> list[tuple[str, str]]:
    """Return the fields of a form as it was sent, to be sent again as they are."""
    return [(name, text_of(text)) for name, text in form.multi_items()[:_FIELDS_MAX] if name not in without]


def answer(
    address: str, action: Callable[[], str], page: Callable[[Sequence[str]], Response], fragment: str = ""
) -> Response:
    """Run a form's action and redirect with the key of its message; on refusal render the page with all problems.

    What has to be counted first is answered by the page that sends the form again (`server.problems`).
    """
    try:
        message = action()
    except ValueError as error:
        return page(problems_of(error))
    joint = "&" if "?" in address else "?"
    query = urlencode({**entry_query(message), "told": message})
    return RedirectResponse(f"{address}{joint}{query}{fragment}", HTTPStatus.SEE_OTHER)


def problems_at(
    problems: Sequence[str], field_of: Callable[[str], str]
) -> tuple[tuple[str, ...], dict[str, tuple[str, ...]]]:
    """Divide problems into those of the whole form, and those that stand beside a field.

    A problem begins with the path of what it is about, such as `seed: `; `field_of` returns the field that has it.
    """
    general: list[str] = []
    beside: dict[str, tuple[str, ...]] = {}
    for problem in problems:
        path, colon, text = problem.partition(": ")
        field = field_of(path) if colon else ""
        if field:
            beside[field] = (*beside.get(field, ()), text[:1].upper() + text[1:])
        else:
            general.append(problem)
    return tuple(general), beside


def _no_field(_: str) -> str:
    return ""


def render_form(
    request: Request,
    template: str,
    context: Mapping[str, Any],
    *,
    problems: Sequence[str] = (),
    messages: Mapping[str, str] = MappingProxyType({}),
    sent: SubmittedForm | None = None,
    area: str = "office",
    status: HTTPStatus | None = None,
    field_of: Callable[[str], str] = _no_field,
) -> Response:
    """Render a page with forms: problems and fields of a refused one, the message of the last one, and command ids."""
    submitted = sent or SubmittedForm()
    general, beside = problems_at(problems, field_of)
    forms = {
        "problems": general,
        "field_problems": {field: tuple(map(cited, texts)) for field, texts in beside.items()},
        "message": booked_message(request, messages.get(request.query_params.get("told", ""), "")),
        "typed": submitted.value,
        "checked": submitted.checked,
        "command": partial(with_id, area),
    }
    usual = HTTPStatus.CONFLICT if problems else HTTPStatus.OK
    return render(request, template, {**forms, **context}, status=status or usual)
