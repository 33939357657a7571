"""Every report by its name, and the agent's packet: the reports an agent of the commission asks for, in order."""

from __future__ import annotations

from collections.abc import Iterable

from pitboss.books import RefusedError
from pitboss.reports.accrual import Accrual
from pitboss.reports.adjustments import Adjustments
from pitboss.reports.bank import EscrowStatement
from pitboss.reports.collecting import Collector, collected
from pitboss.reports.corrections import Corrections, Voids
from pitboss.reports.exceptions import Exceptions
from pitboss.reports.hits import Chances, HitList, LastHits
from pitboss.reports.machines import Alarms, CounterReadings, Malfunctions
from pitboss.reports.meters import Meters
from pitboss.reports.papers import Approvals, ChainVerified, Configurations
from pitboss.reports.play import Participation, RoundsPerHour
from pitboss.reports.scope import Scope
from pitboss.reports.slips import Slips
from pitboss.reports.takings import Takings
from pitboss.reports.tax import Cheques, TaxForms
from pitboss.reports.values import Report
from pitboss.reports.video import Video
from pitboss.reports.wagers import WagersByHour, WagersBySeat, WagersByShift, WagersByTable

__all__ = ["PACKET", "REPORTS", "make_packet", "make_report"]

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
