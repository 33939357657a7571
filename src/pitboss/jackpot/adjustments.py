"""Commands about the money of a jackpot: adjust a fund, book receipts, seed another, post a Bonus amount."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

from pitboss.books import BookState, Movement, movement_of
from pitboss.commands import By, Command, Name, Now, Number, Words, command, refuse, roles
from pitboss.jackpot.state import JackpotRecord, accounts_of, record_of
from pitboss.meters import Account, DecreaseReason, MeterState, adjust, book_receipts, post_bonus, seed_other

Fund: TypeAlias = Literal["displayed", "reserve", "overflow"]


def meter_of(state: BookState, name: str) -> tuple[JackpotRecord, MeterState]:
    """Return a jackpot and the state of its meter, or refuse."""
    return record_of(state, name), accounts_of(state, name).meter_state


@command("jackpots/adjust", roles=roles.MONEY, approvers=roles.MONEY)
@dataclass(frozen=True, slots=True, kw_only=True)
class AdjustFund(Command):
    """Raise a fund by hand, or lower it for a permitted reason; in units of a hundredth of a cent."""

    name: Name
    units: Number
    reason: DecreaseReason | None = None
    fund: Fund = "displayed"
    words: Words

    def entries(self, now: Now, by: By) -> list[Movement]:
        """Return the adjustment (J-09, J-14)."""
        record, meter = meter_of(now.state, self.name)
        fund, terms = Account(self.fund), record.jackpot.meter
        change = adjust(meter, terms, self.units, self.reason, words=self.words, fund=fund)
        return [movement_of("meter-adjusted", self.name, meter, change, words=self.words, approved_by=by.approved_by)]


@command("jackpots/receipts", roles=roles.MONEY, approvers=roles.MONEY)
@dataclass(frozen=True, slots=True, kw_only=True)
class BookReceipts(Command):
    """Book nondisplayed funds as gross receipts."""

    name: Name
    units: Number
    fund: Fund
    words: Words

    def entries(self, now: Now, by: By) -> list[Movement]:
        """Return the receipts (J-03, J-14)."""
        record, meter = meter_of(now.state, self.name)
        change = book_receipts(meter, record.jackpot.meter, self.units, fund=Account(self.fund), words=self.words)
        return [movement_of("receipts-booked", self.name, meter, change, words=self.words, approved_by=by.approved_by)]


@command("jackpots/seed-other", roles=roles.MONEY, approvers=roles.MONEY)
@dataclass(frozen=True, slots=True, kw_only=True)
class SeedOtherJackpot(Command):
    """Seed another progressive with nondisplayed funds, naming the rule that permits it."""

    name: Name
    other: Name
    units: Number
    fund: Fund
    permitted_by: Words
    words: Words

    def entries(self, now: Now, by: By) -> list[Movement]:
        """Return what leaves the one and comes to the display of the other (J-15)."""
        if self.name == self.other:
            refuse([f"{self.name} cannot seed itself"])
        (giver, gives), (taker, takes) = meter_of(now.state, self.name), meter_of(now.state, self.other)
        fund, source = Account(self.fund), Account.OTHER_METERS
        rule = {"permitted_by": self.permitted_by, "words": self.words}
        giving = seed_other(gives, giver.jackpot.meter, self.units, fund=fund, **rule)
        text = f"{self.words} (from {self.name})"
        taking = adjust(takes, taker.jackpot.meter, self.units, words=text, source=source)
        reason = {"words": self.words, "approved_by": by.approved_by}
        return [
            movement_of("other-seeded", self.name, gives, giving, **reason),
            movement_of("meter-adjusted", self.other, takes, taking, **reason),
        ]


@command("jackpots/post", roles=roles.MANAGERS)
@dataclass(frozen=True, slots=True, kw_only=True)
class PostBonus(Command):
    """Post another amount of a Bonus.

    At any time where its display is updatable, else while it is closed (E-07); a round is played under the amount
    that was displayed at its press (C-10).
    """

    name: Name
    cents: Number
    words: Words

    def entries(self, now: Now, _: By) -> list[Movement]:
        """Return the new amount."""
        record, meter = meter_of(now.state, self.name)
        if record.jackpot.display == "static" and record.play != "closed":
            refuse([f"the display of {self.name} is static: close it before another amount is posted (E-07)"])
        change = post_bonus(meter, record.jackpot.meter, self.cents, words=self.words)
        if not change.transfers:
            refuse([f"{self.name} shows this amount already"])
        return [movement_of("bonus-posted", self.name, meter, change, words=self.words)]
