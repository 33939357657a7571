"""The pages of a table: its display."""

from __future__ import annotations

import datetime
from http import HTTPStatus
from typing import Annotated

from fastapi import APIRouter, Request, Response
from fastapi.responses import HTMLResponse

from pitboss.books.entries import EPOCH
from pitboss.server.access.door import Caller, allow
from pitboss.server.access.pages import keep_enrolled
from pitboss.server.access.roles import ANYONE
from pitboss.server.declared import RoomOf
from pitboss.server.problems import ProblemError
from pitboss.server.views.table_state import table_state, tables_of
from pitboss.server.views.vision import vision_view
from pitboss.server.vision_page import vision_html

__all__ = ["router"]

router = APIRouter(include_in_schema=False)
ANYBODY = allow(ANYONE, awake=False)


@router.get("/tables/{table}/vision")
def vision(request: Request, table: str, caller: Annotated[Caller, ANYBODY], room: RoomOf, theme: str = "") -> Response:
    """TableVision: what players see at a table."""
    state = room.state
    if table not in tables_of(state):
        raise ProblemError(HTTPStatus.NOT_FOUND, [f"there is no table {table!r}"])
    found = table_state(state, table, EPOCH + datetime.timedelta(microseconds=room.clock()))
    beat = caller.csrf if "display" in caller.roles else ""
    page = vision_html(request.app.state.templates, vision_view(found), found.zone, theme, beat=beat)
    answer = HTMLResponse(page)
    keep_enrolled(request, answer)
    return answer
