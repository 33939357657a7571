"""Four Card Poker: facts and counts of Four Card Prime, another settlement: ties win, a bonus win or lose."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from pitboss.cards import STANDARD_DECK, Card
from pitboss.games.four_card_prime import facts
from pitboss.poker import FOUR_CARD, four_card_tables
from pitboss.rules import CardPlace, Face, Game, Question, Reason, Seat, Slot, Stage, StageKind, Terms, Wager
from pitboss.rules.facts import BELOW
from pitboss.rules.game import Board
from pitboss.rules.outcomes import Events, Outcome, PartResult, lost, paid, paid_row
from pitboss.rules.pays import ToOne
from pitboss.rules.stages import Decisions
from pitboss.rules.wagers import Part
from tests.relatives.making import APPROVAL, data_of

_CLAUSES, _PAYTABLES, _WORDS = data_of(__package__)
_EVEN_MONEY = ToOne(Fraction(1))
_BONUS = Events(facts.BONUS_EVENTS)
_RAISES = (0, 1, 2, 3)


def _settle(made: facts.AnteRaise, terms: Terms) -> Outcome:
    if made.raised == 0:
        return Outcome((lost("Ante"),), None, None, (Reason(_CLAUSES["raise"], "folded: the Ante is lost"),))
    table = terms.tables["bonus"]
    row = paid_row(_BONUS, table, made.events, printed_order=False)
    bonus = () if row is None else (row.pay,)
    if made.comparison == BELOW:
        # The bonus is paid on a lost Ante as well.
        beaten = PartResult("Ante", 1, returned=False, prizes=tuple(pay for pay in bonus if isinstance(pay, ToOne)))
        chips, words = (beaten, lost("Raise", made.raised)), "the dealer wins"
    else:
        chips = (paid("Ante", 1, _EVEN_MONEY, *bonus), paid("Raise", made.raised, _EVEN_MONEY))
        words = "the player wins or ties"
    return Outcome(chips, None if row is None else row.event, table.id, (Reason(_CLAUSES["ante"], words),))


def _tell(made: facts.AnteRaise) -> str:
    if made.raised == 0:
        return "folds"
    result = "loses" if made.comparison == BELOW else "wins or ties"
    return f"raises {made.raised}, {result}" + (f" with {_BONUS.first(made.events)}" if made.events else "")


def _refuse_raise(value: Any) -> str | None:
    return None if type(value) is int and value in _RAISES else f"{value!r} must be 0, 1, 2 or 3"


def _question(seat: Seat, _readings: Mapping[str, str]) -> Question | None:
    if "raise" in seat.decisions or not seat.cards:
        return None
    return Question(
        key="raise", words="Raise?", clause=_CLAUSES["raise"], options=lambda: _RAISES, refusal=_refuse_raise
    )


def _raised(decisions: Decisions) -> int:
    return int(decisions.get("raise", 0))


def _choices(decisions: Decisions, _cards: tuple[Card, ...]) -> tuple[int, ...]:
    return (_raised(decisions),)


def _describe(seat: Seat, board: tuple[Card, ...]) -> tuple[str, ...]:
    return (f"player {FOUR_CARD.best(seat.cards).words}", f"dealer {FOUR_CARD.best(board).words}")


GAME = Game(
    name="four-card-poker",
    title="Four Card Poker",
    code="4CP",
    deck=STANDARD_DECK,
    board=Board("dealer", 6),
    wagers=(
        Wager(
            name="ante-raise",
            title="Ante and Raise",
            clause=_CLAUSES["ante"],
            words="Beat the dealer's four cards.",
            slots=(Slot("bonus", tuple(_PAYTABLES), pays=("Ante",)),),
            parts=(Part("Ante"), Part("Raise", 3, placed=_raised)),
            facts=facts.AnteRaise,
            bounds=(len(_RAISES), _BONUS.masks, 3),
            read=facts.read_ante_raise,
            settle=_settle,
            base=True,
            tell=_tell,
        ),
    ),
    stages=(
        Stage(kind=StageKind.DEAL, clause=_CLAUSES["deal"], words="five cards each", faces=(Face.OWN,) * 5),
        Stage(
            kind=StageKind.DEAL,
            clause=_CLAUSES["deal"],
            words="six to the dealer, one face up",
            who=CardPlace.BOARD,
            faces=(Face.UP, *(Face.UNSEEN,) * 5),
        ),
        Stage(kind=StageKind.DECIDE, clause=_CLAUSES["raise"], words="raise or fold"),
        Stage(kind=StageKind.SHOW, clause=_CLAUSES["ante"], words="the dealer shows", who=CardPlace.BOARD),
        Stage(kind=StageKind.SETTLE, clause=_CLAUSES["ante"], words="take or pay", wagers=("ante-raise",)),
    ),
    decisions=("raise",),
    question=_question,
    choices=_choices,
    tables=four_card_tables,
    paytables=_PAYTABLES,
    clauses=_CLAUSES,
    approval=APPROVAL,
    describe=_describe,
    words=_WORDS,
    loops="pitboss.games.four_card_prime.loops",
)
