"""Failovers of two servers under load: the leader is killed, paused or cut off while devices press.

`python -m tests.server.failovers --postgres CONNECTION --times 20 --seed 3` prints how long each takeover took; a test
does a few, and a slow one two hundred.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import signal
import socket
import tempfile
import threading
import time
import urllib.error
import urllib.request
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.floor_room import made

from pitboss.books import LEDGER, Directory, folding_of, microseconds_now, read_book
from pitboss.books.audit import check_books
from pitboss.commands.command import BOOK
from pitboss.room.projections import INVARIANTS, PROJECTIONS
from pitboss.tabulator.devices.client import DeviceLine, LineCutError, line_to
from tests.server.running import Running

_PRESS_APART, _EARLIER = 7_000_000, 60 * 60 * 60 * 1_000_000
_PRESS_SECONDS = 0.05
_WAIT_SECONDS = 60
FAULTS = ("kill", "pause", "partition")
_HERE = "127.0.0.1"


class Line:
    """A line to the database that can be cut: then nothing is forwarded any more, and nobody is told."""

    def __init__(self, host: str, port: int) -> None:
        self._target = (host, port)
        self._flows = threading.Event()
        self._flows.set()
        self._listener = socket.create_server((_HERE, 0))
        self.port: int = self._listener.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def cut(self) -> None:
        self._flows.clear()

    def mend(self) -> None:
        self._flows.set()

    def close(self) -> None:
        self._listener.close()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                database = socket.create_connection(self._target)
                for source, target in ((client, database), (database, client)):
                    threading.Thread(target=self._forward, args=(source, target), daemon=True).start()

    def _forward(self, source: socket.socket, target: socket.socket) -> None:
        with suppress(OSError):
            while chunk := source.recv(65_536):
                self._flows.wait()
                target.sendall(chunk)
        self._flows.wait()
        for end in (source, target):
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
            end.close()


def free_port() -> int:
    with socket.create_server((_HERE, 0)) as taken:
        return int(taken.getsockname()[1])


class Server:
    """One of the two servers: its data directory, its line to the database, and its process."""

    def __init__(self, path: Path, line: Line) -> None:
        self.path, self.line, self.port = path, line, free_port()
        self.address = f"http://{_HERE}:{self.port}"
        self.running: Running | None = None

    def start(self) -> None:
        self.running = Running(self.path, "--port", str(self.port))

    @property
    def pid(self) -> int:
        assert self.running is not None
        return self.running.process.pid

    def kill(self) -> None:
        if self.running is not None:
            with suppress(ProcessLookupError):
                os.killpg(self.pid, signal.SIGKILL)
            self.running.process.communicate()
            self.running = None

    def health(self) -> dict[str, Any]:
        """Return what it says of itself; nothing where it does not answer at once."""
        try:
            with urllib.request.urlopen(f"{self.address}/healthz", timeout=1) as answer:  # noqa: S310 - our own
                found: dict[str, Any] = json.load(answer)
        except urllib.error.HTTPError as error:
            found = json.load(error)
        except (OSError, ValueError):
            return {}
        return found

    def is_well(self, role: str) -> bool:
        health = self.health()
        return (health.get("status"), health.get("role")) == ("ok", role)


class Pressing(threading.Thread):
    """A device that presses round after round by the line of real devices, and keeps what it was answered."""

    def __init__(self, table: str, line: DeviceLine) -> None:
        super().__init__(daemon=True)
        self.table, self._line = table, line
        self.sequence, self.acknowledged = 0, dict[int, str]()
        self.ended = threading.Event()
        self.last = time.monotonic()
        self._begun = microseconds_now() - _EARLIER

    def run(self) -> None:
        while not self.ended.is_set():
            self.sequence += 1
            self._deliver(self.sequence)
            self.last = time.monotonic()
            time.sleep(_PRESS_SECONDS)

    def _deliver(self, sequence: int) -> None:
        while True:
            message = {
                "device": f"device {self.table}",
                "table": self.table,
                "type": "press",
                "sent": microseconds_now(),
                "at": self._begun + sequence * _PRESS_APART,
                "sequence": sequence,
                "sensors": [[1, 1], [2, 1], [5, 1]] if sequence % 2 else [],
            }
            try:
                reply = self._line.send(json.dumps(message).encode())
            except LineCutError:
                time.sleep(0.02)
                continue
            assert reply["status"] in ("counted", "released"), reply
            self.acknowledged[sequence] = reply["status"]
            return


class Failover(NamedTuple):
    """What was done to the leader, and the seconds until the other one led and until a press was acknowledged again."""

    fault: str
    led: float
    pressed: float


class Pair:
    """Two servers of one room with devices that press."""

    def __init__(self, servers: tuple[Server, Server], tokens: dict[str, str]) -> None:
        self.servers = servers
        addresses = [server.address for server in servers]
        self.devices = [Pressing(table, line_to(addresses, token)) for table, token in tokens.items()]
        self.failovers: list[Failover] = []

    def leader(self) -> tuple[Server, Server]:
        """Return who leads, and the other one, when both are well."""
        first, second = self.servers
        for _ in self._until("one leads and the other follows"):
            for leader, standby in ((first, second), (second, first)):
                if leader.is_well("leader") and standby.is_well("standby"):
                    return leader, standby
        raise AssertionError

    def _until(self, what: str) -> Iterator[None]:
        ends = time.monotonic() + _WAIT_SECONDS
        while time.monotonic() < ends:
            yield
            time.sleep(0.02)
        raise TimeoutError(f"not in time: {what}; {[server.health() for server in self.servers]}")

    def fail(self, fault: str) -> Failover:
        """Take the leader away, and measure until the other one has taken over; then bring it back."""
        leader, standby = self.leader()
        begun = time.monotonic()
        {"kill": leader.kill, "pause": lambda: os.kill(leader.pid, signal.SIGSTOP), "partition": leader.line.cut}[
            fault
        ]()
        for _ in self._until("the other takes over"):
            if standby.is_well("leader"):
                break
        led = time.monotonic() - begun
        lead_at = time.monotonic()
        for _ in self._until("a press is acknowledged"):
            if any(device.last > lead_at for device in self.devices):
                break
        failover = Failover(fault, led, time.monotonic() - begun)
        self.failovers.append(failover)
        {"kill": leader.start, "pause": lambda: os.kill(leader.pid, signal.SIGCONT), "partition": leader.line.mend}[
            fault
        ]()
        return failover

    def end(self) -> None:
        """Let every device deliver what it has, and stop."""
        for device in self.devices:
            device.ended.set()
        for device in self.devices:
            device.join(_WAIT_SECONDS)
            assert not device.is_alive(), f"device {device.table} waits for an answer"


def at_port(connection: str, port: int) -> str:
    """Return a connection string to the same database by another port of this computer."""
    words = [word for word in connection.split() if not word.startswith(("host=", "port="))]
    return " ".join(["host=127.0.0.1", f"port={port}", *words])


def _target(connection: str) -> tuple[str, int]:
    words = dict(word.split("=", 1) for word in connection.split())
    return words.get("host", _HERE), int(words.get("port", "5432"))


@contextmanager
def pair(folder: Path, connection: str, tables: int) -> Iterator[Pair]:
    """Make a room in a database that is empty, and serve it twice."""
    tokens = made(folder / "first", tables, 0, connection).devices
    shutil.copytree(folder / "first", folder / "second")
    servers = []
    for name in ("first", "second"):
        line = Line(*_target(connection))
        file = folder / name / "store.toml"
        file.write_text(file.read_text().replace(connection, at_port(connection, line.port)))
        servers.append(Server(folder / name, line))
    first, second = servers
    try:
        for server in servers:
            server.start()
        yield Pair((first, second), tokens)
    finally:
        for server in servers:
            server.line.mend()
            server.kill()
            server.line.close()


def verify(pair: Pair, path: Path) -> int:
    """Check that each press that was acknowledged is in the books exactly once; return how many there are."""
    directory = Directory(path)
    report = check_books(directory, projections=PROJECTIONS, invariants=INVARIANTS)
    assert report.is_sound, [*report.damages, *report.findings]
    with closing(directory.open_store(write=False)) as store:
        commands = Counter(entry.command for entry in store.entries(BOOK) if entry.part == 0)
        state = read_book(store, folding_of(), BOOK).state
    rounds = 0
    for device in pair.devices:
        assert sorted(device.acknowledged) == list(range(1, device.sequence + 1))
        for sequence in device.acknowledged:
            assert commands[f"device device {device.table} {sequence}"] == 1
        assert sum(command.startswith(f"device device {device.table} ") for command in commands) == device.sequence
        rounds += sum(status == "counted" for status in device.acknowledged.values())
    # Three wagers a round: none is counted twice, none is missing.
    assert state.of(LEDGER)["main"].counts["wagers_counted"] == 3 * rounds
    return sum(device.sequence for device in pair.devices)


def run(
    folder: Path,
    connection: str,
    faults: list[str],
    tables: int = 4,
    tell: Callable[[str], object] = lambda _: None,
) -> tuple[list[Failover], int]:
    """Fail over again and again under load; return how long each took, and how many presses were acknowledged."""
    with pair(folder, connection, tables) as servers:
        servers.leader()
        for device in servers.devices:
            device.start()
        for number, fault in enumerate(faults, start=1):
            failover = servers.fail(fault)
            tell(f"{number} {failover.fault}: led after {failover.led:.2f} s, pressed after {failover.pressed:.2f} s")
        servers.leader()
        servers.end()
        presses = verify(servers, folder / "first")
    return servers.failovers, presses


def faults_of(times: int, seed: int) -> list[str]:
    """Return what is done to the leader, each as often as the others, in an order by a seed."""
    faults = [FAULTS[number % len(FAULTS)] for number in range(times)]
    random.Random(seed).shuffle(faults)
    return faults


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--postgres", required=True, help="the connection string of an empty database")
    parser.add_argument("--times", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--tables", type=int, default=4)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        faults = faults_of(options.times, options.seed)
        failovers, presses = run(Path(folder), options.postgres, faults, options.tables, print)
    for fault in FAULTS:
        took = sorted(failover.led for failover in failovers if failover.fault == fault)
        if took:
            print(f"{fault}: {len(took)} times, median {took[len(took) // 2]:.2f} s, longest {took[-1]:.2f} s")
    print(f"{presses} presses acknowledged, each in the books once; the audit passes")


if __name__ == "__main__":
    main()
