"""The back office: its areas, as one list of routes."""

from __future__ import annotations

from fastapi import APIRouter

from pitboss.server.pages.office import (
    accounting,
    audit,
    configurations,
    devices,
    forecast,
    jackpot_form,
    jackpots,
    odds,
    people,
    reports,
    slides,
    start,
    table_form,
    tables,
)

__all__ = ["router"]

router = APIRouter(include_in_schema=False)
# Configurations stand before the audit, and editing before what else is done: they have names of their own.
for area in (
    start,
    reports,
    configurations,
    audit,
    table_form,
    tables,
    jackpot_form,
    jackpots,
    odds,
    forecast,
    people,
    devices,
    accounting,
    slides,
):
    router.routes.extend(area.router.routes)
