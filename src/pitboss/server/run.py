"""Runs the server: uvicorn on a socket; at a signal first the streams end, then requests, then the books close."""

import asyncio
import contextlib
import errno
import gc
import logging
import math
import os
import resource
import signal
import socket
import subprocess
import sys
import webbrowser
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import uvicorn
from fastapi import FastAPI
from pydantic import BaseModel, ConfigDict
from uvicorn.protocols.http.h11_impl import H11Protocol, h11  # type: ignore[attr-defined]

from pitboss import installation
from pitboss.books import RefusedError, StoreError
from pitboss.room.people.passwords import network_of
from pitboss.room.people.vault import SessionLimits
from pitboss.room.room import Room
from pitboss.server.app import create_app
from pitboss.server.settings import (
    Listening,
    announce,
    key_warnings,
    listening_problems,
    make_private,
    withdraw_announcement,
)


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


def settled() -> None:
    """Enable the garbage collector, and exclude what start-up has made."""
    gc.freeze()
    gc.enable()


_HEADERS_SECONDS, _BODY_SECONDS, _UNREAD_SECONDS, _IDLE_SECONDS, _HANDSHAKE_SECONDS = 10, 30, 30, 75, 5
_STRANGERS_MAX, _STRANGERS_PER_ADDRESS, _CONNECTIONS_MAX, _FILES_KEPT = 1_500, 64, 6_000, 300
_PER_CALLER, _HANDSHAKES_MAX = 64, 750
_GRACE_SECONDS = 1
_ACCEPTED_AT_ONCE, _BACKLOG, _LOG_SECONDS = 64, 1_024, 60
_NOT_A_PROXY = b"HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"
_log = logging.getLogger(__name__)
_peers_log = logging.getLogger("uvicorn.error.peers")
_peers_log.setLevel(logging.ERROR)
"""What peers send that is no HTTP is no news: a flood of it would fill the log."""


class Connections:
    """The open connections: those of strangers have few places, so that devices, displays and staff always have some.

    A stranger who comes when their places are taken takes that of the oldest: first of one who has asked for nothing.
    A device, display or person has places of its own, too, and takes its own oldest beyond them: one whose token was
    stolen keeps nobody else out. Who has not finished the handshake of TLS has no address yet: of those there are only
    so many, and no more are taken until some have finished or their seconds are over.
    """

    def __init__(self, listening: Listening) -> None:
        files = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
        self._most = min(_CONNECTIONS_MAX, max(files - _FILES_KEPT, files // 2))
        self._strangers_max = min(_STRANGERS_MAX, self._most // 2)
        self._proxies = frozenset(map(network_of, listening.proxies)) if listening.behind_proxy else None
        self._silent: dict[Connection, None] = {}
        self._asking: dict[Connection, None] = {}
        self._by_network: Counter[str] = Counter()
        self.known: set[Connection] = set()
        self._by_caller: dict[str, dict[Connection, None]] = {}
        self._shaking: dict[Connection, None] = {}

    @property
    def strangers(self) -> int:
        """How many connections of strangers are open."""
        return len(self._silent) + len(self._asking)

    def begin(self, connection: "Connection") -> None:
        """Note a connection that is being made; raise where too many are."""
        while self._shaking and next(iter(self._shaking)).since < connection.since - _HANDSHAKE_SECONDS:
            # Its time is over, and asyncio has closed it.
            del self._shaking[next(iter(self._shaking))]
        if len(self._shaking) >= _HANDSHAKES_MAX:
            raise ConnectionRefusedError(errno.ECONNREFUSED, "too many have begun and not finished")
        self._shaking[connection] = None

    def begun(self, connection: "Connection") -> None:
        """Note that a connection is made."""
        self._shaking.pop(connection, None)

    def may_talk(self, network: str) -> bool:
        """True unless there is a proxy in front and this is another one; this computer's terminal asks directly."""
        return self._proxies is None or network in self._proxies or network in ("127.0.0.1", "::1")

    def add(self, connection: "Connection") -> None:
        """Give a place to a connection, of which nobody knows yet whose it is."""
        network = connection.network
        self._silent[connection] = None
        self._by_network[network] += 1
        is_proxy = self._proxies is not None and network in self._proxies
        if self.strangers > self._strangers_max or self.strangers + len(self.known) > self._most:
            self._end_oldest(None, math.inf)
        elif not is_proxy and self._by_network[network] > _STRANGERS_PER_ADDRESS:
            # Who has just come may be about to say who they are.
            self._end_oldest(network, connection.loop.time() - _GRACE_SECONDS)

    def _end_oldest(self, network: str | None, before: float) -> None:
        groups = (self._silent, self._asking)
        mine = (next((each for each in group if network in (None, each.network)), None) for group in groups)
        oldest = next((each for each in mine if each is not None and each.since < before), None)
        if oldest is not None:
            self.forget(oldest)
            oldest.cut()

    def note(self, connection: "Connection", *, is_asking: bool) -> None:
        """Note whether a stranger has asked for something that is being answered."""
        source, target = (self._silent, self._asking) if is_asking else (self._asking, self._silent)
        if connection in source:
            del source[connection]
            target[connection] = None

    def recognize(self, connection: "Connection", caller: str) -> None:
        """Give a connection a place among those of devices, displays and staff, and of this one of them."""
        if connection in self._silent or connection in self._asking:
            self.forget(connection)
            self.known.add(connection)
            connection.caller = caller
            mine = self._by_caller.setdefault(caller, {})
            mine[connection] = None
            if len(mine) > _PER_CALLER:
                oldest = next(iter(mine))
                self.forget(oldest)
                oldest.cut()

    def forget(self, connection: "Connection") -> None:
        """Free the place of a connection."""
        if connection in self.known:
            self.known.remove(connection)
            mine = self._by_caller[connection.caller]
            del mine[connection]
            if not mine:
                del self._by_caller[connection.caller]
        if connection in self._silent or connection in self._asking:
            self._silent.pop(connection, None)
            self._asking.pop(connection, None)
            self._by_network[connection.network] -= 1
            if not self._by_network[connection.network]:
                del self._by_network[connection.network]


class Connection(H11Protocol):
    """A connection that is closed where a request, its body or the reading of an answer takes too long."""

    registry: Connections

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self.app_state = {**self.app_state, "connection": self}
        self.timeout_keep_alive = _IDLE_SECONDS
        self.logger = _peers_log
        self.network, self.caller, self.is_known, self.since = "unknown", "", False, self.loop.time()
        self.registry.begin(self)
        self._phase: object = None
        self._timer: asyncio.TimerHandle | None = None
        self._unread: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Take a place; a peer that is no proxy where there is one gets no answer."""
        super().connection_made(transport)
        self.registry.begun(self)
        self.network = network_of(self.client[0]) if self.client else "unknown"
        if not self.registry.may_talk(self.network):
            transport.write(_NOT_A_PROXY)
            transport.close()
            return
        self.registry.add(self)
        self._watch()

    def connection_lost(self, exc: Exception | None) -> None:
        """Free the place."""
        self.registry.forget(self)
        for timer in (self._timer, self._unread):
            if timer is not None:
                timer.cancel()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Read what was sent, unless this has no place any more."""
        if self.transport.is_closing():
            return
        super().data_received(data)
        self._watch()

    def on_response_complete(self) -> None:
        """Wait for the next request."""
        super().on_response_complete()
        self._watch()

    def recognize(self, caller: str) -> None:
        """Note that a device, a display or somebody of the staff asks here."""
        if not self.is_known:
            self.is_known = True
            self.registry.recognize(self, caller)

    def _watch(self) -> None:
        """Start the clock of what the peer has to do next, or stop it where the server has to do something."""
        if self.transport.is_closing():
            return
        phase = self.conn.their_state
        is_asking = self.conn.our_state not in (h11.IDLE, h11.DONE)
        self.registry.note(self, is_asking=is_asking)
        if phase is self._phase and self._timer is not None:
            return
        self._phase = phase
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if phase is h11.IDLE:
            self._timer = self.loop.call_later(_IDLE_SECONDS if self.is_known else _HEADERS_SECONDS, self.cut)
        elif phase is h11.SEND_BODY:
            self._timer = self.loop.call_later(_BODY_SECONDS, self.cut)

    def pause_writing(self) -> None:
        """Give a peer that reads too slowly some time."""
        super().pause_writing()
        self._unread = self._unread or self.loop.call_later(_UNREAD_SECONDS, self.cut)

    def resume_writing(self) -> None:
        """Go on: the peer has read."""
        super().resume_writing()
        if self._unread is not None:
            self._unread.cancel()
            self._unread = None

    def cut(self) -> None:
        """Close at once, whatever is still to be sent."""
        self.transport.abort()


def _open_more_files() -> None:
    """Let this process open as many files as the system gives it: each connection is one."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = _CONNECTIONS_MAX + _FILES_KEPT
    if soft != resource.RLIM_INFINITY and soft < wanted:
        most = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        with contextlib.suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, most), hard))


class _Quiet:
    """The loop's handler of errors: that no file can be opened is logged once a minute, and not for each peer."""

    def __init__(self) -> None:
        self._last = -float(_LOG_SECONDS)

    def __call__(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        """Log an error of the loop."""
        error = context.get("exception")
        if isinstance(error, OSError) and error.errno in (errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM):
            if loop.time() - self._last >= _LOG_SECONDS:
                self._last = loop.time()
                _log.error("no more connections can be opened now: %s", error.strerror)
            return
        loop.default_exception_handler(context)


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

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Listen, and say so."""
        self._loop = loop = asyncio.get_running_loop()
        loop.set_exception_handler(_Quiet())
        if self.config.is_ssl:
            loop.create_server = partial(loop.create_server, ssl_handshake_timeout=_HANDSHAKE_SECONDS)  # type: ignore[method-assign]
        await super().startup(sockets)
        if self.started:
            for listener in (each for server in self.servers for each in server.sockets):
                # The loop takes few at once, so that nothing waits for long; many may wait in the system.
                with socket.socket(fileno=os.dup(listener.fileno())) as same:
                    same.listen(_BACKLOG)
            self._ready(self.servers[0].sockets[0].getsockname()[1])

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End the streams, which would never end by themselves, then everything else."""
        self._app.state.ending()
        await super().shutdown(sockets)

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
        log_level="warning",
        access_log=False,
        loop="asyncio",
        http=type("ListeningConnection", (Connection,), {"registry": registry}),
        backlog=_ACCEPTED_AT_ONCE,
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
        last = process.stderr.strip().rpartition("\n")[2]
        raise StoreError(f"no room could be made in {path}: {last}")


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
    for warning in key_warnings(listening):
        tell(warning)
    with Room(path, limits=limits) as room:
        # What is wrong with the signs is told before anybody relies on them.
        _ = room.signs
        _open_more_files()
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
            Serving(_config(app, listening), app, served).run()
        finally:
            withdraw_announcement(path)
    tell(f"Stopped. The room is saved in {path}.")


def _tell_where(room: Room, listening: Listening, address: str, tell: Tell) -> None:
    where = f"{listening.public}, from {address}" if listening.public else address
    tell(f"{room.name or f'A new room in {room.path}'} is running at {where}")
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
