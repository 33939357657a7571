"""Configurations of tables: prepared by two people, in force from their opening time on and never within a round."""

from __future__ import annotations

import datetime
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, NamedTuple
from zoneinfo import ZoneInfo

from pitboss import law
from pitboss.books import (
    ROOM,
    BookState,
    Draft,
    Invariant,
    Payload,
    RefusedError,
    Step,
    microseconds,
    register_invariants,
)
from pitboss.books.entries import EPOCH
from pitboss.commands import Bounds, By, Command, Count, Name, Now, Prepared, Services, Words, command, refuse
from pitboss.commands.roles import CONFIGURERS, MANAGERS, SYSTEM
from pitboss.jackpot import JACKPOTS
from pitboss.room.agreement import disagreements
from pitboss.room.configurations import (
    POSTED,
    ConfigurationPrepared,
    ConfigurationWithdrawn,
    PreparedConfiguration,
    TablePosted,
    configuration_by_hash,
    posts_at,
)
from pitboss.room.dealing.entries import DEALING, Dealt
from pitboss.table import Configuration, read_configuration
from pitboss.table.checks import check_configuration
from pitboss.tabulator import TABLES


def round_problems(state: BookState, table: str) -> list[str]:
    """Say that a round is on a table: terms do not change within one (T-16)."""
    tables = state.parts.get(TABLES.name)
    record = None if tables is None else tables.tables.get(table)
    found = []
    if record is not None and record.life != "closed" and record.phase != "open":
        found.append(f"round {record.on_table} is on the table: it ends first (T-16)")
    dealt = state.parts.get(DEALING.name, {}).get(table, Dealt())
    if dealt.is_on:
        found.append(f"dealt round {dealt.round} is on the table: it ends first (T-16)")
    return found


def _sound(step: Step) -> Iterator[str]:
    """A configuration opens as it was approved, at or after its time, between rounds."""
    value = step.value
    if POSTED.name not in step.before.parts or not value.prepared:
        return
    found = next((each for each in posts_at(step.before, value.table).prepared if each.number == value.prepared), None)
    if found is None:
        yield f"configuration {value.prepared} was not prepared for table {value.table} (T-16)"
        return
    if found.opens > step.entry.recorded:
        yield f"configuration {value.prepared} opens later (T-16)"
    yield from round_problems(step.before, value.table)


register_invariants(
    Invariant(
        name="posted",
        says="a configuration opens as two people approved it, in time, between rounds",
        sources=("T-16", "T-06"),
        step=_sound,
        about=TablePosted,
    )
)


def _zone(state: BookState) -> ZoneInfo:
    calendar = state.of(ROOM)
    return ZoneInfo("UTC" if calendar is None else calendar.history[-1][1].time_zone)


def opening_instant(text: str, zone: ZoneInfo) -> int:
    """Read an opening time by the room's clocks, such as 2026-11-17T06:00; nothing is as soon as may be."""
    if not text.strip():
        return 0
    try:
        found = datetime.datetime.fromisoformat(text.strip())
        return microseconds(found.replace(tzinfo=zone) if found.tzinfo is None else found)
    except (ValueError, OverflowError):
        raise RefusedError([f"opens: {text!r} must be a time by the room's clocks such as 2026-11-17T06:00"]) from None


def problems_on(configuration: Configuration, day: datetime.date) -> list[str]:
    """Say what the rules of its opening day hold against a configuration that states those of an earlier day (G-14)."""
    if day <= configuration.on:
        return []
    try:
        found, _ = check_configuration(replace(configuration, on=day))
    except law.NoRuleSetError as error:
        return [f"on its opening day, {day}: {error} (G-14)"]
    return [f"on its opening day, {day}: {each}" for each in found]


def _last_round(state: BookState, table: str) -> int:
    tables = state.parts.get(TABLES.name)
    record = None if tables is None else tables.tables.get(table)
    counted = state.of(JACKPOTS).last_round(table)
    return max(0 if record is None else record.round, 0 if counted is None else counted.round)


def hindrances(state: BookState, table: str, configuration: Configuration) -> list[str]:
    """Say what keeps a configuration that is due from coming into force."""
    return [*round_problems(state, table), *map(str, disagreements(state, table, configuration))]


def _due(state: BookState, table: str, now: int) -> PreparedConfiguration | None:
    due = [each for each in posts_at(state, table).prepared if each.opens <= now]
    return due[-1] if due else None


def _opening(state: BookState, table: str, found: PreparedConfiguration) -> Draft | None:
    """The entry that brings a configuration into force, where nothing keeps it back."""
    configuration = configuration_by_hash(state, found.hash)
    if configuration is None or hindrances(state, table, configuration):
        return None
    after = _last_round(state, table)
    value = TablePosted(table=table, configuration=configuration.canonical, prepared=found.number, after_round=after)
    return Draft(value, table=table)


@command("tables/post", roles=MANAGERS, approvers=CONFIGURERS)
@dataclass(frozen=True, slots=True, kw_only=True)
class PostConfiguration(Command):
    """Open a configuration at a table between rounds, at once or from a time on."""

    table: Name
    configuration: Annotated[str, Bounds(most=100_000)]
    opens: Annotated[str, Bounds(most=40, text="2026-11-17T06:00, by the room's clocks")] = ""
    words: Words = ""

    def prepare(self, services: Services) -> Prepared:
        """Parse the configuration; one with problems is refused with all of them."""
        reading = read_configuration(self.configuration)
        problems = list(map(str, reading.problems))
        if not self.table.strip():
            problems.append("table: a table has a name")
        if reading.configuration is None or problems:
            raise RefusedError(problems or ["no configuration"])
        return _Posting(self, reading.configuration)

    def entries(self, now: Now, by: By) -> Sequence[Draft | Payload]:
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

    def entries(self, now: Now, by: By) -> list[Draft]:
        """Return the configuration as prepared, and in force where nothing keeps it back."""
        state, table, configuration = now.state, self.command.table, self.configuration
        instant = opening_instant(self.command.opens, _zone(state))
        day = (EPOCH + datetime.timedelta(microseconds=max(instant, now.at))).astimezone(_zone(state)).date()
        posts = posts_at(state, table)
        problems = problems_on(configuration, day)
        if posts.now is not None and posts.now.hash == configuration.content_hash and not posts.prepared:
            problems.append(f"this configuration is in force at table {table} already")
        refuse(problems)
        number, text = state.of(POSTED).made + 1, configuration.canonical
        value = ConfigurationPrepared(
            number=number,
            table=table,
            configuration=text,
            opens=instant,
            words=self.command.words,
            approved_by=by.approved_by,
        )
        at_once = instant <= now.at and not any(later.opens > instant for later in posts.prepared)
        if not at_once or hindrances(state, table, configuration):
            return [Draft(value)]
        after = _last_round(state, table)
        return [Draft(value), Draft(TablePosted(table=table, configuration=text, prepared=number, after_round=after))]


@command("tables/withdraw", roles=MANAGERS)
@dataclass(frozen=True, slots=True, kw_only=True)
class WithdrawConfiguration(Command):
    """Withdraw a configuration that is prepared and not yet in force."""

    table: Name
    number: Count
    words: Words

    def entries(self, now: Now, by: By) -> list[Payload]:
        """Return the withdrawal, with its reason."""
        problems = [] if self.words.strip() else ["words: the reason must be stated in words (M-02)"]
        if self.number not in {prepared.number for prepared in posts_at(now.state, self.table).prepared}:
            problems.append(f"configuration {self.number} is not prepared for table {self.table}")
        refuse(problems)
        return [ConfigurationWithdrawn(table=self.table, prepared=self.number, words=self.words)]


@command("tables/open-due", roles=SYSTEM, is_exposed=False)
@dataclass(frozen=True, slots=True, kw_only=True)
class OpenDueConfiguration(Command):
    """Bring the configuration into force that is due at a table, between its rounds."""

    table: Name

    def entries(self, now: Now, by: By) -> list[Draft]:
        """Return the configuration in force, where nothing keeps it back."""
        due = _due(now.state, self.table, now.at)
        draft = None if due is None else _opening(now.state, self.table, due)
        if draft is None:
            raise RefusedError([f"nothing can open at table {self.table} now"])
        return [draft]


def due_tables(state: BookState, at: int) -> list[str]:
    """Return the tables at which a configuration is due that nothing keeps back."""
    return [
        table
        for table in state.of(POSTED).tables
        if (due := _due(state, table, at)) is not None and _opening(state, table, due) is not None
    ]
