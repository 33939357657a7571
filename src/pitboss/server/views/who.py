"""Who did what, and who may do what: entries by person and kind, and every command with those who may ask it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple
from urllib.parse import urlencode

from pitboss.books import BookState
from pitboss.server.access.people import PEOPLE
from pitboss.server.access.roles import PEOPLE_ROLES
from pitboss.server.commands import COMMANDS

__all__ = ["Did", "May", "Who", "may_view", "who_view"]


class Did(NamedTuple):
    """A kind of entry that somebody signed, how often, and where they are."""

    kind: str
    entries: str
    address: str


class Who(NamedTuple):
    """Somebody, his roles now, and what he did; a table or a device has none."""

    name: str
    roles: str
    entries: str
    did: tuple[Did, ...]


class May(NamedTuple):
    """A command: what it is for, the mark of each role in their order, and who approves."""

    name: str
    says: str
    marks: tuple[str, ...]
    approvers: str


def who_view(state: BookState, who: Mapping[str, Mapping[str, int]], day: str) -> tuple[Who, ...]:
    """List everybody who signed an entry, people first."""
    found = []
    for name, kinds in who.items():
        person = state.of(PEOPLE).named(name)
        roles = "" if person is None else ", ".join(person.roles)
        did = tuple(
            Did(kind, f"{count:,}", f"/office/audit?{urlencode({'actor': name, 'kind': kind, 'day': day})}")
            for kind, count in sorted(kinds.items(), key=lambda each: (-each[1], each[0]))
        )
        found.append((person is None, name, Who(name, roles, f"{sum(kinds.values()):,}", did)))
    return tuple(who for _, _, who in sorted(found, key=lambda each: each[:2]))


def may_view() -> tuple[May, ...]:
    """Every command by role: `asks`, or `gives` where he is the second person (T-06)."""
    return tuple(
        May(
            each.name,
            each.says,
            tuple("asks" if role in each.roles else "gives" if role in each.approvers else "" for role in PEOPLE_ROLES),
            ", ".join(each.approvers),
        )
        for each in COMMANDS
    )
