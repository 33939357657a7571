"""Jackpots in the books of a room: definitions, meters, linked tables, hits and their workflow.

The package is for the life of a jackpot as entries of the journal. It keeps no state outside the books and has no meter
arithmetic of its own: `meters` says what a contribution or a hit does, `books` keeps it.

>>> import datetime, pathlib, tempfile
>>> from fractions import Fraction
>>> from pitboss.books import RoomSettings, open_books
>>> from pitboss.books.migrating import create_books
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
>>> books = open_books(path, projections=PROJECTIONS)
>>> jackpots = Jackpots(books)
>>> _ = jackpots.define(main, words="approved 2015-09-25", command="1", actor="Ada", approved_by="Carla")
>>> _ = jackpots.open("main", words="first day", command="2", actor="Ada", approved_by="Carla")
>>> answer = jackpots.tabulate("table 4", 1, {"main": [1, 3, 6]}, command="press-1", actor="table 4")
>>> units_text(jackpots.meter("main").displayed_units), answer.entries[0].sequence
('$1,000.519000', 5)
>>> books.close()
"""

from typing import Any

from pitboss.books import Projection
from pitboss.jackpot import invariants as _invariants
from pitboss.jackpot.checks import jackpot_problems
from pitboss.jackpot.definitions import BONUS_SENTENCES, Jackpot, LinkedTable, Offer, Prize
from pitboss.jackpot.entries import JackpotSet, PlayReason, PlaySet
from pitboss.jackpot.escrow import Escrow, Forecast
from pitboss.jackpot.hits import invariants as _hit_rules
from pitboss.jackpot.hits.amounts import RoundCards
from pitboss.jackpot.hits.hits import Hits
from pitboss.jackpot.hits.state import HITS, RoomHits
from pitboss.jackpot.hits.values import ROLES, Claim, Hit, HitState, Paper, Person
from pitboss.jackpot.linking import link_problems, offer_of, with_chances
from pitboss.jackpot.removal import DESTINATIONS, REMOVALS, RemovalNoticed
from pitboss.jackpot.room import Jackpots
from pitboss.jackpot.state import JACKPOTS, JackpotRecord, RoomJackpots, TabulatedRound

assert _invariants is not None
assert _hit_rules is not None

PROJECTIONS: tuple[Projection[Any], ...] = (JACKPOTS, HITS, REMOVALS)
"""The parts of a book's state that this package brings: whoever opens or audits the books of a room gives them."""

__all__ = [
    "BONUS_SENTENCES",
    "DESTINATIONS",
    "HITS",
    "JACKPOTS",
    "PROJECTIONS",
    "REMOVALS",
    "ROLES",
    "Claim",
    "Escrow",
    "Forecast",
    "Hit",
    "HitState",
    "Hits",
    "Jackpot",
    "JackpotRecord",
    "JackpotSet",
    "Jackpots",
    "LinkedTable",
    "Offer",
    "Paper",
    "Person",
    "PlayReason",
    "PlaySet",
    "Prize",
    "RemovalNoticed",
    "RoomHits",
    "RoomJackpots",
    "RoundCards",
    "TabulatedRound",
    "jackpot_problems",
    "link_problems",
    "offer_of",
    "with_chances",
]
