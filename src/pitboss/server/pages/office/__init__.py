"""The back office: its areas, as one list of routes."""

from fastapi import APIRouter

from pitboss.server.pages.office import audit, count, jackpots, papers, people, reports, room, tables, tomorrow

__all__ = ["router"]

router = APIRouter(include_in_schema=False)
# Forms stand before the pages whose addresses end in any name.
for area in (room, count, reports, papers, tomorrow, audit, tables, jackpots, people):
    router.routes.extend(area.router.routes)
