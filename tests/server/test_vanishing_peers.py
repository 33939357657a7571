"""Peers that send nonsense and vanish: the server and the device simulator outlive every one of them.

Writing to a connection that is gone raises SIGPIPE. It ends a command whose reader has seen enough; it must not end a
process that talks with others.
"""

from __future__ import annotations

import os
import shutil
import signal
import socket
import ssl
import struct
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TypeVar
from urllib.parse import urlsplit

import httpx2
import pytest

from pitboss.cli.server import run as server_command
from tests.server.conftest import Filled
from tests.server.making import PASSWORD, command
from tests.server.running import running, self_signed
from tests.server.test_api import JACKPOT

pytestmark = pytest.mark.skipif(not hasattr(signal, "SIGPIPE"), reason="there is no such signal here")

CONNECTIONS, STREAMS = 200, 40
NONSENSE = b"\x16\x03\x01 nonsense \xff\r\n\r\n"
UNREAD = b"GET /api/v1/topics HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n" * 3
_SECONDS = 30
Connect = Callable[[], socket.socket]
T = TypeVar("T")


def vanish(connection: socket.socket, *, reset: bool) -> None:
    """Close a connection in order, or with a reset that leaves the peer no time to read."""
    if reset:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    connection.close()


def vanish_often(*connects: Connect) -> None:
    """Open connections, send nothing, nonsense, half a request or some whole ones, and close without reading."""
    messages = (b"", NONSENSE, UNREAD[:30], UNREAD)
    for number in range(CONNECTIONS):
        # So many of one address at once are more than a stranger may open: the last ones are reset.
        with suppress(ConnectionError, ssl.SSLError):
            connection = connects[number // 8 % len(connects)]()
            connection.sendall(messages[number // 2 % len(messages)])
            vanish(connection, reset=bool(number % 2))


def patiently(act: Callable[[], T]) -> T:
    """Do something as soon as this address may open connections again."""
    until = time.monotonic() + _SECONDS
    while True:
        try:
            return act()
        except (ConnectionError, ssl.SSLError, httpx2.TransportError):
            if time.monotonic() > until:
                raise
            time.sleep(0.1)


def vanish_from_streams(connect: Connect, client: httpx2.Client) -> None:
    """Follow a topic that moves all the time, and vanish in the middle."""
    cookie = "; ".join(f"{name}={value}" for name, value in client.cookies.items())
    request = f"GET /api/v1/stream?topics=approvals HTTP/1.1\r\nhost: 127.0.0.1\r\ncookie: {cookie}\r\n\r\n".encode()

    def follow() -> socket.socket:
        follower = connect()
        follower.sendall(request)
        assert b"200 OK" in follower.recv(65_536)
        return follower

    followers = [patiently(follow) for _ in range(STREAMS)]
    for number, follower in enumerate(followers):
        if number % 10 == 0:
            define = {"command": command(), "jackpot": {**JACKPOT, "name": f"jackpot-{number}"}, "words": "new"}
            assert client.post("/api/v1/jackpots/define", json=define).status_code == 202
        vanish(follower, reset=bool(number % 2))


@pytest.mark.parametrize("is_secure", [False, True], ids=["plain", "TLS"])
def test_the_server_outlives_peers_that_send_nonsense_reset_and_vanish(
    filled: Filled, quick_path: Path, is_secure: bool
) -> None:
    path = shutil.copytree(filled.path, quick_path / "room")
    certificate, key = self_signed(quick_path)
    context = ssl.create_default_context(cafile=str(certificate))
    options = ("--certificate", str(certificate), "--key", str(key)) if is_secure else ()
    with running(path, *options) as server:
        address = ("127.0.0.1", urlsplit(server.address).port)

        def connect() -> socket.socket:
            return socket.create_connection(address, timeout=_SECONDS)

        def connect_securely() -> socket.socket:
            return context.wrap_socket(connect(), server_hostname=address[0])

        vanish_often(*((connect, connect_securely) if is_secure else (connect,)))
        with httpx2.Client(base_url=server.address, verify=context, timeout=_SECONDS) as client:
            person = {"login": "a-manager", "password": PASSWORD}
            assert patiently(lambda: client.post("/sign-in", data=person)).status_code == 303
            client.headers["x-csrf-token"] = client.get("/api/v1/me").json()["csrf"]
            vanish_from_streams(connect_securely if is_secure else connect, client)
            assert client.get("/api/v1/me").json()["login"] == "a-manager"
        assert server.process.poll() is None
        assert server.end() == (0, "loaded:\n")


def test_a_device_outlives_servers_that_answer_nonsense_and_vanish(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.settimeout(_SECONDS)
        port = listener.getsockname()[1]
        arguments = ["device", f"https://127.0.0.1:{port}/", "--device", "A3", "--table", "4", "--speed", "1000"]
        program = [sys.executable, "-m", "pitboss", *arguments, "--buffer", str(tmp_path / "buffer")]
        with subprocess.Popen(program) as device:  # noqa: S603 - our own command
            try:
                for _ in range(2):
                    answer_nonsense(listener, device.pid)
                # It knocks again.
                listener.accept()[0].close()
                assert device.poll() is None
            finally:
                device.kill()


def answer_nonsense(listener: socket.socket, pid: int) -> None:
    """Answer a greeting with nonsense and reset the connection, all before the device can read it and complain."""
    connection, _ = listener.accept()
    connection.recv(1, socket.MSG_PEEK)
    os.kill(pid, signal.SIGSTOP)
    connection.sendall(NONSENSE)
    connection.shutdown(socket.SHUT_WR)
    connection.close()
    os.kill(pid, signal.SIGCONT)


def test_a_device_that_prints_its_messages_ends_quietly_when_its_reader_has_seen_enough() -> None:
    # Three hundred kilobytes: more than a pipe holds.
    program = [sys.executable, "-m", "pitboss", "device", "-", "--device", "A3", "--table", "4", "--rounds", "400"]
    with subprocess.Popen(program, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as device:  # noqa: S603 - our own command
        assert device.stdout is not None
        assert device.stderr is not None
        assert b"hello" in device.stdout.readline()
        device.stdout.close()
        assert device.stderr.read() == b""
    assert device.returncode == -signal.SIGPIPE


def test_a_server_goes_on_when_nobody_reads_what_it_prints(monkeypatch: pytest.MonkeyPatch) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    with os.fdopen(writer, "w") as stdout:
        monkeypatch.setattr(sys, "stdout", stdout)
        for line in ("The room is served", "no administrator has a password yet"):
            server_command._print(line)
