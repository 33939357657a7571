"""Bugs of the journal and its store."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Future
from typing import Any

import pytest

from pitboss.books import Entry, RefusedError
from pitboss.books.journal import books as books_module
from pitboss.books.journal import snapshots, writer
from pitboss.books.journal.reading import BookReading, read_book
from pitboss.books.journal.state import BookState, Projection
from pitboss.books.journal.writer import Queued, _Batch
from pitboss.books.store.base import JournalStore, StoreError
from pitboss.books.store.sqlite import SqliteStore
from tests.faults.bugs.planting import bug
from tests.faults.recording import RecordingFile
from tests.faults.world import SteppedWriter


@bug
def skipped_sync(patch: pytest.MonkeyPatch) -> None:
    """What was acknowledged is on the disk: every commit is synced."""
    sync = RecordingFile.xSync

    def lazy(self: RecordingFile, flags: int) -> None:
        if not self.name.endswith("-wal"):
            sync(self, flags)

    patch.setattr(RecordingFile, "xSync", lazy)


@bug
def acknowledged_before_the_commit(patch: pytest.MonkeyPatch) -> None:
    """The answer comes after the commit."""
    commit = SteppedWriter._witness_before

    def hasty(self: SteppedWriter, batch: _Batch) -> None:
        self._acknowledge(batch)
        for queued, _ in (*batch.done, *batch.refused):
            # They have their answer: what becomes of the commit nobody hears.
            queued.answer = Future()
        commit(self, batch)

    patch.setattr(SteppedWriter, "_witness_before", hasty)


@bug
def failed_commit_acknowledged(patch: pytest.MonkeyPatch) -> None:
    """A commit that fails is acknowledged to nobody."""

    def trusting(self: SteppedWriter, _: list[Queued], batch: _Batch, error: Exception, **__: bool) -> None:
        self._acknowledge(batch)
        self.broken = error

    patch.setattr(SteppedWriter, "_settle_failure", trusting)


@bug
def state_before_the_commit(patch: pytest.MonkeyPatch) -> None:
    """The state that is shown moves after the commit."""
    before = SteppedWriter._witness_before

    def early(self: SteppedWriter, batch: _Batch) -> None:
        self.states = batch.states
        before(self, batch)

    patch.setattr(SteppedWriter, "_witness_before", early)


@bug
def half_a_group_commit(patch: pytest.MonkeyPatch) -> None:
    """Of what is committed together, all is written before any is acknowledged."""
    append = JournalStore.append

    def half(self: JournalStore, entries: Sequence[Entry], sealed: Any = ()) -> None:
        commands = list(dict.fromkeys(entry.command for entry in entries))
        append(self, [entry for entry in entries if len(commands) < 3 or entry.command != commands[-1]], sealed)

    patch.setattr(JournalStore, "append", half)


@bug
def command_torn_in_two(patch: pytest.MonkeyPatch) -> None:
    """The entries of a command are written whole or not at all."""
    append = JournalStore.append

    def torn(self: JournalStore, entries: Sequence[Entry], sealed: Any = ()) -> None:
        for entry in entries:
            append(self, [entry])
        if sealed:
            writer = self._writer
            assert writer is not None
            writer.cursor().executemany("INSERT INTO snapshots (book, sequence, state) VALUES (?, ?, ?)", sealed)

    patch.setattr(JournalStore, "append", torn)


@bug
def unsynced_log_trusted(patch: pytest.MonkeyPatch) -> None:
    """After a failed sync nothing is concluded from what is read: it is written again and synced first."""
    patch.setattr(SqliteStore, "_rewrite_log", lambda _: None)
    patch.setattr(SqliteStore, "_write_again", lambda *_: None)


@bug
def command_id_forgotten(patch: pytest.MonkeyPatch) -> None:
    """A command is done once under its id, however often it is sent."""
    patch.setattr(SteppedWriter, "_written_before", lambda *_: {})


@bug
def used_id_taken(patch: pytest.MonkeyPatch) -> None:
    """An id that was used for something else is refused."""
    patch.setattr(writer, "answered_again", lambda _, __, written: writer.Answer(tuple(written), again=True))


@bug
def snapshot_without_its_tail(patch: pytest.MonkeyPatch) -> None:
    """What came after a snapshot is read when books are opened."""
    read = read_book

    def short(store: Any, folding: Any, book: str, **options: Any) -> BookReading:
        reading = read(store, folding, book, **options)
        start = next(snapshots.starts(store, folding, book), None)
        if start is not None:
            reading.state = BookState(
                reading.state.sequence, reading.state.digest, reading.state.recorded, start.state.parts
            )
        return reading

    patch.setattr(books_module, "read_book", short)


@bug
def upgraded_part_begins_empty(patch: pytest.MonkeyPatch) -> None:
    """A part of the state that has another version is folded from all entries of its kinds."""

    def empty(_: Any, projections: Any, __: str, ___: int) -> dict[str, Any]:
        return {projection.name: projection.empty for projection in projections}

    patch.setattr(snapshots, "_folded_alone", empty)


@bug
def lost_approval(patch: pytest.MonkeyPatch) -> None:
    """A request that waits for a second person still waits after a restart."""
    write = Projection.write

    def forgetful(self: Projection[Any], part: Any) -> Any:
        return write(self, {} if self.name == "approvals" else part)

    patch.setattr(Projection, "write", forgetful)


@bug
def full_disk_never_comes_back(patch: pytest.MonkeyPatch) -> None:
    """When a disk has room again, the room goes on by itself."""

    def never(_: JournalStore) -> None:
        raise StoreError("the store does not answer")

    patch.setattr(JournalStore, "reconnect", never)


@bug
def committed_and_called_failed(patch: pytest.MonkeyPatch) -> None:
    """Who is told that nothing was written can rely on it."""
    append = JournalStore.append
    turns = iter(range(10**9))

    def lying(self: JournalStore, entries: Sequence[Entry], sealed: Any = ()) -> None:
        append(self, entries, sealed)
        if next(turns) % 40 == 39:
            raise RefusedError(["nothing was written"])

    patch.setattr(JournalStore, "append", lying)
