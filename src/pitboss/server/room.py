"""The room that is served: its books, open for writing, and everything that works on them."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Self

from pitboss.books import ROOM, BookState, open_books
from pitboss.books.commands import microseconds_now
from pitboss.jackpot import Hits, Jackpots
from pitboss.server.access.hashing import Hashing
from pitboss.server.access.service import BOOK, Access
from pitboss.server.access.sessions import SessionLimits
from pitboss.server.access.vault import Vault
from pitboss.server.projections import PROJECTIONS

__all__ = ["Room"]


class Room:
    """The books of a data directory with the jackpots, hits and people in them; one process at a time has it."""

    def __init__(
        self,
        path: Path,
        *,
        clock: Callable[[], int] = microseconds_now,
        hashing: Hashing | None = None,
        limits: SessionLimits | None = None,
    ) -> None:
        self._moved: list[Callable[[], None]] = []
        self._lock = threading.Lock()
        self._closed = False
        self.path, self.clock = path, clock
        self.books = open_books(path, projections=PROJECTIONS, at_point=self._at_point, clock=clock)
        try:
            self.vault = Vault(path)
        except BaseException:
            self.books.close()
            raise
        self.jackpots = Jackpots(self.books, clock=clock)
        self.hits = Hits(self.books, clock=clock)
        self.access = Access(self.books, self.vault, clock=clock, hashing=hashing, limits=limits)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @property
    def state(self) -> BookState:
        """The state of the room's book after the last commit."""
        return self.books.state(BOOK)

    @property
    def name(self) -> str:
        """The name of the room, as its settings have it."""
        calendar = self.state.of(ROOM)
        return "" if calendar is None else calendar.history[-1][1].room

    def when_moved(self, tell: Callable[[], None]) -> Callable[[], None]:
        """Have a function called after each commit, by the thread that writes: it must be quick; gives how to stop."""
        with self._lock:
            self._moved = [*self._moved, tell]

        def stop() -> None:
            with self._lock:
                self._moved = [each for each in self._moved if each is not tell]

        return stop

    def _at_point(self, point: str) -> None:
        if point == "published":
            for tell in self._moved:
                tell()

    def close(self) -> None:
        """Write what waited, and close the books; closing twice does nothing."""
        if self._closed:
            return
        self._closed = True
        if not self.books.halted:
            self.access.tidy(at_end=True)
        self.books.close()
        self.vault.close()
