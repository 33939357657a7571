"""The page of a table that Pitboss deals: shuffle, wager, decide, settle; and of each round that it can be checked."""

import json
from collections.abc import Callable, Mapping, Sequence
from http import HTTPStatus
from typing import Annotated, Any, NamedTuple
from urllib.parse import quote
from zoneinfo import ZoneInfo

from fastapi import APIRouter, Path, Request, Response
from fastapi.responses import RedirectResponse
from starlette.datastructures import FormData

from pitboss.books import RefusedError
from pitboss.cards import card_text
from pitboss.games import find_game
from pitboss.room.configurations import configuration_at
from pitboss.room.dealing.dealing import EndDealtRound, RoundInPlay, ShuffleShoe
from pitboss.room.dealing.entries import RevealedRound, TableDealing, last_dealt, revealed_round
from pitboss.room.people.roles import READERS
from pitboss.room.room import Room, room_zone
from pitboss.rules import Game, MoneyError, Question, parse_dollars
from pitboss.server.auth import Caller, CurrentRoom, allow
from pitboss.server.pages.forms import Form, SubmittedForm, number_of, problems_of, render_form, text_of
from pitboss.server.pages.layout import render
from pitboss.server.problems import ProblemError
from pitboss.server.views.disputes import DisputeView, StakeField, settlement_view
from pitboss.server.views.formatting import clock_text, dollars, field_dollars
from pitboss.server.views.hits import board_title
from pitboss.server.views.paytables import titled
from pitboss.table import Configuration, Phase, View, VoidReason, round_record, settle_record

_NEXT = {
    Phase.DEAL: ("deal", "Deal", "cards go out up to the next decision"),
    Phase.REVEAL: ("reveal", "Reveal", ""),
    Phase.SETTLE: ("settle", "Settle", ""),
}
_DEAL = ("deal", "Deal", "No more wagers")
_SHUFFLE = ("shuffle", "Shuffle and start", "")


def _next_round(dealt: TableDealing, posted: Configuration) -> tuple[str, str, str]:
    """Return how the next round begins: a shuffle, or dealt on from the shoe whose cut card is not out (STC-8)."""
    if not dealt.goes_on or posted.canonical != dealt.shoe_configuration:
        return _SHUFFLE
    return ("shuffle", "Next round", f"from the same shoe; {dealt.cards_gone} of its cards are out")


class PlaySeat(NamedTuple):
    """A seat with a wager: its cards as they may be seen, its wagers, what it has decided, and its net when settled."""

    number: int
    cards: tuple[str, ...]
    wagers: tuple[tuple[str, str], ...]
    decisions: str
    settled: tuple[tuple[str, str], ...]
    is_turn: bool


class PlayDecision(NamedTuple):
    """A decision of a seat: the possible answers, or how many cards of its own it must choose."""

    seat: int
    key: str
    words: str
    clause: str
    answers: tuple[tuple[str, str], ...]
    cards: tuple[str, ...]
    how_many: int


class PlayView(NamedTuple):
    """The table between rounds or in one; `step` is what comes next, its label and what it does."""

    table: str
    game: str
    is_play_money: bool
    approval: str
    round: int
    key_hash: str
    phase: str
    board_title: str
    board: tuple[str, ...]
    seats: tuple[PlaySeat, ...]
    all_seats: tuple[int, ...]
    decision: PlayDecision | None
    offered: tuple[StakeField, ...]
    step: tuple[str, str, str] | None


class ToldView(NamedTuple):
    """A round that is over: how it settled and why, the key beside the hash that bound it, and the cards dealt."""

    round: int
    address: str
    bound: int
    key_entry: int
    key: str
    key_hash: str
    computed_hash: str
    is_bound: bool
    is_void: bool
    by: str
    at: str
    begun_at: str
    dealt: tuple[str, ...]
    board: tuple[str, ...]
    hands: Mapping[int, tuple[str, ...]]
    settlement: DisputeView | None


def _answer(value: Any) -> tuple[str, str]:
    if isinstance(value, bool):
        return ("yes", "Yes") if value else ("no", "No")
    return str(value), str(value)


def _offered_answer(question: Question, value: Any) -> tuple[str, str]:
    """Return an answer with its label, which names the decision: Play or Fold."""
    if value is True:
        return "yes", question.key.replace("-", " ").capitalize()
    declined = next((word for word in ("Surrender", "Fold") if word.lower() in question.words), "No")
    return ("no", declined) if value is False else _answer(value)


def _decided(key: str, value: Any) -> str:
    """Return a decision as the seat shows it: Play, No play, High As Ks Qs, Raise 2."""
    name = key.replace("-", " ")
    if isinstance(value, bool):
        return name.capitalize() if value else f"No {name}"
    return f"{name.capitalize()} {' '.join(map(card_text, value)) if isinstance(value, tuple) else value}"


def _play_decision(seat: int, question: Question, hand: tuple[str, ...], *, shows: bool) -> PlayDecision:
    source = "; ".join(filter(None, (question.clause.id, question.ruling)))
    answers = () if question.takes_cards else tuple(_offered_answer(question, option) for option in question.options())
    count = len(question.options()[0]) if question.takes_cards else 0
    cards = hand if question.takes_cards and shows else ()
    return PlayDecision(seat, question.key, question.words, source, answers, cards, count)


def _play_seats(game: Game, seen: View, turn: int | None) -> tuple[PlaySeat, ...]:
    def title(name: str) -> str:
        return titled(game.by_name[name].title)

    return tuple(
        PlaySeat(
            number=number,
            cards=hand,
            wagers=tuple((title(name), dollars(cents)) for name, cents in seen.wagers[number].items()),
            decisions=", ".join(_decided(key, value) for key, value in seen.decisions[number].items()),
            settled=tuple((title(name), dollars(line.net_cents)) for name, line in seen.lines.get(number, {}).items()),
            is_turn=number == turn,
        )
        for number, hand in seen.hands.items()
    )


def _offered(game: Game, configuration: Configuration, name: str) -> StakeField:
    least, most = configuration.limits(name)
    fixed = field_dollars(least) if name in configuration.jackpots else ""
    hint = dollars(least) if fixed else f"{dollars(least)} to {dollars(most)}"
    return StakeField(name, titled(game.by_name[name].title), hint, fixed)


def _step(phase: Phase, seats: tuple[PlaySeat, ...]) -> tuple[str, str, str] | None:
    if phase is Phase.WAGERS:
        return _DEAL if seats else None
    return _NEXT.get(phase)


def play_view(table: str, dealt: TableDealing, posted: Configuration, in_play: RoundInPlay | None) -> PlayView:
    """Build the view of a table that deals: the round on it, or that the next can begin."""
    configuration = posted if in_play is None else in_play.configuration
    game = find_game(configuration.game)
    empty = PlayView(
        table=table,
        game=game.title,
        is_play_money=dealt.money == "play",
        approval=dealt.approval,
        round=dealt.round,
        key_hash=dealt.key_hash,
        phase="",
        board_title=board_title(game),
        board=(),
        seats=(),
        all_seats=tuple(range(1, configuration.seats + 1)),
        decision=None,
        offered=(),
        step=_next_round(dealt, configuration),
    )
    if in_play is None:
        return empty
    seen, turn = in_play.view, in_play.turn
    seats = _play_seats(game, seen, None if turn is None else turn[0])
    question = None if turn is None else _play_decision(*turn, seen.hands[turn[0]], shows=empty.is_play_money)
    wagering = seen.phase is Phase.WAGERS
    return empty._replace(
        phase=seen.phase.value,
        board=seen.board,
        seats=seats,
        decision=question,
        offered=tuple(_offered(game, configuration, name) for name in configuration.offered) if wagering else (),
        step=_step(seen.phase, seats),
    )


def told_view(table: str, dealt: RevealedRound, zone: ZoneInfo) -> ToldView:
    """Build the view of a round that is over, dealt again from its key."""
    played, settlement = dealt.played, None
    if played.phase is Phase.FINISHED:
        record = round_record(played)
        settlement = settlement_view(record, json.loads(settle_record(record).json_text(paytables=True)))
    bound, over_sequence = dealt.begun.sequence, dealt.over.sequence
    return ToldView(
        round=dealt.bound.round,
        address=f"/tables/{quote(table, safe='')}/play/rounds/{bound}/{over_sequence}",
        bound=bound,
        key_entry=over_sequence if dealt.told is None else dealt.told.sequence,
        key=dealt.key,
        key_hash=dealt.bound.key_hash,
        computed_hash=dealt.computed_hash,
        is_bound=dealt.is_bound,
        is_void=played.phase is Phase.VOID,
        by=dealt.over.actor,
        at=clock_text((dealt.told or dealt.over).happened, zone, with_day=True),
        begun_at=clock_text(dealt.begun.happened, zone, with_day=True),
        dealt=tuple(map(card_text, played.shoe[: played.state.used])),
        board=tuple(map(card_text, played.state.board.seat.cards)),
        hands={number: tuple(map(card_text, held.seat.cards)) for number, held in played.state.seats.items()},
        settlement=settlement,
    )


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
