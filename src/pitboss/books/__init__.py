"""The books of a room: an append-only, hash-chained journal, the ledger and state that are folds over it, and audits.

The package is for writing down what happened to money so that it cannot be lost or altered unseen. It knows meters and
no poker. A command computes its entries from the state in memory, they are committed to disk, and only then does the
state move:

>>> import tempfile, pathlib, datetime
>>> from fractions import Fraction
>>> from pitboss.books.migrating import create_books
>>> from pitboss.meters import MeterTerms, contribute, open_meter, units_text
>>> path = pathlib.Path(tempfile.mkdtemp()) / "room"
>>> settings = RoomSettings(room="Example", time_zone="America/Los_Angeles", shifts=(("day", datetime.time(6, 0)),))
>>> create_books(path, settings, person="Ada")
>>> terms = MeterTerms(jackpot_type="progressive", wager_cents=100, seed_cents=1_000_00, reseed_cents=500_00,
...     display_rate=Fraction("0.173"), reserve_rate=Fraction(0), cap_cents=None, batch_wagers_max=None)
>>> books = open_books(path)
>>> def open_it(state):
...     return [Draft(movement_of("jackpot-opened", "one", None, open_meter(terms)))]
>>> def count(state):
...     before = state.of(LEDGER)["one"].meter_state
...     return [Draft(movement_of("wagers-counted", "one", before, contribute(before, terms, 3)))]
>>> opened = books.submit(Command(book="room", id="1", actor="Ada", content=["open"], decide=open_it))
>>> counted = books.submit(Command(book="room", id="2", actor="table 4", content=["count", 3], decide=count))
>>> again = books.submit(Command(book="room", id="2", actor="table 4", content=["count", 3], decide=count))
>>> again.again, again.entries == counted.entries
(True, True)
>>> units_text(books.state("room").of(LEDGER)["one"].balances["displayed"])
'$1,000.519000'
>>> books.close()
"""

from pitboss.books import money_rules as _money_rules
from pitboss.books import shapes as _shapes
from pitboss.books.books import PROJECTIONS, Books, HaltedError, folding_of, open_books, read_all
from pitboss.books.commands import Answer, Command, Draft, RefusedError
from pitboss.books.damage import Damage
from pitboss.books.days import LOCALES, Calendar, RoomSettings, Shift, settings_problems
from pitboss.books.directory import Directory
from pitboss.books.entries import Entry, entry_digest, instant_text, microseconds
from pitboss.books.invariants import Finding, Invariant, Step, invariants, register_invariants
from pitboss.books.ledger import LEDGER, JackpotAccounts, Ledger
from pitboss.books.metered import count_of, movement_of
from pitboss.books.movements import (
    MOVEMENTS,
    CorrectionReason,
    JackpotTerms,
    LedgerAccount,
    Movement,
    MovementKind,
    Transfer,
    register_movements,
)
from pitboss.books.payloads import Payload, UnreadableError, known_kinds, read_payload, register_kinds, write_payload
from pitboss.books.reading import Reading, read_book
from pitboss.books.room import ROOM, RoomSet
from pitboss.books.standing import STANDING, BooksRestored, DamageDecided, SnapshotSealed, Standing
from pitboss.books.state import BookState, Folding, Projection, Run
from pitboss.books.store import NotCommittedError, Store, StoreError, UnknownOutcomeError
from pitboss.books.writer import ClosedError

assert _money_rules is not None
assert _shapes is not None

__all__ = [
    "LEDGER",
    "LOCALES",
    "MOVEMENTS",
    "PROJECTIONS",
    "ROOM",
    "STANDING",
    "Answer",
    "BookState",
    "Books",
    "BooksRestored",
    "Calendar",
    "ClosedError",
    "Command",
    "CorrectionReason",
    "Damage",
    "DamageDecided",
    "Directory",
    "Draft",
    "Entry",
    "Finding",
    "Folding",
    "HaltedError",
    "Invariant",
    "JackpotAccounts",
    "JackpotTerms",
    "Ledger",
    "LedgerAccount",
    "Movement",
    "MovementKind",
    "NotCommittedError",
    "Payload",
    "Projection",
    "Reading",
    "RefusedError",
    "RoomSet",
    "RoomSettings",
    "Run",
    "Shift",
    "SnapshotSealed",
    "Standing",
    "Step",
    "Store",
    "StoreError",
    "Transfer",
    "UnknownOutcomeError",
    "UnreadableError",
    "count_of",
    "entry_digest",
    "folding_of",
    "instant_text",
    "invariants",
    "known_kinds",
    "microseconds",
    "movement_of",
    "open_books",
    "read_all",
    "read_book",
    "read_payload",
    "register_invariants",
    "register_kinds",
    "register_movements",
    "settings_problems",
    "write_payload",
]
