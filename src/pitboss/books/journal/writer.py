"""The writer: one thread that takes what many threads submit, and commits it together.

A command is acknowledged after the commit that holds it, and the state that others read moves after the commit too. A
commit that fails moves nothing, and everybody who waited for it is told.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from contextvars import ContextVar
from dataclasses import dataclass, field
from queue import Empty, SimpleQueue
from typing import NamedTuple, Protocol

from pitboss.books.journal.clock import microseconds_now
from pitboss.books.journal.codec import Json, canonical, hash_of
from pitboss.books.journal.entries import GENESIS, Entry, Instant, new_entry, text_problem
from pitboss.books.journal.payloads import Payload, UnreadableError, write_payload
from pitboss.books.journal.state import BookState, EntryStep, Folding
from pitboss.books.store.base import (
    JournalStore,
    NotCommittedError,
    Snapshot,
    StandbyError,
    StoreError,
    UnknownOutcomeError,
)
from pitboss.books.store.directory import Directory, Witness, book_name_problem
from pitboss.books.store.keys import key_id

_LATEST = 2**53
_STUCK_SECONDS = 60
"""A commit that takes so long does not come back: the service is started anew."""


class RefusedError(ValueError):
    """A refusal, with everything that speaks against the submission; nothing has changed."""

    def __init__(self, problems: Iterable[str]) -> None:
        self.problems = tuple(problems)
        super().__init__("; ".join(self.problems))


class UsedIdError(RefusedError):
    """An id under which something else was done before."""


@dataclass(frozen=True, slots=True)
class Draft:
    """An entry to be written: its payload, and where and when it happened if that differs from its submission."""

    value: Payload
    table: str | None = None
    happened: Instant | None = None


Decide = Callable[[BookState], Sequence[Draft]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Submission:
    """A submission, carried out once: `decide` computes its entries from the state that all before it have left.

    `id` is made by the client and `content` is its request, in JSON: the same id with the same content is answered
    with the entries of the first time, with other content it is refused. `decide` runs in the writer, one after
    another; it must be a quick pure function, and may raise to refuse.
    """

    book: str
    id: str
    actor: str
    content: Json
    decide: Decide = field(compare=False)
    table: str = ""
    happened: Instant | None = None

    @property
    def request(self) -> bytes:
        """The hash of the request: its content, who made it and where."""
        return hash_of(canonical([self.actor, self.table, self.happened, self.content]))

    def problems(self) -> list[str]:
        """Return everything that is wrong with the submission itself."""
        problems = book_name_problem(self.book) + text_problem("id", self.id) + text_problem("actor", self.actor)
        problems += text_problem("table", self.table, empty=True)
        if self.happened is not None and (type(self.happened) is not int or not 0 <= self.happened < _LATEST):
            problems.append(f"happened: {self.happened!r} must be microseconds since 1970 UTC")
        return problems


class Answer(NamedTuple):
    """What a submission came to: its entries, on disk; `again` says that they were there before."""

    entries: tuple[Entry, ...]
    again: bool

    @property
    def head(self) -> str:
        """The head of the book after the command, as printed on slips."""
        return self.entries[-1].digest.hex()


def answered_again(submission: Submission, request: bytes, written: Sequence[Entry]) -> Answer:
    """Answer an id that was used before: with the same entries if the request is the same, else not at all."""
    if written[0].request != request:
        used = f"command {submission.id} was used for something else (entry {written[0].sequence})"
        raise UsedIdError([f"{used}: a new command needs a new id"])
    return Answer(tuple(written), again=True)


def drafted(
    submission: Submission,
    request: bytes,
    state: BookState,
    folding: Folding,
    recorded: Instant,
    first: int | None = None,
) -> tuple[list[Entry], BookState]:
    """Compute the entries of a submission and the state after them; nothing is written yet.

    `first` is the sequence of the first entry, where that is not the next: entries that were lost keep their numbers.
    """
    drafts = list(submission.decide(state))
    if not drafts:
        raise RefusedError([f"command {submission.id} does nothing"])
    wrong = [words for draft in drafts if draft.table for words in text_problem("table", draft.table)]
    if wrong:
        raise RefusedError(wrong)
    entries: list[Entry] = []
    sequence = state.sequence + 1 if first is None else first
    # The clock of a computer may be set back; the order of a book may not.
    recorded = max(recorded, state.recorded)
    happened = recorded if submission.happened is None else submission.happened
    for part, draft in enumerate(drafts):
        value = draft.value
        entry = new_entry(
            submission.book,
            sequence + part,
            happened if draft.happened is None else draft.happened,
            recorded,
            submission.actor,
            submission.table if draft.table is None else draft.table,
            value.kind,
            _payload_text(value),
            submission.id,
            part,
            len(drafts),
            request,
            state.digest,
        )
        state = _checked(state, entry, value, folding)
        entries.append(entry)
    return entries, state


def _payload_text(value: Payload) -> str:
    try:
        return write_payload(value)
    except (UnreadableError, TypeError, ValueError) as error:
        raise RefusedError([str(error)]) from None


def _checked(state: BookState, entry: Entry, value: Payload, folding: Folding) -> BookState:
    """Fold an entry that is to be written, and refuse it with every invariant that it would break."""
    try:
        after = folding.fold(state, entry, value)
    except UnreadableError as error:
        problems = [finding.words for finding in folding.step_findings(EntryStep(state, entry, value, state))]
        raise RefusedError(problems or [str(error)]) from None
    if findings := folding.step_findings(EntryStep(state, entry, value, after)):
        raise RefusedError([finding.words for finding in findings])
    return after


_KEY = "key-added"
_BATCH_MAX = 1_000
AGAIN_SECONDS = 1.0
"""So often a store that does not answer is tried again."""
FOLLOW_SECONDS = 0.25
"""So often a server that stands by reads what is new, and looks whether it must take over."""
POINTS = ("taken", "decided", "committed", "published", "witnessed", "acknowledged")
"""The points of a batch at which a test may end the process, besides every call to the system inside the commit."""


States = dict[str, BookState]
Halt = Callable[[], Exception]
"""Why no money moves, as the error that tells whoever wants to move some."""


class ClosedError(RuntimeError):
    """The books were closed before the command was taken: nothing of it was written."""


WRITTEN: ContextVar[list[int] | None] = ContextVar("written", default=None)
"""Where the numbers of entries are noted that are written for what is done in this context, such as a request."""


class Recipient(Protocol):
    """Whoever waits for an answer, in a thread or in a loop."""

    def set_running_or_notify_cancel(self) -> bool:
        """Return False where nobody waits any more."""

    def set_result(self, answer: Answer, /) -> None:
        """Receive the answer."""

    def set_exception(self, error: BaseException, /) -> None:
        """Receive what spoke against it."""


class Reply:
    """Where one thread waits for one answer: what a future does of that, for a fraction of its cost."""

    __slots__ = ("_answer", "_door", "_error")

    def __init__(self) -> None:
        self._answer: Answer | None = None
        self._error: BaseException | None = None
        self._door = threading.Lock()
        self._door.acquire()

    def set_running_or_notify_cancel(self) -> bool:
        """Nobody cancels what they wait for."""
        return True

    def set_result(self, answer: Answer) -> None:
        """Answer the thread that waits."""
        self._answer = answer
        self._door.release()

    def set_exception(self, error: BaseException) -> None:
        """Raise in the thread that waits."""
        self._error = error
        self._door.release()

    def result(self) -> Answer:
        """Wait for the answer."""
        self._door.acquire()
        if self._answer is None:
            assert self._error is not None
            raise self._error
        return self._answer


@dataclass(slots=True)
class Queued:
    """A submission in line, and where its answer will be."""

    submission: Submission
    answer: Recipient = field(default_factory=Reply)
    first: int | None = None
    """The sequence to begin with, where entries were lost."""
    seals: bool = False
    """True if the state before the command is kept beside its first entry."""
    decides: bool = False
    """True if it is a person's decision about damage, which is taken while the books are halted."""
    instead: BookState | None = None
    """The state to go on from, where that is not the one in memory."""
    problems: list[str] = field(init=False)
    request: bytes = field(init=False, default=b"")
    written: list[int] | None = field(init=False, default_factory=WRITTEN.get)

    def __post_init__(self) -> None:
        """Look at the command in the thread that submits it, while the writer waits for the disk."""
        self.problems = self.submission.problems()
        try:
            self.request = self.submission.request
        except TypeError as error:
            self.problems.append(f"content: {error}")


@dataclass(slots=True)
class _Batch:
    """What one commit will hold, with the states after it."""

    states: dict[str, BookState]
    halt: Halt | None = None
    """Why no money moves, where the books are halted; looked at once, before anything is decided."""
    entries: list[Entry] = field(default_factory=list)
    sealed: list[Snapshot] = field(default_factory=list)
    done: list[tuple[Queued, Answer]] = field(default_factory=list)
    refused: list[tuple[Queued, Exception]] = field(default_factory=list)
    by_id: dict[tuple[str, str], list[Entry]] = field(default_factory=dict)
    """What commands have written, earlier or in this batch."""


def _verify_moves(batch: _Batch, queued: Queued) -> None:
    if batch.halt is not None and not queued.decides:
        raise batch.halt()


class Writer:
    """The one writer of every book in a store."""

    def __init__(
        self,
        store: JournalStore,
        directory: Directory,
        folding: Folding,
        states: dict[str, BookState],
        *,
        halted: Callable[[], Halt | None] = lambda: None,
        caught_up: Callable[[States], States] = lambda states: states,
        after: Callable[[Writer], None] = lambda _: None,
        beaten: Callable[[], None] = lambda: None,
        at_point: Callable[[str], None] = lambda _: None,
        clock: Callable[[], Instant] = microseconds_now,
    ) -> None:
        self.states = states
        """The state of every book after the last commit; the mapping is replaced, never changed."""
        self.broken: Exception | None = None if store.leads else StandbyError("another server writes")
        """Why nothing can be written, until the store answers again, or the server that writes has ended."""
        self._again_at = self._beat_at = self._busy_since = 0.0
        self._caught_up, self._beaten = caught_up, beaten
        self._store, self._directory, self._folding = store, directory, folding
        self._halted, self._after, self._at_point, self._clock = halted, after, at_point, clock
        self._queue: SimpleQueue[Queued | None] = SimpleQueue()
        self._door = threading.Lock()
        self._closed = False
        self._thread = threading.Thread(target=self._run, name="pitboss-books-writer", daemon=True)
        self._thread.start()

    def submit(self, queued: Queued) -> None:
        """Queue a command; its answer comes after its commit."""
        with self._door:
            if self._closed:
                raise ClosedError("the books are closed")
            self._queue.put(queued)

    @property
    def is_alive(self) -> bool:
        """True if the thread that writes runs, and is not stuck in one commit."""
        since = self._busy_since
        return self._thread.is_alive() and (not since or time.monotonic() - since < _STUCK_SECONDS)

    def close(self) -> None:
        """Commit what is in line, and end."""
        with self._door:
            if not self._closed:
                self._closed = True
                self._queue.put(None)
        self._thread.join()

    def _run(self) -> None:
        while True:
            first = self._next()
            if first is None:
                return
            line, last = [first], False
            while len(line) < _BATCH_MAX and not last:
                try:
                    waiting = self._queue.get_nowait()
                except Empty:
                    break
                if waiting is None:
                    last = True
                else:
                    line.append(waiting)
            self._busy_since = time.monotonic()
            self._commit([queued for queued in line if queued.answer.set_running_or_notify_cancel()])
            self._busy_since = 0.0
            self._after(self)
            if last:
                return

    @property
    def follows(self) -> bool:
        """True while another server writes and this one stands by."""
        return isinstance(self.broken, StandbyError)

    def _next(self) -> Queued | None:
        """Wait for a command; while the store does not answer or another server writes, try it again and again."""
        while True:
            self._beat_when_due()
            seconds = FOLLOW_SECONDS if self.follows else AGAIN_SECONDS
            try:
                return self._queue.get(timeout=self._store.beat_seconds if self.broken is None else seconds)
            except Empty:
                if self.broken is not None:
                    self._come_back()

    def _beat_when_due(self) -> None:
        """Show the store that this writer is there, where the store ends one that is silent."""
        seconds = self._store.beat_seconds
        if seconds is None or self.broken is not None or time.monotonic() < self._beat_at:
            return
        try:
            self._beat_at = time.monotonic() + seconds
            self._store.beat()
            self._beaten()
        except StoreError as error:
            self.broken, self._again_at = error, 0.0
            self._come_back()

    def _come_back(self) -> None:
        """Use the store again if it answers, on a new connection and after its tail was checked."""
        if time.monotonic() < self._again_at:
            return
        stands_by: StandbyError | None = None
        try:
            try:
                self._store.reconnect()
            except StandbyError as error:
                stands_by = error
            states = self._caught_up(self.states)
        except Exception as error:  # noqa: BLE001 - whatever keeps the store away, it is tried again
            cause = f"the books cannot be written: {error}; send the same command again in a moment"
            self.broken = UnknownOutcomeError(cause)
            self._again_at = time.monotonic() + AGAIN_SECONDS
            self._at_point("away")
            return
        has_moved, self.broken, self.states = states is not self.states, stands_by, states
        if stands_by is None:
            self._beat_at = 0.0
            self._at_point("leads")
        else:
            self._again_at = time.monotonic() + FOLLOW_SECONDS
            self._at_point("follows")
        if stands_by is None or has_moved:
            self._at_point("published")

    def _settle_failure(self, line: list[Queued], batch: _Batch, error: Exception, *, again: bool) -> None:
        """After a failed commit answer nobody before the store was opened anew and says what it has, on disk."""
        self._again_at = 0.0
        self.broken = error
        self._come_back()
        if self.broken is not None:
            unknown = UnknownOutcomeError(f"the commit failed ({error}), and {self.broken}")
            self._refuse(line, unknown)
            return
        if not batch.entries and not again:
            # Nothing was sent to the store yet: a connection was lost while it lay idle.
            self._commit(line, again=True)
            return
        heads = {entry.book: entry.digest for entry in batch.entries}
        if heads and all(book in self.states and self.states[book].digest == heads[book] for book in heads):
            self._bear_witness(batch)
            self._acknowledge(batch)
            return
        self._refuse(line, NotCommittedError(f"nothing was written and nothing has moved: {error}"))

    def _refuse(self, line: list[Queued], error: Exception) -> None:
        for queued in line:
            queued.answer.set_exception(error)

    def _commit(self, line: list[Queued], *, again: bool = False) -> None:
        self._at_point("taken")
        if self.broken is not None:
            self._come_back()
        batch = _Batch(dict(self.states))
        try:
            batch.halt = self._halted()
            batch.by_id = self._written_before(line)
            for queued in line:
                self._decide(batch, queued)
            self._at_point("decided")
            if batch.entries:
                self._witness_before(batch)
                self._store.append(batch.entries, batch.sealed)
                self._at_point("committed")
        except StoreError as error:
            self._settle_failure(line, batch, error, again=again)
            return
        except Exception as error:  # noqa: BLE001 - whoever waits is told, whatever it was
            self._refuse(line, error)
            return
        self._publish(batch)
        self._acknowledge(batch)

    def _acknowledge(self, batch: _Batch) -> None:
        for queued, answer in batch.done:
            if queued.written is not None:
                queued.written += [entry.sequence for entry in answer.entries]
            queued.answer.set_result(answer)
        for queued, refusal in batch.refused:
            queued.answer.set_exception(refusal)
        self._at_point("acknowledged")

    def _publish(self, batch: _Batch) -> None:
        """Move the state that others read, and bear witness; what is committed is acknowledged in any case."""
        if not batch.entries:
            return
        self.states = batch.states
        self._at_point("published")
        self._bear_witness(batch)

    def _witness_before(self, batch: _Batch) -> None:
        """Bear witness of a book before its first entry, and signed before its first key: neither is ever missing."""
        try:
            for book in batch.states.keys() - self.states.keys():
                self._directory.bear_witness(book, Witness(0, GENESIS))
            for entry in batch.entries:
                if entry.kind == _KEY:
                    self._sign_before(entry)
        except OSError as error:
            raise StoreError(f"nothing can be written in {self._directory.path}: {error.strerror}") from error

    def _sign_before(self, entry: Entry) -> None:
        added, directory, book = json.loads(entry.payload), self._directory, entry.book
        if added.get("apart"):
            return
        name, before = key_id(added["public"]), directory.signer(book)
        if not directory.choose_signer(book, name):
            raise RefusedError([f"the private half of key {name} is not among those that heads.toml names"])
        if before is not None:
            # The old key signs until the new one is in the book.
            directory.choose_signer(book, before.id)
            return
        state = self.states.get(book) or self._folding.empty()
        directory.bear_witness(book, Witness(state.sequence, state.digest))
        directory.sync_witness(book)

    def _take_keys(self, batch: _Batch) -> None:
        """Sign by a key that the batch has added."""
        for entry in batch.entries:
            if entry.kind == _KEY and not (added := json.loads(entry.payload)).get("apart"):
                self._directory.choose_signer(entry.book, key_id(added["public"]))

    def _bear_witness(self, batch: _Batch) -> None:
        heads = {entry.book: entry for entry in batch.entries}
        self._take_keys(batch)
        try:
            for head in heads.values():
                self._directory.bear_witness(head.book, head)
        except OSError:
            # A witness that is behind accuses nobody; a full disk is found by the next commit.
            return
        self._at_point("witnessed")

    def _written_before(self, line: list[Queued]) -> dict[tuple[str, str], list[Entry]]:
        """Find commands that were carried out before, those of a book at once."""
        if self.broken is not None:
            return {}
        ids: dict[str, list[str]] = {}
        for queued in line:
            if not queued.problems:
                ids.setdefault(queued.submission.book, []).append(queued.submission.id)
        return {
            (book, command): entries
            for book, some in ids.items()
            for command, entries in self._store.commands(book, some).items()
        }

    def _verify(self, queued: Queued) -> None:
        if self.broken is not None:
            raise self.broken
        if queued.problems:
            raise RefusedError(queued.problems)

    def _decide(self, batch: _Batch, queued: Queued) -> None:
        submission = queued.submission
        try:
            self._verify(queued)
            key = (submission.book, submission.id)
            written = batch.by_id.get(key)
            if written:
                batch.done.append((queued, answered_again(submission, queued.request, written)))
                return
            _verify_moves(batch, queued)
            state = queued.instead or batch.states.get(submission.book) or self._folding.empty()
            entries, after = drafted(submission, queued.request, state, self._folding, self._clock(), queued.first)
        except Exception as error:  # noqa: BLE001 - what a command raises is its own answer, and nobody else's
            batch.refused.append((queued, error))
            return
        if queued.seals:
            batch.sealed.append(Snapshot(submission.book, entries[0].sequence, self._folding.seal(state)))
        batch.states[submission.book] = after
        batch.entries += entries
        batch.by_id[key] = entries
        batch.done.append((queued, Answer(tuple(entries), again=False)))
