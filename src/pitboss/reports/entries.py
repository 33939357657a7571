"""Entries of the accounting desk: chips collected, exceptions and who has them, and prizes that are shared."""

import datetime
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

from pitboss.books import EntryPayload, entry_kind

CHIPS_WITHIN_DAYS = 7
"""Chips are entered within so many gambling days of their shift (G-45): later ones are an exception to be raised."""


@entry_kind
@dataclass(frozen=True, slots=True, kw_only=True)
class ChipsCollected(EntryPayload):
    """The jackpot chips of one table and shift, counted by two people (O-12, P-06).

    A recount says which entry it replaces, and why.
    """

    KIND: ClassVar[str] = "chips-collected"
    day: datetime.date
    shift: str
    table: str
    cents: int
    counted_with: str
    replaces: int | None = None
    words: str = ""

    @property
    def place(self) -> str:
        """The day, shift and table as one text."""
        return place_of(self.day, self.shift, self.table)


def place_of(day: datetime.date, shift: str, table: str) -> str:
    """One text for the shift of a day at a table."""
    return f"{day.isoformat()}/{shift}/{table}"


@entry_kind
@dataclass(frozen=True, slots=True, kw_only=True)
class ExceptionRaised(EntryPayload):
    """Something to be looked into (M-07): the key it is found again by, words, its amount, and whom it is about."""

    KIND: ClassVar[str] = "exception-raised"
    WRITES_DEFAULTS: ClassVar[bool] = True
    key: str
    words: str
    units: int | None = None
    people: tuple[str, ...] = ()


@entry_kind
@dataclass(frozen=True, slots=True, kw_only=True)
class ExceptionTaken(EntryPayload):
    """Somebody takes an exception and owns it from then on (M-07)."""

    KIND: ClassVar[str] = "exception-taken"
    number: int
    owner: str


@entry_kind
@dataclass(frozen=True, slots=True, kw_only=True)
class ExceptionResolved(EntryPayload):
    """What the owner of an exception found out (M-07)."""

    KIND: ClassVar[str] = "exception-resolved"
    number: int
    words: str


class Share(NamedTuple):
    """One person's part of a prize; of the taxpayer number the books hold only whether there is one."""

    winner: str
    cents: int
    taxpayer_number: bool


@entry_kind
@dataclass(frozen=True, slots=True, kw_only=True)
class PrizeShared(EntryPayload):
    """Several people are entitled to the prize of one seat: what Form 5754 asks (X-05)."""

    KIND: ClassVar[str] = "prize-shared"
    hit: int
    seat: int
    shares: tuple[Share, ...]

    @property
    def prize(self) -> str:
        """Which prize it is, as one text."""
        return f"{self.hit}-{self.seat}"
