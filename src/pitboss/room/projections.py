"""Every part of the state of a room's books; whoever opens or audits the books of a room that is served gives them."""

from __future__ import annotations

from typing import Any

from pitboss.books import Projection
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
assert invariants.INVARIANTS, "whoever knows the projections asks the invariants"
