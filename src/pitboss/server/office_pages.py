"""The back office: its areas, as one list of routes."""

from __future__ import annotations

from fastapi import APIRouter

from pitboss.server import (
    office_audit,
    office_desk,
    office_jackpot_forms,
    office_jackpots,
    office_odds,
    office_people,
    office_reports,
)

__all__ = ["router"]

router = APIRouter(include_in_schema=False)
for area in (
    office_reports,
    office_audit,
    office_jackpot_forms,
    office_jackpots,
    office_odds,
    office_people,
    office_desk,
):
    router.routes.extend(area.router.routes)
