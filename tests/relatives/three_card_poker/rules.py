"""Three Card Poker: dealer needs queen high; no qualifier pays the Ante and pushes Play; an Ante Bonus win or lose."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from pitboss.cards import STANDARD_DECK, Card
from pitboss.poker import THREE_CARD, three_card_tables
from pitboss.rules import CardPlace, Face, Game, Question, Reason, Seat, Slot, Stage, StageKind, Terms, Wager
from pitboss.rules.facts import ABOVE, BELOW, EQUAL
from pitboss.rules.game import Board, Switch
from pitboss.rules.outcomes import Events, Outcome, PartResult, lost, paid, paid_row, returned, settle_by_events
from pitboss.rules.pays import Push, ToOne
from pitboss.rules.stages import Decisions, yes_or_no
from pitboss.rules.wagers import Part, when
from tests.relatives.making import APPROVAL, data_of
from tests.relatives.three_card_poker import facts

_CLAUSES, _PAYTABLES, _WORDS = data_of(__package__)
_EVEN_MONEY = ToOne(Fraction(1))
_BONUS = Events(facts.ANTE_BONUS_EVENTS)


def _ids(prefix: str) -> tuple[str, ...]:
    return tuple(table_id for table_id in _PAYTABLES if table_id.startswith(prefix))


def _settle_ante_play(made: facts.AntePlay, terms: Terms) -> Outcome:
    if not made.played:
        return Outcome((lost("Ante"),), None, None, (Reason(_CLAUSES["play"], "folded: the Ante is lost"),))
    table = terms.tables["ante-bonus"]
    row = paid_row(_BONUS, table, made.events, printed_order=False)
    bonus = () if row is None else (row.pay,)
    event = None if row is None else row.event
    if not made.qualified:
        chips = (paid("Ante", 1, _EVEN_MONEY, *bonus), returned("Play"))
        return Outcome(chips, event, table.id, (Reason(_CLAUSES["ante"], "the dealer does not qualify"),))
    tie_wins = made.comparison == EQUAL and terms.readings["ties"] == "player"
    if made.comparison == ABOVE or tie_wins:
        chips = (paid("Ante", 1, _EVEN_MONEY, *bonus), paid("Play", 1, _EVEN_MONEY))
        return Outcome(chips, event, table.id, (Reason(_CLAUSES["tie" if tie_wins else "ante"], "the player wins"),))
    if made.comparison == BELOW:
        # The bonus is paid on a lost Ante as well.
        beaten = PartResult("Ante", 1, returned=False, prizes=tuple(pay for pay in bonus if isinstance(pay, ToOne)))
        return Outcome((beaten, lost("Play")), event, table.id, (Reason(_CLAUSES["ante"], "the dealer wins"),))
    chips = (paid("Ante", 1, Push(), *bonus), returned("Play"))
    return Outcome(chips, event, table.id, (Reason(_CLAUSES["tie"], "a tie pushes"),))


def _tell(made: facts.AntePlay) -> str:
    if not made.played:
        return "folds"
    results = {BELOW: "loses", EQUAL: "ties", ABOVE: "wins"}
    result = results[made.comparison] if made.qualified else "dealer does not qualify"
    return f"{result} with {_BONUS.first(made.events)}" if made.events else result


def _question(seat: Seat, _readings: Mapping[str, str]) -> Question | None:
    if "play" in seat.decisions or not seat.cards:
        return None
    return yes_or_no("play", "Play or fold?", _CLAUSES["play"])


def _choices(decisions: Decisions, _cards: tuple[Card, ...]) -> tuple[int, ...]:
    return (1 if decisions.get("play") else 0,)


def _describe(seat: Seat, board: tuple[Card, ...]) -> tuple[str, ...]:
    return (f"player {THREE_CARD.hand(seat.cards).words}", f"dealer {THREE_CARD.hand(board).words}")


_WAGERS = (
    Wager(
        name="ante-play",
        title="Ante and Play",
        clause=_CLAUSES["ante"],
        words="Beat the dealer.",
        slots=(Slot("ante-bonus", _ids("AB"), pays=("Ante",)),),
        parts=(Part("Ante"), Part("Play", placed=when("play"))),
        facts=facts.AntePlay,
        bounds=(2, _BONUS.masks, 3, 2),
        read=facts.read_ante_play,
        settle=_settle_ante_play,
        base=True,
        tell=_tell,
        switches=("ties",),
    ),
    Wager(
        name="pair-plus",
        title="Pair Plus",
        clause=_CLAUSES["pair plus"],
        words="A pair or better.",
        slots=(Slot("pair-plus", _ids("PP")),),
        parts=(Part("Pair Plus"),),
        facts=facts.Made,
        bounds=(1 << len(facts.PAIR_PLUS_EVENTS),),
        read=facts.read_pair_plus,
        settle=settle_by_events(
            part="Pair Plus",
            events=Events(facts.PAIR_PLUS_EVENTS),
            slot="pair-plus",
            one_prize=_CLAUSES["pair plus"],
        ),
    ),
    Wager(
        name="six-card-bonus",
        title="6 Card Bonus",
        clause=_CLAUSES["6 card bonus"],
        words="Three of a kind or better in the six cards.",
        slots=(Slot("six-card-bonus", _ids("6CB")),),
        parts=(Part("6 Card Bonus"),),
        facts=facts.Made,
        bounds=(1 << len(facts.SIX_CARD_EVENTS),),
        read=facts.read_six_card_bonus,
        settle=settle_by_events(
            part="6 Card Bonus",
            events=Events(facts.SIX_CARD_EVENTS),
            slot="six-card-bonus",
            one_prize=_CLAUSES["6 card bonus"],
        ),
    ),
)

GAME = Game(
    name="three-card-poker",
    title="Three Card Poker",
    code="3CP",
    deck=STANDARD_DECK,
    board=Board("dealer", 3),
    wagers=_WAGERS,
    stages=(
        Stage(kind=StageKind.DEAL, clause=_CLAUSES["deal"], words="three cards each", faces=(Face.OWN,) * 3),
        Stage(
            kind=StageKind.DEAL,
            clause=_CLAUSES["deal"],
            words="three to the dealer",
            who=CardPlace.BOARD,
            faces=(Face.UNSEEN,) * 3,
        ),
        Stage(kind=StageKind.DECIDE, clause=_CLAUSES["play"], words="play or fold"),
        Stage(kind=StageKind.SHOW, clause=_CLAUSES["ante"], words="the dealer shows", who=CardPlace.BOARD),
        Stage(
            kind=StageKind.SETTLE,
            clause=_CLAUSES["ante"],
            words="take or pay",
            wagers=tuple(wager.name for wager in _WAGERS),
        ),
    ),
    decisions=("play",),
    question=_question,
    choices=_choices,
    tables=three_card_tables,
    paytables=_PAYTABLES,
    clauses=_CLAUSES,
    approval=APPROVAL,
    switches=(
        Switch(
            name="ties",
            readings={"push": "a tie pushes", "player": "a tie wins for the player"},
            clause=_CLAUSES["tie"],
            ruling="3CP-1",
        ),
    ),
    describe=_describe,
    words=_WORDS,
    loops="tests.relatives.three_card_poker.loops",
    rounds="tests.relatives.three_card_poker.rounds",
    strategy="tests.relatives.three_card_poker.strategy",
)
