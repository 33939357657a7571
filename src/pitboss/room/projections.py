"""Every part of the state of a room's books and every invariant: whoever opens or audits them passes these."""

from __future__ import annotations

from typing import Any

from pitboss.books import Invariant, Projection
from pitboss.reports import INVARIANTS as REPORT_INVARIANTS
from pitboss.reports import PROJECTIONS as REPORT_PROJECTIONS
from pitboss.room.agreement import INVARIANTS as AGREEMENT_INVARIANTS
from pitboss.room.alarms import OWNERS
from pitboss.room.approvals import APPROVALS
from pitboss.room.configurations import POSTED
from pitboss.room.dealing.entries import DEALING
from pitboss.room.dealing.entries import INVARIANTS as DEALING_INVARIANTS
from pitboss.room.dealing.rounds import DEALT_ROUNDS
from pitboss.room.displays import DISPLAYS
from pitboss.room.disputes import DISPUTES
from pitboss.room.hit_index import HIT_LOG
from pitboss.room.people.people import PEOPLE
from pitboss.room.posting import INVARIANTS as POSTING_INVARIANTS
from pitboss.room.slides import PROMOTIONS

PAGE_PROJECTIONS: tuple[Projection[Any], ...] = (POSTED, PROMOTIONS, DISPLAYS, OWNERS, HIT_LOG, DISPUTES)


_SERVED: tuple[Projection[Any], ...] = (PEOPLE, APPROVALS, DEALING, DEALT_ROUNDS)
PROJECTIONS: tuple[Projection[Any], ...] = (*REPORT_PROJECTIONS, *_SERVED, *PAGE_PROJECTIONS)
INVARIANTS: tuple[Invariant, ...] = (
    *REPORT_INVARIANTS,
    *AGREEMENT_INVARIANTS,
    *DEALING_INVARIANTS,
    *POSTING_INVARIANTS,
)
