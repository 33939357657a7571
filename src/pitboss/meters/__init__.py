"""A jackpot meter as pure arithmetic: terms and a state, an event, and out come the new state and the transfers.

The package is for what stands on a meter and why: seed, contributions, cap and overflow, reserve, hits and reseeding,
adjustments. It stores nothing, knows no game and no clock, and imports the standard library, `law` and `rules` only.
Amounts are integers, ten thousand units to the cent; a display shows whole cents, rounded down (G-3).

>>> from fractions import Fraction
>>> from pitboss.rules import JackpotPayment
>>> terms = MeterTerms(jackpot_type="progressive", wager_cents=100, seed_cents=1_000_00, reseed_cents=500_00,
...     display_rate=Fraction("0.173"), reserve_rate=Fraction("0.05"), cap_cents=None, batch_wagers_max=None)
>>> opened = open_meter(terms)
>>> counted = contribute(opened.state, terms, 1_000_001)
>>> units_text(counted.state.displayed_units), counted.state.displayed_cents
('$174,000.173000', 17400017)
>>> won = hit(counted.state, terms, JackpotPayment(17400017, 0, 0), top=True)
>>> units_text(won.state.displayed_units)
'$500.003000'
>>> for transfer in won.transfers:
...     print(transfer.payer, "to", transfer.payee, units_text(transfer.units))
displayed to winners $174,000.17
reserve to displayed $500.00
>>> explains(opened.transfers + counted.transfers + won.transfers, won.state)
True
"""

from pitboss.meters.adjustments import (
    adjust,
    book_receipts,
    change_terms,
    correct_count,
    post_bonus,
    remove_funds,
    seed_other,
    set_cap,
)
from pitboss.meters.play import Turn, contribute, contributions, hit, open_meter, pay_in_turn, refund_void, reject_hit
from pitboss.meters.state import (
    FUNDS,
    HOUSE_ACCOUNTS,
    Account,
    DecreaseReason,
    MeterChange,
    MeterState,
    MeterTransfer,
    balances,
    explains,
)
from pitboss.meters.terms import (
    UNITS_PER_CENT,
    MeterRefusedError,
    MeterTerms,
    cents_shown,
    exact_units,
    units_of,
    units_text,
)

__all__ = [
    "FUNDS", "HOUSE_ACCOUNTS", "UNITS_PER_CENT", "Account", "DecreaseReason", "MeterChange", "MeterRefusedError",
    "MeterState", "MeterTerms", "MeterTransfer", "Turn", "adjust", "balances", "book_receipts", "cents_shown",
    "change_terms", "contribute", "contributions", "correct_count", "exact_units", "explains", "hit", "open_meter",
    "pay_in_turn", "post_bonus", "refund_void", "reject_hit", "remove_funds", "seed_other", "set_cap", "units_of",
    "units_text",
]  # fmt: skip
