"""Reading a book from where it is known: its last sealed state, what follows it, and what is wrong with that."""

from dataclasses import dataclass, field

from pitboss.books.journal import entries as rows
from pitboss.books.journal import heads
from pitboss.books.journal.codec import hash_of, hash_text
from pitboss.books.journal.entries import ChainWatch, Damage, Entry, displaced, fingerprint
from pitboss.books.journal.payloads import Payload, UnreadableError, read_payload
from pitboss.books.journal.snapshots import DECISIONS, SnapshotSealed, starts
from pitboss.books.journal.state import BookState, EntryStep, Finding, Folding
from pitboss.books.store.base import LAST, AwayError, Illegible, JournalStore, RightedSpan, Snapshot, StoreError
from pitboss.books.store.directory import Witness

_FLIPS_SOUGHT = 20
_RUN = 1_000
"""So many entries are folded at once where nothing is asked between them."""


@dataclass(slots=True)
class BookReading:
    """A book as it was read: the state it folds to, damage, broken invariants, how much was read."""

    book: str
    state: BookState
    entries: int = 0
    snapshots: int = 0
    since: int = 0
    damages: list[Damage] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    passed: list[int] = field(default_factory=list)
    """Entries that could not be read, and have moved nothing."""
    lacking: tuple[str, ...] = ()
    """Parts of the state that the snapshot it was read from lacks."""
    columns: dict[int, str] = field(default_factory=dict)
    """By entry, the column in which one bit was flipped."""

    def finish(self, store: JournalStore, folding: Folding, witness: Witness | None) -> None:
        """Check the end of the book: its invariants, and the witness of where it was last seen to end."""
        self.findings += folding.end_findings(self.book, self.state)
        if witness is not None:
            self.damages += _witness_damages(store, self.state.sequence, self.book, witness)
            self.damages += heads.witness_damages(self.book, self.state, witness)
        self.damages.sort(key=lambda damage: damage.sequence)

    @property
    def open_damages(self) -> list[Damage]:
        """Damage on which no person has decided."""
        decided = self.state.of(DECISIONS).decided
        return [damage for damage in dict.fromkeys(self.damages) if damage not in decided]

    @property
    def open_findings(self) -> list[Finding]:
        """Broken invariants on which no person has decided: a decision covers what was there to be seen."""
        upto = self.state.of(DECISIONS).decided_upto
        return [finding for finding in self.findings if finding.sequence > upto]

    @property
    def is_sound(self) -> bool:
        """True if nothing is wrong that no person has decided on."""
        return not self.open_damages and not self.open_findings


_LOOKED_UP = 5_000
"""So many entries before a snapshot are looked for by their commands when books are opened; an audit looks for all."""


def read_book(
    store: JournalStore,
    folding: Folding,
    book: str,
    *,
    witness: Witness | None = None,
    whole: bool = False,
    rules: bool = True,
) -> BookReading:
    """Fold a book and check every entry that is read: all of them, or those after the last sealed snapshot.

    `rules` says whether every invariant is asked about every entry, or the chain, the fold and snapshots are enough.
    """
    start = None if whole else next(starts(store, folding, book), None)
    reading = read_part(store, folding, book, None if start is None else start.state, rules=rules, index=True)
    if start is not None:
        # What people and devices may still send again was done before the snapshot too.
        since = start.state.sequence
        pages = store.legible_pages(book, max(0, since - _LOOKED_UP), since, index=True)
        reading.damages += _lost_damages(book, [number for page in pages for number in page.lost])
    reading.lacking = () if start is None else start.lacking
    if whole:
        reading.damages += store_damages(store, book) + guard_damages(store, reading)
    reading.finish(store, folding, witness)
    return reading


def read_part(
    store: JournalStore,
    folding: Folding,
    book: str,
    start: BookState | None,
    upto: int = LAST,
    *,
    rules: bool = True,
    last: bool = True,
    index: bool = False,
) -> BookReading:
    """Read a stretch of a book from a state on; `last` says that the book ends with it.

    Whatever stands there, it is read or named: nothing in a store ends this. `index` says that every entry is also
    looked for by its command.
    """
    reading = BookReading(book, start or folding.empty(), since=start.sequence if start else 0)
    snapshots = _legible_snapshots(store, reading, upto)
    reader = _Reader(reading, folding, snapshots, rules=rules)
    reader.spans = store.righted_spans(book)
    lost: list[int] = []
    for page in store.legible_pages(book, reading.since, upto, index=index):
        for gap in page.illegible:
            reader.miss(gap)
        for row in page.rows:
            reader.see(Entry._make(row))
        lost += page.lost
    reader.end(last=last)
    reading.damages += _lost_damages(book, lost)
    return reading


def _legible_snapshots(store: JournalStore, reading: BookReading, upto: int) -> dict[int, Snapshot]:
    """Return the sealed states of a stretch; one that cannot be read is damage."""
    book = reading.book
    try:
        some = store.snapshots(book, after=reading.since, upto=upto)
    except AwayError:
        raise
    except StoreError as error:
        some = []
        what = f"the sealed states cannot be read: {error.__cause__ or error}"
        reading.damages.append(Damage(book, 0, what, hash_text([book, what])[:32]))
    texts = {snapshot.sequence: snapshot for snapshot in some if type(snapshot.state) is str}
    for number in [snapshot.sequence for snapshot in some if snapshot.sequence not in texts]:
        what = "the sealed state kept beside it is no text"
        reading.damages.append(Damage(book, number, what, hash_text([book, number])[:32]))
    return texts


def _lost_damages(book: str, lost: list[int]) -> list[Damage]:
    if not lost:
        return []
    numbers = ", ".join(map(str, lost[:5])) + (f" and {len(lost) - 5} more" if len(lost) > 5 else "")
    what = f"the index of commands does not lead to entry {numbers}: sent again, such a command would be done twice"
    return [Damage(book, 0, what, hash_text([book, *lost])[:32])]


def store_damages(store: JournalStore, book: str) -> list[Damage]:
    """Return what the database's own check of itself finds, as damage of a book."""
    problems = store.integrity_problems()
    return [Damage(book, 0, f"the database says: {text}", hash_text([book, text])[:32]) for text in problems]


def guard_damages(store: JournalStore, reading: BookReading) -> list[Damage]:
    """Return what is wrong with the triggers and grants that keep a journal append-only, as damage of a book."""
    book, at = reading.book, reading.state.sequence
    return [Damage(book, 0, text, hash_text([book, text, at])[:32]) for text in store.guard_problems()]


class _Reader:
    def __init__(self, reading: BookReading, folding: Folding, snapshots: dict[int, Snapshot], *, rules: bool) -> None:
        self.reading, self.folding, self.snapshots, self.rules = reading, folding, snapshots, rules
        state = reading.state
        self.watch = ChainWatch(reading.book, state.sequence, state.digest, state.recorded)
        self.unsound: list[Entry] = []
        self.spans: tuple[RightedSpan, ...] = ()
        self.run: list[tuple[Entry, Payload]] = []

    def see(self, entry: Entry) -> None:
        reading = self.reading
        try:
            damages = self.watch.see(entry)
        except (TypeError, AttributeError, ValueError):
            self._see_damaged(entry)
            return
        if damages:
            if rows.column_problems(entry):
                self.watch.back()
                self._see_damaged(entry)
                return
            reading.damages += damages
            if not entry.is_sound:
                self._note_unsound(entry)
        reading.entries += 1
        for span in self.spans:
            entry = span.righted(entry)
        try:
            value = read_payload(entry.kind, entry.payload)
        except UnreadableError as error:
            self._fold_run()
            self._pass(entry, error)
            return
        if isinstance(value, SnapshotSealed):
            self._fold_run()
            self._compare(entry, value)
        if self.rules:
            self._fold(entry, value)
            return
        self.run.append((entry, value))
        if len(self.run) >= _RUN:
            self._fold_run()

    def miss(self, gap: Illegible) -> None:
        """Skip entries that the database cannot read."""
        self.reading.damages.append(Damage(self.reading.book, gap.first, str(gap), hash_text(list(gap))[:32]))

    def _see_damaged(self, row: Entry) -> None:
        """Name the columns of a row that are not what was written; it moves nothing."""
        reading, problems = self.reading, rows.column_problems(row)
        entry = rows.mended_entry(row, self.watch.sequence + 1, self.watch.recorded)
        self._fold_run()
        reading.entries += 1
        reading.damages += self.watch.see(entry)
        reading.damages += [Damage(reading.book, entry.sequence, text, fingerprint(entry)) for text in problems]
        reading.passed.append(entry.sequence)
        reading.state = self.folding.passed(reading.state, entry)

    def _note_unsound(self, entry: Entry) -> None:
        self.unsound.append(entry)
        if self.rules and len(self.unsound) <= _FLIPS_SOUGHT:
            column = rows.flipped_column(entry)
            if column is not None:
                self.reading.columns[entry.sequence] = column

    def _fold_run(self) -> None:
        """Fold what has been seen and is not folded yet; where one of it cannot follow, each by itself."""
        run, self.run = self.run, []
        if not run:
            return
        try:
            self.reading.state = self.folding.fold_run(self.reading.state, run)
        except UnreadableError:
            for entry, value in run:
                self._fold(entry, value)

    def _fold(self, entry: Entry, value: Payload) -> None:
        reading = self.reading
        try:
            after = self.folding.fold(reading.state, entry, value)
            findings = self.folding.step_findings(EntryStep(reading.state, entry, value, after)) if self.rules else []
        except UnreadableError as error:
            self._pass(entry, error)
            return
        reading.findings += findings
        reading.state = after

    def _pass(self, entry: Entry, error: UnreadableError) -> None:
        reading = self.reading
        reading.damages.append(Damage(reading.book, entry.sequence, str(error), fingerprint(entry)))
        reading.passed.append(entry.sequence)
        reading.state = self.folding.passed(reading.state, entry)

    def _compare(self, entry: Entry, value: SnapshotSealed) -> None:
        """A sealed snapshot holds the hash of the state that the entries before it fold to."""
        reading = self.reading
        reading.snapshots += 1
        if any(0 < span.first < entry.sequence < span.decided for span in self.spans):
            # It holds the time that two people have put right since.
            return
        snapshot = self.snapshots.get(entry.sequence)
        if snapshot is not None and hash_of(snapshot.state).hex() != value.state_hash:
            what = "the sealed state kept beside it is not the one it was sealed with"
            reading.damages.append(Damage(reading.book, entry.sequence, what, hash_of(snapshot.state).hex()[:32]))
            snapshot = None
        folded = hash_of(self.folding.seal(reading.state)).hex()
        if folded == value.state_hash:
            return
        # What was sealed with other parts than these has another hash, and says nothing about them.
        if snapshot is None or self.folding.unseal(snapshot.state) is not None:
            what = "the entries before it do not fold to the state that was sealed in it"
            reading.damages.append(Damage(reading.book, entry.sequence, what, folded[:32]))

    def end(self, *, last: bool) -> None:
        self._fold_run()
        if last:
            self.reading.damages += self.watch.end()
        self.reading.damages += displaced(self.unsound)


def read_tail(store: JournalStore, folding: Folding, book: str, state: BookState) -> BookReading:
    """Read what follows a state that was acknowledged; where the store does not have that any more, it is damaged."""
    head = store.head(book)
    reading = read_part(store, folding, book, state)
    reading.finish(store, folding, None)
    last = 0 if head is None else head.sequence
    reading.damages += _witness_damages(store, last, book, Witness(state.sequence, state.digest))
    return reading


def _witness_damages(store: JournalStore, upto: int, book: str, witness: Witness) -> list[Damage]:
    """Compare where a book ends with where it was last seen to end."""
    if witness.sequence < 0:
        what = "its witness is missing (or cannot be read): nobody knows where it ended"
        return [Damage(book, 0, what, hash_text([book, "witness", upto])[:32])] if upto else []
    if witness.sequence > upto:
        first, last = upto + 1, witness.sequence
        which = f"entry {first} is" if first == last else f"entries {first} to {last} are"
        return [Damage(book, first, f"{which} missing", hash_text([book, first, last])[:32])]
    try:
        entry = store.entry(book, witness.sequence)
    except AwayError:
        raise
    except StoreError:
        # What cannot be read was named already.
        return []
    if entry is not None and entry.digest != witness.digest and isinstance(entry.digest, bytes):
        what = "it is not the entry that was acknowledged: the journal was replaced"
        return [Damage(book, witness.sequence, what, entry.digest.hex()[:32])]
    return []
