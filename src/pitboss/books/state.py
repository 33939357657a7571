"""The state of a book: a fold over its entries, in parts that each package can add to, rebuilt from nothing."""

from __future__ import annotations

import importlib
import json
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from pitboss.books.canonical import canonical
from pitboss.books.entries import GENESIS, Entry
from pitboss.books.payloads import Payload, UnreadableError, read_payload

__all__ = ["BookState", "Folding", "Projection", "Run"]

S = TypeVar("S")

Run = Sequence[tuple[Entry, Payload]]
"""Entries that follow each other, each with what it says."""

_CANNOT_FOLLOW = (KeyError, TypeError, ValueError, AttributeError)
"""What a fold raises at an entry that does not follow from what came before it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Projection(Generic[S]):
    """One part of a book's state: what it is before the first entry, and what an entry makes of it.

    `fold` is a pure function and never changes the state it is given. `write` and `read` turn a state into JSON and
    back, for sealed snapshots; `version` is raised when the meaning of the state changes, so that an older snapshot is
    not used but replayed.
    """

    name: str
    empty: S
    fold: Callable[[S, Entry, Payload], S]
    write: Callable[[S], Any]
    read: Callable[[Any], S]
    version: int = 1
    kinds: frozenset[str] | None = None
    """The kinds of entries that this part is about, where it is not about all: of any other, `fold` makes nothing."""
    fold_run: Callable[[S, Run], S] | None = None
    """Many entries at once, where that is quicker: it gives what `fold` gives for one after the other."""

    def __reduce__(self) -> tuple[Callable[[str, str], Projection[Any]], tuple[str, str]]:
        """Go to another process by name: a projection is a value of the module in which its `fold` stands."""
        module = self.fold.__module__
        for name, value in vars(sys.modules[module]).items():
            if value is self:
                return _projection_of, (module, name)
        raise TypeError(f"the projection {self.name!r} is no value of the module of its fold, {module}")


def _projection_of(module: str, name: str) -> Projection[Any]:
    """Find a projection in its module."""
    found: Projection[Any] = getattr(importlib.import_module(module), name)
    return found


@dataclass(frozen=True, slots=True)
class BookState:
    """Where a book ends, and what its entries come to; a value, which never changes."""

    sequence: int
    digest: bytes
    recorded: int
    parts: dict[str, Any]

    def of(self, projection: Projection[S]) -> S:
        """Give one part of the state."""
        part: S = self.parts[projection.name]
        return part


class Folding:
    """The projections that make the state of a book, and the fold over all of them."""

    def __init__(self, projections: Iterable[Projection[Any]]) -> None:
        self.projections = tuple(projections)
        names = [each.name for each in self.projections]
        if len(set(names)) != len(names):
            raise ValueError(f"two parts of the state have one name: {', '.join(names)}")
        self.version = {each.name: each.version for each in self.projections}
        self._folds_of: dict[str, tuple[tuple[str, Any], ...]] = {}

    def empty(self) -> BookState:
        """The state before the first entry."""
        return BookState(0, GENESIS, 0, {each.name: each.empty for each in self.projections})

    def fold(self, state: BookState, entry: Entry, value: Payload | None = None) -> BookState:
        """Fold one entry; `value` is its payload, where it has been read already."""
        if value is None:
            value = read_payload(entry.kind, entry.payload)
        folds = self._folds_of.get(entry.kind) or self._folding_kind(entry.kind)
        parts = state.parts.copy()
        try:
            for name, fold in folds:
                parts[name] = fold(parts[name], entry, value)
        except _CANNOT_FOLLOW as error:
            raise UnreadableError(f"it cannot follow what came before it: {error!r}") from error
        return BookState(entry.sequence, entry.digest, entry.recorded, parts)

    def fold_run(self, state: BookState, run: Run) -> BookState:
        """Fold entries that follow each other: the same as `fold` for each, without the states between them."""
        parts = state.parts.copy()
        kinds = {entry.kind for entry, _ in run}
        try:
            for each in self.projections:
                if each.kinds is None or not each.kinds.isdisjoint(kinds):
                    parts[each.name] = _folded_run(each, parts[each.name], run)
        except _CANNOT_FOLLOW as error:
            raise UnreadableError(f"one of them cannot follow what came before it: {error!r}") from error
        last = run[-1][0]
        return BookState(last.sequence, last.digest, last.recorded, parts)

    def _folding_kind(self, kind: str) -> tuple[tuple[str, Any], ...]:
        """The folds of the parts that a kind of entry concerns, in their order; remembered."""
        folds = tuple((each.name, each.fold) for each in self.projections if each.kinds is None or kind in each.kinds)
        self._folds_of[kind] = folds
        return folds

    def passed(self, state: BookState, entry: Entry) -> BookState:
        """Go past an entry that cannot be read: the book stands at it, and it has moved nothing."""
        return BookState(entry.sequence, entry.digest, entry.recorded, state.parts)

    def seal(self, state: BookState) -> str:
        """Write a state as canonical text, for a snapshot."""
        parts = {each.name: each.write(state.parts[each.name]) for each in self.projections}
        return canonical(
            {
                "sequence": state.sequence,
                "digest": state.digest.hex(),
                "recorded": state.recorded,
                "version": self.version,
                "parts": parts,
            }
        )

    def unseal(self, text: str) -> BookState | None:
        """Read a sealed state, or give nothing where it was sealed with other parts than these."""
        said = json.loads(text)
        if said["version"] != self.version:
            return None
        parts = {each.name: each.read(said["parts"][each.name]) for each in self.projections}
        return BookState(said["sequence"], bytes.fromhex(said["digest"]), said["recorded"], parts)


def _folded_run(projection: Projection[S], part: S, run: Run) -> S:
    if projection.fold_run is not None:
        return projection.fold_run(part, run)
    fold, kinds = projection.fold, projection.kinds
    for entry, value in run:
        if kinds is None or entry.kind in kinds:
            part = fold(part, entry, value)
    return part
