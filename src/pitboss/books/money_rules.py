"""Invariants about money: what the law and double entry demand of every movement and of every jackpot's accounts."""

from __future__ import annotations

from collections.abc import Iterator

from pitboss.books.invariants import Invariant, Step, register_invariants
from pitboss.books.ledger import LEDGER, JackpotAccounts
from pitboss.books.movements import COUNTERS, MOVEMENTS, CorrectionReason, LedgerAccount, Movement
from pitboss.books.state import BookState
from pitboss.meters import DecreaseReason, units_of, units_text

__all__: list[str] = []

_ACCOUNTS = frozenset(account.value for account in LedgerAccount)
_REASONS = frozenset(reason.value for reason in DecreaseReason)
_CORRECTIONS = frozenset(reason.value for reason in CorrectionReason)
_FUNDS = ("displayed", "reserve", "overflow")
_NEVER_NEGATIVE = (*_FUNDS, "winners", "paid", "players", "escrow-transit", "escrow-bank")
_TYPES = ("progressive", "bonus")


def _written(step: Step) -> Iterator[str]:
    """A movement is written as its kind demands: known accounts, whole positive units, words and reasons."""
    movement = step.value
    if not isinstance(movement, Movement):
        return
    kind = MOVEMENTS[movement.kind]
    for payer, payee, units, reason, _ in movement.transfers:
        if payer not in _ACCOUNTS or payee not in _ACCOUNTS or payer == payee:
            yield f"no transfer goes from {payer!r} to {payee!r}"
        if type(units) is not int or units <= 0:
            yield f"{units!r} must be a whole number of units, more than 0"
        if reason is not None and reason not in _REASONS:
            yield f"{reason!r} is none of the five reasons for a decrease"
    if kind.words and not movement.words.strip():
        yield f"a {kind.name} is explained in words"
    if (movement.reason or movement.corrects is not None or kind.correction) and not _corrects(step, movement):
        yield f"a correction names an earlier entry and one of: {', '.join(sorted(_CORRECTIONS))}"
    if kind.terms != (movement.terms is not None):
        yield f"a {kind.name} {'states' if kind.terms else 'does not state'} terms"


def _corrects(step: Step, movement: Movement) -> bool:
    return (
        movement.reason in _CORRECTIONS
        and type(movement.corrects) is int
        and 0 < movement.corrects < step.entry.sequence
    )


def _terms(step: Step) -> Iterator[str]:
    """A jackpot is opened once; its type never changes, nor its wager after the first one was counted."""
    movement = step.value
    if not isinstance(movement, Movement):
        return
    before = step.before.of(LEDGER).get(movement.jackpot)
    if (before is None) != (movement.kind == "jackpot-opened"):
        yield f"jackpot {movement.jackpot!r} {'has not been opened' if before is None else 'is open already'}"
    terms = movement.terms
    if terms is None:
        return
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


def _moved(step: Step) -> tuple[Movement, JackpotAccounts] | None:
    """Give a movement with the accounts of its jackpot after it; looked up once for all invariants."""
    if step.found is None:
        movement = step.value
        after = step.after.of(LEDGER).get(movement.jackpot) if isinstance(movement, Movement) else None
        step.found = (None if after is None else (movement, after),)
    found: tuple[Movement, JackpotAccounts] | None = step.found[0]
    return found


def _conserved(step: Step) -> Iterator[str]:
    """Section 10, 1: balances sum to zero, and the wagers' account is the wagers counted times the fixed wager."""
    if (found := _moved(step)) is not None:
        yield from _conservation(found[0].jackpot, found[1])


def _conservation(name: str, accounts: JackpotAccounts) -> Iterator[str]:
    balances, counts = accounts.balances, accounts.counts
    rest = sum(balances.values())
    if rest:
        yield f"the accounts of {name} sum to {units_text(rest)}, not to zero"
    counted = (counts["wagers_counted"] - counts["wagers_reversed"]) * units_of(accounts.terms.wager_cents)
    taken = -balances["wagers"]
    if taken != counted:
        yield f"{name} has counted wagers of {units_text(counted)}, and {units_text(taken)} were taken in"


def _not_negative(step: Step) -> Iterator[str]:
    """No fund, payable, paid or bank account is ever below zero (J-03, G-4)."""
    if (found := _moved(step)) is not None:
        balances = found[1].balances
        for account in _NEVER_NEGATIVE:
            if balances[account] < 0:
                yield f"{account} of {found[0].jackpot} would be {units_text(balances[account])}"


def _capped(step: Step) -> Iterator[str]:
    """Section 10, 2: the display never passes its cap, nor is a cap set below it (J-10)."""
    if (found := _moved(step)) is not None:
        cap = found[1].terms.cap_cents
        shown = found[1].balances["displayed"]
        if cap is not None and shown > units_of(cap):
            told = f"{units_text(shown)} is above its cap {units_text(units_of(cap))}"
            yield f"the display of {found[0].jackpot} at {told}"


def _decreases(step: Step) -> Iterator[str]:
    """Section 10, 3: what is shown or accrued of a progressive goes down for one of five reasons (J-14, T-24).

    Nondisplayed money may come to another fund, which is no decrease of what is held, or seed another meter where a
    dated rule permits it (J-15).
    """
    if (found := _moved(step)) is None or not found[1].is_progressive:
        return
    movement = found[0]
    for payer, payee, units, reason, _ in movement.transfers:
        if payer not in _FUNDS or reason is not None:
            continue
        if payer != "displayed" and (payee in _FUNDS or (payee == "other-meters" and movement.kind == "other-seeded")):
            continue
        yield f"the {payer} of {movement.jackpot} goes down by {units_text(units)} for none of the five reasons"


def _bonus(step: Step) -> Iterator[str]:
    """A Bonus display is the house's posting: no wager moves it, and it holds nothing of the players' (J-01, J-02)."""
    if (found := _moved(step)) is None or found[1].is_progressive:
        return
    for payer, payee, _, _, _ in found[0].transfers:
        for fund, other in ((payer, payee), (payee, payer)):
            if fund in _FUNDS and (fund != "displayed" or other != "posting"):
                yield f"the {fund} of the Bonus jackpot {found[0].jackpot} does not move against {other}"


def _counters(step: Step) -> Iterator[str]:
    """Section 10, 4 in part: counters only grow, and what is taken back never passes what was counted (M-11)."""
    if (found := _moved(step)) is None:
        return
    movement, after = found
    for name, more in movement.counts.items():
        if name not in COUNTERS or type(more) is not int or more <= 0:
            yield f"{name} of {movement.jackpot} would move by {more!r}"
    for part, whole in (
        ("wagers_reversed", "wagers_counted"),
        ("hits_rejected", "hits"),
        ("won_rejected_cents", "won_cents"),
    ):
        if after.counts[part] > after.counts[whole]:
            yield f"{part} of {movement.jackpot} would pass {whole}"


def _approved(step: Step) -> Iterator[str]:
    """Section 10, 10: what needs approval has it, and nobody approves his own change (T-06, T-18, P-05)."""
    movement = step.value
    if not isinstance(movement, Movement):
        return
    if MOVEMENTS[movement.kind].approval and not movement.approved_by:
        yield f"a {movement.kind} needs the approval of a second person"
    if movement.approved_by and movement.approved_by.casefold() == step.entry.actor.casefold():
        yield f"{step.entry.actor} approves a change of his own"


def _all_conserved(state: BookState) -> Iterator[str]:
    for name, accounts in state.of(LEDGER).items():
        yield from _conservation(name, accounts)


def _between_meters(step: Step) -> Iterator[str]:
    """What comes to a meter from another has left one of the same book before: none comes from nowhere (J-15)."""
    movement = step.value
    if isinstance(movement, Movement) and any(each.payer == "other-meters" for each in movement.transfers):
        total = sum(accounts.balances["other-meters"] for accounts in step.after.of(LEDGER).values())
        if total < 0:
            yield f"{units_text(-total)} came from other meters and left none"


register_invariants(
    Invariant(name="written", says="a movement says what its kind demands", sources=("J-09", "G-11"), step=_written),
    Invariant(name="terms", says="type and wager of a jackpot stay", sources=("J-01", "G-7", "T-16"), step=_terms),
    Invariant(
        name="conservation",
        says="every unit is somewhere: balances sum to zero, wagers counted are wagers taken in",
        sources=("section 10 no. 1", "J-03", "J-07", "T-11"),
        step=_conserved,
        end=_all_conserved,
    ),
    Invariant(name="not-negative", says="no fund goes below zero", sources=("J-03", "G-4"), step=_not_negative),
    Invariant(name="cap", says="no display passes its cap", sources=("section 10 no. 2", "J-10"), step=_capped),
    Invariant(
        name="decrease",
        says="a progressive goes down for one of five reasons",
        sources=("section 10 no. 3", "J-14", "T-24"),
        step=_decreases,
    ),
    Invariant(name="bonus", says="no wager moves a Bonus display", sources=("J-01", "J-02"), step=_bonus),
    Invariant(name="counters", says="no counter falls", sources=("section 10 no. 4", "M-11"), step=_counters),
    Invariant(
        name="approval",
        says="nobody approves his own change",
        sources=("section 10 no. 10", "T-06", "T-18", "P-05"),
        step=_approved,
    ),
    Invariant(name="between-meters", says="money between meters left one", sources=("J-15",), step=_between_meters),
)
