"""Setup: the steps from an empty room to one that is open for business, each with a button for who does it."""

import datetime
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple
from urllib.parse import quote

from pitboss import jackpot
from pitboss.books import LEDGER, ROOM, BookState
from pitboss.commands import Command
from pitboss.games import find_game
from pitboss.jackpot.state import rule_of
from pitboss.meters import units_of
from pitboss.room.approval_records import RecordApproval, maker_notices, papers_at
from pitboss.room.approvals import APPROVALS, Pending, description_of, undoable_acts
from pitboss.room.bundles import OpenDay, closed_jackpots
from pitboss.room.commands import EXPOSED
from pitboss.room.configurations import PostConfiguration, configuration_at
from pitboss.room.displays import bare_problems, tables_without_display, untrue_displays
from pitboss.room.opening import approval_problems, table_problems
from pitboss.room.people.access import Secrets
from pitboss.room.people.people import PEOPLE, Device, Person, SetDevice, SetPerson
from pitboss.room.people.roles import PEOPLE_ROLES
from pitboss.room.posted_papers import PostPapers
from pitboss.room.room import tables_of
from pitboss.room.settings import SetRoom
from pitboss.server.views.formatting import clock, dollars, medium_day
from pitboss.server.views.office.jackpots import jackpot_address
from pitboss.server.views.office.papers import PAPERS, POST, paper_statuses
from pitboss.server.views.office.settings import zone_title
from pitboss.server.views.office.tables import table_address
from pitboss.server.views.paytables import titled
from pitboss.server.views.shell import has_counted
from pitboss.tabulator import TABLES, OpenTable

_NEEDED = {"manager": "A manager", "supervisor": "A supervisor, who verifies jackpots", "dealer": "A dealer"}
_KINDS = {"device": "tabulator"}
SETUP_DEVICES = "/office/start/devices"
Held = Callable[[Command], Sequence[str]]
"""Returns what the room holds against a command now, whoever asks for it."""
_ANY_DAY = datetime.date(2000, 1, 1)


class StepAction(NamedTuple):
    """A button of a step: its label, where it leads, for whom, and the fields it posts; without any it is a link."""

    label: str
    address: str
    roles: tuple[str, ...]
    fields: tuple[tuple[str, str], ...] = ()
    is_again: bool = False
    """True if it was done before: it is not the next thing to do."""


class FirstDayStep(NamedTuple):
    """A step of the first day: what it is, where and by which command, what is there, and what is missing of it."""

    title: str
    link: str
    action: str
    command: type[Command]
    there: tuple[str, ...]
    missing: tuple[str, ...]
    actions: tuple[StepAction, ...] = ()

    @property
    def roles(self) -> tuple[str, ...]:
        """The people who do it."""
        return tuple(role for role in self.command.spec.roles if role in PEOPLE_ROLES)

    @property
    def who(self) -> str:
        """The people who do it, in words."""
        return f"{titled(' or '.join(self.roles))} does this"

    @property
    def is_done(self) -> bool:
        """True if nothing is missing."""
        return not self.missing


class StartView(NamedTuple):
    """The steps of the first day, in order, and whether it is over: a wager was counted."""

    steps: tuple[FirstDayStep, ...]
    is_over: bool = False

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
    title, link = "Room details", "/office/room"
    if calendar is None:
        missing = ("Name, time zone, gaming day and shifts",)
        return FirstDayStep(title, link, "Enter room details", SetRoom, (), missing)
    settings = calendar.history[-1][1]
    shifts = ", ".join(
        f"{name} from {clock(datetime.datetime.combine(_ANY_DAY, begins))}" for name, begins in settings.shifts
    )
    there = (f"{settings.room}, {zone_title(settings.time_zone)}", f"Shifts: {shifts}")
    return FirstDayStep(title, link, "View", SetRoom, there, ())


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
        tuple(_link_actions(people, secrets)),
    )


def _link_actions(people: Mapping[str, Person], secrets: Secrets) -> Iterator[StepAction]:
    """Yield a button for each one-time link that somebody waits for."""
    for login, person in people.items():
        if login not in secrets.passwords and login not in secrets.pins:
            address = f"/office/people/{quote(login, safe='')}/link"
            yield StepAction(f"Link for {person.name}", address, SetPerson.spec.roles, (("again", "yes"),))


def plain_problem(problem: str) -> str:
    """Return a problem as a sentence without the path that programs read; its citations stay at the end."""
    path, colon, rest = problem.partition(": ")
    words = rest if colon and " " not in path else problem
    return words[:1].upper() + words[1:]


def _act(summary: str) -> str:
    """Return what a command does, in the few words before the first stop."""
    words = re.split("[,;.:]", summary)[0]
    return words[:1].lower() + words[1:]


def _approvers_missing(people: Mapping[str, Person]) -> Iterator[str]:
    """Yield in one line who is missing beside manager, supervisor and dealer so that two can do everything (G-31)."""
    added = [Person(role, role, (role,), active=True) for role in _NEEDED if not _count(people, role)]
    members = [*people.values(), *added]
    acts = undoable_acts(EXPOSED, members)
    if not acts:
        return
    for role in ("accounting", "surveillance"):
        if not undoable_acts(EXPOSED, [*members, Person(f"/{role}", role, (role,), active=True)]):
            yield f"{titled(role)}, who approves jackpots and money that a manager requests (G-31)"
            return
    first = next(iter(acts.values()))[0]
    yield f"Two people, {' or '.join(acts)}: without them nobody can {_act(first.summary)} (G-31)"


def _people_missing(people: Mapping[str, Person], ready: Mapping[str, Person], secrets: Secrets) -> Iterator[str]:
    for role, text in _NEEDED.items():
        if not _count(people, role):
            yield text
    yield from _approvers_missing(people)
    waiting = [person.name for login, person in people.items() if login not in ready and set(person.roles) - {"dealer"}]
    if waiting and not all(_count(ready, role) for role in ("manager", "supervisor", "accounting")):
        yield f"A sign-in link for {', '.join(waiting)}, to choose a password"
    dealers = [person for person in people.values() if "dealer" in person.roles]
    if dealers and not any(dealer.login in secrets.pins for dealer in dealers):
        yield f"A console PIN, which is chosen by {', '.join(dealer.name for dealer in dealers)}"


def _tables(state: BookState) -> FirstDayStep:
    records = state.of(TABLES).tables
    missing = [] if records else ["A table"]
    there = []
    for name, record in records.items():
        configuration = configuration_at(state, name)
        if configuration is None:
            missing.append(f"Table {name}: an approved setup")
        else:
            there.append(f"Table {name}: {find_game(configuration.game).title}, {record.setup.equipment.title}")
    missing += _approvals(state, "tables/")
    review = tuple(map(_review, _waiting(state, "tables/")))
    return FirstDayStep(
        "Tables", "/office/tables#new", "Add a table", PostConfiguration, tuple(there), tuple(missing), review
    )


def _waiting(state: BookState, area: str) -> list[Pending]:
    """Return the requests of a part of the room that wait, without those that have a step of their own."""
    others = (OpenTable, OpenDay, RecordApproval, jackpot.ConfirmDeposit)
    apart = {command.spec.name for command in others} - {area}
    waiting = state.of(APPROVALS).values()
    return [pending for pending in waiting if pending.what.startswith(area) and pending.what not in apart]


def _approvals(state: BookState, area: str) -> list[str]:
    return [
        f"Approve: {description_of(state, pending).title}, requested by {pending.by}"
        for pending in _waiting(state, area)
    ]


def _review(pending: Pending) -> StepAction:
    """Return the button that leads who can approve a request to it."""
    givers = tuple(role for role in pending.approvers if role in pending.givers)
    return StepAction(f"Review {pending.by}'s request", f"/today#approval-{pending.number}", givers)


def _records(state: BookState, at: int) -> FirstDayStep:
    """Return the step of the room's own approvals; a table that has been dealt at keeps what it had."""
    records = state.of(TABLES).tables
    missing = [] if records else ["The approval of each table, with its number and date"]
    there, actions = [], list[StepAction]()
    for name, record in records.items():
        problems = approval_problems(state, name, at)
        if record.life == "closed" and problems:
            missing += [f"Table {name}: {plain_problem(problem)}" for problem in problems]
            actions.append(
                StepAction(f"Record for table {name}", f"{table_address(name)}#approvals", RecordApproval.spec.roles)
            )
        if not problems:
            papers = papers_at(state, name, record.setup.game).values()
            there.append(f"Table {name}: {', '.join(f'{paper.number} of {medium_day(paper.day)}' for paper in papers)}")
    there += _makers(state) if records else []
    missing += _approvals(state, RecordApproval.spec.name)
    title = "Approvals on file"
    return FirstDayStep(
        title, "/office/tables", "Record approvals", RecordApproval, tuple(there), tuple(missing), tuple(actions)
    )


def _makers(state: BookState) -> list[str]:
    """Return in one line the parts of which no maker is on the register."""
    notices = maker_notices(state)
    parts = ", ".join(notice.partition(": ")[0] for notice in notices)
    return [f"{titled(parts)}: {notices[0].partition(': ')[2]}"] if notices else []


def _was_opened(record: jackpot.JackpotRecord) -> bool:
    return record.play != "closed" or bool(record.play_since)


def _plays_none(state: BookState) -> bool:
    """True if the room has tables, and none of them is configured with a jackpot."""
    configurations = [configuration_at(state, table) for table in tables_of(state)]
    return bool(configurations) and not any(posted is None or posted.jackpots for posted in configurations)


def _jackpots(state: BookState) -> FirstDayStep:
    records, ledger = state.of(jackpot.JACKPOTS).jackpots, state.of(LEDGER)
    missing = [] if records or _plays_none(state) else ["A progressive or a Bonus jackpot"]
    unopened = [name for name, record in records.items() if name not in ledger or not _was_opened(record)]
    actions = list(map(_review, _waiting(state, "jackpots/")))
    for name in unopened:
        title = jackpot.jackpot_title(state, name)
        games = {link.table: link.game for link in records[name].jackpot.tables}
        missing += [f"{title}: {plain_problem(text)}" for text in bare_problems(state, games)]
        tables = [state.of(TABLES).tables.get(link.table) for link in records[name].jackpot.tables]
        if any(table is not None and table.life != "closed" for table in tables):
            # A closed table opens with its jackpots; of one that is open, the jackpot is opened by itself.
            missing.append(f"{title}: open it")
            actions.append(StepAction(f"Open {title}", jackpot_address(name), jackpot.OpenJackpot.spec.roles))
    there = tuple(
        f"{jackpot.jackpot_title(state, name)}: {'progressive' if record.jackpot.is_progressive else 'Bonus'}, "
        f"table {', '.join(link.table for link in record.jackpot.tables)}"
        for name, record in records.items()
    )
    missing += _approvals(state, "jackpots/")
    return FirstDayStep(
        "Jackpots", "/office/jackpots", "Add a jackpot", jackpot.DefineJackpot, there, tuple(missing), tuple(actions)
    )


def _device_action(kind: str, label: str, name: str, table: str) -> StepAction:
    """Return the button that registers a device at a table; its link or token is shown at once."""
    return StepAction(label, SETUP_DEVICES, SetDevice.spec.roles, (("kind", kind), ("name", name), ("table", table)))


def _all_devices(actions: Sequence[StepAction]) -> list[StepAction]:
    """Return the button that does all of several at once; nothing where there is one or none."""
    fields = tuple(field for action in actions for field in action.fields)
    is_new = any(action.label.startswith("Add ") for action in actions)
    label = f"Add all {len(actions)}, with their links" if is_new else f"Show new links for all {len(actions)}"
    return [StepAction(label, SETUP_DEVICES, SetDevice.spec.roles, fields, not is_new)] if len(actions) > 1 else []


def _untrue_displays(state: BookState, devices: Mapping[str, Device], secrets: Secrets) -> list[str]:
    """Return what displays hold against jackpots that were never opened, where one stands and is connected."""
    displays = [device for device in devices.values() if device.what == "display"]
    waiting = {device.table for device in displays if device.name not in secrets.devices}
    waiting |= set(tables_without_display(state))
    unopened = [record.jackpot for record in state.of(jackpot.JACKPOTS).jackpots.values() if not _was_opened(record)]
    tables = dict.fromkeys(link.table for meant in unopened for link in meant.tables if link.table not in waiting)
    return [plain_problem(text) for table in tables for text in untrue_displays(state, table)]


def _devices(state: BookState, secrets: Secrets) -> FirstDayStep:
    devices = {name: device for name, device in state.of(PEOPLE).devices.items() if device.active}
    records, actions = state.of(TABLES).tables, list[StepAction]()
    missing = []
    for table in tables_without_display(state):
        missing.append(f"Table {table}: a display players can see")
        actions.append(_device_action("screen", f"Add display for table {table}", f"Screen {table}", table))
    missing += _untrue_displays(state, devices, secrets)
    for name, record in records.items():
        here = [device for device in devices.values() if device.table == name]
        kinds = {device.what for device in here}
        tabulator = record.setup.device
        if tabulator and tabulator not in devices:
            missing.append(f"Table {name}: its tabulator {tabulator}")
            actions.append(_device_action("device", f"Add tabulator {tabulator}", tabulator, name))
        if not kinds & {"console"} and not record.setup.counts_nothing and not tabulator:
            missing.append(f"Table {name}: a dealer console")
            actions.append(_device_action("console", f"Add console for table {name}", f"Console {name}", name))
        for device in here:
            if device.what in ("device", "console", "display") and device.name not in secrets.devices:
                is_token = device.what == "device"
                missing.append(f"{device.name}: connect it by {'its token' if is_token else 'a one-time link'}")
                label = f"{'Token' if is_token else 'Link'} for {device.name}"
                actions.append(_device_action(device.what, label, device.name, name))
    if not records and not devices:
        missing.append("Displays and consoles, when there are tables")
    there = tuple(
        f"{device.name}: {_KINDS.get(device.what, device.what)}{f' at table {device.table}' if device.table else ''}"
        for device in devices.values()
    )
    title = "Displays, consoles and tabulators"
    shown = (*_all_devices(actions), *actions)
    return FirstDayStep(title, "/office/devices", "View devices", SetDevice, there, tuple(missing), shown)


def _escrow(state: BookState) -> FirstDayStep:
    there, missing = [], _approvals(state, jackpot.ConfirmDeposit.spec.name)
    waiting = _waiting(state, jackpot.ConfirmDeposit.spec.name)
    actions, confirmed = list(map(_review, waiting)), {pending.said["sequence"] for pending in waiting}
    link = "/office/jackpots"
    for name, record in state.of(jackpot.JACKPOTS).jackpots.items():
        accounts, seed = state.of(LEDGER).get(name), units_of(record.jackpot.meter.seed_cents)
        title = jackpot.jackpot_title(state, name)
        if rule_of(state, record.jackpot) == "none" or not record.jackpot.tables:
            continue
        if _was_opened(record) or (accounts is not None and accounts.balances["escrow-bank"] >= seed):
            there.append(f"{title}: its starting amount is at the bank")
            continue
        link = f"{jackpot_address(name)}?tab=money#deposits"
        if accounts is not None and accounts.balances["escrow-transit"]:
            if any(entry not in confirmed for entry, _, _ in record.in_transit):
                missing.append(f"{title}: another person confirms that the deposit has arrived")
                roles = jackpot.ConfirmDeposit.spec.roles
                actions.append(StepAction(f"Mark the deposit of {title} received", link, roles))
        else:
            amount = dollars(record.jackpot.meter.seed_cents)
            missing.append(f"{title}: {amount} in the separate bank account before play opens")
            actions.append(
                StepAction(f"Record the deposit of {amount} for {title}", link, jackpot.SendDeposit.spec.roles)
            )
    if not state.of(jackpot.JACKPOTS).jackpots and not _plays_none(state):
        missing.append("The starting amount of a progressive goes to a separate bank account before it opens")
    return FirstDayStep("Escrow", link, "View", jackpot.SendDeposit, tuple(there), tuple(missing), tuple(actions))


def _papers(state: BookState, at: int) -> FirstDayStep:
    """Return the step of the papers that hang at tables, with one button that marks all of them as posted (W-12)."""
    there, missing, fields = list[str](), list[str](), list[tuple[str, str]]()
    tables = [table for table in state.of(TABLES).tables if configuration_at(state, table) is not None]
    for table in tables:
        statuses = paper_statuses(state, table)
        wrong = [status for status in statuses if not status.is_current]
        missing += [f"Table {table}: {status.title.lower()} ({status.rule})" for status in wrong]
        there += [] if wrong else [f"Table {table}: {', '.join(status.title.lower() for status in statuses)}"]
        is_draft = bool(approval_problems(state, table, at))
        for status in (status for status in wrong if status.version and not is_draft):
            fields += [("table", table), ("paper", status.name), ("version", status.version)]
    if not tables:
        missing.append("The papers of every table, printed and hung")
    mark = StepAction("Mark all as posted", POST, PostPapers.spec.roles, (("from", "start"), *fields))
    actions = (mark,) if fields else ()
    return FirstDayStep("Posted papers", PAPERS, "Print papers", PostPapers, tuple(there), tuple(missing), actions)


def _open(state: BookState, at: int, held: Held | None) -> FirstDayStep:
    """Return the step of the opening: a table is offered where its opening with its jackpots would not be refused."""
    records = state.of(TABLES).tables
    played = [name for name, record in records.items() if record.life != "closed" or record.rounds_counted]
    missing, actions = list[str](), list[StepAction]()
    ready: list[str] = []
    for name in records:
        if name in played:
            continue
        opening = OpenDay(tables=(name,), jackpots=closed_jackpots(state, (name,)))
        problems = table_problems(state, name, at) if held is None else held(opening)
        missing.append(f"Open table {name}")
        missing += [f"Table {name}: {plain_problem(problem)}" for problem in problems]
        ready += [] if problems else [name]
    waiting = [pending for pending in state.of(APPROVALS).values() if pending.what == OpenDay.spec.name]
    ready = [name for name in ready if not any(name in pending.said["tables"] for pending in waiting)]
    if ready:
        fields = (*(("table", name) for name in ready), *(("jackpot", name) for name in closed_jackpots(state, ready)))
        label = f"Open {'table' if len(ready) == 1 else 'tables'} {', '.join(ready)}"
        actions.append(StepAction(label, "/office/tables/open-day", OpenDay.spec.roles, fields))
    actions += map(_review, waiting)
    if not records:
        missing.append("The tables, when all of the above is done")
    there = tuple(f"Table {name}" for name in played)
    return FirstDayStep(
        "Open for business", "/office/tables", "View tables", OpenTable, there, tuple(missing), tuple(actions)
    )


def start_view(state: BookState, secrets: Secrets, at: int, held: Held | None = None) -> StartView:
    """Return the view of the steps from an empty room to one that is open for business at an instant.

    `held` returns what the room holds against opening a table; without it jackpots and escrow are not asked.
    """
    people, devices = _people(state, secrets), _devices(state, secrets)
    tables, records = _tables(state), _records(state, at)
    opening = _open(state, at, held)
    money = (_jackpots(state), devices, _escrow(state))
    steps = (_room(state), people, tables, records, *money, _papers(state, at), opening)
    return StartView(steps, has_counted(state))
