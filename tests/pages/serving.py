"""A small server for the pages alone: real books, templates and assets, and a stream as the room's server has it."""

from __future__ import annotations

import asyncio
import datetime
import json
import socket
import sys
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from pathlib import Path

import uvicorn
from fastapi import FastAPI
from fastapi.responses import HTMLResponse, StreamingResponse
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from starlette.staticfiles import StaticFiles

from pitboss.server.drawing import add_drawings
from pitboss.server.views.table_state import TableState, table_state
from pitboss.server.views.vision import live_of, vision_view
from pitboss.server.vision_page import vision_html
from tests.pages.room import CardRoom

FOLDER = Path(__file__).parents[2] / "src" / "pitboss" / "server"
POLICY = (
    "default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self' data:; object-src 'none'; "
    "base-uri 'none'; form-action 'self'; frame-ancestors 'self'"
)


def templates() -> Environment:
    loader = FileSystemLoader([FOLDER / "templates", FOLDER])
    return add_drawings(Environment(loader=loader, autoescape=True, undefined=StrictUndefined, trim_blocks=True))


def seen(room: CardRoom, table: str) -> TableState:
    now = datetime.datetime.now(datetime.UTC)
    return table_state(room.books.state("room"), table, now)


def make_app(room: CardRoom, ended: threading.Event) -> FastAPI:
    app, environment = FastAPI(), templates()

    @app.get("/healthz")
    def healthz() -> str:
        return "ok"

    for folder in ("static", "parts"):
        app.mount(f"/{folder}", StaticFiles(directory=FOLDER / folder))

    @app.get("/tables/{table}/vision")
    def vision(table: str, theme: str = "emerald") -> HTMLResponse:
        state = seen(room, table)
        page = vision_html(environment, vision_view(state), state.zone, theme)
        return HTMLResponse(page, headers={"content-security-policy": POLICY})

    @app.get("/api/v1/stream")
    def stream(topics: str, after: int = 0) -> StreamingResponse:
        return StreamingResponse(_events(room, topics, after, ended), media_type="text/event-stream")

    return app


async def _events(room: CardRoom, topics: str, after: int, ended: threading.Event) -> AsyncIterator[str]:
    yield ": here\n\n"
    while not ended.is_set():
        sequence = room.books.state("room").sequence
        if sequence > after:
            after = sequence
            for topic in topics.split(","):
                data = json.dumps(live_of(vision_view(seen(room, topic.partition(":")[2]))))
                yield f"id: {sequence}\nevent: {topic}\ndata: {data}\n\n"
        await asyncio.sleep(0.05)


@contextmanager
def serving(room: CardRoom, port: int = 0) -> Iterator[str]:
    """Serve a room on a free port, or on the one it had before; give its address."""
    listening = socket.create_server(("127.0.0.1", port), reuse_port=sys.platform != "win32")
    ended = threading.Event()
    config = uvicorn.Config(make_app(room, ended), log_level="warning", lifespan="off", timeout_graceful_shutdown=1)
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
    thread.start()
    try:
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"
    finally:
        ended.set()
        server.should_exit = True
        thread.join(10)
        listening.close()
