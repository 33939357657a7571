"""Jackpots in the back office: meters with their history, terms, escrow, and the forms that move money."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from http import HTTPStatus
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request, Response
from starlette.datastructures import FormData

from pitboss import jackpot
from pitboss.commands import Command
from pitboss.meters import units_of
from pitboss.room.people.roles import READERS
from pitboss.room.room import Room
from pitboss.server.auth import Caller, RoomOf, allow
from pitboss.server.pages import forms
from pitboss.server.pages.forms import Form, Sent, allow_commands, button, cents_of, number_of, text_of
from pitboss.server.problems import ProblemError
from pitboss.server.views.charts import step_chart
from pitboss.server.views.office.jackpots import JackpotView, jackpot_address, jackpot_page, jackpots_view
from pitboss.server.views.table_state import room_zone
from pitboss.server.worker.figures import is_long, office_figure

PlayCommand = type[jackpot.OpenJackpot] | type[jackpot.CloseJackpot] | type[jackpot.SuspendJackpot]
_PLAY: dict[str, tuple[PlayCommand, str, str]] = {
    "open": (jackpot.OpenJackpot, "Open play", "Ask a second person to open it"),
    "closed": (jackpot.CloseJackpot, "Close play", "Close it"),
    "suspended": (jackpot.SuspendJackpot, "Suspend play", "Suspend it"),
}
"""By how a jackpot is played: the command that brings it there, its title, and its button."""
_PLAIN = (*(command for command, _, _ in _PLAY.values()), jackpot.RemoveJackpot)
"""Commands whose only field is the reason."""
COMMANDS = forms.form_commands(
    *_PLAIN,
    jackpot.AdjustFund,
    jackpot.BookReceipts,
    jackpot.GiveRemovalNotice,
    jackpot.PostBonus,
    jackpot.SendDeposit,
    jackpot.WithdrawEscrow,
    arrived=jackpot.ConfirmDeposit,
)
"""The commands of a jackpot's forms, by the last part of their address."""
MESSAGES = dict.fromkeys((*COMMANDS, "deposit-arrived"), "Done.") | {
    "waits": "It waits for a second person.",
    "given": "Approved, and done.",
    "refused": "It was refused.",
}
_SPANS = ((1, "Day"), (7, "Week"), (30, "Month"), (366, "Year"))
_REASONS = ("equipment-malfunction", "above-cap", "booked-as-receipts", "seed-recovered")
_MINUTE = 60_000_000
router = APIRouter(include_in_schema=False)
Reader = Annotated[Caller, allow(*READERS)]
Acts = Annotated[Caller, allow_commands(*COMMANDS.values(), approvers=True)]


def _fields(cls: type[Command], form: FormData) -> dict[str, Any]:
    """Return the fields of a command that stand in its form under other names or in dollars."""
    if cls in _PLAIN:
        return {"words": forms.reason_of(form, "say why, in words (REGULATION J-09)")}
    if cls is jackpot.ConfirmDeposit:
        return {"sequence": number_of(form.get("entry"))}
    if cls is jackpot.GiveRemovalNotice:
        return {"to": text_of(form.get("other" if form.get("destination") == "progressive" else "to"))}
    cents = cents_of(form.get("amount"))
    if cls is jackpot.AdjustFund:
        # A fund is lowered only for one of the permitted reasons (J-14).
        lowers = form.get("way") == "lower"
        return {"units": units_of(-cents if lowers else cents), "reason": form.get("reason") if lowers else None}
    return {"units": units_of(cents)} if cls is jackpot.BookReceipts else {"cents": cents}


def _list(request: Request, room: Room, caller: Caller, problems: Sequence[str] = ()) -> Response:
    context = {
        "view": jackpots_view(room.state, room.clock(), caller.name, caller.roles),
        "may_define": caller.may(jackpot.DefineJackpot),
    }
    return forms.render_form(request, "office/jackpots/jackpots.html", context, problems=problems, messages=MESSAGES)


@router.get("/office/jackpots")
def list_page(request: Request, caller: Reader, room: RoomOf) -> Response:
    """Render every jackpot with its meter, what waits to be defined, and what the escrows warn of."""
    return _list(request, room, caller)


@router.post("/office/jackpots/asked/{number}/{do}")
def decide(request: Request, number: int, do: str, caller: Acts, room: RoomOf, form: Form) -> Response:
    """Approve or refuse a definition that another has asked for, or take back one's own."""
    forms.require_form(do, forms.APPROVAL_FORMS)
    page = partial(_list, request, room, caller)
    return forms.answer("/office/jackpots", lambda: forms.decide_approval(room, caller, do, number, form), page)


def _view(room: Room, caller: Caller, name: str) -> JackpotView:
    view = jackpot_page(room.state, name, room.clock(), room_zone(room.state), caller.name, caller.roles)
    if view is None:
        raise ProblemError(HTTPStatus.NOT_FOUND, [f"there is no jackpot {name!r}"])
    return view


def _buttons(room: Room, caller: Caller, name: str, view: JackpotView) -> dict[str, Any]:
    """Return which forms of a jackpot the caller sees, and the buttons of those whose fields are known."""
    play = {
        command.spec.name.rpartition("/")[2]: (title, label, button(room, caller, command(name=name, words="reason")))
        for value, (command, title, label) in _PLAY.items()
        if value != view.card.play
    }
    deposits = () if view.escrow is None else view.escrow.deposits
    return {
        "play": {do: texts for do, texts in play.items() if texts[2].is_shown},
        "remove": button(room, caller, jackpot.RemoveJackpot(name=name, words="reason")),
        "arrivals": {
            deposit.entry: button(room, caller, jackpot.ConfirmDeposit(name=name, sequence=deposit.entry))
            for deposit in deposits
        },
        "may_change": caller.may(jackpot.ChangeJackpot),
        "may_deposit": caller.may(jackpot.SendDeposit),
        "may_withdraw": caller.may(jackpot.WithdrawEscrow),
        "may_post": caller.may(jackpot.PostBonus),
        "may_give_notice": caller.may(jackpot.GiveRemovalNotice),
        "may_adjust": caller.may(jackpot.AdjustFund),
    }


def _page(
    request: Request, room: Room, caller: Caller, name: str, problems: Sequence[str] = (), form: FormData | None = None
) -> Response:
    view = _view(room, caller, name)
    acted = request.url.path.rpartition("/")[2] if problems else ""
    days = next((days for days, _ in _SPANS if request.query_params.get("days") == str(days)), 7)
    # A long journal is read once a minute at most, whoever looks.
    now = room.clock()
    figure = office_figure(
        request, room, "meter-history", jackpot=name, days=days, at=now - now % _MINUTE if is_long(room) else now
    )
    history = figure.value if figure.status == "ready" else None
    context = {
        **_buttons(room, caller, name, view),
        "view": view,
        "chart": history
        and step_chart(
            [tuple(point) for point in history["points"]], history["begins"], history["ends"], room_zone(room.state)
        ),
        "spans": [(span, title, span == days) for span, title in _SPANS],
        "waits": figure.key if figure.status == "computing" else "",
        "reasons": _REASONS,
        "acted": acted,
        "parts": ("chart",),
    }
    return forms.render_form(
        request,
        "office/jackpots/jackpot.html",
        context,
        problems=problems,
        messages=MESSAGES,
        sent=Sent(acted, form),
    )


@router.get("/office/jackpots/{name}")
def page(
    request: Request, name: str, caller: Reader, room: RoomOf, days: Annotated[str, Query(max_length=5)] = ""
) -> Response:
    """Render a jackpot."""
    del days
    return _page(request, room, caller, name)


@router.post("/office/jackpots/{name}/{do}")
def act(request: Request, name: str, do: str, caller: Acts, room: RoomOf, form: Form) -> Response:
    """Run the form's command and redirect to the jackpot; on refusal render it again with all problems."""
    _view(room, caller, name)
    forms.require_form(do, (*COMMANDS, *forms.APPROVAL_FORMS))

    def run() -> str:
        if do in forms.APPROVAL_FORMS:
            return forms.decide_approval(room, caller, do, number_of(form.get("number")), form)
        return forms.submit(room, caller, COMMANDS[do], form, name=name, **_fields(COMMANDS[do], form))

    return forms.answer(jackpot_address(name), run, partial(_page, request, room, caller, name, form=form))
