"""The chip count: one grid for a shift, saved at once by two people who have both signed in (O-12, G-45)."""

from collections.abc import Sequence
from http import HTTPStatus
from typing import Annotated

from fastapi import APIRouter, Query, Request, Response
from fastapi.responses import RedirectResponse
from starlette.datastructures import FormData

from pitboss.books import RefusedError
from pitboss.books.calendar import Shift
from pitboss.commands import By, refuse
from pitboss.room.accounting import CountShift, TableCount
from pitboss.room.people.access import SignInRefusedError
from pitboss.room.people.people import Person
from pitboss.room.room import Room
from pitboss.rules import parse_dollars
from pitboss.rules.money import MoneyError
from pitboss.server.auth import Caller, CurrentRoom
from pitboss.server.pages import forms
from pitboss.server.pages.forms import Form, SubmittedForm, allow_commands, text_of
from pitboss.server.pages.layout import render
from pitboss.server.problems import ProblemError
from pitboss.server.views.office import count as views
from pitboss.server.worker import jobs
from pitboss.server.worker.pool import Figure, journal_figure

router = APIRouter(include_in_schema=False)
Counter = Annotated[Caller, allow_commands(CountShift)]
Text = Annotated[str, Query(max_length=120)]
_MINUS = ("-", "\N{MINUS SIGN}")


def _witnesses(room: Room, by: By) -> list[Person]:
    """Return who can confirm what is counted in a role: never one who acts in the same one (G-31)."""
    roles = set(CountShift.spec.approvers_of(by.role))
    people = room.access.people.people.values()
    can = [person for person in people if person.active and person.name != by.name and roles & set(person.roles)]
    return sorted(can, key=lambda person: person.name)


def _shift(room: Room, day: str, name: str) -> Shift:
    shift = views.chosen_shift(room.state, day, name, room.clock())
    if shift is None:
        raise ProblemError(HTTPStatus.NOT_FOUND, ["There is no such shift."])
    return shift


def _page(
    request: Request,
    room: Room,
    caller: Caller,
    shift: Shift,
    problems: Sequence[str] = (),
    form: FormData | None = None,
) -> Response:
    by = caller.by(CountShift.spec.roles)
    view = views.count_view(room.state, shift, room.clock(), None)
    figure = _expected(request, room, shift) if view.has_counts else Figure("", "ready", None)
    if figure.status == "ready" and figure.value is not None:
        view = views.count_view(room.state, shift, room.clock(), figure.value)
    counted = sum(bool(row.counted) for row in view.rows)
    context = {
        "view": view,
        "people": _witnesses(room, by),
        "has_codes": room.access.uses_factors,
        "waits": figure.key if figure.status == "computing" else "",
    }
    messages = {
        "counted": f"Saved. {view.title}: {counted} of {len(view.rows)} tables counted, {view.total} in all.",
        "waits": "Submitted. It is saved when the second person confirms it under Approvals on the Floor page.",
    }
    return forms.render_form(
        request,
        "office/count.html",
        context,
        problems=problems,
        messages=messages,
        sent=SubmittedForm("count", form),
        field_of=_field_of,
        area="count",
    )


def _field_of(path: str) -> str:
    """Return the field that a problem of a count stands beside."""
    if path.startswith(("counts.", "amount.")):
        return f"amount-{path.partition('.')[2]}"
    return {"counted_with": "witness", "witness": "witness", "password": "password"}.get(path, "")


def _expected(request: Request, room: Room, shift: Shift) -> Figure:
    """Return the report on takings of the shift, which is made only where a table was counted."""
    day = shift.day.isoformat()
    criteria = {"first": day, "last": day, "shift": shift.name}
    # Entries decide, not the clock: the same books have the same report.
    job = jobs.ReportJob(path=str(room.path), name="takings", criteria=criteria, at=room.state.recorded)
    return journal_figure(request, room, job)


@router.get("/office/count")
def count_page(request: Request, caller: Counter, room: CurrentRoom, day: Text = "", shift: Text = "") -> Response:
    """Render the grid of a shift; without one, of the last that is over and not counted."""
    if views.chosen_shift(room.state, day, shift, room.clock()) is None and not day:
        return render(request, "office/count.html", {"view": None, "problems": (), "message": ""})
    return _page(request, room, caller, _shift(room, day, shift))


def _amount(text: str) -> int:
    """Parse an amount; below zero is what the tray paid beyond the wagers that it took (O-12)."""
    is_negative = text[:1] in _MINUS
    return -parse_dollars(text[1:]) if is_negative else parse_dollars(text)


def _counts(room: Room, form: FormData) -> tuple[tuple[TableCount, ...], list[str]]:
    """Read the tables that have an amount, and what is wrong with those that cannot be read."""
    counts, problems = [], []
    for table in views.grid_tables(room.state):
        text, reason = text_of(form.get(f"amount-{table}")), text_of(form.get(f"reason-{table}"))
        if not text:
            problems += [f"amount.{table}: Enter the amount, too."] if reason else []
            continue
        try:
            counts.append(TableCount(table, _amount(text), reason))
        except MoneyError:
            problems.append(f"amount.{table}: Enter an amount like 65 or $65.00.")
    if not counts and not problems:
        problems.append("Enter the amount of one table at least.")
    return tuple(counts), problems


def _confirmed(room: Room, caller: Caller, by: By, witness: Person, form: FormData) -> By:
    """Return both people: the witness signs in by their own password, here and now."""
    try:
        password, code = text_of(form.get("password")), text_of(form.get("code"))
        room.access.by_password(witness.login, password, address=caller.address, code=code)
    except SignInRefusedError:
        wrong = "password and code" if room.access.has_factor(witness.login) else "password"
        raise RefusedError([f"password: That is not {witness.name}'s {wrong}."]) from None
    role = next(role for role in CountShift.spec.approvers_of(by.role) if role in witness.roles)
    return By(by.name, by.role, By(witness.name, role))


def _save(room: Room, caller: Caller, by: By, shift: Shift, form: FormData, *, is_here: bool) -> None:
    """Save what was counted, or refuse it with everything that is wrong; a password is asked for last."""
    counts, problems = _counts(room, form)
    login = text_of(form.get("witness"))
    witness = next((person for person in _witnesses(room, by) if person.login == login), None)
    if witness is None:
        problems.append("witness: Choose who counted with you.")
    refuse(problems)
    assert witness is not None
    command = CountShift(day=shift.day, shift=shift.name, counts=counts, counted_with=witness.name)
    refuse(room.verify(command, by))
    who = _confirmed(room, caller, by, witness, form) if is_here else by
    room.do(command, who, id=text_of(form.get("command")))


@router.post("/office/count")
def save(request: Request, caller: Counter, room: CurrentRoom, form: Form) -> Response:
    """Save every count of the grid at once, or none, with what is wrong beside its field."""
    shift = _shift(room, text_of(form.get("day")), text_of(form.get("shift")))
    by = caller.by(CountShift.spec.roles)
    is_here = form.get("confirm") != "later"
    try:
        _save(room, caller, by, shift, form, is_here=is_here)
    except RefusedError as error:
        return _page(request, room, caller, shift, error.problems, form)
    address = views.count_address(shift.day.isoformat(), shift.name, told="counted" if is_here else "waits")
    return RedirectResponse(address, HTTPStatus.SEE_OTHER)
