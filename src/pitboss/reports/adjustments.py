"""What moved a fund besides play: adjustments, corrections and bookings by reason (J-14)."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby

from pitboss.books import MOVEMENTS, Entry, Movement, Payload
from pitboss.meters import DecreaseReason
from pitboss.reports.collecting import Collector
from pitboss.reports.meters import FUNDS
from pitboss.reports.scope import Scope
from pitboss.reports.values import Cell, Kind, Report, Row, column, totalled

__all__ = ["Adjustments"]

_PLAY = frozenset({"wagers-counted", "wagers-refunded", "prize-called", "prize-paid", "jackpot-opened"})
_RAISED = "raised"
_COLUMNS = (
    column("reason", "Reason"),
    column("entry", "Entry", Kind.COUNT),
    column("recorded", "Recorded", Kind.INSTANT),
    column("jackpot", "Jackpot"),
    column("fund", "Fund"),
    column("amount", "Amount", Kind.MONEY),
    column("by", "By"),
    column("approved_by", "Approved by"),
    column("words", "Words", Kind.DETAIL),
)


class Adjustments(Collector):
    """Every change of a fund that play did not make, by reason; decreases for prizes in sum (J-09, J-14)."""

    name = "adjustments"
    title = "Adjustments by reason"
    says = "Whatever raised or lowered a fund besides counted wagers and prizes, with its reason and both people."
    kinds = frozenset(MOVEMENTS) - {"wagers-counted", "wagers-refunded", "prize-paid", "jackpot-opened"}

    def __init__(self, scope: Scope) -> None:
        super().__init__(scope)
        self.rows: list[Row] = []
        self.prizes: dict[str, int] = {}

    def take(self, entry: Entry, value: Payload) -> None:
        """Keep each transfer that touches a fund; prizes only in sum."""
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
                told = reason if amount < 0 and reason else value.reason if amount < 0 else _RAISED
                self.rows.append(self._row(told or "moved between funds", entry, value, fund, amount, words))

    def _row(self, reason: str, entry: Entry, movement: Movement, fund: str, amount: int, words: str) -> Row:
        cells: tuple[Cell, ...] = (reason, entry.sequence, entry.recorded, movement.jackpot, fund, amount)
        said = f"{MOVEMENTS[movement.kind].says}: {movement.words or words}"
        return Row((*cells, entry.actor, movement.approved_by, said))

    def report(self) -> Report:
        """Set them under one another, reason by reason."""
        order = [reason.value for reason in DecreaseReason]
        for jackpot, amount in sorted(self.prizes.items()):
            won = DecreaseReason.PRIZE_WON.value
            self.rows.append(Row((won, None, None, jackpot, "displayed", amount, "", "", "prizes in sum")))
        rows = sorted(self.rows, key=lambda row: _place(str(row.cells[0]), order))
        totals = totalled(rows, _COLUMNS, "all", skip=("entry",))
        rows = [row for _, of_reason in groupby(rows, lambda row: row.cells[0]) for row in _with_sum(of_reason)]
        return self.scope.report(self.name, self.title, self.says, _COLUMNS, rows, totals=totals, group=1)


def _with_sum(of_reason: Iterable[Row]) -> list[Row]:
    """The rows of one reason, and what several of them come to."""
    rows = list(of_reason)
    total = totalled(rows, _COLUMNS, f"together {rows[0].cells[0]}", skip=("entry",))
    return [*rows, total] if len(rows) > 1 and total is not None else rows


def _place(reason: str, order: list[str]) -> int:
    return order.index(reason) if reason in order else len(order)
