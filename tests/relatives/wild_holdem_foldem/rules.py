"""Wild Hold'em Fold'em: deuces wild in 52 cards; Ante 1, Play 1, Raise 2; a pair of aces saves all but wins the Ante."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from pitboss.cards import STANDARD_DECK, Card
from pitboss.games.deuces_wild.facts import FOLDED_AT_FOUR, FOLDED_AT_THREE, AntePlayRaise
from pitboss.poker import WILD_FIVE_CARD
from pitboss.rules import Face, Game, Question, Reason, Seat, Slot, Stage, StageKind, Terms, Wager
from pitboss.rules.game import Board
from pitboss.rules.outcomes import Events, Outcome, lost, paid, paid_row, returned
from pitboss.rules.pays import ToOne
from pitboss.rules.stages import Decisions, yes_or_no
from pitboss.rules.wagers import Part, when
from tests.relatives.making import APPROVAL, data_of
from tests.relatives.wild_holdem_foldem import facts

_CLAUSES, _PAYTABLES, _WORDS = data_of(__package__)
_EVEN_MONEY = ToOne(Fraction(1))
_EVENTS = Events(facts.EVENTS)
_PAIR_OF_ACES = facts.EVENTS.index("Pair of Aces")


def _settle(made: AntePlayRaise, terms: Terms) -> Outcome:
    if made.course == FOLDED_AT_THREE:
        return Outcome((lost("Ante"),), None, None, (Reason(_CLAUSES["play"], "folded: the Ante is lost"),))
    if made.course == FOLDED_AT_FOUR:
        why = Reason(_CLAUSES["raise"], "folded: Ante and Play are lost")
        return Outcome((lost("Ante"), lost("Play")), None, None, (why,))
    table = terms.tables["ante-play-raise"]
    row = paid_row(_EVENTS, table, made.events, printed_order=False)
    if row is not None:
        chips = (paid("Ante", 1, row.pay), paid("Play", 1, row.pay), paid("Raise", 2, row.pay))
        why = Reason(_CLAUSES["ante"], f"{row.event}: {row.pay} on Ante, Play and Raise")
        return Outcome(chips, row.event, table.id, (why,))
    if made.events >> _PAIR_OF_ACES & 1:
        chips = (paid("Ante", 1, _EVEN_MONEY), returned("Play"), returned("Raise", 2))
        why = Reason(_CLAUSES["pair of aces"], "a pair of aces: the Ante is paid, the rest pushes")
        return Outcome(chips, "Pair of Aces", table.id, (why,))
    why = Reason(_CLAUSES["ante"], "less than a pair of aces: Ante, Play and Raise lose")
    return Outcome((lost("Ante"), lost("Play"), lost("Raise", 2)), None, table.id, (why,))


def _tell(made: AntePlayRaise) -> str:
    folds = {FOLDED_AT_THREE: "folds at three cards", FOLDED_AT_FOUR: "folds at four cards"}
    return folds.get(made.course) or f"raises and makes {_EVENTS.first(made.events)}"


def _played(seat: Seat) -> bool:
    return bool(seat.decisions.get("play"))


def _raised(seat: Seat) -> bool:
    return bool(seat.decisions.get("raise"))


def _question(seat: Seat, _readings: Mapping[str, str]) -> Question | None:
    if len(seat.cards) >= 3 and "play" not in seat.decisions:
        return yes_or_no("play", "Play or fold?", _CLAUSES["play"])
    if len(seat.cards) >= 4 and _played(seat) and "raise" not in seat.decisions:
        return yes_or_no("raise", "Raise or fold?", _CLAUSES["raise"])
    return None


def _choices(decisions: Decisions, _cards: tuple[Card, ...]) -> tuple[int, ...]:
    return (1 if decisions.get("play") else 0, 1 if decisions.get("raise") else 0)


def _describe(seat: Seat, _board: tuple[Card, ...]) -> tuple[str, ...]:
    return (f"player {WILD_FIVE_CARD.hand(seat.cards).words}",) if len(seat.cards) == 5 else ()


GAME = Game(
    name="wild-holdem-foldem",
    title="Wild Hold'em Fold'em",
    code="WHF",
    deck=STANDARD_DECK,
    board=Board("dealer", 0),
    wagers=(
        Wager(
            name="ante-play-raise",
            title="Ante, Play and Raise",
            clause=_CLAUSES["ante"],
            words="Five cards make two pair or better, deuces wild.",
            slots=(Slot("ante-play-raise", tuple(_PAYTABLES)),),
            parts=(Part("Ante"), Part("Play", placed=when("play")), Part("Raise", 2, placed=when("raise", 2))),
            facts=AntePlayRaise,
            bounds=(3, _EVENTS.masks),
            read=facts.read_ante_play_raise,
            settle=_settle,
            base=True,
            tell=_tell,
        ),
    ),
    stages=(
        Stage(kind=StageKind.DEAL, clause=_CLAUSES["deal"], words="three cards each", faces=(Face.OWN,) * 3),
        Stage(kind=StageKind.DECIDE, clause=_CLAUSES["play"], words="play or fold"),
        Stage(kind=StageKind.DEAL, clause=_CLAUSES["deal"], words="a fourth card", faces=(Face.OWN,), entitled=_played),
        Stage(kind=StageKind.DECIDE, clause=_CLAUSES["raise"], words="raise or fold"),
        Stage(kind=StageKind.DEAL, clause=_CLAUSES["deal"], words="a fifth card", faces=(Face.OWN,), entitled=_raised),
        Stage(kind=StageKind.SHOW, clause=_CLAUSES["ante"], words="raised hands are shown", entitled=_raised),
        Stage(kind=StageKind.SETTLE, clause=_CLAUSES["ante"], words="take or pay", wagers=("ante-play-raise",)),
    ),
    decisions=("play", "raise"),
    falls_away=frozenset({"raise"}),
    question=_question,
    choices=_choices,
    tables=lambda: None,
    paytables=_PAYTABLES,
    clauses=_CLAUSES,
    approval=APPROVAL,
    describe=_describe,
    words=_WORDS,
    loops="tests.relatives.wild_holdem_foldem.loops",
)
