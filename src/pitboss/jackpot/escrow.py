"""Escrow of a progressive: what must be at the bank, what is, how old the rest is, and when it will be too old.

What is held for the players (display, reserve, overflow) belongs in a separate bank account; accrued funds are
deposited at least weekly, else the game stops (J-19). So money is due at the bank when it is seven days old; what came
later may still be undeposited. A deposit on its way counts for seven days.
"""

from collections.abc import Iterator
from typing import Literal, NamedTuple, TypeAlias

from pitboss import books, law, meters
from pitboss.commands import By, Command, Executor, Name, Now, Number, Words, command, refuse, roles
from pitboss.commands.command import SYSTEM_ACTOR
from pitboss.jackpot.definitions import PlayReason, PlaySet
from pitboss.jackpot.state import (
    COMMERCIAL,
    DAY,
    JACKPOTS,
    JackpotRecord,
    accounts_of,
    escrow_time,
    local_day,
    profile_at,
    record_of,
)
from pitboss.meters.terms import integer_problems

Fund: TypeAlias = Literal["displayed", "reserve", "overflow"]


def meter_of(state: books.BookState, name: str) -> tuple[JackpotRecord, meters.MeterState]:
    """Return a jackpot and the state of its meter, or refuse."""
    return record_of(state, name), accounts_of(state, name).meter_state


@command("jackpots/adjust", roles=roles.MONEY, approvers=roles.MONEY)
class AdjustFund(Command):
    """Raise a fund by hand, or lower it for a permitted reason; in units of a ten-thousandth of a cent."""

    name: Name
    units: Number
    reason: meters.DecreaseReason | None = None
    fund: Fund = "displayed"
    words: Words

    def entries(self, now: Now, by: By) -> list[books.Movement]:
        """Return the adjustment (J-09, J-14)."""
        record, meter = meter_of(now.state, self.name)
        fund, terms = meters.Account(self.fund), record.jackpot.meter
        change = meters.adjust(meter, terms, self.units, self.reason, words=self.words, fund=fund)
        return [
            books.movement_of("meter-adjusted", self.name, meter, change, words=self.words, approved_by=by.approved_by)
        ]


@command("jackpots/receipts", roles=roles.MONEY, approvers=roles.MONEY)
class BookReceipts(Command):
    """Book nondisplayed funds as gross receipts."""

    name: Name
    units: Number
    fund: Fund
    words: Words

    def entries(self, now: Now, by: By) -> list[books.Movement]:
        """Return the receipts (J-03, J-14)."""
        record, meter = meter_of(now.state, self.name)
        change = meters.book_receipts(
            meter, record.jackpot.meter, self.units, fund=meters.Account(self.fund), words=self.words
        )
        return [
            books.movement_of("receipts-booked", self.name, meter, change, words=self.words, approved_by=by.approved_by)
        ]


def _seeding_problems(now: Now, name: str) -> Iterator[str]:
    """Yield that a reserve may not seed another progressive on this day in this kind of room (J-15, G-31)."""
    day = local_day(now.state, now.at)
    for profile in {profile_at(now.state, link.table) for link in record_of(now.state, name).jackpot.tables}:
        rules = law.on(day, profile)
        if profile == COMMERCIAL and not rules.is_on("seeding_other_allowed"):
            setting = rules.get("seeding_other_allowed")
            source = "REGULATION J-15" if setting is None else f"{setting.source}, from {setting.since}"
            yield f"{day}: a reserve does not seed another progressive in a commercial room ({source}; G-31)"


@command("jackpots/seed-other", roles=roles.MONEY, approvers=roles.MONEY)
class SeedOtherJackpot(Command):
    """Seed another progressive with nondisplayed funds, naming the rule that permits it."""

    name: Name
    other: Name
    units: Number
    fund: Fund
    permitted_by: Words
    words: Words

    def entries(self, now: Now, by: By) -> list[books.Movement]:
        """Return what leaves the one and comes to the display of the other (J-15)."""
        if self.name == self.other:
            refuse([f"{self.name} cannot seed itself"])
        refuse(_seeding_problems(now, self.name))
        (giver, gives), (taker, takes) = meter_of(now.state, self.name), meter_of(now.state, self.other)
        fund, source = meters.Account(self.fund), meters.Account.OTHER_METERS
        rule = {"permitted_by": self.permitted_by, "words": self.words}
        giving = meters.seed_other(gives, giver.jackpot.meter, self.units, fund=fund, **rule)
        text = f"{self.words} (from {self.name})"
        taking = meters.adjust(takes, taker.jackpot.meter, self.units, words=text, source=source)
        reason = {"words": self.words, "approved_by": by.approved_by}
        return [
            books.movement_of("other-seeded", self.name, gives, giving, **reason),
            books.movement_of("meter-adjusted", self.other, takes, taking, **reason),
        ]


WARN_DAYS = 2
"""How many days ahead a shortfall is warned of."""


class Escrow(NamedTuple):
    """The escrow of one progressive at an instant, in units.

    `undeposited_units` is what is held and neither at the bank nor on its way; `oldest` is when the oldest part of it
    came, nothing where all is deposited; `shortfall_units` is what of it is older than seven days.
    """

    now: int
    held_units: int
    bank_units: int
    transit_units: int
    stale_units: int
    undeposited_units: int
    oldest: int | None
    shortfall_units: int

    @property
    def age_days(self) -> int:
        """The age of the oldest undeposited money, in whole days."""
        return 0 if self.oldest is None else (self.now - self.oldest) // DAY

    @property
    def is_short(self) -> bool:
        """True if the game must stop (J-19)."""
        return self.shortfall_units > 0


def escrow_of(record: JackpotRecord, accounts: books.JackpotAccounts, now: int) -> Escrow:
    """Return the escrow of a progressive at an instant; a Bonus is the house's and has none (J-01)."""
    held, week = accounts.held_units, escrow_time(now)
    bank = accounts.balances["escrow-bank"]
    transit = sum(units for _, since, units in record.in_transit if now - since <= week)
    missing = max(0, held - bank - transit)
    recent = sum(units for hour, units in record.accruals if now - hour <= week)
    return Escrow(
        now=now,
        held_units=held,
        bank_units=bank,
        transit_units=transit,
        stale_units=accounts.balances["escrow-transit"] - transit,
        undeposited_units=missing,
        oldest=_oldest(record, missing),
        shortfall_units=max(0, missing - recent),
    )


def shortfall_units(record: JackpotRecord, accounts: books.JackpotAccounts, now: int) -> int:
    """Return what is held, not deposited and older than seven days: `Escrow.shortfall_units`, computed quickly."""
    missing = accounts.held_units - accounts.balances["escrow-bank"]
    week = escrow_time(now)
    for _, since, units in record.in_transit:
        if now - since <= week:
            missing -= units
    for hour, units in reversed(record.accruals):
        if missing <= 0 or now - hour > week:
            break
        missing -= units
    return max(0, missing)


def _oldest(record: JackpotRecord, missing: int) -> int | None:
    """Return when the first undeposited money came: the money that came last is not deposited yet."""
    if missing == 0:
        return None
    when = 0
    for hour, units in reversed(record.accruals):
        when, missing = hour, missing - units
        if missing <= 0:
            break
    return when


class EscrowForecast(NamedTuple):
    """When the escrow will be short if nothing is deposited: `short_at` is nothing where that is not to be foreseen.

    Within seven days this is exact, since all that can fall due is there already; later it goes on with
    `daily_units`, the accruals of the last seven days over the days there were.
    """

    daily_units: int
    short_at: int | None

    def days(self, now: int) -> int | None:
        """Return how many whole days are left."""
        return None if self.short_at is None else max(0, self.short_at - now) // DAY


def forecast_of(record: JackpotRecord, accounts: books.JackpotAccounts, now: int) -> EscrowForecast:
    """Look ahead: accruals become due and deposits on their way stale, each seven days after it came."""
    week = escrow_time(now)
    recent = [(hour, units) for hour, units in record.accruals if now - hour <= week]
    daily = 0
    if recent:
        # Seven days at most, a day at least: a room that opened this morning is not said to earn that every hour.
        daily = sum(units for _, units in recent) * DAY // max(DAY, now - recent[0][0])
    if escrow_of(record, accounts, now).is_short:
        return EscrowForecast(daily, now)
    moments = {hour for hour, _ in recent} | {since for _, since, _ in record.in_transit if now - since <= week}
    for moment in sorted(moment + week + 1 for moment in moments):
        if escrow_of(record, accounts, moment).is_short:
            return EscrowForecast(daily, moment)
    slack = accounts.balances["escrow-bank"] - accounts.held_units
    if daily == 0:
        return EscrowForecast(0, None)
    return EscrowForecast(daily, now + week + max(0, slack) * DAY // daily)


def _cents_problems(cents: int) -> list[str]:
    return list(map(str, integer_problems("cents", cents, 1, "REGULATION J-19", "G-3")))


@command("jackpots/deposit", roles=roles.MONEY)
class SendDeposit(Command):
    """Send money to the escrow bank."""

    name: Name
    cents: Number

    def entries(self, now: Now, _: By) -> list[books.Movement]:
        """Return the cash of the house that is on its way."""
        record = meter_of(now.state, self.name)[0]
        if not record.jackpot.is_progressive:
            refuse([f"{self.name} is a Bonus: it has no escrow (J-01)"])
        refuse(_cents_problems(self.cents))
        return [
            books.Movement(
                "escrow-sent", self.name, (books.LedgerTransfer("cash", "escrow-transit", meters.units_of(self.cents)),)
            )
        ]


@command("jackpots/deposit-arrived", roles=roles.MONEY)
class ConfirmDeposit(Command):
    """Note that a deposit has come to the bank; `sequence` is the entry that sent it."""

    name: Name
    sequence: Number

    def entries(self, now: Now, _: By) -> list[books.Movement]:
        """Return the arrival (J-20)."""
        in_transit = {entry: units for entry, _, units in meter_of(now.state, self.name)[0].in_transit}
        units = in_transit.get(self.sequence)
        if units is None:
            others = ", ".join(map(str, in_transit)) or "none"
            problem = f"no deposit of {self.name} by entry {self.sequence!r} is on its way; there are: {others}"
            raise books.RefusedError([problem])
        transfers = (books.LedgerTransfer("escrow-transit", "escrow-bank", units),)
        return [books.Movement("escrow-arrived", self.name, transfers, details={"sent": self.sequence})]


@command("jackpots/withdraw", roles=roles.MONEY, approvers=roles.MONEY)
class WithdrawEscrow(Command):
    """Take money from the escrow bank."""

    name: Name
    cents: Number
    words: Words

    def entries(self, now: Now, by: By) -> list[books.Movement]:
        """Return the withdrawal: for prizes that were paid, or because money was seized (J-18)."""
        meter_of(now.state, self.name)
        refuse(_cents_problems(self.cents))
        transfers = (books.LedgerTransfer("escrow-bank", "cash", meters.units_of(self.cents)),)
        return [books.Movement("escrow-withdrawn", self.name, transfers, words=self.words, approved_by=by.approved_by)]


def short_names(state: books.BookState, now: int) -> list[str]:
    """Return the jackpots that are open and whose escrow is short at an instant."""
    return list(_shortfalls(state, now))


def _shortfalls(state: books.BookState, now: int) -> dict[str, int]:
    units_by_name = {
        name: shortfall_units(record, state.of(books.LEDGER)[name], now)
        for name, record in state.of(JACKPOTS).jackpots.items()
        if record.play == "open"
    }
    return {name: units for name, units in units_by_name.items() if units}


def warnings(state: books.BookState, now: int, days: int = WARN_DAYS) -> list[str]:
    """Return which escrows are short, or will be in so many days if nothing is deposited."""
    texts = []
    for name, record in sorted(state.of(JACKPOTS).jackpots.items()):
        accounts = state.of(books.LEDGER).get(name)
        if accounts is None or not record.jackpot.is_progressive:
            continue
        escrow, forecast = escrow_of(record, accounts, now), forecast_of(record, accounts, now)
        left = forecast.days(now)
        if escrow.is_short:
            shortfall = meters.units_text(escrow.shortfall_units)
            texts.append(f"{name}: the escrow is short by {shortfall}, the game is stopped (J-19)")
        elif left is not None and left <= days:
            missing = meters.units_text(escrow.undeposited_units)
            when = "today" if left == 0 else f"in {left} day{'s' if left > 1 else ''}"
            texts.append(f"{name}: {missing} is not deposited, and the game stops {when} (J-19)")
    return texts


@command("jackpots/review-escrow", roles=roles.SYSTEM, is_exposed=False)
class ReviewEscrow(Command):
    """Suspend every open jackpot whose escrow is short."""

    def entries(self, now: Now, _: By) -> list[books.Payload]:
        """Return the suspensions (J-19)."""
        return [
            PlaySet(
                name=name,
                play="suspended",
                reason=PlayReason.ESCROW_SHORTFALL,
                words=f"{meters.units_text(units)} held for the players is neither at the bank nor younger than "
                "seven days",
            )
            for name, units in _shortfalls(now.state, now.at).items()
        ]


def review_escrow(executor: Executor, id: str) -> books.Answer | None:  # noqa: A002
    """Suspend every open jackpot whose escrow is short, as Pitboss; nothing is written where none is."""
    services = executor.services
    if not short_names(services.state, services.clock()):
        return None
    return executor.do(ReviewEscrow(), SYSTEM_ACTOR, id=id)
