"""The menu of the staff: each page is shown to those who may follow its link, as its route declares."""

from collections.abc import Callable, Mapping
from typing import NamedTuple

from pitboss.books import BookState
from pitboss.room.people.access import Secrets
from pitboss.room.people.roles import ANYONE, PEOPLE_ROLES
from pitboss.room.room import Room
from pitboss.server.views.office.room import start_view
from pitboss.server.views.shell import has_counted

FIRST_DAY = "/office/start"
"""The path of the first day; it is shown until nothing of it is missing."""


class Place(NamedTuple):
    """A page of the menu: its path, title and icon."""

    path: str
    title: str
    icon: str


MENU: tuple[tuple[str, tuple[Place, ...]], ...] = (
    ("", (Place(FIRST_DAY, "Setup", "setup"), Place("/today", "Today", "today"))),
    (
        "Floor",
        (
            Place("/floor", "Floor", "floor"),
            Place("/tables", "Consoles", "console"),
            Place("/floor/disputes", "Disputes", "disputes"),
            Place("/floor/displays", "Displays", "displays"),
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
    """Return the links for these roles on a page; `allowed` has by page who may see it."""
    may = [
        (group, place)
        for group, places in MENU
        for place in places
        if allowed.get(place.path, frozenset()) & (roles | {ANYONE})
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
