"""The pages of a company as an application, and its server."""

import asyncio
from collections.abc import Callable
from functools import partial
from http import HTTPStatus
from importlib.resources import files
from typing import Any
from urllib.parse import parse_qs

import uvicorn
from fastapi import FastAPI, Request, Response
from fastapi.responses import HTMLResponse, PlainTextResponse, RedirectResponse
from jinja2 import Environment
from starlette.concurrency import run_in_threadpool
from starlette.middleware import Middleware
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pitboss.books import RefusedError
from pitboss.company.password import Door
from pitboss.company.reading import Rooms
from pitboss.company.settings import Company
from pitboss.company.views import company_view, room_view, verify_reading
from pitboss.room.people.passwords import LineFullError
from pitboss.server.connections import BACKLOG, Connection, Connections, Listener, Quiet
from pitboss.server.middleware import is_own_host, security_headers
from pitboss.server.pages.fonts import FONT_PACKAGE, FONTS, icon
from pitboss.server.pages.layout import FOLDER, STATIC, environment
from pitboss.server.settings import Listening, key_warnings, listening_problems

_FORM_BYTES_MAX = 4_096
_OPEN = ("/static/", "/parts/", "/fonts/", "/favicon.ico", "/sign-in", "/livez")
_TOO_OFTEN = "This address asks too often: wait a moment, or sign in.\n"
_WRONG = "That password is wrong, or there were too many tries: wait a quarter of an hour."


class _Guard:
    """Every request: for this host, by somebody who may look, answered with the security headers."""

    def __init__(self, app: ASGIApp, *, door: Door, listening: Listening, cookie: str) -> None:
        self._app, self._door, self._hosts, self._cookie = app, door, listening.hosts, cookie
        self._headers = security_headers(is_secure=listening.is_secure)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                names = {name for name, _ in message.get("headers", ())}
                more = [header for header in self._headers if header[0] not in names]
                more += [] if b"cache-control" in names else [(b"cache-control", b"no-store")]
                message["headers"] = [*message.get("headers", ()), *more]
            await send(message)

        request = Request(scope)
        answer: ASGIApp = self._app
        if not is_own_host(self._hosts, scope):
            answer = PlainTextResponse("This server answers to its own name alone.\n", HTTPStatus.MISDIRECTED_REQUEST)
        elif not self._may_ask(request):
            answer = PlainTextResponse(_TOO_OFTEN, HTTPStatus.TOO_MANY_REQUESTS, {"connection": "close"})
        elif not self._is_allowed(request):
            answer = RedirectResponse("/sign-in", HTTPStatus.SEE_OTHER)
        elif request.method not in ("GET", "HEAD") and request.headers.get("sec-fetch-site", "same-origin") not in (
            "same-origin",
            "none",
        ):
            answer = PlainTextResponse("This was sent by a page of another site.\n", HTTPStatus.FORBIDDEN)
        await answer(scope, receive, send_with_headers)

    def _may_ask(self, request: Request) -> bool:
        """True for who has signed in, who has places of their own from then on, and for so much of strangers."""
        connection = request.scope.get("state", {}).get("connection")
        if connection is None:
            return True
        if self._door.is_in(request.cookies.get(self._cookie)):
            connection.recognize("company")
            return True
        return bool(connection.may_ask(request.scope["client"]))

    def _is_allowed(self, request: Request) -> bool:
        return request.url.path.startswith(_OPEN) or self._door.is_in(request.cookies.get(self._cookie))


def create_company_app(rooms: Rooms, door: Door, listening: Listening) -> FastAPI:
    """Build the application; it has no route that changes a room."""
    cookie = "__Host-pitboss-company" if listening.is_secure else "pitboss-company"
    guard = Middleware(_Guard, door=door, listening=listening, cookie=cookie)
    app = FastAPI(title="Pitboss", docs_url=None, redoc_url=None, openapi_url=None, middleware=[guard])
    app.mount("/static", StaticFiles(directory=STATIC), name="static")
    app.mount("/parts", StaticFiles(directory=FOLDER / "parts"), name="parts")
    _add_pages(app, rooms, door, environment())
    _add_door(app, rooms.company, door, environment(), cookie, is_secure=listening.is_secure)
    return app


def _add_pages(app: FastAPI, rooms: Rooms, door: Door, templates: Environment) -> None:
    def render(request: Request, name: str, view: object) -> HTMLResponse:
        page = templates.get_template(f"company/{name}.html")
        is_dark = request.query_params.get("dark") == "1"
        texts = {"room": rooms.company.name, "path": request.url.path, "seconds": rooms.company.seconds}
        dark = {"body_theme": "pit"} if is_dark else {}
        return HTMLResponse(page.render(**texts, **dark, view=view, is_dark=is_dark, has_password=door.is_locked))

    @app.get("/")
    def company(request: Request) -> Response:
        readings = [rooms.readings[room.name] for room in rooms.company.rooms]
        return render(request, "company", company_view(rooms.company.name, readings, rooms.clock()))

    @app.get("/rooms/{number}")
    def room(request: Request, number: int) -> Response:
        if not 0 <= number < len(rooms.company.rooms):
            return PlainTextResponse("There is no such room.\n", HTTPStatus.NOT_FOUND)
        address = rooms.company.rooms[number]
        return render(request, "room", room_view(number, rooms.readings[address.name], address.url))

    @app.get("/livez")
    def alive() -> Response:
        return PlainTextResponse("ok\n")

    app.add_api_route("/favicon.ico", icon)

    @app.get("/fonts/{name}.ttf")
    def font(name: str) -> Response:
        if name not in FONTS:
            return PlainTextResponse("There is no such font.\n", HTTPStatus.NOT_FOUND)
        return Response(files(FONT_PACKAGE).joinpath("files", f"{name}.ttf").read_bytes(), media_type="font/ttf")


def _add_door(
    app: FastAPI, company: Company, door: Door, templates: Environment, cookie: str, *, is_secure: bool
) -> None:
    def render(problem: str, status: HTTPStatus = HTTPStatus.OK) -> HTMLResponse:
        page = templates.get_template("company/sign_in.html")
        return HTMLResponse(page.render(room=company.name, path="/sign-in", problem=problem), status)

    @app.get("/sign-in")
    def sign_in_page() -> Response:
        return render("")

    @app.post("/sign-in")
    async def sign_in(request: Request) -> Response:
        body = b""
        async for part in request.stream():
            body += part
            if len(body) > _FORM_BYTES_MAX:
                return PlainTextResponse("That is too large.\n", HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
        fields = parse_qs(body.decode("utf-8", "replace"), max_num_fields=4)
        session = await _entered(door, fields.get("password", [""])[0], request)
        if session is None:
            return render(_WRONG, HTTPStatus.FORBIDDEN)
        answer = RedirectResponse("/", HTTPStatus.SEE_OTHER)
        answer.set_cookie(cookie, session, httponly=True, secure=is_secure, samesite="strict", path="/")
        return answer

    @app.post("/sign-out")
    def sign_out(request: Request) -> Response:
        door.leave(request.cookies.get(cookie))
        return RedirectResponse("/sign-in", HTTPStatus.SEE_OTHER)


async def _entered(door: Door, password: str, request: Request) -> str | None:
    try:
        return await run_in_threadpool(door.enter, password, "" if request.client is None else request.client.host)
    except LineFullError:
        return None


def serve_company(company: Company, listening: Listening, tell: Callable[[str], None]) -> None:
    """Serve the page of a company until somebody ends it."""
    problems = listening_problems(listening)
    if company.password_file is None and not listening.is_loopback:
        problems.append("host: without a password the page is for this computer alone: pitboss company password FILE")
    if company.password_file is not None and not company.password_file.is_file():
        problems.append(f"password: there is no file {company.password_file}: pitboss company password makes it")
    if problems:
        raise RefusedError(problems)
    for warning in key_warnings(listening):
        tell(warning)
    rooms, door = Rooms(company, verify=verify_reading), Door(company.password_file)
    registry = Connections(listening)
    config = uvicorn.Config(
        create_company_app(rooms, door, listening),
        host=listening.host,
        port=listening.port,
        ssl_certfile=None if listening.certificate is None else str(listening.certificate),
        ssl_keyfile=None if listening.key is None else str(listening.key),
        server_header=False,
        log_level="warning",
        access_log=False,
        http=type("CompanyConnection", (Connection,), {"registry": registry}),
        loop="asyncio",
        backlog=BACKLOG,
        timeout_graceful_shutdown=5,
        ws="none",
        lifespan="off",
    )
    rooms.start()
    try:
        _Serving(config, registry, lambda port: tell(f"{company.name} is at {listening.address(port)}")).run()
    finally:
        rooms.close()


class _Serving(uvicorn.Server):
    """A server that says where it is when it is, and takes no more connections of strangers than a room does."""

    def __init__(self, config: uvicorn.Config, registry: Connections, ready: Callable[[int], None]) -> None:
        super().__init__(config)
        self._registry, self._ready = registry, ready
        self._listeners: list[Listener] = []

    async def startup(self, sockets: object = None) -> None:
        """Listen, and say so."""
        asyncio.get_running_loop().set_exception_handler(Quiet())
        await super().startup(None)
        if self.started:
            kind: Callable[..., Any] = self.config.http_protocol_class
            make = partial(kind, config=self.config, server_state=self.server_state, app_state={})
            numbers = [listening.fileno() for listening in self.servers[0].sockets]
            self._listeners = [Listener(number, self._registry, make, self.config.ssl) for number in numbers]
            self._ready(self.servers[0].sockets[0].getsockname()[1])

    async def shutdown(self, sockets: object = None) -> None:
        """Take no more connections, then end everything else."""
        for listener in self._listeners:
            listener.close()
        await super().shutdown(None)
