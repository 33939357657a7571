"""What is sent: the caller is known before a byte is read, and nothing long, deep or huge is a server error (issue 18)."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from itertools import cycle
from typing import Any, get_type_hints

import pytest
from starlette.types import Message

from pitboss.room.commands import COMMANDS
from pitboss.server.auth import BODY_BYTES_MAX, routes_of
from tests.server.making import House, command

STAFF_ROUTES = (
    "/api/v1/jackpots/define",
    "/api/v1/people",
    "/office/slides",
    "/api/v1/devices/messages",
    "/account/pin",
)
DEEP = "[" * 100_000 + "]" * 100_000
NESTED: Any = json.loads("[" * 900 + "]" * 900)
HUGE = 10**4_000
HOSTILE = (HUGE, NESTED, "9999-12-31", "0001-01-01T00:00:00+14:00")


def sent_by_nobody(house: House, path: str, *headers: tuple[bytes, bytes]) -> tuple[int, int]:
    """Post to a path and never end; return the status and how often the server has read."""
    reads, statuses = 0, []

    async def receive() -> Message:
        nonlocal reads
        reads += 1
        return {"type": "http.request", "body": b"x" * 1_000, "more_body": reads < 2_000}

    async def send(message: Message) -> None:
        if message["type"] == "http.response.start":
            statuses.append(message["status"])

    scope: dict[str, Any] = {
        "type": "http",
        "method": "POST",
        "path": path,
        "raw_path": path.encode(),
        "query_string": b"",
    }
    scope |= {"headers": [(b"host", b"127.0.0.1"), *headers], "scheme": "http", "http_version": "1.1", "root_path": ""}
    scope |= {"server": ("127.0.0.1", 80), "client": ("192.0.2.7", 50_000), "asgi": {"version": "3.0"}, "state": {}}
    asyncio.run(house.app(scope, receive, send))
    return statuses[0], reads


@pytest.mark.parametrize("path", STAFF_ROUTES)
@pytest.mark.parametrize("kind", [b"application/json", b"multipart/form-data; boundary=x", b"text/plain"])
def test_no_byte_of_a_strangers_body_is_read_by_a_route_of_the_staff(shared: House, path: str, kind: bytes) -> None:
    assert sent_by_nobody(shared, path, (b"content-type", kind)) == (401, 0)


def test_where_a_stranger_may_send_a_little_is_read_and_no_file(shared: House) -> None:
    form = (b"content-type", b"application/x-www-form-urlencoded")

    status, reads = sent_by_nobody(shared, "/sign-in", form)
    assert (status, reads < 100) == (413, True)
    assert sent_by_nobody(shared, "/sign-in", form, (b"content-length", b"9" * 30)) == (413, 0)
    assert sent_by_nobody(shared, "/sign-in", (b"content-type", b"multipart/form-data; boundary=x")) == (415, 0)


def test_a_body_is_bounded_for_the_staff_too_and_a_picture_may_be_longer(shared: House) -> None:
    manager, much = shared.as_("manager"), "x" * (BODY_BYTES_MAX + 1)
    for path in ("/api/v1/jackpots/define", "/account/pin", "/sign-out"):
        assert manager.post(path, content=much).status_code == 413
    answer = manager.post("/api/v1/jackpots/define", json={"words": much})
    assert (answer.status_code, answer.headers["connection"]) == (413, "close")
    assert "256,000" in answer.json()["detail"]
    picture = {"picture": ("a.png", b"x" * 1_000_000, "image/png")}
    assert manager.post("/office/slides", files=picture).status_code in (409, 422)


def paths(house: House, method: str) -> Iterator[Any]:
    for route in routes_of(house.app):
        if method in (route.methods or ()) and not route.path.startswith("/api/v1/stream"):
            yield route


def test_deep_json_and_huge_numbers_are_refused_by_every_command(shared: House) -> None:
    schema = shared.app.openapi()
    clients = {role: shared.as_(role) for role in ("manager", "administrator", "supervisor", "dealer", "device")}
    for route in paths(shared, "POST"):
        if not route.path.startswith("/api/"):
            continue
        path = route.path.replace("{", "").replace("}", "")
        operation = schema["paths"].get(route.path, {}).get("post", {})
        content = operation.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema", {})
        body = schema["components"]["schemas"].get(content.get("$ref", "").rpartition("/")[2], content)
        fields = body.get("properties", {})
        for client in clients.values():
            answer = client.post(path, content=DEEP, headers={"content-type": "application/json"})
            if answer.status_code in (401, 403):
                continue
            # A device is told in the body what became of a message.
            assert answer.status_code < 500, (path, answer.status_code)
            # Every field is validated by itself, so one body tries another value in each of them.
            values = dict(zip(fields, cycle(HOSTILE), strict=False))
            text = json.dumps(values | {"command": command()})
            status = client.post(path, content=text, headers={"content-type": "application/json"}).status_code
            assert status < 500, (path, status)
            break


ENDS = ("0001-01-01", "9999-12-31")
USUAL = ("day", "from", "to", "month", "at", "after", "page")


def ask(house: House, method: str, names: Iterator[Any], roles: tuple[str, ...]) -> None:
    """Send values from both ends to every page, by the first role that it is for."""
    clients = [house.as_(role) for role in roles]
    for route in names:
        fields = [field.alias for field in queried(route.dependant)] + list(USUAL)
        fields += sorted({name for cls in COMMANDS for name in get_type_hints(cls)}) if method == "POST" else []
        path = "/".join("1" if part.startswith("{") else part for part in route.path.split("/"))
        for value in ENDS:
            sent = dict.fromkeys(fields, value)
            for client in clients:
                body: dict[str, Any] = {"params": sent} if method == "GET" else {"data": sent | {"command": command()}}
                answer = client.request(method, path, **body)
                assert answer.status_code < 500 or answer.status_code == 503, (path, value[:40], answer.status_code)
                if answer.status_code not in (401, 403):
                    break


def test_dates_at_both_ends_of_time_and_huge_numbers_are_no_server_error_on_any_page(shared: House) -> None:
    ask(shared, "GET", paths(shared, "GET"), ("auditor", "manager", "administrator"))


def test_nor_in_any_form(house: House) -> None:
    forms = (each for each in paths(house, "POST") if not each.path.startswith("/api/") and each.path != "/sign-out")
    ask(house, "POST", forms, ("manager", "administrator", "supervisor", "accounting"))


def queried(dependant: Any) -> Iterator[Any]:
    yield from dependant.query_params
    for inner in dependant.dependencies:
        yield from queried(inner)
