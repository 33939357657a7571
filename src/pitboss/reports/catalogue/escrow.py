"""Escrow of each progressive over a period: what came to the bank and left it, what is held, what is due (J-19)."""

from __future__ import annotations

import datetime
from dataclasses import dataclass

from pitboss.books import Entry, JackpotAccounts, Movement, Payload
from pitboss.jackpot import JACKPOTS, JackpotRecord, JackpotSet
from pitboss.jackpot.escrow import escrow_of, forecast_of
from pitboss.reports.catalogue.meters import FUNDS
from pitboss.reports.catalogue.wagers import Clockwork
from pitboss.reports.collector import Collector
from pitboss.reports.render import units_words
from pitboss.reports.report import ExceptionLine, Kind, Report, Row, column, totalled
from pitboss.reports.scope import Scope

_COLUMNS = (
    column("jackpot", "Jackpot"),
    column("line", "Line"),
    column("entry", "Entry", Kind.COUNT),
    column("recorded", "Recorded", Kind.INSTANT),
    column("bank", "At the bank", Kind.MONEY),
    column("transit", "On its way", Kind.MONEY),
    column("held", "Held for players", Kind.MONEY),
)
_WORDS = {
    "escrow-sent": "deposit sent",
    "escrow-arrived": "deposit arrived",
    "escrow-withdrawn": "withdrawn",
}


class EscrowStatement(Collector):
    """The escrow statement of every progressive (J-19, J-22, G-33)."""

    name = "escrow"
    title = "Escrow statement"
    says = "The separate bank account of each progressive against what is held for its players."
    kinds = frozenset({*_WORDS, "correction"})

    def __init__(self, scope: Scope) -> None:
        super().__init__(scope)
        self.moves: dict[str, list[tuple[Entry, Movement]]] = {}

    def take(self, entry: Entry, value: Payload) -> None:
        """Keep what moves the bank account: a few entries a week."""
        if isinstance(value, Movement):
            self.moves.setdefault(value.jackpot, []).append((entry, value))

    def report(self) -> Report:
        """Set the statement of each progressive under one another."""
        rows: list[Row] = []
        exceptions: list[ExceptionLine] = []
        for record in self.scope.records():
            accounts = self.scope.accounts(self.scope.closing, record.jackpot.name)
            if record.jackpot.is_progressive and accounts is not None:
                rows += self._statement(record, accounts, exceptions)
        notes = [
            "A deposit on its way counts for seven days; money is due at the bank when it is seven days old (G-33)."
        ]
        said = {"notes": notes, "exceptions": tuple(exceptions), "group": 1, "broken": bool(exceptions)}
        return self.scope.report(self.name, self.title, self.says, _COLUMNS, rows, **said)

    def _statement(self, record: JackpotRecord, accounts: JackpotAccounts, wrong: list[ExceptionLine]) -> list[Row]:
        name, scope = record.jackpot.name, self.scope
        before = scope.accounts(scope.opening, name)
        start = (0, 0, 0) if before is None else _stands(before)
        rows = [Row((name, "at the start", None, None, *start), "sum")]
        bank, transit = start[:2]
        for entry, movement in self.moves.get(name, ()):
            change = [_change(movement, account) for account in ("escrow-bank", "escrow-transit")]
            bank, transit = bank + change[0], transit + change[1]
            if any(change):
                words = _WORDS.get(movement.kind, movement.words)
                told = f"{words}: {movement.words}" if movement.kind == "escrow-withdrawn" else words
                rows.append(Row((name, told, entry.sequence, entry.recorded, *change, None)))
        end = _stands(accounts)
        rows.append(Row((name, "at the end", None, scope.as_of, *end), "sum"))
        if (bank, transit) != end[:2]:
            words = (
                f"escrow {name}: the entries come to {units_words(bank)} at the bank, {units_words(transit)} on its way"
            )
            wrong.append(scope.line(f"escrow/sum/{scope.period.last_day}/{name}", words))
        return rows + self._due(record, accounts, wrong)

    def _due(self, record: JackpotRecord, accounts: JackpotAccounts, wrong: list[ExceptionLine]) -> list[Row]:
        name, scope = record.jackpot.name, self.scope
        now = scope.as_of
        escrow, left = escrow_of(record, accounts, now), forecast_of(record, accounts, now).days(now)
        age = "" if escrow.oldest is None else f", the oldest of it {escrow.age_days} days old"
        due = "never, as it stands" if left is None else f"in {left} days"
        rows = [Row((name, f"held and not deposited{age}", None, None, None, None, escrow.undeposited_units))]
        if escrow.stale_units:
            rows.append(Row((name, "on its way for more than seven days", None, None, None, escrow.stale_units, None)))
        if escrow.is_short:
            words = f"escrow of {name} is short by {units_words(escrow.shortfall_units)}: play stops (J-19)"
            wrong.append(scope.line(f"escrow/short/{scope.period.last_day}/{name}", words, escrow.shortfall_units))
            rows.append(Row((name, "SHORT", None, None, None, None, escrow.shortfall_units), "alarm"))
        else:
            rows.append(
                Row(
                    (
                        name,
                        f"covers what is due; short {due} if nothing is deposited",
                    )
                    + (None,) * 5,
                    "sum",
                )
            )
        return rows


def _stands(accounts: JackpotAccounts) -> tuple[int, int, int]:
    return accounts.balances["escrow-bank"], accounts.balances["escrow-transit"], accounts.held_units


def _change(movement: Movement, account: str) -> int:
    return sum(each.units * ((each.payee == account) - (each.payer == account)) for each in movement.transfers)


_ACCRUAL_COLUMNS = (
    column("day", "Day"),
    column("jackpot", "Jackpot"),
    column("wagers", "Wagers", Kind.COUNT),
    column("staked", "Wagers' money", Kind.MONEY),
    column("displayed", "To the display", Kind.MONEY),
    column("reserve", "To the reserve", Kind.MONEY),
    column("overflow", "Above the cap", Kind.MONEY),
    column("accrual", "Accrual", Kind.MONEY),
)


@dataclass(slots=True)
class _Line:
    wagers: int = 0
    staked: int = 0
    displayed: int = 0
    reserve: int = 0
    overflow: int = 0


class Accrual(Collector):
    """What the wagers of each gambling day have added to what is held for the players (J-03, J-04)."""

    name = "accrual"
    title = "Master games report: accrual of progressive jackpots"
    says = "The adjustment of each gambling day: what counted wagers, less counts taken back, have accrued to players."
    kinds = frozenset({"wagers-counted", "count-corrected", "jackpot-defined"})

    def __init__(self, scope: Scope) -> None:
        super().__init__(scope)
        self.clockwork = Clockwork(scope)
        opening = scope.opening.of(JACKPOTS).jackpots
        self.progressive = {name for name, each in opening.items() if each.jackpot.is_progressive}
        self.lines: dict[tuple[datetime.date, str], _Line] = {}

    def take(self, entry: Entry, value: Payload) -> None:
        """Add what an entry moves from wagers into the funds, or back."""
        if isinstance(value, JackpotSet):
            self.progressive |= {value.jackpot.name} if value.jackpot.is_progressive else set()
            return
        assert isinstance(value, Movement)
        if value.jackpot not in self.progressive or not self.scope.wants(value.jackpot, entry.table):
            return
        day, _ = self.clockwork.shift(entry.recorded)
        line = self.lines.setdefault((day, value.jackpot), _Line())
        line.wagers += value.counts.get("wagers_counted", 0) - value.counts.get("wagers_reversed", 0)
        for payer, payee, units, _, _ in value.transfers:
            line.staked += units * ((payer == "wagers") - (payee == "wagers"))
            for fund in FUNDS:
                more = units * ((payee == fund) - (payer == fund))
                setattr(line, fund, getattr(line, fund) + more)

    def report(self) -> Report:
        """Give a line for each day and progressive."""
        rows = []
        for (day, jackpot), line in sorted(self.lines.items()):
            funds = (line.displayed, line.reserve, line.overflow)
            rows.append(Row((day.isoformat(), jackpot, line.wagers, line.staked, *funds, sum(funds))))
        notes = ["A Bonus jackpot is the house's own money: the master games report is not adjusted for it (J-04)."]
        totals = totalled(rows, _ACCRUAL_COLUMNS, "all")
        return self.scope.report(
            self.name, self.title, self.says, _ACCRUAL_COLUMNS, rows, totals=totals, notes=notes, group=1
        )
