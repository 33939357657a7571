"""Disputes as they are shown: what can be stated at a table, and a settlement with the clauses it rests on."""

import json
from collections.abc import Mapping
from typing import Any, NamedTuple
from zoneinfo import ZoneInfo

from pitboss.books import BookState, Entry, read_payload
from pitboss.cards import card_text, parse_cards
from pitboss.games import find_game
from pitboss.jackpot import JACKPOTS, jackpot_title
from pitboss.reports.render import clock_text as dated_text
from pitboss.room.configurations import configuration_of_round
from pitboss.room.disputes import DisputeSettled, meters_at
from pitboss.rules import Game, Question, Seat
from pitboss.rules.stages import CardPlace, StageKind
from pitboss.server.views.formatting import clock_text, dollars, field_dollars, sentence, signed_dollars
from pitboss.server.views.hits import board_title
from pitboss.server.views.paytables import titled
from pitboss.table import Configuration, VoidReason

_QUESTIONS_MOST = 8


class StakeField(NamedTuple):
    """A wager that a seat can have: its limits in words; a jackpot's is one amount."""

    name: str
    title: str
    hint: str
    fixed: str


class DisputeDecisionField(NamedTuple):
    """A decision of the game: every answer and its words; none where it is answered with cards."""

    name: str
    title: str
    answers: tuple[tuple[str, str], ...]


class DisputeForm(NamedTuple):
    """The form for a disputed round at a table."""

    table: str
    game: str
    seats: tuple[int, ...]
    seat_cards: int
    board_title: str
    board_cards: int
    has_joker: bool
    wagers: tuple[StakeField, ...]
    decisions: tuple[DisputeDecisionField, ...]
    meters: tuple[tuple[str, str, str], ...]
    can_turn: bool = False
    void_causes: tuple[str, ...] = ()
    decks: int = 1


class WagerSettled(NamedTuple):
    """One wager of a seat, settled: what it paid, by which row of which pay table, and why."""

    title: str
    event: str
    paytable: str
    staked: str
    paid: str
    net: str
    envy: str
    because: tuple[tuple[str, str], ...]


class SeatSettled(NamedTuple):
    """A seat of a settled round."""

    seat: int
    cards: tuple[str, ...]
    decisions: str
    lines: tuple[WagerSettled, ...]
    net: str


class FoundPrizes(NamedTuple):
    """Prizes of one jackpot that a settlement gives: what is called where the dispute is decided for the player."""

    jackpot: str
    claims: tuple[tuple[int, str], ...]
    title: str = ""


class DisputeView(NamedTuple):
    """A dispute: the round as stated, and its settlement; a record that is kept has a number, a time and a hash."""

    game: str
    board_title: str
    board: tuple[str, ...]
    seats: tuple[SeatSettled, ...]
    number: int = 0
    table: str = ""
    round: int = 0
    words: str = ""
    by: str = ""
    at: str = ""
    entry: int = 0
    head: str = ""
    configuration: str = ""
    basis: str = ""
    found: tuple[FoundPrizes, ...] = ()


def _questions(game: Game, configuration: Configuration, cards: int) -> dict[str, Question]:
    """Return the questions that the game asks a seat, tried with any cards."""
    readings = configuration.terms.readings
    seat = Seat(1, dict.fromkeys(configuration.offered, 100), tuple(range(cards)))
    questions: dict[str, Question] = {}
    for _ in range(_QUESTIONS_MOST):
        question = game.question(seat, readings)
        if question is None:
            break
        questions[question.key] = question
        seat = seat._replace(decisions={**seat.decisions, question.key: question.options()[0]})
    return questions


def _decision(game: Game, name: str, answers_of: Mapping[str, tuple[Any, ...]]) -> DisputeDecisionField:
    title = "Decision" if name == "play" else name.replace("-", " ").capitalize()
    if name in game.card_decisions:
        return DisputeDecisionField(name, title, ())
    answers = answers_of.get(name, (True, False))
    yes_no = {True: "yes", False: "no"}
    texts = {"yes": "Play", "no": "Fold"} if name == "play" else {"yes": "Yes", "no": "No"}
    values = tuple(yes_no[answer] if isinstance(answer, bool) else str(answer) for answer in answers)
    return DisputeDecisionField(name, title, tuple((value, texts.get(value, value)) for value in values))


def _wager(game: Game, configuration: Configuration, name: str) -> StakeField:
    least, most = configuration.limits(name)
    fixed = field_dollars(least) if name in configuration.jackpots else ""
    return StakeField(name, titled(game.by_name[name].title), f"{dollars(least)} to {dollars(most)}", fixed)


def dispute_form(
    state: BookState, table: str, round_number: int = 0, ledger: Mapping[str, int] | None = None
) -> DisputeForm | None:
    """Build the form for a disputed round at a table; nothing where no configuration is posted there."""
    configuration = configuration_of_round(state, table, round_number)
    if configuration is None:
        return None
    game = find_game(configuration.game)
    deals = [stage for stage in game.stages if stage.kind is StageKind.DEAL and stage.who is CardPlace.SEATS]
    cards = sum(len(stage.faces) for stage in deals)
    questions = _questions(game, configuration, cards)
    answers, meters = (
        {key: question.options() for key, question in questions.items()},
        {**configuration.meters, **(meters_at(state, table) if ledger is None else ledger)},
    )
    return DisputeForm(
        table=table,
        game=game.title,
        seats=tuple(range(1, configuration.seats + 1)),
        seat_cards=cards,
        board_title=board_title(game),
        board_cards=game.board.cards,
        has_joker=game.deck.joker,
        wagers=tuple(_wager(game, configuration, name) for name in configuration.offered),
        decisions=tuple(_decision(game, name, answers) for name in game.decisions),
        meters=tuple(
            (name, titled(game.by_name[name].title), field_dollars(meters[name])) for name in configuration.jackpots
        ),
        can_turn=any(question.turn is not None for question in questions.values()),
        void_causes=tuple(reason.cause for reason in VoidReason),
        decks=configuration.terms.deck.decks,
    )


def _line(game: Game, name: str, line: Mapping[str, Any]) -> WagerSettled:
    envy = line.get("envy_cents", 0)
    return WagerSettled(
        title=titled(game.by_name[name].title),
        event=line["event"] or "",
        paytable=line.get("paytable") or "",
        staked=dollars(line["staked_cents"]),
        paid=dollars(line["paid_cents"]),
        net=signed_dollars(line["net_cents"]),
        envy=dollars(envy) if envy else "",
        because=tuple(
            (reason["text"], "; ".join(filter(None, (reason["clause"], reason.get("ruling")))))
            for reason in line["because"]
        ),
    )


def _decided(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return " ".join(value) if isinstance(value, list) else str(value)


def _printed(cards: list[str]) -> tuple[str, ...]:
    return tuple(card_text(card) for card in parse_cards(cards, as_printed=True))


def settlement_view(record: Mapping[str, Any], settlement: Mapping[str, Any]) -> DisputeView:
    """Build the view of a round record and its settlement, both as JSON."""
    game = find_game(record["game"])
    played = {seat["seat"]: seat for seat in record["seats"]}
    seats = tuple(
        SeatSettled(
            seat=seat["seat"],
            cards=_printed(played[seat["seat"]]["cards"]),
            decisions=", ".join(
                f"{name.capitalize()}: {_decided(v)}" for name, v in played[seat["seat"]]["decisions"].items()
            ),
            lines=tuple(_line(game, name, line) for name, line in seat["wagers"].items()),
            net=signed_dollars(seat["net_cents"]),
        )
        for seat in settlement["seats"]
    )
    board = _printed(record.get(game.board.name, []))
    return DisputeView(game=game.title, board_title=board_title(game), board=board, seats=seats)


def dispute_view(entry: Entry, zone: ZoneInfo) -> DisputeView:
    """Build the view of a recorded dispute from its entry."""
    value = read_payload(entry.kind, entry.payload)
    assert isinstance(value, DisputeSettled)
    view = settlement_view(json.loads(value.record), json.loads(value.settlement))
    return view._replace(
        number=value.number,
        table=entry.table,
        round=value.round,
        words=value.words,
        by=entry.actor,
        at=clock_text(entry.happened, zone, with_day=True),
        entry=entry.sequence,
        head=entry.digest.hex(),
        configuration=value.configuration,
        basis=sentence(value.basis) if value.basis else "",
    )


def found_prizes(state: BookState, view: DisputeView, entry: Entry) -> tuple[FoundPrizes, ...]:
    """Return by jackpot the prizes that a recorded dispute gives, for a round that it names."""
    value = read_payload(entry.kind, entry.payload)
    assert isinstance(value, DisputeSettled)
    seats, prizes = json.loads(value.settlement)["seats"], []
    for record in state.of(JACKPOTS).at(view.table) if value.round else ():
        wager = record.jackpot.offer_at(view.table).wager
        lines = [(seat["seat"], seat["wagers"].get(wager, {})) for seat in seats]
        claims = [(seat, line["event"]) for seat, line in lines if line.get("event") and line["paid_cents"]]
        if claims:
            title = jackpot_title(state, record.jackpot.name)
            prizes.append(FoundPrizes(record.jackpot.name, tuple(claims), title))
    return tuple(prizes)


def dispute_paper(entry: Entry, zone: ZoneInfo, room: str) -> dict[str, Any]:
    """The record of a dispute as it is printed, with the round as it was stated and its settlement beside it."""
    value = read_payload(entry.kind, entry.payload)
    assert isinstance(value, DisputeSettled)
    view = dispute_view(entry, zone)
    seats = [{**seat._asdict(), "lines": [line._asdict() for line in seat.lines]} for seat in view.seats]
    whole = {"record": json.loads(value.record), "settlement": json.loads(value.settlement)}
    at = dated_text(entry.happened, zone)
    paper = {**view._asdict(), "at": at, "seats": seats, "room": room, "json": json.dumps(whole, ensure_ascii=False)}
    read: dict[str, Any] = json.loads(json.dumps(paper))
    return read
