"""Heads of a book, signed: where it ended, when, and by whose key; so that nobody rewrites what came before unseen.

A head is the number, the hash and the time of an entry. It leaves the machine at every shift, day and snapshot; where
the room has a key, it is signed. The public keys stand in the journal, each with who added it; whoever has one of them
on paper, or a file of heads that was kept elsewhere, finds a history that was written anew without the private key
(G-73).
"""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Iterator
from typing import Annotated, NamedTuple

from pitboss.books.journal import payloads
from pitboss.books.journal.codec import OMIT_DEFAULT, hash_text, json_object
from pitboss.books.journal.entries import EPOCH, Damage, Entry, Instant, second_person_problems
from pitboss.books.journal.snapshots import BooksRestored, DamageDecided, SnapshotSealed
from pitboss.books.journal.state import BookState, EntryStep, Invariant, Projection
from pitboss.books.store import keys as signing
from pitboss.books.store.directory import Directory, Witness

UNSIGNED = "where it ends is not signed by the key that signs these books"
NO_SIGNER = "the private key that signs these books cannot be read"
MARK = "pitboss-head"


@payloads.entry_kind("key-added")
class KeyAdded(payloads.EntryPayload):
    """Two people have added a key of the room; one that replaces another is signed by it.

    A key that is `apart` is not on the server: somebody else signs heads with it.
    """

    public: str
    reason: str
    approved_by: str
    apart: Annotated[bool, OMIT_DEFAULT] = False
    replaces: Annotated[str, OMIT_DEFAULT] = ""
    proof: Annotated[str, OMIT_DEFAULT] = ""


@payloads.entry_kind("head-signed")
class HeadSigned(payloads.EntryPayload):
    """The head of an entry before this one, signed by the server's key at the end of a shift, a day or a snapshot."""

    sequence: int
    head: str
    recorded: int
    cause: str
    key: str
    signature: str


@json_object
class RoomKey(NamedTuple):
    """A public key, the entry that added it, the entry that ended it or 0, and up to where it has signed."""

    id: str
    public: str
    apart: bool
    since: int
    until: int
    replaces: str
    proof: str
    signed_upto: int


@json_object
class Keys(NamedTuple):
    """Every key that the room has had."""

    keys: tuple[RoomKey, ...] = ()

    @property
    def server(self) -> RoomKey | None:
        """The key by which the server signs now."""
        return next((key for key in self.keys if not key.apart and not key.until), None)

    def named(self, name: str) -> RoomKey | None:
        """Return a key by its short name."""
        return next((key for key in self.keys if key.id == name), None)

    def replaced(self, key: RoomKey) -> Keys:
        """Return the keys with one of them changed."""
        return Keys(tuple(key if other.id == key.id else other for other in self.keys))

    def ended(self, name: str, sequence: int) -> Keys:
        """Return the keys with one of them ended by an entry."""
        key = self.named(name)
        return self if key is None or key.until else self.replaced(key._replace(until=sequence))


def _fold(keys: Keys, entry: Entry, value: payloads.Payload) -> Keys:
    if isinstance(value, KeyAdded):
        name = signing.key_id(value.public)
        key = RoomKey(name, value.public, value.apart, entry.sequence, 0, value.replaces, value.proof, 0)
        return Keys((*keys.ended(value.replaces, entry.sequence).keys, key))
    if isinstance(value, HeadSigned | SnapshotSealed):
        signer = keys.named(value.key) if value.key else None
        upto = value.sequence if isinstance(value, HeadSigned) else entry.sequence - 1
        return keys if signer is None else keys.replaced(signer._replace(signed_upto=upto))
    # Restored books begin without a key of the server; and where two people have decided that it is lost, it is.
    server = keys.server
    ends = isinstance(value, BooksRestored) or (isinstance(value, DamageDecided) and _is_about_key(value))
    return keys.ended(server.id, entry.sequence) if ends and server is not None else keys


def _is_about_key(decided: DamageDecided) -> bool:
    return any(damage.what.startswith((UNSIGNED, NO_SIGNER)) for damage in decided.damages)


KEYS: Projection[Keys] = Projection(
    name="keys",
    shape=Keys,
    empty=Keys(),
    fold=_fold,
    kinds=payloads.kinds_of(KeyAdded, HeadSigned, SnapshotSealed, BooksRestored, DamageDecided),
)


def keys_of(state: BookState) -> Keys:
    """Return the keys of a book; none where its state was read without that part."""
    keys: Keys = state.parts.get(KEYS.name, KEYS.empty)
    return keys


def _added_rightly(step: EntryStep) -> Iterator[str]:
    """A key is added by two people; the server's second one is signed by its first."""
    value, keys = step.value, keys_of(step.before)
    yield from second_person_problems("a key", value.approved_by, step.entry.actor)
    if not signing.is_public(value.public):
        yield "the public key must be 64 hexadecimal digits"
        return
    if keys.named(signing.key_id(value.public)) is not None:
        yield "this key was added before: make another"
    before = keys.named(value.replaces) if value.replaces else None
    if value.replaces and (before is None or before.until or before.apart != value.apart):
        yield f"there is no such key in force to be replaced: {value.replaces}"
    elif before is not None and not signing.is_signed(before.public, value.proof, "key", value.public):
        yield f"the new key is not signed by key {value.replaces}, which it replaces"
    elif not value.replaces and not value.apart and keys.server is not None:
        yield f"key {keys.server.id} signs these books: another one replaces it (pitboss keys rotate)"


def _signed_rightly(step: EntryStep) -> Iterator[str]:
    """What is signed inside of the journal is signed by a key in force."""
    value, entry = step.value, step.entry
    if KEYS.name not in step.before.parts or not value.key:
        return
    key = keys_of(step.before).named(value.key)
    if key is None or key.until:
        yield f"no key {value.key} is in force"
        return
    if isinstance(value, HeadSigned):
        is_right = signing.is_signed(
            key.public, value.signature, "head", entry.book, value.sequence, value.head, value.recorded
        )
        is_last = (value.sequence, value.head) == (step.before.sequence, step.before.digest.hex())
        if not is_right or not is_last:
            yield "its signature is not of the entry before it"
    elif not signing.is_signed(key.public, value.signature, "snapshot", *_snapshot_fields(step, value)):
        yield "its signature is not of the state that was sealed"


def _snapshot_fields(step: EntryStep, value: SnapshotSealed) -> tuple[object, ...]:
    return (step.entry.book, step.before.sequence, step.before.digest.hex(), value.state_hash)


INVARIANTS: tuple[Invariant, ...] = (
    Invariant(
        name="key-approval",
        says="a key is added by two people, and signed by the one it replaces",
        sources=("T-06", "M-02"),
        step=_added_rightly,
        kinds=payloads.kinds_of(KeyAdded),
    ),
    Invariant(
        name="signatures",
        says="heads and snapshots are signed by a key in force",
        sources=("M-02", "T-19"),
        step=_signed_rightly,
        kinds=payloads.kinds_of(HeadSigned, SnapshotSealed),
    ),
)


def sealed_by(signer: signing.Signer | None, book: str, state: BookState, state_hash: str) -> SnapshotSealed:
    """Return the entry of a snapshot, signed where the key in force is at hand."""
    key = keys_of(state).server
    if signer is None or key is None or key.id != signer.id:
        return SnapshotSealed(state_hash=state_hash)
    signature = signer.sign("snapshot", book, state.sequence, state.digest.hex(), state_hash)
    return SnapshotSealed(state_hash=state_hash, key=signer.id, signature=signature)


class BookHead(NamedTuple):
    """Where a book ended: the line that leaves the machine; without a key it is not signed."""

    book: str
    sequence: int
    head: str
    recorded: Instant
    key: str = ""
    signature: str = ""

    @classmethod
    def of(cls, book: str, state: BookState, signer: signing.Signer | None) -> BookHead:
        """Return the head of a state, signed where there is a key."""
        fields = (book, state.sequence, state.digest.hex(), state.recorded)
        return cls(*fields) if signer is None else cls(*fields, signer.id, signer.sign("head", *fields))

    @classmethod
    def parse(cls, line: str) -> BookHead:
        """Parse a line of a file of heads, whatever a log has put before it; raises `ValueError`."""
        _, mark, rest = line.partition(f"{MARK} ")
        words = rest.split()
        if not mark or len(words) != len(cls._fields):
            raise ValueError(f"no head: {line.strip()[:80]!r}")
        book, sequence, head, recorded, key, signature = words
        at = datetime.datetime.fromisoformat(recorded)
        if len(bytes.fromhex(head)) != 32 or at.tzinfo is None:
            raise ValueError(f"no head: {line.strip()[:80]!r}")
        micros = (at - EPOCH) // datetime.timedelta(microseconds=1)
        return cls(book, int(sequence), head.lower(), micros, key.strip("-"), signature.strip("-"))

    def line(self) -> str:
        """Return the line; its time is that of the entry."""
        at = (EPOCH + datetime.timedelta(microseconds=self.recorded)).isoformat(timespec="microseconds")
        words = (MARK, self.book, str(self.sequence), self.head, at, self.key or "-", self.signature or "-")
        return " ".join(words)

    def is_signed_by(self, public: str) -> bool:
        """True if a key has signed it."""
        return signing.is_signed(public, self.signature, "head", self.book, self.sequence, self.head, self.recorded)


def witness_damages(book: str, state: BookState, witness: Witness) -> list[Damage]:
    """Return what is wrong with the signature of a witness, where the server of the book has a key."""
    keys = keys_of(state)
    key = keys.server
    if key is None or witness.sequence < 0:
        return []
    # Until the first commit after a key was replaced, the old one has signed.
    before = keys.named(key.replaces) if key.replaces and witness.sequence < key.since else None
    fields = ("witness", book, witness.sequence, witness.digest.hex())
    signers = [key] if before is None else [key, before]
    if any(signing.is_signed(signer.public, witness.signature, *fields) for signer in signers):
        return []
    return [Damage(book, 0, f"{UNSIGNED}, {key.id}", hash_text([book, key.id, state.sequence])[:32])]


def signer_damages(directory: Directory, book: str, state: BookState) -> list[Damage]:
    """Choose the key in force, or return that books cannot go on being signed: whoever writes to them needs it."""
    key = keys_of(state).server
    if key is None or directory.choose_signer(book, key.id):
        return []
    what = f"{NO_SIGNER}: key {key.id}; put it back where heads.toml says, or decide that it is lost"
    return [Damage(book, 0, what, hash_text([book, key.id, "signer", state.sequence])[:32])]


class Vouched(NamedTuple):
    """Up to which entry keys vouch for a book, and their names; `is_end` says that this is all of it."""

    upto: int
    keys: tuple[str, ...]
    is_end: bool


def vouched_by(book: str, state: BookState, witness: Witness | None, pinned: Iterable[str] = ()) -> Vouched:
    """Return up to where a book is signed: by pinned keys and those that they have signed, or by any key it names."""
    names, keys = {signing.key_id(public) for public in pinned}, keys_of(state)
    trusted: list[RoomKey] = []
    for key in keys.keys:
        before = next((other for other in trusted if other.id == key.replaces), None)
        is_proved = before is not None and signing.is_signed(before.public, key.proof, "key", key.public)
        if not names or key.id in names or is_proved:
            trusted.append(key)
    upto = max((key.signed_upto for key in trusted), default=0)
    if witness is not None:
        fields = ("witness", book, witness.sequence, witness.digest.hex())
        if any(signing.is_signed(key.public, witness.signature, *fields) for key in trusted):
            upto = max(upto, witness.sequence)
    # A commit whose witness was not written yet is vouched for by the next.
    return Vouched(upto, tuple(key.id for key in trusted), upto >= state.sequence)
