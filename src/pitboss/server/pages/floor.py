"""The floor desk: its page, and the forms on it, each of which posts one command."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Annotated, Any

from fastapi import APIRouter, Request, Response
from starlette.datastructures import FormData

from pitboss.commands import Command
from pitboss.jackpot import CloseHit, ConfirmWager, CorrectHit, DocumentHit, PayPrize, RejectHit, SurveilHit, VerifyHit
from pitboss.room.alarms import TakeAlarm
from pitboss.room.displays import ConfirmDisplay
from pitboss.room.people.roles import READERS
from pitboss.room.room import Room, room_zone
from pitboss.server.auth import Caller, CurrentRoom, allow
from pitboss.server.pages import forms
from pitboss.server.pages.console import CONSOLE_ROLES
from pitboss.server.pages.forms import Form, number_of, perform, text_of
from pitboss.server.views.floor import floor_live, floor_view
from pitboss.tabulator import ClearAlarm, EndMalfunction, ReportMalfunction

router = APIRouter(include_in_schema=False)
Reader = Annotated[Caller, allow(*READERS)]
_PARTS = ("queue", "approval", "pick", "card", "age")
MESSAGES = {
    "verify": "Verified.",
    "surveil": "Confirmed by surveillance.",
    "document": "The papers are made.",
    "pay": "Handed over.",
    "close": "The hit is closed.",
    "waits": "Submitted. Waiting for approval.",
    "give": "Approved.",
    "refuse": "Request declined.",
    "withdrawn": "Request withdrawn.",
    "confirm": "Confirmed: the alarm goes when the displays are looked at next.",
    "take-alarm": "The alarm is yours.",
    "clear-alarm": "The alarm is cleared.",
    "report": "Written down as reported.",
    "mend": "Written down as mended.",
    "confirm-wager": "Confirmed: its prizes may be paid by another person.",
}


def _floor(
    request: Request, room: Room, caller: Caller, problems: Sequence[str] = (), form: FormData | None = None
) -> Response:
    state, sent = room.state, forms.SubmittedForm(request.url.path, form)
    context = {
        "view": floor_view(state, forms.viewer_of(room, caller)),
        "shape": floor_live(state)["shape"],
        "zone": room_zone(state).key,
        "may_deal": bool(caller.roles & CONSOLE_ROLES),
        "parts": _PARTS,
    }
    return forms.render_form(
        request, "floor.html", context, problems=problems, messages=MESSAGES, sent=sent, area="floor"
    )


@router.get("/floor")
def floor(request: Request, caller: Reader, room: CurrentRoom) -> Response:
    """Show the floor desk."""
    return _floor(request, room, caller)


FieldsOf = Callable[[FormData, int], dict[str, Any]]
"""From a form, and the number of a hit, to the fields of a command."""


def _verify(form: FormData, hit: int) -> dict[str, Any]:
    cards = {
        name.removeprefix("cards:"): text_of(value) for name, value in form.multi_items() if name.startswith("cards:")
    }
    lights = [number_of(seat) for seat in form.getlist("light")]
    return {"hit": hit, "cards": cards, "board": text_of(form.get("board")), "lights": lights}


def _document(form: FormData, hit: int) -> dict[str, Any]:
    ticked = {name: set(form.getlist(name)) for name in ("photograph", "taxpayer", "deck")}
    papers = []
    for name, value in form.multi_items():
        if not name.startswith("winner:"):
            continue
        seat = name.removeprefix("winner:")
        papers.append(
            {
                "seat": number_of(seat),
                "winner": text_of(value),
                "identification": [text_of(text) for text in form.getlist(f"identification:{seat}") if text_of(text)],
                "photograph": seat in ticked["photograph"],
                "taxpayer_number": seat in ticked["taxpayer"],
                "deck_checked": seat in ticked["deck"],
            }
        )
    return {"hit": hit, "papers": papers}


def _surveil(form: FormData, hit: int) -> dict[str, Any]:
    return {"hit": hit, "checks": [text_of(check) for check in form.getlist("check")]}


def _pay(form: FormData, hit: int) -> dict[str, Any]:
    method = form.get("method")
    cheque = text_of(form.get("cheque")) if method == "cheque" else ""
    return {"hit": hit, "seat": number_of(form.get("seat")), "method": method, "cheque": cheque}


def _correct(form: FormData, hit: int) -> dict[str, Any]:
    pairs = zip(form.getlist("seat"), form.getlist("row"), strict=False)
    claims = [{"seat": number_of(seat), "row": text_of(row)} for seat, row in pairs]
    return {"hit": hit, "claims": claims, "words": text_of(form.get("words"))}


_HIT_ACTIONS: dict[str, tuple[type[Command], FieldsOf]] = {
    "verify": (VerifyHit, _verify),
    "surveil": (SurveilHit, _surveil),
    "document": (DocumentHit, _document),
    "pay": (PayPrize, _pay),
    "close": (CloseHit, lambda _, hit: {"hit": hit}),
    "reject": (RejectHit, lambda form, hit: {"hit": hit, "words": text_of(form.get("words"))}),
    "correct": (CorrectHit, _correct),
}


def _shown_amounts(form: FormData) -> dict[str, int]:
    shows = ((name, value) for name, value in form.multi_items() if name.startswith("shows:"))
    return {name.removeprefix("shows:"): number_of(value) for name, value in shows}


_ALARM_COMMANDS: dict[str, type[Command]] = {
    "confirm": ConfirmDisplay,
    "take": TakeAlarm,
    "clear": ClearAlarm,
    "report": ReportMalfunction,
    "mend": EndMalfunction,
    "confirm-wager": ConfirmWager,
}
Acts = Annotated[Caller, forms.allow_commands(*(cls for cls, _ in _HIT_ACTIONS.values()), *_ALARM_COMMANDS.values())]


@router.post("/floor/hits/{number}/{do}")
def step(request: Request, number: str, do: str, caller: Acts, room: CurrentRoom, form: Form) -> Response:
    """Run a step of a hit."""
    forms.require_form(do, _HIT_ACTIONS)
    cls, fields_of = _HIT_ACTIONS[do]

    def action() -> str:
        return perform(room, caller, cls, {"command": form.get("command"), **fields_of(form, number_of(number))})

    page = partial(_floor, request, room, caller, form=form)
    return forms.answer("/floor", action, page, fragment=f"#hit-{number_of(number)}")


@router.post("/floor/approvals/{number}/{do}")
def approve(request: Request, number: str, do: str, caller: Acts, room: CurrentRoom, form: Form) -> Response:
    """Answer what waits for a second person: give it, refuse it, or take one's own request back."""
    forms.require_form(do, forms.APPROVAL_FORMS)

    def action() -> str:
        message = forms.decide_approval(room, caller, do, number_of(number), form)
        return message if message == "withdrawn" else do

    return forms.answer("/floor", action, partial(_floor, request, room, caller, form=form))


@router.post("/floor/alarms/{do}")
def alarm(request: Request, do: str, caller: Acts, room: CurrentRoom, form: Form) -> Response:
    """Run an action on an alarm: own it, clear it, confirm a sign, report or mend a malfunction."""
    forms.require_form(do, _ALARM_COMMANDS)

    def action() -> str:
        fields: dict[str, Any] = {"amounts": _shown_amounts(form)} if do == "confirm" else {}
        if do == "confirm-wager":
            fields = {"round": number_of(form.get("round"))}
        return forms.submit(room, caller, _ALARM_COMMANDS[do], form, **fields)

    return forms.answer("/floor", action, partial(_floor, request, room, caller, form=form))
