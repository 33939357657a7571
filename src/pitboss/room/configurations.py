"""Configurations of tables: prepared by two people, in force from their opening time on and never within a round.

The whole text of each stands in the journal, under the hash of its canonical text. What was settled under one stays
settled under it: a dispute about an earlier round finds it by the round, and everybody else by its hash.
"""

import datetime
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from types import MappingProxyType
from typing import Annotated, Any, NamedTuple
from zoneinfo import ZoneInfo

from pitboss import books, law
from pitboss.commands import Bounds, By, Command, Count, Description, Name, Now, Prepared, Words, command, refuse
from pitboss.commands.command import NotReadyError, Services
from pitboss.commands.description import Change, fact, moment_words, typed_moment
from pitboss.commands.roles import CONFIGURERS, MANAGERS, SYSTEM
from pitboss.games import find_game
from pitboss.jackpot import JACKPOTS
from pitboss.reports.render import days_in_words
from pitboss.room.agreement import disagreements
from pitboss.room.approval_records import record_problems
from pitboss.room.dealing.entries import DEALING, TableDealing
from pitboss.table import Configuration, compare, configuration_as_written, read_configuration
from pitboss.table.checks import check_configuration
from pitboss.tabulator import TABLES


@books.entry_kind("configuration-prepared")
class ConfigurationPrepared(books.EntryPayload):
    """A configuration that two people want at a table from a time on: its canonical text, and when it may open.

    `number` counts all of the room, from 1 on; `opens` is an instant in microseconds, or 0 for as soon as may be.
    """

    number: int
    table: str
    configuration: str
    opens: int
    words: str
    approved_by: str
    override: Annotated[str, books.OMIT_DEFAULT] = ""


@books.entry_kind("configuration-withdrawn")
class ConfigurationWithdrawn(books.EntryPayload):
    """A configuration that was prepared and does not open after all."""

    table: str
    prepared: int
    words: str
    approved_by: Annotated[str, books.OMIT_DEFAULT] = ""


@books.entry_kind("table-posted")
class TablePosted(books.EntryPayload):
    """The configuration that holds at a table from now on: its canonical text, which reads back to the same.

    `prepared` is its number, and `after_round` the last round that was played under the one before.
    """

    table: str
    configuration: str
    prepared: int = 0
    after_round: int = 0


class ActiveConfiguration(NamedTuple):
    """A configuration in force: by hash, from which entry, instant and round on, asked by whom and approved by whom."""

    hash: str
    sequence: int
    since: books.Instant
    by: str
    approved_by: str = ""
    after_round: int = 0
    words: str = ""


class PreparedConfiguration(NamedTuple):
    """A configuration that is approved and not yet in force, and the entry that says so."""

    number: int
    sequence: int
    hash: str
    opens: int
    words: str
    by: str
    approved_by: str


class ConfigurationHistory(NamedTuple):
    """The configurations of a table: those that were in force, the last is now, and those prepared by opening time."""

    history: tuple[ActiveConfiguration, ...] = ()
    prepared: tuple[PreparedConfiguration, ...] = ()

    @property
    def now(self) -> ActiveConfiguration | None:
        """The configuration in force."""
        return self.history[-1] if self.history else None

    def spans(self) -> Iterator[tuple[ActiveConfiguration, ActiveConfiguration | None]]:
        """Each with the one that followed it, the newest first."""
        following: ActiveConfiguration | None = None
        for active in reversed(self.history):
            yield active, following
            following = active


_NOTHING: Mapping[str, Any] = MappingProxyType({})


@books.json_object
class TableConfigurations(NamedTuple):
    """All tables by name, by hash the text of every configuration that was ever approved, and how many there were."""

    tables: Mapping[str, ConfigurationHistory] = _NOTHING
    texts: Mapping[str, str] = _NOTHING
    made: int = 0


@lru_cache(maxsize=512)
def _configuration(text: str) -> Configuration:
    """Return a configuration of the journal; the rulings of its own day let it in, and later ones do not judge it."""
    return configuration_as_written(text)


def _posted(
    before: ConfigurationHistory, entry: books.Entry, value: TablePosted, content_hash: str
) -> ConfigurationHistory:
    prepared = next((waiting for waiting in before.prepared if waiting.number == value.prepared), None)
    if value.prepared and (prepared is None or prepared.hash != content_hash):
        raise ValueError(f"configuration {value.prepared} is not prepared for table {value.table}")
    active = ActiveConfiguration(
        content_hash, entry.sequence, entry.recorded, entry.actor, after_round=value.after_round
    )
    if prepared is None:
        return before._replace(history=(*before.history, active))
    active = active._replace(by=prepared.by, approved_by=prepared.approved_by, words=prepared.words)
    # Where two are due at once the last one holds, and those before it never did.
    left = tuple(
        waiting for waiting in before.prepared if (waiting.opens, waiting.number) > (prepared.opens, prepared.number)
    )
    return ConfigurationHistory((*before.history, active), left)


def _fold(posts: TableConfigurations, entry: books.Entry, value: books.Payload) -> TableConfigurations:
    if isinstance(value, ConfigurationWithdrawn):
        before = posts.tables.get(value.table, ConfigurationHistory())
        left = tuple(waiting for waiting in before.prepared if waiting.number != value.prepared)
        if len(left) == len(before.prepared):
            raise ValueError(f"configuration {value.prepared} is not prepared for table {value.table}")
        return posts._replace(tables={**posts.tables, value.table: before._replace(prepared=left)})
    if not isinstance(value, ConfigurationPrepared | TablePosted):
        return posts
    before = posts.tables.get(value.table, ConfigurationHistory())
    content_hash = _configuration(value.configuration).content_hash
    if isinstance(value, TablePosted):
        after = _posted(before, entry, value, content_hash)
    else:
        if value.number != posts.made + 1:
            raise ValueError(f"configuration {value.number} does not follow configuration {posts.made}")
        prepared = PreparedConfiguration(
            value.number, entry.sequence, content_hash, value.opens, value.words, entry.actor, value.approved_by
        )
        waiting = sorted((*before.prepared, prepared), key=lambda later: (later.opens, later.number))
        after = before._replace(prepared=tuple(waiting))
    number = value.number if isinstance(value, ConfigurationPrepared) else posts.made
    return TableConfigurations(
        {**posts.tables, value.table: after}, {**posts.texts, content_hash: value.configuration}, number
    )


CONFIGURATIONS: books.Projection[TableConfigurations] = books.Projection(
    name="posted",
    empty=TableConfigurations(),
    fold=_fold,
    shape=TableConfigurations,
    kinds=books.kinds_of(ConfigurationPrepared, ConfigurationWithdrawn, TablePosted),
    version=2,
)


def _posts(state: books.BookState) -> TableConfigurations:
    configurations: TableConfigurations = state.parts.get(CONFIGURATIONS.name, TableConfigurations())
    return configurations


def configurations_at(state: books.BookState, table: str) -> ConfigurationHistory:
    """Return the configurations that were, are and will be in force at a table."""
    return _posts(state).tables.get(table, ConfigurationHistory())


def configuration_by_hash(state: books.BookState, content_hash: str) -> Configuration | None:
    """Return a configuration that was approved at some time, by the hash of its text."""
    text = _posts(state).texts.get(content_hash)
    return None if text is None else _configuration(text)


def configuration_at(state: books.BookState, table: str) -> Configuration | None:
    """Return the configuration that is in force at a table, if one is."""
    now = configurations_at(state, table).now
    return None if now is None else configuration_by_hash(state, now.hash)


def configuration_of_round(state: books.BookState, table: str, number: int) -> Configuration | None:
    """Return the configuration under which a round was played; of a round that is not named, the one in force."""
    played = [active for active in configurations_at(state, table).history if active.after_round < number]
    return configuration_by_hash(state, played[-1].hash) if number and played else configuration_at(state, table)


def round_problems(state: books.BookState, table: str) -> list[str]:
    """Return that a round is on a table: terms do not change within one (T-16)."""
    tables = state.parts.get(TABLES.name)
    record = None if tables is None else tables.tables.get(table)
    problems = []
    if record is not None and record.life != "closed" and record.phase != "open":
        problems.append(f"round {record.on_table} is on the table: it ends first (T-16, G-53)")
    dealt = state.parts.get(DEALING.name, {}).get(table, TableDealing())
    if dealt.is_on:
        problems.append(f"dealt round {dealt.round} is on the table: it ends first (T-16, G-53)")
    return problems


def _zone(state: books.BookState) -> ZoneInfo:
    calendar = state.of(books.ROOM)
    return ZoneInfo("UTC" if calendar is None else calendar.history[-1][1].time_zone)


def opening_instant(text: str, zone: ZoneInfo) -> int:
    """Parse an opening time by the room's clocks, such as 2026-11-17T06:00; nothing is as soon as may be."""
    if not text.strip():
        return 0
    instant = books.instant_of(text, zone)
    if instant is None:
        raise books.RefusedError([f"opens: {text!r} must be a time by the room's clocks such as 2026-11-17T06:00"])
    return instant


def problems_on(configuration: Configuration, day: datetime.date) -> list[str]:
    """Return what the rules of its opening day hold against a configuration of another day (G-14)."""
    if day == configuration.on:
        return []
    try:
        problems, _ = check_configuration(replace(configuration, on=day))
    except law.NoRuleSetError as error:
        return [f"on its opening day, {day}: {error} (G-14)"]
    return [f"on its opening day, {day}: {problem}" for problem in problems]


def own_table_problems(
    state: books.BookState, table: str, configuration: Configuration, on: datetime.date | None = None
) -> list[str]:
    """Return which pay tables of the room's own and payout limits have no approval on record at a table (G-6, G-65)."""
    game, profile = configuration.game, configuration.profile
    return [
        text for own in configuration.own_approvals for text in record_problems(state, table, game, profile, own, on)
    ]


def _last_round(state: books.BookState, table: str) -> int:
    tables = state.parts.get(TABLES.name)
    record = None if tables is None else tables.tables.get(table)
    counted = state.of(JACKPOTS).last_round(table)
    return max(0 if record is None else record.round, 0 if counted is None else counted.round)


def blockers(state: books.BookState, table: str, configuration: Configuration) -> list[str]:
    """Return what keeps a configuration that is due from coming into force."""
    return [*round_problems(state, table), *map(str, disagreements(state, table, configuration))]


def _due(state: books.BookState, table: str, now: int) -> PreparedConfiguration | None:
    due = [prepared for prepared in configurations_at(state, table).prepared if prepared.opens <= now]
    return due[-1] if due else None


def _opening(state: books.BookState, table: str, prepared: PreparedConfiguration) -> books.Draft | None:
    """Return the entry that brings a configuration into force, where nothing blocks it."""
    configuration = configuration_by_hash(state, prepared.hash)
    if configuration is None or blockers(state, table, configuration):
        return None
    after = _last_round(state, table)
    value = TablePosted(table=table, configuration=configuration.canonical, prepared=prepared.number, after_round=after)
    return books.Draft(value, table=table)


def _setup_changes(before: Configuration | None, after: Configuration) -> Iterator[Change]:
    """Yield what changes at a table, settings first; of a first setup everything it states."""
    comparison = compare(before, after)
    if comparison.is_empty:
        yield fact("Changes", "none: it is the active setup")
    for change in (*comparison.settings, *comparison.pays, *comparison.approvals):
        was, becomes = (days_in_words(text or "none") for text in (change.was, change.becomes))
        yield Change(days_in_words(change.title), was if before is not None else "", becomes)


@command("tables/post", roles=MANAGERS, approvers=CONFIGURERS)
class PostConfiguration(Command):
    """Set a table up by a configuration, between rounds, now or from a later time on."""

    table: Name
    configuration: Annotated[str, Bounds(most=100_000)]
    opens: Annotated[str, Bounds(most=40, text="2026-11-17T06:00, by the room's clocks")] = ""
    words: Words = ""
    override: Annotated[str, Bounds(most=120, text="Why a wager with an edge below zero is offered.")] = ""

    def describe(self, state: books.BookState) -> Description:
        """Return the game, and what changes against the setup that is active."""
        configuration = read_configuration(self.configuration).configuration
        if configuration is None:
            return Description(f"New setup for table {self.table}, which cannot be read", (), self.words)
        rows = [fact("Starts", typed_moment(state, self.opens, "as soon as approved, between rounds"))]
        rows += [fact("Reason for an edge below zero", self.override)] if self.override.strip() else []
        before = configuration_at(state, self.table)
        title = f"New setup for table {self.table}: {find_game(configuration.game).title}"
        return Description(title, (*rows, *_setup_changes(before, configuration)), self.words)

    def prepare(self, services: Any) -> Prepared:
        """Parse the configuration; one with problems is refused with all of them."""
        reading = read_configuration(self.configuration)
        problems = list(map(str, reading.problems))
        if not self.table.strip():
            problems.append("table: a table has a name")
        if reading.configuration is None or problems:
            raise books.RefusedError(problems or ["no configuration"])
        refuse(self._edge_problems(services, reading.configuration))
        return _Posting(self, reading.configuration, services)

    def _edge_problems(self, services: Any, configuration: Configuration) -> list[str]:
        """Return the wagers that players win in the long run; two people may override that in writing (G-61).

        Nobody asks for what is not counted yet: an approver never meets an edge that the requester did not see.
        """
        if self.override.strip():
            return books.text_problem("override", self.override)
        edges = getattr(services, "edges", None)
        below_zero = () if edges is None else edges.problems(configuration)
        if below_zero is None:
            raise NotReadyError("The house edges are still being counted. Submit again in a moment (G-61)")
        if not below_zero:
            return []
        return [*map(str, below_zero), "override: two people who offer it all the same say why (G-61)"]

    def entries(self, now: Now, by: By) -> Sequence[books.Draft | books.Payload]:
        """Return the configuration as prepared, and in force where nothing keeps it back."""
        configuration = read_configuration(self.configuration).configuration
        assert configuration is not None
        return _Posting(self, configuration).entries(now, by)


class _Posting(NamedTuple):
    """A configuration that was read, for a table.

    It is in force at once where it is due, no round is on the table, and it agrees with what stands there; else as soon
    as all of that holds.
    """

    command: PostConfiguration
    configuration: Configuration
    room: Services | None = None

    def entries(self, now: Now, by: By) -> list[books.Draft]:
        """Return the configuration as prepared, and in force where nothing keeps it back."""
        state, table, configuration = now.state, self.command.table, self.configuration
        instant = opening_instant(self.command.opens, _zone(state))
        day = (books.EPOCH + datetime.timedelta(microseconds=max(instant, now.at))).astimezone(_zone(state)).date()
        posts = configurations_at(state, table)
        problems = problems_on(configuration, day)
        if posts.now is not None and posts.now.hash == configuration.content_hash and not posts.prepared:
            problems.append(f"this configuration is in force at table {table} already")
        problems += own_table_problems(state, table, configuration, day)
        if self.room is not None and configuration.jackpots:
            problems += self.room.display_problems(now, {table: configuration.game})
        refuse(problems)
        number, text = state.of(CONFIGURATIONS).made + 1, configuration.canonical
        value = ConfigurationPrepared(
            number=number,
            table=table,
            configuration=text,
            opens=instant,
            words=self.command.words,
            approved_by=by.approved_by,
            override=self.command.override,
        )
        at_once = instant <= now.at and not any(later.opens > instant for later in posts.prepared)
        if not at_once or blockers(state, table, configuration):
            return [books.Draft(value)]
        after = _last_round(state, table)
        return [
            books.Draft(value),
            books.Draft(TablePosted(table=table, configuration=text, prepared=number, after_round=after)),
        ]


@command("tables/withdraw", roles=MANAGERS, approvers=CONFIGURERS)
class WithdrawConfiguration(Command):
    """Withdraw a setup that is scheduled and not yet active."""

    table: Name
    number: Count
    words: Words

    def describe(self, state: books.BookState) -> Description:
        """Return the setup that does not start after all."""
        waiting = configurations_at(state, self.table).prepared
        prepared = next((setup for setup in waiting if setup.number == self.number), None)
        configuration = None if prepared is None else configuration_by_hash(state, prepared.hash)
        if prepared is None or configuration is None:
            gone = (fact("Setup", "no longer scheduled"),)
            return Description(f"Withdraw a setup scheduled for table {self.table}", gone, self.words)
        starts = moment_words(state, prepared.opens) if prepared.opens else "as soon as possible"
        rows = (fact("Game", find_game(configuration.game).title), fact("Would start", starts))
        return Description(f"Withdraw the setup scheduled for table {self.table}", rows, self.words)

    def entries(self, now: Now, by: By) -> list[books.Payload]:
        """Return the withdrawal, with its reason."""
        problems = [] if self.words.strip() else ["words: the reason must be stated in words (M-02)"]
        if self.number not in {prepared.number for prepared in configurations_at(now.state, self.table).prepared}:
            problems.append(f"configuration {self.number} is not prepared for table {self.table}")
        refuse(problems)
        withdrawal = ConfigurationWithdrawn(
            table=self.table, prepared=self.number, words=self.words, approved_by=by.approved_by
        )
        return [withdrawal]


@command("tables/open-due", roles=SYSTEM, is_exposed=False)
class OpenDueConfiguration(Command):
    """Activate the configuration that is due at a table, between its rounds."""

    table: Name

    def entries(self, now: Now, by: By) -> list[books.Draft]:
        """Return the configuration in force, where nothing keeps it back."""
        due = _due(now.state, self.table, now.at)
        draft = None if due is None else _opening(now.state, self.table, due)
        if draft is None:
            raise books.RefusedError([f"nothing can open at table {self.table} now"])
        return [draft]


def due_tables(state: books.BookState, at: int) -> list[str]:
    """Return the tables at which a configuration is due that nothing keeps back."""
    return [
        table
        for table in state.of(CONFIGURATIONS).tables
        if (due := _due(state, table, at)) is not None and _opening(state, table, due) is not None
    ]
