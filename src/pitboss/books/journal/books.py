"""The open books of a room: submit commands, read state, seal, and decide about damage."""

import logging
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import Future
from contextlib import closing
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from pitboss.books.calendar import INVARIANTS as SETTINGS_INVARIANTS
from pitboss.books.calendar import ROOM
from pitboss.books.journal import heads
from pitboss.books.journal.clock import ClockWatch, microseconds_now
from pitboss.books.journal.codec import hash_of
from pitboss.books.journal.damage import doubtful_amounts, fitting_copies, replaced_texts
from pitboss.books.journal.entries import Damage, Instant, text_problem
from pitboss.books.journal.following import has_moved, read_on
from pitboss.books.journal.reading import BookReading, read_book, read_part
from pitboss.books.journal.snapshots import (
    DECISIONS,
    DamageDecided,
    SnapshotSealed,
    TimeDecided,
    part_at,
    snapshot_states,
    starts,
)
from pitboss.books.journal.state import BookState, Finding, Folding, Invariant, Projection, S
from pitboss.books.journal.writer import (
    Answer,
    ClosedError,
    Draft,
    Queued,
    Recipient,
    RefusedError,
    Reply,
    States,
    Submission,
    Writer,
    drafted,
)
from pitboss.books.ledger.accounts import INVARIANTS as MONEY_INVARIANTS
from pitboss.books.ledger.accounts import LEDGER
from pitboss.books.store.base import TIME_DECISION, JournalStore, RightedSpan
from pitboss.books.store.directory import Directory, Witness

PROJECTIONS: tuple[Projection[Any], ...] = (LEDGER, ROOM, DECISIONS)
"""The parts of a book's state that the books bring themselves."""
INVARIANTS: tuple[Invariant, ...] = (*MONEY_INVARIANTS, *SETTINGS_INVARIANTS)
"""The invariants that the books bring themselves."""
SNAPSHOT_EVERY = 5_000
_SNAPSHOT_ON_CLOSE = 1_000
_ACTOR = "pitboss"
_log = logging.getLogger(__name__)


class HaltedError(RuntimeError):
    """The books are damaged and nobody has decided: no money moves."""

    def __init__(self, wrong: Iterable[Damage | Finding]) -> None:
        self.wrong = tuple(wrong)
        reasons = "; ".join(map(str, self.wrong[:5])) or "an audit has halted the books"
        more = f"; and {len(self.wrong) - 5} more" if len(self.wrong) > 5 else ""
        super().__init__(f"no money moves until two people decide (G-29): {reasons}{more}")


class ClockJumpedError(HaltedError):
    """The clock has jumped and nobody has decided: nothing is written."""

    def __init__(self, text: str) -> None:
        super().__init__(())
        self.args = (f"nothing is written until two people decide which time is right (G-77): {text}",)


class ReadOnlyError(HaltedError):
    """Nothing is written by this process, for a reason that is none of the books."""

    def __init__(self, reason: str) -> None:
        RuntimeError.__init__(self, f"nothing is written: {reason}")
        self.wrong = ()


def folding_of(projections: Iterable[Projection[Any]] = (), invariants: Iterable[Invariant] = ()) -> Folding:
    """Return the fold of the books' own parts and those of later packages, with the invariants of both."""
    return Folding((*PROJECTIONS, *projections), (*INVARIANTS, *invariants))


def checked_folding(projections: Iterable[Projection[Any]], invariants: Iterable[Invariant] | None) -> Folding:
    """Return the fold for writing and audits; whoever brings parts of the state states their invariants too."""
    parts = tuple(projections)
    if parts and invariants is None:
        raise TypeError("state the invariants with the projections: books are never written or audited without them")
    return folding_of(parts, invariants or ())


def read_all(directory: Directory, store: JournalStore, folding: Folding, *, whole: bool) -> dict[str, BookReading]:
    """Read every book of a store, also one that only its witness remembers."""
    names = sorted({*store.books(), *directory.witnessed_books()})
    readings = {}
    for book in names:
        reading = read_book(store, folding, book, witness=directory.required_witness(book), whole=whole)
        reading.damages += heads.signer_damages(directory, book, reading.state)
        readings[book] = reading
    return readings


def last_before(store: JournalStore, book: str, instant: Instant, head: int) -> int:
    """Return the last entry recorded before an instant, or 0; `recorded` never goes back, so it is found by halving."""
    low, high = 0, head
    while low < high:
        middle = (low + high + 1) // 2
        # Where a number was lost (G-29), the next one there is.
        row = store.first_entry(book, middle - 1, head)
        entry = None if row is None else next(store.righted(book, [row]))
        if entry is not None and entry.recorded < instant:
            low = max(middle, min(entry.sequence, high))
        else:
            high = middle - 1
    return low


def state_at(store: JournalStore, book: str, upto: int, needed: Iterable[Projection[Any]] = ()) -> BookReading:
    """Read the books' own parts and some more as they stand after an entry, from the nearest sealed state."""
    folding = Folding((*PROJECTIONS, *needed))
    start = next(snapshot_states(store, folding, book, upto), None)
    return read_part(store, folding, book, start, upto, rules=False, last=False)


class Books:
    """A room's books, open for writing in this process alone; made by `open_books`."""

    def __init__(
        self,
        directory: Directory,
        folding: Folding,
        *,
        snapshot_every: int,
        at_point: Callable[[str], None],
        clock: Callable[[], Instant],
        watch: ClockWatch | None = None,
        stands_by: bool = False,
        folded_ahead: Mapping[Any, Any] | None = None,
    ) -> None:
        self.directory, self.folding = directory, folding
        self._clock, self._watch = clock, watch
        self._every = snapshot_every
        self._closed = False
        self.read_only = ""
        """Why this process writes nothing, though nothing is wrong with the books; empty where it writes."""
        self._lock = directory.lock()
        try:
            self.store = directory.open_store(write=True, stands_by=stands_by)
            self.store.folded_alone.update(folded_ahead or {})
            self._take_halt()
            self._readings = read_all(directory, self.store, folding, whole=directory.is_halted)
        except BaseException:
            self._lock.release()
            raise
        # A snapshot that lacks a part gives cause for another, so that the part is folded alone once.
        self._sealed = {book: 0 if reading.lacking else reading.since for book, reading in self._readings.items()}
        self._wrong = _wrong(self._readings)
        if not self._wrong and self.store.leads:
            self._lift_halt()
        states = {book: reading.state for book, reading in self._readings.items()}
        self._jump = directory.clock_jump
        if watch is not None and not self._jump:
            self._note_jump(watch.opened(max((state.recorded for state in states.values()), default=0)))
        self._writer = Writer(
            self.store,
            directory,
            folding,
            states,
            halted=self._halt,
            caught_up=self._caught_up,
            after=self._seal_when_due,
            beaten=self._share_halt,
            at_point=at_point,
            clock=clock,
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Commit what is in line, seal what is long, and let others write; closing twice does nothing."""
        if self._closed:
            return
        self._closed = True
        if not self.halted and self.is_leader:
            for book, state in self._writer.states.items():
                if state.sequence - self._sealed.get(book, 0) >= _SNAPSHOT_ON_CLOSE:
                    self._seal(book, state)
        self._writer.close()
        self.store.close()
        self.directory.close()
        self._lock.release()

    @property
    def halted(self) -> tuple[Damage | Finding, ...]:
        """What is wrong and undecided; while there is anything, no money moves."""
        return tuple(self._wrong)

    @property
    def is_alive(self) -> bool:
        """True if the writer takes commands: its thread runs, and is not stuck in one commit."""
        return self._writer.is_alive

    def names(self) -> list[str]:
        """The books there are."""
        return sorted(self._writer.states)

    def state(self, book: str) -> BookState:
        """The state of a book after the last commit; a value that does not change."""
        return self._writer.states.get(book) or self.folding.empty()

    def part_at(self, book: str, upto: int, projection: Projection[S]) -> S:
        """Return what one part of the state of a book came to after an entry."""
        return part_at(self.store, book, upto, projection)

    def submit(self, submission: Submission) -> Answer:
        """Submit and wait: when this returns, the entries are on disk and in the state."""
        reply = Reply()
        self._writer.submit(Queued(submission, reply))
        return reply.result()

    def submit_later(self, submission: Submission) -> Future[Answer]:
        """Queue a submission; the future has its answer after the commit, or what spoke against it."""
        future: Future[Answer] = Future()
        self.submit_for(submission, future)
        return future

    def submit_for(self, submission: Submission, waiting: Recipient) -> None:
        """Queue a submission for somebody who is told the answer after the commit, or what spoke against it."""
        self._writer.submit(Queued(submission, waiting))

    def check(self, submission: Submission, state: BookState | None = None) -> None:
        """Raise `RefusedError` with what speaks against a submission now, or in a state; nothing is written."""
        problems = submission.problems()
        if problems:
            raise RefusedError(problems)
        drafted(submission, b"", state or self.state(submission.book), self.folding, microseconds_now())

    def seal(self, book: str) -> Answer:
        """Seal the state of a book in an entry of its own."""
        return self._seal(book, self.state(book)).result()

    def _seal(self, book: str, state: BookState) -> Reply:
        submission = Submission(
            book=book,
            id=f"snapshot-{state.sequence + 1}-{state.digest.hex()[:12]}",
            actor=_ACTOR,
            content={},
            decide=lambda now: [Draft(self._snapshot(book, now))],
        )
        # The snapshot is an entry too, and gives no cause for another.
        self._sealed[book] = state.sequence + 1
        reply = Reply()
        self._writer.submit(Queued(submission, reply, seals=True))
        return reply

    def _snapshot(self, book: str, state: BookState) -> SnapshotSealed:
        return heads.sealed_by(self.directory.signer(book), book, state, hash_of(self.folding.seal(state)).hex())

    def sign_head(self, book: str, cause: str) -> heads.BookHead:
        """Return where a book ends; signed by the key in force, and then the signature is an entry of the book too."""
        state, signer = self.state(book), self.directory.signer(book)
        key = heads.keys_of(state).server
        if key is None or signer is None or key.id != signer.id:
            return heads.BookHead.of(book, state, None)
        signed: list[heads.BookHead] = []

        def decide(now: BookState) -> list[Draft]:
            head = heads.BookHead.of(book, now, signer)
            signed[:] = [head]
            return [Draft(heads.HeadSigned(cause=cause, **{k: v for k, v in head._asdict().items() if k != "book"}))]

        command = f"head-{state.sequence + 1}-{state.digest.hex()[:12]}"
        self.submit(Submission(book=book, id=command, actor=_ACTOR, content={"cause": cause}, decide=decide))
        return signed[0] if signed else heads.BookHead.of(book, state, signer)

    def sealed_upto(self, book: str) -> int:
        """The number of the newest snapshot of a book."""
        return self._sealed.get(book, 0)

    def _seal_when_due(self, writer: Writer) -> None:
        for book, state in writer.states.items():
            if state.sequence - self._sealed.get(book, 0) >= self._every:
                try:
                    self._seal(book, state)
                except ClosedError:
                    return

    def _caught_up(self, states: States) -> States:
        """Read what a store that was away, or that another server writes, has beyond the states in memory.

        What was acknowledged and is not there any more is damage like any other: the books are halted (G-29).
        """
        if self.store.leads:
            self.directory.close()
            self._lock = self._lock.held_anew()
        elif not has_moved(self.store, states):
            return states
        after, wrong = read_on(self.store, self.directory, self.folding, states, follows=not self.store.leads)
        if self.store.leads and self.store.is_shared:
            wrong += self._begin_to_write(after)
        if wrong:
            new = [problem for problem in wrong if problem not in self._wrong]
            self._wrong = [*self._wrong, *new]
            for problem in new:
                _log.error("the books in %s are halted (G-29): %s", self.directory.path, problem)
            after = states
        for book, state in after.items():
            self.directory.bear_witness(book, Witness(state.sequence, state.digest))
        return after

    def _begin_to_write(self, states: States) -> list[Damage]:
        """Take over what is in force: the halt, the newest snapshots, the keys, and whether the clock is right."""
        self._take_halt()
        damages: list[Damage] = []
        for book, state in states.items():
            self._sealed[book] = max([0, *self.store.snapshot_numbers(book, 0, state.sequence)])
            damages += heads.signer_damages(self.directory, book, state)
        if self._watch is not None and not self._jump:
            self._note_jump(self._watch.opened(max((state.recorded for state in states.values()), default=0)))
        return damages

    def _take_halt(self) -> None:
        """Halt where a server that wrote before this one was halted (G-29)."""
        self._shared_halt = self.store.halt() if self.store.leads else ""
        if self._shared_halt and not self.directory.is_halted:
            self.directory.put_halt(self._shared_halt)

    def _share_halt(self) -> None:
        """Store a halt for whichever server writes next."""
        text = self.directory.halt_text
        if text != self._shared_halt:
            self.store.share_halt(text)
            self._shared_halt = text

    def _lift_halt(self) -> None:
        self.directory.lift_halt()
        self._share_halt()

    @property
    def is_leader(self) -> bool:
        """True if this process can write: no other server does, and the database that they share answers."""
        return self._writer.broken is None or not self.store.is_shared

    @property
    def stands_by(self) -> bool:
        """True while another server writes these books, and this one follows it."""
        return self._writer.follows

    @property
    def unwritable(self) -> str:
        """Why nothing can be written at the moment: the store does not answer; empty where another server writes."""
        return "" if self._writer.broken is None or self._writer.follows else str(self._writer.broken)

    @property
    def clock_jump(self) -> str:
        """How the clock has jumped, until two people have decided; empty where it has not (G-77)."""
        if not self._jump and self._watch is not None:
            self._note_jump(self._watch.look())
        return self._jump

    def _note_jump(self, text: str) -> None:
        self._jump = text
        if text:
            self.directory.note_clock(text)

    @property
    def is_halted(self) -> bool:
        """True if no money moves: by damage found here or by an audit, by the clock, or by changed software."""
        return bool(self._wrong) or bool(self.read_only) or self.directory.is_halted or bool(self.clock_jump)

    def _halt(self) -> Callable[[], HaltedError] | None:
        if self.read_only:
            return partial(ReadOnlyError, self.read_only)
        if self.clock_jump:
            return partial(ClockJumpedError, self._jump)
        return partial(HaltedError, self._wrong) if self._wrong or self.directory.is_halted else None

    def decide_damage(
        self, book: str, *, person: str, second: str, reason: str, command: str, copy: JournalStore | None = None
    ) -> Answer:
        """Journal the decision of two people that a damaged book goes on (G-29).

        Entries that a copy has as they were, proved by their hashes, are put back first. The book is read whole: the
        decision names everything found, and its state is sealed with it, so that what follows builds on what stands
        there now. Other books that are damaged need decisions of their own.
        """
        problems = text_problem("person", person) + text_problem("second", second) + text_problem("reason", reason)
        if person.casefold() == second.casefold():
            problems.append(f"{second} is no second person: two people decide on damage (G-29)")
        if problems:
            raise RefusedError(problems)
        before = reading = self._read_whole(book)
        if reading.is_sound:
            raise RefusedError([f"nothing is wrong with book {book} that needs a decision"])
        copies = [] if copy is None else fitting_copies(self.store, copy, book, self.directory.witness(book))
        replaced = replaced_texts(self.store, copies)
        if copies:
            # Ended here, the process leaves the books exactly as they were acknowledged.
            self.store.put_back(copies)
        is_store_damaged = any(damage.sequence == 0 for damage in reading.open_damages)
        if is_store_damaged:
            self.store.rebuild_index()
            self.store.lay_guards()
        if copies or is_store_damaged:
            reading = self._read_whole(book)
        value = DamageDecided(
            person=person,
            second=second,
            reason=reason,
            damages=tuple(dict.fromkeys((*before.open_damages, *reading.open_damages))),
            restored=tuple(entry.sequence for entry in copies),
            replaced=replaced,
            doubtful=doubtful_amounts(self.store, reading, reading.open_damages),
        )
        reply = Reply()
        self._writer.submit(self._decision(reading, value, command, reply))
        answer = reply.result()
        self._readings = {**self._readings, book: read_book(self.store, self.folding, book)}
        self._wrong = [problem for problem in self._wrong if problem.book != book]
        if not self._wrong:
            self._lift_halt()
        return answer

    def decide_time(self, book: str, *, person: str, second: str, reason: str) -> Answer:
        """Journal the decision of two people that the clock is right now, after it jumped (G-77).

        Entries that are dated later than now were written by a wrong clock. They count as of the last right entry: the
        book is folded anew with that, so that no gambling day and no term rests on the wrong time any more.
        """
        problems = text_problem("person", person) + text_problem("second", second) + text_problem("reason", reason)
        if person.casefold() == second.casefold():
            problems.append(f"{second} is no second person: two people decide on the time (G-77)")
        if not self.clock_jump:
            problems.append("the clock has not jumped: there is nothing to decide")
        if self._wrong:
            problems.append("the books are damaged: that is decided first (G-29)")
        if problems:
            raise RefusedError(problems)
        spans, span = self.store.righted_spans(book), self._wrong_span(book)
        command = TIME_DECISION.format(len(spans) + 1)
        value = TimeDecided(person=person, second=second, reason=reason, first=span.first, last=span.last, at=span.at)
        self.store.spans[book] = (*spans, span)
        try:
            answer = self._decided(book, value, command, span)
        finally:
            # Read again from what is on disk, whatever became of it.
            self.store.spans.pop(book)
        self._jump = ""
        self.directory.note_clock("")
        if self._watch is not None:
            self._watch.seen = None
        self.seal(book)
        return answer

    def _wrong_span(self, book: str) -> RightedSpan:
        """Return the entries at the end of a book that are dated later than now, and the time of the last before."""
        head, now = self.state(book).sequence, self._clock()
        first = last_before(self.store, book, now + 1, head) + 1
        before = self.store.entry(book, first - 1) if first <= head else None
        if first > head:
            return RightedSpan(0, 0, 0, head + 1)
        [righted] = self.store.righted(book, [before]) if before is not None else [None]
        return RightedSpan(first, head, now if righted is None else righted.recorded, head + 1)

    def _decided(self, book: str, value: TimeDecided, command: str, span: RightedSpan) -> Answer:
        reading = self._read_whole(book) if span.first else None
        if reading is not None and not reading.is_sound:
            raise RefusedError(["the books are damaged: that is decided first (G-29)"])
        submission = Submission(
            book=book,
            id=command,
            actor=value.person,
            content=["decide-time", value.reason, span.first, span.last],
            decide=lambda _: [Draft(value)],
        )
        reply = Reply()
        instead = None if reading is None else reading.state
        self._writer.submit(Queued(submission, reply, decides=True, instead=instead))
        return reply.result()

    def _read_whole(self, book: str) -> BookReading:
        witness = self.directory.required_witness(book)
        reading = read_book(self.store, self.folding, book, witness=witness, whole=True)
        reading.damages += heads.signer_damages(self.directory, book, reading.state)
        return reading

    def _decision(self, reading: BookReading, decided: DamageDecided, command: str, reply: Reply) -> Queued:
        witness = self.directory.witness(reading.book)
        last = max(reading.state.sequence, 0 if witness is None else witness.sequence)

        def decide(_: BookState) -> list[Draft]:
            return [Draft(self._snapshot(reading.book, reading.state)), Draft(decided)]

        submission = Submission(
            book=reading.book,
            id=command,
            actor=decided.person,
            content=["decide-damage", decided.reason, [list(damage) for damage in decided.damages]],
            decide=decide,
        )
        return Queued(submission, reply, first=last + 1, seals=True, decides=True, instead=reading.state)


def _wrong(readings: dict[str, BookReading]) -> list[Damage | Finding]:
    wrong: list[Damage | Finding] = []
    for reading in readings.values():
        wrong += reading.open_damages
        wrong += reading.open_findings
    return wrong


def open_books(
    path: Path,
    *,
    projections: Iterable[Projection[Any]] = (),
    invariants: Iterable[Invariant] | None = None,
    snapshot_every: int = SNAPSHOT_EVERY,
    at_point: Callable[[str], None] = lambda _: None,
    clock: Callable[[], Instant] = microseconds_now,
    watch: ClockWatch | None = None,
    stands_by: bool = False,
    folded_ahead: Mapping[Any, Any] | None = None,
) -> Books:
    """Open the books in a data directory for writing; a second process that tries is refused, or `stands_by`.

    Only what follows the last sealed snapshot is read and checked, unless an audit has halted the books. Parts that a
    snapshot lacks go on from those of `fold_ahead`, where they are passed.
    """
    return Books(
        Directory(path),
        checked_folding(projections, invariants),
        snapshot_every=snapshot_every,
        at_point=at_point,
        clock=clock,
        watch=watch,
        stands_by=stands_by,
        folded_ahead=folded_ahead,
    )


def fold_ahead(directory: Directory, projections: Iterable[Projection[Any]], book: str) -> dict[Any, Any]:
    """Fold the parts that the last snapshot of a book lacks, while others write; `open_books` goes on from them."""
    with closing(directory.open_store(write=False)) as store:
        next(starts(store, checked_folding(projections, ()), book), None)
        return dict(store.folded_alone)
