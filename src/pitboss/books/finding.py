"""Finding entries without reading all between them: the database leaves out what is not wanted.

What it gives may be more than was asked for, never less: whoever asks looks at each entry again. Statements are written
with names for their places, which are put as the driver wants them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Any, NamedTuple

from pitboss.books.auditor import COLUMNS
from pitboss.books.entries import Entry
from pitboss.books.statements import Statement, statements_for
from pitboss.books.store import PAGE, Store

__all__ = ["Sought", "counts_by_actor", "entries_at", "newest", "saying", "sealed_numbers"]

_TOGETHER = 64
_HUNDREDS = 200
_NUMBERS = tuple(f"number_{place}" for place in range(_TOGETHER))
_ALL = f"SELECT {', '.join(COLUMNS)} FROM entries WHERE book = :book"  # noqa: S608
_RANGE = " AND sequence > :after AND sequence <= :upto"
_PLACE = re.compile(r":([a-z_0-9]+)")


class Sought(NamedTuple):
    """Which entries are looked for: their kind, table, and what stands in who signed them and in what they say."""

    kind: str = ""
    table: str = ""
    actor: str = ""
    words: str = ""


class _Words(NamedTuple):
    """What one database calls what all have: whether a text is in another, a text in small letters, its bytes."""

    place: str
    contains: str
    small: str
    size: str


_SQLITE = _Words("?", "instr({0}, {1}) > 0", "lower({0})", "length(CAST({0} AS BLOB))")
_POSTGRESQL = _Words("%s", "strpos({0}, {1}) > 0", 'lower({0} COLLATE "C")', "octet_length({0})")


def _words(store: Store) -> _Words:
    return _SQLITE if store.statements is statements_for("sqlite") else _POSTGRESQL


@lru_cache(maxsize=256)
def _statement(text: str, place: str) -> Statement:
    """Put the places of a statement as a driver wants them."""
    return Statement(_PLACE.sub(place, text), tuple(_PLACE.findall(text)), {})


def _rows(store: Store, connection: Any, text: str, **values: Any) -> list[Any]:
    statement = _statement(text, _words(store).place)
    cursor = connection.cursor()
    try:
        rows: list[Any] = cursor.execute(statement.text, statement.places(**values)).fetchall()
    finally:
        cursor.close()
    return rows


def entries_at(store: Store, book: str, sequences: Iterable[int]) -> dict[int, Entry]:
    """Read entries by their numbers, over one connection; what is not there is left out."""
    numbers, found = list(dict.fromkeys(sequences)), {}
    text = f"{_ALL} AND sequence IN ({', '.join(f':{name}' for name in _NUMBERS)}) ORDER BY sequence"
    with store.reading() as connection:
        for start in range(0, len(numbers), _TOGETHER):
            some = numbers[start : start + _TOGETHER]
            # Every place is filled: what is asked twice is found once.
            places = dict(zip(_NUMBERS, [*some, *[some[0]] * (_TOGETHER - len(some))], strict=True))
            for row in _rows(store, connection, text, book=book, **places):
                found[row[1]] = Entry._make(row)
    return found


def _may_sign(words: _Words, text: str) -> str:
    """Whether a text may stand in the name of who signed, in small or capital letters.

    A database knows the small letters of English and perhaps of no other language: whoever has others is given.
    """
    others = f"length(actor) <> {words.size.format('actor')}"
    if not text.casefold().isascii():
        return others
    return f"({others} OR {words.contains.format(words.small.format('actor'), ':signed')})"


def _may_say(words: _Words, text: str) -> str:
    """Whether a text may stand in a payload, which is written in ASCII: other letters are escaped."""
    column = words.small.format("payload") if text.casefold().isascii() else "payload"
    return words.contains.format(column, ":said")


def _newest(words: _Words, sought: Sought) -> str:
    text = _ALL + _RANGE
    text += " AND kind = :kind" if sought.kind else ""
    text += ' AND "table" = :table' if sought.table else ""
    text += f" AND {_may_sign(words, sought.actor)}" if sought.actor else ""
    text += f" AND {_may_say(words, sought.words)}" if sought.words else ""
    return f"{text} ORDER BY sequence DESC LIMIT :most"


def newest(store: Store, book: str, sought: Sought, after: int, upto: int) -> Iterator[Entry]:
    """Look back from an entry for those that may be sought, the newest first, some hundred at a time."""
    text, folded = _newest(_words(store), sought), sought.words.casefold()
    asked = {"kind": sought.kind, "table": sought.table, "signed": sought.actor.casefold()}
    asked["said"] = folded if folded.isascii() else "\\u"
    with store.reading() as connection:
        while True:
            page = _rows(store, connection, text, book=book, after=after, upto=upto, most=_HUNDREDS, **asked)
            yield from map(Entry._make, page)
            if len(page) < _HUNDREDS:
                return
            upto = page[-1][1] - 1


def saying(store: Store, book: str, said: str, after: int, upto: int, *, but: str = "") -> Iterator[Entry]:
    """Read in order the entries whose payload has a text in it, leaving out a kind."""
    text = f"{_ALL}{_RANGE} AND {_words(store).contains.format('payload', ':said')} AND kind <> :but"
    text += " ORDER BY sequence LIMIT :most"
    with store.reading() as connection:
        while True:
            page = _rows(store, connection, text, book=book, after=after, upto=upto, said=said, but=but, most=PAGE)
            yield from map(Entry._make, page)
            if len(page) < PAGE:
                return
            after = page[-1][1]


def counts_by_actor(store: Store, book: str, after: int, upto: int) -> dict[str, dict[str, int]]:
    """Count the entries of each kind that everybody has signed in a stretch of a book."""
    found: dict[str, dict[str, int]] = {}
    text = f"SELECT actor, kind, count(*) FROM entries WHERE book = :book{_RANGE} GROUP BY actor, kind"  # noqa: S608
    with store.reading() as connection:
        for actor, kind, count in _rows(store, connection, text, book=book, after=after, upto=upto):
            found.setdefault(actor, {})[kind] = count
    return found


def sealed_numbers(store: Store, book: str, after: int, upto: int) -> list[int]:
    """The entries in a stretch of a book beside which a state is sealed, in order."""
    text = f"SELECT sequence FROM snapshots WHERE book = :book{_RANGE} ORDER BY sequence"  # noqa: S608
    with store.reading() as connection:
        return [row[0] for row in _rows(store, connection, text, book=book, after=after, upto=upto)]
