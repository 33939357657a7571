"""The back office: its areas, as one list of routes."""

from __future__ import annotations

from fastapi import APIRouter

from pitboss.server import (
    office_audit,
    office_desk,
    office_devices,
    office_jackpot_forms,
    office_jackpots,
    office_odds,
    office_people,
    office_reports,
    office_start,
)

__all__ = ["router"]

router = APIRouter(include_in_schema=False)
AREAS = (
    office_start,
    office_reports,
    office_audit,
    office_jackpot_forms,
    office_jackpots,
    office_odds,
    office_people,
    office_devices,
    office_desk,
)
for area in AREAS:
    router.routes.extend(area.router.routes)
