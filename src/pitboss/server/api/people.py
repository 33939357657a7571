"""People: who they are, their roles, and one-time links for those who have no password yet."""

from typing import Annotated, Literal

from pydantic import BaseModel

from pitboss.room.people.people import SetPerson
from pitboss.room.people.roles import DEVICE_KINDS, PEOPLE_ROLES
from pitboss.server.api.schemas import CommandBody, CommandResult, Name, api_router, result_of
from pitboss.server.auth import Caller, CurrentRoom, allow

router = api_router("people")
SignedIn = Annotated[Caller, allow(*PEOPLE_ROLES, *DEVICE_KINDS)]
READER = allow("administrator", "manager", "auditor")
Administrator = Annotated[Caller, allow("administrator")]


class Me(BaseModel):
    """Who asks, as the server knows them, and the token to send with what they change."""

    name: str
    login: str | None
    device: str | None
    table: str | None
    roles: list[str]
    csrf: str


class PersonInfo(BaseModel):
    """A person of the room."""

    login: str
    name: str
    roles: list[str]
    active: bool


class NewPerson(CommandBody):
    """A person to be added."""

    login: Name
    name: Name
    roles: list[Name]


class ChangedPerson(CommandBody):
    """What a person's roles are from now on, and whether they still work here."""

    roles: list[Name]
    active: bool = True


class NewLink(CommandBody):
    """A one-time link for a person: to choose a password with, or only to sign in once."""

    purpose: Literal["password", "sign-in"] = "password"


class OneTimeLink(BaseModel):
    """A one-time link; it is returned once, and lasts for a day."""

    path: str


@router.get("/me")
def me(caller: SignedIn) -> Me:
    """Return the caller as the server knows them."""
    return Me(
        name=caller.name,
        login=None if caller.person is None else caller.person.login,
        device=None if caller.device is None else caller.device.name,
        table=None if caller.device is None else caller.device.table or None,
        roles=sorted(caller.roles),
        csrf=caller.csrf,
    )


@router.get("/people", dependencies=[READER])
def people(room: CurrentRoom) -> list[PersonInfo]:
    """List everybody."""
    people = room.access.people.people.values()
    return [PersonInfo(login=p.login, name=p.name, roles=list(p.roles), active=p.active) for p in people]


@router.post("/people", status_code=201)
def add_person(body: NewPerson, caller: Administrator, room: CurrentRoom) -> CommandResult:
    """Add a person, who comes in by a one-time link."""
    person = SetPerson(login=body.login, name=body.name, roles=tuple(body.roles), active=True, first=True)
    return result_of(room.access.set_person(person, caller.by(SetPerson.spec.roles), id=body.command))


@router.put("/people/{login}")
def change_person(login: str, body: ChangedPerson, caller: Administrator, room: CurrentRoom) -> CommandResult:
    """Change a person's roles, or take them off the list; their name stays, because entries are signed with it."""
    before = room.access.people.people.get(login)
    name = login if before is None else before.name
    person = SetPerson(login=login, name=name, roles=tuple(body.roles), active=body.active, first=False)
    return result_of(room.access.set_person(person, caller.by(SetPerson.spec.roles), id=body.command))


@router.post("/people/{login}/links", status_code=201)
def make_link(login: str, body: NewLink, caller: Administrator, room: CurrentRoom) -> OneTimeLink:
    """Make a one-time link for a person; one made before ends."""
    code = room.access.make_link(login, body.purpose, caller.by(SetPerson.spec.roles), id=body.command)
    return OneTimeLink(path=f"/links/{code}")
