"""Every part of the state of a room's books; whoever opens or audits the books of a room that is served gives them."""

from __future__ import annotations

from typing import Any

from pitboss.books import Projection
from pitboss.reports import PROJECTIONS as REPORT_PROJECTIONS
from pitboss.server import posting_rules as _posting_rules
from pitboss.server.access.people import PEOPLE
from pitboss.server.approval_entries import APPROVALS
from pitboss.server.dealing.entries import DEALING
from pitboss.server.dealing.rounds import DEALT_ROUNDS
from pitboss.server.page_projections import PAGE_PROJECTIONS

__all__ = ["PROJECTIONS"]

_SERVED: tuple[Projection[Any], ...] = (PEOPLE, APPROVALS, DEALING, DEALT_ROUNDS)
PROJECTIONS: tuple[Projection[Any], ...] = (*REPORT_PROJECTIONS, *_SERVED, *PAGE_PROJECTIONS)
assert _posting_rules is not None
