"""Every part of the state of a room's books; whoever opens or audits the books of a room that is served gives them."""

from __future__ import annotations

from typing import Any

from pitboss.books import Projection
from pitboss.jackpot import PROJECTIONS as JACKPOT_PROJECTIONS
from pitboss.server.access.people import PEOPLE
from pitboss.server.posting import POSTED
from pitboss.server.promotions import PROMOTIONS

__all__ = ["PROJECTIONS"]

PROJECTIONS: tuple[Projection[Any], ...] = (*JACKPOT_PROJECTIONS, PEOPLE, POSTED, PROMOTIONS)
