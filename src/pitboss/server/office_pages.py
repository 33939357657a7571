"""The back office: its areas, as one list of routes."""

from __future__ import annotations

from fastapi import APIRouter

from pitboss.server import (
    office_audit,
    office_configurations,
    office_desk,
    office_devices,
    office_forecast,
    office_jackpot_forms,
    office_jackpots,
    office_odds,
    office_people,
    office_reports,
    office_slides,
    office_start,
    office_table_edit,
    office_tables,
)

__all__ = ["router"]

router = APIRouter(include_in_schema=False)
# Configurations stand before the audit, and editing before what else is done: they have names of their own.
for area in (
    office_start,
    office_reports,
    office_configurations,
    office_audit,
    office_table_edit,
    office_tables,
    office_jackpot_forms,
    office_jackpots,
    office_odds,
    office_forecast,
    office_people,
    office_devices,
    office_desk,
    office_slides,
):
    router.routes.extend(area.router.routes)
