"""`/parts`: every part in all its states, for who changes one; routed only by `pitboss serve --parts`."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Request, Response

from pitboss.server.access.door import Caller, allow
from pitboss.server.access.roles import ANYONE
from pitboss.server.pages import render
from pitboss.server.performing import Sent, with_id
from pitboss.server.views.gallery import GALLERY_PARTS, gallery
from pitboss.server.vision_page import THEMES

__all__ = ["router"]

router = APIRouter(include_in_schema=False)


@router.get("/parts")
def parts(request: Request, _caller: Annotated[Caller, allow(ANYONE)], theme: str = "") -> Response:
    """Show the parts; they hold nothing of the room."""
    sent = Sent()
    given = {
        "given": gallery(),
        "parts": GALLERY_PARTS,
        "was": sent.was,
        "ticked": sent.ticked,
        "command": lambda: with_id("parts"),
        "theme": theme if theme in THEMES else THEMES[0],
        "themes": THEMES,
    }
    return render(request, "parts.html", given)
