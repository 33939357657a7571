"""What every request passes: security headers with the check of its host, the count of requests, the room's locale."""

from collections.abc import Iterable
from http import HTTPStatus
from typing import Any

from prometheus_client import Counter
from starlette.datastructures import MutableHeaders
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pitboss.room.room import Room, room_locale
from pitboss.server.auth import trace
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
_HEADERS_MAX = 100
_A_YEAR = 365 * 24 * 60 * 60


class SecurityHeaders:
    """Middleware of the plainest kind, which does not stand in the way of streams."""

    def __init__(self, app: ASGIApp, *, is_secure: bool, hosts: Iterable[str] | None) -> None:
        self._app = app
        self._hosts = None if hosts is None else frozenset(hosts)
        strict = (("strict-transport-security", f"max-age={_A_YEAR}"),) if is_secure else ()
        self._headers = _ALWAYS + strict

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Respond with every header, or refuse a request for another host."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in self._headers:
                    headers.setdefault(name, value)
                headers.setdefault("cache-control", _caching(scope["path"]))
            await send(message)

        if len(scope["headers"]) > _HEADERS_MAX:
            await _refuse(send_with_headers, HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE, _TOO_MANY)
            return
        if not self._is_ours(scope):
            await _refuse(send_with_headers, HTTPStatus.MISDIRECTED_REQUEST, _NOT_OURS)
            return
        await self._app(scope, receive, send_with_headers)

    def _is_ours(self, scope: Scope) -> bool:
        if self._hosts is None:
            return True
        hosts = [value.decode("latin-1") for name, value in scope["headers"] if name == b"host"]
        if len(hosts) != 1:
            return False
        host = (hosts[0].rsplit(":", 1)[0] if not hosts[0].endswith("]") else hosts[0]).lower()
        # A certificate may name every host of a domain at once.
        return host in self._hosts or f"*.{host.partition('.')[2]}" in self._hosts


def _caching(path: str) -> str:
    """Return the caching of a path: pages are never stored, style sheets and scripts are revalidated."""
    return "no-cache" if path.startswith(("/static/", "/parts/", "/cards/")) else "no-store"


async def _refuse(send: Send, status: HTTPStatus, text: bytes) -> None:
    headers = [(b"content-type", b"text/plain; charset=utf-8")]
    await send({"type": "http.response.start", "status": int(status), "headers": headers})
    await send({"type": "http.response.body", "body": text})


class CountRequests:
    """Middleware that counts requests by route, not by path: a path may hold anything."""

    def __init__(self, app: ASGIApp, *, requests: Counter) -> None:
        self._app, self._requests = app, requests

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request and count it when the answer begins."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def counted(message: Message) -> None:
            if message["type"] == "http.response.start":
                self._requests.labels(_method(scope), _route(scope), str(message["status"])).inc()
                if message["status"] == 200 and any(name == b"content-disposition" for name, _ in message["headers"]):
                    request = Request(scope)
                    trace(request, request.state.caller, "download")
            await send(message)

        await self._app(scope, receive, counted)


def _route(scope: Scope) -> str:
    route: Any = scope.get("route")
    return str(getattr(route, "path", "none"))


def _method(scope: Scope) -> str:
    method = str(scope["method"])
    return method if method in ("GET", "POST", "PUT", "DELETE", "HEAD", "OPTIONS") else "other"


class LocaleMiddleware:
    """Middleware that formats the response to a request in the room's locale."""

    def __init__(self, app: ASGIApp, *, room: Room) -> None:
        self._app, self._room = app, room

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Set the locale, and go on."""
        if scope["type"] == "http":
            set_locale(room_locale(self._room.state))
        await self._app(scope, receive, send)
