"""The people of a room as its administrator sees them: roles, secrets that are set, sessions, lock-outs."""

from collections.abc import Mapping
from typing import NamedTuple
from urllib.parse import quote
from zoneinfo import ZoneInfo

from pitboss.reports.render import clock_text
from pitboss.room.people.people import People
from pitboss.room.people.roles import PEOPLE_ROLES
from pitboss.room.people.vault import Failures, Session

_HOW = {"pin": "tapped in at {device}", "password": "signed in", "link": "signed in by a link"}


class Credentials(NamedTuple):
    """The credentials of a person in the vault: which secrets are set, the sessions, and failures."""

    password: bool = False
    pin: bool = False
    sessions: tuple[Session, ...] = ()
    failures: tuple[Failures, ...] = ()


class RoleBox(NamedTuple):
    """A role, and whether the person has it."""

    name: str
    checked: bool


class PersonLine(NamedTuple):
    """Somebody who works here, or has."""

    login: str
    name: str
    roles: str
    boxes: tuple[RoleBox, ...]
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
        boxes=tuple(RoleBox(role, role in person.roles) for role in PEOPLE_ROLES),
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
