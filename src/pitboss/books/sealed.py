"""Sealed states of a book: what some of its parts came to at an entry, without folding all that was before it."""

from __future__ import annotations

import json
from collections.abc import Iterator

from pitboss.books.canonical import hash_of
from pitboss.books.payloads import UnreadableError, read_payload
from pitboss.books.standing import SnapshotSealed
from pitboss.books.state import BookState, Folding
from pitboss.books.store import Sealed, Store

__all__ = ["sealed_states"]

_TRIED = 3


def sealed_states(store: Store, folding: Folding, book: str, upto: int) -> Iterator[BookState]:
    """Sealed states up to an entry, newest first, whose entry holds their hash and that have all parts asked for."""
    tried = 0
    while tried < _TRIED:
        # One at a time: mostly the newest will do, and a state is long.
        some = store.snapshots(book, upto=upto, most=1)
        if not some:
            return
        [sealed] = some
        tried, upto = tried + 1, sealed.sequence - 1
        if _is_sound(store, book, sealed):
            found = _unsealed(folding, sealed)
            if found is not None:
                yield found


def _is_sound(store: Store, book: str, sealed: Sealed) -> bool:
    entry = store.entry(book, sealed.sequence)
    if entry is None or not entry.is_sound or entry.kind != "snapshot-sealed":
        return False
    try:
        value = read_payload(entry.kind, entry.payload)
    except UnreadableError:
        return False
    return isinstance(value, SnapshotSealed) and value.state_hash == hash_of(sealed.state).hex()


def _unsealed(folding: Folding, sealed: Sealed) -> BookState | None:
    """Read the parts that are asked for; a state may have been sealed with more of them."""
    said = json.loads(sealed.state)
    if any(said["version"].get(name) != version for name, version in folding.version.items()):
        return None
    parts = {each.name: each.read(said["parts"][each.name]) for each in folding.projections}
    return BookState(said["sequence"], bytes.fromhex(said["digest"]), said["recorded"], parts)
