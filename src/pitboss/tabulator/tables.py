"""The lifecycle of a table as commands: set up, opened, closed, suspended; its dealer, and the seats of one person."""

import datetime
from collections.abc import Sequence
from typing import Annotated, NamedTuple, Protocol

from pitboss import law
from pitboss.books import BookState, Payload
from pitboss.commands import Bounds, By, Command, Description, Name, Now, Prepared, Seats, Words, command, refuse, roles
from pitboss.commands.command import SOMEBODY
from pitboss.commands.description import counted, day_words, fact
from pitboss.jackpot.hits.calls import MOVED_ON
from pitboss.jackpot.state import local_day
from pitboss.law.papers import equipment_title
from pitboss.tabulator import descriptions, entries
from pitboss.tabulator.setup import TableSetup, opening_problems, setup_problems
from pitboss.tabulator.state import TABLES, shift_at, table_of
from pitboss.tabulator.values import TableRecord


def reason_problems(reason: str) -> list[str]:
    """Return the problem that the reason is missing."""
    return [] if reason.strip() else ["state the reason in words (M-02)"]


def screen_problems(record: TableRecord, shown_round: int | None, by: By) -> list[str]:
    """Return that a round was counted since a screen was shown; who approves does so however late that is (G-67)."""
    is_approved = by.approved_by not in ("", SOMEBODY)
    return [] if shown_round in (None, record.round) or is_approved else [MOVED_ON]


@command("tables/set-up", roles=roles.MANAGERS, approvers=roles.CONFIGURERS)
class SetUpTable(Command):
    """Set up the equipment of a closed table, now or for a later gaming day."""

    setup: TableSetup
    words: Words
    since: datetime.date | None = None

    def table_name(self, state: BookState) -> str:
        """Return the table that is set up."""
        return self.setup.table

    def describe(self, state: BookState) -> Description:
        """Return the equipment, and what differs from what is there."""
        setup, rows = self.setup, descriptions.setup_changes(state, self.setup)
        model = equipment_title(setup.model)
        rows = rows if self.since is None else (*rows, fact("Starts on", day_words(self.since)))
        title = f"Equipment for table {setup.table}: {model}, {counted(setup.seats, 'seat')}"
        return Description(title, rows, self.words)

    def entries(self, now: Now, by: By) -> list[Payload]:
        """Return the setup, in force at once or from the first opening of a later day."""
        setup, since = self.setup, self.since
        problems = reason_problems(self.words)
        problems += map(str, setup_problems(setup, since or local_day(now.state, now.at)))
        problems += _device_problems(now.state, setup)
        problems += room_size_problems(now.state, setup, since or local_day(now.state, now.at))
        before, shift = now.state.of(TABLES).tables.get(setup.table), shift_at(now.state, now.at)
        if since is None and before is not None and before.life != "closed":
            problems.append(f"table {setup.table} is {before.life}: prepare the change for a later day (T-16)")
        elif since is not None and before is None:
            problems.append(f"there is no table {setup.table!r} yet: set it up first (T-09)")
        elif since is not None and shift is not None and since <= shift.day:
            problems.append(f"the gaming day of {shift.day} has begun: a change is prepared for a later one (T-16)")
        refuse(problems)
        day = "" if since is None else since.isoformat()
        return [entries.TableSetUp(setup=setup, words=self.words, approved_by=by.approved_by, since=day)]


def _device_problems(state: BookState, setup: TableSetup) -> list[str]:
    for other in state.of(TABLES).tables.values():
        devices = {other.setup.device, *(prepared.device for _, prepared in other.prepared)}
        if other.table != setup.table and setup.device and setup.device in devices:
            return [f"device {setup.device} is that of table {other.table}: each has its own (T-09)"]
    return []


def room_size_problems(state: BookState, setup: TableSetup, on: datetime.date, *, is_open: bool = False) -> list[str]:
    """Return that a room has as many other tables as it may, or with `is_open` as many that are not closed (W-08)."""
    if setup.profile not in law.PROFILES:
        return []
    most = law.on(on, setup.profile).get("tables_max")
    others = [
        record
        for record in state.of(TABLES).tables.values()
        if record.table != setup.table and record.setup.profile == setup.profile
    ]
    if is_open:
        others = [record for record in others if record.life != "closed"]
    if most is None or len(others) < most.value:
        return []
    there = "are open" if is_open else "are set up"
    return [f"{len(others)} tables {there}: a room has at most {most.value} ({most.source}; G-60)"]


class RoomGate(Protocol):
    """What a room holds against opening a table; see `Services.opening_problems`."""

    def opening_problems(self, now: Now, table: str) -> list[str]:
        """Return everything, in words."""
        ...


class _Playable(Protocol):
    """A command after which the jackpots of a table are played."""

    @property
    def table(self) -> str:
        """The table."""
        ...

    def checked(self, now: Now, by: By, problems_of_room: Sequence[str]) -> Payload:
        """Return its entry, or refuse it with everything that the table and the room hold against it."""
        ...


class _Gated(NamedTuple):
    """A command after which a table is played, and whom to ask what the room holds against it."""

    command: _Playable
    room: RoomGate

    def entries(self, now: Now, by: By) -> list[Payload]:
        """Return the entry, on the gambling day of this instant."""
        return [self.command.checked(now, by, self.room.opening_problems(now, self.command.table))]


@command("tables/open", roles=roles.FLOOR, approvers=roles.OPENERS, pin=True)
class OpenTable(Command):
    """Open a table; what was prepared for today is in force."""

    table: Name
    words: Words = ""

    def describe(self, state: BookState) -> Description:
        """Return the table with its game and the meters that are played."""
        rows = descriptions.table_changes(state, self.table, "Open")
        return Description(f"Open table {self.table}", rows, self.words)

    def prepare(self, services: RoomGate) -> Prepared:
        """Return the opening with what the room holds against it: configuration, approvals and displays."""
        return _Gated(self, services)

    def entries(self, now: Now, by: By) -> list[Payload]:
        """Return the opening, on the gambling day of this instant."""
        return [self.checked(now, by, [])]

    def checked(self, now: Now, by: By, problems_of_room: Sequence[str]) -> Payload:
        """Return the opening, or refuse it with everything that the table and the room hold against it."""
        record, shift = table_of(now.state, self.table), shift_at(now.state, now.at)
        problems = [f"table {self.table} is {record.life} already (E-02)"] if record.life != "closed" else []
        if shift is None:
            refuse([*problems, "the room has no gaming day yet: set its shifts first (O-07)"])
        assert shift is not None
        setup = record.setup_on(shift.day.isoformat())
        today = local_day(now.state, now.at)
        problems += map(str, opening_problems(setup, now.state, today))
        problems += room_size_problems(now.state, setup, today, is_open=True)
        refuse(dict.fromkeys([*problems, *problems_of_room]))
        return entries.TableOpened(day=shift.day.isoformat(), words=self.words, approved_by=by.approved_by)


def _between_rounds(record: TableRecord, verb: str) -> list[str]:
    if record.phase == "open":
        return []
    return [f"round {record.on_table} of table {record.table} is in play: {verb} between rounds (E-02)"]


@command("tables/close", roles=roles.FLOOR, pin=True)
class CloseTable(Command):
    """Close a table between rounds."""

    table: Name
    words: Words = ""

    def entries(self, now: Now, by: By) -> list[Payload]:
        """Return the closing."""
        record = table_of(now.state, self.table)
        problems = [f"table {self.table} is closed already (E-02)"] if record.life == "closed" else []
        refuse(problems + _between_rounds(record, "a table is closed"))
        return [entries.TableClosed(words=self.words)]


@command("tables/suspend", roles=roles.FLOOR, pin=True)
class SuspendTable(Command):
    """Suspend the jackpots of a table between rounds."""

    table: Name
    words: Words

    def entries(self, now: Now, by: By) -> list[Payload]:
        """Return the suspension."""
        record, problems = table_of(now.state, self.table), reason_problems(self.words)
        problems += [f"table {self.table} is {record.life}, not open (T-09)"] if record.life != "open" else []
        refuse(problems + _between_rounds(record, "jackpots are suspended"))
        return [entries.JackpotsSuspended(words=self.words)]


@command("tables/resume", roles=roles.FLOOR, approvers=roles.OPENERS, pin=True)
class ResumeTable(Command):
    """Play the jackpots of a table again."""

    table: Name
    words: Words

    def describe(self, state: BookState) -> Description:
        """Return the table with the meters that are played again."""
        rows = descriptions.table_changes(state, self.table, "Open")
        return Description(f"Resume jackpot play at table {self.table}", rows, self.words)

    def prepare(self, services: RoomGate) -> Prepared:
        """Return the resumption with what the room holds against it, as against an opening."""
        return _Gated(self, services)

    def entries(self, now: Now, by: By) -> list[Payload]:
        """Return the resumption."""
        return [self.checked(now, by, [])]

    def checked(self, now: Now, by: By, problems_of_room: Sequence[str]) -> Payload:
        """Return the resumption; the table must be fit to open."""
        record, problems = table_of(now.state, self.table), reason_problems(self.words)
        if record.life != "suspended":
            problems.append(f"table {self.table} is {record.life}, not suspended (T-09)")
        problems += _between_rounds(record, "jackpots are played again")
        problems += map(str, opening_problems(record.setup, now.state, local_day(now.state, now.at)))
        refuse(dict.fromkeys([*problems, *problems_of_room]))
        return entries.JackpotsResumed(words=self.words, approved_by=by.approved_by)


class DealerNames(Protocol):
    """The people of a room, as a table knows them."""

    def dealer_name(self, state: BookState, name: str) -> str:
        """Return the name of a dealer as entries have it, or refuse who is none."""
        ...


@command("tables/dealer", roles=(*roles.TABLE, *roles.DEVICE), is_exposed=False, pin=True)
class ChangeDealer(Command):
    """Change the dealer in charge of a table; a round on the table goes on."""

    table: Name
    dealer: Name

    def prepare(self, services: DealerNames) -> Prepared:
        """Return the change with whom to ask who is a dealer."""
        return _Named(self, services)

    def entries(self, now: Now, by: By) -> list[Payload]:
        """Return the change of dealer."""
        return [dealer_change(now.state, self.table, self.dealer)]


class _Named(NamedTuple):
    """A change of dealer, and whom to ask for the name."""

    command: ChangeDealer
    people: DealerNames

    def entries(self, now: Now, by: By) -> list[Payload]:
        """Return the change of dealer, by the name that the room knows."""
        name = self.people.dealer_name(now.state, self.command.dealer)
        return [dealer_change(now.state, self.command.table, name)]


def dealer_change(
    state: BookState, table: str, dealer: str, *, device: str = "", device_sequence: int = 0
) -> entries.DealerChanged:
    """Build the entry that puts a dealer in charge, as people or a badge at the device report it."""
    record = table_of(state, table)
    problems = [] if dealer.strip() == dealer != "" else [f"{dealer!r} is no dealer's name (E-02)"]
    if record.life == "closed":
        problems.append(f"table {table} is closed: no dealer is in charge (E-02)")
    refuse(problems)
    return entries.DealerChanged(dealer=dealer, device=device, device_sequence=device_sequence)


@command("tables/mark-seats", roles=roles.TABLE, pin=True)
class MarkSeats(Command):
    """Mark seats that one person plays, in place of the marks before."""

    table: Name
    persons: Annotated[tuple[Seats, ...], Bounds(most=20)]

    def entries(self, now: Now, by: By) -> list[Payload]:
        """Return the marks, each group in order."""
        record, groups = table_of(now.state, self.table), [list(group) for group in self.persons]
        seats, problems = [seat for group in groups for seat in group], []
        if record.life == "closed":
            problems.append(f"table {self.table} is closed: nobody plays there (E-02)")
        if any(type(seat) is not int or not 1 <= seat <= record.setup.seats for seat in seats):
            problems.append(f"seats {seats}: numbers from 1 to {record.setup.seats} (G-16)")
        if len(set(seats)) != len(seats) or any(len(group) < 2 for group in groups):
            problems.append(f"{groups}: a person plays two seats or more, alone (FCP-5)")
        refuse(problems)
        persons = tuple(sorted(tuple(sorted(group)) for group in groups))
        return [entries.SeatsMarked(persons=persons, by=by.name)]
