"""Runs the server: uvicorn on a socket; at a signal first the streams end, then requests, then the books close."""

import asyncio
import contextlib
import gc
import resource
import signal
import socket
import subprocess
import sys
import webbrowser
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import uvicorn
from fastapi import FastAPI
from pydantic import BaseModel, ConfigDict
from uvicorn.config import LOGGING_CONFIG

from pitboss import installation
from pitboss.books import RefusedError, StoreError
from pitboss.room.people.vault import SessionLimits
from pitboss.room.room import Room
from pitboss.server.app import create_app
from pitboss.server.connections import BACKLOG, CONNECTIONS_MAX, FILES_KEPT, Connection, Connections, Listener, Quiet
from pitboss.server.logs import log_as
from pitboss.server.service import keep_watchdog, notify, refuse_new_code
from pitboss.server.settings import (
    Listening,
    announce,
    key_warnings,
    listening_problems,
    make_private,
    withdraw_announcement,
)
from pitboss.tabulator.devices.broker import parse_broker


def load_web() -> None:
    """Load FastAPI; its models of OpenAPI documents are built when the first document is asked for."""
    before = BaseModel.model_config
    BaseModel.model_config = ConfigDict(defer_build=True)
    try:
        import fastapi.openapi.models  # noqa: F401, PLC0415
    finally:
        BaseModel.model_config = before


@contextmanager
def without_collecting() -> Iterator[None]:
    """Disable the garbage collector at start-up: nearly everything stays, and collecting takes a tenth of the time."""
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


_YOUNG_MAX = 10_000


def settled() -> None:
    """Enable the garbage collector, and exclude what start-up has made."""
    gc.freeze()
    # A press makes thousands of values that end with it: fewer, longer looks at them take less of its time.
    gc.set_threshold(_YOUNG_MAX)
    gc.enable()


def _open_more_files() -> None:
    """Raise the limit of open files to what the system allows: each connection is one."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = CONNECTIONS_MAX + FILES_KEPT
    if soft != resource.RLIM_INFINITY and soft < wanted:
        most = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        with contextlib.suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, most), hard))


_SECONDS_TO_END = 10
_SIGNALS = (signal.SIGINT, signal.SIGTERM)
Tell = Callable[[str], None]
Ready = Callable[[Room, str], object]
"""Called with the room and its address when it is served; what it returns is for the demo's own page."""


class Serving(uvicorn.Server):
    """A server that reports when it is ready and ends its streams before it waits for its requests."""

    def __init__(self, config: uvicorn.Config, app: FastAPI, ready: Callable[[int], None]) -> None:
        super().__init__(config)
        self._app, self._ready = app, ready
        self._loop: asyncio.AbstractEventLoop | None = None
        self._listeners: list[Listener] = []
        self._watchdog: asyncio.Task[None] | None = None

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Listen, and say so."""
        self._loop = loop = asyncio.get_running_loop()
        loop.set_exception_handler(Quiet())
        await super().startup(sockets)
        if self.started:
            config = self.config
            kind: Callable[..., Any] = config.http_protocol_class
            make = partial(kind, config=config, server_state=self.server_state, app_state=self.lifespan.state)
            registry, numbers = self._app.state.connections, [each.fileno() for each in self.servers[0].sockets]
            self._listeners = [Listener(number, registry, make, config.ssl) for number in numbers]
            self._ready(self.servers[0].sockets[0].getsockname()[1])
            notify("READY=1")
            self._watchdog = loop.create_task(keep_watchdog(lambda: bool(self._app.state.room.books.is_alive)))

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End the streams, which would never end by themselves, then everything else."""
        notify("STOPPING=1")
        self._app.state.ending()
        for listener in self._listeners:
            listener.close()
        await super().shutdown(sockets)
        if self._watchdog is not None:
            self._watchdog.cancel()

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Handle the signals that end a process: `run` returns instead of dying of them."""
        before = {number: signal.signal(number, self.handle_exit) for number in _SIGNALS}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)


def _config(app: FastAPI, listening: Listening) -> uvicorn.Config:
    registry = app.state.connections = Connections(listening)
    return uvicorn.Config(
        app,
        host=listening.host,
        port=listening.port,
        ssl_certfile=None if listening.certificate is None else str(listening.certificate),
        ssl_keyfile=None if listening.key is None else str(listening.key),
        proxy_headers=listening.behind_proxy,
        forwarded_allow_ips=list(listening.proxies),
        server_header=False,
        log_config=LOGGING_CONFIG if listening.log == "text" else None,
        log_level="warning",
        access_log=False,
        loop="asyncio",
        http=type("ListeningConnection", (Connection,), {"registry": registry}),
        backlog=BACKLOG,
        ws="none",
        lifespan="on",
        timeout_graceful_shutdown=_SECONDS_TO_END,
    )


def _port_problems(listening: Listening) -> list[str]:
    """Return why the port cannot be listened on, before the room is opened."""
    try:
        family, kind, number, _, address = socket.getaddrinfo(
            listening.host, listening.port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        with socket.socket(family, kind, number) as tried:
            tried.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            tried.bind(address)
    except OSError as error:
        cause = error.strerror or str(error)
        return [f"port {listening.port} of {listening.host}: {cause}; --port names another, --port 0 takes a free one"]
    return []


_CREATE = (
    "import pathlib, sys; from pitboss.books.store.migrate import create_store as make; make(pathlib.Path(sys.argv[1]))"
)


def _create_store(path: Path) -> None:
    """Create the empty books of a new room by another process: a server loads no Alembic."""
    arguments = [sys.executable, "-c", _CREATE, str(path)]
    process = subprocess.run(arguments, capture_output=True, text=True, check=False)  # noqa: S603 - our own program
    if process.returncode:
        # The last line of a traceback: the name of the error, and its words.
        words = process.stderr.strip().rpartition("\n")[2].partition(": ")[2]
        raise StoreError(f"no room could be made in {path}: {words}")


def serve(
    path: Path,
    listening: Listening,
    tell: Tell,
    ready: Ready | None = None,
    limits: SessionLimits | None = None,
) -> None:
    """Serve a room until somebody ends it; `ready` is called with its address in place of telling where it is."""
    problems = listening_problems(listening) or _port_problems(listening)
    if problems:
        raise RefusedError(problems)
    if not path.exists() or (path.is_dir() and not any(path.iterdir())):
        _create_store(path)
    make_private(path)
    log_as(listening.log)
    for warning in key_warnings(listening):
        tell(warning)
    with Room(path, limits=limits, stands_by=True) as room:
        # What is wrong with the signs is told before anybody relies on them.
        _ = room.signs
        _open_more_files()
        refuse_new_code()
        room.take_software(installation.examine())
        app = create_app(room, listening)

        def served(port: int) -> None:
            settled()
            address = listening.address(port)
            announce(path, address, listening.certificate)
            if ready is None or room.books.is_halted:
                _tell_where(room, listening, address, tell)
            else:
                app.state.demo_pin = ready(room, address)
            if listening.open:
                webbrowser.open(f"{address}/demo" if listening.demo else address)

        try:
            with _devices_by_mqtt(room, listening):
                Serving(_config(app, listening), app, served).run()
        finally:
            withdraw_announcement(path)
    tell(f"Stopped. The room is saved in {path}.")


def _devices_by_mqtt(room: Room, listening: Listening) -> contextlib.AbstractContextManager[None]:
    """Receive the messages of a broker's devices too, where there is one."""
    if not listening.mqtt or listening.mqtt_password is None:
        return contextlib.nullcontext()
    from pitboss.server.mqtt import bridged  # noqa: PLC0415 - its dependency is an extra

    return bridged(room, parse_broker(listening.mqtt), listening.mqtt_password)


def _tell_where(room: Room, listening: Listening, address: str, tell: Tell) -> None:
    where = f"{listening.public}, from {address}" if listening.public else address
    tell(f"{room.name or f'A new room in {room.path}'} is running at {where}")
    if room.books.stands_by:
        tell("It stands by: another server of the room leads. It takes over when that one ends or does not answer.")
        return
    if room.books.read_only:
        tell(f"Nothing is written: {room.books.read_only}")
        return
    if room.books.halted:
        tell("the books are damaged: no money moves until two people decide (pitboss books decide, G-29)")
        return
    if room.books.clock_jump:
        text = f"nothing is saved: {room.books.clock_jump}. Set the clock right"
        tell(f"{text}, stop the server, and let two people decide (pitboss books decide, G-77)")
        return
    code = room.access.first_link()
    if code is not None:
        tell(f"Set the administrator password (one-time link): {listening.link(address, f'/links/{code}')}")
    going_on = "Press Ctrl-C to stop; the next start picks up where you left off."
    tell(f"Data: {room.path}. {going_on} Pitboss {installation.examine().text}.")
