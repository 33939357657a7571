"""Three Card Poker: dealer needs queen high; no qualifier pays the Ante and pushes Play; ties push; bonus 5-4-1."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from importlib.resources import files
from typing import NamedTuple

from pitboss.cards import STANDARD_DECK, Card
from pitboss.law import load_clauses
from pitboss.poker import THREE_CARD, RankTables, three_card_tables, three_card_value
from pitboss.poker.made import three_card_made
from pitboss.rules import (
    ABOVE,
    BELOW,
    Board,
    Decisions,
    Events,
    Face,
    Game,
    Hands,
    Outcome,
    Part,
    PartResult,
    Question,
    Reason,
    Seat,
    Slot,
    Stage,
    StageKind,
    Terms,
    Wager,
    Who,
    compare,
    load_approval,
    load_paytables,
    paid,
    paid_row,
    returned,
    settle_by_events,
    taken,
    when,
    yes_or_no,
)
from pitboss.rules.pays import Push, ToOne

_FOLDER = files(__package__)
_CLAUSES = load_clauses(_FOLDER / "clauses.toml")
_PAYTABLES = load_paytables(_FOLDER / "paytables.toml", _CLAUSES)
_EVEN_MONEY = ToOne(Fraction(1))
_BONUS = Events(("Straight flush", "Three of a kind", "Straight"))
_PAIR_PLUS = Events(("Straight flush", "Three of a kind", "Straight", "Flush", "Pair"))


class AntePlay(NamedTuple):
    played: int
    made: int
    comparison: int
    qualified: int


class Made(NamedTuple):
    made: int


def read_ante_play(hands: Hands, tables: RankTables) -> AntePlay:
    player, dealer = hands.player, hands.board
    ours = three_card_value(tables, player[0], player[1], player[2])
    theirs = three_card_value(tables, dealer[0], dealer[1], dealer[2])
    high = max(dealer[0] >> 2, dealer[1] >> 2, dealer[2] >> 2) >= 10
    made = three_card_made(tables.category[ours]) >> 1 & 0b111
    return AntePlay(hands.choices[0], made, compare(ours, theirs), 1 if high or tables.category[theirs] < 6 else 0)


def read_pair_plus(hands: Hands, tables: RankTables) -> Made:
    player = hands.player
    value = three_card_value(tables, player[0], player[1], player[2])
    return Made(three_card_made(tables.category[value]) >> 1)


def _settle_ante_play(made: AntePlay, terms: Terms) -> Outcome:
    if not made.played:
        return Outcome((taken("Ante"),), None, None, (Reason(_CLAUSES["play"], "folded: the Ante is lost"),))
    table = terms.tables["ante-bonus"]
    row = paid_row(_BONUS, table, made.made, printed_order=False)
    bonus = () if row is None else (row.pay,)
    event = None if row is None else row.event
    if not made.qualified:
        chips = (paid("Ante", 1, _EVEN_MONEY, *bonus), returned("Play"))
        return Outcome(chips, event, table.id, (Reason(_CLAUSES["ante"], "the dealer does not qualify"),))
    if made.comparison == ABOVE:
        chips = (paid("Ante", 1, _EVEN_MONEY, *bonus), paid("Play", 1, _EVEN_MONEY))
        return Outcome(chips, event, table.id, (Reason(_CLAUSES["ante"], "the player wins"),))
    if made.comparison == BELOW:
        # The bonus is paid on a lost Ante as well.
        lost = PartResult("Ante", 1, returned=False, prizes=tuple(pay for pay in bonus if isinstance(pay, ToOne)))
        return Outcome((lost, taken("Play")), event, table.id, (Reason(_CLAUSES["ante"], "the dealer wins"),))
    chips = (paid("Ante", 1, Push(), *bonus), returned("Play"))
    return Outcome(chips, event, table.id, (Reason(_CLAUSES["tie"], "a tie pushes"),))


def _question(seat: Seat, _readings: Mapping[str, str]) -> Question | None:
    if "play" in seat.decisions or not seat.cards:
        return None
    return yes_or_no("play", "Play or fold?", _CLAUSES["play"])


def _choices(decisions: Decisions, _cards: tuple[Card, ...]) -> tuple[int, ...]:
    return (1 if decisions.get("play") else 0,)


def _describe(seat: Seat, board: tuple[Card, ...]) -> tuple[str, ...]:
    return (f"player {THREE_CARD.hand(seat.cards).words}", f"dealer {THREE_CARD.hand(board).words}")


GAME = Game(
    name="three-card-poker",
    title="Three Card Poker",
    code="3CP",
    deck=STANDARD_DECK,
    board=Board("dealer", 3),
    wagers=(
        Wager(
            name="ante-play",
            title="Ante and Play",
            clause=_CLAUSES["ante"],
            words="Beat the dealer.",
            slots=(Slot("ante-bonus", ("AB-541",)),),
            parts=(Part("Ante"), Part("Play", placed=when("play"))),
            facts=AntePlay,
            bounds=(2, 8, 3, 2),
            read=read_ante_play,
            settle=_settle_ante_play,
            base=True,
        ),
        Wager(
            name="pair-plus",
            title="Pair Plus",
            clause=_CLAUSES["pair plus"],
            words="A pair or better.",
            slots=(Slot("pair-plus", ("PP-40-30-6-4-1", "PP-40-30-6-3-1")),),
            parts=(Part("Pair Plus"),),
            facts=Made,
            bounds=(32,),
            read=read_pair_plus,
            settle=settle_by_events(
                part="Pair Plus", events=_PAIR_PLUS, slot="pair-plus", one_prize=_CLAUSES["pair plus"]
            ),
        ),
    ),
    stages=(
        Stage(kind=StageKind.DEAL, clause=_CLAUSES["deal"], words="three cards each", faces=(Face.OWN,) * 3),
        Stage(
            kind=StageKind.DEAL,
            clause=_CLAUSES["deal"],
            words="three to the dealer",
            who=Who.BOARD,
            faces=(Face.UNSEEN,) * 3,
        ),
        Stage(kind=StageKind.DECIDE, clause=_CLAUSES["play"], words="play or fold"),
        Stage(kind=StageKind.SHOW, clause=_CLAUSES["ante"], words="the dealer shows", who=Who.BOARD),
        Stage(kind=StageKind.SETTLE, clause=_CLAUSES["ante"], words="take or pay", wagers=("ante-play", "pair-plus")),
    ),
    decisions=("play",),
    question=_question,
    choices=_choices,
    tables=three_card_tables,
    paytables=_PAYTABLES,
    clauses=_CLAUSES,
    approval=load_approval(_FOLDER / "approval.toml"),
    describe=_describe,
    words=(_FOLDER / "words.md").read_text(encoding="utf-8"),
)
