"""Reading on from the states in memory: after a store was away, and while another server writes the books."""

from collections.abc import Mapping

from pitboss.books.journal.entries import TIME_DECIDED, Damage
from pitboss.books.journal.reading import BookReading, read_book, read_tail
from pitboss.books.journal.state import BookState, Finding, Folding
from pitboss.books.store.base import JournalStore
from pitboss.books.store.directory import Directory

_DECISIONS = ("damage-decided", TIME_DECIDED)
"""Entries after which a book is not what its entries before them fold to."""
States = dict[str, BookState]


def has_moved(store: JournalStore, states: Mapping[str, BookState]) -> bool:
    """True if a store has a book or an entry that is not in the states."""
    heads = {book: store.head(book) for book in store.books()}
    return {book: state.digest for book, state in states.items()} != {
        book: None if head is None else head.digest for book, head in heads.items()
    }


def read_on(
    store: JournalStore, directory: Directory, folding: Folding, states: States, *, follows: bool
) -> tuple[States, list[Damage | Finding]]:
    """Return the states after what a store has beyond them, and what is wrong there and was not decided."""
    after, wrong = States(), list[Damage | Finding]()
    for book in sorted({*states, *store.books()}):
        reading = _read_on(store, directory, folding, book, states.get(book) or folding.empty(), follows=follows)
        wrong += [*reading.open_damages, *reading.open_findings]
        after[book] = reading.state
    return after, wrong


def _read_on(
    store: JournalStore, directory: Directory, folding: Folding, book: str, state: BookState, *, follows: bool
) -> BookReading:
    if store.is_shared and any(store.entries(book, state.sequence, kinds=_DECISIONS)):
        # Another server has gone on from a state that two people decided on, and sealed it.
        store.spans.pop(book, None)
        return read_book(store, folding, book, witness=directory.witness(book))
    reading = read_tail(store, folding, book, state)
    if follows and state.sequence == 0 and not reading.is_sound:
        return read_book(store, folding, book, witness=directory.witness(book))
    return reading
