"""Escrow of a progressive: what must be at the bank, what is, how old the rest is, and when it will be too old.

In a commercial room a separate bank account holds what is displayed or held back, and what the fund owes to winners who
are not paid yet (G-33, J-19). The seed is there before play opens; what accrues is due when it is seven days old. A
deposit on its way counts once, for seven days. A jackpot opened before version 0.3 is judged by the rule of then: the
seed had seven days too, and what was owed to winners did not count.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Literal, NamedTuple, TypeAlias

from pitboss import books, law, meters
from pitboss.commands import (
    Bounds,
    By,
    Command,
    Description,
    Executor,
    Name,
    Now,
    Number,
    Words,
    command,
    is_same_person,
    refuse,
    roles,
)
from pitboss.commands.command import BOOK, SYSTEM_ACTOR, Prepared, Services
from pitboss.commands.description import fact
from pitboss.jackpot import descriptions
from pitboss.jackpot.definitions import Jackpot, PlayReason, PlaySet
from pitboss.jackpot.doubts import doubt_warnings
from pitboss.jackpot.state import (
    COMMERCIAL,
    DAY,
    HOUR,
    JACKPOTS,
    JackpotRecord,
    accounts_of,
    escrow_time,
    local_day,
    profile_at,
    record_of,
    rule_of,
)
from pitboss.jackpot.titles import jackpot_title
from pitboss.meters.terms import integer_problems
from pitboss.rules import dollars

Fund: TypeAlias = Literal["displayed", "reserve", "overflow"]


def meter_of(state: books.BookState, name: str) -> tuple[JackpotRecord, meters.MeterState]:
    """Return a jackpot and the state of its meter, or refuse."""
    return record_of(state, name), accounts_of(state, name).meter_state


@command("jackpots/adjust", roles=roles.MONEY, approvers=roles.MONEY)
class AdjustFund(Command):
    """Adjust a meter or another fund: raise it, or lower it for a permitted reason; in millionths of a dollar."""

    name: Name
    units: Number
    reason: meters.DecreaseReason | None = None
    fund: Fund = "displayed"
    words: Words
    malfunction: Annotated[int, Bounds(1, text="The entry of the malfunction for which a fund is lowered.")] | None = (
        None
    )

    def describe(self, state: books.BookState) -> Description:
        """Return by how much which fund changes, and what it shows then."""
        verb = "Raise" if self.units > 0 else "Lower"
        title = descriptions.fund_title(state, self.name, self.fund)
        rows = [descriptions.fund_change(state, self.name, self.fund, self.units)]
        rows += [] if self.reason is None else [fact("Allowed reason", descriptions.DECREASE_TITLES[self.reason])]
        rows += [] if self.malfunction is None else [fact("Malfunction", f"log entry {self.malfunction}")]
        return Description(f"{verb} {title} by {descriptions.exact(self.units)}", tuple(rows), self.words)

    def prepare(self, services: Services) -> Prepared:
        """Look the malfunction up that is named."""
        number = self.malfunction
        return _Adjustment(self, None if number is None else services.books.store.entry(BOOK, number))

    def entries(self, now: Now, by: By) -> list[books.Movement]:
        """Return the adjustment where no malfunction is named (J-09, J-14)."""
        return _Adjustment(self, None).entries(now, by)


_MALFUNCTION_KIND = "malfunction-known"


@dataclass(frozen=True, slots=True)
class _Adjustment:
    """An adjustment, with the entry of the malfunction that it names."""

    command: AdjustFund
    malfunction: books.Entry | None

    def entries(self, now: Now, by: By) -> list[books.Movement]:
        """Return the adjustment (J-09, J-14)."""
        command = self.command
        record, meter = meter_of(now.state, command.name)
        refuse(self._problems(record))
        fund, terms = meters.Account(command.fund), record.jackpot.meter
        change = meters.adjust(meter, terms, command.units, command.reason, words=command.words, fund=fund)
        reason: dict[str, Any] = {"words": command.words, "approved_by": by.approved_by}
        reason |= {} if command.malfunction is None else {"details": {"malfunction": command.malfunction}}
        return [books.movement_of("meter-adjusted", command.name, meter, change, **reason)]

    def _problems(self, record: JackpotRecord) -> Iterator[str]:
        number, is_for_one = self.command.malfunction, self.command.reason is _FOR_MALFUNCTION
        if number is None:
            if is_for_one:
                yield "malfunction: a decrease for a malfunction names its record (G-31, J-14)"
        elif not is_for_one:
            yield "malfunction: only a decrease for a malfunction names one (G-31, J-14)"
        elif self.malfunction is None or self.malfunction.kind != _MALFUNCTION_KIND:
            yield f"malfunction: entry {number} is no record of a malfunction (G-31, J-14)"
        elif record.jackpot.linked(self.malfunction.table) is None:
            where, name = f"table {self.malfunction.table}", record.jackpot.title
            yield f"malfunction: entry {number} is about {where}, where {name} is not played (G-31)"


_FOR_MALFUNCTION = meters.DecreaseReason.EQUIPMENT_MALFUNCTION


@command("jackpots/receipts", roles=roles.MONEY, approvers=roles.MONEY)
class BookReceipts(Command):
    """Book nondisplayed funds as gross receipts."""

    name: Name
    units: Number
    fund: Fund
    words: Words

    def describe(self, state: books.BookState) -> Description:
        """Return what leaves the fund."""
        title = f"Book {descriptions.exact(self.units)} of {descriptions.fund_title(state, self.name, self.fund)}"
        row = descriptions.fund_change(state, self.name, self.fund, -self.units)
        return Description(f"{title} as gross receipts of the house", (row,), self.words)

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

    def describe(self, state: books.BookState) -> Description:
        """Return what leaves the one jackpot and comes to the other."""
        giver, taker = (
            descriptions.fund_title(state, self.name, self.fund),
            descriptions.fund_title(state, self.other, "displayed"),
        )
        rows = (
            descriptions.fund_change(state, self.name, self.fund, -self.units),
            descriptions.fund_change(state, self.other, "displayed", self.units),
            fact("Permitted by", self.permitted_by),
        )
        title = f"Move {descriptions.exact(self.units)} from {giver} to {taker}".removesuffix(",")
        return Description(title, rows, self.words)

    def entries(self, now: Now, by: By) -> list[books.Movement]:
        """Return what leaves the one and comes to the display of the other (J-15)."""
        if self.name == self.other:
            refuse([f"{jackpot_title(now.state, self.name)} cannot seed itself"])
        refuse(_seeding_problems(now, self.name))
        (giver, gives), (taker, takes) = meter_of(now.state, self.name), meter_of(now.state, self.other)
        fund, source = meters.Account(self.fund), meters.Account.OTHER_METERS
        rule = {"permitted_by": self.permitted_by, "words": self.words}
        giving = meters.seed_other(gives, giver.jackpot.meter, self.units, fund=fund, **rule)
        text = f"{self.words} (from {jackpot_title(now.state, self.name)})"
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

    `undeposited_units` is what is held or owed and neither at the bank nor on its way; `oldest` is when the oldest part
    of it came, nothing where all is deposited; `shortfall_units` is what of it is older than seven days. `owed_units`
    is what the fund owes to winners who are not paid yet.
    """

    now: int
    held_units: int
    bank_units: int
    transit_units: int
    stale_units: int
    undeposited_units: int
    oldest: int | None
    shortfall_units: int
    owed_units: int = 0

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
    held, owed, week = accounts.held_units, _owed_units(record), escrow_time(now)
    bank = accounts.balances["escrow-bank"]
    transit = _transit_units(record, now)
    missing = 0 if record.escrow == "none" else max(0, held + owed - bank - transit)
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
        owed_units=owed,
    )


def _owed_units(record: JackpotRecord) -> int:
    return record.owed_units if record.escrow else 0


def _transit_units(record: JackpotRecord, now: int) -> int:
    """Return what counts of the deposits on their way: money that is sent again while it has not arrived, once."""
    week = escrow_time(now)
    fresh = sum(units for _, since, units in record.in_transit if now - since <= week)
    if not record.escrow:
        return fresh
    return max(0, fresh - sum(units for _, since, units in record.in_transit if now - since > week))


def shortfall_units(record: JackpotRecord, accounts: books.JackpotAccounts, now: int) -> int:
    """Return what is held or owed, not deposited and too old: `Escrow.shortfall_units`, computed quickly."""
    if record.escrow == "none":
        return 0
    missing = accounts.held_units - accounts.balances["escrow-bank"]
    if record.owed:
        missing += _owed_units(record)
    if record.in_transit:
        missing -= _transit_units(record, now)
    if missing <= 0:
        return 0
    week = escrow_time(now)
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
    slack = accounts.balances["escrow-bank"] - accounts.held_units - _owed_units(record)
    if daily == 0 or record.escrow == "none":
        return EscrowForecast(daily, None)
    return EscrowForecast(daily, now + week + max(0, slack) * DAY // daily)


def _cents_problems(cents: int) -> list[str]:
    return list(map(str, integer_problems("cents", cents, 1, "REGULATION J-19", "G-3")))


@command("jackpots/deposit", roles=roles.MONEY)
class SendDeposit(Command):
    """Record a deposit to the escrow bank."""

    name: Name
    cents: Number

    def entries(self, now: Now, _: By) -> list[books.Movement]:
        """Return the cash of the house that is on its way; a meter that has no seed yet gets it (G-33)."""
        record = record_of(now.state, self.name)
        if not record.jackpot.is_progressive:
            refuse([f"{record.jackpot.title} is a Bonus: it has no escrow (J-01)"])
        refuse(_cents_problems(self.cents))
        transfers = (books.LedgerTransfer("cash", "escrow-transit", meters.units_of(self.cents)),)
        sent = books.Movement("escrow-sent", self.name, transfers)
        if self.name in now.state.of(books.LEDGER):
            return [sent]
        return [books.movement_of("jackpot-opened", self.name, None, meters.open_meter(record.jackpot.meter)), sent]


@command("jackpots/deposit-arrived", roles=roles.MONEY, approvers=roles.MONEY)
class ConfirmDeposit(Command):
    """Confirm that a deposit arrived at the bank; `sequence` is the entry that sent it.

    Another person than the sender does, with the bank's reference.
    """

    name: Name
    sequence: Number
    reference: Annotated[str, Bounds(most=120, text="The bank's reference of the deposit.")] = ""

    def describe(self, state: books.BookState) -> Description:
        """Return the deposit, and what is at the bank then."""
        record = state.of(JACKPOTS).jackpots.get(self.name)
        units = 0 if record is None else sum(sent for entry, _, sent in record.in_transit if entry == self.sequence)
        bank = descriptions.fund_units(state, self.name, "escrow-bank")
        rows = (
            descriptions.amount_change("At the bank", bank, units),
            fact("Bank reference", self.reference or "none"),
        )
        deposit = f"deposit of {descriptions.exact(units)}" if units else "deposit, which is no longer in transit,"
        return Description(f"Confirm the {deposit} for {jackpot_title(state, self.name)}", rows)

    def prepare(self, services: Services) -> Prepared:
        """Look up who sent it."""
        entry = services.books.store.entry(BOOK, self.sequence) if self.sequence > 0 else None
        return _Arrival(self, "" if entry is None else entry.actor)

    def entries(self, now: Now, by: By) -> list[books.Movement]:
        """Return the arrival of a deposit whose sender is not known."""
        return _Arrival(self, "").entries(now, by)


@dataclass(frozen=True, slots=True)
class _Arrival:
    """The arrival of a deposit, with who sent it."""

    command: ConfirmDeposit
    sender: str

    def entries(self, now: Now, by: By) -> list[books.Movement]:
        """Return the arrival (J-20, G-33)."""
        name, sequence, reference = self.command.name, self.command.sequence, self.command.reference
        in_transit = {entry: units for entry, _, units in meter_of(now.state, name)[0].in_transit}
        units = in_transit.get(sequence)
        if units is None:
            others = ", ".join(map(str, in_transit)) or "none"
            title = jackpot_title(now.state, name)
            problem = f"no deposit of {title} by entry {sequence!r} is in transit; there are: {others}"
            raise books.RefusedError([problem])
        problems = []
        if is_same_person(by.name, self.sender):
            problems.append(f"{by.name} sent it: another person confirms that it has arrived (G-33)")
        if not reference.strip():
            problems.append("reference: name the bank's reference of the deposit (G-33, J-20)")
        refuse(problems)
        transfers = (books.LedgerTransfer("escrow-transit", "escrow-bank", units),)
        details = {"sent": sequence, "reference": reference}
        return [books.Movement("escrow-arrived", name, transfers, details=details, approved_by=by.approved_by)]


@command("jackpots/withdraw", roles=roles.MONEY, approvers=roles.MONEY)
class WithdrawEscrow(Command):
    """Record a withdrawal from the escrow bank."""

    name: Name
    cents: Number
    words: Words

    def describe(self, state: books.BookState) -> Description:
        """Return the withdrawal, and what is left at the bank."""
        bank = descriptions.fund_units(state, self.name, "escrow-bank")
        row = descriptions.amount_change("At the bank", bank, -meters.units_of(self.cents))
        title = f"Withdraw {dollars(self.cents)} from the bank account of {jackpot_title(state, self.name)}"
        return Description(title, (row,), self.words)

    def entries(self, now: Now, by: By) -> list[books.Movement]:
        """Return the withdrawal: for prizes that were paid, or because money was seized (J-18)."""
        record = meter_of(now.state, self.name)[0]
        refuse(_cents_problems(self.cents))
        refuse(_withdrawal_problems(now.state, record, meters.units_of(self.cents)))
        transfers = (books.LedgerTransfer("escrow-bank", "cash", meters.units_of(self.cents)),)
        return [books.Movement("escrow-withdrawn", self.name, transfers, words=self.words, approved_by=by.approved_by)]


def _withdrawal_problems(state: books.BookState, record: JackpotRecord, units: int) -> Iterator[str]:
    """Yield why money stays at the bank: nothing is withdrawn that leaves less than is held and owed (G-33)."""
    title = record.jackpot.title
    accounts = accounts_of(state, record.jackpot.name)
    is_seized = record.play == "suspended" and record.play_reason == PlayReason.SEIZURE
    if is_seized or rule_of(state, record.jackpot) == "none":
        return
    required, left = accounts.held_units + record.owed_units, accounts.balances["escrow-bank"] - units
    if 0 <= left < record.removed_units:
        removed = meters.units_text(record.removed_units)
        yield f"the bank keeps {removed} of {title}, which is removed, until its payment is documented (G-56)"
    elif 0 <= left < required:
        yield (
            f"{meters.units_text(left)} would be left at the bank of {title}, and "
            f"{meters.units_text(required)} is held for players or owed to winners (G-33, J-19)"
        )


def account_shortfalls(state: books.BookState, jackpot: Jackpot, now: int) -> dict[str, int]:
    """Return by name what is missing of the progressives of one account: those of a location share it (J-19)."""
    ledger, location = state.of(books.LEDGER), _location(jackpot)
    found = {}
    for name, record in state.of(JACKPOTS).jackpots.items():
        same_record, same_accounts, since, until = _covered.get(name, _NEVER_ASKED)
        if same_record is record and since <= now < until and same_accounts is ledger.get(name):
            continue
        if record.escrow == "commercial" and name in ledger and _location(record.jackpot) == location:
            units = shortfall_units(record, ledger[name], now)
            if units:
                found[name] = units
            elif not record.in_transit:
                _covered[name] = (record, ledger[name], now, now - now % -HOUR)
    return found


_Covered: TypeAlias = tuple[JackpotRecord | None, books.JackpotAccounts | None, int, int]
_covered: dict[str, _Covered] = {}
"""By name a progressive of which nothing was missing, since when, and until when nothing can be if it does not move.

Each press asks about every progressive of the account, and moves one. What accrued falls due just after an hour begins.
"""
_NEVER_ASKED: _Covered = (None, None, 0, 0)


def _location(jackpot: Jackpot) -> str:
    return jackpot.tables[0].location if jackpot.tables else ""


def short_names(state: books.BookState, now: int) -> list[str]:
    """Return the jackpots that are open and whose account is short at an instant."""
    return list(_shortfalls(state, now))


def _shortfalls(state: books.BookState, now: int) -> dict[str, dict[str, int]]:
    """Return by open jackpot what is missing by jackpot; one of before version 0.3 is judged by the rule of today."""
    missing: dict[str, dict[str, int]] = {}
    for name, record in state.of(JACKPOTS).jackpots.items():
        if record.play != "open":
            continue
        units_by_name = account_shortfalls(state, record.jackpot, now) if record.escrow == "commercial" else {}
        if not record.escrow:
            judged = record._replace(escrow=rule_of(state, record.jackpot))
            units_by_name = {name: shortfall_units(judged, state.of(books.LEDGER)[name], now)}
        if any(units_by_name.values()):
            missing[name] = units_by_name
    return missing


def warnings(state: books.BookState, now: int, days: int = WARN_DAYS) -> list[str]:
    """Return which amounts are doubtful, and which escrows are short or will be in so many days without a deposit."""
    texts = list(doubt_warnings(state))
    for name, record in sorted(state.of(JACKPOTS).jackpots.items()):
        accounts = state.of(books.LEDGER).get(name)
        if accounts is None or not record.jackpot.is_progressive:
            continue
        escrow, forecast = escrow_of(record, accounts, now), forecast_of(record, accounts, now)
        left = forecast.days(now)
        if escrow.is_short:
            shortfall = meters.units_text(escrow.shortfall_units)
            texts.append(
                f"{jackpot_title(state, name)}: the escrow is short by {shortfall}, the game is stopped (J-19)"
            )
        elif left is not None and left <= days:
            missing = meters.units_text(escrow.undeposited_units)
            when = "today" if left == 0 else f"in {left} day{'s' if left > 1 else ''}"
            texts.append(f"{jackpot_title(state, name)}: {missing} is not deposited, and the game stops {when} (J-19)")
    return texts


def _missing_words(state: books.BookState, units_by_name: Mapping[str, int]) -> str:
    return ", ".join(
        f"{meters.units_text(units)} of {jackpot_title(state, name)}" for name, units in units_by_name.items()
    )


@command("jackpots/review-escrow", roles=roles.SYSTEM, is_exposed=False)
class ReviewEscrow(Command):
    """Suspend every open jackpot whose escrow is short."""

    def entries(self, now: Now, _: By) -> list[books.Payload]:
        """Return the suspensions: of every progressive of an account that is short (G-33, J-19)."""
        return [
            PlaySet(
                name=name,
                play="suspended",
                reason=PlayReason.ESCROW_SHORTFALL,
                words="not at the bank in time (G-33): " + _missing_words(now.state, units_by_name),
            )
            for name, units_by_name in _shortfalls(now.state, now.at).items()
        ]


def review_escrow(executor: Executor, id: str) -> books.Answer | None:  # noqa: A002
    """Suspend every open jackpot whose escrow is short, as Pitboss; nothing is written where none is."""
    services = executor.services
    if not short_names(services.state, services.clock()):
        return None
    return executor.do(ReviewEscrow(), SYSTEM_ACTOR, id=id)
