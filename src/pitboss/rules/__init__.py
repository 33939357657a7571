"""The words every game is written in, and the way from facts to cents that all games share.

The package names no game and deals no card.
"""

from pitboss.rules.facts import ABOVE, BELOW, EQUAL, Hands, codes, decode, encode
from pitboss.rules.folder import Approval
from pitboss.rules.game import Board, Game, Switch
from pitboss.rules.money import MoneyError, dollars, parse_dollars
from pitboss.rules.outcomes import Events, Outcome, PartResult, lost, paid, paid_row, returned, settle_by_events
from pitboss.rules.paytables import PayTable, Row, load_paytables
from pitboss.rules.reasons import Problem, Reason
from pitboss.rules.settlement import (
    HOUSE,
    FinishedRound,
    FinishedSeat,
    JackpotPayment,
    MeterPrizes,
    SettledLine,
    Settlement,
    Settler,
    line_of,
    pay_from_meter,
    prize_cents,
    settle_round,
    void_round,
)
from pitboss.rules.stages import CardPlace, Decisions, Face, Question, Seat, Stage, StageKind, yes_or_no
from pitboss.rules.terms import Terms, TermsInput, make_terms
from pitboss.rules.wagers import Holds, Part, Slot, Wager, pay_array, when

__all__ = [
    "ABOVE",
    "BELOW",
    "EQUAL",
    "HOUSE",
    "Approval",
    "Board",
    "CardPlace",
    "Decisions",
    "Events",
    "Face",
    "FinishedRound",
    "FinishedSeat",
    "Game",
    "Hands",
    "Holds",
    "JackpotPayment",
    "MeterPrizes",
    "MoneyError",
    "Outcome",
    "Part",
    "PartResult",
    "PayTable",
    "Problem",
    "Question",
    "Reason",
    "Row",
    "Seat",
    "SettledLine",
    "Settlement",
    "Settler",
    "Slot",
    "Stage",
    "StageKind",
    "Switch",
    "Terms",
    "TermsInput",
    "Wager",
    "codes",
    "decode",
    "dollars",
    "encode",
    "line_of",
    "load_paytables",
    "lost",
    "make_terms",
    "paid",
    "paid_row",
    "parse_dollars",
    "pay_array",
    "pay_from_meter",
    "prize_cents",
    "returned",
    "settle_by_events",
    "settle_round",
    "void_round",
    "when",
    "yes_or_no",
]
