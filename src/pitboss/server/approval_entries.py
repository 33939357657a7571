"""Entries about approvals, and what waits for a second person as a fold over them (T-06, T-18, P-05)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

from pitboss.books import BookState, Entry, Payload, Projection
from pitboss.tabulator.said import Said, entry_kind

__all__ = ["APPROVALS", "ApprovalAsked", "ApprovalGiven", "ApprovalRefused", "Pending", "Waiting", "approvals_view"]


@entry_kind
@dataclass(frozen=True, slots=True, kw_only=True)
class ApprovalAsked(Said):
    """Something that a second person must approve: the command, what was said as JSON, and who may give it."""

    KIND: ClassVar[str] = "approval-asked"
    what: str
    said: str
    role: str
    approvers: tuple[str, ...]


@entry_kind
@dataclass(frozen=True, slots=True, kw_only=True)
class ApprovalGiven(Said):
    """An approval given by a second person; what was asked is done by the entries after this one."""

    KIND: ClassVar[str] = "approval-given"
    approval: int
    by: str
    role: str


@entry_kind
@dataclass(frozen=True, slots=True, kw_only=True)
class ApprovalRefused(Said):
    """An approval refused by somebody who could have given it, or taken back by who asked."""

    KIND: ClassVar[str] = "approval-refused"
    approval: int
    by: str
    words: str


class Pending(NamedTuple):
    """What waits for a second person; its number is that of its entry."""

    number: int
    what: str
    said: Mapping[str, Any]
    by: str
    role: str
    approvers: tuple[str, ...]
    asked: int

    def problems(self, name: str, roles: frozenset[str]) -> list[str]:
        """Say what speaks against somebody giving it: it was his own, or his role."""
        problems = []
        if name.casefold() == self.by.casefold():
            problems.append(f"{name} has asked for it: another person approves (T-06)")
        if not set(self.approvers) & roles:
            problems.append(f"approval {self.number} is given by {' or '.join(self.approvers)}")
        return problems


Waiting = Mapping[int, Pending]


def _fold(waiting: Waiting, entry: Entry, value: Payload) -> Waiting:
    if isinstance(value, ApprovalAsked):
        made = Pending(
            entry.sequence, value.what, json.loads(value.said), entry.actor, value.role, value.approvers, entry.happened
        )
        return {**waiting, entry.sequence: made}
    if isinstance(value, ApprovalGiven | ApprovalRefused):
        if value.approval not in waiting:
            raise ValueError(f"approval {value.approval} does not wait")
        return {number: each for number, each in waiting.items() if number != value.approval}
    return waiting


def _write(waiting: Waiting) -> list[dict[str, Any]]:
    return [{**each._asdict(), "approvers": list(each.approvers)} for each in waiting.values()]


def _read(said: list[dict[str, Any]]) -> Waiting:
    return {each["number"]: Pending(**{**each, "approvers": tuple(each["approvers"])}) for each in said}


APPROVALS: Projection[Waiting] = Projection(name="approvals", empty={}, fold=_fold, write=_write, read=_read)


def approvals_view(state: BookState, _name: str, _now: Any) -> dict[str, Any]:
    """Everything that waits for a second person."""
    return {"approvals": _write(state.of(APPROVALS))}
