"""Who is connected: places and patience for strangers are few, so that devices, displays and staff are always answered.

What a stranger costs is decided before anything is made for them: when a connection is taken from the system, by how
many their address has had of late. One too many is closed at once, without an answer.
"""

import asyncio
import errno
import ipaddress
import logging
import math
import os
import resource
import socket
import ssl
import struct
from collections import Counter
from collections.abc import Callable
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol, h11  # type: ignore[attr-defined]

from pitboss.room.people.passwords import network_of
from pitboss.server.settings import Listening

_HEADERS_SECONDS, _BODY_SECONDS, _UNREAD_SECONDS, _IDLE_SECONDS, _HANDSHAKE_SECONDS = 10, 30, 30, 75, 5
_STRANGERS_MAX, _STRANGERS_PER_ADDRESS, CONNECTIONS_MAX, FILES_KEPT = 1_500, 64, 6_000, 300
_PER_CALLER, _HANDSHAKES_MAX = 64, 750
_GRACE_SECONDS = 5
_CONNECTS_AT_ONCE, _CONNECTS_A_SECOND = 256, 16
"""After a restart of the server two hundred displays may come at once by one address, and nobody is known yet."""
_REQUESTS_AT_ONCE, _REQUESTS_A_SECOND = 100, 20
_ACCEPTED_AT_ONCE, _REFUSED_AT_ONCE, BACKLOG, _LOG_SECONDS = 8, 64, 1_024, 60
_ADDRESSES_MAX, _KNOWN_SECONDS = 4_096, 24 * 60 * 60
_NOT_A_PROXY = b"HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"
_log = logging.getLogger(__name__)
_peers_log = logging.getLogger(f"{__name__}.peers")
_peers_log.setLevel(logging.ERROR)
"""What peers send that is no HTTP is counted and not told one by one: a flood of it would fill the log.

It is no child of uvicorn's loggers, whose levels uvicorn sets anew when it starts.
"""
_RESET = struct.pack("ii", 1, 0)


class Allowance:
    """How much an address may have: so much at once, and so much a second; all strangers together four times that.

    An address from which somebody of ours has come has twice as much at once and a second, beside the strangers'.
    """

    def __init__(self, at_once: int, a_second: float) -> None:
        self._at_once, self._a_second = at_once, a_second
        self._left: dict[str, tuple[float, float]] = {}

    def take(self, network: str, now: float, *, is_ours: bool) -> bool:
        """Take one allowance, if there is any."""
        if is_ours:
            return self._take(f"{network} ours", now, 2)
        return self._take(network, now, 1) and self._take("", now, 4)

    def _take(self, key: str, now: float, times: int) -> bool:
        most = self._at_once * times
        left, since = self._left.get(key, (most, now))
        left = min(most, left + (now - since) * self._a_second * times)
        if key not in self._left and len(self._left) >= _ADDRESSES_MAX:
            self._forget(now - self._at_once / self._a_second)
        self._left[key] = (left - (left >= 1), now)
        return left >= 1

    def _forget(self, before: float) -> None:
        """Forget addresses that have all again; where too many have not, what all together have is the limit."""
        rest = {key: value for key, value in self._left.items() if value[1] > before}
        self._left = rest if len(rest) < _ADDRESSES_MAX else {key: rest[key] for key in rest.keys() & {""}}


class StrangersLog:
    """Counts what strangers do, and tells it in one line a minute, by where they are."""

    def __init__(self) -> None:
        self._counts: Counter[tuple[str, str]] = Counter()
        self._since: float | None = None

    def add(self, what: str, network: str, now: float) -> None:
        """Count something; what was counted before is told when its minute is over."""
        if self._since is None:
            self._since = now - _LOG_SECONDS
        self._counts[what, _whereabouts(network)] += 1
        if now - self._since >= _LOG_SECONDS:
            parts = [f"{number:,} {each} from {where}" for (each, where), number in sorted(self._counts.items())]
            _log.warning("from strangers: %s", "; ".join(parts))
            self._counts.clear()
            self._since = now


def _whereabouts(network: str) -> str:
    """Return the kind of an address, and not the address: a log of a flood has few lines, and few kinds."""
    try:
        number = ipaddress.ip_network(network)
    except ValueError:
        return "an unknown address"
    if number.is_loopback:
        return "this computer"
    return "this network" if number.is_private else "elsewhere"


class Connections:
    """The open connections: those of strangers have few places, so that devices, displays and staff always have some.

    A stranger who comes when their places are taken takes that of the oldest: first of one who has asked for nothing.
    A device, display or person has places of its own, too, and takes its own oldest beyond them: one whose token was
    stolen keeps nobody else out. Who has not finished the handshake of TLS has no address yet: of those there are only
    so many, and no more are taken until some have finished or their seconds are over.
    """

    def __init__(self, listening: Listening) -> None:
        files = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
        self._most = min(CONNECTIONS_MAX, max(files - FILES_KEPT, files // 2))
        self._strangers_max = min(_STRANGERS_MAX, self._most // 2)
        self._proxies = frozenset(map(network_of, listening.proxies)) if listening.behind_proxy else None
        self._silent: dict[Connection, None] = {}
        self._asking: dict[Connection, None] = {}
        self._by_network: Counter[str] = Counter()
        self.known: set[Connection] = set()
        self._by_caller: dict[str, dict[Connection, None]] = {}
        self._shaking: dict[Connection, None] = {}
        self._ours: dict[str, float] = {}
        self._connecting = Allowance(_CONNECTS_AT_ONCE, _CONNECTS_A_SECOND)
        self._requests = Allowance(_REQUESTS_AT_ONCE, _REQUESTS_A_SECOND)
        self.strangers_log = StrangersLog()

    def is_ours(self, network: str, now: float) -> bool:
        """True if a device, a display or somebody of the staff has come from an address today."""
        return self._ours.get(network, -math.inf) > now - _KNOWN_SECONDS

    def is_proxy(self, network: str) -> bool:
        """True if an address is that of a proxy, which asks for many."""
        return self._proxies is not None and network in self._proxies

    def may_connect(self, network: str, now: float) -> bool:
        """Take one of the connections that an address may open; a proxy opens as many as it needs."""
        if self.is_proxy(network):
            return True
        return self._connecting.take(network, now, is_ours=self.is_ours(network, now))

    def may_ask(self, network: str, now: float) -> bool:
        """Take one of the requests that strangers of an address may send."""
        if self._requests.take(network, now, is_ours=self.is_ours(network, now)):
            return True
        self.strangers_log.add("requests refused", network, now)
        return False

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
        """Assign a place to a connection whose caller is not known yet."""
        network = connection.network
        self._silent[connection] = None
        self._by_network[network] += 1
        if self.strangers > self._strangers_max or self.strangers + len(self.known) > self._most:
            self._end_oldest(None, math.inf)
        elif not self.is_proxy(network) and self._by_network[network] > _STRANGERS_PER_ADDRESS:
            # Who has just come may be about to say who they are: many of ours may come at once from one address.
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
        """Move a connection to the places of devices, displays and staff, and to those of this caller."""
        if connection in self._silent or connection in self._asking:
            self.forget(connection)
            self.known.add(connection)
            if connection.network not in self._ours and len(self._ours) >= _ADDRESSES_MAX:
                del self._ours[min(self._ours, key=self._ours.__getitem__)]
            self._ours[connection.network] = connection.loop.time()
            connection.caller = caller
            mine = self._by_caller.setdefault(caller, {})
            mine[connection] = None
            if len(mine) > _PER_CALLER and not self.is_proxy(connection.network):
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
        """Wait for a peer that reads too slowly."""
        super().pause_writing()
        self._unread = self._unread or self.loop.call_later(_UNREAD_SECONDS, self.cut)

    def resume_writing(self) -> None:
        """Continue: the peer has read."""
        super().resume_writing()
        if self._unread is not None:
            self._unread.cancel()
            self._unread = None

    def cut(self) -> None:
        """Close at once, whatever is still to be sent."""
        self.transport.abort()

    @property
    def is_known_alone(self) -> bool:
        """True if somebody of ours asks here, and nobody else does: by a proxy's connection strangers ask as well."""
        return self.is_known and not self.registry.is_proxy(self.network)

    def may_ask(self, client: tuple[str, int] | None) -> bool:
        """True unless strangers of this address, as a proxy states it, have sent too many requests of late."""
        network = self.network if client is None else network_of(client[0])
        return self.registry.may_ask(network, self.loop.time())

    def send_400_response(self, msg: str) -> None:
        """Refuse what is no HTTP, and count it."""
        self.registry.strangers_log.add("requests that are no HTTP", self.network, self.loop.time())
        super().send_400_response(msg)

    @property
    def is_free(self) -> bool:
        """True if events can be written now: a stream is open, and what was written before is on its way."""
        is_open = self.conn.our_state is h11.SEND_BODY and not self.transport.is_closing()
        return is_open and not self.flow.write_paused and self.scope["http_version"] == "1.1"

    def write_event(self, chunk: bytes) -> None:
        """Write a part of a stream that is open, framed as HTTP/1.1 frames what has no length."""
        self.transport.write(b"%x\r\n%b\r\n" % (len(chunk), chunk))


class Listener:
    """Takes connections from the system: few at once, so that nothing waits for long, and none too many of an address.

    One too many is closed with a reset, which costs the server nothing more.
    """

    def __init__(
        self, number: int, registry: Connections, make: Callable[[], Connection], context: ssl.SSLContext | None
    ) -> None:
        self._number, self._registry, self._make, self._context = number, registry, make, context
        self._socket = socket.socket(fileno=os.dup(number))
        self._loop = asyncio.get_running_loop()
        self._tasks: set[asyncio.Task[None]] = set()
        # In place of the loop's own reader of this socket, which takes whoever comes.
        self._loop.add_reader(number, self._accept)

    def close(self) -> None:
        """Stop accepting connections."""
        self._socket.close()

    def _accept(self) -> None:
        taken = 0
        for _ in range(_REFUSED_AT_ONCE):
            try:
                peer, address = self._socket.accept()
            except (BlockingIOError, InterruptedError, ConnectionAbortedError):
                return
            except OSError as error:
                self._rest(error)
                return
            taken += self._take(peer, network_of(address[0]))
            if taken >= _ACCEPTED_AT_ONCE:
                return

    def _take(self, peer: socket.socket, network: str) -> bool:
        now = self._loop.time()
        if not self._registry.may_connect(network, now):
            self._registry.strangers_log.add("connections refused", network, now)
            peer.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _RESET)
            peer.close()
            return False
        peer.setblocking(False)
        task = self._loop.create_task(self._connect(peer))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return True

    async def _connect(self, peer: socket.socket) -> None:
        seconds = None if self._context is None else _HANDSHAKE_SECONDS
        try:
            await self._loop.connect_accepted_socket(self._make, peer, ssl=self._context, ssl_handshake_timeout=seconds)
        except (OSError, TimeoutError):
            # It has gone, or does not speak TLS.
            self._registry.strangers_log.add("handshakes failed", "", self._loop.time())
            peer.close()

    def _rest(self, error: OSError) -> None:
        """Stop accepting for a second: there are no more files, or no memory; the system queues who waits."""
        self._loop.remove_reader(self._number)
        self._loop.call_later(1, self._again)
        self._loop.call_exception_handler({"message": "socket.accept() out of system resource", "exception": error})

    def _again(self) -> None:
        if self._socket.fileno() >= 0:
            self._loop.add_reader(self._number, self._accept)


class Quiet:
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
