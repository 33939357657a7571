"""`/parts`: every part in all its states, for who changes one; routed only by `pitboss serve --parts`."""

from typing import Annotated

from fastapi import APIRouter, Request, Response

from pitboss.room.people.roles import ANYONE
from pitboss.server.auth import Caller, allow
from pitboss.server.pages.forms import SubmittedForm, with_id
from pitboss.server.pages.layout import render
from pitboss.server.pages.vision import THEMES
from pitboss.server.views.gallery import GALLERY_PARTS, gallery

router = APIRouter(include_in_schema=False)


@router.get("/parts")
def parts(request: Request, _caller: Annotated[Caller, allow(ANYONE)], theme: str = "") -> Response:
    """Show the parts; they hold nothing of the room."""
    sent = SubmittedForm()
    context = {
        "given": gallery(),
        "parts": GALLERY_PARTS,
        "typed": sent.value,
        "checked": sent.checked,
        "command": lambda: with_id("parts"),
        "theme": theme if theme in THEMES else THEMES[0],
        "themes": THEMES,
    }
    return render(request, "gallery.html", context)
