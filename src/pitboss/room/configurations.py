"""What is posted at tables: which configuration was in force when, and which are approved for a later time.

The whole text of each stands in the journal, under the hash of its canonical text. What was settled under one stays
settled under it: a dispute about an earlier round finds it by the round, and everybody else by its hash.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType
from typing import Any, ClassVar, NamedTuple

from pitboss.books import (
    BookState,
    Entry,
    EntryPayload,
    Instant,
    Payload,
    Projection,
    entry_kind,
    json_object,
    kinds_of,
)
from pitboss.table import Configuration, read_configuration


@entry_kind
@dataclass(frozen=True, slots=True, kw_only=True)
class ConfigurationPrepared(EntryPayload):
    """A configuration that two people want at a table from a time on: its canonical text, and when it may open.

    `number` counts all of the room, from 1 on; `opens` is an instant in microseconds, or 0 for as soon as may be.
    """

    KIND: ClassVar[str] = "configuration-prepared"
    number: int
    table: str
    configuration: str
    opens: int
    words: str
    approved_by: str


@entry_kind
@dataclass(frozen=True, slots=True, kw_only=True)
class ConfigurationWithdrawn(EntryPayload):
    """A configuration that was prepared and does not open after all."""

    KIND: ClassVar[str] = "configuration-withdrawn"
    table: str
    prepared: int
    words: str


@entry_kind
@dataclass(frozen=True, slots=True, kw_only=True)
class TablePosted(EntryPayload):
    """The configuration that holds at a table from now on: its canonical text, which reads back to the same.

    `prepared` is its number, and `after_round` the last round that was played under the one before.
    """

    KIND: ClassVar[str] = "table-posted"
    table: str
    configuration: str
    prepared: int = 0
    after_round: int = 0


class InForce(NamedTuple):
    """A configuration in force: by hash, from which entry, instant and round on, asked by whom and approved by whom."""

    hash: str
    sequence: int
    since: Instant
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


class TablePosts(NamedTuple):
    """What was in force at a table, the last is now, and what is prepared there by opening time."""

    history: tuple[InForce, ...] = ()
    prepared: tuple[PreparedConfiguration, ...] = ()

    @property
    def now(self) -> InForce | None:
        """What is in force."""
        return self.history[-1] if self.history else None

    def spans(self) -> Iterator[tuple[InForce, InForce | None]]:
        """Each with the one that followed it, the newest first."""
        following: InForce | None = None
        for each in reversed(self.history):
            yield each, following
            following = each


_NOTHING: Mapping[str, Any] = MappingProxyType({})


@json_object
class Posts(NamedTuple):
    """All tables by name, by hash the text of every configuration that was ever approved, and how many there were."""

    tables: Mapping[str, TablePosts] = _NOTHING
    texts: Mapping[str, str] = _NOTHING
    made: int = 0


@lru_cache(maxsize=512)
def _configuration(text: str) -> Configuration:
    found = read_configuration(text)
    if found.problems or found.configuration is None:
        raise ValueError("; ".join(map(str, found.problems)) or "no configuration")
    return found.configuration


def _posted(before: TablePosts, entry: Entry, value: TablePosted, content_hash: str) -> TablePosts:
    asked = next((each for each in before.prepared if each.number == value.prepared), None)
    if value.prepared and (asked is None or asked.hash != content_hash):
        raise ValueError(f"configuration {value.prepared} is not prepared for table {value.table}")
    made = InForce(content_hash, entry.sequence, entry.recorded, entry.actor, after_round=value.after_round)
    if asked is None:
        return before._replace(history=(*before.history, made))
    made = made._replace(by=asked.by, approved_by=asked.approved_by, words=asked.words)
    # Where two are due at once the last one holds, and those before it never did.
    left = tuple(each for each in before.prepared if (each.opens, each.number) > (asked.opens, asked.number))
    return TablePosts((*before.history, made), left)


def _fold(posts: Posts, entry: Entry, value: Payload) -> Posts:
    if isinstance(value, ConfigurationWithdrawn):
        before = posts.tables.get(value.table, TablePosts())
        left = tuple(each for each in before.prepared if each.number != value.prepared)
        if len(left) == len(before.prepared):
            raise ValueError(f"configuration {value.prepared} is not prepared for table {value.table}")
        return posts._replace(tables={**posts.tables, value.table: before._replace(prepared=left)})
    if not isinstance(value, ConfigurationPrepared | TablePosted):
        return posts
    before = posts.tables.get(value.table, TablePosts())
    content_hash = _configuration(value.configuration).content_hash
    if isinstance(value, TablePosted):
        after = _posted(before, entry, value, content_hash)
    else:
        if value.number != posts.made + 1:
            raise ValueError(f"configuration {value.number} does not follow configuration {posts.made}")
        made = PreparedConfiguration(
            value.number, entry.sequence, content_hash, value.opens, value.words, entry.actor, value.approved_by
        )
        waiting = sorted((*before.prepared, made), key=lambda each: (each.opens, each.number))
        after = before._replace(prepared=tuple(waiting))
    made_now = value.number if isinstance(value, ConfigurationPrepared) else posts.made
    return Posts({**posts.tables, value.table: after}, {**posts.texts, content_hash: value.configuration}, made_now)


POSTED: Projection[Posts] = Projection(
    name="posted",
    empty=Posts(),
    fold=_fold,
    shape=Posts,
    kinds=kinds_of(ConfigurationPrepared, ConfigurationWithdrawn, TablePosted),
    version=2,
)


def _posts(state: BookState) -> Posts:
    found: Posts = state.parts.get(POSTED.name, Posts())
    return found


def posts_at(state: BookState, table: str) -> TablePosts:
    """What was, is and will be posted at a table."""
    return _posts(state).tables.get(table, TablePosts())


def configuration_by_hash(state: BookState, content_hash: str) -> Configuration | None:
    """A configuration that was approved at some time, by the hash of its text."""
    text = _posts(state).texts.get(content_hash)
    return None if text is None else _configuration(text)


def configuration_at(state: BookState, table: str) -> Configuration | None:
    """The configuration that is in force at a table, if one is."""
    now = posts_at(state, table).now
    return None if now is None else configuration_by_hash(state, now.hash)


def configuration_of_round(state: BookState, table: str, number: int) -> Configuration | None:
    """The configuration under which a round was played; of a round that is not named, the one in force."""
    played = [each for each in posts_at(state, table).history if each.after_round < number]
    return configuration_by_hash(state, played[-1].hash) if number and played else configuration_at(state, table)
