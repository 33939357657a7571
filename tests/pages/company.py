"""The page of a company in this process, over rooms that answer from a table."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import uvicorn

from pitboss.company.pages import create_company_app
from pitboss.company.password import Door
from pitboss.company.reading import Rooms, UnansweredError
from pitboss.company.settings import Company, RoomAddress
from pitboss.server.settings import Listening

DOWN = "South Room"


def answering(answers: dict[str, dict[str, Any]], now: int) -> Rooms:
    """Rooms that have all answered once; then one is down."""
    down: set[str] = set()

    def ask(room: RoomAddress) -> dict[str, Any]:
        if room.name in down:
            raise UnansweredError("its server cannot be reached: Connection refused")
        return answers[room.name]

    addresses = tuple(
        RoomAddress(name=name, url=f"https://{name.split()[0].lower()}.example", token_file=Path()) for name in answers
    )
    rooms = Rooms(Company(name="Three Rivers Gaming", rooms=addresses), clock=lambda: now, ask=ask)
    rooms.read_all()
    down.add(DOWN)
    rooms.read_all()
    return rooms


@contextmanager
def serving_company(rooms: Rooms) -> Iterator[str]:
    door = socket.create_server(("127.0.0.1", 0))
    app = create_company_app(rooms, Door(None), Listening())
    server = uvicorn.Server(uvicorn.Config(app, log_level="warning", timeout_graceful_shutdown=1))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [door]})
    thread.start()
    try:
        yield f"http://127.0.0.1:{door.getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join(10)
        rooms.close()
        door.close()
