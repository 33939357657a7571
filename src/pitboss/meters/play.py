"""What play does to a meter: it opens, wagers are counted, prizes are called or rejected, a void round is refunded."""

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

from pitboss.meters.state import (
    EMPTY,
    Account,
    DecreaseReason,
    MeterChange,
    MeterState,
    MeterTransfer,
    balances,
    changed,
    move,
)
from pitboss.meters.terms import UNITS_PER_CENT, MeterTerms, cents_shown, integer_problems, refuse, units_of
from pitboss.rules import JackpotPayment, Problem, dollars


def open_meter(terms: MeterTerms) -> MeterChange:
    """Open a meter with its seed: lent by the house to a progressive, merely posted on a Bonus display."""
    if terms.cap_cents is not None and terms.seed_cents > terms.cap_cents:
        words = f"{dollars(terms.seed_cents)} is above the cap of {dollars(terms.cap_cents)}"
        refuse([Problem("seed_cents", words, "REGULATION J-10")])
    payer = Account.SEED if terms.is_progressive else Account.POSTING
    transfers = move(payer, Account.DISPLAYED, units_of(terms.seed_cents), "opened with its seed")
    return changed(EMPTY, terms, transfers, generation=1)


def contribute(state: MeterState, terms: MeterTerms, wagers: int) -> MeterChange:
    """Count jackpot wagers: the display grows up to its cap exactly, what is above it goes to the overflow (T-22)."""
    transfers = contributions(state.displayed_units, terms, wagers)
    return changed(state, terms, transfers, wagers_counted=state.wagers_counted + wagers)


def contributions(displayed_units: int, terms: MeterTerms, wagers: int) -> tuple[MeterTransfer, ...]:
    """Return the transfers that `contribute` would make, for callers that keep the state themselves."""
    if (
        type(wagers) is not int
        or wagers < 0
        or (terms.batch_wagers_max is not None and wagers > terms.batch_wagers_max)
    ):
        refuse(_count_problems(terms, wagers))
    grown = wagers * terms.display_units
    cap = terms.cap_units
    displayed = grown if cap is None else min(grown, cap - displayed_units)
    return _contributions(displayed, grown - displayed, wagers * terms.reserve_units, wagers * terms.house_units)


def _count_problems(terms: MeterTerms, wagers: int) -> list[Problem]:
    problems = integer_problems("wagers", wagers, 0, "REGULATION J-07")
    if problems:
        return problems
    words = f"{wagers} at once is more than the {terms.batch_wagers_max} that one count may reasonably hold"
    return [Problem("wagers", words, "REGULATION T-01")]


@lru_cache(maxsize=512)
def _contributions(displayed: int, above: int, reserve: int, house: int) -> tuple[MeterTransfer, ...]:
    """Where the units of counted wagers go; rounds are much alike, and what is written once is shared."""
    return (
        *move(Account.WAGERS, Account.DISPLAYED, displayed, "display rate of the wagers counted"),
        *move(Account.WAGERS, Account.OVERFLOW, above, "display rate of the wagers counted, above the cap"),
        *move(Account.WAGERS, Account.RESERVE, reserve, "reserve rate of the wagers counted"),
        *move(Account.WAGERS, Account.HOUSE_SHARE, house, "rest of the wagers counted"),
    )


def refund_void(state: MeterState, terms: MeterTerms, wagers: int) -> MeterChange:
    """Refund the counted wagers of a void round: the house pays, and the meter stays as it is (G-11)."""
    problems = integer_problems("wagers", wagers, 1, "REGULATION C-5", "G-11")
    if not problems and wagers > state.wagers_counted - state.wagers_reversed:
        problems.append(Problem("wagers", f"{wagers} is more than were counted", "REGULATION C-5", "G-11"))
    refuse(problems)
    words = "wagers of a void round refunded"
    return changed(state, terms, move(Account.HOUSE, Account.PLAYERS, wagers * terms.wager_units, words))


def hit(state: MeterState, terms: MeterTerms, payment: JackpotPayment, *, top: bool) -> MeterChange:
    """Pay the prizes of one round's hit, in whole cents; `top` says that a level of 100 % was among them.

    The fund pays its part from the display, where odd cents and fractions stay (G-4), and a top hit reseeds it at once.
    A Bonus prize is the house's to pay, and its display does not move.
    """
    refuse(_payment_problems(state, terms, payment))
    paid = units_of(payment.from_fund_cents)
    house = units_of(payment.from_house_cents)
    transfers = (
        *move(Account.DISPLAYED, Account.WINNERS, paid, "prize from the fund", DecreaseReason.PRIZE_WON),
        *move(Account.HOUSE, Account.WINNERS, house, "prize from the house"),
    )
    if top and terms.is_progressive:
        transfers += _reseed(state, terms, state.displayed_units - paid)
    return changed(
        state,
        terms,
        transfers,
        generation=state.generation + int(top),
        hits=state.hits + 1,
        won_cents=state.won_cents + payment.from_fund_cents + payment.from_house_cents,
    )


def _payment_problems(state: MeterState, terms: MeterTerms, payment: JackpotPayment) -> list[Problem]:
    problems = []
    for path in ("from_fund_cents", "from_house_cents", "odd_cents"):
        problems += integer_problems(path, getattr(payment, path), 0, "REGULATION J-23", "G-3")
    if problems:
        return problems
    if not terms.is_progressive and payment.from_fund_cents:
        words = "a Bonus prize is paid by the house, not from a fund"
        problems.append(Problem("from_fund_cents", words, "REGULATION J-01", "G-4"))
    elif payment.from_fund_cents > state.displayed_cents:
        words = f"{dollars(payment.from_fund_cents)} is more than the {dollars(state.displayed_cents)} displayed"
        problems.append(Problem("from_fund_cents", f"{words}: the house covers the rest", "REGULATION J-23", "G-4"))
    return problems


def _reseed(state: MeterState, terms: MeterTerms, rest: int) -> tuple[MeterTransfer, ...]:
    """Put the reseed on top of what stayed: from the reserve first, then the overflow, then the house."""
    room = terms.room_units(rest)
    needed = units_of(terms.reseed_cents)
    needed = needed if room is None else min(needed, room)
    transfers: tuple[MeterTransfer, ...] = ()
    for fund, available in ((Account.RESERVE, state.reserve_units), (Account.OVERFLOW, state.overflow_units)):
        amount = min(needed, available)
        transfers += move(fund, Account.DISPLAYED, amount, f"reseeded from the {fund}")
        needed -= amount
    return transfers + move(Account.SEED, Account.DISPLAYED, needed, "reseeded by the house")


_HIT_MOVES = {
    (Account.DISPLAYED, Account.WINNERS),
    (Account.HOUSE, Account.WINNERS),
    (Account.RESERVE, Account.DISPLAYED),
    (Account.OVERFLOW, Account.DISPLAYED),
    (Account.SEED, Account.DISPLAYED),
}


def reject_hit(state: MeterState, terms: MeterTerms, called: Iterable[MeterTransfer]) -> MeterChange:
    """Undo a hit whose call was rejected; `called` holds the transfers that the hit made.

    The frozen amount returns to the display, where all contributions since have stayed, and the reseed goes back to
    those who gave it, the players' funds before the house. What would then pass the cap goes to the overflow. The
    generation stays raised, so that none is ever paid twice.
    """
    transfers = tuple(called)
    if not transfers or not {(transfer.payer, transfer.payee) for transfer in transfers} <= _HIT_MOVES:
        refuse([Problem("called", "these are not the transfers of a hit", "REGULATION J-09")])
    then = balances(transfers)
    house = -then[Account.HOUSE]
    frozen = then[Account.WINNERS] - house
    refuse(_rejection_problems(state, cents_shown(then[Account.WINNERS])))
    words = "call rejected: "
    back = move(Account.WINNERS, Account.DISPLAYED, frozen, f"{words}the frozen amount returns")
    back += move(Account.WINNERS, Account.HOUSE, house, f"{words}the house keeps its part")
    total = state.displayed_units + frozen
    for source in (Account.RESERVE, Account.OVERFLOW, Account.SEED):
        # Seed that the house has recovered in the meantime is not given back to it a second time.
        owed = min(-then[source], state.seed_units) if source is Account.SEED else -then[source]
        returned = min(owed, total)
        back += move(Account.DISPLAYED, source, returned, f"{words}the seed goes back", DecreaseReason.SEED_RECOVERED)
        total -= returned
    above = 0 if terms.cap_units is None else max(0, total - terms.cap_units)
    back += move(Account.DISPLAYED, Account.OVERFLOW, above, f"{words}above the cap", DecreaseReason.ABOVE_CAP)
    return changed(
        state,
        terms,
        back,
        hits_rejected=state.hits_rejected + 1,
        won_rejected_cents=state.won_rejected_cents + cents_shown(then[Account.WINNERS]),
    )


def _rejection_problems(state: MeterState, cents: int) -> list[Problem]:
    if state.hits_rejected < state.hits and cents <= state.won_cents - state.won_rejected_cents:
        return []
    return [Problem("called", "no such hit is left on this meter to reject", "REGULATION J-09")]


class Turn(NamedTuple):
    """A prize that was paid in its turn, and what was displayed with the wagers before it counted."""

    displayed_units: int
    payment: JackpotPayment


def pay_in_turn(
    state: MeterState, terms: MeterTerms, wagers: Sequence[int], payment: Callable[[int, int], JackpotPayment]
) -> tuple[MeterChange, tuple[Turn, ...]]:
    """Count wagers and pay a prize, again and again; none of the prizes is the whole of a progressive, to reseed it.

    `payment` gives that of a turn, counted from 0, with so many cents displayed.
    """
    if not terms.is_progressive:
        refuse([Problem("jackpot_type", "only a progressive is paid in turn", "REGULATION J-01")])
    displayed, cap = state.displayed_units, terms.cap_units
    turns = []
    displayed_total = fund = house = 0
    for turn, count in enumerate(wagers):
        grown = count * terms.display_units
        seen = grown if cap is None else min(grown, cap - displayed)
        displayed += seen
        displayed_total += seen
        paid = payment(turn, displayed // UNITS_PER_CENT)
        turns.append(Turn(displayed, paid))
        fund += paid.from_fund_cents
        house += paid.from_house_cents
        displayed -= paid.from_fund_cents * UNITS_PER_CENT
        if displayed < 0 or min(count, paid.from_fund_cents, paid.from_house_cents) < 0:
            words = f"{paid} with {cents_shown(turns[-1].displayed_units)} cents displayed after {count} wagers"
            refuse([Problem("payment", words, "REGULATION J-23", "G-4")])
    total = sum(wagers)
    over = total * terms.display_units - displayed_total
    transfers = (
        *move(Account.WAGERS, Account.DISPLAYED, displayed_total, "display rate of the wagers counted"),
        *move(Account.WAGERS, Account.OVERFLOW, over, "display rate of the wagers counted, above the cap"),
        *move(Account.WAGERS, Account.RESERVE, total * terms.reserve_units, "reserve rate of the wagers counted"),
        *move(Account.WAGERS, Account.HOUSE_SHARE, total * terms.house_units, "rest of the wagers counted"),
        *move(Account.DISPLAYED, Account.WINNERS, units_of(fund), "prizes from the fund", DecreaseReason.PRIZE_WON),
        *move(Account.HOUSE, Account.WINNERS, units_of(house), "prizes from the house"),
    )
    counters = {
        "wagers_counted": state.wagers_counted + total,
        "hits": state.hits + len(turns),
        "won_cents": state.won_cents + fund + house,
    }
    return changed(state, terms, transfers, **counters), tuple(turns)
