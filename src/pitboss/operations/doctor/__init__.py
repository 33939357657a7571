"""The doctor: every check in one table, run over a room's data directory, where it is served, and the computer."""

from pitboss.operations.doctor import computer, directory, network, room, store
from pitboss.operations.doctor.context import DoctorContext, DoctorFinding, DoctorReport, run_checks

__all__ = ["CHECKS", "DoctorContext", "DoctorFinding", "DoctorReport", "examine"]

CHECKS = (*directory.CHECKS, *store.CHECKS, *network.CHECKS, *computer.CHECKS, *room.CHECKS)
"""Everything the doctor looks at, in the order in which it is best put right."""


def examine(context: DoctorContext) -> DoctorReport:
    """Look at a room, its service and its computer; nothing is changed."""
    return run_checks(CHECKS, context)
