"""The page of reports: which there are, in the groups people look for them, and what narrows one."""

import datetime
from collections.abc import Mapping
from typing import NamedTuple
from urllib.parse import urlencode

from pitboss.books import EPOCH, ROOM, BookState, Calendar
from pitboss.jackpot import JACKPOTS
from pitboss.reports import GROUPS, PACKET, REPORTS
from pitboss.server.views.table_state import tables_of

_FIELDS = ("first", "last", "shift", "table", "jackpot")
_BASE = "/office/reports"
_DAY = datetime.timedelta(days=1)


class FilterChoice(NamedTuple):
    """One of several values of a filter."""

    value: str
    title: str
    chosen: bool


class QuickPeriod(NamedTuple):
    """A period that is one click away."""

    title: str
    address: str
    chosen: bool


class ReportLink(NamedTuple):
    """A report that can be looked at: its name, title, description and address."""

    name: str
    title: str
    description: str
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
    description: str
    groups: tuple[ReportGroup, ...]
    first: str
    last: str
    shifts: tuple[FilterChoice, ...]
    tables: tuple[FilterChoice, ...]
    jackpots: tuple[FilterChoice, ...]
    quick: tuple[QuickPeriod, ...]
    csv: str
    pdf: str
    packet: str
    packet_titles: tuple[str, ...]


def narrowed(query: Mapping[str, str]) -> dict[str, str]:
    """Return the filters of a report that were filled in."""
    return {name: query[name] for name in _FIELDS if query.get(name)}


def _address(path: str, filters: Mapping[str, str], **more: str) -> str:
    query = urlencode({**narrowed(filters), **more})
    return f"{path}?{query}" if query else path


def _choices(values: tuple[str, ...], chosen: str, every: str) -> tuple[FilterChoice, ...]:
    choices = values if chosen in ("", *values) else (*values, chosen)
    return (FilterChoice("", every, not chosen), *(FilterChoice(value, value, value == chosen) for value in choices))


def _day(calendar: Calendar | None, instant: int) -> datetime.date:
    moment = EPOCH + datetime.timedelta(microseconds=instant)
    return moment.date() if calendar is None else calendar.gambling_day(moment)


def _quick(
    path: str, filters: Mapping[str, str], today: datetime.date, period: tuple[str, str]
) -> tuple[QuickPeriod, ...]:
    spans = (
        ("Today", today, today),
        ("Yesterday", today - _DAY, today - _DAY),
        ("7 days", today - 6 * _DAY, today),
        ("This month", today.replace(day=1), today),
    )
    periods = []
    for title, first, last in spans:
        span = {"first": first.isoformat(), "last": last.isoformat()}
        query = {**filters, **span, "shift": filters.get("shift", "") if first == last else ""}
        periods.append(QuickPeriod(title, _address(path, query), period == (span["first"], span["last"])))
    return tuple(periods)


def _link(name: str, filters: Mapping[str, str], *, is_chosen: bool) -> ReportLink:
    report = REPORTS[name]
    return ReportLink(name, report.title, report.says, _address(f"{_BASE}/{name}", filters), is_chosen)


def reports_view(state: BookState, filters: Mapping[str, str], now: int, name: str = "") -> ReportsView:
    """Lay out the page around a report, or around none; without days it is of the last one that has an entry."""
    calendar = state.of(ROOM)
    today, latest = _day(calendar, now), _day(calendar, state.recorded).isoformat()
    first, last = (
        filters.get("first") or filters.get("last") or latest,
        filters.get("last") or filters.get("first") or latest,
    )
    shifts = () if calendar is None else tuple(shift for shift, _ in calendar.settings_on(today).shifts)
    path = f"{_BASE}/{name}" if name else _BASE
    at = {"at": str(now)}
    return ReportsView(
        sequence=state.sequence,
        action=path,
        title=REPORTS[name].title if name else "Reports",
        description=REPORTS[name].says if name else "",
        groups=tuple(
            ReportGroup(title, tuple(_link(report.name, filters, is_chosen=report.name == name) for report in reports))
            for title, reports in GROUPS.items()
        ),
        first=first,
        last=last,
        shifts=_choices(shifts, filters.get("shift", ""), "All day"),
        tables=_choices(tables_of(state), filters.get("table", ""), "All tables"),
        jackpots=_choices(tuple(sorted(state.of(JACKPOTS).jackpots)), filters.get("jackpot", ""), "All jackpots"),
        quick=_quick(path, filters, today, (first, last)),
        csv=_address(f"{path}/csv", filters, **at) if name else "",
        pdf=_address(f"{path}/pdf", filters, **at) if name else "",
        packet=_address("/office/packet", filters, **at),
        packet_titles=tuple(report.title for report in PACKET),
    )
