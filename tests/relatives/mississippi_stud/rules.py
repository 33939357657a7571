"""Mississippi Stud: against a pay table, with a bet before each of three cards; of one to three Antes the least or most."""

from __future__ import annotations

from collections.abc import Mapping

from pitboss.cards import STANDARD_DECK, Card
from pitboss.rules import CardPlace, Face, Game, Question, Reason, Seat, Slot, Stage, StageKind, Terms, Wager
from pitboss.rules.game import Board
from pitboss.rules.outcomes import Events, Outcome, lost, paid, paid_row, returned
from pitboss.rules.stages import Decisions
from pitboss.rules.wagers import Part
from tests.relatives.making import APPROVAL, data_of
from tests.relatives.mississippi_stud import facts

_CLAUSES, _PAYTABLES, _WORDS = data_of(__package__)
_EVENTS = Events(facts.EVENTS)
_STREETS = ("third", "fourth", "fifth")
# What is won is in proportion to what is bet: two Antes are never better than both one and three.
_BETS = (3, 1, 0)


def _settle(made: facts.AnteBets, terms: Terms) -> Outcome:
    why = (Reason(_CLAUSES["ante"], "by the table"),)
    chips = ("Ante", 1), ("Bets", made.bets)
    if not made.stayed:
        return Outcome(tuple(lost(name, number) for name, number in chips if number), None, None, why)
    table = terms.tables["ante-bets"]
    row = paid_row(_EVENTS, table, made.events, printed_order=False)
    if row is not None:
        return Outcome(tuple(paid(name, number, row.pay) for name, number in chips), row.event, table.id, why)
    if made.pushes:
        return Outcome(tuple(returned(name, number) for name, number in chips), None, table.id, why)
    return Outcome(tuple(lost(name, number) for name, number in chips), None, table.id, why)


def _question(seat: Seat, _readings: Mapping[str, str]) -> Question | None:
    if not seat.cards or any(answer == 0 for answer in seat.decisions.values()):
        return None
    # A seat does not hold the board: how far the round has come is told by what it has decided.
    street = next((street for street in _STREETS if street not in seat.decisions), None)
    if street is None:
        return None
    return Question(street, "How many Antes?", _CLAUSES["bet"], lambda: _BETS, lambda _: None)


def _choices(decisions: Decisions, _cards: tuple[Card, ...]) -> tuple[int, ...]:
    return tuple(decisions.get(street, 0) for street in _STREETS)


_WAGER = Wager(
    name="ante-bets",
    title="Ante and bets",
    clause=_CLAUSES["ante"],
    words="A pair of jacks or better.",
    slots=(Slot("ante-bets", ("MS-500",)),),
    parts=(
        Part("Ante"),
        Part("Bets", 9, placed=lambda decisions: sum(decisions.get(street, 0) for street in _STREETS)),
    ),
    facts=facts.AnteBets,
    bounds=(10, 2, _EVENTS.masks, 2),
    read=facts.read_ante_bets,
    settle=_settle,
    base=True,
)
_DECIDE = Stage(StageKind.DECIDE, _CLAUSES["bet"], "bet or fold")
_CARD = Stage(StageKind.DEAL, _CLAUSES["deal"], "a card of the board", who=CardPlace.BOARD, faces=(Face.UP,))
GAME = Game(
    name="mississippi-stud",
    title="Mississippi Stud",
    code="MS",
    deck=STANDARD_DECK,
    board=Board("board", 3),
    wagers=(_WAGER,),
    stages=(
        Stage(StageKind.DEAL, _CLAUSES["deal"], "two cards each", faces=(Face.OWN,) * 2),
        *(_DECIDE, _CARD) * 3,
        Stage(StageKind.SETTLE, _CLAUSES["ante"], "take or pay", wagers=("ante-bets",)),
    ),
    decisions=_STREETS,
    falls_away=frozenset(_STREETS[1:]),
    question=_question,
    choices=_choices,
    tables=lambda: None,
    paytables=_PAYTABLES,
    clauses=_CLAUSES,
    approval=APPROVAL,
    layout_seats=6,
    describe=lambda _seat, _board: (),
    words=_WORDS,
)
