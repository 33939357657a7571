"""The page of reports: which there are, in the groups people look for them, and what narrows one."""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import NamedTuple
from urllib.parse import urlencode

from pitboss.books import EPOCH, ROOM, BookState, Calendar
from pitboss.jackpot import JACKPOTS
from pitboss.reports import PACKET, REPORTS
from pitboss.server.views.table_state import tables_of

GROUPS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("Money", ("meters", "accrual", "escrow", "takings", "adjustments", "exceptions")),
    ("Hits and tax", ("hits", "chances", "last-hits", "slips", "w-2g", "cheques", "video")),
    ("Play", ("wagers-by-table", "wagers-by-seat", "wagers-by-hour", "wagers-by-shift", "participation", "rounds")),
    ("Equipment and rounds", ("counters", "corrections", "voids", "malfunctions", "alarms")),
    ("For the commission", ("approvals", "configurations", "chain")),
)
"""Every report once, under the heading where somebody looks for it."""
_FIELDS = ("first", "last", "shift", "table", "jackpot")
_BASE = "/office/reports"
_DAY = datetime.timedelta(days=1)


class Choice(NamedTuple):
    """One of several values of a filter."""

    value: str
    title: str
    chosen: bool


class Quick(NamedTuple):
    """A period that is one click away."""

    title: str
    address: str
    chosen: bool


class ReportLink(NamedTuple):
    """A report that can be looked at: its name, title, what it says, its address."""

    name: str
    title: str
    says: str
    address: str
    chosen: bool


class ReportGroup(NamedTuple):
    """Reports under one heading."""

    title: str
    reports: tuple[ReportLink, ...]


class ReportsView(NamedTuple):
    """Everything around a report: the others, the filters as they stand, and where files of it are."""

    sequence: int
    action: str
    title: str
    says: str
    groups: tuple[ReportGroup, ...]
    first: str
    last: str
    shifts: tuple[Choice, ...]
    tables: tuple[Choice, ...]
    jackpots: tuple[Choice, ...]
    quick: tuple[Quick, ...]
    csv: str
    pdf: str
    packet: str
    packet_titles: tuple[str, ...]


def narrowed(said: Mapping[str, str]) -> dict[str, str]:
    """What narrows a report: the filters that were filled in."""
    return {name: said[name] for name in _FIELDS if said.get(name)}


def _address(path: str, said: Mapping[str, str], **more: str) -> str:
    query = urlencode({**narrowed(said), **more})
    return f"{path}?{query}" if query else path


def _choices(values: tuple[str, ...], chosen: str, every: str) -> tuple[Choice, ...]:
    known = values if chosen in ("", *values) else (*values, chosen)
    return (Choice("", every, not chosen), *(Choice(each, each, each == chosen) for each in known))


def _day(calendar: Calendar | None, instant: int) -> datetime.date:
    found = EPOCH + datetime.timedelta(microseconds=instant)
    return found.date() if calendar is None else calendar.gambling_day(found)


def _quick(path: str, said: Mapping[str, str], today: datetime.date, shown: tuple[str, str]) -> tuple[Quick, ...]:
    spans = (
        ("Today", today, today),
        ("Yesterday", today - _DAY, today - _DAY),
        ("7 days", today - 6 * _DAY, today),
        ("This month", today.replace(day=1), today),
    )
    found = []
    for title, first, last in spans:
        span = {"first": first.isoformat(), "last": last.isoformat()}
        asked = {**said, **span, "shift": said.get("shift", "") if first == last else ""}
        found.append(Quick(title, _address(path, asked), shown == (span["first"], span["last"])))
    return tuple(found)


def reports_view(state: BookState, said: Mapping[str, str], now: int, name: str = "") -> ReportsView:
    """Work out the page around a report, or around none; without days it is of the last one that has an entry."""
    calendar = state.of(ROOM)
    today, latest = _day(calendar, now), _day(calendar, state.recorded).isoformat()
    first, last = said.get("first") or said.get("last") or latest, said.get("last") or said.get("first") or latest
    shifts = () if calendar is None else tuple(each for each, _ in calendar.settings_on(today).shifts)
    path = f"{_BASE}/{name}" if name else _BASE
    at = {"at": str(now)}
    return ReportsView(
        sequence=state.sequence,
        action=path,
        title=REPORTS[name].title if name else "Reports",
        says=REPORTS[name].says if name else "",
        groups=tuple(
            ReportGroup(
                title,
                tuple(
                    ReportLink(
                        each, REPORTS[each].title, REPORTS[each].says, _address(f"{_BASE}/{each}", said), each == name
                    )
                    for each in names
                ),
            )
            for title, names in GROUPS
        ),
        first=first,
        last=last,
        shifts=_choices(shifts, said.get("shift", ""), "All day"),
        tables=_choices(tables_of(state), said.get("table", ""), "All tables"),
        jackpots=_choices(tuple(sorted(state.of(JACKPOTS).jackpots)), said.get("jackpot", ""), "All jackpots"),
        quick=_quick(path, said, today, (first, last)),
        csv=_address(f"{path}/csv", said, **at) if name else "",
        pdf=_address(f"{path}/pdf", said, **at) if name else "",
        packet=_address("/office/packet", said, **at),
        packet_titles=tuple(each.title for each in PACKET),
    )
