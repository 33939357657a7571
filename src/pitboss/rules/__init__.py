"""The words every game is written in, and the way from facts to cents that all games share.

The package names no game and deals no card. What only games use is imported from its modules.
"""

from pitboss.rules.facts import Hands, codes, decode, encode
from pitboss.rules.game import Game
from pitboss.rules.limits import AggregateLimit, limit_words
from pitboss.rules.money import MoneyError, dollars, parse_dollars
from pitboss.rules.paytables import PayTable
from pitboss.rules.posted import PostedRow, full_words, pays_by_row, posted_condition, posted_rows
from pitboss.rules.reasons import Problem, Reason
from pitboss.rules.settlement import (
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
    void_round,
)
from pitboss.rules.stages import CardPlace, Face, Question, Seat, Stage, StageKind
from pitboss.rules.terms import Terms, TermsInput, make_terms
from pitboss.rules.wagers import Slot, Wager, pay_array

__all__ = [
    "AggregateLimit", "CardPlace", "Face", "FinishedRound", "FinishedSeat", "Game", "Hands", "JackpotPayment",
    "MeterPrizes", "MoneyError", "PayTable", "PostedRow", "Problem", "Question", "Reason", "Seat", "SettledLine",
    "Settlement", "Settler", "Slot", "Stage", "StageKind", "Terms", "TermsInput", "Wager", "codes", "decode",
    "dollars", "encode", "full_words", "limit_words", "line_of", "make_terms", "parse_dollars", "pay_array",
    "pay_from_meter", "pays_by_row", "posted_condition", "posted_rows", "prize_cents", "void_round",
]  # fmt: skip
