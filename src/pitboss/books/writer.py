"""The writer: one thread that takes what many threads submit, and commits it together.

A command is acknowledged after the commit that holds it, and the state that others read moves after the commit too. A
commit that fails moves nothing, and everybody who waited for it is told.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass, field
from queue import Empty, SimpleQueue

from pitboss.books.commands import Answer, Command, RefusedError, drafted, microseconds_now, replayed
from pitboss.books.directory import Directory
from pitboss.books.entries import Entry
from pitboss.books.state import BookState, Folding
from pitboss.books.store import Sealed, Store, UnknownOutcomeError

__all__ = ["POINTS", "ClosedError", "Reply", "Submitted", "Writer"]

_BATCH_MAX = 1_000
POINTS = ("taken", "decided", "committed", "published", "witnessed", "acknowledged")
"""The points of a batch at which a test may end the process, besides every call to the system inside the commit."""


Halt = Callable[[], Exception]
"""Why no money moves, as the error that tells whoever wants to move some."""


class ClosedError(RuntimeError):
    """The books were closed before the command was taken: nothing of it was written."""


class Reply:
    """Where one thread waits for one answer: what a future does of that, for a fraction of its cost."""

    __slots__ = ("_answer", "_door", "_error")

    def __init__(self) -> None:
        self._answer: Answer | None = None
        self._error: BaseException | None = None
        self._door = threading.Lock()
        self._door.acquire()

    def set_running_or_notify_cancel(self) -> bool:
        """Nobody cancels what he waits for."""
        return True

    def set_result(self, answer: Answer) -> None:
        """Answer, and let the thread go on."""
        self._answer = answer
        self._door.release()

    def set_exception(self, error: BaseException) -> None:
        """Say what spoke against it, and let the thread go on."""
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
class Submitted:
    """A command on its way, and where its answer will be."""

    command: Command
    answer: Future[Answer] | Reply = field(default_factory=Future)
    first: int | None = None
    """The sequence to begin with, where entries were lost."""
    seals: bool = False
    """Whether the state before the command is kept beside its first entry."""
    decides: bool = False
    """Whether it is a person's decision about damage, which is taken while the books are halted."""
    instead: BookState | None = None
    """The state to go on from, where that is not the one in memory."""
    problems: list[str] = field(init=False)
    request: bytes = field(init=False, default=b"")

    def __post_init__(self) -> None:
        """Look at the command in the thread that submits it, while the writer waits for the disk."""
        self.problems = self.command.problems()
        try:
            self.request = self.command.request
        except TypeError as error:
            self.problems.append(f"content: {error}")


@dataclass(slots=True)
class _Batch:
    """What one commit will hold, with the states after it."""

    states: dict[str, BookState]
    halt: Halt | None = None
    """Why no money moves, where the books are halted; looked at once, before anything is decided."""
    entries: list[Entry] = field(default_factory=list)
    sealed: list[Sealed] = field(default_factory=list)
    done: list[tuple[Submitted, Answer]] = field(default_factory=list)
    refused: list[tuple[Submitted, Exception]] = field(default_factory=list)
    by_id: dict[tuple[str, str], list[Entry]] = field(default_factory=dict)
    """What commands have written, earlier or in this batch."""


def _verify_moves(batch: _Batch, submitted: Submitted) -> None:
    if batch.halt is not None and not submitted.decides:
        raise batch.halt()


class Writer:
    """The one writer of every book in a store."""

    def __init__(
        self,
        store: Store,
        directory: Directory,
        folding: Folding,
        states: dict[str, BookState],
        *,
        halted: Callable[[], Halt | None] = lambda: None,
        after: Callable[[Writer], None] = lambda _: None,
        at_point: Callable[[str], None] = lambda _: None,
        clock: Callable[[], int] = microseconds_now,
    ) -> None:
        self.states = states
        """The state of every book after the last commit; the mapping is replaced, never changed."""
        self.broken: Exception | None = None
        self._store, self._directory, self._folding = store, directory, folding
        self._halted, self._after, self._at_point, self._clock = halted, after, at_point, clock
        self._queue: SimpleQueue[Submitted | None] = SimpleQueue()
        self._door = threading.Lock()
        self._closed = False
        self._thread = threading.Thread(target=self._run, name="pitboss-books-writer", daemon=True)
        self._thread.start()

    def submit(self, submitted: Submitted) -> None:
        """Put a command in line; its answer comes after its commit."""
        with self._door:
            if self._closed:
                raise ClosedError("the books are closed")
            self._queue.put(submitted)

    def close(self) -> None:
        """Commit what is in line, and end."""
        with self._door:
            if not self._closed:
                self._closed = True
                self._queue.put(None)
        self._thread.join()

    def _run(self) -> None:
        while True:
            first = self._queue.get()
            if first is None:
                return
            line, last = [first], False
            while len(line) < _BATCH_MAX and not last:
                try:
                    found = self._queue.get_nowait()
                except Empty:
                    break
                if found is None:
                    last = True
                else:
                    line.append(found)
            self._commit([each for each in line if each.answer.set_running_or_notify_cancel()])
            self._after(self)
            if last:
                return

    def _commit(self, line: list[Submitted]) -> None:
        self._at_point("taken")
        batch = _Batch(dict(self.states))
        try:
            batch.halt = self._halted()
            batch.by_id = self._known(line)
            for submitted in line:
                self._decide(batch, submitted)
            self._at_point("decided")
            if batch.entries:
                self._store.append(batch.entries, batch.sealed)
                self._at_point("committed")
        except Exception as error:  # noqa: BLE001 - whoever waits is told, whatever it was
            if isinstance(error, UnknownOutcomeError):
                self.broken = error
            for submitted in line:
                submitted.answer.set_exception(error)
            return
        self._publish(batch)
        for submitted, answer in batch.done:
            submitted.answer.set_result(answer)
        for submitted, refusal in batch.refused:
            submitted.answer.set_exception(refusal)
        self._at_point("acknowledged")

    def _publish(self, batch: _Batch) -> None:
        """Move the state that others read, and bear witness; what is committed is acknowledged in any case."""
        if not batch.entries:
            return
        self.states = batch.states
        self._at_point("published")
        heads = {entry.book: entry for entry in batch.entries}
        try:
            for head in heads.values():
                self._directory.bear_witness(head)
        except OSError:
            # A witness that is behind accuses nobody; a full disk is found by the next commit.
            return
        self._at_point("witnessed")

    def _known(self, line: list[Submitted]) -> dict[tuple[str, str], list[Entry]]:
        """Look for commands that have been here before, those of a book at once."""
        if self.broken is not None:
            return {}
        ids: dict[str, list[str]] = {}
        for submitted in line:
            if not submitted.problems:
                ids.setdefault(submitted.command.book, []).append(submitted.command.id)
        return {
            (book, command): entries
            for book, asked in ids.items()
            for command, entries in self._store.commands(book, asked).items()
        }

    def _verify(self, submitted: Submitted) -> None:
        if self.broken is not None:
            raise self.broken
        if submitted.problems:
            raise RefusedError(submitted.problems)

    def _decide(self, batch: _Batch, submitted: Submitted) -> None:
        command = submitted.command
        try:
            self._verify(submitted)
            key = (command.book, command.id)
            found = batch.by_id.get(key)
            if found:
                batch.done.append((submitted, replayed(command, submitted.request, found)))
                return
            _verify_moves(batch, submitted)
            state = submitted.instead or batch.states.get(command.book) or self._folding.empty()
            made, after = drafted(command, submitted.request, state, self._folding, self._clock(), submitted.first)
        except Exception as error:  # noqa: BLE001 - what a command raises is its own answer, and nobody else's
            batch.refused.append((submitted, error))
            return
        if submitted.seals:
            batch.sealed.append(Sealed(command.book, made[0].sequence, self._folding.seal(state)))
        batch.states[command.book] = after
        batch.entries += made
        batch.by_id[key] = made
        batch.done.append((submitted, Answer(tuple(made), again=False)))
