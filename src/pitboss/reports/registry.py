"""Every report by its name; the groups and the agent's packet follow from what each report states of itself."""

from pitboss.books import RefusedError
from pitboss.reports.catalogue import accounting, equipment, filings, hits, meters, play, tax
from pitboss.reports.report import Report
from pitboss.reports.scope import Collector, Group, Scope, make_reports

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
    tax.Slips,
    tax.TaxForms,
    tax.Cheques,
    meters.Adjustments,
    equipment.Corrections,
    equipment.Voids,
    equipment.Malfunctions,
    equipment.Alarms,
    hits.Video,
    accounting.Exceptions,
    filings.ApprovalLetters,
    filings.Configurations,
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
