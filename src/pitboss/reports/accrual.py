"""The accrual line of the master games report: progressive jackpots only, by gambling day (J-04)."""

from __future__ import annotations

import datetime
from dataclasses import dataclass

from pitboss.books import Entry, Movement, Payload
from pitboss.jackpot import JACKPOTS, JackpotSet
from pitboss.reports.collecting import Collector
from pitboss.reports.counted import Clockwork
from pitboss.reports.meters import FUNDS
from pitboss.reports.scope import Scope
from pitboss.reports.values import Kind, Report, Row, column, totalled

__all__ = ["Accrual"]

_COLUMNS = (
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
        totals = totalled(rows, _COLUMNS, "all")
        return self.scope.report(self.name, self.title, self.says, _COLUMNS, rows, totals=totals, notes=notes, group=1)
