"""The people and devices of a room as a fold over its journal, and what speaks against changing them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, ClassVar, Literal, NamedTuple, TypeAlias, TypeVar, get_args

from pitboss.books import BookState, Entry, Payload, Projection, register_kinds
from pitboss.commands import By, Command, Now, command, refuse
from pitboss.room.people.roles import DEVICE_KINDS, PEOPLE_ROLES, roles_problems

How: TypeAlias = Literal["password", "pin", "link"]
SecretKind: TypeAlias = Literal["password", "pin", "link", "token"]
T = TypeVar("T", bound="_Said")


class _Said:
    """A payload whose JSON has the fields of its value, lists for tuples."""

    __slots__ = ()
    KIND: ClassVar[str]

    @property
    def kind(self) -> str:
        """The kind of its entries."""
        return self.KIND

    def to_json(self) -> dict[str, Any]:
        """Write every field."""
        return {name: list(value) if isinstance(value, tuple) else value for name, value in _items(self)}


def _items(value: Any) -> list[tuple[str, Any]]:
    return [(field.name, getattr(value, field.name)) for field in fields(value) if field.name != "first"]


def _read_entry(cls: type[T], said: dict[str, Any], **more: Any) -> T:
    return cls(**{name: tuple(each) if isinstance(each, list) else each for name, each in said.items()}, **more)


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonSet(_Said):
    """A person added to the room, or changed: the name that entries are signed with, and the roles."""

    KIND: ClassVar[str] = "person-changed"
    login: str
    name: str
    roles: tuple[str, ...]
    active: bool
    first: bool

    @property
    def kind(self) -> str:
        """The kind of its entries."""
        return "person-added" if self.first else "person-changed"


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviceSet(_Said):
    """A device added to the room, or changed: what it is, and the table it stands at."""

    KIND: ClassVar[str] = "device-changed"
    name: str
    what: str
    table: str
    active: bool
    first: bool

    @property
    def kind(self) -> str:
        """The kind of its entries."""
        return "device-added" if self.first else "device-changed"


@dataclass(frozen=True, slots=True, kw_only=True)
class SecretChanged(_Said):
    """The password, PIN, one-time link or token of a person or device was made anew; which it is stands nowhere."""

    KIND: ClassVar[str] = "secret-changed"
    subject: str
    what: SecretKind

    def __post_init__(self) -> None:
        """Refuse what is no secret."""
        if self.what not in get_args(SecretKind):
            raise ValueError(f"{self.what!r} is no kind of secret")


@dataclass(frozen=True, slots=True, kw_only=True)
class SignedIn(_Said):
    """A person has signed in: how, and from which address or device."""

    KIND: ClassVar[str] = "signed-in"
    login: str
    how: How
    address: str
    device: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SignedOut(_Said):
    """A person has signed out, or was signed out by somebody."""

    KIND: ClassVar[str] = "signed-out"
    login: str
    address: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SignInsRefused(_Said):
    """Sign-ins that were refused to an address within a minute, together; only names of people we know are kept."""

    KIND: ClassVar[str] = "sign-ins-refused"
    address: str
    count: int
    logins: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class LockedOut(_Said):
    """A person was locked out after failures, for so many seconds (M-10)."""

    KIND: ClassVar[str] = "locked-out"
    login: str
    address: str
    failures: int
    seconds: int


@dataclass(frozen=True, slots=True, kw_only=True)
class DealerTapped(_Said):
    """A dealer has tapped in at a table, where whoever dealt before is relieved; or tapped out."""

    KIND: ClassVar[str] = "dealer-tapped-in"
    login: str
    device: str
    inward: bool

    @property
    def kind(self) -> str:
        """The kind of its entries."""
        return "dealer-tapped-in" if self.inward else "dealer-tapped-out"


def _read_person(kind: str, said: dict[str, Any]) -> Payload:
    return _read_entry(PersonSet, said, first=kind == "person-added")


def _read_device(kind: str, said: dict[str, Any]) -> Payload:
    return _read_entry(DeviceSet, said, first=kind == "device-added")


def _read_tapped(_: str, said: dict[str, Any]) -> Payload:
    return _read_entry(DealerTapped, said)


_PLAIN: dict[str, type[_Said]] = {
    each.KIND: each for each in (SecretChanged, SignedIn, SignedOut, SignInsRefused, LockedOut)
}


def _read_plain(kind: str, said: dict[str, Any]) -> Payload:
    return _read_entry(_PLAIN[kind], said)


register_kinds(["person-added", "person-changed"], _read_person)
register_kinds(["device-added", "device-changed"], _read_device)
register_kinds(["dealer-tapped-in", "dealer-tapped-out"], _read_tapped)
register_kinds(list(_PLAIN), _read_plain)


_LOGIN = re.compile(r"[a-z0-9](?:[a-z0-9.-]{0,30}[a-z0-9])?")
_NAME_LENGTH_MAX = 60
_RESERVED = "pitboss"


class Person(NamedTuple):
    """Somebody who works here: what they type to sign in, the name that entries are signed with, roles."""

    login: str
    name: str
    roles: tuple[str, ...]
    active: bool


class Device(NamedTuple):
    """A device or display: its name, what it is, the table it stands at (empty where it stands at none)."""

    name: str
    what: str
    table: str
    active: bool


class People(NamedTuple):
    """Everybody by login, every device by name, and who deals at each table."""

    people: Mapping[str, Person]
    devices: Mapping[str, Device]
    dealing: Mapping[str, str]

    def named(self, name: str) -> Person | None:
        """Find a person by the name that entries are signed with."""
        folded = name.casefold()
        return next((person for person in self.people.values() if person.name.casefold() == folded), None)

    def with_role(self, role: str) -> tuple[Person, ...]:
        """The active people who have a role."""
        return tuple(person for person in self.people.values() if person.active and role in person.roles)

    def dealer_at(self, table: str) -> Person | None:
        """Return who deals at a table now."""
        return self.people.get(self.dealing.get(table, ""))


EMPTY = People({}, {}, {})


def _text_problems(what: str, text: str) -> Iterator[str]:
    if not text.strip() or text != text.strip() or not text.isprintable() or len(text) > _NAME_LENGTH_MAX:
        yield f"{what}: {text!r} must be printable text in one line, at most {_NAME_LENGTH_MAX} characters"


def person_problems(state: People, value: PersonSet) -> list[str]:
    """Return everything that speaks against adding or changing a person."""
    problems = [*_text_problems("name", value.name), *roles_problems(value.roles)]
    if not _LOGIN.fullmatch(value.login):
        problems.append(f"login: {value.login!r} must be small letters, digits, dots and hyphens, at most 32")
    registered = state.people.get(value.login)
    if value.first == (registered is not None):
        problems.append(f"login: {value.login!r} is {'taken' if value.first else 'nobody'}")
    namesake = state.named(value.name)
    reserved = {_RESERVED, *(name.casefold() for name in state.devices)}
    if value.name.casefold() in reserved or (namesake is not None and namesake.login != value.login):
        problems.append(f"name: {value.name!r} is taken: entries are signed with it")
    if registered is not None and registered.name != value.name:
        problems.append(f"name: entries are signed {registered.name!r}: a name stays")
    left = {person.login for person in state.with_role("administrator")} - {value.login}
    keeps = value.active and "administrator" in value.roles
    if registered is not None and "administrator" in registered.roles and not left and not keeps:
        problems.append(f"{value.name} is the last administrator")
    return problems


def device_problems(state: People, value: DeviceSet) -> list[str]:
    """Return everything that speaks against adding or changing a device."""
    problems = list(_text_problems("name", value.name))
    if value.what not in DEVICE_KINDS:
        problems.append(f"what: {value.what!r} is none; there are: {', '.join(DEVICE_KINDS)}")
    if value.table:
        problems += _text_problems("table", value.table)
    elif value.what in ("device", "console"):
        problems.append(f"table: a {value.what} stands at a table")
    registered = state.devices.get(value.name)
    if value.first == (registered is not None):
        problems.append(f"name: {value.name!r} is {'taken' if value.first else 'no device'}")
    if value.first and (value.name.casefold() == _RESERVED or state.named(value.name) is not None):
        problems.append(f"name: {value.name!r} is taken: entries are signed with it")
    if registered is not None and registered.what != value.what:
        problems.append(f"what: {value.name} is a {registered.what} and stays one")
    return problems


def _fold(state: People, entry: Entry, value: Payload) -> People:
    if isinstance(value, PersonSet):
        person = Person(value.login, value.name, value.roles, value.active)
        return state._replace(people={**state.people, value.login: person})
    if isinstance(value, DeviceSet):
        device = Device(value.name, value.what, value.table, value.active)
        return state._replace(devices={**state.devices, value.name: device})
    if isinstance(value, DealerTapped):
        others = {table: login for table, login in state.dealing.items() if table != entry.table}
        return state._replace(dealing=others | ({entry.table: value.login} if value.inward else {}))
    return state


def _write(state: People) -> dict[str, Any]:
    return {
        "people": [[*each[:2], list(each.roles), each.active] for each in state.people.values()],
        "devices": [list(each) for each in state.devices.values()],
        "dealing": dict(state.dealing),
    }


def _read(said: dict[str, Any]) -> People:
    people = [Person(login, name, tuple(roles), active) for login, name, roles, active in said["people"]]
    devices = [Device(*each) for each in said["devices"]]
    return People({each.login: each for each in people}, {each.name: each for each in devices}, said["dealing"])


PEOPLE: Projection[People] = Projection(name="people", empty=EMPTY, fold=_fold, write=_write, read=_read)


_SETTERS = ("administrator", "system")


@command("people/set", roles=_SETTERS, is_exposed=False)
@dataclass(frozen=True, slots=True, kw_only=True)
class SetPerson(Command):
    """Add a person, or change their roles and whether they still work here."""

    login: str
    name: str
    roles: tuple[str, ...]
    active: bool = True
    first: bool

    def entries(self, now: Now, by: By) -> list[Payload]:
        """Return the person as they are from now on."""
        value = PersonSet(login=self.login, name=self.name, roles=self.roles, active=self.active, first=self.first)
        refuse(person_problems(now.state.of(PEOPLE), value))
        return [value]


@command("devices/set", roles=_SETTERS, is_exposed=False)
@dataclass(frozen=True, slots=True, kw_only=True)
class SetDevice(Command):
    """Add a device, or change where it stands and whether it is still there."""

    name: str
    what: str
    table: str
    active: bool = True
    first: bool

    def entries(self, now: Now, by: By) -> list[Payload]:
        """Return the device as it is from now on."""
        value = DeviceSet(name=self.name, what=self.what, table=self.table, active=self.active, first=self.first)
        refuse(device_problems(now.state.of(PEOPLE), value))
        return [value]

    def table_name(self, state: BookState) -> str:
        """A device belongs to the room."""
        return ""


@command("people/secret", roles=(*PEOPLE_ROLES, "device", "system"), is_exposed=False)
@dataclass(frozen=True, slots=True, kw_only=True)
class RecordSecret(Command):
    """Journal that a password, PIN, token or link was made; the secret itself never is."""

    subject: str
    what: SecretKind
    table: str = ""

    def entries(self, now: Now, by: By) -> list[Payload]:
        """Return whose secret of which kind was made."""
        return [SecretChanged(subject=self.subject, what=self.what)]


@command("people/session", roles=(*PEOPLE_ROLES, "system"), is_exposed=False)
@dataclass(frozen=True, slots=True, kw_only=True)
class RecordSession(Command):
    """Journal who has signed in or out, was refused or locked out, and who deals at a table."""

    values: tuple[Payload, ...]
    table: str = ""

    def content(self) -> Any:
        """Return what is journalled."""
        return [[value.kind, value.to_json()] for value in self.values]

    def entries(self, now: Now, by: By) -> Sequence[Payload]:
        """Return what happened at the door."""
        return self.values
