"""Accounts of a meter, transfers between them, and its state, which follows from the transfers alone."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from enum import StrEnum
from operator import attrgetter

from pitboss.meters.terms import MeterTerms, cents_shown


class Account(StrEnum):
    """Where money of a jackpot can be; only the first three are on the meter and held for the players (J-03)."""

    DISPLAYED = "displayed"
    RESERVE = "reserve"
    OVERFLOW = "overflow"
    WAGERS = "wagers"
    """Counted jackpot wagers: minus what the players staked."""
    PLAYERS = "players"
    """What was handed to players or for them: refunds of a void round, and what stood on a removed jackpot."""
    WINNERS = "winners"
    """Prizes called, whether handed over yet or not."""
    SEED = "seed"
    """The house's seed money: minus what it put in and has not recovered."""
    HOUSE_SHARE = "house-share"
    """What is left of a wager after its contributions."""
    HOUSE = "house"
    """The house's own purse: prizes it covers, refunds, gifts to the meter, corrected malfunctions."""
    RECEIPTS = "receipts"
    """Nondisplayed funds that were booked as gross receipts."""
    OTHER_METERS = "other-meters"
    """What went to another meter, or came from one."""
    POSTING = "posting"
    """The counterpart of a Bonus display, which announces the house's money and holds none of the players'."""


FUNDS = (Account.DISPLAYED, Account.RESERVE, Account.OVERFLOW)
HOUSE_ACCOUNTS = (Account.SEED, Account.HOUSE_SHARE, Account.HOUSE, Account.RECEIPTS)


class DecreaseReason(StrEnum):
    """The five reasons for which a displayed or accrued amount may go down (WAC 230-15-695; REGULATION J-14)."""

    PRIZE_WON = "prize-won"
    EQUIPMENT_MALFUNCTION = "equipment-malfunction"
    ABOVE_CAP = "above-cap"
    BOOKED_AS_RECEIPTS = "booked-as-receipts"
    SEED_RECOVERED = "seed-recovered"


@dataclass(frozen=True, slots=True, kw_only=True)
class MeterTransfer:
    """Units that move from one account to another, why in words, and the permitted reason where an amount goes down."""

    payer: Account
    payee: Account
    units: int
    words: str
    reason: DecreaseReason | None = None

    def __post_init__(self) -> None:
        if type(self.units) is not int or self.units <= 0 or self.payer is self.payee or not self.words.strip():
            raise AssertionError(f"no transfer is written like this: {self!r}")


def move(
    payer: Account, payee: Account, units: int, words: str, reason: DecreaseReason | None = None
) -> tuple[MeterTransfer, ...]:
    """Write a transfer, or none where nothing moves."""
    if units == 0:
        return ()
    return (MeterTransfer(payer=payer, payee=payee, units=units, words=words, reason=reason),)


_ZERO = dict.fromkeys(Account, 0)


def balances(transfers: Iterable[MeterTransfer]) -> Mapping[Account, int]:
    """Fold transfers into the balance of every account; the balances sum to zero."""
    balance_of = _ZERO.copy()
    for transfer in transfers:
        balance_of[transfer.payer] -= transfer.units
        balance_of[transfer.payee] += transfer.units
    return balance_of


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
                name = _NAMES[[field_value is value for field_value in values].index(True)]
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


_NAMES = tuple(field_value.name for field_value in fields(MeterState))
_COUNTERS = tuple(name for name in _NAMES if not name.endswith("_units"))
_values = attrgetter(*_NAMES)
_counts = attrgetter(*_COUNTERS)
EMPTY = MeterState(**dict.fromkeys(_NAMES, 0))


@dataclass(frozen=True, slots=True, kw_only=True)
class MeterChange:
    """What an event has done: the state after it, the terms in force after it, and the transfers that explain it."""

    state: MeterState
    terms: MeterTerms
    transfers: tuple[MeterTransfer, ...]


def changed(state: MeterState, terms: MeterTerms, transfers: tuple[MeterTransfer, ...], **counters: int) -> MeterChange:
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
    return MeterChange(state=after, terms=terms, transfers=transfers)


def explains(transfers: Iterable[MeterTransfer], state: MeterState) -> bool:
    """Return whether all transfers since a meter was opened give what stands on it (J-09)."""
    balance_of = balances(transfers)
    return (
        balance_of[Account.DISPLAYED] == state.displayed_units
        and balance_of[Account.RESERVE] == state.reserve_units
        and balance_of[Account.OVERFLOW] == state.overflow_units
        and balance_of[Account.SEED] == -state.seed_units
    )
