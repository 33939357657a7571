"""Rendering of pages: one environment of templates, which escapes everything, and menu and context of every page."""

import re
from collections.abc import Callable, Mapping
from functools import lru_cache, partial
from pathlib import Path
from typing import Any, NamedTuple

from fastapi import Request
from fastapi.responses import HTMLResponse
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from pitboss.books import BookState
from pitboss.cards import SUITS, card_words, parse_card
from pitboss.paper.cards import back_svg, card_svg, digit_strip_svg, suit_svg
from pitboss.paper.lettering import can_letter, lettering
from pitboss.room.people.access import Secrets
from pitboss.room.people.roles import ANYONE, PEOPLE_ROLES
from pitboss.room.room import Room
from pitboss.rules import full_words
from pitboss.server.views.formatting import cited, current_locale
from pitboss.server.views.office.room import start_view
from pitboss.server.views.shell import has_counted, home_of_roles, shell_view
from pitboss.server.views.viewer import Viewer

FIRST_DAY = "/office/start"
"""The path of the first day; it is shown until nothing of it is missing."""


class Place(NamedTuple):
    """A page of the menu: its path, title and icon."""

    path: str
    title: str
    icon: str


MENU: tuple[tuple[str, tuple[Place, ...]], ...] = (
    (
        "",
        (
            Place(FIRST_DAY, "Setup", "setup"),
            Place("/today", "Today", "today"),
            Place("/office/tomorrow", "Tomorrow", "tomorrow"),
        ),
    ),
    (
        "Floor",
        (
            Place("/floor", "Floor", "floor"),
            Place("/tables", "Consoles", "console"),
            Place("/floor/disputes", "Disputes", "disputes"),
            Place("/floor/displays", "Displays", "displays"),
            Place("/training", "Training", "training"),
            Place("/odds", "Odds", "odds"),
        ),
    ),
    (
        "Money",
        (
            Place("/office/jackpots", "Jackpots", "jackpots"),
            Place("/office/hits", "Jackpots paid", "paid"),
            Place("/office/count", "Count", "count"),
            Place("/office/reports", "Reports", "reports"),
        ),
    ),
    (
        "Setup",
        (
            Place("/office/tables", "Tables", "tables"),
            Place("/office/papers", "Papers", "papers"),
            Place("/office/slides", "Promotions", "promotions"),
            Place("/office/people", "People", "people"),
            Place("/office/devices", "Devices", "devices"),
            Place("/office/room", "Settings", "settings"),
        ),
    ),
    ("Audit", (Place("/office/audit", "Audit log", "audit"),)),
)
"""The pages of the staff by group, in the order of a day; one that has no route is not shown."""
PLACES = tuple(place for _, places in MENU for place in places)
_BAR_ORDER = (
    "/today", "/floor", "/tables", "/office/jackpots", "/office/hits", "/office/reports", "/office/audit",
    "/office/people", "/office/devices", "/office/room",
)  # fmt: skip
_BAR_ITEMS = 4


class NavLink(NamedTuple):
    """A link to a page, whether it is the one that is looked at or one under it, and its group and icon."""

    path: str
    title: str
    is_here: bool
    group: str = ""
    icon: str = ""


class Menu(NamedTuple):
    """The links of a person, by group; and those that a small screen has at its foot."""

    links: tuple[NavLink, ...] = ()

    @property
    def groups(self) -> tuple[tuple[str, tuple[NavLink, ...]], ...]:
        """The links by group, in their order."""
        names = dict.fromkeys(link.group for link in self.links)
        return tuple((name, tuple(link for link in self.links if link.group == name)) for name in names)

    @property
    def bar(self) -> tuple[NavLink, ...]:
        """The four links that people need most often."""
        by_path = {link.path: link for link in self.links}
        return tuple(by_path[path] for path in _BAR_ORDER if path in by_path)[:_BAR_ITEMS]


def links_for(allowed: Mapping[str, frozenset[str]], roles: frozenset[str], path: str) -> tuple[NavLink, ...]:
    """Return the links for these roles on a page, for nobody none; `allowed` has by page who may see it."""
    may = [
        (group, place)
        for group, places in MENU
        for place in places
        if roles and allowed.get(place.path, frozenset()) & (roles | {ANYONE})
    ]
    under = [place.path for _, place in may if path == place.path or path.startswith(f"{place.path}/")]
    here = max(under, key=len, default="")
    return tuple(NavLink(place.path, place.title, place.path == here, group, place.icon) for group, place in may)


def is_started(state: BookState, secrets: Callable[[], Secrets], at: int) -> bool:
    """True if the first day is over: a wager was counted, or no step is missing."""
    if has_counted(state):
        return True
    return start_view(state, secrets(), at).next is None


def navigation_of(allowed: Mapping[str, frozenset[str]], room: Room) -> Callable[[frozenset[str], str], Menu]:
    """Return how the menu for some roles on a page is computed; the first day goes when the room has it behind."""

    def menu(roles: frozenset[str], path: str) -> Menu:
        links = links_for(allowed, roles & set(PEOPLE_ROLES), path)
        leads = any(link.path == FIRST_DAY for link in links)
        ended = leads and is_started(room.state, room.secrets, room.clock())
        return Menu(tuple(link for link in links if not (ended and link.path == FIRST_DAY)))

    return menu


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
    templates.filters["full_words"] = full_words
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
