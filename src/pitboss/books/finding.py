"""Finding entries without reading all between them: the database leaves out what is not wanted.

What it gives may be more than was asked for, never less: whoever asks looks at each entry again.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Dialect, LargeBinary, Text, bindparam, cast, collate, func, or_, select
from sqlalchemy.sql import Select

from pitboss.books.entries import FIELDS, Entry
from pitboss.books.schema import entries, snapshots
from pitboss.books.sql import Statement, compiled
from pitboss.books.store import PAGE, Store

__all__ = ["Sought", "counts_by_actor", "entries_at", "newest", "saying", "sealed_numbers"]

_columns = tuple(entries.c[name] for name in FIELDS)
_TOGETHER = 64
_HUNDREDS = 200
_PLACES = tuple(f"number_{place}" for place in range(_TOGETHER))
_RANGE = (
    entries.c.book == bindparam("of_book", type_=Text),
    entries.c.sequence > bindparam("after"),
    entries.c.sequence <= bindparam("upto"),
)


class Sought(NamedTuple):
    """Which entries are looked for: their kind, table, and what stands in who signed them and in what they say."""

    kind: str = ""
    table: str = ""
    actor: str = ""
    words: str = ""


def _rows(connection: Any, statement: Statement, **values: Any) -> list[Any]:
    cursor = connection.cursor()
    try:
        rows: list[Any] = cursor.execute(statement.text, statement.places(**values)).fetchall()
    finally:
        cursor.close()
    return rows


@lru_cache(maxsize=4)
def _at(dialect: Dialect) -> Statement:
    wanted = entries.c.sequence.in_([bindparam(name) for name in _PLACES])
    query = select(*_columns).where(entries.c.book == bindparam("of_book", type_=Text), wanted)
    return compiled(query.order_by(entries.c.sequence), dialect)


def entries_at(store: Store, book: str, sequences: Iterable[int]) -> dict[int, Entry]:
    """Read entries by their numbers, over one connection; what is not there is left out."""
    numbers, found = list(dict.fromkeys(sequences)), {}
    with store.reading() as connection:
        for start in range(0, len(numbers), _TOGETHER):
            some = numbers[start : start + _TOGETHER]
            # Every place is filled: what is asked twice is found once.
            places = dict(zip(_PLACES, [*some, *[some[0]] * (_TOGETHER - len(some))], strict=True))
            for row in _rows(connection, _at(store.statements.dialect), of_book=book, **places):
                found[row[1]] = Entry._make(row)
    return found


def _contains(dialect: Dialect, column: ColumnElement[str], text: ColumnElement[str]) -> ColumnElement[bool]:
    return (func.instr if dialect.name == "sqlite" else func.strpos)(column, text) > 0


def _may_sign(dialect: Dialect, text: str) -> ColumnElement[bool]:
    """Whether a text may stand in the name of who signed, in small or capital letters.

    A database knows the small letters of English and perhaps of no other language: whoever has others is given.
    """
    actor: ColumnElement[str] = entries.c.actor
    if dialect.name == "sqlite":
        others, small = func.length(actor) != func.length(cast(actor, LargeBinary)), func.lower(actor)
    else:
        others, small = func.length(actor) != func.octet_length(actor), func.lower(collate(actor, "C"))
    folded = text.casefold()
    return or_(others, _contains(dialect, small, bindparam("signed", folded, Text))) if folded.isascii() else others


def _may_say(dialect: Dialect, text: str) -> ColumnElement[bool]:
    """Whether a text may stand in a payload, which is written in ASCII: other letters are escaped."""
    payload: ColumnElement[str] = entries.c.payload
    folded = text.casefold()
    if not folded.isascii():
        return _contains(dialect, payload, bindparam("said", "\\u", Text))
    small = func.lower(payload if dialect.name == "sqlite" else collate(payload, "C"))
    return _contains(dialect, small, bindparam("said", folded, Text))


@lru_cache(maxsize=256)
def _newest(dialect: Dialect, sought: Sought) -> Statement:
    query: Select[Any] = select(*_columns).where(*_RANGE)
    if sought.kind:
        query = query.where(entries.c.kind == bindparam("of_kind", sought.kind, Text))
    if sought.table:
        query = query.where(entries.c.table == bindparam("of_table", sought.table, Text))
    if sought.actor:
        query = query.where(_may_sign(dialect, sought.actor))
    if sought.words:
        query = query.where(_may_say(dialect, sought.words))
    return compiled(query.order_by(entries.c.sequence.desc()).limit(bindparam("most")), dialect)


def newest(store: Store, book: str, sought: Sought, after: int, upto: int) -> Iterator[Entry]:
    """Look back from an entry for those that may be sought, the newest first, some hundred at a time."""
    statement = _newest(store.statements.dialect, sought)
    with store.reading() as connection:
        while True:
            page = _rows(connection, statement, of_book=book, after=after, upto=upto, most=_HUNDREDS)
            yield from map(Entry._make, page)
            if len(page) < _HUNDREDS:
                return
            upto = page[-1][1] - 1


@lru_cache(maxsize=8)
def _saying(dialect: Dialect, *, but: str) -> Statement:
    said = _contains(dialect, entries.c.payload, bindparam("said", type_=Text))
    query = select(*_columns).where(*_RANGE, said)
    if but:
        query = query.where(entries.c.kind != bindparam("but", but, Text))
    return compiled(query.order_by(entries.c.sequence).limit(bindparam("most")), dialect)


def saying(store: Store, book: str, text: str, after: int, upto: int, *, but: str = "") -> Iterator[Entry]:
    """Read in order the entries whose payload has a text in it, leaving out a kind."""
    statement = _saying(store.statements.dialect, but=but)
    with store.reading() as connection:
        while True:
            page = _rows(connection, statement, of_book=book, after=after, upto=upto, said=text, most=PAGE)
            yield from map(Entry._make, page)
            if len(page) < PAGE:
                return
            after = page[-1][1]


@lru_cache(maxsize=4)
def _counted(dialect: Dialect) -> Statement:
    query = select(entries.c.actor, entries.c.kind, func.count()).where(*_RANGE)
    return compiled(query.group_by(entries.c.actor, entries.c.kind), dialect)


def counts_by_actor(store: Store, book: str, after: int, upto: int) -> dict[str, dict[str, int]]:
    """Count the entries of each kind that everybody has signed in a stretch of a book."""
    found: dict[str, dict[str, int]] = {}
    with store.reading() as connection:
        asked = {"of_book": book, "after": after, "upto": upto}
        for actor, kind, count in _rows(connection, _counted(store.statements.dialect), **asked):
            found.setdefault(actor, {})[kind] = count
    return found


@lru_cache(maxsize=4)
def _sealed(dialect: Dialect) -> Statement:
    of_book = snapshots.c.book == bindparam("of_book", type_=Text)
    between = snapshots.c.sequence > bindparam("after"), snapshots.c.sequence <= bindparam("upto")
    return compiled(select(snapshots.c.sequence).where(of_book, *between).order_by(snapshots.c.sequence), dialect)


def sealed_numbers(store: Store, book: str, after: int, upto: int) -> list[int]:
    """The entries in a stretch of a book beside which a state is sealed, in order."""
    with store.reading() as connection:
        rows = _rows(connection, _sealed(store.statements.dialect), of_book=book, after=after, upto=upto)
    return [row[0] for row in rows]
