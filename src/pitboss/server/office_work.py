"""What the back office has made of a room's books: reports, explanations, and the whole check of the chain.

Each function takes the data directory and opens it for reading, so that the worker can do it, or for a small room the
server itself; what it gives is JSON. `at` is the instant at which it was asked for, which stands on the paper: asked
again, it is the same figure. Nothing here is loaded before it is called.
"""

from __future__ import annotations

import base64
import datetime
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pitboss.reports import Report, Scope

__all__ = ["OFFICE_WORK", "asked_of", "linked"]

_BOOK = "room"
_ENTRY_KEYS = frozenset({"entry", "hit", "number", "malfunction"})
"""Columns of reports whose figures are numbers of entries."""


def asked_of(said: Mapping[str, str]) -> Any:
    """Read what a report is to be of from texts, as a form sends them; all that is wrong in one refusal."""
    from pitboss.books import RefusedError  # noqa: PLC0415
    from pitboss.reports import Asked  # noqa: PLC0415

    days: dict[str, datetime.date | None] = {}
    problems = []
    for name, title in (("first", "from"), ("last", "to")):
        try:
            days[name] = datetime.date.fromisoformat(said[name]) if said.get(name) else None
        except ValueError:
            problems.append(f"{title}: {said[name]!r} must be a day such as 2026-11-15")
    if problems:
        raise RefusedError(problems)
    shift, table, jackpot = (said.get(name) or None for name in ("shift", "table", "jackpot"))
    return Asked(first_day=days["first"], last_day=days["last"], shift=shift, table=table, jackpot=jackpot)


@contextmanager
def _scope(path: str, asked: Mapping[str, str], at: int) -> Iterator[Scope]:
    from pitboss.books import Directory  # noqa: PLC0415
    from pitboss.reports import look  # noqa: PLC0415
    from pitboss.server.projections import PROJECTIONS  # noqa: PLC0415

    wanted = asked_of(asked)
    with closing(Directory(Path(path)).open_store(write=False)) as store:
        yield look(store, _BOOK, wanted, made=at, now=at, projections=PROJECTIONS)


def linked(report: Report) -> list[list[int | None]]:
    """By row and column the entry that a figure is the number of."""
    places = [each.key in _ENTRY_KEYS for each in report.columns]
    return [
        [cell if here and isinstance(cell, int) else None for here, cell in zip(places, row.cells, strict=True)]
        for row in report.all_rows
    ]


def report(path: str, name: str, asked: dict[str, str], at: int) -> dict[str, Any]:
    """A report as it is laid out on a page, with the numbers of entries that its figures lead to."""
    from pitboss.reports import make_report  # noqa: PLC0415
    from pitboss.reports.rendering import report_view  # noqa: PLC0415

    with _scope(path, asked, at) as scope:
        made = make_report(scope, name)
        return {**report_view(made, scope.zone), "linked": linked(made)}


def report_csv(path: str, name: str, asked: dict[str, str], at: int) -> dict[str, Any]:
    """A report for spreadsheets."""
    from pitboss.reports import make_report  # noqa: PLC0415
    from pitboss.reports.rendering import csv_text  # noqa: PLC0415

    with _scope(path, asked, at) as scope:
        return {"text": csv_text(make_report(scope, name))}


def report_pdf(path: str, name: str, asked: dict[str, str], at: int) -> dict[str, Any]:
    """A report as it is filed; with no name, the agent's packet."""
    from pitboss.paper.report import reports_pdf  # noqa: PLC0415
    from pitboss.reports import make_packet, make_report  # noqa: PLC0415
    from pitboss.reports.rendering import json_text, report_view  # noqa: PLC0415

    with _scope(path, asked, at) as scope:
        made = [make_report(scope, name)] if name else make_packet(scope)
        views = [report_view(each, scope.zone) for each in made]
    return {"pdf": base64.b64encode(reports_pdf(views, json_text(made))).decode("ascii")}


OFFICE_WORK: dict[str, Callable[..., dict[str, Any]]] = {
    "report": report,
    "report-csv": report_csv,
    "report-pdf": report_pdf,
}
