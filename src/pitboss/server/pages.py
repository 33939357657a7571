"""Laying out pages: one environment of templates, which escapes everything, and what every page is given."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from fastapi import Request
from fastapi.responses import HTMLResponse
from jinja2 import Environment, FileSystemLoader, StrictUndefined

from pitboss.server.drawing import add_drawings
from pitboss.server.views.speaking import spoken

__all__ = ["FOLDER", "STATIC", "compile_pages", "environment", "render"]

FOLDER = Path(__file__).parent
STATIC = FOLDER / "static"


def environment() -> Environment:
    """The environment of all templates: `templates/`, and the macros in `parts/`."""
    made = Environment(
        loader=FileSystemLoader([FOLDER / "templates", FOLDER]),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.globals["spoken"] = spoken
    return add_drawings(made)


def compile_pages(made: Environment) -> None:
    """Compile every template, which is otherwise done when it is first laid out."""
    for name in made.list_templates(extensions=["html"]):
        made.get_template(name)


def render(request: Request, name: str, given: Mapping[str, Any] | None = None, *, status: int = 200) -> HTMLResponse:
    """Lay a page out; every page knows the room, who looks, the links he may follow, and his forms' token."""
    room = request.app.state.room
    caller = getattr(request.state, "caller", None)
    always = {
        "room": room.name,
        "path": request.url.path,
        "caller": caller,
        "csrf": "" if caller is None else caller.csrf,
        "links": request.app.state.navigation(caller, request.url.path),
    }
    page = request.app.state.templates.get_template(name).render({**always, **(given or {})})
    return HTMLResponse(page, status)
