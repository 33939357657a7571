"""The pages of signing in: by name and password, by a one-time link, at a console by PIN; and one's own secrets."""

from collections.abc import Sequence
from http import HTTPStatus
from typing import Annotated, Any, NamedTuple
from urllib.parse import quote

from fastapi import APIRouter, Form, Request, Response
from fastapi.responses import RedirectResponse
from markupsafe import Markup

from pitboss.books import ROOM, RefusedError
from pitboss.commands import refuse
from pitboss.commands.command import SYSTEM_ACTOR
from pitboss.room.people.access import LINK_ENDED, SignInRefusedError, Started
from pitboss.room.people.passwords import PASSWORD_LENGTH_MIN
from pitboss.room.people.people import Device
from pitboss.room.people.roles import ANYONE, PEOPLE_ROLES
from pitboss.room.room import room_zone
from pitboss.server.auth import Caller, CurrentRoom, allow, cookies_of
from pitboss.server.pages.layout import render
from pitboss.server.problems import ProblemError
from pitboss.server.views.formatting import day_text
from pitboss.server.views.links import qr_picture
from pitboss.server.views.shell import home_of_roles
from pitboss.server.views.table_state import dealer_at

router = APIRouter(include_in_schema=False)
_LONGEST = 400 * 24 * 60 * 60
"""Browsers keep no cookie longer than so many seconds."""

_WRONG_PIN = "Wrong PIN. After too many tries, wait 5 minutes or ask a supervisor."
"""Whether the PIN was wrong or a lock-out held is not disclosed."""

ANYBODY, PERSON = allow(ANYONE, csrf=False), allow(*PEOPLE_ROLES)
Anyone = Annotated[Caller, ANYBODY]
Person = Annotated[Caller, PERSON]
AtConsole = Annotated[Caller, allow("console")]
Text = Annotated[str, Form(max_length=1_000)]


def set_cookie(request: Request, response: Response, started: Started) -> None:
    """Set the cookie of a session: not for scripts, not for other sites, by HTTPS only except on loopback."""
    cookies = cookies_of(request)
    is_device = started.session.how == "enrolled"
    response.set_cookie(
        cookies.device if is_device else cookies.session,
        started.token,
        max_age=_LONGEST if is_device else None,
        path="/",
        secure=cookies.is_secure,
        httponly=True,
        samesite="lax",
    )


def local_path(path: str) -> str:
    """Where to go after signing in: a page of this server, whatever a link says."""
    plain = path.startswith("/") and not path.startswith(("//", "/\\")) and path.isprintable()
    return path if plain else "/"


def home_of(device: Device) -> str:
    """The page that a device shows."""
    if device.what == "console":
        return "/tap"
    return f"/tables/{quote(device.table, safe='')}/vision" if device.what == "display" and device.table else "/"


def keep_enrolled(request: Request, response: Response) -> None:
    """Renew the cookie of an enrolled browser: browsers forget one that is a year old."""
    caller: Caller = request.state.caller
    token = request.cookies.get(cookies_of(request).device)
    if caller.enrolled is not None and token is not None:
        set_cookie(request, response, Started(token, caller.enrolled))


def begin_session(request: Request, started: Started, path: str = "/") -> Response:
    """Set the cookie of a session that has begun and go to a page; from the front page on to where the role begins."""
    room, target = request.app.state.room, "/account" if started.has_new_link else local_path(path)
    person = room.access.people.people.get(started.session.subject)
    if target == "/" and person is not None and started.session.how != "enrolled":
        target = home_of_roles(room.state, person.name, frozenset(person.roles))
    answer = RedirectResponse(target, HTTPStatus.SEE_OTHER)
    set_cookie(request, answer, started)
    if started.browser:
        cookies = cookies_of(request)
        is_secure = cookies.is_secure
        answer.set_cookie(
            cookies.browser, started.browser, _LONGEST, path="/", secure=is_secure, httponly=True, samesite="lax"
        )
    return answer


def _again(request: Request, page: str, problems: Sequence[str], status: HTTPStatus, **context: Any) -> Response:
    """Render a page with its problems, each at the field that it names before a colon, or in a list."""
    fields: dict[str, list[str]] = {}
    for problem in problems:
        name, colon, text = problem.partition(": ")
        named = bool(colon) and name.isidentifier()
        fields.setdefault(name if named else "", []).append(text if named else problem)
    usual = {"problems": fields.pop("", []), "at_field": {name: " ".join(texts) for name, texts in fields.items()}}
    return render(request, f"sign_in/{page}.html", {**usual, **context}, status=status)


@router.get("/sign-in", dependencies=[ANYBODY])
def sign_in_page(request: Request, next: str = "/") -> Response:  # noqa: A002
    """Show the form for name and password."""
    context = {"login": "", "next": local_path(next), "with_code": request.app.state.room.access.uses_factors}
    return _again(request, "sign_in", (), HTTPStatus.OK, **context)


@router.post("/sign-in")
def sign_in(
    request: Request,
    caller: Anyone,
    room: CurrentRoom,
    login: Text,
    password: Text,
    next: Text = "/",  # noqa: A002
    code: Text = "",
) -> Response:
    """Sign in by name and password, and the code of a second factor where there is one."""
    browser = request.cookies.get(cookies_of(request).browser, "")
    try:
        name = login.strip().lower()
        started = room.access.sign_in(name, password, address=caller.address, code=code, browser=browser)
    except SignInRefusedError as error:
        context = {"login": login, "next": local_path(next), "with_code": room.access.uses_factors}
        return _again(request, "sign_in", [f"password: {error}"], HTTPStatus.FORBIDDEN, **context)
    if caller.session is not None:
        room.access.sign_out(caller.session, address=caller.address)
    return begin_session(request, started, next)


@router.post("/sign-out")
def sign_out(request: Request, caller: Person, room: CurrentRoom) -> Response:
    """Sign out, or tap out where one tapped in."""
    assert caller.session is not None
    room.access.sign_out(caller.session, address=caller.address)
    answer = RedirectResponse("/sign-in" if caller.device is None else "/tap", HTTPStatus.SEE_OTHER)
    answer.delete_cookie(cookies_of(request).session, path="/", secure=cookies_of(request).is_secure, httponly=True)
    return answer


@router.get("/links/{code}", dependencies=[ANYBODY])
def link_page(request: Request, code: str, room: CurrentRoom) -> Response:
    """Show what a one-time link is for; looking does not use it up."""
    link = room.access.link(code)
    if link is None:
        raise ProblemError(HTTPStatus.NOT_FOUND, [LINK_ENDED])
    return _link(request, room, link.purpose, link.subject, (), HTTPStatus.OK)


def _link(
    request: Request, room: CurrentRoom, purpose: str, subject: str, problems: Sequence[str], status: HTTPStatus
) -> Response:
    person = room.access.people.people.get(subject)
    context = {
        "purpose": purpose,
        "name": subject if person is None else person.name,
        "login": subject,
        "least": PASSWORD_LENGTH_MIN,
        "only_deals": person is not None and person.only_deals,
        "may_tap_in": person is not None and person.taps_in,
    }
    return _again(request, "link", problems, status, **context)


@router.post("/links/{code}")
def use_link(
    request: Request,
    code: str,
    caller: Anyone,
    room: CurrentRoom,
    password: Text = "",
    again: Text = "",
    pin: Text = "",
    pin_again: Text = "",
) -> Response:
    """Use a one-time link: choose a password or a PIN, sign in, or make this browser a device."""
    link = room.access.link(code)
    if link is None:
        raise ProblemError(HTTPStatus.NOT_FOUND, [LINK_ENDED])
    if link.purpose == "enrol":
        started = room.access.enrol(code, address=caller.address)
        return begin_session(request, started, home_of(room.access.device(started.session.subject)))
    try:
        if link.purpose == "password":
            refuse(_differing(password, again, pin, pin_again))
        started = room.access.use_link(code, address=caller.address, password=password, pin=pin)
        # The first person of a new room is led to what is missing.
        return begin_session(request, started, "/office/start" if room.state.of(ROOM) is None else "/")
    except RefusedError as error:
        status = HTTPStatus.UNPROCESSABLE_ENTITY
        return _link(request, room, link.purpose, link.subject, error.problems, status)


def _differing(password: str, again: str, pin: str, pin_again: str) -> list[str]:
    """Return which secrets were not typed alike twice."""
    problems = ["again: The passwords don't match."] if password != again else []
    return [*problems, "pin_again: The PINs don't match."] if pin != pin_again else problems


@router.get("/tap")
def tap_page(request: Request, caller: AtConsole, room: CurrentRoom) -> Response:
    """Show the form for the PIN of the next dealer."""
    return _tap(request, caller, room, (), HTTPStatus.OK)


def _tap(
    request: Request, caller: Caller, room: CurrentRoom, problems: Sequence[str], status: HTTPStatus, chosen: str = ""
) -> Response:
    assert caller.device is not None
    people = room.access.people
    dealers = {person.login: person.name for role in ("dealer", "supervisor") for person in people.with_role(role)}
    dealing = dealer_at(room.state, caller.device.table)
    context = {"table": caller.device.table, "dealers": dealers, "dealing": dealing}
    return _again(request, "tap", problems, status, chosen=chosen, **context)


@router.post("/tap")
def tap(request: Request, caller: AtConsole, room: CurrentRoom, login: Text, pin: Text) -> Response:
    """Tap in by PIN; whoever dealt here before is relieved."""
    assert caller.device is not None
    try:
        started = room.tap_in(caller.device, login, pin, address=caller.address)
    except SignInRefusedError:
        return _tap(request, caller, room, [_WRONG_PIN], HTTPStatus.FORBIDDEN, login)
    return begin_session(request, started, f"/tables/{quote(caller.device.table, safe='')}/console")


@router.get("/account", dependencies=[PERSON])
def account_page(request: Request) -> Response:
    """Show the caller's account, with forms for password and PIN."""
    return _account(request, (), HTTPStatus.OK)


def _links(request: Request) -> list[str]:
    """Return which sign-in links were made for the caller, newest first: who has one signs in as them (G-68)."""
    room, caller = request.app.state.room, request.state.caller
    links = room.access.people.links.get(caller.person.login, ())
    zone = room_zone(room.state)
    makers = {SYSTEM_ACTOR.name: "Pitboss"}
    return [
        f"{makers.get(link.by, link.by)} made a sign-in link for you on {day_text(link.at, zone)}."
        for link in reversed(links)
    ]


class Factor(NamedTuple):
    """The second factor of an account: whether it is set up or must be; an app's key, its link and picture."""

    is_set: bool
    is_needed: bool
    key: str = ""
    address: str = ""
    picture: Markup = Markup("")


def _factor(request: Request) -> Factor:
    room, person = request.app.state.room, request.state.caller.person
    is_needed = bool(room.access.factor_roles & set(person.roles))
    if room.access.has_factor(person.login) or request.state.caller.console is not None:
        return Factor(is_set=True, is_needed=is_needed)
    key = room.access.new_factor(person.login)
    issuer = quote(room.name or "Pitboss", safe="")
    address = f"otpauth://totp/{issuer}:{quote(person.login, safe='')}?secret={key}&issuer={issuer}"
    return Factor(is_set=False, is_needed=is_needed, key=key, address=address, picture=qr_picture(address))


@router.post("/account/factor")
def change_factor(request: Request, caller: Person, room: CurrentRoom, current: Text, code: Text = "") -> Response:
    """Set up the second factor by its first code, or take it away; the password says that it is oneself."""
    assert caller.person is not None
    login, by = caller.person.login, caller.by(PEOPLE_ROLES)
    if not room.access.confirms(login, current, address=caller.address):
        return _account(request, ["current: That isn't your current password."], HTTPStatus.FORBIDDEN, form="factor")
    try:
        if room.access.has_factor(login):
            room.access.drop_factor(login, by)
            return _account(request, (), HTTPStatus.OK, message="Two-step sign-in is off.")
        room.access.set_factor(login, code, by, here=caller.session)
    except RefusedError as error:
        return _account(request, error.problems, HTTPStatus.UNPROCESSABLE_ENTITY, form="factor")
    return _account(request, (), HTTPStatus.OK, message="Two-step sign-in is on.")


def _account(
    request: Request,
    problems: Sequence[str],
    status: HTTPStatus,
    message: str = "",
    form: str = "password",
    token: str = "",
) -> Response:
    details: dict[str, Any] = {"message": message, "least": PASSWORD_LENGTH_MIN, "refused": form, "token": token}
    details["links"] = _links(request)
    details["factor"] = _factor(request)
    return _again(request, "account", problems, status, **details)


@router.post("/account/password")
def change_password(
    request: Request, caller: Person, room: CurrentRoom, current: Text, password: Text, again: Text
) -> Response:
    """Change one's password; everybody signed in under one's name is signed out, oneself here is not."""
    assert caller.person is not None
    login = caller.person.login
    if not room.access.confirms(login, current, address=caller.address):
        return _account(request, ["current: That isn't your current password."], HTTPStatus.FORBIDDEN)
    try:
        if password != again:
            raise RefusedError(["again: The passwords don't match."])  # noqa: TRY301 - told with the others
        room.access.set_password(login, password, caller.by(PEOPLE_ROLES))
    except RefusedError as error:
        return _account(request, error.problems, HTTPStatus.UNPROCESSABLE_ENTITY)
    # Who has just said their password and chosen another one is not asked for a code again.
    return begin_session(request, room.access.begin_again(login, address=caller.address), "/account")


@router.post("/account/token")
def make_terminal_token(request: Request, caller: Person, room: CurrentRoom, current: Text) -> Response:
    """Make the token with which one acts at the terminal; the password says that it is oneself."""
    assert caller.person is not None
    login = caller.person.login
    if not room.access.confirms(login, current, address=caller.address):
        return _account(request, ["current: That isn't your current password."], HTTPStatus.FORBIDDEN, form="token")
    token = room.access.make_terminal_token(login, caller.by(PEOPLE_ROLES))
    return _account(request, (), HTTPStatus.OK, token=token)


@router.post("/account/pin")
def change_pin(request: Request, caller: Person, room: CurrentRoom, current: Text, pin: Text) -> Response:
    """Choose the PIN for the consoles; the password says that it is oneself."""
    assert caller.person is not None
    login = caller.person.login
    if not room.access.confirms(login, current, address=caller.address):
        return _account(request, ["current: That isn't your current password."], HTTPStatus.FORBIDDEN, form="pin")
    if not caller.person.taps_in:
        return _account(request, ["A console PIN is for dealers and supervisors."], HTTPStatus.FORBIDDEN)
    try:
        room.access.set_pin(login, pin, caller.by(PEOPLE_ROLES))
    except RefusedError as error:
        return _account(request, error.problems, HTTPStatus.UNPROCESSABLE_ENTITY, form="pin")
    return _account(request, (), HTTPStatus.OK, message="PIN changed.")
