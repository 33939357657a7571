"""Reading a stretch of a journal: where a period begins and ends in it, what stood there, and its entries, once.

A book is read by ranges of its numbers. `recorded` never goes back, so that a period is one range, which is found by
halving; what stood at its ends is the nearest sealed state and what follows it.
"""

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from pitboss import books

BEGINNINGS: tuple[books.Projection[Any], ...] = (books.LEDGER, books.ROOM, books.DECISIONS)


class Stood(NamedTuple):
    """What a book came to at an entry, and damage that was met on the way."""

    state: books.BookState
    damages: tuple[books.Damage, ...]


def last_before(store: books.JournalStore, book: str, instant: books.Instant, head: int) -> int:
    """Return the last entry that was recorded before an instant, or 0: found by halving."""
    low, high = 0, head
    while low < high:
        middle = (low + high + 1) // 2
        # Where a number was lost (G-29), the next one there is.
        entry = store.first_entry(book, middle - 1, head)
        if entry is not None and entry.recorded < instant:
            low = max(middle, min(entry.sequence, high))
        else:
            high = middle - 1
    return low


def entries_of_kinds(
    store: books.JournalStore, book: str, kinds: Iterable[str], after: int, upto: int
) -> Iterator[books.Entry]:
    """Read the entries of these kinds in a range, the database leaving out the others."""
    return store.entries(book, after, upto, kinds=kinds)


def state_at(store: books.JournalStore, book: str, upto: int, needed: Iterable[books.Projection[Any]]) -> Stood:
    """Return what these parts of the state come to after an entry, from the nearest sealed state."""
    folding = books.Folding((*BEGINNINGS, *needed))
    start = next(books.snapshot_states(store, folding, book, upto), None)
    reading = books.read_part(store, folding, book, start, upto, rules=False, last=False)
    return Stood(reading.state, tuple(dict.fromkeys(reading.damages)))
