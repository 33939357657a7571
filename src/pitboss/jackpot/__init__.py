"""Jackpots in the books of a room: definitions, meters, linked tables, hits and their workflow.

The package is for the life of a jackpot as entries of the journal. It keeps no state outside the books and has no meter
arithmetic of its own: `meters` says what a contribution or a hit does, `books` keeps it.

>>> import datetime, pathlib, tempfile
>>> from fractions import Fraction
>>> from pitboss.books import LEDGER, RoomSettings, microseconds_now, open_books
>>> from pitboss.books.store.migrate import create_books
>>> from pitboss.commands import By, Executor, Services
>>> from pitboss.games import all_games
>>> from pitboss.meters import MeterTerms, units_text
>>> path = pathlib.Path(tempfile.mkdtemp()) / "room"
>>> settings = RoomSettings(room="Example", time_zone="America/Los_Angeles", shifts=(("day", datetime.time(6, 0)),))
>>> create_books(path, settings, person="Ada")
>>> game = all_games()[0]
>>> meter = MeterTerms(jackpot_type="progressive", wager_cents=100, seed_cents=1_000_00, reseed_cents=500_00,
...     display_rate=Fraction("0.173"), reserve_rate=Fraction("0.05"), cap_cents=None, batch_wagers_max=None)
>>> main = Jackpot(name="main", offers=(offer_of(game.name, "final-four", "F4P-1"),), meter=meter,
...     tables=(LinkedTable("table 4", game.name, "Example"),), display="real-time", small_prize_cents=100_00)
>>> books = open_books(path, projections=PROJECTIONS, invariants=INVARIANTS)
>>> executor = Executor(Services(books, microseconds_now))
>>> ada = By("Ada", "manager", By("Carla", "surveillance"))
>>> define = DefineJackpot(jackpot=JackpotDraft.of(main), words="approved 2015-09-25")
>>> _ = executor.do(define, ada, id="1")
>>> _ = executor.do(OpenJackpot(name="main", words="first day"), ada, id="2")
>>> executor.verify(OpenJackpot(name="main", words="again"), ada)
('main is open already',)
>>> units_text(executor.services.state.of(LEDGER)["main"].meter_state.displayed_units)
'$1,000.000000'
>>> books.close()
"""

from typing import Any

from pitboss.books import Invariant, Projection
from pitboss.commands import Command
from pitboss.jackpot import escrow
from pitboss.jackpot.definitions import (
    BONUS_SENTENCES,
    Jackpot,
    JackpotDraft,
    JackpotSet,
    LinkedTable,
    Offer,
    PlayReason,
    PlaySet,
    Prize,
    offer_of,
    with_chances,
)
from pitboss.jackpot.doubts import DOUBTS, ConfirmAmount
from pitboss.jackpot.doubts import INVARIANTS as _DOUBT_INVARIANTS
from pitboss.jackpot.escrow import AdjustFund, BookReceipts, ConfirmDeposit, SendDeposit, WithdrawEscrow, review_escrow
from pitboss.jackpot.hits.amounts import RoundCards
from pitboss.jackpot.hits.calls import CallHit, CorrectHit, RejectHit
from pitboss.jackpot.hits.found import CallFoundHit
from pitboss.jackpot.hits.handling import (
    CloseHit,
    ConfirmWager,
    DocumentHit,
    PayEnvy,
    PayPrize,
    PaySmallPrize,
    PrintSlip,
    ReprintSlip,
    SurveilHit,
    VerifyHit,
)
from pitboss.jackpot.hits.small import INVARIANTS as _SMALL_INVARIANTS
from pitboss.jackpot.hits.small import ReverseSmallPrize, UndoSmallPrize, small_prizes_of
from pitboss.jackpot.hits.state import HITS, RoomHits
from pitboss.jackpot.hits.values import Claim, Hit, HitState, Paper, PaperDraft
from pitboss.jackpot.hits.workflow import ROLES
from pitboss.jackpot.invariants import INVARIANTS as _JACKPOT_INVARIANTS
from pitboss.jackpot.lifecycle import ChangeJackpot, CloseJackpot, DefineJackpot, OpenJackpot, SuspendJackpot
from pitboss.jackpot.postings import INVARIANTS as _POSTING_INVARIANTS
from pitboss.jackpot.postings import POSTINGS, PostBonus, PostDueBonus, WithdrawPosting, due_postings, scheduled_for
from pitboss.jackpot.removal import INVARIANTS as _REMOVAL_INVARIANTS
from pitboss.jackpot.removal import REMOVALS, DocumentRemoval, GiveRemovalNotice, RemovalNoticed, RemoveJackpot
from pitboss.jackpot.state import JACKPOTS, JackpotRecord, RoomJackpots, TabulatedRound
from pitboss.jackpot.titles import jackpot_title

PROJECTIONS: tuple[Projection[Any], ...] = (JACKPOTS, HITS, REMOVALS, POSTINGS, DOUBTS)
"""The parts of a book's state that this package brings: whoever opens or audits the books of a room passes them."""
INVARIANTS: tuple[Invariant, ...] = (
    *_JACKPOT_INVARIANTS,
    *_REMOVAL_INVARIANTS,
    *_POSTING_INVARIANTS,
    *_DOUBT_INVARIANTS,
    *_SMALL_INVARIANTS,
)
"""The invariants that this package brings."""

COMMANDS: tuple[type[Command], ...] = (
    DefineJackpot,
    ChangeJackpot,
    OpenJackpot,
    CloseJackpot,
    SuspendJackpot,
    AdjustFund,
    BookReceipts,
    escrow.SeedOtherJackpot,
    ConfirmAmount,
    GiveRemovalNotice,
    RemoveJackpot,
    DocumentRemoval,
    PostBonus,
    WithdrawPosting,
    PostDueBonus,
    SendDeposit,
    ConfirmDeposit,
    WithdrawEscrow,
    escrow.ReviewEscrow,
    CallHit,
    CallFoundHit,
    VerifyHit,
    SurveilHit,
    DocumentHit,
    PayPrize,
    CloseHit,
    RejectHit,
    CorrectHit,
    PaySmallPrize,
    PayEnvy,
    UndoSmallPrize,
    ReverseSmallPrize,
    ConfirmWager,
    PrintSlip,
    ReprintSlip,
)
"""The commands of this package, in the order of the API."""

__all__ = [
    "BONUS_SENTENCES", "COMMANDS", "DOUBTS", "HITS", "INVARIANTS", "JACKPOTS", "POSTINGS", "PROJECTIONS", "REMOVALS",
    "ROLES", "AdjustFund", "BookReceipts", "CallFoundHit", "CallHit",
    "ChangeJackpot", "Claim", "CloseHit", "CloseJackpot", "ConfirmAmount",
    "ConfirmDeposit", "ConfirmWager", "CorrectHit",
    "DefineJackpot", "DocumentHit", "DocumentRemoval", "GiveRemovalNotice", "Hit", "HitState", "Jackpot",
    "JackpotDraft", "JackpotRecord",
    "JackpotSet", "LinkedTable", "Offer", "OpenJackpot", "Paper", "PaperDraft", "PayEnvy", "PayPrize", "PaySmallPrize",
    "PlayReason", "PlaySet", "PostBonus", "PostDueBonus", "PrintSlip", "Prize", "RejectHit", "RemovalNoticed",
    "RemoveJackpot", "ReprintSlip", "ReverseSmallPrize", "RoomHits", "RoomJackpots", "RoundCards", "SendDeposit",
    "SurveilHit", "SuspendJackpot", "TabulatedRound", "UndoSmallPrize", "VerifyHit", "WithdrawEscrow",
    "WithdrawPosting", "due_postings", "jackpot_title", "offer_of", "review_escrow", "scheduled_for", "small_prizes_of",
    "with_chances",
]  # fmt: skip
