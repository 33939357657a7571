"""Every part of the state of a room's books and every invariant: whoever opens or audits them passes these."""

from typing import Any

from pitboss.books import Invariant, Projection
from pitboss.reports import INVARIANTS as REPORT_INVARIANTS
from pitboss.reports import PROJECTIONS as REPORT_PROJECTIONS
from pitboss.room import alarms, approvals, configurations, displays, disputes, hit_index, invariants, slides
from pitboss.room.dealing.entries import DEALING, DEALT_ROUNDS
from pitboss.room.people.people import PEOPLE

PAGE_PROJECTIONS: tuple[Projection[Any], ...] = (
    configurations.CONFIGURATIONS,
    slides.PROMOTIONS,
    displays.DISPLAYS,
    alarms.OWNERS,
    hit_index.HIT_INDEX,
    disputes.DISPUTES,
)
PROJECTIONS: tuple[Projection[Any], ...] = (
    *REPORT_PROJECTIONS,
    PEOPLE,
    approvals.APPROVALS,
    DEALING,
    DEALT_ROUNDS,
    *PAGE_PROJECTIONS,
)
INVARIANTS: tuple[Invariant, ...] = (*REPORT_INVARIANTS, *invariants.INVARIANTS)
