"""The room's own server in this process, for browsers to look at."""

from __future__ import annotations

import socket
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import uvicorn
from jinja2 import Environment
from playwright.sync_api import Locator, Page

from pitboss.server.app import create_app
from pitboss.server.pages.layout import environment
from pitboss.server.settings import Listening
from tests.pages.room import CardRoom


def templates() -> Environment:
    return environment()


@contextmanager
def serving(room: CardRoom, port: int = 0, listening: Listening | None = None) -> Iterator[str]:
    """Serve a room on a free port, or on the one it had before; give its address."""
    door = socket.create_server(("127.0.0.1", port), reuse_port=sys.platform != "win32")
    app = create_app(room.room, listening)
    server = uvicorn.Server(uvicorn.Config(app, log_level="warning", timeout_graceful_shutdown=1))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [door]})
    thread.start()
    try:
        yield f"http://127.0.0.1:{door.getsockname()[1]}"
    finally:
        app.state.ending()
        server.should_exit = True
        thread.join(10)
        door.close()


def enter_cards(place: Page | Locator, *cards: str) -> None:
    """Tap each card of a hand: its rank, then its suit."""
    for card in cards:
        for name in card.split():
            place.get_by_role("button", name=name, exact=True).locator("visible=true").click()
