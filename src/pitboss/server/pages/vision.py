"""TableVision as HTML: a view and a theme in, a whole page out."""

from http import HTTPStatus
from typing import Annotated
from zoneinfo import ZoneInfo

from fastapi import APIRouter, Request, Response
from fastapi.responses import HTMLResponse
from jinja2 import Environment

from pitboss.room.people.roles import ANYONE
from pitboss.server.auth import Caller, CurrentRoom, allow
from pitboss.server.pages.sign_in import keep_enrolled
from pitboss.server.problems import ProblemError
from pitboss.server.views.formatting import time_of
from pitboss.server.views.table_state import table_state, tables_of
from pitboss.server.views.vision import VisionView, live_of, vision_view

THEMES = ("emerald", "midnight")
VISION_PARTS = ("odometer", "paytable", "slides", "win", "promotion", "limits", "notices", "age")


def vision_topic(table: str) -> str:
    """The topic whose states `live_of` makes."""
    return f"vision:{table}"


def vision_html(
    templates: Environment, view: VisionView, zone: ZoneInfo, theme: str = THEMES[0], *, beat: str = ""
) -> str:
    """Render the display of a table; `beat` is the token with which a display of the room reports what it shows."""
    return templates.get_template("vision.html").render(
        view=view,
        live=live_of(view),
        topics=vision_topic(view.table),
        zone=zone.key,
        theme=theme if theme in THEMES else THEMES[0],
        parts=VISION_PARTS,
        beat=beat,
    )


router = APIRouter(include_in_schema=False)
ANYBODY = allow(ANYONE, awake=False)


@router.get("/tables/{table}/vision")
def vision(
    request: Request, table: str, caller: Annotated[Caller, ANYBODY], room: CurrentRoom, theme: str = ""
) -> Response:
    """TableVision: what players see at a table."""
    state = room.state
    if table not in tables_of(state):
        raise ProblemError(HTTPStatus.NOT_FOUND, [f"there is no table {table!r}"])
    seen = table_state(state, table, time_of(room.clock()))
    beat = caller.csrf if "display" in caller.roles else ""
    page = vision_html(request.app.state.templates, vision_view(seen), seen.zone, theme, beat=beat)
    answer = HTMLResponse(page)
    keep_enrolled(request, answer)
    return answer
