"""Several commands as one: checked whole before anything is written, approved once, written together or not at all.

Each part asks its own rules, on the state that the parts before it would leave; nothing is decided here twice.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any

from pitboss.books import BookState, Draft, RefusedError, Submission
from pitboss.books.journal.writer import drafted
from pitboss.commands import (
    LISTED_MAX,
    Bounds,
    By,
    Change,
    Command,
    Description,
    Name,
    Now,
    Prepared,
    Services,
    Words,
    command,
    refuse,
)
from pitboss.commands.command import BOOK, drafts_of
from pitboss.commands.description import listed
from pitboss.commands.roles import CONFIGURERS, FLOOR, MANAGERS, OPENERS
from pitboss.games import UnknownGameError, find_game
from pitboss.jackpot import JACKPOTS, DefineJackpot, JackpotDraft, OpenJackpot, jackpot_title
from pitboss.jackpot.state import local_day
from pitboss.jackpot.titles import wager_title
from pitboss.room.agreement import disagreements, jackpot_disagreements
from pitboss.room.approval_records import ApprovalPaper, RecordApproval
from pitboss.room.configurations import PostConfiguration
from pitboss.table import read_configuration
from pitboss.tabulator import TABLES, OpenTable, SetUpTable, TableSetup
from pitboss.tabulator import setup as equipment

Check = Callable[[Now], Iterable[str]]
"""What is asked of the state that all parts together would leave."""


@dataclass(frozen=True, slots=True)
class Bundle:
    """The parts of a command, each with its look-ups done, and what is asked of them together."""

    parts: tuple[tuple[Command, Prepared], ...]
    services: Services
    check: Check
    check_before: Check = lambda _: ()

    def entries(self, now: Now, by: By) -> list[Draft]:
        """Return the entries of every part, or refuse them all with everything that any of them holds."""
        state, drafts = now.state, list[Draft]()
        problems: dict[str, list[str]] = {"": list(self.check_before(now))}
        for part, prepared in self.parts:
            table = part.table_name(state)
            try:
                written = [
                    draft if draft.table is not None else replace(draft, table=table)
                    for draft in drafts_of(prepared, Now(state, now.at), by)
                ]
                state = self._after(state, written, by)
            except RefusedError as error:
                problems.setdefault(table, []).extend(error.problems)
            else:
                drafts += written
        refuse(_by_table(problems, len({part.table_name(now.state) for part, _ in self.parts} - {""})))
        refuse(dict.fromkeys(self.check(Now(state, now.at))))
        return drafts

    def _after(self, state: BookState, drafts: Sequence[Draft], by: By) -> BookState:
        """Return the state that these entries would leave; nothing is written."""
        part = Submission(book=BOOK, id="part", actor=by.name, content=[], decide=lambda _: drafts)
        _, after = drafted(part, b"", state, self.services.books.folding, self.services.clock())
        return after


def _by_table(problems: Mapping[str, Sequence[str]], count: int) -> list[str]:
    """Return every problem once: what all of several tables share as it is, what some have with their names."""
    tables = {table: dict.fromkeys(texts) for table, texts in problems.items() if table}
    shared = [
        text for texts in tables.values() for text in texts if sum(text in own for own in tables.values()) == count
    ]
    named = [
        text if re.search(rf"(?i)\btable {re.escape(table)}(?!\w)", text) else f"Table {table}: {text}"
        for table, texts in tables.items()
        for text in texts
        if text not in shared
    ]
    return list(dict.fromkeys([*problems.get("", ()), *shared, *named]))


def bundle(parts: Sequence[Command], services: Services, check: Check, check_before: Check = lambda _: ()) -> Bundle:
    """Prepare every part, or refuse with everything that is wrong with any of them."""
    prepared: list[tuple[Command, Prepared]] = []
    problems: dict[str, list[str]] = {}
    tables = [part.table_name(services.state) for part in parts]
    for part, table in zip(parts, tables, strict=True):
        try:
            prepared.append((part, part.prepare(services)))
        except RefusedError as error:
            problems.setdefault(table, []).extend(error.problems)
    refuse(_by_table(problems, len(set(tables) - {""})))
    return Bundle(tuple(prepared), services, check, check_before)


@command("tables/add", roles=MANAGERS, approvers=CONFIGURERS)
class AddTable(Command):
    """Add tables: a configuration, their equipment, the approvals on file and their jackpots, all approved at once."""

    table: Name
    configuration: Annotated[str, Bounds(most=100_000)]
    setup: TableSetup
    papers: Annotated[tuple[ApprovalPaper, ...], Bounds(most=8)] = ()
    jackpots: Annotated[tuple[JackpotDraft, ...], Bounds(most=60)] = ()
    words: Words = ""
    override: Annotated[str, Bounds(most=120, text="Why a wager with an edge below zero is offered.")] = ""
    others: Annotated[tuple[TableSetup, ...], Bounds(most=LISTED_MAX, text="The equipment of more tables alike.")] = ()

    @property
    def tables(self) -> tuple[str, ...]:
        """Return the name of every table that is added."""
        return (self.table, *(setup.table for setup in self.others))

    def describe(self, state: BookState) -> Description:
        """Return the tables with everything that the parts would write: once what all share, else by table."""
        titles = listed(
            dict.fromkeys(wager_title(draft.offers[0].game, draft.offers[0].wager) for draft in self.jackpots)
        )
        jackpots = f", with {titles}" if self.jackpots else ", without a jackpot"
        noun = "tables" if self.others else "table"
        title = f"New {noun} {listed(self.tables)}: {_game_title(self.setup.game)}{jackpots}"
        by_table = [
            [change for part in self._table_parts(setup) for change in _labelled(part, state)]
            for setup in (self.setup, *self.others)
        ]
        shared = [change for change in by_table[0] if all(change in changes for changes in by_table)]
        rows = [
            change._replace(label=f"Table {table}: {change.label}")
            for table, changes in zip(self.tables, by_table, strict=True)
            for change in changes
            if change not in shared
        ]
        defined = [change for part in self._jackpot_parts() for change in _labelled(part, state)]
        return Description(title, (*shared, *rows, *defined), self.words)

    def prepare(self, services: Services) -> Prepared:
        """Prepare the commands that it stands for."""
        return bundle(self.parts(), services, self._agreement, self._names)

    def parts(self) -> list[Command]:
        """Return the commands that it stands for, in the order in which they are done."""
        parts = [part for setup in (self.setup, *self.others) for part in self._table_parts(setup)]
        return [*parts, *self._jackpot_parts()]

    @property
    def _reason(self) -> str:
        return self.words or ("the tables are new" if self.others else f"table {self.table} is new")

    def _table_parts(self, setup: TableSetup) -> list[Command]:
        table = self.table if setup is self.setup else setup.table
        post = PostConfiguration(
            table=table, configuration=self.configuration, words=self._reason, override=self.override
        )
        parts: list[Command] = [post, SetUpTable(setup=setup, words=self._reason)]
        if self.papers:
            parts.append(RecordApproval(table=table, game=setup.game, papers=self.papers, words=self.words))
        return parts

    def _jackpot_parts(self) -> list[DefineJackpot]:
        return [DefineJackpot(jackpot=draft, words=self._reason) for draft in self.jackpots]

    def _names(self, now: Now) -> Iterable[str]:
        """Yield which tables are named twice or stand in the room: those are changed, and no new ones (T-09)."""
        records = now.state.of(TABLES).tables
        for table in dict.fromkeys(self.tables):
            if self.tables.count(table) > 1:
                yield f"table {table} is named twice (REGULATION T-09)"
            if table in records:
                yield f"There is a table {table} already. Edit its setup instead (REGULATION T-09)"

    def _agreement(self, now: Now) -> Iterable[str]:
        """Yield in what a table would not be what its configuration, equipment and jackpots state (T-16)."""
        if self.setup.table != self.table:
            yield f"setup.table: {self.setup.table} is another table than {self.table} (REGULATION T-09)"
        problems = {setup.table: list(self._table_problems(now, setup)) for setup in (self.setup, *self.others)}
        yield from _by_table(problems, len(problems))

    def _table_problems(self, now: Now, setup: TableSetup) -> Iterable[str]:
        configuration = read_configuration(self.configuration).configuration
        assert configuration is not None
        yield from map(str, equipment.opening_problems(setup, now.state, local_day(now.state, now.at)))
        yield from map(str, disagreements(now.state, setup.table, configuration, setup))
        for record in now.state.of(JACKPOTS).at(setup.table):
            yield from map(str, jackpot_disagreements(record.jackpot, setup.table, configuration))

    def entries(self, now: Now, by: By) -> list[Draft]:
        """Refuse: only what was prepared whole is written."""
        raise RefusedError([f"table {self.table} was not checked"])


def tables_asked_for(fields: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the tables that a request by its fields is about: the one it names, and those that are added with it."""
    others = fields.get("others") or ()
    return (str(fields.get("table", "")), *(str(setup.get("table", "")) for setup in others))


@command("tables/open-day", roles=FLOOR, approvers=OPENERS)
class OpenDay(Command):
    """Open several tables, and jackpots that are closed, at once; each as it would be opened by itself."""

    tables: Annotated[tuple[Name, ...], Bounds(1, LISTED_MAX)]
    jackpots: Annotated[tuple[Name, ...], Bounds(most=LISTED_MAX)] = ()
    words: Words = ""

    def describe(self, state: BookState) -> Description:
        """Return every table and jackpot that would be open."""
        noun = "table" if len(self.tables) == 1 else "tables"
        titles = listed(jackpot_title(state, name) for name in self.jackpots)
        title = f"Open {noun} {listed(self.tables)}{f' and {titles}' if self.jackpots else ''}"
        rows = [change for part in self.parts() for change in _labelled(part, state)]
        return Description(title, tuple(rows), self.words)

    def parts(self) -> list[Command]:
        """Return the commands that it stands for: jackpots before the tables where they are played."""
        reason = self.words or "the day begins"
        jackpots: list[Command] = [OpenJackpot(name=name, words=reason) for name in dict.fromkeys(self.jackpots)]
        return [*jackpots, *(OpenTable(table=table, words=self.words) for table in dict.fromkeys(self.tables))]

    def prepare(self, services: Any) -> Prepared:
        """Prepare the commands that it stands for."""
        return bundle(self.parts(), services, lambda _: ())

    def entries(self, now: Now, by: By) -> list[Draft]:
        """Refuse: only what was prepared whole is written."""
        raise RefusedError(["the tables were not checked"])


_SUBJECTS: dict[type[Command], str] = {SetUpTable: "Equipment", RecordApproval: "Approval"}
"""What parts of a table are called on a card; a configuration has labels that need no more."""


def _labelled(part: Command, state: BookState) -> list[Change]:
    """Return what a part changes, each with what it is about."""
    subject = _SUBJECTS.get(type(part), "")
    if isinstance(part, DefineJackpot):
        subject = wager_title(part.jackpot.offers[0].game, part.jackpot.offers[0].wager)
    elif isinstance(part, OpenJackpot):
        subject = jackpot_title(state, part.name)
    elif isinstance(part, OpenTable):
        subject = f"Table {part.table}"
    changes = part.describe(state).changes
    return [change._replace(label=f"{subject}: {change.label}") for change in changes] if subject else list(changes)


def _game_title(game: str) -> str:
    try:
        return find_game(game).title
    except UnknownGameError:
        return game


def closed_jackpots(state: BookState, tables: Iterable[str]) -> tuple[str, ...]:
    """Return the jackpots of tables that are closed, which open with the tables."""
    records = [record for table in tables for record in state.of(JACKPOTS).at(table)]
    return tuple(dict.fromkeys(record.jackpot.name for record in records if record.play == "closed"))
