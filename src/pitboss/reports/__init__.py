"""Reports on the books of a room: each a function from a journal and a period to one value, and the accounting desk.

A report carries title, version, period, time and the head of the chain (M-06). It is made of the entries that were
recorded in its period, read once, and of what stood at both ends of it. Renderings are elsewhere: JSON and CSV in
`rendering`, PDFs by `paper`, tables on the terminal by the command.

>>> import pathlib
>>> from pitboss.books.audit import open_source
>>> store = open_source(pathlib.Path("examples/hits.backup"))
>>> scope = look(store, "room", ReportRequest(), made_at=0)
>>> report = make_report(scope, "meters")
>>> report.title, report.period.words, report.broken
('Meter reconciliation', 'gambling day 2026-11-15', False)
>>> [row.cells[1] for row in report.rows if row.cells[0] == "main"][-1]
'balances, to the unit'
>>> store.close()
"""

from typing import Any

from pitboss.books import Invariant, Projection
from pitboss.reports.registry import GROUPS, PACKET, REPORTS, make_packet, make_report
from pitboss.reports.report import CellKind, Column, ExceptionLine, Period, Report, ReportRow, period_of
from pitboss.reports.scope import ReportRequest, Scope, look
from pitboss.reports.state import ACCOUNTING, ExceptionRecord, RoomAccounting, Share
from pitboss.tabulator import INVARIANTS as _TABULATOR_INVARIANTS
from pitboss.tabulator import PROJECTIONS as _TABULATOR

PROJECTIONS: tuple[Projection[Any], ...] = (*_TABULATOR, ACCOUNTING)
"""The parts of a book's state that the packages down to this one bring."""
INVARIANTS: tuple[Invariant, ...] = _TABULATOR_INVARIANTS
"""The invariants that they bring."""

__all__ = [
    "ACCOUNTING", "GROUPS", "INVARIANTS", "PACKET", "PROJECTIONS", "REPORTS", "CellKind", "Column", "ExceptionLine",
    "ExceptionRecord", "Period", "Report", "ReportRequest", "ReportRow", "RoomAccounting", "Scope", "Share", "look",
    "make_packet", "make_report", "period_of",
]  # fmt: skip
