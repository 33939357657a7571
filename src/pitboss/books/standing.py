"""Entries about the books themselves: sealed snapshots, damage that a person decided on, books that were restored."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

from pitboss.books.damage import Damage
from pitboss.books.entries import Entry
from pitboss.books.payloads import Payload, register_kinds
from pitboss.books.state import Projection

__all__ = ["STANDING", "BooksRestored", "DamageDecided", "SnapshotSealed", "Standing"]


@dataclass(frozen=True, slots=True, kw_only=True)
class SnapshotSealed:
    """The hash of the state that all entries before this one fold to."""

    state_hash: str

    @property
    def kind(self) -> str:
        """The kind of its entries."""
        return "snapshot-sealed"

    def to_json(self) -> dict[str, Any]:
        """Write the hash."""
        return {"state_hash": self.state_hash}


@dataclass(frozen=True, slots=True, kw_only=True)
class DamageDecided:
    """A named person has looked at damage and decided that the books go on from what is there, for a reason.

    What is damaged stays as it stands: an entry that can be read counts as it reads, one that cannot moves nothing.
    What money that leaves wrong is put right by corrections.
    """

    person: str
    reason: str
    damages: tuple[Damage, ...]

    @property
    def kind(self) -> str:
        """The kind of its entries."""
        return "damage-decided"

    def to_json(self) -> dict[str, Any]:
        """Write who, why, and each damage with what was found."""
        return {"person": self.person, "reason": self.reason, "damages": [list(each) for each in self.damages]}


@dataclass(frozen=True, slots=True, kw_only=True)
class BooksRestored:
    """A named person has restored the books from a backup whose head is named."""

    person: str
    reason: str
    sequence: int
    head: str

    @property
    def kind(self) -> str:
        """The kind of its entries."""
        return "books-restored"

    def to_json(self) -> dict[str, Any]:
        """Write who, why, and where the backup ended."""
        return {"person": self.person, "reason": self.reason, "sequence": self.sequence, "head": self.head}


def _read_decided(_: str, said: dict[str, Any]) -> DamageDecided:
    damages = tuple(Damage(*each) for each in said["damages"])
    return DamageDecided(person=said["person"], reason=said["reason"], damages=damages)


register_kinds(["snapshot-sealed"], lambda _, said: SnapshotSealed(**said))
register_kinds(["damage-decided"], _read_decided)
register_kinds(["books-restored"], lambda _, said: BooksRestored(**said))


class Standing(NamedTuple):
    """What has been decided about the book itself."""

    decided: frozenset[Damage]
    decided_upto: int
    restored: tuple[int, ...]


def _fold(standing: Standing, entry: Entry, value: Payload) -> Standing:
    if isinstance(value, DamageDecided):
        decided = standing.decided | frozenset(value.damages)
        return standing._replace(decided=decided, decided_upto=entry.sequence)
    if isinstance(value, BooksRestored):
        return standing._replace(restored=(*standing.restored, entry.sequence))
    return standing


def _write(standing: Standing) -> dict[str, Any]:
    return {
        "decided": sorted(list(each) for each in standing.decided),
        "decided_upto": standing.decided_upto,
        "restored": list(standing.restored),
    }


def _read(said: dict[str, Any]) -> Standing:
    decided = frozenset(Damage(*each) for each in said["decided"])
    return Standing(decided, said["decided_upto"], tuple(said["restored"]))


STANDING: Projection[Standing] = Projection(
    name="standing",
    empty=Standing(frozenset(), 0, ()),
    fold=_fold,
    write=_write,
    read=_read,
    kinds=frozenset({"damage-decided", "books-restored"}),
)
