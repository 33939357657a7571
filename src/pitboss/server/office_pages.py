"""The back office: its areas, as one list of routes."""

from __future__ import annotations

from fastapi import APIRouter

from pitboss.server import (
    office_desk,
    office_devices,
    office_slides,
    office_start,
)

__all__ = ["router"]

router = APIRouter(include_in_schema=False)
# Configurations stand before the audit, and editing before what else is done: they have names of their own.
for area in (
    office_start,
    office_devices,
    office_desk,
    office_slides,
):
    router.routes.extend(area.router.routes)
