"""Caribbean Stud: dealer needs ace and king; the Raise is two Antes, and pays by the player's hand where it wins."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from pitboss.cards import STANDARD_DECK, Card
from pitboss.poker import FIVE_CARD, five_card_tables
from pitboss.rules import CardPlace, Face, Game, Question, Reason, Seat, Slot, Stage, StageKind, Terms, Wager
from pitboss.rules.facts import ABOVE, BELOW
from pitboss.rules.game import Board
from pitboss.rules.outcomes import Events, Outcome, lost, paid, paid_row, returned
from pitboss.rules.pays import ToOne
from pitboss.rules.stages import Decisions, yes_or_no
from pitboss.rules.wagers import Part, when
from tests.relatives.caribbean_stud import facts
from tests.relatives.making import APPROVAL, data_of

_CLAUSES, _PAYTABLES, _WORDS = data_of(__package__)
_EVEN_MONEY = ToOne(Fraction(1))
_EVENTS = Events(facts.EVENTS)


def _settle(made: facts.AnteRaise, terms: Terms) -> Outcome:
    if not made.raised:
        return Outcome((lost("Ante"),), None, None, (Reason(_CLAUSES["raise"], "folded: the Ante is lost"),))
    table = terms.tables["ante-raise"]
    why = (Reason(_CLAUSES["ante"], "by the dealer's hand"),)
    if not made.qualified:
        return Outcome((paid("Ante", 1, _EVEN_MONEY), returned("Raise", 2)), None, table.id, why)
    if made.comparison == ABOVE:
        row = paid_row(_EVENTS, table, made.events, printed_order=False)
        # Every hand makes the last row; a code without any cannot happen.
        pay, event = (_EVEN_MONEY, None) if row is None else (row.pay, row.event)
        return Outcome((paid("Ante", 1, _EVEN_MONEY), paid("Raise", 2, pay)), event, table.id, why)
    if made.comparison == BELOW:
        return Outcome((lost("Ante"), lost("Raise", 2)), None, table.id, why)
    return Outcome((returned("Ante"), returned("Raise", 2)), None, table.id, why)


def _question(seat: Seat, _readings: Mapping[str, str]) -> Question | None:
    if "raise" in seat.decisions or not seat.cards:
        return None
    return yes_or_no("raise", "Raise or fold?", _CLAUSES["raise"])


def _choices(decisions: Decisions, _cards: tuple[Card, ...]) -> tuple[int, ...]:
    return (1 if decisions.get("raise") else 0,)


def _describe(seat: Seat, board: tuple[Card, ...]) -> tuple[str, ...]:
    return (f"player {FIVE_CARD.hand(seat.cards).words}", f"dealer {FIVE_CARD.hand(board).words}")


_WAGER = Wager(
    name="ante-raise",
    title="Ante and Raise",
    clause=_CLAUSES["ante"],
    words="Beat the dealer.",
    slots=(Slot("ante-raise", ("CS-100",), pays=("Raise",)),),
    parts=(Part("Ante"), Part("Raise", 2, placed=when("raise", 2))),
    facts=facts.AnteRaise,
    bounds=(2, _EVENTS.masks, 3, 2),
    read=facts.read_ante_raise,
    settle=_settle,
    base=True,
)
GAME = Game(
    name="caribbean-stud",
    title="Caribbean Stud",
    code="CS",
    deck=STANDARD_DECK,
    board=Board("dealer", 5),
    wagers=(_WAGER,),
    stages=(
        Stage(StageKind.DEAL, _CLAUSES["deal"], "five cards each", faces=(Face.OWN,) * 5),
        Stage(
            StageKind.DEAL,
            _CLAUSES["deal"],
            "five to the dealer",
            who=CardPlace.BOARD,
            faces=(Face.UP, *(Face.UNSEEN,) * 4),
        ),
        Stage(StageKind.DECIDE, _CLAUSES["raise"], "raise or fold"),
        Stage(StageKind.SHOW, _CLAUSES["ante"], "the dealer shows", who=CardPlace.BOARD),
        Stage(StageKind.SETTLE, _CLAUSES["ante"], "take or pay", wagers=("ante-raise",)),
    ),
    decisions=("raise",),
    question=_question,
    choices=_choices,
    tables=five_card_tables,
    paytables=_PAYTABLES,
    clauses=_CLAUSES,
    approval=APPROVAL,
    layout_seats=6,
    describe=_describe,
    words=_WORDS,
)
