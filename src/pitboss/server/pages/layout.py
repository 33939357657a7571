"""Rendering of pages: one environment of templates, which escapes everything, and the context of every page."""

import re
from collections.abc import Mapping
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

from fastapi import Request
from fastapi.responses import HTMLResponse
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from pitboss.cards import SUITS, card_words, parse_card
from pitboss.paper.cards import back_svg, card_svg, digit_strip_svg, suit_svg
from pitboss.paper.lettering import can_letter, lettering
from pitboss.room.people.roles import PEOPLE_ROLES
from pitboss.server.pages.navigation import Menu
from pitboss.server.views.formatting import cited, current_locale
from pitboss.server.views.shell import home_of_roles, shell_view
from pitboss.server.views.viewer import Viewer

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
        suit={suit: Markup(suit_svg(suit)) for suit in SUITS},  # noqa: S704 - four shapes
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
    templates.globals.update(current_locale=current_locale, cited=cited)
    # A page that is rendered for a display or a picture has nobody who looks.
    templates.globals.update(menu=Menu(), demo=(), session_seconds=0, caller=None, home="/", room="", path="", csrf="")
    templates.filters["sentence"] = lambda text: cited(text)[0]
    return add_drawings(templates)


def compile_pages(templates: Environment) -> None:
    """Compile every template, which is otherwise done when it is first laid out."""
    for name in templates.list_templates(extensions=["html"]):
        templates.get_template(name)


def render(request: Request, name: str, context: Mapping[str, Any] | None = None, *, status: int = 200) -> HTMLResponse:
    """Render a page; each has the room, the caller, the menu they may follow, and the CSRF token of their forms."""
    page = request.app.state.templates.get_template(name).render({**_always(request), **(context or {})})
    return HTMLResponse(page, status)


def _always(request: Request) -> dict[str, Any]:
    """Return what every page has; what stands around it is computed where a template asks for it."""
    room, caller = request.app.state.room, request.app.state.caller_of(request)
    person = None if caller is None else caller.person
    viewer = Viewer() if person is None else Viewer(caller.name, caller.roles)
    return {
        "room": room.name,
        "path": request.url.path,
        "caller": caller,
        "csrf": "" if caller is None else caller.csrf,
        "menu": Menu() if person is None else request.app.state.navigation(caller.roles, request.url.path),
        "shell": partial(shell_view, room.state, viewer, room.clock()),
        "home": "/" if person is None else home_of_roles(room.state, caller.name, caller.roles),
        "session_seconds": 0 if person is None else room.access.sessions.seconds_left(caller.session),
        "demo": demo_roles(request) if request.app.state.is_demo else (),
    }


def demo_roles(request: Request) -> tuple[tuple[str, str], ...]:
    """Return by role the address at which a demo has a session of its own: a host of this computer for each role."""
    port = "" if request.url.port is None else f":{request.url.port}"
    return tuple((role, f"{request.url.scheme}://{role}.localhost{port}/demo/{role}") for role in PEOPLE_ROLES)
