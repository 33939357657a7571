"""A room at work to fuzz, with everybody who may send it something."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import suppress

from fastapi.testclient import TestClient
from httpx2 import InvalidURL

from pitboss.room.people.roles import PEOPLE_ROLES
from pitboss.server.auth import allowed_of, routes_of
from pitboss.tabulator.devices.receive import UnreadableMessageError, read_message
from tests.server.making import ADDRESS, House
from tests.server.test_api import DEVICE, Evening

_LEFT_OUT = ("/sign-out", "/sign-in", "/account", "/session", "/tap", "/links")
"""Who fuzzes stays signed in."""


class Served:
    """A room at work that is served, and everybody who may send it something."""

    def __init__(self, house: House) -> None:
        self._house = house
        evening = Evening(house)
        self._clients: dict[str, TestClient] = {**evening.by, "device": evening.device}
        self.routes = dict(self._changing())

    def _changing(self) -> Iterator[tuple[str, str]]:
        """Yield the path of each route that changes something, with one who may use it."""
        for route in routes_of(self._house.app):
            allowed = allowed_of(route)
            roles = [role for role in PEOPLE_ROLES if allowed is not None and role in allowed.roles]
            if roles and "POST" in (route.methods or ()) and not route.path.startswith(_LEFT_OUT):
                yield re.sub(r"\{[^}]*\}", "4", route.path), roles[-1]

    def seeds(self, target: str) -> Iterator[bytes]:
        """Yield a case for each route, with the fields that the description of the API names."""
        schema = self._house.app.openapi()
        for path, role in self.routes.items():
            if path.startswith("/api/") != (target == "api"):
                continue
            operation = schema["paths"].get(path, {}).get("post", {})
            content = operation.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema", {})
            body = schema["components"]["schemas"].get(content.get("$ref", "").rpartition("/")[2], content)
            fields = dict.fromkeys(body.get("properties", {}), "1") | {"command": "c", "words": "why", "table": "4"}
            written = json.dumps(fields) if target == "api" else "&".join(f"{name}=1" for name in fields)
            yield f"{role} {path}\n{written}".encode()

    def messages(self, data: bytes) -> None:
        """Messages of a device: read by themselves, and received by a table that is open."""
        with suppress(UnreadableMessageError):
            read_message(data)
        text = data.replace(b"NOW", str(self._house.clock.now).encode()).replace(b"DEVICE", DEVICE.encode())
        answer = self._clients["device"].post("/api/v1/devices/messages", content=text)
        assert answer.status_code in (200, 413), answer.status_code
        if answer.status_code == 200:
            assert answer.json()["status"], answer.text

    def forms(self, data: bytes) -> None:
        """Forms of pages."""
        self._send(data, "application/x-www-form-urlencoded", "/")

    def api(self, data: bytes) -> None:
        """Commands of the API."""
        self._send(data, "application/json", "/api/v1/")

    def _send(self, data: bytes, kind: str, below: str) -> None:
        first, _, body = data.partition(b"\n")
        role, _, path = first.decode("ascii", "replace").partition(" ")
        if not path.startswith(below) or path.startswith(_LEFT_OUT) or not path.isprintable():
            return
        client = self._clients.get(role, self._clients["manager"])
        # Whole, because a path that begins with two slashes would name another server.
        address = ADDRESS + path.replace("?", "%3F").replace("#", "%23")
        try:
            answer = client.post(address, content=body, headers={"content-type": kind})
        except InvalidURL:
            # The client sends no such path at all.
            return
        assert answer.status_code < 500, (path, answer.status_code, answer.text[:200])
