"""Every report by its name, and the agent's packet: the reports an agent of the commission asks for, in order."""

from __future__ import annotations

from collections.abc import Iterable

from pitboss.books import RefusedError
from pitboss.reports.catalogue.corrections import Adjustments, Corrections, Voids
from pitboss.reports.catalogue.equipment import Alarms, CounterReadings, Malfunctions
from pitboss.reports.catalogue.escrow import Accrual, EscrowStatement
from pitboss.reports.catalogue.exceptions import Exceptions
from pitboss.reports.catalogue.filings import Approvals, ChainVerified, Configurations
from pitboss.reports.catalogue.hits import Chances, HitList, LastHits
from pitboss.reports.catalogue.meters import Meters
from pitboss.reports.catalogue.play import Participation, RoundsPerHour
from pitboss.reports.catalogue.takings import Takings
from pitboss.reports.catalogue.tax import Cheques, Slips, TaxForms
from pitboss.reports.catalogue.video import Video
from pitboss.reports.catalogue.wagers import WagersByHour, WagersBySeat, WagersByShift, WagersByTable
from pitboss.reports.collector import Collector, collected
from pitboss.reports.report import Report
from pitboss.reports.scope import Scope

_ALL: tuple[type[Collector], ...] = (
    Meters,
    Accrual,
    EscrowStatement,
    WagersBySeat,
    WagersByTable,
    WagersByHour,
    WagersByShift,
    Participation,
    RoundsPerHour,
    Takings,
    CounterReadings,
    HitList,
    Chances,
    LastHits,
    Slips,
    TaxForms,
    Cheques,
    Adjustments,
    Corrections,
    Voids,
    Malfunctions,
    Alarms,
    Video,
    Exceptions,
    Approvals,
    Configurations,
    ChainVerified,
)
REPORTS: dict[str, type[Collector]] = {each.name: each for each in _ALL}

PACKET: tuple[type[Collector], ...] = (
    Approvals,
    Configurations,
    Meters,
    CounterReadings,
    HitList,
    Adjustments,
    Corrections,
    Voids,
    Malfunctions,
    Exceptions,
    ChainVerified,
)
"""What an agent gets of a period, made of one reading."""


def make_report(scope: Scope, name: str) -> Report:
    """Make one report by its name."""
    if name not in REPORTS:
        raise RefusedError([f"there is no report {name!r}; there are: {', '.join(REPORTS)}"])
    return collected(scope, [REPORTS[name]])[0]


def make_packet(scope: Scope, makers: Iterable[type[Collector]] = PACKET) -> list[Report]:
    """Make the agent's packet of a period."""
    return collected(scope, tuple(makers))
