"""The worker: two processes beside the server for what takes long, and the figures they have made.

A figure that is not ready says that it is being computed; when it is, whoever follows it is told by the stream. What
takes minutes has a process of its own, so that nothing that takes a second waits behind it.
"""

from __future__ import annotations

import multiprocessing
import threading
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from hashlib import sha256
from typing import Any, Literal, NamedTuple

from pitboss.books import RefusedError, canonical
from pitboss.room.services import Counted
from pitboss.server.worker.jobs import WORK, is_slow, loaded

_FIGURES_MAX = 500
_BYTES_MAX = 64_000_000
"""So much of what was made is remembered; a picture or a report may have some hundred thousand bytes."""
_WAITING_MAX = 20
_OVERHEAD = 50


class BusyError(RuntimeError):
    """The worker has more to do than it will do soon."""


class Figure(NamedTuple):
    """A figure: where it stands, what it is, or why it cannot be made."""

    key: str
    status: Literal["computing", "ready", "failed"]
    value: Any = None
    words: str = ""

    def view(self) -> dict[str, Any]:
        """The figure as it is told."""
        return {"key": self.key, "status": self.status, "figure": self.value, "words": self.words}


def size_of(value: Any) -> int:
    """About how many bytes a value takes: its texts, and some for everything that holds or counts."""
    match value:
        case str() | bytes():
            return _OVERHEAD + len(value)
        case dict():
            return _OVERHEAD + sum(size_of(key) + size_of(each) for key, each in value.items())
        case list() | tuple():
            return _OVERHEAD + sum(map(size_of, value))
    return _OVERHEAD


class Worker:
    """Spawned processes, each started when it is first needed; what they made is remembered while the server runs."""

    def __init__(self, told: Callable[[], None] = lambda: None) -> None:
        self.told = told
        """Called, in a thread of the pool, when a figure is ready."""
        self._lock = threading.Lock()
        self._changed = threading.Condition(self._lock)
        self._pools: dict[bool, ProcessPoolExecutor] = {}
        """By whether what they make is slow."""
        self._figures: OrderedDict[str, Figure] = OrderedDict()
        self._sizes: dict[str, int] = {}
        self._is_closed = False

    def keys(self) -> list[str]:
        """The figures that were asked for."""
        with self._lock:
            return list(self._figures)

    def figure(self, key: str) -> Figure | None:
        """A figure that was asked for."""
        return self._figures.get(key)

    def ask(self, what: str, **given: Any) -> Figure:
        """Give a figure, or have it made; one that failed is tried again."""
        key = sha256(canonical([what, given]).encode()).hexdigest()[:24]
        with self._lock:
            known = self._figures.get(key)
            if known is not None and known.status != "failed":
                self._figures.move_to_end(key)
                return known
            if self._is_closed or sum(each.status == "computing" for each in self._figures.values()) >= _WAITING_MAX:
                raise BusyError("the worker is busy: ask again later")
            found = self._figures[key] = Figure(key, "computing")
            self._forget()
            future = self._submit(what, given)
        future.add_done_callback(lambda done: self._made(key, done))
        return found

    def wait(self, what: str, seconds: float, **given: Any) -> Figure:
        """Give a figure as `ask` does, after waiting for it so long at most."""
        asked = self.ask(what, **given)
        with self._changed:
            self._changed.wait_for(lambda: self._figures.get(asked.key, asked).status != "computing", seconds)
            return self._figures.get(asked.key, asked)

    def count_offer(self, seconds: float, offer: dict[str, Any], jackpot_type: str) -> Counted:
        """Count the probabilities of a jackpot's offer, waiting so long at most (J-12)."""
        figure = self.wait("offer-chances", seconds, offer=offer, jackpot_type=jackpot_type)
        return Counted(figure.status, figure.value, figure.words)

    def _forget(self, kept: str = "") -> None:
        """Forget what was asked for longest ago, until what is left is not too many and not too large.

        `kept` is the figure that was made just now: whoever asked for it finds it, however large it is.
        """
        ready = [key for key, each in self._figures.items() if each.status != "computing" and key != kept]
        bytes_held = sum(self._sizes.values())
        for key in ready:
            if len(self._figures) <= _FIGURES_MAX and bytes_held <= _BYTES_MAX:
                return
            bytes_held -= self._sizes.pop(key, 0)
            del self._figures[key]

    def warm(self) -> None:
        """Start the process that makes quick figures before somebody waits for one."""
        with self._lock:
            if not self._is_closed:
                self._pool(slow=False).submit(loaded)

    def _pool(self, *, slow: bool) -> ProcessPoolExecutor:
        if slow not in self._pools:
            self._pools[slow] = ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn"))
        return self._pools[slow]

    def _submit(self, what: str, given: dict[str, Any]) -> Future[dict[str, Any]]:
        slow = is_slow(what, given)
        for _ in range(2):
            try:
                return self._pool(slow=slow).submit(WORK[what], **given)
            except BrokenProcessPool:
                # The process was killed since: another one takes its place.
                del self._pools[slow]
        raise BusyError("the worker does not start")

    def _made(self, key: str, done: Future[dict[str, Any]]) -> None:
        if done.cancelled():
            return
        error = done.exception()
        if error is None:
            found = Figure(key, "ready", done.result())
        else:
            words = "; ".join(error.problems) if isinstance(error, RefusedError) else str(error)
            found = Figure(key, "failed", words=words or type(error).__name__)
        with self._lock:
            self._figures[key] = found
            self._sizes[key] = size_of(found.value) + len(found.words)
            self._forget(kept=key)
            self._changed.notify_all()
        self.told()

    def close(self) -> None:
        """End the processes, whatever they are at."""
        with self._lock:
            self._is_closed = True
            pools, self._pools = list(self._pools.values()), {}
        for pool in pools:
            processes = list((pool._processes or {}).values())  # noqa: SLF001 - a pool cannot be told to end at once
            pool.shutdown(wait=False, cancel_futures=True)
            for process in processes:
                process.kill()
