"""People: who they are, their roles, and one-time links for those who have no password yet."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel

from pitboss.room.commands.kinds import Asked, Name
from pitboss.room.people.people import PersonSet
from pitboss.room.people.roles import DEVICE_KINDS, PEOPLE_ROLES
from pitboss.server.api.schemas import Done, api_router, done
from pitboss.server.auth import Caller, RoomOf, allow

router = api_router("people")
Known = Annotated[Caller, allow(*PEOPLE_ROLES, *DEVICE_KINDS)]
READER = allow("administrator", "manager", "auditor")
Administrator = Annotated[Caller, allow("administrator")]


class Me(BaseModel):
    """Who asks, as the server knows him, and the token to send with what he changes."""

    name: str
    login: str | None
    device: str | None
    table: str | None
    roles: list[str]
    csrf: str


class PersonTold(BaseModel):
    """A person of the room."""

    login: str
    name: str
    roles: list[str]
    active: bool


class NewPerson(Asked):
    """A person to be added."""

    login: Name
    name: Name
    roles: list[Name]


class ChangedPerson(Asked):
    """What a person's roles are from now on, and whether he still works here."""

    roles: list[Name]
    active: bool = True


class NewLink(Asked):
    """A one-time link for a person: to choose a password with, or only to sign in once."""

    purpose: Literal["password", "sign-in"] = "password"


class LinkMade(BaseModel):
    """A one-time link; it is told once, and lasts for a day."""

    path: str


@router.get("/me")
def me(caller: Known) -> Me:
    """Tell who asks."""
    return Me(
        name=caller.name,
        login=None if caller.person is None else caller.person.login,
        device=None if caller.device is None else caller.device.name,
        table=None if caller.device is None else caller.device.table or None,
        roles=sorted(caller.roles),
        csrf=caller.csrf,
    )


@router.get("/people", dependencies=[READER])
def people(room: RoomOf) -> list[PersonTold]:
    """List everybody."""
    found = room.access.people.people.values()
    return [PersonTold(login=p.login, name=p.name, roles=list(p.roles), active=p.active) for p in found]


@router.post("/people", status_code=201)
def add_person(asked: NewPerson, caller: Administrator, room: RoomOf) -> Done:
    """Add a person, who comes in by a one-time link."""
    value = PersonSet(login=asked.login, name=asked.name, roles=tuple(asked.roles), active=True, first=True)
    return done(room.access.set_person(value, actor=caller.name, command=asked.command))


@router.put("/people/{login}")
def change_person(login: str, asked: ChangedPerson, caller: Administrator, room: RoomOf) -> Done:
    """Change a person's roles, or take him off the list; his name stays, because entries are signed with it."""
    known = room.access.people.people.get(login)
    name = login if known is None else known.name
    value = PersonSet(login=login, name=name, roles=tuple(asked.roles), active=asked.active, first=False)
    return done(room.access.set_person(value, actor=caller.name, command=asked.command))


@router.post("/people/{login}/links", status_code=201)
def make_link(login: str, asked: NewLink, caller: Administrator, room: RoomOf) -> LinkMade:
    """Make a one-time link for a person; one made before ends."""
    code = room.access.make_link(login, asked.purpose, actor=caller.name, command=asked.command)
    return LinkMade(path=f"/links/{code}")
