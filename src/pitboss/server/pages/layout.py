"""Rendering of pages: one environment of templates, which escapes everything, and the context of every page.

In it are the links to the pages of the staff: each is shown to those who may follow it, as its route declares.
"""

import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from fastapi import Request
from fastapi.responses import HTMLResponse
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from pitboss.books import LEDGER, BookState
from pitboss.cards import SUITS, card_words, parse_card
from pitboss.paper.cards import back_svg, card_svg, digit_strip_svg, suit_svg
from pitboss.paper.lettering import can_letter, lettering
from pitboss.room.people.access import Secrets
from pitboss.room.people.roles import ANYONE, PEOPLE_ROLES
from pitboss.room.room import Room
from pitboss.server.views.formatting import current_locale
from pitboss.server.views.office.room import start_view

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
    templates.globals["current_locale"] = current_locale
    return add_drawings(templates)


def compile_pages(templates: Environment) -> None:
    """Compile every template, which is otherwise done when it is first laid out."""
    for name in templates.list_templates(extensions=["html"]):
        templates.get_template(name)


def render(request: Request, name: str, context: Mapping[str, Any] | None = None, *, status: int = 200) -> HTMLResponse:
    """Render a page; each has the room, the caller, the links they may follow, and the CSRF token of their forms."""
    room = request.app.state.room
    caller, navigation = getattr(request.state, "caller", None), request.app.state.navigation
    always = {
        "room": room.name,
        "path": request.url.path,
        "caller": caller,
        "csrf": "" if caller is None else caller.csrf,
        "links": [] if caller is None or caller.person is None else navigation(caller.roles, request.url.path),
    }
    page = request.app.state.templates.get_template(name).render({**always, **(context or {})})
    return HTMLResponse(page, status)


FIRST_DAY = "/office/start"
"""The path of the first day; it is shown until nothing of it is missing."""
PLACES = (
    (FIRST_DAY, "First day"),
    ("/floor", "Floor"),
    ("/floor/disputes", "Disputes"),
    ("/floor/displays", "Displays"),
    ("/office/hits", "Hits and money"),
    ("/office/count", "Count"),
    ("/office/tables", "Tables"),
    ("/office/jackpots", "Jackpots"),
    ("/office/slides", "Slides"),
    ("/office/reports", "Reports"),
    ("/office/audit", "Audit"),
    ("/office/people", "People"),
    ("/office/devices", "Devices"),
    ("/office/room", "Room"),
)
"""The pages of the staff in the order of a day; one that has no route is not shown."""


class NavLink(NamedTuple):
    """A link to a page, and whether it is the one that is looked at, or one under it."""

    path: str
    title: str
    is_here: bool


def links_for(allowed: Mapping[str, frozenset[str]], roles: frozenset[str], path: str) -> tuple[NavLink, ...]:
    """Return the links for these roles on a page; `allowed` has by page who may see it."""
    may = [(place, title) for place, title in PLACES if allowed.get(place, frozenset()) & (roles | {ANYONE})]
    under = [place for place, _ in may if path == place or path.startswith(f"{place}/")]
    here = max(under, key=len, default="")
    return tuple(NavLink(place, title, place == here) for place, title in may)


def is_started(state: BookState, secrets: Callable[[], Secrets], at: int) -> bool:
    """True if the first day is over: a wager was counted, or no step is missing."""
    if any(accounts.counts["wagers_counted"] for accounts in state.of(LEDGER).values()):
        return True
    return start_view(state, secrets(), at).next is None


def navigation_of(allowed: Mapping[str, frozenset[str]], room: Room) -> Callable[[frozenset[str], str], list[NavLink]]:
    """Return how the links for some roles on a page are computed; the first day goes when the room has it behind."""

    def links(roles: frozenset[str], path: str) -> list[NavLink]:
        links = links_for(allowed, roles & set(PEOPLE_ROLES), path)
        leads = any(link.path == FIRST_DAY for link in links)
        ended = leads and is_started(room.state, room.secrets, room.clock())
        return [link for link in links if not (ended and link.path == FIRST_DAY)]

    return links
