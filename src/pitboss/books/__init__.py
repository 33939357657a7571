"""The books of a room: an append-only, hash-chained journal, the ledger and state that are folds over it, and audits.

The package is for writing down what happened to money so that it cannot be lost or altered unseen. It knows meters and
no poker. A command computes its entries from the state in memory, they are committed to disk, and only then does the
state move:

>>> import tempfile, pathlib, datetime
>>> from fractions import Fraction
>>> from pitboss.books.store.migrate import create_books
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
>>> opened = books.submit(Submission(book="room", id="1", actor="Ada", content=["open"], decide=open_it))
>>> counted = books.submit(Submission(book="room", id="2", actor="table 4", content=["count", 3], decide=count))
>>> again = books.submit(Submission(book="room", id="2", actor="table 4", content=["count", 3], decide=count))
>>> again.again, again.entries == counted.entries
(True, True)
>>> units_text(books.state("room").of(LEDGER)["one"].balances["displayed"])
'$1,000.519000'
>>> books.close()
"""

from pitboss.books.calendar import (
    LOCALES,
    ROOM,
    Calendar,
    RoomSet,
    RoomSettings,
    Shift,
    instant_of,
    settings_problems,
    time_of_day,
)
from pitboss.books.journal.books import (
    INVARIANTS,
    PROJECTIONS,
    Books,
    HaltedError,
    folding_of,
    last_before,
    open_books,
    read_all,
    state_at,
)
from pitboss.books.journal.clock import ClockWatch, microseconds_now, microseconds_running
from pitboss.books.journal.codec import (
    INLINE,
    OMIT_DEFAULT,
    PAIRS,
    ROWS,
    KeyedBy,
    WrittenAs,
    canonical,
    json_object,
    plain,
    read_value,
    write_value,
)
from pitboss.books.journal.entries import (
    EPOCH,
    Damage,
    Entry,
    Instant,
    entry_digest,
    instant_text,
    microseconds,
    second_person_problems,
    text_problem,
)
from pitboss.books.journal.payloads import (
    EntryPayload,
    KindBy,
    Payload,
    UnreadableError,
    entry_kind,
    kinds_of,
    known_kinds,
    read_payload,
    register_kinds,
    write_payload,
)
from pitboss.books.journal.reading import BookReading, read_book, read_part
from pitboss.books.journal.snapshots import (
    DECISIONS,
    BooksRestored,
    DamageDecided,
    Decisions,
    SnapshotSealed,
    TimeDecided,
    part_at,
    snapshot_states,
)
from pitboss.books.journal.state import BookState, EntryStep, Finding, Folding, Invariant, Projection, Run
from pitboss.books.journal.writer import (
    Answer,
    ClosedError,
    Draft,
    Recipient,
    RefusedError,
    Submission,
    UsedIdError,
)
from pitboss.books.ledger.accounts import LEDGER, JackpotAccounts, Ledger
from pitboss.books.ledger.movements import (
    COUNTERS,
    MOVEMENTS,
    CorrectionReason,
    JackpotTerms,
    LedgerAccount,
    LedgerTransfer,
    Movement,
    MovementKind,
    count_of,
    movement_of,
    register_movements,
)
from pitboss.books.store.base import (
    JournalStore,
    NotCommittedError,
    Sought,
    StoreError,
    UnknownOutcomeError,
    counts_by_actor,
    entries_at,
    newest,
    saying,
)
from pitboss.books.store.directory import Directory, WriterLockedError

__all__ = ["COUNTERS", "DECISIONS", "EPOCH", "INLINE", "INVARIANTS", "LEDGER", "LOCALES", "MOVEMENTS", "OMIT_DEFAULT"]
__all__ += ["PAIRS", "PROJECTIONS", "ROOM", "ROWS", "Answer", "BookReading", "BookState", "Books", "BooksRestored"]
__all__ += ["Calendar", "ClosedError", "CorrectionReason", "Damage", "DamageDecided", "Decisions", "Directory", "Draft"]
__all__ += ["Entry", "EntryPayload", "EntryStep", "Finding", "Folding", "HaltedError", "Instant", "Invariant"]
__all__ += ["JackpotAccounts", "JackpotTerms", "JournalStore", "KeyedBy", "KindBy", "Ledger", "LedgerAccount"]
__all__ += ["LedgerTransfer", "Movement", "MovementKind", "NotCommittedError", "Payload", "Projection", "RefusedError"]
__all__ += ["RoomSet", "RoomSettings", "Run", "Shift", "SnapshotSealed", "Sought", "StoreError", "Submission"]
__all__ += ["Recipient", "UnknownOutcomeError", "UnreadableError", "WrittenAs", "canonical", "count_of"]
__all__ += [
    "counts_by_actor",
    "entries_at",
    "entry_digest",
    "entry_kind",
    "folding_of",
    "instant_of",
    "instant_text",
    "json_object",
    "kinds_of",
]
__all__ += ["known_kinds", "last_before", "microseconds", "microseconds_now", "movement_of", "newest", "open_books"]
__all__ += ["part_at", "plain", "read_all", "read_book", "read_part", "read_payload", "read_value", "register_kinds"]
__all__ += [
    "register_movements",
    "saying",
    "second_person_problems",
    "settings_problems",
    "snapshot_states",
    "state_at",
    "text_problem",
]
__all__ += ["second_person_problems", "time_of_day", "write_payload", "write_value"]
__all__ += ["ClockWatch", "TimeDecided", "UsedIdError", "WriterLockedError", "microseconds_running"]
