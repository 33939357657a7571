"""Sets the room's locale at the beginning of each request, and of each look at the books for the stream."""

from collections.abc import Callable

from starlette.types import ASGIApp, Receive, Scope, Send

from pitboss.books import BookState
from pitboss.room.room import Room
from pitboss.server.views.formatting import set_locale
from pitboss.server.views.table_state import room_locale


class LocaleMiddleware:
    """Middleware that formats the response to a request in the room's locale."""

    def __init__(self, app: ASGIApp, *, room: Room) -> None:
        self._app, self._room = app, room

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Set the locale, and go on."""
        if scope["type"] == "http":
            set_locale(room_locale(self._room.state))
        await self._app(scope, receive, send)


def localized_state(room: Room) -> Callable[[], BookState]:
    """Return a function that sets the room's locale and returns the state of its books."""

    def state() -> BookState:
        current = room.state
        set_locale(room_locale(current))
        return current

    return state
