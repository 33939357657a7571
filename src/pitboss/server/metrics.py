"""How a server stands: whether it is ready for work, and its figures in the format of Prometheus.

Both are read off the state of the books whenever somebody asks.
"""

import datetime
import shutil
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any, NamedTuple

from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from pitboss.books import LEDGER, BookState, StoreError
from pitboss.books.store.keys import certificate_ends
from pitboss.commands.command import BOOK
from pitboss.jackpot import HITS, JACKPOTS
from pitboss.jackpot.escrow import escrow_of, forecast_of
from pitboss.room.alarms import OWNERS, active_alarms
from pitboss.room.approvals import APPROVALS
from pitboss.room.backups import BACKUPS, is_late
from pitboss.room.displays import DISPLAYS
from pitboss.room.room import Room
from pitboss.server.live import Hub
from pitboss.server.settings import Listening
from pitboss.server.worker.pool import Worker
from pitboss.tabulator import TABLES

_SECOND = 1_000_000
_DAY_SECONDS = 24 * 60 * 60
_COMMIT_SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)
REFUSALS = (403, 409, 413, 422, 429, 503)
"""The answers by which something is refused; a wrong address or a missing sign-in is none."""
Samples = Iterator[Metric]


MEGABYTE = 1_000_000
_CACHED_MICROSECONDS = 1_000_000
OK = "ok"


class ServerChecks(NamedTuple):
    """What each check came to, `ok` or why not; numbers alone, since anybody may ask."""

    checks: dict[str, str]
    sequence: int
    role: str

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
        status = "ready" if self.is_ready else "not ready"
        return {"status": status, "checks": self.checks, "sequence": self.sequence, "role": self.role}


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
        return ServerChecks(checks, self._room.state.sequence, self._room.role)

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


def _gauge(name: str, text: str, value: float) -> GaugeMetricFamily:
    return GaugeMetricFamily(f"pitboss_{name}", text, value=value)


@dataclass(slots=True)
class AuditRun:
    """The last audit that the server has had made: when, whether it is done, and whether it found the books sound."""

    at: int = 0
    is_sound: bool = True


class CommitTimes:
    """Measures how long commits take: from the last decision of a batch until it is on disk."""

    def __init__(self, histogram: Histogram) -> None:
        self._histogram, self._began = histogram, threading.local()

    def __call__(self, point: str) -> None:
        """Record the time at a point of the writer, in its thread."""
        if point == "decided":
            self._began.at = time.perf_counter()
        elif point == "committed":
            self._histogram.observe(time.perf_counter() - self._began.at)


class RoomCollector(Collector):
    """What the room's books and its server come to at the moment of a scrape."""

    def __init__(
        self, room: Room, hub: Hub, worker: Worker, readiness: Readiness, audit: AuditRun, listening: Listening
    ) -> None:
        self._room, self._hub, self._worker, self._readiness, self._audit = room, hub, worker, readiness, audit
        self._certificate = listening.certificate
        self._started = (room.clock(), room.monotonic())

    def describe(self) -> list[Metric]:
        """Return nothing: the names are known when the figures are."""
        return []

    def collect(self) -> Samples:
        """Yield every figure; of one state, so that they fit together."""
        state, now = self._room.state, self._room.clock()
        parts: tuple[Callable[[BookState, int], Samples], ...] = (
            self._books,
            self._tables,
            self._jackpots,
            self._requests,
            self._server,
            self._backups,
        )
        for part in parts:
            yield from part(state, now)

    def _books(self, state: BookState, now: int) -> Samples:
        books = self._room.books
        age = max(0, now - state.recorded) / _SECOND if state.sequence else 0
        yield _gauge("journal_sequence", "The last entry of the room's book.", state.sequence)
        yield _gauge("journal_tail_age_seconds", "How long ago the last entry was written.", age)
        yield _gauge("books_halted", "Whether a person must decide before money moves.", books.is_halted)
        yield _gauge("books_unwritable", "Whether nothing can be written at the moment.", bool(books.unwritable))
        yield _gauge("clock_jumped", "Whether the clock has jumped and nobody has decided yet.", bool(books.clock_jump))
        clock, running = self._started
        offset = (now - clock - (self._room.monotonic() - running)) / _SECOND
        yield _gauge(
            "clock_offset_seconds", "How far the clock has moved against the time that has passed since start.", offset
        )
        audit = self._audit
        yield _gauge(
            "audit_age_seconds",
            "How long ago the last audit by the server ended; since start where none has.",
            (now - (audit.at or clock)) / _SECOND,
        )
        yield _gauge("audit_sound", "Whether the last audit found nothing wrong.", audit.is_sound)

    def _tables(self, state: BookState, now: int) -> Samples:
        tables, displays = state.of(TABLES), [each for each in state.of(DISPLAYS).values() if each.active]
        presses = CounterMetricFamily("pitboss_presses", "Rounds that were counted.", labels=["table"])
        opened = GaugeMetricFamily("pitboss_table_open", "Whether a table is open.", labels=["table"])
        for name, record in tables.tables.items():
            presses.add_metric([name], record.rounds_counted)
            opened.add_metric([name], record.life != "closed")
        yield presses
        yield opened
        silent = sum(device.lost for device in tables.devices.values())
        yield _gauge("devices", "Tabulators on the line.", len(tables.devices))
        yield _gauge("devices_silent", "Tabulators that are not heard.", silent)
        untrue = sum(not each.is_true for each in displays)
        yield _gauge("displays", "Displays that are registered.", len(displays))
        yield _gauge("displays_unconfirmed", "Displays that do not show what is in the books.", untrue)
        yield _gauge("malfunctions", "Equipment malfunctions that are not mended.", len(tables.malfunctions))
        overdue = sum(each.is_overdue(now) for each in tables.malfunctions.values())
        yield _gauge("malfunctions_overdue", "Malfunctions that were not reported in time.", overdue)

    def _jackpots(self, state: BookState, now: int) -> Samples:
        hits = [hit for hit in state.of(HITS).open.values() if not hit.is_finished]
        oldest = max((now - hit.done[0].happened for hit in hits), default=0) / _SECOND
        yield _gauge("hits_pending", "Jackpot hits that are not finished.", len(hits))
        yield _gauge("hit_oldest_seconds", "How long the oldest unfinished hit has been waiting.", oldest)
        days = GaugeMetricFamily(
            "pitboss_escrow_days", "Days until play would stop for want of a deposit.", labels=["jackpot"]
        )
        short = 0
        for name, record in state.of(JACKPOTS).jackpots.items():
            accounts = state.of(LEDGER).get(name)
            if accounts is None or not record.jackpot.is_progressive:
                continue
            short += escrow_of(record, accounts, now).is_short
            stops = forecast_of(record, accounts, now).short_at
            if stops is not None:
                days.add_metric([name], max(0, stops - now) / _SECOND / _DAY_SECONDS)
        yield days
        yield _gauge("escrow_short", "Jackpots with less in escrow than is owed to players.", short)

    def _requests(self, state: BookState, now: int) -> Samples:
        waiting, owners, alarms = state.of(APPROVALS), state.of(OWNERS), active_alarms(state)
        oldest = max((now - pending.asked for pending in waiting.values()), default=0) / _SECOND
        yield _gauge("approvals_waiting", "Requests that wait for an approver.", len(waiting))
        yield _gauge("approval_oldest_seconds", "How long the oldest request has been waiting.", oldest)
        yield _gauge("alerts", "Alerts that stand.", len(alarms))
        unassigned = sum(alarm.key not in owners for alarm in alarms)
        yield _gauge("alerts_unassigned", "Alerts that nobody has taken on.", unassigned)
        yield _gauge("people_signed_in", "People who are signed in.", self._room.access.sessions.signed_in)

    def _server(self, state: BookState, now: int) -> Samples:
        disk = shutil.disk_usage(self._room.path)
        yield _gauge("disk_free_bytes", "Free bytes where the data directory is.", disk.free)
        yield _gauge("disk_size_bytes", "Bytes of the disk where the data directory is.", disk.total)
        yield _gauge("disk_floor_bytes", "Free bytes below which the server is not ready.", self._readiness.floor)
        yield _gauge("ready", "Whether the server is ready, as /readyz answers.", self._readiness.look().is_ready)
        yield _gauge("streams", "Streams that are open.", self._hub.open)
        yield _gauge("worker_queue", "Figures that are being computed or wait for it.", self._worker.queue_length)
        yield _gauge("software_changed", "Whether software was changed.", bool(self._room.books.read_only))
        ends = None if self._certificate is None else certificate_ends(self._certificate)
        if ends is not None:
            left = (ends - datetime.datetime.fromtimestamp(now / _SECOND, datetime.UTC)).total_seconds()
            yield _gauge("certificate_days_left", "Days until the certificate ends.", left / _DAY_SECONDS)

    def _backups(self, state: BookState, now: int) -> Samples:
        backups = state.of(BACKUPS)
        yield _gauge("backups_planned", "Whether backups are scheduled.", backups.plan is not None)
        if backups.plan is None:
            return
        last = backups.last_good
        since = backups.plan_since if last is None else last.at
        yield _gauge(
            "backup_age_seconds",
            "How long ago the last good backup was begun.",
            (now - since) / _SECOND,
        )
        failed = backups.last is not None and not backups.last.is_good
        yield _gauge("backup_failed", "Whether the last backup failed.", failed)
        yield _gauge("backup_late", "Whether a backup is late.", is_late(state, now))
        yield _gauge("backup_entries", "Entries in the last good backup.", 0 if last is None else last.entries)
        yield _gauge("backup_bytes", "Bytes of the last good backup.", 0 if last is None else last.bytes)
        yield _gauge("backup_seconds", "How long the last good backup took.", 0 if last is None else last.seconds)


class Metrics:
    """The figures of one app."""

    def __init__(self, room: Room, hub: Hub, worker: Worker, readiness: Readiness, listening: Listening) -> None:
        self._registry = registry = CollectorRegistry()
        self.requests = Counter(
            "pitboss_requests", "Requests that were answered.", ["method", "route", "status"], registry=registry
        )
        self.refusals = Counter("pitboss_refusals", "Requests that were refused.", ["status"], registry=registry)
        for status in REFUSALS:
            self.refusals.labels(str(status))
        commits = Histogram(
            "pitboss_commit_seconds", "How long a commit took.", buckets=_COMMIT_SECONDS, registry=registry
        )
        room.time_commits = CommitTimes(commits)
        self.audit = AuditRun()
        registry.register(RoomCollector(room, hub, worker, readiness, self.audit, listening))

    def text(self) -> bytes:
        """All figures, as they are now."""
        return generate_latest(self._registry)
