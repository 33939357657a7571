"""Signing in and out, and what administrators do to people, devices and their secrets.

Everything here may wait for the disk or for a slow hash: whoever serves requests calls it in a thread.
"""

import base64
import datetime
import itertools
import secrets
import threading
import uuid
from collections.abc import Set as AbstractSet
from contextlib import suppress
from typing import Literal, NamedTuple, Protocol

from pitboss import law
from pitboss.books import EPOCH, Answer, HaltedError, Payload, RefusedError, StoreError
from pitboss.commands import By, Command, Executor, refuse
from pitboss.commands.command import SYSTEM_ACTOR
from pitboss.room.people import people as records
from pitboss.room.people.passwords import (
    AccessLog,
    Attempt,
    Attempts,
    Hashing,
    RefusedLog,
    network_of,
    password_problems,
    pin_problems,
    totp_step,
)
from pitboss.room.people.people import PEOPLE, Device, How, People, Person, SecretKind, SetDevice, SetPerson
from pitboss.room.people.vault import ENROLLED, PIN, TERMINAL, Link, Session, SessionLimits, Sessions, Vault, token_hash

_HOUR = 60 * 60 * 1_000_000
_LINK_LASTS = 24 * _HOUR
_USED, _TERMS = "token-used", "device-terms"


class Secrets(NamedTuple):
    """Who has chosen a password and a PIN, and which devices are known by a token or an enrolled browser."""

    passwords: AbstractSet[str]
    pins: AbstractSet[str]
    devices: AbstractSet[str]


class SignInRefusedError(Exception):
    """A refused sign-in; whether the name or the password was wrong, or a lock-out held, is not disclosed."""


LINK_ENDED = "This link has expired or was already used. Ask your administrator for a new one."
_WRONG = {"password": "That name and password don't match.", "pin": "Wrong PIN."}
_WRONG_OR_CODE = "That name, password and code don't match."
_TOO_OFTEN = "After too many tries, wait a few minutes or ask an administrator."
_PIN_LOCKED = "Too many tries. Wait a few minutes or ask a supervisor."


class Started(NamedTuple):
    """A session that has begun: what goes into the cookie, what is kept, and whether the person is told of a link.

    `browser` is what this browser is known by at the next sign-in.
    """

    token: str
    session: Session
    has_new_link: bool = False
    browser: str = ""


def _self(person: Person) -> By:
    """Somebody who acts for themselves."""
    return By(person.name, person.roles[0])


class Do(Protocol):
    """Carries a command out, or asks for the second person that it needs."""

    def __call__(self, command: Command, by: By, *, id: str) -> Answer:  # noqa: A002
        """Return the entries that were written."""
        ...


class Access:
    """People, devices and sessions of a room."""

    def __init__(
        self,
        executor: Executor,
        vault: Vault,
        *,
        hashing: Hashing | None = None,
        limits: SessionLimits | None = None,
        do: Do | None = None,
    ) -> None:
        self._do: Do = do or executor.do
        self._executor, self.vault, self.clock = executor, vault, executor.services.clock
        clock = self.clock
        self.hashing = hashing or Hashing()
        monotonic = executor.services.monotonic
        today = (EPOCH + datetime.timedelta(microseconds=clock())).date()
        self.unused, self.warned = (
            law.value_on(name, today) * 24 * _HOUR for name in ("device_unused_days", "device_warning_days")
        )
        limits = (limits or SessionLimits())._replace(unused=self.unused)
        self.sessions = Sessions(vault, clock, limits, monotonic=monotonic)
        self.attempts = Attempts(vault, clock)
        self.refused = RefusedLog(self._write_refused, clock)
        self.traces, self.looks = AccessLog(clock), AccessLog(clock, _HOUR)
        self._running = monotonic
        self._read_tokens()
        self._tokens_touched: set[str] = set()
        self._lockouts: list[records.LockedOut] = []
        self._codes = threading.Lock()
        self.factor_roles: AbstractSet[str] = frozenset()

    def _read_tokens(self) -> None:
        self._begin_terms()
        vault = self.vault
        self._tokens = vault.secrets("token")
        self._token_used = {name: int(used) for name, used in vault.by_subject(_USED).items()}
        now, running = self.clock(), self._running()
        self._token_ran = {name: running - max(0, now - used) for name, used in self._token_used.items()}
        """When each was last used by the time that no setting of the clock moves (G-77)."""

    def reload(self) -> None:
        """Load what another server of the room has changed: sessions, tokens of devices, and failures."""
        self.sessions.reload()
        self.attempts.reload()
        self._tokens_touched.clear()
        self._read_tokens()

    @property
    def people(self) -> People:
        """Everybody and every device, after the last commit."""
        return self._executor.services.state.of(PEOPLE)

    def _write_refused(self, address: str, count: int, logins: tuple[str, ...]) -> None:
        with suppress(HaltedError):
            self._journal(SYSTEM_ACTOR, records.SignInsRefused(address=address, count=count, logins=logins))

    def _journal(self, by: By, *values: Payload, table: str = "") -> Answer:
        return self._executor.do(records.RecordSession(values=values, table=table), by, id=f"access-{uuid.uuid4().hex}")

    # People and devices.

    def set_person(self, person: SetPerson, by: By, *, id: str) -> Answer:  # noqa: A002
        """Add or change a person, or ask the second person for it; whoever may no longer come in is signed out."""
        answer = self._do(person, by, id=id)
        self.forget_removed()
        return answer

    def forget_removed(self) -> None:
        """Sign out whoever is off the list; their password, PIN and links are gone (G-68)."""
        for person in self.people.people.values():
            if not person.active:
                self.sessions.end(*self.sessions.of(person.login))
                for what in ("password", "pin", "totp"):
                    self.vault.drop_secret(person.login, what)
                self.vault.drop_links(person.login)

    def set_device(self, device: SetDevice, by: By, *, id: str) -> Answer:  # noqa: A002
        """Add or change a device; one that is taken away loses its token and is no longer enrolled."""
        answer = self._executor.do(device, by, id=id)
        if not device.active:
            self.vault.drop_secret(device.name, "token")
            self._tokens = self.vault.secrets("token")
            self.sessions.end(*self.sessions.of(device.name, ENROLLED), *self.sessions.at_device(device.name))
        return answer

    def person(self, login: str) -> Person:
        """Find an active person, or refuse."""
        person = self.people.people.get(login)
        if person is None or not person.active:
            raise RefusedError([f"there is nobody with login {login!r}"])
        return person

    def device(self, name: str) -> Device:
        """Find an active device, or refuse."""
        device = self.people.devices.get(name)
        if device is None or not device.active:
            raise RefusedError([f"there is no device {name!r}"])
        return device

    # Secrets.

    def set_password(self, login: str, password: str, by: By) -> None:
        """Choose a password; every session of the person ends."""
        person = self.person(login)
        problems = password_problems(password, login=login, name=person.name)
        self._put_secret(login, "password", password, problems, by)
        self.sessions.end(*self.sessions.of(login))

    def set_pin(self, login: str, pin: str, by: By) -> None:
        """Choose the PIN with which a person taps in at a table."""
        self.person(login)
        self._put_secret(login, "pin", pin, pin_problems(pin), by)
        for session in self.sessions.of(login, PIN):
            self.tap_out(session)

    def _put_secret(self, login: str, what: SecretKind, secret: str, problems: list[str], by: By) -> None:
        refuse(problems)
        hashed = self.hashing.hash(secret)
        # First the entry: a secret that was changed without a trace would be worse than one that was not changed.
        self._record_secret(records.RecordSecret(subject=login, what=what), by)
        self.vault.put_secret(login, what, hashed)
        self.attempts.renewed(f"{what}:{login}")

    def by_pin(self, login: str, pin: str, *, address: str) -> Person:
        """Prove who somebody is by PIN, for one act at a console where another has tapped in."""
        return self._proved(login, "pin", pin, address)

    def by_password(self, login: str, password: str, *, address: str, code: str = "") -> Person:
        """Sign somebody in for one act beside a colleague who is signed in here, as they sign in else (G-45)."""
        person = self._proved(login, "password", password, address, code=code)
        signed_in = records.SignedIn(login=login, how="password", address=address)
        self._journal(_self(person), signed_in, records.SignedOut(login=login, address=address))
        return person

    def confirms(self, login: str, password: str, *, address: str) -> bool:
        """True if the password is that of the person who changes a secret; failures count as when signing in."""
        try:
            self._proved(login, "password", password, address)
        except SignInRefusedError:
            return False
        return True

    def make_token(self, device: str, by: By, *, id: str | None = None) -> str:  # noqa: A002
        """Make a new token for a device that speaks for itself; the one before ends."""
        self.device(device)
        token = secrets.token_urlsafe(32)
        self._once(records.RecordSecret(subject=device, what="token"), by, id)
        self._note_use(device)
        self.vault.put_secret(device, _USED, str(self._token_used[device]))
        self.vault.put_secret(device, "token", token_hash(token))
        self._tokens = self.vault.secrets("token")
        return token

    def make_terminal_token(self, login: str, by: By) -> str:
        """Make the token with which a person acts at a terminal, for thirty days; the one before ends."""
        self.person(login)
        self._record_secret(records.RecordSecret(subject=login, what="token"), by)
        before = self.sessions.of(login, TERMINAL)
        token, _session = self.sessions.begin(login, TERMINAL)
        self.sessions.end(*before)
        return token

    def at_terminal(self, token: str) -> tuple[Session, Person] | None:
        """Return the session and the person of a terminal's token, if it has not ended."""
        session = self.sessions.find(token)
        person = None if session is None else self.people.people.get(session.subject)
        if session is None or session.how != TERMINAL or person is None or not person.active:
            return None
        return session, person

    def note_terminal(self, person: Person, user: str) -> None:
        """Journal that a person acts at the terminal of this computer, and under which user of it."""
        signed_in = records.SignedIn(login=person.login, how="token", address="terminal", device=f"user {user}")
        self._journal(_self(person), signed_in)

    def _record_secret(self, secret: records.RecordSecret, by: By, id: str | None = None) -> Answer:  # noqa: A002
        return self._executor.do(secret, by, id=id or f"access-{uuid.uuid4().hex}")

    def _once(self, secret: records.RecordSecret, by: By, id: str | None) -> None:  # noqa: A002
        """Journal that a secret is made; sent again, it cannot be told again, and no other is made."""
        if self._record_secret(secret, by, id).again:
            raise RefusedError([f"command {id} has made a {secret.what} already, which is told once: use a new id"])

    def device_with(self, token: str) -> Device | None:
        """Return the device that has a token which has not ended; using it renews it (G-76)."""
        device = self.people.devices.get(self._tokens.get(token_hash(token), ""))
        if device is None or not device.active:
            return None
        unused = self._running() - self._token_ran.get(device.name, self._running())
        if unused > self.unused:
            return None
        if unused > 24 * _HOUR or device.name not in self._token_ran:
            # Written by `tidy`, once a day.
            self._note_use(device.name)
            self._tokens_touched.add(device.name)
        return device

    def _note_use(self, name: str) -> None:
        self._token_used[name], self._token_ran[name] = self.clock(), self._running()

    def renew(self, enrolled: Session) -> None:
        """Note, once a day, that a browser which is a device is in use."""
        if self.clock() - enrolled.used > 24 * _HOUR:
            self.sessions.touch(enrolled)

    def _begin_terms(self) -> None:
        """Start the term of devices that were added when terms did not exist."""
        with suppress(StoreError):
            if self.vault.secret("", _TERMS) is not None:
                return
            now = str(self.clock())
            for device in self.vault.secrets("token").values():
                self.vault.put_secret(device, _USED, now)
            for session in self.sessions.enrolled:
                self.sessions.touch(session)
            self.sessions.tidy()
            self.vault.put_secret("", _TERMS, now)

    def device_ends(self) -> dict[str, int]:
        """Return by device when it ends if nothing uses it until then: its token or its browser."""
        ends = {name: used + self.unused for name, used in self._token_used.items() if name in self._tokens.values()}
        for session in self.sessions.enrolled:
            ends[session.subject] = max(ends.get(session.subject, 0), session.used + self.unused)
        return ends

    def make_link(self, subject: str, purpose: str, by: By, *, id: str | None = None) -> str:  # noqa: A002
        """Make a one-time link: a person chooses a password or signs in by it, a browser becomes a device."""
        if purpose == "enrol":
            self.device(subject)
        else:
            self.person(subject)
        code = secrets.token_urlsafe(32)
        self._once(records.RecordSecret(subject=subject, what="link"), by, id)
        self.vault.put_link(Link(token_hash(code), subject, purpose, self.clock() + _LINK_LASTS))
        return code

    def link_waits(self, login: str) -> bool:
        """True if a link for a person is approved by a second person first: they have a password or a PIN (G-68)."""
        people = self.people
        is_bound = people.in_operation and records.can_sign_in(self.vault, login)
        return is_bound and not records.has_permit(people, login, self.clock())

    # Signing in and out.

    def sign_in(self, login: str, password: str, *, address: str, code: str = "", browser: str = "") -> Started:
        """Sign in by password, and the code of a second factor where one is set up; `browser` is what it sent."""
        person = self._proved(login, "password", password, address, code=code, browser=browser)
        known = browser or secrets.token_urlsafe(32)
        self.vault.put_browser(known, login, self.clock())
        return self._begin(person, "password", address)._replace(browser=known)

    def _proved(
        self, login: str, what: SecretKind, secret: str, address: str, *, code: str | None = None, browser: str = ""
    ) -> Person:
        """Prove who somebody is by a secret; every try counts against name and address until it has succeeded.

        Whether there is such a person, and whether a lock-out holds, takes the same time and is told alike. With `code`
        (also an empty one) a second factor is asked for where the person has one.
        """
        registered = self.people.people.get(login)
        person = registered if registered is not None and registered.active else None
        known = "" if person is None or not browser or not self.vault.knows_browser(browser, login) else browser
        with self.hashing.place(known or network_of(address)):
            attempt = self.attempts.begin(f"{what}:{login}", address, token_hash(known)[:16] if known else "")
            hashed = None if person is None or attempt.is_locked else self.vault.secret(login, what)
            is_right = self.hashing.matches(hashed, secret)
        if not is_right or person is None or not self._code_fits(login, code):
            # The names of dealers stand at the console: that one is locked tells nobody who there is.
            locked = what == "pin" and attempt.is_locked
            # Everybody who may be asked for a code is told alike, whether they have one or not.
            text = _WRONG[what] if code is None or not self.uses_factors else _WRONG_OR_CODE
            self._refuse(address, person, attempt, _PIN_LOCKED if locked else text)
        self.attempts.succeeded(attempt, address)
        assert person is not None
        return person

    def _refuse(self, address: str, person: Person | None, attempt: Attempt | None, text: str = LINK_ENDED) -> None:
        lock = None if attempt is None else self.attempts.lockout(attempt)
        if attempt is None:
            self.attempts.failed_link(address)
        if lock is not None and person is not None:
            network = network_of(address)
            value = records.LockedOut(login=person.login, address=network, failures=lock.failures, seconds=lock.seconds)
            # Written by `tidy`: the time that an answer takes does not tell whether there is such a person.
            self._lockouts.append(value)
        self.refused.add(address, None if person is None else person.login)
        is_hinted = text in (_WRONG["password"], _WRONG_OR_CODE) and self.attempts.is_often(address)
        hint = f" {_TOO_OFTEN}" if is_hinted else ""
        raise SignInRefusedError(f"{text}{hint}")

    # The second factor (RFC 6238).

    def has_factor(self, login: str) -> bool:
        """True if a person has set up a second factor."""
        return self.vault.secret(login, "totp") is not None

    def lacks_factor(self, person: Person) -> bool:
        """True if the room demands a second factor of one of the person's roles, and they have none."""
        return bool(self.factor_roles & set(person.roles)) and not self.has_factor(person.login)

    @property
    def uses_factors(self) -> bool:
        """True if anybody may be asked for a code when they sign in."""
        return bool(self.factor_roles) or bool(self.vault.secrets("totp"))

    def _code_fits(self, login: str, code: str | None) -> bool:
        if code is None or not self.has_factor(login):
            return True
        # One at a time: a code that two send at once lets one of them in.
        with self._codes:
            stored = self.vault.unsealed(login, "totp")
            if stored is None:
                # The key that sealed it is lost: who has the factor comes in by a new link.
                return False
            secret, _, last = stored.partition(" ")
            step = totp_step(secret, code, self.clock(), after=int(last))
            if step is not None:
                self.vault.seal_secret(login, "totp", f"{secret} {step}")
            return step is not None

    def new_factor(self, login: str) -> str:
        """Make the secret of a second factor, which is none before its first code was typed; until then it stays."""
        if (waiting := self.vault.unsealed(login, "totp-new")) is not None:
            return waiting
        secret = base64.b32encode(secrets.token_bytes(20)).decode()
        self.vault.seal_secret(login, "totp-new", secret)
        return secret

    def set_factor(self, login: str, code: str, by: By, *, here: Session | None = None) -> None:
        """Set up the second factor by its first code; who came in by the password alone elsewhere is signed out."""
        secret = self.new_factor(login)
        step = totp_step(secret, code, self.clock())
        refuse(["code: That code isn't right. Check that your phone's clock is correct."] if step is None else [])
        self._record_secret(records.RecordSecret(subject=login, what="totp"), by)
        self.vault.seal_secret(login, "totp", f"{secret} {step}")
        self.vault.drop_secret(login, "totp-new")
        kept = "" if here is None else here.hash
        self.sessions.end(*(each for each in self.sessions.of(login) if each.hash != kept and each.how != PIN))

    def drop_factor(self, login: str, by: By) -> None:
        """Remove the second factor."""
        if self.has_factor(login):
            self._record_secret(records.RecordSecret(subject=login, what="totp"), by)
            self.vault.drop_secret(login, "totp")

    def _begin(self, person: Person, how: How, address: str) -> Started:
        # The link itself by which somebody comes in for the first time is nothing new to them.
        links = self.people.links.get(person.login, ())
        has_new_link = how == "password" and any(link.is_new for link in links)
        self._journal(_self(person), records.SignedIn(login=person.login, how=how, address=address))
        return Started(*self.sessions.begin(person.login, how), has_new_link)

    def begin_again(self, login: str, *, address: str) -> Started:
        """Start a session of a person who has just proved who they are."""
        return self._begin(self.person(login), "password", address)

    def link(self, code: str) -> Link | None:
        """Return a one-time link without using it."""
        return self.vault.link(code, self.clock())

    def use_link(self, code: str, *, address: str, password: str = "", pin: str = "") -> Started:
        """Use a one-time link: sign in by it, with the password that is chosen now where it is for one.

        Who only deals chooses a PIN and needs no password; anybody may choose both at once.
        """
        link = self.link(code)
        if link is None or link.purpose == "enrol":
            self._refuse(address, None, None)
        assert link is not None
        person = self.person(link.subject)
        if link.purpose == "password":
            refuse(self._link_problems(person, password, pin))
        if not self.vault.use_link(link):
            self._refuse(address, None, None)
        if link.purpose == "password":
            # Who has lost the phone comes in by a new link, and sets the factor up again.
            self.drop_factor(person.login, _self(person))
        if link.purpose == "password" and password:
            self.set_password(person.login, password, _self(person))
        if link.purpose == "password" and pin:
            self.set_pin(person.login, pin, _self(person))
        return self._begin(person, "link", address)

    @staticmethod
    def _link_problems(person: Person, password: str, pin: str) -> list[str]:
        """Return what is wrong with the secrets that somebody chooses by a link."""
        problems = pin_problems(pin) if pin or (person.only_deals and not password) else []
        if password or not person.only_deals:
            problems += password_problems(password, login=person.login, name=person.name)
        return problems

    def enrol(self, code: str, *, address: str) -> Started:
        """Make a browser the device that a one-time link is for; another browser that was it is so no more."""
        link = self.link(code)
        if link is None or link.purpose != "enrol" or not self.vault.use_link(link):
            self._refuse(address, None, None)
        assert link is not None
        device = self.device(link.subject)
        before = self.sessions.of(device.name, ENROLLED)
        self._record_secret(
            records.RecordSecret(subject=device.name, what="token", table=device.table), By(device.name, "device")
        )
        started = Started(*self.sessions.begin(device.name, ENROLLED, device.name))
        self.sessions.end(*before)
        return started

    def sign_out(self, session: Session, *, address: str) -> None:
        """Sign out; a dealer at a console taps out."""
        if session.how == PIN:
            self.tap_out(session)
            return
        person = self.people.people[session.subject]
        self._journal(_self(person), records.SignedOut(login=person.login, address=address))
        self.sessions.end(session)

    # Dealers at a table.

    def tap_in(self, device: Device, login: str, pin: str, *, address: str) -> Started:
        """Sign a dealer in by PIN at the console of a table; whoever dealt there is relieved."""
        person = self._proved(login, "pin", pin, address)
        if not person.taps_in:
            raise RefusedError([f"{person.name} is no dealer and no supervisor"])
        tapped = records.DealerTapped(login=login, device=device.name, inward=True)
        signed = records.SignedIn(login=login, how="pin", address=address, device=device.name)
        self._journal(_self(person), signed, tapped, table=device.table)
        self.sessions.end(*self.sessions.at_device(device.name))
        return Started(*self.sessions.begin(login, PIN, device.name))

    def tap_out(self, session: Session) -> None:
        """Sign a dealer out at the console where they tapped in."""
        device, person = self.people.devices[session.device], self.people.people[session.subject]
        if self.people.dealing.get(device.table) == person.login:
            value = records.DealerTapped(login=person.login, device=device.name, inward=False)
            self._journal(_self(person), value, table=device.table)
        self.sessions.end(session)

    # The first start, and housekeeping.

    def first_link(self) -> str | None:
        """Make sure that somebody can come in: where no administrator has a password, a one-time link is made.

        On the first start that is an administrator who is made here; afterwards, who lost the link gets a new one.
        """
        administrators = self.people.with_role("administrator")
        if any(self.vault.secret(administrator.login, "password") for administrator in administrators):
            return None
        if not administrators:
            person = SetPerson(login="administrator", name="Administrator", roles=("administrator",), first=True)
            self.set_person(person, SYSTEM_ACTOR, id="first-administrator")
            administrators = self.people.with_role("administrator")
        return self.make_link(administrators[0].login, "password", SYSTEM_ACTOR)

    def tidy(self, *, at_end: bool = False) -> None:
        """Write what waited: refused sign-ins, and who was at work."""
        waiting: list[Payload] = [*self._lockouts]
        self._lockouts.clear()
        counts = self.traces.due(all_of_it=at_end).items(), self.looks.due(all_of_it=at_end).items()
        for (who, address, what, page), count in itertools.chain(*counts):
            kind: Literal["refused", "download"] = "download" if what == "download" else "refused"
            waiting.append(records.AccessTraced(who=who, address=address, what=kind, page=page, count=count))
        if waiting:
            with suppress(HaltedError):
                self._journal(SYSTEM_ACTOR, *waiting)
        while self._tokens_touched:
            name = self._tokens_touched.pop()
            self.vault.put_secret(name, _USED, str(self._token_used[name]))
        self.attempts.save(self.people.people.__contains__)
        self.refused.flush(all_of_it=at_end)
        self.sessions.tidy()
