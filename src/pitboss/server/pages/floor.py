"""The floor desk: its page, and the forms on it, each of which posts one command."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from http import HTTPStatus
from typing import Annotated, Any

from fastapi import APIRouter, Request, Response
from fastapi.responses import RedirectResponse
from starlette.datastructures import FormData

from pitboss import jackpot
from pitboss.books import BookState, StoreError
from pitboss.commands import Command, read_fields
from pitboss.commands.command import BOOK
from pitboss.jackpot.hits.workflow import METHOD_WORDS
from pitboss.room.alarms import TakeAlarm
from pitboss.room.displays import ConfirmDisplay
from pitboss.room.hit_index import HIT_INDEX, stories_at
from pitboss.room.people.roles import READERS
from pitboss.room.room import Room, room_zone
from pitboss.server.auth import Caller, CurrentRoom, allow
from pitboss.server.pages import forms
from pitboss.server.pages.console import CONSOLE_ROLES
from pitboss.server.pages.forms import Form, number_of, perform, text_of
from pitboss.server.views.floor import floor_live, floor_view, shape_of
from pitboss.server.views.formatting import age_text
from pitboss.tabulator import ClearAlarm, EndMalfunction, ReportMalfunction

router = APIRouter(include_in_schema=False)
Reader = Annotated[Caller, allow(*READERS)]
_PARTS = ("queue", "approval", "pick", "card", "age")
MESSAGES = {
    "verify": "Verified.",
    "surveil": "Confirmed by surveillance.",
    "document": "Paperwork saved.",
    "pay": "Payment recorded.",
    "close": "Jackpot closed.",
    "post": "Marked as posted.",
    "waits": "Submitted. Waiting for approval.",
    "given": "Approved.",
    "refused": "Request declined.",
    "withdrawn": "Request withdrawn.",
    "confirm": "Confirmed. The alert will clear in a moment.",
    "take-alarm": "Assigned to you.",
    "clear-alarm": "Resolved.",
    "report": "Marked as reported.",
    "mend": "Marked as repaired. Return it to service when ready.",
    "confirm-wager": "Wager confirmed. Someone else may pay its prizes.",
}


def _verified(room: Room, state: BookState) -> dict[int, Mapping[str, str]]:
    """Return the cards by which the hits that are open were verified, as the journal has them."""
    numbers = [hit.number for hit in state.of(jackpot.HITS).open.values() if not hit.is_finished]
    try:
        stories = stories_at(room.books.store, BOOK, state.of(HIT_INDEX), numbers)
    except StoreError:
        # The floor goes on from memory: the cards come back with the store.
        return {}
    return {number: story.verified.cards for number, story in stories.items() if story.verified is not None}


def _slip_link(state: BookState, number: int) -> tuple[str, str]:
    """Return where the first slip of a hit is printed, and its words; nothing where it has none."""
    hit = state.of(jackpot.HITS).open.get(number)
    slips = [] if hit is None else [paper.slip for paper in hit.papers]
    return (f"/office/hits/{number}/slips/{slips[0]}", f"Print slip {slips[0]:06d}") if slips else ("", "")


def _floor(
    request: Request,
    room: Room,
    caller: Caller,
    problems: Sequence[str] = (),
    form: FormData | None = None,
    review: str = "",
) -> Response:
    state, now = room.state, room.clock()
    name = "" if form is None else text_of(form.get("form"))
    sent = forms.SubmittedForm(name, form)
    documented = number_of(request.query_params.get("hit")) if request.query_params.get("told") == "document" else 0
    slip_link, slip_label = _slip_link(state, documented)
    context = {
        "view": floor_view(state, forms.viewer_of(room, caller), verified=_verified(room, state)),
        "shape": floor_live(state)["shape"],
        "shape_of": shape_of,
        "age_of": lambda since: age_text(since, now),
        "refused": name if problems else "",
        "review": review,
        "how_paid": METHOD_WORDS,
        "slip_link": slip_link,
        "slip_label": slip_label,
        "zone": room_zone(state).key,
        "may_deal": bool(caller.roles & CONSOLE_ROLES),
        "parts": _PARTS,
        "body_theme": "pit",
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
    "verify": (jackpot.VerifyHit, _verify),
    "surveil": (jackpot.SurveilHit, _surveil),
    "document": (jackpot.DocumentHit, _document),
    "pay": (jackpot.PayPrize, _pay),
    "close": (jackpot.CloseHit, lambda _, hit: {"hit": hit}),
    "reject": (jackpot.RejectHit, lambda form, hit: {"hit": hit, "words": text_of(form.get("words"))}),
    "correct": (jackpot.CorrectHit, _correct),
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
    "confirm-wager": jackpot.ConfirmWager,
}
Acts = Annotated[Caller, forms.allow_commands(*(cls for cls, _ in _HIT_ACTIONS.values()), *_ALARM_COMMANDS.values())]


@router.get("/floor/hits/{_number}/{_do}")
@router.get("/floor/approvals/{_number}/{_do}")
@router.get("/floor/alarms/{_do}")
def floor_again(_: Reader, _do: str, _number: str = "") -> Response:
    """Lead who opens the address of a form back to the floor."""
    return RedirectResponse(f"/floor#hit-{number_of(_number)}" if _number else "/floor", HTTPStatus.SEE_OTHER)


@router.post("/floor/hits/{number}/{do}")
def step(request: Request, number: str, do: str, caller: Acts, room: CurrentRoom, form: Form) -> Response:
    """Run a step of a hit."""
    forms.require_form(do, _HIT_ACTIONS)
    (cls, fields_of), hit = _HIT_ACTIONS[do], number_of(number)
    page = partial(_floor, request, room, caller, form=form)
    if do == "pay" and form.get("reviewed") != "yes":
        return _reviewed(room, caller, fields_of(form, hit), page, text_of(form.get("form")))

    def action() -> str:
        return perform(room, caller, cls, {"command": form.get("command"), **fields_of(form, hit)})

    return forms.answer("/floor", action, page, fragment=f"&hit={hit}#hit-{hit}")


def _reviewed(room: Room, caller: Caller, fields: dict[str, Any], page: Callable[..., Response], name: str) -> Response:
    """Show amount and payee of a payment before it is recorded, or what speaks against it; nothing is written."""
    try:
        payment = read_fields(jackpot.PayPrize, fields)
        problems = room.verify(payment, caller.by(payment.role_order()))
    except ValueError as error:
        problems = forms.problems_of(error)
    return page(problems) if problems else page(review=name)


@router.post("/floor/approvals/{number}/{do}")
def approve(request: Request, number: str, do: str, caller: Acts, room: CurrentRoom, form: Form) -> Response:
    """Answer what waits for a second person: give it, refuse it, or take one's own request back."""
    forms.require_form(do, forms.APPROVAL_FORMS)

    def action() -> str:
        return forms.decide_approval(room, caller, do, number_of(number), form)

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
