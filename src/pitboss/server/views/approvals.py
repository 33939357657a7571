"""What waits for a second person, as one person sees it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple
from zoneinfo import ZoneInfo

from pitboss.books import BookState
from pitboss.server.approval_entries import APPROVALS, Pending
from pitboss.server.commands import BY_NAME
from pitboss.server.posting import configuration_at
from pitboss.server.views.queue import NOBODY, ROLE_NAMES, Viewer, either
from pitboss.server.views.speaking import dollars
from pitboss.server.views.table_state import room_zone
from pitboss.server.views.tables import POST, asked_configuration, table_address
from pitboss.server.views.times import clock_text
from pitboss.table import compare

__all__ = ["ApprovalView", "approval_views"]

_SAID_MOST = 160


class ApprovalView(NamedTuple):
    """Something that waits for a second person: what, asked by whom and when, who gives it; what speaks against it."""

    number: int
    title: str
    said: tuple[tuple[str, str], ...]
    by: str
    role: str
    asked: str
    approvers: str
    problems: tuple[str, ...]
    is_own: bool
    link: str = ""


def _plain(name: str, value: Any) -> str:
    if name.endswith("_cents") and isinstance(value, int):
        return dollars(value)
    if isinstance(value, str):
        return value.split("\n", 1)[0] + (" …" if "\n" in value else "")
    return json.dumps(value, ensure_ascii=False)


def _said(said: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """What was asked for, field by field, as far as it says something."""
    for name, value in said.items():
        if value in (None, "", [], {}):
            continue
        if name == "claims":
            text = ", ".join(f"seat {each['seat']}: {each['row']}" for each in value)
        elif isinstance(value, list):
            text = ", ".join(_plain(name, each) for each in value)
        else:
            text = _plain(name, value)
        label = name.removesuffix("_cents").replace("_", " ")
        yield label, text if len(text) <= _SAID_MOST else f"{text[:_SAID_MOST]} …"


_CHANGES_MOST = 6


def _configuration_said(state: BookState, pending: Pending) -> Iterator[tuple[str, str]]:
    """What a configuration that waits would change at its table, the first changes of many."""
    table, configuration = str(pending.said.get("table")), asked_configuration(pending)
    yield from _said({name: value for name, value in pending.said.items() if name != "configuration"})
    if configuration is None:
        return
    yield "configuration", configuration.content_hash[:12]
    found = compare(configuration_at(state, table), configuration)
    changes = [*found.settings, *found.pays, *found.approvals]
    if configuration_at(state, table) is not None:
        for each in changes[:_CHANGES_MOST]:
            yield each.title, f"{each.was or 'nothing'} → {each.becomes or 'nothing'}"
        if len(changes) > _CHANGES_MOST:
            yield "and", f"{len(changes) - _CHANGES_MOST} changes more"


def _configuration(state: BookState, pending: Pending, view: ApprovalView) -> ApprovalView:
    if pending.what != POST:
        return view
    link = f"{table_address(str(pending.said.get('table')))}/asked/{pending.number}"
    return view._replace(said=tuple(_configuration_said(state, pending)), link=link)


def _approval(pending: Pending, viewer: Viewer, zone: ZoneInfo) -> ApprovalView:
    return ApprovalView(
        number=pending.number,
        title=BY_NAME[pending.what].says.rstrip("."),
        said=tuple(_said(pending.said)),
        by=pending.by,
        role=ROLE_NAMES.get(pending.role, pending.role),
        asked=clock_text(pending.asked, zone),
        approvers=either(pending.approvers),
        problems=tuple(pending.problems(viewer.name, viewer.roles)),
        is_own=pending.by.casefold() == viewer.name.casefold(),
    )


def approval_views(state: BookState, viewer: Viewer = NOBODY, *, everything: bool = False) -> tuple[ApprovalView, ...]:
    """Show what waits: what this person can give, has asked for, or, as an auditor does, all of it."""
    zone = room_zone(state)
    views = [_configuration(state, each, _approval(each, viewer, zone)) for each in state.of(APPROVALS).values()]
    sees_all = everything or "auditor" in viewer.roles
    return tuple(each for each in views if sees_all or each.is_own or not each.problems)
