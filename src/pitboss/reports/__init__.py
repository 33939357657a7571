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

from pitboss.books import Invariant, Projection, RefusedError
from pitboss.reports.catalogue import accounting, equipment, filings, hits, meters, play
from pitboss.reports.report import CellKind, Column, ExceptionLine, Period, Report, ReportRow, period_of
from pitboss.reports.scope import Collector, Group, ReportRequest, Scope, look, make_reports
from pitboss.reports.state import ACCOUNTING, ExceptionRecord, RoomAccounting, Share
from pitboss.tabulator import INVARIANTS as _TABULATOR_INVARIANTS
from pitboss.tabulator import PROJECTIONS as _TABULATOR

PROJECTIONS: tuple[Projection[Any], ...] = (*_TABULATOR, ACCOUNTING)
"""The parts of a book's state that the packages down to this one bring."""
INVARIANTS: tuple[Invariant, ...] = _TABULATOR_INVARIANTS
"""The invariants that they bring."""

_ALL: tuple[type[Collector], ...] = (
    meters.Meters,
    meters.Accrual,
    meters.EscrowStatement,
    play.WagersBySeat,
    play.WagersByTable,
    play.WagersByHour,
    play.WagersByShift,
    play.Participation,
    play.RoundsPerHour,
    accounting.Takings,
    equipment.CounterReadings,
    hits.HitList,
    hits.ExpectedHits,
    hits.LastHits,
    accounting.Slips,
    accounting.TaxForms,
    accounting.Cheques,
    meters.Adjustments,
    equipment.Corrections,
    equipment.Voids,
    equipment.Malfunctions,
    equipment.Alarms,
    equipment.TableLog,
    hits.Video,
    accounting.Exceptions,
    filings.ApprovalLetters,
    filings.Configurations,
    filings.PaperPostings,
    filings.GamblingPromotions,
    filings.AccessList,
    filings.ChainVerified,
)
REPORTS: dict[str, type[Collector]] = {report.name: report for report in _ALL}
GROUPS: dict[Group, tuple[type[Collector], ...]] = {
    group: tuple(report for report in sorted(_ALL, key=lambda report: report.group_place) if report.group is group)
    for group in Group
}
PACKET: tuple[type[Collector], ...] = tuple(
    sorted((report for report in _ALL if report.packet_place), key=lambda report: report.packet_place)
)
"""What an agent of the commission gets of a period, made of one reading."""


def make_report(scope: Scope, name: str) -> Report:
    """Make one report by its name."""
    if name not in REPORTS:
        raise RefusedError([f"there is no report {name!r}; there are: {', '.join(REPORTS)}"])
    return make_reports(scope, [REPORTS[name]])[0]


def make_packet(scope: Scope) -> list[Report]:
    """Make the agent's packet of a period."""
    return make_reports(scope, PACKET)


__all__ = [
    "ACCOUNTING", "GROUPS", "INVARIANTS", "PACKET", "PROJECTIONS", "REPORTS", "CellKind", "Column", "ExceptionLine",
    "ExceptionRecord", "Period", "Report", "ReportRequest", "ReportRow", "RoomAccounting", "Scope", "Share", "look",
    "make_packet", "make_report", "period_of",
]  # fmt: skip
