"""The words in which commands are declared."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Annotated, Any, NamedTuple, cast

from pydantic import BaseModel, ConfigDict, Field, create_model

from pitboss.books import Answer, Books, BookState, Command
from pitboss.jackpot import Hits, Jackpots
from pitboss.jackpot import Person as Acting
from pitboss.reports import Desk
from pitboss.room.alarms import AlarmOwners
from pitboss.room.dealing.dealing import Dealing
from pitboss.room.displays import DisplayWatch
from pitboss.room.disputes import Disputes
from pitboss.room.hit_probabilities import HitProbabilities
from pitboss.room.people.vault import Vault
from pitboss.room.posting import Posted
from pitboss.room.settings import RoomSetting
from pitboss.room.slides import Promotions
from pitboss.tabulator import Tables

CommandId = Annotated[
    str,
    Field(min_length=1, max_length=120, description="Made by the client; what is sent again under it is done once."),
]
Name = Annotated[str, Field(min_length=1, max_length=120)]
Words = Annotated[str, Field(max_length=500, description="Why, in words; it is journalled.")]


class Asked(BaseModel):
    """Something to be done once."""

    model_config = ConfigDict(extra="forbid", strict=True)
    command: CommandId


_LARGEST = 2**53 - 1
Number = Annotated[int, Field(ge=-_LARGEST, le=_LARGEST)]
Count = Annotated[int, Field(ge=0, le=_LARGEST)]
Seat = Annotated[int, Field(ge=1, le=99)]
Seats = Annotated[list[Seat], Field(max_length=99)]
_CASHIER = {"accounting": "cashier"}
"""Whom a hit calls a cashier, the room calls accounting."""


class Said(BaseModel):
    """A value inside a command; nothing that is not asked for is taken."""

    model_config = ConfigDict(extra="forbid", strict=True)


class Doors:
    """Everything that commands are done by, over one set of books."""

    books: Books
    clock: Callable[[], int]
    chances: HitProbabilities
    jackpots: Jackpots
    hits: Hits
    tables: Tables
    posted: Posted
    promotions: Promotions
    displays: DisplayWatch
    alarms: AlarmOwners
    disputes: Disputes
    dealing: Dealing
    desk: Desk
    setting: RoomSetting

    def __init__(
        self,
        books: Books,
        clock: Callable[[], int],
        vault: Vault | None = None,
        chances: HitProbabilities | None = None,
    ) -> None:
        self.chances = chances or HitProbabilities()
        self.jackpots, self.hits = Jackpots(books, clock=clock), Hits(books, clock=clock)
        self.books, self.clock = books, clock
        self.tables, self.posted = Tables(books, clock=clock), Posted(books, clock=clock)
        self.promotions, self.displays = Promotions(books), DisplayWatch(books, clock=clock)
        self.alarms, self.disputes = AlarmOwners(books), Disputes(books)
        self.dealing = Dealing(books, vault)
        self.desk = Desk(books, clock=clock)
        self.setting = RoomSetting(books, clock=clock)


class Who(NamedTuple):
    """Who acts, under which command, and who approves where a second person must."""

    command: str
    by: Acting
    approver: Acting | None = None

    @property
    def one(self) -> dict[str, Any]:
        """What a door takes that asks for a name."""
        return {"command": self.command, "actor": self.by.name}

    @property
    def second(self) -> Acting:
        """Who approves, where somebody must."""
        assert self.approver is not None
        return self.approver

    @property
    def two(self) -> dict[str, Any]:
        """What a door takes that asks for two names."""
        return self.one | {"approved_by": "" if self.approver is None else self.approver.name}

    @property
    def acting(self) -> dict[str, Any]:
        """What a door takes that asks for a person in a role."""
        return {"command": self.command, "by": self.by}

    @property
    def acting_two(self) -> dict[str, Any]:
        """What a door takes that asks for a person in a role and the name of a second."""
        return self.acting | {"approved_by": "" if self.approver is None else self.approver.name}


Do = Callable[[Doors, Any, Who], Answer]


class CommandKind(NamedTuple):
    """A command: its name, what it is for, who may ask it, who approves it (nobody, where one person is enough)."""

    name: str
    says: str
    roles: tuple[str, ...]
    model: type[Asked]
    do: Do
    approvers: tuple[str, ...] = ()
    acts_as: Callable[[Any], Sequence[str]] | None = None
    """Which role comes first for what is asked, where that is not always the same."""

    def actor(self, name: str, roles: frozenset[str], asked: Asked) -> Acting:
        """Say in which role a person asks for this."""
        return acting(name, roles, self.roles if self.acts_as is None else self.acts_as(asked))

    @property
    def area(self) -> str:
        """The part of the room that it is about."""
        return self.name.partition("/")[0]


def kind(
    name: str,
    says: str,
    do: Do,
    *,
    roles: Sequence[str],
    approvers: Sequence[str] = (),
    acts_as: Callable[[Any], Sequence[str]] | None = None,
    fields: dict[str, Any],
) -> CommandKind:
    """Declare a command; a field is a type, or a pair of type and default."""
    given = {each: field if isinstance(field, tuple) else (field, ...) for each, field in fields.items()}
    title = "".join(part.capitalize() for part in name.replace("/", "-").split("-"))
    model: type[Asked] = create_model(title, __base__=Asked, __doc__=says, **cast("Any", given))
    return CommandKind(name, says, tuple(roles), model, do, tuple(approvers), acts_as)


def acting(name: str, roles: frozenset[str], wanted: Sequence[str]) -> Acting:
    """Say in which role a person acts: the first of those a command is for."""
    role = next(each for each in wanted if each in roles)
    return Acting(name, _CASHIER.get(role, role))


class _CapturedError(Exception):
    def __init__(self, command: Command) -> None:
        self.command = command
        super().__init__("a command that was made and not yet submitted")


class _Capturing:
    """Books that are read as they are, and keep what is submitted instead of doing it."""

    def __init__(self, books: Books) -> None:
        self.store, self._books = books.store, books

    def state(self, book: str) -> BookState:
        return self._books.state(book)

    def submit(self, command: Command) -> Answer:
        raise _CapturedError(command)


def captured(
    found: CommandKind,
    asked: Asked,
    who: Who,
    books: Books,
    clock: Callable[[], int],
    vault: Vault | None = None,
    chances: HitProbabilities | None = None,
) -> Command:
    """Make the command that a kind would submit, without submitting it."""
    doors = Doors(cast("Books", _Capturing(books)), clock, vault, chances)
    try:
        found.do(doors, asked, who)
    except _CapturedError as error:
        return error.command
    raise AssertionError(f"{found.name} submits nothing")
