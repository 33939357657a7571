"""In which locale is spoken: said at the beginning of each request, and of each look at the books for the stream."""

from __future__ import annotations

from collections.abc import Callable

from starlette.types import ASGIApp, Receive, Scope, Send

from pitboss.books import BookState
from pitboss.room.room import Room
from pitboss.server.views.formatting import speak
from pitboss.server.views.table_state import room_locale


class SpeakLocale:
    """Middleware of the plainest kind: what is written for a request is written as the room writes."""

    def __init__(self, app: ASGIApp, *, room: Room) -> None:
        self._app, self._room = app, room

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Say the locale, and go on."""
        if scope["type"] == "http":
            speak(room_locale(self._room.state))
        await self._app(scope, receive, send)


def spoken_state(room: Room) -> Callable[[], BookState]:
    """Give the state of the books, and have what is worked out from it written as the room writes."""

    def state() -> BookState:
        found = room.state
        speak(room_locale(found))
        return found

    return state
