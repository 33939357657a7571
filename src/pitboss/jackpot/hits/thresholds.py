"""What a prize demands before it is handed over, by its amount, its wager, the day of payment and the kind of room.

Every figure is a dated setting of `law` with its source; a setting that does not bind the room demands nothing.
"""

import datetime
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, NamedTuple

from pitboss import law
from pitboss.books import WrittenAs
from pitboss.rules import dollars

TRAY, CAGE, CHEQUE = "tray", "cage", "cheque"
METHODS = (TRAY, CAGE, CHEQUE)
"""How a prize may be handed over."""


class Demand(StrEnum):
    """A requirement that a prize may have."""

    SURVEILLANCE = "surveillance"
    """A camera verifies hand, wager, payout and winner (O-04)."""
    DECK_CHECK = "deck-check"
    """Hand shown on camera, the rest of the deck counted down and ordered (P-03)."""
    CHEQUE = "cheque"
    """Paid by cheque, within 24 hours (P-03)."""
    W2G = "w-2g"
    """The winnings are reported on Form W-2G (X-01, X-02)."""
    IDENTIFICATION = "identification"
    """Two forms of identification, one with a photograph (X-06)."""
    WITHHOLDING = "withholding"
    """Regular withholding (X-04)."""
    CASH_REPORT = "cash-report"
    """An alert: so much in cash is reported (X-08)."""


DEMAND_WORDS = {
    Demand.SURVEILLANCE: "Surveillance",
    Demand.DECK_CHECK: "Deck countdown",
    Demand.CHEQUE: "Check",
    Demand.W2G: "W-2G",
    Demand.IDENTIFICATION: "2 IDs",
    Demand.WITHHOLDING: "Tax withholding",
    Demand.CASH_REPORT: "Cash report",
}
"""What a prize demands, as pages and slips have it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PrizeDemands:
    """The demands of one prize, each with its source, what is withheld, and how the prize may be paid."""

    sources: Annotated[Mapping[Demand, str], WrittenAs("demands")]
    withheld_cents: int
    backup_withheld_cents: int
    """What is withheld instead where a form is due and the winner gives no taxpayer number (X-07)."""
    methods: tuple[str, ...]
    within_hours: int | None = None
    """By when a cheque must be given to the winner (P-03)."""

    def __contains__(self, demand: Demand) -> bool:
        return demand in self.sources

    @property
    def names(self) -> tuple[str, ...]:
        """The demands by name, in their fixed order."""
        return tuple(demand.value for demand in Demand if demand in self.sources)

    @property
    def titles(self) -> tuple[str, ...]:
        """The demands as people read them, in their fixed order."""
        return tuple(DEMAND_WORDS[demand] for demand in Demand if demand in self.sources)

    def withheld(self, *, has_taxpayer_number: bool) -> int:
        """Return the cents withheld from this winner."""
        return self.withheld_cents if has_taxpayer_number else self.backup_withheld_cents


class OtherPrize(NamedTuple):
    """Another prize of the same person on the same event, in cents, and what was withheld where it is paid (G-38)."""

    cents: int
    wager_cents: int
    withheld_cents: int | None = None


def prize_demands(
    cents: int, wager_cents: int, on: datetime.date, profile: str, others: Sequence[OtherPrize] = ()
) -> PrizeDemands:
    """Return what a prize of this amount demands when it is paid on this day in this kind of room.

    For the tax the other prizes of the same person on the same event count with it. What is withheld of them all is
    divided in proportion, rounded down; what was not withheld of one that is paid already is withheld here (G-38).
    """
    rules = law.on(on, profile)
    sources: dict[Demand, str] = {}
    for demand, name, strictly in (
        (Demand.SURVEILLANCE, "prize_surveillance_over_cents", True),
        (Demand.DECK_CHECK, "prize_deck_check_from_cents", False),
        (Demand.CHEQUE, "prize_cheque_over_cents", True),
    ):
        setting = rules.get(name)
        if setting is not None and (cents > setting.value or (cents == setting.value and not strictly)):
            sources[demand] = setting.source
    whole = cents + sum(other.cents for other in others)
    staked = wager_cents + sum(other.wager_cents for other in others)
    taxed, backup = (_share(tax, cents, whole, others) for tax in _tax(whole, staked, rules, sources))
    if Demand.CHEQUE not in sources and cents > rules["cash_report_over_cents"].value:
        sources[Demand.CASH_REPORT] = rules["cash_report_over_cents"].source
    by_cheque = Demand.CHEQUE in sources
    return PrizeDemands(
        sources=sources,
        withheld_cents=taxed,
        backup_withheld_cents=backup,
        methods=(CHEQUE,) if by_cheque else METHODS,
        within_hours=rules["prize_cheque_within_hours"].value if by_cheque else None,
    )


def _share(tax: int, cents: int, whole: int, others: Sequence[OtherPrize]) -> int:
    """Return this prize's part of a tax on all prizes of an event, with what is missing of those that are paid."""
    if not others:
        return tax
    missing = (
        max(0, tax * other.cents // whole - other.withheld_cents)
        for other in others
        if other.withheld_cents is not None
    )
    return min(cents, tax * cents // whole + sum(missing))


def _tax(cents: int, wager_cents: int, rules: law.RuleSet, sources: dict[Demand, str]) -> tuple[int, int]:
    """Find the form and the withholding, regular and backup; winnings are reported whole, withheld less the wager.

    Where the day's threshold is not on file, a prize that could be reported is refused and nothing is guessed (G-38).
    """
    multiple = rules["w2g_wager_multiple_min"]
    if cents < multiple.value * wager_cents:
        return 0, 0
    form = rules.get("w2g_from_cents")
    if form is None:
        why = "the threshold of Form W-2G is not on file"
        raise law.NoRuleSetError(f"{rules.date}: {why}, and {dollars(cents)} might be reported (G-38)")
    if cents < form.value:
        return 0, 0
    sources[Demand.W2G] = form.source
    sources[Demand.IDENTIFICATION] = "REGULATION X-06"
    over, rate, backup = (
        rules["withholding_over_cents"],
        rules["withholding_percent"],
        rules["backup_withholding_percent"],
    )
    net = cents - wager_cents
    # Rounded down: the fraction of a cent stays with the winner.
    instead = net * backup.value // 100
    if net <= over.value or net < multiple.value * wager_cents:
        return 0, instead
    sources[Demand.WITHHOLDING] = rate.source
    return net * rate.value // 100, instead
