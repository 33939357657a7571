"""Invariants: what must hold at every entry and at the end of a book, as a list that later packages add to.

The writer asks every invariant before it writes an entry, so that an entry that would break one is refused; an audit
asks them again over the whole journal. Section 10 of REGULATION.md lists ten. Stated by `money_rules` are: 1
(conservation), 2 (cap), 3 (decreases), the part of 4 that counters never fall, and 10 (nobody approves his own
change). 7 (replay) is the audit itself, by `check_books` and by the auditor.

Left to later packages, because they speak of things the books do not know yet:

- 4, sum of seats = table = rounds: `tabulator` (M-11);
- 5, count times wager = wagers removed to the tray: `tabulator` and the shift report (E-01, O-12);
- 6, escrow covers what is held, else stopped: `jackpot`, which knows the age of deposits (J-19); here only that the
  bank and deposits in transit are never below zero;
- 8, one sequence, one generation, one slip for each win: `jackpot` (T-12, F-14);
- 9, checks that an amount demands before it is paid: `jackpot` (O-04, P-03, X-01).

A later package states its own with `register_invariants`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple

from pitboss.books.entries import Entry
from pitboss.books.state import BookState

__all__ = ["Finding", "Invariant", "Step", "invariants", "register_invariants", "step_findings"]


@dataclass(slots=True)
class Step:
    """One entry between the state before it and the state after it; `value` is what it says, a payload."""

    before: BookState
    entry: Entry
    value: Any
    after: BookState


@dataclass(frozen=True, slots=True, kw_only=True)
class Invariant:
    """Something that always holds: its name, what it says, where that stands, and who looks.

    `step` looks at every entry, `end` at the state where a book ends; each gives what is wrong, in words. A command is
    refused for what `step` says alone: what a command could break belongs there, or the books would halt when they are
    next opened. `about` and `kinds` say which entries `step` is asked about, by the class of what they say and by their
    kind; all where neither is given.
    """

    name: str
    says: str
    sources: tuple[str, ...]
    step: Callable[[Step], Iterable[str]] | None = None
    end: Callable[[BookState], Iterable[str]] | None = None
    about: type[Any] | tuple[type[Any], ...] | None = None
    kinds: frozenset[str] | None = None

    def concerns(self, value: type[Any], kind: str) -> bool:
        """Whether `step` is asked about entries of a kind that say a value of a class."""
        return (self.about is None or issubclass(value, self.about)) and (self.kinds is None or kind in self.kinds)


class Finding(NamedTuple):
    """An invariant that does not hold: which, where, and how."""

    invariant: str
    book: str
    sequence: int
    words: str

    def __str__(self) -> str:
        return f"book {self.book}, entry {self.sequence}: {self.words} ({self.invariant})"


_INVARIANTS: dict[str, Invariant] = {}
_STEPS: dict[tuple[type[Any], str], tuple[tuple[str, Callable[[Step], Iterable[str]]], ...]] = {}
"""What is asked about a class of values and a kind of entries, found once for each."""


def register_invariants(*found: Invariant) -> None:
    """Add invariants; each name is taken once."""
    for each in found:
        if _INVARIANTS.setdefault(each.name, each) is not each:
            raise ValueError(f"an invariant is named {each.name!r} already")
    _STEPS.clear()


def invariants() -> tuple[Invariant, ...]:
    """Give every invariant."""
    return tuple(_INVARIANTS.values())


def step_findings(step: Step) -> list[Finding]:
    """Ask every invariant about one entry."""
    found: list[Finding] = []
    value, kind = type(step.value), step.entry.kind
    steps = _STEPS.get((value, kind))
    if steps is None:
        steps = _STEPS[value, kind] = tuple(
            (each.name, each.step)
            for each in _INVARIANTS.values()
            if each.step is not None and each.concerns(value, kind)
        )
    for name, look in steps:
        if words := look(step):
            found += [Finding(name, step.entry.book, step.entry.sequence, each) for each in words]
    return found
