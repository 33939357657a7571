"""Looking for entries without reading all between them: the database leaves out the others.

Rows may be more than were looked for, never fewer: the caller looks at each entry again.
"""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from pitboss.books.journal.entries import Entry
from pitboss.books.store import sql
from pitboss.books.store.base import PAGE, JournalStore
from pitboss.books.store.sql import Dialect

_HUNDREDS = 200


class Sought(NamedTuple):
    """Which entries are looked for: their kind, table, and texts within the name of who signed and in the payload."""

    kind: str = ""
    table: str = ""
    actor: str = ""
    words: str = ""


def entries_at(store: JournalStore, book: str, sequences: Iterable[int]) -> dict[int, Entry]:
    """Read entries by their numbers, over one connection; what is not there is left out."""
    numbers, entries = list(dict.fromkeys(sequences)), {}
    with store.reading() as connection:
        for start in range(0, len(numbers), sql.TOGETHER):
            some = sql.filled("number", numbers[start : start + sql.TOGETHER])
            for row in store.rows(sql.AT_NUMBERS, connection, book=book, **some):
                entries[row[1]] = Entry._make(row)
    return entries


def _may_sign(dialect: Dialect, text: str) -> str:
    """The condition that a text may stand in the name of who signed, in small or capital letters.

    A database knows the small letters of English and perhaps of no other language: names that have others are found.
    """
    others = f"length(actor) <> {dialect.size.format('actor')}"
    if not text.casefold().isascii():
        return others
    return f"({others} OR {dialect.contains.format(dialect.small.format('actor'), ':signed')})"


def _may_say(dialect: Dialect, text: str) -> str:
    """The condition that a text may stand in a payload, which is written in ASCII: other letters are escaped."""
    column = dialect.small.format("payload") if text.casefold().isascii() else "payload"
    return dialect.contains.format(column, ":words")


def _newest(dialect: Dialect, sought: Sought) -> str:
    text = sql.OF_BOOK + sql.RANGE
    text += " AND kind = :kind" if sought.kind else ""
    text += ' AND "table" = :table' if sought.table else ""
    text += f" AND {_may_sign(dialect, sought.actor)}" if sought.actor else ""
    text += f" AND {_may_say(dialect, sought.words)}" if sought.words else ""
    return f"{text} ORDER BY sequence DESC LIMIT :most"


def newest(store: JournalStore, book: str, sought: Sought, after: int, upto: int) -> Iterator[Entry]:
    """Look back from an entry for those that may be sought, the newest first, some hundred at a time."""
    text, words = _newest(store.dialect, sought), sought.words.casefold()
    values = {"kind": sought.kind, "table": sought.table, "signed": sought.actor.casefold()}
    values["words"] = words if words.isascii() else "\\u"
    with store.reading() as connection:
        while True:
            page = store.rows(text, connection, book=book, after=after, upto=upto, most=_HUNDREDS, **values)
            yield from map(Entry._make, page)
            if len(page) < _HUNDREDS:
                return
            upto = page[-1][1] - 1


def saying(store: JournalStore, book: str, words: str, after: int, upto: int, *, but: str = "") -> Iterator[Entry]:
    """Read in order the entries whose payload has a text in it, leaving out a kind."""
    text = f"{sql.OF_BOOK}{sql.RANGE} AND {store.dialect.contains.format('payload', ':words')} AND kind <> :but"
    text += " ORDER BY sequence LIMIT :most"
    with store.reading() as connection:
        while True:
            page = store.rows(text, connection, book=book, after=after, upto=upto, words=words, but=but, most=PAGE)
            yield from map(Entry._make, page)
            if len(page) < PAGE:
                return
            after = page[-1][1]


def counts_by_actor(store: JournalStore, book: str, after: int, upto: int) -> dict[str, dict[str, int]]:
    """Count the entries of each kind that everybody has signed in a stretch of a book."""
    counts: dict[str, dict[str, int]] = {}
    for actor, kind, count in store.rows(sql.COUNTS_BY_ACTOR, book=book, after=after, upto=upto):
        counts.setdefault(actor, {})[kind] = count
    return counts
