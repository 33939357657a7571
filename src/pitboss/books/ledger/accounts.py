"""The double-entry ledger: a fold of movements into balances and counters of each jackpot, in units; its invariants."""

from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from operator import itemgetter
from typing import NamedTuple

from pitboss.books.journal.codec import json_object
from pitboss.books.journal.entries import Entry
from pitboss.books.journal.payloads import Payload
from pitboss.books.journal.state import BookState, EntryStep, Invariant, Projection, Run
from pitboss.books.ledger.movements import COUNTERS, MOVEMENTS, CorrectionReason, JackpotTerms, LedgerAccount, Movement
from pitboss.meters import DecreaseReason, MeterState, units_of, units_text


@json_object
class JackpotAccounts(NamedTuple):
    """The books of one jackpot: terms in force, balance of every account in units, counters."""

    terms: JackpotTerms
    balances: dict[str, int]
    counts: dict[str, int]

    @property
    def is_progressive(self) -> bool:
        """True if what is on the meter is the players' (J-03); else it is the house's (J-01)."""
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


_ACCOUNTS = frozenset(account.value for account in LedgerAccount)
_REASONS = frozenset(reason.value for reason in DecreaseReason)
_CORRECTIONS = frozenset(reason.value for reason in CorrectionReason)
_FUNDS = ("displayed", "reserve", "overflow")
_NEVER_NEGATIVE = (*_FUNDS, "winners", "paid", "players", "escrow-transit", "escrow-bank")
_never_negative = itemgetter(*_NEVER_NEGATIVE)
_TYPES = ("progressive", "bonus")


def _written(step: EntryStep) -> Iterable[str]:
    """A movement is written as its kind demands: known accounts, whole positive units, words and reasons."""
    movement: Movement = step.value
    kind = MOVEMENTS[movement.kind]
    problems: list[str] = []
    for payer, payee, units, reason, _ in movement.transfers:
        if payer not in _ACCOUNTS or payee not in _ACCOUNTS or payer == payee:
            problems.append(f"no transfer goes from {payer!r} to {payee!r}")
        if type(units) is not int or units <= 0:
            problems.append(f"{units!r} must be a whole number of units, more than 0")
        if reason is not None and reason not in _REASONS:
            problems.append(f"{reason!r} is none of the five reasons for a decrease")
    if kind.words and not movement.words.strip():
        problems.append(f"a {kind.name} is explained in words")
    if (movement.reason or movement.corrects is not None or kind.correction) and not _corrects(step, movement):
        problems.append(f"a correction names an earlier entry and one of: {', '.join(sorted(_CORRECTIONS))}")
    if kind.terms != (movement.terms is not None):
        problems.append(f"a {kind.name} {'states' if kind.terms else 'does not state'} terms")
    return problems


def _after(step: EntryStep) -> JackpotAccounts | None:
    """The accounts of a movement's jackpot after it; there are none where it could not be posted."""
    accounts: JackpotAccounts | None = step.after.parts["ledger"].get(step.value.jackpot)
    return accounts


def _corrects(step: EntryStep, movement: Movement) -> bool:
    return (
        movement.reason in _CORRECTIONS
        and type(movement.corrects) is int
        and 0 < movement.corrects < step.entry.sequence
    )


def _terms(step: EntryStep) -> Iterable[str]:
    """A jackpot is opened once; its type never changes, nor its wager after the first one was counted."""
    movement: Movement = step.value
    before = step.before.of(LEDGER).get(movement.jackpot)
    problems: list[str] = []
    if (before is None) != (movement.kind == "jackpot-opened"):
        status = "has not been opened" if before is None else "is open already"
        problems.append(f"jackpot {movement.jackpot!r} {status}")
    if movement.terms is not None:
        problems += _terms_problems(before, movement.terms)
    return problems


def _terms_problems(before: JackpotAccounts | None, terms: JackpotTerms) -> Iterator[str]:
    if terms.jackpot_type not in _TYPES:
        yield f"a jackpot of type {terms.jackpot_type!r} is none of: {', '.join(_TYPES)}"
    if type(terms.wager_cents) is not int or terms.wager_cents < 1:
        yield f"a wager of {terms.wager_cents!r} cents is none"
    if terms.cap_cents is not None and (type(terms.cap_cents) is not int or terms.cap_cents < 1):
        yield f"a cap of {terms.cap_cents!r} cents is none"
    if before is not None and terms.jackpot_type != before.terms.jackpot_type:
        yield "the type of a jackpot does not change"
    if before is not None and terms.wager_cents != before.terms.wager_cents and before.counts["wagers_counted"]:
        yield "the wager of a jackpot does not change after the first was counted"


def _conserved(step: EntryStep) -> Iterable[str]:
    """Section 10, 1: balances sum to zero, and the wagers' account is the wagers counted times the fixed wager."""
    accounts = _after(step)
    return () if accounts is None else _conservation(step.value.jackpot, accounts)


def _conservation(name: str, accounts: JackpotAccounts) -> list[str]:
    terms, balances, counts = accounts
    problems: list[str] = []
    rest = sum(balances.values())
    if rest:
        problems.append(f"the accounts of {name} sum to {units_text(rest)}, not to zero")
    counted = (counts["wagers_counted"] - counts["wagers_reversed"]) * units_of(terms.wager_cents)
    staked = -balances["wagers"]
    if staked != counted:
        problems.append(f"{name} has counted wagers of {units_text(counted)}, and {units_text(staked)} were taken in")
    return problems


def _not_negative(step: EntryStep) -> Iterable[str]:
    """No fund, payable, paid or bank account is ever below zero (J-03, G-4)."""
    accounts = _after(step)
    if accounts is None or min(_never_negative(accounts.balances)) >= 0:
        return ()
    name, balances = step.value.jackpot, accounts.balances
    below = [account for account in _NEVER_NEGATIVE if balances[account] < 0]
    return [f"{account} of {name} would be {units_text(balances[account])}" for account in below]


def _capped(step: EntryStep) -> Iterable[str]:
    """Section 10, 2: the display never passes its cap, nor is a cap set below it (J-10)."""
    accounts = _after(step)
    cap = None if accounts is None else accounts.terms.cap_cents
    if accounts is None or cap is None or accounts.balances["displayed"] <= units_of(cap):
        return ()
    excess = f"{units_text(accounts.balances['displayed'])} is above its cap {units_text(units_of(cap))}"
    return [f"the display of {step.value.jackpot} at {excess}"]


def _decreases(step: EntryStep) -> Iterable[str]:
    """Section 10, 3: what is shown or accrued of a progressive goes down for one of five reasons (J-14, T-24).

    Nondisplayed money may come to another fund, which is no decrease of what is held, or seed another meter where a
    dated rule permits it (J-15). A jackpot that is removed for good has a procedure of its own (J-17).
    """
    movement: Movement = step.value
    accounts = _after(step)
    problems: list[str] = []
    if accounts is None or not accounts.is_progressive:
        return problems
    for payer, payee, units, reason, _ in movement.transfers:
        if payer not in _FUNDS or reason is not None:
            continue
        if payer != "displayed" and (payee in _FUNDS or (payee == "other-meters" and movement.kind == "other-seeded")):
            continue
        if movement.kind == "funds-removed" and payee in ("other-meters", "players"):
            continue
        problems.append(
            f"the {payer} of {movement.jackpot} goes down by {units_text(units)} for none of the five reasons"
        )
    return problems


def _bonus(step: EntryStep) -> Iterable[str]:
    """A Bonus display is the house's posting: no wager moves it, and it holds nothing of the players' (J-01, J-02)."""
    movement: Movement = step.value
    accounts = _after(step)
    if accounts is None or accounts.is_progressive:
        return ()
    return [
        f"the {fund} of the Bonus jackpot {movement.jackpot} does not move against {other}"
        for payer, payee, _, _, _ in movement.transfers
        for fund, other in ((payer, payee), (payee, payer))
        if fund in _FUNDS and (fund != "displayed" or other != "posting")
    ]


def _counters(step: EntryStep) -> Iterable[str]:
    """Section 10, 4 in part: counters only grow, and what is taken back never passes what was counted (M-11)."""
    movement: Movement = step.value
    accounts = _after(step)
    problems: list[str] = []
    if accounts is None:
        return problems
    for name, more in movement.counts.items():
        if name not in COUNTERS or type(more) is not int or more <= 0:
            problems.append(f"{name} of {movement.jackpot} would move by {more!r}")
    counts = accounts.counts
    for part, whole in _TAKEN_BACK:
        if counts[part] > counts[whole]:
            problems.append(f"{part} of {movement.jackpot} would pass {whole}")
    return problems


_TAKEN_BACK = (
    ("wagers_reversed", "wagers_counted"),
    ("hits_rejected", "hits"),
    ("won_rejected_cents", "won_cents"),
)


def _approved(step: EntryStep) -> Iterable[str]:
    """Section 10, 10: what needs approval has it, and nobody approves their own change (T-06, T-18, P-05)."""
    movement: Movement = step.value
    if not movement.approved_by:
        # A count of the round on the table is taken back by one person; the tabulator holds which round that is (G-39).
        is_alone = movement.kind == "count-corrected" and movement.details.get("alone")
        needs = MOVEMENTS[movement.kind].approval and not is_alone
        return [f"a {movement.kind} needs the approval of a second person"] if needs else ()
    if movement.approved_by.casefold() == step.entry.actor.casefold():
        return [f"{step.entry.actor} approves a change of their own"]
    return ()


def _all_conserved(state: BookState) -> Iterator[str]:
    for name, accounts in state.of(LEDGER).items():
        yield from _conservation(name, accounts)


def _between_meters(step: EntryStep) -> Iterable[str]:
    """What comes to a meter from another has left one of the same book before: none comes from nowhere (J-15)."""
    for payer, _, _, _, _ in step.value.transfers:
        if payer == "other-meters":
            break
    else:
        return ()
    total = sum(accounts.balances["other-meters"] for accounts in step.after.of(LEDGER).values())
    return [f"{units_text(-total)} came from other meters and left none"] if total < 0 else ()


# The view of the keys has the kinds of movements that later packages add.
_movements = partial(Invariant, kinds=MOVEMENTS.keys())
INVARIANTS = (
    _movements(name="written", says="a movement says what its kind demands", sources=("J-09", "G-11"), step=_written),
    _movements(name="terms", says="type and wager of a jackpot stay", sources=("J-01", "G-7", "T-16"), step=_terms),
    _movements(
        name="conservation",
        says="all money is accounted for: balances sum to zero, wagers counted are wagers taken in",
        sources=("section 10 no. 1", "J-03", "J-07", "T-11"),
        step=_conserved,
        end=_all_conserved,
    ),
    _movements(name="not-negative", says="no fund goes below zero", sources=("J-03", "G-4"), step=_not_negative),
    _movements(name="cap", says="no display passes its cap", sources=("section 10 no. 2", "J-10"), step=_capped),
    _movements(
        name="decrease",
        says="meters decrease only for an allowed reason",
        sources=("section 10 no. 3", "J-14", "T-24"),
        step=_decreases,
    ),
    _movements(name="bonus", says="no wager moves a Bonus display", sources=("J-01", "J-02"), step=_bonus),
    _movements(name="counters", says="no counter falls", sources=("section 10 no. 4", "M-11"), step=_counters),
    _movements(
        name="approval",
        says="no one approved their own change",
        sources=("section 10 no. 10", "T-06", "T-18", "P-05"),
        step=_approved,
    ),
    _movements(name="between-meters", says="money between meters left one", sources=("J-15",), step=_between_meters),
)
