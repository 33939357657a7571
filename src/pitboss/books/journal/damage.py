"""What two people need to decide on a damaged book (G-29): copies that fit, and the amounts that become doubtful."""

from collections.abc import Iterable, Iterator

from pitboss.books.journal.codec import canonical
from pitboss.books.journal.entries import GENESIS, Damage, Entry
from pitboss.books.journal.payloads import UnreadableError, read_payload
from pitboss.books.journal.reading import BookReading
from pitboss.books.journal.snapshots import DoubtfulAmount
from pitboss.books.ledger.accounts import LEDGER
from pitboss.books.ledger.movements import Movement
from pitboss.books.store.base import JournalStore
from pitboss.books.store.directory import Witness


def fitting_copies(store: JournalStore, copy: JournalStore, book: str, witness: Witness | None) -> list[Entry]:
    """Return the entries of a copy that fit where those of a book are damaged or lost.

    A run of them fits where its first follows what stands before it, each the one before, and what stands after it, or
    the witness of the last commit, has the hash of its last: nobody can make such entries without having them.
    """
    copies: list[Entry] = []
    for run, after in _differing_runs(store, copy, book):
        last = run[-1]
        if after is not None:
            fits = after.previous == last.digest
        else:
            fits = witness is not None and (witness.sequence, witness.digest) == (last.sequence, last.digest)
        if fits:
            copies += run
    return copies


def _differing_runs(store: JournalStore, copy: JournalStore, book: str) -> Iterator[tuple[list[Entry], Entry | None]]:
    """Yield the sound runs of a copy that differ from a book, each with what follows it in the book."""
    own_entries = store.entries(book)
    own = next(own_entries, None)
    digest, run, is_broken = GENESIS, list[Entry](), False
    for other in copy.entries(book):
        while own is not None and own.sequence < other.sequence:
            own = next(own_entries, None)
        if own == other:
            if run and not is_broken:
                yield run, other
            run, is_broken = [], False
        else:
            is_broken |= not other.is_sound or other.previous != digest
            run = [*run, other]
        digest = other.digest
    if run and not is_broken:
        yield run, store.first_entry(book, run[-1].sequence, run[-1].sequence + 1)


def replaced_texts(store: JournalStore, copies: Iterable[Entry]) -> tuple[str, ...]:
    """Return what stands where copies are put back, as JSON, for whoever wants to know what was altered."""
    standing = (store.entry(entry.book, entry.sequence) for entry in copies)
    return tuple(_text(entry) for entry in standing if entry is not None)


def _text(entry: Entry) -> str:
    return canonical([value.hex() if isinstance(value, bytes) else value for value in entry])


def doubtful_amounts(
    store: JournalStore, reading: BookReading, damages: Iterable[Damage]
) -> tuple[DoubtfulAmount, ...]:
    """Return which amounts rest on damaged entries: of the jackpot that one moves, of all where one cannot be read."""
    everything = sorted(reading.state.of(LEDGER).keys())
    doubtful: set[DoubtfulAmount] = set()
    # What is wrong with the store alone, number 0, moves no amount.
    for number in sorted({damage.sequence for damage in damages} - {0}):
        entry = store.entry(reading.book, number)
        doubtful |= {DoubtfulAmount(name, number) for name in _jackpots_moved(entry, reading, everything)}
    return tuple(sorted(doubtful))


def _jackpots_moved(entry: Entry | None, reading: BookReading, everything: list[str]) -> list[str]:
    if entry is None or entry.sequence in reading.passed:
        return everything
    try:
        value = read_payload(entry.kind, entry.payload)
    except UnreadableError:
        return everything
    return [value.jackpot] if isinstance(value, Movement) else []
