"""The dealer's console: its page, the forms on it, and the page on which a jackpot is called by its cards."""

from collections.abc import Callable, Sequence
from http import HTTPStatus
from typing import Annotated, Any, NamedTuple, get_args
from urllib.parse import quote, urlencode

from fastapi import APIRouter, Request, Response
from fastapi.responses import RedirectResponse
from starlette.datastructures import FormData

from pitboss.books import RefusedError
from pitboss.cards import Card, CardError, overdealt, parse_cards
from pitboss.commands import Command
from pitboss.jackpot import JACKPOTS, CallHit, Jackpot, PayEnvy, PaySmallPrize
from pitboss.room.room import Room
from pitboss.rules import FinishedRound, FinishedSeat, Settler
from pitboss.server.auth import Caller, CurrentRoom, allow
from pitboss.server.pages import forms
from pitboss.server.pages.forms import Form, number_of, perform, problems_of, render_form, text_of
from pitboss.server.problems import ProblemError
from pitboss.server.views.console import ConsoleView, console_live, console_view, envy_view
from pitboss.server.views.formatting import dollars, time_of
from pitboss.server.views.table_state import TableState, table_state
from pitboss.server.views.viewer import SOME_TEXT, Button, Viewer
from pitboss.tabulator import (
    TABLES,
    ChangeDealer,
    CorrectEarlierRound,
    CorrectRound,
    Press,
    StateLights,
    TableRecord,
    TakeDown,
    VoidRound,
)
from pitboss.tabulator.entries import VoidCause
from pitboss.tabulator.naming import NameSeats
from pitboss.tabulator.table_log import ACT_WORDS, LogDeck


class HandRead(NamedTuple):
    """The value of a hand on a jackpot: the row, what it pays alone, and how it is paid."""

    row: str
    amount: str
    is_small: bool
    because: tuple[str, ...]


def _cards(place: str, text: str, problems: list[str]) -> tuple[Card, ...]:
    try:
        return parse_cards(text.split(), as_printed=True)
    except CardError as error:
        problems.append(f"{place}: {error}")
        return ()


def hand_read(jackpot: Jackpot, table: str, seat: int, cards: str, board: str, shown_cents: int) -> HandRead | None:
    """Settle a hand alone on the amount shown, and return what it is; nothing where it wins nothing."""
    offer = jackpot.offer_at(table)
    game, wager = jackpot.game_and_wager(offer)
    terms, problems = jackpot.terms_of(offer), list[str]()
    hand, common = _cards(f"seat {seat}", cards, problems), _cards(game.board.name, board, problems)
    holds = wager.holds
    if holds is not None and not problems:
        if len(hand) != holds.seat:
            problems.append(f"seat {seat}: {len(hand)} cards, {wager.title} reads {holds.seat}")
        if not holds.board <= len(common) <= game.board.cards:
            problems.append(f"{game.board.name}: {len(common)} cards, {wager.title} reads {holds.board}")
    if overdealt(terms.deck, [*hand, *common]):
        problems.append("a card is there more often than the deck holds it (G-11)")
    if problems:
        raise RefusedError(problems)
    finished = FinishedRound(
        common,
        (FinishedSeat(seat, {wager.name: jackpot.meter.wager_cents}, hand, game.choices({}, hand), None),),
    )
    line = Settler(game, terms).settle(finished, {wager.name: shown_cents}).lines[seat][wager.name]
    prize = None if line.event is None else offer.prize(line.event)
    if line.event is None or prize is None or not line.paid_cents:
        return None
    is_small = prize.share is None and line.paid_cents < jackpot.small_prize_cents
    return HandRead(line.event, dollars(line.paid_cents), is_small, tuple(reason.words for reason in line.reasons))


router = APIRouter(include_in_schema=False)
_COMMANDS = (
    *(Press, StateLights, ChangeDealer, PaySmallPrize, PayEnvy, CallHit),
    *(CorrectRound, CorrectEarlierRound, VoidRound, TakeDown, LogDeck, NameSeats),
)
CONSOLE_ROLES = frozenset({"console", *(role for cls in _COMMANDS for role in cls.spec.roles)} - {"device"})
AtTable = Annotated[Caller, allow(*CONSOLE_ROLES)]
Acts = Annotated[Caller, forms.allow_commands(*_COMMANDS)]
_PARTS = ("seats", "prizes", "age")
MESSAGES = {
    "small": "Paid from the tray.",
    "envy": "Envy is paid.",
    "call": "Called: the supervisor comes.",
    "correct": "Corrected.",
    "log-deck": "Logged.",
    "waits": "It waits for a second person.",
    "moved": "The round has moved on; nothing was done.",
}
_HAND = "pitboss-hand"
VOID_CAUSES: tuple[VoidCause, ...] = get_args(VoidCause)


def _step_button(viewer: Viewer, view: ConsoleView) -> Button:
    """Return the big button; a press is not verified before it comes, since only its seats decide on it."""
    if view.step.do == "take":
        return viewer.button(ChangeDealer(table=view.table, dealer=viewer.name))
    if view.step.do == "lights":
        return Button(is_shown=viewer.may(StateLights))
    return Button(is_shown=view.step.do == "press" and viewer.may(Press))


def _base(table: str) -> str:
    return f"/tables/{quote(table, safe='')}/console"


def _seen(room: Room, table: str) -> TableState:
    return table_state(room.state, table, time_of(room.clock()))


def _view(room: Room, table: str, caller: Caller) -> tuple[ConsoleView, TableState]:
    seen = _seen(room, table)
    view = console_view(room.state, table, "" if caller.person is None else caller.name, seen.jackpots)
    if view is None:
        raise ProblemError(HTTPStatus.NOT_FOUND, [f"there is no table {table!r} that is set up"])
    return view, seen


def _console(request: Request, room: Room, caller: Caller, table: str, problems: Sequence[str] = ()) -> Response:
    view, seen = _view(room, table, caller)
    query = request.query_params
    hand = query.get("hand") or request.cookies.get(_HAND, "right")
    viewer = forms.viewer_of(room, caller)
    envy = envy_view(room.state, table, query.get("jackpot", ""), number_of(query.get("seat")), query.get("row", ""))
    context = {
        "view": view,
        "shape": console_live(room.state, table, seen.jackpots)["shape"],
        "topics": f"console:{table}",
        "base": _base(table),
        "hand": "left" if hand == "left" else "right",
        "zone": seen.zone.key,
        "envies": dict.fromkeys((*view.envies, *(() if envy is None else (envy,)))),
        "may_pay": caller.may(PaySmallPrize),
        "may_pay_envy": caller.may(PayEnvy),
        "may_call": caller.may(CallHit),
        "may_correct": caller.may(CorrectRound) or caller.may(CorrectEarlierRound),
        "step": _step_button(viewer, view),
        "void": viewer.button(
            VoidRound(table=table, round=view.round, cause=VOID_CAUSES[0], words=SOME_TEXT, open_hits="reject")
        ),
        "down": viewer.button(TakeDown(table=table, words=SOME_TEXT)),
        "void_causes": VOID_CAUSES,
        "deck": Button(is_shown=viewer.may(LogDeck)),
        "deck_acts": ACT_WORDS,
        "may_name": caller.may(NameSeats),
        "parts": _PARTS,
    }
    answer = render_form(request, "console/console.html", context, problems=problems, messages=MESSAGES, area="console")
    if "hand" in query:
        answer.set_cookie(_HAND, context["hand"], samesite="strict", httponly=True)
    return answer


@router.get("/tables/{table}/console")
def console(request: Request, table: str, caller: AtTable, room: CurrentRoom) -> Response:
    """Show the console of a table."""
    return _console(request, room, caller, table)


FormAction = Callable[[Room, Caller, str, FormData], str]


def _tapped_seats(record: TableRecord, form: FormData) -> dict[str, list[int]]:
    seats: dict[str, list[int]] = {wager: [] for wager in record.setup.wagers}
    for name, value in form.multi_items():
        if name.startswith("wager:"):
            seats.setdefault(name.removeprefix("wager:"), []).append(number_of(value))
    return seats


def _lights(room: Room, caller: Caller, table: str, form: FormData) -> str:
    record = room.state.of(TABLES).tables.get(table)
    seats = {} if record is None else _tapped_seats(record, form)
    return perform(room, caller, StateLights, {"command": form.get("command"), "table": table, "seats": seats})


def _press(room: Room, caller: Caller, table: str, form: FormData) -> str:
    record = room.state.of(TABLES).tables.get(table)
    if record is None or record.phase != form.get("phase"):
        return "moved"
    seats: dict[str, list[int]] | None = None
    if record.phase == "open":
        seats = _tapped_seats(record, form)
    return perform(room, caller, Press, {"command": form.get("command"), "table": table, "seats": seats})


def _take(room: Room, caller: Caller, table: str, form: FormData) -> str:
    change = ChangeDealer(table=table, dealer=caller.name)
    room.do(change, caller.by(change.role_order()), id=text_of(form.get("command")))
    return ""


def _prize(cls: type[Command]) -> FormAction:
    def do(room: Room, caller: Caller, table: str, form: FormData) -> str:
        fields: dict[str, Any] = {"command": form.get("command"), "table": table, "jackpot": form.get("jackpot")}
        seat, row = number_of(form.get("seat")), form.get("row")
        if cls is PaySmallPrize:
            fields |= {"seat": seat, "row": row}
        elif cls is PayEnvy:
            fields |= {
                "event": {"seat": seat, "row": row},
                "seats": [number_of(to_seat) for to_seat in form.getlist("to")],
            }
        else:
            fields |= {"claims": [{"seat": seat, "row": row}]}
        return perform(room, caller, cls, fields)

    return do


def _correct(room: Room, caller: Caller, table: str, form: FormData) -> str:
    fields = {name: form.get(name) for name in ("command", "wager", "cause", "words")}
    number, record = number_of(form.get("round")), room.state.of(TABLES).tables[table]
    on_table = record.phase == "tabulated" and record.round == number
    cls: type[Command] = CorrectRound if on_table or not caller.may(CorrectEarlierRound) else CorrectEarlierRound
    return perform(
        room, caller, cls, {**fields, "table": table, "round": number, "seats": [number_of(form.get("seat"))]}
    )


ACTIONS: dict[str, FormAction] = {
    "press": _press,
    "lights": _lights,
    "take": _take,
    "small": _prize(PaySmallPrize),
    "envy": _prize(PayEnvy),
    "call": _prize(CallHit),
    "correct": _correct,
    "void": lambda room, caller, table, form: forms.submit(room, caller, VoidRound, form, table=table),
    "down": lambda room, caller, table, form: forms.submit(room, caller, TakeDown, form, table=table),
    "name-seats": lambda room, caller, table, form: forms.submit(
        room, caller, NameSeats, form, table=table, seats=_tapped_seats(room.state.of(TABLES).tables[table], form)
    ),
    "deck": lambda room, caller, table, form: forms.submit(room, caller, LogDeck, form, table=table),
}


@router.post("/tables/{table}/console/{do}")
def act(request: Request, table: str, do: str, caller: Acts, room: CurrentRoom, form: Form) -> Response:
    """Run the form's command once and show the console again; on refusal render it with all problems."""
    action = ACTIONS.get(do)
    if action is None or caller.is_elsewhere(table):
        raise ProblemError(HTTPStatus.NOT_FOUND, [f"this is no console of table {table!r} that does {do!r}"])
    try:
        message = action(room, caller, table, form)
    except ValueError as error:
        return _console(request, room, caller, table, problems_of(error))
    query = {"told": message} if message else {}
    if do == "small":
        query |= {name: str(form.get(name)) for name in ("jackpot", "seat", "row")}
    return RedirectResponse(f"{_base(table)}?{urlencode(query)}" if query else _base(table), HTTPStatus.SEE_OTHER)


def _offer(jackpot: Jackpot, view: ConsoleView) -> dict[str, Any]:
    """Return what the page of a call needs of a jackpot: the seats that may win, and how many cards it reads."""
    game, wager = jackpot.game_and_wager(jackpot.offer_at(view.table))
    prizes = next(offered for offered in view.prizes if offered.jackpot == jackpot.name)
    holds = wager.holds
    return {
        "jackpot": jackpot.name,
        "title": prizes.title,
        "seats": prizes.seats,
        "cards": 0 if holds is None else holds.seat,
        "board": 0 if holds is None else holds.board,
        "board_title": f"Cards of the {game.board.name}",
    }


@router.get("/tables/{table}/console/call")
def call_page(request: Request, table: str, caller: AtTable, room: CurrentRoom) -> Response:
    """Show the form for the cards of a hand, and what the hand is."""
    view, seen = _view(room, table, caller)
    query = request.query_params
    hand_value, problems = None, tuple[str, ...]()
    chosen, seat = query.get("jackpot", ""), number_of(query.get("seat"))
    record = room.state.of(JACKPOTS).jackpots.get(chosen)
    cards, board = query.get("cards", "")[:200], query.get("board", "")[:200]
    if record is not None and record.jackpot.linked(table) is not None:
        cents = next((here.cents for here in seen.jackpots if here.record is record), None)
        hand_value, problems = _read(record.jackpot, table, seat, cards, board, cents or 0)
    offers = [_offer(here.record.jackpot, view) for here in seen.jackpots] if view.prizes else []
    context = {
        "table": table,
        "round": view.round,
        "base": _base(table),
        "offers": offers,
        "chosen": chosen,
        "chosen_seat": seat,
        "cards": cards,
        "board": board,
        "hand_value": hand_value,
        "may_act": caller.may(PaySmallPrize if hand_value is not None and hand_value.is_small else CallHit),
        "is_read": record is not None and not problems,
        "has_joker": any(
            here.record.jackpot.terms_of(here.record.jackpot.offer_at(table)).deck.joker for here in seen.jackpots
        ),
        "parts": ("prizes", "pick", "card"),
    }
    return render_form(request, "console/call.html", context, problems=problems, area="console")


def _read(
    jackpot: Jackpot, table: str, seat: int, cards: str, board: str, shown_cents: int
) -> tuple[HandRead | None, tuple[str, ...]]:
    try:
        return hand_read(jackpot, table, seat, cards, board, shown_cents), ()
    except RefusedError as error:
        return None, error.problems
