"""The pages of people and of devices: roles, secrets that are set, one-time links, sessions, lock-outs, displays."""

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import partial
from http import HTTPStatus
from typing import Annotated, NamedTuple
from urllib.parse import quote
from zoneinfo import ZoneInfo

from fastapi import APIRouter, Request, Response
from starlette.datastructures import FormData

from pitboss.books import BookState, RefusedError
from pitboss.commands import Command, refuse
from pitboss.reports.render import clock_text
from pitboss.room.displays import DISPLAYS, DisplayRecord, RegisterDisplay, is_bare_only, tables_without_display
from pitboss.room.people.people import PEOPLE, Device, People, SetDevice, SetPerson
from pitboss.room.people.roles import PEOPLE_ROLES, READERS
from pitboss.room.people.vault import ENROLLED, Failures, Session
from pitboss.room.room import Room, room_zone, tables_of
from pitboss.server.auth import Caller, CurrentRoom, allow
from pitboss.server.pages import forms
from pitboss.server.problems import ProblemError
from pitboss.server.views.viewer import Button

_HOW = {"pin": "tapped in at {device}", "password": "signed in", "link": "signed in by a link"}


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


def _session(session: Session, zone: ZoneInfo) -> str:
    how = _HOW.get(session.how, session.how).format(device=session.device)
    return f"{how} {clock_text(session.created, zone)}, last seen {clock_text(session.used, zone)}"


def _line(login: str, people: People, credentials: Credentials, now: int, zone: ZoneInfo) -> PersonLine:
    person = people.people[login]
    secrets = [name for name, is_set in (("password", credentials.password), ("PIN", credentials.pin)) if is_set]
    sessions = sorted(credentials.sessions, key=lambda session: session.created)
    return PersonLine(
        login=login,
        name=person.name,
        roles=", ".join(person.roles),
        boxes={role: role in person.roles for role in PEOPLE_ROLES},
        active=person.active,
        secrets=" and ".join(secrets) or "none yet",
        sessions=tuple(_session(session, zone) for session in sessions),
        locked=tuple(
            f"{row.key.partition(':')[0]} locked until {clock_text(row.until, zone)} after {row.times} failures"
            for row in credentials.failures
            if row.until > now
        ),
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
    "console": ("Dealer's console, a touch screen with a browser", "console", "", ""),
    "device": ("Tabulator of a table, which speaks for itself", "device", "", ""),
    "screen": ("Display with a browser of its own", "display", "screen", ""),
    "monitor-table": ("Bare monitor driven by the table's computer", "display", "monitor", "table"),
    "monitor-server": ("Bare monitor driven by the server", "display", "monitor", "server"),
    "sign": ("Sign that is set by hand", "", "sign", ""),
    "monitor": ("Program that reads the metrics", "monitor", "", ""),
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
    if display is not None:
        driver = f", driven by the {display.display.driven_by}" if display.display.driven_by else ""
        return f"display: {display.display.make}{driver}"
    return "" if device is None else device.what


def _authentication(name: str, device: Device | None, tokens: AbstractSet[str], enrolled: AbstractSet[str]) -> str:
    if device is None:
        return "set by hand"
    ways = [text for text, names in (("a browser is enrolled", enrolled), ("a token", tokens)) if name in names]
    return ", ".join(ways) or "not yet"


def devices_view(state: BookState, tokens: AbstractSet[str], enrolled: AbstractSet[str]) -> DevicesView:
    """Lay out every device and display."""
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
                condition="" if display is None or not active else f"{display.condition}, {display.words}".strip(", "),
                is_bad=display is not None and active and display.condition in ("dark", "stale", "unconfirmed"),
                active=active,
                address=f"/office/devices/{quote(name, safe='')}",
                links=active and device is not None and device.what in ("console", "display"),
                tokens=active and device is not None and device.what != "console",
            )
        )
    missing = tuple(
        f"Table {table} has no display that players can see (J-08, T-04)." for table in tables_without_display(state)
    )
    tables = tuple((table, is_bare_only(state, table)) for table in tables_of(state))
    return DevicesView(tuple(lines), missing, tables, tuple((key, kind[0]) for key, kind in KINDS.items()))


router = APIRouter(include_in_schema=False)
Reader = Annotated[Caller, allow("administrator", "manager", "auditor")]
Administrator = Annotated[Caller, forms.allow_commands(SetPerson)]
MESSAGES = {"added": "Added: now make a one-time link.", "changed": "Changed."}
_PEOPLE = "/office/people"


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
    link: tuple[str, str] | None = None,
) -> Response:
    people = room.access.people
    credentials = {login: _credentials(room, login) for login in people.people}
    context = {
        "people": people_view(people, credentials, room.clock(), room_zone(room.state)),
        "roles": PEOPLE_ROLES,
        "may_change": caller.may(SetPerson),
        "may_read": bool(caller.roles & set(READERS)),
        "link": link,
    }
    return forms.render_form(
        request, "office/people.html", context, problems=problems, messages=MESSAGES, sent=sent, area="people"
    )


@router.get(_PEOPLE)
def people_page(request: Request, caller: Reader, room: CurrentRoom) -> Response:
    """Render everybody."""
    return _people_page(request, room, caller)


def _set(room: Room, caller: Caller, form: FormData, login: str, name: str, *, first: bool) -> str:
    roles = tuple(role for role in PEOPLE_ROLES if role in form.getlist("role"))
    active = first or form.get("active") == "yes"
    person = SetPerson(login=login, name=name, roles=roles, active=active, first=first)
    room.access.set_person(person, caller.by(person.role_order()), id=_id(form, "people"))
    return "added" if first else "changed"


@router.post(_PEOPLE)
def add(request: Request, caller: Administrator, room: CurrentRoom, form: forms.Form) -> Response:
    """Add a person, who comes in by a one-time link."""
    login, name = forms.text_of(form.get("login")), forms.text_of(form.get("name"))
    page = partial(_people_page, request, room, caller, sent=forms.SubmittedForm("add", form))
    return forms.answer(_PEOPLE, lambda: _set(room, caller, form, login, name, first=True), page)


@router.post("/office/people/{login}/{do}")
def act(request: Request, login: str, do: str, caller: Administrator, room: CurrentRoom, form: forms.Form) -> Response:
    """Change somebody's roles, take them off the list, or make them a one-time link, which is shown once."""
    person = room.access.people.people.get(login)
    if person is None or do not in ("change", "link"):
        raise ProblemError(HTTPStatus.NOT_FOUND, [f"there is nobody with login {login!r} to {do}"])
    if do == "change":
        page = partial(_people_page, request, room, caller)
        return forms.answer(_PEOPLE, lambda: _set(room, caller, form, login, person.name, first=False), page)
    try:
        code = room.access.make_link(login, "password", caller.by(SetPerson.spec.roles), id=_id(form, "people"))
    except RefusedError as error:
        return _people_page(request, room, caller, error.problems)
    return _people_page(request, room, caller, link=(person.name, f"{request.base_url}links/{code}"))


DeviceReader = Annotated[Caller, allow("administrator", "supervisor", "manager", "auditor")]
DeviceSetter = Annotated[Caller, forms.allow_commands(SetDevice)]
DEVICE_MESSAGES = {"added": "Registered: now make a one-time link for its browser, or a token.", "gone": "Taken away."}
_DEVICES = "/office/devices"


def _devices_page(
    request: Request,
    room: Room,
    caller: Caller,
    problems: Sequence[str] = (),
    *,
    sent: forms.SubmittedForm | None = None,
    secret: tuple[str, str, str] | None = None,
) -> Response:
    people = room.access.people
    enrolled = {name for name in people.devices if room.access.sessions.of(name, ENROLLED)}
    view = devices_view(room.state, set(room.vault.secrets("token").values()), enrolled)
    context = {
        "view": view,
        "may_change": caller.may(SetDevice),
        "removals": {line.name: _removal_button(room, caller, line.name) for line in view.lines if line.active},
        "secret": secret,
    }
    return forms.render_form(
        request, "office/devices.html", context, problems=problems, messages=DEVICE_MESSAGES, sent=sent, area="device"
    )


@router.get(_DEVICES)
def devices_page(request: Request, caller: DeviceReader, room: CurrentRoom) -> Response:
    """Render every device and display."""
    return _devices_page(request, room, caller)


def _add(room: Room, caller: Caller, form: FormData) -> str:
    """Register a device, and where it is a display also as that, or refuse with all problems."""
    name, table, key = (forms.text_of(form.get(field)) for field in ("name", "table", "kind"))
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
    command_id = _id(form, "device")
    for suffix, command in commands.items():
        room.do(command, caller.by(command.role_order()), id=command_id + suffix)
    return "added"


@router.post(_DEVICES)
def add_device(request: Request, caller: DeviceSetter, room: CurrentRoom, form: forms.Form) -> Response:
    """Register a console, a tabulator or a display at a table."""
    page = partial(_devices_page, request, room, caller, sent=forms.SubmittedForm("add", form))
    return forms.answer(_DEVICES, lambda: _add(room, caller, form), page)


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
        raise ProblemError(HTTPStatus.NOT_FOUND, [f"there is no device {name!r} to {do}"])
    page = partial(_devices_page, request, room, caller)
    if do == "remove":
        return forms.answer(_DEVICES, lambda: _remove(room, caller, name, form), page)
    by, command_id = caller.by(SetDevice.spec.roles), _id(form, "device")
    try:
        if do == "link":
            secret = f"{request.base_url}links/{room.access.make_link(name, 'enrol', by, id=command_id)}"
        else:
            secret = room.access.make_token(name, by, id=command_id)
    except RefusedError as error:
        return page(error.problems)
    return page(secret=(name, do, secret))
