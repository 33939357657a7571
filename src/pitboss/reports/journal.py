"""Reading a stretch of a journal: where a period begins and ends in it, what stood there, and its entries, once.

A book is read by ranges of its numbers. `recorded` never goes back, so that a period is one range, which is found by
halving; what stood at its ends is the nearest sealed state and what follows it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple, TypeVar

from pitboss.books import (
    LEDGER,
    ROOM,
    STANDING,
    BookState,
    Damage,
    Entry,
    Folding,
    Projection,
    Store,
    UnreadableError,
    read_payload,
)
from pitboss.books.auditor import raw_query
from pitboss.books.reading import read_part
from pitboss.books.sealed import sealed_states
from pitboss.books.store import PAGE

S = TypeVar("S")

BEGINNINGS: tuple[Projection[Any], ...] = (LEDGER, ROOM, STANDING)


class Stood(NamedTuple):
    """What a book came to at an entry, and damage that was met on the way."""

    state: BookState
    damages: tuple[Damage, ...]


def last_before(store: Store, book: str, instant: int, head: int) -> int:
    """The last entry that was recorded before an instant, or 0: found by halving."""
    low, high = 0, head
    with store.reading() as connection:
        while low < high:
            middle = (low + high + 1) // 2
            # Where a number was lost (G-29), the next one there is.
            cursor = connection.cursor()
            rows = cursor.execute(raw_query(book, middle - 1, head, 1)).fetchall()
            cursor.close()
            found = Entry._make(rows[0]) if rows else None
            if found is not None and found.recorded < instant:
                low = max(middle, min(found.sequence, high))
            else:
                high = middle - 1
    return low


def entries_of_kinds(store: Store, book: str, kinds: Iterable[str], after: int, upto: int) -> Iterator[Entry]:
    """Read the entries of these kinds in a range, the database leaving out the others."""
    wanted = ", ".join(f"'{kind}'" for kind in sorted(kinds) if kind.replace("-", "").isalnum())
    with store.reading() as connection:
        while True:
            query = raw_query(book, after, upto, PAGE).replace(" ORDER BY", f" AND kind IN ({wanted}) ORDER BY", 1)
            cursor = connection.cursor()
            page = cursor.execute(query).fetchall()
            cursor.close()
            yield from map(Entry._make, page)
            if len(page) < PAGE:
                return
            after = page[-1][1]


def state_at(store: Store, book: str, upto: int, needed: Iterable[Projection[Any]]) -> Stood:
    """What these parts of the state come to after an entry, from the nearest sealed state that has them all."""
    folding = Folding((*BEGINNINGS, *needed))
    start = next(sealed_states(store, folding, book, upto), None)
    reading = read_part(store, folding, book, start, upto, rules=False, last=False)
    return Stood(reading.state, tuple(dict.fromkeys(reading.damages)))


def part_at(store: Store, book: str, upto: int, projection: Projection[S], kinds: Iterable[str]) -> S:
    """What one part of the state comes to after an entry, which only entries of these kinds change.

    Where no sealed state has the part, it is folded from those kinds alone, from the first entry on.
    """
    wanted = tuple(kinds)
    folding = Folding((projection,))
    start = next(sealed_states(store, folding, book, upto), folding.empty())
    part = start.of(projection)
    for entry in entries_of_kinds(store, book, wanted, start.sequence, upto):
        try:
            part = projection.fold(part, entry, read_payload(entry.kind, entry.payload))
        except (UnreadableError, KeyError, TypeError, ValueError, AttributeError):
            # What cannot be read, or cannot follow what came before it, moves nothing (G-29).
            continue
    return part
