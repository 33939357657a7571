"""Rendering of pages: one environment of templates, which escapes everything, and the context of every page."""

import re
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

from fastapi import Request
from fastapi.responses import HTMLResponse
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from pitboss.cards import card_words, parse_card
from pitboss.paper.cards import back_svg, card_svg, digit_strip_svg, suit_svg
from pitboss.paper.lettering import can_letter, lettering
from pitboss.server.views.formatting import current_locale

_BODY = re.compile(r"<svg[^>]*>(.*)</svg>", re.DOTALL)


@lru_cache(maxsize=512)
def drawn(text: str, pen: int = 11, spacing: int = 14) -> Markup:
    """Draw a text that is said elsewhere."""
    return Markup(lettering(text, pen=pen, spacing=spacing))  # noqa: S704 - made by us of our own strokes


def lettered(text: str, pen: int = 11, spacing: int = 14) -> Markup:
    """Write a text in our own lettering, with the text itself for who has it read aloud; else in a font."""
    if not can_letter(text):
        return Markup('<span class="unlettered">{}</span>').format(text)
    words = Markup('<span class="visually-hidden">{}</span>').format(text)
    return Markup('<span class="lettered">{}{}</span>').format(words, drawn(text, pen, spacing))


@lru_cache(maxsize=64)
def _card_face(text: str) -> Markup:
    return Markup(card_svg(parse_card(text)))  # noqa: S704 - made by us of a card


def _reel_body() -> Markup:
    match = _BODY.search(digit_strip_svg())
    assert match is not None
    return Markup(match[1])  # noqa: S704 - made by us of our own strokes


def add_drawings(environment: Environment) -> Environment:
    """Add the drawings to the globals of templates."""
    environment.globals.update(
        lettered=lettered,
        drawn=drawn,
        suit=lambda suit: Markup(suit_svg(suit)),  # noqa: S704 - one of four shapes
        card_face=_card_face,
        card_words=lambda text: card_words(parse_card(text)),
        card_back_face=lambda: Markup(back_svg()),  # noqa: S704 - one drawing
        reel_body=_reel_body(),
    )
    return environment


FOLDER = Path(__file__).parents[1]
STATIC = FOLDER / "static"


def environment() -> Environment:
    """The environment of all templates: `templates/`, and the macros in `parts/`."""
    templates = Environment(
        loader=FileSystemLoader([FOLDER / "templates", FOLDER]),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    templates.globals["current_locale"] = current_locale
    return add_drawings(templates)


def compile_pages(templates: Environment) -> None:
    """Compile every template, which is otherwise done when it is first laid out."""
    for name in templates.list_templates(extensions=["html"]):
        templates.get_template(name)


def render(request: Request, name: str, context: Mapping[str, Any] | None = None, *, status: int = 200) -> HTMLResponse:
    """Render a page; each has the room, the caller, the links they may follow, and the CSRF token of their forms."""
    room = request.app.state.room
    caller = getattr(request.state, "caller", None)
    always = {
        "room": room.name,
        "path": request.url.path,
        "caller": caller,
        "csrf": "" if caller is None else caller.csrf,
        "links": request.app.state.navigation(caller, request.url.path),
    }
    page = request.app.state.templates.get_template(name).render({**always, **(context or {})})
    return HTMLResponse(page, status)
