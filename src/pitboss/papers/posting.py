"""The versions of papers that hang at tables: what each says, as a digest, worked out from the table as it runs."""

import dataclasses
import datetime
import hashlib
import json
import uuid
from functools import lru_cache

from pitboss.books import BookState
from pitboss.commands.command import SYSTEM_ACTOR
from pitboss.papers.catalogue import BY_NAME, PaperKind
from pitboss.papers.source import PaperSource, TableParts, parts_of_table, source_of_table
from pitboss.room.posted_papers import POSTED_PAPERS, PaperVersion, ReviewPapers, TablePaper, required_papers
from pitboss.room.room import Room, tables_of
from pitboss.room.settings import gambling_day_of

_REMEMBERED = 1_024
"""Versions that a server remembers: it looks every few seconds, and a paper takes a while to be thought through."""


class _Source:
    """A source that is looked up by everything that a paper may say of it; what speaks against opening is on none."""

    def __init__(self, paper: str, source: PaperSource) -> None:
        self.paper, self.source = paper, source
        others = [getattr(source, field.name) for field in dataclasses.fields(source) if field.name not in _APART]
        self._key = (paper, source.configuration.content_hash, repr(others))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Source) and self._key == other._key

    def __hash__(self) -> int:
        return hash(self._key)


_APART = ("configuration", "problems")
_versions: dict[str, tuple[TableParts, dict[str, str]]] = {}
"""By table the versions that were worked out last, and from what: a look at all tables must keep no press waiting."""


@lru_cache(maxsize=_REMEMBERED)
def _digest(source: _Source) -> str:
    content = BY_NAME[source.paper].view(source.source)
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()


def version_of(paper: PaperKind, source: PaperSource) -> str:
    """Return the version of a paper: the digest of what it says.

    Not in it are the foot of each page, which names the configuration and its day, and where the paper belongs: a
    change that touches nothing that is read off a paper leaves what hangs as it is.
    """
    return _digest(_Source(paper.name, source))


def versions_at(state: BookState, table: str, day: datetime.date) -> dict[str, str]:
    """Return by name the version of every paper that must hang at a table on a gambling day.

    There are none where its configuration does not say what it pays.
    """
    required = required_papers(state, table)
    if not required:
        return {}
    parts, before = parts_of_table(state, table, day), _versions.get(table)
    if before is None or not parts.is_same(before[0]) or required.keys() != before[1].keys():
        source = source_of_table(state, "", table, day, is_checked=False)
        is_stated = not source.configuration.terms_and_problems[1]
        before = parts, {name: version_of(BY_NAME[name], source) if is_stated else "" for name in required}
        _versions[table] = before
    return {name: version for name, version in before[1].items() if version}


def changed_papers(state: BookState, day: datetime.date) -> tuple[PaperVersion, ...]:
    """Return the papers of all tables that say something else than the books have on record."""
    known = state.of(POSTED_PAPERS)
    return tuple(
        PaperVersion(table, name, version)
        for table in tables_of(state)
        for name, version in versions_at(state, table, day).items()
        if known.at(table).get(name, TablePaper()).version != version
    )


def review_papers(room: Room, id: str = "") -> None:  # noqa: A002
    """Record which papers of a room say something else than before.

    A server does so every few seconds, and whoever posts papers before they do: the command that posts one compares
    it with the books, which cannot work out by themselves what a paper says.
    """
    is_idle = room.books.is_halted or room.books.stands_by
    changed = () if is_idle else changed_papers(room.state, gambling_day_of(room.state, room.clock()))
    if changed:
        room.do(ReviewPapers(papers=changed), SYSTEM_ACTOR, id=id or f"watch-{uuid.uuid4().hex}-papers")


def unposted(state: BookState, table: str, day: datetime.date) -> dict[str, str]:
    """Return the versions of a table's papers that do not hang there as they are now, by name."""
    hanging = state.of(POSTED_PAPERS).at(table)
    versions = versions_at(state, table, day).items()
    return {name: version for name, version in versions if hanging.get(name, TablePaper()).posted != version}
