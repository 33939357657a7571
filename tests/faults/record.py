"""What was asked of the room from outside, and what it answered: all that the judge believes besides the journal."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field

DONE, REFUSED, UNKNOWN = "done", "refused", "unknown"


@dataclass(slots=True)
class Act:
    """Something a person asked for under an id: what became of it, as far as they were told."""

    id: str
    what: str
    by: str
    at: int
    expect: str = ""
    outcome: str = UNKNOWN
    entries: tuple[int, ...] = ()
    words: str = ""
    is_while_jumped: bool = False


@dataclass(slots=True)
class Pressed:
    """A message of a device as it was kept there, and the replies it got."""

    device: str
    sequence: int
    at: int
    seen: tuple[tuple[int, int], ...]
    statuses: list[str] = field(default_factory=list)
    rounds: list[int] = field(default_factory=list)

    @property
    def is_acknowledged(self) -> bool:
        """Whether the device was told that it is done."""
        return any(status in ("counted", "released", "ignored", "noted", "refused") for status in self.statuses)


LATER = ("waiting", "later")
"""Replies to a press that a device keeps and sends again."""


@dataclass(slots=True)
class Record:
    """Everything that happened outside of the room, in order; and the log of it, of which two runs have the same."""

    acts: dict[str, Act] = field(default_factory=dict)
    pressed: dict[tuple[str, int], Pressed] = field(default_factory=dict)
    findings: list[str] = field(default_factory=list)
    counts: dict[str, int] = field(default_factory=dict)
    heads: dict[int, str] = field(default_factory=dict)
    """By number the hashes of entries that were acknowledged."""
    _log: hashlib._Hash = field(default_factory=hashlib.sha256)

    def note(self, *words: object) -> None:
        """Write a line of the log."""
        self._log.update((" ".join(map(str, words)) + "\n").encode())

    def count(self, what: str) -> None:
        """Count something that happened, for whoever asks how much of it there was."""
        self.counts[what] = self.counts.get(what, 0) + 1

    def find(self, words: str) -> None:
        """Note something that is wrong."""
        self.note("finding", words)
        self.findings.append(words)

    def asked(self, id: str, what: str, by: str, at: int, expect: str) -> Act:  # noqa: A002
        """Note that somebody asks for something; asked again under the same id, it is the same."""
        act = self.acts.setdefault(id, Act(id, what, by, at, expect))
        self.note("ask", id, what, by, at)
        return act

    def answered(self, act: Act, outcome: str, entries: Sequence[int] = (), words: str = "") -> None:
        """Note an answer; what was answered before must be answered alike."""
        self.note("answer", act.id, outcome, *entries, words)
        self.count(f"{act.what} {outcome}")
        if outcome == UNKNOWN:
            return
        if act.outcome == DONE and (outcome != DONE or act.entries != tuple(entries)):
            self.find(f"{act.id} ({act.what}) was done as {act.entries} and is answered {outcome} {entries} {words}")
        act.outcome, act.entries, act.words = outcome, tuple(entries), words
        if act.expect and outcome != act.expect:
            self.find(f"{act.id} ({act.what} by {act.by}) was {outcome}, which should be {act.expect}: {words}")

    def digest(self) -> str:
        """Return the hash of the log."""
        return self._log.hexdigest()
