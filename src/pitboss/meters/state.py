"""The state of a meter, and a change of it: the new state follows from the transfers and from nothing else."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, fields
from operator import attrgetter

from pitboss.meters.accounts import Account, MeterTransfer, balances
from pitboss.meters.terms import MeterTerms
from pitboss.meters.units import cents_shown

__all__ = ["EMPTY", "Change", "MeterState", "changed", "explains"]


def _ensure(holds: bool, words: str) -> None:
    """Stop when money would be wrong; unlike an assert statement, this cannot be switched off."""
    if not holds:
        raise AssertionError(words)


@dataclass(frozen=True, slots=True, kw_only=True)
class MeterState:
    """What stands on a meter, in units, and its counters (T-02), none of which ever falls.

    `seed_units` is what the house has put in as seed and not recovered. A wager that the equipment counted wrongly
    stays in `wagers_counted` and is counted once more in `wagers_reversed`; so do hits whose call was rejected, and
    their prizes. A top hit raises `generation`.
    """

    displayed_units: int
    reserve_units: int
    overflow_units: int
    seed_units: int
    generation: int
    wagers_counted: int
    wagers_reversed: int
    hits: int
    hits_rejected: int
    won_cents: int
    won_rejected_cents: int

    def __post_init__(self) -> None:
        values = _values(self)
        for value in values:
            if type(value) is not int or value < 0:
                name = _NAMES[[each is value for each in values].index(True)]
                raise AssertionError(f"{name} would be {value!r}: nothing goes below zero")
        if self.wagers_reversed > self.wagers_counted:
            raise AssertionError("more wagers would be reversed than were counted")
        if self.hits_rejected > self.hits:
            raise AssertionError("more hits would be rejected than were called")
        if self.won_rejected_cents > self.won_cents:
            raise AssertionError("more prizes would be rejected than were won")

    @property
    def displayed_cents(self) -> int:
        """What the display shows: whole cents, rounded down (G-3)."""
        return cents_shown(self.displayed_units)

    @property
    def held_units(self) -> int:
        """Everything on the meter, shown or not; on a progressive the players' money (J-03)."""
        return self.displayed_units + self.reserve_units + self.overflow_units


_NAMES = tuple(each.name for each in fields(MeterState))
_COUNTERS = tuple(name for name in _NAMES if not name.endswith("_units"))
_values = attrgetter(*_NAMES)
_counts = attrgetter(*_COUNTERS)
EMPTY = MeterState(**dict.fromkeys(_NAMES, 0))


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """What an event has done: the state after it, the terms in force after it, and the transfers that explain it."""

    state: MeterState
    terms: MeterTerms
    transfers: tuple[MeterTransfer, ...]


def changed(state: MeterState, terms: MeterTerms, transfers: tuple[MeterTransfer, ...], **counters: int) -> Change:
    """Move the money of the transfers and set the counters given; money that would be wrong stops the program."""
    moved = balances(transfers)
    _ensure(sum(moved.values()) == 0, "the transfers do not sum to zero")
    counts = dict(zip(_COUNTERS, _counts(state), strict=True))
    for name, count in counters.items():
        if count < counts[name]:
            raise AssertionError(f"{name} would fall")
        counts[name] = count
    after = MeterState(
        displayed_units=state.displayed_units + moved[Account.DISPLAYED],
        reserve_units=state.reserve_units + moved[Account.RESERVE],
        overflow_units=state.overflow_units + moved[Account.OVERFLOW],
        seed_units=state.seed_units - moved[Account.SEED],
        **counts,
    )
    _ensure(terms.cap_units is None or after.displayed_units <= terms.cap_units, "the display would pass its cap")
    if not terms.is_progressive:
        _ensure(after.held_units == after.displayed_units, "a Bonus jackpot would hold players' money")
    return Change(state=after, terms=terms, transfers=transfers)


def explains(transfers: Iterable[MeterTransfer], state: MeterState) -> bool:
    """Say whether all transfers since a meter was opened give what stands on it (J-09)."""
    found = balances(transfers)
    return (
        found[Account.DISPLAYED] == state.displayed_units
        and found[Account.RESERVE] == state.reserve_units
        and found[Account.OVERFLOW] == state.overflow_units
        and found[Account.SEED] == -state.seed_units
    )
