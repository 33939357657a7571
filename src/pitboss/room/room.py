"""A room: its books, open for writing, and everything that works on them."""

import datetime
import logging
import threading
import uuid
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import replace
from functools import cached_property, partial
from pathlib import Path
from types import TracebackType
from typing import Literal, Self
from zoneinfo import ZoneInfo

from pitboss import books, law
from pitboss.books import EPOCH, ROOM, Answer, BookState, ClosedError, HaltedError, RefusedError, StoreError
from pitboss.commands import By, Command, Executor
from pitboss.commands.command import SOMEBODY, SYSTEM_ACTOR
from pitboss.installation import Installation
from pitboss.jackpot import JACKPOTS, PostDueBonus, due_postings, review_escrow
from pitboss.room.alarms import TROUBLES, ActiveAlarm
from pitboss.room.approval_records import is_example
from pitboss.room.approvals import Approvals
from pitboss.room.backups import backup_trouble
from pitboss.room.commands import BY_NAME
from pitboss.room.configurations import CONFIGURATIONS, OpenDueConfiguration, TableConfigurations, due_tables
from pitboss.room.dealing.dealing import Dealing
from pitboss.room.dealing.lock import RoomLock
from pitboss.room.displays import DisplayWatch
from pitboss.room.heads import HeadWatch
from pitboss.room.people.access import Access, Secrets, Started
from pitboss.room.people.passwords import Hashing
from pitboss.room.people.people import Device, SetPerson
from pitboss.room.people.vault import ENROLLED, SessionLimits, Vault
from pitboss.room.projections import INVARIANTS, PROJECTIONS
from pitboss.room.services import RoomServices
from pitboss.room.signs import SignWatch
from pitboss.room.software import SOFTWARE, software_command
from pitboss.tabulator import TABLES, ChangeDealer, Receiver

_log = logging.getLogger(__name__)
_STORE_AWAY = "The server can't write to its disk or database. Tables keep their rounds and send them when it can."
_WATCH_FAILS = "The server's check of {} fails. Ask whoever looks after the server to read its log."

_CHANGED_SOFTWARE = "the software is not as it was built ({}); install it again (T-15)"
_SOFTWARE_ALARM = (
    "The server's software was changed since it was built. Nothing is recorded until it is installed again."
)


_CLOCK_JUMPED = "The server's clock has jumped. Nothing is saved until two people decide which time is right (G-77)."
_SECOND, _DAY = 1_000_000, 24 * 60 * 60 * 1_000_000


def _clock_watch(clock: Callable[[], int], monotonic: Callable[[], int]) -> books.ClockWatch:
    """Watch the clock within the limits of the settings, which are the same on every day (G-77)."""
    jump, gap = (law.value_on(name, datetime.date.max) for name in ("clock_jump_seconds", "clock_gap_days"))
    return books.ClockWatch(clock, monotonic, jump * _SECOND, gap * _DAY)


def room_name(state: BookState, at: int | None = None) -> str:
    """The name of the room on the gambling day of an instant, or of the last entry: papers keep theirs (G-57)."""
    calendar = state.of(ROOM)
    return "" if calendar is None else calendar.name_at(state.recorded if at is None else at)


def location_of(state: BookState) -> str:
    """Return the licensed location as jackpots name it: that of those there are, whatever the room is called now."""
    links = (link for record in state.of(JACKPOTS).jackpots.values() for link in record.jackpot.tables)
    return next((link.location for link in links), room_name(state))


def room_zone(state: BookState) -> ZoneInfo:
    """The room's time zone."""
    calendar = state.of(ROOM)
    return ZoneInfo("UTC" if calendar is None else calendar.history[-1][1].time_zone)


def room_locale(state: BookState) -> str:
    """How the room writes amounts and days."""
    calendar = state.of(ROOM)
    return "en-US" if calendar is None else calendar.history[-1][1].locale


def has_practice(state: BookState, at: int) -> bool:
    """True if the room's pages offer practice on the gambling day of an instant."""
    calendar = state.of(ROOM)
    if calendar is None:
        return True
    return calendar.settings_on(calendar.gambling_day(EPOCH + datetime.timedelta(microseconds=at))).practice


def tables_of(state: BookState) -> tuple[str, ...]:
    """Return every table that is set up, linked to a jackpot or configured; numbers in the order of numbers."""
    names = {link.table for record in state.of(JACKPOTS).jackpots.values() for link in record.jackpot.tables}
    names |= set(state.parts.get(CONFIGURATIONS.name, TableConfigurations()).tables)
    tables = state.parts.get(TABLES.name)
    names |= set() if tables is None else set(tables.tables)
    return tuple(sorted(names, key=lambda name: (not name.isdigit(), int(name) if name.isdigit() else 0, name)))


class Room:
    """The books of a data directory with the people, tables and jackpots in them; one process at a time has it.

    Every verb is a command: `verify` returns what speaks against one, `can` whether nothing does, `do` carries it out.
    """

    def __init__(
        self,
        path: Path,
        *,
        clock: Callable[[], int] = books.microseconds_now,
        monotonic: Callable[[], int] | None = None,
        hashing: Hashing | None = None,
        limits: SessionLimits | None = None,
        stands_by: bool = False,
    ) -> None:
        self._is_made = False
        self._moved: list[Callable[[], None]] = []
        self._lock = threading.Lock()
        self._closed = False
        self.time_commits: Callable[[str], None] | None = None
        """Called at each point of the writer, in its thread, to measure how long commits take."""
        self._troubles: dict[str, ActiveAlarm] = {}
        self._refused_watches: set[str] = set()
        self._troubled: tuple[BookState, dict[str, ActiveAlarm], BookState] | None = None
        self.path, self.clock = path, clock
        if monotonic is None and clock is books.microseconds_now:
            monotonic = books.microseconds_running
        self.monotonic = monotonic or clock
        self.books = books.open_books(
            path,
            projections=PROJECTIONS,
            invariants=INVARIANTS,
            at_point=self._at_point,
            clock=clock,
            watch=None if monotonic is None else _clock_watch(clock, monotonic),
            stands_by=stands_by,
        )
        self._hashing, self._limits = hashing, limits
        self.services = RoomServices(self.books, clock, self.monotonic, lambda: self.vault)
        self._executor = Executor(self.services)
        self.approvals = Approvals(self._executor, BY_NAME, self._after_approval)
        self.displays = DisplayWatch(self._executor)
        self.devices = Receiver(self._executor)
        self.devices.tell_stuck = partial(self._trouble, "device")
        self.devices.is_example = lambda table: is_example(self.state, table)
        self.heads = HeadWatch(self.books, path)
        self._installation: Installation | None = None
        self._is_made = True

    @cached_property
    def vault(self) -> Vault:
        """The secrets of people, devices and dealt rounds."""
        return Vault(self.path)

    @cached_property
    def access(self) -> Access:
        """People, devices and sessions."""
        return Access(self._executor, self.vault, hashing=self._hashing, limits=self._limits, do=self.do)

    @cached_property
    def dealing(self) -> Dealing:
        """The tables that Pitboss deals at."""
        return Dealing(self._executor, self.vault, lock=lambda: RoomLock(self.path, self.state))

    @cached_property
    def signs(self) -> SignWatch:
        """The signs that an adapter sets."""
        return SignWatch(self._executor, self.path, self.clock)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @property
    def state(self) -> BookState:
        """The state of the room's book after the last commit, with what troubles the server now."""
        state, troubles = self.services.state, self._troubles
        if not troubles:
            return state
        last = self._troubled
        if last is None or last[0] is not state or last[1] is not troubles:
            parts = {**state.parts, TROUBLES: tuple(troubles.values())}
            self._troubled = last = (state, troubles, replace(state, parts=parts))
        return last[2]

    def _trouble(self, kind: str, name: str, text: str) -> None:
        """Raise an alarm about the server itself, or end it where nothing is wrong."""
        key = f"{kind} {name}"
        with self._lock:
            before = self._troubles.get(key)
            if ("" if before is None else before.words) == text:
                return
            others = {other: alarm for other, alarm in self._troubles.items() if other != key}
            since = self.clock() if before is None else before.since
            self._troubles = others | ({key: ActiveAlarm(key, kind, "", text, since)} if text else {})
        self._tell()

    @property
    def is_leader(self) -> bool:
        """True if this server writes to the books; of several servers of a room one does."""
        return self.books.is_leader

    @property
    def role(self) -> Literal["leader", "standby"]:
        """What this server is among those of the room: it leads, or follows and takes over."""
        return "leader" if self.is_leader else "standby"

    def _take_over(self) -> None:
        """Reload what a server holds beside the books, as after a start: another one has led."""
        if not self._is_made or not self.books.store.is_shared:
            return
        self.displays.begin()
        self.devices.heard.clear()
        vars(self).pop("dealing", None)
        if "access" in vars(self):
            self.access.reload()

    @property
    def name(self) -> str:
        """The name of the room today."""
        return room_name(self.state, self.clock())

    def verify(self, command: Command, by: By) -> tuple[str, ...]:
        """Return everything that speaks against a command now, as if a second person had approved it."""
        spec, second = command.spec, by.approver
        if second is None and command.needs_second(self.state, by):
            second = By(SOMEBODY, spec.second_role(by.role))
        return self._executor.verify(command, replace(by, approver=second))

    def can(self, command: Command, by: By) -> bool:
        """True if nothing speaks against a command now."""
        return not self.verify(command, by)

    def do(self, command: Command, by: By, *, id: str, happened: int | None = None) -> Answer:  # noqa: A002
        """Carry a command out once under its id, or ask the second person for it that it needs.

        When this returns, its entries are on disk: those of the command, or the request for its approval.
        """
        if by.approver is None and command.needs_second(self.state, by):
            return self.approvals.ask(command, by, id=id, happened=happened)
        return self._executor.do(command, by, id=id, happened=happened)

    def _after_approval(self, command: Command) -> None:
        """Sign out whom an approved command has taken off the list."""
        if isinstance(command, SetPerson):
            self.access.forget_removed()

    def do_later(self, command: Command, by: By, *, id: str, happened: int | None = None) -> Future[Answer]:  # noqa: A002
        """Queue a command; the future has its answer after the commit, or raises what spoke against it."""
        return self._executor.do_later(command, by, id=id, happened=happened)

    def secrets(self) -> Secrets:
        """Return who has chosen a password and a PIN, and which devices can make themselves known."""
        people = self.access.people
        enrolled = {name for name in people.devices if self.access.sessions.of(name, ENROLLED)}
        return Secrets(
            passwords={login for login in people.people if self.vault.secret(login, "password")},
            pins={login for login in people.people if self.vault.secret(login, "pin")},
            devices=enrolled | set(self.vault.secrets("token").values()),
        )

    def when_moved(self, tell: Callable[[], None]) -> Callable[[], None]:
        """Call a function after each commit, in the thread that writes: it must be quick; returns how to stop it."""
        with self._lock:
            self._moved = [*self._moved, tell]

        def stop() -> None:
            with self._lock:
                self._moved = [listener for listener in self._moved if listener is not tell]

        return stop

    def _at_point(self, point: str) -> None:
        if self.time_commits is not None:
            self.time_commits(point)
        if point == "away":
            self._trouble("store", "books", _STORE_AWAY)
        elif point == "leads":
            self._take_over()
        elif point in ("published", "follows"):
            if self._troubles:
                self._trouble("store", "books", "")
            if point == "published":
                self._tell()

    def _tell(self) -> None:
        for tell in self._moved:
            tell()

    def tap_in(self, device: Device, login: str, pin: str, *, address: str) -> Started:
        """Sign a dealer in at a console, and put them in charge of the table; a round on the table goes on."""
        started = self.access.tap_in(device, login, pin, address=address)
        person = self.access.person(login)
        by = By(person.name, "dealer" if "dealer" in person.roles else "supervisor")
        # A table that is closed or has no equipment has nobody in charge.
        with suppress(RefusedError):
            self.do(ChangeDealer(table=device.table, dealer=person.name), by, id=f"tap-{uuid.uuid4().hex}")
        return started

    def take_software(self, installation: Installation) -> None:
        """Record the software that serves the room where it is another; changed files keep it read-only (T-15)."""
        self._installation = installation
        self._record_software()
        if installation.problems:
            self.books.read_only = _CHANGED_SOFTWARE.format("; ".join(installation.problems))
            self._trouble("software", "installation", _SOFTWARE_ALARM)

    def _record_software(self) -> None:
        """Record the software where the room has begun and does not know it yet."""
        if self._installation is None or not self._may_write or self.state.of(ROOM) is None:
            return
        record = software_command(self._installation, self.state.of(SOFTWARE))
        if record is not None:
            self.do(record, SYSTEM_ACTOR, id=f"software-{uuid.uuid4().hex}")

    @property
    def _may_write(self) -> bool:
        return not (self._closed or self.books.is_halted or self.books.stands_by)

    def look_after(self) -> None:
        """Run periodic work: tidy up, look for silent devices and displays, open what is due, and review escrow."""
        self._trouble("time", "clock", _CLOCK_JUMPED if self.books.clock_jump else "")
        if self.books.stands_by and "access" in vars(self):
            self.watch("sign-ins", self.access.reload)
        if not self._may_write:
            return
        watch = f"watch-{uuid.uuid4().hex}"
        watches: dict[str, Callable[[], object]] = {
            "sign-ins": self.access.tidy,
            "what is due": self.open_due,
            "requests": lambda: self.approvals.end_over(id=f"{watch}-ended"),
            "signs": lambda: self.signs.review(command=f"{watch}-signs"),
            "devices": lambda: self.devices.watch(id=f"{watch}-devices"),
            "displays": lambda: self.displays.review(command=f"{watch}-displays"),
            "heads that leave this computer": lambda: self.heads.review(self.clock()),
            "software": self._record_software,
            "backups": self._watch_backups,
            "escrow": lambda: review_escrow(self._executor, f"{watch}-escrow"),
        }
        for name, look in watches.items():
            self.watch(name, look)

    def _watch_backups(self) -> None:
        self._trouble("backup", "plan", backup_trouble(self.state, self.clock()))

    def watch(self, name: str, look: Callable[[], object]) -> None:
        """Run one watch by itself: where it fails, that is logged and an alarm, and the others go on."""
        text, was_refused = "", name in self._refused_watches
        self._refused_watches.discard(name)
        try:
            with suppress(ClosedError, HaltedError):
                look()
        except RefusedError:
            # Once, something has moved meanwhile; what is refused again and again is not done.
            self._refused_watches.add(name)
            text = _WATCH_FAILS.format(name) if was_refused else ""
        except StoreError:
            # While nothing can be written that is an alarm of its own.
            text = "" if self.books.unwritable or self.books.stands_by else _WATCH_FAILS.format(name)
        except Exception:  # noqa: BLE001 - told in the log, and what else there is goes on
            text = _WATCH_FAILS.format(name)
        if text and f"watch {name}" not in self._troubles:
            _log.exception("watching %s of the room %s fails", name, self.path)
        self._trouble("watch", name, text)

    def open_due(self) -> list[str]:
        """Activate the configurations that are due at tables between their rounds; return those tables (T-16)."""
        opened: list[str] = []
        if not self._may_write:
            return opened
        with suppress(ClosedError):
            for table in due_tables(self.state, self.clock()):
                # A round may have begun meanwhile: then it opens after that one.
                with suppress(RefusedError):
                    self.do(OpenDueConfiguration(table=table), SYSTEM_ACTOR, id=f"opens-{uuid.uuid4().hex}")
                    opened.append(table)
            for name in due_postings(self.state, self.clock()):
                # A static display takes another amount only while its jackpot is closed: then it is posted after that.
                with suppress(RefusedError):
                    self.do(PostDueBonus(name=name), SYSTEM_ACTOR, id=f"posts-{uuid.uuid4().hex}")
        return opened

    def close(self) -> None:
        """Write what waited, and close the books; closing twice does nothing."""
        if self._closed:
            return
        self._closed = True
        try:
            if "access" in vars(self) and not self.books.is_halted and self.is_leader:
                with suppress(StoreError):
                    self.access.tidy(at_end=True)
        finally:
            if "signs" in vars(self):
                self.signs.close()
            self.books.close()
            if "vault" in vars(self):
                self.vault.close()
