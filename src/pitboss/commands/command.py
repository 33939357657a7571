"""A command as a value: its declaration, who acts, and how it is verified and carried out."""

from __future__ import annotations

import unicodedata
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Any, ClassVar, NamedTuple, Protocol, TypeVar, dataclass_transform

from pitboss.books import Answer, Books, BookState, Draft, Payload, RefusedError, Submission
from pitboss.commands.description import Description
from pitboss.commands.fields import write_fields
from pitboss.meters import MeterRefusedError

BOOK = "room"
"""The book of a room in its journal."""


@dataclass(frozen=True, slots=True)
class By:
    """Who acts, in which role, and who approves where a second person must."""

    name: str
    role: str
    approver: By | None = None
    console: str | None = None
    """The table of the console where they are known by a PIN alone; None where they have signed in."""

    @property
    def approved_by(self) -> str:
        """The name of the second person, empty where there is none."""
        return "" if self.approver is None else self.approver.name


_LOOK_ALIKES = str.maketrans("авекмнорстухіјѕαβεηικμνορτυχζ", "abekmhopctyxijsabehikmnoptyxz")
"""Cyrillic and Greek letters that are read as Latin ones on a screen."""


def folded_name(name: str) -> str:
    """Return a name as names are compared: NFKC, without case, single spaces, letters that look alike as one (G-68)."""
    plain = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())
    return " ".join(plain.translate(_LOOK_ALIKES).split())


def is_same_person(name: str, other: str) -> bool:
    """True if two names are one person's, however they are typed."""
    return folded_name(name) == folded_name(other)


class NotReadyError(RuntimeError):
    """A figure that is being computed; ask again in a moment."""


SOMEBODY = "a second person"
"""Who approves a command while it is tried, before anybody has."""
SYSTEM_ACTOR = By("pitboss", "system")
"""Who acts where Pitboss does something by itself."""


class Now(NamedTuple):
    """The books as they stand when a command is carried out, and the time by the room's clock in microseconds."""

    state: BookState
    at: int


@dataclass(slots=True)
class Services:
    """The books and the clock of a room, which a command may look up before it is in line."""

    books: Books
    clock: Callable[[], int]
    running: Callable[[], int] | None = None
    """How long this computer runs, in microseconds, by which silence is measured; without it the clock is."""

    def monotonic(self) -> int:
        """Return the time by which silence is measured, whatever the clock is set to (G-77)."""
        return self.clock() if self.running is None else self.running()

    @property
    def state(self) -> BookState:
        """The state of the room's book after the last commit."""
        return self.books.state(BOOK)

    def actor_problems(self, command: Command, by: By) -> list[str]:
        """Return what the room holds against who acts and who approves, beside their roles."""
        return []

    def opening_problems(self, now: Now, table: str) -> list[str]:
        """Return what the room holds against opening a table, beside what its own package knows of it."""
        return []

    def dealer_name(self, state: BookState, name: str) -> str:
        """Return the name of a dealer as entries have it, or refuse who is none; a room without people knows nobody."""
        return name

    def jackpot_opening_problems(self, now: Now, name: str) -> list[str]:
        """Return what the room holds against opening a jackpot, such as displays that show nothing true."""
        return []

    def counted_problems(self, now: Now, table: str, at: int) -> Sequence[str]:
        """Return that the tray of a table is counted for the shift of an instant, where it is."""
        return ()

    def display_problems(self, now: Now, games: Mapping[str, str]) -> list[str]:
        """Return which displays may not show the jackpots of games: by table the game that is dealt there."""
        return []


class Prepared(Protocol):
    """A command whose look-ups are done; it decides from the state alone, in the writer."""

    def entries(self, now: Now, by: By) -> Sequence[Draft | Payload]:
        """Return what is to be written, or raise `RefusedError` with every problem."""
        ...


@dataclass(frozen=True, slots=True)
class CommandSpec:
    """The declaration of a command: its name, what it is for, who may ask for it and who approves it."""

    name: str
    summary: str
    roles: tuple[str, ...]
    approvers: tuple[str, ...] = ()
    is_exposed: bool = True
    """False for what people do by other doors, or nobody does: the API has no route of its own for it."""
    pin: bool = False
    """True for what a PIN is enough for, at the console of the one table that it is about (G-49)."""

    def approvers_of(self, role: str) -> tuple[str, ...]:
        """Return who approves what is asked for in a role: never who acts in the same one (G-31)."""
        return tuple(approver for approver in self.approvers if approver != role)

    def second_role(self, role: str) -> str:
        """Return the first role of a second person for what is asked for in a role."""
        return next(iter(self.approvers_of(role)), self.approvers[0])

    @property
    def area(self) -> str:
        """The part of the room it is about, such as `tables`."""
        return self.name.partition("/")[0]

    def problems(self, by: By, *, needs_second: bool = True) -> Iterator[str]:
        """Yield what speaks against who acts: the role, or a second person who is missing, the same, or may not."""
        if by.role not in self.roles:
            yield f"{self.name} is for {_either(self.roles)}, not for {by.name or 'nobody'} as {by.role} (T-06)"
        second = by.approver
        if not self.approvers or (second is None and not needs_second):
            return
        if second is None or not second.name.strip() or is_same_person(second.name, by.name):
            yield f"{self.name} needs two people: {by.approved_by or 'nobody'!r} is no second person (T-06, G-31)"
        elif second.role not in self.approvers:
            yield f"{self.name} is approved by {_either(self.approvers)}, not by a {second.role} (T-06, G-49)"
        elif second.role == by.role:
            others = self.approvers_of(by.role)
            whom = f"{_either(others)} approves it" if others else "nobody else may approve it"
            yield f"{self.name} is asked for by a {by.role}: {whom}, not another {by.role} (T-06, G-31)"


_LATER = frozenset({"shown_round", "shown_cents"})
"""Fields that commands got later: where they say nothing, what was asked is what it was before."""


class Command(ABC):
    """A verb of the room, as a frozen value; `@command` declares it.

    `entries` computes what is written from the state that all commands before have left, or raises `RefusedError` with
    everything that speaks against it. It runs in the writer: quick, pure, asking nothing but its arguments.
    """

    __slots__ = ()
    spec: ClassVar[CommandSpec]

    @abstractmethod
    def entries(self, now: Now, by: By) -> Sequence[Draft | Payload]:
        """Return what is to be written."""

    def describe(self, state: BookState) -> Description:
        """Return what it does, for who approves it: names and dollars, before and after; it never refuses.

        A command that is approved states its own: without one it does not start.
        """
        return Description(self.spec.summary.rstrip("."), (), getattr(self, "words", ""))

    def needs_second(self, state: BookState, by: By) -> bool:
        """True if a second person approves it as the room stands now; some commands need one only at times."""
        return bool(self.spec.approvers)

    def concerns(self) -> str:
        """Return the login of the person it is about, who never approves it; empty where it is about none."""
        return ""

    def prepare(self, services: Any) -> Prepared:
        """Look up what the state alone does not hold, before the command is queued."""
        return self

    def content(self) -> Any:
        """Return what was asked, as JSON: the same id with other content is refused."""
        return {name: value for name, value in write_fields(self).items() if name not in _LATER or value is not None}

    def role_order(self) -> Sequence[str]:
        """Return the roles in the order in which somebody who has several acts."""
        return self.spec.roles

    def actor(self, by: By) -> str:
        """Return whose name the entries carry."""
        return by.name

    def table_name(self, state: BookState) -> str:
        """Return the table that the entries are about, empty where there is none."""
        return getattr(self, "table", "")


C = TypeVar("C", bound=Command)
OWN_IDS = ("device ", "watch-", "opens-", "posts-", "first-", "snapshot-", "restore-", "decide-")
"""How ids begin that devices and the server make themselves."""


def id_problems(id: str, by: By) -> list[str]:  # noqa: A002
    """Return that somebody uses an id of a device or of the server, whose own command would be refused then."""
    is_own = by.name == SYSTEM_ACTOR.name or by.role == "device"
    if is_own or not id.startswith(OWN_IDS):
        return []
    return [f"command: {id!r}: this id is not for people: devices and the server make such ids (M-10, G-76)"]


@dataclass_transform(frozen_default=True, kw_only_default=True, field_specifiers=(field,))
def command(
    name: str, *, roles: Sequence[str], approvers: Sequence[str] = (), is_exposed: bool = True, pin: bool = False
) -> Callable[[type[C]], type[C]]:
    """Declare a command, a frozen dataclass: the one place that states who may ask, who approves, and by a PIN."""

    def declare(plain: type[C]) -> type[C]:
        cls = dataclass(frozen=True, slots=True, kw_only=True)(plain)
        if approvers and cls.describe is Command.describe:
            raise TypeError(f"{name} is approved by a second person: {cls.__name__} has no describe(state)")
        summary = (cls.__doc__ or "").partition("\n")[0]
        cls.spec = CommandSpec(name, summary, tuple(roles), tuple(approvers), is_exposed, pin)
        return cls

    return declare


def refuse(problems: Iterable[str]) -> None:
    """Refuse with all problems at once, or do nothing where there are none."""
    reasons = list(problems)
    if reasons:
        raise RefusedError(reasons)


class Executor:
    """Verifies and carries out commands in the books of a room."""

    def __init__(self, services: Services) -> None:
        self.services = services

    def verify(self, command: Command, by: By) -> tuple[str, ...]:
        """Return everything that speaks against a command now; nothing is written."""
        books = self.services.books
        try:
            submission = self.submission(command, by, id="verify")
            books.check(submission)
        except RefusedError as error:
            return error.problems
        return ()

    def can(self, command: Command, by: By) -> bool:
        """True if nothing speaks against a command now."""
        return not self.verify(command, by)

    def do(self, command: Command, by: By, *, id: str, happened: int | None = None) -> Answer:  # noqa: A002
        """Carry a command out once under its id; when this returns, its entries are on disk."""
        return self.services.books.submit(self.submission(command, by, id=id, happened=happened))

    def do_later(self, command: Command, by: By, *, id: str, happened: int | None = None) -> Future[Answer]:  # noqa: A002
        """Queue a command; the future has its answer after the commit, or what spoke against it."""
        return self.services.books.submit_later(self.submission(command, by, id=id, happened=happened))

    def submission(self, command: Command, by: By, *, id: str, happened: int | None = None) -> Submission:  # noqa: A002
        """Prepare a command for the writer; raises `RefusedError` with all problems where who acts may not."""
        services = self.services
        needs_second = command.needs_second(services.state, by)
        problems = [*command.spec.problems(by, needs_second=needs_second), *services.actor_problems(command, by)]
        problems += id_problems(id, by)
        if problems:
            refuse([*problems, *self._state_problems(command, by)])
        prepared, at = command.prepare(services), services.clock() if happened is None else happened
        return Submission(
            book=BOOK,
            id=id,
            actor=command.actor(by),
            content=[command.spec.name, command.content(), by.role, by.approved_by],
            decide=lambda state: drafts_of(prepared, Now(state, at), by),
            table=command.table_name(services.state),
            happened=happened,
        )

    def _state_problems(self, command: Command, by: By) -> tuple[str, ...]:
        """Return what the books hold against a command, whoever acts."""
        services = self.services
        try:
            drafts_of(command.prepare(services), Now(services.state, services.clock()), by)
        except RefusedError as error:
            return error.problems
        return ()


def drafts_of(prepared: Prepared, now: Now, by: By) -> list[Draft]:
    """Return the drafts of a prepared command; what a meter refuses is refused like everything else."""
    try:
        return [value if isinstance(value, Draft) else Draft(value) for value in prepared.entries(now, by)]
    except MeterRefusedError as error:
        raise RefusedError(map(str, error.problems)) from None


def one_role(role: str) -> str:
    """Return the one word for a role: journals of before version 0.2 call accounting at the cage a cashier."""
    return "accounting" if role == "cashier" else role


def _either(roles: Sequence[str]) -> str:
    *first, last = roles
    return f"{', '.join(first)} or {last}" if first else last
