"""The worker: processes beside the server for jobs that take long, and a cache of the figures they have computed.

A figure that is not ready states that it is being computed; the stream publishes it when it is. What takes minutes has
a process of its own, so that nothing that takes a second waits behind it; so has what people type into the odds room.
"""

import multiprocessing
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from http import HTTPStatus
from typing import Any, Literal, NamedTuple

from fastapi import Request

from pitboss.books import RefusedError
from pitboss.odds.results import OddsResult, house_edges, result_from_json
from pitboss.room.room import Room
from pitboss.room.services import Counted
from pitboss.server.problems import ProblemError
from pitboss.server.worker import ignore_interrupts
from pitboss.server.worker.jobs import HitProbabilitiesJob, Job, WagerOddsJob, WarmUpJob
from pitboss.table import Configuration

_FIGURES_MAX = 500
_BYTES_MAX = 64_000_000
"""So much is cached; a report may have some hundred thousand bytes."""
_WAITING_MAX = 20
_OVERHEAD = 50
_OF_ONE, _OF_STRANGERS = 4, 12
"""So many figures are computed at once for one named caller, and for all of them: the room's own work has the rest."""
WAITING_STRANGERS_MAX = 8
"""So many requests of named callers wait for a figure: who waits holds a thread, and the room's pages need some too."""
_AT_EASE = 3
"""With so many figures being computed, nothing is added that nobody waits for."""


class BusyError(RuntimeError):
    """The worker has more to do than it will do soon."""


class _NotCountedError(RuntimeError):
    """A figure that is not there, and why."""

    def __init__(self, counted: Counted) -> None:
        super().__init__(counted.text)
        self.counted = counted


class Figure(NamedTuple):
    """A figure: its status, its value, or why it cannot be computed."""

    key: str
    status: Literal["computing", "ready", "failed"]
    value: Any = None
    words: str = ""
    error: BaseException | None = None

    def announcement(self) -> dict[str, Any]:
        """Return what everybody may know who follows it: whether it is there. What it holds, the page says for whom."""
        return {"key": self.key, "status": self.status}

    def view(self) -> dict[str, Any]:
        """Return the figure as JSON."""
        return {"key": self.key, "status": self.status, "figure": self.value, "words": self.words}


def size_of(value: Any) -> int:
    """Estimate how many bytes a JSON value takes: its texts, and some for every value."""
    match value:
        case str() | bytes():
            return _OVERHEAD + len(value)
        case dict():
            return _OVERHEAD + sum(size_of(key) + size_of(item) for key, item in value.items())
        case list() | tuple():
            return _OVERHEAD + sum(map(size_of, value))
    return _OVERHEAD


class Worker:
    """Spawned processes, each started when it is first needed; what they computed is cached while the server runs."""

    def __init__(self, on_ready: Callable[[], None] = lambda: None) -> None:
        self.on_ready = on_ready
        """Called, in a thread of the pool, when a figure is ready."""
        self._lock = threading.Lock()
        self._changed = threading.Condition(self._lock)
        self._pools: dict[str, ProcessPoolExecutor] = {}
        """By the lane of the jobs they run."""
        self._callers: dict[str, str] = {}
        """For whom figures are being computed, where that is counted."""
        self._waiting = 0
        """How many requests of named callers wait for a figure."""
        self._figures: OrderedDict[str, Figure] = OrderedDict()
        self._sizes: dict[str, int] = {}
        self._is_closed = False

    def keys(self) -> list[str]:
        """The keys of the figures that were requested."""
        with self._lock:
            return list(self._figures)

    def figure(self, key: str) -> Figure | None:
        """Return a figure that was requested."""
        return self._figures.get(key)

    def ask(self, job: Job, caller: str = "") -> Figure:
        """Return the figure of a job, or have it computed; one that failed is tried again.

        Where a caller is named, only so many are computed for them at once, and for all who are named together.
        """
        key = job.key
        with self._lock:
            cached = self._figures.get(key)
            if cached is not None and cached.status != "failed":
                self._figures.move_to_end(key)
                return cached
            waiting = sum(figure.status == "computing" for figure in self._figures.values())
            if self._is_closed or waiting >= _WAITING_MAX:
                raise BusyError("Many figures are being computed right now. Try again in a minute.")
            if caller:
                callers = list(self._callers.values())
                if callers.count(caller) >= _OF_ONE or len(callers) >= _OF_STRANGERS:
                    raise BusyError("Several figures are being computed for you already. Try again in a moment.")
            future = self._submit(job)
            if caller:
                self._callers[key] = caller
            figure = self._figures[key] = Figure(key, "computing")
            self._forget()
        future.add_done_callback(lambda result: self._finish(key, result))
        return figure

    def ask_at_ease(self, job: Job) -> Figure:
        """Return a figure as `ask` does, but have it computed only while there is little to do; else it has no key."""
        cached = self._figures.get(job.key)
        if cached is not None and cached.status != "failed":
            return cached
        if sum(figure.status == "computing" for figure in list(self._figures.values())) >= _AT_EASE:
            return Figure("", "computing")
        try:
            return self.ask(job)
        except BusyError:
            return Figure("", "computing")

    def wait(self, job: Job, seconds: float, caller: str = "") -> Figure:
        """Return a figure as `ask` does, after waiting for it so long at most; with too many callers nobody waits."""
        figure = self.ask(job, caller)
        with self._changed:
            if not caller:
                return self._awaited(figure, seconds)
            if self._waiting >= WAITING_STRANGERS_MAX:
                return self._awaited(figure, 0)
            self._waiting += 1
            try:
                return self._awaited(figure, seconds)
            finally:
                self._waiting -= 1

    def _awaited(self, figure: Figure, seconds: float) -> Figure:
        self._changed.wait_for(lambda: self._figures.get(figure.key, figure).status != "computing", seconds)
        return self._figures.get(figure.key, figure)

    def count_offer(self, seconds: float, offer: dict[str, Any], jackpot_type: str) -> Counted:
        """Count the probabilities of a jackpot's offer, waiting so long at most (J-12)."""
        figure = self.wait(HitProbabilitiesJob(offer=offer, jackpot_type=jackpot_type), seconds)
        return Counted(figure.status, figure.value, figure.words)

    def count_edges(self, seconds: float, configuration: Configuration) -> Counted:
        """Count the house edge of every wager of a configuration, each jackpot at its seed, waiting so long at most."""
        until = time.monotonic() + seconds

        def result_of(name: str) -> OddsResult:
            job = WagerOddsJob.of(configuration, name)
            if job is None:
                raise _NotCountedError(Counted("failed", None, f"the pay table of {name} is not right yet"))
            figure = self.wait(job, max(0.0, until - time.monotonic()))
            if figure.status != "ready":
                raise _NotCountedError(Counted(figure.status, None, figure.words))
            return result_from_json(figure.value)

        try:
            return Counted("ready", house_edges(configuration, result_of), "")
        except BusyError:
            return Counted("computing", None, "")
        except _NotCountedError as error:
            return error.counted

    def _forget(self, newest: str = "") -> None:
        """Forget the figures requested longest ago while there are too many or too large ones; the newest stays."""
        ready = [key for key, figure in self._figures.items() if figure.status != "computing" and key != newest]
        bytes_held = sum(self._sizes.values())
        for key in ready:
            if len(self._figures) <= _FIGURES_MAX and bytes_held <= _BYTES_MAX:
                return
            bytes_held -= self._sizes.pop(key, 0)
            del self._figures[key]

    def warm(self) -> None:
        """Start the process of quick jobs before somebody waits for one."""
        with self._lock:
            if not self._is_closed:
                self._pool(WarmUpJob().lane).submit(WarmUpJob().run)

    def _pool(self, lane: str) -> ProcessPoolExecutor:
        if lane not in self._pools:
            self._pools[lane] = ProcessPoolExecutor(
                1, mp_context=multiprocessing.get_context("spawn"), initializer=ignore_interrupts
            )
        return self._pools[lane]

    def _submit(self, job: Job) -> Future[dict[str, Any]]:
        for _ in range(2):
            try:
                return self._pool(job.lane).submit(job.run)
            except BrokenProcessPool:
                # The process was killed since: another one takes its place.
                del self._pools[job.lane]
        raise BusyError("the worker does not start")

    def _finish(self, key: str, result: Future[dict[str, Any]]) -> None:
        if result.cancelled():
            return
        error = result.exception()
        if error is None:
            figure = Figure(key, "ready", result.result())
        else:
            words = "; ".join(error.problems) if isinstance(error, RefusedError) else str(error)
            figure = Figure(key, "failed", words=words or type(error).__name__, error=error)
        with self._lock:
            self._callers.pop(key, None)
            self._figures[key] = figure
            self._sizes[key] = size_of(figure.value) + len(figure.words)
            self._forget(newest=key)
            self._changed.notify_all()
        self.on_ready()

    @property
    def queue_length(self) -> int:
        """How many figures are being computed, or wait for it."""
        return sum(figure.status == "computing" for figure in list(self._figures.values()))

    def close(self) -> None:
        """Kill the processes, whatever they compute."""
        with self._lock:
            self._is_closed = True
            pools, self._pools = list(self._pools.values()), {}
        for pool in pools:
            processes = list((pool._processes or {}).values())  # noqa: SLF001 - a pool cannot be told to end at once
            pool.shutdown(wait=False, cancel_futures=True)
            for process in processes:
                process.kill()


_SECONDS_MAX = 120
_ENTRIES_AT_ONCE = 5_000
"""So many entries are read at once without play being slower for it; a longer journal is read by the worker."""


def is_long(room: Room) -> bool:
    """True if the journal is too long to be read in the server's own process."""
    return room.state.sequence > _ENTRIES_AT_ONCE


def figure_of(request: Request, job: Job) -> Figure:
    """Return the worker's figure of a job, ready or not."""
    worker: Worker = request.app.state.worker
    try:
        return worker.ask(job)
    except BusyError as error:
        raise ProblemError(HTTPStatus.SERVICE_UNAVAILABLE, [str(error)]) from None


def figure_or_wait(request: Request, job: Job) -> Figure:
    """Return the worker's figure of a job; where the worker has too much to do, one that is still to be computed."""
    worker: Worker = request.app.state.worker
    try:
        return worker.ask(job)
    except BusyError:
        return Figure("", "computing")


def figure_or_failure(request: Request) -> Callable[[Job], Figure]:
    """Return how odds are requested; where the worker has too much to do, a figure states that."""
    worker: Worker = request.app.state.worker

    def ask(job: Job) -> Figure:
        try:
            return worker.ask(job)
        except BusyError as error:
            return Figure("", "failed", words=str(error))

    return ask


def is_for_worker(room: Room, job: Job) -> bool:
    """True if the worker runs a job that reads the room's journal: whoever asks comes again, for the same instant."""
    return is_long(room) or job.needs_worker


def journal_figure(request: Request, room: Room, job: Job) -> Figure:
    """Return the figure of a job that reads the room's journal: run at once, or by the worker where that is long."""
    return figure_of(request, job) if is_for_worker(room, job) else Figure("", "ready", job.run())


def awaited_figure(request: Request, room: Room, job: Job) -> dict[str, Any]:
    """Return a figure to a program that waits for it, while the server goes on."""
    figure = journal_figure(request, room, job)
    if figure.status == "computing":
        worker: Worker = request.app.state.worker
        figure = worker.wait(job, _SECONDS_MAX)
    if figure.status == "computing":
        raise ProblemError(HTTPStatus.SERVICE_UNAVAILABLE, ["it is being made: ask again later"])
    if figure.status == "failed":
        raise ProblemError(HTTPStatus.CONFLICT, [figure.words])
    value: dict[str, Any] = figure.value
    return value
