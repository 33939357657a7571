"""Connections: strangers have few places and little time, and take nobody else's (issue 18, item 8)."""

from __future__ import annotations

import asyncio
import errno
import logging
import shutil
import socket
import subprocess
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import pytest
import uvicorn
from benchmarks.stream import Watching, press
from fastapi.testclient import TestClient
from uvicorn.server import ServerState

from pitboss.commands.command import SYSTEM_ACTOR
from pitboss.server import connections
from pitboss.server.settings import Listening
from tests.server.conftest import Filled
from tests.server.making import ADDRESS, House
from tests.server.making import served as made
from tests.server.running import running

KNOWN = b"GET /known HTTP/1.1\r\nhost: x\r\n\r\n"
STRANGER = b"GET / HTTP/1.1\r\nhost: x\r\n\r\n"
_SECONDS = 20


async def answering(scope: Any, receive: Any, send: Any) -> None:
    """Answer everybody; who asks for /known is one of ours, and who asks for /long gets more than a socket holds."""
    if scope["path"] == "/known":
        scope["state"]["connection"].recognize("display 4")
    if scope["method"] == "POST":
        while (await receive()).get("more_body"):
            pass
    body = b"x" * 50_000_000 if scope["path"] == "/long" else b"here"
    await send(
        {"type": "http.response.start", "status": 200, "headers": [(b"content-length", str(len(body)).encode())]}
    )
    await send({"type": "http.response.body", "body": body})


class Served(NamedTuple):
    registry: connections.Connections
    port: int
    writers: list[asyncio.StreamWriter]
    make: Callable[[], connections.Connection]

    async def open(self, sent: bytes = b"") -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        self.writers.append(writer)
        writer.write(sent)
        return reader, writer

    async def is_answered(self, stream: tuple[asyncio.StreamReader, asyncio.StreamWriter], sent: bytes) -> bool:
        stream[1].write(sent)
        return (await asyncio.wait_for(stream[0].readuntil(b"here"), _SECONDS)).startswith(b"HTTP/1.1 200")


@asynccontextmanager
async def serving(listening: Listening | None = None) -> AsyncIterator[Served]:
    registry = connections.Connections(listening or Listening())
    kind = type("Tried", (connections.Connection,), {"registry": registry})
    config, state = uvicorn.Config(answering, http=kind, log_level="warning"), ServerState()
    config.load()
    make = lambda: kind(config=config, server_state=state, app_state={})  # noqa: E731
    server = await asyncio.get_running_loop().create_server(make, "127.0.0.1", 0)
    try:
        yield (served := Served(registry, server.sockets[0].getsockname()[1], [], make))
    finally:
        server.close()
        for writer in served.writers:
            writer.transport.abort()
        for connection in list(state.connections):
            connection.transport.abort()
        await asyncio.sleep(0.01)


def tried(do: Callable[[Served], Awaitable[None]], listening: Listening | None = None) -> None:
    async def run_it() -> None:
        async with serving(listening) as served:
            await do(served)

    asyncio.run(run_it())


async def until(holds: Callable[[], bool]) -> None:
    for _ in range(100 * _SECONDS):
        if holds():
            return
        await asyncio.sleep(0.01)
    raise AssertionError


@pytest.mark.parametrize(
    ("sent", "limit"),
    [
        (b"", "_HEADERS_SECONDS"),
        (b"GET / HTTP/1.1\r\nhost: x\r\nx-slow: ", "_HEADERS_SECONDS"),
        (STRANGER + b"GET / HT", "_HEADERS_SECONDS"),
        (b"POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\nhalf", "_BODY_SECONDS"),
    ],
    ids=["nothing", "half a request", "half the next request", "half a body"],
)
def test_what_is_half_sent_is_closed(monkeypatch: pytest.MonkeyPatch, sent: bytes, limit: str) -> None:
    monkeypatch.setattr(connections, limit, 0.1)

    async def do(served: Served) -> None:
        reader, _writer = await served.open(sent)
        with suppress(ConnectionResetError):
            await asyncio.wait_for(reader.read(), _SECONDS)
        assert served.registry.strangers == 0

    tried(do)


def test_who_does_not_read_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "_UNREAD_SECONDS", 0.1)

    async def do(served: Served) -> None:
        _stream = await served.open(b"GET /long HTTP/1.1\r\nhost: x\r\n\r\n")
        await until(lambda: served.registry.strangers > 0)
        await until(lambda: served.registry.strangers == 0)

    tried(do)


def test_strangers_take_the_places_of_strangers_and_of_nobody_else(monkeypatch: pytest.MonkeyPatch) -> None:
    async def do(served: Served) -> None:
        display = await served.open()
        assert await served.is_answered(display, KNOWN)
        asking = await served.open()
        assert await served.is_answered(asking, STRANGER)
        monkeypatch.setattr(connections, "_GRACE_SECONDS", -1)
        flood = [await served.open() for _ in range(200)]
        newcomer = await served.open()
        assert await served.is_answered(newcomer, STRANGER)
        assert await served.is_answered(display, KNOWN)
        assert served.registry.strangers <= 64
        assert len(served.registry.known) == 1
        assert len(flood) == 200

    tried(do)


def test_a_known_caller_has_places_of_its_own_and_takes_its_own_oldest(monkeypatch: pytest.MonkeyPatch) -> None:
    """A stolen token keeps nobody else out (issue 18, item 8)."""
    monkeypatch.setattr(connections, "_PER_CALLER", 5)

    async def do(served: Served) -> None:
        streams = [await served.open() for _ in range(8)]
        for stream in streams:
            assert await served.is_answered(stream, KNOWN)
        assert len(served.registry.known) == 5
        await until(streams[2][0].at_eof)
        assert await served.is_answered(streams[-1], KNOWN)
        assert await served.is_answered(await served.open(), STRANGER)

    tried(do)


def test_handshakes_that_do_not_finish_have_few_places(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who has begun TLS and says no more is counted, and no more are taken beyond (issue 18, item 8)."""
    monkeypatch.setattr(connections, "_HANDSHAKES_MAX", 3)

    async def do(served: Served) -> None:
        for _ in range(3):
            served.make()
        with pytest.raises(ConnectionRefusedError):
            served.make()
        monkeypatch.setattr(connections, "_HANDSHAKE_SECONDS", -1)
        assert await served.is_answered(await served.open(), STRANGER)

    tried(do)


def test_behind_a_proxy_nobody_else_is_answered_and_the_proxy_has_all_places() -> None:
    elsewhere = Listening(behind_proxy=True, proxies=("192.0.2.1",), public="https://room.example")
    registry = connections.Connections(elsewhere)
    assert registry.may_talk("192.0.2.1")
    assert registry.may_talk("127.0.0.1")
    assert not registry.may_talk("192.0.2.2")

    async def do(served: Served) -> None:
        _flood = [await served.open() for _ in range(100)]
        await until(lambda: served.registry.strangers == 100)

    tried(do, Listening(behind_proxy=True, public="https://room.example"))


def test_running_out_of_files_is_told_once_a_minute(caplog: pytest.LogCaptureFixture) -> None:
    loop, quiet = asyncio.new_event_loop(), connections.Quiet()
    with caplog.at_level(logging.ERROR):
        for _ in range(1_000):
            quiet(loop, {"message": "socket.accept()", "exception": OSError(errno.EMFILE, "Too many open files")})
    loop.close()
    assert len(caplog.records) == 1


def test_an_address_has_so_many_at_once_and_so_many_a_second() -> None:
    """Item 8: what a stranger may have is bounded by address, for all strangers together, and ours have their own."""
    allowance = connections.Allowance(10, 2)

    def taken(network: str, now: float, number: int, *, is_ours: bool) -> int:
        return sum(allowance.take(network, now, is_ours=is_ours) for _ in range(number))

    assert taken("192.0.2.1", 0.0, 50, is_ours=False) == 10
    assert taken("192.0.2.1", 3.0, 50, is_ours=False) == 6
    assert taken("192.0.2.1", 3.0, 50, is_ours=True) == 20
    others = [taken(f"198.51.100.{number}", 3.0, 10, is_ours=False) for number in range(10)]
    assert others == [10, 10, 10, 4, 0, 0, 0, 0, 0, 0]
    assert taken("203.0.113.1", 3.0, 50, is_ours=True) == 20


def test_addresses_that_were_counted_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever has a million addresses fills no memory."""
    monkeypatch.setattr(connections, "_ADDRESSES_MAX", 50)
    allowance = connections.Allowance(10, 2)
    for number in range(10_000):
        allowance.take(f"network {number}", number / 1_000, is_ours=False)
        allowance.take(f"network {number}", number / 1_000, is_ours=True)
    assert len(allowance._left) <= 50
    assert not allowance.take("network", 10.0, is_ours=False) or allowance._left[""][0] < 40


@asynccontextmanager
async def listening_at(served: Served) -> AsyncIterator[int]:
    """Listen as the server does, by our own reader of the socket."""
    server = await asyncio.get_running_loop().create_server(served.make, "127.0.0.1", 0)
    listener = connections.Listener(server.sockets[0].fileno(), served.registry, served.make, None)
    try:
        yield server.sockets[0].getsockname()[1]
    finally:
        listener.close()
        server.close()


async def opened(port: int, number: int, sent: bytes = b"") -> list[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
    async def one() -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(sent)
        return reader, writer

    return list(await asyncio.gather(*(one() for _ in range(number))))


def test_one_connection_too_many_of_an_address_is_reset_before_anything_is_made_for_it(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Item 8: nothing is parsed and nothing answered; what there was of it is one line in the log."""
    for name, value in (("_CONNECTS_AT_ONCE", 5), ("_CONNECTS_A_SECOND", 0.001)):
        monkeypatch.setattr(connections, name, value)

    async def do(served: Served) -> None:
        async with listening_at(served) as port:
            streams, refused = await opened(port, 5), 0
            await until(lambda: served.registry.strangers == 5)
            for _ in range(25):
                # It is told so when it connects, or when it reads.
                with suppress(ConnectionResetError):
                    reader, writer = await asyncio.open_connection("127.0.0.1", port)
                    served.writers.append(writer)
                    with suppress(ConnectionResetError):
                        assert not await asyncio.wait_for(reader.read(1), _SECONDS)
                refused += 1
            assert refused == 25
            assert served.registry.strangers == 5
            # One of those who came in is a display: from then on its address has places of its own.
            assert await served.is_answered(streams[0], KNOWN)
            streams += await opened(port, 1)
            assert await served.is_answered(streams[-1], STRANGER)
            for _, writer in streams:
                writer.transport.abort()

    with caplog.at_level(logging.WARNING, logger=connections.__name__):
        tried(do)
    assert [record.getMessage() for record in caplog.records] == [
        "from strangers: 1 connections refused from this computer"
    ]


def test_two_hundred_displays_come_at_once_from_one_address(monkeypatch: pytest.MonkeyPatch) -> None:
    """Item 8: they are strangers no longer than until their first request is read; none is cut off."""
    monkeypatch.setattr(connections, "_PER_CALLER", 200)

    async def do(served: Served) -> None:
        async with listening_at(served) as port:
            streams = await opened(port, 200, KNOWN)
            for reader, _ in streams:
                assert (await asyncio.wait_for(reader.readuntil(b"here"), _SECONDS)).startswith(b"HTTP/1.1 200")
            assert not any(reader.at_eof() for reader, _ in streams)
            assert served.registry.strangers == 0
            for _, writer in streams:
                writer.transport.abort()

    tried(do)


def test_what_is_no_http_is_told_in_one_line_a_minute_by_where_it_comes_from(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Item 8: a flood of nonsense is no flood of log, also after uvicorn has set up its own loggers."""

    async def do(served: Served) -> None:
        for _ in range(40):
            reader, _writer = await served.open(b"\x16\x03 nonsense\r\n\r\n")
            assert (await asyncio.wait_for(reader.read(), _SECONDS)).startswith(b"HTTP/1.1 400")
        monkeypatch.setattr(connections, "_LOG_SECONDS", -1)
        served.registry.strangers_log.add("connections refused", "192.0.2.7", served.registry.strangers_log._since or 0)
        served.registry.strangers_log.add("connections refused", "8.8.8.8", served.registry.strangers_log._since or 0)

    with caplog.at_level(logging.DEBUG):
        tried(do)
    lines = [record.getMessage() for record in caplog.records if record.levelno >= logging.WARNING]
    assert lines == [
        "from strangers: 1 requests that are no HTTP from this computer",
        "from strangers: 1 connections refused from this network; 39 requests that are no HTTP from this computer",
        "from strangers: 1 connections refused from elsewhere",
    ]


def test_strangers_of_an_address_ask_so_often_and_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    """Item 8: also by connections that stay; who has said who they are is not counted."""
    monkeypatch.setattr(connections, "_REQUESTS_AT_ONCE", 3)
    monkeypatch.setattr(connections, "_REQUESTS_A_SECOND", 0.001)

    async def do(served: Served) -> None:
        here = ("127.0.0.1", 1)
        stream = await served.open()
        assert await served.is_answered(stream, STRANGER)
        connection = next(iter(served.registry._silent))
        assert [connection.may_ask(here) for _ in range(5)] == [True] * 3 + [False] * 2
        # Behind a proxy whoever it asks for is counted.
        assert connection.may_ask(("192.0.2.9", 1))
        connection.recognize("display 4")
        assert connection.is_known_alone

    tried(do)

    async def by_proxy(served: Served) -> None:
        """Seen: after one request of the staff strangers asked as often as they liked by the proxy's connection."""
        streams = [await served.open(KNOWN) for _ in range(3)]
        for stream in streams:
            await stream[0].readuntil(b"here")
        assert [connection.is_known_alone for connection in served.registry.known] == [False] * 3

    monkeypatch.setattr(connections, "_PER_CALLER", 1)
    tried(by_proxy, Listening(behind_proxy=True, public="https://room.example"))


def test_who_is_ours_is_answered_though_strangers_of_their_address_have_asked_too_often(house: House) -> None:
    """Item 8: a display and a person who come by a new connection are known by what they send, before they are counted."""
    asked: list[str] = []

    class Full:
        """A connection whose address has had its requests."""

        is_known_alone = False

        def may_ask(self, _client: object) -> bool:
            asked.append("")
            return False

        def recognize(self, caller: str) -> None:
            asked.append(caller)

    async def app(scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "http":
            scope = {**scope, "state": {"connection": Full()}}
        await house.app(scope, receive, send)

    display, manager, token = house.as_("display"), house.as_("manager"), "Bearer nonsense"
    client = TestClient(app, base_url=ADDRESS, follow_redirects=False)
    beat = {"authorization": display.headers["authorization"]}
    assert client.post("/api/v1/displays/beat", json={"amounts": {}}, headers=beat).status_code == 200
    client.cookies.update(manager.cookies)
    assert client.get("/api/v1/me").status_code == 200
    assert set(asked) == {"the display", "A-manager"}
    client.cookies.clear()
    assert client.get("/sign-in").status_code == 429
    assert client.get("/api/v1/me", headers={"authorization": token}).status_code == 429
    assert asked[-2:] == ["", ""]


@pytest.mark.slow
def test_the_room_goes_on_with_hundreds_of_hostile_connections(filled: Filled, quick_path: Path) -> None:
    """Staff and a display come in and are answered while strangers hold all they get."""
    path = shutil.copytree(filled.path, quick_path / "room")
    with running(path) as server:
        manager = server.client("a-manager")
        address, hostile = ("127.0.0.1", urlsplit(server.address).port), []
        for number in range(400):
            connection = socket.create_connection(address, timeout=_SECONDS)
            connection.sendall((b"", b"GET / HT", b"POST /sign-in HTTP/1.1\r\ncontent-length: 9\r\n\r\n")[number % 3])
            hostile.append(connection)
        assert manager.get("/api/v1/me").status_code == 200
        display = server.client()
        display.headers["authorization"] = f"Bearer {filled.tokens['display']}"
        assert display.post("/api/v1/displays/beat", json={"amounts": {}}).status_code == 200
        assert server.client("a-supervisor").get("/floor").status_code == 200
        assert server.client("a-dealer").get("/api/v1/me").status_code == 200
        for connection in hostile:
            connection.close()


@pytest.mark.slow
def test_two_hundred_displays_come_at_once_to_a_real_server_and_again_after_a_restart(
    filled: Filled, quick_path: Path
) -> None:
    """Item 8: all by one address that the server does not know yet, each with its own token; none is refused or cut."""
    path = shutil.copytree(filled.path, quick_path / "room")
    with made(path) as house:
        names = [house.add_device(f"display {number}", "display") for number in range(200)]
        tokens = [house.access.make_token(name, SYSTEM_ACTOR) for name in names]

    async def follow(port: int, token: str) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        head = f"GET /api/v1/stream?topics=room HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer {token}\r\n\r\n"
        writer.write(head.encode())
        assert (await asyncio.wait_for(reader.readuntil(b"event: room"), _SECONDS)).startswith(b"HTTP/1.1 200")
        return reader, writer

    async def all_follow(port: int) -> None:
        streams = await asyncio.gather(*(follow(port, token) for token in tokens))
        # The next beat comes to all of them.
        for reader, _ in streams:
            await asyncio.wait_for(reader.readuntil(b"event: beat"), _SECONDS)
        for _, writer in streams:
            writer.transport.abort()
        await asyncio.sleep(0.1)

    for _ in range(2):
        with running(path) as server:
            asyncio.run(all_follow(urlsplit(server.address).port or 0))


# It opens as many connections as it is told, in every bad way, and opens another for each that is closed.
HOSTILE = """
import asyncio, itertools, resource, sys
port, many = int(sys.argv[1]), int(sys.argv[2])
resource.setrlimit(resource.RLIMIT_NOFILE, (min(many + 500, resource.getrlimit(resource.RLIMIT_NOFILE)[1]),) * 2)
head = b"HTTP/1.1\\r\\nhost: localhost\\r\\n"
bad = itertools.cycle([b"", b"GET / HT", b"GET /api/v1/stream?topics=room " + head + b"\\r\\n", b"\\x16\\x03 nonsense",
    b"POST /sign-in " + head + b"content-length: 900\\r\\n\\r\\nlogin=", b"GET /sign-in " + head + b"\\r\\n"])
async def one(number):
    await asyncio.sleep(number / 1000)
    while True:
        try:
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(next(bad))
            await reader.read()
            writer.transport.abort()
        except OSError:
            pass
        await asyncio.sleep(5)
async def main():
    await asyncio.gather(*map(one, range(many)))
asyncio.run(main())
"""


async def pressed(
    port: int, tokens: dict[str, str], displays: dict[str, str], seconds: float, arguments: list[str]
) -> list[float]:
    """Let every table press in turn while displays follow and say what they show; return how long presses took."""
    loop, watching, ready = asyncio.get_running_loop(), Watching(), asyncio.Semaphore(0)
    follow = [asyncio.create_task(watching.display(port, "jackpot:main", ready, token)) for token in displays.values()]
    for _ in follow:
        await ready.acquire()
    hostile = subprocess.Popen(arguments)  # noqa: S603, ASYNC220 - our own program
    took, numbers, ends = [], dict.fromkeys(tokens, 0), loop.time() + seconds
    while loop.time() < ends:
        for table, token in tokens.items():
            numbers[table] += 1
            begun = loop.time()
            await press(port, table, token, numbers[table])
            took.append(loop.time() - begun)
            await asyncio.sleep(0.05)
    assert hostile.poll() is None
    hostile.kill()
    hostile.wait()
    # Nobody was cut off.
    assert not any(task.done() for task in follow)
    for task in follow:
        task.cancel()
    return took
