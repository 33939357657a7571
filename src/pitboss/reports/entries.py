"""Entries of the accounting desk: chips collected, exceptions and who has them, and prizes that are shared."""

from __future__ import annotations

import datetime
from dataclasses import dataclass
from typing import Any, NamedTuple

from pitboss.books import register_kinds

CHIPS_WITHIN_DAYS = 7
"""Chips are entered within so many gambling days of their shift (G-45): later ones are an exception to be raised."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChipsCollected:
    """The jackpot chips of one table and shift, counted by two people (O-12, P-06).

    A recount says which entry it replaces, and why.
    """

    day: datetime.date
    shift: str
    table: str
    cents: int
    counted_with: str
    replaces: int | None = None
    words: str = ""

    @property
    def kind(self) -> str:
        """The kind of its entries."""
        return "chips-collected"

    @property
    def place(self) -> str:
        """The day, shift and table as one text."""
        return place_of(self.day, self.shift, self.table)

    def to_json(self) -> dict[str, Any]:
        """Write the count."""
        said = {"day": self.day.isoformat(), "shift": self.shift, "table": self.table, "cents": self.cents}
        again = {} if self.replaces is None else {"replaces": self.replaces, "words": self.words}
        return {**said, "counted_with": self.counted_with, **again}


def place_of(day: datetime.date, shift: str, table: str) -> str:
    """One text for the shift of a day at a table."""
    return f"{day.isoformat()}/{shift}/{table}"


@dataclass(frozen=True, slots=True, kw_only=True)
class ExceptionRaised:
    """Something to be looked into (M-07): the key it is found again by, words, its amount, and whom it is about."""

    key: str
    words: str
    units: int | None = None
    people: tuple[str, ...] = ()

    @property
    def kind(self) -> str:
        """The kind of its entries."""
        return "exception-raised"

    def to_json(self) -> dict[str, Any]:
        """Write the exception."""
        return {"key": self.key, "words": self.words, "units": self.units, "people": list(self.people)}


@dataclass(frozen=True, slots=True, kw_only=True)
class ExceptionTaken:
    """Somebody takes an exception and owns it from then on (M-07)."""

    number: int
    owner: str

    @property
    def kind(self) -> str:
        """The kind of its entries."""
        return "exception-taken"

    def to_json(self) -> dict[str, Any]:
        """Write who has it."""
        return {"number": self.number, "owner": self.owner}


@dataclass(frozen=True, slots=True, kw_only=True)
class ExceptionResolved:
    """What the owner of an exception found out (M-07)."""

    number: int
    words: str

    @property
    def kind(self) -> str:
        """The kind of its entries."""
        return "exception-resolved"

    def to_json(self) -> dict[str, Any]:
        """Write the result."""
        return {"number": self.number, "words": self.words}


class Share(NamedTuple):
    """One person's part of a prize; of the taxpayer number the books hold only whether there is one."""

    winner: str
    cents: int
    taxpayer_number: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class PrizeShared:
    """Several people are entitled to the prize of one seat: what Form 5754 asks (X-05)."""

    hit: int
    seat: int
    shares: tuple[Share, ...]

    @property
    def kind(self) -> str:
        """The kind of its entries."""
        return "prize-shared"

    @property
    def prize(self) -> str:
        """Which prize it is, as one text."""
        return f"{self.hit}-{self.seat}"

    def to_json(self) -> dict[str, Any]:
        """Write the parts."""
        return {"hit": self.hit, "seat": self.seat, "shares": [list(each) for each in self.shares]}


def _whole(said: dict[str, Any], *names: str) -> dict[str, Any]:
    for name in names:
        if type(said[name]) is not int:
            raise TypeError(f"{name} must be a whole number")
    return said


def _chips(_: str, said: dict[str, Any]) -> ChipsCollected:
    day = datetime.date.fromisoformat(said["day"])
    return ChipsCollected(**{**_whole(said, "cents"), "day": day})


def _shared(_: str, said: dict[str, Any]) -> PrizeShared:
    shares = tuple(Share(*each) for each in said["shares"])
    for each in shares:
        _whole(each._asdict(), "cents")
    return PrizeShared(hit=said["hit"], seat=said["seat"], shares=shares)


register_kinds(["chips-collected"], _chips)
register_kinds(["exception-raised"], lambda _, said: ExceptionRaised(**{**said, "people": tuple(said["people"])}))
register_kinds(["exception-taken"], lambda _, said: ExceptionTaken(**_whole(said, "number")))
register_kinds(["exception-resolved"], lambda _, said: ExceptionResolved(**_whole(said, "number")))
register_kinds(["prize-shared"], _shared)
