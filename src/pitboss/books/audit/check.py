"""`check_books`: every check of the books in one function, for tests, audits and backups."""

import gc
import multiprocessing
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor
from contextlib import closing
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, NamedTuple

from pitboss.books.audit.auditor import AuditedBook, audit_rows, disagreements
from pitboss.books.journal.books import checked_folding, folding_of
from pitboss.books.journal.codec import hash_of
from pitboss.books.journal.entries import Damage
from pitboss.books.journal.heads import BookHead, Vouched, keys_of, vouched_by
from pitboss.books.journal.reading import BookReading, guard_damages, read_part, store_damages
from pitboss.books.journal.state import Finding, Folding, Invariant, Projection
from pitboss.books.ledger.accounts import LEDGER
from pitboss.books.store.base import LAST, PAGE, AwayError, JournalStore, StoreError
from pitboss.books.store.directory import Directory

_ALLOCATED = 100_000
"""So many new objects until a process that does nothing but read looks for cycles among them."""

Source = Directory | Path
"""A data directory, or a backup: a SQLite file of its own."""


@dataclass(slots=True, kw_only=True)
class BookReport:
    """What was found in one book."""

    book: str
    reading: BookReading
    auditor: AuditedBook | None = None
    disagreements: list[str] = field(default_factory=list)

    @property
    def is_sound(self) -> bool:
        """True if nothing is wrong that no person has decided on."""
        return self.reading.is_sound and not self.disagreements


@dataclass(slots=True, kw_only=True)
class AuditReport:
    """What was found in all books, and whether the heads that were asked for are there."""

    books: dict[str, BookReport]
    heads: dict[str, str | None] = field(default_factory=dict)
    """By head that was asked for: the book that has it, or nothing."""
    invariants: tuple[Invariant, ...] = ()
    """The invariants that were asked."""
    unchecked: str = ""
    """What the database could not check of itself."""
    vouched: dict[str, Vouched] = field(default_factory=dict)
    """By book: up to where its keys, or those that were pinned, have signed it."""
    heads_upto: dict[str, int] = field(default_factory=dict)
    """By book: up to where heads that were kept elsewhere vouch for it."""
    problems: list[str] = field(default_factory=list)
    """What keys and heads that were kept elsewhere object to."""

    @property
    def is_sound(self) -> bool:
        """True if every check has passed, and every head was found."""
        is_found = None not in self.heads.values() and not self.problems
        return is_found and all(book.is_sound for book in self.books.values())

    @property
    def damages(self) -> list[Damage]:
        """All damage that no person has decided on."""
        return [damage for book in self.books.values() for damage in book.reading.open_damages]

    @property
    def decided(self) -> list[Damage | Finding]:
        """All that is wrong, and two people have decided to go on with (G-29)."""
        readings = [book.reading for book in self.books.values()]
        problems: list[Damage | Finding] = []
        for reading in readings:
            problems += reading.damages
            problems += reading.findings
        undecided = {*self.damages, *self.findings}
        return [wrong for wrong in dict.fromkeys(problems) if wrong not in undecided]

    @property
    def findings(self) -> list[Finding]:
        """All broken invariants that no person has decided on."""
        return [finding for book in self.books.values() for finding in book.reading.open_findings]


def open_source(source: Source) -> JournalStore:
    """Open a data directory or a backup for reading."""
    if isinstance(source, Directory):
        return source.open_store(write=False)
    from pitboss.books.store.sqlite import BackupStore  # noqa: PLC0415

    return BackupStore(source)


def check_books(
    source: Source,
    *,
    heads: Iterable[str] = (),
    projections: Iterable[Projection[Any]] = (),
    invariants: Iterable[Invariant] | None = None,
    processes: int = 1,
    kept_heads: Iterable[BookHead] = (),
    pinned: Iterable[str] = (),
) -> AuditReport:
    """Check all books whole: chain, fold, snapshots, witness, every invariant, and the auditor against the ledger.

    `heads` are hashes printed on slips or reports: each must be the hash of an entry. `kept_heads` are whole ones that
    left the machine, `pinned` public keys from elsewhere, which must have signed the books up to where they end. A
    decision by a person covers what it names; everything else that is wrong is reported.
    """
    kept_heads, pinned = tuple(kept_heads), tuple(pinned)
    folding = checked_folding(projections, invariants)
    sought = frozenset(head.lower() for head in heads)
    report = AuditReport(books={}, heads=dict.fromkeys(sorted(sought)), invariants=folding.invariants)
    with closing(open_source(source)) as store:
        for book in _names(source, store):
            reading = _read_whole(source, store, folding, book, processes, rules=True)
            book_report = BookReport(book=book, reading=reading)
            book_report.auditor = _audited(store, reading, sought)
            ledger = reading.state.of(LEDGER)
            book_report.disagreements = disagreements(
                book_report.auditor,
                {name: accounts.balances for name, accounts in ledger.items()},
                {name: accounts.counts for name, accounts in ledger.items()},
                {name: accounts.terms for name, accounts in ledger.items()},
            )
            book_report.disagreements += _unnoticed(book_report)
            witness = source.witness(book) if isinstance(source, Directory) else None
            report.vouched[book] = vouched_by(book, reading.state, witness, pinned)
            _compare_heads(report, store, reading, [head for head in kept_heads if head.book == book])
            report.books[book] = book_report
            report.heads |= dict.fromkeys(book_report.auditor.heads_found, book)
        report.unchecked = store.unchecked
    names = {head.book for head in kept_heads} - report.books.keys()
    report.problems += [f"heads name book {name!r}, which is not here" for name in sorted(names)]
    if pinned:
        report.problems += _pin_problems(report, is_directory=isinstance(source, Directory))
    return report


def _compare_heads(report: AuditReport, store: JournalStore, reading: BookReading, kept: list[BookHead]) -> None:
    """Look for heads that left the machine; one that was signed and is not there is damage, whoever keeps it."""
    book, keys = reading.book, keys_of(reading.state)
    for head in sorted(kept, key=lambda head: head.sequence):
        key = keys.named(head.key) if head.key else None
        is_signed = key is not None and head.is_signed_by(key.public)
        if head.key and not is_signed:
            cause = "is of a key that this book does not name" if key is None else "is not of that key"
            report.problems.append(f"book {book}: the signature of the head of entry {head.sequence} {cause}")
        entry = store.entry(book, head.sequence) if head.sequence <= reading.state.sequence else None
        if entry is not None and entry.digest == bytes.fromhex(head.head):
            report.heads_upto[book] = max(head.sequence, report.heads_upto.get(book, 0))
            continue
        upto = report.heads_upto.get(book, 0)
        what = f"it is not the entry whose head left this machine: history after entry {upto} was written anew"
        if is_signed:
            reading.damages.append(Damage(book, head.sequence, what, head.head[:32]))
        report.problems.append(f"book {book}, entry {head.sequence}: {what}")


def _pin_problems(report: AuditReport, *, is_directory: bool) -> list[str]:
    """Return which books the pinned keys do not vouch for: a data directory whole, a backup up to a signed entry."""
    problems = []
    for book, vouched in report.vouched.items():
        last = report.books[book].reading.state.sequence
        if not vouched.keys:
            problems.append(f"book {book} does not name the key that was given: it was written by somebody else")
        elif not vouched.upto or (is_directory and not vouched.is_end):
            problems.append(f"book {book}: the key that was given vouches up to entry {vouched.upto} of {last}")
    return problems


def rebuild(
    source: Source, *, projections: Iterable[Projection[Any]] = (), processes: int = 2
) -> dict[str, BookReading]:
    """Verify the chains and rebuild every state from nothing, comparing each snapshot on the way."""
    folding = folding_of(projections)
    with closing(open_source(source)) as store:
        return {
            book: _read_whole(source, store, folding, book, processes, rules=False) for book in _names(source, store)
        }


def _names(source: Source, store: JournalStore) -> list[str]:
    seen = source.witnessed_books() if isinstance(source, Directory) else []
    try:
        return sorted({*store.books(), *seen})
    except AwayError:
        raise
    except StoreError:
        if not seen:
            raise
        return sorted(seen)


def _audited(store: JournalStore, reading: BookReading, sought: frozenset[str]) -> AuditedBook:
    """Run the auditor over the same entries."""
    audited, passed = AuditedBook(), frozenset(reading.passed)
    for page in store.legible_pages(reading.book, 0, reading.state.sequence, index=False):
        audit_rows(page.rows, audited, sought, passed)
    return audited


def _unnoticed(book_report: BookReport) -> list[str]:
    """What the auditor objects to must be among the damage that the reading has found."""
    assert book_report.auditor is not None
    damaged = {damage.sequence for damage in book_report.reading.damages}
    return [
        f"the auditor objects to entry {sequence}, and the reading does not: {words}"
        for sequence, words in book_report.auditor.objections
        if sequence not in damaged
    ]


def _read_whole(
    source: Source, store: JournalStore, folding: Folding, book: str, processes: int, *, rules: bool
) -> BookReading:
    """Read a book from nothing to where it ends now, in as many stretches as there are processes.

    A stretch begins at a sealed snapshot, and the stretch before it must fold to what was sealed: so each stretch
    starts from what all entries before it come to.
    """
    # Others may write meanwhile: the witness is asked before the journal, which is never behind it.
    witness = source.required_witness(book) if isinstance(source, Directory) else None
    upto = _last(store, book)
    cuts = _cuts(store, folding, book, processes, upto)
    reading = _joined(source, folding, book, cuts, upto, rules=rules) if cuts else None
    if reading is None or reading.damages:
        # Damage before a snapshot shows in everything after it: then only one stretch tells all.
        reading = read_part(store, folding, book, None, upto, rules=rules, index=rules)
    if rules:
        reading.damages += store_damages(store, book) + guard_damages(store, reading)
    reading.finish(store, folding, witness)
    return reading


def _last(store: JournalStore, book: str) -> int:
    """Return where a book ends now; where that cannot be read, beyond every entry."""
    try:
        head = store.head(book)
    except AwayError:
        raise
    except StoreError:
        return LAST
    if head is None:
        return 0
    return head.sequence if type(head.sequence) is int else LAST


def _cuts(store: JournalStore, folding: Folding, book: str, processes: int, upto: int) -> list[tuple[int, str]]:
    """Choose snapshots that part a book into stretches of about one length; none for short books."""
    if processes < 2 or upto < 2 * PAGE or upto == LAST:
        return []
    cut_points = [upto * part // processes for part in range(1, processes)]
    snapshots = [snapshot for cut in cut_points for snapshot in store.snapshots(book, upto=cut, most=1)]
    cuts = [(snapshot.sequence - 1, snapshot.state) for snapshot in snapshots if folding.unseal(snapshot.state)]
    return [cut for index, cut in enumerate(cuts) if index == 0 or cut[0] > cuts[index - 1][0]]


class _Stretch(NamedTuple):
    """What one process is to read."""

    path: Path
    folding: Folding
    book: str
    start: str | None
    upto: int
    rules: bool
    last: bool


def _read_stretch(stretch: _Stretch) -> tuple[BookReading, str]:
    """Read one stretch in a process of its own; its state comes back sealed, which is how a state is written."""
    # What is loaded stays, and what is read goes by itself: looking for cycles takes a quarter of the time.
    gc.freeze()
    gc.set_threshold(_ALLOCATED, 20, 100)
    source: Source = Directory(stretch.path) if stretch.path.is_dir() else stretch.path
    state = None if stretch.start is None else stretch.folding.unseal(stretch.start)
    with closing(open_source(source)) as store:
        read = read_part(
            store,
            stretch.folding,
            stretch.book,
            state,
            stretch.upto,
            rules=stretch.rules,
            last=stretch.last,
            index=stretch.rules,
        )
    sealed = stretch.folding.seal(read.state)
    read.state = replace(read.state, parts={})
    return read, sealed


def _joined(
    source: Source, folding: Folding, book: str, cuts: list[tuple[int, str]], upto: int, *, rules: bool
) -> BookReading:
    path = source.path if isinstance(source, Directory) else source
    starts: list[str | None] = [None, *(state for _, state in cuts)]
    ends = [*(sequence for sequence, _ in cuts), upto]
    stretches = [
        _Stretch(path, folding, book, start, end, rules, last=end == upto)
        for start, end in zip(starts, ends, strict=True)
    ]
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(len(starts), mp_context=context) as pool:
        parts = list(pool.map(_read_stretch, stretches))
    joined, ends_with = parts[0]
    for (sequence, sealed), (part, after) in zip(cuts, parts[1:], strict=True):
        if ends_with != sealed:
            what = "the entries before it do not fold to the state that was sealed in it"
            part.damages.append(Damage(book, sequence + 1, what, hash_of(ends_with).hex()[:32]))
        part.damages[:0], part.findings[:0] = joined.damages, joined.findings
        part.entries, part.snapshots, part.since = part.entries + joined.entries, part.snapshots + joined.snapshots, 0
        joined, ends_with = part, after
    state = folding.unseal(ends_with)
    assert state is not None
    joined.state = state
    return joined
