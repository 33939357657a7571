"""Collectors: each report sees the entries of its period once, one after another, and is then made.

Many reports can be made of one reading. Only entries of kinds that some report asks for leave the database.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum
from typing import Any, ClassVar

from pitboss.books import Entry, Payload, UnreadableError, read_payload
from pitboss.reports.journal import entries_of_kinds
from pitboss.reports.report import Column, Report, ReportRow
from pitboss.reports.scope import Scope


class Group(StrEnum):
    """The headings under which people look for reports."""

    MONEY = "Money"
    HITS = "Hits and tax"
    PLAY = "Play"
    EQUIPMENT = "Equipment and rounds"
    COMMISSION = "For the commission"


class Collector(ABC):
    """A report in the making; `kinds` are the entries it needs.

    `group` is the heading it stands under, before others of it where `group_place` is smaller; `packet_place` is its
    place in the agent's packet, 0 where it is not in it.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    says: ClassVar[str]
    group: ClassVar[Group]
    group_place: ClassVar[int] = 1
    packet_place: ClassVar[int] = 0
    kinds: ClassVar[frozenset[str]] = frozenset()

    def __init__(self, scope: Scope) -> None:
        self.scope = scope

    def take(self, entry: Entry, value: Payload) -> None:
        """Read one more entry of the period; a report of the state at its ends needs none."""
        del entry, value

    @abstractmethod
    def report(self) -> Report:
        """Make the report."""

    def build(self, columns: tuple[Column, ...], rows: list[ReportRow], **parts: Any) -> Report:
        """Build the report under its name and title; `parts` are totals, notes, exceptions and the like."""
        return self.scope.report(self.name, self.title, self.says, columns, rows, **parts)


def period_entries(scope: Scope, kinds: Iterable[str]) -> Iterator[tuple[Entry, Payload]]:
    """Read the entries of these kinds in the period, once; one that cannot be read is left out (G-29)."""
    needed = frozenset(kinds)
    if not needed:
        return
    after, upto = scope.opening.sequence, scope.closing.sequence
    for entry in entries_of_kinds(scope.store, scope.book, needed, after, upto):
        try:
            yield entry, read_payload(entry.kind, entry.payload)
        except UnreadableError:
            continue


def make_reports(scope: Scope, makers: Sequence[type[Collector]]) -> list[Report]:
    """Make reports of one reading of the journal."""
    collectors = [maker(scope) for maker in makers]
    by_kind: dict[str, list[Collector]] = {}
    for collector in collectors:
        for kind in collector.kinds:
            by_kind.setdefault(kind, []).append(collector)
    for entry, value in period_entries(scope, by_kind):
        for collector in by_kind[entry.kind]:
            collector.take(entry, value)
    return [collector.report() for collector in collectors]
