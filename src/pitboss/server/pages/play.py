"""The page of a table that Pitboss deals: shuffle, wager, decide, settle; and of each round that it can be checked."""

from collections.abc import Callable, Sequence
from http import HTTPStatus
from typing import Annotated, Any
from urllib.parse import quote

from fastapi import APIRouter, Path, Request, Response
from fastapi.responses import RedirectResponse
from starlette.datastructures import FormData

from pitboss.books import RefusedError
from pitboss.room.configurations import configuration_at
from pitboss.room.dealing.dealing import EndDealtRound, ShuffleShoe
from pitboss.room.dealing.entries import last_dealt, revealed_round
from pitboss.room.people.roles import READERS
from pitboss.room.room import Room
from pitboss.rules import MoneyError, parse_dollars
from pitboss.server.auth import Caller, CurrentRoom, allow
from pitboss.server.pages.forms import Form, SubmittedForm, number_of, problems_of, render_form, text_of
from pitboss.server.pages.layout import render
from pitboss.server.problems import ProblemError
from pitboss.server.views.play import ToldView, play_view, told_view
from pitboss.server.views.table_state import room_zone
from pitboss.table import VoidReason

router = APIRouter(include_in_schema=False)
Looks = Annotated[Caller, allow("dealer", *READERS, "console")]
Acts = Annotated[Caller, allow(*ShuffleShoe.spec.roles)]
Number = Annotated[int, Path(ge=1, le=2**53)]
_ANSWERS: dict[str, Any] = {"yes": True, "no": False}


def _base(table: str) -> str:
    return f"/tables/{quote(table, safe='')}/play"


def _last(room: Room, table: str) -> ToldView | None:
    last = last_dealt(room.state, table)
    dealt = revealed_round(room.books.store, table, last.bound, last.revealed) if last.revealed else None
    return None if dealt is None else told_view(table, dealt, room_zone(room.state))


def _page(
    request: Request,
    room: Room,
    caller: Caller,
    table: str,
    problems: Sequence[str] = (),
    sent: SubmittedForm | None = None,
) -> Response:
    dealing, posted = room.dealing, configuration_at(room.state, table)
    dealt = dealing.table(table)
    if dealt.cards != "dealt" or posted is None:
        raise ProblemError(HTTPStatus.NOT_FOUND, [f"table {table!r} is no table that Pitboss deals"])
    in_play, texts = None, list(problems)
    if dealt.is_on:
        try:
            in_play = dealing.round_in_play(table)
        except RefusedError as error:
            texts += [problem for problem in error.problems if problem not in texts]
    view = play_view(table, dealt, posted, in_play)
    context = {
        "view": view._replace(step=None) if dealt.is_on and in_play is None else view,
        "last": None if dealt.is_on else _last(room, table),
        "base": _base(table),
        "may_act": caller.may(ShuffleShoe),
        "sent": sent or SubmittedForm(),
        "void_reasons": [problem.value for problem in VoidReason],
        "parts": ("card",),
    }
    status = HTTPStatus.CONFLICT if problems else HTTPStatus.OK
    return render_form(request, "play/play.html", context, problems=texts, area="play", status=status)


@router.get("/tables/{table}/play")
def play(request: Request, table: str, caller: Looks, room: CurrentRoom) -> Response:
    """Show a table that Pitboss deals: the round on it, or the last one with its key."""
    return _page(request, room, caller, table)


def _wagers(form: FormData) -> dict[str, Any]:
    problems, wagers = [], {}
    for name, value in form.multi_items():
        what, _, wager = name.partition(":")
        text = text_of(value)
        if what == "wager" and text:
            try:
                wagers[wager] = parse_dollars(text)
            except MoneyError as error:
                problems.append(f"{wager}: {error}")
    if problems:
        raise RefusedError(problems)
    return {"do": "wager", "seat": number_of(form.get("seat")), "wagers": wagers}


def _decision(form: FormData) -> dict[str, Any]:
    fields = {"do": "decide", "seat": number_of(form.get("seat")), "key": text_of(form.get("key"))}
    if "answer" in form:
        text = text_of(form.get("answer"))
        return {**fields, "value": _ANSWERS.get(text, number_of(text))}
    return {**fields, "cards": [card for value in form.getlist("card") for card in text_of(value).split()]}


OPERATIONS: dict[str, Callable[[FormData], dict[str, Any]]] = {
    "wager": _wagers,
    "decide": _decision,
    "deal": lambda _: {"do": "deal"},
    "reveal": lambda _: {"do": "reveal"},
    "settle": lambda _: {"do": "settle"},
    "void": lambda form: {"do": "void", "reason": text_of(form.get("reason"))},
}


def _act(room: Room, caller: Caller, table: str, do: str, form: FormData) -> None:
    dealing, command = room.dealing, text_of(form.get("command"))
    if not command:
        raise RefusedError(["the form is not whole: load it again"])
    if do == "shuffle":
        dealing.shuffle(table, caller.by(ShuffleShoe.spec.roles), id=command)
    else:
        dealing.operate(table, OPERATIONS[do](form), caller.by(EndDealtRound.spec.roles), id=command)


@router.post("/tables/{table}/play/{do}")
def act(request: Request, table: str, do: str, caller: Acts, room: CurrentRoom, form: Form) -> Response:
    """Run the form's operation once and show the table again; on refusal render it with all problems."""
    if do not in (*OPERATIONS, "shuffle") or caller.is_elsewhere(table):
        raise ProblemError(HTTPStatus.NOT_FOUND, [f"nothing at table {table!r} does {do!r} from here"])
    try:
        _act(room, caller, table, do, form)
    except ValueError as error:
        return _page(request, room, caller, table, problems_of(error), SubmittedForm(do, form))
    return RedirectResponse(_base(table), HTTPStatus.SEE_OTHER)


@router.get("/tables/{table}/play/rounds/{bound}/{told}")
def verify(request: Request, table: str, bound: Number, told: Number, caller: Looks, room: CurrentRoom) -> Response:
    """Check a round that is over: its key against the hash that bound it, and its cards dealt again from the key."""
    dealt = revealed_round(room.books.store, table, bound, told)
    if dealt is None:
        raise ProblemError(HTTPStatus.NOT_FOUND, [f"entries {bound} and {told} are no round dealt at {table!r}"])
    context = {
        "table": table,
        "last": told_view(table, dealt, room_zone(room.state)),
        "base": _base(table),
        "may_read": bool(caller.roles & set(READERS)),
        "parts": ("card", "queue"),
    }
    return render(request, "play/round.html", context)
