"""Escrow of each progressive over a period: what came to the bank and left it, what is held, what is due (J-19)."""

from __future__ import annotations

from pitboss.books import Entry, JackpotAccounts, Movement, Payload
from pitboss.jackpot import JackpotRecord
from pitboss.jackpot.escrow import escrow_of, forecast_of
from pitboss.reports.collecting import Collector
from pitboss.reports.scope import Scope
from pitboss.reports.values import ExceptionLine, Kind, Report, Row, column
from pitboss.reports.wording import units_words

__all__ = ["EscrowStatement"]

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
