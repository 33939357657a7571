"""Commands: what a client asks of the books once, and the entries that answer it."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from pitboss.books.canonical import Json, canonical, hash_of
from pitboss.books.directory import book_name_problem
from pitboss.books.entries import Entry, new_entry, text_problem
from pitboss.books.invariants import Step, step_findings
from pitboss.books.payloads import Payload, UnreadableError, write_payload
from pitboss.books.state import BookState, Folding

__all__ = ["Answer", "Command", "Draft", "RefusedError", "drafted", "microseconds_now", "replayed"]


_LATEST = 2**53


class RefusedError(ValueError):
    """A command that may not be done, with everything that speaks against it; nothing has changed."""

    def __init__(self, problems: Iterable[str]) -> None:
        self.problems = tuple(problems)
        super().__init__("; ".join(self.problems))


@dataclass(frozen=True, slots=True)
class Draft:
    """An entry to be written: what it says, and where and when it happened if that differs from its command."""

    value: Payload
    table: str | None = None
    happened: int | None = None


Decide = Callable[[BookState], Sequence[Draft]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """Something to be done once: `decide` computes its entries from the state that all commands before it have left.

    `id` is made by the client and `content` says what the client asked, in JSON: the same id with the same content is
    answered with the entries of the first time, with other content it is refused. `decide` runs in the writer, one
    command after another; it must be a quick pure function, and may raise to refuse.
    """

    book: str
    id: str
    actor: str
    content: Json
    decide: Decide = field(compare=False)
    table: str = ""
    happened: int | None = None

    @property
    def request(self) -> bytes:
        """The hash of what was asked, by whom and where."""
        return hash_of(canonical([self.actor, self.table, self.happened, self.content]))

    def problems(self) -> list[str]:
        """Name everything that is wrong with the command itself."""
        found = book_name_problem(self.book) + text_problem("id", self.id) + text_problem("actor", self.actor)
        found += text_problem("table", self.table, empty=True)
        if self.happened is not None and (type(self.happened) is not int or not 0 <= self.happened < _LATEST):
            found.append(f"happened: {self.happened!r} must be microseconds since 1970 UTC")
        return found


class Answer(NamedTuple):
    """What a command came to: its entries, on disk; `again` says that they were there before."""

    entries: tuple[Entry, ...]
    again: bool

    @property
    def head(self) -> str:
        """The head of the book after the command, as printed on slips."""
        return self.entries[-1].digest.hex()


def microseconds_now() -> int:
    """The time of this computer's clock, in microseconds since 1970 UTC."""
    return time.time_ns() // 1_000


def replayed(command: Command, request: bytes, found: Sequence[Entry]) -> Answer:
    """Answer a command whose id was used before: with the same entries if it asks the same, else not at all."""
    if found[0].request != request:
        told = f"command {command.id} was used for something else (entry {found[0].sequence})"
        raise RefusedError([f"{told}: a new command needs a new id"])
    return Answer(tuple(found), again=True)


def drafted(
    command: Command, request: bytes, state: BookState, folding: Folding, recorded: int, first: int | None = None
) -> tuple[list[Entry], BookState]:
    """Compute the entries of a command and the state after them; nothing is written yet.

    `first` is the sequence of the first entry, where that is not the next: entries that were lost keep their numbers.
    """
    drafts = list(command.decide(state))
    if not drafts:
        raise RefusedError([f"command {command.id} does nothing"])
    wrong = [words for each in drafts if each.table for words in text_problem("table", each.table)]
    if wrong:
        raise RefusedError(wrong)
    made: list[Entry] = []
    sequence = state.sequence + 1 if first is None else first
    # The clock of a computer may be set back; the order of a book may not.
    recorded = max(recorded, state.recorded)
    by_command = recorded if command.happened is None else command.happened
    for part, draft in enumerate(drafts):
        value = draft.value
        entry = new_entry(
            command.book,
            sequence + part,
            by_command if draft.happened is None else draft.happened,
            recorded,
            command.actor,
            command.table if draft.table is None else draft.table,
            value.kind,
            _payload_text(value),
            command.id,
            part,
            len(drafts),
            request,
            state.digest,
        )
        state = _checked(state, entry, value, folding)
        made.append(entry)
    return made, state


def _payload_text(value: Payload) -> str:
    try:
        return write_payload(value)
    except (UnreadableError, TypeError, ValueError) as error:
        raise RefusedError([str(error)]) from None


def _checked(state: BookState, entry: Entry, value: Payload, folding: Folding) -> BookState:
    """Fold an entry that is to be written, and refuse it with every invariant that it would break."""
    try:
        after = folding.fold(state, entry, value)
    except UnreadableError as error:
        found = [finding.words for finding in step_findings(Step(state, entry, value, state))]
        raise RefusedError(found or [str(error)]) from None
    if findings := step_findings(Step(state, entry, value, after)):
        raise RefusedError([finding.words for finding in findings])
    return after
