"""The people and devices of a room as a fold over its journal, and what speaks against changing them."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any, Literal, NamedTuple, TypeAlias

from pitboss import books
from pitboss.commands import By, Command, Now, command, refuse
from pitboss.room.people.roles import DEVICE_KINDS, PEOPLE_ROLES, roles_problems

How: TypeAlias = Literal["password", "pin", "link"]
SecretKind: TypeAlias = Literal["password", "pin", "link", "token"]


@books.entry_kind(books.KindBy("first", {True: "person-added", False: "person-changed"}))
class PersonSet(books.EntryPayload):
    """A person added to the room, or changed: the name that entries are signed with, and the roles."""

    login: str
    name: str
    roles: tuple[str, ...]
    active: bool
    first: bool


@books.entry_kind(books.KindBy("first", {True: "device-added", False: "device-changed"}))
class DeviceSet(books.EntryPayload):
    """A device added to the room, or changed: what it is, and the table it stands at."""

    name: str
    what: str
    table: str
    active: bool
    first: bool


@books.entry_kind("secret-changed")
class SecretChanged(books.EntryPayload):
    """The password, PIN, one-time link or token of a person or device was made anew; which it is stands nowhere."""

    subject: str
    what: SecretKind


@books.entry_kind("signed-in", writes_defaults=True)
class SignedIn(books.EntryPayload):
    """A person has signed in: how, and from which address or device."""

    login: str
    how: How
    address: str
    device: str = ""


@books.entry_kind("signed-out")
class SignedOut(books.EntryPayload):
    """A person has signed out, or was signed out by somebody."""

    login: str
    address: str


@books.entry_kind("sign-ins-refused")
class SignInsRefused(books.EntryPayload):
    """Sign-ins that were refused to an address within a minute, together; only names of people we know are kept."""

    address: str
    count: int
    logins: tuple[str, ...]


@books.entry_kind("locked-out")
class LockedOut(books.EntryPayload):
    """A person was locked out after failures, for so many seconds (M-10)."""

    login: str
    address: str
    failures: int
    seconds: int


@books.entry_kind(books.KindBy("inward", {True: "dealer-tapped-in", False: "dealer-tapped-out"}, is_written=True))
class DealerTapped(books.EntryPayload):
    """A dealer has tapped in at a table, where whoever dealt before is relieved; or tapped out."""

    login: str
    device: str
    inward: bool


_LOGIN = re.compile(r"[a-z0-9](?:[a-z0-9.-]{0,30}[a-z0-9])?")
_NAME_LENGTH_MAX = 60
_RESERVED = "pitboss"


class Person(NamedTuple):
    """Somebody who works here: what they type to sign in, the name that entries are signed with, roles."""

    login: str
    name: str
    roles: tuple[str, ...]
    active: bool

    @property
    def only_deals(self) -> bool:
        """True for who has no other role than dealer: they tap in at consoles, and need no password."""
        return self.roles == ("dealer",)


class Device(NamedTuple):
    """A device or display: its name, what it is, the table it stands at (empty where it stands at none)."""

    name: str
    what: str
    table: str
    active: bool


@books.json_object
class People(NamedTuple):
    """Everybody by login, every device by name, and who deals at each table."""

    people: Annotated[Mapping[str, Person], books.KeyedBy("login")]
    devices: Annotated[Mapping[str, Device], books.KeyedBy("name")]
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


def _fold(state: People, entry: books.Entry, value: books.Payload) -> People:
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


PEOPLE: books.Projection[People] = books.Projection(
    name="people", shape=People, empty=EMPTY, fold=_fold, kinds=books.kinds_of(PersonSet, DeviceSet, DealerTapped)
)


_SETTERS = ("administrator", "system")


@command("people/set", roles=_SETTERS, is_exposed=False)
class SetPerson(Command):
    """Add a person, or change their roles and whether they still work here."""

    login: str
    name: str
    roles: tuple[str, ...]
    active: bool = True
    first: bool

    def entries(self, now: Now, by: By) -> list[books.Payload]:
        """Return the person as they are from now on."""
        value = PersonSet(login=self.login, name=self.name, roles=self.roles, active=self.active, first=self.first)
        refuse(person_problems(now.state.of(PEOPLE), value))
        return [value]


@command("devices/set", roles=_SETTERS, is_exposed=False)
class SetDevice(Command):
    """Add a device, or change where it stands and whether it is still there."""

    name: str
    what: str
    table: str
    active: bool = True
    first: bool

    def entries(self, now: Now, by: By) -> list[books.Payload]:
        """Return the device as it is from now on."""
        value = DeviceSet(name=self.name, what=self.what, table=self.table, active=self.active, first=self.first)
        refuse(device_problems(now.state.of(PEOPLE), value))
        return [value]

    def table_name(self, state: books.BookState) -> str:
        """A device belongs to the room."""
        return ""


@command("people/secret", roles=(*PEOPLE_ROLES, "device", "system"), is_exposed=False)
class RecordSecret(Command):
    """Journal that a password, PIN, token or link was made; the secret itself never is."""

    subject: str
    what: SecretKind
    table: str = ""

    def entries(self, now: Now, by: By) -> list[books.Payload]:
        """Return whose secret of which kind was made."""
        return [SecretChanged(subject=self.subject, what=self.what)]


@command("people/session", roles=(*PEOPLE_ROLES, "system"), is_exposed=False)
class RecordSession(Command):
    """Journal who has signed in or out, was refused or locked out, and who deals at a table."""

    values: tuple[books.Payload, ...]
    table: str = ""

    def content(self) -> Any:
        """Return what is journalled."""
        return [[value.kind, value.to_json()] for value in self.values]

    def entries(self, now: Now, by: By) -> Sequence[books.Payload]:
        """Return what happened at the door."""
        return self.values
