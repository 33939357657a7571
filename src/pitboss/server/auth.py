"""Authenticate the caller, check the role and the CSRF token.

A route takes `Annotated[Caller, allow(...)]`, which declares its roles; `create_app` refuses a route that does not.
"""

import hmac
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from http import HTTPStatus
from typing import Annotated, Any
from urllib.parse import unquote, urlsplit

from fastapi import Depends, FastAPI, Request, Response
from fastapi.dependencies.models import Dependant
from fastapi.routing import APIRoute
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.routing import Mount
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pitboss.books import RefusedError
from pitboss.commands import By, Command
from pitboss.room.people.access import Access
from pitboss.room.people.people import Device, Person
from pitboss.room.people.roles import ANYONE, DEVICE_KINDS, PEOPLE_ROLES, PIN_ROLES
from pitboss.room.people.vault import ENROLLED, PIN, TERMINAL, Session
from pitboss.room.room import Room
from pitboss.server.problems import FactorNeededError, ProblemError, SignInNeededError

_SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})
_FORMS = ("application/x-www-form-urlencoded", "multipart/form-data")
_ROLES = frozenset({ANYONE, *PEOPLE_ROLES, *DEVICE_KINDS})
BODY_BYTES_MAX, _STRANGER_BYTES_MAX = 256_000, 64_000


@dataclass(frozen=True, slots=True)
class Cookies:
    """The names of the cookies; by HTTPS a browser takes them from this server alone."""

    is_secure: bool

    @property
    def session(self) -> str:
        """The cookie of a person."""
        return "__Host-pitboss-session" if self.is_secure else "pitboss-session"

    @property
    def device(self) -> str:
        """The cookie of a browser that is a device."""
        return "__Host-pitboss-device" if self.is_secure else "pitboss-device"

    @property
    def browser(self) -> str:
        """The cookie by which a browser is known in which somebody has signed in before."""
        return "__Host-pitboss-browser" if self.is_secure else "pitboss-browser"


@dataclass(frozen=True, slots=True, kw_only=True)
class Caller:
    """The caller of a route: a person, a device, a person at a device, or nobody."""

    roles: frozenset[str] = frozenset()
    person: Person | None = None
    device: Device | None = None
    session: Session | None = None
    enrolled: Session | None = field(default=None, repr=False)
    address: str = ""
    by_token: bool = False

    @property
    def is_known(self) -> bool:
        """True if the caller is authenticated."""
        return self.person is not None or self.device is not None

    @property
    def name(self) -> str:
        """The name that entries are signed with."""
        if self.person is not None:
            return self.person.name
        return "" if self.device is None else self.device.name

    def by(self, roles: Sequence[str]) -> By:
        """Return who acts, in the first of these roles that they have; refuse where they have none."""
        role = next((role for role in roles if role in self.roles), None)
        if role is None:
            raise RefusedError([f"{self.name} is no {' and no '.join(roles)}"])
        return By(self.name, role, console=self.console)

    @property
    def console(self) -> str | None:
        """The table of the console where they have tapped in by PIN; None where they have not."""
        at_console = self.session is not None and self.session.how == PIN
        return self.device.table if at_console and self.device is not None else None

    def is_elsewhere(self, table: str) -> bool:
        """True if they have tapped in at the console of another table."""
        return self.console not in (None, table)

    def may(self, cls: type[Command]) -> bool:
        """True if one of their roles may ask for a command, whatever the books hold against it now."""
        return bool(self.roles & set(cls.spec.roles))

    @property
    def csrf(self) -> str:
        """The token that forms of this browser send."""
        session = self.session or self.enrolled
        return "" if session is None else session.csrf


def cookies_of(request: Request) -> Cookies:
    """Return the names of the cookies of this server."""
    names: Cookies = request.app.state.cookies
    return names


def caller_of(request: Request) -> Caller | None:
    """Return who asks, also where no route was reached; a token that is nobody's is nobody."""
    caller: Caller | None = getattr(request.state, "caller", None)
    if caller is not None:
        return caller
    try:
        return _identify(request.app.state.room.access, request)
    except ProblemError:
        return None


def identify_again(request: Request) -> Caller | None:
    """Return who follows a stream as they are known now: a token, a role or a device may have gone since."""
    try:
        caller = _identify(request.app.state.room.access, request)
    except ProblemError:
        return None
    return caller if caller.is_known else None


def _identify(access: Access, request: Request) -> Caller:
    """Identify the caller by the token or the cookies of the request."""
    address = "" if request.client is None else request.client.host
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    if scheme:
        if request.headers.get("x-forwarded-proto") == "http":
            raise ProblemError(HTTPStatus.FORBIDDEN, ["A token travels by https alone: change the address. (G-76)"])
        caller = _with_token(access, token.strip() if scheme.lower() == "bearer" else "", address)
        return _without_lacking(request, caller)
    cookies = cookies_of(request)
    enrolled, device = _enrolled(access, request.cookies.get(cookies.device))
    session, person = _signed_in(access, request.cookies.get(cookies.session), device)
    roles = frozenset(() if device is None else (device.what,))
    if session is not None and person is not None:
        roles |= PIN_ROLES & set(person.roles) if session.how == PIN else set(person.roles)
    caller = Caller(roles=roles, person=person, device=device, session=session, enrolled=enrolled, address=address)
    return _without_lacking(request, caller)


def _without_lacking(request: Request, caller: Caller) -> Caller:
    """Return a caller without the roles that need a second factor which they lack, also where anyone may ask."""
    return replace(caller, roles=caller.roles - set(PEOPLE_ROLES)) if _lacks_factor(request, caller) else caller


def _with_token(access: Access, token: str, address: str) -> Caller:
    """Identify the device or the person at a terminal who has a token."""
    if (device := access.device_with(token)) is not None:
        return Caller(roles=frozenset({device.what}), device=device, address=address, by_token=True)
    if (signed := access.at_terminal(token)) is not None:
        session, person = signed
        return Caller(roles=frozenset(person.roles), person=person, session=session, address=address, by_token=True)
    raise ProblemError(HTTPStatus.UNAUTHORIZED, ["this token is nobody's, or has ended: make a new one"])


def _enrolled(access: Access, token: str | None) -> tuple[Session | None, Device | None]:
    session = None if token is None else access.sessions.find(token)
    if session is None or session.how != ENROLLED:
        return None, None
    access.renew(session)
    device = access.people.devices.get(session.subject)
    return (session, device) if device is not None and device.active else (None, None)


def _signed_in(access: Access, token: str | None, device: Device | None) -> tuple[Session | None, Person | None]:
    session = None if token is None else access.sessions.find(token)
    if session is None or session.how in (ENROLLED, TERMINAL):
        return None, None
    # Who tapped in at a console is known there and nowhere else.
    if session.how == PIN and (device is None or device.name != session.device):
        return None, None
    person = access.people.people.get(session.subject)
    return (session, person) if person is not None and person.active else (None, None)


def trace(request: Request, caller: Caller, what: str) -> None:
    """Record what was refused to somebody, or downloaded by them, for the report `access`."""
    page = f"{request.method} {getattr(request.scope.get('route'), 'path', '')}"
    access = request.app.state.room.access
    # A browser whose person has gone asks again and again: strangers who read are written down by the hour.
    is_looking = not caller.is_known and request.method in _SAFE_METHODS
    (access.looks if is_looking else access.traces).add(caller.name, caller.address, what, page)


def _same_origin(request: Request) -> bool:
    """True unless the browser states that a page of another site has sent this."""
    site = request.headers.get("sec-fetch-site")
    if site is not None and site not in ("same-origin", "none"):
        return False
    origin = request.headers.get("origin")
    return origin is None or urlsplit(origin).netloc.lower() == request.headers.get("host", "").lower()


def _media_type(request: Request) -> str:
    return request.headers.get("content-type", "").split(";")[0].strip().lower()


async def _sent_token(request: Request) -> str:
    header = request.headers.get("x-csrf-token")
    if header is not None:
        return header
    if _media_type(request) in _FORMS:
        value = (await request.form()).get("csrf")
        return value if isinstance(value, str) else ""
    return ""


_PLURALS = {"surveillance": "surveillance", "accounting": "accounting"}


def no_access(roles: Iterable[str]) -> str:
    """Return why a page is not for somebody: whom it is for."""
    order = {role: place for place, role in enumerate((*reversed(PEOPLE_ROLES), *DEVICE_KINDS))}
    named = [_PLURALS.get(role, f"{role}s") for role in sorted(roles, key=order.__getitem__)]
    listed = named[0] if len(named) == 1 else f"{', '.join(named[:-1])} and {named[-1]}"
    return f"You don't have access to this page. It's for {listed}."


class Allowed:
    """The dependency of a route: checks the caller's role and, where something changes, the CSRF token."""

    def __init__(
        self, *roles: str, csrf: bool = True, awake: bool = True, pin: bool = True, body: int = BODY_BYTES_MAX
    ) -> None:
        unknown = [role for role in roles if role not in _ROLES]
        if unknown or not roles:
            raise ValueError(f"no roles to declare: {', '.join(unknown) or 'none named'}")
        self.roles = frozenset(roles)
        self._csrf, self._awake, self._pin, self.body = csrf, awake, pin, body

    def admit(self, request: Request) -> Caller:
        """Identify the caller; raise where they may not use the route. For this no byte of a body is read."""
        try:
            caller = _identify(request.app.state.room.access, request)
        except ProblemError:
            trace(request, Caller(address="" if request.client is None else request.client.host), "refused")
            raise
        request.state.caller = caller
        connection = request.scope.get("state", {}).get("connection")
        if caller.is_known and connection is not None:
            connection.recognize(caller.name)
        if ANYONE not in self.roles:
            if not caller.is_known:
                trace(request, caller, "refused")
                raise SignInNeededError
            if _lacks_factor(request, caller):
                raise FactorNeededError
            if not self.roles & caller.roles:
                trace(request, caller, "refused")
                raise ProblemError(HTTPStatus.FORBIDDEN, [no_access(self.roles)])
            if caller.console is not None and (not self._pin or request.url.path.startswith(_OFFICE)):
                trace(request, caller, "refused")
                raise ProblemError(HTTPStatus.FORBIDDEN, [_SIGN_IN])
        if request.method not in _SAFE_METHODS and not caller.by_token and not _same_origin(request):
            trace(request, caller, "refused")
            raise ProblemError(HTTPStatus.FORBIDDEN, ["This was sent by a page of another site."])
        # Where a body is guarded, the same declaration is asked twice for one request.
        request.state.admitted_by = self
        return caller

    async def __call__(self, request: Request) -> Caller:
        """Identify the caller; raise where they may not use the route, or a form is not of this server's pages."""
        is_admitted = getattr(request.state, "admitted_by", None) is self
        caller: Caller = request.state.caller if is_admitted else self.admit(request)
        if request.method not in _SAFE_METHODS and not caller.by_token:
            await self._check_token(request, caller)
        access = request.app.state.room.access
        if self._awake and caller.session is not None:
            access.sessions.touch(caller.session)
        if request.method not in _SAFE_METHODS and caller.session is not None and caller.session.how == TERMINAL:
            assert caller.person is not None
            await run_in_threadpool(access.note_terminal, caller.person, system_user(request.headers))
        return caller

    async def _check_token(self, request: Request, caller: Caller) -> None:
        if self._csrf and caller.is_known:
            sent = (await _sent_token(request)).encode("utf-8", "surrogatepass")
            if not hmac.compare_digest(sent, caller.csrf.encode()):
                trace(request, caller, "refused")
                raise ProblemError(HTTPStatus.FORBIDDEN, ["This form is out of date. Load the page again."])


USER_HEADER = "x-pitboss-user"
"""With it a terminal states who has signed in to its operating system (G-71)."""
_USER_LENGTH_MAX = 60


def system_user(headers: Mapping[str, str]) -> str:
    """Return the user of the operating system as a terminal states it."""
    user = unquote(headers.get(USER_HEADER, "")).strip()
    return user[:_USER_LENGTH_MAX] if user.isprintable() and user else "not stated"


def _lacks_factor(request: Request, caller: Caller) -> bool:
    """True if somebody must set up a second factor before they do anything else; by PIN it is not asked for."""
    if caller.person is None or caller.console is not None:
        return False
    is_way_out = request.url.path.startswith(("/account", "/sign-out", "/api/v1/me"))
    return not is_way_out and bool(request.app.state.room.access.lacks_factor(caller.person))


_OFFICE = "/office"
_SIGN_IN = "A PIN is for the console of its table. Sign in with your password to read the books. (G-49)"


def allow(*roles: str, csrf: bool = True, awake: bool = True, pin: bool = True, body: int = BODY_BYTES_MAX) -> Any:
    """Declare who may use a route; `awake`: using it keeps somebody signed in; `pin`: a PIN is enough for it.

    `body` is how many bytes may be sent to it.
    """
    return Depends(Allowed(*roles, csrf=csrf, awake=awake, pin=pin, body=body))


class BodyTooLargeError(HTTPException):
    """A body is longer than the route takes; the rest of it is not waited for."""

    def __init__(self, limit: int) -> None:
        text = f"That is too large: at most {limit:,} bytes can be sent here."
        super().__init__(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, text, {"connection": "close"})


class _GuardBody:
    """The application of a route: who sends, and how much they may send, is known before a byte is read."""

    def __init__(self, app: ASGIApp, allowed: Allowed) -> None:
        self._app, self._allowed = app, allowed

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope)
        is_known = self._allowed.admit(request).is_known
        limit = self._allowed.body if is_known else min(self._allowed.body, _STRANGER_BYTES_MAX)
        length = request.headers.get("content-length", "0")
        if not length.isdecimal() or len(length) > len(str(limit)) or int(length) > limit:
            raise BodyTooLargeError(limit)
        if not is_known and _media_type(request) == _FORMS[1]:
            # Its parts could be written to the disk.
            raise HTTPException(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, "Sign in before you send a file.")
        count = 0

        async def counted() -> Message:
            nonlocal count
            message = await receive()
            count += len(message.get("body", b""))
            if count > limit:
                raise BodyTooLargeError(limit)
            return message

        await self._app(scope, counted, send)


def guard_bodies(app: FastAPI) -> None:
    """Make every route that takes a body identify its caller before it reads."""
    for route in routes_of(app):
        allowed = allowed_of(route)
        if isinstance(route.app, _GuardBody):
            # The routes are of the package: another application in this process has guarded them.
            continue
        if allowed is not None and (route.methods or set()) - _SAFE_METHODS:
            is_plain = getattr(route.endpoint, _PLAIN, False)
            route.app = _GuardBody(_PlainRoute(route.endpoint, allowed) if is_plain else route.app, allowed)


_PLAIN = "is_plain"
PlainEndpoint = Callable[[Request, "Caller", Room], Awaitable[Response]]


def plain(endpoint: PlainEndpoint) -> PlainEndpoint:
    """Mark what is asked hundreds of times a second: it reads its own body, and FastAPI looks at nothing for it."""
    setattr(endpoint, _PLAIN, True)
    return endpoint


class _PlainRoute:
    """The application of a plain route: the same check of the caller as everywhere, and the endpoint."""

    def __init__(self, endpoint: PlainEndpoint, allowed: Allowed) -> None:
        self._endpoint, self._allowed = endpoint, allowed

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope, receive)
        caller = await self._allowed(request)
        response = await self._endpoint(request, caller, request.app.state.room)
        await response(scope, receive, send)


_OPEN_MOUNTS = frozenset({"static", "parts"})
"""Folders of style sheets, scripts and pictures, which hold nothing of the room."""


class UndeclaredRouteError(RuntimeError):
    """A route that does not say for whom it is: such a server does not start."""


async def _current_room(request: Request) -> Room:
    # Not a plain function: FastAPI would have a thread of its pool call that, for every request.
    room: Room = request.app.state.room
    return room


CurrentRoom = Annotated[Room, Depends(_current_room)]


def routes_of(app: FastAPI) -> Iterator[APIRoute]:
    """Yield every route, without the folders of files."""
    for route in app.routes:
        if isinstance(route, APIRoute):
            yield route


def allowed_of(route: APIRoute) -> Allowed | None:
    """Return the declaration of a route, if it has one."""
    return next((call for call in _calls(route.dependant) if isinstance(call, Allowed)), None)


def roles_by_page(routes: Iterable[object]) -> dict[str, frozenset[str]]:
    """Return by the path of each page who may see it."""
    pages = [route for route in routes if isinstance(route, APIRoute) and "GET" in (route.methods or ())]
    declared = [(route.path, allowed_of(route)) for route in pages]
    return {path: frozenset() if allowed is None else allowed.roles for path, allowed in declared}


def _calls(dependant: Dependant) -> Iterator[Any]:
    for inner in dependant.dependencies:
        yield inner.call
        yield from _calls(inner)


def require_declared_roles(app: FastAPI) -> None:
    """Refuse an app with a route that declares no role, or a kind of route that cannot declare one."""
    wrong = []
    for route in app.routes:
        if isinstance(route, APIRoute):
            if allowed_of(route) is None:
                wrong.append(f"{'/'.join(sorted(route.methods or ()))} {route.path}")
        elif not (isinstance(route, Mount) and route.name in _OPEN_MOUNTS):
            wrong.append(str(getattr(route, "path", route)))
    if wrong:
        raise UndeclaredRouteError(f"no role is declared for: {', '.join(wrong)}")
