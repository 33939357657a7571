"""The room: its settings through time, and the first day, with what is done and what is missing of a new room."""

import datetime
import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import NamedTuple
from zoneinfo import available_timezones

from pitboss.books import LEDGER, LOCALES, ROOM, BookState, RoomSettings
from pitboss.commands import Command
from pitboss.jackpot import JACKPOTS, DefineJackpot, JackpotRecord, SendDeposit
from pitboss.jackpot.state import rule_of
from pitboss.meters import units_of
from pitboss.room.approval_records import RecordApproval, maker_notices, papers_at
from pitboss.room.approvals import APPROVALS, description_of, undoable_acts
from pitboss.room.commands import EXPOSED
from pitboss.room.configurations import PostConfiguration, configuration_at
from pitboss.room.displays import tables_without_display
from pitboss.room.opening import approval_problems, jackpot_opening_problems, table_problems
from pitboss.room.people.access import Secrets
from pitboss.room.people.people import PEOPLE, Person, SetDevice, SetPerson
from pitboss.room.people.roles import PEOPLE_ROLES
from pitboss.room.room import tables_of
from pitboss.room.settings import SetRoom, today_of
from pitboss.server.views.office.jackpots import jackpot_address
from pitboss.tabulator import TABLES, OpenTable

_ROWS = 4
_FIRST_SHIFTS = (("day", "06:00"), ("swing", "14:00"), ("grave", "22:00"))
_ZONES = (
    "America/Los_Angeles",
    "America/Denver",
    "America/Phoenix",
    "America/Chicago",
    "America/New_York",
    "America/Anchorage",
    "Pacific/Honolulu",
)
"""The zones in which card rooms of this kind are, before all others."""


@cache
def _zones() -> tuple[str, ...]:
    return (*_ZONES, *sorted(available_timezones() - set(_ZONES)))


class SettingsPeriod(NamedTuple):
    """Settings and since when they hold; `state` is past, now or later."""

    since: str
    shifts: str
    operator: str
    state: str


class RoomView(NamedTuple):
    """The page of the room; `shifts` are the rows of the form: the name of a shift and when it begins."""

    is_new: bool
    room: str
    time_zone: str
    operator: str
    licence: str
    locale: str
    locales: tuple[str, ...]
    zones: tuple[str, ...]
    shifts: tuple[tuple[str, str], ...]
    since: str
    periods: tuple[SettingsPeriod, ...]


def _shifts(settings: RoomSettings) -> list[tuple[str, str]]:
    return [(name, f"{begins:%H:%M}") for name, begins in settings.shifts]


def _periods(state: BookState, now: int) -> tuple[SettingsPeriod, ...]:
    calendar = state.of(ROOM)
    if calendar is None:
        return ()
    today = today_of(calendar, now)
    in_force = max((day for day, _ in calendar.history if day <= today), default=calendar.history[0][0])
    return tuple(
        SettingsPeriod(
            day.isoformat(),
            ", ".join(f"{name} from {begins}" for name, begins in _shifts(settings)),
            ", ".join(text for text in (settings.room, settings.operator, settings.licence) if text),
            "now" if day == in_force else "later" if day > today else "past",
        )
        for day, settings in calendar.history
    )


def room_view(state: BookState, now: int, values: Mapping[str, list[str]] | None = None) -> RoomView:
    """Lay out the settings; values are those of a form that was refused."""
    calendar = state.of(ROOM)
    last = None if calendar is None else calendar.history[-1][1]
    shifts = list(_FIRST_SHIFTS) if last is None else _shifts(last)
    since = "" if calendar is None else (today_of(calendar, now) + datetime.timedelta(days=1)).isoformat()
    texts = {
        "room": "" if last is None else last.room,
        "time_zone": _ZONES[0] if last is None else last.time_zone,
        "operator": "" if last is None else last.operator,
        "licence": "" if last is None else last.licence,
        "locale": LOCALES[0] if last is None else last.locale,
        "since": since,
    }
    if values is not None:
        texts = {name: next(iter(values.get(name, [])), text if last else "") for name, text in texts.items()}
        shifts = list(zip(values.get("shift", []), values.get("begins", []), strict=False))
    rows = [*shifts, *[("", "")] * max(0, _ROWS - len(shifts))]
    return RoomView(
        is_new=last is None,
        zones=_zones(),
        locales=LOCALES,
        shifts=tuple(rows),
        periods=_periods(state, now),
        **texts,
    )


class FirstDayStep(NamedTuple):
    """A step of the first day: what it is, where and by which command, what is there, and what is missing of it."""

    title: str
    link: str
    action: str
    command: type[Command]
    there: tuple[str, ...]
    missing: tuple[str, ...]

    @property
    def roles(self) -> tuple[str, ...]:
        """The people who do it."""
        return tuple(role for role in self.command.spec.roles if role in PEOPLE_ROLES)

    @property
    def is_done(self) -> bool:
        """True if nothing is missing."""
        return not self.missing


class StartView(NamedTuple):
    """The steps of the first day, in order."""

    steps: tuple[FirstDayStep, ...]

    @property
    def done(self) -> int:
        """How many steps are done."""
        return sum(step.is_done for step in self.steps)

    @property
    def next(self) -> FirstDayStep | None:
        """The first step that is not done."""
        return next((step for step in self.steps if not step.is_done), None)


def _room(state: BookState) -> FirstDayStep:
    calendar = state.of(ROOM)
    title, link = "The room, its gambling day and shifts", "/office/room"
    if calendar is None:
        missing = ("name, time zone, when the gambling day begins, and the shifts (O-07)",)
        return FirstDayStep(title, link, "Set up the room", SetRoom, (), missing)
    settings = calendar.history[-1][1]
    shifts = ", ".join(f"{name} from {begins:%H:%M}" for name, begins in settings.shifts)
    there = (f"{settings.room}, {settings.time_zone}", f"shifts: {shifts}")
    return FirstDayStep(title, link, "Look", SetRoom, there, ())


def _count(people: Mapping[str, Person], *roles: str) -> int:
    return sum(bool(set(roles) & set(person.roles)) for person in people.values())


def _people(state: BookState, secrets: Secrets) -> FirstDayStep:
    people = {login: person for login, person in state.of(PEOPLE).people.items() if person.active}
    ready = {login: person for login, person in people.items() if login in secrets.passwords}
    return FirstDayStep(
        "People",
        "/office/people",
        "Add people",
        SetPerson,
        tuple(f"{person.name}: {', '.join(person.roles)}" for person in people.values()),
        tuple(_people_missing(people, ready, secrets)),
    )


def _act(summary: str) -> str:
    """Return what a command does, in the few words before the first stop."""
    words = re.split("[,;.:]", summary)[0]
    return words[:1].lower() + words[1:]


def _people_missing(people: Mapping[str, Person], ready: Mapping[str, Person], secrets: Secrets) -> Iterator[str]:
    for role, text in (
        ("manager", "a manager (G-49)"),
        ("supervisor", "a supervisor, who verifies hits (G-49)"),
        ("dealer", "a dealer (F-07)"),
    ):
        if not _count(people, role):
            yield text
    for pairs, specs in undoable_acts(EXPOSED, people.values()).items():
        acts = "; ".join(_act(spec.summary) for spec in specs)
        yield f"two people, {pairs} (G-31): else nobody can {acts}"
    waiting = [person.name for login, person in people.items() if login not in ready and set(person.roles) - {"dealer"}]
    if waiting and not all(_count(ready, role) for role in ("manager", "supervisor", "accounting")):
        yield f"a one-time link, and then a password of their own, for: {', '.join(waiting)}"
    dealers = [person for person in people.values() if "dealer" in person.roles]
    if dealers and not any(dealer.login in secrets.pins for dealer in dealers):
        yield f"a PIN for the consoles, chosen on the account page by: {', '.join(dealer.name for dealer in dealers)}"


def _tables(state: BookState) -> FirstDayStep:
    records = state.of(TABLES).tables
    missing = [] if records else ["a table with its equipment (E-01)"]
    there = []
    for name, record in records.items():
        configuration = configuration_at(state, name)
        if configuration is None:
            missing.append(f"table {name}: a configuration in force, approved by a second person")
        else:
            there.append(f"table {name}: {configuration.game}, {record.setup.model}")
    missing += _approvals(state, "tables/")
    return FirstDayStep("Tables", "/office/tables", "Set up tables", PostConfiguration, tuple(there), tuple(missing))


def _approvals(state: BookState, area: str) -> list[str]:
    waiting = [pending for pending in state.of(APPROVALS).values() if pending.what.startswith(area)]
    return [f"approval: {description_of(state, pending).title}, requested by {pending.by}" for pending in waiting]


def _records(state: BookState, at: int) -> FirstDayStep:
    """Return the step of the room's own approvals; a table that has been dealt at keeps what it had."""
    records = state.of(TABLES).tables
    missing = [] if records else ["when there are tables: the approval of each, with its number and date (O-16, P-04)"]
    there = []
    for name, record in records.items():
        problems = approval_problems(state, name, at)
        if record.life == "closed":
            missing += problems
        if not problems:
            papers = papers_at(state, name, record.setup.game).values()
            there.append(f"table {name}: {', '.join(f'{paper.number} of {paper.day}' for paper in papers)}")
    there += maker_notices(state) if records else []
    missing += _approvals(state, RecordApproval.spec.name)
    title = "Approvals of the room's own"
    return FirstDayStep(title, "/office/tables", "Record approvals", RecordApproval, tuple(there), tuple(missing))


def _was_opened(record: JackpotRecord) -> bool:
    return record.play != "closed" or bool(record.play_since)


def _plays_none(state: BookState) -> bool:
    """True if the room has tables, and none of them is configured with a jackpot."""
    configurations = [configuration_at(state, table) for table in tables_of(state)]
    return bool(configurations) and not any(posted is None or posted.jackpots for posted in configurations)


def _jackpots(state: BookState) -> FirstDayStep:
    records, ledger = state.of(JACKPOTS).jackpots, state.of(LEDGER)
    missing = [] if records or _plays_none(state) else ["a progressive or a Bonus jackpot"]
    unopened = [name for name, record in records.items() if name not in ledger or not _was_opened(record)]
    for name in unopened:
        missing.append(f"{name}: open it, with a second person")
        missing += [f"{name}: {problem}" for problem in jackpot_opening_problems(state, name)]
    there = tuple(
        f"{name}: {'progressive' if record.jackpot.is_progressive else 'Bonus'}, "
        f"table {', '.join(link.table for link in record.jackpot.tables)}"
        for name, record in records.items()
    )
    missing += _approvals(state, "jackpots/")
    return FirstDayStep("Jackpots", "/office/jackpots", "Define jackpots", DefineJackpot, there, tuple(missing))


def _devices(state: BookState, secrets: Secrets) -> FirstDayStep:
    devices = {name: device for name, device in state.of(PEOPLE).devices.items() if device.active}
    records = state.of(TABLES).tables
    missing = [f"table {table}: a display that players can see (J-08, T-04)" for table in tables_without_display(state)]
    for name, record in records.items():
        here = [device for device in devices.values() if device.table == name]
        kinds = {device.what for device in here}
        if record.setup.device and record.setup.device not in devices:
            missing.append(f"table {name}: its tabulator {record.setup.device!r}")
        elif not kinds & {"device", "console"} and not record.setup.counts_nothing:
            missing.append(f"table {name}: a tabulator or a dealer's console (E-02)")
        missing += [
            f"{device.name}: a one-time link for its browser, or a token"
            for device in here
            if device.what in ("device", "console") and device.name not in secrets.devices
        ]
    if not records and not devices:
        missing.append("displays and consoles, when there are tables")
    there = tuple(
        f"{device.name}: {device.what}{f' at table {device.table}' if device.table else ''}"
        for device in devices.values()
    )
    title = "Displays, consoles and tabulators"
    return FirstDayStep(title, "/office/devices", "Register them", SetDevice, there, tuple(missing))


def _escrow(state: BookState) -> FirstDayStep:
    there, missing = [], []
    link = "/office/jackpots"
    for name, record in state.of(JACKPOTS).jackpots.items():
        accounts, seed = state.of(LEDGER).get(name), units_of(record.jackpot.meter.seed_cents)
        if rule_of(state, record.jackpot) == "none" or not record.jackpot.tables:
            continue
        if _was_opened(record) or (accounts is not None and accounts.balances["escrow-bank"] >= seed):
            there.append(f"{name}: its seed is at the bank")
            continue
        link = f"{jackpot_address(name)}#deposits"
        if accounts is not None and accounts.balances["escrow-transit"]:
            missing.append(f"{name}: another person confirms that its seed has arrived, before play opens (G-33)")
        else:
            missing.append(f"{name}: send its seed to the separate bank account, before play opens (G-33, J-19)")
    if not state.of(JACKPOTS).jackpots and not _plays_none(state):
        missing.append("before a progressive opens: its seed goes to a separate bank account (G-33, J-19)")
    return FirstDayStep("Escrow", link, "Deposit", SendDeposit, tuple(there), tuple(missing))


def _open(state: BookState, at: int) -> FirstDayStep:
    records = state.of(TABLES).tables
    played = [name for name, record in records.items() if record.life != "closed" or record.rounds_counted]
    missing = []
    for name in records:
        if name not in played:
            missing.append(f"open table {name}")
            missing += [f"table {name}: {problem}" for problem in table_problems(state, name, at)]
    if not records:
        missing.append("open the tables when all of the above is done")
    there = tuple(f"table {name}" for name in played)
    return FirstDayStep("Open for business", "/floor", "To the floor", OpenTable, there, tuple(missing))


def start_view(state: BookState, secrets: Secrets, at: int) -> StartView:
    """Lay out the steps from an empty room to one that is open for business at an instant."""
    people, devices = _people(state, secrets), _devices(state, secrets)
    tables, records = _tables(state), _records(state, at)
    return StartView(
        (_room(state), people, tables, records, _jackpots(state), devices, _escrow(state), _open(state, at))
    )
