"""The typeface of all pages, served from the package that carries it under its open licence."""

from http import HTTPStatus
from importlib.resources import files

from fastapi import APIRouter, Response

from pitboss.room.people.roles import ANYONE
from pitboss.server.auth import allow
from pitboss.server.problems import ProblemError

FONT_PACKAGE = "font_source_sans_pro"
FONTS = frozenset(f"SourceSansPro-{face}" for face in ("Regular", "Semibold", "Bold", "Black", "It"))
"""The faces that style sheets name; no other file of the package is served."""
_CACHED = "public, max-age=31536000, immutable"

router = APIRouter(include_in_schema=False)


@router.get("/fonts/{name}.ttf", dependencies=[allow(ANYONE, awake=False)])
def font_file(name: str) -> Response:
    """Serve a face; browsers keep it, since a file under a name never changes."""
    if name not in FONTS:
        raise ProblemError(HTTPStatus.NOT_FOUND, ["There is no such font."])
    content = files(FONT_PACKAGE).joinpath("files", f"{name}.ttf").read_bytes()
    return Response(content, media_type="font/ttf", headers={"cache-control": _CACHED})
