"""The back office: its areas, as one list of routes."""

from fastapi import APIRouter

from pitboss.server.pages.office import (
    audit,
    devices,
    jackpot_form,
    jackpots,
    odds,
    people,
    reports,
    room,
    slides,
    table_form,
    tables,
)

__all__ = ["router"]

router = APIRouter(include_in_schema=False)
# Forms stand before the pages whose addresses end in any name.
for area in (room, reports, audit, table_form, tables, jackpot_form, odds, jackpots, people, devices, slides):
    router.routes.extend(area.router.routes)
