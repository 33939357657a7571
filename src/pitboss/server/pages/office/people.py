"""The pages of people and of devices: roles, secrets that are set, one-time links, sessions, lock-outs, displays."""

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import partial
from http import HTTPStatus
from typing import Annotated, NamedTuple
from urllib.parse import quote
from zoneinfo import ZoneInfo

from fastapi import APIRouter, Request, Response
from fastapi.responses import RedirectResponse
from starlette.datastructures import FormData

from pitboss.books import BookState, RefusedError
from pitboss.commands import Command, refuse
from pitboss.room.approvals import is_waiting
from pitboss.room.displays import DISPLAYS, DisplayRecord, RegisterDisplay, is_bare_only, tables_without_display
from pitboss.room.people.people import PEOPLE, AllowLink, Device, People, SetDevice, SetPerson
from pitboss.room.people.roles import PEOPLE_ROLES, READERS
from pitboss.room.people.vault import ENROLLED, Failures, Session
from pitboss.room.room import Room, room_zone, tables_of
from pitboss.server.auth import Caller, CurrentRoom, allow
from pitboss.server.pages import forms
from pitboss.server.problems import ProblemError
from pitboss.server.views.approvals import approval_cards
from pitboss.server.views.formatting import cited, day_text
from pitboss.server.views.links import HandedSecret, handed_link
from pitboss.server.views.paytables import titled
from pitboss.server.views.viewer import Button

_HOW = {"pin": "Tapped in at {device}", "password": "Signed in", "link": "Signed in by link"}


class Credentials(NamedTuple):
    """The credentials of a person in the vault: which secrets are set, the sessions, and failures."""

    password: bool = False
    pin: bool = False
    sessions: tuple[Session, ...] = ()
    failures: tuple[Failures, ...] = ()


class PersonLine(NamedTuple):
    """Somebody who works here, or has."""

    login: str
    name: str
    roles: str
    boxes: dict[str, bool]
    active: bool
    secrets: str
    sessions: tuple[str, ...]
    locked: tuple[str, ...]
    address: str
    journal: str
    link_waits: bool = False


def _session(session: Session, zone: ZoneInfo) -> str:
    how = _HOW.get(session.how, session.how).format(device=session.device)
    return f"{how} {day_text(session.created, zone)}, last seen {day_text(session.used, zone)}"


_SECRETS = {"password": "Password", "pin": "PIN"}


def _locked(row: Failures, zone: ZoneInfo) -> str:
    what = _SECRETS.get(row.key.partition(":")[0], "Sign-in")
    return f"{what} locked until {day_text(row.until, zone)} after {row.times} failures"


def _line(login: str, people: People, credentials: Credentials, now: int, zone: ZoneInfo) -> PersonLine:
    person = people.people[login]
    is_set = {"password": credentials.password, "pin": credentials.pin}
    secrets = [_SECRETS[what] for what, has in is_set.items() if has]
    sessions = sorted(credentials.sessions, key=lambda session: session.used, reverse=True)
    return PersonLine(
        login=login,
        name=person.name,
        roles=", ".join(person.roles),
        boxes={role: role in person.roles for role in PEOPLE_ROLES},
        active=person.active,
        secrets=" and ".join(secrets) or "Not set up",
        sessions=tuple(_session(session, zone) for session in sessions),
        locked=tuple(_locked(row, zone) for row in credentials.failures if row.until > now),
        address=f"/office/people/{quote(login, safe='')}",
        journal=f"/office/audit?actor={quote(person.name)}",
    )


def people_view(
    people: People, credentials: Mapping[str, Credentials], now: int, zone: ZoneInfo
) -> tuple[PersonLine, ...]:
    """List everybody, those who work here first, by name."""
    logins = sorted(
        people.people, key=lambda login: (not people.people[login].active, people.people[login].name.casefold())
    )
    return tuple(_line(login, people, credentials.get(login, Credentials()), now, zone) for login in logins)


KINDS: Mapping[str, tuple[str, str, str, str]] = {
    "console": ("Dealer console", "console", "", ""),
    "device": ("Bet tabulator", "device", "", ""),
    "screen": ("Display with its own browser", "display", "screen", ""),
    "monitor-table": ("Monitor on the table computer", "display", "monitor", "table"),
    "monitor-server": ("Monitor on the server", "display", "monitor", "server"),
    "sign": ("Sign (manual)", "", "sign", ""),
    "monitor": ("Monitoring software", "monitor", "", ""),
}
"""By the value in the form: its label, what device it is, and what display with which driver."""


class DeviceLine(NamedTuple):
    """A device: its name, what it is, where it stands, how it authenticates, and the condition of a display."""

    name: str
    what: str
    table: str
    authentication: str
    condition: str
    is_bad: bool
    active: bool
    address: str
    links: bool
    tokens: bool


class DevicesView(NamedTuple):
    """Every device, what is missing, and what a form offers."""

    lines: tuple[DeviceLine, ...]
    missing: tuple[str, ...]
    tables: tuple[tuple[str, bool], ...]
    kinds: tuple[tuple[str, str], ...]


def _what(device: Device | None, display: DisplayRecord | None) -> str:
    """Return what a device is, in the words of the form that adds one."""
    what = "" if device is None else device.what
    make, driver = ("", "") if display is None else (display.display.make, display.display.driven_by or "")
    for title, kind, kind_make, kind_driver in KINDS.values():
        if (kind_make, kind_driver) == (make, driver) and (kind == what or make):
            return title
    return what or make


def _authentication(name: str, device: Device | None, tokens: AbstractSet[str], enrolled: AbstractSet[str]) -> str:
    if device is None:
        return "Set by hand"
    ways = [text for text, names in (("Browser", enrolled), ("Token", tokens)) if name in names]
    return ", ".join(ways) or "Not connected"


def unused_devices(room: Room) -> list[str]:
    """Return which devices were not used for so long that they must be connected again, now or soon (G-76)."""
    access, now, lines = room.access, room.clock(), []
    for name, ends in access.device_ends().items():
        device = access.people.devices.get(name)
        if device is None or not device.active or ends - now > access.warned:
            continue
        day = day_text(ends, room_zone(room.state))
        way = "token" if device.what == "device" else "one-time link"
        text = f"{name} ended on {day} because it wasn't used" if ends < now else f"{name} ends on {day} unless used"
        lines.append(f"{text}. Connect it, or make a new {way}.")
    return lines


_CONDITIONS = {"unseen": "Not seen yet", "unconfirmed": "Not confirmed"}


def _condition(display: DisplayRecord) -> str:
    words = f": {cited(display.words)[0]}" if display.words else ""
    return f"{_CONDITIONS.get(display.condition, titled(display.condition))}{words}"


def devices_view(
    state: BookState, tokens: AbstractSet[str], enrolled: AbstractSet[str], unused: Sequence[str] = ()
) -> DevicesView:
    """Render every device and display; `unused` is which of them end soon."""
    devices, displays = state.of(PEOPLE).devices, state.of(DISPLAYS)
    lines = []
    for name in dict.fromkeys((*devices, *displays)):
        device, display = devices.get(name), displays.get(name)
        active = (device is None or device.active) and (display is None or display.active)
        lines.append(
            DeviceLine(
                name=name,
                what=_what(device, display),
                table=(device.table if device is not None else "")
                or ("" if display is None else display.display.table),
                authentication=_authentication(name, device, tokens, enrolled),
                condition="" if display is None or not active else _condition(display),
                is_bad=display is not None and active and display.condition in ("dark", "stale", "unconfirmed"),
                active=active,
                address=f"/office/devices/{quote(name, safe='')}",
                links=active and device is not None and device.what in ("console", "display"),
                tokens=active and device is not None and device.what != "console",
            )
        )
    missing = tuple(f"Table {table} needs a display players can see." for table in tables_without_display(state))
    tables = tuple((table, is_bare_only(state, table)) for table in tables_of(state))
    return DevicesView(tuple(lines), (*unused, *missing), tables, tuple((key, kind[0]) for key, kind in KINDS.items()))


router = APIRouter(include_in_schema=False)
Reader = Annotated[Caller, allow("administrator", "manager", "auditor")]
Administrator = Annotated[Caller, forms.allow_commands(SetPerson)]
Decider = Annotated[Caller, forms.allow_commands(SetPerson, approvers=True)]
MESSAGES = {
    "changed": "Saved.",
    "waits": "Submitted for approval by another person.",
    "given": "Approved.",
    "refused": "Declined.",
    "withdrawn": "Request withdrawn.",
}
_PEOPLE = "/office/people"
_REQUESTS = (SetPerson.spec.name, AllowLink.spec.name)


def _id(form: FormData, area: str) -> str:
    return forms.text_of(form.get("command")) or forms.with_id(area)


def _credentials(room: Room, login: str) -> Credentials:
    vault, sessions = room.access.vault, room.access.sessions
    return Credentials(
        password=vault.secret(login, "password") is not None,
        pin=vault.secret(login, "pin") is not None,
        sessions=tuple(session for session in sessions.of(login) if sessions.is_live(session)),
        failures=tuple(failures for failures in vault.failures() if failures.key.partition(":")[2] == login),
    )


def _people_page(
    request: Request,
    room: Room,
    caller: Caller,
    problems: Sequence[str] = (),
    *,
    sent: forms.SubmittedForm | None = None,
    link: HandedSecret | None = None,
) -> Response:
    people = room.access.people
    credentials = {login: _credentials(room, login) for login in people.people}
    lines = people_view(people, credentials, room.clock(), room_zone(room.state))
    context = {
        "people": [line._replace(link_waits=room.access.link_waits(line.login)) for line in lines],
        "waiting": approval_cards(
            room.state, forms.viewer_of(room, caller), everything=True, about=lambda each: each.what in _REQUESTS
        ),
        "roles": PEOPLE_ROLES,
        "may_change": caller.may(SetPerson),
        "may_read": bool(caller.roles & set(READERS)),
        "link": link,
        "parts": ("approval",),
    }
    return forms.render_form(
        request,
        "office/people.html",
        context,
        problems=problems,
        messages=MESSAGES,
        sent=sent,
        area="people",
        field_of=lambda path: path if sent is not None and path in ("name", "login", "roles") else "",
    )


@router.get(_PEOPLE)
def people_page(request: Request, caller: Reader, room: CurrentRoom) -> Response:
    """Render everybody."""
    return _people_page(request, room, caller)


def _set(room: Room, caller: Caller, form: FormData, login: str, name: str, *, first: bool, command: str = "") -> str:
    roles = tuple(role for role in PEOPLE_ROLES if role in form.getlist("role"))
    active = first or form.get("active") == "yes"
    person = SetPerson(login=login, name=name, roles=roles, active=active, first=first)
    answer = room.access.set_person(person, caller.by(person.role_order()), id=command or _id(form, "people"))
    return "waits" if is_waiting(answer) else "changed"


def _login(room: Room, typed: str, name: str) -> str:
    """Return the user name that was typed; else one made of the first name, which nobody else has."""
    if typed or not name:
        return typed
    first = "".join(char for char in name.split(maxsplit=1)[0].lower() if char.isascii() and char.isalnum()) or "user"
    people = room.access.people.people
    return next(login for login in (first, *(f"{first}{number}" for number in range(2, 1_000))) if login not in people)


def _ask_link(room: Room, caller: Caller, ask: AllowLink, command: str) -> str:
    room.do(ask, caller.by(ask.role_order()), id=command)
    return "waits"


def _handed(request: Request, room: Room, caller: Caller, login: str, command: str, text: str) -> HandedSecret:
    """Make a one-time link for somebody, to be shown once."""
    code = room.access.make_link(login, "password", caller.by(SetPerson.spec.roles), id=command)
    name = room.access.people.people[login].name
    return handed_link(name, f"{text} (valid 24 hours, shown only once):", f"{request.base_url}links/{code}")


@router.post(_PEOPLE)
def add(request: Request, caller: Administrator, room: CurrentRoom, form: forms.Form) -> Response:
    """Add a person, and show the one-time link by which they come in."""
    name, command = forms.text_of(form.get("name")), _id(form, "people")
    login = _login(room, forms.text_of(form.get("login")), name)
    try:
        if _set(room, caller, form, login, name, first=True, command=command) == "waits":
            return RedirectResponse(f"{_PEOPLE}?told=waits", HTTPStatus.SEE_OTHER)
        text = f"{name} added. User name: {login}. Send them this link"
        link = _handed(request, room, caller, login, f"{command}-link", text)
    except RefusedError as error:
        return _people_page(request, room, caller, error.problems, sent=forms.SubmittedForm("add", form))
    return _people_page(request, room, caller, link=link)


@router.post("/office/people/requests/{do}")
def decide(request: Request, do: str, caller: Decider, room: CurrentRoom, form: forms.Form) -> Response:
    """Approve a request about people, decline it, or withdraw one's own."""
    forms.require_form(do, forms.APPROVAL_FORMS)
    number, page = forms.number_of(form.get("number")), partial(_people_page, request, room, caller)
    return forms.answer(_PEOPLE, lambda: forms.decide_approval(room, caller, do, number, form), page)


@router.post("/office/people/{login}/{do}")
def act(request: Request, login: str, do: str, caller: Administrator, room: CurrentRoom, form: forms.Form) -> Response:
    """Change somebody's roles, take them off the list, or make them a one-time link, which is shown once."""
    person = room.access.people.people.get(login)
    if person is None or do not in ("change", "link"):
        raise ProblemError(HTTPStatus.NOT_FOUND, [f"there is nobody with login {login!r} to {do}"])
    if do == "change":
        page = partial(_people_page, request, room, caller)
        return forms.answer(_PEOPLE, lambda: _set(room, caller, form, login, person.name, first=False), page)
    if room.access.link_waits(login):
        ask = AllowLink(login=login, words=forms.text_of(form.get("words")))
        page = partial(_people_page, request, room, caller)
        return forms.answer(_PEOPLE, lambda: _ask_link(room, caller, ask, _id(form, "people")), page)
    try:
        link = _handed(request, room, caller, login, _id(form, "people"), f"Link for {person.name}")
    except RefusedError as error:
        return _people_page(request, room, caller, error.problems)
    return _people_page(request, room, caller, link=link)


DeviceReader = Annotated[Caller, allow("administrator", "supervisor", "manager", "auditor")]
DeviceSetter = Annotated[Caller, forms.allow_commands(SetDevice)]
DEVICE_MESSAGES = {"added": "Added.", "gone": "Removed."}
_DEVICES = "/office/devices"


def _devices_page(
    request: Request,
    room: Room,
    caller: Caller,
    problems: Sequence[str] = (),
    *,
    sent: forms.SubmittedForm | None = None,
    secret: HandedSecret | None = None,
) -> Response:
    people = room.access.people
    enrolled = {name for name in people.devices if room.access.sessions.of(name, ENROLLED)}
    tokens = set(room.vault.secrets("token").values())
    view = devices_view(room.state, tokens, enrolled, unused_devices(room))
    context = {
        "view": view,
        "may_change": caller.may(SetDevice),
        "removals": {line.name: _removal_button(room, caller, line.name) for line in view.lines if line.active},
        "secret": secret,
    }
    return forms.render_form(
        request,
        "office/devices.html",
        context,
        problems=problems,
        messages=DEVICE_MESSAGES,
        sent=sent,
        area="device",
        field_of=lambda path: path if sent is not None and path in ("name", "table", "kind") else "",
    )


@router.get(_DEVICES)
def devices_page(request: Request, caller: DeviceReader, room: CurrentRoom) -> Response:
    """Render every device and display."""
    return _devices_page(request, room, caller)


def _add(room: Room, caller: Caller, fields: tuple[str, str, str], command_id: str) -> None:
    """Register a device by kind, name and table, a display also as that; or refuse it with all problems."""
    key, name, table = fields
    if key not in KINDS:
        raise RefusedError([f"kind: {key!r} is none of {', '.join(KINDS)}"])
    _, what, make, driver = KINDS[key]
    commands: dict[str, Command] = {}
    if what:
        commands[""] = SetDevice(name=name, what=what, table=table, first=True)
    if make:
        commands["-display"] = RegisterDisplay(name=name, table=table, make=make, driven_by=driver)  # type: ignore[arg-type]
    problems = [text for command in commands.values() for text in forms.button(room, caller, command).problems]
    if make and not what and name in room.state.of(DISPLAYS):
        problems.append(f"name: {name!r} is taken")
    refuse(dict.fromkeys(problems))
    for suffix, command in commands.items():
        room.do(command, caller.by(command.role_order()), id=command_id + suffix)


def _device_secret(request: Request, room: Room, caller: Caller, name: str, do: str, command: str) -> HandedSecret:
    """Make a one-time link or a token for a device, to be shown once."""
    by = caller.by(SetDevice.spec.roles)
    if do == "token":
        return HandedSecret(name, f"Token of {name} (shown only once):", room.access.make_token(name, by, id=command))
    code = room.access.make_link(name, "enrol", by, id=command)
    text = f"{name}: open this link on that device within 24 hours (shown only once):"
    return handed_link(name, text, f"{request.base_url}links/{code}")


@router.post(_DEVICES)
def add_device(request: Request, caller: DeviceSetter, room: CurrentRoom, form: forms.Form) -> Response:
    """Add a console, a tabulator or a display at a table, and show the link or token that it is connected by."""
    kind, name, table = (forms.text_of(form.get(field)) for field in ("kind", "name", "table"))
    command_id = _id(form, "device")
    try:
        _add(room, caller, (kind, name, table), command_id)
    except RefusedError as error:
        return _devices_page(request, room, caller, error.problems, sent=forms.SubmittedForm("add", form))
    try:
        secret = _first_secret(request, room, caller, name, command_id)
    except RefusedError as error:
        return _devices_page(request, room, caller, error.problems)
    if secret is None:
        return RedirectResponse(f"{_DEVICES}?told=added", HTTPStatus.SEE_OTHER)
    return _devices_page(request, room, caller, secret=secret)


def _first_secret(request: Request, room: Room, caller: Caller, name: str, command: str) -> HandedSecret | None:
    """Make the link or token by which a device is connected; nothing for a sign that is set by hand."""
    device = room.access.people.devices.get(name)
    if device is None or not device.active:
        return None
    do = "link" if device.what in ("console", "display") else "token"
    return _device_secret(request, room, caller, name, do, f"{command}-{do}")


def connect_device(
    request: Request, room: Room, caller: Caller, fields: tuple[str, str, str], command: str
) -> HandedSecret | None:
    """Add a device by kind, name and table where it is not there, and make the link or token that connects it."""
    device = room.access.people.devices.get(fields[1])
    if device is None or not device.active:
        _add(room, caller, fields, command)
    return _first_secret(request, room, caller, fields[1], command)


def _removal(room: Room, name: str) -> tuple[SetDevice | None, RegisterDisplay | None]:
    """Return what removes a device, and the display that it is."""
    device, display = room.access.people.devices.get(name), room.state.of(DISPLAYS).get(name)
    gone = None if device is None or not device.active else device
    dark = None if display is None or not display.active else display.display
    return (
        None if gone is None else SetDevice(name=name, what=gone.what, table=gone.table, active=False, first=False),
        None if dark is None else RegisterDisplay(**dark._asdict(), active=False),
    )


def _removal_button(room: Room, caller: Caller, name: str) -> Button:
    buttons = [forms.button(room, caller, command) for command in _removal(room, name) if command is not None]
    return Button(all(part.is_shown for part in buttons), tuple(text for part in buttons for text in part.problems))


def _remove(room: Room, caller: Caller, name: str, form: FormData) -> str:
    """Remove a device: its token and its enrolled browser end, and a display is no longer registered."""
    (device, display), command_id = _removal(room, name), _id(form, "device")
    if device is not None:
        room.access.set_device(device, caller.by(device.role_order()), id=command_id)
    if display is not None:
        room.do(display, caller.by(display.role_order()), id=f"{command_id}-display")
    return "gone"


@router.post("/office/devices/{name}/{do}")
def act_on(request: Request, name: str, do: str, caller: DeviceSetter, room: CurrentRoom, form: forms.Form) -> Response:
    """Make a one-time link or a token, each shown once, or remove a device."""
    exists = name in room.access.people.devices or name in room.state.of(DISPLAYS)
    if not exists or do not in ("link", "token", "remove"):
        raise ProblemError(HTTPStatus.NOT_FOUND, [f"No device {name}."])
    page = partial(_devices_page, request, room, caller)
    if do == "remove":
        return forms.answer(_DEVICES, lambda: _remove(room, caller, name, form), page)
    try:
        secret = _device_secret(request, room, caller, name, do, _id(form, "device"))
    except RefusedError as error:
        return page(error.problems)
    return page(secret=secret)
