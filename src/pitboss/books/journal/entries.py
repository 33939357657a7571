"""An entry of the journal and its hash, which covers every field and the hash of the entry before it."""

from __future__ import annotations

import datetime
from hashlib import sha256
from typing import NamedTuple, TypeAlias

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
        """Whether the entry's fields give the hash that stands in it."""
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
    """Put the hash in, over whatever stood there."""
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


def microseconds(instant: datetime.datetime) -> Instant:
    """Turn an instant with a time zone into microseconds since 1970 UTC."""
    if instant.tzinfo is None:
        raise ValueError(f"{instant} has no time zone")
    return (instant - EPOCH) // _MICROSECOND


def instant_text(value: Instant) -> str:
    """Print an instant of the books in UTC."""
    return (EPOCH + value * _MICROSECOND).isoformat(sep=" ", timespec="microseconds").replace("+00:00", " UTC")
