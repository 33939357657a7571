"""Several commands as one: checked whole before anything is written, approved once, written together or not at all.

Each part asks its own rules, on the state that the parts before it would leave; nothing is decided here twice.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any

from pitboss.books import BookState, Draft, RefusedError, Submission
from pitboss.books.journal.writer import drafted
from pitboss.commands import (
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
from pitboss.room.agreement import jackpot_disagreements
from pitboss.room.approval_records import ApprovalPaper, RecordApproval
from pitboss.room.configurations import PostConfiguration
from pitboss.table import read_configuration
from pitboss.tabulator import OpenTable, SetUpTable, TableSetup
from pitboss.tabulator import setup as equipment

Check = Callable[[Now], Iterable[str]]
"""What is asked of the state that all parts together would leave."""


@dataclass(frozen=True, slots=True)
class Bundle:
    """The parts of a command, each with its look-ups done, and what is asked of them together."""

    parts: tuple[tuple[Command, Prepared], ...]
    services: Services
    check: Check

    def entries(self, now: Now, by: By) -> list[Draft]:
        """Return the entries of every part, or refuse them all with everything that any of them holds."""
        state, drafts = now.state, list[Draft]()
        problems: list[str] = []
        for part, prepared in self.parts:
            table = part.table_name(state)
            try:
                written = [
                    draft if draft.table is not None else replace(draft, table=table)
                    for draft in drafts_of(prepared, Now(state, now.at), by)
                ]
                state = self._after(state, written, by)
            except RefusedError as error:
                problems += error.problems
            else:
                drafts += written
        refuse(dict.fromkeys(problems))
        refuse(dict.fromkeys(self.check(Now(state, now.at))))
        return drafts

    def _after(self, state: BookState, drafts: Sequence[Draft], by: By) -> BookState:
        """Return the state that these entries would leave; nothing is written."""
        part = Submission(book=BOOK, id="part", actor=by.name, content=[], decide=lambda _: drafts)
        _, after = drafted(part, b"", state, self.services.books.folding, self.services.clock())
        return after


def bundle(parts: Sequence[Command], services: Services, check: Check) -> Bundle:
    """Prepare every part, or refuse with everything that is wrong with any of them."""
    prepared: list[tuple[Command, Prepared]] = []
    problems: list[str] = []
    for part in parts:
        try:
            prepared.append((part, part.prepare(services)))
        except RefusedError as error:
            problems += error.problems
    refuse(dict.fromkeys(problems))
    return Bundle(tuple(prepared), services, check)


@command("tables/add", roles=MANAGERS, approvers=CONFIGURERS)
class AddTable(Command):
    """Add a table: its configuration, its equipment, the approvals on file and its jackpots, all approved at once."""

    table: Name
    configuration: Annotated[str, Bounds(most=100_000)]
    setup: TableSetup
    papers: Annotated[tuple[ApprovalPaper, ...], Bounds(most=8)] = ()
    jackpots: Annotated[tuple[JackpotDraft, ...], Bounds(most=4)] = ()
    words: Words = ""
    override: Annotated[str, Bounds(most=120, text="Why a wager with an edge below zero is offered.")] = ""

    def describe(self, state: BookState) -> Description:
        """Return the table with everything that its parts would write."""
        titles = listed(wager_title(draft.offers[0].game, draft.offers[0].wager) for draft in self.jackpots)
        jackpots = f", with {titles}" if self.jackpots else ", without a jackpot"
        rows = [change for part in self.parts() for change in _labelled(part, state)]
        return Description(f"New table {self.table}: {_game_title(self.setup.game)}{jackpots}", tuple(rows), self.words)

    def prepare(self, services: Services) -> Prepared:
        """Prepare the commands that it stands for."""
        return bundle(self.parts(), services, self._agreement)

    def parts(self) -> list[Command]:
        """Return the commands that it stands for, in the order in which they are done."""
        reason = self.words or f"table {self.table} is new"
        post = PostConfiguration(
            table=self.table, configuration=self.configuration, words=reason, override=self.override
        )
        parts: list[Command] = [post, SetUpTable(setup=self.setup, words=reason)]
        if self.papers:
            record = RecordApproval(table=self.table, game=self.setup.game, papers=self.papers, words=self.words)
            parts.append(record)
        return [*parts, *(DefineJackpot(jackpot=draft, words=reason) for draft in self.jackpots)]

    def _agreement(self, now: Now) -> Iterable[str]:
        """Yield in what the table would not be what its configuration, equipment and jackpots state (T-16)."""
        configuration = read_configuration(self.configuration).configuration
        assert configuration is not None
        if self.setup.table != self.table:
            yield f"setup.table: {self.setup.table} is another table than {self.table} (REGULATION T-09)"
        yield from map(str, equipment.opening_problems(self.setup, now.state, local_day(now.state, now.at)))
        for record in now.state.of(JACKPOTS).at(self.table):
            yield from map(str, jackpot_disagreements(record.jackpot, self.table, configuration))

    def entries(self, now: Now, by: By) -> list[Draft]:
        """Refuse: only what was prepared whole is written."""
        raise RefusedError([f"table {self.table} was not checked"])


@command("tables/open-day", roles=FLOOR, approvers=OPENERS)
class OpenDay(Command):
    """Open several tables, and jackpots that are closed, at once; each as it would be opened by itself."""

    tables: Annotated[tuple[Name, ...], Bounds(1, 200)]
    jackpots: Annotated[tuple[Name, ...], Bounds(most=200)] = ()
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
