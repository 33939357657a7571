"""The dealer's console: its page, the forms on it, and the page on which a jackpot is called by its cards."""

from collections.abc import Callable, Mapping, Sequence
from http import HTTPStatus
from typing import Annotated, Any, NamedTuple
from urllib.parse import quote, urlencode

from fastapi import APIRouter, Request, Response
from fastapi.responses import RedirectResponse
from starlette.datastructures import FormData

from pitboss import tabulator
from pitboss.books import RefusedError
from pitboss.cards import Card, CardError, overdealt, parse_card, parse_cards
from pitboss.commands import Command
from pitboss.jackpot import CallHit, Jackpot, PayEnvy, PaySmallPrize, ReverseSmallPrize, UndoSmallPrize
from pitboss.jackpot.hits.calls import MOVED_ON
from pitboss.paper.cards import card_svg
from pitboss.room.people.roles import ANYONE
from pitboss.room.room import Room
from pitboss.rules import FinishedRound, FinishedSeat, Settler
from pitboss.server.auth import Caller, CurrentRoom, allow
from pitboss.server.pages import forms
from pitboss.server.pages.forms import Form, number_of, perform, problems_of, render_form, text_of
from pitboss.server.pages.service import READS
from pitboss.server.problems import NoTableError, ProblemError
from pitboss.server.views import console as views
from pitboss.server.views.console import ConsoleView
from pitboss.server.views.formatting import cited, dollars, sentence, time_of
from pitboss.server.views.service import service_address
from pitboss.server.views.table_state import TableState, table_state
from pitboss.server.views.training import ConsoleExercise
from pitboss.server.views.viewer import SOME_TEXT, Button, Viewer
from pitboss.tabulator.corrections import VOID_CAUSES
from pitboss.tabulator.entries import CAUSE_WORDS
from pitboss.tabulator.naming import NameSeats
from pitboss.tabulator.outages import RestoreEquipment
from pitboss.tabulator.table_log import ACT_WORDS, LogDeck


class HandRead(NamedTuple):
    """The value of a hand on a jackpot: the row, what it pays alone, and how it is paid."""

    row: str
    amount: str
    cents: int
    is_small: bool
    because: tuple[str, ...]


def _cards(whose: str, text: str, count: tuple[int, int], problems: list[str]) -> tuple[Card, ...]:
    """Parse the cards of a hand, of which there are at least and at most so many."""
    try:
        cards = parse_cards(text.split(), as_printed=True)
    except CardError:
        wrong = next((card for card in text.split() if not _is_card(card)), text)
        problems.append(f"{wrong!r} isn't a card. Use rank and suit, like Qs or 10h.")
        return ()
    if not count[0] <= len(cards) <= count[1]:
        problems.append(f"Enter {count[0]} cards for {whose} ({len(cards)} entered).")
    return cards


def _is_card(text: str) -> bool:
    try:
        return len(parse_cards([text], as_printed=True)) == 1
    except CardError:
        return False


def hand_read(jackpot: Jackpot, table: str, seat: int, cards: str, board: str, shown_cents: int) -> HandRead | None:
    """Settle a hand alone on the amount shown, and return what it is; nothing where it wins nothing."""
    offer = jackpot.offer_at(table)
    game, wager = jackpot.game_and_wager(offer)
    terms, problems = jackpot.terms_of(offer), list[str]()
    holds = wager.holds
    of_seat = (0, 99) if holds is None else (holds.seat, holds.seat)
    of_board = (0, 99) if holds is None else (holds.board, game.board.cards)
    hand = _cards(f"seat {seat}", cards, of_seat, problems)
    common = _cards(f"the {game.board.name}", board, of_board, problems)
    if overdealt(terms.deck, [*hand, *common]):
        problems.append("The same card was entered twice.")
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
    reasons = tuple(reason.words for reason in line.reasons)
    return HandRead(line.event, dollars(line.paid_cents), line.paid_cents, is_small, reasons)


router = APIRouter(include_in_schema=False)
_COMMANDS = (
    *(
        tabulator.Press,
        tabulator.StateLights,
        tabulator.ChangeDealer,
        tabulator.OpenTable,
        PaySmallPrize,
        PayEnvy,
        UndoSmallPrize,
        ReverseSmallPrize,
        CallHit,
    ),
    *(
        tabulator.CorrectRound,
        tabulator.CorrectEarlierRound,
        tabulator.VoidRound,
        tabulator.TakeDown,
        LogDeck,
        NameSeats,
    ),
)
CONSOLE_ROLES = frozenset({"console", *(role for cls in _COMMANDS for role in cls.spec.roles)} - {"device"})
AtTable = Annotated[Caller, allow(*CONSOLE_ROLES)]
Acts = Annotated[Caller, forms.allow_commands(*_COMMANDS)]
_PARTS = ("seats", "prizes", "age", "card")
MESSAGES = {
    "undo-small": "Undone.",
    "reverse-small": "Reversed.",
    "call": "Reported. A supervisor is on the way.",
    "log-deck": "Logged.",
    "waits": "Submitted for approval.",
    "moved": MOVED_ON,
}
_FIXED = {"missed": "added to", "miscounted": "removed from", "refunded": "returned in"}
_TABS = {
    **dict.fromkeys(("small", "envy", "undo", "call"), "prizes"),
    "correct": "fix",
    "void": "void",
    **dict.fromkeys(("reverse", "down", "deck", "name-seats"), "more"),
}
"""By form the tab it stands on."""
_HAND = "pitboss-hand"


def _step_button(viewer: Viewer, view: ConsoleView) -> Button:
    """Return the big button; a press is not verified before it comes, since only its seats decide on it."""
    if view.step.do == "take":
        return viewer.button(tabulator.ChangeDealer(table=view.table, dealer=viewer.name))
    if view.step.do == "open":
        return viewer.button(tabulator.OpenTable(table=view.table))
    if view.step.do == "lights":
        return Button(is_shown=viewer.may(tabulator.StateLights))
    return Button(is_shown=view.step.do == "press" and viewer.may(tabulator.Press))


class ConsolePlace(NamedTuple):
    """Where a console stands: its table, its address, the topic that it follows, and what is trained there."""

    table: str
    base: str
    topics: str = ""
    exercise: ConsoleExercise | None = None


def console_base(table: str) -> str:
    """Return the address of the console of a table."""
    return f"/tables/{quote(table, safe='')}/console"


def _place(table: str) -> ConsolePlace:
    return ConsolePlace(table, console_base(table), f"console:{table}")


def _seen(room: Room, table: str) -> TableState:
    return table_state(room.state, table, time_of(room.clock()))


def _view(room: Room, table: str, caller: Caller) -> tuple[ConsoleView, TableState]:
    seen = _seen(room, table)
    view = views.console_view(room.state, table, "" if caller.person is None else caller.name, seen.jackpots)
    if view is None:
        raise NoTableError(table)
    return view, seen


def _message(request: Request, undo: views.UndoView | None) -> str:
    """Return what was done, in words: of a prize what it paid, of a fix the seat and the round."""
    query = request.query_params
    if query.get("told") == "correct":
        seat, number = number_of(query.get("seat")), number_of(query.get("round"))
        return f"Fixed: seat {seat} {_FIXED.get(query.get('cause', ''), 'changed in')} round {number}."
    if query.get("told") in ("small", "envy"):
        return "" if undo is not None else "Paid."
    return forms.booked_message(request, MESSAGES.get(query.get("told", ""), ""))


def show_console(
    request: Request,
    room: Room,
    caller: Caller,
    place: ConsolePlace,
    problems: Sequence[str] = (),
    do: str = "",
    form: FormData | None = None,
) -> Response:
    """Show the console of a place, with what speaks against the form that was sent."""
    table = place.table
    view, seen = _view(room, table, caller)
    query = request.query_params
    hand = query.get("hand") or request.cookies.get(_HAND, "right")
    viewer, now = forms.viewer_of(room, caller), room.clock()
    envy = views.envy_view(
        room.state, table, query.get("jackpot", ""), number_of(query.get("seat")), query.get("row", "")
    )
    may_reverse = caller.may(ReverseSmallPrize)
    undo = views.undo_view(room.state, table, caller.name, now) if caller.may(UndoSmallPrize) else None
    # What is refused because its screen was behind is not filled in again for another round.
    sent = None if form is None or MOVED_ON in problems else forms.SubmittedForm(do, form)
    service = service_address(table) if place.topics and caller.person and caller.roles & set(READS) else ""
    context = {
        "view": view,
        "shape": views.console_live(room.state, table, seen.jackpots)["shape"],
        "topics": place.topics,
        "base": place.base,
        "hand": "left" if hand == "left" else "right",
        "zone": seen.zone.key,
        "tab": _TABS.get(do, ""),
        "kept": "" if sent is None else _TABS.get(do, ""),
        "refusals": [(sentence(problem), cited(problem)[1]) for problem in problems],
        "note": _message(request, undo),
        "undo": undo,
        "is_moved": query.get("told") == "moved",
        "is_taking": "take" in query,
        "reversible": views.reversible_prizes(room.state, table, caller.name, now) if may_reverse else (),
        "envies": dict.fromkeys((*view.envies, *(() if envy is None else (envy,)))),
        "causes": CAUSE_WORDS,
        "void_causes": VOID_CAUSES,
        "deck_acts": ACT_WORDS,
        "service": service,
        "returns": f"{service}#form-restore" if service and view.is_down and caller.may(RestoreEquipment) else "",
        "parts": _PARTS,
        "exercise": place.exercise,
        **_buttons(caller, viewer, view),
    }
    answer = render_form(request, "console/console.html", context, problems=problems, sent=sent, area="console")
    if "hand" in query:
        answer.set_cookie(_HAND, context["hand"], samesite="strict", httponly=True)
    return answer


def _buttons(caller: Caller, viewer: Viewer, view: ConsoleView) -> dict[str, Any]:
    """Return what the caller may do at the console, and the buttons that may be greyed."""
    void = tabulator.VoidRound(
        table=view.table, round=view.round, cause=VOID_CAUSES[0], words=SOME_TEXT, open_hits="reject"
    )
    may_correct_earlier = caller.may(tabulator.CorrectEarlierRound)
    return {
        "may_pay": caller.may(PaySmallPrize),
        "may_pay_envy": caller.may(PayEnvy),
        "may_call": caller.may(CallHit),
        "may_correct": may_correct_earlier or (caller.may(tabulator.CorrectRound) and view.is_on_table),
        "may_correct_earlier": may_correct_earlier,
        "step": _step_button(viewer, view),
        "void": viewer.button(void),
        "down": viewer.button(tabulator.TakeDown(table=view.table, words=SOME_TEXT)),
        "deck": Button(is_shown=viewer.may(LogDeck)),
        "may_name": caller.may(NameSeats),
    }


@router.get("/cards/{card}.svg", dependencies=[allow(ANYONE, csrf=False)])
def card_picture(card: str) -> Response:
    """Draw a card, such as `As` or `joker`: slots of a hand show it."""
    try:
        drawing = card_svg(parse_card("*" if card == "joker" else card))
    except CardError:
        raise ProblemError(HTTPStatus.NOT_FOUND, [f"{card!r} isn't a card."]) from None
    return Response(drawing, media_type="image/svg+xml")


@router.get("/tables/{table}/console")
def console(request: Request, table: str, caller: AtTable, room: CurrentRoom) -> Response:
    """Show the console of a table."""
    return show_console(request, room, caller, _place(table))


FormAction = Callable[[Room, Caller, str, FormData], str]


def _tapped_seats(record: tabulator.TableRecord, form: FormData) -> dict[str, list[int]]:
    seats: dict[str, list[int]] = {wager: [] for wager in record.setup.wagers}
    for name, value in form.multi_items():
        if name.startswith("wager:"):
            seats.setdefault(name.removeprefix("wager:"), []).append(number_of(value))
    return seats


def _lights(room: Room, caller: Caller, table: str, form: FormData) -> str:
    record = room.state.of(tabulator.TABLES).tables.get(table)
    seats = {} if record is None else _tapped_seats(record, form)
    return perform(
        room, caller, tabulator.StateLights, {"command": form.get("command"), "table": table, "seats": seats}
    )


def _press(room: Room, caller: Caller, table: str, form: FormData) -> str:
    record = room.state.of(tabulator.TABLES).tables.get(table)
    if record is None or record.phase != form.get("phase"):
        return "moved"
    seats: dict[str, list[int]] | None = None
    if record.phase == "open":
        seats = _tapped_seats(record, form)
    return perform(room, caller, tabulator.Press, {"command": form.get("command"), "table": table, "seats": seats})


def _take(room: Room, caller: Caller, table: str, form: FormData) -> str:
    if caller.device is not None:
        raise RefusedError(["Tap in with your PIN."])
    if text_of(form.get("from")) != room.state.of(tabulator.TABLES).tables[table].dealer:
        raise RefusedError(["Another dealer has tapped in since, so nothing was changed."])
    change = tabulator.ChangeDealer(table=table, dealer=caller.name)
    room.do(change, caller.by(change.role_order()), id=text_of(form.get("command")))
    return ""


def _shown(form: FormData) -> dict[str, int]:
    """Return the round that the page showed; a form always carries it."""
    return {"shown_round": number_of(form.get("shown_round"))}


def _chosen_prize(form: FormData) -> tuple[str, str, str]:
    """Return cents, jackpot and row; the buttons of the console's one form are the prizes of several jackpots."""
    if "prize" not in form:
        return text_of(form.get("shown_cents")), text_of(form.get("jackpot")), text_of(form.get("row"))
    cents, _, prize = text_of(form.get("prize")).partition("|")
    jackpot, _, row = prize.partition("|")
    return cents, jackpot, row


def _prize(cls: type[Command]) -> FormAction:
    def do(room: Room, caller: Caller, table: str, form: FormData) -> str:
        fields: dict[str, Any] = {"command": form.get("command"), "table": table, **_shown(form)}
        cents, jackpot, row = _chosen_prize(form)
        fields |= {"jackpot": jackpot, "shown_cents": number_of(cents)}
        seat = number_of(form.get("seat"))
        if not seat:
            raise RefusedError(["Choose a seat first."])
        if cls is PaySmallPrize:
            fields |= {"seat": seat, "row": row}
        elif cls is PayEnvy:
            fields |= {
                "event": {"seat": seat, "row": row},
                "seats": [number_of(to_seat) for to_seat in form.getlist("to")],
            }
        else:
            fields |= {"claims": [{"seat": seat, "row": row}]}
        if cls is CallHit and "late_round" in form:
            # The page has said that the round is over: what is reported now is late, for a reason (G-4).
            late = {"round": number_of(form.get("late_round")), "words": text_of(form.get("words"))}
            fields = {name: value for name, value in fields.items() if not name.startswith("shown_")} | late
        return perform(room, caller, cls, fields)

    return do


def _reverse(cls: type[Command]) -> FormAction:
    def do(room: Room, caller: Caller, table: str, form: FormData) -> str:
        return forms.submit(room, caller, cls, form, table=table, prize=number_of(form.get("prize")))

    return do


def _correct(room: Room, caller: Caller, table: str, form: FormData) -> str:
    fields: dict[str, Any] = {name: form.get(name) for name in ("command", "wager", "cause")}
    if not text_of(form.get("seat")):
        raise RefusedError(["Choose a seat first."])
    number, record = number_of(form.get("round")), room.state.of(tabulator.TABLES).tables[table]
    on_table = record.phase == "tabulated" and record.round == number
    cls: type[Command] = (
        tabulator.CorrectRound
        if on_table or not caller.may(tabulator.CorrectEarlierRound)
        else tabulator.CorrectEarlierRound
    )
    fields |= {"table": table, "round": number, "seats": [number_of(form.get("seat"))], **_shown(form)}
    return perform(room, caller, cls, {**fields, "words": text_of(form.get("words"))})


ACTIONS: dict[str, FormAction] = {
    "press": _press,
    "lights": _lights,
    "take": _take,
    "small": _prize(PaySmallPrize),
    "envy": _prize(PayEnvy),
    "call": _prize(CallHit),
    "correct": _correct,
    "undo": _reverse(UndoSmallPrize),
    "reverse": _reverse(ReverseSmallPrize),
    "open": lambda room, caller, table, form: forms.submit(room, caller, tabulator.OpenTable, form, table=table),
    "void": lambda room, caller, table, form: forms.submit(
        room, caller, tabulator.VoidRound, form, table=table, round=number_of(form.get("round")), **_shown(form)
    ),
    "down": lambda room, caller, table, form: forms.submit(room, caller, tabulator.TakeDown, form, table=table),
    "name-seats": lambda room, caller, table, form: forms.submit(
        room,
        caller,
        NameSeats,
        form,
        table=table,
        seats=_tapped_seats(room.state.of(tabulator.TABLES).tables[table], form),
    ),
    "deck": lambda room, caller, table, form: forms.submit(room, caller, LogDeck, form, table=table),
}


@router.post("/tables/{table}/console/{do}")
def act(request: Request, table: str, do: str, caller: Acts, room: CurrentRoom, form: Form) -> Response:
    """Run the form's command once and show the console again; on refusal render it with all problems."""
    return act_at(request, room, caller, _place(table), do, form)


def act_at(request: Request, room: Room, caller: Caller, place: ConsolePlace, do: str, form: FormData) -> Response:
    """Run the command of a form of a console once, and lead back to it."""
    action, table = ACTIONS.get(do), place.table
    if action is None or caller.is_elsewhere(table):
        raise ProblemError(HTTPStatus.NOT_FOUND, [f"this is no console of table {table!r} that does {do!r}"])
    if table not in room.state.of(tabulator.TABLES).tables:
        raise NoTableError(table)
    try:
        message = action(room, caller, table, form)
    except ValueError as error:
        if do == "call" and form.get("from") == "call":
            return show_call(request, room, caller, place, form, problems_of(error))
        return show_console(request, room, caller, place, problems_of(error), do, form)
    query: dict[str, Any] = {"told": message, **(forms.entry_query(message) if place.topics else {})} if message else {}
    if do == "correct":
        query |= {name: text_of(form.get(name)) for name in ("seat", "round", "cause")}
    elif do == "small":
        _, jackpot, row = _chosen_prize(form)
        query |= {"jackpot": jackpot, "seat": text_of(form.get("seat")), "row": row}
    return RedirectResponse(f"{place.base}?{urlencode(query)}" if query else place.base, HTTPStatus.SEE_OTHER)


class AskedHand(NamedTuple):
    """What a call is asked about: jackpot, seat and cards as entered; of a refused report its row and round."""

    jackpot: str = ""
    seat: int = 0
    cards: str = ""
    board: str = ""
    row: str = ""
    round: int = 0


def _asked_hand(fields: Mapping[str, Any]) -> AskedHand:
    texts = {name: text_of(fields.get(name))[:200] for name in ("jackpot", "cards", "board", "row")}
    return AskedHand(seat=number_of(fields.get("seat")), round=number_of(fields.get("shown_round")), **texts)


def _offer(jackpot: Jackpot, view: ConsoleView) -> dict[str, Any]:
    """Return what the page of a call needs of a jackpot: the seats that may win, and how many cards it reads."""
    offer = jackpot.offer_at(view.table)
    game, wager = jackpot.game_and_wager(offer)
    prizes = next(offered for offered in view.prizes if offered.jackpot == jackpot.name)
    holds, board = wager.holds, game.board.name
    return {
        "jackpot": jackpot.name,
        "title": prizes.title,
        "seats": prizes.seats,
        "cards": 0 if holds is None else holds.seat,
        "board": 0 if holds is None else holds.board,
        "board_title": f"{board[:1].upper()}{board[1:]}'s cards",
        "has_joker": jackpot.terms_of(offer).deck.joker,
        "decks": jackpot.terms_of(offer).deck.decks,
    }


@router.get("/tables/{table}/console/call")
def call_page(request: Request, table: str, caller: AtTable, room: CurrentRoom) -> Response:
    """Show the form for the cards of a hand, and what the hand is."""
    return show_call(request, room, caller, _place(table), request.query_params)


def show_call(
    request: Request,
    room: Room,
    caller: Caller,
    place: ConsolePlace,
    asked: Mapping[str, Any],
    refused: Sequence[str] = (),
) -> Response:
    """Show the form for the cards of a hand at a place, with what was asked."""
    hand, table = _asked_hand(asked), place.table
    view, seen = _view(room, table, caller)
    offers = [_offer(here.record.jackpot, view) for here in seen.jackpots] if view.prizes else []
    here = next((here for here in seen.jackpots if here.record.jackpot.name == hand.jackpot), None)
    value, problems = None, tuple(refused)
    # Before the last card is in there is nothing to say about them.
    if here is not None and hand.cards and not refused:
        value, problems = _read(here.record.jackpot, table, hand, here.cents or 0)
    is_moved = MOVED_ON in problems
    context = {
        "table": table,
        "round": view.prize_round,
        "base": place.base,
        "offers": offers,
        "offer": next((offer for offer in offers if offer["jackpot"] == hand.jackpot), offers[0] if offers else None),
        "hand": hand,
        "value": value,
        "late": hand if is_moved and hand.row else None,
        "refusals": [(sentence(problem), cited(problem)[1]) for problem in problems],
        "may_act": caller.may(PaySmallPrize if value is not None and value.is_small else CallHit),
        "is_read": here is not None and bool(hand.cards) and not problems,
        "exercise": place.exercise,
        "topics": place.topics,
        "sequence": view.sequence,
        "parts": ("prizes", "pick", "card"),
    }
    return render_form(request, "console/call.html", context, problems=problems, area="console")


def _read(jackpot: Jackpot, table: str, hand: AskedHand, shown_cents: int) -> tuple[HandRead | None, tuple[str, ...]]:
    if not hand.seat:
        return None, ("Choose a seat first.",)
    try:
        return hand_read(jackpot, table, hand.seat, hand.cards, hand.board, shown_cents), ()
    except RefusedError as error:
        return None, error.problems
