"""The words every game is written in, and the way from facts to cents that all games share.

The package names no game and deals no card.
"""

from pitboss.rules.approvals import Approval, Letter, load_approval
from pitboss.rules.events import Events, paid_row, settle_by_events, why_row
from pitboss.rules.facts import ABOVE, BELOW, EQUAL, Hands, codes, compare, decode, encode
from pitboss.rules.game import Board, Game, Switch
from pitboss.rules.make_terms import Stated, make_terms
from pitboss.rules.meter_prizes import MeterPrizes, pay_from_meter
from pitboss.rules.money import MoneyError, dollars, parse_dollars
from pitboss.rules.outcomes import Outcome, PartResult, paid, returned, taken
from pitboss.rules.paytables import PayTable, Row, load_paytables
from pitboss.rules.reasons import Problem, Reason
from pitboss.rules.settle import Settler, line_of, prize_cents, settle_round, void_round
from pitboss.rules.settlement import (
    HOUSE,
    Chip,
    FinishedRound,
    FinishedSeat,
    JackpotPayment,
    Line,
    Settlement,
    Transfer,
)
from pitboss.rules.stages import Decisions, Face, Question, Seat, Stage, StageKind, Who, yes_or_no
from pitboss.rules.terms import Terms
from pitboss.rules.wagers import EnvyRule, Holds, Part, PayArray, SharedDecision, Slot, Wager, pay_array, when

__all__ = [
    "ABOVE",
    "BELOW",
    "EQUAL",
    "HOUSE",
    "Approval",
    "Board",
    "Chip",
    "Decisions",
    "EnvyRule",
    "Events",
    "Face",
    "FinishedRound",
    "FinishedSeat",
    "Game",
    "Hands",
    "Holds",
    "JackpotPayment",
    "Letter",
    "Line",
    "MeterPrizes",
    "MoneyError",
    "Outcome",
    "Part",
    "PartResult",
    "PayArray",
    "PayTable",
    "Problem",
    "Question",
    "Reason",
    "Row",
    "Seat",
    "Settlement",
    "Settler",
    "SharedDecision",
    "Slot",
    "Stage",
    "StageKind",
    "Stated",
    "Switch",
    "Terms",
    "Transfer",
    "Wager",
    "Who",
    "codes",
    "compare",
    "decode",
    "dollars",
    "encode",
    "line_of",
    "load_approval",
    "load_paytables",
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
    "taken",
    "void_round",
    "when",
    "why_row",
    "yes_or_no",
]
