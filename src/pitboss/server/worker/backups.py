"""Backups by the worker: begun when one is due, and recorded as they have ended."""

import asyncio
import logging
import uuid
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from starlette.concurrency import run_in_threadpool

from pitboss.books import ClosedError, HaltedError, RefusedError, StoreError
from pitboss.commands.command import SYSTEM_ACTOR
from pitboss.room.backups import BACKUPS, RecordBackup, directory_problem, file_path, is_due
from pitboss.room.room import Room
from pitboss.server.worker.jobs import Job
from pitboss.server.worker.pool import BusyError, Figure, Worker

_LOOK_SECONDS = 10
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class BackUpJob(Job):
    """A backup by the plan: copied, restored into a sandbox and audited there, sealed, and read back."""

    path: str
    directory: str
    public: str
    keep: int
    at: int

    @property
    def lane(self) -> str:
        """A process of its own: it takes long, and nobody waits for it."""
        return "backup"

    def run(self) -> dict[str, Any]:
        """Make the backup; what speaks against it is part of the result."""
        from pitboss.room.backing_up import make_backup  # noqa: PLC0415 - brings Alembic, which a server does not load

        return make_backup(Path(self.path), Path(self.directory), [self.public], self.keep, self.at)


class BackupRun:
    """The backup that is being made, if there is one."""

    def __init__(self, room: Room, worker: Worker) -> None:
        self._room, self._worker = room, worker
        self._job: BackUpJob | None = None

    def look(self) -> None:
        """Start a backup that is due, or record how one has ended."""
        if self._room.books.is_halted or self._room.books.unwritable:
            return
        if self._job is not None:
            figure = self._worker.figure(self._job.key) or Figure(self._job.key, "failed", words="it was forgotten")
            if figure.status != "computing":
                self._record(_result(self._job, figure))
            return
        state, now = self._room.state, self._room.clock()
        plan = state.of(BACKUPS).plan
        if plan is None or not is_due(state, now):
            return
        job = BackUpJob(path=str(self._room.path), directory=plan.directory, public=plan.public, keep=plan.keep, at=now)
        if problem := directory_problem(state):
            self._job = job
            self._record(_result(job, Figure(job.key, "failed", words=problem)))
            return
        with suppress(BusyError):
            self._worker.ask(job)
            self._job = job

    def _record(self, result: dict[str, Any]) -> None:
        if result["problem"]:
            _log.error("a backup of the room %s failed: %s", self._room.path, result["problem"])
        # Where it cannot be recorded now, it is tried again at the next look.
        with suppress(ClosedError, HaltedError, StoreError):
            # A plan that has ended meanwhile has no results.
            with suppress(RefusedError):
                self._room.do(RecordBackup(**result), SYSTEM_ACTOR, id=f"backup-{uuid.uuid4().hex}")
            self._job = None


def _result(job: BackUpJob, figure: Figure) -> dict[str, Any]:
    if figure.value is not None:
        return {"problem": "", **figure.value}
    file = file_path(job.directory, job.at)
    nothing = {"entries_held": 0, "head": "", "bytes": 0, "digest": "", "seconds": 0, "pictures": 0}
    return {"at": job.at, "file": file, **nothing, "problem": figure.words[:2_000]}


async def back_up_when_due(room: Room, worker: Worker) -> None:
    """Make backups by the plan as long as the server runs."""
    run = BackupRun(room, worker)
    while True:
        await asyncio.sleep(_LOOK_SECONDS)
        await run_in_threadpool(room.watch, "backups that are due", run.look)
