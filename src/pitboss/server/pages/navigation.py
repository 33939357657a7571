"""Links to the pages of the staff: each is shown to those who may follow it, as its route declares."""

from collections.abc import Callable, Iterable
from typing import NamedTuple

from fastapi.routing import APIRoute

from pitboss.room.people.roles import ANYONE, PEOPLE_ROLES
from pitboss.room.room import Room
from pitboss.server.auth import Caller, allowed_of
from pitboss.server.views.office.room import is_started

FIRST_DAY = "/office/start"
"""The path of the first day; it is shown until nothing of it is missing."""
PLACES = (
    (FIRST_DAY, "First day"),
    ("/floor", "Floor"),
    ("/floor/disputes", "Disputes"),
    ("/floor/displays", "Displays"),
    ("/office/hits", "Hits and money"),
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


def links_for(allowed: dict[str, frozenset[str]], roles: frozenset[str], path: str) -> tuple[NavLink, ...]:
    """Return the links for these roles on a page; `allowed` has by page who may see it."""
    may = [(place, title) for place, title in PLACES if allowed.get(place, frozenset()) & (roles | {ANYONE})]
    under = [place for place, _ in may if path == place or path.startswith(f"{place}/")]
    here = max(under, key=len, default="")
    return tuple(NavLink(place, title, place == here) for place, title in may)


def navigation_of(routes: Iterable[object]) -> Callable[[Caller | None, str], tuple[NavLink, ...]]:
    """Return how the links of a caller on a page are computed, from the roles that the routes declare."""
    allowed = {}
    for route in routes:
        if isinstance(route, APIRoute) and "GET" in (route.methods or ()):
            declaration = allowed_of(route)
            allowed[route.path] = frozenset() if declaration is None else declaration.roles

    def links(caller: Caller | None, path: str) -> tuple[NavLink, ...]:
        if caller is None or caller.person is None:
            return ()
        return links_for(allowed, caller.roles & set(PEOPLE_ROLES), path)

    return links


Links = Callable[[Caller | None, str], tuple[NavLink, ...]]


def until_started(links: Links, room: Room) -> Links:
    """Return the links of a caller, without the first day where the room has it behind."""

    def links_now(caller: Caller | None, path: str) -> tuple[NavLink, ...]:
        all_of_them = links(caller, path)
        leads = any(link.path == FIRST_DAY for link in all_of_them)
        if not leads or not is_started(room.state, room.secrets):
            return all_of_them
        return tuple(link for link in all_of_them if link.path != FIRST_DAY)

    return links_now
