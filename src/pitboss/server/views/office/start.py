"""The first day: what of a new room is done and what is missing, read off the books, each with where it is done."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple
from urllib.parse import quote

from pitboss.books import LEDGER, ROOM, BookState
from pitboss.jackpot import JACKPOTS
from pitboss.room.approvals import APPROVALS
from pitboss.room.configurations import configuration_at
from pitboss.room.displays import tables_without_display
from pitboss.room.people.access import Secrets
from pitboss.room.people.people import PEOPLE, Person
from pitboss.tabulator import TABLES

_APPROVE = ("manager", "accounting", "surveillance")
_MONEY = ("manager", "accounting")
_NEEDED = {
    "manager": "a manager (G-49)",
    "supervisor": "a supervisor, who verifies hits (G-49)",
    "dealer": "a dealer (F-07)",
    "accounting": "somebody of accounting, who pays hits and looks after the escrow (G-49)",
}


class Step(NamedTuple):
    """A step of the path: what it is, where and by whom it is done, what is there, and what is missing of it."""

    title: str
    link: str
    action: str
    roles: tuple[str, ...]
    there: tuple[str, ...]
    missing: tuple[str, ...]

    @property
    def is_done(self) -> bool:
        """Whether nothing is missing."""
        return not self.missing


class StartView(NamedTuple):
    """The path: its steps in order."""

    steps: tuple[Step, ...]

    @property
    def done(self) -> int:
        """How many steps are done."""
        return sum(step.is_done for step in self.steps)

    @property
    def next(self) -> Step | None:
        """The first step that is not done."""
        return next((step for step in self.steps if not step.is_done), None)


def _room(state: BookState) -> Step:
    calendar = state.of(ROOM)
    title, link, roles = "The room, its gambling day and shifts", "/office/room", ("manager", "administrator")
    if calendar is None:
        return Step(
            title,
            link,
            "Set up the room",
            roles,
            (),
            ("name, time zone, when the gambling day begins, and the shifts (O-07)",),
        )
    settings = calendar.history[-1][1]
    shifts = ", ".join(f"{name} from {begins:%H:%M}" for name, begins in settings.shifts)
    return Step(title, link, "Look", roles, (f"{settings.room}, {settings.time_zone}", f"shifts: {shifts}"), ())


def _pairs(people: Mapping[str, Person], roles: tuple[str, ...]) -> int:
    return sum(bool(set(roles) & set(each.roles)) for each in people.values())


def _people(state: BookState, secrets: Secrets) -> Step:
    people = {login: each for login, each in state.of(PEOPLE).people.items() if each.active}
    ready = {login: each for login, each in people.items() if login in secrets.passwords}
    return Step(
        "People",
        "/office/people",
        "Add people",
        ("administrator",),
        tuple(f"{each.name}: {', '.join(each.roles)}" for each in people.values()),
        tuple(_people_missing(people, ready, secrets)),
    )


def _people_missing(people: Mapping[str, Person], ready: Mapping[str, Person], secrets: Secrets) -> Iterator[str]:
    for role, told in (
        ("manager", "a manager"),
        ("supervisor", "a supervisor, who verifies hits"),
        ("dealer", "a dealer"),
    ):
        if not _pairs(people, (role,)):
            yield f"{told} ({'G-49' if role != 'dealer' else 'F-07'})"
    if _pairs(people, _APPROVE) < 2:
        yield "a second person who approves configurations: manager, accounting or surveillance (T-06, T-18)"
    if _pairs(people, _MONEY) < 2:
        yield "a second person for meter money: manager or accounting (P-05, G-31)"
    waiting = [each.name for login, each in people.items() if login not in ready and set(each.roles) - {"dealer"}]
    needed = [role for role in ("manager", "supervisor", "accounting") if not _pairs(ready, (role,))]
    if waiting and needed:
        yield f"a one-time link, and then a password of their own, for: {', '.join(waiting)}"
    dealers = [each for each in people.values() if "dealer" in each.roles]
    if dealers and not any(each.login in secrets.pins for each in dealers):
        yield f"a PIN for the consoles, chosen on the account page by: {', '.join(each.name for each in dealers)}"


def _tables(state: BookState) -> Step:
    records = state.of(TABLES).tables
    missing = [] if records else ["a table with its equipment (E-01)"]
    there = []
    for name, record in records.items():
        configuration = configuration_at(state, name)
        if configuration is None:
            missing.append(f"table {name}: a configuration in force, approved by a second person")
        else:
            there.append(f"table {name}: {configuration.game}, {record.setup.model}")
    return Step(
        "Tables", "/office/tables", "Set up tables", ("manager",), tuple(there), (*missing, *_asked(state, "tables/"))
    )


def _asked(state: BookState, area: str) -> tuple[str, ...]:
    waiting = [each for each in state.of(APPROVALS).values() if each.what.startswith(area)]
    return tuple(
        f"the approval of {each.what.rpartition('/')[2].replace('-', ' ')}, asked by {each.by}" for each in waiting
    )


def _jackpots(state: BookState) -> Step:
    records, ledger = state.of(JACKPOTS).jackpots, state.of(LEDGER)
    missing = [] if records else ["a progressive or a Bonus jackpot"]
    missing += [f"{name}: open it, with a second person" for name in records if name not in ledger]
    there = tuple(
        f"{name}: {'progressive' if each.jackpot.is_progressive else 'Bonus'}, "
        f"table {', '.join(link.table for link in each.jackpot.tables)}"
        for name, each in records.items()
    )
    return Step(
        "Jackpots", "/office/jackpots", "Define jackpots", ("manager",), there, (*missing, *_asked(state, "jackpots/"))
    )


def _devices(state: BookState, secrets: Secrets) -> Step:
    devices = {name: each for name, each in state.of(PEOPLE).devices.items() if each.active}
    records = state.of(TABLES).tables
    missing = [f"table {table}: a display that players can see (J-08, T-04)" for table in tables_without_display(state)]
    for name, record in records.items():
        here = [each for each in devices.values() if each.table == name]
        kinds = {each.what for each in here}
        if record.setup.device and record.setup.device not in devices:
            missing.append(f"table {name}: its tabulator {record.setup.device!r}")
        elif not kinds & {"device", "console"}:
            missing.append(f"table {name}: a tabulator or a dealer's console (E-02)")
        missing += [
            f"{each.name}: a one-time link for its browser, or a token"
            for each in here
            if each.what in ("device", "console") and each.name not in secrets.devices
        ]
    if not records and not devices:
        missing.append("displays and consoles, when there are tables")
    there = tuple(
        f"{each.name}: {each.what}{f' at table {each.table}' if each.table else ''}" for each in devices.values()
    )
    return Step(
        "Displays, consoles and tabulators",
        "/office/devices",
        "Register them",
        ("administrator",),
        there,
        tuple(missing),
    )


def _escrow(state: BookState) -> Step:
    there, missing = [], []
    link = "/office/jackpots"
    for name, record in state.of(JACKPOTS).jackpots.items():
        accounts = state.of(LEDGER).get(name)
        if not record.jackpot.is_progressive or accounts is None or not record.jackpot.tables:
            continue
        if accounts.balances["escrow-bank"] or accounts.balances["escrow-transit"] or not accounts.held_units:
            there.append(f"{name}: a deposit was sent")
        else:
            missing.append(f"{name}: send its seed to the separate bank account, within seven days (J-19)")
            link = f"/office/jackpots/{quote(name, safe='')}#deposits"
    if not state.of(JACKPOTS).jackpots:
        missing.append("when a progressive is open: its seed goes to a separate bank account (J-19)")
    return Step("Escrow", link, "Deposit", ("manager", "accounting"), tuple(there), tuple(missing))


def _open(state: BookState) -> Step:
    records = state.of(TABLES).tables
    played = [name for name, each in records.items() if each.life != "closed" or each.rounds_counted]
    missing = [f"open table {name}" for name in records if name not in played]
    if not records:
        missing.append("open the tables when all of the above is done")
    there = tuple(f"table {name}" for name in played)
    return Step("Open for business", "/floor", "To the floor", ("supervisor", "manager"), there, tuple(missing))


def start_view(state: BookState, secrets: Secrets) -> StartView:
    """Work out the path from an empty room to one that is open for business."""
    people, devices = _people(state, secrets), _devices(state, secrets)
    return StartView((_room(state), people, _tables(state), _jackpots(state), devices, _escrow(state), _open(state)))


def is_started(state: BookState, secrets: Callable[[], Secrets]) -> bool:
    """Whether the first day is behind the room: a wager was counted, or nothing of the path is missing."""
    if any(accounts.counts["wagers_counted"] for accounts in state.of(LEDGER).values()):
        return True
    return start_view(state, secrets()).next is None
