"""The server as a service: it tells systemd when it is ready, alive and stopping, and gives up new machine code."""

from __future__ import annotations

import asyncio
import os
import platform
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from pitboss.books.journal import writer
from pitboss.room.room import Room
from pitboss.server.service import keep_watchdog, notify, refuse_new_code, watchdog_seconds
from tests.operations.making import fresh_room
from tests.server.running import running

WAIT = 30


@pytest.fixture
def listener(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[socket.socket]:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.bind(str(tmp_path / "notify"))
        manager.settimeout(WAIT)
        monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "notify"))
        yield manager


def received(manager: socket.socket, until: str) -> list[str]:
    lines: list[str] = []
    while until not in lines:
        lines.append(manager.recv(100).decode())
    return lines


def test_a_service_is_ready_when_it_serves_alive_while_it_runs_and_says_that_it_stops(
    listener: socket.socket, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WATCHDOG_USEC", "150000")
    with running(fresh_room(tmp_path / "room")) as server:
        assert received(listener, "READY=1") == ["READY=1"]
        assert set(received(listener, "WATCHDOG=1") + received(listener, "WATCHDOG=1")) == {"WATCHDOG=1"}
        # A server that stands still tells nothing.
        server.process.send_signal(signal.SIGSTOP)
        listener.setblocking(False)
        try:
            while True:
                listener.recv(100)
        except BlockingIOError:
            pass
        listener.settimeout(0.5)
        with pytest.raises(TimeoutError):
            listener.recv(100)
        server.process.send_signal(signal.SIGCONT)
        listener.settimeout(WAIT)
        assert server.client().get("/healthz").status_code == 200
        server.process.send_signal(signal.SIGTERM)
        assert received(listener, "STOPPING=1")[-1] == "STOPPING=1"


def test_the_watchdog_hears_nothing_while_the_writer_is_stuck(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writer, "_STUCK_SECONDS", 0.05)
    stuck, again = threading.Event(), threading.Event()

    def at_point(_point: str) -> None:
        stuck.set()
        again.wait(WAIT)

    with Room(fresh_room(tmp_path / "room")) as room:
        assert room.books.is_alive
        room.books._writer._at_point = at_point
        sealing = threading.Thread(target=room.books.seal, args=("room",))
        sealing.start()
        stuck.wait(WAIT)
        time.sleep(0.1)
        assert not room.books.is_alive
        again.set()
        sealing.join()
        assert room.books.is_alive
        books = room.books
    assert not books.is_alive


def test_without_systemd_nothing_happens(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID"):
        monkeypatch.delenv(name, raising=False)
    assert (False, None, False) == (notify("READY=1"), watchdog_seconds(), refuse_new_code())
    asyncio.run(keep_watchdog(lambda: True))
    monkeypatch.setenv("WATCHDOG_USEC", "3000000")
    assert watchdog_seconds() == 1.0
    monkeypatch.setenv("WATCHDOG_PID", "1")
    assert watchdog_seconds() is None


_MAKE_CODE = "import mmap; mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)"


def test_the_server_makes_no_new_code_and_its_workers_may() -> None:
    release = tuple(map(int, platform.release().split("-")[0].split(".")[:2]))
    if sys.platform != "linux" or release < (6, 6):
        pytest.skip("Linux has this for one process from 6.6 on")
    program = f"""
import subprocess, sys
from pitboss.server.service import refuse_new_code
assert refuse_new_code()
subprocess.run([sys.executable, "-c", {_MAKE_CODE!r}], check=True)
try:
    {_MAKE_CODE}
except PermissionError:
    print("refused")
"""
    environment = {**os.environ, "NOTIFY_SOCKET": "/nowhere"}
    run = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=False)  # noqa: S603
    assert (0, "refused\n") == (run.returncode, run.stdout), run.stderr
