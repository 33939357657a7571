"""Every part of the state of a room's books; whoever opens or audits the books of a room that is served gives them."""

from __future__ import annotations

from typing import Any

from pitboss.books import Projection
from pitboss.reports import PROJECTIONS as REPORT_PROJECTIONS
from pitboss.room import invariants as _invariants
from pitboss.room.alarms import OWNERS
from pitboss.room.approvals import APPROVALS
from pitboss.room.configurations import CONFIGURATIONS
from pitboss.room.dealing.entries import DEALING, DEALT_ROUNDS
from pitboss.room.displays import DISPLAYS
from pitboss.room.disputes import DISPUTES
from pitboss.room.hit_index import HIT_INDEX
from pitboss.room.people.people import PEOPLE
from pitboss.room.slides import PROMOTIONS

PAGE_PROJECTIONS: tuple[Projection[Any], ...] = (CONFIGURATIONS, PROMOTIONS, DISPLAYS, OWNERS, HIT_INDEX, DISPUTES)


_SERVED: tuple[Projection[Any], ...] = (PEOPLE, APPROVALS, DEALING, DEALT_ROUNDS)
PROJECTIONS: tuple[Projection[Any], ...] = (*REPORT_PROJECTIONS, *_SERVED, *PAGE_PROJECTIONS)
assert _invariants is not None
