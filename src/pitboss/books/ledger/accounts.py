"""The double-entry ledger: a fold of movements into the balances and counters of every jackpot, in units."""

from collections.abc import Mapping
from typing import NamedTuple

from pitboss.books.journal.codec import json_object
from pitboss.books.journal.entries import Entry
from pitboss.books.journal.payloads import Payload
from pitboss.books.journal.state import Projection, Run
from pitboss.books.ledger.movements import COUNTERS, MOVEMENTS, JackpotTerms, LedgerAccount, Movement
from pitboss.meters import MeterState


@json_object
class JackpotAccounts(NamedTuple):
    """The books of one jackpot: terms in force, balance of every account in units, counters."""

    terms: JackpotTerms
    balances: dict[str, int]
    counts: dict[str, int]

    @property
    def is_progressive(self) -> bool:
        """Whether what is on the meter is the players' (J-03); else it is the house's (J-01)."""
        return self.terms.jackpot_type == "progressive"

    @property
    def held_units(self) -> int:
        """What the house holds for the players of a progressive, shown or not (J-03)."""
        if not self.is_progressive:
            return 0
        return self.balances["displayed"] + self.balances["reserve"] + self.balances["overflow"]

    @property
    def meter_state(self) -> MeterState:
        """The state of the jackpot's meter, as `meters` takes it."""
        _, balances, counts = self
        return MeterState(
            displayed_units=balances["displayed"],
            reserve_units=balances["reserve"],
            overflow_units=balances["overflow"],
            seed_units=-balances["seed"],
            **counts,
        )


Ledger = Mapping[str, JackpotAccounts]

_NO_BALANCES = dict.fromkeys([account.value for account in LedgerAccount], 0)
_NO_COUNTS = dict.fromkeys(COUNTERS, 0)


def posted(ledger: Ledger, movement: Movement) -> Ledger:
    """Post a movement: what leaves one account comes to another, so that every entry balances."""
    after = dict(ledger)
    after[movement.jackpot] = accounts = _copied(after, movement)
    _post(accounts, movement)
    return after


def _copied(ledger: Ledger, movement: Movement) -> JackpotAccounts:
    """The accounts that a movement is about, with the terms it leaves, as a copy to post it to."""
    before = ledger.get(movement.jackpot)
    if before is None:
        if movement.terms is None:
            raise KeyError(f"jackpot {movement.jackpot!r} has not been opened")
        before = JackpotAccounts(movement.terms, _NO_BALANCES, _NO_COUNTS)
    return JackpotAccounts(movement.terms or before.terms, before.balances.copy(), before.counts.copy())


def _post(accounts: JackpotAccounts, movement: Movement) -> None:
    """Post a movement to accounts that nobody else has seen."""
    _, balances, counts = accounts
    for payer, payee, units, _, _ in movement.transfers:
        balances[payer] -= units
        balances[payee] += units
    for name, more in movement.counts.items():
        counts[name] += more


def _fold(ledger: Ledger, _: Entry, value: Payload) -> Ledger:
    assert isinstance(value, Movement)
    return posted(ledger, value)


def _fold_run(ledger: Ledger, run: Run) -> Ledger:
    """Post movement after movement, with one copy of the accounts of each jackpot."""
    after = dict(ledger)
    copied: dict[str, JackpotAccounts] = {}
    for _, value in run:
        assert isinstance(value, Movement)
        accounts = copied.get(value.jackpot)
        if accounts is None or value.terms is not None:
            after[value.jackpot] = copied[value.jackpot] = accounts = _copied(after, value)
        _post(accounts, value)
    return after


# The view of the keys has the kinds of movements that later packages add.
LEDGER: Projection[Ledger] = Projection(
    name="ledger", shape=Ledger, empty={}, fold=_fold, kinds=MOVEMENTS.keys(), fold_run=_fold_run
)
