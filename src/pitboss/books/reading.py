"""Reading a book from where it is known: its last sealed state, what follows it, and what is wrong with that."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from pitboss.books.canonical import hash_of, hash_text
from pitboss.books.damage import ChainWatch, Damage, displaced, fingerprint
from pitboss.books.directory import Witness
from pitboss.books.entries import Entry
from pitboss.books.invariants import Finding, Step, invariants, step_findings
from pitboss.books.payloads import Payload, UnreadableError, read_payload
from pitboss.books.standing import STANDING, SnapshotSealed
from pitboss.books.state import BookState, Folding
from pitboss.books.store import Sealed, Store

__all__ = ["Reading", "read_book", "read_part", "sealed_state"]

_LAST = 2**62
_RUN = 1_000
"""So many entries are folded at once where nothing is asked between them."""


@dataclass(slots=True)
class Reading:
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

    def finish(self, store: Store, witness: Witness | None) -> None:
        """Ask the invariants that look at the end of a book, and compare with where it was last seen to end."""
        for invariant in invariants():
            words: Iterable[str] = () if invariant.end is None else invariant.end(self.state)
            self.findings += [Finding(invariant.name, self.book, self.state.sequence, each) for each in words]
        if witness is not None:
            self.damages += _witness_damages(store, self.state, self.book, witness)
        self.damages.sort(key=lambda damage: damage.sequence)

    @property
    def open_damages(self) -> list[Damage]:
        """Damage on which no person has decided."""
        decided = self.state.of(STANDING).decided
        return [damage for damage in dict.fromkeys(self.damages) if damage not in decided]

    @property
    def open_findings(self) -> list[Finding]:
        """Broken invariants on which no person has decided: a decision covers what was there to be seen."""
        upto = self.state.of(STANDING).decided_upto
        return [finding for finding in self.findings if finding.sequence > upto]

    @property
    def is_sound(self) -> bool:
        """Whether nothing is wrong that no person has decided on."""
        return not self.open_damages and not self.open_findings


def sealed_state(store: Store, folding: Folding, book: str) -> BookState | None:
    """Give the state of the newest snapshot that is sound: its entry holds the hash of what was sealed."""
    for sealed in store.snapshots(book, most=3):
        entry = store.entry(book, sealed.sequence)
        if entry is None or not entry.is_sound or entry.kind != "snapshot-sealed":
            continue
        value = read_payload(entry.kind, entry.payload)
        assert isinstance(value, SnapshotSealed)
        if value.state_hash == hash_of(sealed.state).hex():
            state = folding.unseal(sealed.state)
            if state is not None:
                return state
    return None


def read_book(
    store: Store,
    folding: Folding,
    book: str,
    *,
    witness: Witness | None = None,
    whole: bool = False,
    rules: bool = True,
) -> Reading:
    """Fold a book and check every entry that is read: all of them, or those after the last sealed snapshot.

    `rules` says whether every invariant is asked about every entry, or the chain, the fold and snapshots are enough.
    """
    start = None if whole else sealed_state(store, folding, book)
    reading = read_part(store, folding, book, start, rules=rules)
    reading.finish(store, witness)
    return reading


def read_part(
    store: Store,
    folding: Folding,
    book: str,
    start: BookState | None,
    upto: int = _LAST,
    *,
    rules: bool = True,
    last: bool = True,
) -> Reading:
    """Read a stretch of a book from a state on; `last` says that the book ends with it."""
    reading = Reading(book, start or folding.empty(), since=start.sequence if start else 0)
    sealed = {each.sequence: each for each in store.snapshots(book, after=reading.since, upto=upto)}
    reader = _Reader(reading, folding, sealed, rules=rules)
    for entry in store.entries(book, reading.since, upto):
        reader.see(entry)
    reader.end(last=last)
    return reading


class _Reader:
    def __init__(self, reading: Reading, folding: Folding, sealed: dict[int, Sealed], *, rules: bool) -> None:
        self.reading, self.folding, self.sealed, self.rules = reading, folding, sealed, rules
        state = reading.state
        self.watch = ChainWatch(reading.book, state.sequence, state.digest, state.recorded)
        self.unsound: list[Entry] = []
        self.run: list[tuple[Entry, Payload]] = []

    def see(self, entry: Entry) -> None:
        reading = self.reading
        damages = self.watch.see(entry)
        if damages:
            reading.damages += damages
            if not entry.is_sound:
                self.unsound.append(entry)
        reading.entries += 1
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
            findings = step_findings(Step(reading.state, entry, value, after)) if self.rules else []
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
        sealed = self.sealed.get(entry.sequence)
        if sealed is not None and hash_of(sealed.state).hex() != value.state_hash:
            what = "the sealed state kept beside it is not the one it was sealed with"
            reading.damages.append(Damage(reading.book, entry.sequence, what, hash_of(sealed.state).hex()[:32]))
            sealed = None
        folded = hash_of(self.folding.seal(reading.state)).hex()
        if folded == value.state_hash:
            return
        # What was sealed with other parts than these has another hash, and says nothing about them.
        if sealed is None or self.folding.unseal(sealed.state) is not None:
            what = "the entries before it do not fold to the state that was sealed in it"
            reading.damages.append(Damage(reading.book, entry.sequence, what, folded[:32]))

    def end(self, *, last: bool) -> None:
        self._fold_run()
        if last:
            self.reading.damages += self.watch.end()
        self.reading.damages += displaced(self.unsound)


def _witness_damages(store: Store, state: BookState, book: str, witness: Witness) -> list[Damage]:
    """Compare with where the book was last seen to end."""
    if witness.sequence > state.sequence:
        first, last = state.sequence + 1, witness.sequence
        told = f"entry {first} is" if first == last else f"entries {first} to {last} are"
        return [Damage(book, first, f"{told} missing", hash_text([book, first, last])[:32])]
    entry = store.entry(book, witness.sequence)
    if entry is not None and entry.digest != witness.digest:
        what = "it is not the entry that was acknowledged: the journal was replaced"
        return [Damage(book, witness.sequence, what, entry.digest.hex()[:32])]
    return []
