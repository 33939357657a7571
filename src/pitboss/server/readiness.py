"""Whether a server is ready for work: books open and writable, their tail verified, disk left, devices heard."""

import shutil
import threading
from http import HTTPStatus
from typing import Any, NamedTuple

from pitboss.books import StoreError
from pitboss.commands.command import BOOK
from pitboss.room.room import Room
from pitboss.tabulator import TABLES

MEGABYTE = 1_000_000
_CACHED_MICROSECONDS = 1_000_000
OK = "ok"


class ServerChecks(NamedTuple):
    """What each check came to, `ok` or why not; numbers alone, since anybody may ask."""

    checks: dict[str, str]
    sequence: int
    role: str = ""

    @property
    def is_ready(self) -> bool:
        """True if nothing speaks against it."""
        return all(text == OK for text in self.checks.values())

    @property
    def status(self) -> HTTPStatus:
        """The status of the answer."""
        return HTTPStatus.OK if self.is_ready else HTTPStatus.SERVICE_UNAVAILABLE

    def view(self) -> dict[str, Any]:
        """Return it as JSON."""
        role = {"role": self.role} if self.role else {}
        status = "ready" if self.is_ready else "not ready"
        return {"status": status, "checks": self.checks, "sequence": self.sequence, **role}


class Readiness:
    """Looks at a room, at most once a second however many ask."""

    def __init__(self, room: Room, floor: int) -> None:
        self._room, self.floor = room, floor
        self._lock = threading.Lock()
        self._last: tuple[int, ServerChecks] | None = None

    def look(self) -> ServerChecks:
        """Return how the room stands now, or within the last second."""
        now = self._room.monotonic()
        with self._lock:
            if self._last is None or not 0 <= now - self._last[0] < _CACHED_MICROSECONDS:
                self._last = (now, self._look())
            return self._last[1]

    def _look(self) -> ServerChecks:
        checks = {"books": self._books(), "tail": self._tail(), "disk": self._disk(), "devices": self._devices()}
        # A room that another server may take over says which of the two this one is.
        role = getattr(self._room, "role", "")
        return ServerChecks(checks, self._room.state.sequence, str(getattr(role, "value", role) or ""))

    def _books(self) -> str:
        books = self._room.books
        if books.clock_jump:
            return "the clock has jumped"
        if books.read_only:
            return "read-only"
        if books.is_halted:
            return "halted"
        return "unwritable" if books.unwritable else OK

    def _tail(self) -> str:
        """Read the last entry that was acknowledged from the store, and verify it by its hash."""
        state = self._room.state
        if not state.sequence:
            return OK
        try:
            entry = self._room.books.store.entry(BOOK, state.sequence)
        except StoreError:
            return "cannot be read"
        if entry is None:
            return "missing"
        return OK if entry.is_sound and entry.digest == state.digest else "damaged"

    def _disk(self) -> str:
        free = shutil.disk_usage(self._room.path).free
        if free >= self.floor:
            return OK
        return f"{free // MEGABYTE:,} MB free, below {self.floor // MEGABYTE:,} MB"

    def _devices(self) -> str:
        """Return that no tabulator is heard at all: one that is silent is an alert of its table, and no more."""
        tables = self._room.state.of(TABLES)
        expected = [
            device
            for device in tables.devices.values()
            if (record := tables.tables.get(device.table)) is not None and record.life != "closed"
        ]
        silent = sum(device.lost for device in expected)
        return f"none of {silent} heard" if expected and silent == len(expected) else OK
