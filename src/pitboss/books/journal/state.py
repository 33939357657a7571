"""The state of a book: a fold over its entries, in parts that each package can add to, and the invariants it keeps.

The writer asks every invariant before it writes an entry, so that an entry that would break one is refused; an audit
asks them again over the whole journal. Section 10 of REGULATION.md lists ten. In the books are: 1 (conservation), 2
(cap), 3 (decreases), the part of 4 that counters never fall, and 10 (nobody approves their own change); 7 (replay) is
the audit itself. The others stand in the packages that know seats, trays, hits and deposits: `jackpot` (4, 6, 8, 9),
`tabulator` (4) and the shift report (5).
"""

from __future__ import annotations

import importlib
import json
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Any, Generic, NamedTuple, TypeVar

from pitboss.books.journal.codec import canonical_record, reader_of, writer_of
from pitboss.books.journal.entries import GENESIS, Entry, Instant
from pitboss.books.journal.payloads import Payload, UnreadableError, read_payload

S = TypeVar("S")

Run = Sequence[tuple[Entry, Payload]]
"""Entries that follow each other, each with its payload."""

_CANNOT_FOLLOW = (KeyError, TypeError, ValueError, AttributeError)
"""What a fold raises at an entry that does not follow from what came before it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Projection(Generic[S]):
    """One part of a book's state: its type, what it is before the first entry, and what an entry makes of it.

    `fold` is a pure function and never changes the state it gets. `shape` is the type by which the state is written in
    sealed snapshots and read from them; `version` is raised when its meaning changes, so that the part is not taken
    from an older snapshot but folded anew. `kinds` are the kinds of entries that the part is folded from; None is all.
    """

    name: str
    shape: Any
    empty: S
    fold: Callable[[S, Entry, Payload], S]
    kinds: AbstractSet[str] | None
    version: int = 1
    fold_run: Callable[[S, Run], S] | None = None
    """Many entries of its kinds at once, where that is quicker: the same as `fold` for one after the other."""

    def write(self, part: S) -> Any:
        """Write the part as JSON."""
        return writer_of(self.shape)(part)

    def read(self, payload: Any) -> S:
        """Read what `write` wrote."""
        part: S = reader_of(self.shape)(payload)
        return part

    def is_about(self, kind: str) -> bool:
        """True if entries of a kind are folded into this part."""
        return self.kinds is None or kind in self.kinds

    def folded(self, part: S, run: Run) -> S:
        """Fold those of a run of entries that this part is about."""
        if self.kinds is not None:
            run = [(entry, value) for entry, value in run if entry.kind in self.kinds]
        if self.fold_run is not None:
            return self.fold_run(part, run)
        for entry, value in run:
            part = self.fold(part, entry, value)
        return part

    def __reduce__(self) -> tuple[Callable[[str, str], Projection[Any]], tuple[str, str]]:
        """Pickle by name: a projection is a value of the module in which its `fold` stands."""
        module = self.fold.__module__
        for name, value in vars(sys.modules[module]).items():
            if value is self:
                return _projection_of, (module, name)
        raise TypeError(f"the projection {self.name!r} is no value of the module of its fold, {module}")


def _projection_of(module: str, name: str) -> Projection[Any]:
    """Find a projection in its module."""
    projection: Projection[Any] = getattr(importlib.import_module(module), name)
    return projection


@dataclass(frozen=True, slots=True)
class BookState:
    """Where a book ends, and what its entries come to; a value, which never changes."""

    sequence: int
    digest: bytes
    recorded: Instant
    parts: dict[str, Any]

    def of(self, projection: Projection[S]) -> S:
        """Return one part of the state."""
        part: S = self.parts[projection.name]
        return part


@dataclass(slots=True)
class EntryStep:
    """One entry between the state before it and the state after it; `value` is its payload."""

    before: BookState
    entry: Entry
    value: Any
    after: BookState


@dataclass(frozen=True, slots=True, kw_only=True)
class Invariant:
    """A rule that always holds: its name, what it says, its sources, and the functions that check it.

    `step` checks an entry of one of `kinds`, `end` the state where a book ends; each yields what is wrong, in words. A
    command is refused for what `step` yields alone: what a command could break belongs there, or the books would halt
    when they are next opened. An invariant stands in the tuple INVARIANTS of the module of its functions.
    """

    name: str
    says: str
    sources: tuple[str, ...]
    kinds: AbstractSet[str]
    step: Callable[[EntryStep], Iterable[str]]
    end: Callable[[BookState], Iterable[str]] | None = None

    def __reduce__(self) -> tuple[Callable[[str, str], Invariant], tuple[str, str]]:
        """Pickle by name."""
        return _invariant_of, (self.step.__module__, self.name)


def _invariant_of(module: str, name: str) -> Invariant:
    """Find an invariant in its module."""
    invariants: Sequence[Invariant] = importlib.import_module(module).INVARIANTS
    return next(invariant for invariant in invariants if invariant.name == name)


class Finding(NamedTuple):
    """An invariant that does not hold: which, where, and how."""

    invariant: str
    book: str
    sequence: int
    words: str

    def __str__(self) -> str:
        return f"book {self.book}, entry {self.sequence}: {self.words} ({self.invariant})"


def _require_unique(names: Sequence[str], what: str) -> None:
    if len(set(names)) != len(names):
        raise ValueError(f"two {what} have one name: {', '.join(names)}")


class Folding:
    """The projections that make the state of a book, the fold over all of them, and the invariants that are asked."""

    def __init__(self, projections: Iterable[Projection[Any]], invariants: Iterable[Invariant] = ()) -> None:
        self.projections, self.invariants = tuple(projections), tuple(invariants)
        _require_unique([projection.name for projection in self.projections], "parts of the state")
        _require_unique([invariant.name for invariant in self.invariants], "invariants")
        self.version = {projection.name: projection.version for projection in self.projections}
        self._sealed: tuple[BookState | None, str] = (None, "")
        self._folds_of: dict[str, tuple[tuple[str, Any], ...]] = {}
        self._steps_of: dict[str, tuple[tuple[str, Callable[[EntryStep], Iterable[str]]], ...]] = {}

    def __reduce__(self) -> Any:
        """Pickle by the names of its parts and invariants."""
        return Folding, (self.projections, self.invariants)

    def empty(self) -> BookState:
        """The state before the first entry."""
        return BookState(0, GENESIS, 0, {projection.name: projection.empty for projection in self.projections})

    def fold(self, state: BookState, entry: Entry, value: Payload | None = None) -> BookState:
        """Fold one entry; `value` is its payload, where it has been read already."""
        if value is None:
            value = read_payload(entry.kind, entry.payload)
        folds = self._folds_of.get(entry.kind)
        if folds is None:
            folds = self._folds_of[entry.kind] = tuple(
                (projection.name, projection.fold) for projection in self.projections if projection.is_about(entry.kind)
            )
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
            for projection in self.projections:
                if projection.kinds is None or not kinds.isdisjoint(projection.kinds):
                    parts[projection.name] = projection.folded(parts[projection.name], run)
        except _CANNOT_FOLLOW as error:
            raise UnreadableError(f"one of them cannot follow what came before it: {error!r}") from error
        last = run[-1][0]
        return BookState(last.sequence, last.digest, last.recorded, parts)

    def passed(self, state: BookState, entry: Entry) -> BookState:
        """Skip an entry that cannot be read: the book stands at it, and it has moved nothing."""
        return BookState(entry.sequence, entry.digest, entry.recorded, state.parts)

    def step_findings(self, step: EntryStep) -> list[Finding]:
        """Return every invariant that an entry breaks, and how."""
        findings: list[Finding] = []
        kind = step.entry.kind
        steps = self._steps_of.get(kind)
        if steps is None:
            steps = self._steps_of[kind] = tuple(
                (invariant.name, invariant.step) for invariant in self.invariants if kind in invariant.kinds
            )
        for name, check in steps:
            if problems := check(step):
                findings += [Finding(name, step.entry.book, step.entry.sequence, words) for words in problems]
        return findings

    def end_findings(self, book: str, state: BookState) -> list[Finding]:
        """Return every invariant that the state at the end of a book breaks."""
        return [
            Finding(invariant.name, book, state.sequence, words)
            for invariant in self.invariants
            if invariant.end is not None
            for words in invariant.end(state)
        ]

    def seal(self, state: BookState) -> str:
        """Write a state as canonical text, for a snapshot; the text of the last state is kept, which is asked twice."""
        last, text = self._sealed
        if last is state:
            return text
        parts = {projection.name: projection.write(state.parts[projection.name]) for projection in self.projections}
        text = canonical_record(
            {
                "sequence": state.sequence,
                "digest": state.digest.hex(),
                "recorded": state.recorded,
                "version": self.version,
                "parts": parts,
            }
        )
        self._sealed = (state, text)
        return text

    def unseal(self, text: str) -> BookState | None:
        """Read a sealed state, or return None where it was sealed with other parts than these."""
        sealed = json.loads(text)
        return self.sealed_parts(sealed) if sealed["version"] == self.version else None

    def sealed_parts(self, sealed: Mapping[str, Any]) -> BookState:
        """Read those parts of a sealed state that are of the versions of these."""
        parts = {
            projection.name: projection.read(sealed["parts"][projection.name])
            for projection in self.projections
            if sealed["version"].get(projection.name) == projection.version
        }
        return BookState(sealed["sequence"], bytes.fromhex(sealed["digest"]), sealed["recorded"], parts)
