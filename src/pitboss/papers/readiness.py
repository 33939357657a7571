"""Whether a room may open on a day: what is ready, what must be confirmed, and what stops opening, table by table.

Everything is asked of the functions that the room's own commands ask when they open a table (`room.opening`), for the
day that is meant, so that the answer of today is the answer of that morning unless something changes in between.
"""

import datetime
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Literal, NamedTuple

from pitboss.books import LEDGER, ROOM, BookState, microseconds
from pitboss.commands.description import counted, day_words
from pitboss.games import find_game
from pitboss.jackpot import HITS, JACKPOTS, JackpotRecord, jackpot_title
from pitboss.jackpot.escrow import escrow_of, forecast_of
from pitboss.law.papers import PAPER_TITLES
from pitboss.meters import UNITS_PER_CENT
from pitboss.papers.catalogue import BY_NAME
from pitboss.papers.posting import version_of
from pitboss.papers.source import RoomWords, source_of_table
from pitboss.room.agreement import cost_at_the_meter, disagreements
from pitboss.room.alarms import active_alarms
from pitboss.room.approval_records import maker_notices, papers_at, room_approvals
from pitboss.room.approvals import undoable_acts
from pitboss.room.commands import EXPOSED
from pitboss.room.configurations import configuration_at, configuration_by_hash, configurations_at, problems_on
from pitboss.room.displays import displays_at, untrue_displays
from pitboss.room.opening import approval_problems, table_problems
from pitboss.room.people.people import PEOPLE
from pitboss.room.posted_papers import POSTED_PAPERS, TablePaper, paper_title, required_papers
from pitboss.room.room import tables_of
from pitboss.room.settings import today_of
from pitboss.rules import dollars
from pitboss.table import Configuration
from pitboss.table.checks import check_configuration
from pitboss.table.costs import TableCost
from pitboss.tabulator import TABLES, OpenTable
from pitboss.tabulator.setup import opening_problems as equipment_problems
from pitboss.tabulator.tables import room_size_problems

Level = Literal["ready", "confirm", "stops"]
LEVELS: dict[Level, str] = {"ready": "Ready", "confirm": "Must be confirmed", "stops": "Stops opening"}
"""How ready something is, the worst last, as people read it."""
_ORDER = tuple(LEVELS)
_DAY = datetime.timedelta(days=1)


class ReadyLine(NamedTuple):
    """One thing that an opening needs: what, how ready it is, in words, what would fix it, and on which page.

    `page` names the page, and `about` the table, jackpot or part of it: the server knows its address.
    """

    subject: str
    level: Level
    words: str
    fix: str = ""
    page: str = ""
    about: str = ""


def _worst(levels: Iterable[Level]) -> Level:
    return max(levels, key=_ORDER.index, default="ready")


class TableReadiness(NamedTuple):
    """A table on a day: its game by name, everything that its opening needs, and what it can cost."""

    table: str
    game: str
    lines: tuple[ReadyLine, ...]
    cost: TableCost | None

    @property
    def level(self) -> Level:
        """How ready the table is: as its least ready part."""
        return _worst(line.level for line in self.lines)


class RoomReadiness(NamedTuple):
    """A room on a gambling day: what concerns all of it, and its tables."""

    day: datetime.date
    lines: tuple[ReadyLine, ...]
    tables: tuple[TableReadiness, ...]

    @property
    def level(self) -> Level:
        """How ready the room is: as its least ready part."""
        return _worst((*(line.level for line in self.lines), *(table.level for table in self.tables)))


class _Opening(NamedTuple):
    """A table that is to open at an instant of a day, with the configuration that will be in force."""

    state: BookState
    table: str
    day: datetime.date
    at: int
    now: int
    configuration: Configuration | None
    is_new: bool


def next_day(state: BookState, now: int) -> datetime.date | None:
    """Return the gambling day after the one of an instant; nothing before the room has its days."""
    calendar = state.of(ROOM)
    return None if calendar is None else today_of(calendar, now) + _DAY


def room_readiness(state: BookState, day: datetime.date, now: int) -> RoomReadiness:
    """Return whether a room may open on a gambling day, as its books stand now."""
    calendar = state.of(ROOM)
    if calendar is None:
        line = ReadyLine("Room", "stops", "The room has no name and no gambling day", "Enter the room details", "room")
        return RoomReadiness(day, (line,), ())
    at = microseconds(calendar.begins(day))
    # What Pitboss deals itself has no table that opens.
    tables = [table for table in tables_of(state) if table in state.of(TABLES).tables]
    lines = [] if tables else [ReadyLine("Tables", "stops", "No table is set up", "Add a table", "tables")]
    lines += [*_people(state, len(tables)), *_makers(state), *(_words(state, day) if tables else ())]
    return RoomReadiness(day, tuple(lines), tuple(_table(state, table, day, at, now) for table in tables))


def table_costs(state: BookState, day: datetime.date, now: int) -> dict[str, TableCost]:
    """Return by table what it can cost on a gambling day, as its readiness states it."""
    calendar = state.of(ROOM)
    if calendar is None:
        return {}
    at = microseconds(calendar.begins(day))
    costs = {table: _cost(_opening(state, table, day, at, now)) for table in state.of(TABLES).tables}
    return {table: cost for table, cost in costs.items() if cost is not None}


def _opening(state: BookState, table: str, day: datetime.date, at: int, now: int) -> _Opening:
    due = [prepared for prepared in configurations_at(state, table).prepared if prepared.opens <= at]
    configuration = configuration_by_hash(state, due[-1].hash) if due else configuration_at(state, table)
    return _Opening(state, table, day, at, now, configuration, bool(due))


def _cost(opening: _Opening) -> TableCost | None:
    configuration = opening.configuration
    return None if configuration is None else cost_at_the_meter(opening.state, opening.table, configuration)


def _table(state: BookState, table: str, day: datetime.date, at: int, now: int) -> TableReadiness:
    opening = _opening(state, table, day, at, now)
    configuration = opening.configuration
    parts = (_setup, _approvals, _equipment, _display, _jackpots, _papers, _alerts)
    lines = [line for part in parts for line in part(opening)]
    words = {line.words for line in lines}
    # Whatever else the opening would be refused for: nothing that the room holds against it is left out.
    record = state.of(TABLES).tables[table]
    others = [text for text in table_problems(state, table, at) if text not in words]
    others += room_size_problems(state, record.setup, day, is_open=True) if record.life == "closed" else []
    lines += [_stop("Opening", text, "Put it right on the table's page", "table", table) for text in others]
    game = "" if configuration is None else configuration.game
    return TableReadiness(table, game, tuple(lines), _cost(opening))


def _stop(subject: str, words: str, fix: str, page: str, about: str = "") -> ReadyLine:
    return ReadyLine(subject, "stops", words, fix, page, about)


def _setup(opening: _Opening) -> Iterator[ReadyLine]:
    table, configuration = opening.table, opening.configuration
    if configuration is None:
        yield _stop("Setup", "The table has no approved setup", "Submit a setup for approval", "setup", table)
        return
    problems = problems_on(configuration, opening.day)
    problems += map(str, disagreements(opening.state, table, configuration))
    fix = "Change the setup, and have the change approved"
    yield from (_stop("Setup", problem, fix, "setup", table) for problem in problems)
    _, notices = check_configuration(configuration)
    for notice in notices:
        yield ReadyLine("Setup", "confirm", str(notice), "Confirm it with the Commission", "table", table)
    if not problems:
        title, day = find_game(configuration.game).title, day_words(opening.day)
        text = f"{title}: {'a new setup starts by' if opening.is_new else 'allowed by the rules of'} {day}"
        yield ReadyLine("Setup", "ready", text, page="table", about=table)


def _approvals(opening: _Opening) -> Iterator[ReadyLine]:
    state, table = opening.state, opening.table
    problems = approval_problems(state, table, opening.at)
    fix = "Record the approval with its number and date"
    yield from (_stop("Approvals", problem, fix, "approvals", table) for problem in problems)
    record = state.of(TABLES).tables[table]
    papers = papers_at(state, table, record.setup.game)
    texts = ", ".join(f"{PAPER_TITLES[kind]} {paper.number}" for kind, paper in papers.items())
    is_example = any(record.is_example for record in room_approvals(state).records if record.table == table)
    if is_example and not problems:
        text = f"An example, which no room has: {texts} (G-59)"
        yield ReadyLine("Approvals", "confirm", text, "Record the real one", "approvals", table)
    elif not problems:
        yield ReadyLine("Approvals", "ready", f"On file: {texts}", page="approvals", about=table)


def _equipment(opening: _Opening) -> Iterator[ReadyLine]:
    state, table = opening.state, opening.table
    record = state.of(TABLES).tables[table]
    setup = record.setup_on(opening.day.isoformat())
    problems = list(map(str, equipment_problems(setup, state, opening.day)))
    yield from (_stop("Equipment", text, "Set the equipment up anew", "equipment", table) for text in problems)
    device = state.of(TABLES).devices.get(setup.device)
    if record.down is not None:
        yield ReadyLine("Equipment", "confirm", "It is out of service", "Return it to service", "service", table)
    elif device is not None and device.lost:
        text = f"Tabulator {setup.device} does not answer"
        yield ReadyLine("Equipment", "confirm", text, "Connect it", "service", table)
    elif not problems:
        yield ReadyLine("Equipment", "ready", setup.equipment.title, page="equipment", about=table)


def _display(opening: _Opening) -> Iterator[ReadyLine]:
    state, table = opening.state, opening.table
    if not state.of(JACKPOTS).at(table):
        yield ReadyLine("Display", "ready", "No jackpot, so no display is needed")
        return
    problems = untrue_displays(state, table)
    fix = "Connect the display, and look at what it shows"
    yield from (_stop("Display", problem, fix, "displays") for problem in problems)
    if not problems:
        names = ", ".join(displays_at(state, table))
        yield ReadyLine("Display", "ready", f"{names}: shows the amounts", page="displays")


def _jackpots(opening: _Opening) -> Iterator[ReadyLine]:
    """Yield how each jackpot of the table stands: what is pending, and whether the bank holds what players are owed."""
    state = opening.state
    for record in state.of(JACKPOTS).at(opening.table):
        name = record.jackpot.name
        pending = [hit for hit in state.of(HITS).open.values() if hit.jackpot == name and not hit.is_finished]
        if pending:
            text = f"{jackpot_title(state, name)}: {len(pending)} pending"
            yield ReadyLine("Jackpots", "confirm", text, "Pay and close it", "floor")
        yield _escrow(opening, record)


def _escrow(opening: _Opening, record: JackpotRecord) -> ReadyLine:
    """Return whether the money of a jackpot is where it must be when the day begins, and through that day."""
    state, name = opening.state, record.jackpot.name
    title, accounts = jackpot_title(state, name), state.of(LEDGER).get(name)
    if not record.jackpot.is_progressive:
        return ReadyLine("Escrow", "ready", f"{title}: a Bonus is the house's own money", "", "jackpot", name)
    if accounts is None:
        amount = dollars(record.jackpot.meter.seed_cents)
        return _stop("Escrow", f"{title}: {amount} goes to the bank first", "Record the deposit", "jackpot", name)
    escrow = escrow_of(record, accounts, opening.at)
    amount = dollars(-(-escrow.undeposited_units // UNITS_PER_CENT))
    if escrow.is_short:
        text = f"{title}: {amount} is not at the bank, and its play stops (J-19)"
        return _stop("Escrow", text, f"Deposit {amount}", "jackpot", name)
    stops = forecast_of(record, accounts, opening.now).short_at
    if stops is not None and stops <= opening.at + _DAY // datetime.timedelta(microseconds=1):
        text = f"{title}: play stops during that day without a deposit (J-19)"
        return ReadyLine("Escrow", "confirm", text, f"Deposit {amount}", "jackpot", name)
    return ReadyLine("Escrow", "ready", f"{title}: the bank holds what players are owed", "", "jackpot", name)


def _papers(opening: _Opening) -> Iterator[ReadyLine]:
    """Yield which papers hang as they must that day; one that does not is an alert as soon as the table opens."""
    state, table, configuration = opening.state, opening.table, opening.configuration
    if configuration is None or configuration_at(state, table) is None or configuration.terms_and_problems[1]:
        return
    source = source_of_table(state, "", table, opening.day, is_checked=False)
    source = replace(source, configuration=configuration)
    hanging = state.of(POSTED_PAPERS).at(table)
    for name, rule in required_papers(state, table).items():
        paper, title = hanging.get(name, TablePaper()), paper_title(name)
        if paper.posted == version_of(BY_NAME[name], source):
            yield ReadyLine("Papers", "ready", f"{title}: posted by {paper.by}", page="papers", about=table)
            continue
        outdated = "changes with the setup of that day" if opening.is_new else "out of date"
        text = f"{title}: {outdated if paper.posted else 'not posted'} ({rule})"
        yield ReadyLine("Papers", "confirm", text, "Print it, hang it, mark it as posted", "papers", table)


def _alerts(opening: _Opening) -> Iterator[ReadyLine]:
    """Yield the alerts of the table that stand and that no other line is about."""
    others = ("paper", "display", "escrow")
    for alarm in active_alarms(opening.state):
        if alarm.table == opening.table and alarm.kind not in others:
            yield ReadyLine("Alerts", "confirm", alarm.words, "Resolve it", "alerts")


def _people(state: BookState, tables: int) -> Iterator[ReadyLine]:
    """Yield whether people are on file for every role; who works that day is the room's own schedule."""
    people = [person for person in state.of(PEOPLE).people.values() if person.active]
    count = {role: sum(role in person.roles for person in people) for role in _ROLES}
    acts = undoable_acts(EXPOSED, people)
    opening = [pair for pair, specs in acts.items() if OpenTable.spec in specs]
    if opening:
        yield _stop("People", f"Nobody can open a table: it takes {opening[0]} (G-31)", "Add people", "people")
    if count["dealer"] < tables:
        text = f"{counted(count['dealer'], 'dealer')} for {counted(tables, 'table')}"
        yield ReadyLine("People", "confirm", text, "Add dealers, or open fewer tables", "people")
    others = [spec.name for specs in acts.values() for spec in specs if spec is not OpenTable.spec]
    if others:
        text = f"No two people can do what takes two: {', '.join(others)} (G-31)"
        yield ReadyLine("People", "confirm", text, f"Add people: {'; '.join(acts)}", "people")
    words = ", ".join(
        counted(number, role) if role in _COUNTED else f"{number} {_ROLES[role]}" for role, number in count.items()
    )
    yield ReadyLine("People", "ready", f"On file: {words}. Who works that day is on your schedule", page="people")


_COUNTED = ("dealer", "supervisor", "manager")
_ROLES = {**{role: role for role in _COUNTED}, "accounting": "in accounting", "surveillance": "in surveillance"}


def _words(state: BookState, day: datetime.date) -> Iterator[ReadyLine]:
    """Yield what must be posted in the room's own words and was not said: no placard has it (W-12, G-80)."""
    calendar = state.of(ROOM)
    assert calendar is not None
    for text in RoomWords.of(calendar.settings_on(day)).missing_by_rule:
        words = f"Not on the placards: {text}"
        fix = "Enter it with the room details, or post a sign of your own"
        yield ReadyLine("Papers", "confirm", words, fix, "room")


def _makers(state: BookState) -> Iterator[ReadyLine]:
    for notice in maker_notices(state):
        yield ReadyLine("Manufacturers", "confirm", notice, "Record the license of the maker", "makers")
