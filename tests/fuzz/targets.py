"""What is fuzzed: each target takes any bytes and raises only where Pitboss is at fault.

A case of `forms` and `api` is a line with a role and a path, and the body below it. Cases that were at fault once, and
those that others are made from, are files in `corpus`, one folder a target.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

from fastapi.testclient import TestClient

from pitboss.books import RefusedError
from pitboss.cards import CardError, card_text, parse_card, parse_cards
from pitboss.room.people.roles import PEOPLE_ROLES
from pitboss.server.auth import allowed_of, routes_of
from pitboss.table.reading import read_configuration
from pitboss.table.round import Round
from pitboss.tabulator.devices.receive import UnreadableMessageError, read_message
from pitboss.tabulator.setup import read_setup
from tests.server.making import House
from tests.server.test_api import DEVICE, Evening

CORPUS = Path(__file__).parent / "corpus"
_LEFT_OUT = ("/sign-out", "/sign-in", "/account", "/session", "/tap", "/links")
"""Who fuzzes stays signed in."""
Target = Callable[[bytes], None]


def cards(data: bytes) -> None:
    """Card notation: what is read is written back, and everything else is named."""
    text = data.decode("utf-8", "surrogateescape")
    with suppress(CardError):
        for card in parse_cards(text):
            assert parse_card(card_text(card)) == card
    with suppress(CardError):
        parse_cards(text.split(" "), as_printed=True)


def toml(data: bytes) -> None:
    """Configurations, setups of tables, and round records: a refusal names what is wrong."""
    text = data.decode("utf-8", "replace")
    for read in (read_configuration, read_setup, Round.from_text):
        with suppress(ValueError, RefusedError):
            read(text)


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
        answer = client.post(path.replace("?", "%3F").replace("#", "%23"), content=body, headers={"content-type": kind})
        assert answer.status_code < 500, (path, answer.status_code, answer.text[:200])


def targets(served: Served | None) -> dict[str, Target]:
    """Return every target by name; those that need a server only where there is one."""
    found: dict[str, Target] = {"cards": cards, "toml": toml}
    if served is not None:
        found |= {"messages": served.messages, "forms": served.forms, "api": served.api}
    return found


def kept(name: str) -> list[bytes]:
    """Return the cases of a target that are kept."""
    return [file.read_bytes() for file in sorted((CORPUS / name).iterdir()) if file.is_file()]
