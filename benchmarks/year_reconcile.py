"""The books of the simulated year against the script's own count: every account, every counter, every gambling day."""

from __future__ import annotations

import datetime
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Mapping

from tests.facades import Jackpots

from benchmarks.year_tally import CENT, WAGER, Tally
from pitboss.books import Calendar, JackpotAccounts, microseconds

__all__ = ["differences", "printed"]


def differences(
    jackpots: Jackpots, tallies: Mapping[str, Tally], calendar: Calendar, first: datetime.date
) -> list[str]:
    """Everything in which the books are not what was counted."""
    found = []
    by_day = _wagers_by_day(jackpots, calendar, first)
    for name, tally in tallies.items():
        for what, expected, stands in _compared(tally, jackpots.accounts(name)):
            if expected != stands:
                found.append(f"{name}: {what} is {stands} in the books, {expected} by the script")
        for day, wagers in tally.by_day.items():
            if by_day[name, day] != wagers:
                found.append(f"{name}: day {day + 1} has {by_day[name, day]} wagers in the books, {wagers} were played")
    return found


def _compared(tally: Tally, accounts: JackpotAccounts) -> Iterator[tuple[str, int, int]]:
    balances, counts = accounts.balances, accounts.counts
    yield "the display", tally.shown, balances["displayed"]
    yield "the reserve", tally.reserve, balances["reserve"]
    yield "the overflow", tally.overflow, balances["overflow"]
    yield "the seed put in", tally.seed, -balances["seed"]
    yield "wagers counted", tally.wagers, counts["wagers_counted"]
    yield "wagers taken back", tally.reversed, counts["wagers_reversed"]
    yield "wagers taken in", (tally.wagers - tally.reversed) * WAGER, -balances["wagers"]
    yield "prizes called", tally.hits, counts["hits"]
    yield "calls rejected", tally.rejected, counts["hits_rejected"]
    yield "prizes handed over", tally.fund_prizes + tally.house_prizes, balances["paid"]
    yield "prizes payable", 0, balances["winners"]
    yield "refunds", tally.refunded * WAGER, balances["players"]
    yield "gross receipts", tally.receipts, balances["receipts"]
    yield "escrow, with what is on its way", tally.bank, balances["escrow-bank"] + balances["escrow-transit"]
    if tally.rates.is_progressive:
        # Start, and what the house put in, with contributions and without prizes, is the end.
        put_in = tally.seed + tally.adjusted
        flows = put_in + tally.contributed - tally.taken_back - tally.fund_prizes - tally.receipts
        yield "what is held", flows, accounts.held_units


def _wagers_by_day(jackpots: Jackpots, calendar: Calendar, first: datetime.date) -> Counter[tuple[str, int]]:
    """Read the wagers of every gambling day from the raw journal, by when each round happened."""
    found: Counter[tuple[str, int]] = Counter()
    days = range(366 * 2)
    bounds = [microseconds(calendar.begins(first + datetime.timedelta(days=day))) for day in days]
    store = jackpots.books.store
    for entry in store.entries(jackpots.book):
        if entry.kind == "wagers-counted":
            said = entry.payload
            # The text itself is taken apart: a second road beside the reader of payloads.
            name = said.split('"jackpot":"', 1)[1].split('"', 1)[0]
            wagers = int(said.split('"wagers_counted":', 1)[1].split("}", 1)[0]) if "wagers_counted" in said else 0
            found[name, bisect_right(bounds, entry.happened) - 1] += wagers
    return found


def _dollars(units: int) -> str:
    """Whole cents, rounded down; what is compared are units."""
    dollars, cents = divmod(units // CENT, 100)
    return f"{dollars:,}.{cents:02d}"


_LINES = {
    "seed and reseeds by the house": "seed",
    "+ wagers x rates": "contributed",
    "- counts taken back": "taken_back",
    "+ gifts of the house": "adjusted",
    "- prizes from the fund": "fund_prizes",
    "- gross receipts": "receipts",
    "= held, by the script": "held",
    "at the bank or on its way": "bank",
    "prizes of the house": "house_prizes",
}


def printed(jackpots: Jackpots, tallies: Mapping[str, Tally]) -> str:
    """The reconciliation as a table, in dollars."""
    rows = [("", *tallies)]
    rows += [(what, *(f"{getattr(each, what):,}" for each in tallies.values())) for what in ("wagers", "hits")]
    rows += [(words, *(_dollars(getattr(each, what)) for each in tallies.values())) for words, what in _LINES.items()]
    rows.append(("held, in the books", *(_dollars(jackpots.accounts(name).held_units) for name in tallies)))
    return "\n".join(f"{row[0]:<30}" + "".join(f"{cell:>18}" for cell in row[1:]) for row in rows)
