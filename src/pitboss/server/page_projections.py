"""The parts of a book's state that the pages bring: posts, slides, displays, owners of alarms, hits, disputes."""

from __future__ import annotations

from typing import Any

from pitboss.books import Projection
from pitboss.server.alarm_owners import OWNERS
from pitboss.server.displays import DISPLAYS
from pitboss.server.disputes import DISPUTES
from pitboss.server.hit_log import HIT_LOG
from pitboss.server.posting import POSTED
from pitboss.server.promotions import PROMOTIONS

__all__ = ["PAGE_PROJECTIONS"]

PAGE_PROJECTIONS: tuple[Projection[Any], ...] = (POSTED, PROMOTIONS, DISPLAYS, OWNERS, HIT_LOG, DISPUTES)
