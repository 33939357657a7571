"""The money of jackpots: meters reconciled to the unit, escrow, accrual, and adjustments by reason.

In a reconciliation the left side is counted wagers times the rates of the definition in force, and every other
transfer; the right side is the ledger's fold. They come by different roads: transfers of counted wagers are not looked
at on the left.
"""

from __future__ import annotations

import datetime
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import groupby
from typing import NamedTuple

from pitboss.books import MOVEMENTS, BookState, Entry, JackpotAccounts, Movement, Payload
from pitboss.jackpot import JACKPOTS, JackpotRecord, JackpotSet
from pitboss.jackpot.escrow import escrow_of, forecast_of
from pitboss.jackpot.state import seat_counts
from pitboss.meters import DecreaseReason, MeterTerms
from pitboss.reports.catalogue.play import Clockwork
from pitboss.reports.render import units_words
from pitboss.reports.report import Cell, CellKind, ExceptionLine, Report, ReportRow, column, totalled
from pitboss.reports.scope import Collector, Group, Scope

FUNDS = ("displayed", "reserve", "overflow")
_COLUMNS = (
    column("jackpot", "Jackpot"),
    column("line", "Line"),
    column("count", "Number", CellKind.COUNT),
    column("displayed", "Meter", CellKind.MONEY),
    column("reserve", "Reserve", CellKind.MONEY),
    column("overflow", "Overflow", CellKind.MONEY),
    column("held", "Total", CellKind.MONEY),
)
_WORDS = {
    "jackpot-opened": "Starting amount",
    "prize-rejected": "Rejected jackpots: prizes and resets returned",
    "prize-reversed": "Small prizes reversed",
    "meter-adjusted": "Adjustments",
    "count-corrected": "Reversed counts (equipment malfunction)",
    "receipts-booked": "Booked as gross receipts",
    "other-seeded": "Moved to another meter",
    "funds-removed": "Removed with the jackpot",
    "bonus-posted": "Amounts posted",
    "terms-changed": "Moved by changed terms",
    "correction": "Corrections of earlier entries",
}


class Funds(NamedTuple):
    """Units in the three funds of a meter."""

    displayed: int = 0
    reserve: int = 0
    overflow: int = 0

    def plus(self, other: Funds) -> Funds:
        """Add fund by fund."""
        return Funds(*(mine + theirs for mine, theirs in zip(self, other, strict=True)))

    def less(self, other: Funds) -> Funds:
        """Subtract fund by fund."""
        return Funds(*(mine - theirs for mine, theirs in zip(self, other, strict=True)))


NOTHING = Funds()


def fund_changes(movement: Movement) -> Iterator[tuple[str, str, Funds]]:
    """By transfer: who pays, who gets, and what that does to the funds; transfers that touch no fund are left out."""
    for payer, payee, units, _, _ in movement.transfers:
        change = Funds(*(units * ((payee == fund) - (payer == fund)) for fund in FUNDS))
        if change != NOTHING:
            yield payer, payee, change


@dataclass(slots=True)
class _Meter:
    """The figures collected of one jackpot."""

    terms: MeterTerms
    wagers: Counter[tuple[str, MeterTerms]] = field(default_factory=Counter)
    lines: dict[str, Funds] = field(default_factory=dict)
    counts: Counter[str] = field(default_factory=Counter)
    counted: int = 0
    refunded: int = 0
    wrong: list[str] = field(default_factory=list)

    def add(self, words: str, change: Funds, count: int = 0) -> None:
        self.lines[words] = self.lines.get(words, NOTHING).plus(change)
        self.counts[words] += count


class Meters(Collector):
    """The reconciliation of every meter over a period (J-07, J-09, T-11)."""

    name = "meters"
    title = "Meter reconciliation"
    group = Group.MONEY
    packet_place = 3
    says = (
        "Opening meter + contributions \N{MINUS SIGN} prizes \N{PLUS-MINUS SIGN} resets and adjustments "
        "= closing meter."
    )
    kinds = frozenset({*MOVEMENTS, "jackpot-defined", "jackpot-changed"})

    def __init__(self, scope: Scope) -> None:
        super().__init__(scope)
        opening = scope.opening.of(JACKPOTS).jackpots
        self.meters = {name: _Meter(record.jackpot.meter) for name, record in opening.items()}

    def take(self, entry: Entry, value: Payload) -> None:
        """Add a movement to its line, or follow a change of terms."""
        if isinstance(value, JackpotSet):
            name, terms = value.jackpot.name, value.jackpot.meter
            self.meters.setdefault(name, _Meter(terms)).terms = terms
        elif isinstance(value, Movement) and value.jackpot in self.meters:
            self._move(self.meters[value.jackpot], entry, value)

    def _move(self, meter: _Meter, entry: Entry, movement: Movement) -> None:
        if movement.kind == "wagers-counted":
            self._count(meter, entry, movement)
            return
        if movement.kind == "wagers-refunded":
            meter.refunded += len(movement.details.get("seats", ()))
        changes = list(fund_changes(movement))
        for payer, payee, change in changes:
            meter.add(_line(movement, payer, payee), change)
        if changes:
            meter.counts[_line(movement, *changes[0][:2])] += 1

    def _count(self, meter: _Meter, entry: Entry, movement: Movement) -> None:
        """Count wagers under the rates in force; of the transfers only what passed the cap is needed (T-22)."""
        wagers = movement.counts.get("wagers_counted", 0)
        meter.wagers[entry.table, meter.terms] += wagers
        meter.counted += wagers
        by_seat = seat_counts(movement)
        if by_seat and sum(by_seat.values()) != wagers:
            meter.wrong.append(f"entry {entry.sequence} counts {wagers} wagers and its seats {sum(by_seat.values())}")
        for payer, payee, units, _, _ in movement.transfers:
            if (payer, payee) == ("wagers", "overflow"):
                meter.add("Of these above the cap", Funds(-units, 0, units))

    def report(self) -> Report:
        """List the lines, jackpot by jackpot."""
        rows: list[ReportRow] = []
        exceptions: list[ExceptionLine] = []
        for name, meter in sorted(self.meters.items()):
            if self.scope.wants(name) and self._is_asked(name):
                rows += self._rows(name, meter, exceptions)
        refunded = {name: meter.refunded for name, meter in sorted(self.meters.items()) if meter.refunded}
        notes = [
            f"{self.scope.title(name)}: {wagers:,} wagers of void rounds were refunded by the house; "
            "the meter stays as it is (G-11)."
            for name, wagers in refunded.items()
        ]
        return self.build(
            _COLUMNS,
            rows,
            notes=notes,
            exceptions=tuple(exceptions),
            group=1,
            broken=bool(exceptions),
        )

    def _is_asked(self, name: str) -> bool:
        table, record = self.scope.request.table, self.scope.jackpots.jackpots.get(name)
        return table is None or (record is not None and record.jackpot.linked(table) is not None)

    def _rows(self, name: str, meter: _Meter, exceptions: list[ExceptionLine]) -> list[ReportRow]:
        scope = self.scope
        start, end = _stands(scope, scope.opening, name), _stands(scope, scope.closing, name)
        if end is None:
            return [ReportRow((name, "Not opened yet", None, None, None, None, None))]
        running = start or NOTHING
        rows = [_row(name, "Opening", None, running, "sum")]
        seed = meter.lines.pop(_WORDS["jackpot-opened"], None)
        if seed is not None:
            rows.append(_row(name, _WORDS["jackpot-opened"], None, seed))
            running = running.plus(seed)
        for (table, terms), wagers in sorted(meter.wagers.items(), key=lambda item: item[0][0]):
            change = Funds(wagers * terms.display_units, wagers * terms.reserve_units, 0)
            rows.append(_row(name, _wager_words(table, terms), wagers, change))
            running = running.plus(change)
        for words, change in meter.lines.items():
            rows.append(_row(name, words, meter.counts[words] or None, change))
            running = running.plus(change)
        rows.append(_row(name, "Calculated", None, running, "sum"))
        rows.append(_row(name, "Recorded", None, end, "sum"))
        difference = end.less(running)
        exceptions += self._wrong(name, meter, difference)
        holds = difference == NOTHING
        words = "Difference" if holds else "Difference: DOES NOT BALANCE"
        return [*rows, _row(name, words, None, difference, "sum" if holds else "alarm")]

    def _wrong(self, name: str, meter: _Meter, difference: Funds) -> Iterator[ExceptionLine]:
        scope, title = self.scope, self.scope.title(name)
        if difference != NOTHING:
            amounts = ", ".join(
                f"{fund} {units_words(units)}" for fund, units in zip(FUNDS, difference, strict=True) if units
            )
            key = f"meters/{scope.period.first_day}/{scope.period.last_day}/{name}"
            words = f"the meter of {title} does not balance: {amounts} in the books besides"
            yield scope.line(key, words, sum(difference))
        record = scope.jackpots.jackpots.get(name)
        accounts = scope.accounts(scope.closing, name)
        if record is not None and accounts is not None and record.displayed_units != accounts.balances["displayed"]:
            other = units_words(record.displayed_units)
            yield scope.line(f"meters/display/{name}", f"the meter of {title}: by seats and rounds it is {other}")
        for words in meter.wrong:
            yield scope.line(
                f"meters/counts/{name}/{words.split()[1]}", f"the meter of {title}: {words} (section 10 no. 4)"
            )


def _stands(scope: Scope, state: BookState, name: str) -> Funds | None:
    accounts = scope.accounts(state, name)
    return None if accounts is None else Funds(*(accounts.balances[fund] for fund in FUNDS))


def _wager_words(table: str, terms: MeterTerms) -> str:
    rate = units_words(terms.display_units)
    reserve = f", {units_words(terms.reserve_units)} to the reserve" if terms.reserve_units else ""
    place = f"Table {table}" if table else "No table"
    return (
        f"{place}: wagers at {rate}{reserve}" if terms.is_progressive else f"{place}: wagers (bonus: no contribution)"
    )


def _line(movement: Movement, payer: str, payee: str) -> str:
    if movement.kind != "prize-called":
        return _WORDS.get(movement.kind, MOVEMENTS[movement.kind].says)
    if payee == "winners":
        return "Prizes"
    return "Reset by the house" if payer == "seed" else f"Reset from the {payer}"


def _row(name: str, words: str, count: int | None, funds: Funds, style: str = "line") -> ReportRow:
    cells: tuple[Cell, ...] = (name, words, count, *funds, sum(funds))
    return ReportRow(cells, style)  # type: ignore[arg-type]


_ESCROW_COLUMNS = (
    column("jackpot", "Jackpot"),
    column("line", "Line"),
    column("entry", "Entry", CellKind.COUNT),
    column("recorded", "Recorded", CellKind.INSTANT),
    column("bank", "At the bank", CellKind.MONEY),
    column("transit", "In transit", CellKind.MONEY),
    column("held", "Owed to players", CellKind.MONEY),
)
_ESCROW_WORDS = {
    "escrow-sent": "Deposit sent",
    "escrow-arrived": "Deposit received",
    "escrow-withdrawn": "Withdrawn",
}


class EscrowStatement(Collector):
    """The escrow statement of every progressive (J-19, J-22, G-33)."""

    name = "escrow"
    title = "Escrow statement"
    group = Group.MONEY
    says = "The bank account of each progressive against what is owed to its players."
    kinds = frozenset({*_ESCROW_WORDS, "correction"})

    def __init__(self, scope: Scope) -> None:
        super().__init__(scope)
        self.moves: dict[str, list[tuple[Entry, Movement]]] = {}

    def take(self, entry: Entry, value: Payload) -> None:
        """Collect what moves the bank account: a few entries a week."""
        if isinstance(value, Movement):
            self.moves.setdefault(value.jackpot, []).append((entry, value))

    def report(self) -> Report:
        """List the statement of each progressive."""
        rows: list[ReportRow] = []
        exceptions: list[ExceptionLine] = []
        for record in self.scope.records():
            accounts = self.scope.accounts(self.scope.closing, record.jackpot.name)
            if record.jackpot.is_progressive and accounts is not None:
                rows += self._statement(record, accounts, exceptions)
        notes = [
            "A deposit in transit counts for seven days; money is due at the bank when it is seven days old (G-33)."
        ]
        lines = tuple(exceptions)
        return self.build(_ESCROW_COLUMNS, rows, notes=notes, exceptions=lines, group=1, broken=bool(lines))

    def _statement(
        self, record: JackpotRecord, accounts: JackpotAccounts, wrong: list[ExceptionLine]
    ) -> list[ReportRow]:
        name, scope = record.jackpot.name, self.scope
        before = scope.accounts(scope.opening, name)
        start = (0, 0, 0) if before is None else _escrow_balances(before)
        rows = [ReportRow((name, "Opening", None, None, *start), "sum")]
        bank, transit = start[:2]
        for entry, movement in self.moves.get(name, ()):
            change = [_change(movement, account) for account in ("escrow-bank", "escrow-transit")]
            bank, transit = bank + change[0], transit + change[1]
            if any(change):
                words = _ESCROW_WORDS.get(movement.kind, movement.words)
                text = f"{words}: {movement.words}" if movement.kind == "escrow-withdrawn" else words
                rows.append(ReportRow((name, text, entry.sequence, entry.recorded, *change, None)))
        end = _escrow_balances(accounts)
        rows.append(ReportRow((name, "Closing", None, scope.as_of, *end), "sum"))
        if (bank, transit) != end[:2]:
            amounts = f"{units_words(bank)} at the bank, {units_words(transit)} in transit"
            words = f"escrow of {scope.title(name)}: the entries come to {amounts}"
            wrong.append(scope.line(f"escrow/sum/{scope.period.last_day}/{name}", words))
        return rows + self._due(record, accounts, wrong)

    def _due(self, record: JackpotRecord, accounts: JackpotAccounts, wrong: list[ExceptionLine]) -> list[ReportRow]:
        name, scope = record.jackpot.name, self.scope
        now = scope.as_of
        escrow, left = escrow_of(record, accounts, now), forecast_of(record, accounts, now).days(now)
        age = "" if escrow.oldest is None else f", the oldest of it {escrow.age_days} days old"
        due = "never at this rate" if left is None else f"in {left} days"
        rows = [ReportRow((name, f"To deposit{age}", None, None, None, None, escrow.undeposited_units))]
        if escrow.stale_units:
            rows.append(
                ReportRow((name, "In transit for more than seven days", None, None, None, escrow.stale_units, None))
            )
        if escrow.is_short:
            words = (
                f"escrow of {scope.title(name)} is short by {units_words(escrow.shortfall_units)}: play stops (J-19)"
            )
            wrong.append(scope.line(f"escrow/short/{scope.period.last_day}/{name}", words, escrow.shortfall_units))
            rows.append(ReportRow((name, "SHORTFALL", None, None, None, None, escrow.shortfall_units), "alarm"))
        else:
            rows.append(
                ReportRow(
                    (
                        name,
                        f"Funded; short {due} if nothing is deposited",
                    )
                    + (None,) * 5,
                    "sum",
                )
            )
        return rows


def _escrow_balances(accounts: JackpotAccounts) -> tuple[int, int, int]:
    return accounts.balances["escrow-bank"], accounts.balances["escrow-transit"], accounts.held_units


def _change(movement: Movement, account: str) -> int:
    return sum(
        transfer.units * ((transfer.payee == account) - (transfer.payer == account)) for transfer in movement.transfers
    )


_ACCRUAL_COLUMNS = (
    column("day", "Day"),
    column("jackpot", "Jackpot"),
    column("wagers", "Wagers", CellKind.COUNT),
    column("staked", "Wagered", CellKind.MONEY),
    column("displayed", "To the meter", CellKind.MONEY),
    column("reserve", "To the reserve", CellKind.MONEY),
    column("overflow", "Above the cap", CellKind.MONEY),
    column("accrual", "Accrual", CellKind.MONEY),
)


@dataclass(slots=True)
class _DayAccrual:
    wagers: int = 0
    staked: int = 0
    displayed: int = 0
    reserve: int = 0
    overflow: int = 0


class Accrual(Collector):
    """What the wagers of each gambling day have added to what is held for the players (J-03, J-04)."""

    name = "accrual"
    title = "Master games report: accrual of progressive jackpots"
    group = Group.MONEY
    says = "The adjustment of each gambling day: what counted wagers, less reversed counts, added for players."
    kinds = frozenset({"wagers-counted", "count-corrected", "jackpot-defined"})

    def __init__(self, scope: Scope) -> None:
        super().__init__(scope)
        self.clockwork = Clockwork(scope)
        opening = scope.opening.of(JACKPOTS).jackpots
        self.progressive = {name for name, record in opening.items() if record.jackpot.is_progressive}
        self.lines: dict[tuple[datetime.date, str], _DayAccrual] = {}

    def take(self, entry: Entry, value: Payload) -> None:
        """Add what an entry moves from wagers into the funds, or back."""
        if isinstance(value, JackpotSet):
            self.progressive |= {value.jackpot.name} if value.jackpot.is_progressive else set()
            return
        assert isinstance(value, Movement)
        if value.jackpot not in self.progressive or not self.scope.wants(value.jackpot, entry.table):
            return
        day, _ = self.clockwork.shift(entry.recorded)
        line = self.lines.setdefault((day, value.jackpot), _DayAccrual())
        line.wagers += value.counts.get("wagers_counted", 0) - value.counts.get("wagers_reversed", 0)
        for payer, payee, units, _, _ in value.transfers:
            line.staked += units * ((payer == "wagers") - (payee == "wagers"))
            for fund in FUNDS:
                more = units * ((payee == fund) - (payer == fund))
                setattr(line, fund, getattr(line, fund) + more)

    def report(self) -> Report:
        """Build a row for each day and progressive."""
        rows = []
        for (day, jackpot), line in sorted(self.lines.items()):
            funds = (line.displayed, line.reserve, line.overflow)
            rows.append(ReportRow((day.isoformat(), jackpot, line.wagers, line.staked, *funds, sum(funds))))
        notes = ["A Bonus jackpot is the house's own money: the master games report is not adjusted for it (J-04)."]
        totals = totalled(rows, _ACCRUAL_COLUMNS, "Total")
        return self.build(_ACCRUAL_COLUMNS, rows, totals=totals, notes=notes, group=1)


_PLAY = frozenset({"wagers-counted", "wagers-refunded", "prize-called", "prize-paid", "jackpot-opened"})
_RAISED = "raised"
_ADJUSTMENT_COLUMNS = (
    column("reason", "Reason"),
    column("entry", "Entry", CellKind.COUNT),
    column("recorded", "Recorded", CellKind.INSTANT),
    column("jackpot", "Jackpot"),
    column("fund", "Fund"),
    column("amount", "Amount", CellKind.MONEY),
    column("by", "By"),
    column("approved_by", "Approved by"),
    column("words", "Reason given", CellKind.DETAIL),
)


class Adjustments(Collector):
    """Every change of a fund that play did not make, by reason; decreases for prizes in sum (J-09, J-14)."""

    name = "adjustments"
    title = "Adjustments by reason"
    group = Group.MONEY
    packet_place = 6
    says = "Every adjustment, with reason, requester and approver."
    kinds = frozenset(MOVEMENTS) - {"wagers-counted", "wagers-refunded", "prize-paid", "jackpot-opened"}

    def __init__(self, scope: Scope) -> None:
        super().__init__(scope)
        self.prizes: dict[str, int] = {}

    def take(self, entry: Entry, value: Payload) -> None:
        """Collect each transfer that touches a fund; prizes only in sum."""
        if not isinstance(value, Movement) or not self.scope.wants(value.jackpot):
            return
        for payer, payee, units, reason, words in value.transfers:
            for fund, amount in ((payer, -units), (payee, units)):
                if fund not in FUNDS:
                    continue
                if value.kind in _PLAY:
                    if amount < 0 and reason == DecreaseReason.PRIZE_WON.value:
                        self.prizes[value.jackpot] = self.prizes.get(value.jackpot, 0) + amount
                    continue
                cause = reason if amount < 0 and reason else value.reason if amount < 0 else _RAISED
                self.rows.append(self._row(cause or "moved between funds", entry, value, fund, amount, words))

    def _row(self, reason: str, entry: Entry, movement: Movement, fund: str, amount: int, words: str) -> ReportRow:
        cells: tuple[Cell, ...] = (reason, entry.sequence, entry.recorded, movement.jackpot, fund, amount)
        explanation = f"{MOVEMENTS[movement.kind].says}: {movement.words or words}"
        return ReportRow((*cells, entry.actor, movement.approved_by, explanation))

    def report(self) -> Report:
        """List them, reason by reason."""
        order = [reason.value for reason in DecreaseReason]
        for jackpot, amount in sorted(self.prizes.items()):
            won = DecreaseReason.PRIZE_WON.value
            self.rows.append(ReportRow((won, None, None, jackpot, "displayed", amount, "", "", "Total of prizes")))
        rows = sorted(self.rows, key=lambda row: _reason_place(str(row.cells[0]), order))
        totals = totalled(rows, _ADJUSTMENT_COLUMNS, "Total", skip=("entry",))
        rows = [row for _, of_reason in groupby(rows, lambda row: row.cells[0]) for row in _with_sum(of_reason)]
        return self.build(_ADJUSTMENT_COLUMNS, rows, totals=totals, group=1)


def _with_sum(of_reason: Iterable[ReportRow]) -> list[ReportRow]:
    """The rows of one reason, and what several of them come to."""
    rows = list(of_reason)
    total = totalled(rows, _ADJUSTMENT_COLUMNS, "Total", skip=("entry",))
    return [*rows, total] if len(rows) > 1 and total is not None else rows


def _reason_place(reason: str, order: list[str]) -> int:
    return order.index(reason) if reason in order else len(order)
