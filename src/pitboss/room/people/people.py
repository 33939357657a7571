"""The people and devices of a room as a fold over its journal, and what speaks against changing them."""

import datetime
import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Annotated, Any, Literal, NamedTuple, TypeAlias

from pitboss import books, law
from pitboss.commands import By, Change, Command, Description, Now, Prepared, Words, command, is_same_person, refuse
from pitboss.commands.command import SYSTEM_ACTOR, folded_name
from pitboss.jackpot.definitions import PlaySet
from pitboss.room.people.roles import DEVICE_KINDS, HANDLING_MONEY, PEOPLE_ROLES, PIN_ROLES, VOUCHING, roles_problems
from pitboss.tabulator.entries import TableOpened

How: TypeAlias = Literal["password", "pin", "link", "token", "totp"]
SecretKind: TypeAlias = Literal["password", "pin", "link", "token", "totp"]


@books.entry_kind(books.KindBy("first", {True: "person-added", False: "person-changed"}))
class PersonSet(books.EntryPayload):
    """A person added to the room, or changed: the name that entries are signed with, and the roles."""

    login: str
    name: str
    roles: tuple[str, ...]
    active: bool
    first: bool
    approved_by: Annotated[str, books.OMIT_DEFAULT] = ""


@books.entry_kind("link-allowed")
class LinkAllowed(books.EntryPayload):
    """Two people let one sign-in link be made for somebody who has a password (G-68)."""

    login: str
    words: str
    approved_by: str


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
    """The password, PIN, second factor, link or token of somebody or a device was made anew; it stands nowhere."""

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


@books.entry_kind("access-traced")
class AccessTraced(books.EntryPayload):
    """Somebody was refused what is not theirs, or took a file away: how often within a minute, and at which page."""

    who: str
    address: str
    what: Literal["refused", "download"]
    page: str
    count: int


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

    @property
    def taps_in(self) -> bool:
        """True for who may tap in at a console by PIN."""
        return not PIN_ROLES.isdisjoint(self.roles)


class Device(NamedTuple):
    """A device or display: its name, what it is, the table it stands at (empty where it stands at none)."""

    name: str
    what: str
    table: str
    active: bool


class Introduction(NamedTuple):
    """Who has added somebody, changed their roles or made them a link while the room is in operation, and when last."""

    by: tuple[str, ...]
    at: books.Instant


class LinkMade(NamedTuple):
    """A sign-in link that somebody made for a person; `is_new` until that person signs in next."""

    by: str
    at: books.Instant
    is_new: bool = True


class LinkPermit(NamedTuple):
    """A link that two people allow, until it is made or the permit ends."""

    by: str
    approved_by: str
    at: books.Instant


@books.json_object
class People(NamedTuple):
    """Everybody by login, every device by name, and who deals at each table.

    The room is in operation from the first opening of a table or jackpot on: until then its administrator sets people
    up alone (G-68).
    """

    people: Annotated[Mapping[str, Person], books.KeyedBy("login")]
    devices: Annotated[Mapping[str, Device], books.KeyedBy("name")]
    dealing: Mapping[str, str]
    in_operation: bool = False
    introduced: Mapping[str, tuple[Introduction, ...]] = MappingProxyType({})
    links: Mapping[str, tuple[LinkMade, ...]] = MappingProxyType({})
    permits: Mapping[str, LinkPermit] = MappingProxyType({})

    def named(self, name: str) -> Person | None:
        """Find a person by the name that entries are signed with."""
        folded = folded_name(name)
        return next((person for person in self.people.values() if folded_name(person.name) == folded), None)

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
    problems = [*_text_problems("name", value.name), *_script_problems(value), *roles_problems(value.roles)]
    if not _LOGIN.fullmatch(value.login):
        problems.append(f"login: {value.login!r} must be small letters, digits, dots and hyphens, at most 32")
    registered = state.people.get(value.login)
    if value.first == (registered is not None):
        problems.append(f"login: {value.login!r} is {'taken' if value.first else 'nobody'}")
    namesake = state.named(value.name)
    reserved = {_RESERVED, *map(folded_name, state.devices)}
    if folded_name(value.name) in reserved or (namesake is not None and namesake.login != value.login):
        problems.append(f"name: {value.name!r} is taken: entries are signed with it")
    if registered is not None and registered.name != value.name:
        problems.append(f"name: entries are signed {registered.name!r}: a name stays")
    left = {person.login for person in state.with_role("administrator")} - {value.login}
    keeps = value.active and "administrator" in value.roles
    if registered is not None and "administrator" in registered.roles and not left and not keeps:
        problems.append(f"{value.name} is the last administrator")
    if registered is not None and not value.active and _is_last_voucher(state, registered):
        text = f"{value.name} is the last one who could approve requests about people"
        problems.append(f"{text}: first add another {_VOUCHERS} (G-68)")
    return problems


_VOUCHERS = " or ".join(VOUCHING)


def _is_last_voucher(state: People, person: Person) -> bool:
    """True if nobody would be left who approves what an administrator asks for in a room that is in operation."""
    vouchers = {other.login for role in VOUCHING for other in state.with_role(role)}
    return state.in_operation and vouchers == {person.login}


def _script_problems(value: PersonSet) -> Iterator[str]:
    """Yield that a new name mixes scripts: letters that look alike would make two names of one (G-68)."""
    letters = [character for character in unicodedata.normalize("NFKC", value.name) if character.isalpha()]
    scripts = {unicodedata.name(letter, "?").partition(" ")[0] for letter in letters}
    if value.first and len(scripts - _JAPANESE | ({"CJK"} if scripts & _JAPANESE else set())) > 1:
        yield f"name: {value.name!r} has letters of several scripts: write it in one (G-68)"


_JAPANESE = {"CJK", "HIRAGANA", "KATAKANA", "KATAKANA-HIRAGANA"}
"""Scripts that one name mixes."""


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
    if value.first and (folded_name(value.name) == _RESERVED or state.named(value.name) is not None):
        problems.append(f"name: {value.name!r} is taken: entries are signed with it")
    if registered is not None and registered.what != value.what:
        problems.append(f"what: {value.name} is a {registered.what} and stays one")
    return problems


_LINKS_REMEMBERED = 5


def _fold(state: People, entry: books.Entry, value: books.Payload) -> People:
    if isinstance(value, PersonSet):
        person = Person(value.login, value.name, value.roles, value.active)
        state = _introduced(state, entry, value.login, value.approved_by)
        return state._replace(people={**state.people, value.login: person})
    if isinstance(value, DeviceSet):
        device = Device(value.name, value.what, value.table, value.active)
        return state._replace(devices={**state.devices, value.name: device})
    if isinstance(value, DealerTapped):
        others = {table: login for table, login in state.dealing.items() if table != entry.table}
        return state._replace(dealing=others | ({entry.table: value.login} if value.inward else {}))
    if isinstance(value, TableOpened) or (isinstance(value, PlaySet) and value.play == "open"):
        return state._replace(in_operation=True)
    return _fold_links(state, entry, value)


def _fold_links(state: People, entry: books.Entry, value: books.Payload) -> People:
    if isinstance(value, LinkAllowed):
        permit = LinkPermit(entry.actor, value.approved_by, entry.recorded)
        return state._replace(permits={**state.permits, value.login: permit})
    if isinstance(value, SecretChanged) and value.what == "link" and value.subject in state.people:
        login, permit_used = value.subject, state.permits.get(value.subject)
        links = (*state.links.get(login, ()), LinkMade(entry.actor, entry.recorded))[-_LINKS_REMEMBERED:]
        permits = {other: permit for other, permit in state.permits.items() if other != login}
        state = _introduced(state, entry, login, "" if permit_used is None else permit_used.approved_by)
        return state._replace(links={**state.links, login: links}, permits=permits)
    if (
        isinstance(value, SignedIn)
        and value.how != "token"
        and any(link.is_new for link in state.links.get(value.login, ()))
    ):
        links = tuple(link._replace(is_new=False) for link in state.links[value.login])
        return state._replace(links={**state.links, value.login: links})
    return state


def _introduced(state: People, entry: books.Entry, login: str, approved_by: str) -> People:
    """Note who vouches for somebody; what Pitboss does by itself and the first set-up bind nobody."""
    if not state.in_operation or entry.actor == SYSTEM_ACTOR.name:
        return state
    by = (entry.actor, approved_by) if approved_by else (entry.actor,)
    # What one does later frees nobody else: who has approved somebody is bound also after their link is made.
    others = tuple(earlier for earlier in state.introduced.get(login, ()) if earlier.by != by)
    return state._replace(introduced={**state.introduced, login: (*others, Introduction(by, entry.recorded))})


PEOPLE: books.Projection[People] = books.Projection(
    name="people",
    shape=People,
    empty=EMPTY,
    fold=_fold,
    kinds=books.kinds_of(
        PersonSet, DeviceSet, DealerTapped, LinkAllowed, SecretChanged, SignedIn, TableOpened, PlaySet
    ),
    version=3,
)


def people_of(state: books.BookState) -> People:
    """Return everybody; books that were opened for reports alone know nobody."""
    people: People = state.parts.get(PEOPLE.name, EMPTY)
    return people


def second_problems(people: People, login: str, by: By, at: int) -> Iterator[str]:
    """Yield what speaks against a second person beside their role: it is about them, or who asks brought them in.

    `login` is whom the command is about. Whoever was added, given roles or a link by somebody does not approve for them
    for the hours that the settings give (G-68).
    """
    second = None if by.approver is None else people.named(by.approver.name)
    if second is None:
        return
    if second.login == login:
        yield f"it is about {second.name}: another person approves it (T-06, G-68)"
    hours = law.value_on("introduced_hold_hours", (books.EPOCH + datetime.timedelta(microseconds=at)).date())
    hold = hours * _HOUR
    introductions = [earlier for earlier in people.introduced.get(second.login, ()) if at < earlier.at + hold]
    if any(is_same_person(by.name, name) for earlier in introductions for name in earlier.by):
        text = f"{by.name} brought {second.name} in or made them a sign-in link"
        yield f"{text} less than {hours} hours ago: another person approves it (G-68)"


_HOUR = 60 * 60 * 1_000_000
_SETTERS = ("administrator", "system")


@command("people/set", roles=_SETTERS, approvers=VOUCHING, is_exposed=False)
class SetPerson(Command):
    """Add a person, or change their roles and whether they still work here."""

    login: str
    name: str
    roles: tuple[str, ...]
    active: bool = True
    first: bool

    def concerns(self) -> str:
        """Return the person, who does not approve it."""
        return self.login

    def needs_second(self, state: books.BookState, by: By) -> bool:
        """True where a role that handles money is given or changed, or one's own roles are, in a room in operation.

        Who leaves is taken off the list by one person, at once.
        """
        people = state.of(PEOPLE)
        if by.role == SYSTEM_ACTOR.role or not people.in_operation or not self.active:
            return False
        before = people.people.get(self.login)
        had = set(before.roles) if before is not None and before.active else set()
        changed = had ^ set(self.roles)
        return bool(changed & set(HANDLING_MONEY)) or (bool(changed) and is_same_person(self.name, by.name))

    def describe(self, state: books.BookState) -> Description:
        """Return whom it is about, and their roles before and after."""
        before = state.of(PEOPLE).people.get(self.login)
        was = "" if before is None else ", ".join(before.roles) if before.active else "No longer works here"
        verb = "Add" if self.first else "Change the roles of"
        after = ", ".join(self.roles) if self.active else "No longer works here"
        return Description(f"{verb} {self.name}: {after}", (Change("Roles", was, after),))

    def entries(self, now: Now, by: By) -> list[books.Payload]:
        """Return the person as they are from now on."""
        value = PersonSet(
            login=self.login,
            name=self.name,
            roles=self.roles,
            active=self.active,
            first=self.first,
            approved_by=by.approved_by,
        )
        problems = person_problems(now.state.of(PEOPLE), value)
        if by.approver is None and self.needs_second(now.state, by):
            problems.append(f"{self.name}: roles that handle money are given by two people (T-06, G-68)")
        refuse(problems)
        return [value]


@command("people/link", roles=("administrator",), approvers=VOUCHING, is_exposed=False)
class AllowLink(Command):
    """Allow the administrator one sign-in link for somebody who has a password."""

    login: str
    words: Words

    def concerns(self) -> str:
        """Return the person, who does not approve it."""
        return self.login

    def describe(self, state: books.BookState) -> Description:
        """Return for whom it is: whoever has the link signs in as that person."""
        person = state.of(PEOPLE).people.get(self.login)
        name = self.login if person is None else person.name
        roles = "" if person is None else ", ".join(person.roles)
        return Description(f"Sign-in link for {name}", (Change("Signs in as", "", f"{name} ({roles})"),), self.words)

    def entries(self, now: Now, by: By) -> list[books.Payload]:
        """Return the permit, which the next link for this person uses up."""
        person = now.state.of(PEOPLE).people.get(self.login)
        problems = [] if self.words.strip() else ["words: Enter a reason."]
        if person is None or not person.active:
            problems.append(f"there is nobody with login {self.login!r}")
        refuse(problems)
        return [LinkAllowed(login=self.login, words=self.words, approved_by=by.approved_by)]


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


def has_permit(people: People, login: str, at: int) -> bool:
    """True if two people allow a link for somebody now; a permit lasts a day, as the link itself."""
    permit = people.permits.get(login)
    return permit is not None and at < permit.at + _PERMIT_LASTS


_PERMIT_LASTS = 24 * _HOUR


def can_sign_in(vault: Any, login: str) -> bool:
    """True if somebody has a password or a PIN: by a link another would become them (G-68)."""
    return vault is not None and any(vault.secret(login, what) is not None for what in ("password", "pin"))


@command("people/secret", roles=(*PEOPLE_ROLES, "device", "system"), is_exposed=False)
class RecordSecret(Command):
    """Journal that a password, PIN, token or link was made; the secret itself never is."""

    subject: str
    what: SecretKind
    table: str = ""

    def prepare(self, services: Any) -> Prepared:
        """Look up whether the person can sign in already."""
        return _PreparedSecret(self, can_sign_in(services.vault, self.subject))

    def entries(self, now: Now, by: By, *, has_secret: bool = False) -> list[books.Payload]:
        """Return whose secret of which kind was made; a link for who can sign in is for two (G-68)."""
        people = now.state.of(PEOPLE)
        is_bound = self.what == "link" and has_secret and people.in_operation and by.role != SYSTEM_ACTOR.role
        if is_bound and not has_permit(people, self.subject, now.at):
            refuse([f"{self.subject} can sign in: a link for them needs an approver first (G-68)"])
        return [SecretChanged(subject=self.subject, what=self.what)]


class _PreparedSecret(NamedTuple):
    """A secret to be recorded, and whether its person can sign in already."""

    secret: RecordSecret
    has_secret: bool

    def entries(self, now: Now, by: By) -> list[books.Payload]:
        """Return whose secret of which kind was made."""
        return self.secret.entries(now, by, has_secret=self.has_secret)


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
