"""The room that is served: its books, open for writing, and everything that works on them."""

from __future__ import annotations

import threading
import uuid
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Self

from pitboss.books import ROOM, BookState, ClosedError, RefusedError, open_books
from pitboss.books.commands import microseconds_now
from pitboss.jackpot import Hits, Jackpots
from pitboss.jackpot import Person as Acting
from pitboss.room.approvals import Approvals
from pitboss.room.commands import Doors
from pitboss.room.hit_probabilities import HitProbabilities
from pitboss.room.people.access import BOOK, PITBOSS, Access, Secrets, Started
from pitboss.room.people.passwords import Hashing
from pitboss.room.people.people import Device
from pitboss.room.people.sessions import ENROLLED, SessionLimits
from pitboss.room.people.vault import Vault
from pitboss.room.projections import PROJECTIONS
from pitboss.tabulator import Tables


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
        self.chances = HitProbabilities()
        self.doors = Doors(self.books, clock, self.vault, self.chances)
        self.approvals = Approvals(self.books, clock, self.vault, self.chances)
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
    def jackpots(self) -> Jackpots:
        """The jackpots of the room."""
        return self.doors.jackpots

    @property
    def hits(self) -> Hits:
        """The hits of the room."""
        return self.doors.hits

    @property
    def tables(self) -> Tables:
        """The tables of the room."""
        return self.doors.tables

    @property
    def name(self) -> str:
        """The name of the room, as its settings have it."""
        calendar = self.state.of(ROOM)
        return "" if calendar is None else calendar.history[-1][1].room

    def secrets(self) -> Secrets:
        """Who has chosen a password and a PIN, and which devices can make themselves known."""
        people = self.access.people
        enrolled = {name for name in people.devices if self.access.sessions.of(name, ENROLLED)}
        return Secrets(
            passwords={login for login in people.people if self.vault.secret(login, "password")},
            pins={login for login in people.people if self.vault.secret(login, "pin")},
            devices=enrolled | set(self.vault.secrets("token").values()),
        )

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

    def tap_in(self, device: Device, login: str, pin: str, *, address: str) -> Started:
        """Let a dealer tap in at a console, and put him in charge of the table; a round on the table goes on."""
        started = self.access.tap_in(device, login, pin, address=address)
        person = self.access.person(login)
        by = Acting(person.name, "dealer" if "dealer" in person.roles else "supervisor")
        made = f"tap-{uuid.uuid4().hex}"
        # A table that is closed or has no equipment has nobody in charge.
        with suppress(RefusedError):
            self.doors.tables.change_dealer(device.table, person.name, command=made, by=by)
        return started

    def look_after(self) -> None:
        """Do what is due from time to time: tidy up, look for silent devices and displays, what opens, and escrow."""
        if self.books.halted or self._closed:
            return
        self.access.tidy()
        self.open_due()
        made = f"watch-{uuid.uuid4().hex}"
        with suppress(RefusedError, ClosedError):
            self.doors.tables.watch(command=made)
            self.doors.displays.review(command=made)
            self.doors.jackpots.review_escrow(command=f"{made}-escrow", actor=PITBOSS)

    def open_due(self) -> list[str]:
        """Bring into force what is due at tables between whose rounds it is now; give those tables (T-16)."""
        if self.books.halted or self._closed:
            return []
        with suppress(ClosedError):
            return self.doors.posted.open_due(command=f"opens-{uuid.uuid4().hex}", actor=PITBOSS)
        return []

    def close(self) -> None:
        """Write what waited, and close the books; closing twice does nothing."""
        if self._closed:
            return
        self._closed = True
        try:
            if not self.books.halted:
                self.access.tidy(at_end=True)
        finally:
            self.books.close()
            self.vault.close()
