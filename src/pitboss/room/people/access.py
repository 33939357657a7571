"""Signing in and out, and what administrators do to people, devices and their secrets.

Everything here may wait for the disk or for a slow hash: whoever serves requests calls it in a thread.
"""

from __future__ import annotations

import secrets
import uuid
from collections.abc import Callable, Sequence
from collections.abc import Set as AbstractSet
from contextlib import suppress
from typing import NamedTuple

from pitboss.books import Answer, Books, BookState, Command, Draft, HaltedError, Payload, RefusedError
from pitboss.room.people.passwords import Attempts, Hashing, RefusedLog, network_of, password_problems, pin_problems
from pitboss.room.people.people import (
    PEOPLE,
    DealerTapped,
    Device,
    DeviceSet,
    How,
    LockedOut,
    People,
    Person,
    PersonSet,
    SecretChanged,
    SecretKind,
    SignedIn,
    SignedOut,
    SignInsRefused,
    device_problems,
    person_problems,
)
from pitboss.room.people.sessions import ENROLLED, PIN, SessionLimits, Sessions
from pitboss.room.people.vault import Link, Session, Vault, token_hash

BOOK, PITBOSS = "room", "pitboss"
_HOUR = 60 * 60 * 1_000_000
_LINK_LASTS = 24 * _HOUR


class Secrets(NamedTuple):
    """Who has chosen a password and a PIN, and which devices are known by a token or an enrolled browser."""

    passwords: AbstractSet[str]
    pins: AbstractSet[str]
    devices: AbstractSet[str]


class SignInRefusedError(Exception):
    """A sign-in that was refused; which of name and secret was wrong, or whether he is locked out, is not told."""

    def __init__(self) -> None:
        super().__init__("this name and this secret do not sign in together, or were tried too often: wait, or ask")


class Started(NamedTuple):
    """A session that has begun: what goes into the cookie, and what is kept."""

    token: str
    session: Session


class Access:
    """People, devices and sessions of a room."""

    def __init__(
        self,
        books: Books,
        vault: Vault,
        *,
        clock: Callable[[], int],
        hashing: Hashing | None = None,
        limits: SessionLimits | None = None,
    ) -> None:
        self.books, self.vault, self.clock = books, vault, clock
        self.hashing = hashing or Hashing()
        self.sessions = Sessions(vault, clock, limits or SessionLimits())
        self.attempts = Attempts(vault, clock)
        self.refused = RefusedLog(self._write_refused, clock)
        self._tokens = vault.secrets("token")

    @property
    def people(self) -> People:
        """Everybody and every device, after the last commit."""
        return self.books.state(BOOK).of(PEOPLE)

    # Entries.

    def _journal(self, actor: str, *values: Payload, table: str = "", command: str | None = None) -> Answer:
        content = [[each.kind, each.to_json()] for each in values]
        made = command or f"access-{uuid.uuid4().hex}"
        return self.books.submit(
            Command(
                book=BOOK,
                id=made,
                actor=actor,
                content=content,
                decide=lambda _: [Draft(each) for each in values],
                table=table,
            )
        )

    def _write_refused(self, address: str, count: int, logins: tuple[str, ...]) -> None:
        with suppress(HaltedError):
            self._journal(PITBOSS, SignInsRefused(address=address, count=count, logins=logins))

    # People and devices.

    def set_person(self, value: PersonSet, *, actor: str, command: str) -> Answer:
        """Add or change a person; whoever may no longer come in is signed out."""

        def decide(state: People) -> list[str]:
            return person_problems(state, value)

        answer = self._set(value, decide, actor, command)
        if not value.active:
            self.sessions.end(*self.sessions.of(value.login))
        return answer

    def set_device(self, value: DeviceSet, *, actor: str, command: str) -> Answer:
        """Add or change a device; one that is taken away loses its token and is no longer enrolled."""

        def decide(state: People) -> list[str]:
            return device_problems(state, value)

        answer = self._set(value, decide, actor, command)
        if not value.active:
            self.vault.drop_secret(value.name, "token")
            self._tokens = self.vault.secrets("token")
            self.sessions.end(*self.sessions.of(value.name, ENROLLED), *self.sessions.at_device(value.name))
        return answer

    def _set(
        self, value: PersonSet | DeviceSet, problems: Callable[[People], list[str]], actor: str, command: str
    ) -> Answer:
        def decide(state: BookState) -> Sequence[Draft]:
            found = problems(state.of(PEOPLE))
            if found:
                raise RefusedError(found)
            return [Draft(value)]

        content = [value.kind, value.to_json()]
        return self.books.submit(Command(book=BOOK, id=command, actor=actor, content=content, decide=decide))

    def person(self, login: str) -> Person:
        """Find an active person, or refuse."""
        found = self.people.people.get(login)
        if found is None or not found.active:
            raise RefusedError([f"there is nobody with login {login!r}"])
        return found

    def device(self, name: str) -> Device:
        """Find an active device, or refuse."""
        found = self.people.devices.get(name)
        if found is None or not found.active:
            raise RefusedError([f"there is no device {name!r}"])
        return found

    # Secrets.

    def set_password(self, login: str, password: str, *, actor: str) -> None:
        """Choose a password; every session of the person ends."""
        person = self.person(login)
        problems = password_problems(password, login=login, name=person.name)
        self._put_secret(login, "password", password, problems, actor)
        self.sessions.end(*self.sessions.of(login))

    def set_pin(self, login: str, pin: str, *, actor: str) -> None:
        """Choose the PIN with which a person taps in at a table."""
        self.person(login)
        self._put_secret(login, "pin", pin, pin_problems(pin), actor)

    def _put_secret(self, login: str, what: SecretKind, secret: str, problems: list[str], actor: str) -> None:
        if problems:
            raise RefusedError(problems)
        hashed = self.hashing.hash(secret)
        # First the entry: a secret that was changed without a trace would be worse than one that was not changed.
        self._journal(actor, SecretChanged(subject=login, what=what))
        self.vault.put_secret(login, what, hashed)
        self.attempts.succeeded(f"{what}:{login}")

    def by_pin(self, login: str, pin: str, *, address: str) -> Person:
        """Prove who somebody is by PIN, for one act at a console where another has tapped in."""
        return self._proved(login, "pin", pin, address)

    def confirms(self, login: str, password: str, *, address: str) -> bool:
        """Ask whether it is oneself who changes a secret; failures count as those of signing in do."""
        try:
            self._proved(login, "password", password, address)
        except SignInRefusedError:
            return False
        return True

    def make_token(self, device: str, *, actor: str, command: str | None = None) -> str:
        """Make a new token for a device that speaks for itself; the one before ends."""
        self.device(device)
        token = secrets.token_urlsafe(32)
        self._once(actor, SecretChanged(subject=device, what="token"), command)
        self.vault.put_secret(device, "token", token_hash(token))
        self._tokens = self.vault.secrets("token")
        return token

    def _once(self, actor: str, value: SecretChanged, command: str | None) -> None:
        """Journal that a secret is made; sent again, it cannot be told again, and no other is made."""
        if self._journal(actor, value, command=command).again:
            raise RefusedError([f"command {command} has made a {value.what} already, which is told once: use a new id"])

    def device_with(self, token: str) -> Device | None:
        """The device that has a token."""
        found = self.people.devices.get(self._tokens.get(token_hash(token), ""))
        return found if found is not None and found.active else None

    def make_link(self, subject: str, purpose: str, *, actor: str, command: str | None = None) -> str:
        """Make a one-time link: a person chooses a password or signs in by it, a browser becomes a device."""
        if purpose == "enrol":
            self.device(subject)
        else:
            self.person(subject)
        code = secrets.token_urlsafe(32)
        self._once(actor, SecretChanged(subject=subject, what="link"), command)
        self.vault.put_link(Link(token_hash(code), subject, purpose, self.clock() + _LINK_LASTS))
        return code

    # Signing in and out.

    def sign_in(self, login: str, password: str, *, address: str) -> Started:
        """Sign in by password, from an address."""
        person = self._proved(login, "password", password, address)
        return self._begin(person, "password", address)

    def _proved(self, login: str, what: SecretKind, secret: str, address: str) -> Person:
        """Prove who somebody is by a secret; every failure counts against the name and the address."""
        key = f"{what}:{login}"
        found = self.people.people.get(login)
        person = found if found is not None and found.active else None
        if self.attempts.is_locked(key, address):
            self._refuse(address, person, None)
        hashed = None if person is None else self.vault.secret(login, what)
        if not self.hashing.matches(hashed, secret) or person is None:
            self._refuse(address, person, None if person is None else key)
        self.attempts.succeeded(key)
        assert person is not None
        return person

    def _refuse(self, address: str, person: Person | None, key: str | None) -> None:
        lock = self.attempts.failed(key, address)
        if lock is not None and person is not None:
            network = network_of(address)
            value = LockedOut(login=person.login, address=network, failures=lock.failures, seconds=lock.seconds)
            with suppress(HaltedError):
                self._journal(PITBOSS, value)
        self.refused.add(address, None if person is None else person.login)
        raise SignInRefusedError

    def _begin(self, person: Person, how: How, address: str) -> Started:
        self._journal(person.name, SignedIn(login=person.login, how=how, address=address))
        return Started(*self.sessions.begin(person.login, how))

    def link(self, code: str) -> Link | None:
        """Look at a one-time link without using it."""
        return self.vault.link(code, self.clock())

    def use_link(self, code: str, *, address: str, password: str = "") -> Started:
        """Use a one-time link: sign in by it, with a password that is chosen now where it is for one."""
        link = self.link(code)
        if link is None or link.purpose == "enrol":
            self._refuse(address, None, None)
        assert link is not None
        person = self.person(link.subject)
        if link.purpose == "password":
            problems = password_problems(password, login=person.login, name=person.name)
            if problems:
                raise RefusedError(problems)
        if not self.vault.use_link(link):
            self._refuse(address, None, None)
        if link.purpose == "password":
            self.set_password(person.login, password, actor=person.name)
        return self._begin(person, "link", address)

    def enrol(self, code: str, *, address: str) -> Started:
        """Make a browser the device that a one-time link is for; another browser that was it is so no more."""
        link = self.link(code)
        if link is None or link.purpose != "enrol" or not self.vault.use_link(link):
            self._refuse(address, None, None)
        assert link is not None
        device = self.device(link.subject)
        before = self.sessions.of(device.name, ENROLLED)
        self._journal(device.name, SecretChanged(subject=device.name, what="token"), table=device.table)
        started = Started(*self.sessions.begin(device.name, ENROLLED, device.name))
        self.sessions.end(*before)
        return started

    def sign_out(self, session: Session, *, address: str) -> None:
        """Sign out; a dealer at a console taps out."""
        if session.how == PIN:
            self.tap_out(session)
            return
        person = self.people.people[session.subject]
        self._journal(person.name, SignedOut(login=person.login, address=address))
        self.sessions.end(session)

    # Dealers at a table.

    def tap_in(self, device: Device, login: str, pin: str, *, address: str) -> Started:
        """Let a dealer tap in by PIN at the console of a table; whoever dealt there is relieved."""
        person = self._proved(login, "pin", pin, address)
        if not {"dealer", "supervisor"} & set(person.roles):
            raise RefusedError([f"{person.name} is no dealer and no supervisor"])
        tapped = DealerTapped(login=login, device=device.name, inward=True)
        signed = SignedIn(login=login, how="pin", address=address, device=device.name)
        self._journal(person.name, signed, tapped, table=device.table)
        self.sessions.end(*self.sessions.at_device(device.name))
        return Started(*self.sessions.begin(login, PIN, device.name))

    def tap_out(self, session: Session) -> None:
        """Let a dealer tap out at the console where he tapped in."""
        device, person = self.people.devices[session.device], self.people.people[session.subject]
        if self.people.dealing.get(device.table) == person.login:
            value = DealerTapped(login=person.login, device=device.name, inward=False)
            self._journal(person.name, value, table=device.table)
        self.sessions.end(session)

    # The first start, and housekeeping.

    def first_link(self) -> str | None:
        """Make sure that somebody can come in: where no administrator has a password, a one-time link is made.

        On the first start that is an administrator who is made here; afterwards, who lost the link gets a new one.
        """
        administrators = self.people.with_role("administrator")
        if any(self.vault.secret(each.login, "password") for each in administrators):
            return None
        if not administrators:
            value = PersonSet(
                login="administrator", name="Administrator", roles=("administrator",), active=True, first=True
            )
            self.set_person(value, actor=PITBOSS, command="first-administrator")
            administrators = self.people.with_role("administrator")
        return self.make_link(administrators[0].login, "password", actor=PITBOSS)

    def tidy(self, *, at_end: bool = False) -> None:
        """Write what waited: refused sign-ins, and who was at work."""
        self.refused.flush(all_of_it=at_end)
        self.sessions.tidy()
