"""Collectors: each report sees the entries of its period once, one after another, and is then made.

Many reports can be made of one reading. Only entries of kinds that some report asks for leave the database.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from typing import ClassVar

from pitboss.books import Entry, Payload, UnreadableError, read_payload
from pitboss.reports.journal import entries_of_kinds
from pitboss.reports.report import Report
from pitboss.reports.scope import Scope


class Collector(ABC):
    """A report in the making; `kinds` are the entries it wants to see."""

    name: ClassVar[str]
    title: ClassVar[str]
    says: ClassVar[str]
    kinds: ClassVar[frozenset[str]] = frozenset()

    def __init__(self, scope: Scope) -> None:
        self.scope = scope

    def take(self, entry: Entry, value: Payload) -> None:
        """See one more entry of the period; reports of what stands there need none."""
        del entry, value

    @abstractmethod
    def report(self) -> Report:
        """Make the report."""


def period_entries(scope: Scope, kinds: Iterable[str]) -> Iterator[tuple[Entry, Payload]]:
    """Read the entries of these kinds in the period, once; one that cannot be read says nothing (G-29)."""
    wanted = frozenset(kinds)
    if not wanted:
        return
    after, upto = scope.opening.sequence, scope.closing.sequence
    for entry in entries_of_kinds(scope.store, scope.book, wanted, after, upto):
        try:
            yield entry, read_payload(entry.kind, entry.payload)
        except UnreadableError:
            continue


def collected(scope: Scope, makers: Sequence[type[Collector]]) -> list[Report]:
    """Make reports of one reading of the journal."""
    found = [maker(scope) for maker in makers]
    by_kind: dict[str, list[Collector]] = {}
    for collector in found:
        for kind in collector.kinds:
            by_kind.setdefault(kind, []).append(collector)
    for entry, value in period_entries(scope, by_kind):
        for collector in by_kind[entry.kind]:
            collector.take(entry, value)
    return [collector.report() for collector in found]
