"""The link to the path of the first day: among the others until nothing of it is missing, then gone."""

from __future__ import annotations

from collections.abc import Callable

from pitboss.server.access.door import Caller
from pitboss.server.navigation import FIRST_DAY, NavLink
from pitboss.server.room import Room
from pitboss.server.views.start import is_started

__all__ = ["until_started"]

Links = Callable[[Caller | None, str], tuple[NavLink, ...]]


def until_started(links: Links, room: Room) -> Links:
    """Give the links of a caller without that of the first day where it is behind the room."""

    def found(caller: Caller | None, path: str) -> tuple[NavLink, ...]:
        all_of_them = links(caller, path)
        leads = any(each.path == FIRST_DAY for each in all_of_them)
        if not leads or not is_started(room.state, room.secrets):
            return all_of_them
        return tuple(each for each in all_of_them if each.path != FIRST_DAY)

    return found
