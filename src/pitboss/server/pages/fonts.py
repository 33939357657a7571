"""What every page draws with: the typeface, from the package that carries it under its open license, and the icon."""

from http import HTTPStatus
from importlib.resources import files

from fastapi import APIRouter, Response

from pitboss.room.people.roles import ANYONE
from pitboss.server.auth import allow
from pitboss.server.pages.layout import STATIC
from pitboss.server.problems import ProblemError

FONT_PACKAGE = "font_source_sans_pro"
ICON = "icon.svg"
FONTS = frozenset(f"SourceSansPro-{face}" for face in ("Regular", "Semibold", "Bold", "Black", "It"))
"""The faces that style sheets name; no other file of the package is served."""
_CACHED = "public, max-age=31536000, immutable"
_KEPT_A_DAY = "public, max-age=86400"

router = APIRouter(include_in_schema=False)


@router.get("/fonts/{name}.ttf", dependencies=[allow(ANYONE, awake=False)])
def font_file(name: str) -> Response:
    """Serve a face; browsers keep it, since a file under a name never changes."""
    if name not in FONTS:
        raise ProblemError(HTTPStatus.NOT_FOUND, ["There is no such font."])
    content = files(FONT_PACKAGE).joinpath("files", f"{name}.ttf").read_bytes()
    return Response(content, media_type="font/ttf", headers={"cache-control": _CACHED})


@router.get("/favicon.ico", dependencies=[allow(ANYONE, awake=False)])
def icon() -> Response:
    """Serve the icon where a browser asks by itself: a figure or a file that it shows names none."""
    return Response((STATIC / ICON).read_bytes(), media_type="image/svg+xml", headers={"cache-control": _KEPT_A_DAY})
