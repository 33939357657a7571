"""Configurations of tables: prepared by two people, in force from their opening time on and never within a round."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from zoneinfo import ZoneInfo

from pitboss import law
from pitboss.books import (
    ROOM,
    Answer,
    Books,
    BookState,
    Command,
    Draft,
    Invariant,
    RefusedError,
    Step,
    microseconds,
    register_invariants,
)
from pitboss.books.commands import microseconds_now
from pitboss.books.entries import EPOCH
from pitboss.jackpot import JACKPOTS
from pitboss.room.agreement import disagreements
from pitboss.room.configurations import (
    POSTED,
    ConfigurationPrepared,
    ConfigurationWithdrawn,
    Prepared,
    TablePosted,
    configuration_by_hash,
    posts_at,
)
from pitboss.room.dealing.entries import DEALING, Dealt
from pitboss.table import Configuration, read_configuration
from pitboss.table.check_configuration import check_configuration
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


def _due(state: BookState, table: str, now: int) -> Prepared | None:
    due = [each for each in posts_at(state, table).prepared if each.opens <= now]
    return due[-1] if due else None


def _opening(state: BookState, table: str, found: Prepared) -> Draft | None:
    """The entry that brings a configuration into force, where nothing keeps it back."""
    configuration = configuration_by_hash(state, found.hash)
    if configuration is None or hindrances(state, table, configuration):
        return None
    after = _last_round(state, table)
    value = TablePosted(table=table, configuration=configuration.canonical, prepared=found.number, after_round=after)
    return Draft(value, table=table)


class Posted:
    """The configurations of the tables in the books of a room."""

    def __init__(self, books: Books, book: str = "room", *, clock: Callable[[], int] = microseconds_now) -> None:
        self.books, self.book, self.clock = books, book, clock

    def post(
        self,
        table: str,
        text: str,
        *,
        command: str,
        actor: str,
        approved_by: str = "",
        opens: str = "",
        words: str = "",
    ) -> Answer:
        """Prepare a configuration for a table; one with problems is refused with all of them.

        It is in force at once where it is due, no round is on the table, and it agrees with what stands there; else as
        soon as all of that holds.
        """
        found, now = read_configuration(text), self.clock()

        def decide(state: BookState) -> list[Draft]:
            problems = list(map(str, found.problems))
            if not table.strip():
                problems.append("table: a table has a name")
            configuration = found.configuration
            instant = opening_instant(opens, _zone(state))
            if configuration is None or problems:
                raise RefusedError(problems or ["no configuration"])
            day = (EPOCH + datetime.timedelta(microseconds=max(instant, now))).astimezone(_zone(state)).date()
            posts = posts_at(state, table)
            problems += problems_on(configuration, day)
            if approved_by.casefold() == actor.casefold():
                problems.append(f"{actor} has asked for it: another person approves (T-06)")
            if posts.now is not None and posts.now.hash == configuration.content_hash and not posts.prepared:
                problems.append(f"this configuration is in force at table {table} already")
            if problems:
                raise RefusedError(problems)
            return self._prepared(state, table, configuration, instant, words, approved_by, now)

        content = ["table-posted", table, text, opens, words]
        asked = Command(book=self.book, id=command, actor=actor, content=content, decide=decide, table=table)
        return self.books.submit(asked)

    def _prepared(
        self,
        state: BookState,
        table: str,
        configuration: Configuration,
        opens: int,
        words: str,
        approved_by: str,
        now: int,
    ) -> list[Draft]:
        number, text = state.of(POSTED).made + 1, configuration.canonical
        value = ConfigurationPrepared(
            number=number, table=table, configuration=text, opens=opens, words=words, approved_by=approved_by
        )
        at_once = opens <= now and not any(each.opens > opens for each in posts_at(state, table).prepared)
        if not at_once or hindrances(state, table, configuration):
            return [Draft(value)]
        after = _last_round(state, table)
        posted = TablePosted(table=table, configuration=text, prepared=number, after_round=after)
        return [Draft(value), Draft(posted)]

    def withdraw(self, table: str, number: int, *, words: str, command: str, actor: str) -> Answer:
        """Withdraw a configuration that is prepared and not yet in force, and say why."""

        def decide(state: BookState) -> list[Draft]:
            problems = [] if words.strip() else ["words: the reason must be stated in words (M-02)"]
            if number not in {each.number for each in posts_at(state, table).prepared}:
                problems.append(f"configuration {number} is not prepared for table {table}")
            if problems:
                raise RefusedError(problems)
            return [Draft(ConfigurationWithdrawn(table=table, prepared=number, words=words))]

        content = ["configuration-withdrawn", table, number, words]
        asked = Command(book=self.book, id=command, actor=actor, content=content, decide=decide, table=table)
        return self.books.submit(asked)

    def open_due(self, *, command: str, actor: str) -> list[str]:
        """Bring into force whatever is due, between the rounds of each table; give the tables."""
        state, now, opened = self.books.state(self.book), self.clock(), []
        for table in state.of(POSTED).tables:
            found = _due(state, table, now)
            if found is None or _opening(state, table, found) is None:
                continue

            def decide(later: BookState, table: str = table) -> list[Draft]:
                due = _due(later, table, now)
                draft = None if due is None else _opening(later, table, due)
                if draft is None:
                    raise RefusedError([f"nothing can open at table {table} now"])
                return [draft]

            asked = Command(
                book=self.book,
                id=f"{command}-{table}",
                actor=actor,
                content=["open-due", table],
                decide=decide,
                table=table,
            )
            # A round may have begun meanwhile: then it opens after that one.
            with suppress(RefusedError):
                self.books.submit(asked)
                opened.append(table)
        return opened
