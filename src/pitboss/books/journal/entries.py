"""An entry of the journal, the chain of hashes that entries make, and damage to it.

The hash of an entry covers every field and the hash of the entry before it.
"""

import datetime
from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256
from itertools import product
from typing import NamedTuple, TypeAlias

from pitboss.books.journal.codec import hash_text

Instant: TypeAlias = int
"""Microseconds since 1970 UTC."""

GENESIS = bytes(32)
"""The hash before the first entry of a book."""

EPOCH = datetime.datetime(1970, 1, 1, tzinfo=datetime.UTC)
_MICROSECOND = datetime.timedelta(microseconds=1)
_TEXT_LENGTH_MAX = 120


class Entry(NamedTuple):
    """One line of a book, in the order of its columns in the store (M-02, T-19).

    `happened` is when the thing was, `recorded` when it was written. `command` is
    the client's id; a command may write several entries, of which this is number `part` (from 0) of `parts`; `request`
    is the hash of the client's request. `table` is empty where no table is concerned.
    """

    book: str
    sequence: int
    happened: Instant
    recorded: Instant
    actor: str
    table: str
    kind: str
    payload: str
    command: str
    part: int
    parts: int
    request: bytes
    previous: bytes
    digest: bytes

    @property
    def is_sound(self) -> bool:
        """True if the entry's fields give the hash that stands in it."""
        return entry_digest(self) == self.digest


FIELDS = Entry._fields


def entry_digest(entry: Entry) -> bytes:
    """Hash an entry: SHA-256 of its fields but the last, one on each line, hashes in hexadecimal digits.

    No field holds a line end (texts are checked when they are written, and JSON escapes them), so that no two entries
    have the same lines.
    """
    return _digest(*entry[:-1])


def _digest(
    book: str, sequence: int, happened: Instant, recorded: Instant, actor: str, table: str, kind: str, payload: str,
    command: str, part: int, parts: int, request: bytes, previous: bytes,
) -> bytes:  # fmt: skip
    lines = (
        f"{book}\n{sequence}\n{happened}\n{recorded}\n{actor}\n{table}\n{kind}\n{payload}\n{command}\n{part}\n{parts}\n"
        f"{request.hex()}\n{previous.hex()}\n"
    )
    return sha256(lines.encode("utf-8", "surrogatepass")).digest()


_COLUMNS = tuple(zip(FIELDS, (str, int, int, int, str, str, str, str, str, int, int, bytes, bytes, bytes), strict=True))
_KIND_WORDS = {str: "text", int: "a whole number", bytes: "bytes"}


def column_problems(entry: Entry) -> list[str]:
    """Return which columns of a row cannot be what was written: another kind of value, or bytes that are no text."""
    problems = []
    for (name, kind), value in zip(_COLUMNS, entry, strict=True):
        if type(value) is not kind:
            problems.append(f"column {name} is not {_KIND_WORDS[kind]}")
        elif kind is str and has_surrogates(str(value)):
            problems.append(f"column {name} is not UTF-8 text")
    return problems


def has_surrogates(text: str) -> bool:
    """True if a text has letters that stand for bytes which are no text."""
    return not text.isascii() and any("\ud800" <= letter <= "\udfff" for letter in text)


def mended_entry(entry: Entry, sequence: int, recorded: Instant) -> Entry:
    """Return a row as an entry that can be handled: what is of another kind becomes the least of the right one."""
    pairs = zip(_COLUMNS, entry, strict=True)
    mended = Entry._make(value if type(value) is kind else kind() for (_, kind), value in pairs)
    if type(entry.sequence) is not int:
        mended = mended._replace(sequence=sequence)
    return mended if type(entry.recorded) is int else mended._replace(recorded=recorded)


def flipped_column(entry: Entry) -> str | None:
    """Return the column in which one bit differs from what was written, where that is all that is wrong."""
    lines = [
        (value.hex() if isinstance(value, bytes) else str(value)).encode("utf-8", "surrogateescape")
        for value in entry[:-1]
    ]
    if (int.from_bytes(entry_digest(entry), "big") ^ int.from_bytes(entry.digest, "big")).bit_count() == 1:
        return "digest"
    for place, name in enumerate(FIELDS[:-1]):
        before = sha256(b"".join(line + b"\n" for line in lines[:place]))
        after = b"\n" + b"".join(line + b"\n" for line in lines[place + 1 :])
        for variant in _variants(entry[place], lines[place]):
            hasher = before.copy()
            hasher.update(variant + after)
            if hasher.digest() == entry.digest:
                return name
    return None


def _variants(value: object, line: bytes) -> Iterator[bytes]:
    """Yield the line of a value with each one of its bits flipped."""
    if isinstance(value, int):
        yield from (str(value ^ (1 << bit)).encode() for bit in range(63))
        return
    raw = value if isinstance(value, bytes) else line
    for place, bit in product(range(len(raw)), range(8)):
        flipped = raw[:place] + bytes((raw[place] ^ (1 << bit),)) + raw[place + 1 :]
        yield flipped.hex().encode() if isinstance(value, bytes) else flipped


def new_entry(
    book: str, sequence: int, happened: Instant, recorded: Instant, actor: str, table: str, kind: str, payload: str,
    command: str, part: int, parts: int, request: bytes, previous: bytes,
) -> Entry:  # fmt: skip
    """Make an entry with its hash."""
    digest = _digest(
        book, sequence, happened, recorded, actor, table, kind, payload, command, part, parts, request, previous
    )
    return Entry(
        book, sequence, happened, recorded, actor, table, kind, payload, command, part, parts, request, previous, digest
    )


def sealed_entry(entry: Entry) -> Entry:
    """Set the hash, replacing what was there."""
    return entry._replace(digest=entry_digest(entry))


def text_problem(name: str, value: object, *, empty: bool = False) -> list[str]:
    """Return what is wrong with a short text of an entry: it is one printable line."""
    if isinstance(value, str) and value.isprintable() and len(value) <= _TEXT_LENGTH_MAX:
        if value == "" and empty:
            return []
        if value.strip() == value != "":
            return []
    must_be = f"printable text in one line, at most {_TEXT_LENGTH_MAX} characters"
    return [f"{name}: {value!r} must be {must_be}{'' if empty else ', and not empty'}"]


def second_person_problems(act: str, approved_by: str, actor: str) -> list[str]:
    """Return that an act has no second person, or the same one twice (T-06, G-31)."""
    if not approved_by.strip():
        return [f"{act} needs the approval of a second person"]
    return [f"{actor} approves a change of their own"] if approved_by.casefold() == actor.casefold() else []


def microseconds(instant: datetime.datetime) -> Instant:
    """Turn an instant with a time zone into microseconds since 1970 UTC."""
    if instant.tzinfo is None:
        raise ValueError(f"{instant} has no time zone")
    return (instant - EPOCH) // _MICROSECOND


def instant_text(value: Instant) -> str:
    """Print an instant of the books in UTC."""
    return (EPOCH + value * _MICROSECOND).isoformat(sep=" ", timespec="microseconds").replace("+00:00", " UTC")


class Damage(NamedTuple):
    """A damage of a book: where, what differs, and a fingerprint of what stands there.

    A person's decision names the fingerprint, so that it covers what the person has seen and nothing else. What is
    wrong with the store and not with an entry has the number 0.
    """

    book: str
    sequence: int
    what: str
    found: str

    def __str__(self) -> str:
        place = f", entry {self.sequence}" if self.sequence else ""
        return f"book {self.book}{place}: {self.what}"


def fingerprint(entry: Entry) -> str:
    """Identify what stands in an entry, sound or not."""
    return entry_digest(entry).hex()[:16] + entry.digest.hex()[:16]


TIME_DECIDED = "time-decided"
"""The kind of entry after which the time may be earlier than before it."""


class ChainWatch:
    """Walks the entries of a book in order and names what is wrong with the chain (M-02, T-19)."""

    def __init__(self, book: str, sequence: int = 0, digest: bytes = GENESIS, recorded: Instant = 0) -> None:
        self.book = book
        self.sequence, self.digest, self.recorded = sequence, digest, recorded
        self._command: tuple[str, int, int] | None = None
        self._before: tuple[int, bytes, Instant, tuple[str, int, int] | None] = (sequence, digest, recorded, None)

    def see(self, entry: Entry) -> list[Damage]:
        """Check the next entry."""
        _, sequence, _, recorded, _, _, kind, _, command, part, parts, _, previous, digest = entry
        if kind == TIME_DECIDED:
            # Two people have said that the clock was wrong before: from here on it goes by the right one (G-77).
            self.recorded = min(self.recorded, recorded)
        is_sound = entry_digest(entry) == digest
        follows = sequence == self.sequence + 1 and previous == self.digest and recorded >= self.recorded
        in_order = self._in_order(command, part, parts)
        damages = [] if is_sound and follows and in_order else self._damages(entry, is_sound, in_order)
        if damages:
            self._before = (self.sequence, self.digest, self.recorded, self._command)
        self.sequence, self.digest, self.recorded = sequence, digest, recorded
        self._command = (command, part, parts)
        return damages

    def back(self) -> None:
        """Go back before the last entry that was damaged."""
        self.sequence, self.digest, self.recorded, self._command = self._before

    def _damages(self, entry: Entry, is_sound: bool, in_order: bool) -> list[Damage]:
        """Name what is wrong with an entry that is not sound, does not follow, or is out of order."""
        problems: list[str] = []
        damages = []
        if entry.sequence != self.sequence + 1:
            damages.append(self._missing(entry.sequence - 1))
        elif entry.previous != self.digest:
            problems.append(f"it does not follow entry {self.sequence}: another hash stands in it")
        if not is_sound:
            problems.append("its content does not give its hash")
        if entry.recorded < self.recorded:
            problems.append("it was recorded before the entry before it")
        if not damages and not in_order:
            problems.append(f"it is part {entry.part + 1} of {entry.parts} of command {entry.command}, out of order")
        return damages + [Damage(self.book, entry.sequence, what, fingerprint(entry)) for what in problems]

    def end(self) -> list[Damage]:
        """Look at where the book ends: a command is there whole or not at all."""
        if self._command is not None and self._command[1] + 1 != self._command[2]:
            what = f"command {self._command[0]} has {self._command[2]} entries, and the book ends before the last"
            return [Damage(self.book, self.sequence, what, self.digest.hex()[:32])]
        return []

    def _missing(self, last: int) -> Damage:
        first = self.sequence + 1
        which = f"entry {first} is" if first == last else f"entries {first} to {last} are"
        return Damage(self.book, first, f"{which} missing", hash_text([self.book, first, last])[:32])

    def _in_order(self, command: str, part: int, parts: int) -> bool:
        """True if an entry goes on with the command of the entry before it, or begins the next."""
        if self._command is None:
            return True
        before, last, whole = self._command
        if last + 1 < whole:
            return (command, part, parts) == (before, last + 1, whole) and part >= 0
        return part == 0 < parts


_DISPLACED_MAX = 200


def displaced(entries: Sequence[Entry]) -> Iterable[Damage]:
    """Among entries whose content does not give their hash, find those that only stand in another's place."""
    if len(entries) > _DISPLACED_MAX:
        return
    for entry in entries:
        for other in entries:
            if other.sequence != entry.sequence:
                moved = entry._replace(sequence=other.sequence)
                if entry_digest(moved) == entry.digest:
                    what = f"it is entry {other.sequence}, put in another place"
                    yield Damage(entry.book, entry.sequence, what, fingerprint(entry))
