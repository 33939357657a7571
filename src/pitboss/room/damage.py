"""The decision of two people on damaged books (G-29): who they are is proved before anything is written."""

import uuid
from collections.abc import Iterator
from contextlib import closing, nullcontext
from pathlib import Path
from typing import NamedTuple

from pitboss.books import Answer, Directory
from pitboss.books.audit import open_source
from pitboss.commands import By, CommandSpec, refuse
from pitboss.room.people.people import PEOPLE, Person, second_problems
from pitboss.room.room import Room

DECISION = CommandSpec(
    "books/decide",
    "Decide that damaged books go on.",
    roles=("manager", "accounting", "surveillance"),
    approvers=("manager", "accounting", "surveillance"),
)
"""Who decides on damage; it is no command of the registry, because halted books accept none."""
_COMPUTERS = "administrator"


class Decider(NamedTuple):
    """One of the two who decide: their name or login, and the password that proves it where the room has people."""

    name: str
    password: str = ""


def has_people(room: Room) -> bool:
    """True if the room knows who works there, so that names alone are not believed."""
    return bool(room.state.of(PEOPLE).people)


def decide_damage(
    room: Room, book: str, first: Decider, second: Decider, *, reason: str, copy: Path | None = None
) -> Answer:
    """Record the decision of two people on the damage of a book; entries that a copy has as they were are put back."""
    names = _proved(room, first, second) if has_people(room) else (first.name, second.name)
    source = nullcontext() if copy is None else closing(open_source(Directory(copy) if copy.is_dir() else copy))
    with source as store:
        return room.books.decide_damage(
            book, person=names[0], second=names[1], reason=reason, command=f"decide-{uuid.uuid4()}", copy=store
        )


def decide_time(room: Room, book: str, first: Decider, second: Decider, *, reason: str) -> Answer:
    """Record the decision of two people that the clock is right now, after it jumped (G-77)."""
    names = _proved(room, first, second) if has_people(room) else (first.name, second.name)
    return room.books.decide_time(book, person=names[0], second=names[1], reason=reason)


def _proved(room: Room, first: Decider, second: Decider) -> tuple[str, str]:
    """Return the names of two people who are who they say and may decide, or refuse with everything against it."""
    people = [_person(room, decider) for decider in (first, second)]
    problems = [
        text
        for decider, person in zip((first, second), people, strict=True)
        for text in _problems(room, decider, person)
    ]
    asker, approver = people
    if asker is not None and approver is not None:
        problems += _pair_problems(asker, approver)
        problems += [text for pair in ((asker, approver), (approver, asker)) for text in _brought_in(room, *pair)]
    refuse(problems)
    assert asker is not None
    assert approver is not None
    return asker.name, approver.name


def _person(room: Room, decider: Decider) -> Person | None:
    people = room.state.of(PEOPLE)
    person = people.people.get(decider.name) or people.named(decider.name)
    return person if person is not None and person.active else None


def _problems(room: Room, decider: Decider, person: Person | None) -> Iterator[str]:
    hashed = None if person is None else room.vault.secret(person.login, "password")
    if not room.access.hashing.matches(hashed, decider.password) or person is None:
        yield f"{decider.name!r} with this password is nobody who works here (G-29)"
    elif _COMPUTERS in person.roles:
        yield f"{person.name} administers the computers and does not decide on damage (G-29)"


def _brought_in(room: Room, first: Person, second: Person) -> Iterator[str]:
    """Yield that one of two who decide has brought the other in of late, and so is no judge of them (G-68)."""
    pair = By(first.name, "", By(second.name, ""))
    return second_problems(room.state.of(PEOPLE), "", pair, room.clock())


def _pair_problems(asker: Person, approver: Person) -> list[str]:
    """Return what speaks against two people as a pair, in the roles in which it speaks least."""
    pairs = [
        list(DECISION.problems(By(asker.name, role, By(approver.name, other))))
        for role in asker.roles
        for other in approver.roles
    ]
    return min(pairs, key=len, default=[f"{asker.name} and {approver.name} have no roles (G-29)"])
