"""What people do to a meter: adjust it, correct a miscount, book receipts, change its terms, post a Bonus."""

from dataclasses import replace

from pitboss.meters.state import FUNDS, Account, DecreaseReason, MeterChange, MeterState, MeterTransfer, changed, move
from pitboss.meters.terms import MeterTerms, integer_problems, refuse, units_of, units_text
from pitboss.rules import Problem, dollars

_HIDDEN = (Account.RESERVE, Account.OVERFLOW)
_SOURCES = (Account.HOUSE, Account.SEED, Account.RESERVE, Account.OVERFLOW, Account.OTHER_METERS)
_DECREASES: dict[DecreaseReason, tuple[tuple[Account, ...], Account]] = {
    DecreaseReason.PRIZE_WON: ((), Account.WINNERS),
    DecreaseReason.EQUIPMENT_MALFUNCTION: (FUNDS, Account.HOUSE),
    DecreaseReason.ABOVE_CAP: ((Account.DISPLAYED,), Account.OVERFLOW),
    DecreaseReason.BOOKED_AS_RECEIPTS: (_HIDDEN, Account.RECEIPTS),
    DecreaseReason.SEED_RECOVERED: (FUNDS, Account.SEED),
}
"""For each permitted reason the funds that an adjustment may lower by it, and where the money goes."""


def adjust(
    state: MeterState,
    terms: MeterTerms,
    units: int,
    reason: DecreaseReason | None = None,
    *,
    words: str,
    fund: Account = Account.DISPLAYED,
    source: Account = Account.HOUSE,
) -> MeterChange:
    """Raise or lower a fund of a progressive by hand, explained in words (J-09).

    A decrease needs one of the five permitted reasons, which also says where the money goes (J-14); `source` is for an
    increase and says where it comes from.
    """
    problems = _progressive_only(terms) + _words_problems(words)
    if type(units) is not int or units == 0:
        problems.append(Problem("units", f"{units!r} must be a whole number, and not 0", "REGULATION J-09", "G-3"))
    if fund not in FUNDS:
        problems.append(Problem("fund", f"{fund} is no fund of a meter: {', '.join(FUNDS)}", "REGULATION J-03"))
    refuse(problems)
    if units > 0:
        refuse(_increase_problems(state, terms, units, reason, fund, source))
        return changed(state, terms, move(source, fund, units, words))
    refuse(_decrease_problems(state, terms, -units, reason, fund))
    assert reason is not None
    return changed(state, terms, move(fund, _DECREASES[reason][1], -units, words, reason))


def _increase_problems(
    state: MeterState, terms: MeterTerms, units: int, reason: DecreaseReason | None, fund: Account, source: Account
) -> list[Problem]:
    problems = []
    if reason is not None:
        problems.append(Problem("reason", f"{reason} is a reason for a decrease", "REGULATION J-14"))
    if source not in _SOURCES or source is fund:
        problems.append(Problem("source", f"the {fund} cannot be raised from {source}", "REGULATION J-03"))
    elif source in _HIDDEN and units > _held(state, source):
        words = f"the {source} holds {units_text(_held(state, source))}, not {units_text(units)}"
        problems.append(Problem("units", words, "REGULATION J-03"))
    room = terms.room_units(state.displayed_units)
    if fund is Account.DISPLAYED and room is not None and units > room:
        words = f"{units_text(units)} would pass the cap: there is room for {units_text(room)}"
        problems.append(Problem("units", words, "REGULATION J-10"))
    return problems


def _decrease_problems(
    state: MeterState, terms: MeterTerms, units: int, reason: DecreaseReason | None, fund: Account
) -> list[Problem]:
    if not isinstance(reason, DecreaseReason):
        return [Problem("reason", f"a decrease needs one of: {', '.join(DecreaseReason)}", "REGULATION J-14")]
    problems = []
    if reason is DecreaseReason.PRIZE_WON:
        problems.append(Problem("reason", "a prize is paid as a hit, which counts it", "REGULATION T-02"))
    elif fund not in _DECREASES[reason][0]:
        problems.append(Problem("reason", f"the {fund} does not go down for {reason}", "REGULATION J-14"))
    most = _held(state, fund)
    if reason is DecreaseReason.ABOVE_CAP:
        most = 0 if terms.cap_units is None else max(0, state.displayed_units - terms.cap_units)
    elif reason is DecreaseReason.SEED_RECOVERED:
        most = min(most, state.seed_units)
    if units > most:
        words = f"the {fund} can go down by {units_text(most)} for {reason}, not by {units_text(units)}"
        problems.append(Problem("units", words, "REGULATION J-14"))
    return problems


def book_receipts(state: MeterState, terms: MeterTerms, units: int, *, fund: Account, words: str) -> MeterChange:
    """Book nondisplayed funds as gross receipts: from then on they are the house's (J-03, J-14)."""
    refuse(integer_problems("units", units, 1, "REGULATION J-03", "G-3"))
    return adjust(state, terms, -units, DecreaseReason.BOOKED_AS_RECEIPTS, words=words, fund=fund)


def seed_other(
    state: MeterState, terms: MeterTerms, units: int, *, fund: Account, permitted_by: str, words: str
) -> MeterChange:
    """Move nondisplayed funds to seed another meter (J-15), naming the dated rule that permits it.

    The other meter takes them in by an increase from `Account.OTHER_METERS`.
    """
    problems = _progressive_only(terms) + _words_problems(words)
    problems += integer_problems("units", units, 1, "REGULATION J-15", "G-3")
    if not permitted_by.strip():
        problems.append(Problem("permitted_by", "name the rule in force that permits this", "REGULATION J-15"))
    if fund not in _HIDDEN:
        problems.append(Problem("fund", f"only {' or '.join(_HIDDEN)} may seed another meter", "REGULATION J-15"))
    elif not problems and units > _held(state, fund):
        held = units_text(_held(state, fund))
        problems.append(Problem("units", f"the {fund} holds {held}, not {units_text(units)}", "REGULATION J-15"))
    refuse(problems)
    return changed(state, terms, move(fund, Account.OTHER_METERS, units, f"{words} ({permitted_by})"))


def correct_count(
    state: MeterState,
    terms: MeterTerms,
    wagers: int,
    *,
    generation: int,
    words: str,
    counted_under: MeterTerms | None = None,
) -> MeterChange:
    """Reverse wagers that the tabulator itself counted wrongly, as an equipment malfunction (G-11).

    `generation` is the one they were counted in, `counted_under` the terms of that time if they have changed. At its
    cap the meter gives the overflow first, since the last wagers went there, else the display first. What has gone
    with a prize, or is otherwise no longer there, the house makes good. Wagers the tabulator missed are counted anew.
    """
    problems = _words_problems(words) + integer_problems("wagers", wagers, 1, "REGULATION J-14", "G-11")
    problems += integer_problems("generation", generation, 1, "REGULATION J-09", "G-11")
    if not problems and wagers > state.wagers_counted - state.wagers_reversed:
        problems.append(Problem("wagers", f"{wagers} is more than were counted", "REGULATION J-14", "G-11"))
    if not problems and generation > state.generation:
        words_wrong = f"{generation} has not begun: the meter is in generation {state.generation}"
        problems.append(Problem("generation", words_wrong, "REGULATION J-09", "G-11"))
    refuse(problems)
    then = terms if counted_under is None else counted_under
    displayed = wagers * then.display_units
    order: tuple[Account, ...] = ()
    if generation == state.generation:
        at_cap = state.displayed_units == terms.cap_units
        order = (Account.OVERFLOW, Account.DISPLAYED) if at_cap else (Account.DISPLAYED, Account.OVERFLOW)
    transfers = (
        *_give_back(state, order, displayed, words),
        *_give_back(state, (Account.RESERVE,), wagers * then.reserve_units, words),
        *move(Account.HOUSE_SHARE, Account.WAGERS, wagers * then.house_units, words),
    )
    return changed(state, terms, transfers, wagers_reversed=state.wagers_reversed + wagers)


def _give_back(state: MeterState, order: tuple[Account, ...], units: int, words: str) -> tuple[MeterTransfer, ...]:
    """Recover what the funds have, in this order, and the rest from the house."""
    transfers: tuple[MeterTransfer, ...] = ()
    for fund in order:
        recovered = min(units, _held(state, fund))
        transfers += move(fund, Account.WAGERS, recovered, words, DecreaseReason.EQUIPMENT_MALFUNCTION)
        units -= recovered
    return transfers + move(Account.HOUSE, Account.WAGERS, units, f"{words} (no longer on the meter)")


def set_cap(state: MeterState, terms: MeterTerms, cap_cents: int | None, *, words: str) -> MeterChange:
    """Set or lift the cap: never below the amount displayed at that moment (J-10)."""
    return change_terms(state, terms, replace(terms, cap_cents=cap_cents), words=words)


def change_terms(state: MeterState, terms: MeterTerms, new: MeterTerms, *, words: str) -> MeterChange:
    """Activate new terms; type and wager amount stay what they were (J-01).

    A cap equal to the cents displayed is accepted, and the fraction of a cent above it goes to the overflow.
    """
    problems = _words_problems(words)
    if new.jackpot_type != terms.jackpot_type:
        problems.append(Problem("jackpot_type", "does not change: open another meter", "REGULATION J-01"))
    if new.wager_cents != terms.wager_cents and state.wagers_counted:
        problems.append(Problem("wager_cents", "does not change after the first wager", "REGULATION W-14", "G-7"))
    if new.cap_cents is not None and new.cap_cents < state.displayed_cents:
        below = f"{dollars(new.cap_cents)} is below the {dollars(state.displayed_cents)} displayed"
        problems.append(Problem("cap_cents", below, "REGULATION J-10"))
    refuse(problems)
    above = 0 if new.cap_units is None else max(0, state.displayed_units - new.cap_units)
    return changed(state, new, move(Account.DISPLAYED, Account.OVERFLOW, above, words, DecreaseReason.ABOVE_CAP))


def remove_funds(state: MeterState, terms: MeterTerms, payee: Account, *, words: str) -> MeterChange:
    """Move everything on a meter that is removed for good: to another meter or to players, a Bonus to the house (J-17).

    What is displayed is owed to the players even when the game stops (T-23); nothing is left behind.
    """
    problems = _words_problems(words)
    allowed = (Account.OTHER_METERS, Account.PLAYERS) if terms.is_progressive else (Account.POSTING,)
    if payee not in allowed:
        problems.append(Problem("payee", f"it goes to {' or '.join(allowed)}, not to {payee}", "REGULATION J-17"))
    refuse(problems)
    transfers = [transfer for fund in FUNDS for transfer in move(fund, payee, _held(state, fund), words)]
    return changed(state, terms, tuple(transfers))


def post_bonus(state: MeterState, terms: MeterTerms, cents: int, *, words: str) -> MeterChange:
    """Post another amount on a Bonus display, higher or lower: it is the house's own, but the change is kept (C-10)."""
    problems = _words_problems(words) + integer_problems("cents", cents, 0, "REGULATION J-06", "G-3")
    if terms.is_progressive:
        problems.append(Problem("jackpot_type", "a progressive is never set by hand", "REGULATION T-24"))
    refuse(problems)
    more = units_of(cents) - state.displayed_units
    payer, payee = (Account.POSTING, Account.DISPLAYED) if more > 0 else (Account.DISPLAYED, Account.POSTING)
    return changed(state, terms, move(payer, payee, abs(more), words))


def _held(state: MeterState, fund: Account) -> int:
    return {
        Account.DISPLAYED: state.displayed_units,
        Account.RESERVE: state.reserve_units,
        Account.OVERFLOW: state.overflow_units,
    }[fund]


def _progressive_only(terms: MeterTerms) -> list[Problem]:
    if terms.is_progressive:
        return []
    return [Problem("jackpot_type", "a Bonus jackpot has no funds to adjust: post its amount", "REGULATION J-01")]


def _words_problems(words: object) -> list[Problem]:
    if isinstance(words, str) and words.strip():
        return []
    return [Problem("words", "every change is explained: state the reason in words", "REGULATION J-09")]
