"""Submissions: what a client wants done once, and the entries that it comes to."""

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from pitboss.books.journal.codec import Json, canonical, hash_of
from pitboss.books.journal.entries import Entry, Instant, new_entry, text_problem
from pitboss.books.journal.payloads import Payload, UnreadableError, write_payload
from pitboss.books.journal.state import BookState, EntryStep, Folding
from pitboss.books.store.directory import book_name_problem

_LATEST = 2**53


class RefusedError(ValueError):
    """Something that may not be done, with everything that speaks against it; nothing has changed."""

    def __init__(self, problems: Iterable[str]) -> None:
        self.problems = tuple(problems)
        super().__init__("; ".join(self.problems))


@dataclass(frozen=True, slots=True)
class Draft:
    """An entry to be written: its payload, and where and when it happened if that differs from its submission."""

    value: Payload
    table: str | None = None
    happened: Instant | None = None


Decide = Callable[[BookState], Sequence[Draft]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Submission:
    """Something to be done once: `decide` computes its entries from the state that all before it have left.

    `id` is made by the client and `content` is its request, in JSON: the same id with the same content is answered
    with the entries of the first time, with other content it is refused. `decide` runs in the writer, one after
    another; it must be a quick pure function, and may raise to refuse.
    """

    book: str
    id: str
    actor: str
    content: Json
    decide: Decide = field(compare=False)
    table: str = ""
    happened: Instant | None = None

    @property
    def request(self) -> bytes:
        """The hash of the request: its content, who made it and where."""
        return hash_of(canonical([self.actor, self.table, self.happened, self.content]))

    def problems(self) -> list[str]:
        """Return everything that is wrong with the submission itself."""
        problems = book_name_problem(self.book) + text_problem("id", self.id) + text_problem("actor", self.actor)
        problems += text_problem("table", self.table, empty=True)
        if self.happened is not None and (type(self.happened) is not int or not 0 <= self.happened < _LATEST):
            problems.append(f"happened: {self.happened!r} must be microseconds since 1970 UTC")
        return problems


class Answer(NamedTuple):
    """What a submission came to: its entries, on disk; `again` says that they were there before."""

    entries: tuple[Entry, ...]
    again: bool

    @property
    def head(self) -> str:
        """The head of the book after the command, as printed on slips."""
        return self.entries[-1].digest.hex()


def microseconds_now() -> Instant:
    """The time of this computer's clock, in microseconds since 1970 UTC."""
    return time.time_ns() // 1_000


def answered_again(submission: Submission, request: bytes, written: Sequence[Entry]) -> Answer:
    """Answer an id that was used before: with the same entries if the request is the same, else not at all."""
    if written[0].request != request:
        used = f"command {submission.id} was used for something else (entry {written[0].sequence})"
        raise RefusedError([f"{used}: a new command needs a new id"])
    return Answer(tuple(written), again=True)


def drafted(
    submission: Submission,
    request: bytes,
    state: BookState,
    folding: Folding,
    recorded: Instant,
    first: int | None = None,
) -> tuple[list[Entry], BookState]:
    """Compute the entries of a submission and the state after them; nothing is written yet.

    `first` is the sequence of the first entry, where that is not the next: entries that were lost keep their numbers.
    """
    drafts = list(submission.decide(state))
    if not drafts:
        raise RefusedError([f"command {submission.id} does nothing"])
    wrong = [words for draft in drafts if draft.table for words in text_problem("table", draft.table)]
    if wrong:
        raise RefusedError(wrong)
    entries: list[Entry] = []
    sequence = state.sequence + 1 if first is None else first
    # The clock of a computer may be set back; the order of a book may not.
    recorded = max(recorded, state.recorded)
    happened = recorded if submission.happened is None else submission.happened
    for part, draft in enumerate(drafts):
        value = draft.value
        entry = new_entry(
            submission.book,
            sequence + part,
            happened if draft.happened is None else draft.happened,
            recorded,
            submission.actor,
            submission.table if draft.table is None else draft.table,
            value.kind,
            _payload_text(value),
            submission.id,
            part,
            len(drafts),
            request,
            state.digest,
        )
        state = _checked(state, entry, value, folding)
        entries.append(entry)
    return entries, state


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
        problems = [finding.words for finding in folding.step_findings(EntryStep(state, entry, value, state))]
        raise RefusedError(problems or [str(error)]) from None
    if findings := folding.step_findings(EntryStep(state, entry, value, after)):
        raise RefusedError([finding.words for finding in findings])
    return after
