"""Random commands: values of every field by its type and bounds, and what holds of each that is carried out."""

from __future__ import annotations

import datetime
import types
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

import pytest
from hypothesis import strategies as st

from pitboss.books import RefusedError
from pitboss.commands import Bounds, By, Command, Executor

PEOPLE = {
    "dealer": "Dan",
    "supervisor": "Sue",
    "surveillance": "Vic",
    "accounting": "Cas",
    "manager": "Max",
    "system": "pitboss",
}


def values_of(hint: Any, bounds: Bounds | None = None) -> st.SearchStrategy[Any]:
    """Return the values that a field may have, by its type and bounds."""
    origin, inner = get_origin(hint), get_args(hint)
    limits = bounds or Bounds(most=4)
    if origin is Annotated:
        return values_of(inner[0], inner[1])
    if origin in (Union, types.UnionType):
        return st.one_of(*(st.none() if member is type(None) else values_of(member) for member in inner))
    if origin is Literal:
        return st.sampled_from(inner)
    if origin is tuple:
        most = min(limits.most or 4, 4)
        return st.lists(values_of(inner[0]), min_size=limits.least or 0, max_size=most).map(tuple)
    if origin is not None and issubclass(origin, Mapping):
        return st.dictionaries(values_of(inner[0]), values_of(inner[1]), max_size=3)
    if hint is str and limits.pattern is not None:
        return st.from_regex(limits.pattern, fullmatch=True)
    if hint is str:
        return st.text(min_size=limits.least or 0, max_size=min(limits.most or 9, 9))
    if hint is int:
        return st.integers(limits.least, limits.most)
    if isinstance(hint, type) and issubclass(hint, Enum):
        return st.sampled_from(list(hint))
    if hint is Any:
        return st.text(max_size=3)
    if hint in (bool, datetime.date):
        return st.from_type(hint)
    return records_of(hint)


def records_of(kind: type, **names: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """Return values of a record; `names` are fields whose values are chosen otherwise."""
    hints = get_type_hints(kind, include_extras=True)
    members = [field.name for field in fields(kind)] if is_dataclass(kind) else kind._fields  # type: ignore[attr-defined]
    return st.builds(kind, **{name: names[name] if name in names else values_of(hints[name]) for name in members})


def requests(kind: type[Command], **names: st.SearchStrategy[Any]) -> st.SearchStrategy[tuple[Command, By]]:
    """Return commands of a kind by people who mostly may."""
    spec, stranger = kind.spec, st.just(By("Dora", "dealer"))
    able = st.sampled_from(
        [By(PEOPLE[role], role, _approver(spec.approvers, role)) for role in spec.roles if role in PEOPLE]
    )
    return st.tuples(records_of(kind, **names), st.one_of(able, able, able, stranger))


def _approver(approvers: tuple[str, ...], asker: str) -> By | None:
    """Somebody who may approve in another role than who asks (G-31)."""
    others = [role for role in approvers if role != asker]
    return By("Carla", (others or list(approvers))[0]) if approvers else None


def is_done_as_verified(executor: Executor, command: Command, by: By, id: str) -> bool:  # noqa: A002
    """Carry a command out: it is refused for what `verify` returns, and then nothing is written."""
    services = executor.services
    before = services.state
    problems = executor.verify(command, by)
    assert services.state is before
    assert executor.can(command, by) == (not problems)
    if problems:
        with pytest.raises(RefusedError) as caught:
            executor.do(command, by, id=id)
        # What does nothing is refused under its id, and `verify` has another.
        assert caught.value.problems == tuple(text.replace("command verify", f"command {id}") for text in problems)
        assert services.state is before
        return False
    answer = executor.do(command, by, id=id)
    assert answer.entries[-1].sequence == services.state.sequence
    return True
