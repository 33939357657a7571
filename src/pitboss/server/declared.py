"""What routes are given, and the check that each declares for whom it is."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any

from fastapi import Depends, FastAPI, Request
from fastapi.dependencies.models import Dependant
from fastapi.routing import APIRoute
from starlette.routing import Mount

from pitboss.server.access.door import Allowed
from pitboss.server.room import Room

__all__ = ["RoomOf", "UndeclaredRouteError", "allowed_of", "check_declared", "routes_of"]

_OPEN_MOUNTS = frozenset({"static", "parts"})
"""Folders of style sheets, scripts and pictures, which hold nothing of the room."""


class UndeclaredRouteError(RuntimeError):
    """A route that does not say for whom it is: such a server does not start."""


def _room_of(request: Request) -> Room:
    found: Room = request.app.state.room
    return found


RoomOf = Annotated[Room, Depends(_room_of)]


def routes_of(app: FastAPI) -> Iterator[APIRoute]:
    """Every route, without the folders of files."""
    for route in app.routes:
        if isinstance(route, APIRoute):
            yield route


def allowed_of(route: APIRoute) -> Allowed | None:
    """Find the declaration of a route."""
    return next((call for call in _calls(route.dependant) if isinstance(call, Allowed)), None)


def _calls(dependant: Dependant) -> Iterator[Any]:
    for each in dependant.dependencies:
        yield each.call
        yield from _calls(each)


def check_declared(app: FastAPI) -> None:
    """Refuse an app with a route that declares no role, or a kind of route that cannot declare one."""
    wrong = []
    for route in app.routes:
        if isinstance(route, APIRoute):
            if allowed_of(route) is None:
                wrong.append(f"{'/'.join(sorted(route.methods or ()))} {route.path}")
        elif not (isinstance(route, Mount) and route.name in _OPEN_MOUNTS):
            wrong.append(str(getattr(route, "path", route)))
    if wrong:
        raise UndeclaredRouteError(f"no role is declared for: {', '.join(wrong)}")
