"""What is attacked: a room at work, served by a process of its own, and what each position holds of it."""

from __future__ import annotations

import itertools
import os
import socket
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx2

from pitboss.books import microseconds_now
from tests.server.making import command
from tests.server.running import Running
from tests.server.test_api import DEVICE

MEGABYTES_MAX = 60
"""So much may the server grow by all that is tried here; one body of before took 9,500."""
SECONDS_MAX = 2.0
"""So long may the server compute for one answer: its own time, on a machine that does other things beside."""

TRACES = {"access-traced", "locked-out"}
"""Entries that are written beside the requests they are about, and may come a little later."""


class Target:
    """A room at work that is served: what each position holds, and what it is held against."""

    def __init__(self, server: Running, tokens: dict[str, str], links: dict[str, str], path: Path) -> None:
        self.server, self.tokens, self.links, self.path = server, tokens, links, path
        self.numbers = itertools.count(1)
        self.nobody = server.client()
        self._people: dict[str, httpx2.Client] = {}
        self.device = self.by_token(DEVICE)

    def person(self, role: str) -> httpx2.Client:
        """Somebody of a role who has signed in."""
        if role not in self._people:
            self._people[role] = self.server.client(f"a-{role}")
        return self._people[role]

    def by_token(self, name: str) -> httpx2.Client:
        client = self.server.client()
        client.headers["authorization"] = f"Bearer {self.tokens[name]}"
        return client

    def message(self, **fields: Any) -> dict[str, Any]:
        """The next press of the table, with fields of the attacker's own."""
        now = microseconds_now()
        usual = {"device": DEVICE, "table": "4", "type": "press", "sent": now, "at": now, "sensors": []}
        return {**usual, "sequence": self.expected, **fields}

    @property
    def expected(self) -> int:
        now = microseconds_now()
        beat = {"device": DEVICE, "table": "4", "type": "beat", "sent": now}
        found: int = self.device.post("/api/v1/devices/messages", json=beat).json()["acknowledged"]
        return found + 1

    def press(self, **fields: Any) -> dict[str, Any]:
        found: dict[str, Any] = self.device.post("/api/v1/devices/messages", json=self.message(**fields)).json()
        return found

    @property
    def head(self) -> int:
        found: int = self.person("auditor").get("/api/v1/head").json()["sequence"]
        return found

    @property
    def shown(self) -> int:
        """The cents of the meter."""
        found: int = self.nobody.get("/api/v1/jackpots/main").json()["displayed_cents"]
        return found

    def entries(self, since: int) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self.person("auditor").get(f"/api/v1/entries?after={since}").json()
        return found

    def post(self, role: str, path: str, **fields: Any) -> Any:
        return self.person(role).post(f"/api/v1/{path}", json={"command": command(), **fields})

    def raw(self, sent: bytes) -> bytes:
        """Send bytes as no client would, and return what comes back until nothing more does."""
        found = b""
        address = ("127.0.0.1", urlsplit(self.server.address).port or 0)
        with socket.create_connection(address, timeout=10) as connection, suppress(OSError):
            connection.sendall(sent)
            while chunk := connection.recv(65_536):
                found += chunk
                connection.settimeout(0.1)
        return found

    @property
    def seconds(self) -> float:
        """How long the server has computed so far."""
        fields = Path(f"/proc/{self.server.process.pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    @property
    def megabytes(self) -> int:
        status = Path(f"/proc/{self.server.process.pid}/status").read_text(encoding="ascii")
        return int(status.partition("VmRSS:")[2].split()[0]) // 1_024


def follows(client: httpx2.Client, topic: str) -> int:
    """Return how a stream is answered; one that begins is left at once."""
    with client.stream("GET", "/api/v1/stream", params={"topics": topic}) as answer:
        return answer.status_code
