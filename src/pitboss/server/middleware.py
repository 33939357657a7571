"""What every request passes: the check of its host, its id, the count of requests, the room's locale, headers."""

import logging
import os
import time
from collections.abc import Iterable
from http import HTTPStatus
from typing import Any

from prometheus_client import Counter
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pitboss.books.journal.writer import WRITTEN
from pitboss.room.room import Room, room_locale
from pitboss.server.auth import caller_of, trace
from pitboss.server.logs import REQUEST_ID, REQUESTS
from pitboss.server.metrics import REFUSALS, Metrics
from pitboss.server.views.formatting import set_locale

CONTENT_SECURITY_POLICY = (
    "default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self' data:; object-src 'none'; "
    "base-uri 'none'; form-action 'self'; frame-ancestors 'self'"
)
_ALWAYS = (
    ("content-security-policy", CONTENT_SECURITY_POLICY),
    ("x-content-type-options", "nosniff"),
    # With `no-referrer` browsers would not say from where a form is sent.
    ("referrer-policy", "same-origin"),
    ("cross-origin-opener-policy", "same-origin"),
    ("cross-origin-resource-policy", "same-origin"),
)
_NOT_OURS = b"This server answers to its own name alone.\n"
_TOO_MANY = b"These are too many headers.\n"
_TOO_OFTEN = b"This address asks too often: wait a moment, or sign in.\n"
_STANDS_BY = b"This server stands by: another one of the room saves. Send it there, or here again in a moment.\n"
_READS = frozenset({"GET", "HEAD", "OPTIONS"})
_ALLOWED_STANDING_BY = frozenset({"/api/v1/displays/beat"})
"""What a server that stands by takes though it is no question: nothing of it is written."""
_RETRY = (b"retry-after", b"1")
_HEADERS_MAX = 100
_ID_BYTES = 8
_A_YEAR = 365 * 24 * 60 * 60


def security_headers(*, is_secure: bool) -> list[tuple[bytes, bytes]]:
    """Return the headers of every answer."""
    strict = (("strict-transport-security", f"max-age={_A_YEAR}"),) if is_secure else ()
    return [(name.encode(), value.encode()) for name, value in _ALWAYS + strict]


def is_own_host(hosts: Iterable[str] | None, scope: Scope) -> bool:
    """True if a request is for one of these hosts, or where no host is known."""
    if hosts is None:
        return True
    values = [value.decode("latin-1") for name, value in scope["headers"] if name == b"host"]
    if len(values) != 1:
        return False
    host = (values[0].rsplit(":", 1)[0] if not values[0].endswith("]") else values[0]).lower()
    # A certificate may name every host of a domain at once.
    return host in hosts or f"*.{host.partition('.')[2]}" in hosts


class Passage:
    """The middleware of every request, in one: who sends many events or presses passes one layer and not three.

    It refuses what is for another host or has too many headers, sets the room's locale, counts answers by route (not
    by path: a path may hold anything), leaves a trace of downloads, and adds the security headers.
    """

    def __init__(
        self, app: ASGIApp, *, room: Room, metrics: Metrics, is_secure: bool, hosts: Iterable[str] | None
    ) -> None:
        self._app, self._room, self._metrics = app, room, metrics
        self._hosts = None if hosts is None else frozenset(hosts)
        self._headers = security_headers(is_secure=is_secure)
        self._counters: dict[tuple[str, str, int], Counter] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Respond with every header, or refuse a request for another host."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        # What a client sends is never taken for an id.
        REQUEST_ID.set(os.urandom(_ID_BYTES).hex())
        if not REQUESTS.isEnabledFor(logging.INFO):
            await self._pass(scope, receive, send)
            return
        written: list[int] = []
        WRITTEN.set(written)
        began, status = time.perf_counter(), 0

        async def send_and_look(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            await self._pass(scope, receive, send_and_look)
        finally:
            fields = {
                "method": _method(scope),
                "route": _route(scope),
                "status": status,
                "milliseconds": round((time.perf_counter() - began) * 1_000, 1),
                "caller": _caller_kind(scope),
                "entries": written,
            }
            REQUESTS.info("request", extra={"fields": fields})

    async def _pass(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                self._begin(scope, message)
            await send(message)

        if len(scope["headers"]) > _HEADERS_MAX:
            await _refuse(send_with_headers, HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE, _TOO_MANY)
            return
        if not is_own_host(self._hosts, scope):
            await _refuse(send_with_headers, HTTPStatus.MISDIRECTED_REQUEST, _NOT_OURS)
            return
        if _would_write(scope) and self._room.books.stands_by:
            await _refuse(send_with_headers, HTTPStatus.SERVICE_UNAVAILABLE, _STANDS_BY, _RETRY)
            return
        if not _may_ask(scope):
            await _refuse(send_with_headers, HTTPStatus.TOO_MANY_REQUESTS, _TOO_OFTEN, (b"connection", b"close"))
            return
        set_locale(room_locale(self._room.state))
        await self._app(scope, receive, send_with_headers)

    def _begin(self, scope: Scope, message: Message) -> None:
        """Count an answer that begins, and add its headers."""
        key = (_method(scope), _route(scope), message["status"])
        counter = self._counters.get(key)
        if counter is None:
            counter = self._counters[key] = self._metrics.requests.labels(*map(str, key))
        counter.inc()
        if message["status"] in REFUSALS:
            self._metrics.refusals.labels(str(message["status"])).inc()
        headers = message["headers"] = list(message.get("headers", ()))
        names = {name for name, _ in headers}
        if message["status"] == HTTPStatus.OK and b"content-disposition" in names:
            request = Request(scope)
            trace(request, request.state.caller, "download")
        headers.append((b"x-request-id", REQUEST_ID.get().encode()))
        headers += [header for header in self._headers if header[0] not in names]
        if b"cache-control" not in names:
            headers.append((b"cache-control", _caching(scope["path"])))


def _would_write(scope: Scope) -> bool:
    """True for what is sent to be done: a server that stands by cannot say yet who sends it, nor what became of it."""
    return scope["method"] not in _READS and scope["path"] not in _ALLOWED_STANDING_BY


def _may_ask(scope: Scope) -> bool:
    """True for all that is ours, whoever else asks from the same address, and for so much of strangers."""
    connection = scope.get("state", {}).get("connection")
    if connection is None or connection.is_known_alone:
        return True
    caller = caller_of(Request(scope))
    return (caller is not None and caller.is_known) or connection.may_ask(scope["client"])


def _caching(path: str) -> bytes:
    """Return the caching of a path: pages are never stored, style sheets and scripts are revalidated."""
    return b"no-cache" if path.startswith(("/static/", "/parts/", "/cards/")) else b"no-store"


async def _refuse(send: Send, status: HTTPStatus, text: bytes, *more: tuple[bytes, bytes]) -> None:
    headers = [(b"content-type", b"text/plain; charset=utf-8"), *more]
    await send({"type": "http.response.start", "status": int(status), "headers": headers})
    await send({"type": "http.response.body", "body": text})


def _route(scope: Scope) -> str:
    route: Any = scope.get("route")
    return str(getattr(route, "path", "none"))


def _caller_kind(scope: Scope) -> str:
    """Return in which roles somebody asked, or which kind of device did; never who."""
    caller = scope.get("state", {}).get("caller")
    return "+".join(sorted(caller.roles)) if caller is not None and caller.is_known else "anyone"


def _method(scope: Scope) -> str:
    method = str(scope["method"])
    return method if method in ("GET", "POST", "PUT", "DELETE", "HEAD", "OPTIONS") else "other"
